/* SPDX-License-Identifier: MIT */
#include "log.h"
#include "pattern.h"
#include <pcm/messages.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/* Room for that many more bytes. */
static bool reserve(pcm_context *context, pcm_log_file *log, size_t more)
{
    return pcm_grow(context, &log->text, &log->capacity, log->used + more, 1);
}

static bool add_bytes(pcm_context *context, pcm_log_file *log, const char *bytes, size_t count)
{
    if (!reserve(context, log, count))
        return false;
    memcpy(log->text + log->used, bytes, count);
    log->used += count;
    return true;
}

static bool add_text(pcm_context *context, pcm_log_file *log, const char *text)
{
    return add_bytes(context, log, text, strlen(text));
}

/* A cell, in quotes if CSV needs them. Control characters and the like become \xNN. */
static bool add_cell(pcm_context *context, pcm_log_file *log, const char *text)
{
    const bool quoted = strpbrk(text, ",\"");
    size_t     left = strlen(text);
    bool       added = add_bytes(context, log, ",\"", quoted ? 2 : 1);
    while (left > 0 && added) {
        char         piece[PCM_SHOWN_MOST];
        size_t       shown;
        const size_t bytes = pcm_show_piece(text, left, piece, &shown);
        added = add_bytes(context, log, "\"", *text == '"') && add_bytes(context, log, piece, shown);
        text += bytes;
        left -= bytes;
    }
    return added && add_bytes(context, log, "\"", quoted);
}

static bool add_numbers(pcm_context *context, pcm_log_file *log, const double *values, size_t count)
{
    char text[PCM_NUMBER_SIZE];
    bool added = true;
    for (size_t i = 0; i < count && added; i++)
        added = add_bytes(context, log, ",", 1) && add_bytes(context, log, text, pcm_number_write(values[i], 0, text));
    return added;
}

/* A whole number, exactly. */
static bool add_count(pcm_context *context, pcm_log_file *log, uint64_t value)
{
    char   digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    return add_bytes(context, log, ",", 1) && add_bytes(context, log, digits + at, sizeof digits - at);
}

bool pcm_log_due(const pcm_log_file *log, double time)
{
    /* Times that are sums of steps may be just below a multiple because of rounding. */
    const double almost = 1 - 1e-9;
    return time < log->last || time - log->last >= almost * log->type->common.resolution;
}

static const char *mode_text(int64_t mode)
{
    static const char *const texts[] = {"separated", "sticking", "slipping", "touching"};
    return mode > PCM_SEPARATED && mode <= PCM_TOUCHING ? texts[mode] : texts[PCM_SEPARATED];
}

static bool add_ledger(pcm_context *context, pcm_log_file *log, const pcm_ledger *ledger)
{
    const double values[] = {ledger->work, ledger->stored, ledger->dissipated, ledger->brought, ledger->residue};
    return !log->ledger || add_numbers(context, log, values, 5);
}

/* Empty cells if the host no longer reported the contact: it has no motion then. */
static bool add_motion(pcm_context *context, pcm_log_file *log, const pcm_contact_info *info)
{
    if (info->depth == PCM_FAR)
        return add_text(context, log, ",,,,,,,,,,");
    return add_numbers(context, log, info->point, 3) && add_numbers(context, log, &info->depth, 1) &&
           add_numbers(context, log, &info->depth_rate, 1) && add_numbers(context, log, info->slip, 2) &&
           add_numbers(context, log, info->spin, 3);
}

/* The numbers of a sensing are adjacent. */
enum { SENSED = (sizeof(pcm_sensing) - offsetof(pcm_sensing, depth)) / sizeof(double) };

static bool add_sensing(pcm_context *context, pcm_log_file *log, const pcm_sensing *sensing)
{
    return !log->type->common.sensing ||
           (add_count(context, log, (uint64_t)sensing->contact) && add_numbers(context, log, &sensing->depth, SENSED));
}

static bool add_ending(pcm_context *context, pcm_log_file *log, const pcm_ending *ending)
{
    static const char *const reasons[] = {
        [PCM_END_PARTED] = "parted", [PCM_END_BROKEN] = "broken", [PCM_END_REMOVED] = "removed"};
    if (!ending)
        return add_text(context, log, ",,,");
    return add_cell(context, log, reasons[ending->reason]) && add_numbers(context, log, &ending->energy, 1) &&
           add_numbers(context, log, &ending->dissipation, 1);
}

void pcm_log_begin(pcm_log_file *log) { log->planned = log->used; }

pcm_status pcm_log_reserve(pcm_context *context, pcm_log_file *log, const char *base, const char *follower)
{
    enum { QUOTES = 2 * 2 };
    log->planned += log->cells * PCM_NUMBER_SIZE + PCM_SHOWN_MOST * (strlen(base) + strlen(follower)) + QUOTES;
    return reserve(context, log, log->planned - log->used) ? PCM_OK : PCM_NO_MEMORY;
}

