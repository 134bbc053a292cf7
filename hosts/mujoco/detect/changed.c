/* SPDX-License-Identifier: MIT */
/* changed.c - parameters of MuJoCo's own contacts that a program changes after attaching, which laws do not read. */
#include "detection.h"
#include <pcm/messages.h>

typedef struct kept_array {
    const char *name;
    const void *values; /* of the model */
    size_t      size;   /* bytes for a geom */
} kept_array;

enum { ARRAYS = 5 };

static void list(const mjModel *model, kept_array arrays[ARRAYS])
{
    const kept_array all[ARRAYS] = {{"geom_friction", model->geom_friction, 3 * sizeof *model->geom_friction},
                                    {"geom_solref", model->geom_solref, mjNREF * sizeof *model->geom_solref},
                                    {"geom_solimp", model->geom_solimp, mjNIMP * sizeof *model->geom_solimp},
                                    {"geom_contype", model->geom_contype, sizeof *model->geom_contype},
                                    {"geom_conaffinity", model->geom_conaffinity, sizeof *model->geom_conaffinity}};
    memcpy(arrays, all, sizeof all);
}

static size_t bytes_of(const kept_array arrays[ARRAYS], size_t geoms)
{
    size_t bytes = 0;
    for (size_t i = 0; i < ARRAYS; i++)
        bytes += geoms * arrays[i].size;
    return bytes;
}

pcm_status pcm_changed_keep(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    kept_array     arrays[ARRAYS];
    list(host->model, arrays);
    d->as_attached = pcm_allocate(host->context, bytes_of(arrays, host->n_geoms));
    if (!d->as_attached && host->n_geoms)
        return pcm_host_no_memory(host->context);
    char *to = d->as_attached;
    for (size_t i = 0; i < ARRAYS && to; to += host->n_geoms * arrays[i].size, i++)
        memcpy(to, arrays[i].values, host->n_geoms * arrays[i].size);
    return PCM_OK;
}

void pcm_changed_free(pcm_mujoco *host)
{
    kept_array arrays[ARRAYS];
    list(host->model, arrays);
    pcm_free(host->context, host->detection->as_attached, bytes_of(arrays, host->n_geoms));
}

/* The first object with a law whose number was changed; NULL: none. */
static const pcm_served *find_changed(const pcm_mujoco *host, const kept_array *array, const char *kept)
{
    const pcm_detection *d = host->detection;
    for (size_t i = 0; i < d->n_objects; i++) {
        const size_t at = d->objects[i].geom < 0 ? 0 : (size_t)d->objects[i].geom * array->size;
        if (d->objects[i].geom >= 0 && memcmp(kept + at, (const char *)array->values + at, array->size) != 0)
            return &d->objects[i];
    }
    return NULL;
}

static void report(pcm_mujoco *host, const kept_array *array, bool decides, const char *object)
{
    if (decides)
        pcm_report(host->context, PCM_WARNING, PCM_MSG_UNSERVED,
                   "%s of '%.100s' was changed since it was attached: pairs that collide only since then stay "
                   "MuJoCo's until it is attached again",
                   array->name, object);
    else
        pcm_report(host->context, PCM_WARNING, PCM_MSG_UNSERVED,
                   "%s of '%.100s' was changed since it was attached: it counts for MuJoCo's own contacts alone; "
                   "pcm_mujoco_set changes a parameter of a law",
                   array->name, object);
}

void pcm_changed_check(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    const char    *kept = d->as_attached;
    kept_array     arrays[ARRAYS];
    if (host->owner != host || d->reported_changed || !kept)
        return;
    list(host->model, arrays);
    for (size_t i = 0; i < ARRAYS; kept += host->n_geoms * arrays[i].size, i++) {
        const bool        same = memcmp(kept, arrays[i].values, host->n_geoms * arrays[i].size) == 0;
        const pcm_served *changed = same ? NULL : find_changed(host, &arrays[i], kept);
        if (!changed)
            continue;
        d->reported_changed = true;
        report(host, &arrays[i], i >= 3, changed->name);
    }
}
