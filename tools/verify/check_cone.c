/* SPDX-License-Identifier: MIT */
/* check_cone.c - what holds for the force of a contact on its path: that it acts, does not pull, and stays in its cone.
 */
#include <math.h>
#include <string.h>
#include <pcm/cone.h>
#include <pcm/messages.h>

#include "check.h"
#include "history.h"
#include "lanes.h"

/* ---- pull, cone -----------------------------------------------------------------------------------------------------
 */

static void roll_path(subject *s, dice *d, motion *m) { motion_roll_path(s, d, m); }

/* The worst step of a path. */
typedef struct worst {
    double         size;
    motion_step    step;
    history_answer answer;
    double         friction; /* the coefficient */
    const subject *subject;
} worst;

static void keep_worst(worst *w, double size, const motion_step *step, const history_answer *answer)
{
    if (size <= w->size)
        return;
    w->size = size;
    w->step = *step;
    w->answer = *answer;
}

static void find_pull(void *user, const motion_step *step, const history_answer *answer)
{
    keep_worst(user, -answer->force[2], step, answer);
}

static bool pull_fails(subject *s, const motion *m, finding *found)
{
    worst w = {0};
    history_run(s, m, find_pull, &w);
    const bool closing = w.step.row[MOTION_AT(depth)] > 0 && w.step.row[MOTION_AT(depth_rate)] >= 0;
    return w.size > 0 &&
           finding_say(found, 1,
                       closing ? "Is its sign right? force_n > 0 pushes the bodies apart, and these "
                                 "overlap and do not part. Else clip the normal force at zero, "
                                 "pcm_ramp(fn), or declare that the law may pull: .flags = PCM_PULLS."
                               : "Clip the normal force at zero, pcm_ramp(fn), or declare that the law "
                                 "may pull: .flags = PCM_PULLS.",
                       "it pulls with %s N at t = %s s (depth %s m, depth rate %s m/s)", pcm_number(w.size, 4).text,
                       pcm_number(w.step.time, 4).text, pcm_number(w.step.row[MOTION_AT(depth)], 4).text,
                       pcm_number(w.step.row[MOTION_AT(depth_rate)], 4).text);
}

static const char *may_pull(const subject *s)
{
    return s->model->flags & PCM_PULLS ? "it declares PCM_PULLS" : subject_hides_force(s);
}

/* ---- acts -------------------------------------------------------------------------------------------------------- */

/* So many paths without any force are no chance. */
enum { IDLE_PATHS = 100 };

/* What a law did on any path so far: the process tries one. */
typedef struct action {
    const subject *subject;
    size_t         paths;
    bool           acts, moves[SUBJECT_COLUMNS]; /* of each column of its states, whether it ever left 0 */
} action;

static void find_action(void *user, const motion_step *step, const history_answer *answer)
{
    action *done = user;
    (void)step;
    for (int k = 0; k < 3; k++)
        done->acts = done->acts || answer->force[k] != 0 || answer->moment[k] != 0;
    for (size_t i = 0; i < done->subject->info->n_state && answer->live; i++)
        done->moves[i] = done->moves[i] || done->subject->history.last[i] != 0;
}

static bool acts_fails(subject *s, const motion *m, finding *found)
{
    static action done;
    if (done.paths++ >= IDLE_PATHS)
        return false;
    done.subject = s;
    history_run(s, m, find_action, &done);
    if (done.paths < IDLE_PATHS)
        return false;
    for (size_t i = 0; i < s->info->n_state && done.acts; i++)
        if (!done.moves[i])
            return finding_say(found, 2, "Write what becomes of it to next, from the state and the motion.",
                               "its state %s is 0 after every step of %d paths", lanes_input_name(s, s->n_inputs + i),
                               IDLE_PATHS);
    return !done.acts &&
           finding_say(
               found, 1,
               "Is a parameter missing in the table of .params, or .params in the model? What they leave out is 0.",
               "it gave no force and no moment on any of %d paths, with as many depths, slips and values", IDLE_PATHS);
}

/* A law of heat alone need give no force, and one that jumps may do all it does there. */
static const char *need_not_act(const subject *s)
{
    if (s->model->amounts.count > 0)
        return "it may act on amounts of the objects alone";
    return s->model->flags & PCM_JUMPS ? "it declares PCM_JUMPS, and may act at events alone" : subject_hides_force(s);
}

const check check_acts = {.name = "acts",
                          .doc = "gives a force or a moment somewhere",
                          .weight = IDLE_PATHS,
                          .absent = need_not_act,
                          .whole = true,
                          .roll = roll_path,
                          .fails = acts_fails};

const check check_pull = {.name = "pull",
                          .doc = "never pulls, unless PCM_PULLS",
                          .weight = 300,
                          .absent = may_pull,
                          .whole = true,
                          .roll = roll_path,
                          .fails = pull_fails};

static void find_outside(void *user, const motion_step *step, const history_answer *answer)
{
    worst       *w = user;
    const double held = hypot(answer->force[0], answer->force[1]), limit = w->friction * fmax(answer->force[2], 0);
    keep_worst(w, held - limit * (1 + 1e-9), step, answer);
}

/* Of a law that tells what it can transmit along the surface. */
static void find_beyond(void *user, const motion_step *step, const history_answer *answer)
{
    worst    *w = user;
    pcm_shear set = {.size = sizeof set};
    (void)pcm_type_shear(w->subject->type, answer->force[2], &set);
    const size_t x = set.axis == PCM_SHEAR_BASE ? MOTION_AT(base_axis_x) : MOTION_AT(follower_axis_x);
    const size_t y = set.axis == PCM_SHEAR_BASE ? MOTION_AT(base_axis_y) : MOTION_AT(follower_axis_y);
    const double length = hypot(step->row[x], step->row[y]);
    const double ex = length > 0 ? step->row[x] / length : 1, ey = length > 0 ? step->row[y] / length : 0;
    const double fx = answer->force[0], fy = answer->force[1], size = hypot(hypot(fx, fy), answer->force[2]);
    if (answer->live)
        keep_worst(w, -pcm_shear_margin(&set, ex * fx + ey * fy, ex * fy - ey * fx) - 1e-9 * size, step, answer);
}

