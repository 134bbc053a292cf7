/* SPDX-License-Identifier: MIT */
/* near.c - touches without features: each point goes on with the contact that was nearest. */
#include "near.h"
#include "guard.h"
#include "pair.h"
#include "touch.h"
#include <pcm/messages.h>
#include <pcm/near.h>
#include <pcm/spatial.h>

#include <stdlib.h>

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
    world->pairs[pair].near = index + 1;
    return entry;
}

static bool reserve(pcm_world *world, pcm_near_pair *entry, size_t kept, size_t seen)
{
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
    for (size_t i = 0; i < world->n_near; i++)
        world->near[i].n_kept = world->near[i].n_seen = 0;
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
    double        axes[9];
} body;

static body body_of(const pcm_world *world, uint32_t object, size_t side)
{
    const pcm_pose_line  *pose = &world->pose[side][object];
    const pcm_twist_line *twist = &world->twist[side][object];
    body                  b = {pose->position, twist->linear, twist->angular, {0}};
    pcm_rotation(pose->orientation, b.axes);
    return b;
}

static body newest(const pcm_world *world, uint32_t object)
{
    return body_of(world, object, world->moved[object] == world->epoch ? 1 - world->front : world->front);
}

static uint32_t base_of(const pcm_pair *pair) { return pair->base_is_high ? pair->high : pair->low; }
static uint32_t follower_of(const pcm_pair *pair) { return pair->base_is_high ? pair->low : pair->high; }

static void to_body(const body *b, const double point[3], double local[3])
{
    for (size_t k = 0; k < 3; k++)
        local[k] = b->axes[k] * (point[0] - b->position[0]) + b->axes[3 + k] * (point[1] - b->position[1]) +
                   b->axes[6 + k] * (point[2] - b->position[2]);
}

static void to_world(const body *b, const double local[3], double point[3])
{
    for (size_t k = 0; k < 3; k++)
        point[k] = b->position[k] + pcm_dot(b->axes + 3 * k, local);
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
            const double x = entry->kept[i].place[0][k];
            low[k] = i == 0 || x < low[k] ? x : low[k];
            high[k] = i == 0 || x > high[k] ? x : high[k];
        }
    if (entry->n_kept != 1)
        return distance(low, high);
    const double *base = entry->kept->place[0], *follower = entry->kept->place[1];
    const double  a = sqrt(pcm_dot(base, base)), b = sqrt(pcm_dot(follower, follower));
    return a > 0 && b > 0 ? pcm_min(a, b) : pcm_max(a, b);
}

/* How far a contact may travel on the bodies in a step as they roll and slide on one another: twice the way of their
 * origins and of the arm to the contact. */
