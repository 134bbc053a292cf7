/* SPDX-License-Identifier: MIT */
/* DefaultContact.c - leaves a pair of objects to the host's own contacts. */
#include <pcm/plugin.h>

typedef struct {
    double error;
} Law;

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i)
        b->force_n[i] = 0;
}

static double reach(const void *params) { return ((const Law *)params)->error; }

static const pcm_param params[] = {
    PCM_REAL(Law, error, "Error", "m", 1e-3, "gap at which the contact counts as ended", .min = 0),
};

PCM_KERNELS(update);
PCM_MODEL(DefaultContact, "No force of PCM's: the simulator's own contact serves the pair",
          .source = "Parametric contact modelling for RiSE, 2004",
          .equations = "fn = 0; the host's own contact acts.\n", .params = PCM_TABLE(params),
          .flags = PCM_HOST_CONTACT | PCM_ISOTROPIC, .reach = reach);
