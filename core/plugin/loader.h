/* SPDX-License-Identifier: MIT */
/* loader.h - from a file to a model: what is checked before a plugin is mapped, after that, and table by table. */
#ifndef PCM_PLUGIN_LOADER_H
#define PCM_PLUGIN_LOADER_H

#include "context.h"
#include <pcm/messages.h>

#include <elf.h>

/* Names of models and parameters are at most this long, so that paths and messages have a bound. */
enum { PCM_NAME_MAX = 63 };

/* A plugin in memory. Its texts and functions stay where the file was mapped; its tables are copies at the sizes of
 * this library's headers. */
struct pcm_loaded {
    pcm_loaded *next;
    pcm_model   model;
    void       *library; /* of dlopen */
    char       *path;
};

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

/* The mapped plugin while it is checked. */
typedef struct pcm_image {
    pcm_context   *context;
    const char    *path;
    uintptr_t      base; /* where it was loaded */
    const pcm_elf *elf;
} pcm_image;

/* Whether those bytes lie in what the plugin's own file maps. */
bool pcm_image_holds(const pcm_image *image, const void *start, uint64_t bytes);
bool pcm_image_holds_code(const pcm_image *image, uintptr_t function);

/* Whether the text is there, ends inside the plugin, and is not empty. */
bool pcm_image_holds_text(const pcm_image *image, const char *text);

/* A name that fits a file name and a .pcm file: a letter or _, then letters, digits and _. */
bool pcm_name_plain(const char *name);

/* Checks every table of the model, whose entries are at this library's sizes; says what is wrong and what to do. */
bool pcm_tables_check(const pcm_image *image, const pcm_model *model);

/* Maps and checks the plugin of that name. NULL after having said why not. */
pcm_loaded *pcm_plugin_open(pcm_context *context, const char *name, const char *path);
void        pcm_plugin_close(pcm_context *context, pcm_loaded *loaded);

#endif
