/* SPDX-License-Identifier: MIT */
/* image.h - a plugin in memory: before the checks follow a pointer, they ask this code whether it points into the
 * plugin. */
#ifndef PCM_PLUGIN_IMAGE_H
#define PCM_PLUGIN_IMAGE_H

#include "context_struct.h"

/* A part of a plugin that the system has mapped from its file. */
typedef struct pcm_segment {
    uintptr_t start;
    uint64_t  size;
    bool      readable, executable;
} pcm_segment;

enum { PCM_SEGMENTS_MAX = 32 };

typedef struct pcm_mapping {
    uint32_t    count;
    pcm_segment segments[PCM_SEGMENTS_MAX];
} pcm_mapping;

typedef struct pcm_image {
    pcm_context       *context;
    const char        *path;
    const pcm_mapping *mapping; /* NULL: the plugin is linked into the program, at an unknown place */
} pcm_image;

/* Whether those bytes lie in one segment of the plugin that can be read. */
bool pcm_image_holds(const pcm_image *image, const void *start, uint64_t bytes);
/* Also whether they are aligned for a struct. */
bool pcm_image_holds_struct(const pcm_image *image, const void *start, uint64_t bytes);
bool pcm_image_holds_code(const pcm_image *image, uintptr_t function);

/* Whether the text is there, ends inside the plugin, and is not empty. */
bool pcm_image_holds_text(const pcm_image *image, const char *text);

#endif
