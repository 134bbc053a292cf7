/* SPDX-License-Identifier: MIT */
/* mujoco_fixture.h - a scene and rules, both given as text, attached and ready to step. */
#ifndef PCM_TEST_MUJOCO_FIXTURE_H
#define PCM_TEST_MUJOCO_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pcm/mujoco.h>

#include "../support/budget.h"

typedef struct fixture {
    budget       memory; /* the context's memory; 0 at the end */
    pcm_context *context;
    pcm_config  *config;
    mjModel     *model;
    mjData      *data;
    pcm_mujoco  *host;
    uint32_t     codes[64]; /* codes of the messages, in order */
    size_t       n_codes;
    char         last[512]; /* the last message */
} fixture;

/* The defaults, but for explicit steps, in which MuJoCo gets the laws' forces as they are. */
pcm_mujoco_def fixture_defaults(void);

/* Attaches under these. scene: the XML inside <mujoco>. */
void fixture_open(fixture *f, const char *scene, const char *rules);
/* file: an MJCF or URDF file. */
void fixture_open_file(fixture *f, const char *file, const char *rules);
void fixture_close(fixture *f);

/* Attaches again, with all pairs of geoms left to MuJoCo. */
void fixture_use_engine_pairs(fixture *f);
/* Attaches again, with or without contacts of laws in mjData.contact. */
void fixture_list_contacts(fixture *f, bool lists);
/* Attaches again, with an energy ledger. */
void fixture_keep_ledger(fixture *f);

/* A box that is pushed and dragged over ground with history states. The force before each step depends on the step's
 * number. */
extern const char fixture_box_scene[], fixture_box_rules[];
void              fixture_push(fixture *f, int step);

/* Fails the test if a step fails. */
void fixture_step(fixture *f, int steps);

/* The number of live contacts, and the number that all rules have made so far. */
size_t   fixture_live(const fixture *f);
uint64_t fixture_made(const fixture *f);

size_t fixture_said(const fixture *f, uint32_t code);

/* The tolerance is relative if wanted is not 0; numbers that are not finite fail. */
#define assert_near(value, wanted, tolerance) assert_near_(value, wanted, tolerance, __FILE__, __LINE__)
void assert_near_(double value, double wanted, double tolerance, const char *file, int line);

#endif
