/* SPDX-License-Identifier: MIT */
/* Dmt.c - stiff elastic spheres that stick to each other. */
#include "elastic.h"

typedef struct {
    double modulus, work, radius;
} Law;

enum { TOUCH };

static const double pi = 3.141592653589793;

PCM_INLINE void press(const pcm_batch *b, const Law *from, int needs)
{
    const Law    law = *from;
    const double own = law.radius;
    PCM_EACH(b, i) {
        const double radius = elastic_radius(ELASTIC_GAP(b, i), own, needs), depth = pcm_ramp(b->depth[i]);
        const double patch = pcm_sqrt(radius * depth), spring = 4.0 / 3 * law.modulus * patch * depth;
        const double pull = 2 * pi * law.work * elastic_mean_radius(ELASTIC_GAP(b, i), own),
                     held = b->depth[i] < 0 ? 0 : pull;
        b->force_n[i] = spring - held;
        b->elastic_n[i] = spring;
        b->adhesive_n[i] = -held;
        b->pull_off[i] = held;
        b->patch_radius[i] = patch;
        if (b->reports) {
            b->energy[i] = 0.4 * spring * depth - held * depth;
            b->dissipation[i] = 0;
            b->event[TOUCH][i] = b->depth[i];
        }
    }
}

ELASTIC_UPDATE(press, law.radius, ELASTIC_ELLIPSES)

static double radius_of(const Law *law, const pcm_load *load) { return law->radius > 0 ? law->radius : load->radius; }

PCM_DERIVED(Law, pull_off_force, 2 * pi * law->work * radius_of(law, load));
PCM_DERIVED(Law, compression,
            pcm_pow((load->force + pull_off_force(law, load)) /
                        (4.0 / 3 * law->modulus * pcm_sqrt(radius_of(law, load))),
                    2.0 / 3));

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedModulus", "Pa", 1e6, "E* of both bodies", PCM_ABOVE(0), .mix = PCM_MIX_MODULUS),
    PCM_REAL(Law, work, "WorkOfAdhesion", "J/m^2", 0.05, "w: to part a unit of area; 2 gamma of equal materials",
             .min = 0, .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
};

static const pcm_event events[] = {{.name = "touch", .doc = "the bodies touch, or part"}};

static const pcm_derived derived[] = {
    {"pull_off_force", "N", "2 pi w R: what parts them", pull_off_force},
    {"compression", "m", "compression under the load", compression},
};

PCM_KERNELS(update);
PCM_MODEL(Dmt, "Stiff elastic spheres with adhesion", .params = PCM_TABLE(params),
          .source = "Derjaguin, Muller and Toporov, J. Colloid and Interface Science 53 (1975); Maugis 1992",
          .equations =
              "fn = 4/3 E* sqrt(R) d^1.5 - 2 pi w R for d >= 0       d depth\n"
              "For small, stiff spheres: Tabor's number (R w^2/(E*^2 z^3))^(1/3), z about 0.2 nm, is below 0.1;\n"
              "above 5 take Jkr. The pull begins at the touch and ends there, so that nothing is lost.\n"
              "Two materials: w is the geometric mean of theirs. Chrono multiplies by sqrt(R) and not by R.\n"
              "Friction behind it is limited by what presses, fn + 4 pi w R; by |fn| in LAMMPS of 2021.\n"
              "Holds for points of contact of small, stiff, smooth spheres that nothing makes yield.\n",
          .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .inputs = ELASTIC_POINTS,
          .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_SHARES | PCM_PATCH_RADIUS,
          .flags = PCM_ISOTROPIC | PCM_POINTS | PCM_PULLS | PCM_JUMPS);
