/* SPDX-License-Identifier: MIT */
/* elf_link.h - a shared object linked by ourselves, into memory from which nothing is run: its tables can be read as if
 * it were loaded. */
#ifndef PCM_PLUGIN_ELF_LINK_H
#define PCM_PLUGIN_ELF_LINK_H

#include "elf_file.h"

enum { PCM_LIBRARIES_MAX = 8 };

typedef struct pcm_elf_link {
    const char *wrong; /* what the system's loader would trip over, NULL when nothing is */
    uint64_t    entry; /* where pcm_entry is, from the start of the image; 0 = none */
    /* What would run before anybody asked for it: */
    const char *libraries[PCM_LIBRARIES_MAX];  /* that it needs, beside those of the C library and the compiler */
    uint32_t    n_libraries, starters, enders; /* functions that run when it is loaded, and when it is closed */
    bool        chooses;                       /* functions that choose functions while it is loaded (IFUNC) */
    const char *ends;                          /* a function that it calls to end the program, NULL: none */
    const char *instrumented; /* the start function of the sanitizer that it was built for, NULL: none */
} pcm_elf_link;

/* Links the image that pcm_elf_fill filled in place: its pointers to what is its own lead into the image, others are
 * NULL. All that the system's loader takes on trust is checked before. */
pcm_elf_link pcm_elf_link_image(const pcm_elf *elf, char *image);

/* Takes out of an image that was linked so what the system's loader would run of it, DT_INIT and DT_FINI, and where it
 * would look for libraries, DT_RPATH and DT_RUNPATH; the arrays of starters and enders too, unless they are kept. */
void pcm_elf_quiet(const pcm_elf *elf, char *image, bool keep_arrays);

#endif
