/* SPDX-License-Identifier: MIT */
/* lacks.h - properties that contact types need and surfaces lack: collected over all pairs that meet, and reported once
 * for each surface. */
#ifndef PCM_CONFIG_LACKS_H
#define PCM_CONFIG_LACKS_H

#include "mixing.h"

typedef struct pcm_lacks pcm_lacks;

/* The properties that one surface lacks. */
typedef struct pcm_lack {
    const char         *surface;  /* "": not known */
    const pcm_material *material; /* NULL: it has none */
    const pcm_type     *type;     /* the first contact type that needs one */
    const pcm_param    *param;    /* the first parameter that needs one */
    pcm_span            rule;     /* length 0: not known */
    const pcm_param   **property; /* has room for all properties of the config */
    uint32_t            count;
    bool                counted; /* mentioned in the report of another surface */
} pcm_lack;

struct pcm_lacks {
    pcm_reports *reports;
    pcm_names    surfaces; /* a name's number is the index of its entry in list */
    pcm_lack    *list;
    size_t       capacity;
    pcm_names   *told; /* surfaces reported before, which are skipped; NULL: none */
};

/* Starts a collection for the reports; free it with pcm_lacks_free. */
pcm_lacks pcm_lacks_start(pcm_context *context, pcm_reports *reports);
void      pcm_lacks_free(pcm_context *context, pcm_lacks *lacks);

/* Records that one side of a meeting lacks a property that the type needs for the parameter. */
void pcm_lacks_add(pcm_lacks *lacks, const pcm_meeting *meeting, size_t side, const pcm_param *property,
                   const pcm_param *param);

/* Reports the surfaces as errors, those that lack the same properties together. */
void pcm_lacks_report(pcm_lacks *lacks);

#endif
