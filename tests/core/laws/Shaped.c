/* SPDX-License-Identifier: MIT */
/* Gives one of the columns of a contact's shape as its force, or -1 where that is NaN, so that tests can read it. */
#include <pcm/plugin.h>

typedef struct {
    int64_t column;
} Law;

static void update(const pcm_batch *b)
{
    const Law           law = *(const Law *)b->params;
    const double *const columns[] = {b->curvature_1, b->curvature_2, b->curvature_x,    b->curvature_y, b->point_part,
                                     b->patch_part,  b->line_length, b->line_curvature, b->flat_area,   b->flat_aspect};
    const double       *column = columns[law.column];
    PCM_EACH(b, i)
        b->force_n[i] = column[i] == column[i] ? column[i] : -1;
}

static const char *const columns[] = {"First",  "Second",  "X",    "Y",      "PointPart", "PatchPart",
                                      "Length", "Bending", "Area", "Aspect", NULL};

static const pcm_param params[] = {PCM_CHOICE(Law, column, "Column", columns, 0, "which")};

PCM_KERNELS(update);

PCM_MODEL(Shaped, "A column of the shape", .params = PCM_TABLE(params),
          .inputs = PCM_DEPTH | PCM_CURVATURE | PCM_CURVATURE_AXIS | PCM_EXTENT, .flags = PCM_PULLS);
