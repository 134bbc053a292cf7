/* SPDX-License-Identifier: MIT */
/* detect.c - the contact points of served pairs, and which of them are the same as before.
 *
 * MuJoCo's narrow phase lists the points of a pair in an order that changes from one evaluation to the next. A point is
 * recognised by its witness on the pair's second geom, in that geom's axes. Points are compared with those of the last
 * commit, never with those of another trial, so that trials have no lasting effect. */
#include "detection.h"
#include <pcm/messages.h>
#include <math.h>
#include <string.h>

static void difference(const double *a, const double *b, double result[3])
{
    for (int i = 0; i < 3; i++)
        result[i] = a[i] - b[i];
}

void pcm_contact_points_free(pcm_context *context, pcm_contact_points *points)
{
    pcm_free(context, points->items, points->capacity * sizeof *points->items);
}

pcm_status pcm_contact_points_reserve(pcm_context *context, pcm_contact_points *points, size_t count)
{
    const bool grown = pcm_grow(context, &points->items, &points->capacity, count, sizeof *points->items);
    return grown ? PCM_OK : pcm_host_no_memory(context);
}

void pcm_detect_free(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    pcm_contact_points_free(host->context, &d->kept);
    pcm_contact_points_free(host->context, &d->seen);
    pcm_contact_points_free(host->context, &d->merged);
    pcm_free(host->context, d->gaps, d->gap_capacity * sizeof *d->gaps);
    pcm_free(host->context, d->of_cloud, d->of_cloud_capacity * sizeof *d->of_cloud);
    pcm_free(host->context, d->next_feature, d->pair_capacity * sizeof *d->next_feature);
}

/* ---- The narrow phase -------------------------------------------------------------------------------------------- */

/* Whether the bounding spheres of a pair are farther apart than its margin. */
static bool out_of_sight(const pcm_glance *glance, const mjData *data)
{
    if (!(glance->reach < INFINITY))
        return false;
    const double *a = data->geom_xpos + 3 * glance->geom_a, *b = data->geom_xpos + 3 * glance->geom_b;
    return pcm_distance_squared(a, b) > glance->reach * glance->reach;
}

static void to_local(const mjData *data, int geom, const double point[3], double local[3])
{
    double apart[3];
    difference(point, data->geom_xpos + 3 * geom, apart);
    const double *axes = data->geom_xmat + 9 * geom;
    for (int i = 0; i < 3; i++)
        local[i] = axes[i] * apart[0] + axes[3 + i] * apart[1] + axes[6 + i] * apart[2];
}

/* Whether the user's own filter excludes the pair. */
static bool is_filtered(const pcm_mujoco *host, mjData *data, uint32_t index)
{
    const pcm_detection   *d = host->detection;
    const pcm_served_pair *pair = &d->pairs[index];
    return mjcb_contactfilter &&
           mjcb_contactfilter(host->model, data, d->objects[pair->a].geom, d->objects[pair->b].geom);
}

static void add_seen(pcm_mujoco *host, const mjData *data, const pcm_contact_point *point)
{
    pcm_detection     *d = host->detection;
    pcm_contact_point *added = &d->seen.items[d->seen.count++];
    double             witness[3];
    *added = *point;
    for (int k = 0; k < 3; k++)
        witness[k] = point->point[k] - 0.5 * point->depth * point->normal[k];
    to_local(data, d->objects[d->pairs[point->pair].b].geom, witness, added->mark.place[0]);
    memcpy(added->mark.place[1], added->mark.place[0], sizeof added->mark.place[1]);
}

/* Reports the first pair with as many points as may count. */
static void report_crowd(pcm_mujoco *host, uint32_t index)
{
    pcm_detection         *d = host->detection;
    const pcm_served_pair *pair = &d->pairs[index];
    if (!d->reported_crowd)
        pcm_report(
            host->context, PCM_WARNING, PCM_MSG_CROWDED_PAIR,
            "'%s' and '%s' touch at %d points, the most that count for a pair: a coarser mesh, or Patch = Shared",
            d->objects[pair->a].name, d->objects[pair->b].name, PCM_PAIR_POINTS);
    d->reported_crowd = true;
}

static void add_geoms(pcm_mujoco *host, mjData *data, uint32_t index)
{
    pcm_point    points[PCM_PAIR_POINTS];
    const size_t count = pcm_found_points(host, data, index, points);
    if (count == PCM_PAIR_POINTS)
        report_crowd(host, index);
    for (size_t i = 0; i < count; i++) {
        const pcm_point  *found = &points[i];
        pcm_contact_point point = {
            .pair = index, .depth = found->depth, .area = found->area, .share = found->share, .gives = found->gives};
        memcpy(point.point, found->at, sizeof point.point);
        memcpy(point.normal, found->normal, sizeof point.normal);
        add_seen(host, data, &point);
    }
}

