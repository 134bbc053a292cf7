/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "crash.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <pcm/messages.h>

/* Volatile, so that signal handlers see it. */
static const pcm_world *volatile watched; /* NULL: no world is being updated */
static pcm_called *volatile called;
static volatile sig_atomic_t left_to_parent;

static const struct {
    int         number;
    const char *what;
} crashes[] = {
    {SIGSEGV, "accessed memory that is not there (SIGSEGV)"},
    {SIGBUS, "accessed memory that is not there (SIGBUS)"},
    {SIGFPE, "divided a whole number by zero, or made arithmetic trap (SIGFPE)"},
    {SIGILL, "has an instruction that this processor does not know (SIGILL)"},
    {SIGABRT, "aborted (SIGABRT)"},
};
enum { CRASHES = sizeof crashes / sizeof *crashes };
static struct sigaction before[CRASHES]; /* the handler of a sanitizer, for signals outside of laws */

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

static void put(const char *text) { (void)!write(STDERR_FILENO, text, strlen(text)); }

/* Writes a name that the law may have overwritten. */
static void put_name(const char *name, size_t room)
{
    char   text[sizeof called->law];
    size_t length = 0;
    for (; length < room - 1 && name[length]; length++)
        text[length] = (unsigned char)name[length] < ' ' ? '?' : name[length];
    (void)!write(STDERR_FILENO, text, length);
}

static const pcm_type *updated(void) { return watched ? pcm_world_running(watched) : NULL; }

static bool runs_law(void) { return !left_to_parent && (updated() || (called && *called->function)); }

void crash_tell(const char *what)
{
    enum { CODE = PCM_MSG_LAW_ENDED_RUN };
    const pcm_type      *type = updated();
    const pcm_type_info *info = type ? pcm_type_get_info(type) : NULL;
    const pcm_called    *noted = called;
    if (!runs_law())
        return;
    put("error: the law ");
    put_name(info ? info->model->name : noted->law, sizeof noted->law);
    put(" of contact type '");
    put_name(info ? info->name : noted->type, sizeof noted->type);
    put("' ");
    put(what);
    put(" in ");
    put_name(info ? "update" : noted->function, sizeof noted->function);
    const char number[] = {'0' + CODE / 100, '0' + CODE / 10 % 10, '0' + CODE % 10, '\0'};
    put(" [PCM-");
    put(number);
    put("]\n");
}

/* After the handler returns, the signal takes its default action. */
static void on_crash(int number)
{
    const bool ours = runs_law();
    for (size_t i = 0; i < CRASHES; i++)
        if (crashes[i].number == number) {
            crash_tell(crashes[i].what);
            (void)sigaction(number, &before[i], NULL);
            if (ours || before[i].sa_handler == SIG_DFL) {
                (void)signal(number, SIG_DFL);
                (void)raise(number);
            }
        }
}

/* Called by exit and quick_exit. The program itself does not call them during a law's call. */
static void on_exit_call(void)
{
    if (!runs_law())
        return;
    crash_tell("ended the program");
    _exit(EXIT_FAILURE);
}

bool crash_describe(char *text, size_t size)
{
    const pcm_called *noted = called;
    if (!noted || !*noted->function)
        return false;
    (void)snprintf(text, size, "%.*s of the law %.*s (contact type '%.*s')", (int)sizeof noted->function - 1,
                   noted->function, (int)sizeof noted->law - 1, noted->law, (int)sizeof noted->type - 1, noted->type);
    return true;
}

/* ---- Watching ---------------------------------------------------------------------------------------------------- */

static void arm(void)
{
    static char   room[1 << 16]; /* a law may have used up the stack */
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    static bool   armed;
    if (armed)
        return;
    armed = true;
    (void)sigaltstack(&stack, NULL);
    (void)atexit(on_exit_call);
    (void)at_quick_exit(on_exit_call);
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CRASHES; i++)
        (void)sigaction(crashes[i].number, &action, &before[i]);
}

static pcm_called *note(void)
{
    static pcm_called own = {.size = sizeof own};
    if (!called) {
        pcm_called *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared != MAP_FAILED)
            shared->size = sizeof *shared;
        called = shared == MAP_FAILED ? &own : shared;
    }
    return called;
}

void crash_share(void) { (void)note(); }

void crash_watch(pcm_context *context)
{
    pcm_context_note_calls(context, note());
    arm();
}

void crash_watch_world(const pcm_world *world) { watched = world; }

void crash_call(const pcm_type *type, const char *function)
{
    pcm_called *to = note();
    to->function[0] = '\0';
    if (!type)
        return;
    const pcm_type_info *info = pcm_type_get_info(type);
    (void)snprintf(to->law, sizeof to->law, "%s", info->model->name);
    (void)snprintf(to->type, sizeof to->type, "%s", info->name);
    (void)snprintf(to->function, sizeof to->function, "%s", function);
}

void crash_leave_to_parent(void) { left_to_parent = true; }
