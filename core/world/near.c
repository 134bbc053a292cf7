/* SPDX-License-Identifier: MIT */
/* near.c - touches without features: each point goes on with the contact that was nearest. */
#include "near.h"
#include "guard.h"
#include "pair.h"
#include "touch.h"
#include <pcm/messages.h>
#include <pcm/near.h>
#include <pcm/spatial.h>

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* The entry of a pair, made if it is new; NULL: no memory. */
static pcm_near_pair *entry_of(pcm_world *world, uint32_t pair)
{
    if (world->pairs[pair].near)
        return &world->near[world->pairs[pair].near - 1];
    if (!world->free_near.first &&
        !pcm_grow(world->context, &world->near, &world->near_capacity, world->n_near + 1, sizeof *world->near))
        return NULL;
    const uint32_t index =
        pcm_free_list_take(&world->free_near, &world->near->next_free, sizeof *world->near, &world->n_near);
    pcm_near_pair *entry = &world->near[index];
    entry->pair = pair;
    entry->evaluation = 0;
    entry->n_kept = entry->n_seen = entry->expected = 0;
    entry->close = 0;
    world->pairs[pair].near = index + 1;
    return entry;
}

static inline bool reserve(pcm_world *world, pcm_near_pair *entry, size_t kept, size_t seen)
{
    if (kept <= entry->kept_capacity && seen <= entry->seen_capacity)
        return true;
    return pcm_grow(world->context, &entry->kept, &entry->kept_capacity, kept, sizeof *entry->kept) &&
           pcm_grow(world->context, &entry->seen, &entry->seen_capacity, seen, sizeof *entry->seen);
}

/* Frees the entries of pairs that were removed. */
static void forget_removed(pcm_world *world)
{
    for (uint32_t i = 0; i < world->n_near; i++) {
        pcm_near_pair *entry = &world->near[i];
        if (entry->pair == PCM_NO_PAIR || world->pairs[entry->pair].near == i + 1)
            continue;
        entry->pair = PCM_NO_PAIR;
        entry->n_kept = entry->n_seen = 0;
        pcm_free_list_put(&world->free_near, &world->near->next_free, sizeof *world->near, i);
    }
}

void pcm_near_clear(pcm_world *world)
{
    for (size_t i = 0; i < world->n_near; i++) {
        world->near[i].n_kept = world->near[i].n_seen = 0;
        world->near[i].close = 0;
    }
}

void pcm_near_free(pcm_world *world)
{
    for (size_t i = 0; i < world->n_near; i++) {
        pcm_free(world->context, world->near[i].kept, world->near[i].kept_capacity * sizeof *world->near[i].kept);
        pcm_free(world->context, world->near[i].seen, world->near[i].seen_capacity * sizeof *world->near[i].seen);
    }
    pcm_free(world->context, world->near, world->near_capacity * sizeof *world->near);
}

/* ---- Bodies ------------------------------------------------------------------------------------------------------ */

/* A side of the pair as the next update will find it. */
typedef struct body {
    const double *position;
    const double *linear, *angular; /* of the twist line, about the world's origin */
    double        axes[9];          /* in the world, one after the other */
} body;

static inline void place_body(const pcm_world *world, uint32_t object, size_t side, body *b)
{
    const pcm_pose_line  *pose = &world->pose[side][object];
    const pcm_twist_line *twist = &world->twist[side][object];
    b->position = pose->position;
    b->linear = twist->linear;
    b->angular = twist->angular;
    const double *q = pose->orientation, back[4] = {q[0], -q[1], -q[2], -q[3]};
    pcm_rotation(back, b->axes);
}

static inline void place_newest(const pcm_world *world, uint32_t object, body *b)
{
    place_body(world, object, world->moved[object] == world->epoch ? 1 - world->front : world->front, b);
}

static uint32_t base_of(const pcm_pair *pair) { return pair->base_is_high ? pair->high : pair->low; }
static uint32_t follower_of(const pcm_pair *pair) { return pair->base_is_high ? pair->low : pair->high; }

static inline void turn_to_body(const body *b, const double vector[3], double local[3])
{
    local[0] = pcm_dot(b->axes, vector);
    local[1] = pcm_dot(b->axes + 3, vector);
    local[2] = pcm_dot(b->axes + 6, vector);
}

