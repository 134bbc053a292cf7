/* SPDX-License-Identifier: MIT */
/* engines.h - boxes that lie on a plane, in an engine. */
#ifndef PCM_BENCH_ENGINES_H
#define PCM_BENCH_ENGINES_H

#include <pcm/pcm.h>

/* Boxes of 1 kg, 0.2 m wide and 0.1 m high, in rows of 40, 0.5 m apart, on a friction of 0.5, in steps of 1 ms. */
#define ENGINE_ROW 40
#define ENGINE_GAP 0.5

typedef struct engine_kind {
    const char *name;
    /* config NULL: the contacts are the engine's own. NULL: it cannot be made. */
    void *(*make)(size_t boxes, pcm_context *context, pcm_config *config);
    pcm_status (*step)(void *scene);
    size_t (*contacts)(void *scene); /* points of the laws */
    void (*free)(void *scene);
} engine_kind;

#ifdef __cplusplus
extern "C" {
#endif
extern const engine_kind engine_ode, engine_bullet, engine_dart;
#ifdef __cplusplus
}
#endif

#endif
