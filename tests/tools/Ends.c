/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* RTLD_DEFAULT */
/* A law that does what no law may: it takes the program down, or never returns. */
#include <pcm/plugin.h>
#include <dlfcn.h>
#include <stdlib.h>

static const char *const ways[] = {"Exit", "Crash", "Abort", "Hang", "QuickExit", "ExitFirst", "AbortFirst", NULL};

typedef struct {
    int64_t how;
} Law;

static const pcm_param params[] = {PCM_CHOICE(Law, how, "How", ways, 0, "the way")};

/* Plugins that name such functions are not loaded. */
static void leave(const char *by)
{
    const union {
        void *found;
        void (*call)(int);
    } end = {dlsym(RTLD_DEFAULT, by)};
    end.call(0);
}

static void update(const pcm_batch *b)
{
    static void (*const volatile nowhere)(void) = NULL;
    volatile int64_t how = ((const Law *)b->params)->how;
    if (how == 0)
        leave("exit");
    if (how == 1)
        nowhere();
    if (how == 2)
        abort();
    if (how == 4)
        leave("quick_exit");
    while (how == 3)
        ;
}

static int prepare(const pcm_setup *setup, void *law)
{
    (void)setup;
    const int64_t how = ((const Law *)law)->how;
    if (how == 5)
        leave("exit");
    if (how == 6)
        abort();
    return 0;
}

PCM_KERNELS(update);
PCM_MODEL(Ends, "A law that takes the program down", .params = PCM_TABLE(params), .inputs = PCM_DEPTH,
          .prepare = prepare);
