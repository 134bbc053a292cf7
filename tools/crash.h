/* SPDX-License-Identifier: MIT */
/* crash.h - names the law that crashes or ends the program, or a child process. */
#ifndef PCM_TOOLS_CRASH_H
#define PCM_TOOLS_CRASH_H

#include <pcm/called.h>
#include <pcm/pcm.h>

/* Before a fork: the calls that the child notes can then be described here. */
void crash_share(void);

/* From here on the context notes its calls; a crash, an exit or an abort within one names the law. */
void crash_watch(pcm_context *context);

/* The same for the updates of a world, one world at a time; NULL: the update is over. */
void crash_watch_world(const pcm_world *world);

/* Around a call that no context notes; NULL: the call is over. */
void crash_call(const pcm_type *type, const char *function);

/* In a signal handler: names the running law, if any, and what it did. */
void crash_tell(const char *what);

/* "update of the law L (contact type 'T')" of the noted call; false: there is none. Even where a law has overwritten
 * it, nothing is read outside the text. */
bool crash_describe(char *text, size_t size);

/* In a child process that its parent watches: nothing is reported here. */
void crash_leave_to_parent(void);

#endif
