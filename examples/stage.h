/* SPDX-License-Identifier: MIT */
/* stage.h - opens, evaluates and closes a world, in the same way for all examples with geometries. */
#ifndef PCM_EXAMPLES_STAGE_H
#define PCM_EXAMPLES_STAGE_H

#include <pcm/geometry.h>
#include "body.h"

typedef struct Stage {
    pcm_context  *context;
    pcm_config   *config;
    pcm_world    *world;
    pcm_space    *space;
    pcm_geometry *shapes[2]; /* the example's own memory; freed with the stage */
    FILE         *table;
} Stage;

static inline void print_diagnostic(void *user, const pcm_diagnostic *diagnostic)
{
    char text[4096];
    pcm_diagnostic_format(diagnostic, text, sizeof text);
    fputs(text, (FILE *)user);
}

/* Opens a world with the rules of one file, and another file for the table. Anything missing has been reported. */
static inline bool stage_open(Stage *stage, const char *rules, const char *table)
{
    pcm_context_def def = pcm_context_defaults();
    def.sink = print_diagnostic;
    def.sink_user = stderr;
    *stage = (Stage){.context = pcm_context_new(&def)};
    stage->config = pcm_config_load(stage->context, rules);
    stage->world = stage->config ? pcm_world_new(stage->config, NULL) : NULL;
    stage->space = stage->world ? pcm_space_new(stage->context, stage->world) : NULL;
    stage->table = fopen(table, "w");
    if (!stage->table)
        perror(table);
    return stage->space && stage->table;
}

/* Whether the forces at the body's pose and velocity could be found; *wrench is their sum. */
static inline bool stage_evaluate(const Stage *stage, pcm_object object, const Body *body, double t, double dt,
                                  pcm_wrench *wrench)
{
    return pcm_space_move(stage->space, object, &body->pose, &body->twist) == PCM_OK &&
           pcm_space_touch(stage->space) == PCM_OK && pcm_world_update(stage->world, t, dt) == PCM_OK &&
           pcm_world_wrench(stage->world, object, wrench) == PCM_OK;
}

/* Whether the whole table has been written. */
static inline bool stage_close(Stage *stage)
{
    const bool written = stage->table && fclose(stage->table) == 0;
    pcm_space_free(stage->space);
    pcm_world_free(stage->world);
    pcm_config_release(stage->config);
    for (int i = 0; i < 2; i++)
        pcm_geometry_free(stage->shapes[i]);
    pcm_context_free(stage->context);
    return written;
}

#endif