void pcm_log_row(pcm_context *context, pcm_log_file *log, double time, const pcm_contact_info *info,
                 const pcm_sensing *sensing, const pcm_ending *ending)
{
    char text[PCM_NUMBER_SIZE];
    (void)(add_bytes(context, log, text, pcm_number_write(time, 0, text)) && add_count(context, log, info->id) &&
           add_cell(context, log, info->base_name) && add_cell(context, log, info->follower_name) &&
           add_motion(context, log, info) && add_numbers(context, log, info->force, 3) &&
           add_numbers(context, log, info->moment, 3) && add_cell(context, log, mode_text(info->mode)) &&
           add_numbers(context, log, info->state, log->type->info.n_state) &&
           add_numbers(context, log, info->flow, 2 * log->type->info.model->amounts.count) &&
           add_ledger(context, log, info->ledger) && add_sensing(context, log, sensing) &&
           add_ending(context, log, ending) && add_bytes(context, log, "\n", 1));
}

/* One state's column name, with its unit; part: "", "_x" or "_y". */
static bool add_state_name(pcm_context *context, pcm_log_file *log, const pcm_state *state, const char *part)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s [%s]", state->name, part, state->unit);
    return add_cell(context, log, name);
}

static bool add_flow_name(pcm_context *context, pcm_log_file *log, const pcm_amount *amount, const char *side)
{
    char name[256];
    snprintf(name, sizeof name, "%s_flow_%s [%s]", amount->name, side, amount->flow_unit);
    return add_cell(context, log, name);
}

/* Names of the contact frame in one body's axes: rows and columns of a rotation count from 1. */
static bool add_frame_names(pcm_context *context, pcm_log_file *log, const char *body)
{
    char name[64];
    bool added = true;
    for (int i = 0; i < 9 && added; i++) {
        snprintf(name, sizeof name, "%s_rotation_%d%d", body, i / 3 + 1, i % 3 + 1);
        added = add_cell(context, log, name);
    }
    for (int i = 0; i < 3 && added; i++) {
        snprintf(name, sizeof name, "%s_translation_%c [m]", body, 'x' + i);
        added = add_cell(context, log, name);
    }
    return added;
}

static bool add_sensing_names(pcm_context *context, pcm_log_file *log)
{
    return add_text(context, log,
                    ",contact_signal,penetration_depth [m],separation_distance [m],normal_force_magnitude [N],"
                    "friction_force_magnitude [N],relative_normal_velocity [m/s],relative_tangential_velocity_x [m/s],"
                    "relative_tangential_velocity_y [m/s]") &&
           add_frame_names(context, log, "base") && add_frame_names(context, log, "follower") &&
           add_text(context, log, ",normal_load [N]");
}

