/* SPDX-License-Identifier: MIT */
/* Hertz.c - elastic bodies that touch in points, along lines and on flats; two materials give the modulus. */
#include "elastic.h"

typedef struct {
    double modulus, radius;
} Law;

enum { TOUCH };
enum { N_DEPTH };
static const pcm_partial partials[] = {[N_DEPTH] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH}};

PCM_INLINE void press(const pcm_batch *b, const Law *law, int needs)
{
    PCM_EACH(b, i) {
        const Touch  t = elastic_touch(ELASTIC_GAP(b, i), ELASTIC_EXTENT(b, i), law->modulus, law->radius,
                                       pcm_ramp(b->depth[i]), needs);
        const double circle = touch_sum(t, t.point.circle, t.whole.circle);
        b->force_n[i] = touch_sum(t, t.point.force, t.whole.force);
        b->patch_radius[i] = circle;
        if (b->reports) {
            b->energy[i] = touch_sum(t, t.point.work, t.whole.work);
            b->dissipation[i] = 0;
            b->event[TOUCH][i] = b->depth[i];
        }
    }
    if (b->jacobian) {
        double *slope = b->jacobian[N_DEPTH];
        PCM_EACH(b, i) {
            const Touch t = elastic_touch(ELASTIC_GAP(b, i), ELASTIC_EXTENT(b, i), law->modulus, law->radius,
                                          pcm_ramp(b->depth[i]), needs);
            slope[i] = 2 * law->modulus * touch_sum(t, t.point.circle, t.whole.circle);
        }
    }
}

ELASTIC_UPDATE(press, law.radius, ELASTIC_ALL)

static double radius_of(const Law *law, const pcm_load *load) { return law->radius > 0 ? law->radius : load->radius; }

/* The force over depth^1.5. */
static double stiffness_of(const Law *law, const pcm_load *load)
{
    return 4.0 / 3 * law->modulus * pcm_sqrt(radius_of(law, load));
}

PCM_DERIVED(Law, compression, pcm_pow(load->force / stiffness_of(law, load), 2.0 / 3));
PCM_DERIVED(Law, contact_radius, pcm_sqrt(radius_of(law, load) * compression(law, load)));

static double peak_pressure(const void *params, const pcm_load *load)
{
    const double a = contact_radius(params, load);
    return 1.5 * load->force / (3.141592653589793 * a * a);
}

PCM_DERIVED(Law, deepest, pcm_pow(1.25 * load->mass * load->speed * load->speed / stiffness_of(law, load), 0.4));

/* Twice the integral of dx / sqrt(1 - x^2.5) from 0 to 1. */
PCM_DERIVED(Law, contact_time, 2.943275184324705 * deepest(law, load) / load->speed);

/* 2 / omega at the greatest depth. */
PCM_DERIVED(Law, largest_step,
            2 * pcm_sqrt(load->mass / (1.5 * stiffness_of(law, load) * pcm_sqrt(deepest(law, load)))));

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedModulus", "Pa", 1.1e11, "E* of both bodies; steel on steel has 1.1e11", PCM_ABOVE(0),
             .mix = PCM_MIX_MODULUS),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
};

static const pcm_event events[] = {{.name = "touch", .doc = "the bodies touch, or part"}};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load", compression},
    {"contact_radius", "m", "radius of the circle of contact under the load", contact_radius},
    {"peak_pressure", "Pa", "pressure in the middle of that circle", peak_pressure},
    {"impact_depth", "m", "greatest depth of an impact with that speed and mass", deepest},
    {"contact_time", "s", "how long that impact lasts", contact_time},
    {"largest_step", "s", "2/omega at that depth: explicit steps above it are unstable", largest_step},
};

PCM_KERNELS(update);
PCM_MODEL(Hertz, "Elastic bodies", .params = PCM_TABLE(params),
          .source = "Hertz 1882; Johnson, Contact Mechanics, Cambridge 1985, ch. 4",
          .equations =
              "fn = 4/3 E* sqrt(R) d^1.5 for d > 0            d depth\n"
              "1/E* = (1 - va^2)/Ea + (1 - vb^2)/Eb          of both materials\n"
              "a  = sqrt(R d)                                radius of the circle of contact\n" ELASTIC_SHAPES
              "Lossless. Holds while a is small against the bodies and nothing yields. At walls LAMMPS of 2021 has\n"
              "E* = E/(2 (1 - v)), later releases E/(2 (1 - v^2)): as here, where sphere and wall are of one kind.\n",
          .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .partials = PCM_TABLE(partials),
          .inputs = ELASTIC_INPUTS, .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_PATCH_RADIUS, .flags = PCM_ISOTROPIC);
