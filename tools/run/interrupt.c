/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pcm/messages.h>

#include "command.h"

/* What handlers of signals may see. */
static const pcm_world *volatile watched; /* NULL: there is no run */
static const pcm_type *volatile called;   /* whose law is tried before the run; NULL: none */
static const char *volatile reading;      /* the file whose laws are prepared and tried; NULL: none */
static volatile sig_atomic_t asked;       /* the signal; 0 = none */

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

static void put(const char *text) { (void)!write(STDERR_FILENO, text, strlen(text)); }

/* Names the law that is running, with nothing but what a handler may call. */
static void put_law(const char *what)
{
    const pcm_type *type = watched ? pcm_world_running(watched) : called;
    if (type) {
        const pcm_type_info *info = pcm_type_get_info(type);
        put("error: the law ");
        put(info->model->name);
        put(" of contact type '");
        put(info->name);
        put("' ");
    } else if (reading) {
        put("error: while the laws of ");
        put(reading);
        put(" were prepared, one ");
    } else {
        return;
    }
    put(what);
    enum { CODE = PCM_MSG_LAW_ENDED_RUN };
    const char number[] = {'0' + CODE / 100, '0' + CODE / 10 % 10, '0' + CODE % 10, '\0'};
    put(" [PCM-");
    put(number);
    put("]\n");
}

/* The signal does what it does by itself, once the handler has returned. */
static void let_through(int number)
{
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void on_request(int number)
{
    if (asked) {
        put_law("did not return");
        let_through(number);
    }
    asked = number;
}

static void on_crash(int number)
{
    for (size_t i = 0; i < CRASHES; i++)
        if (crashes[i].number == number)
            put_law(crashes[i].what);
    let_through(number);
}

/* Called by exit and quick_exit: within a run, and while laws are prepared, a law has called that. */
static void on_exit_call(void)
{
    if (!watched && !reading)
        return;
    put_law("ended the program");
    _exit(EXIT_WRONG);
}

/* Who started the program may have it ignore a signal, as nohup does. */
static void handle(int number, void (*handler)(int))
{
    struct sigaction before, action = {.sa_handler = handler, .sa_flags = SA_ONSTACK | SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        (void)sigaction(number, &action, NULL);
}

static void arm(void)
{
    static char   room[1 << 16]; /* a law may have used up the stack */
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    static bool   registered;
    const int     requests[] = {SIGINT, SIGTERM, SIGHUP};
    (void)sigaltstack(&stack, NULL);
    if (!registered)
        registered = atexit(on_exit_call) == 0 && at_quick_exit(on_exit_call) == 0;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        handle(requests[i], on_request);
    for (size_t i = 0; i < CRASHES; i++)
        handle(crashes[i].number, on_crash);
}

static void disarm(void)
{
    for (size_t i = 0; i < CRASHES; i++)
        (void)signal(crashes[i].number, SIG_DFL);
}

void interrupt_read(const char *file)
{
    reading = file;
    if (file)
        arm();
    else
        disarm();
}

void interrupt_call(const pcm_type *type) { called = type; }

void interrupt_watch(const pcm_world *world)
{
    watched = world;
    arm();
}

bool interrupt_asked(void) { return asked; }

void interrupt_leave(void)
{
    watched = NULL;
    disarm();
}

void interrupt_pass_on(void)
{
    if (!asked)
        return;
    (void)command_finish(EXIT_GOOD);
    let_through((int)asked);
}
