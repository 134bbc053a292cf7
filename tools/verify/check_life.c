/* SPDX-License-Identifier: MIT */
/* check_life.c - when a contact ends: by its life, and by the gap at which hosts end it. */
#include <math.h>
#include <string.h>
#include <pcm/messages.h>

#include "check.h"
#include "history.h"
#include "probe.h"

/* Pressed, then pulled apart to the gap at which hosts end the contact, at some speed. */
static void roll_pull(subject *s, dice *d, motion *m)
{
    const size_t depth = MOTION_AT(depth);
    motion_roll_path(s, d, m);
    m->count = 3;
    m->steps = 64;
    m->dt = dice_decades(d, -3, 2);
    m->row[0][MOTION_AT(radius)] = dice_decades(d, -4, 0); /* m: reach is of types, for objects of usual sizes */
    for (size_t i = 1; i < 3; i++) {
        const double kept = m->row[1][depth];
        memcpy(m->row[i], m->row[0], sizeof m->row[i]);
        m->row[i][depth] = i == 1 ? kept : -s->info->common->separation;
    }
}

typedef struct pull {
    double most, last; /* the largest force so far, and the last that a live contact gave at the gap */
    double gap;        /* at which hosts end it */
    bool   held;       /* the contact lives there */
} pull;

static void find_last(void *user, const motion_step *step, const history_answer *answer)
{
    pull        *p = user;
    const double force = fabs(answer->force[2]);
    p->most = fmax(p->most, force);
    p->last = force;
    p->held = answer->live && !answer->ended && step->row[MOTION_AT(depth)] <= -p->gap * (1 - 1e-9);
}

/* Hosts report nothing beyond the gap: a force that still acts there ends with a jump. */
static bool is_cut_off(subject *s, const motion *m, finding *found)
{
    pull p = {.gap = s->info->common->separation};
    history_run(s, m, find_last, &p);
    return !(s->model->flags & PCM_JUMPS) && p.held && p.gap > 0 && p.last > 1e-2 * p.most &&
           finding_say(found, 1,
                       "Let .reach give the largest gap at which the law may still act, or let it set life to "
                       "PCM_BROKEN before.",
                       "hosts end the contact at a gap of %s m, where it lives and gives %s N",
                       pcm_number(p.gap, 4).text, pcm_number(p.last, 4).text);
}

/* A contact that has just begun, at the lightest touch and at rest. */
static bool breaks_at_once(subject *s, const motion *m, finding *found)
{
    motion rest = *m;
    probe  p;
    double forces[PROBE_FORCES];
    rest.kind = MOTION_LANES;
    rest.dt = 0;
    if (!(s->model->outputs & PCM_LIFE) || !probe_open(&p, s, &rest, 0))
        return false;
    for (size_t i = 0; i < s->n_motions; i++)
        if (rig_motions[i].input & (PCM_DEPTH_RATE | PCM_SLIP | PCM_SPIN | PCM_VELOCITY | PCM_BODY_SPINS))
            p.at.row[0][i] = 0;
    p.at.row[0][MOTION_AT(depth)] = 1e-12;
    probe_begin(&p);
    probe_ask(&p, forces);
    const bool begins =
        !(s->model->outputs & PCM_ONSET) || p.lanes.batch.onset[0] >= 0 || lanes_is_sentinel(p.lanes.batch.onset[0]);
    const bool breaks = p.lanes.batch.life[0] == PCM_BROKEN && begins;
    probe_close(&p);
    return breaks && finding_say(found, 2, "life is PCM_LIVE as long as the contact holds, PCM_BROKEN where it ends.",
                                 "a contact that begins at rest is broken at once, with a force of %s N",
                                 pcm_number(probe_length(forces), 4).text);
}

static bool life_fails(subject *s, const motion *m, finding *found)
{
    return m->count == 3 && (breaks_at_once(s, m, found) || is_cut_off(s, m, found));
}

static const char *ends_by_touch(const subject *s)
{
    const bool lives = s->model->outputs & PCM_LIFE || s->info->common->separation > 0;
    return lives ? subject_lacks_host(s) : "it ends where the objects part: it has no .reach, no .onset and no life";
}

const check check_life = {.name = "life",
                          .doc = "a contact begins alive, and gives no force where hosts end it",
                          .weight = 100,
                          .absent = ends_by_touch,
                          .roll = roll_pull,
                          .fails = life_fails,
                          .whole = true};
