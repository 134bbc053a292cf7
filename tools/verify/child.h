/* SPDX-License-Identifier: MIT */
/* child.h - code of a law runs in a process of its own: what it does to that process is a finding. */
#ifndef PCM_TOOLS_VERIFY_CHILD_H
#define PCM_TOOLS_VERIFY_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/* How a child ended. */
typedef enum child_end {
    CHILD_DONE,
    CHILD_NONE,    /* the system gave no process */
    CHILD_CRASHED, /* a signal */
    CHILD_STACK,   /* the stack ran out */
    CHILD_HUNG,    /* it did not come back in time */
    CHILD_LEFT,    /* it ended its process itself */
    CHILD_CALLED,  /* it called a function while child_trap held */
    CHILD_TOUCHED, /* it wrote static data that child_protect watches */
    CHILD_LATE,    /* it waits for something, without end */
    CHILD_SLOW     /* it works, but had too little of the processor: no finding */
} child_end;

typedef struct child_report {
    child_end end;
    int       signal;    /* of CHILD_CRASHED */
    char      name[128]; /* of CHILD_CALLED: the function */
} child_report;

/* Memory that parent and children share, zeroed; NULL when there is none. */
void *child_share(size_t bytes);
void  child_unshare(void *memory, size_t bytes);

/* Runs the work in a child, and ends it some time after so many seconds; silent: what it prints is lost. */
child_report child_run(void (*work)(void *), void *argument, double seconds, bool silent);

/* Whether children are isolated, as isolate.h means it; they are not by default. */
void child_isolate(bool wanted);

/* Within a child: the next stretch of work may take a few seconds of processor time, else the child has hung. */
void child_start_clock(void);

/* Within a child: from here on, writes to the static data of the plugin that has this place end the child. */
void child_protect(const void *place);

/* Within a child, after child_protect: until child_untrap, calls of functions from outside the plugin end the child.
 * memcpy and its like, which compilers write themselves, are let through. */
void child_trap(void);
void child_untrap(void);

#endif
