/* SPDX-License-Identifier: MIT */
/* rest.c - what MuJoCo's matrix has no room for of a step that is implicit in contacts (implicit.c).
 *
 * Contacts between two moving branches couple joints that M knows nothing of, and a free body whose joints MuJoCo takes
 * for independent has the diagonal alone. The whole system is solved for by conjugate gradients; the rest of it then
 * goes to MuJoCo as a force that makes up the difference. The preconditioner is MuJoCo's own factors, and for those
 * free bodies their six joints together, which on resting ground are all there is. */
#include "evaluation.h"
#include <string.h>

/* ---- The rest -------------------------------------------------------------------------------------------------- */

/* A symmetric square: what stands on both sides of its diagonal is read once. */
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

/* ---- The preconditioner ---------------------------------------------------------------------------------------- */

enum { SIX = PCM_IMPLICIT_BLOCK }; /* joints of a free body; row `dof` of blocks is its row in the body's block */

/* What a meeting has of a side whose joints MuJoCo takes for independent. */
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

/* L and 1 / D of L D L' in place of the lower triangle of a block of n; its diagonal is that of M. */
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

/* Bodies whose joints MuJoCo takes for independent. */
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

/* ---- Conjugate gradients --------------------------------------------------------------------------------------- */

static void solve(pcm_mujoco *host, const double *blocks, double *acceleration)
{
    enum { ITERATIONS = 200 };
    const double   enough = 1e-16; /* of the square of the residual's norm */
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
