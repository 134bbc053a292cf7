/* SPDX-License-Identifier: MIT */
/* near.c - the pairs that are near each other, kept from step to step. Boxes have slack (fat bounds): a member is
 * searched for only when it leaves its box. Few such members are searched for one by one; when many have left, all
 * members get new boxes at once, so that in steady motion none leaves its box for some steps. */
#include "space.h"
#include <float.h>
#include <pcm/messages.h>

/* The slack of a box is the motion in this many steps at the average speed since the last box, within these shares of
 * the member's size; a first box, without a known motion, has a slack of another share. */
#define SLACK_STEPS 14
#define SLACK_LEAST 0.02
#define SLACK_MOST  0.5
#define SLACK_FIRST 0.1

/* If one in this many members has left its box, the search covers all members. */
enum { SHARE_ANEW = 8 };

/* Boxes outside the cells are tested one by one. Testing this many times the square root of the number of members costs
 * about as much as sorting all. */
enum { OUTSIDE_SHARE = 8 };

member *space_member(const pcm_space *space, pcm_object object)
{
    if (object.index >= space->n_members || object.generation == 0)
        return NULL;
    member *m = &space->members[object.index];
    return m->object.generation == object.generation ? m : NULL;
}

static bool is_live(const member *m) { return m->object.generation != 0; }
static bool is_plane(const member *m) { return m->body.geometry->kind == PCM_PLANE; }

/* ---- Caches of pairs --------------------------------------------------------------------------------------------- */

static bool index_pairs(pcm_space *space)
{
    table_clear(&space->index);
    for (size_t i = 0; i < space->n_pairs; i++) {
        uint32_t *at =
            table_put(space->context, &space->index, pair_key(space->pairs[i].a.index, space->pairs[i].b.index));
        if (!at)
            return false;
        *at = (uint32_t)i;
    }
    return true;
}

pair_note *space_pair(pcm_space *space, uint32_t a, uint32_t b)
{
    const uint64_t key = pair_key(a, b);
    space->indexed = space->indexed || index_pairs(space);
    if (space->indexed) {
        const uint32_t *at = table_find(&space->index, key);
        return at ? &space->notes[*at] : NULL;
    }
    for (size_t i = 0; i < space->n_pairs; i++) /* out of memory for an index */
        if (pair_key(space->pairs[i].a.index, space->pairs[i].b.index) == key)
            return &space->notes[i];
    return NULL;
}

/* The cache of a pair, from an earlier search or a new one; NO_INDEX: out of memory, and the pair has none. */
static uint32_t take_cache(pcm_space *space, uint64_t key)
{
    uint32_t *known = table_find(&space->known, key);
    uint32_t  at = known ? *known : space->free_cache;
    if (!known) {
        if (at == NO_INDEX && !geometry_grow(space->context, &space->caches, sizeof *space->caches,
                                             &space->cache_capacity, space->n_caches + 1))
            return NO_INDEX;
        known = table_put(space->context, &space->known, key);
        if (!known)
            return NO_INDEX;
        if (at == NO_INDEX)
            at = (uint32_t)space->n_caches++;
        else
            space->free_cache = space->caches[at].next;
        *known = at;
        space->caches[at].known = (convex_cache){.n_seed = 0};
        space->caches[at].key = key;
        space->caches[at].used = true;
    }
    space->caches[at].held = true;
    return at;
}

/* Releases the caches that no near pair holds. */
static void give_caches(pcm_space *space)
{
    for (uint32_t i = 0; i < space->n_caches; i++) {
        cache_slot *m = &space->caches[i];
        if (!m->used || m->held)
            continue;
        table_remove(&space->known, m->key);
        m->used = false;
        m->next = space->free_cache;
        space->free_cache = i;
    }
}

/* ---- Which members are near each other --------------------------------------------------------------------------- */

/* Whether a box is within reach of the solid side of a plane. */
static bool reaches_plane(const member *m, const member *plane, double reach)
{
    const vec    n = {plane->body.at.turn.row[0].z, plane->body.at.turn.row[1].z, plane->body.at.turn.row[2].z};
    const vec    half = scale(sub(m->fat.high, m->fat.low), 0.5), middle = add(m->fat.low, half);
    const double below = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
    return dot(n, sub(middle, plane->body.at.at)) <= below + reach;
}

/* A member's box in the cells. It is wider by half of the largest gap at which contacts begin; the other member's box
 * adds the other half. The box of a lost member meets nothing. */
static slim_box slim_of(const pcm_space *space, const member *m)
{
    const bounds wide = bounds_grown(m->fat, 0.5 * space->onset);
    slim_box     b = slim_box_of(&wide, m->body.geometry->size, m->object.index);
    if (m->lost)
        for (int k = 0; k < 3; k++) {
            b.low[k] = INFINITY;
            b.high[k] = -INFINITY;
        }
    return b;
}

