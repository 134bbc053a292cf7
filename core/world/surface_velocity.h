/* SPDX-License-Identifier: MIT */
/* surface_velocity.h - surfaces that move on their bodies: belts, turntables, driven rollers. */
#ifndef PCM_WORLD_SURFACE_VELOCITY_H
#define PCM_WORLD_SURFACE_VELOCITY_H

#include "world.h"

/* Room for the velocities of all objects, if there is none yet. False if there is no memory. */
bool pcm_surfaces_reserve(pcm_world *world);

/* Gives a new object the velocity of its surface's material. If that is not zero there is room. */
void pcm_surface_start(pcm_world *world, uint32_t object);

/* Sets what the next update reads, for an object, for which there is room; for all objects, that their surfaces are at
 * rest. */
void pcm_surface_set(pcm_world *world, uint32_t object, const pcm_twist *velocity);
void pcm_surfaces_clear(pcm_world *world);

/* The velocities that were set become those that the update reads. */
void pcm_surfaces_latch(pcm_world *world);

/* Whether the object's surface moves, as the next update will read it. */
bool pcm_surface_moves(const pcm_world *world, uint32_t object);

/* The number of objects whose surface moves. */
size_t pcm_surfaces_moving(const pcm_world *world);

/* Adds the velocity of the surface at a point, without its part along the normal, and its angular velocity: world axes,
 * of the last update. */
void pcm_surface_add(const pcm_world *world, uint32_t side, const double point[3], const double normal[3],
                     double linear[3], double angular[3]);

/* That of the follower's surface relative to the base's, at a contact: angular, linear. */
void pcm_surface_relative(const pcm_world *world, const pcm_record *record, const double point[3], double velocity[6]);

#endif
