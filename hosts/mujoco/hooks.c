/* SPDX-License-Identifier: MIT */
/* hooks.c - the hooks into MuJoCo that the whole process shares, and how one call of them finds its attachment.
 *
 * MuJoCo hands its callbacks a model and a data and nothing of ours. Attachments stand in a table of slots that is read
 * without locks: a reader compares pointers and goes on to the attachment only where its own model matches, and nobody
 * detaches a model that is being evaluated. */
#include "host.h"
#include <pcm/messages.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { SLOTS = 1024 };

typedef struct slot {
    _Atomic(const mjModel *) model;
    _Atomic(const mjData *)  data;
    _Atomic(pcm_mujoco *)    host;
} slot;

typedef struct guard {
    jmp_buf       escape;
    pcm_context  *context;
    struct guard *outer;
} guard;

/* Written by the first attachment alone, under the once; slots and slots_used under the lock. */
static pthread_once_t  once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mjfCollision    collide_before[mjNGEOMTYPES][mjNGEOMTYPES];
static mjfGeneric      passive_before;
static void (*error_before)(const char *);
static void (*warning_before)(const char *);
static slot           slots[SLOTS];
static _Atomic size_t slots_used;

static _Thread_local size_t last_slot; /* that this thread's evaluations belonged to */
static _Thread_local guard *guarding;

/* ---- Finding the attachment ------------------------------------------------------------------------------------ */

/* Prefers the slot of the data itself, then the slot of the model that this thread used last, then any of the model. */
static pcm_mujoco *find(const mjModel *model, const mjData *data)
{
    if (atomic_load(&slots[last_slot].data) == data && atomic_load(&slots[last_slot].model) == model)
        return atomic_load(&slots[last_slot].host);
    size_t used = atomic_load(&slots_used), of_model = used;
    for (size_t i = 0; i < used; i++) {
        if (atomic_load(&slots[i].model) != model)
            continue;
        if (atomic_load(&slots[i].data) == data) {
            last_slot = i;
            return atomic_load(&slots[i].host);
        }
        if (of_model == used || i == last_slot)
            of_model = i;
    }
    return of_model < used ? atomic_load(&slots[of_model].host) : NULL;
}

/* ---- The hooks ------------------------------------------------------------------------------------------------- */

static int on_collision(const mjModel *model, pcm_collision_data *data, pcm_found *contacts, int geom_a, int geom_b,
                        mjtNum margin)
{
    const pcm_mujoco *host = find(model, data);
    if (host && host->pair_of[(size_t)geom_a * (size_t)model->ngeom + (size_t)geom_b])
        return 0;
    return collide_before[model->geom_type[geom_a]][model->geom_type[geom_b]](model, data, contacts, geom_a, geom_b,
                                                                              margin);
}

static void on_passive(const mjModel *model, mjData *data)
{
    if (passive_before)
        passive_before(model, data);
    pcm_mujoco *host = find(model, data);
    if (host)
        pcm_mujoco_evaluate(host, data);
}

/* An error outside our calls is the application's: it goes where it went before us. */
static void on_error(const char *message)
{
    if (guarding) {
        pcm_report(guarding->context, PCM_ERROR, PCM_MSG_SIMULATOR, "MuJoCo: %s", message);
        longjmp(guarding->escape, 1);
    }
    if (error_before) {
        error_before(message);
        return;
    }
    mju_user_error = NULL;
    mju_error(message);
}

static void on_warning(const char *message)
{
    if (guarding) {
        pcm_report(guarding->context, PCM_WARNING, PCM_MSG_SIMULATOR, "MuJoCo: %s", message);
    } else if (warning_before) {
        warning_before(message);
    } else {
        mju_user_warning = NULL;
        mju_warning(message);
        mju_user_warning = on_warning;
    }
}

static void hook_in(void)
{
    memcpy(collide_before, mjCOLLISIONFUNC, sizeof collide_before);
    for (int i = 0; i < mjNGEOMTYPES; i++)
        for (int k = 0; k < mjNGEOMTYPES; k++)
            if (mjCOLLISIONFUNC[i][k])
                mjCOLLISIONFUNC[i][k] = on_collision;
    passive_before = mjcb_passive;
    mjcb_passive = on_passive;
    error_before = mju_user_error;
    mju_user_error = on_error;
    warning_before = mju_user_warning;
    mju_user_warning = on_warning;
}

void pcm_process_hook_in(void) { pthread_once(&once, hook_in); }

mjfCollision pcm_process_collision(int type_a, int type_b) { return collide_before[type_a][type_b]; }

bool pcm_process_convex(int type_a, int type_b)
{
    return collide_before[type_a][type_b] == collide_before[mjGEOM_ELLIPSOID][mjGEOM_ELLIPSOID];
}

/* ---- Entering, leaving, guarding ------------------------------------------------------------------------------- */

static pcm_status take_slot(pcm_mujoco *host)
{
    for (size_t i = 0; i < SLOTS; i++) {
        if (atomic_load(&slots[i].host))
            continue;
        atomic_store(&slots[i].host, host);
        atomic_store(&slots[i].data, host->data);
        atomic_store(&slots[i].model, host->model);
        if (i >= atomic_load(&slots_used))
            atomic_store(&slots_used, i + 1);
        return PCM_OK;
    }
    pcm_report(host->context, PCM_ERROR, PCM_MSG_TOO_MANY_ATTACHED, "more than %d attachments to MuJoCo at one time",
               SLOTS);
    return PCM_BAD_ARGUMENT;
}

pcm_status pcm_process_enter(pcm_mujoco *host)
{
    pthread_mutex_lock(&lock);
    pcm_status status = take_slot(host);
    pthread_mutex_unlock(&lock);
    return status;
}

void pcm_process_leave(pcm_mujoco *host)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < SLOTS; i++) {
        if (atomic_load(&slots[i].host) != host)
            continue;
        atomic_store(&slots[i].model, NULL);
        atomic_store(&slots[i].data, NULL);
        atomic_store(&slots[i].host, NULL);
    }
    pthread_mutex_unlock(&lock);
}

bool pcm_process_guard(pcm_context *context, void (*call)(void *user), void *user)
{
    pcm_process_hook_in();
    guard here = {.context = context, .outer = guarding};
    guarding = &here;
    bool done = setjmp(here.escape) == 0;
    if (done)
        call(user);
    guarding = here.outer;
    return done;
}
