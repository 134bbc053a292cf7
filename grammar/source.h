/* SPDX-License-Identifier: MIT */
/* source.h - the files that a configuration is read from, and places in them. */
#ifndef PCM_GRAMMAR_SOURCE_H
#define PCM_GRAMMAR_SOURCE_H

#include "arena.h"

enum {
    PCM_SOURCES_MOST = 1000,
    PCM_INCLUDE_DEPTH_MOST = 16,
    PCM_SPAN_MOST = UINT16_MAX /* bytes; longer spans are cut for underlining */
};
#define PCM_SOURCE_BYTES_MOST (UINT32_C(1) << 30)

/* A span of bytes of one source: small enough to be kept for every token and every rule. Length 0: no place. */
typedef struct pcm_span {
    uint32_t offset;
    uint16_t length, source;
} pcm_span;

/* The line table's entry for a stretch of text, so that a place is found without reading from the start. */
typedef struct pcm_line_block {
    uint32_t lines_before; /* line ends before it */
    uint32_t line_start;   /* of the line that continues in it */
    uint32_t line_end;     /* of that line */
} pcm_line_block;

typedef struct pcm_source {
    const char     *name;          /* as shown in messages, and as opened */
    char           *text;          /* followed by two NULs; NULL if it could not be read */
    uint32_t        length, start; /* start: after a byte-order mark */
    pcm_line_block *blocks;        /* of the text, for finding lines */
    uint32_t        depth;         /* nesting depth of Include; 0: the main file */
    pcm_span        included;      /* the Include, or the value of a parameter, that names this source */
    uint64_t        device, inode; /* 0, 0 for a source that is not a file */
    bool            open;          /* being read: including it again is a cycle */
    bool            setting;       /* a setting that replaces a value of the file: "Type.Parameter = value" */
    bool            table;         /* a table of numbers, not statements */
    bool            broken;        /* a table whose rows cannot be read */
} pcm_source;

typedef struct pcm_sources {
    pcm_arena   arena; /* names and line tables */
    const char *root;  /* the folder below which files must be, with links resolved and a slash at its end; NULL: any */
    pcm_source *list;
    uint32_t    count, capacity;
} pcm_sources;

/* Adds an empty source; returns its index, or UINT32_MAX if there is no memory. */
uint32_t pcm_sources_add(pcm_sources *sources, const char *name, size_t name_length);
void     pcm_sources_free(pcm_sources *sources);

/* Restricts files other than the first to that folder, links resolved. False: it is no folder, with the reason as from
 * pcm_source_read; or there is no memory, with NULL. */
bool pcm_sources_set_root(pcm_sources *sources, const char *root, const char **reason);

/* Checks whether the file exists and may be read. If not, reason gets a text, and too_large says whether it is too
 * large. */
typedef enum pcm_read { PCM_READ_OK, PCM_READ_FAILED, PCM_READ_TOO_LARGE, PCM_READ_NO_MEMORY } pcm_read;
pcm_read pcm_source_read(pcm_sources *sources, uint32_t index, const char **reason);

/* Takes a copy of text that is not in a file. */
pcm_read pcm_source_take(pcm_sources *sources, uint32_t index, const char *text, size_t length);

static inline const char *pcm_span_text(const pcm_sources *sources, pcm_span span)
{
    return sources->list[span.source].text + span.offset;
}

/* The span from the first byte of a to the last of b, in the same source. */
static inline pcm_span pcm_span_join(pcm_span a, pcm_span b)
{
    uint32_t length = b.offset + b.length - a.offset;
    a.length = (uint16_t)(length < PCM_SPAN_MOST ? length : PCM_SPAN_MOST);
    return a;
}

/* The text without its quotes, if it has any. */
pcm_span pcm_span_unquoted(const pcm_sources *sources, pcm_span span);

pcm_place pcm_span_place(const pcm_sources *sources, pcm_span span);

/* < 0 if a comes before b in reading order, following Include lines. */
int pcm_span_compare(const pcm_sources *sources, pcm_span a, pcm_span b);

#endif
