/* SPDX-License-Identifier: MIT */
/* subject.h - what is tested, in every instruction set of this machine: a law with values for its parameters, a part of
 * a law behind a carrier, or a contact type of a file as it is written. */
#ifndef PCM_TOOLS_VERIFY_SUBJECT_H
#define PCM_TOOLS_VERIFY_SUBJECT_H

#include "command.h"
#include "rig.h"

enum {
    SUBJECT_SETS = PCM_ISA_AVX512 + 1,
    SUBJECT_PARTS = 8,
    SUBJECT_CARRIERS = 6,
    SUBJECT_PARAMS = 64,  /* parameters that are varied; those behind them stay at their defaults */
    SUBJECT_COLUMNS = 160 /* of motion, host inputs, amounts and states: more than the loader lets through */
};

typedef struct subject_def {
    const char         *plugins;    /* the folder that is searched first; NULL: none */
    const char         *model;      /* the law's name, or that of the contact type in the file */
    const option_texts *settings;   /* "Name=Value": parameters that are not varied */
    const char         *file;       /* NULL: a law; else the .pcm file of a contact type, whose values stay */
    const char         *surface[2]; /* between whose materials the type is; "": it needs none */
} subject_def;

typedef struct subject_set {
    pcm_context    *context;
    pcm_config     *config;
    const pcm_type *type;
} subject_set;

typedef struct subject {
    const subject_def   *def;
    uint32_t             carrier; /* 0: alone; else the law stands behind this one of the carriers */
    const pcm_model     *parts[SUBJECT_PARTS];
    size_t               n_parts;
    subject_set          sets[SUBJECT_SETS];
    size_t               n_sets;
    const pcm_model     *law;   /* whose parameters are varied; NULL: a type of a file */
    const pcm_model     *model; /* of the whole, once it has values */
    const pcm_type      *type;  /* with the best instruction set */
    const pcm_type_info *info;
    rig_law              history, trial;      /* of that type */
    size_t               n_motions, n_inputs; /* of the columns: motion; with host inputs, and amounts of both bodies */
    size_t               columns;             /* with states */
    double               values[SUBJECT_PARAMS]; /* of the parameters now */
} subject;

/* Loads it, which reports why it cannot be; a law has no values yet. carrier: as in a subject; false without a report
 * where that carrier is not installed or does not go with the law. Close the subject in either case. */
bool subject_open(subject *s, const subject_def *def, uint32_t carrier);
void subject_close(subject *s);

/* The same for a type that is there, with the values that it has and the instruction set that it would use. */
bool subject_borrow(subject *s, const pcm_type *type);

/* Gives the law's parameters these values: numbers in SI, indices of choices, of a list the size of its entries. False
 * where the law refuses them; sink hears why. */
bool subject_set_values(subject *s, const double *values, pcm_sink sink);

/* Writes them as a .pcm file with one contact type, Law, that leaves out what is as by default. */
void subject_write(const subject *s, const double *values, FILE *out);

/* The parameters that are varied. */
size_t           subject_param_count(const subject *s);
const pcm_param *subject_param(const subject *s, size_t index);
bool             subject_is_set(const subject *s, const pcm_param *param); /* by the settings */

/* Whether the law is a part: it reads what only earlier parts of a contact type give. */
bool subject_is_part(const subject *s);

/* Whether the type is put together from several laws. */
bool subject_is_sum(const subject *s);

/* Why a check that needs the force alone cannot be made, or one that needs all work that is done; NULL: it can. */
const char *subject_lacks_host(const subject *s);
const char *subject_hides_force(const subject *s); /* the same, or its force is along the base's axes */
const char *subject_is_driven(const subject *s);
const char *subject_lacks_work(const subject *s); /* the same, or it may do work on its own */

/* The friction coefficient of the cone: of parts the sum. NaN where it has none. */
double subject_friction(const subject *s);

#endif
