/* SPDX-License-Identifier: MIT */
/* isolate.h - laws of unknown origin run in a process of their own, which can read files, compute and answer, and
 * nothing else. */
#ifndef PCM_TOOLS_ISOLATE_H
#define PCM_TOOLS_ISOLATE_H

#include <stdbool.h>

/* Commands that load laws take --isolate: put this into their options. */
#define OPTION_ISOLATE(target)                                                                                         \
    {                                                                                                                  \
        .name = "--isolate", .doc = "run laws in a process of their own, which can only read files and answer",        \
        .flag = (target)                                                                                               \
    }

/* Runs the rest of the command in a process of its own. Returns true there. In the process that the user started it
 * returns false once the other has ended, with *status as the command's exit status. The other's time and memory are
 * limited; an early end of it is reported. */
bool isolate(int *status);

/* Reports the command's exit status to the process that the user started, which trusts no other end. Returns status. */
int isolate_end(int status);

/* Gives up every right of this process but to read files, to compute, and to write to open files. From here on the
 * system refuses to open files for writing, to remove any, to start programs, and to reach the network or other
 * processes. Files beyond standard error are closed, and the process ends when its parent does. False, and reported,
 * where this system cannot do so. */
bool isolate_enter(void);

/* Whether this system can do so, tried in a process of its own; false is reported. */
bool isolate_can(void);

#endif
