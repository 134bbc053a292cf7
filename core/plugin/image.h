/* SPDX-License-Identifier: MIT */
/* image.h - a plugin in memory while it is checked: linked by ourselves, by the system, or into the program. */
#ifndef PCM_PLUGIN_IMAGE_H
#define PCM_PLUGIN_IMAGE_H

#include "context_struct.h"
#include "elf_file.h"

typedef struct pcm_image {
    pcm_context   *context;
    const char    *path;
    uintptr_t      base; /* where it is */
    const pcm_elf *elf;  /* NULL: it is linked in, and may lie anywhere */
} pcm_image;

/* Whether those bytes lie in what the plugin's own file maps. */
bool pcm_image_holds(const pcm_image *image, const void *start, uint64_t bytes);
bool pcm_image_holds_struct(const pcm_image *image, const void *start, uint64_t bytes); /* and are aligned */
bool pcm_image_holds_code(const pcm_image *image, uintptr_t function);

/* Whether the text is there, ends inside the plugin, and is not empty. */
bool pcm_image_holds_text(const pcm_image *image, const char *text);

#endif
