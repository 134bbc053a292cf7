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

/* J M^-1 J' for the point. */
static void mobility(const lively *l, int body, const double point[3], double matrix[9])
{
    const int nv = (int)l->model->nv;
    mj_jac(l->model, l->data, l->jacobian, NULL, point, body);
    mj_solveM(l->model, l->data, l->image, l->jacobian, 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            matrix[3 * i + k] = mju_dot(l->jacobian + i * nv, l->image + k * nv, nv);
}

/* The largest eigenvalue of that matrix. */
static double at_point(const lively *l, int body, const double point[3])
{
    double matrix[9], values[3], vectors[9], turn[4];
    mobility(l, body, point, matrix);
    mju_eig3(values, vectors, turn, matrix);
    return fmax(values[0], 0);
}

/* The mean of that matrix's eigenvalues. */
static double about_point(const lively *l, int body, const double point[3])
{
    double matrix[9];
    mobility(l, body, point, matrix);
    return fmax((matrix[0] + matrix[4] + matrix[8]) / 3, 0);
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

bool lively_is_rounded(const mjModel *model, int geom)
{
    const int type = model->geom_type[geom];
    return type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_ELLIPSOID;
}

double lively_reach(const mjModel *model, const mjData *data, int geom, const double axis[3])
{
    const int type = model->geom_type[geom];
    double    half[3], along[3], reach = 0;
    half_lengths(model, geom, half);
    mju_mulMatTVec(along, data->geom_xmat + 9 * geom, axis, 3, 3);
    if (type == mjGEOM_CAPSULE)
        return half[0] + fabs(along[2]) * (half[2] - half[0]);
    if (type == mjGEOM_CYLINDER)
        return half[0] * sqrt(fmax(1 - along[2] * along[2], 0)) + half[2] * fabs(along[2]);
    for (int k = 0; k < 3; k++)
        along[k] = fabs(along[k]) * half[k];
    for (int k = 0; k < 3; k++)
        reach += along[k];
    return type == mjGEOM_SPHERE || type == mjGEOM_ELLIPSOID ? mju_norm3(along) : reach;
}

static void place(const lively *l, int geom, const double local[3], double point[3])
{
    mju_mulMatVec(point, l->data->geom_xmat + 9 * geom, local, 3, 3);
    mju_addTo3(point, l->data->geom_xpos + 3 * geom);
}

static void corner(const double half[3], double off, int number, double local[3])
{
    for (int k = 0; k < 3; k++)
        local[k] = number >> k & 1 ? half[k] - off : off - half[k];
}

/* The point that is pushed: for a rounded shape the centre of its rounding, for any other shape a corner, which is the
 * worst case. */
double lively_geom(const lively *l, int geom)
{
    double half[3], local[3], point[3], most = 0;
    half_lengths(l->model, geom, half);
    const double off = lively_is_rounded(l->model, geom) ? fmin(half[0], fmin(half[1], half[2])) : 0;
    for (int i = 0; i < 8; i++) {
        corner(half, off, i, local);
        place(l, geom, local, point);
        most = fmax(most, at_point(l, l->model->geom_bodyid[geom], point));
    }
    return most;
}

/* For a rounded shape, friction is taken to act at the ends of its axes. */
double lively_amid(const lively *l, int geom)
{
    const int  body = l->model->geom_bodyid[geom];
    const bool rounded = lively_is_rounded(l->model, geom);
    double     half[3], point[3], most = 0;
    half_lengths(l->model, geom, half);
    for (int i = 0; i < (rounded ? 6 : 8); i++) {
        double local[3] = {0};
        if (rounded)
            local[i % 3] = i < 3 ? half[i] : -half[i % 3];
        else
            corner(half, 0, i, local);
        place(l, geom, local, point);
        most = fmax(most, about_point(l, body, point));
    }
    const double whole = about_point(l, body, l->data->geom_xpos + 3 * geom);
    return 2 * fmax(whole, most - whole);
}