static inline void to_body(const body *b, const double point[3], double local[3])
{
    const double away[3] = {point[0] - b->position[0], point[1] - b->position[1], point[2] - b->position[2]};
    turn_to_body(b, away, local);
}

static void turn_to_world(const body *b, const double local[3], double vector[3])
{
    for (size_t k = 0; k < 3; k++)
        vector[k] = b->axes[k] * local[0] + b->axes[3 + k] * local[1] + b->axes[6 + k] * local[2];
}

static void to_world(const body *b, const double local[3], double point[3])
{
    turn_to_world(b, local, point);
    for (size_t k = 0; k < 3; k++)
        point[k] = b->position[k] + point[k];
}

static double distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(pcm_dot(d, d));
}

/* ---- Reach ------------------------------------------------------------------------------------------------------- */

/* The diagonal of the box of the kept places on the base; of a single one, its distance from the nearer origin. */
static double span_of(const pcm_near_pair *entry)
{
    double low[3] = {0}, high[3] = {0};
    for (size_t i = 0; i < entry->n_kept; i++)
        for (size_t k = 0; k < 3; k++) {
            const double x = entry->kept[i].mark.place[0][k];
            low[k] = i == 0 || x < low[k] ? x : low[k];
            high[k] = i == 0 || x > high[k] ? x : high[k];
        }
    if (entry->n_kept != 1)
        return distance(low, high);
    const double *base = entry->kept->mark.place[0], *follower = entry->kept->mark.place[1];
    const double  a = sqrt(pcm_dot(base, base)), b = sqrt(pcm_dot(follower, follower));
    return a > 0 && b > 0 ? pcm_min(a, b) : pcm_max(a, b);
}

/* How far a contact may travel on the bodies in a step as they roll and slide on one another: twice the way of their
 * origins and of the arm to the contact. */
static double travel(const pcm_world *world, const body *sides, const pcm_near_point *kept)
{
    double linear[3], angular[3], way[2][3], arm = 0;
    for (size_t s = 0; s < 2; s++) {
        pcm_cross(sides[s].angular, sides[s].position, way[s]);
        arm = pcm_max(arm, sqrt(pcm_dot(kept->mark.place[s], kept->mark.place[s])));
    }
    for (size_t k = 0; k < 3; k++) {
        linear[k] = sides[1].linear[k] + way[1][k] - sides[0].linear[k] - way[0][k];
        angular[k] = sides[1].angular[k] - sides[0].angular[k];
    }
    return 2 * world->committed_dt * (sqrt(pcm_dot(linear, linear)) + arm * sqrt(pcm_dot(angular, angular)));
}

/* ---- Matching ---------------------------------------------------------------------------------------------------- */

/* A touch of a pair by points. */
typedef struct meeting {
    pcm_world       *world;
    pcm_near_pair   *entry;
    const pcm_touch *touches;
    size_t           touch_size;
    uint32_t         a, b;
    const body      *sides;
    bool             flipped; /* a is the follower */
    double           reach;
    size_t           matched;
} meeting;

static const pcm_touch *touch_at(const meeting *m, size_t i)
{
    return (const void *)((const char *)m->touches + i * m->touch_size);
}

static inline void bind(meeting *m, size_t seen, size_t kept)
{
    m->entry->seen[seen].mark.partner = (uint32_t)kept + 1;
    m->entry->kept[kept].mark.partner = (uint32_t)seen + 1;
    m->matched++;
}

static inline void unbind(meeting *m)
{
    for (size_t i = 0; i < m->entry->n_seen; i++)
        m->entry->seen[i].mark.partner = 0;
    for (size_t i = 0; i < m->entry->n_kept; i++)
        m->entry->kept[i].mark.partner = 0;
    m->matched = 0;
}

static pcm_near_marks marks_of(pcm_near_point *points, size_t count)
{
    return (pcm_near_marks){&points->mark, count, sizeof *points};
}

static void match(meeting *m)
{
    pcm_near_pair *entry = m->entry;
    const double   span = m->reach > 0 ? 0 : span_of(entry);
    unbind(m);
    if (entry->n_kept == 0 || entry->n_seen == 0)
        return;
    for (size_t i = 0; i < entry->n_kept; i++)
        entry->kept[i].mark.reach =
            m->reach > 0 ? m->reach : pcm_max(travel(m->world, m->sides, &entry->kept[i]), 0.25 * span);
    m->matched = pcm_near_match(marks_of(entry->seen, entry->n_seen), marks_of(entry->kept, entry->n_kept));
}

