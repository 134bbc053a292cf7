/* SPDX-License-Identifier: MIT */
/* rest.h - a body that rests on one contact under a load: what the contact is like there. */
#ifndef PCM_TOOLS_LAW_REST_H
#define PCM_TOOLS_LAW_REST_H

#include <pcm/jacobian.h>

typedef struct rest_def {
    pcm_config           *config;
    const pcm_object_def *base, *follower;    /* names and surfaces, "": none; the base is fixed */
    double                load, mass, radius; /* N, kg, m; radius: of the follower, NaN: it is flat */
    double                area;               /* m^2, of the contact; NaN: not known */
} rest_def;

/* A world with the base and the follower, which has the mass and the radius, at the origin; for pcm_world_free. NULL:
 * no memory, which has been reported. */
pcm_world *rest_world(const rest_def *def, pcm_object *base, pcm_object *follower);

/* Stiffness and damping at the depth at which the contact bears the load, at rest. False where it bears none up to a
 * depth of a metre, or the simulator has to say more. Leaves nothing behind. */
bool rest_matrices(const rest_def *def, pcm_contact_matrices *result);

#endif
