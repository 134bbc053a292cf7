/* SPDX-License-Identifier: MIT */
/* called.h - which function of a law is running: a signal handler, or a process that watches another, can name the law
 * in which a program ended. For updates see pcm_world_running.
 *
 *   static pcm_called called = {.size = sizeof called};
 *   pcm_context_note_calls(context, &called);
 *   in the handler:  if (*called.function) ... called.law, called.type */
#ifndef PCM_CALLED_H
#define PCM_CALLED_H

#include <pcm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcm_called {
    size_t size;
    char   function[16]; /* as in pcm_model and pcm_kernel_set: "prepare", "update" ...; "": none is running */
    char   law[64];      /* its model, and the contact type; cut if longer */
    char   type[64];
} pcm_called;

/* From now on the context writes to `called` before and after each call of a law's function: while it reads
 * configurations, mixes materials and queries contact types, and in pcm_type_call and similar functions; not in updates
 * of worlds. The memory is the host's, may be shared with another process, and must live as long as the context. NULL:
 * no longer. If several threads use the context, it names one of their calls. */
PCM_EXPORT void pcm_context_note_calls(pcm_context *context, pcm_called *called);

#ifdef __cplusplus
}
#endif

#endif
