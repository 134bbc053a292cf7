/* SPDX-License-Identifier: MIT */
/* changed.c - numbers of the model that a program changes after attaching: those of MuJoCo's own contacts, which laws
 * do not read, and those that laws have read once. */
#include "detection.h"
#include <pcm/messages.h>

typedef enum use { OWN, DECIDES, READ_ONCE } use; /* by MuJoCo's own contacts; for which pairs collide; by laws */

typedef struct kept_array {
    const char *name;
    const void *values;      /* of the model */
    size_t      size, count; /* bytes for a geom or a body, and how many of these there are */
    bool        of_bodies;
    use         use;
    uint32_t    input; /* of laws that have read it */
} kept_array;

enum { ARRAYS = 7 };

static void list(const pcm_mujoco *host, kept_array arrays[ARRAYS])
{
    const mjModel   *m = host->model;
    const size_t     geoms = host->n_geoms, bodies = host->n_bodies;
    const kept_array all[ARRAYS] = {
        {"geom_friction", m->geom_friction, 3 * sizeof *m->geom_friction, geoms, false, OWN, 0},
        {"geom_solref", m->geom_solref, mjNREF * sizeof *m->geom_solref, geoms, false, OWN, 0},
        {"geom_solimp", m->geom_solimp, mjNIMP * sizeof *m->geom_solimp, geoms, false, OWN, 0},
        {"geom_contype", m->geom_contype, sizeof *m->geom_contype, geoms, false, DECIDES, 0},
        {"geom_conaffinity", m->geom_conaffinity, sizeof *m->geom_conaffinity, geoms, false, DECIDES, 0},
        {"geom_size", m->geom_size, 3 * sizeof *m->geom_size, geoms, false, READ_ONCE, PCM_RADIUS},
        {"body_mass", m->body_mass, sizeof *m->body_mass, bodies, true, READ_ONCE, PCM_MASS}};
    memcpy(arrays, all, sizeof all);
}

static size_t bytes_of(const kept_array arrays[ARRAYS])
{
    size_t bytes = 0;
    for (size_t i = 0; i < ARRAYS; i++)
        bytes += arrays[i].count * arrays[i].size;
    return bytes;
}

pcm_status pcm_changed_keep(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    kept_array     arrays[ARRAYS];
    list(host, arrays);
    d->as_attached = pcm_allocate(host->context, bytes_of(arrays));
    if (!d->as_attached)
        return pcm_host_no_memory(host->context);
    char *to = d->as_attached;
    for (size_t i = 0; i < ARRAYS; to += arrays[i].count * arrays[i].size, i++)
        if (arrays[i].count)
            memcpy(to, arrays[i].values, arrays[i].count * arrays[i].size);
    return PCM_OK;
}

void pcm_changed_free(pcm_mujoco *host)
{
    kept_array arrays[ARRAYS];
    list(host, arrays);
    pcm_free(host->context, host->detection->as_attached, bytes_of(arrays));
}

/* The first object with a law whose number was changed; NULL: none. */
static const pcm_served *find_changed(const pcm_mujoco *host, const kept_array *array, const char *kept)
{
    const pcm_detection *d = host->detection;
    if (array->count == 0 || memcmp(kept, array->values, array->count * array->size) == 0)
        return NULL;
    for (size_t i = 0; i < d->n_objects; i++) {
        const int geom = d->objects[i].geom;
        if (geom < 0)
            continue;
        const size_t at = array->size * (size_t)(array->of_bodies ? host->model->geom_bodyid[geom] : geom);
        if (memcmp(kept + at, (const char *)array->values + at, array->size) != 0)
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
    list(host, arrays);
    for (size_t i = 0; i < ARRAYS; kept += arrays[i].count * arrays[i].size, i++) {
        const pcm_served *changed = find_changed(host, &arrays[i], kept);
        if (!changed || (arrays[i].use == READ_ONCE && !is_read(host->config, arrays[i].input)))
            continue;
        d->reported_changed = true;
        report(host, &arrays[i], changed->name);
    }
}
