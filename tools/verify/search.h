/* SPDX-License-Identifier: MIT */
/* search.h - tries one check on many motions, in a child, and makes what it finds small. */
#ifndef PCM_TOOLS_VERIFY_SEARCH_H
#define PCM_TOOLS_VERIFY_SEARCH_H

#include "check.h"
#include "child.h"

typedef struct search_def {
    const subject_def *subject;
    uint64_t           seed;
    double             budget; /* s, for all checks together */
} search_def;

typedef enum search_result {
    SEARCH_GOOD,
    SEARCH_IDLE, /* the check is none for this law */
    SEARCH_FOUND,
    SEARCH_FAILED /* it could not be run */
} search_result;

/* In memory that parent and children share. */
typedef struct search {
    const search_def *def;
    const check      *check;
    double            seconds; /* of processor time that it may take */
    search_result     result;
    size_t            tries, refused; /* motions, and values that the law refused */
    bool              stopped;        /* the time was up before the tries were */
    const char       *reason;         /* of SEARCH_IDLE: why the check is none */
    finding           found;
    child_report      child;    /* how the child ended, where that is the finding */
    motion            smallest; /* that shows it */
    motion            current;
} search;

/* Runs the check; the result is in *s. Deterministic by the seed, as long as the time is not up: the count of tries
 * mostly ends it sooner. */
void search_run(search *s);

/* Makes a finding of how the child ended. */
void search_say_end(search *s);

#endif
