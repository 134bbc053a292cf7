/* SPDX-License-Identifier: MIT */
/* context.h - what every part of the library gets its memory and its voice from. */
#ifndef PCM_CORE_CONTEXT_H
#define PCM_CORE_CONTEXT_H

#include <pcm/pcm.h>

typedef struct pcm_loaded pcm_loaded; /* a plugin in memory: see model.h */

struct pcm_context {
    pcm_allocator allocator;
    pcm_sink      sink;
    void         *sink_user;
    char         *plugin_path; /* own copy; "" = none */
    uint32_t      flags, isa;
    pcm_loaded   *loaded; /* list, newest first */
};

/* 64-byte aligned, zeroed; NULL when there is none. Size 0 gives NULL. */
void *pcm_allocate(pcm_context *context, size_t bytes);
void  pcm_release(pcm_context *context, void *memory, size_t bytes);

/* Moves `bytes` used bytes to a block of new_bytes and releases the old one; NULL leaves the old one as it was. */
void *pcm_reallocate(pcm_context *context, void *memory, size_t bytes, size_t new_bytes);

/* Sends a message about no file or place; format as printf, which never sees the locale: numbers go in as text. */
void pcm_say(pcm_context *context, pcm_severity severity, uint32_t code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Hands a diagnostic to the sink, if there is one. */
void pcm_send(pcm_context *context, const pcm_diagnostic *diagnostic);

#endif
