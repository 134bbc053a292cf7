/* SPDX-License-Identifier: MIT */
/* Dahl.c - friction through a bristle that yields before it slides: a part behind a normal law. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, friction;
} Law;

enum { STRETCH_X, STRETCH_Y };

/* m: smaller than any length. */
static const double least = 1e-30;

/* As slip accumulates, u, the stretch over the longest one, tends to the direction of the slip: exact for steady slip,
 * and bounded by 1 at any dt. */
static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_dt = b->dt > 0 ? 1 / b->dt : 0;
    double      *next_x = b->next[STRETCH_X], *next_y = b->next[STRETCH_Y];
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], speed = pcm_length(vx, vy);
        const double limit = law.friction * pcm_ramp(b->load_n[i]), longest = limit / law.stiffness;
        const double zx = b->state[STRETCH_X][i], zy = b->state[STRETCH_Y][i], yields = pcm_max(longest, least);
        const double bent = pcm_max(pcm_length(zx, zy), yields);
        const double t = pcm_tanh(0.5 * b->dt * speed / yields), share = 2 * t / (1 + t);
        const double per_speed = 1 / pcm_max(speed, DBL_MIN), ax = zx / bent, ay = zy / bent;
        const double ux = ax + share * (vx * per_speed - ax), uy = ay + share * (vy * per_speed - ay);
        b->force_x[i] = -limit * ux;
        b->force_y[i] = -limit * uy;
        next_x[i] = longest * ux;
        next_y[i] = longest * uy;
        if (b->reports) {
            /* What the bristle holds above the longest stretch is lost as it slides back. */
            const double slid = 0.5 * law.stiffness * pcm_ramp(zx * zx + zy * zy - longest * longest);
            b->rate[STRETCH_X][i] = vx - speed * ux;
            b->rate[STRETCH_Y][i] = vy - speed * uy;
            b->energy[i] = 0.5 * limit * longest * (ux * ux + uy * uy);
            b->dissipation[i] = limit * speed * (ux * ux + uy * uy) + slid * per_dt;
        }
    }
}

PCM_DERIVED(Law, yield_way, law->friction * load->force / law->stiffness);

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "sigma: force per metre of a small stretch", PCM_ABOVE(0)),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "mu: coefficient of sliding", .min = 0, .flags = PCM_CONE,
             .mix = PCM_MIX_GEOMETRIC),
};

static const pcm_state states[] = {
    {.name = "stretch",
     .unit = "m",
     .doc = "of the bristle",
     .nominal = 1e-5,
     .shape = PCM_TANGENT,
     .role = PCM_CONTINUOUS,
     .flags = PCM_STEPS,
     .swap = -1},
};

static const pcm_derived derived[] = {
    {"yield_way", "m", "way in which friction comes to 63% under the load: mu F/sigma", yield_way},
};

PCM_KERNELS(update);
PCM_MODEL(
    Dahl, "Friction through a bristle that yields before it slides",
    .source = "Dahl, A solid friction model, Aerospace Corporation TOR-0158(3107-18)-1 (1968), exponent 1",
    .equations = "ft = -sigma z                                z stretch, v slip, N load of earlier parts\n"
                 "z' = v - sigma |v| z/(mu N)\n"
                 "Rate-independent: friction follows the way and not the speed, and has no peak at rest. The\n"
                 "paper has one direction and a constant load. Here z is a vector in the tangent plane, and\n"
                 "where the load falls it slides back to sigma |z| = mu N, so that friction stays in its cone.\n"
                 "A step takes z' exactly for steady slip. A solver that integrates z' leaves it at what the load\n"
                 "once held, until the slip turns; the force is in the cone all the same.\n"
                 "Holds for small ways to and fro under a load that changes slowly, without a peak at breakaway.\n",
    .params = PCM_TABLE(params), .states = PCM_TABLE(states), .derived = PCM_TABLE(derived),
    .inputs = PCM_SLIP | PCM_LOAD, .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION, .flags = PCM_ISOTROPIC);
