/* SPDX-License-Identifier: MIT */
/* rows.h - the rows of wrench cones, and the step from rays to faces. */
#ifndef PCM_CONES_ROWS_H
#define PCM_CONES_ROWS_H

#include <pcm/cone.h>

/* Like pcm_wrench_rows, from the context's allocator, with room for `capacity` rows. */
typedef struct pcm_rows {
    double (*rows)[6];
    size_t count, linear, capacity;
} pcm_rows;

/* PCM_NO_MEMORY if there is none; room for 0 rows needs no memory and never fails. */
pcm_status pcm_rows_make(pcm_context *context, size_t capacity, pcm_rows *rows);
void       pcm_rows_free(pcm_context *context, pcm_rows *rows);

double pcm_row_value(const double row[6], const double w[6]);

/* Appends the row, made orthogonal to the linear rows and of length 1; as a linear row if `linear`. Returns false and
 * appends nothing if nothing is left of it. Linear rows come first, so append all of them before others. */
bool pcm_rows_append(pcm_rows *rows, const double row[6], bool linear);

/* The faces of the cone that the rays span: the smallest set of rows f with f.r >= 0 for every ray r (= 0 for linear
 * ones). Reports the reason if it fails. Implemented with cddlib, or by reporting that it is missing. */
pcm_status pcm_faces_of_rays(pcm_context *context, const pcm_rows *rays, pcm_rows *faces);

#endif
