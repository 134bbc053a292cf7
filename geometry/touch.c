/* SPDX-License-Identifier: MIT */
/* touch.c - the contacts of the pairs that are near each other, and their reports to the world. */
#include "space.h"
#include <pcm/messages.h>

typedef struct reporting {
    pcm_space *space;
    pair_note *note;
    uint64_t   key; /* of the pair */
    pcm_object a, b;
    bool       starved;
} reporting;

static void give_granted(const reporting *r, pcm_contact contact, uint64_t feature)
{
    const pcm_space *space = r->space;
    for (size_t i = 0; i < space->n_grants; i++) {
        const grant *g = &space->grants[i];
        if (g->key == r->key)
            pcm_world_set_input(space->world, contact, g->column, g->values[g->count > 1 ? feature : 0]);
    }
}

static void report_touch(void *user, const pcm_touch *touch)
{
    reporting        *r = user;
    pcm_space        *space = r->space;
    const pcm_contact contact = pcm_world_touch_patch(space->world, r->a, r->b, touch, sizeof *touch);
    if (contact.generation == 0)
        return;
    if (!geometry_grow(space->context, &space->reported, sizeof *space->reported, &space->reported_capacity,
                       space->n_reported + 1)) {
        r->starved = true;
        return;
    }
    space->reported[space->n_reported++] = (reported){contact, touch->feature};
    r->note->count++;
    if (r->note->granted)
        give_granted(r, contact, touch->feature);
}

/* Whether balls around the members are apart by more than the reach; rounding decides nothing here. */
static bool balls_apart(const ball *a, const ball *b, double reach)
{
    const vec    between = sub(b->at, a->at);
    const double sum = (a->radius + b->radius + reach) * (1 + 1e-9);
    return !(dot(between, between) <= sum * sum) || !(sum >= 0);
}

static bool is_bounded(const member *m) { return isfinite(m->body.geometry->ball); }

/* The same of their bounds along the axes, of bodies that have any. */
static bool bounds_apart(const member *a, const member *b, double reach)
{
    if (!is_bounded(a) || !is_bounded(b))
        return false;
    const double room = reach + 1e-9 * (a->body.geometry->size + b->body.geometry->size);
    const vec    ahead = sub(b->now.low, a->now.high), behind = sub(a->now.low, b->now.high);
    return larger(larger(larger(ahead.x, behind.x), larger(ahead.y, behind.y)), larger(ahead.z, behind.z)) > room;
}

static bool touch_pair(pcm_space *space, size_t i)
{
    const near_pair *p = &space->pairs[i];
    pair_note       *note = &space->notes[i];
    reporting        r = {space, note, pair_key(p->a.index, p->b.index), p->a, p->b, false};
    note->touched = space->searches;
    note->first = (uint32_t)space->n_reported;
    note->count = 0;
    if (p->balls) {
        pair_touch_balls(&space->balls[p->a.index], &space->balls[p->b.index], p->reach, report_touch, &r);
        return !r.starved;
    }
    const member *a = &space->members[p->a.index], *b = &space->members[p->b.index];
    if (!bounds_apart(a, b, p->reach))
        pair_touch(&a->body, &b->body, p->reach, note->memory == NO_INDEX ? NULL : &space->memories[note->memory].known,
                   report_touch, &r);
    return !r.starved;
}

/* Lists the pairs whose balls meet. */
static bool find_hits(pcm_space *space)
{
    size_t n = 0;
    if (!geometry_grow(space->context, &space->hits, sizeof *space->hits, &space->hit_capacity, space->n_pairs))
        return false;
    for (size_t i = 0; i < space->n_pairs; i++) {
        const near_pair *p = &space->pairs[i];
        space->hits[n] = (uint32_t)i;
        n += !balls_apart(&space->balls[p->a.index], &space->balls[p->b.index], p->reach);
    }
    space->n_hits = n;
    return true;
}

pcm_status pcm_space_touch(pcm_space *space)
{
    pcm_status found = space_find_pairs(space);
    space->n_reported = space->n_hits = 0;
    if (found != PCM_NO_MEMORY && !find_hits(space))
        found = PCM_NO_MEMORY;
    for (size_t i = 0; i < space->n_hits; i++)
        if (!touch_pair(space, space->hits[i]))
            found = PCM_NO_MEMORY;
    if (found == PCM_NO_MEMORY)
        pcm_report(space->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a space");
    return found == PCM_NO_MEMORY ? found : space->n_lost > 0 ? PCM_BAD_MOTION : found;
}
