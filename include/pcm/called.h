/* SPDX-License-Identifier: MIT */
/* called.h - which function of a law is being called: for handlers of signals, and for a process that watches another,
 * to name the law that a program ended in. pcm_world_running tells it of updates.
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
    char   function[16]; /* as in pcm_model and pcm_kernel_set: "prepare", "update" ...; "": none is called */
    char   law[64];      /* its model, and the contact type; cut where they are longer */
    char   type[64];
} pcm_called;

/* From here on the context writes there, before it calls a law's function, whose it is, and that none is called
 * afterwards: as it reads configurations, mixes materials and answers what is asked of a contact type, for
 * pcm_type_call and its like, not for updates of worlds. The memory is the host's, may be shared with another process,
 * and lives as long as the context; NULL: nowhere. For a context that one thread uses: of calls at once it has any. */
PCM_EXPORT void pcm_context_note_calls(pcm_context *context, pcm_called *called);

#ifdef __cplusplus
}
#endif

#endif
