/* SPDX-License-Identifier: MIT */
/* rows.h - the rows that wrench cones are made of, and the step from rays to faces. */
#ifndef PCM_CONES_ROWS_H
#define PCM_CONES_ROWS_H

#include <pcm/cone.h>

/* As pcm_wrench_rows, from the context's allocator, with room for `capacity` rows. */
typedef struct pcm_rows {
    double (*rows)[6];
    size_t count, linear, capacity;
} pcm_rows;

/* PCM_NO_MEMORY where there is none; room for 0 rows is no memory and no failure. */
pcm_status pcm_rows_make(pcm_context *context, size_t capacity, pcm_rows *rows);
void       pcm_rows_free(pcm_context *context, pcm_rows *rows);

double pcm_row_value(const double row[6], const double w[6]);

/* Appends the row, at right angles to the linear rows and of length 1; as a linear one where `linear`. False where
 * nothing is left of it, and it is not appended. Linear rows come first, so all of them are appended before others. */
bool pcm_rows_append(pcm_rows *rows, const double row[6], bool linear);

/* The faces of the cone that the rays span: the least set of rows f with f.r >= 0 for every ray r (= 0 for linear
 * ones). Says why where it fails. Implemented on cddlib, or by saying that there is none. */
pcm_status pcm_faces_of_rays(pcm_context *context, const pcm_rows *rays, pcm_rows *faces);

#endif