static bool add_header(pcm_context *context, pcm_log_file *log)
{
    const pcm_model *model = log->type->info.model;
    bool             added = add_text(context, log,
                                      "time [s],contact,A,B,point_x [m],point_y [m],point_z [m],depth [m],depth_rate [m/s],"
                                                  "slip_x [m/s],slip_y [m/s],spin_x [rad/s],spin_y [rad/s],spin_n [rad/s],"
                                                  "force_x [N],force_y [N],force_n [N],moment_x [N*m],moment_y [N*m],moment_n [N*m],"
                                                  "mode");
    for (uint32_t i = 0; i < model->states.count && added; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        added = state->shape == PCM_TANGENT
                    ? add_state_name(context, log, state, "_x") && add_state_name(context, log, state, "_y")
                    : add_state_name(context, log, state, "");
    }
    for (uint32_t i = 0; i < 2 * model->amounts.count && added; i++)
        added = add_flow_name(context, log, pcm_model_amount(model, i % model->amounts.count),
                              i < model->amounts.count ? "base" : "follower");
    if (log->ledger)
        added = added && add_text(context, log, ",work [J],stored [J],dissipated [J],brought [J],residue [J]");
    if (log->type->common.sensing)
        added = added && add_sensing_names(context, log);
    added = added && add_text(context, log, ",end,end_energy [J],end_dissipation [J]\n");
    log->cells = 1;
    for (size_t i = 0; i < log->used; i++)
        log->cells += log->text[i] == ',';
    log->header = log->used;
    return added;
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

static void refuse(pcm_context *context, const pcm_type_info *info, uint32_t code, const char *why)
{
    pcm_report_at(context, PCM_ERROR, code, &info->place, "LogFile \"%s\" of contact type '%s' %s",
                  info->common->log_file, info->name, why);
}

/* Opens path, which configurations keep below the directory. Makes folders as needed, and follows no links. Returns -1
 * on failure. Closes directory. */
static int open_below(int directory, const char *path)
{
    for (const char *slash; directory >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
        char   part[NAME_MAX + 1];
        size_t length = (size_t)(slash - path);
        int    next = -1;
        if (length <= NAME_MAX) {
            memcpy(part, path, length);
            part[length] = '\0';
            if (mkdirat(directory, part, 0777) == 0 || errno == EEXIST)
                next = openat(directory, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        }
        close(directory);
        directory = next;
    }
    if (directory < 0)
        return -1;
    int file = openat(directory, path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0666);
    close(directory);
    return file;
}

/* Locks the file against other writers; a WASI program has its files to itself. */
static bool lock(int file)
{
#if defined(__wasi__)
    (void)file;
    return true;
#else
    return flock(file, LOCK_EX | LOCK_NB) == 0;
#endif
}

/* A regular file, locked by this world, of *size bytes; else -1, reported. */
static int open_log(pcm_context *context, const pcm_type_info *info, const pcm_world_def *def, uint64_t *size)
{
    const char *directory = def->log_directory;
    int         below = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (below < 0) {
        pcm_report(context, PCM_ERROR, PCM_MSG_LOG_FILE, "log directory '%s' is not a directory that can be opened",
                   directory);
        return -1;
    }
    int         file = open_below(below, info->common->log_file);
    struct stat facts;
    if (file < 0)
        refuse(context, info, PCM_MSG_LOG_FILE, "cannot be opened for writing");
    else if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
        refuse(context, info, PCM_MSG_LOG_FILE, "is not a regular file");
    else if (!lock(file))
        refuse(context, info, PCM_MSG_LOG_TAKEN, "is being written by another world or contact type");
    else if (!def->log_continue && ftruncate(file, 0) != 0)
        refuse(context, info, PCM_MSG_LOG_FILE, "cannot be emptied");
    else {
        *size = def->log_continue ? (uint64_t)facts.st_size : 0;
        return file;
    }
    if (file >= 0)
        close(file);
    return -1;
}

pcm_status pcm_logs_open(pcm_context *context, pcm_log_file *logs, const pcm_config *config, const pcm_world_def *def)
{
    for (size_t i = 0; def->log_directory && i < pcm_config_type_count(config); i++) {
        const pcm_type      *type = pcm_config_type_at(config, i);
        const pcm_type_info *info = &type->info;
        if (!info->common->log_file || !*info->common->log_file || info->model->flags & PCM_HOST_CONTACT)
            continue;
        uint64_t size;
        int      file = open_log(context, info, def, &size);
        if (file < 0)
            return PCM_BAD_FILE;
        logs[i] = (pcm_log_file){.type = type, .file = file, .ledger = def->ledger, .last = -INFINITY, .written = size};
        if (!add_header(context, &logs[i]))
            return PCM_NO_MEMORY;
        logs[i].used = size > 0 ? 0 : logs[i].used; /* the file has a header */
    }
    return PCM_OK;
}

/* Writes at that offset; returns how many bytes were written. */
static size_t write_at(int file, const char *text, size_t size, uint64_t place)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t written = pwrite(file, text + done, size - done, (off_t)(place + done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            break;
        done += (size_t)written;
    }
    return done;
}

/* The number of bytes in complete rows. */
static size_t whole_rows(const char *text, size_t size)
{
    while (size > 0 && text[size - 1] != '\n')
        size--;
    return size;
}

/* Truncates the file to whole rows, and drops rows that are not written. A file without a header is emptied. */
static void lose_rows(pcm_log_file *log, size_t done)
{
    const size_t whole = whole_rows(log->text, done);
    log->used = log->written + whole > 0 ? 0 : log->header;
    log->written += whole;
    (void)!ftruncate(log->file, (off_t)log->written);
}

pcm_status pcm_logs_flush(pcm_context *context, pcm_log_file *logs, size_t count)
{
    pcm_status status = PCM_OK;
    for (size_t i = 0; i < count; i++) {
        pcm_log_file *log = &logs[i];
        if (!log->type || log->used == 0)
            continue;
        const size_t done = write_at(log->file, log->text, log->used, log->written);
        if (done == log->used) {
            log->written += done;
            log->used = 0;
            continue;
        }
        lose_rows(log, done);
        refuse(context, &log->type->info, PCM_MSG_LOG_FILE, "could not be written: rows are lost");
        status = PCM_BAD_FILE;
    }
    return status;
}

void pcm_logs_close(pcm_context *context, pcm_log_file *logs, size_t count)
{
    pcm_logs_flush(context, logs, count);
    for (size_t i = 0; i < count; i++) {
        if (logs[i].type)
            close(logs[i].file);
        pcm_free(context, logs[i].text, logs[i].capacity);
    }
}
