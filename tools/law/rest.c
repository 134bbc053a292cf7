/* SPDX-License-Identifier: MIT */
#include "rest.h"

#include <math.h>

typedef struct scene {
    const rest_def *def;
    pcm_world      *world;
    pcm_object      base, follower;
    pcm_contact     contact;
} scene;

/* Fills in a missing name: a world requires names, but only surfaces may be given. No rule except a pattern matches the
 * name. */
static pcm_object_def named(const pcm_object_def *object, const char *otherwise)
{
    pcm_object_def def = *object;
    if (!*def.name)
        def.name = otherwise;
    return def;
}

pcm_world *rest_world(const rest_def *def, pcm_object *base, pcm_object *follower)
{
    pcm_object_def moves = named(def->follower, "the follower"), stays = named(def->base, "the base");
    stays.fixed = true;
    moves.mass = def->mass;
    if (isfinite(def->radius))
        moves.radius = def->radius;
    pcm_world *world = pcm_world_new(def->config, NULL);
    if (!world)
        return NULL;
    *base = pcm_world_add_object(world, &stays);
    *follower = pcm_world_add_object(world, &moves);
    return world;
}

/* The normal force at that depth, at rest. */
static double push(scene *at, double time, double depth)
{
    const bool      has_area = isfinite(at->def->area);
    pcm_wrench      wrench = {.force = {0}};
    const pcm_touch touch = {
        .normal = {0, 0, 1}, .depth = depth, .area = has_area ? at->def->area : 0, .gives = has_area ? PCM_AREA : 0};
    at->contact = pcm_world_touch(at->world, at->base, at->follower, &touch, sizeof touch);
    const bool good =
        pcm_world_update(at->world, time, 0) == PCM_OK && pcm_world_wrench(at->world, at->follower, &wrench) == PCM_OK;
    return good ? wrench.force[2] : NAN;
}

/* Increases the depth from the onset until the contact carries the load. */
static bool settle(scene *at)
{
    double low = 0, high = 1;
    (void)push(at, 0, 0);
    (void)pcm_world_commit(at->world);
    for (int i = 0; i < 64; i++) {
        const double middle = 0.5 * (low + high);
        *(push(at, 1, middle) < at->def->load ? &low : &high) = middle;
    }
    return fabs(push(at, 1, high) - at->def->load) < 0.5 * at->def->load;
}

bool rest_matrices(const rest_def *def, pcm_contact_matrices *result)
{
    scene at = {.def = def};
    at.world = rest_world(def, &at.base, &at.follower);
    pcm_matrices *matrices = at.world ? pcm_matrices_new(at.world) : NULL;
    const bool    good = matrices && settle(&at) && pcm_matrices_contact(matrices, at.contact, result) == PCM_OK;
    pcm_matrices_free(matrices);
    pcm_world_free(at.world);
    return good;
}
