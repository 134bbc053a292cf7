/* SPDX-License-Identifier: MIT */
/* host.h - one attachment of a world to an mjModel and mjData. */
#ifndef PCM_MUJOCO_HOST_H
#define PCM_MUJOCO_HOST_H

#include "scene.h"
#include <setjmp.h>

/* An object of the scene that a law serves. */
typedef struct pcm_served {
    const char *name;
    uint32_t    served; /* how many objects were served before it */
    pcm_object  handle;
    int         geom, site, body;
    bool        fixed;
} pcm_served;

/* A pair that a law serves. */
typedef struct pcm_served_pair {
    uint32_t        a, b;    /* indices of served objects, in MuJoCo's order */
    double          margin;  /* m, the largest gap that is reported */
    mjfCollision    collide; /* MuJoCo's own function; NULL for a point and a plane */
    bool            single;  /* MuJoCo finds one point, which jumps: the pair is one feature */
    double          same;    /* m, points of two evaluations are one feature when they are nearer than this */
    const char     *name_a, *name_b;
    const pcm_type *type;
    uint32_t        next_feature;
} pcm_served_pair;

/* What tells at a glance that a served pair is too far apart to touch. */
typedef struct pcm_glance {
    int    geom_a, geom_b;
    double reach; /* m, between the centres of their bounding spheres; infinite where one has none */
} pcm_glance;

#define PCM_NO_RULE UINT32_MAX /* too large for an enumerator */

/* A pair that stays with MuJoCo. */
typedef struct pcm_native_pair {
    int64_t  key;              /* of the two geoms; the pairs are sorted by it */
    uint32_t rule;             /* that leaves it there, or PCM_NO_RULE */
    bool     touches, touched; /* in this step, in the one before */
    bool     told;             /* that it has no rule */
} pcm_native_pair;

/* A point of contact, or near contact, of a served pair. */
typedef struct pcm_spot {
    uint32_t pair, feature;
    double   local[3]; /* the witness on the second geom, in that geom's axes: what stays put as others come and go */
    double   point[3], normal[3], depth;
    pcm_contact contact;
    bool        taken;   /* matched by a point of the evaluation at hand */
    bool        known;   /* matches a point of the last commit, and */
    bool        touched; /* whether the world was told of it */
} pcm_spot;

typedef struct pcm_spots { /* in order of pair */
    pcm_spot *items;
    size_t    count, capacity;
} pcm_spots;

/* A live contact whose states go through the stages of RK4. */
typedef struct pcm_staged {
    pcm_contact contact;
    size_t      offset, count; /* of its states among the values */
} pcm_staged;

typedef struct pcm_stages {
    uint32_t    stage;
    pcm_staged *contacts;
    double     *start, *rate, *sum, *trial; /* per state value: at the step's start, of the last stage, weighted */
    size_t      n_contacts, n_values, contact_capacity, value_capacity;
} pcm_stages;

struct pcm_mujoco {
    pcm_context   *context;
    pcm_config    *config;
    pcm_world     *world;
    const mjModel *model;
    mjData        *data;
    pcm_scene      scene; /* keeps the names */

    pcm_served      *objects;
    pcm_served_pair *pairs;
    pcm_glance      *glances; /* one for each pair, side by side: most pairs are looked at no further */
    size_t           n_objects, n_pairs, object_capacity, pair_capacity;
    unsigned char   *owned; /* ngeom by ngeom: 1 where the pair is served */

    pcm_native_pair *natives;
    size_t           n_natives, native_capacity;
    uint32_t        *touching; /* those that touched in the last step */
    size_t           n_touching, touching_capacity;
    pcm_rule_stats  *native_stats; /* per rule */

    pcm_spots kept; /* of the last commit */
    pcm_spots seen; /* of the last evaluation */
    pcm_spots merged;

    double *user_force;  /* nbody by 6: xfrc_applied without our share */
    double *applied;     /* nbody by 6: with it, as we left it */
    bool   *has_share;   /* nbody */
    bool   *served_body; /* nbody: a served object is part of it */
    bool    senses;      /* the model has sensors that feel forces on bodies, but not on joints */

    pcm_mujoco_solver solver;
    bool              has_solver;
    pcm_stages        stages;

    uint64_t   evaluations;
    pcm_status status;      /* the first of the call at hand that was not PCM_OK */
    bool       in_own_call; /* pcm_mujoco_step or pcm_mujoco_forward is at work */
    bool       reset;       /* MuJoCo threw the state away during the call at hand */
};

/* detect.c: fills host->seen with every spot of every served pair at data's positions, features matched with kept. */
pcm_status pcm_mujoco_detect(pcm_mujoco *host, mjData *data);
/* After a commit: seen becomes kept. Spots gone whose contact lives on stay, so that a new touch there finds it. */
pcm_status pcm_mujoco_keep(pcm_mujoco *host);

/* stages.c: the four stages of RK4 for continuous contact states, beside MuJoCo's own. */
pcm_mujoco_solver pcm_stages_solver(pcm_mujoco *host);
pcm_status        pcm_stages_finish(pcm_mujoco *host); /* evaluates at the step's end, for the commit */
void              pcm_stages_free(pcm_mujoco *host);

/* native.c */
pcm_status pcm_native_reserve(pcm_mujoco *host, size_t pairs);
void       pcm_native_free(pcm_mujoco *host);
void       pcm_native_add(pcm_mujoco *host, int geom_a, int geom_b, uint32_t rule);
void       pcm_native_sort(pcm_mujoco *host);
void       pcm_native_observe(pcm_mujoco *host); /* at each commit: looks at MuJoCo's contacts */

/* evaluate.c */
/* Motion, touches and update at data's positions and velocities; no forces are applied. */
pcm_status pcm_mujoco_update(pcm_mujoco *host, mjData *data);
void       pcm_mujoco_evaluate(pcm_mujoco *host, mjData *data);

/* process.c: what is shared by the whole process. */
void         pcm_process_hook_in(void);           /* puts our hooks in front of what is there, once */
pcm_status   pcm_process_enter(pcm_mujoco *host); /* makes the host known to the callbacks */
void         pcm_process_leave(pcm_mujoco *host);
mjfCollision pcm_process_collision(int type_a, int type_b); /* MuJoCo's own */
bool         pcm_process_convex(int type_a, int type_b);    /* by the general convex algorithm */

/* Runs call(user) with MuJoCo's errors and warnings going to the context; false after an error. */
bool pcm_process_guard(pcm_context *context, void (*call)(void *user), void *user);

#endif
