/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* RTLD_DEFAULT */
/* A law that does forbidden things: it ends the program, or never returns. */
#include <pcm/plugin.h>
#include <dlfcn.h>
#include <stdlib.h>

enum { EXIT, CRASH, ABORT, HANG, QUICK_EXIT, LEAVE, KILL, ONCE_IT_RUNS };
static const char *const ways[] = {"Exit", "Crash", "Abort", "Hang", "QuickExit", "Leave", "Kill", "OnceItRuns", NULL};
enum { UPDATE, PREPARE, ONSET, REACH, GAIN, SHEAR };
static const char *const functions[] = {"update", "prepare", "onset", "reach", "gain", "shear", NULL};

typedef struct {
    int64_t how, where;
} Law;

static const pcm_param params[] = {PCM_CHOICE(Law, how, "How", ways, 0, "the way"),
                                   PCM_CHOICE(Law, where, "Where", functions, 0, "the function")};

/* Calls these functions by name at run time, since plugins that link to them are not loaded. */
static void leave(const char *by, int number)
{
    const union {
        void *found;
        void (*call)(int);
    } end = {dlsym(RTLD_DEFAULT, by)};
    end.call(number);
}

static void end(int64_t how)
{
    static void (*const volatile nowhere)(void) = NULL;
    volatile int64_t hangs = how;
    if (how == EXIT)
        leave("exit", 0);
    if (how == CRASH)
        nowhere();
    if (how == ABORT)
        abort();
    if (how == QUICK_EXIT)
        leave("quick_exit", 0);
    if (how == LEAVE)
        leave("_exit", 0);
    if (how == KILL)
        leave("raise", 9);
    while (hangs == HANG)
        ;
}

static void end_in(const void *law, int64_t function)
{
    const Law *l = law;
    if (l->where == function)
        end(l->how);
}

static void update(const pcm_batch *b)
{
    const Law *law = b->params;
    /* Only the trial before a run has more than one contact. */
    if (law->how == ONCE_IT_RUNS && b->count == 1)
        abort();
    end_in(law, UPDATE);
}

static int prepare(const pcm_setup *setup, void *law)
{
    (void)setup;
    end_in(law, PREPARE);
    return 0;
}

static double onset(const void *law)
{
    end_in(law, ONSET);
    return 0;
}

static double reach(const void *law)
{
    end_in(law, REACH);
    return 0;
}

static double gain(const void *law)
{
    end_in(law, GAIN);
    return 0;
}

static void shear(const void *law, double force_n, pcm_shear *set)
{
    (void)force_n;
    (void)set;
    end_in(law, SHEAR);
}

PCM_KERNELS(update);
PCM_MODEL(Ends, "A law that takes the program down", .params = PCM_TABLE(params), .inputs = PCM_DEPTH,
          .outputs = PCM_FRICTION, .prepare = prepare, .onset = onset, .reach = reach, .gain = gain, .shear = shear);
