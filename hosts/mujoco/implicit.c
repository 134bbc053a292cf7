/* SPDX-License-Identifier: MIT */
/* implicit.c - a step that is linearly implicit in the contacts of laws.
 *
 * With the stiffness K and damping D of contacts in joint space, a step of h solves
 *
 *   (M + h D + h^2 K) (v' - v) = h (f - h K v)
 *
 * which is backward Euler for the law's tangent at the step's start. What of K a step can follow is left to it, as
 * backward Euler would damp it: K counts by x / (1 + x), x = h^2 k / m, of a contact's stiffness and the inertia that
 * it meets. The matrix takes the place of MuJoCo's M in the second half of a step, so that its constraint solver knows
 * it, too. MuJoCo keeps M with room for a body and what it hangs on alone: contacts between two moving branches fit in
 * as far as each branch goes; the rest is a force (rest.c).
 *
 * K and D are the symmetric parts, normal and tangential apart, without what is negative: any such choice is first
 * order, and these are stable. */
#include "host.h"
#include <pcm/messages.h>
#include <string.h>

/* ---- A contact ------------------------------------------------------------------------------------------------- */

/* What of a 6 by 6 matrix acts on rotations or on translations, in the contact's frame. */
static pcm_answer answer_of(const double matrix[36], const double frame[9], int first)
{
    const double *block = matrix + 7 * first;
    double        image[3][3], in_frame[3][3];
    for (int w = 0; w < 3; w++)
        for (int i = 0; i < 3; i++)
            image[w][i] = block[6 * i] * frame[w] + block[6 * i + 1] * frame[3 + w] + block[6 * i + 2] * frame[6 + w];
    for (int u = 0; u < 3; u++)
        for (int w = 0; w < 3; w++)
            in_frame[u][w] = frame[u] * image[w][0] + frame[3 + u] * image[w][1] + frame[6 + u] * image[w][2];
    return (pcm_answer){in_frame[0][0], 0.5 * (in_frame[0][1] + in_frame[1][0]), in_frame[1][1], in_frame[2][2]};
}

/* The nearest that gives no energy; nothing where a number is not finite. */
static pcm_answer without_negative(pcm_answer a)
{
    const double mean = 0.5 * (a.xx + a.yy), radius = hypot(0.5 * (a.xx - a.yy), a.xy);
    const double high = mean + radius, low = mean - radius;
    if (!isfinite(high) || !isfinite(a.nn))
        return (pcm_answer){0};
    a.nn = fmax(a.nn, 0);
    if (low >= 0)
        return a;
    if (high <= 0)
        return (pcm_answer){.nn = a.nn};
    const double scale = high / (high - low);
    return (pcm_answer){scale * (a.xx - low), scale * a.xy, scale * (a.yy - low), a.nn};
}

static pcm_answer scaled(double factor, pcm_answer a)
{
    return (pcm_answer){factor * a.xx, factor * a.xy, factor * a.yy, factor * a.nn};
}

static pcm_answer sum(pcm_answer a, pcm_answer b)
{
    return (pcm_answer){a.xx + b.xx, a.xy + b.xy, a.yy + b.yy, a.nn + b.nn};
}

void pcm_answer_to(const pcm_answer a[2], const double moved[6], double answered[6])
{
    for (int i = 0; i < 2; i++) {
        const double *in = moved + 3 * i;
        answered[3 * i] = a[i].xx * in[0] + a[i].xy * in[1];
        answered[3 * i + 1] = a[i].xy * in[0] + a[i].yy * in[1];
        answered[3 * i + 2] = a[i].nn * in[2];
    }
}

/* ---- Its joints ------------------------------------------------------------------------------------------------ */

static int last_dof(const mjModel *model, int body)
{
    while (body > 0 && model->body_dofnum[body] == 0)
        body = model->body_parentid[body];
    return body > 0 ? model->body_dofadr[body] + model->body_dofnum[body] - 1 : -1;
}

/* Joints that move both sides alike move no contact between them. A joint comes after those that it hangs on. */
static int common_dof(const mjModel *model, int a, int b)
{
    while (a != b)
        if (a > b)
            a = model->dof_parentid[a];
        else
            b = model->dof_parentid[b];
    return a;
}

