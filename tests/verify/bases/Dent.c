/* SPDX-License-Identifier: MIT */
/* Dent.c - an elastic surface that yields: the dent stays, and hardens. */
#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, yield, hardening;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    double   *next = b->next[0];
    PCM_EACH(b, i) {
        const double depth = pcm_ramp(b->depth[i]), old = b->state[0][i];
        const double yielding = (law.stiffness * depth - law.yield) / (law.stiffness + law.hardening);
        const double dent = pcm_max(yielding, old), spring = pcm_ramp(depth - dent);
        b->force_n[i] = law.stiffness * spring;
        next[i] = dent;
        if (b->reports) {
            b->energy[i] = 0.5 * law.stiffness * spring * spring;
            b->event[0][i] = yielding - old;
        }
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "of the surface", PCM_ABOVE(0)),
    PCM_REAL(Law, yield, "Yield", "N", 5, "the force from which the dent grows", PCM_ABOVE(0)),
    PCM_REAL(Law, hardening, "Hardening", "N/m", 2e4, "by a metre of dent", .min = 0),
};

static const pcm_state states[] = {
    {.name = "dent", .unit = "m", .doc = "that stays", .nominal = 1e-4, .role = PCM_HISTORY, .swap = 1},
};

static const pcm_event events[] = {{.name = "yield", .doc = "the dent grows, or stops", .direction = 0}};

PCM_KERNELS(update);
PCM_MODEL(Dent, "A surface that yields", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .events = PCM_TABLE(events), .inputs = PCM_DEPTH, .outputs = PCM_ENERGY, .flags = PCM_ISOTROPIC);
