/* SPDX-License-Identifier: MIT */
/* crash.h - names the law that makes the program, or a child process, crash or end. */
#ifndef PCM_TOOLS_CRASH_H
#define PCM_TOOLS_CRASH_H

#include <pcm/called.h>
#include <pcm/pcm.h>

/* Call it before a fork: the calls that the child records can then be described in the parent. */
void crash_share(void);

/* From here on the context records its calls; a crash, an exit or an abort within one names the law. */
void crash_watch(pcm_context *context);

/* The same for the updates of a world, one world at a time; NULL: the update is over. */
void crash_watch_world(const pcm_world *world);

/* Call it around a call that no context records; NULL: the call is over. */
void crash_call(const pcm_type *type, const char *function);

/* In a signal handler: names the running law, if any, and describes what happened. */
void crash_tell(const char *what);

/* "update of the law L (contact type 'T')" for the recorded call; false: there is none. Even if a law has overwritten
 * the record, nothing is read outside it. */
bool crash_describe(char *text, size_t size);

/* For a child process that its parent watches: nothing is reported in the child. */
void crash_leave_to_parent(void);

#endif
