/* SPDX-License-Identifier: MIT */
/* process.c - state that the whole process shares: MuJoCo's own collision functions, and the handlers of its errors
 * and warnings. */
#include "attachment.h"
#include <pcm/messages.h>
#include <setjmp.h>

/* ---- Collision functions ----------------------------------------------------------------------------------------- */

/* Written under the lock of life/hooks.c, before the hooks are installed. Atomic: other threads may be compiling models
 * then, or still be in a hook of before. */
static _Atomic(mjfCollision) own_collisions[mjNGEOMTYPES][mjNGEOMTYPES];

void pcm_process_keep_collisions(void)
{
    for (int a = 0; a < mjNGEOMTYPES; a++)
        for (int b = 0; b < mjNGEOMTYPES; b++)
            own_collisions[a][b] = mjCOLLISIONFUNC[a][b];
}

mjfCollision pcm_process_collision(int type_a, int type_b) { return own_collisions[type_a][type_b]; }

bool pcm_process_convex(int type_a, int type_b)
{
    return own_collisions[type_a][type_b] == own_collisions[mjGEOM_ELLIPSOID][mjGEOM_ELLIPSOID];
}

double pcm_process_widest(const mjModel *model, int geom_a, int geom_b)
{
    const double gap = model->geom_gap[geom_a] + model->geom_gap[geom_b];
    double       widest = fmax(model->geom_margin[geom_a] + model->geom_margin[geom_b], model->opt.o_margin) + gap;
    for (int i = 0; i < model->npair; i++)
        widest = fmax(widest, fmax(model->pair_margin[i], model->opt.o_margin) + model->pair_gap[i]);
    return widest;
}

/* ---- Errors and warnings ----------------------------------------------------------------------------------------- */

typedef struct guard {
    jmp_buf       escape;
    pcm_context  *context;
    struct guard *outer;
} guard;

/* Written only by the first guard, inside pthread_once. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void (*error_before)(const char *);
static void (*warning_before)(const char *);

static _Thread_local guard *guarding;

/* An error outside our calls belongs to the application: it goes to the handler that was installed before. */
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
    mju_error(PCM_RELEASE_MESSAGE(message));
}

static void on_warning(const char *message)
{
    if (guarding) {
        pcm_report(guarding->context, PCM_WARNING, PCM_MSG_SIMULATOR, "MuJoCo: %s", message);
    } else if (warning_before) {
        warning_before(message);
    } else {
        mju_user_warning = NULL;
        mju_warning(PCM_RELEASE_MESSAGE(message));
        mju_user_warning = on_warning;
    }
}

static void hook_in(void)
{
    error_before = mju_user_error;
    mju_user_error = on_error;
    warning_before = mju_user_warning;
    mju_user_warning = on_warning;
}

bool pcm_process_guard(pcm_context *context, void (*call)(void *user), void *user)
{
    pthread_once(&once, hook_in);
    guard here = {.context = context, .outer = guarding};
    guarding = &here;
    bool done = setjmp(here.escape) == 0;
    if (done)
        call(user);
    guarding = here.outer;
    return done;
}
