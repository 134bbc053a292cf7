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

/* With --isolate: goes on in a process of its own, whose rights, time (PCM_ISOLATE_SECONDS) and memory are limited.
 * Returns true there. In the process that the user started it returns false once the other has ended, with *status as
 * the command's: an early end and a system that cannot confine are reported, and no law runs there. */
bool isolate(int *status);

/* The same for commands that only read. Where nobody asked for it, rights alone are limited, and a system that cannot
 * do so runs the command as it is. */
bool isolate_reader(bool asked, int *status);

/* Every command ends with this: a law may end its process, so the process that the user started goes by no other
 * status. Returns the status. */
int isolate_end(int status);

/* Limits this process from here on to reading files, computing, and writing to standard output and error: the system
 * refuses to open files for writing, to remove files, to start programs, to reach the network and other processes. All
 * other files are closed, and the process ends with the one that began it. False where this system cannot do so, which
 * is reported. */
bool isolate_enter(void);

/* Whether this system can do so, tried in a process of its own; that it cannot is reported. */
bool isolate_can(void);

#endif