/* How a joint moves the side's point, in the contact's frame. */
static pcm_column column_of(const pcm_mujoco *host, int body, int dof, const pcm_contact_info *info, double sign)
{
    const mjData *data = host->data;
    const double *axis = data->cdof + 6 * dof;
    double        arm[3], shift[3];
    mju_sub3(arm, info->point, data->subtree_com + 3 * host->model->body_rootid[body]);
    mju_cross(shift, axis, arm);
    mju_addTo3(shift, axis + 3);
    pcm_column column = {.dof = dof};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            column.moves[i] += sign * info->frame[3 * k + i] * axis[k];
            column.moves[3 + i] += sign * info->frame[3 * k + i] * shift[k];
        }
    return column;
}

static pcm_status add_columns(pcm_mujoco *host, pcm_resisting *contact, const pcm_contact_info *info)
{
    pcm_implicit  *implicit = &host->implicit;
    const mjModel *model = host->model;
    const int      body[2] = {pcm_mujoco_body(host, info->base), pcm_mujoco_body(host, info->follower)};
    const int      last[2] = {last_dof(model, body[0]), last_dof(model, body[1])};
    const int      common = common_dof(model, last[0], last[1]);
    contact->first = implicit->n_columns;
    for (int side = 0; side < 2; side++) {
        for (int dof = last[side]; dof != common; dof = model->dof_parentid[dof]) {
            if (!pcm_grow(host->context, &implicit->columns, &implicit->column_capacity, implicit->n_columns + 1,
                          sizeof *implicit->columns))
                return pcm_scene_no_memory(host->context);
            contact->simple[side] |= model->dof_simplenum[dof] > 0;
            contact->count[side]++;
            implicit->columns[implicit->n_columns++] = column_of(host, body[side], dof, info, side ? 1 : -1);
        }
    }
    return PCM_OK;
}

/* How the contact moves when joints do. */
void pcm_columns_move(const pcm_column *columns, size_t count, const double *joints, double moved[6])
{
    memset(moved, 0, 6 * sizeof *moved);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 6; k++)
            moved[k] += columns[i].moves[k] * joints[columns[i].dof];
}

static void add_answer(const pcm_answer a[2], const pcm_column *columns, size_t count, const double *joints,
                       double factor, double *forces)
{
    double moved[6], answered[6];
    pcm_columns_move(columns, count, joints, moved);
    pcm_answer_to(a, moved, answered);
    for (size_t i = 0; i < count; i++)
        forces[columns[i].dof] += factor * pcm_dot6(columns[i].moves, answered);
}

double pcm_columns_entry(const pcm_answer a[2], const pcm_column *row, const pcm_column *column)
{
    double answered[6];
    pcm_answer_to(a, column->moves, answered);
    return pcm_dot6(row->moves, answered);
}

/* ---- All contacts of a step ------------------------------------------------------------------------------------ */

/* What something counts for of which a step can follow what is far below 1. */
static double counted(double x) { return isfinite(x) ? x / (1 + x) : 1; }

/* Takes a joint out of the three impulses: what it yields, and what is left for those that it hangs on. */
static void take_joint(pcm_mujoco *host, int dof, double *impulses, double yields[3])
{
    const mjModel *model = host->model;
    double        *own = impulses + 3 * dof;
    int            up = 1;
    for (int k = 0; k < 3; k++)
        yields[k] += own[k] * own[k] * pcm_release_inverse(host->data, dof);
    for (int other = model->dof_parentid[dof]; other >= 0; other = model->dof_parentid[other]) {
        const double factor = pcm_release_factor(model, host->data, dof, up++);
        for (int k = 0; k < 3; k++)
            impulses[3 * other + k] -= factor * own[k];
    }
    memset(own, 0, 3 * sizeof *own);
}

/* How far the contact yields along x, y and n of its frame, 1 / kg: J inverse(M) J', of which with M = L' D L only the
 * contact's joints and those that they hang on have a part. The impulses are 0 before and after. */
