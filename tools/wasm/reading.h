/* SPDX-License-Identifier: MIT */
/* reading.h - what the programs of pages share: laws, a text that is read, answers. Each page runs one program.
 *
 * Texts that functions return are JSON, and valid until the next call that returns one. */
#ifndef PCM_TOOLS_WASM_READING_H
#define PCM_TOOLS_WASM_READING_H

#include <pcm/pcm.h>

#include "json.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* Adds a law. The answer lists its errors; a law with errors is not added. */
EXPORT(page_link) const char *page_link(const pcm_library *entry);

/* Reads the text. If it has errors, the text that was read before stays in use. */
EXPORT(page_read) const char *page_read(const char *name, const char *text);

/* An answer: an object that the caller fills in, and ends. */
json       *answer_begin(void);
const char *answer_end(void);

/* The text that was read last; NULL: none, or it was taken. */
pcm_config *reading_config(void);

/* Takes over the text that was read last with its context; both NULL: none. */
void reading_take(pcm_context **context, pcm_config **config);

/* Writes a diagnostic as an item of an array. */
void reading_put_diagnostic(json *j, const pcm_diagnostic *diagnostic);

/* Of each program: forgets what it has of the text, which is about to be released; and gets diagnostics that come
 * outside of page_link and page_read. */
void page_forget(void);
void page_report(const pcm_diagnostic *diagnostic);

#endif
