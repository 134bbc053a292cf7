/* SPDX-License-Identifier: MIT */
/* RateAndState.c - friction that depends on the speed of sliding and on the age of what touches: a part. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, friction, direct, ageing, speed, distance;
} Law;

enum { X, Y, AGE };

static const double least = 1e-30; /* m: smaller than any length */

/* y with y + ln y = q, from q = -80 on, by two steps of fourth order (Fritsch, Shafer and Crowley, Comm. ACM 16, 1973;
 * Wright's omega). */
PCM_INLINE double omega_step(double y, double q)
{
    const double rest = q - y - pcm_log(y), more = 1 + y, twice = 2 * more * (more + rest * (2.0 / 3));
    return y * (1 + rest / more * ((twice - rest) / (twice - 2 * rest)));
}
PCM_INLINE double omega(double q)
{
    const double bound = pcm_clamp(q, -80, 1e30), low = pcm_exp_falling(pcm_min(bound, 1)),
                 log_q = pcm_log(pcm_max(q, 1));
    const double large = bound - log_q + log_q / pcm_max(bound, 1);
    return omega_step(omega_step(bound > 1 ? large : low / (1 + 0.6 * low), bound), bound);
}

/* Friction over a at the reference speed; more by ln(V/V0) at V. */
PCM_INLINE double grown_of(const Law *law, double age)
{
    return (law->friction + law->ageing * pcm_log(law->speed * age / law->distance)) / law->direct;
}

/* In a step the spring slides by the length a N/k y: then k z/N and the friction at that speed agree. */
static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_distance = 1 / law.distance, reach = law.direct / law.stiffness, dt = b->dt,
                 per_dt = dt > 0 ? 1 / dt : 0;
    double *next_x = b->next[X], *next_y = b->next[Y], *next_age = b->next[AGE];
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], soft = reach * pcm_ramp(b->load_n[i]); /* a N/k */
        const double x0 = b->state[X][i], y0 = b->state[Y][i], bent = pcm_length(x0, y0);
        const double age = pcm_max(b->state[AGE][i], DBL_MIN), size = pcm_max(soft, least), grown = grown_of(&law, age);
        /* A load that falls leaves as much of the stretch as slides with V0 e^40. */
        const double most = size * pcm_ramp(grown + 40), on = soft > least && most > 0 ? 1 : 0;
        const double fits = bent > most ? most / bent : 1, x = fits * x0 + dt * vx, y = fits * y0 + dt * vy;
        const double full = pcm_length(x, y), ready = full / size - grown;
        const double left = on * pcm_ramp(full - size * omega(ready + pcm_log(law.speed * dt / size)));
        const double slid = on * (full - left + (bent - fits * bent)), keep = full > 0 ? left / full : 0;
        const double moved = slid * per_distance;
        const double nx = keep * x, ny = keep * y, half = pcm_tanh_ratio(0.5 * moved);
        next_x[i] = nx;
        next_y[i] = ny;
        /* Exact for a constant speed. */
        const double aged = age * pcm_exp_falling(-moved) + dt * (half / (1 + 0.5 * moved * half));
        next_age[i] = aged;
        b->force_x[i] = -law.stiffness * nx;
        b->force_y[i] = -law.stiffness * ny;
        if (b->reports) {
            const double  now = law.speed * pcm_exp(pcm_min(ready, 40)), sliding = pcm_length(vx, vy);
            const double  speed = pcm_choose(dt > 0, slid * per_dt, on * now), per_left = 1 / pcm_max(left, DBL_MIN);
            const int64_t touching = 2 * speed > sliding && sliding > 0 ? PCM_SLIPPING : PCM_STICKING;
            /* The means of a step. */
            b->rate[X][i] = pcm_choose(dt > 0, (nx - x0) * per_dt, on * vx - speed * (per_left * nx));
            b->rate[Y][i] = pcm_choose(dt > 0, (ny - y0) * per_dt, on * vy - speed * (per_left * ny));
            b->rate[AGE][i] = pcm_choose(dt > 0, (aged - age) * per_dt, 1 - speed * age * per_distance);
            b->energy[i] = 0.5 * law.stiffness * left * left;
            b->dissipation[i] = law.stiffness * left * speed;
            b->mode[i] = on > 0 ? touching : PCM_SEPARATED;
        }
    }
}

/* As old as in steady sliding at the reference speed. */
static void establish(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i)
        b->next[AGE][i] = law.distance / law.speed;
}

PCM_DERIVED(Law, critical_stiffness, (law->ageing - law->direct) * load->force / law->distance);
PCM_DERIVED(Law, friction_at_speed, law->friction + (law->direct - law->ageing) * pcm_log(load->speed / law->speed));

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "TangentialStiffness", "N/m", 1e7, "k: of what touches, along the surface", PCM_ABOVE(0)),
    PCM_REAL(Law, friction, "Friction", "1", 0.6, "mu0: in steady sliding at the reference speed", PCM_ABOVE(0),
             .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, direct, "DirectEffect", "1", 0.01, "a: friction grows by it with e times the speed, at once",
             PCM_ABOVE(0)),
    PCM_REAL(Law, ageing, "AgeingEffect", "1", 0.015, "b: friction grows by it with e times the age", .min = 0),
    PCM_REAL(Law, speed, "ReferenceSpeed", "m/s", 1e-6, "V0", PCM_ABOVE(0)),
    PCM_REAL(Law, distance, "SlipDistance", "m", 1e-5, "Dc: slip that renews what touches", PCM_ABOVE(0)),
};

static const pcm_state states[] = {
    {"stretch", "m", "of the spring along the surface", 1e-6, PCM_TANGENT, PCM_CONTINUOUS, PCM_STEPS, -1},
    {"age", "s", "theta: of what touches", 1, PCM_SCALAR, PCM_CONTINUOUS, PCM_STEPS, 1},
};

static const pcm_derived derived[] = {
    {"critical_stiffness", "N/m", "(b - a) N/Dc: softer machines stick and slip", critical_stiffness},
    {"friction_at_speed", "1", "in steady sliding at that speed", friction_at_speed},
};

PCM_KERNELS(update, establish);
PCM_MODEL(RateAndState, "Rate-and-state friction with ageing", .params = PCM_TABLE(params),
          .source = "Dieterich, J. Geophysical Research 84 (1979) 2161; Ruina, J. Geophysical Research 88 (1983) 10359",
          .equations =
              "ft = -k z,  z' = v - V z/|z|                      v slip, N load of earlier parts\n"
              "k |z|/N = mu0 + a ln(V/V0) + b ln(V0 theta/Dc)    V the part of the slip that slides\n"
              "theta' = 1 - V theta/Dc                           ageing, Dieterich's form\n"
              "With b > a friction falls with the speed, and what is held by less than (b - a) N/Dc sticks and\n"
              "slips. At rest it grows with the logarithm of time. The spring k is that of the contact itself, and\n"
              "lets it hold at rest: it creeps with V0 exp(-mu0/a) there. Steps of any size are stable; for what\n"
              "follows the speed they are below Dc/V. The papers have speeds from 1 nm/s to 1 mm/s: the logarithm\n"
              "at 1 m/s is an extrapolation. A new contact is as old as in steady sliding at V0.\n"
              "Holds for rock, paper, glass and metals in dry sliding, where its five numbers were measured.\n",
          .states = PCM_TABLE(states), .derived = PCM_TABLE(derived), .inputs = PCM_SLIP | PCM_LOAD,
          .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE, .flags = PCM_ISOTROPIC);
