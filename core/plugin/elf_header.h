/* SPDX-License-Identifier: MIT */
/* elf_header.h - whether a file is a whole shared object for this machine. */
#ifndef PCM_PLUGIN_ELF_HEADER_H
#define PCM_PLUGIN_ELF_HEADER_H

#include <stdint.h>

/* The fault of a file: the code of the message, and its text after "the plugin". */
typedef struct pcm_elf_fault {
    uint32_t    code;
    const char *text; /* NULL: nothing is wrong */
} pcm_elf_fault;

/* Reads the headers of the open file. The system's loader would crash on a file that lacks its end, and its messages
 * about files for other machines mislead. */
pcm_elf_fault pcm_elf_check(int file);

#endif
