/* SPDX-License-Identifier: MIT */
/* hooks.c - our hooks into MuJoCo, which the whole process shares. */
#include "life.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t     hooking = PTHREAD_MUTEX_INITIALIZER;
static size_t              n_users;         /* attachments that need the hooks, under the lock */
static bool                hooked;          /* likewise */
static _Atomic(mjfGeneric) passive_before;  /* atomic: other threads may be compiling models */
static void (*_Atomic free_before)(void *); /* likewise */

/* ---- Forces ------------------------------------------------------------------------------------------------------ */

/* Speculative contacts may be switched on after attaching. */
static void reject_sweep(pcm_mujoco *host)
{
    if (!host->detection->n_pairs || !pcm_release_speculates(host->model))
        return;
    if (!host->life->noted_sweep)
        host->life->noted_sweep = pcm_scene_speculates(host->context, host->model);
    pcm_host_note(host, PCM_BAD_HOST);
}

static void evaluate(pcm_mujoco *host, mjData *data)
{
    enum { RARELY = 256 };
    pcm_life *life = host->life;
    if (!pcm_model_stands(host))
        return;
    reject_sweep(host);
    if (life->evaluations % RARELY == 0)
        pcm_changed_check(host);
    const bool has_solver = host->evaluation->has_solver, own_loop = !host->in_own_call && !has_solver;
    pcm_forces_withdraw(host, data);
    if (pcm_sleep_begins(host, data)) { /* the forces and states of the step stay unchanged */
        pcm_forces_apply(host, data);
        pcm_implicit_act(host);
        return;
    }
    pcm_list_settle(data);
    life->open_phases = 0;
    if (own_loop)
        pcm_follow_arrive(host, data);
    const bool       stages = own_loop && life->follows && pcm_history_has_stages(host);
    const pcm_status status = stages ? pcm_stages_evaluate(host, data) : pcm_evaluate_all(host, data);
    if (pcm_leaves_forces(status)) {
        pcm_forces_apply(host, data);
        pcm_implicit_act(host);
        pcm_sleep_join(host, data);
        pcm_advise(host, data->time);
    }
    pcm_host_note(host, status);
    if (!has_solver)
        pcm_follow_leave(host, data);
    life->evaluations++;
}

static void on_passive(const mjModel *model, mjData *data)
{
    const mjfGeneric before = passive_before;
    if (before)
        before(model, data);
    pcm_mujoco *host = pcm_registry_find(model, data);
    if (host)
        evaluate(host, data);
}

/* ---- Collisions -------------------------------------------------------------------------------------------------- */

/* Whether the caller measures a distance (mj_geomDistance, distance sensors). It then does not collect into MuJoCo's
 * own memory or, in releases where that is not known, it uses a larger distance than any margin and gap. */
static bool is_measured(const mjModel *model, const mjData *data, const pcm_found *contacts, int geom_a, int geom_b,
                        mjtNum margin)
{
    if (PCM_RELEASE_LISTS_IN_ARENA)
        return !pcm_release_in_arena(data, contacts);
    return margin > pcm_process_widest(model, geom_a, geom_b);
}

/* Watches that forces are computed after collisions. Reports the third time that they are not, unless only positions
 * are computed. */
static void watch(pcm_mujoco *host, const mjData *data)
{
    enum { IN_VAIN = 3 };
    pcm_life *life = host->life;
    pcm_process_hook_again();
    if (data->time == life->phase && life->open_phases > 0)
        return;
    life->phase = data->time;
    if (mjcb_passive == on_passive && !pcm_release_skips_passive(host->model))
        return;
    if (++life->open_phases != IN_VAIN || host->in_own_call)
        return;
    pcm_follow_report_lost(host);
    pcm_host_note(host, PCM_BAD_HOST);
}

static void note_collision(pcm_mujoco *host, const mjData *data)
{
    const bool threaded = pcm_release_is_threaded(data);
    if (threaded)
        pthread_mutex_lock(&host->detection->looking);
    watch(host, data);
    if (!host->in_own_call)
        host->reading->felt_time = NAN;
    if (threaded)
        pthread_mutex_unlock(&host->detection->looking);
}

/* MuJoCo measures distances of convex geoms exactly where the table has its own function. Behind ours it asks for
 * contacts within the largest distance instead, by which its search inflates both geoms: of 1.8 m it finds 1.86
 * within 10. So here the margin follows the distance that was found. */