static double travel(const pcm_world *world, const body sides[2], const pcm_near_point *kept)
{
    double linear[3], angular[3], way[2][3], arm = 0;
    for (size_t s = 0; s < 2; s++) {
        pcm_cross(sides[s].angular, sides[s].position, way[s]);
        arm = pcm_max(arm, sqrt(pcm_dot(kept->place[s], kept->place[s])));
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
    body             sides[2];
    bool             flipped; /* a is the follower */
    double           reach;
} meeting;

static const pcm_touch *touch_at(const meeting *m, size_t i)
{
    return (const void *)((const char *)m->touches + i * m->touch_size);
}

/* New points in a fixed order, whatever the order in which they are reported; before them those that go on. */
static int by_place(const void *a, const void *b)
{
    const pcm_near_point *one = a, *other = b;
    if (one->taken != other->taken)
        return one->taken ? -1 : 1;
    for (size_t k = 0; k < 3; k++)
        if (one->point[k] != other->point[k])
            return one->point[k] < other->point[k] ? -1 : 1;
    if (one->depth != other->depth)
        return one->depth < other->depth ? -1 : 1;
    return (one->index > other->index) - (one->index < other->index);
}

static void list_seen(meeting *m, size_t count)
{
    pcm_near_pair *entry = m->entry;
    for (size_t i = 0; i < count; i++) {
        const pcm_touch *touch = touch_at(m, i);
        pcm_near_point  *seen = &entry->seen[i];
        *seen = (pcm_near_point){.depth = touch->depth, .index = (uint32_t)i};
        memcpy(seen->point, touch->point, sizeof seen->point);
        for (size_t k = 0; k < 3; k++)
            seen->normal[k] = m->flipped ? -touch->normal[k] : touch->normal[k];
        for (size_t s = 0; s < 2; s++)
            to_body(&m->sides[s], touch->point, seen->place[s]);
    }
    entry->n_seen = count;
}

/* How far a seen point lies from a kept contact, squared: on the body where it has moved less, and on the other. */
typedef struct apart {
    double less, more;
} apart;

static double squared(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static apart apart_of(const pcm_near_point *seen, const pcm_near_point *kept)
{
    const double base = squared(seen->place[0], kept->place[0]), follower = squared(seen->place[1], kept->place[1]);
    return base < follower ? (apart){base, follower} : (apart){follower, base};
}

/* Equally near ones are told apart by their places. */
static bool is_nearer(apart a, const pcm_near_point *one, apart b, const pcm_near_point *other)
{
    if (a.less != b.less || !other)
        return a.less < b.less;
    return a.more < b.more || (a.more == b.more && memcmp(one->place, other->place, sizeof one->place) < 0);
}

/* Of the points that are not taken the nearest, and how far it is, squared; NULL: all are taken. */
static pcm_near_point *nearest(pcm_near_point *among, size_t count, const pcm_near_point *to, double *distance)
{
    pcm_near_point *best = NULL;
    apart           least = {INFINITY, INFINITY};
    for (size_t i = 0; i < count; i++) {
        if (among[i].taken)
            continue;
        const apart here = apart_of(&among[i], to);
        if (is_nearer(here, &among[i], least, best)) {
            least = here;
            best = &among[i];
        }
    }
    *distance = least.less;
    return best;
}

/* The way is worked out only where the span is too short. */
static bool is_within_reach(const meeting *m, const pcm_near_point *kept, double span, double distance)
{
    const double reach = m->reach > 0 ? m->reach : 0.25 * span;
    if (distance < reach * reach)
        return true;
    const double way = m->reach > 0 ? 0 : travel(m->world, m->sides, kept);
    return distance < way * way;
}

/* Closest first: two that are each other's nearest match whatever the others do, so a round or two suffice. */
static void match(const meeting *m)
{
    pcm_near_pair *entry = m->entry;
    const double   span = m->reach > 0 ? 0 : span_of(entry);
    size_t         left = entry->n_kept < entry->n_seen ? entry->n_kept : entry->n_seen;
    for (bool matches = true; matches && left > 0;) {
        matches = false;
        for (size_t i = 0; i < entry->n_kept; i++) {
            pcm_near_point *kept = &entry->kept[i];
            double          off;
            pcm_near_point *seen = kept->taken ? NULL : nearest(entry->seen, entry->n_seen, kept, &off);
            if (!seen || !is_within_reach(m, kept, span, off) ||
                nearest(entry->kept, entry->n_kept, seen, &off) != kept)
                continue;
            seen->feature = kept->feature;
            seen->taken = kept->taken = matches = true;
            left--;
        }
    }
}

static void name_new(pcm_near_pair *entry)
{
    uint64_t next = entry->n_kept ? entry->kept[entry->n_kept - 1].feature + 1 : 0;
    bool     some = false;
    for (size_t i = 0; i < entry->n_seen && !some; i++)
        some = !entry->seen[i].taken;
    if (some)
        qsort(entry->seen, entry->n_seen, sizeof *entry->seen, by_place);
    for (size_t i = 0; i < entry->n_seen; i++)
        if (!entry->seen[i].taken)
            entry->seen[i].feature = next++;
}

/* ---- Touches ----------------------------------------------------------------------------------------------------- */

static void touch_seen(const meeting *m, pcm_contact *contacts)
{
    for (size_t i = 0; i < m->entry->n_seen; i++) {
        const pcm_near_point *seen = &m->entry->seen[i];
        const pcm_contact     contact =
            pcm_touch_known(m->world, m->a, m->b, seen->feature, touch_at(m, seen->index), m->touch_size);
        if (contacts)
            contacts[seen->index] = contact;
    }
}

/* A kept contact that no point was reported for lies where it lay on the bodies, for one step. Not where a law reads
 * areas, which nobody knows. */
static void guess_missing(const meeting *m)
{
    pcm_near_pair   *entry = m->entry;
    const pcm_group *group = &m->world->groups[m->world->pairs[entry->pair].group];
    for (size_t i = 0; i < entry->n_kept && !(group->patch_needed & PCM_AREA); i++) {
        const pcm_near_point *kept = &entry->kept[i];
        double                on[2][3], normal[3], gap = 0;
        if (kept->taken || kept->guessed)
            continue;
        for (size_t s = 0; s < 2; s++)
            to_world(&m->sides[s], kept->place[s], on[s]);
        for (size_t k = 0; k < 3; k++)
            normal[k] = pcm_dot(m->sides[0].axes + 3 * k, kept->normal);
        for (size_t k = 0; k < 3; k++)
            gap += normal[k] * (on[1][k] - on[0][k]);
        pcm_near_point *seen = &entry->seen[entry->n_seen];
        *seen = (pcm_near_point){.feature = kept->feature, .depth = kept->depth - gap, .guessed = 1};
        if (!(seen->depth >= -group->separation))
            continue;
        entry->n_seen++;
        memcpy(seen->normal, normal, sizeof normal);
        for (size_t k = 0; k < 3; k++)
            seen->point[k] = 0.5 * (on[0][k] + on[1][k]);
        pcm_touch touch = {.depth = seen->depth};
        memcpy(touch.point, seen->point, sizeof touch.point);
        memcpy(touch.normal, normal, sizeof touch.normal);
        const pcm_pair *pair = &m->world->pairs[entry->pair];
        (void)pcm_touch_known(m->world, base_of(pair), follower_of(pair), seen->feature, &touch, sizeof touch);
    }
}

/* A pair that a law does not serve, or that has one contact whatever touches it. */
static void touch_plainly(const meeting *m, size_t count, pcm_contact *contacts)
{
    for (size_t i = 0; i < count; i++) {
        const pcm_contact contact = pcm_touch_known(m->world, m->a, m->b, 0, touch_at(m, i), m->touch_size);
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
    if (!m->entry || !reserve(world, m->entry, 0, m->entry->n_kept + count)) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for the contacts of '%s' and '%s'",
                   world->bodies[pair->low].name, world->bodies[pair->high].name);
        world->starved = true;
        return PCM_NO_MEMORY;
    }
    m->sides[0] = newest(world, base_of(pair));
    m->sides[1] = newest(world, follower_of(pair));
    m->flipped = m->a != base_of(pair);
    m->entry->evaluation = world->evaluation;
    for (size_t i = 0; i < m->entry->n_kept; i++)
        m->entry->kept[i].taken = false;
    list_seen(m, count);
    match(m);
    name_new(m->entry);
    touch_seen(m, contacts);
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

static bool lives(const pcm_world *world, const pcm_near_pair *entry, uint64_t feature)
{
    const pcm_pair *pair = &world->pairs[entry->pair];
    return pcm_find_contact(world, pair->low, pair->high, feature) != 0;
}

static int by_feature(const void *a, const void *b)
{
    const uint64_t one = ((const pcm_near_point *)a)->feature, other = ((const pcm_near_point *)b)->feature;
    return (one > other) - (one < other);
}

/* Kept contacts that were not seen stay where they were. Room for them was reserved among the seen ones. */
static void commit_pair(pcm_world *world, pcm_near_pair *entry)
{
    const pcm_pair *pair = &world->pairs[entry->pair];
    const body      sides[2] = {body_of(world, base_of(pair), world->front),
                                body_of(world, follower_of(pair), world->front)};
    size_t          count = 0;
    for (size_t i = 0; i < entry->n_seen; i++) {
        pcm_near_point seen = entry->seen[i];
        if (!lives(world, entry, seen.feature))
            continue;
        for (size_t s = 0; s < 2; s++)
            to_body(&sides[s], seen.point, seen.place[s]);
        const double normal[3] = {seen.normal[0], seen.normal[1], seen.normal[2]};
        for (size_t k = 0; k < 3; k++)
            seen.normal[k] =
                sides[0].axes[k] * normal[0] + sides[0].axes[3 + k] * normal[1] + sides[0].axes[6 + k] * normal[2];
        entry->seen[count++] = seen;
    }
    const size_t seen = count;
    for (size_t i = 0; i < entry->n_kept; i++) {
        bool replaced = false;
        for (size_t j = 0; j < seen && !replaced; j++)
            replaced = entry->seen[j].feature == entry->kept[i].feature;
        if (!replaced && lives(world, entry, entry->kept[i].feature))
            entry->seen[count++] = entry->kept[i];
    }
    if (count > 0)
        qsort(entry->seen, count, sizeof *entry->seen, by_feature);
    pcm_near_point *const kept = entry->kept;
    const size_t          capacity = entry->kept_capacity;
    entry->kept = entry->seen;
    entry->kept_capacity = entry->seen_capacity;
    entry->n_kept = count;
    entry->seen = kept;
    entry->seen_capacity = capacity;
    entry->n_seen = 0;
}

static void keep_living(const pcm_world *world, pcm_near_pair *entry)
{
    size_t count = 0;
    for (size_t i = 0; i < entry->n_kept; i++)
        if (lives(world, entry, entry->kept[i].feature))
            entry->kept[count++] = entry->kept[i];
    entry->n_kept = count;
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
    memcpy(numbers, kept->place, sizeof kept->place);
    memcpy(numbers + 6, kept->normal, sizeof kept->normal);
    numbers[9] = kept->depth;
}

void pcm_near_take(pcm_world *world, uint32_t pair, uint64_t feature, const double numbers[PCM_NEAR_NUMBERS],
                   uint64_t guessed)
{
    pcm_near_pair  *entry = entry_of(world, pair); /* which there is */
    pcm_near_point *kept = &entry->kept[entry->n_kept++];
    *kept = (pcm_near_point){.feature = feature, .depth = numbers[9], .guessed = guessed};
    memcpy(kept->place, numbers, sizeof kept->place);
    memcpy(kept->normal, numbers + 6, sizeof kept->normal);
}
