/* SPDX-License-Identifier: MIT */
/* sense.c - what can be measured of a pair: point by point of a cloud, or all contacts of a patch together. */
#include "space.h"

/* What a measurement shows where there is no contact. */
static pcm_sensing apart(double separation)
{
    pcm_sensing s = {.separation = separation};
    for (int k = 0; k < 9; k += 4)
        s.base_rotation[k] = s.follower_rotation[k] = 1;
    return s;
}

/* Point by point, in the cloud's order. */
static pcm_status sense_cloud(pcm_space *space, const member *a, const member *b, const near_pair *pair,
                              pcm_sensing *sensing, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pcm_separation s;
        pair_separate_point(&a->body, &b->body, (uint32_t)i, &s);
        sensing[i] = apart(s.distance);
    }
    for (size_t k = 0; pair && k < pair->count; k++) {
        const reported *r = &space->reported[pair->first + k];
        if (r->feature < count && pcm_world_sense(space->world, r->contact, &sensing[r->feature]) != PCM_OK)
            return PCM_BAD_ORDER;
    }
    return PCM_OK;
}

/* The deepest contact, with the forces of all. */
static pcm_status sense_patch(pcm_space *space, const member *a, const member *b, const near_pair *pair,
                              pcm_sensing *sensing)
{
    pcm_separation separation;
    double         normal = 0;
    vec            friction = {0, 0, 0};
    pair_separate(&a->body, &b->body, &separation);
    *sensing = apart(separation.distance);
    for (size_t k = 0; pair && k < pair->count; k++) {
        pcm_contact_info  info;
        pcm_sensing       one;
        const pcm_contact contact = space->reported[pair->first + k].contact;
        if (pcm_world_contact_info(space->world, contact, &info) != PCM_OK ||
            pcm_world_sense(space->world, contact, &one) != PCM_OK)
            return PCM_BAD_ORDER;
        if (!one.contact)
            continue;
        const vec n = {info.frame[2], info.frame[5], info.frame[8]};
        normal += one.normal_force;
        friction = add(friction, across(vec_of(info.world_force), n));
        if (!sensing->contact || one.depth > sensing->depth)
            *sensing = one;
    }
    if (sensing->contact) {
        sensing->normal_force = normal;
        sensing->friction_force = norm(friction);
    }
    return PCM_OK;
}

pcm_status pcm_space_sense(pcm_space *space, pcm_object a, pcm_object b, pcm_sensing *sensing, size_t capacity)
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
    const near_pair *pair = space_pair(space, a.index, b.index);
    return cloud ? sense_cloud(space, first, second, pair, sensing, count)
                 : sense_patch(space, first, second, pair, sensing);
}
