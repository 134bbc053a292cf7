/* SPDX-License-Identifier: MIT */
/* registry.c - a table, by mjData, of the attachments and the worlds of copies in this process.
 *
 * MuJoCo's callbacks have no user pointer: they get a model and a data. Each thread caches its last result, and
 * searches again, under the lock, for another data or after the table has changed. */
#include "life.h"
#include <pcm/messages.h>
#include <pthread.h>
#include <stdatomic.h>

enum { BUCKETS = 4096 };

typedef struct finding {
    const mjModel *model;
    const mjData  *data;
    uint64_t       mark;
    pcm_mujoco    *host;
    uint64_t       changes;
    bool           settled; /* a host was found, or there is nothing to note of the model */
} finding;

static pthread_mutex_t  lock = PTHREAD_MUTEX_INITIALIZER;
static pcm_mujoco      *buckets[BUCKETS]; /* hashed by data */
static pcm_mujoco      *attachments;      /* the latest first */
static _Atomic uint64_t changes = 1;
static _Atomic size_t   n_copies;

static _Thread_local finding           last;
static _Thread_local const pcm_mujoco *last_attachment; /* this thread's last result; it may have been freed */

static pcm_mujoco **bucket_of(const mjData *data) { return &buckets[((uintptr_t)data >> 6) * 2654435761U % BUCKETS]; }

static pcm_mujoco *look_up(const mjData *data)
{
    pcm_mujoco *host = *bucket_of(data);
    while (host && host->data != data)
        host = host->life->next_in_bucket;
    return host;
}

static void insert(pcm_mujoco *host)
{
    pcm_mujoco **bucket = bucket_of(host->data);
    host->life->next_in_bucket = *bucket;
    *bucket = host;
    atomic_fetch_add(&changes, 1);
}

static void take_out(pcm_mujoco *host)
{
    pcm_mujoco **at = bucket_of(host->data);
    while (*at && *at != host)
        at = &(*at)->life->next_in_bucket;
    if (*at)
        *at = host->life->next_in_bucket;
    atomic_fetch_add(&changes, 1);
}

/* ---- Finding ----------------------------------------------------------------------------------------------------- */

/* The attachment to the model that this thread found last; otherwise the first one that was made. */
static pcm_mujoco *attachment_of(const mjModel *model)
{
    pcm_mujoco *found = NULL;
    for (pcm_mujoco *host = attachments; host; host = host->life->next_attached) {
        if (host->model != model)
            continue;
        found = host;
        if (host == last_attachment)
            break;
    }
    return found;
}

static pcm_mujoco *copy_for(pcm_mujoco *source, const mjData *data)
{
    pcm_mujoco *copy = pcm_copy_new(source, data);
    if (!copy)
        return NULL;
    copy->life->next_copy = source->copies;
    source->copies = copy;
    insert(copy);
    atomic_fetch_add(&n_copies, 1);
    return copy;
}

static void drop_copy(pcm_mujoco *copy)
{
    pcm_mujoco **at = &copy->source->copies;
    while (*at != copy)
        at = &(*at)->life->next_copy;
    *at = copy->life->next_copy;
    take_out(copy);
    atomic_fetch_sub(&n_copies, 1);
    pcm_host_dispose(copy);
}

/* The attachment that has, or one of whose copies has, the history with this mark; NULL: none. */
static pcm_mujoco *family_of(const mjModel *model, uint64_t mark)
{
    for (pcm_mujoco *host = attachments; host; host = host->life->next_attached)
        if (host->model == model && host->life->history == mark)
            return host;
    for (pcm_mujoco *host = attachments; host; host = host->life->next_attached)
        for (pcm_mujoco *copy = host->copies; host->model == model && copy; copy = copy->life->next_copy)
            if (copy->life->history == mark || copy->life->former == mark || copy->life->accepts == mark)
                return host;
    for (pcm_mujoco *host = attachments; host; host = host->life->next_attached)
        if (host->model == model && pcm_past_find(&host->life->orphans, mark, NAN))
            return host;
    return NULL;
}

/* Finds the world for data. That of a copy belongs to the attachment whose data was copied. */
static pcm_mujoco *find_locked(const mjModel *model, const mjData *data)
{
    pcm_mujoco    *host = look_up(data);
    const uint64_t mark = pcm_release_mark(data);
    if (host && (!host->source || (host->model == model && mark == host->life->history)))
        return host->model == model ? host : NULL;
    pcm_mujoco *source = mark ? family_of(model, mark) : NULL;
    if (host && (host->model != model || (source && source != host->source))) {
        drop_copy(host);
        host = NULL;
    }
    if (host)
        return host;
    source = source ? source : attachment_of(model);
    const bool holds = source && pcm_model_holds(source); /* MuJoCo runs trial steps when it recompiles a model */
    return holds ? copy_for(source, data) : NULL;
}

/* A model is in use once its data has made more than a step: MuJoCo makes a trial step when it compiles one. */
static bool is_used(const mjModel *model, const mjData *data) { return data->time > 1.5 * model->opt.timestep; }

