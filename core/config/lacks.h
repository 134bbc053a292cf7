/* SPDX-License-Identifier: MIT */
/* lacks.h - properties that contact types need and surfaces lack: gathered over all that meet, and reported once for a
 * surface. */
#ifndef PCM_CONFIG_LACKS_H
#define PCM_CONFIG_LACKS_H

#include "mixing.h"

typedef struct pcm_lacks pcm_lacks;

/* What one surface lacks. */
typedef struct pcm_lack {
    const char         *surface;  /* "": not known */
    const pcm_material *material; /* NULL: it has none */
    const pcm_type     *type;     /* the first that needs it */
    const pcm_param    *param;    /* the first parameter that it is for */
    pcm_span            rule;     /* length 0: not known */
    const pcm_param   **property; /* the config's properties have room */
    uint32_t            count;
    bool                counted; /* in the report of another surface */
} pcm_lack;

struct pcm_lacks {
    pcm_reports *reports;
    pcm_names    surfaces; /* the number of a name is that of its lack */
    pcm_lack    *list;
    size_t       capacity;
    pcm_names   *told; /* NULL, or surfaces that were reported before: these are not */
};

/* Starts gathering for the reports; free it. */
pcm_lacks pcm_lacks_start(pcm_context *context, pcm_reports *reports);
void      pcm_lacks_free(pcm_context *context, pcm_lacks *lacks);

/* One side of a meeting lacks a property that the type needs for the parameter. */
void pcm_lacks_add(pcm_lacks *lacks, const pcm_meeting *meeting, size_t side, const pcm_param *property,
                   const pcm_param *param);

/* Reports each surface, those that lack the same together: errors. */
void pcm_lacks_report(pcm_lacks *lacks);

#endif