static inline bool is_close(const pcm_near_point *seen, const pcm_near_point *kept, double close)
{
    return pcm_near_squared(seen->mark.place[0], kept->mark.place[0]) < close &&
           pcm_near_squared(seen->mark.place[1], kept->mark.place[1]) < close;
}

/* Finds the contact that the point is close to on both bodies. In most engines points keep their order for most steps.
 * False: there is none, or another point is close to it. */
static inline bool match_close(meeting *m, size_t i, double close)
{
    const pcm_near_pair *entry = m->entry;
    size_t               k = i;
    if (k >= entry->n_kept || !is_close(&entry->seen[i], &entry->kept[k], close))
        for (k = 0; k < entry->n_kept && !is_close(&entry->seen[i], &entry->kept[k], close);)
            k++;
    if (k == entry->n_kept || entry->kept[k].mark.partner)
        return false;
    bind(m, i, k);
    return true;
}

static inline void see(const meeting *m, const pcm_touch *touch, pcm_near_point *seen)
{
    const double sign = m->flipped ? -1 : 1;
    seen->depth = touch->depth;
    seen->guessed = seen->mark.partner = 0;
    seen->normal[0] = sign * touch->normal[0];
    seen->normal[1] = sign * touch->normal[1];
    seen->normal[2] = sign * touch->normal[2];
    to_body(&m->sides[0], touch->point, seen->mark.place[0]);
    to_body(&m->sides[1], touch->point, seen->mark.place[1]);
}

/* A point that is close to a contact is nearer to it than to any other, since all others are at least four times as far
 * away. Where each point is close to a contact of its own, these are the partners that `match` would find. */
static void see_all(meeting *m, size_t count)
{
    pcm_near_pair *entry = m->entry;
    const double   close = m->reach > 0 ? pcm_min(entry->close, m->reach * m->reach) : entry->close;
    bool           sure = true;
    entry->n_seen = 0;
    unbind(m);
    for (size_t i = 0; i < count; i++) {
        see(m, touch_at(m, i), &entry->seen[i]);
        sure = sure && match_close(m, i, close);
    }
    entry->n_seen = count;
    if (!sure)
        match(m);
}

/* ---- Touches ----------------------------------------------------------------------------------------------------- */

/* Points that go on have their contact's feature, and new ones the next. order: NULL, or how they are touched. */
static void touch_seen(const meeting *m, const uint32_t *order, pcm_contact *contacts)
{
    const pcm_near_pair *entry = m->entry;
    uint64_t             next = entry->n_kept ? entry->kept[entry->n_kept - 1].feature + 1 : 0;
    for (size_t n = 0; n < entry->n_seen; n++) {
        const size_t          i = order ? order[n] : n;
        const pcm_touch      *touch = touch_at(m, i);
        pcm_near_point       *seen = &entry->seen[i];
        const pcm_near_point *kept = seen->mark.partner ? &entry->kept[seen->mark.partner - 1] : NULL;
        seen->feature = kept ? kept->feature : next++;
        seen->contact = kept ? kept->contact : (pcm_contact){0, 0};
        if (!pcm_touch_motion(m->world, seen->contact, touch->point, seen->normal, touch->depth))
            seen->contact = pcm_touch_known(m->world, m->a, m->b, seen->feature, seen->contact, touch, m->touch_size);
        if (contacts)
            contacts[i] = seen->contact;
    }
}

/* Whether the point comes before the other one in an order that does not depend on how they are reported. */
static bool precedes(const meeting *m, size_t i, size_t other)
{
    const pcm_touch *one = touch_at(m, i), *two = touch_at(m, other);
    for (size_t k = 0; k < 3; k++)
        if (one->point[k] != two->point[k])
            return one->point[k] < two->point[k];
    return one->depth < two->depth;
}

