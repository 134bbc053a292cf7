/* SPDX-License-Identifier: MIT */
/* engine.h - what hosts of engines share that find contacts without features: objects by the engine's own pointers,
 * touches by place, forces of a step, advice on the step. */
#ifndef PCM_ENGINE_H
#define PCM_ENGINE_H

#include <pcm/near.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcm_engine pcm_engine;

typedef struct pcm_engine_def {
    bool        ledger, advise_step;
    const char *log_directory;
    const void *simulation; /* the engine's, which one host alone may serve; NULL: the engine does not say */
    const char *name;       /* of the engine, for messages */
} pcm_engine_def;

/* A geometry as the engine describes it. */
typedef struct pcm_engine_shape {
    const void *key;          /* the engine's pointer */
    const char *name;         /* NULL or "": no rule can name it, and its contacts stay the engine's */
    const char *surface;      /* NULL: none */
    void       *body;         /* NULL: fixed */
    double      radius, mass; /* as in pcm_object_def */
} pcm_engine_shape;

/* An object of the host, in the order of registration. */
typedef struct pcm_engine_object {
    const void *key;
    void       *body;
    pcm_object  handle; /* the zero handle: without a name */
    uint64_t    round;  /* in which it was moved */
} pcm_engine_object;

/* NULL, which is reported: no memory, or a simulation that another host serves. The config is retained. */
pcm_engine *pcm_engine_new(pcm_context *context, pcm_config *config, const pcm_engine_def *def);
void        pcm_engine_free(pcm_engine *engine);
pcm_world  *pcm_engine_world(pcm_engine *engine);

/* The object of a key; NULL: it is not registered. */
pcm_engine_object *pcm_engine_find(pcm_engine *engine, const void *key);
/* Registers an object; NULL, which is reported: no memory, or the name is no name. */
pcm_engine_object *pcm_engine_add(pcm_engine *engine, const pcm_engine_shape *shape);
/* Forgets an object, whose contacts end. False: there is none. */
bool pcm_engine_remove(pcm_engine *engine, const void *key);

/* Whether a law acts between two objects. */
bool pcm_engine_serves(pcm_engine *engine, const pcm_engine_object *a, const pcm_engine_object *b);

/* Whether the object is still to be moved in this round; from then on it is not. */
bool pcm_engine_wants(pcm_engine *engine, pcm_engine_object *object);

/* All points of a pair, after the moves of both. */
pcm_status pcm_engine_touch(pcm_engine *engine, const pcm_engine_object *a, const pcm_engine_object *b,
                            const pcm_touch *touches, size_t count);

/* Keeps the first status of several that is not PCM_OK. */
static inline void pcm_engine_note(pcm_status *first, pcm_status status)
{
    *first = *first == PCM_OK ? status : *first;
}

/* Whether a step can be taken. One that is not above 0 is reported. */
bool pcm_engine_accepts(pcm_engine *engine, double step);

/* Evaluates the touches of this round for a step from the time on, and hands the wrench of each object that moves to
 * `push`. PCM_BAD_ARGUMENT: the step is not accepted. */
typedef void pcm_engine_push(void *user, const pcm_engine_object *object, const pcm_wrench *wrench);
pcm_status   pcm_engine_update(pcm_engine *engine, double step, pcm_engine_push *push, void *user);

/* After the engine's step: contact states advance, and the next round begins. */
pcm_status pcm_engine_commit(pcm_engine *engine);

#ifdef __cplusplus
}
#endif
#endif
