/* SPDX-License-Identifier: MIT */
/* kit.h - scenes that every host passes through four functions: make, step, look, free. The ground is a plane at z = 0
 * called Ground; the bodies are balls and boxes. */
#ifndef PCM_TEST_KIT_H
#define PCM_TEST_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pcm/pcm.h>

enum { KIT_BODIES = 4 };

typedef struct kit_body {
    const char *name;
    double      radius;  /* m; 0: a box */
    double      half[3]; /* m, of a box */
    double      mass;    /* kg */
    double      at[3], velocity[3], spin[3];
} kit_body;

typedef struct kit_scene {
    const char *rules;
    double      step, gravity[3];
    size_t      count;
    kit_body    bodies[KIT_BODIES];
} kit_scene;

typedef struct kit_motion {
    double at[3], velocity[3], spin[3];
} kit_motion;

/* An engine: what make returns is passed to the others. A step that fails fails the test. After them, what its numbers
 * and its integrator lose, in SI units, with the reason where it is more than the digits of doubles. */
typedef struct kit_engine {
    void *(*make)(const kit_scene *scene, pcm_context *context, pcm_config *config);
    void (*step)(void *engine);
    kit_motion (*look)(void *engine, size_t body);
    void (*free)(void *engine);
    pcm_world *(*world)(void *engine); /* NULL: the engine shows none, and contacts are not counted */
    bool   solves;                     /* has contacts of its own in the scenes, where no rule gives a law */
    double place, slip, momentum;
} kit_engine;

/* A damped ball that falls on the ground, for tests of one engine alone. */
extern const kit_scene kit_ball;

/* Runs all scenes; returns the number of those that failed. */
int kit_run(const kit_engine *engine);
/* Runs the scenes of balls, for an engine that has no boxes and reports messages of rules itself. */
int kit_run_balls(const kit_engine *engine);

#endif