/* Those that go on come first. */
static void touch_in_order(const meeting *m, pcm_contact *contacts)
{
    const pcm_near_pair *entry = m->entry;
    uint32_t             order[PCM_NEAR_MOST];
    size_t               known = 0, count = m->matched;
    for (size_t i = 0; i < entry->n_seen; i++) {
        size_t at = entry->seen[i].mark.partner ? known++ : count++;
        for (; at > m->matched && precedes(m, i, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = (uint32_t)i;
    }
    touch_seen(m, order, contacts);
}

/* A kept contact that no point was reported for lies where it lay on the bodies, for one step. Not where a law reads
 * areas, which nobody knows. */
static void guess_missing(meeting *m)
{
    pcm_near_pair   *entry = m->entry;
    const pcm_pair  *pair = &m->world->pairs[entry->pair];
    const pcm_group *group = &m->world->groups[pair->group];
    for (size_t i = 0; i < entry->n_kept && !(group->patch_needed & PCM_AREA); i++) {
        const pcm_near_point *kept = &entry->kept[i];
        double                on[2][3], gap = 0;
        pcm_touch             touch = {0};
        if (kept->mark.partner || kept->guessed)
            continue;
        turn_to_world(&m->sides[0], kept->normal, touch.normal);
        for (size_t s = 0; s < 2; s++)
            to_world(&m->sides[s], kept->mark.place[s], on[s]);
        for (size_t k = 0; k < 3; k++) {
            gap += touch.normal[k] * (on[1][k] - on[0][k]);
            touch.point[k] = 0.5 * (on[0][k] + on[1][k]);
        }
        touch.depth = kept->depth - gap;
        if (!(touch.depth >= -group->separation))
            continue;
        pcm_near_point *seen = &entry->seen[entry->n_seen];
        see(m, &touch, seen);
        memcpy(seen->normal, touch.normal, sizeof seen->normal);
        seen->guessed = 1;
        seen->feature = kept->feature;
        seen->contact = pcm_touch_known(m->world, base_of(pair), follower_of(pair), kept->feature, kept->contact,
                                        &touch, sizeof touch);
        bind(m, entry->n_seen++, i);
    }
}

/* A pair that a law does not serve, or that has one contact whatever touches it. */
static void touch_plainly(const meeting *m, size_t count, pcm_contact *contacts)
{
    for (size_t i = 0; i < count; i++) {
        const pcm_contact contact =
            pcm_touch_known(m->world, m->a, m->b, 0, (pcm_contact){0, 0}, touch_at(m, i), m->touch_size);
        if (contacts)
            contacts[i] = contact;
    }
}

static pcm_status touch_near(meeting *m, size_t count, pcm_contact *contacts)
{
    pcm_world *world = m->world;
    pcm_world_gather(world);
    const uint32_t index = pcm_world_find_pair(world, m->a, m->b);
    if (index == PCM_NO_PAIR) {
        world->starved = true;
        return PCM_NO_MEMORY;
    }
    const pcm_pair *pair = &world->pairs[index];
    if (pair->group == PCM_NO_GROUP || world->groups[pair->group].single) {
        touch_plainly(m, count, contacts);
        return PCM_OK;
    }
    m->entry = entry_of(world, index);
    if (!m->entry || !reserve(world, m->entry, m->entry->n_kept + count, m->entry->n_kept + count)) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for the contacts of '%s' and '%s'",
                   world->bodies[pair->low].name, world->bodies[pair->high].name);
        world->starved = true;
        return PCM_NO_MEMORY;
    }
    body sides[2];
    place_newest(world, base_of(pair), &sides[0]);
    place_newest(world, follower_of(pair), &sides[1]);
    m->sides = sides;
    m->flipped = m->a != base_of(pair);
    m->entry->evaluation = world->evaluation;
    see_all(m, count);
    if (m->matched < count)
        touch_in_order(m, contacts);
    else
        touch_seen(m, NULL, contacts);
    if (m->matched < m->entry->n_kept)
        guess_missing(m);
    return PCM_OK;
}

pcm_status pcm_world_touch_near(pcm_world *world, pcm_object a, pcm_object b, const pcm_touch *touches,
                                size_t touch_size, size_t count, double reach, pcm_contact *contacts)
{
    pcm_status status = pcm_world_admit(world, touches || count == 0, __func__);
    if (status != PCM_OK)
        return status;
    if (!(reach >= 0) || count > PCM_NEAR_MOST || !pcm_touch_size_known(touches, touch_size, count))
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__,
                                "the reach is a number of 0 or more, there are at most PCM_NEAR_MOST points, and "
                                "touch_size is sizeof(pcm_touch)");
    if (!pcm_world_has(world, a) || !pcm_world_has(world, b) || a.index == b.index)
        return PCM_BAD_HANDLE;
    return touch_near(
        &(meeting){
            .world = world, .touches = touches, .touch_size = touch_size, .a = a.index, .b = b.index, .reach = reach},
        count, contacts);
}

