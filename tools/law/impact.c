/* SPDX-License-Identifier: MIT */
/* impact.c - simulates the impact of one body with Bogacki and Shampine's third-order method and adaptive steps. Trial
 * updates of the world start at the last commit, so that a rejected step leaves no trace. */
#include "impact.h"

#include <math.h>

enum { MOST_UPDATES = 20000 }; /* limit for all runs together: some ten milliseconds */

static const impact unknown = {IMPACT_UNKNOWN, NAN, NAN, NAN, NAN};

typedef struct flight {
    const rest_def *def;
    pcm_world      *world;
    pcm_object      base, follower;
    double          speed;
    double          time, depth, rate, push; /* the state at the last commit */
    double          travel, fastest;         /* m, m/s: the scales of errors */
    int            *updates;                 /* number of updates left */
} flight;

/* The state at the end of a step, and its error: that of the rate relative to the fastest rate, and that of the depth
 * relative to the distance travelled. */
typedef struct landing {
    double depth, rate, push, error;
} landing;

/* The normal force at dt after the last commit; NaN: the law failed. */
static double push_at(flight *f, double dt, double depth, double rate)
{
    const pcm_pose  pose = {.position = {0, 0, -depth}, .orientation = {1}};
    const pcm_twist twist = {.linear = {0, 0, -rate}};
    const pcm_touch touch = {.normal = {0, 0, 1}, .depth = depth};
    pcm_wrench      wrench = {.force = {0}};
    --*f->updates;
    (void)pcm_world_move(f->world, f->follower, &pose, &twist);
    (void)pcm_world_touch(f->world, f->base, f->follower, &touch, sizeof touch);
    const bool good = pcm_world_update(f->world, f->time + dt, dt) == PCM_OK &&
                      pcm_world_wrench(f->world, f->follower, &wrench) == PCM_OK;
    return good ? wrench.force[2] : NAN;
}

/* Places the body where the contact can begin at the earliest: across a gap if the law acts there. */
static bool take_off(flight *f)
{
    f->world = rest_world(f->def, &f->base, &f->follower);
    const pcm_type *type = f->world ? pcm_world_pair(f->world, f->base, f->follower, NULL) : NULL;
    if (!type)
        return false;
    const double gap = pcm_type_get_info(type)->common->separation;
    f->depth = isfinite(gap) && pcm_type_can_begin(type, -gap) ? -gap : 0;
    f->rate = f->fastest = f->speed;
    f->push = push_at(f, 0, f->depth, f->rate);
    (void)pcm_world_commit(f->world);
    return isfinite(f->push);
}

/* Tries a step. Its last update is at the step's end, so that a commit can take it. */
static landing try_step(flight *f, double h)
{
    const double per_mass = 1 / f->def->mass;
    const double v1 = f->rate, a1 = -f->push * per_mass;
    const double v2 = f->rate + 0.5 * h * a1;
    const double a2 = -push_at(f, 0.5 * h, f->depth + 0.5 * h * v1, v2) * per_mass;
    const double v3 = f->rate + 0.75 * h * a2;
    const double a3 = -push_at(f, 0.75 * h, f->depth + 0.75 * h * v2, v3) * per_mass;
    landing      to = {.depth = f->depth + h * (2 * v1 + 3 * v2 + 4 * v3) / 9,
                       .rate = f->rate + h * (2 * a1 + 3 * a2 + 4 * a3) / 9};
    to.push = push_at(f, h, to.depth, to.rate);
    const double a4 = -to.push * per_mass;
    const double depth_error = h * (-5 * v1 / 72 + v2 / 12 + v3 / 9 - to.rate / 8);
    const double rate_error = h * (-5 * a1 / 72 + a2 / 12 + a3 / 9 - a4 / 8);
    to.error = fmax(fabs(rate_error) / f->fastest, fabs(depth_error) / fmax(f->travel, h * f->fastest));
    return isfinite(to.push) ? to : (landing){.error = NAN};
}

static void land(flight *f, double h, const landing *to)
{
    (void)pcm_world_commit(f->world);
    f->travel += fabs(to->depth - f->depth);
    f->fastest = fmax(f->fastest, fabs(to->rate));
    f->time += h;
    f->depth = to->depth;
    f->rate = to->rate;
    f->push = to->push;
}

static bool has_left(const landing *to) { return to->push == 0 && to->rate < 0; }

/* The contact ends within the step: finds that time, to the rounding of the step. */
static impact leave(flight *f, double h)
{
    double low = 0, high = h;
    for (int i = 0; i < 50; i++) {
        const double  middle = 0.5 * (low + high);
        const landing to = try_step(f, middle);
        *(has_left(&to) ? &high : &low) = middle;
    }
    return (impact){.end = IMPACT_LEAVES,
                    .restitution = -try_step(f, high).rate / f->speed,
                    .restitution_error = NAN,
                    .time = f->time + high,
                    .time_error = NAN};
}

/* Whether the body stays: it is pulled back on its way out, or creeps until it rests. */
static bool stays(double before, double rate, double speed)
{
    return before < 0 && (rate >= 0 || (rate > before && rate > -0.1 * IMPACT_TOLERANCE * speed));
}

/* The first step covers a nanometre, so that the onset of any law is resolved; later steps grow as the error allows. */
static impact fly(flight *f, double tolerance)
{
    double h = 1e-9 / f->speed;
    while (*f->updates > 0) {
        const landing to = try_step(f, h);
        if (!isfinite(to.error))
            break;
        if (to.error <= tolerance) {
            const double before = f->rate;
            if (has_left(&to))
                return leave(f, h);
            land(f, h, &to);
            if (stays(before, f->rate, f->speed))
                return (impact){
                    .end = IMPACT_STAYS, .restitution = 0, .restitution_error = NAN, .time = NAN, .time_error = NAN};
        }
        h *= fmin(5, fmax(0.2, 0.9 * cbrt(tolerance / to.error)));
    }
    return unknown;
}

static impact run_once(const rest_def *def, double speed, double tolerance, int *updates)
{
    flight       f = {.def = def, .speed = speed, .updates = updates};
    const impact found = take_off(&f) ? fly(&f, tolerance) : unknown;
    pcm_world_free(f.world);
    return found;
}

/* Estimates the error of the coarser run from the finer one. */
static void compare(const impact *rough, impact *fine)
{
    const bool same = rough->end == fine->end;
    fine->restitution_error = same ? fabs(rough->restitution - fine->restitution) : NAN;
    fine->time_error = same ? fabs(rough->time - fine->time) : NAN;
}

static bool is_good(const impact *found)
{
    return found->restitution_error <= IMPACT_TOLERANCE &&
           (found->end == IMPACT_STAYS || found->time_error <= IMPACT_TOLERANCE * found->time);
}

/* Repeats the run with smaller tolerances until two runs agree. */
impact impact_run(const rest_def *def, double speed)
{
    int    updates = MOST_UPDATES;
    double tolerance = 1e-8;
    impact best = run_once(def, speed, tolerance, &updates);
    while (best.end != IMPACT_UNKNOWN && !is_good(&best)) {
        impact next = run_once(def, speed, tolerance *= 0.1, &updates);
        if (next.end == IMPACT_UNKNOWN)
            break;
        compare(&best, &next);
        best = next;
    }
    return isfinite(best.restitution_error) ? best : unknown;
}
