/* SPDX-License-Identifier: MIT */
#include "clouds.h"

#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"
#include "csv.h"
#include "hash.h"

typedef struct cloud {
    double *points; /* 3 each */
    size_t  count, room;
} cloud;

static bool reserve(cloud *to)
{
    if (to->count < to->room)
        return true;
    const size_t room = to->room ? 2 * to->room : 64;
    double      *grown = realloc(to->points, 3 * room * sizeof *grown);
    if (!grown) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    to->points = grown;
    to->room = room;
    return true;
}

static bool find_columns(const csv_reader *reader, size_t columns[3])
{
    static const char *const names[] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++) {
        columns[i] = csv_find(reader, names[i]);
        if (columns[i] == reader->columns) {
            csv_error(reader, PCM_MSG_CLOUD, 0, "there is no column '%s': points have x, y and z, in m", names[i]);
            return false;
        }
    }
    return true;
}

static bool read_points(csv_reader *reader, cloud *to)
{
    size_t     columns[3];
    csv_result result;
    if (!find_columns(reader, columns))
        return false;
    while ((result = csv_next(reader)) == CSV_ROW) {
        bool good = reserve(to);
        for (size_t i = 0; good && i < 3; i++)
            good = csv_number(reader, columns[i], &to->points[3 * to->count + i]);
        if (!good)
            return false;
        to->count++;
    }
    if (result == CSV_END && to->count == 0)
        csv_error(reader, PCM_MSG_CLOUD, 0, "the table has no points");
    return result == CSV_END && to->count > 0;
}

static bool give(const char *text, pcm_mujoco *host, uint64_t *hash)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        command_error(PCM_MSG_CLOUD, "--cloud '%s' is not of the form OBJECT=POINTS.csv", text);
        return false;
    }
    csv_reader reader;
    cloud      read = {0};
    char      *object = strndup(text, (size_t)(equals - text));
    if (!object)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    bool done = false;
    if (object) {
        done = csv_open(&reader, equals + 1) && read_points(&reader, &read) &&
               pcm_mujoco_cloud(host, object, read.points, read.count) == PCM_OK;
        const uint64_t own = done ? csv_hash(&reader) : 0;
        *hash = hash_bytes(*hash, &own, sizeof own);
        csv_close(&reader);
    }
    free(object);
    free(read.points);
    return done;
}

bool clouds_give(const option_texts *texts, pcm_mujoco *host, uint64_t *hash)
{
    *hash = 0;
    for (size_t i = 0; i < texts->count; i++)
        if (!give(texts->at[i], host, hash))
            return false;
    return true;
}
