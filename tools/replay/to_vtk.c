/* SPDX-License-Identifier: MIT */
/* to_vtk.c - a recording for ParaView: points with arrays, one file per frame, and a .pvd file with the times of
 * frames. */
#include "convert.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"

/* One of the two series of files. */
typedef struct series {
    const char *name, *directory;
    FILE       *index;  /* the .pvd */
    const char *failed; /* NULL: nothing has failed */
} series;

typedef struct both {
    series contacts, objects;
} both;

static FILE *create(series *s, const char *file)
{
    char  path[4096];
    FILE *out = convert_path(path, sizeof path, s->directory, file) ? fopen(path, "w") : NULL;
    s->failed = out ? s->failed : strerror(errno);
    return out;
}

static bool finish(series *s, FILE *out)
{
    const bool whole = ferror(out) == 0;
    if (fclose(out) != 0 || !whole)
        s->failed = strerror(errno);
    return !s->failed;
}

static bool begin_series(series *s, const char *name, const char *directory)
{
    char file[64];
    *s = (series){.name = name, .directory = directory};
    (void)snprintf(file, sizeof file, "%s.pvd", name);
    s->index = create(s, file);
    if (s->index)
        (void)fputs("<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n", s->index);
    return s->index;
}

static bool end_series(series *s)
{
    if (s->index) {
        (void)fputs("</Collection>\n</VTKFile>\n", s->index);
        (void)finish(s, s->index);
    }
    if (s->failed)
        command_error(PCM_MSG_REPLAY_FILE, "%s: the files of %s could not be written: %s", s->directory, s->name,
                      s->failed);
    return !s->failed;
}

/* ---- One file ---------------------------------------------------------------------------------------------------- */

/* Writes one column of a point in the format of VTK. */
typedef void put_tuple(FILE *out, const uint32_t *row);

typedef struct array {
    const char *name;
    int         components; /* 1: a scalar */
    put_tuple  *put;
} array;

/* VTK's reader rejects numbers that are not finite. */
static void put(FILE *out, double value)
{
    (void)fprintf(out, " %s", isfinite(value) ? pcm_number(value, 7).text : "0");
}

static void put_words(FILE *out, const uint32_t *words, size_t count)
{
    for (size_t k = 0; k < count; k++)
        put(out, recording_number(words[k]));
}

static void put_point(FILE *out, const uint32_t *row) { put_words(out, row + PCM_ROW_POINT, 3); }
static void put_depth(FILE *out, const uint32_t *row) { put_words(out, row + PCM_ROW_DEPTH, 1); }
static void put_mode(FILE *out, const uint32_t *row) { put(out, row[PCM_ROW_MODE]); }
static void put_contact_number(FILE *out, const uint32_t *row) { put(out, row[PCM_ROW_CONTACT]); }

static void put_force(FILE *out, const uint32_t *row)
{
    double axes[3][3], force[3] = {0};
    recording_frame(row, axes);
    for (size_t axis = 0; axis < 3; axis++)
        for (size_t k = 0; k < 3; k++)
            force[k] += axes[axis][k] * recording_number(row[PCM_ROW_FORCE + axis]);
    for (size_t k = 0; k < 3; k++)
        put(out, force[k]);
}

static void put_normal(FILE *out, const uint32_t *row)
{
    double axes[3][3];
    recording_frame(row, axes);
    for (size_t k = 0; k < 3; k++)
        put(out, axes[2][k]);
}

static void put_slip(FILE *out, const uint32_t *row)
{
    put(out, hypot(recording_number(row[PCM_ROW_SLIP]), recording_number(row[PCM_ROW_SLIP + 1])));
}

static void put_position(FILE *out, const uint32_t *row) { put_words(out, row + PCM_POSE_POSITION, 3); }
static void put_orientation(FILE *out, const uint32_t *row) { put_words(out, row + PCM_POSE_ORIENTATION, 4); }
static void put_subject(FILE *out, const uint32_t *row) { put(out, row[PCM_POSE_SUBJECT]); }

static const array contact_arrays[] = {
    {"Points", 3, put_point}, {"force", 3, put_force}, {"normal", 3, put_normal},         {"depth", 1, put_depth},
    {"slip", 1, put_slip},    {"mode", 1, put_mode},   {"contact", 1, put_contact_number}};
static const array object_arrays[] = {
    {"Points", 3, put_position}, {"orientation", 4, put_orientation}, {"object", 1, put_subject}};