/* Whether a full search would find this pair. */
static bool meets_anew(const pcm_space *space, const member *a, const member *b)
{
    if (is_plane(a) || is_plane(b))
        return !is_plane(a) ? reaches_plane(a, b, space->onset) : !is_plane(b) && reaches_plane(b, a, space->onset);
    const slim_box first = slim_of(space, a), second = slim_of(space, b);
    return slim_meet(&first, &second);
}

/* Whether a pair that a search does not find is still within its reach, so that its contacts live on. */
static bool lingers(const pcm_space *space, const near_pair *p)
{
    const member *a = &space->members[p->a.index], *b = &space->members[p->b.index];
    if (p->reach <= space->onset || a->lost || b->lost || meets_anew(space, a, b))
        return false;
    if (is_plane(a) || is_plane(b))
        return is_plane(a) ? reaches_plane(b, a, p->reach) : reaches_plane(a, b, p->reach);
    const vec reach = {p->reach, p->reach, p->reach};
    const vec gap_a = sub(sub(a->fat.low, b->fat.high), reach), gap_b = sub(sub(b->fat.low, a->fat.high), reach);
    return gap_a.x <= 0 && gap_a.y <= 0 && gap_a.z <= 0 && gap_b.x <= 0 && gap_b.y <= 0 && gap_b.z <= 0;
}

/* Keeps the pairs that the search does not concern, in their order. */
static void keep_pairs(pcm_space *space, bool (*keeps)(const pcm_space *space, const near_pair *pair))
{
    size_t n = 0;
    for (size_t i = 0; i < space->n_pairs; i++) {
        const bool kept = keeps(space, &space->pairs[i]);
        if (space->notes[i].cache != NO_INDEX)
            space->caches[space->notes[i].cache].held = kept;
        if (!kept)
            continue;
        space->pairs[n] = space->pairs[i];
        space->notes[n++] = space->notes[i];
    }
    space->n_pairs = n;
    space->indexed = false;
}

static bool is_settled(const pcm_space *space, const near_pair *p)
{
    return (!space->members[p->a.index].stray && !space->members[p->b.index].stray) || lingers(space, p);
}

static bool has_members(const pcm_space *space, const near_pair *p)
{
    return is_live(&space->members[p->a.index]) && is_live(&space->members[p->b.index]);
}

void space_forget(pcm_space *space, uint32_t index)
{
    member *m = &space->members[index];
    m->object.generation = 0;
    keep_pairs(space, has_members);
    give_caches(space);
    if (m->outside != NO_INDEX)
        space->outside[m->outside].low[0] = INFINITY;
}

/* ---- Boxes ------------------------------------------------------------------------------------------------------- */

/* How far a member has moved since its box was made, along the axis of the greatest motion. */
static double way_of(const member *m)
{
    const vec low = sub(m->now.low, m->fat.low), high = sub(m->fat.high, m->now.high);
    const vec a = {fabs(low.x - m->slack), fabs(low.y - m->slack), fabs(low.z - m->slack)};
    const vec b = {fabs(high.x - m->slack), fabs(high.y - m->slack), fabs(high.z - m->slack)};
    return fmax(fmax(fmax(a.x, b.x), fmax(a.y, b.y)), fmax(a.z, b.z));
}

/* Makes a new box for a member. */
static void box_member(const pcm_space *space, member *m)
{
    const double size = m->body.geometry->size;
    if (m->lost)
        return;
    m->slack = SLACK_FIRST * size;
    if (m->boxed) {
        const double ahead = SLACK_STEPS * way_of(m) / (double)larger(space->searches - m->boxed_at, 1);
        m->slack = size > 0 ? larger(SLACK_LEAST * size, smaller(ahead, SLACK_MOST * size)) : ahead;
    }
    m->fat = bounds_grown(m->now, m->slack);
    m->boxed_at = space->searches;
    m->boxed = true;
}

/* Sorts the boxes of all members. */
static bool sort_all(pcm_space *space)
{
    cells_clear(&space->cells);
    space->unsorted = true;
    for (size_t i = 0; i < space->n_members; i++) {
        member *m = &space->members[i];
        if (!is_live(m) || is_plane(m))
            continue;
        m->outside = NO_INDEX;
        const slim_box slim = slim_of(space, m);
        if (!m->lost && !cells_put(space->context, &space->cells, &slim))
            return false;
    }
    space->n_outside = 0;
    space->unsorted = !cells_sort(space->context, &space->cells);
    return !space->unsorted;
}

/* Makes new boxes for all members, and searches among all of them. */
static bool box_all(pcm_space *space)
{
    for (size_t i = 0; i < space->n_members; i++)
        if (is_live(&space->members[i]))
            box_member(space, &space->members[i]);
    return sort_all(space);
}

