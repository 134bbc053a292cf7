/* SPDX-License-Identifier: MIT */
/* impact.h - shared by LankaraniNikravesh and Flores: a nonlinear spring whose damping is scaled by the speed at which
 * the impact began, to return a given share of it. An including file defines published_damping and the model itself. */
#include "rebound.h"

typedef struct {
    double  stiffness, exponent, restitution, least_speed;
    int64_t nominal;
    double  damping; /* relative increase of the force at the depth rate of touch-down */
} Law;

enum { IMPACT };
enum { TOUCH, RELEASE };

static void establish(const pcm_batch *b)
{
    const Law *law = b->params;
    double    *next = b->next[IMPACT];
    PCM_EACH(b, i)
        next[i] = pcm_max(b->depth_rate[i], law->least_speed);
}

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_exponent = 1 / (law.exponent + 1);
    double      *next = b->next[IMPACT];
    PCM_EACH(b, i) {
        const double dd = b->depth_rate[i], depth = pcm_ramp(b->depth[i]);
        const double speed = pcm_max(b->state[IMPACT][i], law.least_speed);
        const double spring = law.stiffness * pcm_pow(depth, law.exponent), grow = 1 + law.damping * (dd / speed);
        const double force = spring * pcm_ramp(grow);
        b->force_n[i] = force;
        next[i] = b->state[IMPACT][i];
        if (b->reports) {
            b->energy[i] = spring * depth * per_exponent;
            b->dissipation[i] = (force - spring) * dd;
            b->event[TOUCH][i] = b->depth[i];
            b->event[RELEASE][i] = grow;
        }
    }
}

/* The x for which an impact returns e: the solution of x - ln(1 + x) = -e x - ln(1 - e x). */
static double exact_damping(double e)
{
    double low = 0, high = 1 / e;
    for (int step = 0; step < 100; step++) {
        const double x = 0.5 * (low + high);
        if (beyond_rebound(x, e) < 0)
            high = x;
        else
            low = x;
    }
    return low;
}

/* The same damping by the formula as printed in the paper. */
PCM_INLINE double published_damping(double e);

static int prepare(const pcm_setup *setup, void *params)
{
    Law         *law = params;
    const double e = law->restitution;
    (void)setup;
    law->damping = law->nominal ? published_damping(e) : e < 1 ? exact_damping(e) : 0;
    return 0;
}

PCM_DERIVED(Law, restitution, rebound(law->damping));

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m^Exponent", 1e8, "k: force at a depth of 1 m", PCM_ABOVE(0)),
    PCM_REAL(Law, exponent, "Exponent", "1", 1.5, "n: 1.5 for spheres", .min = 1, .max = 5),
    PCM_REAL(Law, restitution, "Restitution", "1", 0.8, "e: speed after the impact over speed before", .min = 0.01,
             .max = 1, .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, least_speed, "LeastSpeed", "m/s", 0.01, "slower touches are damped as if they had this speed",
             PCM_ABOVE(0)),
    PCM_SWITCH(Law, nominal, "NominalRestitution", 0, "to the letter: e enters the formula as printed"),
};

static const pcm_state states[] = {
    {"impact", "m/s", "depth rate at touch-down", 1, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the surfaces touch, or part"},
    {.name = "release", .doc = "they part so fast that nothing follows", .direction = -1},
};

static const pcm_derived derived[] = {
    {"restitution", "1", "that comes out, at any speed and mass", restitution},
};
