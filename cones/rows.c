/* SPDX-License-Identifier: MIT */
#include "rows.h"

static const double nothing = 1e-9; /* a unit row that depends on the linear ones leaves less than this: rounding */

pcm_status pcm_rows_make(pcm_context *context, size_t capacity, pcm_rows *rows)
{
    *rows = (pcm_rows){.rows = pcm_allocate(context, capacity * sizeof *rows->rows), .capacity = capacity};
    return rows->rows || capacity == 0 ? PCM_OK : PCM_NO_MEMORY;
}

void pcm_rows_free(pcm_context *context, pcm_rows *rows)
{
    pcm_free(context, rows->rows, rows->capacity * sizeof *rows->rows);
    *rows = (pcm_rows){.rows = NULL};
}

double pcm_row_value(const double row[6], const double w[6])
{
    double sum = 0;
    for (size_t i = 0; i < 6; i++)
        sum += row[i] * w[i];
    return sum;
}

bool pcm_rows_append(pcm_rows *rows, const double row[6], bool linear)
{
    const double before = sqrt(pcm_row_value(row, row));
    double      *out = rows->rows[rows->count];
    memcpy(out, row, sizeof *rows->rows);
    for (size_t k = 0; k < rows->linear; k++) {
        const double along = pcm_row_value(out, rows->rows[k]);
        for (size_t i = 0; i < 6; i++)
            out[i] -= along * rows->rows[k][i];
    }
    const double length = sqrt(pcm_row_value(out, out));
    if (!(length > nothing * before))
        return false;
    for (size_t i = 0; i < 6; i++)
        out[i] /= length;
    rows->count++;
    rows->linear += linear;
    return true;
}
