/* SPDX-License-Identifier: MIT */
/* shape.c - the shapes of contacts of spheres. With each other and with flat walls their radius says all, and laws read
 * NaN for the curvatures; walls that are cylinders have curvatures. */
#include "step.h"

#include <math.h>

/* A sphere in or on a cylinder is curved as a ball along the axis, and less, or more, around it. */
static void bend(const pcm_lammps_pass *p, pcm_lammps_block *b, size_t i)
{
    const double ball = 1 / b->radius[i], around = ball + (p->wall->inside ? -1 : 1) / p->wall->radius;
    double       x = 0, y = 0;
    for (int k = 0; k < 3; k++) {
        x += p->pose->turn[k][p->wall->axis] * b->x_axis[k][i];
        y += p->pose->turn[k][p->wall->axis] * b->y_axis[k][i];
    }
    b->curvature[0][i] = around > 0 ? fmin(ball, around) : NAN;
    b->curvature[1][i] = around > 0 ? fmax(ball, around) : NAN;
    b->curve_axis[0][i] = p->wall->inside ? -y : x;
    b->curve_axis[1][i] = p->wall->inside ? x : y;
}

void pcm_lammps_fill_shape(const pcm_lammps_pass *p, pcm_lammps_block *b)
{
    const bool bent = p->wall && p->wall->shape == PCM_LAMMPS_CYLINDER;
    for (size_t i = 0; i < p->count; i++) {
        b->curvature[0][i] = b->curvature[1][i] = b->curve_axis[0][i] = b->curve_axis[1][i] = NAN;
        if (bent)
            bend(p, b, i);
    }
}
