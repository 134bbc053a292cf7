/* SPDX-License-Identifier: MIT */
/* scene_files.h - the files of a MuJoCo scene: the file itself, those that it includes, meshes, textures, height
 * fields. */
#ifndef PCM_TOOLS_LIVE_SCENE_FILES_H
#define PCM_TOOLS_LIVE_SCENE_FILES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct scene_file {
    char *name; /* relative to the folder of the scene */
    char *path;
} scene_file;

typedef struct scene_files {
    char        folder[4096];   /* of the scene, with its '/'; "": the present one */
    char        places[3][512]; /* meshdir, texturedir, assetdir, as the compiler element has them */
    scene_file *at;             /* the scene first */
    size_t      count, capacity;
} scene_files;

/* Finds them; false, with a report: the scene cannot be read, or there is no memory. A file that is not there is left
 * out: MuJoCo says so. To be freed in either case. */
bool scene_files_find(scene_files *files, const char *path);
void scene_files_free(scene_files *files);

#endif