/* Makes new boxes for strays, kept outside the cells while they are few. */
static bool box_strays(pcm_space *space)
{
    const double few = OUTSIDE_SHARE * sqrt((double)space->n_members);
    for (size_t i = 0; i < space->n_strays; i++)
        box_member(space, &space->members[space->strays[i]]);
    if ((double)(space->n_outside + space->n_strays) > few)
        return sort_all(space);
    if (!geometry_grow(space->context, &space->outside, sizeof *space->outside, &space->outside_capacity,
                       space->n_outside + space->n_strays))
        return false;
    for (size_t i = 0; i < space->n_strays; i++) {
        member *m = &space->members[space->strays[i]];
        if (is_plane(m))
            continue;
        if (m->outside == NO_INDEX)
            m->outside = (uint32_t)space->n_outside++;
        space->outside[m->outside] = slim_of(space, m);
    }
    return true;
}

/* ---- Candidates -------------------------------------------------------------------------------------------------- */

static void propose(void *user, uint32_t item, uint32_t other)
{
    room *r = user;
    if (r->n_candidates < r->candidate_capacity)
        r->candidates[r->n_candidates] = (candidate){item < other ? item : other, item < other ? other : item};
    r->n_candidates++;
}

typedef struct search {
    const pcm_space *space;
    room            *room;
} search;

/* Proposes a pair of a stray and another member. Two strays find each other twice, so only one of the two proposes the
 * pair. */
static void propose_to_stray(const search *s, uint32_t stray, uint32_t other)
{
    if (stray < other || (stray > other && !s->space->members[other].stray))
        propose(s->room, stray, other);
}

static void found_in_cells(void *user, uint32_t stray, uint32_t other)
{
    const search *s = user;
    const member *m = &s->space->members[other];
    if (is_live(m) && !is_plane(m) && m->outside == NO_INDEX) /* a plane may reuse an index */
        propose_to_stray(s, stray, other);
}

static void search_for(search *s, const member *m)
{
    const pcm_space *space = s->space;
    if (m->lost || is_plane(m))
        return;
    const slim_box box = slim_of(space, m);
    cells_query(&space->cells, &box, found_in_cells, s);
    for (size_t i = 0; i < space->n_outside; i++)
        if (slim_meet(&box, &space->outside[i]))
            propose_to_stray(s, m->object.index, space->outside[i].item);
}

/* One room's part of the search: over all members; for strays; and for planes, which are tested against all members if
 * the plane has strayed, else against the strays. */
static void ask_all(void *argument, uint32_t i)
{
    const job *j = argument;
    room      *r = &j->space->rooms[i];
    r->n_candidates = 0;
    cells_pairs(&j->space->cells, job_first(j, i), job_first(j, i + 1), propose, r);
}

static void ask_strays(void *argument, uint32_t i)
{
    const job *j = argument;
    search     s = {j->space, &j->space->rooms[i]};
    s.room->n_candidates = 0;
    for (size_t k = job_first(j, i); k < job_first(j, i + 1); k++)
        search_for(&s, &j->space->members[j->space->strays[k]]);
}

static void ask_planes(void *argument, uint32_t i)
{
    const job       *j = argument;
    const pcm_space *space = j->space;
    const bool      *anew = j->user;
    room            *r = &space->rooms[i];
    r->n_candidates = 0;
    for (size_t k = 0; k < space->n_planes; k++) {
        const member *plane = &space->members[space->planes[k]];
        const bool    all = *anew || plane->stray;
        const size_t  count = plane->lost ? 0 : all ? space->n_members : space->n_strays;
        for (size_t n = 0; n < count; n++) {
            const member *m = &space->members[all ? n : space->strays[n]];
            if (is_live(m) && !m->lost && !is_plane(m) && reaches_plane(m, plane, space->onset))
                propose(r, plane->object.index, m->object.index);
        }
    }
}

/* Runs the tasks again whose buffers were too small, with larger ones. */
static bool complete(job *j, pcm_task *task, uint32_t i)
{
    room *r = &j->space->rooms[i];
    if (r->n_candidates <= r->candidate_capacity)
        return true;
    if (!geometry_grow(j->space->context, &r->candidates, sizeof *r->candidates, &r->candidate_capacity,
                       r->n_candidates))
        return false;
    task(j, i);
    return true;
}

