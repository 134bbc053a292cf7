/* SPDX-License-Identifier: MIT */
/* touch.c - finds the contacts of near pairs and reports them to the world. */
#include "space.h"
#include <pcm/messages.h>
#include <string.h>

typedef struct reporting {
    pcm_space *space;
    pair_note *note;
    pcm_object a, b;
    bool       starved;
} reporting;

static void report_touch(void *user, const pcm_touch *touch)
{
    reporting        *r = user;
    pcm_space        *space = r->space;
    const pcm_contact contact = pcm_world_touch(space->world, r->a, r->b, touch, sizeof *touch);
    if (contact.generation == 0)
        return;
    if (!geometry_grow(space->context, &space->reported, sizeof *space->reported, &space->reported_capacity,
                       space->n_reported + 1)) {
        r->starved = true;
        return;
    }
    space->reported[space->n_reported++] = (reported){contact, touch->feature};
    r->note->count++;
}

/* Whether the balls around the members are farther apart than the reach, by more than rounding. */
static bool balls_apart(const ball *a, const ball *b, double reach)
{
    const vec    between = sub(b->at, a->at);
    const double sum = (a->radius + b->radius + reach) * (1 + 1e-9);
    return !(dot(between, between) <= sum * sum) || !(sum >= 0);
}

static bool is_bounded(const member *m) { return isfinite(m->body.geometry->ball); }

/* The same for their axis-aligned bounds, if both bodies have any. */
static bool bounds_apart(const member *a, const member *b, double reach)
{
    if (!is_bounded(a) || !is_bounded(b))
        return false;
    const double near = reach + 1e-9 * (a->body.geometry->size + b->body.geometry->size);
    const vec    ahead = sub(b->now.low, a->now.high), behind = sub(a->now.low, b->now.high);
    return larger(larger(larger(ahead.x, behind.x), larger(ahead.y, behind.y)), larger(ahead.z, behind.z)) > near;
}

/* A member as a pair sees it: a grid is smooth only where the pair's type says so. */
static body body_of(const near_pair *p, const member *m)
{
    return (body){m->smoothed && !p->smooth ? m->smoothed->like : m->body.geometry, m->body.at};
}

/* Finds the contacts of a pair. */
static void touch_pair(const pcm_space *space, const near_pair *p, pair_note *note, pair_take *take, void *user)
{
    if (p->balls) {
        pair_touch_balls(&space->balls[p->a.index], &space->balls[p->b.index], p->reach, take, user);
        return;
    }
    const member    *a = &space->members[p->a.index], *b = &space->members[p->b.index];
    const pair_known known = {note->cache == NO_INDEX ? NULL : &space->caches[note->cache].known, &note->known};
    const body       first = body_of(p, a), second = body_of(p, b);
    if (!bounds_apart(a, b, p->reach))
        (p->few ? pair_touch_few : pair_touch)(&first, &second, p->reach, known, take, user);
}

/* ---- Tasks: all threads find contacts; the calling thread reports them in the order of the pairs ----------------- */

/* Lists the pairs of a room whose balls meet. */
static void find_hits(void *argument, uint32_t i)
{
    const job       *j = argument;
    const pcm_space *space = j->space;
    const size_t     first = job_first(j, i), end = job_first(j, i + 1);
    size_t           n = 0;
    for (size_t k = first; k < end; k++) {
        const near_pair *p = &space->pairs[k];
        space->hits[first + n] = (uint32_t)k;
        n += !balls_apart(&space->balls[p->a.index], &space->balls[p->b.index], p->reach);
    }
    space->rooms[i].n_hits = n;
}

static bool find_all_hits(pcm_space *space)
{
    job j = job_of(space, space->n_pairs, NULL);
    space->n_hits = 0;
    if (space->n_pairs == 0)
        return true;
    if (!geometry_grow(space->context, &space->hits, sizeof *space->hits, &space->hit_capacity, space->n_pairs))
        return false;
    job_run(&j, find_hits);
    for (uint32_t i = 0; i < j.rooms; i++) {
        memmove(space->hits + space->n_hits, space->hits + job_first(&j, i),
                space->rooms[i].n_hits * sizeof *space->hits);
        space->n_hits += space->rooms[i].n_hits;
    }
    return true;
}

/* An upper bound on the number of contacts of a pair; SIZE_MAX: not known. */
static size_t most_touches(const pcm_space *space, const near_pair *p)
{
    const pcm_geometry *a = space->members[p->a.index].body.geometry, *b = space->members[p->b.index].body.geometry;
    const bool          plane = a->kind == PCM_PLANE || b->kind == PCM_PLANE;
    if (p->balls)
        return 1;
    if (!isfinite(a->ball + b->ball) && !plane)
        return SIZE_MAX;
    if (a->kind > PCM_PLANE || b->kind > PCM_PLANE)
        return SIZE_MAX;
    return PATCH_MAX + (plane ? (size_t)a->core.n_corners + b->core.n_corners : 0);
}

static void take_touch(void *user, const pcm_touch *touch)
{
    room *r = user;
    r->touches[r->n_touches++] = *touch;
}

