/* SPDX-License-Identifier: MIT */
/* faces_cdd.c - from rays to faces by cddlib's double description method; the only file that uses cddlib. */
#include "refuse.h"
#include "rows.h"
#include <pthread.h>
/* cddlib's types must come before its functions: cdd.h does not compile alone. */
#include <cdd/setoper.h>
#include <cdd/cdd.h>

/* cddlib counts and keeps constants in global variables, so only one thread at a time may run it. */
static pthread_mutex_t inside = PTHREAD_MUTEX_INITIALIZER;

/* The result of a call of cddlib; why is NULL if there is nothing to report. Reported only outside the lock. */
typedef struct outcome {
    pcm_status  status;
    const char *why;
} outcome;

static outcome failure(dd_ErrorType error)
{
    switch (error) {
    case dd_DimensionTooLarge:
        return (outcome){PCM_BAD_ARGUMENT, "there are too many points for cddlib"};
    case dd_LPCycling:
    case dd_NumericallyInconsistent:
        return (outcome){PCM_BAD_ARGUMENT, "the points are too nearly degenerate for double precision"};
    default:
        return (outcome){PCM_BAD_ARGUMENT, "cddlib rejects the points"};
    }
}

static dd_MatrixPtr matrix_of(const pcm_rows *rays)
{
    const dd_MatrixPtr matrix = dd_CreateMatrix((dd_rowrange)rays->count + 1, 7);
    /* The faces of a cone are the rays of its dual, and the given rays are the faces of the dual. */
    matrix->representation = dd_Inequality;
    matrix->numbtype = dd_Real;
    for (size_t i = 0; i < rays->count; i++) {
        dd_set_d(matrix->matrix[i][0], 0);
        for (size_t k = 0; k < 6; k++)
            dd_set_d(matrix->matrix[i][k + 1], rays->rows[i][k]);
        if (i < rays->linear)
            set_addelem(matrix->linset, (long)i + 1);
    }
    /* A last row that says 1 >= 0: cddlib 0.94m leaks if only equalities come out, and this row prevents it. */
    dd_set_d(matrix->matrix[rays->count][0], 1);
    return matrix;
}

/* Copies cddlib's generators without the origin, which is not a ray. */
static outcome copy_out(pcm_context *context, dd_MatrixPtr from, pcm_rows *faces)
{
    const size_t size = (size_t)from->rowsize;
    pcm_rows     copy;
    if (pcm_rows_make(context, size, &copy) != PCM_OK)
        return (outcome){PCM_NO_MEMORY, NULL};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < size; i++) {
            const bool linear = set_member((long)i + 1, from->linset);
            double     row[6];
            for (size_t k = 0; k < 6; k++)
                row[k] = dd_get_d(from->matrix[i][k + 1]);
            if (dd_get_d(from->matrix[i][0]) != 0 || linear != (pass == 0))
                continue;
            if (!pcm_rows_append(&copy, row, linear)) {
                pcm_rows_free(context, &copy);
                return failure(dd_NumericallyInconsistent);
            }
        }
    }
    *faces = copy;
    return (outcome){PCM_OK, NULL};
}

static outcome describe(pcm_context *context, const pcm_rows *rays, pcm_rows *faces)
{
    dd_ErrorType          error = dd_NoError;
    const dd_MatrixPtr    matrix = matrix_of(rays);
    const dd_PolyhedraPtr dual = dd_DDMatrix2Poly(matrix, &error);
    outcome               result = failure(error);
    if (dual && error == dd_NoError) {
        const dd_MatrixPtr generators = dd_CopyGenerators(dual);
        result = copy_out(context, generators, faces);
        dd_FreeMatrix(generators);
    }
    if (dual)
        dd_FreePolyhedra(dual);
    dd_FreeMatrix(matrix);
    return result;
}

pcm_status pcm_faces_of_rays(pcm_context *context, const pcm_rows *rays, pcm_rows *faces)
{
    pthread_mutex_lock(&inside);
    dd_set_global_constants();
    const outcome result = describe(context, rays, faces);
    dd_free_global_constants();
    pthread_mutex_unlock(&inside);
    if (result.why)
        pcm_report(context, PCM_ERROR, PCM_MSG_WRENCH_CONE_FAILED, "no wrench cone: %s", result.why);
    return result.status;
}
