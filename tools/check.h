/* SPDX-License-Identifier: MIT */
/* check.h - the scene that pcm check compares with rules and pcm show lists. */
#ifndef PCM_TOOLS_CHECK_H
#define PCM_TOOLS_CHECK_H

#include "command.h"
#include "touching.h"

typedef struct check_scene check_scene;

typedef struct check_coverage {
    size_t pairs;      /* pairs that can touch */
    size_t served;     /* of these, with a law of the file */
    size_t unassigned; /* of these, without a rule */
    size_t unmatched;  /* names in the rules that match nothing in the scene */
} check_coverage;

/* A scene as the command line gives it; path NULL: none. */
typedef struct check_scene_def {
    const char  *path;
    option_texts surfaces; /* "pattern=Surface"; NULL at: none */
    option_robot robot;
} check_scene_def;

/* Reads a scene; NULL if it cannot be read, which has been reported. Close it before the context is freed. */
check_scene *check_scene_open(pcm_context *context, const check_scene_def *def);
void         check_scene_close(check_scene *scene);

/* Reports the names in the rules that match nothing in the scene, and the pairs that no rule covers. */
bool check_scene_hold(check_scene *scene, pcm_config *config, check_coverage *coverage);

/* An object of the scene by any of its names, with the surfaces that a world sees. */
typedef struct check_object {
    pcm_object_def def;
    const char    *aliases[4]; /* NULL at the end */
    touching       touches;    /* how it can touch others */
    char          *texts;      /* the memory of all texts, to be freed; NULL: there is no such object */
} check_object;

/* Looks up an object. False, with a report: the scene has no such object, or there is no memory. Free the texts in
 * either case. */
bool check_scene_objects(check_scene *scene, pcm_config *config, const char *const asked[2], check_object *objects[2]);

/* Calls visit for every pair of the scene that can touch, with the scene's own surfaces. Its arguments are valid during
 * the call. False: visit returned false, or the scene cannot be used, which has been reported. */
typedef bool check_visit(void *user, const pcm_object_def *a, const pcm_object_def *b);
bool         check_scene_pairs(check_scene *scene, const pcm_config *config, check_visit *visit, void *user);

#endif
