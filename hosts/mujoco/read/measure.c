/* SPDX-License-Identifier: MIT */
/* measure.c - measurements of every served pair, whether it touches or not. */
#include "reading.h"
#include <string.h>

/* The measurement of a pair without contact. */
static pcm_sensing apart(double separation)
{
    pcm_sensing s = {.size = sizeof s, .separation = separation};
    for (int k = 0; k < 9; k += 4)
        s.base_rotation[k] = s.follower_rotation[k] = 1;
    return s;
}

/* ---- Separations ------------------------------------------------------------------------------------------------- */

#ifdef PCM_MUJOCO_GEOMETRY
#include <pcm/geometry.h>

/* The shape of an object; it is made again if the geom's size or heights have changed. */
static const pcm_geometry *shape_now(pcm_mujoco *host, uint32_t object)
{
    const pcm_served *served = &host->detection->objects[object];
    pcm_measured     *m = &host->reading->measured[object];
    const double      none[3] = {0, 0, 0};
    const double     *size = served->geom < 0 ? none : host->model->geom_size + 3 * (size_t)served->geom;
    if (m->made && memcmp(m->size, size, sizeof m->size) == 0 &&
        pcm_heights_hold(host->model, served->geom, &m->heights))
        return m->shape;
    pcm_shape_drop(served, m->shape);
    m->shape = pcm_shape_of(host, served);
    m->made = true;
    mju_copy3(m->size, size);
    pcm_heights_keep(host->context, host->model, served->geom, &m->heights);
    return m->shape;
}

static const pcm_geometry *shape_in(pcm_mujoco *host, const pcm_served_pair *pair, uint32_t object)
{
    return pair->cloud == object + 1 ? host->detection->objects[object].cloud : shape_now(host, object);
}

static double separation_of(pcm_mujoco *host, const pcm_served_pair *pair)
{
    const pcm_geometry *a = shape_in(host, pair, pair->a), *b = shape_in(host, pair, pair->b);
    const pcm_pose      pose_a = pcm_shape_place(host->model, host->data, &host->detection->objects[pair->a]);
    const pcm_pose      pose_b = pcm_shape_place(host->model, host->data, &host->detection->objects[pair->b]);
    pcm_separation      s = {.size = sizeof s};
    return a && b && pcm_geometry_separate(a, &pose_a, b, &pose_b, &s) == PCM_OK ? s.distance : INFINITY;
}

/* The separation of a point of the pair's cloud. */
static double separation_at(pcm_mujoco *host, const pcm_served_pair *pair, size_t point)
{
    const pcm_geometry *a = shape_in(host, pair, pair->a), *b = shape_in(host, pair, pair->b);
    const pcm_pose      pose_a = pcm_shape_place(host->model, host->data, &host->detection->objects[pair->a]);
    const pcm_pose      pose_b = pcm_shape_place(host->model, host->data, &host->detection->objects[pair->b]);
    pcm_separation      s = {.size = sizeof s};
    return a && b && pcm_geometry_separate_point(a, &pose_a, b, &pose_b, point, &s) == PCM_OK ? s.distance : INFINITY;
}

pcm_status pcm_measure_reserve(pcm_mujoco *host)
{
    pcm_reading *r = host->reading;
    r->n_measured = host->detection->n_objects;
    r->measured = pcm_allocate(host->context, r->n_measured * sizeof *r->measured);
    return r->measured || !r->n_measured ? PCM_OK : pcm_host_no_memory(host->context);
}

void pcm_measure_free(pcm_mujoco *host)
{
    pcm_reading *r = host->reading;
    for (size_t i = 0; r->measured && i < r->n_measured; i++) {
        pcm_shape_drop(&host->detection->objects[i], r->measured[i].shape);
        pcm_heights_free(host->context, &r->measured[i].heights);
    }
    pcm_free(host->context, r->measured, r->measured ? r->n_measured * sizeof *r->measured : 0);
}

#else

static double separation_of(const pcm_mujoco *host, const pcm_served_pair *pair)
{
    (void)host, (void)pair;
    return INFINITY;
}

static double separation_at(const pcm_mujoco *host, const pcm_served_pair *pair, size_t point)
{
    (void)host, (void)pair, (void)point;
    return INFINITY;
}

pcm_status pcm_measure_reserve(pcm_mujoco *host)
{
    (void)host;
    return PCM_OK;
}

void pcm_measure_free(pcm_mujoco *host) { (void)host; }

#endif

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

/* The sum over the contacts of a pair that act. */
typedef struct sum {
    pcm_sensing deepest;
    double      normal, friction[3];
    bool        acts;
} sum;

/* The pair of two objects, by their indices; n_pairs: there is none. */
static size_t pair_between(const pcm_mujoco *host, uint32_t a, uint32_t b)
{
    const pcm_detection *d = host->detection;
    const int            first = d->objects[a].geom, second = d->objects[b].geom;
    if (first >= 0 && second >= 0) {
        const uint32_t found = *pcm_pair_of(host, first, second);
        return found ? found - 1 : d->n_pairs;
    }
    size_t i = 0;
    while (i < d->n_pairs &&
           !((d->pairs[i].a == a && d->pairs[i].b == b) || (d->pairs[i].a == b && d->pairs[i].b == a)))
        i++;
    return i;
}

