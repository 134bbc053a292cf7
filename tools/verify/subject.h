/* SPDX-License-Identifier: MIT */
/* subject.h - the law under test, with values for its parameters, in every instruction set of this machine. */
#ifndef PCM_TOOLS_VERIFY_SUBJECT_H
#define PCM_TOOLS_VERIFY_SUBJECT_H

#include "command.h"
#include "rig.h"

enum {
    SUBJECT_SETS = PCM_ISA_AVX512 + 1,
    SUBJECT_PARAMS = 64,  /* parameters that are varied; those behind them stay at their defaults */
    SUBJECT_COLUMNS = 160 /* of motion, host inputs, amounts and states: more than the loader lets through */
};

typedef struct subject_def {
    const char         *plugins;  /* the folder that is searched first; NULL: none */
    const char         *model;    /* its name */
    const option_texts *settings; /* "Name=Value": parameters that are not varied */
} subject_def;

typedef struct subject_set {
    pcm_context    *context;
    pcm_config     *config;
    const pcm_type *type;
} subject_set;

typedef struct subject {
    const subject_def   *def;
    subject_set          sets[SUBJECT_SETS];
    size_t               n_sets;
    const pcm_model     *model;
    const pcm_type      *type; /* with the best instruction set */
    const pcm_type_info *info;
    rig_law              history, trial;      /* of that type */
    size_t               n_motions, n_inputs; /* of the columns: motion; with host inputs, and amounts of both bodies */
    size_t               columns;             /* with states */
    double               values[SUBJECT_PARAMS]; /* of the parameters now */
} subject;

/* Loads the law, which reports why it cannot be; it has no values yet. Close the subject in either case. */
bool subject_open(subject *s, const subject_def *def);
void subject_close(subject *s);

/* The same for a type that is there, with the values that it has and the instruction set that it would use. */
bool subject_borrow(subject *s, const pcm_type *type);

/* Gives the parameters these values: numbers in SI, indices of choices, of a list the size of its entries. False where
 * the law refuses them; sink hears why. */
bool subject_set_values(subject *s, const double *values, pcm_sink sink);

/* Writes them as a .pcm file with one contact type, Law, that leaves out what is as by default. */
void subject_write(const subject *s, const double *values, FILE *out);

size_t subject_param_count(const subject *s);
bool   subject_is_set(const subject *s, const pcm_param *param); /* by the settings */

/* Whether the values make the law read what only a host can give. */
bool subject_reads_host(const subject *s);

/* Whether work comes from beside the motion: by loads of earlier parts, or by inputs in whose place no parameter
 * stands.
 */
bool subject_is_driven(const subject *s);

/* The largest friction coefficient of the law's cone; NaN where it has none. */
double subject_friction(const subject *s);

#endif
