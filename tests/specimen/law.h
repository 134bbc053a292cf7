/* SPDX-License-Identifier: MIT */
/* law.h - the parameters of Specimen. */
#ifndef PCM_TESTS_SPECIMEN_LAW_H
#define PCM_TESTS_SPECIMEN_LAW_H

#include <pcm/plugin.h>

typedef struct {
    double      k, b, angle, mu, fraction;
    int64_t     count, smooth, method;
    const char *label;
    pcm_list    table;
    double      limit, grip;
} Law;

#endif
