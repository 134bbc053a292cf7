/* SPDX-License-Identifier: MIT */
/* isolate.h - laws run in a process of their own, which can read files, compute and answer, and nothing else. */
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
 * Returns true there. In the process that the user started it returns false once the other has ended, with *status as
 * the command's exit status. An early end, and a system that cannot confine, are reported; no law runs then. */
bool isolate(int *status);

/* The same for commands that only read. Without --isolate only rights are limited, and where the system cannot limit
 * them the command runs without limits. */
bool isolate_reader(bool asked, int *status);

/* Reports the command's exit status to the process that the user started, which trusts no other end: a law may end its
 * process. Every command ends with this call. Returns status. */
int isolate_end(int status);

/* Limits this process from here on to reading files, computing, and writing to standard output and error. The system
 * refuses to open files for writing, to remove files, to start programs, and to reach the network or other processes.
 * All other files are closed, and the process ends with its parent. Returns false, and reports it, where the system
 * cannot do so. */
bool isolate_enter(void);

/* Whether this system can do so, tried in a separate process; false is reported. */
bool isolate_can(void);

#endif
