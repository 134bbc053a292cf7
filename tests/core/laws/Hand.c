/* SPDX-License-Identifier: MIT */
/* A spring whose table of kernels is written by hand, as for a compiler that cannot use the macros. */
#include <pcm/plugin.h>

static void update(const pcm_batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        b->force_n[i] = b->depth[i] > 0 ? b->depth[i] : 0;
        if (b->reports) {
            b->energy[i] = 0.5 * b->force_n[i] * b->force_n[i];
            b->event[0][i] = b->depth[i];
        }
    }
}

static const pcm_event events[] = {{.name = "touch-down", .doc = "it begins to push", .direction = 1}};

static const pcm_kernel_set kernels[] = {
    {.isa = PCM_ISA_PLAIN, .update = update, .establish = pcm_rest, .jump = pcm_rest, .terminate = pcm_rest},
};

static const pcm_model model = {
    .size = sizeof(pcm_model),
    .flags = PCM_ISOTROPIC,
    .name = "Hand",
    .summary = "A spring of 1 N/m",
    .inputs = PCM_DEPTH,
    .outputs = PCM_ENERGY,
    .events = PCM_TABLE(events),
    .kernels = PCM_TABLE(kernels),
};

const pcm_library pcm_entry = {PCM_MAGIC,         sizeof(pcm_library), PCM_ABI_MAJOR, PCM_ABI_MINOR,
                               sizeof(pcm_batch), sizeof(pcm_model),   &model};
