/* SPDX-License-Identifier: MIT */
/* elf_file.h - what the headers of a shared object say, read before anything maps it. */
#ifndef PCM_PLUGIN_ELF_FILE_H
#define PCM_PLUGIN_ELF_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* Where a part of the file goes in memory, counted from the load address. */
typedef struct pcm_segment {
    uint64_t start, size;
    uint64_t offset, filled; /* of its bytes in the file; the rest of it is zero */
    bool     readable, writable, executable;
} pcm_segment;

enum { PCM_SEGMENTS_MAX = 32 };

typedef struct pcm_elf {
    const char *wrong;                        /* what is wrong with the file, NULL when nothing is */
    uint32_t    code;                         /* the message code of wrong */
    uint32_t    count;                        /* of segments, which rise and do not overlap */
    uint64_t    span;                         /* bytes from the load address to the end of the last segment */
    uint64_t    dynamic;                      /* where the dynamic section is */
    uint64_t    dynamic_size, dynamic_offset; /* the latter in the file */
    uint64_t    sealed;                       /* what is written when it is loaded and never again */
    uint64_t    sealed_size, sealed_memory;   /* in the file; up to where nothing is written */
    bool        has_stack;                    /* it says that it needs no stack that can be executed */
    pcm_segment segments[PCM_SEGMENTS_MAX];
} pcm_elf;

/* Whether the open file is whole and made for this machine: the system's loader dies of one that is not. */
pcm_elf pcm_elf_read(int file);

/* Puts the file's bytes where its segments say, into span bytes that are zero. False: it cannot be read. */
bool pcm_elf_fill(int file, const pcm_elf *elf, char *image);

#endif
