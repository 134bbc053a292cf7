/* SPDX-License-Identifier: MIT */
/* checkpoint.c - the file has 64-bit words, the least significant byte first: the mark, the checksum of all that
 * follows, the checksum of the model, the numbers of `counts`, the sizes of logs, MuJoCo's state; then the bytes of
 * pcm_mujoco_checkpoint_save. */
#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <pcm/messages.h>

#include "hash.h"
#include "replace.h"
#include "whole_file.h"

#define MARK 0x33304E55524D4350u /* "PCMRUN03" */
enum { WORD = 8, HEAD = 2 * WORD };

/* The words after the checksums. */
enum { MODEL, OPTIONS, START, EVERY, STEPS, ROWS, TABLE_BYTES, SENSED, SENSE_BYTES, LOGS, STATE, COUNTS };

static void put(uint8_t *to, uint64_t value)
{
    for (int i = 0; i < WORD; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *from)
{
    uint64_t value = 0;
    for (int i = 0; i < WORD; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- MuJoCo's state ---------------------------------------------------------------------------------------------- */

/* The state that a step reads and that the scene does not define. */
#if mjVERSION_HEADER >= 300
static size_t state_count(const mjModel *model, mjData *data)
{
    (void)data;
    return (size_t)mj_stateSize(model, mjSTATE_INTEGRATION);
}

static void read_state(const mjModel *model, mjData *data, double *state)
{
    mj_getState(model, data, state, mjSTATE_INTEGRATION);
}

static void write_state(const mjModel *model, mjData *data, const double *state)
{
    mj_setState(model, data, state, mjSTATE_INTEGRATION);
}
#else
typedef struct part {
    double *at;
    size_t  count;
} part;
enum { PARTS = 11 };

static void state_parts(const mjModel *m, mjData *d, part parts[PARTS])
{
    const part all[PARTS] = {{&d->time, 1},
                             {d->qpos, (size_t)m->nq},
                             {d->qvel, (size_t)m->nv},
                             {d->act, (size_t)m->na},
                             {d->qacc_warmstart, (size_t)m->nv},
                             {d->ctrl, (size_t)m->nu},
                             {d->qfrc_applied, (size_t)m->nv},
                             {d->xfrc_applied, 6 * (size_t)m->nbody},
                             {d->mocap_pos, 3 * (size_t)m->nmocap},
                             {d->mocap_quat, 4 * (size_t)m->nmocap},
                             {d->userdata, (size_t)m->nuserdata}};
    memcpy(parts, all, sizeof all);
}

static size_t state_count(const mjModel *model, mjData *data)
{
    part   parts[PARTS];
    size_t count = 0;
    state_parts(model, data, parts);
    for (size_t i = 0; i < PARTS; i++)
        count += parts[i].count;
    return count;
}

static void read_state(const mjModel *model, mjData *data, double *state)
{
    part parts[PARTS];
    state_parts(model, data, parts);
    for (size_t i = 0; i < PARTS; i++)
        for (size_t k = 0; k < parts[i].count; k++)
            *state++ = parts[i].at[k];
}

static void write_state(const mjModel *model, mjData *data, const double *state)
{
    part parts[PARTS];
    state_parts(model, data, parts);
    for (size_t i = 0; i < PARTS; i++)
        for (size_t k = 0; k < parts[i].count; k++)
            parts[i].at[k] = *state++;
}
#endif

static bool put_state(uint8_t *to, const mjModel *model, mjData *data)
{
    const size_t count = state_count(model, data);
    double      *state = calloc(count, sizeof *state);
    if (!state)
        return false;
    read_state(model, data, state);
    for (size_t i = 0; i < count; i++)
        put(to + i * WORD, bits_of(state[i]));
    free(state);
    return true;
}

static bool take_state(const uint8_t *from, const mjModel *model, mjData *data)
{
    const size_t count = state_count(model, data);
    double      *state = calloc(count, sizeof *state);
    if (!state)
        return false;
    for (size_t i = 0; i < count; i++)
        state[i] = double_of(get(from + i * WORD));
    write_state(model, data, state);
    free(state);
    return true;
}

/* A hash of the scene and the step; 0: no memory. */
static uint64_t sum_of_model(const mjModel *model)
{
    const int size = (int)mj_sizeModel(model);
    void     *bytes = calloc(1, (size_t)size);
    if (!bytes)
        return 0;
    mj_saveModel(model, NULL, bytes, size);
    const uint64_t sum = hash_bytes(HASH_FIRST, bytes, (size_t)size);
    free(bytes);
    return sum;
}

static bool hash_law(run *r, const char *name)
{
    const char *path = pcm_model_path(r->context, name);
    size_t      length = 0;
    char       *bytes = path ? whole_file(path, &length) : NULL;
    if (path && !bytes) {
        command_error(PCM_MSG_RUN_CHECKPOINT, "%s: cannot be read: %s", path, strerror(errno));
        return false;
    }
    r->hashes.laws = hash_bytes(r->hashes.laws, bytes, length);
    free(bytes);
    return true;
}

bool checkpoint_hash_laws(run *r)
{
    bool read = true;
    r->hashes.laws = HASH_FIRST;
    for (size_t i = 0; i < pcm_config_type_count(r->config); i++) {
        const char *names = pcm_type_get_info(pcm_config_type_at(r->config, i))->model->name; /* "Hertz + Mindlin" */
        for (size_t length; read && *names; names += length + strspn(names + length, " +")) {
            char name[128];
            length = strcspn(names, " ");
            (void)snprintf(name, sizeof name, "%.*s", (int)length, names);
            read = hash_law(r, name);
        }
    }
    return read;
}

/* A hash of the options that change the run, except those in the world's own checkpoint, of the laws, and of the tables
 * that the run has read. */
static uint64_t sum_of_options(const run *r)
{
    const run_options *options = r->options;
    const uint8_t      flags[] = {options->explicit, options->engine_boxes, options->engine_convex,
                                  options->controls != NULL, options->given != NULL};
    uint64_t           sum = hash_bytes(HASH_FIRST, flags, sizeof flags);
    sum = hash_bytes(sum, &r->hashes, sizeof r->hashes);
    for (size_t i = 0; i < options->surfaces.count; i++)
        sum = hash_bytes(sum, options->surfaces.at[i], strlen(options->surfaces.at[i]) + 1);
    for (size_t i = 0; i < options->clouds.count; i++)
        sum = hash_bytes(sum, options->clouds.at[i], strlen(options->clouds.at[i]) + 1);
    return hash_bytes(sum, &options->ease, sizeof options->ease);
}

/* ---- Logs -------------------------------------------------------------------------------------------------------- */

/* Calls visit with the path of every log of the run, in the order of the file; stops where it returns false. */
static bool each_log(const run *r, bool (*visit)(void *user, const char *path), void *user)
{
    for (size_t i = 0; r->options->log && i < pcm_config_type_count(r->config); i++) {
        const pcm_type_info *type = pcm_type_get_info(pcm_config_type_at(r->config, i));
        char                 path[4096];
        if (!*type->common->log_file || type->model->flags & PCM_HOST_CONTACT)
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", r->options->log, type->common->log_file);
        if (!visit(user, path))
            return false;
    }
    return true;
}

static bool fail(const char *path, const char *what)
{
    command_error(PCM_MSG_RUN_CHECKPOINT, "%s: %s", path, what);
    return false;
}

static bool count_log(void *user, const char *path)
{
    (void)path;
    ++*(size_t *)user;
    return true;
}

static bool put_log(void *user, const char *path)
{
    uint8_t   **to = user;
    const int   file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    const bool  good = file >= 0 && fsync(file) == 0 && fstat(file, &status) == 0;
    if (file >= 0)
        close(file);
    if (!good)
        return fail(path, "the log could not be synced to the disk");
    put(*to, (uint64_t)status.st_size);
    *to += WORD;
    return true;
}

static bool check_length(const char *path, uint64_t bytes)
{
    struct stat status;
    return (stat(path, &status) == 0 && (uint64_t)status.st_size >= bytes) ||
           fail(path, "is shorter than when the run was saved, and cannot continue");
}

static bool check_log(void *user, const char *path)
{
    const uint8_t **from = user;
    const uint64_t  bytes = get(*from);
    *from += WORD;
    return check_length(path, bytes);
}

static bool cut_log(void *user, const char *path)
{
    const uint8_t **from = user;
    const uint64_t  bytes = get(*from);
    *from += WORD;
    return truncate(path, (off_t)bytes) == 0 || fail(path, strerror(errno));
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static uint8_t *compose(run *r, size_t *size)
{
    size_t       logs = 0;
    const size_t state = state_count(r->model, r->data), host = pcm_mujoco_checkpoint_size(r->host);
    (void)each_log(r, count_log, &logs);
    const uint64_t counts[COUNTS] = {[MODEL] = sum_of_model(r->model),
                                     [OPTIONS] = sum_of_options(r),
                                     [START] = bits_of(r->start),
                                     [EVERY] = bits_of(r->options->every),
                                     [STEPS] = r->steps,
                                     [ROWS] = r->rows,
                                     [TABLE_BYTES] = r->writes_trajectory ? r->trajectory.written : 0,
                                     [SENSED] = r->sensing.times,
                                     [SENSE_BYTES] = r->sensing.pairs ? r->sensing.writer.written : 0,
                                     [LOGS] = logs,
                                     [STATE] = state};
    *size = HEAD + (COUNTS + logs + state) * WORD + host;
    uint8_t *bytes = counts[MODEL] ? calloc(1, *size) : NULL, *to = bytes + HEAD;
    if (!bytes) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < COUNTS; i++, to += WORD)
        put(to, counts[i]);
    if (!each_log(r, put_log, &to) || !put_state(to, r->model, r->data) ||
        pcm_mujoco_checkpoint_save(r->host, to + state * WORD, host) != PCM_OK) {
        free(bytes);
        return NULL;
    }
    put(bytes, MARK);
    put(bytes + WORD, hash_bytes(HASH_FIRST, bytes + HEAD, *size - HEAD));
    return bytes;
}

bool checkpoint_write(run *r)
{
    if (pcm_world_flush(pcm_mujoco_world(r->host)) != PCM_OK || (r->writes_trajectory && !csv_sync(&r->trajectory)) ||
        (r->sensing.pairs && !csv_sync(&r->sensing.writer)))
        return false;
    size_t   size;
    uint8_t *bytes = compose(r, &size);
    if (!bytes)
        return false;
    const char *reason = replace_file(r->options->save, bytes, size);
    free(bytes);
    return !reason || fail(r->options->save, reason);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

bool checkpoint_read(checkpoint *from, const char *path)
{
    *from = (checkpoint){.path = path};
    FILE       *file = fopen(path, "rb");
    bool        lacks_memory = false;
    struct stat status;
    if (file && fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size >= HEAD + COUNTS * WORD) {
        from->size = (size_t)status.st_size;
        from->bytes = malloc(from->size);
        lacks_memory = !from->bytes;
    }
    const bool read = from->bytes && fread(from->bytes, 1, from->size, file) == from->size;
    if (file)
        (void)fclose(file);
    if (lacks_memory)
        return fail(path, "there is no memory for it");
    if (!read || get(from->bytes) != MARK ||
        get(from->bytes + WORD) != hash_bytes(HASH_FIRST, from->bytes + HEAD, from->size - HEAD))
        return fail(path, "is not a readable checkpoint of a run");
    return true;
}

void checkpoint_free(checkpoint *from)
{
    free(from->bytes);
    *from = (checkpoint){0};
}

static uint64_t count_in(const checkpoint *from, size_t index) { return get(from->bytes + HEAD + index * WORD); }

bool checkpoint_matches(const checkpoint *from, const run *r)
{
    size_t             logs = 0;
    const run_options *options = r->options;
    const uint8_t     *sizes = from->bytes + HEAD + COUNTS * WORD;
    (void)each_log(r, count_log, &logs);
    const size_t   state = state_count(r->model, r->data);
    const uint64_t model = sum_of_model(r->model);
    if (!model)
        return fail(from->path, "there is no memory to compare its scene");
    if (from->size < HEAD + (COUNTS + logs + state) * WORD || count_in(from, LOGS) != logs ||
        count_in(from, MODEL) != model || count_in(from, STATE) != state ||
        count_in(from, OPTIONS) != sum_of_options(r) || count_in(from, EVERY) != bits_of(options->every) ||
        (count_in(from, TABLE_BYTES) == 0) != !options->out || (count_in(from, SENSE_BYTES) == 0) != !options->sense)
        return fail(
            from->path,
            "is of another run: the scene, the step, the laws, options or their tables are not those that it was saved "
            "with");
    return each_log(r, check_log, &sizes) &&
           (!options->out || check_length(options->out, count_in(from, TABLE_BYTES))) &&
           (!options->sense || check_length(options->sense, count_in(from, SENSE_BYTES)));
}

bool checkpoint_take(const checkpoint *from, run *r)
{
    const size_t state = HEAD + (COUNTS + count_in(from, LOGS)) * WORD, host = state + count_in(from, STATE) * WORD;
    r->start = double_of(count_in(from, START));
    r->steps = count_in(from, STEPS);
    r->rows = count_in(from, ROWS);
    return take_state(from->bytes + state, r->model, r->data) &&
           pcm_mujoco_checkpoint_restore(r->host, from->bytes + host, from->size - host) == PCM_OK;
}

bool checkpoint_cut_logs(const checkpoint *from, const run *r)
{
    const uint8_t *sizes = from->bytes + HEAD + COUNTS * WORD;
    return each_log(r, cut_log, &sizes);
}

bool checkpoint_take_tables(const checkpoint *from, run *r)
{
    const run_options *options = r->options;
    return (!options->out || csv_continue(&r->trajectory, options->out, count_in(from, TABLE_BYTES))) &&
           (!options->sense || sensing_continue(&r->sensing, options->sense, r->host, options->every, r->start,
                                                count_in(from, SENSED), count_in(from, SENSE_BYTES)));
}
