/* SPDX-License-Identifier: MIT */
/* export.h - what the files of `pcm export` share: the contact types of a header, and what stands in its structs. */
#ifndef PCM_TOOLS_EXPORT_H
#define PCM_TOOLS_EXPORT_H

#include <stdbool.h>
#include <stdio.h>
#include <pcm/pcm.h>

#include "command.h"

enum { EXPORT_NAME = 160, EXPORT_PARTS = 8 };

/* One number of a contact. */
typedef struct export_field {
    char        name[EXPORT_NAME]; /* in the header */
    char        lane[64];          /* in lane.h's lane_contact */
    const char *unit, *doc;
    bool        whole; /* a whole number */
    bool        again; /* the same as an earlier one: laws of a sum may read the same amount */
} export_field;

typedef struct export_fields {
    export_field *at;
    size_t        count, room;
    bool          lacks_memory;
} export_fields;

/* A law of a type, and where its columns begin. */
typedef struct export_part {
    const pcm_model *model;
    const char      *params;      /* its parameter struct, prepared; of floats with --float */
    size_t           params_size; /* bytes */
    size_t          *offset;      /* of each entry of its table in that struct */
    size_t           first_param; /* index of its first entry in the type's table */
    uint32_t         state, n_state, host_input, n_host_input, event, amount;
    char            *own; /* memory to free with it; NULL: the struct is the type's */
    void            *object;
} export_part;

typedef struct export_type {
    const pcm_type      *type;
    const pcm_type_info *info;
    char                 name[EXPORT_NAME];
    export_part          part[EXPORT_PARTS];
    uint32_t             n_parts;
    export_fields        contact, state, result, report;
    export_fields        params; /* with --free: the words of the laws' parameters */
    size_t              *free;   /* the free parameters, entries of the model's table, in the order of the call */
    size_t               n_free;
} export_type;

typedef struct export_job {
    const char   *path; /* of the .pcm file */
    const char   *free; /* names, separated by commas; NULL: none */
    option_texts  between, settings, sources;
    bool          single;       /* numbers are floats */
    bool          shapes;       /* contacts have curvatures, lines and flats, not a radius alone */
    char          folder[4096]; /* for what clang reads and writes; "": not yet made */
    pcm_context  *context;
    pcm_config   *config;
    export_type **types;
    size_t        n_types;
    bool          whole_file; /* no type was named: the header has the table of surfaces */
    int           wrote;      /* calls of the glue that have a name so far */
} export_job;

/* Reports that something cannot be exported; format as printf. place may be NULL. Returns false. */
bool export_refuse(const pcm_place *place, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes `text` as an identifier of every language that a header is for; `prefix` may be NULL. */
void export_identifier(char name[EXPORT_NAME], const char *prefix, const char *text);

/* Adds a type, whose name in the header ends in `suffix`. False, with a report. */
bool export_add_type(export_job *job, const pcm_type *type, const char *suffix);
void export_free_types(export_job *job);

bool export_has_rates(const pcm_model *model); /* a continuous state */
bool export_has_jumps(const pcm_model *model); /* an event at which states jump */

/* Writes the C of all types, which reads and writes the header's numbers. */
void export_write_glue(export_job *job, FILE *out);

/* Writes the header without the functions' bodies, as lower.c reads it. */
void export_write_header(const export_job *job, FILE *out);

/* The table of surfaces: finds the types of all pairs, then writes it. */
bool export_find_surfaces(export_job *job);
void export_write_surfaces(const export_job *job, FILE *out);

/* Makes the temporary folder; removes it with all in it. */
bool export_open_folder(export_job *job);
void export_close_folder(const export_job *job);

/* Writes the C file of a law in the folder, unless it is there. */
bool export_write_law(const export_job *job, const pcm_model *model);

/* A part's parameters in single precision: the law is compiled, and its own code prepares them. */
bool export_prepare_single(const export_job *job, const export_type *type, export_part *part);
void export_release_single(export_part *part);

/* Runs a shell script, for which $1 is the folder, $2 pcm-lower and $3 options of clang; its exit status. */
int export_script(const export_job *job, const char *script);

/* Compiles the glue and the laws, and completes the header: its text, to be freed. NULL, with a report. */
char *export_compile(export_job *job, size_t *length);

#endif
