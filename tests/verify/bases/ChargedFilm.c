/* SPDX-License-Identifier: MIT */
/* ChargedFilm.c - electrodes behind a film: they attract each other across a gap, and charge leaks through contacts. */
#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, permittivity, area, film, leak, range;
} Law;

static const double vacuum = 8.8541878128e-12; /* F/m, the electric constant */

static void update(const pcm_batch *b)
{
    const Law     law = *(const Law *)b->params;
    const double *here = b->base_amount[0], *there = b->follower_amount[0];
    double       *to_base = b->base_flow[0], *to_follower = b->follower_flow[0];
    const double  field = 0.5 * vacuum * law.permittivity * law.permittivity * law.area;
    PCM_EACH(b, i) {
        const double gap = pcm_ramp(-b->depth[i]), voltage = there[i] - here[i];
        const double span = law.film + law.permittivity * gap, fades = pcm_ramp(1 - gap / law.range);
        const double pull = field * voltage * voltage / (span * span) * fades;
        const double current = b->depth[i] < 0 ? 0 : voltage / law.leak;
        b->force_n[i] = law.stiffness * pcm_ramp(b->depth[i]) - pull;
        to_base[i] = current;
        to_follower[i] = -current;
    }
}

static double onset(const void *params) { return ((const Law *)params)->range; }

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 2e5, "of the film", PCM_ABOVE(0)),
    PCM_REAL(Law, permittivity, "Permittivity", "1", 3, "of the film, relative to the vacuum's", .min = 1),
    PCM_REAL(Law, area, "Area", "m^2", 1e-3, "of an electrode", PCM_ABOVE(0)),
    PCM_REAL(Law, film, "Thickness", "m", 5e-5, "of the film", PCM_ABOVE(0)),
    PCM_REAL(Law, leak, "Resistance", "V/A", 1e9, "of the film", PCM_ABOVE(0)),
    PCM_REAL(Law, range, "Range", "m", 1e-3, "the gap beyond which nothing acts", PCM_ABOVE(0)),
};

static const pcm_amount amounts[] = {
    {.name = "voltage", .unit = "V", .flow_unit = "A", .doc = "of the electrode", .capacity = 1e-9},
};

PCM_KERNELS(update);
PCM_MODEL(ChargedFilm, "Electrodes that attract each other", .params = PCM_TABLE(params), .amounts = PCM_TABLE(amounts),
          .inputs = PCM_DEPTH, .flags = PCM_ISOTROPIC | PCM_PULLS, .onset = onset);
