/* SPDX-License-Identifier: MIT */
/* isolate.h - runs laws in a process of their own, which can read files, compute and return results, and nothing
 * else. */
#ifndef PCM_TOOLS_ISOLATE_H
#define PCM_TOOLS_ISOLATE_H

#include <stdbool.h>

/* The option of commands that load laws. */
#define OPTION_ISOLATE(target)                                                                                         \
    {                                                                                                                  \
        .name = "--isolate", .doc = "run laws in a process of their own, which can only read files and answer",        \
        .flag = (target)                                                                                               \
    }

/* With --isolate: continues in a process of its own, whose rights, time (PCM_ISOLATE_SECONDS) and memory are limited.
 * In that process it returns true. In the process that the user started it returns false once the other has ended, with
 * *status as the command's exit status. If the other ends early, or if the system cannot confine it, that is reported;
 * in the second case no law runs. */
bool isolate(int *status);

/* The same for commands that only read. Without --isolate only the rights are limited; if the system cannot limit them,
 * the command runs without limits. */
bool isolate_reader(bool asked, int *status);

/* Passes the command's exit status to the process that the user started. That process accepts no other end, since a law
 * may end its process. Every command ends with this call. Returns status. */
int isolate_end(int status);

/* Limits this process from here on to reading files, computing, and writing to standard output and error. The system
 * refuses to open files for writing, to remove files, to start programs, and to reach the network or other processes.
 * All other files are closed, and the process ends with its parent. False, with a report: the system cannot do so. */
bool isolate_enter(void);

/* Whether this system can do so, tried in a separate process; false is reported. */
bool isolate_can(void);

#endif