static void find_yields(pcm_mujoco *host, const pcm_resisting *contact, double yields[3])
{
    const pcm_column *columns = host->implicit.columns + contact->first;
    const size_t      count = contact->count[0] + contact->count[1];
    double           *impulses = host->implicit.impulses;
    int               a = contact->count[0] ? columns[0].dof : -1;
    int               b = contact->count[1] ? columns[contact->count[0]].dof : -1;
    memset(yields, 0, 3 * sizeof *yields);
    for (size_t i = 0; i < count; i++)
        memcpy(impulses + 3 * columns[i].dof, columns[i].moves + 3, 3 * sizeof *impulses);
    while (a >= 0 || b >= 0) {
        const int dof = a > b ? a : b;
        take_joint(host, dof, impulses, yields);
        a = a == dof ? host->model->dof_parentid[a] : a;
        b = b == dof ? host->model->dof_parentid[b] : b;
    }
}

/* Of the translational stiffness what a step cannot follow. */
static pcm_answer unfollowed(const double yields[3], pcm_answer stiffness, double h)
{
    const double along = stiffness.xx + stiffness.yy;
    pcm_answer   part = scaled(counted(h * h * along * fmax(yields[0], yields[1])), stiffness);
    part.nn = stiffness.nn * counted(h * h * stiffness.nn * yields[2]);
    return part;
}

/* Friction that slides turns with the slip, which it resists across, and does not along, where one step of it can turn
 * the slip round. It then resists along as across, so that the slip comes to an end. */
static pcm_answer ended_slip(const double yields[3], pcm_answer a)
{
    const double high = 0.5 * (a.xx + a.yy) + hypot(0.5 * (a.xx - a.yy), a.xy);
    const double part = counted(high * fmax(yields[0], yields[1]));
    return sum(scaled(1 - part, (pcm_answer){a.xx, a.xy, a.yy, 0}), (pcm_answer){part * high, 0, part * high, a.nn});
}

static pcm_status add_contact(pcm_mujoco *host, const pcm_contact_info *info, const pcm_contact_matrices *matrices,
                              double h)
{
    pcm_implicit *implicit = &host->implicit;
    if (!pcm_grow(host->context, &implicit->contacts, &implicit->capacity, implicit->count + 1,
                  sizeof *implicit->contacts))
        return pcm_scene_no_memory(host->context);
    pcm_resisting *contact = &implicit->contacts[implicit->count++];
    *contact = (pcm_resisting){0};
    const pcm_status status = add_columns(host, contact, info);
    if (status != PCM_OK)
        return status;
    const size_t count = contact->count[0] + contact->count[1];
    pcm_answer   stiffness[2];
    double       yields[3];
    find_yields(host, contact, yields);
    for (int i = 0; i < 2; i++) {
        stiffness[i] = without_negative(answer_of(matrices->stiffness, info->frame, 3 * i));
        if (i)
            stiffness[i] = unfollowed(yields, stiffness[i], h);
        const pcm_answer damping = without_negative(answer_of(matrices->damping, info->frame, 3 * i));
        contact->resistance[i] = sum(scaled(h, damping), scaled(h * h, stiffness[i]));
    }
    contact->resistance[1] = ended_slip(yields, contact->resistance[1]);
    contact->split = contact->simple[0] || contact->simple[1] || (contact->count[0] && contact->count[1]);
    implicit->splits |= contact->split;
    add_answer(stiffness, implicit->columns + contact->first, count, host->data->qvel, -h, host->data->qfrc_passive);
    return PCM_OK;
}

static pcm_status collect(pcm_mujoco *host)
{
    pcm_implicit *implicit = &host->implicit;
    const size_t  count = pcm_world_contact_count(host->world);
    implicit->count = implicit->n_columns = 0;
    implicit->splits = false;
    if (!pcm_grow(host->context, &implicit->found, &implicit->found_capacity, count, sizeof *implicit->found))
        return pcm_scene_no_memory(host->context);
    pcm_status status =
        count ? pcm_matrices_list(implicit->matrices, 0, count, implicit->found, sizeof *implicit->found) : PCM_OK;
    for (size_t i = 0; i < count && status == PCM_OK; i++) {
        pcm_contact_info info = {.size = sizeof info};
        status = pcm_world_contact_at(host->world, i, &info);
        if (status == PCM_OK && info.depth != PCM_FAR)
            status = add_contact(host, &info, &implicit->found[i], host->model->opt.timestep);
    }
    return status;
}