/* An attachment to a model of the same sizes and names, of which that is not noted yet; NULL: none. */
static pcm_mujoco *find_twin(const mjModel *model)
{
    pcm_mujoco *host = attachments;
    while (host && (host->life->noted_twin || !pcm_model_is_like(host, model)))
        host = host->life->next_attached;
    if (host)
        host->life->noted_twin = true;
    return host;
}

static void note_twin(const pcm_mujoco *host)
{
    pcm_report(host->context, PCM_NOTE, PCM_MSG_OTHER_MODEL,
               "another mjModel of the same names is in use, perhaps a copy of the attached one: its contacts are "
               "MuJoCo's own until it is attached, too");
}

pcm_mujoco *pcm_registry_find(const mjModel *model, const mjData *data)
{
    const uint64_t mark = pcm_release_mark(data);
    if (last.data == data && last.model == model && last.mark == mark && last.changes == atomic_load(&changes) &&
        (last.settled || !is_used(model, data)))
        return last.host;
    pthread_mutex_lock(&lock);
    pcm_mujoco       *host = find_locked(model, data);
    const pcm_mujoco *twin = host || !is_used(model, data) ? NULL : find_twin(model);
    last = (finding){model, data, mark, host, atomic_load(&changes), host || is_used(model, data)};
    pthread_mutex_unlock(&lock);
    if (twin)
        note_twin(twin);
    if (host)
        last_attachment = host->source ? host->source : host;
    return host;
}

pcm_mujoco *pcm_registry_copy(pcm_mujoco *source, const mjData *data)
{
    pthread_mutex_lock(&lock);
    pcm_mujoco *host = look_up(data);
    if (host && host->source && host->source != source) {
        drop_copy(host);
        host = NULL;
    }
    if (!host)
        host = copy_for(source, data);
    pthread_mutex_unlock(&lock);
    return host && host->source == source ? host : NULL;
}

/* Whether the copy has the history, or had it before, or was forked from it at that time. */
static bool has_mark(const pcm_mujoco *copy, uint64_t mark, double time)
{
    const pcm_life *life = copy->life;
    return life->history == mark || life->former == mark || (life->accepts == mark && life->now == time);
}

void pcm_registry_visit(pcm_mujoco *source, uint64_t mark, double time, pcm_registry_visitor *visit, void *user)
{
    pthread_mutex_lock(&lock);
    pcm_mujoco *copy = source->copies;
    while (copy && !has_mark(copy, mark, time))
        copy = copy->life->next_copy;
    const pcm_past *orphan = copy ? NULL : pcm_past_find(&source->life->orphans, mark, time);
    if (copy || orphan)
        visit(user, copy ? copy : source, orphan);
    pthread_mutex_unlock(&lock);
}

static uint64_t origin_of(pcm_mujoco *host, uint64_t mark, double time)
{
    pcm_life *life = host->life;
    pcm_host_lock(host);
    const uint64_t origin = life->history == mark && life->began == time ? life->origin : 0;
    pcm_host_unlock(host);
    return origin;
}

uint64_t pcm_registry_origin(pcm_mujoco *source, uint64_t mark, double time)
{
    pthread_mutex_lock(&lock);
    pcm_mujoco *host = source->life->history == mark ? source : source->copies;
    while (host && host->life->history != mark)
        host = host->life->next_copy;
    const uint64_t origin = host ? origin_of(host, mark, time) : 0;
    pthread_mutex_unlock(&lock);
    return origin;
}

void pcm_registry_freed(const void *memory)
{
    if (!memory || atomic_load(&n_copies) == 0)
        return;
    pthread_mutex_lock(&lock);
    pcm_mujoco *copy = look_up(memory);
    if (copy && copy->source) {
        pcm_copy_keep(copy, copy->data->time);
        drop_copy(copy);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- Adding and removing ----------------------------------------------------------------------------------------- */

pcm_status pcm_registry_enter(pcm_mujoco *host)
{
    pthread_mutex_lock(&lock);
    pcm_mujoco *there = look_up(host->data);
    const bool  taken = there && !there->source;
    if (there && !taken)
        drop_copy(there);
    if (!taken) {
        insert(host);
        host->life->next_attached = attachments;
        attachments = host;
    }
    pthread_mutex_unlock(&lock);
    if (!taken)
        return PCM_OK;
    pcm_report(host->context, PCM_ERROR, PCM_MSG_ATTACHED,
               "this mjData is attached already: free that attachment first (pcm_mujoco_free)");
    return PCM_BAD_ARGUMENT;
}

void pcm_registry_leave(pcm_mujoco *host)
{
    pthread_mutex_lock(&lock);
    pcm_mujoco **at = &attachments;
    while (*at && *at != host)
        at = &(*at)->life->next_attached;
    if (*at) { /* otherwise it was never registered */
        *at = host->life->next_attached;
        take_out(host);
    }
    while (host->copies)
        drop_copy(host->copies);
    pthread_mutex_unlock(&lock);
}
