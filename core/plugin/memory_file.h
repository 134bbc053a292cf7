/* SPDX-License-Identifier: MIT */
/* memory_file.h - a copy of a file that nobody else has a name for, so that what was checked is what is loaded. */
#ifndef PCM_PLUGIN_MEMORY_FILE_H
#define PCM_PLUGIN_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { PCM_MEMORY_PATH_MAX = 192 };

/* Opens a copy of an open regular file, called name where the system lists what is mapped. -1 after setting *wrong to
 * what stands after "the plugin" in a message. */
int pcm_memory_file(int file, const char *name, const char **wrong);

/* From here on nobody can write to it. */
bool pcm_memory_file_seal(int file);

/* A path to the open file, which no call has given before: the system's loader takes equal paths for the same library.
 */
void pcm_memory_file_path(int file, char path[PCM_MEMORY_PATH_MAX]);

#endif
