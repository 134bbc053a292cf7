/* SPDX-License-Identifier: MIT */
/* A law that does what no law may: it takes the program down, or never returns. */
#include <pcm/plugin.h>
#include <stdlib.h>

static const char *const ways[] = {"Exit", "Crash", "Abort", "Hang", NULL};

typedef struct {
    int64_t how;
} Law;

static const pcm_param params[] = {PCM_CHOICE(Law, how, "How", ways, 0, "the way")};

static void update(const pcm_batch *b)
{
    static void (*const volatile nowhere)(void) = NULL;
    volatile int64_t how = ((const Law *)b->params)->how;
    if (how == 0)
        exit(0);
    if (how == 1)
        nowhere();
    if (how == 2)
        abort();
    while (how == 3)
        ;
}

PCM_KERNELS(update);
PCM_MODEL(Ends, "A law that takes the program down", .params = PCM_TABLE(params), .inputs = PCM_DEPTH);
