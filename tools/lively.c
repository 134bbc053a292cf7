/* SPDX-License-Identifier: MIT */
#include "lively.h"

#include <math.h>
#include <stdlib.h>

bool lively_start(lively *l, const mjModel *model)
{
    const size_t nv = (size_t)model->nv;
    *l = (lively){.model = model,
                  .data = mj_makeData(model),
                  .jacobian = calloc(3 * nv + 1, sizeof *l->jacobian),
                  .image = calloc(3 * nv + 1, sizeof *l->image)};
    if (!l->data || !l->jacobian || !l->image)
        return false;
    mj_forward(model, l->data);
    return true;
}

void lively_stop(lively *l)
{
    if (l->data)
        mj_deleteData(l->data);
    free(l->jacobian);
    free(l->image);
}

/* The largest eigenvalue of J M^-1 J' for the point. */
static double at_point(const lively *l, int body, const double point[3])
{
    const int nv = (int)l->model->nv;
    double    matrix[9], values[3], vectors[9], turn[4];
    mj_jac(l->model, l->data, l->jacobian, NULL, point, body);
    mj_solveM(l->model, l->data, l->image, l->jacobian, 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            matrix[3 * i + k] = mju_dot(l->jacobian + i * nv, l->image + k * nv, nv);
    mju_eig3(values, vectors, turn, matrix);
    return fmax(values[0], 0);
}

/* Half lengths along the geom's axes. */
static void half_lengths(const mjModel *model, int geom, double half[3])
{
    const mjtNum *size = model->geom_size + 3 * geom;
    const int     type = model->geom_type[geom];
    const bool    round = type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
    half[0] = size[0];
    half[1] = round ? size[0] : size[1];
    half[2] = type == mjGEOM_SPHERE ? size[0] : type == mjGEOM_CAPSULE ? size[0] + size[1] : size[round ? 1 : 2];
}

/* A push on a rounded shape goes through the middle of its rounding, on any other one through a corner at the worst. */
double lively_geom(const lively *l, int geom)
{
    const int  type = l->model->geom_type[geom];
    const bool is_rounded = type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_ELLIPSOID;
    double     half[3], most = 0;
    half_lengths(l->model, geom, half);
    const double off = is_rounded ? fmin(half[0], fmin(half[1], half[2])) : 0;
    for (int i = 0; i < 8; i++) {
        double local[3], point[3];
        for (int k = 0; k < 3; k++)
            local[k] = i >> k & 1 ? half[k] - off : off - half[k];
        mju_mulMatVec(point, l->data->geom_xmat + 9 * geom, local, 3, 3);
        mju_addTo3(point, l->data->geom_xpos + 3 * geom);
        most = fmax(most, at_point(l, l->model->geom_bodyid[geom], point));
    }
    return most;
}
