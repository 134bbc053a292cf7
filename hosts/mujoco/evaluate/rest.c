/* SPDX-License-Identifier: MIT */
/* rest.c - the part of an implicit step's matrix that MuJoCo's M has no room for (implicit.c).
 *
 * Contacts between two moving branches couple joints that M does not couple; and for a free body whose joints MuJoCo
 * treats as independent, M has only the diagonal. The whole system is solved by conjugate gradients; MuJoCo then gets
 * the remaining part as a force. The preconditioner consists of MuJoCo's factors of M and, for those free bodies, a
 * factored block of their six joints, which is the exact solution for bodies on fixed ground. */
#include "evaluation.h"
#include <string.h>

/* ---- The rest ---------------------------------------------------------------------------------------------------- */

/* The block is symmetric: each entry below the diagonal is used for both sides of it. */
static void add_rest_of(const pcm_implicit *implicit, const pcm_meeting *meeting, const double *joints, double *forces)
{
    const size_t  count = meeting->count[0] + meeting->count[1];
    const int    *dofs = implicit->dofs + meeting->dofs;
    const double *row = implicit->entries + meeting->entries;
    for (size_t i = 0; i < count; i++, row += count) {
        const double joint = joints[dofs[i]];
        double       force = row[i] * joint;
        for (size_t k = 0; k < i; k++) {
            force += row[k] * joints[dofs[k]];
            forces[dofs[k]] += row[k] * joint;
        }
        forces[dofs[i]] += force;
    }
}

static void add_rest(const pcm_mujoco *host, const double *joints, double *forces)
{
    const pcm_implicit *implicit = &host->evaluation->implicit;
    for (size_t i = 0; i < implicit->n_meetings; i++)
        if (implicit->meetings[i].split)
            add_rest_of(implicit, &implicit->meetings[i], joints, forces);
}

/* ---- The preconditioner ------------------------------------------------------------------------------------------ */

enum { SIX = PCM_IMPLICIT_BLOCK }; /* joints of a free body; row `dof` of blocks is its row in the body's block */

/* Copies the block of a side whose joints MuJoCo treats as independent. */
static void fill_block(const pcm_mujoco *host, const pcm_meeting *meeting, int side, double *blocks)
{
    const pcm_implicit *implicit = &host->evaluation->implicit;
    const size_t        count = meeting->count[0] + meeting->count[1], first = side ? meeting->count[0] : 0;
    const int          *dofs = implicit->dofs + meeting->dofs;
    const double       *entries = implicit->entries + meeting->entries;
    for (size_t i = first; i < first + meeting->count[side]; i++) {
        const int start = host->model->body_dofadr[host->model->dof_bodyid[dofs[i]]];
        for (size_t k = i + 1; k < first + meeting->count[side] && dofs[k] >= start; k++)
            blocks[SIX * dofs[i] + dofs[k] - start] += entries[count * i + k];
    }
}

static void fill_blocks(pcm_mujoco *host, double *blocks)
{
    const pcm_implicit *implicit = &host->evaluation->implicit;
    mju_zero(blocks, SIX * (int)host->model->nv);
    for (size_t i = 0; i < implicit->n_meetings; i++)
        for (int side = 0; side < 2; side++)
            if (implicit->meetings[i].simple[side])
                fill_block(host, &implicit->meetings[i], side, blocks);
}

/* Factors an n by n block as L D L' in its lower triangle, with 1 / D on the diagonal; the diagonal comes from M. */
static void factor_block(pcm_mujoco *host, int first, int n, double *block)
{
    for (int i = 0; i < n; i++)
        block[SIX * i + i] = pcm_release_inertia(host->model, host->data, first + i);
    for (int k = 0; k < n; k++) {
        block[SIX * k + k] = 1 / block[SIX * k + k];
        for (int i = k + 1; i < n; i++) {
            const double factor = block[SIX * i + k] * block[SIX * k + k];
            for (int j = k + 1; j <= i; j++)
                block[SIX * i + j] -= factor * block[SIX * j + k];
        }
    }
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            block[SIX * i + k] *= block[SIX * k + k];
}

static void solve_block(int n, const double *block, double *x)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            x[i] -= block[SIX * i + k] * x[k];
    for (int i = 0; i < n; i++)
        x[i] *= block[SIX * i + i];
    for (int i = n - 1; i >= 0; i--)
        for (int k = i + 1; k < n; k++)
            x[i] -= block[SIX * k + i] * x[k];
}

/* Whether MuJoCo treats the body's joints as independent. */
static bool is_simple(const mjModel *model, int body)
{
    return model->body_dofnum[body] > 0 && model->dof_simplenum[model->body_dofadr[body]] > 0;
}

static void factor_blocks(pcm_mujoco *host, double *blocks)
{
    const mjModel *model = host->model;
    fill_blocks(host, blocks);
    for (int body = 1; body < model->nbody; body++)
        if (is_simple(model, body))
            factor_block(host, model->body_dofadr[body], model->body_dofnum[body],
                         blocks + SIX * model->body_dofadr[body]);
}

static void precondition(const pcm_mujoco *host, const double *blocks, double *solved, const double *residual)
{
    const mjModel *model = host->model;
    mj_solveM(model, host->data, solved, residual, 1);
    for (int body = 1; body < model->nbody; body++) {
        const int first = model->body_dofadr[body], n = model->body_dofnum[body];
        if (!is_simple(model, body))
            continue;
        mju_copy(solved + first, residual + first, n);
        solve_block(n, blocks + SIX * first, solved + first);
    }
}

/* ---- Conjugate gradients ----------------------------------------------------------------------------------------- */

static void solve(pcm_mujoco *host, const double *blocks, double *acceleration)
{
    enum { ITERATIONS = 200 };
    const double   enough = 1e-16; /* relative to the square of the residual's norm */
    const mjModel *model = host->model;
    mjData        *data = host->data;
    const int      nv = (int)model->nv;
    double *residual = host->evaluation->implicit.work, *solved = residual + nv, *way = solved + nv, *image = way + nv;
    precondition(host, blocks, acceleration, data->qfrc_smooth);
    const double start = fabs(mju_dot(acceleration, data->qfrc_smooth, nv));
    mj_mulM(model, data, image, acceleration);
    add_rest(host, acceleration, image);
    mju_sub(residual, data->qfrc_smooth, image, nv);
    double norm = 0;
    for (int i = 0; i < ITERATIONS; i++) {
        precondition(host, blocks, solved, residual);
        const double before = norm;
        norm = mju_dot(residual, solved, nv);
        if (!(norm > enough * start))
            return;
        if (i == 0)
            mju_copy(way, solved, nv);
        else
            mju_addScl(way, solved, way, norm / before, nv);
        mj_mulM(model, data, image, way);
        add_rest(host, way, image);
        const double step = norm / mju_dot(way, image, nv);
        mju_addToScl(acceleration, way, step, nv);
        mju_addToScl(residual, image, -step, nv);
    }
}

void pcm_rest_push(pcm_mujoco *host)
{
    const mjModel *model = host->model;
    mjData        *data = host->data;
    const int      nv = (int)model->nv;
    double *acceleration = host->evaluation->implicit.work + 4 * nv, *force = acceleration + nv, *blocks = force + nv;
    mj_fwdActuation(model, data);
    mj_fwdAcceleration(model, data);
    factor_blocks(host, blocks);
    solve(host, blocks, acceleration);
    mju_zero(force, nv);
    add_rest(host, acceleration, force);
    mju_subFrom(data->qfrc_passive, force, nv);
}
