/* SPDX-License-Identifier: MIT */
/* crash.h - a law that takes the program down, or a process of its own, is named. */
#ifndef PCM_TOOLS_CRASH_H
#define PCM_TOOLS_CRASH_H

#include <pcm/called.h>
#include <pcm/pcm.h>

/* Before a process is started: what it notes of its calls can be described here. */
void crash_share(void);

/* From here on the context notes its calls, and a crash, an exit or an abort within one names the law. */
void crash_watch(pcm_context *context);

/* The same within the updates of a world. There is one at a time; NULL: it is over. */
void crash_watch_world(const pcm_world *world);

/* Around a call that no context knows of; NULL: it is over. */
void crash_call(const pcm_type *type, const char *function);

/* In a handler of a signal: names the law that is running, if one is, and what it did. */
void crash_tell(const char *what);

/* "update of the law L (contact type 'T')" of the call that is noted; false: none is. What a law may have written over
 * it stays within the text. */
bool crash_describe(char *text, size_t size);

/* In a process of its own, whose end another looks at: nothing is told here. */
void crash_leave_to_parent(void);

#endif
