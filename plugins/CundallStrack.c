/* SPDX-License-Identifier: MIT */
/* CundallStrack.c - a linear spring and a damper along the surface, limited by Coulomb friction. */
#include "slider.h"

typedef struct {
    double  stiffness, damping, friction;
    int64_t as_lammps;
} Law;

enum { X, Y };
enum { SLIP };

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const int    as_lammps = law.as_lammps != 0;
    const double per_dt = b->dt > 0 ? 1 / b->dt : 0;
    double      *next_x = b->next[X], *next_y = b->next[Y];
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], x0 = b->state[X][i], y0 = b->state[Y][i];
        const double damper = b->mass[i] * law.damping, bound = slider_bound(b, i, law.friction, as_lammps);
        const double touches = b->depth[i] > 0 || bound > 0 ? 1 : 0;
        const Slider on =
            slider(x0 + b->dt * vx, y0 + b->dt * vy, vx, vy, law.stiffness, damper, bound, touches, as_lammps);
        b->force_x[i] = -on.held * on.pull_x;
        b->force_y[i] = -on.held * on.pull_y;
        next_x[i] = on.x;
        next_y[i] = on.y;
        if (b->reports) {
            const int64_t touching = on.held < 1 ? PCM_SLIPPING : PCM_STICKING;
            const double  stored = 0.5 * law.stiffness * (on.x * on.x + on.y * on.y);
            const double  before = 0.5 * law.stiffness * (x0 * x0 + y0 * y0);
            const double  power = on.held * (on.pull_x * vx + on.pull_y * vy), lost = damper * (vx * vx + vy * vy);
            /* The mean over the step. */
            const double over = pcm_ramp(power - (stored - before) * per_dt), still = on.held < 1 ? power : lost;
            b->mode[i] = touches > 0 ? touching : PCM_SEPARATED;
            b->energy[i] = stored;
            b->dissipation[i] = per_dt > 0 ? over : still;
            b->event[SLIP][i] = bound - on.pull;
        }
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "TangentialStiffness", "N/m", 5.714e4, "kt; of many scripts 2/7 of the normal stiffness",
             PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "TangentialDamping", "1/s", 25, "gt: damping per reduced mass", .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "mu", .min = 0, .flags = PCM_CONE, .mix = PCM_MIX_GEOMETRIC),
    PCM_SWITCH(Law, as_lammps, "AsLammps", 0, "the limit, and the spring of what slides, as in LAMMPS"),
};

static const pcm_state states[] = {
    {"stretch", "m", "of the spring along the surface", 1e-6, PCM_TANGENT, PCM_HISTORY, 0, -1},
};

static const pcm_event events[] = {
    {.name = "slip", .doc = "the pull reaches the limit of friction, or is back below it"},
};

PCM_KERNELS(update);
PCM_MODEL(
    CundallStrack, "Linear spring and slider along the surface, behind a normal law", .params = PCM_TABLE(params),
    .source = "Cundall and Strack, Geotechnique 29 (1979) 47; LAMMPS, gran/hooke/history and linear_history",
    .equations =
        "ft = -kt u - m gt v,  u' = v                       m reduced mass, v slip\n"
        "Where |ft| is above mu times the load it is scaled to that size, and where the spring alone is, so is u:\n"
        "the damper never stretches it, and friction never pushes along the slip. On adhesive spheres the limit is\n"
        "mu |f + 2 fc|, fc their pull-off force. Cundall and Strack leave out the damper of what slides, and give\n"
        "it as a share of kt.\n"
        "AsLammps = true: the limit is mu |fn|, also where the normal law pulls without adhesion; and u of what\n"
        "slides is such that spring and damper together pull with the limit. A damper beyond the limit then\n"
        "stretches the spring backwards, which can push along the slip and add energy. With u = 0 LAMMPS drops\n"
        "friction above the limit, this scales it. Behind GranHooke with Friction = 0 it is gran/hooke/history.\n"
        "kt stays under a load that changes: behind Hertz it fits one load, where Mindlin fits all. Holds for\n"
        "points of contact of grains in flow and at rest; kt is chosen with kn, and is not that of a material.\n",
    .states = PCM_TABLE(states), .events = PCM_TABLE(events), .inputs = PCM_DEPTH | PCM_SLIP | PCM_MASS | PCM_LOAD,
    .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE, .flags = PCM_ISOTROPIC | PCM_FRAME_SHARED);
