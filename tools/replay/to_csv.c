/* SPDX-License-Identifier: MIT */
/* to_csv.c - a recording as four tables: contacts, poses, events, quantities. */
#include "convert.h"

#include <stdlib.h>
#include <string.h>

#include "csv.h"

enum { CONTACTS, POSES, EVENTS, QUANTITIES, TABLES };

typedef struct tables {
    csv_writer table[TABLES];
    size_t     open;
} tables;

static void put_header(csv_writer *table, const char *names)
{
    char *copy = strdup(names), *rest = copy;
    for (char *name; copy && (name = strsep(&rest, ","));)
        csv_put_text(table, name);
    csv_end_row(table);
    free(copy);
}

static void put_single(csv_writer *table, uint32_t word) { csv_put_number(table, recording_number(word)); }

static void put_singles(csv_writer *table, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_single(table, words[i]);
}

static void put_contact(csv_writer *table, const recording *r, const recording_chunk *chunk, const uint32_t *row)
{
    const uint32_t *c = recording_contact(chunk, row[PCM_ROW_CONTACT]);
    double          axes[3][3];
    recording_frame(row, axes);
    csv_put_number(table, chunk->times[row[PCM_ROW_FRAME]]);
    csv_put_number(table, (double)recording_pair(c + PCM_TOUCH_ID));
    csv_put_text(table, recording_name(&r->subjects, c[PCM_TOUCH_A]));
    csv_put_text(table, recording_name(&r->subjects, c[PCM_TOUCH_B]));
    csv_put_number(table, (double)recording_pair(c + PCM_TOUCH_FEATURE));
    csv_put_text(table, recording_name(&r->types, c[PCM_TOUCH_TYPE]));
    csv_put_text(table, recording_name(&r->rules, c[PCM_TOUCH_RULE]));
    csv_put_number(table, (double)row[PCM_ROW_MODE]);
    put_singles(table, row + PCM_ROW_POINT, 3);
    for (size_t axis = 0; axis < 3; axis++)
        for (size_t k = 0; k < 3; k++)
            csv_put_number(table, axes[axis][k]);
    put_singles(table, row + PCM_ROW_FORCE, PCM_ROW_COLUMNS - PCM_ROW_FORCE);
    csv_end_row(table);
}

static void put_event(csv_writer *table, const recording *r, const recording_chunk *chunk, const uint32_t *row)
{
    static const char *const changes[PCM_CHANGES] = {"made", "parted", "broken", "removed", "mode"};
    const uint32_t          *c = recording_contact(chunk, row[PCM_HAPPENED_CONTACT]);
    csv_put_number(table, recording_time(row));
    csv_put_text(table, changes[row[PCM_HAPPENED_CHANGE]]);
    csv_put_number(table, (double)recording_pair(c + PCM_TOUCH_ID));
    csv_put_text(table, recording_name(&r->subjects, c[PCM_TOUCH_A]));
    csv_put_text(table, recording_name(&r->subjects, c[PCM_TOUCH_B]));
    csv_put_text(table, recording_name(&r->rules, c[PCM_TOUCH_RULE]));
    csv_put_number(table, (double)(int32_t)row[PCM_HAPPENED_MODE_BEFORE]);
    csv_put_number(table, (double)(int32_t)row[PCM_HAPPENED_MODE]);
    csv_end_row(table);
}

/* The recording has a row only where a pose changes: writes the current pose for every frame. */
static void put_poses(csv_writer *table, const recording *r, const recording_chunk *chunk)
{
    const recording_table *poses = &chunk->poses;
    for (size_t i = 0; i < poses->rows; i++) {
        const uint32_t *row = poses->words + i * PCM_POSE_COLUMNS;
        const size_t    end = recording_pose_end(chunk, i);
        for (size_t frame = row[PCM_POSE_FRAME]; frame < end; frame++) {
            csv_put_number(table, chunk->times[frame]);
            csv_put_text(table, recording_name(&r->subjects, row[PCM_POSE_SUBJECT]));
            put_singles(table, row + PCM_POSE_POSITION, 7);
            csv_end_row(table);
        }
    }
}

static bool visit(void *user, const recording *r, const recording_chunk *chunk)
{
    tables *t = user;
    for (size_t i = 0; i < chunk->rows.rows; i++)
        put_contact(&t->table[CONTACTS], r, chunk, chunk->rows.words + i * PCM_ROW_COLUMNS);
    for (size_t i = 0; i < chunk->events.rows; i++)
        put_event(&t->table[EVENTS], r, chunk, chunk->events.words + i * PCM_HAPPENED_COLUMNS);
    for (size_t i = 0; i < chunk->series.rows; i++) {
        const uint32_t *row = chunk->series.words + i * PCM_VALUE_COLUMNS;
        csv_put_number(&t->table[QUANTITIES], chunk->times[row[PCM_VALUE_FRAME]]);
        csv_put_text(&t->table[QUANTITIES], recording_name(&r->quantities, row[PCM_VALUE_QUANTITY]));
        put_single(&t->table[QUANTITIES], row[PCM_VALUE_NUMBER]);
        csv_end_row(&t->table[QUANTITIES]);
    }
    put_poses(&t->table[POSES], r, chunk);
    return true;
}

bool convert_to_csv(recording *r, const char *directory)
{
    static const struct {
        const char *file, *columns;
    } files[TABLES] = {
        [CONTACTS] = {"contacts.csv",
                      "time,contact,a,b,feature,type,rule,mode,point_x,point_y,point_z,x_x,x_y,x_z,y_x,y_y,y_z,n_x,n_y,"
                      "n_z,force_x,force_y,force_n,moment_x,moment_y,moment_n,depth,slip_x,slip_y,energy,work,"
                      "dissipated"},
        [POSES] = {"poses.csv", "time,object,x,y,z,qw,qx,qy,qz"},
        [EVENTS] = {"events.csv", "time,event,contact,a,b,rule,mode_before,mode"},
        [QUANTITIES] = {"quantities.csv", "time,quantity,value"},
    };
    tables t = {0};
    char   path[TABLES][4096];
    bool   good = true;
    for (size_t i = 0; i < TABLES && good; i++) {
        good = convert_path(path[i], sizeof path[i], directory, files[i].file) && csv_create(&t.table[i], path[i]);
        if (good)
            put_header(&t.table[i], files[i].columns);
        t.open += good;
    }
    good = good && recording_read(r, visit, &t);
    for (size_t i = 0; i < t.open; i++)
        good = csv_finish(&t.table[i]) && good;
    return good;
}