/* The features of a cloud's points are their indices. False: the object touches by its shape. */
static bool add_cloud(pcm_mujoco *host, const mjData *data, uint32_t index)
{
    const int count = host->detection->pairs[index].cloud ? pcm_shapes_find_cloud(host, data, index) : -1;
    for (int i = 0; i < count; i++) {
        const pcm_touch  *touch = &host->detection->of_cloud[i];
        pcm_contact_point point = {.pair = index, .depth = touch->depth, .feature = (uint32_t)touch->feature};
        memcpy(point.point, touch->point, sizeof point.point);
        memcpy(point.normal, touch->normal, sizeof point.normal);
        add_seen(host, data, &point);
    }
    return count >= 0;
}

static void add_site(pcm_mujoco *host, const mjData *data, uint32_t index)
{
    pcm_detection         *d = host->detection;
    const pcm_served_pair *pair = &d->pairs[index];
    int                    plane = d->objects[pair->a].geom;
    const double          *site = data->site_xpos + 3 * d->objects[pair->b].site;
    const double          *axes = data->geom_xmat + 9 * plane;
    pcm_contact_point      point = {.pair = index, .normal = {axes[2], axes[5], axes[8]}};
    double                 apart[3];
    difference(site, data->geom_xpos + 3 * plane, apart);
    point.depth = -pcm_dot(apart, point.normal);
    if (point.depth < -pcm_near_margin(host, pair))
        return;
    for (int i = 0; i < 3; i++)
        point.point[i] = site[i] + 0.5 * point.depth * point.normal[i];
    d->seen.items[d->seen.count++] = point;
}

/* ---- Matching points --------------------------------------------------------------------------------------------- */

/* The points of one pair in a list. */
typedef struct run {
    size_t first, count;
} run;

static size_t run_length(const pcm_contact_points *points, size_t first, uint32_t pair)
{
    size_t end = first;
    while (end < points->count && points->items[end].pair == pair)
        end++;
    return end - first;
}

static void adopt(pcm_mujoco *host, size_t old, size_t new)
{
    pcm_detection     *d = host->detection;
    pcm_contact_point *kept = &d->kept.items[old], *seen = &d->seen.items[new];
    seen->feature = kept->feature;
    seen->touched = kept->touched;
    seen->contact = kept->contact;
    seen->mark.partner = (uint32_t)old + 1;
    kept->mark.partner = (uint32_t) new + 1;
}

static pcm_near_marks marks_of(const pcm_contact_points *points, run among)
{
    return (pcm_near_marks){&points->items[among.first].mark, among.count, sizeof *points->items};
}

/* Gives the features of kept to the nearest points of seen, and new numbers to the rest. */
static void name_features(pcm_mujoco *host, uint32_t index, run kept, run seen)
{
    pcm_detection *d = host->detection;
    const uint32_t points = (uint32_t)pcm_mujoco_pair_points(host, index);
    uint32_t       fresh = d->next_feature[index] > points ? d->next_feature[index] : points;
    for (size_t i = kept.first; i < kept.first + kept.count; i++)
        d->kept.items[i].mark.reach = d->pairs[index].same;
    if (kept.count && seen.count)
        (void)pcm_near_match(marks_of(&d->seen, seen), marks_of(&d->kept, kept));
    for (size_t i = seen.first; i < seen.first + seen.count; i++)
        if (d->seen.items[i].mark.partner)
            adopt(host, kept.first + d->seen.items[i].mark.partner - 1, i);
        else
            d->seen.items[i].feature = fresh++;
}

/* Matches points by their features. Both lists are sorted by feature, except for points in kept that are gone but whose
 * contact lives on. */
static void match_numbers(pcm_mujoco *host, run kept, run seen)
{
    size_t next = 0;
    for (size_t i = seen.first; i < seen.first + seen.count; i++)
        for (size_t tries = 0; tries < kept.count; tries++) {
            const size_t at = (next + tries) % kept.count, k = kept.first + at;
            if (host->detection->kept.items[k].feature != host->detection->seen.items[i].feature)
                continue;
            adopt(host, k, i);
            next = at + 1;
            break;
        }
}

/* Whether the user has disabled contacts of the pair since attaching. */
static bool is_off(const mjModel *model, const pcm_glance *glance, const pcm_served_pair *pair)
{
    const int a = glance->geom_a, b = glance->geom_b;
    return pair->bits && !(model->geom_contype[a] & model->geom_conaffinity[b]) &&
           !(model->geom_contype[b] & model->geom_conaffinity[a]);
}

