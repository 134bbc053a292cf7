/* SPDX-License-Identifier: MIT */
/* elf_file.h - what the headers of a shared object say, read before it is mapped. */
#ifndef PCM_PLUGIN_ELF_FILE_H
#define PCM_PLUGIN_ELF_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* What the headers of a shared object say is mapped where. */
typedef struct pcm_segment {
    uint64_t start, size; /* from the load address */
    bool     executable;
} pcm_segment;

enum { PCM_SEGMENTS_MAX = 32 };

typedef struct pcm_elf {
    const char *wrong; /* what is wrong with the file, NULL when nothing is */
    uint32_t    code;  /* the message code of wrong */
    uint32_t    count;
    pcm_segment segments[PCM_SEGMENTS_MAX];
} pcm_elf;

/* Whether the file is whole and made for this machine: the system's loader dies of a bus error on one that is not. */
pcm_elf pcm_elf_read(const char *path);

#endif