/* ---- In MuJoCo's matrix ---------------------------------------------------------------------------------------- */

/* Of each side what M has room for; of joints that MuJoCo takes for independent the diagonal. */
static void add_side(pcm_mujoco *host, const pcm_resisting *contact, int side)
{
    pcm_column  *columns = host->implicit.columns + contact->first + (side ? contact->count[0] : 0);
    const size_t count = contact->count[side];
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i; k < (contact->simple[side] ? i + 1 : count); k++)
            pcm_release_add_inertia(host->model, host->data, columns[i].dof, (int)(k - i),
                                    pcm_columns_entry(contact->resistance, &columns[i], &columns[k]));
        columns[i].own = pcm_columns_entry(contact->resistance, &columns[i], &columns[i]);
    }
}

static void add_all(pcm_mujoco *host)
{
    for (size_t i = 0; i < host->implicit.count; i++)
        for (int side = 0; side < 2; side++)
            add_side(host, &host->implicit.contacts[i], side);
}

/* ---- The step -------------------------------------------------------------------------------------------------- */

void pcm_implicit_step(pcm_mujoco *host)
{
    const mjModel *model = host->model;
    mjData        *data = host->data;
    mj_step1(model, data);
    const pcm_status status = collect(host);
    const bool       changes = status == PCM_OK && host->implicit.count > 0;
    pcm_follow_note(host, status);
    if (changes) {
        pcm_release_keep_inertia(model, data, host->implicit.inertia, true);
        add_all(host);
        mj_factorM(model, data);
        if (host->implicit.splits)
            pcm_rest_push(host);
        pcm_release_project(model, data);
    }
    mj_step2(model, data);
    if (changes) {
        pcm_release_keep_inertia(model, data, host->implicit.inertia, false);
        mj_factorM(model, data);
    }
}

pcm_status pcm_mujoco_implicit(pcm_mujoco *host, bool implicit)
{
    pcm_implicit *state = &host->implicit;
    pcm_context  *context = host->context;
    const size_t  nv = (size_t)host->model->nv;
    if (implicit && (!PCM_RELEASE_KNOWS_INERTIA || host->model->opt.integrator == mjINT_RK4)) {
        pcm_report(context, PCM_ERROR, PCM_MSG_NOT_IMPLICIT,
                   "steps cannot be implicit in contacts %s: choose Euler, implicit or implicitfast",
                   PCM_RELEASE_KNOWS_INERTIA ? "under RK4" : "in this release of MuJoCo");
        return PCM_BAD_ARGUMENT;
    }
    if (implicit && !state->matrices) {
        state->matrices = pcm_matrices_new(host->world);
        state->n_inertia = pcm_release_inertia_size(host->model);
        state->n_work = PCM_IMPLICIT_WORK * nv;
        state->inertia = pcm_allocate(context, state->n_inertia * sizeof *state->inertia);
        state->work = pcm_allocate(context, state->n_work * sizeof *state->work);
        state->n_impulses = 3 * nv;
        state->impulses = pcm_allocate(context, state->n_impulses * sizeof *state->impulses);
        if (!state->matrices || (nv && (!state->inertia || !state->work || !state->impulses))) {
            pcm_implicit_free(host);
            return pcm_scene_no_memory(context);
        }
    }
    state->on = implicit;
    return PCM_OK;
}

void pcm_implicit_free(pcm_mujoco *host)
{
    pcm_implicit *state = &host->implicit;
    pcm_context  *context = host->context;
    pcm_matrices_free(state->matrices);
    pcm_free(context, state->inertia, state->n_inertia * sizeof *state->inertia);
    pcm_free(context, state->work, state->n_work * sizeof *state->work);
    pcm_free(context, state->impulses, state->n_impulses * sizeof *state->impulses);
    pcm_free(context, state->found, state->found_capacity * sizeof *state->found);
    pcm_free(context, state->contacts, state->capacity * sizeof *state->contacts);
    pcm_free(context, state->columns, state->column_capacity * sizeof *state->columns);
    *state = (pcm_implicit){0};
}
