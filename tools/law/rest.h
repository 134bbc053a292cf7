/* SPDX-License-Identifier: MIT */
/* rest.h - a body at rest on one contact under a load: its stiffness and damping there. */
#ifndef PCM_TOOLS_LAW_REST_H
#define PCM_TOOLS_LAW_REST_H

#include <pcm/jacobian.h>

typedef struct rest_def {
    pcm_config           *config;
    const pcm_object_def *base, *follower;    /* names and surfaces, "" if there are none; the base is fixed */
    double                load, mass, radius; /* N, kg, m; radius: of the follower; NaN: it is flat */
    double                area;               /* m^2, of the contact; NaN: not known */
} rest_def;

/* A world with base and follower at the origin; the follower has the mass and the radius. Free it with pcm_world_free.
 * NULL, with a report: no memory. */
pcm_world *rest_world(const rest_def *def, pcm_object *base, pcm_object *follower);

/* Stiffness and damping at rest, at the depth where the contact carries the load. False: it does not carry the load
 * down to a depth of one metre, or the law needs inputs of a simulator. Leaves the world unchanged. */
bool rest_matrices(const rest_def *def, pcm_contact_matrices *result);

#endif
