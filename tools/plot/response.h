/* SPDX-License-Identifier: MIT */
/* response.h - the response of contact types to motions that show their character. */
#ifndef PCM_TOOLS_PLOT_RESPONSE_H
#define PCM_TOOLS_PLOT_RESPONSE_H

#include "picture.h"
#include "stand.h"

/* The range of the motion and its speed; m, m/s, s. */
typedef struct response_range {
    double depth, rate, slip, way, time, gap; /* gap: how far apart depths begin at least */
} response_range;

/* A kind of picture. */
typedef struct response {
    const char *name, *doc;
    const char *title, *x_label, *y_label;
    bool        is_map; /* shows only one contact type, whose law must have modes */
    /* Adds the curves of one contact type: several or, with `brief`, only the most typical one. */
    void (*draw)(stand *s, const response_range *range, bool brief, picture *p);
} response;

extern const response responses[]; /* ended by a NULL name */

#endif