static uint32_t object_of(const pcm_mujoco *host, pcm_object handle)
{
    return (uint32_t)(host->detection->by_handle[handle.index] - host->detection->objects);
}

/* Adds a contact if it touches or acts across a gap. */
static void add_contact(sum *of, const pcm_contact_info *info, const pcm_sensing *one)
{
    if (!one->contact && one->normal_load == 0 && one->friction_force == 0)
        return;
    const double normal[3] = {info->frame[2], info->frame[5], info->frame[8]};
    const double along = mju_dot3(info->world_force, normal);
    for (int k = 0; k < 3; k++)
        of->friction[k] += info->world_force[k] - along * normal[k];
    of->normal += one->normal_load;
    if (!of->acts || one->separation < of->deepest.separation)
        of->deepest = *one;
    of->acts = true;
}

static pcm_status add_contacts(pcm_mujoco *host, sum *sums)
{
    for (size_t i = 0; i < pcm_world_contact_count(host->world); i++) {
        pcm_contact_info info = {.size = sizeof info};
        pcm_sensing      one = {.size = sizeof one};
        pcm_status       status = pcm_world_contact_at(host->world, i, &info);
        if (status == PCM_OK)
            status = pcm_world_sense(host->world, info.handle, &one);
        if (status != PCM_OK)
            return status;
        const size_t pair = pair_between(host, object_of(host, info.base), object_of(host, info.follower));
        if (pair < host->detection->n_pairs)
            add_contact(&sums[pair], &info, &one);
    }
    return PCM_OK;
}

static pcm_sensing measure(pcm_mujoco *host, size_t pair, const sum *of)
{
    const double separation = separation_of(host, &host->detection->pairs[pair]);
    if (!of->acts)
        return apart(separation);
    pcm_sensing s = of->deepest;
    s.normal_load = of->normal;
    s.normal_force = fabs(of->normal);
    s.friction_force = mju_norm3(of->friction);
    if (!s.contact)
        s.separation = fmin(s.separation, separation); /* other parts may be closer than the contact that acts */
    return s;
}

pcm_status pcm_mujoco_sense_pairs(pcm_mujoco *host, pcm_sensing *sensing, size_t sensing_size, size_t capacity)
{
    pcm_detection *d = host->detection;
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    if (capacity < d->n_pairs)
        return PCM_BAD_ARGUMENT;
    sum *sums = pcm_allocate(host->context, (d->n_pairs + 1) * sizeof *sums);
    if (!sums)
        return PCM_NO_MEMORY;
    pcm_status status = add_contacts(host, sums);
    for (size_t i = 0; status == PCM_OK && i < d->n_pairs; i++) {
        const pcm_sensing s = measure(host, i, &sums[i]);
        status = pcm_info_fill(host->context, "pcm_sensing", (char *)sensing + i * sensing_size, sensing_size, &s);
    }
    pcm_free(host->context, sums, (d->n_pairs + 1) * sizeof *sums);
    return status;
}

/* ---- Points ------------------------------------------------------------------------------------------------------ */

static pcm_status sense_contact(pcm_mujoco *host, size_t pair, const pcm_contact_info *info, size_t points,
                                pcm_sensing *sensing, size_t sensing_size)
{
    if (pair_between(host, object_of(host, info->base), object_of(host, info->follower)) != pair ||
        info->feature >= points)
        return PCM_OK;
    pcm_sensing  one = {.size = sizeof one};
    const size_t at = (size_t)info->feature * sensing_size;
    pcm_status   status = pcm_world_sense(host->world, info->handle, &one);
    if (status == PCM_OK && (one.contact || one.normal_load != 0 || one.friction_force != 0))
        status = pcm_info_fill(host->context, "pcm_sensing", (char *)sensing + at, sensing_size, &one);
    return status;
}

pcm_status pcm_mujoco_sense_points(pcm_mujoco *host, size_t pair, pcm_sensing *sensing, size_t sensing_size,
                                   size_t capacity)
{
    const size_t points = pcm_mujoco_pair_points(host, pair);
    if (points == 0 || capacity < points)
        return PCM_BAD_ARGUMENT;
    pcm_status status = PCM_OK;
    for (size_t i = 0; i < points && status == PCM_OK; i++) {
        const pcm_sensing s = apart(separation_at(host, &host->detection->pairs[pair], i));
        status = pcm_info_fill(host->context, "pcm_sensing", (char *)sensing + i * sensing_size, sensing_size, &s);
    }
    for (size_t i = 0; i < pcm_world_contact_count(host->world) && status == PCM_OK; i++) {
        pcm_contact_info info = {.size = sizeof info};
        status = pcm_world_contact_at(host->world, i, &info);
        if (status == PCM_OK)
            status = sense_contact(host, pair, &info, points, sensing, sensing_size);
    }
    return status;
}