/* Friction that does work on a slip that is steady, in a law without memory. */
static void find_drive(void *user, const motion_step *step, const history_answer *answer)
{
    const double vx = step->row[MOTION_AT(slip_x)], vy = step->row[MOTION_AT(slip_y)];
    const double drive = answer->force[0] * vx + answer->force[1] * vy;
    keep_worst(user, drive - 1e-9 * hypot(vx, vy) * hypot(answer->force[0], answer->force[1]), step, answer);
}

static bool has_coefficient(const pcm_model *law)
{
    bool has = false;
    for (uint32_t i = 0; i < law->params.count; i++)
        has = has || pcm_model_param(law, i)->flags & PCM_CONE;
    return has;
}

/* Whether the cone of the parameters holds for the friction: of a sum, unless a part says which share of its force is
 * the load, pushes or pulls behind the one that rubs, or rubs without a coefficient. */
static bool has_cone(const subject *s)
{
    bool has = !subject_is_sum(s) || !(s->model->flags & PCM_ACTIVE);
    for (size_t i = 0; subject_is_sum(s) && i < s->n_parts; i++) {
        const pcm_model *law = s->parts[i];
        has = has && !(law->outputs & PCM_SHARES) && (i == 0 || law->inputs & PCM_FROM_PARTS) &&
              (!(law->outputs & PCM_FRICTION) || has_coefficient(law));
    }
    return has;
}

static bool has_defaults(const subject *s)
{
    for (size_t i = 0; i < subject_param_count(s); i++)
        if (!subject_is_set(s, subject_param(s, i)) && s->values[i] != motion_default(s, i))
            return false;
    return s->law;
}

/* Whether friction is beyond the cone by little, or by more the faster: values of a sum may add viscous friction. */
static bool is_viscous(subject *s, const motion *m, const worst *w)
{
    const double faster = 30;
    motion       fast = *m;
    worst        there = {.friction = w->friction};
    if (!subject_is_sum(s) || has_defaults(s) || w->answer.force[2] <= 0)
        return false;
    fast.dt /= faster;
    history_run(s, &fast, find_outside, &there);
    return there.size > 3 * w->size || w->size < 1e-2 * w->friction * w->answer.force[2];
}

static bool leaves_cone(subject *s, const motion *m, finding *found)
{
    worst w = {.friction = subject_friction(s)};
    if (isnan(w.friction) || !has_cone(s))
        return false;
    history_run(s, m, find_outside, &w);
    return w.size > 0 && !is_viscous(s, m, &w) &&
           finding_say(found, 1,
                       "Limit the length of the friction, not each component, to the coefficient times the force_n of "
                       "the same lane.",
                       "friction of %s N leaves the cone at t = %s s: force_n is %s N, the coefficient %s",
                       pcm_number(hypot(w.answer.force[0], w.answer.force[1]), 4).text, pcm_number(w.step.time, 4).text,
                       pcm_number(w.answer.force[2], 4).text, pcm_number(w.friction, 4).text);
}

static bool leaves_set(subject *s, const motion *m, finding *found)
{
    pcm_shear set = {.size = sizeof set};
    worst     w = {.subject = s};
    if (!has_cone(s) || !pcm_type_shear(s->type, 0, &set))
        return false;
    history_run(s, m, find_beyond, &w);
    return w.size > 0 &&
           finding_say(found, 3, "Let .shear tell what update limits the friction to, at the force_n of the same lane.",
                       "friction (%s, %s) N is outside of what .shear says of force_n = %s N, at t = %s s, by %s N",
                       pcm_number(w.answer.force[0], 4).text, pcm_number(w.answer.force[1], 4).text,
                       pcm_number(w.answer.force[2], 4).text, pcm_number(w.step.time, 4).text,
                       pcm_number(w.size, 4).text);
}

static bool drives(subject *s, const motion *m, finding *found)
{
    worst w = {0};
    if (s->info->n_state > 0 || s->model->flags & PCM_ACTIVE)
        return false;
    history_run(s, m, find_drive, &w);
    return w.size > 0 && finding_say(found, 2, "Friction has the sign of minus the slip; force_x and force_y act on B.",
                                     "friction drives the slip with %s W at t = %s s: slip (%s, %s) m/s, friction (%s, "
                                     "%s) N",
                                     pcm_number(w.size, 4).text, pcm_number(w.step.time, 4).text,
                                     pcm_number(w.step.row[MOTION_AT(slip_x)], 4).text,
                                     pcm_number(w.step.row[MOTION_AT(slip_y)], 4).text,
                                     pcm_number(w.answer.force[0], 4).text, pcm_number(w.answer.force[1], 4).text);
}

static bool cone_fails(subject *s, const motion *m, finding *found)
{
    return leaves_cone(s, m, found) || leaves_set(s, m, found) || drives(s, m, found);
}

static const char *why_no_friction(const subject *s)
{
    return s->model->outputs & PCM_FRICTION ? subject_hides_force(s) : "it has no friction";
}

const check check_cone = {.name = "cone",
                          .doc = "friction stays inside the law's cone, and opposes the slip",
                          .weight = 300,
                          .absent = why_no_friction,
                          .whole = true,
                          .roll = roll_path,
                          .fails = cone_fails};
