/* SPDX-License-Identifier: MIT */
/* SqueezeFilm.c - the film of liquid between spheres that approach or part: lubrication with an inner and an outer gap.
 */
#include "elastic.h"

typedef struct {
    double viscosity, inner, outer, radius;
} Law;

static const double pi = 3.141592653589793;

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double own = law.radius, thin = 6 * pi * law.viscosity, per_outer = 1 / law.outer;
    PCM_EACH(b, i) {
        const double radius = elastic_mean_radius(ELASTIC_GAP(b, i), own), dd = b->depth_rate[i];
        const double least = b->curvature_1[i], most = b->curvature_2[i], even = 2 / (least + most);
        const double other = pcm_choose(own > 0, radius, least < most ? even : radius);
        const double gap = pcm_max(-b->depth[i], law.inner), near = pcm_ramp(1 / gap - per_outer);
        const double force = thin * (radius * other) * near * dd;
        b->force_n[i] = force;
        b->elastic_n[i] = 0;
        b->adhesive_n[i] = 0;
        b->pull_off[i] = 0;
        if (b->reports)
            b->dissipation[i] = force * dd;
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    const Law *law = params;
    if (law->outer > law->inner)
        return 0;
    setup->report(setup, "OuterGap", "must be above InnerGap");
    return 1;
}

static double outer_gap(const void *params) { return ((const Law *)params)->outer; }

static double radius_of(const Law *law, const pcm_load *load) { return law->radius > 0 ? law->radius : load->radius; }

PCM_DERIVED(Law, most_damping,
            6 * pi * law->viscosity * radius_of(law, load) * radius_of(law, load) * (1 / law->inner - 1 / law->outer));

/* The speed at the outer gap that the film stops at the inner one: the mass loses the integral of the damping. */
PCM_DERIVED(Law, stopped_speed,
            6 * pi * law->viscosity * radius_of(law, load) * radius_of(law, load) / load->mass *
                (pcm_log(law->outer / law->inner) - 1 + law->inner / law->outer));

static const pcm_param params[] = {
    PCM_REAL(Law, viscosity, "Viscosity", "Pa*s", 1e-3, "mu; water at 20 C has 1e-3", .min = 0),
    PCM_REAL(Law, inner, "InnerGap", "m", 1e-6, "hi: the film is never thinner; the height of the roughness",
             PCM_ABOVE(0)),
    PCM_REAL(Law, outer, "OuterGap", "m", 1e-3, "ho: the film acts below it; about a tenth of the radius at most",
             PCM_ABOVE(0)),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
};

static const pcm_derived derived[] = {
    {"most_damping", "N*s/m", "at the inner gap and below it", most_damping},
    {"stopped_speed", "m/s", "at the outer gap: slower masses do not reach the inner one", stopped_speed},
};

PCM_KERNELS(update);
PCM_MODEL(
    SqueezeFilm, "Film of liquid between spheres", .params = PCM_TABLE(params),
    .source = "Taylor 1922, in Hardy and Nottage; Kim and Karrila, Microhydrodynamics, 1991, ch. 9",
    .equations = "fn = 6 pi mu R^2 d' (1/max(h, hi) - 1/ho) for h < ho      h = -d gap, d' approach, R reduced radius\n"
                 "R^2 = 2/((k1 + k2) sqrt(k1 k2)) for a gap of the curvatures k1 and k2, which is exact.\n"
                 "Lubrication, for gaps that are small against R; at h = R/100 it has nine tenths of the force of a\n"
                 "plane that a sphere approaches. 1/ho lets it end without a jump; codes often just cut it off.\n"
                 "Solids meet at hi, where a law that pushes takes over: Hertz + Mindlin + SqueezeFilm, with the\n"
                 "film last, so that it does not press on the friction. It pulls on what parts without a bound: real\n"
                 "liquids cavitate at a pull of about an atmosphere on pi R h. Holds for points of contact\n"
                 "in a liquid that wets both bodies.\n",
    .derived = PCM_TABLE(derived), .inputs = ELASTIC_POINTS | PCM_DEPTH_RATE, .outputs = PCM_DISSIPATION | PCM_SHARES,
    .flags = PCM_ISOTROPIC | PCM_POINTS | PCM_PULLS, .prepare = prepare, .reach = outer_gap, .onset = outer_gap);
