/* SPDX-License-Identifier: MIT */
/* model.c - whether an mjData belongs to a model, and whether a model is still the one that was attached.
 *
 * mj_recompile replaces an attached model by another one. Our tables are indexed by geoms and bodies, and no longer
 * fit. MuJoCo's signature of a model covers only the tree, and exists only from 3.3 on; so we compare all sizes, the
 * names and the address of the buffer, which works in every release. */
#include "attachment.h"
#include <mujoco/mjxmacro.h>
#include <pcm/messages.h>
#include <string.h>

/* ---- Data of a model --------------------------------------------------------------------------------------------- */

bool pcm_model_alike(const mjData *a, const mjData *b)
{
    const char *const first = a->buffer, *const second = b->buffer;
    bool same = a->nbuffer == b->nbuffer;
#define X(type, name, rows, columns) same = same && (const char *)a->name - first == (const char *)b->name - second;
    MJDATA_POINTERS
#undef X
    return same;
}

typedef struct making {
    const mjModel *model;
    mjData        *made;
} making;

static void make(void *user)
{
    making *m = user;
    m->made = mj_makeData(m->model);
}

bool pcm_model_has(pcm_context *context, const mjModel *model, const mjData *data)
{
    making     m = {.model = model};
    const bool has = pcm_process_guard(context, make, &m) && m.made && pcm_model_alike(m.made, data);
    if (m.made)
        mj_deleteData(m.made);
    if (!has)
        pcm_report(context, PCM_ERROR, PCM_MSG_OTHER_MODEL,
                   "the mjData is not of this mjModel: attach what mj_makeData made of the same model");
    return has;
}

/* ---- The model that was attached --------------------------------------------------------------------------------- */

pcm_status pcm_model_keep(pcm_mujoco *host)
{
    const mjModel *model = host->model;
    pcm_as_it_was *was = &host->was;
    memcpy(was->sizes, model, sizeof was->sizes);
    was->buffer = model->buffer;
    was->n_names = (size_t)model->nnames;
    was->names = pcm_allocate(host->context, was->n_names);
    if (was->n_names && !was->names)
        return pcm_host_no_memory(host->context);
    memcpy(was->names, model->names, was->n_names);
    return PCM_OK;
}

void pcm_model_forget(pcm_mujoco *host) { pcm_free(host->context, host->was.names, host->was.n_names); }

bool pcm_model_holds(const pcm_mujoco *host)
{
    const pcm_as_it_was *was = &host->owner->was;
    return pcm_model_is_there(host) && memcmp(was->names, host->model->names, was->n_names) == 0;
}

bool pcm_model_is_like(const pcm_mujoco *host, const mjModel *model)
{
    const pcm_as_it_was *was = &host->owner->was;
    return model != host->model && memcmp(was->sizes, model, sizeof was->sizes) == 0 &&
           memcmp(was->names, model->names, was->n_names) == 0;
}

bool pcm_model_stands(pcm_mujoco *host)
{
    pcm_mujoco *family = host->owner;
    if (pcm_model_holds(host))
        return true;
    if (!atomic_exchange(&family->reported_model, true))
        pcm_report(host->context, PCM_ERROR, PCM_MSG_OTHER_MODEL,
                   "the attached mjModel was compiled anew in its place (mj_recompile): its contacts are MuJoCo's own "
                   "until the attachment is freed and made again (pcm_mujoco_free, pcm_mujoco_attach)");
    pcm_host_note(host, PCM_BAD_HOST);
    return false;
}
