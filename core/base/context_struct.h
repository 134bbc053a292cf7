/* SPDX-License-Identifier: MIT */
/* context_struct.h - the context: memory, the sink for messages, the search path and the loaded plugins. */
#ifndef PCM_BASE_CONTEXT_STRUCT_H
#define PCM_BASE_CONTEXT_STRUCT_H

#include <pcm/called.h>
#include <pcm/pcm.h>

typedef struct pcm_loaded pcm_loaded; /* a plugin in memory: see loader.h */

struct pcm_context {
    pcm_allocator allocator;
    bool          zeroed; /* the allocator returns zeroed memory: it is the default one */
    pcm_sink      sink;
    void         *sink_user;
    char         *plugin_path; /* every directory to search, in order, separated by ':' */
    uint32_t      flags, isa;
    pcm_loaded   *loaded; /* list, newest first */
    pcm_called   *called; /* the host's; NULL: none */
};

/* Marks the start and end of a call of a law's function for the contact type of that name: fills the host's note, if it
 * wants one. */
void pcm_call_begin(const pcm_context *context, const char *function, const char *law, const char *type,
                    size_t type_length);
void pcm_call_end(const pcm_context *context);

/* Whether all bytes from `known` to `size` are zero. */
bool pcm_zero_beyond(const void *bytes, size_t known, size_t size);

#endif