static void put_array(FILE *out, const array *a, const uint32_t *const *rows, size_t count)
{
    (void)fprintf(out, "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n", a->name,
                  a->components);
    for (size_t i = 0; i < count; i++) {
        a->put(out, rows[i]);
        (void)fputs("\n", out);
    }
    (void)fputs("</DataArray>\n", out);
}

/* Makes every point a vertex, so that ParaView shows it. */
static void put_vertices(FILE *out, size_t count)
{
    static const char *const names[] = {"connectivity", "offsets"};
    (void)fputs("<Verts>\n", out);
    for (size_t list = 0; list < 2; list++) {
        (void)fprintf(out, "<DataArray type=\"Int64\" Name=\"%s\" format=\"ascii\">\n", names[list]);
        for (size_t i = 0; i < count; i++)
            (void)fprintf(out, "%zu\n", i + list);
        (void)fputs("</DataArray>\n", out);
    }
    (void)fputs("</Verts>\n", out);
}

static bool write_points(series *s, size_t frame, double time, const array *arrays, size_t n_arrays,
                         const uint32_t *const *rows, size_t count)
{
    char file[64];
    (void)snprintf(file, sizeof file, "%s_%06zu.vtp", s->name, frame);
    FILE *out = create(s, file);
    if (!out)
        return false;
    (void)fprintf(out,
                  "<VTKFile type=\"PolyData\" version=\"0.1\">\n<PolyData>\n<Piece NumberOfPoints=\"%zu\" "
                  "NumberOfVerts=\"%zu\">\n<Points>\n",
                  count, count);
    put_array(out, &arrays[0], rows, count);
    (void)fputs("</Points>\n<PointData>\n", out);
    for (size_t i = 1; i < n_arrays; i++)
        put_array(out, &arrays[i], rows, count);
    (void)fputs("</PointData>\n", out);
    put_vertices(out, count);
    (void)fputs("</Piece>\n</PolyData>\n</VTKFile>\n", out);
    (void)fprintf(s->index, "<DataSet timestep=\"%s\" file=\"%s\"/>\n", pcm_number(time, 0).text, file);
    return finish(s, out);
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static size_t contacts_at(const recording_table *table, uint32_t frame, const uint32_t **rows)
{
    size_t count = 0;
    for (size_t i = 0; i < table->rows; i++)
        if (table->words[i * table->columns + PCM_ROW_FRAME] == frame)
            rows[count++] = table->words + i * table->columns;
    return count;
}

/* The number of objects in a frame. The recording has a row only where a pose changes; a removed body has none. */
static size_t objects_at(const recording_chunk *chunk, uint32_t frame, const uint32_t **rows)
{
    size_t count = 0;
    for (size_t i = 0; i < chunk->poses.rows; i++) {
        const uint32_t *row = chunk->poses.words + i * PCM_POSE_COLUMNS;
        if (row[PCM_POSE_FRAME] <= frame && frame < recording_pose_end(chunk, i) &&
            isfinite(recording_number(row[PCM_POSE_POSITION])))
            rows[count++] = row;
    }
    return count;
}

static bool visit(void *user, const recording *r, const recording_chunk *chunk)
{
    both            *b = user;
    const size_t     most = chunk->rows.rows + chunk->poses.rows + 1;
    const uint32_t **rows = malloc(most * sizeof *rows);
    bool             good = rows;
    for (uint32_t frame = 0; good && frame < chunk->n_frames; frame++) {
        const double time = chunk->times[frame];
        const size_t contacts = contacts_at(&chunk->rows, frame, rows);
        good = write_points(&b->contacts, r->frames + frame, time, contact_arrays,
                            sizeof contact_arrays / sizeof *contact_arrays, rows, contacts);
        const size_t objects = objects_at(chunk, frame, rows);
        good = good && write_points(&b->objects, r->frames + frame, time, object_arrays,
                                    sizeof object_arrays / sizeof *object_arrays, rows, objects);
    }
    free(rows);
    return good;
}

bool convert_to_vtk(recording *r, const char *directory)
{
    both b = {0};
    bool good = begin_series(&b.contacts, "contacts", directory) && begin_series(&b.objects, "objects", directory) &&
                recording_read(r, visit, &b);
    good = end_series(&b.contacts) && good;
    return end_series(&b.objects) && good;
}
