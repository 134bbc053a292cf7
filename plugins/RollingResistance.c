/* SPDX-License-Identifier: MIT */
/* RollingResistance.c - spring, damper and slider against rolling. */
#include <pcm/plugin.h>

typedef struct {
    double  stiffness, damping, friction, radius;
    int64_t as_lammps;
} Law;

enum { X, Y };
enum { ROLL };

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const int    as_lammps = law.as_lammps != 0;
    const double own = law.radius, per_stiffness = 1 / law.stiffness, per_dt = b->dt > 0 ? 1 / b->dt : 0;
    double      *next_x = b->next[X], *next_y = b->next[Y];
    PCM_EACH(b, i) {
        const double radius = pcm_choose(own > 0, own, b->radius[i]);
        const double vx = radius * b->spin_y[i], vy = -radius * b->spin_x[i];
        const double x = b->state[X][i] + b->dt * vx, y = b->state[Y][i] + b->dt * vy;
        const double pull_x = law.stiffness * x + law.damping * vx, pull_y = law.stiffness * y + law.damping * vy;
        const double off = b->load_pull_off[i], pressed = pcm_ramp(b->load_n[i]), sticks = off > 0 ? 1 : 0;
        const double load = pcm_choose(as_lammps, pcm_abs(b->load_n[i]), pressed);
        const double sticky = pcm_abs(b->load_elastic[i] + b->load_adhesive[i] + 2 * off);
        const double bound = law.friction * (sticks * sticky + (1 - sticks) * load);
        const double pull = pcm_length(pull_x, pull_y), held = pull > bound ? bound / pull : 1;

        /* Limits the spring itself: LAMMPS limits the pull and subtracts the damper's part, which can reverse it. */
        const double spring = law.stiffness * pcm_length(x, y), slid = spring > bound ? bound / spring : 1;
        const double less_x = (held * pull_x - law.damping * vx) * per_stiffness;
        const double less_y = (held * pull_y - law.damping * vy) * per_stiffness;
        const double lammps_x = held < 1 ? less_x : x, lammps_y = held < 1 ? less_y : y;
        const double after_x = pcm_choose(as_lammps, lammps_x, slid * x);
        const double after_y = pcm_choose(as_lammps, lammps_y, slid * y);
        b->moment_n[i] = 0;
        b->moment_x[i] = radius * held * pull_y;
        b->moment_y[i] = -radius * held * pull_x;
        next_x[i] = after_x;
        next_y[i] = after_y;
        if (b->reports) {
            const double x0 = b->state[X][i], y0 = b->state[Y][i], half = 0.5 * law.stiffness;
            const double stored = half * (after_x * after_x + after_y * after_y), before = half * (x0 * x0 + y0 * y0);
            const double power = held * (pull_x * vx + pull_y * vy), lost = law.damping * (vx * vx + vy * vy);
            const double over = pcm_ramp(power - (stored - before) * per_dt), still = held < 1 ? power : lost;
            b->energy[i] = stored;
            b->dissipation[i] = per_dt > 0 ? over : still;
            b->event[ROLL][i] = bound - pull;
        }
    }
}

static double radius_of(const Law *law, const pcm_load *load) { return law->radius > 0 ? law->radius : load->radius; }

PCM_DERIVED(Law, largest_moment, law->friction * load->force * radius_of(law, load));

/* The slope on which a ball begins to roll. */
PCM_DERIVED(Law, rest_angle, pcm_atan2(law->friction, 1));

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "RollingStiffness", "N/m", 100, "kr", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "RollingDamping", "N*s/m", 1, "gr", .min = 0),
    PCM_REAL(Law, friction, "RollingFriction", "1", 0.01, "coefficient mur", .min = 0, .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
    PCM_SWITCH(Law, as_lammps, "AsLammps", 0, "the spring of what rolls, as in LAMMPS"),
};

static const pcm_state states[] = {
    {"roll", "m", "distance rolled that the spring holds", 1e-5, PCM_TANGENT, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {{.name = "roll", .doc = "the spring gives way, or holds again"}};

static const pcm_derived derived[] = {
    {"largest_moment", "N*m", "mur N R under the load", largest_moment},
    {"rest_angle", "rad", "atan(mur): on a plane that steep a ball begins to roll", rest_angle},
};

PCM_KERNELS(update);
PCM_MODEL(RollingResistance, "Resistance against rolling, behind a normal law", .params = PCM_TABLE(params),
          .source = "Luding, Granular Matter 10 (2008); LAMMPS, rolling sds",
          .equations =
              "m = -R n x (kr r + gr r'),  r' = R w x n      w spin about x and y\n"
              "Where |m| > mur R N it is scaled to that size, and where the spring alone pulls more, so is r: the\n"
              "damper never stretches it. N is the load, and on adhesive spheres |f + 2 fc|, fc their pull-off force.\n"
              "It gives a moment alone: what Luding draws as a force at the contact cancels between both bodies.\n"
              "AsLammps = true: r of what rolls is such that spring and damper together pull with the limit. A\n"
              "damper beyond the limit then stretches the spring backwards, which drives the rolling as it falls.\n"
              "N is then |f|, also where the normal law pulls without adhesion.\n"
              "Holds for small grains that roll slowly; mur R is a length that is fitted.\n",
          .states = PCM_TABLE(states), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
          .inputs = PCM_SPIN | PCM_RADIUS | PCM_LOAD, .outputs = PCM_MOMENT | PCM_ENERGY | PCM_DISSIPATION,
          .flags = PCM_ISOTROPIC | PCM_FRAME_SHARED);
