/* SPDX-License-Identifier: MIT */
/* PeelingFilm.c - a pad with a film that lets go at a pull; this pull grows with the speed of peeling. */
#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, strength, doubling, exponent, most;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double peeling = pcm_ramp(-b->depth_rate[i]) / law.doubling;
        const double held = law.strength * pcm_min(1 + pcm_pow(peeling, law.exponent), law.most);
        const double push = law.stiffness * b->depth[i];
        b->force_n[i] = push;
        b->energy[i] = 0.5 * law.stiffness * b->depth[i] * b->depth[i];
        b->life[i] = -push > held ? PCM_BROKEN : PCM_LIVE;
    }
}

/* Slightly more than the gap at the greatest pull. */
static double reach(const void *params)
{
    const Law *law = params;
    return 1.01 * law->strength * law->most / law->stiffness;
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 2e4, "of the pad and its film", PCM_ABOVE(0)),
    PCM_REAL(Law, strength, "Strength", "N", 3, "the pull that holds at rest", PCM_ABOVE(0)),
    PCM_REAL(Law, doubling, "DoublingSpeed", "m/s", 0.02, "of peeling, at which it holds twice as much", PCM_ABOVE(0)),
    PCM_REAL(Law, exponent, "Exponent", "1", 0.5, "of the speed", .min = 0.1, .max = 2),
    PCM_REAL(Law, most, "MostGain", "1", 8, "how much more it holds at most", .min = 1),
};

PCM_KERNELS(update);
PCM_MODEL(PeelingFilm, "A film that peels", .params = PCM_TABLE(params), .inputs = PCM_DEPTH | PCM_DEPTH_RATE,
          .outputs = PCM_ENERGY | PCM_LIFE, .flags = PCM_ISOTROPIC | PCM_PULLS, .reach = reach);
