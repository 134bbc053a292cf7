/* SPDX-License-Identifier: MIT */
/* source.h - the files that a configuration is read from, and places in them. */
#ifndef PCM_GRAMMAR_SOURCE_H
#define PCM_GRAMMAR_SOURCE_H

#include "arena.h"

enum {
    PCM_SOURCES_MOST = 1000,
    PCM_INCLUDE_DEPTH_MOST = 16,
    PCM_SPAN_MOST = UINT16_MAX /* bytes; longer stretches of text are cut for underlining */
};
#define PCM_SOURCE_BYTES_MOST (UINT32_C(1) << 30)

/* A stretch of bytes of one source: light enough for every token and every rule to keep. Length 0: no place. */
typedef struct pcm_span {
    uint32_t offset;
    uint16_t length, source;
} pcm_span;

/* What a stretch of the text must know of lines so that a place is found without reading from the start. */
typedef struct pcm_line_block {
    uint32_t lines_before; /* line ends before it */
    uint32_t line_start;   /* of the line that goes on in it */
    uint32_t line_end;     /* of that line */
} pcm_line_block;

typedef struct pcm_source {
    const char     *name;          /* as messages show it and as the system opens it */
    char           *text;          /* two NULs follow it; NULL where it could not be read */
    uint32_t        length, start; /* start: behind a byte-order mark */
    pcm_line_block *blocks;        /* of the text, for finding lines */
    uint32_t        depth;         /* of Include; 0: the file that was asked for */
    pcm_span        included;      /* the Include, or the value of a parameter, that led here */
    uint64_t        device, inode; /* 0, 0 for what is no file */
    bool            open;          /* being read, so that including it again is a cycle */
    bool            setting;       /* one value in place of the file's: "Type.Parameter = value" */
    bool            table;         /* no statements, but rows of numbers */
} pcm_source;

typedef struct pcm_sources {
    pcm_arena   arena; /* names and line tables */
    const char *root;  /* the folder, without links and with a slash at its end, below which files stay; NULL: any */
    pcm_source *list;
    uint32_t    count, capacity;
} pcm_sources;

/* Adds an empty source; returns its index, UINT32_MAX when there is no memory. */
uint32_t pcm_sources_add(pcm_sources *sources, const char *name, size_t name_length);
void     pcm_sources_free(pcm_sources *sources);

/* Files other than the first are read below that folder alone, also by way of links. False: it is none, with the reason
 * as pcm_source_read gives it, or there is no memory, with NULL. */
bool pcm_sources_set_root(pcm_sources *sources, const char *root, const char **reason);

/* What the file is and whether it may be read. reason gets a text when it may not; too_large tells why. */
typedef enum pcm_read { PCM_READ_OK, PCM_READ_FAILED, PCM_READ_TOO_LARGE, PCM_READ_NO_MEMORY } pcm_read;
pcm_read pcm_source_read(pcm_sources *sources, uint32_t index, const char **reason);

/* Takes a copy of text that is not in a file. */
pcm_read pcm_source_take(pcm_sources *sources, uint32_t index, const char *text, size_t length);

static inline const char *pcm_span_text(const pcm_sources *sources, pcm_span span)
{
    return sources->list[span.source].text + span.offset;
}

/* From the first byte of a to the last of b, which is in the same source. */
static inline pcm_span pcm_span_join(pcm_span a, pcm_span b)
{
    uint32_t length = b.offset + b.length - a.offset;
    a.length = (uint16_t)(length < PCM_SPAN_MOST ? length : PCM_SPAN_MOST);
    return a;
}

/* The text without its quotes, where it has them. */
pcm_span pcm_span_unquoted(const pcm_sources *sources, pcm_span span);

pcm_place pcm_span_place(const pcm_sources *sources, pcm_span span);

/* < 0 where a reader meets a before b, following Include lines. */
int pcm_span_compare(const pcm_sources *sources, pcm_span a, pcm_span b);

#endif
