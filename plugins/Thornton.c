/* SPDX-License-Identifier: MIT */
/* Thornton.c - elastic spheres that yield at a pressure. */
#include "elastic.h"

typedef struct {
    double modulus, pressure, radius;
} Law;

enum { DEEPEST };
enum { TOUCH, YIELD };

static const double pi = 3.141592653589793;

PCM_INLINE void press(const pcm_batch *b, const Law *from, int needs)
{
    const Law    law = *from;
    const double own = law.radius, slant = pi * law.pressure / (2 * law.modulus);
    double      *next = b->next[DEEPEST];
    PCM_EACH(b, i) {
        const double radius = elastic_radius(ELASTIC_GAP(b, i), own, needs), dd = b->depth_rate[i];
        const double depth = pcm_ramp(b->depth[i]), before = b->state[DEEPEST][i];
        const double most = depth > before ? depth : before;
        const double yields = slant * slant * radius;
        const double over = pcm_ramp(most - yields), elastic = pcm_min(most, yields);
        /* At the greatest depth: the contact radius, the force, and the radius of curvature of the dented surface. */
        const double circle = pcm_sqrt(radius * (elastic + over));
        const double load =
            4.0 / 3 * law.modulus * pcm_sqrt(radius * elastic) * elastic + pi * law.pressure * radius * over;
        const double spring = 4.0 / 3 * law.modulus * circle, height = load / pcm_max(spring, DBL_MIN);
        const double flat = circle * circle / pcm_max(height, DBL_MIN);
        const double rise = pcm_ramp(height - (most - depth)), patch = pcm_sqrt(flat * rise);
        const double force = 4.0 / 3 * law.modulus * patch * rise;
        b->force_n[i] = force;
        b->patch_radius[i] = patch;
        next[i] = most;
        if (b->reports) {
            /* The work of pressing deeper, less the increase of the elastic energy 0.4 fn h (h: height). */
            const double steep = pi * law.pressure * radius, size = pcm_max(circle, PCM_TINY);
            const double per_depth = 2 * load * steep / size - 0.5 * load * load * radius / (size * size * size);
            const double lost = (load - 0.3 / law.modulus * per_depth) * dd;
            b->energy[i] = 0.4 * force * rise;
            b->dissipation[i] = (over > 0 ? 1.0 : 0) * (depth > before ? 1.0 : 0) * pcm_ramp(lost);
            b->event[TOUCH][i] = b->depth[i];
            b->event[YIELD][i] = depth - pcm_max(before, yields);
        }
    }
}

ELASTIC_UPDATE(press, law.radius, ELASTIC_ELLIPSES)

static double radius_of(const Law *law, const pcm_load *load) { return law->radius > 0 ? law->radius : load->radius; }

static double yield_force(const void *params, const pcm_load *load)
{
    const Law   *law = params;
    const double r = radius_of(law, load), p = law->pressure;
    return pi * pi * pi * r * r * p * p * p / (6 * law->modulus * law->modulus);
}

static double yield_speed(const void *params, const pcm_load *load)
{
    const Law   *law = params;
    const double r = radius_of(law, load), slant = 0.5 * pi / law->modulus;
    return slant * slant * pcm_sqrt(8 * pi * r * r * r / (15 * load->mass)) * pcm_pow(law->pressure, 2.5);
}

static double restitution(const void *params, const pcm_load *load)
{
    const double y = yield_speed(params, load) / load->speed, q = y * y;
    const double e = pcm_sqrt(1.2 * pcm_sqrt(3)) * pcm_sqrt(1 - q / 6) *
                     pcm_sqrt(pcm_sqrt(y / (y + 2 * pcm_sqrt(pcm_ramp(1.2 - 0.2 * q)))));
    return y < 1 ? e : y >= 1 ? 1 : NAN;
}

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedModulus", "Pa", 1.1e11, "E* of both bodies; steel on steel has 1.1e11", PCM_ABOVE(0),
             .mix = PCM_MIX_MODULUS),
    PCM_REAL(Law, pressure, "YieldPressure", "Pa", 1e9, "py: the most that the contact carries; of the softer body",
             PCM_ABOVE(0), .mix = PCM_MIX_MINIMUM),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
};

static const pcm_state states[] = {
    {"deepest", "m", "greatest depth so far", 1e-5, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the bodies touch, or part"},
    {.name = "yield", .doc = "they begin to yield, or no longer do"},
};

static const pcm_derived derived[] = {
    {"yield_force", "N", "above it the contact yields", yield_force},
    {"yield_speed", "m/s", "of an impact with that mass that just yields", yield_speed},
    {"restitution", "1", "of an impact with that speed and mass", restitution},
};

PCM_KERNELS(update);
PCM_MODEL(Thornton, "Elastic spheres that yield at a pressure", .params = PCM_TABLE(params),
          .source = "Thornton, J. Applied Mechanics 64 (1997)",
          .equations =
              "fn = 4/3 E* sqrt(R) d^1.5                 up to dy = (pi py/(2 E*))^2 R\n"
              "fn = fy + pi py R (d - dy)                deeper than dy and than ever before\n"
              "fn = 4/3 E* sqrt(Rp) (d - dp)^1.5         else, from the force f* at the greatest depth:\n"
              "Rp = 4 E*/(3 f*) ((2 f* + fy)/(2 pi py))^1.5,  dp where that gives f* at the greatest depth\n"
              "Impacts above vy = (pi/(2 E*))^2 sqrt(8 pi R^3/(15 m)) py^2.5 return less than they had:\n"
              "e = sqrt(6 sqrt(3)/5) sqrt(1 - q^2/6) (q/(q + 2 sqrt(6/5 - q^2/5)))^(1/4), q = vy/v. py is about 1.6\n"
              "times the yield stress at first and up to 3 times as the dent grows; here it is one number.\n"
              "Holds for points of contact of metals pressed well beyond the first yield, up to a = 0.3 R.\n",
          .states = PCM_TABLE(states), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
          .inputs = ELASTIC_POINTS | PCM_DEPTH_RATE, .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_PATCH_RADIUS,
          .flags = PCM_ISOTROPIC | PCM_POINTS);