static bool find_candidates(pcm_space *space, bool anew)
{
    job       j = job_of(space, anew ? space->cells.n_sorted : space->n_strays, &anew);
    pcm_task *task = anew ? ask_all : ask_strays;
    for (uint32_t i = 0; i < space->n_rooms; i++)
        space->rooms[i].n_candidates = 0;
    job_run(&j, task);
    for (uint32_t i = 0; i < j.rooms; i++)
        if (!complete(&j, task, i))
            return false;
    ask_planes(&j, space->n_rooms);
    return complete(&j, ask_planes, space->n_rooms);
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

static void refuse(pcm_space *space, const member *a, const member *b)
{
    const size_t known = space->refused.count;
    if (table_put(space->context, &space->refused, pair_key(a->object.index, b->object.index)) &&
        space->refused.count > known)
        pcm_report(space->context, PCM_ERROR, PCM_MSG_NO_PARTNER,
                   "a rule matches %s and %s, but their geometries are not supported as a pair: %s; %s", a->name,
                   b->name, pcm_geometry_partners(a->body.geometry->kind),
                   pcm_geometry_partners(b->body.geometry->kind));
}

/* Contacts of some types begin across a gap: the boxes have to be wider by that gap. */
static void widen(pcm_space *space, const pcm_type *type)
{
    const double reach = pcm_type_get_info(type)->common->separation;
    if (!(reach > space->onset) || !isfinite(reach) || !pcm_type_can_begin(type, -DBL_MIN))
        return;
    space->onset = reach;
    space->unsorted = true;
}

void space_widen(pcm_space *space)
{
    const pcm_config *config = pcm_world_config(space->world);
    for (size_t i = 0; i < pcm_config_type_count(config); i++)
        widen(space, pcm_config_type_at(config, i));
}

/* Gives a grid a smooth surface; false: out of memory. */
static bool smoothen(pcm_space *space, uint32_t index)
{
    member *m = &space->members[index];
    if (m->body.geometry->kind != PCM_GRID || m->smoothed || m->body.geometry->grid.slope_x)
        return true;
    m->smoothed = geometry_smooth_like(space->context, m->body.geometry);
    if (m->smoothed)
        m->body.geometry = m->smoothed;
    return m->smoothed != NULL;
}

/* Adds the pair of two boxes that meet, if there is a rule and the geometries can be paired; false: out of memory. */
static bool meet(pcm_space *space, const candidate *c)
{
    const member   *a = &space->members[c->a], *b = &space->members[c->b];
    const pcm_type *type;
    if (pcm_world_pair_type(space->world, a->object, b->object, &type, NULL) == PCM_NO_MEMORY)
        return false;
    if (!type)
        return true;
    if (!pcm_geometry_meets(a->body.geometry->kind, b->body.geometry->kind)) {
        refuse(space, a, b);
        return true;
    }
    if (!geometry_grow(space->context, &space->pairs, sizeof *space->pairs, &space->pair_capacity,
                       space->n_pairs + 1) ||
        !geometry_grow(space->context, &space->notes, sizeof *space->notes, &space->note_capacity, space->n_pairs + 1))
        return false;
    widen(space, type);
    const bool smooth = pcm_type_get_info(type)->common->smooth;
    if (smooth && !(smoothen(space, c->a) && smoothen(space, c->b)))
        return false;
    const bool     shaped = pcm_type_wants_shape(type) && !a->said && !b->said;
    const bool     few = pcm_type_get_info(type)->common->patch == PCM_PATCH_SHARED && !shaped;
    const uint32_t cache =
        pair_searches(a->body.geometry, b->body.geometry) ? take_cache(space, pair_key(c->a, c->b)) : NO_INDEX;
    space->notes[space->n_pairs] = (pair_note){.cache = cache};
    space->pairs[space->n_pairs++] = (near_pair){a->object,
                                                 b->object,
                                                 pcm_type_get_info(type)->common->separation,
                                                 is_ball(a->body.geometry) && is_ball(b->body.geometry),
                                                 shaped,
                                                 few,
                                                 smooth};
    space->shaped |= shaped;
    return true;
}

static bool meet_all(pcm_space *space, const room *r)
{
    for (size_t i = 0; i < r->n_candidates; i++)
        if (!meet(space, &r->candidates[i]))
            return false;
    return true;
}

/* If memory runs out between here and the end of the search, pairs are missing, and the next search starts over. */
static bool renew(pcm_space *space, bool anew)
{
    if (!(anew ? box_all(space) : box_strays(space)))
        return false;
    keep_pairs(space, anew ? lingers : is_settled);
    if (!find_candidates(space, anew))
        return false;
    for (uint32_t i = 0; i <= space->n_rooms; i++)
        if (!meet_all(space, &space->rooms[i]))
            return false;
    give_caches(space);
    return true;
}

pcm_status space_find_pairs(pcm_space *space)
{
    space->searches++;
    while (space->n_strays > 0 || space->unsorted) {
        const bool anew = space->unsorted || SHARE_ANEW * space->n_strays > space->n_members;
        if (!renew(space, anew)) {
            space->unsorted = true;
            return PCM_NO_MEMORY;
        }
        for (size_t i = 0; i < space->n_strays; i++)
            space->members[space->strays[i]].stray = false;
        space->n_strays = 0;
    }
    return space->refused.count > 0 ? PCM_BAD_CONFIG : PCM_OK;
}
