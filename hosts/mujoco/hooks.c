/* SPDX-License-Identifier: MIT */
/* hooks.c - the hooks into MuJoCo that the whole process shares, and what becomes of MuJoCo's errors. */
#include "host.h"
#include <pcm/messages.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct guard {
    jmp_buf       escape;
    pcm_context  *context;
    struct guard *outer;
} guard;

/* Written by the first attachment alone, under the once. */
static pthread_once_t      once = PTHREAD_ONCE_INIT;
static mjfCollision        collide_before[mjNGEOMTYPES][mjNGEOMTYPES];
static _Atomic(mjfGeneric) passive_before; /* models are compiled meanwhile, by other threads */
static void (*error_before)(const char *);
static void (*warning_before)(const char *);
static void (*free_before)(void *);

static _Thread_local guard *guarding;

/* ---- The hooks ------------------------------------------------------------------------------------------------- */

static void on_passive(const mjModel *model, mjData *data)
{
    const mjfGeneric before = passive_before;
    if (before)
        before(model, data);
    pcm_mujoco *host = pcm_registry_find(model, data);
    if (host)
        pcm_mujoco_evaluate(host, data);
}

double pcm_process_widest(const mjModel *model, int geom_a, int geom_b)
{
    const double gap = model->geom_gap[geom_a] + model->geom_gap[geom_b];
    double       widest = fmax(model->geom_margin[geom_a] + model->geom_margin[geom_b], model->opt.o_margin) + gap;
    for (int i = 0; i < model->npair; i++)
        widest = fmax(widest, fmax(model->pair_margin[i], model->opt.o_margin) + model->pair_gap[i]);
    return widest;
}

/* Whether it is a distance that is asked for (mj_geomDistance, distance sensors): not into MuJoCo's own memory or,
 * where that does not tell, farther than any margin and gap. */
static bool is_measured(const mjModel *model, const mjData *data, const pcm_found *contacts, int geom_a, int geom_b,
                        mjtNum margin)
{
    if (PCM_RELEASE_LISTS_IN_ARENA)
        return !pcm_release_in_arena(data, contacts);
    return margin > pcm_process_widest(model, geom_a, geom_b);
}

static int on_collision(const mjModel *model, pcm_collision_data *data, pcm_found *contacts, int geom_a, int geom_b,
                        mjtNum margin)
{
    pcm_mujoco *host = pcm_registry_find(model, data);
    if (host && pcm_model_is_there(host) && *pcm_pair_of(host, geom_a, geom_b) &&
        !is_measured(model, data, contacts, geom_a, geom_b, margin)) {
        pcm_follow_collision(host, data);
        return pcm_list_pair(host, data, contacts, geom_a, geom_b, margin);
    }
    return collide_before[model->geom_type[geom_a]][model->geom_type[geom_b]](model, data, contacts, geom_a, geom_b,
                                                                              margin);
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

/* Data that a guest answers for may go with it. */
static void on_free(void *memory)
{
    pcm_registry_freed(memory);
    if (free_before)
        free_before(memory);
    else
        free(memory); /* as MuJoCo does by itself */
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
    free_before = mju_user_free;
    mju_user_free = on_free;
}

/* mj_resetCallbacks takes ours away with all others. */
void pcm_process_hook_in(void)
{
    pthread_once(&once, hook_in);
    if (!mjcb_passive)
        mjcb_passive = on_passive;
}

bool pcm_process_is_hooked(void) { return mjcb_passive == on_passive; }

mjfCollision pcm_process_collision(int type_a, int type_b) { return collide_before[type_a][type_b]; }

bool pcm_process_convex(int type_a, int type_b)
{
    return collide_before[type_a][type_b] == collide_before[mjGEOM_ELLIPSOID][mjGEOM_ELLIPSOID];
}

/* ---- Guarding ------------------------------------------------------------------------------------------------- */

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
