/* SPDX-License-Identifier: MIT */
/* sense.c - measurements of a pair: point by point of a cloud, or all contacts of a patch together. */
#include "space.h"

/* The measurement where there is no contact. */
static pcm_sensing apart(double separation)
{
    pcm_sensing s = {.size = sizeof s, .separation = separation};
    for (int k = 0; k < 9; k += 4)
        s.base_rotation[k] = s.follower_rotation[k] = 1;
    return s;
}

/* The host's array of measurements: `size` bytes each. */
typedef struct shelf {
    pcm_sensing *first;
    size_t       size;
} shelf;

static pcm_status put(pcm_space *space, shelf to, size_t i, const pcm_sensing *sensing)
{
    return pcm_info_fill(space->context, "pcm_sensing", (char *)to.first + i * to.size, to.size, sensing);
}

/* Measures point by point, in the cloud's order. */
static pcm_status sense_cloud(pcm_space *space, const member *a, const member *b, const pair_note *pair, shelf to,
                              size_t count)
{
    pcm_status   status = PCM_OK;
    size_t       first;
    const size_t n = space_contacts(space, pair, &first);
    for (size_t i = 0; status == PCM_OK && i < count; i++) {
        pcm_separation s;
        pair_separate_point(&a->body, &b->body, (uint32_t)i, &s);
        const pcm_sensing none = apart(s.distance);
        status = put(space, to, i, &none);
    }
    for (size_t k = 0; status == PCM_OK && k < n; k++) {
        const reported *r = &space->reported[first + k];
        pcm_sensing     one = {.size = sizeof one};
        if (r->feature >= count)
            continue;
        if (pcm_world_sense(space->world, r->contact, &one) != PCM_OK)
            return PCM_BAD_ORDER;
        status = put(space, to, r->feature, &one);
    }
    return status;
}

/* Measures the deepest contact, with the forces of all contacts, including those across a gap: the bodies may be nearer
 * to each other elsewhere. */
static pcm_status sense_patch(pcm_space *space, const member *a, const member *b, const pair_note *pair, shelf to)
{
    pcm_separation separation = {.size = sizeof separation};
    double         normal = 0;
    vec            friction = {0, 0, 0};
    bool           acts = false;
    size_t         first;
    const size_t   count = space_contacts(space, pair, &first);
    pair_separate(&a->body, &b->body, &separation);
    pcm_sensing deepest = apart(separation.distance);
    for (size_t k = 0; k < count; k++) {
        pcm_contact_info  info = {.size = sizeof info};
        pcm_sensing       one = {.size = sizeof one};
        const pcm_contact contact = space->reported[first + k].contact;
        if (pcm_world_contact_info(space->world, contact, &info) != PCM_OK ||
            pcm_world_sense(space->world, contact, &one) != PCM_OK)
            return PCM_BAD_ORDER;
        if (!one.contact && one.normal_load == 0 && one.friction_force == 0)
            continue;
        const vec n = {info.frame[2], info.frame[5], info.frame[8]};
        normal += one.normal_load;
        friction = add(friction, across(vec_of(info.world_force), n));
        if (!acts || one.separation < deepest.separation)
            deepest = one;
        acts = true;
    }
    if (acts) {
        deepest.normal_force = fabs(normal);
        deepest.normal_load = normal;
        deepest.friction_force = norm(friction);
        if (!deepest.contact)
            deepest.separation = smaller(deepest.separation, separation.distance);
    }
    return put(space, to, 0, &deepest);
}

pcm_status pcm_space_sense(pcm_space *space, pcm_object a, pcm_object b, pcm_sensing *sensing, size_t sensing_size,
                           size_t capacity)
{
    const member *first = space_member(space, a), *second = space_member(space, b);
    if (!first || !second)
        return PCM_BAD_HANDLE;
    const size_t n_first = pcm_geometry_point_count(first->body.geometry);
    const size_t n_second = pcm_geometry_point_count(second->body.geometry);
    const size_t count = n_first > n_second ? n_first : n_second;
    const bool   cloud = first->body.geometry->kind == PCM_CLOUD || second->body.geometry->kind == PCM_CLOUD;
    if (!pcm_geometry_meets(first->body.geometry->kind, second->body.geometry->kind) || capacity < count)
        return PCM_BAD_ARGUMENT;
    if (first->lost || second->lost)
        return PCM_BAD_MOTION;
    const pair_note *pair = space_pair(space, a.index, b.index);
    const shelf      to = {sensing, sensing_size};
    return cloud ? sense_cloud(space, first, second, pair, to, count) : sense_patch(space, first, second, pair, to);
}
