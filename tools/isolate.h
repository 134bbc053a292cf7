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

/* The rest of the command in a process of its own. Returns true there; in the process that the user started, once the
 * other has ended: false, with *status as the command's. What the other may take of time and memory is limited; what
 * ends it before its time is reported. */
bool isolate(int *status);

/* What the command ends with: the process that the user started believes no other. Returns the status. */
int isolate_end(int status);

/* Gives up all that this process could do beside reading files, computing, and writing to what is open: from here on
 * the system refuses to open files for writing, to remove any, to start programs, to reach the network and other
 * processes; files beyond standard error are closed, and it ends with the process that began it. False where this
 * system cannot do so, which is reported. */
bool isolate_enter(void);

/* Whether this system can do so, tried in a process of its own; that it cannot is reported. */
bool isolate_can(void);

#endif
