/* SPDX-License-Identifier: MIT */
/* check_slide.c - friction against a slip that never turns round, while the load changes. */
#include <math.h>
#include <string.h>
#include <pcm/messages.h>

#include "check.h"
#include "history.h"

static const size_t ways[] = {offsetof(pcm_batch, slip_x), offsetof(pcm_batch, slip_y)};
static const size_t spins[] = {offsetof(pcm_batch, spin_x), offsetof(pcm_batch, spin_y), offsetof(pcm_batch, spin_n)};

/* Pressed, then dragged at that depth and one speed, then lifted: a law that may return energy is held to the sign of
 * its friction at least. */
static void keep_depth(motion *m)
{
    enum { LAST = 3 };
    const size_t depth = MOTION_AT(depth), last = LAST;
    memcpy(m->row[last], m->row[m->count - 1], sizeof m->row[last]);
    m->count = LAST + 1;
    m->row[2][depth] = m->row[1][depth];
    for (size_t k = 0; k < 5; k++) {
        const size_t at = motion_column(k < 2 ? ways[k] : spins[k - 2]);
        m->row[1][at] = m->row[0][at];
        m->row[last][at] = m->row[last - 1][at];
    }
}

/* A path of random depths that slides one way, or turns one way about one axis. */
static void roll_one_way(subject *s, dice *d, motion *m)
{
    motion_roll_path(s, d, m);
    const bool   slides = dice_below(d, 3) > 0;
    const double angle = 6.28 * dice_unit(d), size = slides ? dice_decades(d, -6, -2) : dice_decades(d, -3, 0);
    const size_t axis = dice_below(d, 3);
    double       done = 0;
    for (size_t i = 0; i < m->count; i++) {
        double *row = m->row[i];
        done += i > 0 ? size * dice_unit(d) : 0;
        for (size_t k = 0; k < 2; k++)
            row[motion_column(ways[k])] = slides ? done * (k ? sin(angle) : cos(angle)) : 0;
        for (size_t k = 0; k < 3; k++)
            row[motion_column(spins[k])] = !slides && k == axis ? done : 0;
    }
    if (s->model->flags & PCM_ACTIVE && m->count > 3)
        keep_depth(m);
}

/* The power, W, that friction and moments give to the slip and the spin, and the most that they could give or take. */
typedef struct drive {
    bool           at_rest; /* along the normal: the way in may drive what is no friction */
    double         worst, most;
    motion_step    step; /* of the worst */
    history_answer answer;
} drive;

static void find_drive(void *user, const motion_step *step, const history_answer *answer)
{
    drive *d = user;
    double power = 0, force = 0, slip = 0, moment = 0, spin = 0;
    for (size_t k = 0; k < 3; k++) {
        const double v = k < 2 ? step->row[motion_column(ways[k])] : 0, w = step->row[motion_column(spins[k])];
        power += (k < 2 ? answer->force[k] * v : 0) + answer->moment[k] * w;
        force = k < 2 ? hypot(force, answer->force[k]) : force;
        slip = hypot(slip, v);
        moment = hypot(moment, answer->moment[k]);
        spin = hypot(spin, w);
    }
    d->most = fmax(d->most, force * slip + moment * spin);
    if (power > d->worst && !(d->at_rest && step->row[MOTION_AT(depth_rate)] != 0)) {
        d->worst = power;
        d->step = *step;
        d->answer = *answer;
    }
}

static drive find_worst(subject *s, const motion *m, size_t finer)
{
    drive  d = {.at_rest = !(s->model->flags & PCM_ISOTROPIC) || s->model->flags & PCM_ACTIVE};
    motion path = *m;
    path.steps *= finer;
    history_run(s, &path, find_drive, &d);
    return d;
}

/* Whether the depth stays while it slides, and nothing slides while it does not. */
static bool keeps_depth(const motion *m)
{
    motion kept = *m;
    if (m->count < 4)
        return false;
    keep_depth(&kept);
    return m->count == kept.count && memcmp(kept.row, m->row, m->count * sizeof m->row[0]) == 0;
}

static bool is_one_way(const motion *m)
{
    for (size_t k = 0; k < 5; k++) {
        const size_t at = motion_column(k < 2 ? ways[k] : spins[k - 2]);
        for (size_t i = 2; i < m->count; i++)
            if ((m->row[i][at] - m->row[i - 1][at]) * (m->row[i - 1][at] - m->row[i - 2][at]) < 0)
                return false;
    }
    return true;
}

/* One direction for the whole of the way: what is left of a path whose numbers were rounded may have two. */
static bool is_straight(const motion *m)
{
    const double *from = m->row[0], *to = m->row[m->count - 1];
    const size_t  x = MOTION_AT(slip_x), y = MOTION_AT(slip_y);
    const double  dx = to[x] - from[x], dy = to[y] - from[y];
    size_t        axes = 0;
    for (size_t k = 0; k < 3; k++)
        axes += to[motion_column(spins[k])] != from[motion_column(spins[k])];
    for (size_t i = 1; i < m->count; i++)
        if (fabs((m->row[i][x] - from[x]) * dy - (m->row[i][y] - from[y]) * dx) > 1e-12 * (dx * dx + dy * dy))
            return false;
    return axes + (dx != 0 || dy != 0) == 1;
}

static bool slide_fails(subject *s, const motion *m, finding *found)
{
    const double share = 1e-6;
    if (m->count < 3 || !is_one_way(m) || !is_straight(m) || (s->model->flags & PCM_ACTIVE && !keeps_depth(m)))
        return false;
    const drive rough = find_worst(s, m, 1);
    if (rough.worst <= share * rough.most)
        return false;
    const drive fine = find_worst(s, m, 8), finest = find_worst(s, m, 64);
    if (fine.worst <= share * fine.most || finest.worst <= share * finest.most || finest.worst < 0.5 * fine.worst)
        return false;
    const double *row = finest.step.row, *f = finest.answer.force;
    return finding_say(found, 1,
                       "Friction has the sign of minus the slip. Where its limit falls with the load, shorten its "
                       "spring to what the limit holds, without the damper; a spring that shrinks never turns round.",
                       "the slip never turns round, but at t = %s s friction and moment drive it with %s W: slip (%s, "
                       "%s) m/s, friction (%s, %s) N, load %s N",
                       pcm_number(finest.step.time, 4).text, pcm_number(finest.worst, 4).text,
                       pcm_number(row[MOTION_AT(slip_x)], 4).text, pcm_number(row[MOTION_AT(slip_y)], 4).text,
                       pcm_number(f[0], 4).text, pcm_number(f[1], 4).text, pcm_number(f[2], 4).text);
}

static const char *why_no_slide(const subject *s)
{
    if (!(s->model->outputs & (PCM_FRICTION | PCM_MOMENT)))
        return "it has no friction and no moment";
    if (s->model->flags & PCM_BASE_AXES)
        return "its force is along the base's axes";
    if (s->model->inputs & PCM_AREA && s->model->inputs & PCM_AXES)
        return "its surface is tilted: the way in and the slip count together";
    if (s->model->inputs & PCM_BODY_SPINS)
        return "the turning of one body may drive the slip";
    return subject_lacks_host(s);
}

const check check_slide = {.name = "slide",
                           .doc = "friction never drives a slip that keeps its way, however the load changes",
                           .weight = 150,
                           .absent = why_no_slide,
                           .roll = roll_one_way,
                           .fails = slide_fails,
                           .whole = true};
