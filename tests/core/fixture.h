/* SPDX-License-Identifier: MIT */
/* fixture.h - a world of test laws, with a record of all messages of the library. */
#ifndef PCM_TESTS_CORE_FIXTURE_H
#define PCM_TESTS_CORE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <pcm/pcm.h>

enum { FIXTURE_MESSAGES = 64 };

typedef struct fixture {
    pcm_context *context;
    pcm_config  *config;
    pcm_world   *world;
    size_t       messages;
    uint32_t     code[FIXTURE_MESSAGES];
    char         text[FIXTURE_MESSAGES][256];
    size_t       allocations; /* number of allocations requested */
    size_t       limit;       /* number of allocations that succeed; 0: all */
    ptrdiff_t    bytes;       /* allocated now */
} fixture;

/* Opens a world under the configuration text, with the test laws or those of a search path; def may be NULL. Fails the
 * test if that is impossible. */
void fixture_open(fixture *f, const char *config, const pcm_world_def *def);
void fixture_open_with(fixture *f, const char *plugin_path, const char *config, const pcm_world_def *def);
void fixture_close(fixture *f);

/* Another world under the fixture's configuration. */
pcm_world *fixture_world(fixture *f, const pcm_world_def *def);

/* The number of messages with this code. */
size_t fixture_said(const fixture *f, uint32_t code);

/* Gives an object, upright, a position and a velocity. */
void place(pcm_world *world, pcm_object object, double x, double y, double z, double vx, double vy, double vz);

/* Reports a touch whose normal is along z, from the first object up to the second. */
pcm_contact touch(pcm_world *world, pcm_object a, pcm_object b, uint64_t feature, double x, double y, double depth);

pcm_contact touch_with(pcm_world *world, pcm_object a, pcm_object b, uint64_t feature, const double point[3],
                       const double normal[3], double depth);

/* Reports a touch by the contact's handle. False: the contact has ended. */
bool touch_again(pcm_world *world, pcm_contact contact, const double point[3], const double normal[3], double depth);

pcm_wrench wrench_of(pcm_world *world, pcm_object object);

/* A host's task runner that runs the tasks one after the other in the worst order. user: a size_t that counts the
 * runs. */
void run_backwards(void *user, pcm_task *task, void *argument, uint32_t count);

/* The next number of a repeatable sequence in [-1, 1). */
double noise(uint64_t *seed);

void assert_near(double value, double expected, double tolerance);

#endif