/* Gives touches of a pair their shapes. */
static void give_shapes(const pcm_space *space, const near_pair *p, pcm_touch *touches, pcm_contact_shape *shapes,
                        size_t count)
{
    const body a = body_of(p, &space->members[p->a.index]), b = body_of(p, &space->members[p->b.index]);
    gap_shape_pair(&a, &b, touches, sizeof *touches, count, shapes);
    for (size_t i = 0; i < count; i++)
        touches[i].shape = &shapes[i];
}

static void find_touches(void *argument, uint32_t i)
{
    const job       *j = argument;
    const pcm_space *space = j->space;
    room            *r = &space->rooms[i];
    r->n_touches = 0;
    r->full = false;
    for (size_t k = job_first(j, i); k < job_first(j, i + 1); k++) {
        const near_pair *p = &space->pairs[space->hits[k]];
        const size_t     before = r->n_touches, most = most_touches(space, p);
        space->counts[k] = NO_INDEX;
        r->full = r->full || (most < SIZE_MAX && r->touch_capacity - before < most);
        if (r->touch_capacity - before < most)
            continue;
        touch_pair(space, p, &space->notes[space->hits[k]], take_touch, r);
        if (p->shaped)
            give_shapes(space, p, r->touches + before, r->shapes + before, r->n_touches - before);
        space->counts[k] = (uint32_t)(r->n_touches - before);
    }
}

/* Finds the contacts of all hits. First enlarges the buffers that were full in the last step. */
static bool find_all_touches(pcm_space *space, job *j)
{
    if (!geometry_grow(space->context, &space->counts, sizeof *space->counts, &space->count_capacity, space->n_hits))
        return false;
    for (uint32_t i = 0; i < space->n_rooms; i++) {
        room *r = &space->rooms[i];
        if (r->full && !geometry_grow(space->context, &r->touches, sizeof *r->touches, &r->touch_capacity,
                                      r->touch_capacity + 2 * PATCH_MAX))
            return false;
        if (space->shaped &&
            !geometry_grow(space->context, &r->shapes, sizeof *r->shapes, &r->shape_capacity, r->touch_capacity))
            return false;
    }
    job_run(j, find_touches);
    return true;
}

/* ---- Reports ----------------------------------------------------------------------------------------------------- */

typedef struct gathering {
    pcm_space *space;
    bool       starved;
} gathering;

static void gather(void *user, const pcm_touch *touch)
{
    gathering *g = user;
    room      *lot = &g->space->lot;
    if (geometry_grow(g->space->context, &lot->touches, sizeof *lot->touches, &lot->touch_capacity, lot->n_touches + 1))
        lot->touches[lot->n_touches++] = *touch;
    else
        g->starved = true;
}

/* Finds the contacts of a pair that wants shapes, and reports them. */
static void report_shaped(const near_pair *p, pair_note *note, reporting *r)
{
    pcm_space *space = r->space;
    room      *lot = &space->lot;
    gathering  g = {space, false};
    lot->n_touches = 0;
    touch_pair(space, p, note, gather, &g);
    r->starved = g.starved || !geometry_grow(space->context, &lot->shapes, sizeof *lot->shapes, &lot->shape_capacity,
                                             lot->n_touches);
    if (r->starved)
        return;
    give_shapes(space, p, lot->touches, lot->shapes, lot->n_touches);
    for (size_t i = 0; i < lot->n_touches; i++)
        report_touch(r, &lot->touches[i]);
}

/* Reports hit k: its contacts start at *next if a task has found them. */
static bool report_hit(pcm_space *space, size_t k, const pcm_touch **next)
{
    const near_pair *p = &space->pairs[space->hits[k]];
    pair_note       *note = &space->notes[space->hits[k]];
    reporting        r = {space, note, p->a, p->b, false};
    note->touched = space->searches;
    note->first = (uint32_t)space->n_reported;
    note->count = 0;
    const bool anew = !next || space->counts[k] == NO_INDEX;
    if (anew && p->shaped)
        report_shaped(p, note, &r);
    else if (anew)
        touch_pair(space, p, note, report_touch, &r);
    else
        for (uint32_t n = space->counts[k]; n > 0; n--)
            report_touch(&r, (*next)++);
    return !r.starved;
}

static bool report_all(pcm_space *space)
{
    job  j = job_of(space, space->n_hits, NULL);
    bool done = true;
    if (j.rooms > 1 && !find_all_touches(space, &j))
        return false;
    for (uint32_t i = 0; i < j.rooms; i++) {
        const pcm_touch *next = space->rooms[i].touches;
        for (size_t k = job_first(&j, i); k < job_first(&j, i + 1); k++)
            done = report_hit(space, k, j.rooms > 1 ? &next : NULL) && done;
    }
    return done;
}

pcm_status pcm_space_touch(pcm_space *space)
{
    pcm_status found = space_join(space) ? space_find_pairs(space) : PCM_NO_MEMORY;
    space->n_reported = 0;
    if (found != PCM_NO_MEMORY && !(find_all_hits(space) && report_all(space)))
        found = PCM_NO_MEMORY;
    if (found == PCM_NO_MEMORY)
        pcm_report(space->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a space");
    return found == PCM_NO_MEMORY ? found : space->n_lost > 0 ? PCM_BAD_MOTION : found;
}