static int measure(const mjModel *model, pcm_collision_data *data, pcm_found *contacts, int geom_a, int geom_b,
                   mjtNum margin)
{
    enum { ROUNDS = 4 };
    const mjfCollision own = pcm_process_collision(model->geom_type[geom_a], model->geom_type[geom_b]);
    pcm_found          kept[mjMAXCONPAIR];
    int                count = own(model, data, contacts, geom_a, geom_b, margin);
    if (!pcm_process_convex(model->geom_type[geom_a], model->geom_type[geom_b]))
        return count;
    for (int i = 0; i < ROUNDS && count > 0; i++) {
        mjtNum least = contacts[0].dist;
        for (int k = 1; k < count; k++)
            least = fmin(least, contacts[k].dist);
        const mjtNum next = fmax(least, 0) + 1e-6;
        if (!(next < margin))
            break;
        memcpy(kept, contacts, (size_t)count * sizeof *kept);
        const int found = own(model, data, contacts, geom_a, geom_b, next);
        if (found == 0) {
            memcpy(contacts, kept, (size_t)count * sizeof *kept);
            break;
        }
        count = found;
        margin = next;
    }
    return count;
}

static int on_collision(const mjModel *model, pcm_collision_data *data, pcm_found *contacts, int geom_a, int geom_b,
                        mjtNum margin)
{
    pcm_mujoco *host = pcm_registry_find(model, data);
    if (host && pcm_model_is_there(host) && *pcm_pair_of(host, geom_a, geom_b) &&
        !is_measured(model, data, contacts, geom_a, geom_b, margin)) {
        note_collision(host, data);
        return pcm_list_pair(host, data, contacts, geom_a, geom_b, margin);
    }
    if (is_measured(model, data, contacts, geom_a, geom_b, margin))
        return measure(model, data, contacts, geom_a, geom_b, margin);
    const mjfCollision own = pcm_process_collision(model->geom_type[geom_a], model->geom_type[geom_b]);
    return own(model, data, contacts, geom_a, geom_b, margin);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Frees the world of a copy when the copy's data is freed. */
static void on_free(void *memory)
{
    void (*const before)(void *) = free_before;
    pcm_registry_freed(memory);
    if (before)
        before(memory);
    else
        free(memory); /* as MuJoCo does without this function */
}

/* ---- Installing the hooks ---------------------------------------------------------------------------------------- */

static void hook_in(void)
{
    pcm_process_keep_collisions();
    for (int i = 0; i < mjNGEOMTYPES; i++)
        for (int k = 0; k < mjNGEOMTYPES; k++)
            if (mjCOLLISIONFUNC[i][k])
                mjCOLLISIONFUNC[i][k] = on_collision;
    passive_before = mjcb_passive;
    mjcb_passive = on_passive;
    free_before = mju_user_free;
    mju_user_free = on_free;
}

/* Whether all hooks are ours. Another library may have saved them to call them: then they stay. */
static bool are_ours(void)
{
    bool ours = (mjcb_passive == on_passive || !mjcb_passive) && mju_user_free == on_free;
    for (int i = 0; i < mjNGEOMTYPES; i++)
        for (int k = 0; k < mjNGEOMTYPES; k++)
            ours = ours && (!mjCOLLISIONFUNC[i][k] || mjCOLLISIONFUNC[i][k] == on_collision);
    return ours;
}

static void hook_out(void)
{
    for (int i = 0; i < mjNGEOMTYPES; i++)
        for (int k = 0; k < mjNGEOMTYPES; k++)
            mjCOLLISIONFUNC[i][k] = pcm_process_collision(i, k);
    mjcb_passive = mjcb_passive ? passive_before : NULL;
    mju_user_free = free_before;
}

void pcm_process_hook_in(void)
{
    pthread_mutex_lock(&hooking);
    n_users++;
    if (!hooked)
        hook_in();
    hooked = true;
    pthread_mutex_unlock(&hooking);
    pcm_process_hook_again();
}

void pcm_process_hook_out(void)
{
    pthread_mutex_lock(&hooking);
    if (--n_users == 0 && are_ours()) {
        hook_out();
        hooked = false;
    }
    pthread_mutex_unlock(&hooking);
}

/* mj_resetCallbacks removes ours with all others. */
void pcm_process_hook_again(void)
{
    if (!mjcb_passive)
        mjcb_passive = on_passive;
}