static void identify(pcm_mujoco *host, uint32_t index, run kept, run seen, bool numbered)
{
    pcm_detection         *d = host->detection;
    const pcm_served_pair *pair = &d->pairs[index];
    if (numbered)
        match_numbers(host, kept, seen);
    else if (pair->collide && !pair->single)
        name_features(host, index, kept, seen);
    else if (kept.count && seen.count)
        adopt(host, kept.first, seen.first);
}

void pcm_detect_mark_partners(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    for (size_t i = 0; i < d->kept.count; i++)
        d->kept.items[i].mark.partner = 0;
    for (size_t i = 0; i < d->seen.count; i++)
        if (d->seen.items[i].mark.partner)
            d->kept.items[d->seen.items[i].mark.partner - 1].mark.partner = (uint32_t)i + 1;
}

pcm_status pcm_detect_all(pcm_mujoco *host, mjData *data)
{
    pcm_detection *d = host->detection;
    pcm_status     status = pcm_near_list(host, data);
    size_t         kept = 0;
    d->seen.count = 0;
    if (status != PCM_OK)
        return status;
    pcm_detect_mark_partners(host); /* nothing is seen so far, so they have none */
    const size_t near = host->model->opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT) ? 0 : d->near.count;
    for (size_t i = 0; i < near; i++) {
        const pcm_glance *glance = &d->near.glances[i];
        const uint32_t    index = glance->pair;
        if (out_of_sight(glance, data) || is_off(host->model, glance, &d->pairs[index]))
            continue;
        while (kept < d->kept.count && d->kept.items[kept].pair < index)
            kept++;
        const run    old = {kept, run_length(&d->kept, kept, index)};
        const size_t first = d->seen.count;
        bool         numbered = false;
        status = pcm_contact_points_reserve(host->context, &d->seen,
                                            first + PCM_PAIR_POINTS + pcm_mujoco_pair_points(host, index));
        if (status != PCM_OK)
            return status;
        kept += old.count;
        if (!d->pairs[index].collide)
            add_site(host, data, index);
        else if (!is_filtered(host, data, index) && !(numbered = add_cloud(host, data, index)))
            add_geoms(host, data, index);
        identify(host, index, old, (run){first, d->seen.count - first}, numbered);
    }
    pcm_found_forget(host);
    return pcm_gaps_find(host, data);
}

/* ---- After a commit ---------------------------------------------------------------------------------------------- */

static bool lives_on(const pcm_mujoco *host, size_t old)
{
    const pcm_contact_point *kept = &host->detection->kept.items[old];
    return !kept->mark.partner && pcm_world_has_contact(host->world, kept->contact);
}

static void append(pcm_mujoco *host, const pcm_contact_point *point)
{
    pcm_detection *d = host->detection;
    uint32_t      *next = &d->next_feature[point->pair];
    if (point->feature >= *next)
        *next = point->feature + 1;
    d->merged.items[d->merged.count++] = *point;
}

pcm_status pcm_detect_keep(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    pcm_status     status = pcm_contact_points_reserve(host->context, &d->merged, d->kept.count + d->seen.count);
    if (status != PCM_OK)
        return status;
    d->merged.count = 0;
    size_t old = 0, new = 0;
    while (old < d->kept.count || new < d->seen.count) {
        bool from_old =
            new == d->seen.count || (old < d->kept.count && d->kept.items[old].pair <= d->seen.items[new].pair);
        if (!from_old)
            append(host, &d->seen.items[new ++]);
        else if (lives_on(host, old++))
            append(host, &d->kept.items[old - 1]);
    }
    pcm_contact_points empty = d->kept;
    d->kept = d->merged;
    d->merged = empty;
    return PCM_OK;
}

/* ---- After a restore --------------------------------------------------------------------------------------------- */

/* Finds the contacts of a restored world: it has new handles, which are known after its first update. */
void pcm_detect_find_contacts(pcm_mujoco *host)
{
    pcm_detection   *d = host->detection;
    pcm_contact_info info = {.size = sizeof info};
    for (size_t i = 0; i < pcm_world_contact_count(host->world); i++) {
        if (pcm_world_contact_at(host->world, i, &info) != PCM_OK)
            continue;
        const pcm_served *a = d->by_handle[info.base.index], *b = d->by_handle[info.follower.index];
        for (size_t k = 0; k < d->kept.count; k++) {
            pcm_contact_point     *point = &d->kept.items[k];
            const pcm_served_pair *pair = &d->pairs[point->pair];
            const pcm_served      *first = &d->objects[pair->a], *second = &d->objects[pair->b];
            if (point->feature == info.feature && ((first == a && second == b) || (first == b && second == a)))
                point->contact = info.handle;
        }
    }
    d->restored = false;
}
