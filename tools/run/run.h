/* SPDX-License-Identifier: MIT */
/* run.h - one simulation of the run command: its options, its state, its output. */
#ifndef PCM_TOOLS_RUN_RUN_H
#define PCM_TOOLS_RUN_RUN_H

#include <pcm/mujoco.h>

#include "stable_step.h"
#include "thrown.h"
#include "command.h"
#include "clouds.h"
#include "controls.h"
#include "given.h"
#include "csv.h"
#include "progress.h"
#include "sensing.h"
#include "trajectory.h"

typedef struct run_options {
    const char  *scene, *rules; /* files */
    const char  *plugins, *keyframe, *controls, *log, *out, *solver;
    const char  *states, *events, *given, *sense;
    const char  *save, *resume, *replay;   /* files */
    double       time, step, every, often; /* s; step 0: the scene's; every 0: each step; often 0: only at the end */
    double       rtol, atol, ease;
    option_robot robot;
    option_texts surfaces, settings, clouds;
    bool         energy; /* keeps an account of energy */
    bool         depth;  /* the table has a column for it */
    bool explicit, engine_boxes, engine_convex, collisions;
} run_options;

/* A saved run: see checkpoint.h. */
typedef struct checkpoint {
    const char *path; /* NULL: there is none */
    uint8_t    *bytes;
    size_t      size;
} checkpoint;

typedef struct run {
    const run_options *options;
    pcm_context       *context;
    pcm_config        *config;
    mjModel           *model;
    mjData            *data;
    pcm_mujoco        *host;
    series             controls;
    given              given;
    csv_writer         trajectory, events;
    bool               writes_trajectory, writes_events;
    sensing_table      sensing;
    double             start, end; /* s */
    double             reached;    /* s: the time of the last good step, which MuJoCo's reset does not change */
    size_t             rows;       /* rows of the trajectory: the next is due at start + rows * every */
    size_t             steps;      /* number of steps done, of fixed length */
    checkpoint         resumed;
    struct {
        uint64_t controls, given, clouds, laws;
    } hashes;           /* of the tables that were read, 0: there is no such table; of the files of the laws */
    bool         tries; /* a checkpoint is being read: warnings that will come again later are dropped */
    progress     bar;
    advice       advice; /* for fixed steps */
    thrown       thrown; /* likewise */
    bool         advised;
    struct page *page;   /* the recording; NULL: none */
    size_t       faults; /* number of contacts without a force, which end the run; then the first of them: */
    uint32_t     fault_code;
    char         fault[512];
} run;

/* Writes the row of the trajectory that is due at data's time, and updates the progress bar. */
void run_record(run *r);

/* Shows progress, at most ten times a second, if standard error is a terminal. */
void run_show_progress(run *r);

/* Whether a row is due; always with `every` 0. */
bool run_row_due(const run *r);

/* record.c: the page of the run that --replay names. record_begin: after the attachment; false, with a report, on
 * failure. record_energies: before a step of MuJoCo; without this call energies are computed in each step. record_step:
 * after each step. record_end: prints the page's size and frees it; false, with a report: the page could not be written
 * completely. Without --replay these functions do nothing. */
bool record_begin(run *r);
void record_energies(run *r);
void record_step(run *r);
bool record_end(run *r);

/* initial_states.c: sets the contact states from the table of --states. */
bool run_start_contacts(run *r);

/* run_cvode.c: advances to the end with CVODE; false after an error. */
bool run_with_cvode(run *r);

/* summary.c: the result of each rule, on standard output. */
void summary_print(const run *r);

#endif
