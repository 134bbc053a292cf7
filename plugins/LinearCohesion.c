/* SPDX-License-Identifier: MIT */
/* LinearCohesion.c - a pull in proportion to the area of contact. */
#include "elastic.h"

typedef struct {
    double density, factor, radius;
} Law;

enum { TOUCH };

static const double pi = 3.141592653589793;

PCM_INLINE void pull(const pcm_batch *b, const Law *from, int needs)
{
    const Law    law = *from;
    const double own = law.radius;
    PCM_EACH(b, i) {
        const double d = pcm_ramp(b->depth[i]), on = b->depth[i] < 0 ? 0 : law.density;
        const Extent e = ELASTIC_EXTENT(b, i);
        const double of_whole = needs == ELASTIC_ALL ? pcm_max(e.whole, 0) : 0, of_point = of_whole > 0 ? e.point : 1;
        const double circle = of_point * law.factor * pi * elastic_mean_radius(ELASTIC_GAP(b, i), own) * d;
        const double is_line = of_whole > 0 && e.length > 0 ? 1 : 0, curvature = is_line > 0 ? e.curvature : 1;
        const double strip = law.factor * e.length * pcm_sqrt(2 * d / curvature), wide = is_line > 0 ? strip : e.area;
        const double point = of_point > 0 ? circle : 0, whole = of_whole > 0 ? of_whole * wide : 0;
        const double held = on * (point + whole), share = is_line > 0 ? 2.0 / 3 : 1; /* of a work of whole * d */
        b->force_n[i] = -held;
        b->elastic_n[i] = 0;
        b->adhesive_n[i] = -held;
        b->pull_off[i] = held;
        if (b->reports) {
            b->energy[i] = -on * (0.5 * point + share * whole) * d;
            b->dissipation[i] = 0;
            b->event[TOUCH][i] = b->depth[i];
        }
    }
}

ELASTIC_UPDATE(pull, law.radius, ELASTIC_ALL)

PCM_DERIVED(Law, pull_at_depth,
            law->density * law->factor * pi * load->depth * (law->radius > 0 ? law->radius : load->radius));

static const pcm_param params[] = {
    PCM_REAL(Law, density, "CohesionEnergyDensity", "J/m^3", 1e5, "k: the pull over the area of contact, in Pa",
             .min = 0, .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, factor, "AreaFactor", "1", 1, "c: 1 of Hertz's circle, 2 of LIGGGHTS's sjkr, 4 of sjkr2",
             PCM_ABOVE(0)),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
};

static const pcm_event events[] = {{.name = "touch", .doc = "the bodies touch, or part"}};

static const pcm_derived derived[] = {
    {"pull_at_depth", "N", "the pull at the depth to design for", pull_at_depth},
};

PCM_KERNELS(update);
PCM_MODEL(
    LinearCohesion, "Pull in proportion to the area of contact", .params = PCM_TABLE(params),
    .source = "Coetzee and Scheffler, Processes 11 (2023) 5, reviews it; LIGGGHTS, cohesion sjkr and sjkr2",
    .equations =
        "fn = -k A,  A = c pi R d for d >= 0              d depth, R = 1/sqrt(k1 k2) of curvatures\n"
        "c = 1: Hertz's circle. c = 2: where spheres overlap undeformed, to first order, as LIGGGHTS's sjkr.\n"
        "Its sjkr2 has c = 4 between spheres and 2 at walls. EDEM says that its Linear Cohesion pulls four\n"
        "times as much as its V2 between equal spheres, and twice at geometries. Of a line of length l\n"
        "A = c l sqrt(2 R d), c/2 of the strip of overlap. Of a flat it is the area, and k A pulls in full from\n"
        "the touch. ReducedRadius > 0: all are spheres of it.\n"
        "Nothing is lost, and nothing pulls across a gap. Behind a law that pushes, the sum pulls most at some\n"
        "depth: Hertz + LinearCohesion part at (c pi k)^3 R^2/(12 E*^2), which a softened E* changes the most;\n"
        "Jkr and Dmt begin with what parts them. From a linear spring K it takes k c pi R, which has to be less.\n"
        "Friction behind it is limited by what presses, fn + 2 k A; friction before it by the force of the\n"
        "earlier parts, as in LIGGGHTS without tangential_reduce.\n"
        "Holds for grains whose k is fitted to tests of the bulk: it is no property of a material.\n",
    .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .inputs = ELASTIC_INPUTS,
    .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_SHARES, .flags = PCM_ISOTROPIC | PCM_PULLS | PCM_JUMPS);
