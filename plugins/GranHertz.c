/* SPDX-License-Identifier: MIT */
/* GranHertz.c - Hertzian granular contact with the history of its slip, as in LAMMPS's gran/hertz/history. */
#include "elastic.h"

typedef struct {
    double  stiffness, tangential_stiffness, normal_damping, tangential_damping, friction;
    int64_t limit_damping;
} Law;

enum { X, Y, STORED };
enum { TOUCH, RELEASE, SLIP };

PCM_INLINE void press(const pcm_batch *b, const Law *from, int needs)
{
    const Law    law = *from;
    const double least = law.limit_damping ? 0 : -INFINITY, per_stiffness = 1 / law.tangential_stiffness;
    const double per_dt = b->dt > 0 ? 1 / b->dt : 0;
    double      *next_x = b->next[X], *next_y = b->next[Y], *next_stored = b->next[STORED];
    PCM_EACH(b, i) {
        const double dd = b->depth_rate[i], vx = b->slip_x[i], vy = b->slip_y[i], depth = pcm_ramp(b->depth[i]);
        const double p = pcm_sqrt(depth * elastic_radius(ELASTIC_GAP(b, i), 0, needs)),
                     viscous = b->mass[i] * law.tangential_damping;
        const double sum = law.stiffness * depth + b->mass[i] * law.normal_damping * dd;
        const double force = p * (sum < least ? least : sum);
        const double x = b->state[X][i] + b->dt * vx, y = b->state[Y][i] + b->dt * vy;
        const double pull_x = law.tangential_stiffness * x + viscous * vx;
        const double pull_y = law.tangential_stiffness * y + viscous * vy;
        const double bound = law.friction * pcm_abs(force), pull = p * pcm_length(pull_x, pull_y);
        const double held = pull > bound ? bound / pull : 1;
        b->force_n[i] = force;
        b->force_x[i] = -p * held * pull_x;
        b->force_y[i] = -p * held * pull_y;
        const double after_x = held < 1 ? (held * pull_x - viscous * vx) * per_stiffness : x;
        const double after_y = held < 1 ? (held * pull_y - viscous * vy) * per_stiffness : y;
        next_x[i] = after_x;
        next_y[i] = after_y;

        /* The spring stores as much of the tangential work as it can return; the rest is heat. */
        const double spring = 0.5 * p * law.tangential_stiffness * (after_x * after_x + after_y * after_y);
        const double power = p * held * (pull_x * vx + pull_y * vy), put_in = b->state[STORED][i] + b->dt * power;
        const double stored = pcm_min(put_in, spring);
        next_stored[i] = stored;
        if (b->reports) {
            const double still = held < 1 ? power : p * viscous * (vx * vx + vy * vy);
            const double slide = per_dt > 0 ? (put_in - stored) * per_dt : still;
            b->mode[i] = depth <= 0 ? PCM_SEPARATED : held < 1 ? PCM_SLIPPING : PCM_STICKING;
            b->energy[i] = 0.4 * p * law.stiffness * depth * depth + stored;
            b->dissipation[i] = (force - p * law.stiffness * depth) * dd + slide;
            b->event[TOUCH][i] = b->depth[i];
            b->event[RELEASE][i] = sum;
            b->event[SLIP][i] = bound - pull;
        }
    }
}

ELASTIC_UPDATE(press, 0, ELASTIC_ELLIPSES)

PCM_DERIVED(Law, compression, pcm_pow(load->force / (law->stiffness * pcm_sqrt(load->radius)), 2.0 / 3));
PCM_DERIVED(Law, reduced_modulus, 0.75 * law->stiffness);

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "NormalStiffness", "Pa", 1e8, "kn: of elastic spheres 4/3 E*", PCM_ABOVE(0)),
    PCM_REAL(Law, tangential_stiffness, "TangentialStiffness", "Pa", 2.857e7,
             "kt: of elastic spheres 8 G*; many scripts have 2/7 kn", PCM_ABOVE(0)),
    PCM_REAL(Law, normal_damping, "NormalDamping", "1/(m*s)", 50, "gn: damping per reduced mass", .min = 0),
    PCM_REAL(Law, tangential_damping, "TangentialDamping", "1/(m*s)", 25, "gt: the same, along the surface", .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "mu", .min = 0, .flags = PCM_CONE, .mix = PCM_MIX_GEOMETRIC),
    PCM_SWITCH(Law, limit_damping, "LimitDamping", 1, "it never pulls; false: as LAMMPS does by default"),
};

static const pcm_state states[] = {
    {"stretch", "m", "of the spring along the surface", 1e-6, PCM_TANGENT, PCM_HISTORY, 0, -1},
    {"stored", "J", "of the work along the surface", 1e-6, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the grains touch, or part"},
    {.name = "release", .doc = "they no longer push, still below the surface", .direction = -1},
    {.name = "slip", .doc = "the pull of the spring reaches the limit of friction, or is back below it"},
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load", compression},
    {"reduced_modulus", "Pa", "3/4 kn: E* of the elastic spheres that it stands for", reduced_modulus},
};

PCM_KERNELS(update);
PCM_MODEL(GranHertz, "Hertzian granular contact with history", .params = PCM_TABLE(params),
          .source = "Silbert et al., Phys. Rev. E 64 (2001); Zhang and Makse, Phys. Rev. E 72 (2005); LAMMPS, pair "
                    "gran/hertz/history",
          .equations =
              "fn = p max(kn d + m gn d', 0),  p = sqrt(d R)            m reduced mass, R reduced radius\n"
              "ft = -p (kt u + m gt v),  u' = v                         v slip\n"
              "Where |ft| > mu |fn| it is scaled to that size, and u to what then pulls so.\n"
              "LimitDamping = false leaves out the max, as LAMMPS does without limit_damping. LAMMPS\n"
              "turns u back into the tangent plane at each step; here the frame carries it. With u = 0 and too\n"
              "much damping LAMMPS drops friction, this scales it. The spring stiffens with p: pressing on stretched\n"
              "grains adds energy, without a bound, as a damper can stretch them at the touch: declared active.\n"
              "Stored is what was put in along the surface, at most p kt u^2/2: below 0 where it gave back more.\n"
              "Holds for points of contact of spheres, a small against R; kt/kn of elastic ones is 6 G*/E*,\n"
              "which is 3 (1 - v)/(2 - v) for equal materials, 1.24 for steel: 2/7 is a habit of scripts.\n",
          .states = PCM_TABLE(states), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
          .inputs = ELASTIC_POINTS | PCM_DEPTH_RATE | PCM_SLIP | PCM_MASS,
          .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE,
          .flags = PCM_ISOTROPIC | PCM_POINTS | PCM_PULLS | PCM_ACTIVE | PCM_FRAME_SHARED);
