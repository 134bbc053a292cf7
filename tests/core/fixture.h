/* SPDX-License-Identifier: MIT */
/* fixture.h - a world of test laws, with everything that the library says of it. */
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
    size_t       allocations; /* that were asked for */
    size_t       limit;       /* how many of them succeed; 0: all */
    ptrdiff_t    bytes;       /* that are allocated */
} fixture;

/* A world under the configuration text, with the test laws or those of a search path; def may be NULL. Fails the test
 * where there is none. */
void fixture_open(fixture *f, const char *config, const pcm_world_def *def);
void fixture_open_with(fixture *f, const char *plugin_path, const char *config, const pcm_world_def *def);
void fixture_close(fixture *f);

/* Another world under the fixture's configuration. */
pcm_world *fixture_world(fixture *f, const pcm_world_def *def);

/* How many messages had this code. */
size_t fixture_said(const fixture *f, uint32_t code);

/* Puts an object upright at a place with a velocity. */
void place(pcm_world *world, pcm_object object, double x, double y, double z, double vx, double vy, double vz);

/* Touches with the normal along z, from the first object up to the second. */
pcm_contact touch(pcm_world *world, pcm_object a, pcm_object b, uint64_t feature, double x, double y, double depth);

pcm_contact touch_with(pcm_world *world, pcm_object a, pcm_object b, uint64_t feature, const double point[3],
                       const double normal[3], double depth);

/* By its handle alone. False: the contact has ended. */
bool touch_again(pcm_world *world, pcm_contact contact, const double point[3], const double normal[3], double depth);

pcm_wrench wrench_of(pcm_world *world, pcm_object object);

/* A host's runner that takes the tasks in the worst order, one after the other. user: a size_t that counts the runs. */
void run_backwards(void *user, pcm_task *task, void *argument, uint32_t count);

/* A repeatable number in [-1, 1). */
double noise(uint64_t *seed);

void assert_near(double value, double expected, double tolerance);

#endif
