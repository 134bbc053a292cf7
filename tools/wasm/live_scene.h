/* SPDX-License-Identifier: MIT */
/* live_scene.h - the objects of a live scene, their shapes, and the pairs that a law serves. */
#ifndef PCM_TOOLS_WASM_LIVE_SCENE_H
#define PCM_TOOLS_WASM_LIVE_SCENE_H

#include <pcm/geometry.h>

enum { LIVE_ALIASES = 4 };

/* As in live_object. */
typedef struct live_object_def {
    char       *names;
    const char *surface;
    bool        fixed, site, said;
    double      radius, mass, yields;
} live_object_def;

typedef struct live_body {
    char         *names, *surface; /* own copies */
    const char   *label, *aliases[LIVE_ALIASES + 1];
    bool          fixed, site, said, placed, meant; /* meant: a rule speaks of the site */
    double        radius, mass, yields;
    pcm_pose      own;     /* of the world's object, in the axes of the motion */
    int           kind;    /* of the shape; -1: none */
    double        turn[4]; /* of the shape, in the axes of the motion */
    pcm_geometry *shape, *smooth;
    pcm_object    object, entered; /* in the present world, and in the one that it entered last */
    pcm_pose      pose, seat;      /* of the object, and of its shape */
    pcm_twist     twist;           /* of the object */
    double        ball;            /* m, about the shape's origin, that contains it; infinite for grounds */
    double        load;            /* contacts that press on the body */
} live_body;

typedef struct live_pair {
    uint32_t        a, b;
    bool            apart;     /* no contact comes: the bodies never collide */
    int             rule;      /* -1: none */
    const pcm_type *type;      /* the law's, between the materials of both; NULL: no law serves it */
    bool            shapeless; /* a law would serve it, but its objects have no shapes that meet */
    double          reach;     /* m */
    bool            shaped, smooth;
} live_pair;

typedef struct live_scene {
    pcm_context *context; /* of the shapes */
    live_body   *bodies;
    size_t       n_bodies, body_capacity;
    live_pair   *pairs;
    size_t       n_pairs;
    double      *room, *motion, *wrenches;
    size_t       room_count;
} live_scene;

double *live_scene_room(live_scene *scene, size_t count);
void    live_scene_clear(live_scene *scene);
int     live_scene_object(live_scene *scene, const live_object_def *def);
bool    live_scene_shape(live_scene *scene, size_t object, int kind, const double dimensions[3]);
bool    live_scene_pairs(live_scene *scene, size_t count);

/* Which pairs the rules give to a law; false, with a report: two materials do not determine its parameters. */
bool live_scene_rules(live_scene *scene, const pcm_config *config);

/* Adds all objects to a new world; false: no memory. live_scene_change: that world is the present one from now on. */
bool live_scene_enter(live_scene *scene, pcm_world *world);
void live_scene_change(live_scene *scene);

/* Whether bodies of a pair that a law serves are apart, but may touch within a step at their present velocity. */
bool live_scene_approaches(const live_scene *scene, double step);

/* Passes on the motion, `ahead` s later at its present velocity; then the touches of all pairs that a law serves. */
void live_scene_move(live_scene *scene, pcm_world *world, double ahead);
void live_scene_touch(live_scene *scene, pcm_world *world);

/* A wrench for each object, about the centre of mass of its body. */
const double *live_scene_wrenches(live_scene *scene, pcm_world *world);

/* The number of an object; -1: none. */
double live_scene_number(const live_scene *scene, pcm_object object);

/* How many contacts press on each body, and the mass that one between two bodies moves. */
void   live_scene_forget_loads(live_scene *scene);
void   live_scene_load(live_scene *scene, size_t a, size_t b);
double live_scene_mass(const live_scene *scene, size_t a, size_t b);

#endif