/* ---- Commits ----------------------------------------------------------------------------------------------------- */

/* Of contacts that have ended some have a feature that their law has broken. */
static bool lives(const pcm_world *world, const pcm_near_pair *entry, const pcm_near_point *point)
{
    const pcm_pair *pair = &world->pairs[entry->pair];
    return pcm_world_lives(world, point->contact) ||
           pcm_find_contact(world, pair->low, pair->high, point->feature) != 0;
}

static void keep_living(const pcm_world *world, pcm_near_pair *entry)
{
    size_t count = 0;
    for (size_t i = 0; i < entry->n_kept; i++)
        if (lives(world, entry, &entry->kept[i])) {
            if (count < i)
                entry->kept[count] = entry->kept[i];
            count++;
        }
    entry->n_kept = count;
}

/* A fifth of the least distance between two contacts on either body, or of the span of a single one, squared. */
static double close_of(const pcm_near_pair *entry)
{
    const double fifth = 0.2 * 0.2;
    if (entry->n_kept == 1)
        return fifth * span_of(entry) * span_of(entry);
    double least = INFINITY;
    for (size_t i = 0; i < entry->n_kept; i++)
        for (size_t k = 0; k < i; k++)
            for (size_t s = 0; s < 2; s++)
                least = pcm_min(least, pcm_near_squared(entry->kept[i].mark.place[s], entry->kept[k].mark.place[s]));
    return fifth * least;
}

/* Kept contacts that were not seen stay where they were; new ones, whose features are higher, follow. Room for them was
 * reserved. */
static void commit_pair(pcm_world *world, pcm_near_pair *entry)
{
    const size_t   before = entry->n_kept;
    const uint64_t next = before ? entry->kept[before - 1].feature + 1 : 0;
    body           base;
    place_body(world, base_of(&world->pairs[entry->pair]), world->front, &base);
    for (size_t i = 0; i < entry->n_seen; i++) {
        const pcm_near_point *seen = &entry->seen[i];
        const size_t at = seen->mark.partner ? seen->mark.partner - 1 : before + (size_t)(seen->feature - next);
        entry->n_kept += !seen->mark.partner;
        entry->kept[at] = *seen;
        turn_to_body(&base, seen->normal, entry->kept[at].normal);
    }
    entry->n_seen = 0;
    keep_living(world, entry);
    entry->close = close_of(entry);
}

void pcm_near_commit(pcm_world *world)
{
    forget_removed(world);
    for (size_t i = 0; i < world->n_near; i++) {
        pcm_near_pair *entry = &world->near[i];
        if (entry->pair == PCM_NO_PAIR)
            continue;
        if (entry->evaluation == world->evaluation)
            commit_pair(world, entry);
        else
            keep_living(world, entry);
    }
}

/* ---- Checkpoints ------------------------------------------------------------------------------------------------- */

size_t pcm_near_number(pcm_world *world)
{
    size_t count = 0;
    forget_removed(world);
    for (size_t i = 0; i < world->n_near; i++) {
        world->near[i].first = count;
        count += world->near[i].n_kept;
    }
    return count;
}

pcm_status pcm_near_expect(pcm_world *world, uint32_t pair)
{
    pcm_near_pair *entry = entry_of(world, pair);
    if (!entry || !reserve(world, entry, entry->expected + 1, 0))
        return PCM_NO_MEMORY;
    entry->expected++;
    return PCM_OK;
}

void pcm_near_numbers(const pcm_near_point *kept, double numbers[PCM_NEAR_NUMBERS])
{
    memcpy(numbers, kept->mark.place, sizeof kept->mark.place);
    memcpy(numbers + 6, kept->normal, sizeof kept->normal);
    numbers[9] = kept->depth;
}

void pcm_near_take(pcm_world *world, uint32_t pair, uint64_t feature, const double numbers[PCM_NEAR_NUMBERS],
                   uint64_t guessed)
{
    pcm_near_pair  *entry = entry_of(world, pair); /* which there is */
    pcm_near_point *kept = &entry->kept[entry->n_kept++];
    *kept = (pcm_near_point){.feature = feature, .depth = numbers[9], .guessed = (uint32_t)guessed};
    memcpy(kept->mark.place, numbers, sizeof kept->mark.place);
    memcpy(kept->normal, numbers + 6, sizeof kept->normal);
}
