/* SPDX-License-Identifier: MIT */
/* many.c - attachments of one model to several mjData, stepped in threads. */
#include "life.h"
#include <pcm/messages.h>

struct pcm_mujoco_many {
    pcm_context *context;
    pcm_mujoco **hosts; /* the first one owns the tables of all */
    size_t       count;
    pcm_world   *crew; /* without objects: its threads make the steps */

    /* The current call. */
    const bool   *which;
    size_t        steps;
    pcm_status   *statuses;
    atomic_size_t next; /* index of the next one that no thread has taken */
};

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static pcm_mujoco_many *make(pcm_context *context, pcm_config *config, size_t count, uint32_t threads)
{
    pcm_mujoco_many *many = pcm_allocate(context, sizeof *many);
    if (!many)
        return NULL;
    pcm_world_def def = pcm_world_defaults();
    def.threads = threads;
    many->context = context;
    many->count = count;
    many->hosts = pcm_allocate(context, count * sizeof *many->hosts);
    many->statuses = pcm_allocate(context, count * sizeof *many->statuses);
    many->crew = pcm_world_new(config, &def);
    if (many->hosts && many->statuses && many->crew)
        return many;
    pcm_mujoco_many_free(many);
    return NULL;
}

static bool attach_all(pcm_mujoco_many *many, pcm_config *config, const mjModel *model, mjData *const *data,
                       const pcm_mujoco_def *def)
{
    many->hosts[0] = pcm_mujoco_attach(many->context, config, model, data[0], def);
    bool done = many->hosts[0];
    for (size_t i = 1; done && i < many->count; i++) {
        many->hosts[i] = pcm_attach_member(many->hosts[0], data[i], def->ledger);
        done = many->hosts[i];
    }
    return done;
}

pcm_mujoco_many *pcm_mujoco_attach_many(pcm_context *context, pcm_config *config, const mjModel *model,
                                        mjData *const *data, size_t count, uint32_t threads, const pcm_mujoco_def *def)
{
    pcm_mujoco_def filled;
    if (!pcm_host_fill(context, def, &filled))
        return NULL;
    if (!config || !model || !data || count == 0 || filled.log_directory) {
        pcm_report(context, PCM_ERROR, PCM_MSG_NULL_ARGUMENT, "nothing to attach: %s",
                   filled.log_directory
                       ? "several attachments would write the same logs: attach one that logs by itself"
                       : "there is no configuration, no mjModel or no mjData");
        return NULL;
    }
    pcm_mujoco_many *many = make(context, config, count, threads);
    if (!many) {
        pcm_host_no_memory(context);
        return NULL;
    }
    if (attach_all(many, config, model, data, &filled))
        return many;
    pcm_mujoco_many_free(many);
    return NULL;
}

void pcm_mujoco_many_free(pcm_mujoco_many *many)
{
    if (!many)
        return;
    for (size_t i = many->hosts ? many->count : 0; i-- > 0;)
        pcm_mujoco_free(many->hosts[i]);
    pcm_world_free(many->crew);
    pcm_free(many->context, many->hosts, many->count * sizeof *many->hosts);
    pcm_free(many->context, many->statuses, many->count * sizeof *many->statuses);
    pcm_free(many->context, many, sizeof *many);
}

size_t pcm_mujoco_many_count(const pcm_mujoco_many *many) { return many->count; }

pcm_mujoco *pcm_mujoco_many_at(const pcm_mujoco_many *many, size_t index)
{
    return index < many->count ? many->hosts[index] : NULL;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static bool is_selected(const bool *which, size_t i) { return !which || which[i]; }

static pcm_status step_one(pcm_mujoco *host, size_t steps)
{
    pcm_status status = PCM_OK;
    for (size_t k = 0; k < steps && status == PCM_OK; k++)
        status = pcm_mujoco_step(host);
    return status;
}

/* A task: takes one after the other until none is left. */
static void step_some(void *argument, uint32_t index)
{
    pcm_mujoco_many *many = argument;
    (void)index;
    for (size_t i; (i = atomic_fetch_add(&many->next, 1)) < many->count;)
        many->statuses[i] = is_selected(many->which, i) ? step_one(many->hosts[i], many->steps) : PCM_OK;
}

pcm_status pcm_mujoco_many_step(pcm_mujoco_many *many, const bool *which, size_t steps, pcm_status *statuses)
{
    many->which = which;
    many->steps = steps;
    many->next = 0;
    pcm_status status = pcm_world_run_tasks(many->crew, step_some, many);
    for (size_t i = 0; i < many->count; i++) {
        status = status == PCM_OK ? many->statuses[i] : status;
        if (statuses)
            statuses[i] = many->statuses[i];
    }
    return status;
}

pcm_status pcm_mujoco_many_reset(pcm_mujoco_many *many, const bool *which)
{
    pcm_status first = PCM_OK;
    for (size_t i = 0; i < many->count; i++) {
        const pcm_status status = is_selected(which, i) ? pcm_mujoco_reset(many->hosts[i]) : PCM_OK;
        first = first == PCM_OK ? status : first;
    }
    return first;
}

pcm_status pcm_mujoco_many_set(pcm_mujoco_many *many, const bool *which, const char *name, const double *values,
                               size_t *failed)
{
    pcm_status status = values ? PCM_OK : PCM_BAD_ARGUMENT;
    size_t     i = 0;
    for (; i < many->count && status == PCM_OK; i++)
        if (is_selected(which, i))
            status = pcm_mujoco_set(many->hosts[i], name, values[i]);
    if (failed)
        *failed = status == PCM_OK || i == 0 ? 0 : i - 1;
    return status;
}
