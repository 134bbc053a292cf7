/* SPDX-License-Identifier: MIT */
/* changed.c - numbers of the model that a program changes after attaching: those of MuJoCo's own contacts, which laws
 * do not read, and those that laws have read once. */
#include "detection.h"
#include <pcm/messages.h>

typedef enum use { OWN, DECIDES, READ_ONCE } use; /* by MuJoCo's own contacts; for which pairs collide; by laws */

typedef struct kept_array {
    const char *name;
    const void *values; /* of the model */
    size_t      size;   /* bytes for a geom, or for its body */
    bool        of_body;
    use         use;
    uint32_t    input; /* of laws that have read it */
} kept_array;

enum { ARRAYS = 7 };

static void list(const mjModel *model, kept_array arrays[ARRAYS])
{
    const kept_array all[ARRAYS] = {
        {"geom_friction", model->geom_friction, 3 * sizeof *model->geom_friction, false, OWN, 0},
        {"geom_solref", model->geom_solref, mjNREF * sizeof *model->geom_solref, false, OWN, 0},
        {"geom_solimp", model->geom_solimp, mjNIMP * sizeof *model->geom_solimp, false, OWN, 0},
        {"geom_contype", model->geom_contype, sizeof *model->geom_contype, false, DECIDES, 0},
        {"geom_conaffinity", model->geom_conaffinity, sizeof *model->geom_conaffinity, false, DECIDES, 0},
        {"geom_size", model->geom_size, 3 * sizeof *model->geom_size, false, READ_ONCE, PCM_RADIUS},
        {"body_mass", model->body_mass, sizeof *model->body_mass, true, READ_ONCE, PCM_MASS}};
    memcpy(arrays, all, sizeof all);
}

static size_t bytes_of(const kept_array arrays[ARRAYS], size_t geoms)
{
    size_t bytes = 0;
    for (size_t i = 0; i < ARRAYS; i++)
        bytes += geoms * arrays[i].size;
    return bytes;
}

static const void *value_of(const mjModel *model, const kept_array *array, size_t geom)
{
    const size_t at = array->of_body ? (size_t)model->geom_bodyid[geom] : geom;
    return (const char *)array->values + at * array->size;
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
    for (size_t i = 0; i < ARRAYS; i++)
        for (size_t geom = 0; geom < host->n_geoms; geom++, to += arrays[i].size)
            memcpy(to, value_of(host->model, &arrays[i], geom), arrays[i].size);
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
        const int geom = d->objects[i].geom;
        if (geom >= 0 &&
            memcmp(kept + (size_t)geom * array->size, value_of(host->model, array, (size_t)geom), array->size) != 0)
            return &d->objects[i];
    }
    return NULL;
}

static bool is_read(const pcm_config *config, uint32_t input)
{
    for (size_t i = 0; i < pcm_config_type_count(config); i++)
        if (pcm_type_get_info(pcm_config_type_at(config, i))->model->inputs & input)
            return true;
    return false;
}

static void report(pcm_mujoco *host, const kept_array *array, const char *object)
{
    static const char *const effects[] = {
        [OWN] = "it counts for MuJoCo's own contacts alone; pcm_mujoco_set changes a parameter of a law",
        [DECIDES] = "pairs that collide only since then stay MuJoCo's until it is attached again",
        [READ_ONCE] = "laws that read it keep what it was until it is attached again"};
    pcm_report(host->context, PCM_WARNING, PCM_MSG_UNSERVED, "%s of '%.100s' was changed since it was attached: %s",
               array->name, object, effects[array->use]);
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
        const pcm_served *changed = find_changed(host, &arrays[i], kept);
        if (!changed || (arrays[i].use == READ_ONCE && !is_read(host->config, arrays[i].input)))
            continue;
        d->reported_changed = true;
        report(host, &arrays[i], changed->name);
    }
}
