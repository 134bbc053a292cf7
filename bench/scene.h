/* SPDX-License-Identifier: MIT */
/* scene.h - many bodies in contact, twice: as a world of PCM stores them, and as a C programmer stores them for a
 * hand-written loop. Three contacts per body; the second body of a contact is near the first in memory, as neighbour
 * lists leave them. */
#ifndef PCM_BENCH_SCENE_H
#define PCM_BENCH_SCENE_H

#include "open_config.h"
#include <pcm/contact_shape.h>

typedef struct Body {
    double   position[3], angular[3], linear[3];
    double   force[3], torque[3];
    uint32_t surface;
} Body;

typedef struct Contact {
    uint32_t a, b;
    double   point[3], normal[3], depth;
    double   axis[3];                     /* x of the contact frame, for laws with a tangent state */
    double   stretch[2], next_stretch[2]; /* likewise */
} Contact;

typedef struct Scene {
    size_t   n_bodies, n_contacts;
    Body    *bodies;
    Contact *contacts;
    double   dt;

    Account            account; /* memory of the world and its config */
    pcm_context       *context;
    pcm_config        *config;
    pcm_world         *world;
    pcm_object        *objects;
    pcm_contact       *handles;
    double            *points, *normals, *depths; /* of the contacts, as a host keeps them in columns */
    pcm_contact_shape *shapes;                    /* NULL: scene_touch reports none */
    pcm_pose          *poses;
    pcm_twist         *twists;
    pcm_wrench        *wrenches;
} Scene;

/* All contacts are live and have taken one step. Each body has one of the surfaces S0, S1, ..., at random; the text of
 * the .pcm file must assign a contact type to every pair of them. def NULL: the world's defaults. */
Scene *scene_new(const char *text, size_t n_contacts, uint32_t n_surfaces, const pcm_world_def *def);

/* The same with a given number of contacts per body. */
Scene *scene_new_dense(const char *text, size_t n_contacts, size_t per_body, uint32_t n_surfaces,
                       const pcm_world_def *def);
void   scene_free(Scene *scene);

/* Reports one contact, by its pair and feature. */
pcm_contact scene_touch_one(const Scene *scene, size_t contact);

/* Reports every contact by its handle. */
void scene_touch(void *scene);

/* One evaluation with known contacts: the motion of every body, the laws, and every wrench. */
void scene_update(void *scene);

/* Ends the program unless the world's wrenches equal those in the bodies to `tolerance` of the largest. */
void scene_agree(const Scene *scene, double tolerance);

#endif
