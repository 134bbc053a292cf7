/* SPDX-License-Identifier: MIT */
/* attachment.h - an attachment of a world to an mjModel and its mjData: the members that every room uses, and a pointer
 * to each room's own part. */
#ifndef PCM_MUJOCO_ATTACHMENT_H
#define PCM_MUJOCO_ATTACHMENT_H

#include "release.h"
#include <pcm/mujoco.h>
#include <pcm/setting.h>
#include <pcm/spatial.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* The attached model at the time of attaching: mj_recompile replaces it by another one. */
typedef struct pcm_as_it_was {
    char        sizes[offsetof(mjModel, nbuffer) + sizeof(((mjModel *)0)->nbuffer)];
    const void *buffer;
    char       *names;
    size_t      n_names;
} pcm_as_it_was;

struct pcm_mujoco {
    pcm_context   *context;
    pcm_config    *config;
    pcm_world     *world;
    const mjModel *model;
    mjData        *data;

    pcm_mujoco *source; /* NULL: this is an attachment; else it is the world of a copy, and source is the attachment */
    pcm_mujoco
        *owner; /* has the tables of objects and pairs: itself, its source, or the first of several attachments */
    pcm_mujoco *copies; /* of an attachment: the worlds of its copies, linked by next_copy (life.h) */

    pcm_as_it_was was;                        /* only in an owner */
    size_t        n_geoms, n_bodies, n_state; /* only in an attachment */
    atomic_bool   reported_model;             /* it was reported that the model has been replaced */

    pthread_mutex_t lock; /* held while the world is in use: another thread may want to copy it */

    pcm_status loop_status; /* the first status other than PCM_OK outside our own calls since the user last read it */
    pcm_status status;      /* the first status of the current call that was not PCM_OK */
    bool       in_own_call; /* pcm_mujoco_step or pcm_mujoco_forward is running */

    /* The parts of the other rooms, in the order of the rooms. */
    struct pcm_scene      *scene;
    struct pcm_detection  *detection;
    struct pcm_evaluation *evaluation;
    struct pcm_reading    *reading;
    struct pcm_life       *life;
};

/* attachment.c */
void       pcm_host_lock(pcm_mujoco *host);
void       pcm_host_unlock(pcm_mujoco *host);
void       pcm_host_note(pcm_mujoco *host, pcm_status status); /* sets the call's status, or pcm_mujoco_status */
pcm_status pcm_host_no_memory(pcm_context *context);           /* reports it; returns PCM_NO_MEMORY */

/* Whether MuJoCo's library is of the same release as the headers; if not, an error is reported. */
bool pcm_host_fits(pcm_context *context);

/* The definition grown to this header's size; with def NULL, the defaults. False, with a message, if it is invalid. */
bool pcm_host_fill(pcm_context *context, const pcm_mujoco_def *def, pcm_mujoco_def *filled);

/* model.c: whether data belongs to a model, and whether a model is still the one that was attached. If not, an error is
 * reported, for the attached model only once. */
bool       pcm_model_alike(const mjData *a, const mjData *b); /* their arrays are at the same offsets */
bool       pcm_model_has(pcm_context *context, const mjModel *model, const mjData *data);
pcm_status pcm_model_keep(pcm_mujoco *host);
void       pcm_model_forget(pcm_mujoco *host);
bool       pcm_model_holds(const pcm_mujoco *host); /* the same without a report */
bool       pcm_model_stands(pcm_mujoco *host);
bool       pcm_model_is_like(const pcm_mujoco *host, const mjModel *model); /* another model of its sizes and names */

/* The same by its sizes alone: if true, tables that are indexed by geoms and bodies are valid. */
static inline bool pcm_model_is_there(const pcm_mujoco *host)
{
    const pcm_as_it_was *was = &host->owner->was;
    return host->model->buffer == was->buffer && memcmp(was->sizes, host->model, sizeof was->sizes) == 0;
}

/* process.c: state that the whole process shares. */
void         pcm_process_keep_collisions(void);             /* saves MuJoCo's own functions, before ours replace them */
mjfCollision pcm_process_collision(int type_a, int type_b); /* MuJoCo's own function */
bool         pcm_process_convex(int type_a, int type_b);    /* handled by the general convex algorithm */
double       pcm_process_widest(const mjModel *model, int geom_a, int geom_b); /* m, the range of MuJoCo's search */

/* Calls call(user) while MuJoCo's errors and warnings go to the context; false after an error. */
bool pcm_process_guard(pcm_context *context, void (*call)(void *user), void *user);

static inline double pcm_distance_squared(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

#endif
