/* SPDX-License-Identifier: MIT */
/* implicit.c - a step that is linearly implicit in the contacts of laws.
 *
 * With the stiffness K and damping D of contacts in joint space, a step of h solves
 *
 *   (M + h D + h^2 K) (v' - v) = h (f - h K v)
 *
 * This is backward Euler for the law's tangent at the step's start, which also damps motion that the step resolves. So
 * K is reduced to the part that the step cannot resolve: by x / (1 + x) with x = h^2 k / m, the stiffness of a contact
 * and the inertia of its two sides. The matrix replaces MuJoCo's M in the second half of the step, so that MuJoCo's
 * constraint solver uses it too. M has room only for entries between a joint and its ancestors: of a contact between
 * two moving branches it holds the block of each branch; the rest becomes a force (rest.c).
 *
 * K and D are the positive semidefinite symmetric parts, with normal and tangential parts uncoupled: any choice is
 * first order, and this one is stable. But a step may change a normal force by much, and a foot that lands would be
 * stopped by the friction of its start (friction.c). */
#include "answer.h"
#include <pcm/messages.h>
#include <string.h>

/* ---- A contact --------------------------------------------------------------------------------------------------- */

/* The rotational or translational block of a 6 by 6 matrix, in the contact's frame. */
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

/* The nearest positive semidefinite matrix; 0 in the part, normal or tangential, that is not finite. */
static pcm_answer without_negative(pcm_answer a)
{
    const double mean = 0.5 * (a.xx + a.yy), radius = pcm_answer_radius(&a);
    const double high = mean + radius, low = mean - radius;
    a.nn = isfinite(a.nn) ? fmax(a.nn, 0) : 0;
    if (low >= 0 && isfinite(high))
        return a;
    if (!isfinite(high) || high <= 0)
        return (pcm_answer){.nn = a.nn};
    const double scale = high / (high - low);
    return (pcm_answer){scale * (a.xx - low), scale * a.xy, scale * (a.yy - low), a.nn};
}

/* ---- Its joints -------------------------------------------------------------------------------------------------- */

static int last_dof(const mjModel *model, int body)
{
    while (body > 0 && model->body_dofnum[body] == 0)
        body = model->body_parentid[body];
    return body > 0 ? model->body_dofadr[body] + model->body_dofnum[body] - 1 : -1;
}

/* The last joint that moves both sides equally: it and its ancestors do not move the contact. A joint has a higher
 * index than its ancestors. */
static int common_dof(const mjModel *model, int a, int b)
{
    while (a != b)
        if (a > b)
            a = model->dof_parentid[a];
        else
            b = model->dof_parentid[b];
    return a;
}

/* Fills in how the side's joints move its contact point, in the contact's frame; rotation only if it matters. Returns
 * the number of joints. */
static size_t fill_columns(const pcm_mujoco *host, const pcm_contact_matrices *contact, int side, int last, int common,
                           bool turns, pcm_column *columns)
{
    const mjModel *model = host->model;
    const mjData  *data = host->data;
    const double   sign = side ? 1 : -1;
    size_t         count = 0;
    double         axes[3][3], levers[3][3], arm[3] = {0};
    if (last >= 0)
        mju_sub3(arm, contact->point, data->subtree_com + 3 * model->body_rootid[model->dof_bodyid[last]]);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            axes[k][i] = sign * contact->frame[3 * i + k];
        mju_cross(levers[k], arm, axes[k]);
    }
    for (int dof = last; dof != common; dof = model->dof_parentid[dof]) {
        const double *axis = data->cdof + 6 * dof;
        pcm_column   *column = &columns[count++];
        column->dof = dof;
        for (int k = 0; k < 3; k++) {
            column->moves[0][k] = turns ? pcm_dot(axes[k], axis) : 0;
            column->moves[1][k] = pcm_dot(levers[k], axis) + pcm_dot(axes[k], axis + 3);
        }
    }
    return count;
}

/* ---- Meetings ---------------------------------------------------------------------------------------------------- */

static pcm_status new_meeting(pcm_mujoco *host, const pcm_column *columns, pcm_meeting meeting)
{
    pcm_implicit *implicit = &host->evaluation->implicit;
    pcm_context  *context = host->context;
    const size_t  count = meeting.count[0] + meeting.count[1];
    if (!pcm_grow(context, &implicit->meetings, &implicit->meeting_capacity, implicit->n_meetings + 1,
                  sizeof *implicit->meetings) ||
        !pcm_grow(context, &implicit->dofs, &implicit->dof_capacity, implicit->n_dofs + count,
                  sizeof *implicit->dofs) ||
        !pcm_grow(context, &implicit->entries, &implicit->entry_capacity, implicit->n_entries + count * count,
                  sizeof *implicit->entries))
        return pcm_host_no_memory(context);
    meeting.dofs = implicit->n_dofs;
    meeting.entries = implicit->n_entries;
    for (size_t i = 0; i < count; i++) {
        implicit->dofs[meeting.dofs + i] = columns[i].dof;
        meeting.simple[i >= meeting.count[0]] |= host->model->dof_simplenum[columns[i].dof] > 0;
    }
    mju_zero(implicit->entries + meeting.entries, (int)(count * count));
    meeting.split = meeting.simple[0] || meeting.simple[1] || (meeting.count[0] && meeting.count[1]);
    implicit->splits |= meeting.split;
    implicit->n_dofs += count;
    implicit->n_entries += count * count;
    implicit->meetings[implicit->n_meetings++] = meeting;
    return PCM_OK;
}

/* The meeting for the two sides of a contact; the columns belong to its joints. NULL: no memory. */
static pcm_meeting *find_meeting(pcm_mujoco *host, const pcm_column *columns, pcm_meeting wanted)
{
    pcm_implicit *implicit = &host->evaluation->implicit;
    uint32_t     *first = &implicit->meeting_of[wanted.last[0] > wanted.last[1] ? wanted.last[0] : wanted.last[1]];
    for (uint32_t at = *first; at; at = implicit->meetings[at - 1].next) {
        pcm_meeting *meeting = &implicit->meetings[at - 1];
        if (meeting->last[0] == wanted.last[0] && meeting->last[1] == wanted.last[1])
            return meeting;
    }
    wanted.next = *first;
    if (new_meeting(host, columns, wanted) != PCM_OK)
        return NULL;
    *first = (uint32_t)implicit->n_meetings;
    return &implicit->meetings[*first - 1];
}

static void forget_meetings(pcm_implicit *implicit)
{
    for (size_t i = 0; i < implicit->n_meetings; i++) {
        const int *last = implicit->meetings[i].last;
        implicit->meeting_of[last[0] > last[1] ? last[0] : last[1]] = 0;
    }
    implicit->n_meetings = implicit->n_dofs = implicit->n_entries = implicit->n_frictional =
        implicit->n_frictional_columns = 0;
    implicit->acts = implicit->splits = false;
}

/* Fills in the entries above the diagonal; only those below it are summed. */
static void mirror(size_t count, double *entries)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            entries[count * k + i] = entries[count * i + k];
}

/* ---- All contacts of a step -------------------------------------------------------------------------------------- */

/* Eliminates a joint from the three impulses: adds its part of the compliance, and passes the rest to its ancestors. */
static void take_joint(pcm_mujoco *host, int dof, double *impulses, double yields[3])
{
    const mjModel *model = host->model;
    double        *own = impulses + 3 * dof;
    int            up = 1;
    for (int k = 0; k < 3; k++)
        yields[k] += own[k] * own[k] * pcm_release_inverse(host->data, dof);
    for (int other = model->dof_simplenum[dof] ? -1 : model->dof_parentid[dof]; other >= 0;
         other = model->dof_parentid[other]) {
        const double factor = pcm_release_factor(model, host->data, dof, up++);
        for (int k = 0; k < 3; k++)
            impulses[3 * other + k] -= factor * own[k];
    }
    memset(own, 0, 3 * sizeof *own);
}

/* The compliance of the contact along x, y and n of its frame, 1/kg: J inverse(M) J'. With M = L' D L only the
 * contact's joints and their ancestors contribute. The impulses are 0 before and after. */
static void find_yields(pcm_mujoco *host, const pcm_meeting *sides, double yields[3])
{
    const pcm_column *columns = host->evaluation->implicit.columns;
    const size_t      count = sides->count[0] + sides->count[1];
    double           *impulses = host->evaluation->implicit.impulses;
    int               a = sides->count[0] ? sides->last[0] : -1, b = sides->count[1] ? sides->last[1] : -1;
    memset(yields, 0, 3 * sizeof *yields);
    for (size_t i = 0; i < count; i++)
        memcpy(impulses + 3 * columns[i].dof, columns[i].moves[1], 3 * sizeof *impulses);
    while (a >= 0 || b >= 0) {
        const int dof = a > b ? a : b;
        take_joint(host, dof, impulses, yields);
        a = a == dof ? host->model->dof_parentid[a] : a;
        b = b == dof ? host->model->dof_parentid[b] : b;
    }
}

/* The part of the translational stiffness that is too stiff for a step to resolve. */
static pcm_answer unfollowed(const double yields[3], pcm_answer stiffness, double h)
{
    const double along = stiffness.xx + stiffness.yy;
    pcm_answer   part = pcm_answer_scaled(pcm_counted(h * h * along * fmax(yields[0], yields[1])), stiffness);
    part.nn = stiffness.nn * pcm_counted(h * h * stiffness.nn * yields[2]);
    return part;
}

/* Adds what the step takes off the contact's force for its velocity. */
static void add_force(pcm_mujoco *host, const pcm_answer *taken, const pcm_contact_matrices *contact, int kind,
                      size_t count)
{
    const pcm_column *columns = host->evaluation->implicit.columns;
    const double     *frame = contact->frame, *belt = contact->surface_velocity + 3 * kind;
    double            moved[3], answered[3];
    for (int k = 0; k < 3; k++)
        moved[k] = frame[k] * belt[0] + frame[3 + k] * belt[1] + frame[6 + k] * belt[2];
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            moved[k] += columns[i].moves[kind][k] * host->data->qvel[columns[i].dof];
    pcm_answer_to(taken, moved, answered);
    for (size_t i = 0; i < count; i++)
        host->data->qfrc_passive[columns[i].dof] -= pcm_dot(columns[i].moves[kind], answered);
}

/* Whether a matrix resists rotation. */
static bool twists(const double matrix[36])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (matrix[6 * i + k] != 0)
                return true;
    return false;
}

/* Of a part that RK4 resolves by itself, to fourth order, almost nothing counts. */
static double counted_by_stages(double x) { return pcm_counted(x * x * x * x); }

/* Reduces all to the part that RK4 does not resolve. */
static void reduce_for_stages(double h, pcm_frictional *part, pcm_answer *states)
{
    const double    *yields = part->yields;
    const pcm_answer all = pcm_answer_over(&part->damping, &part->stiffness, h);
    const double     tangential = counted_by_stages((all.xx + all.yy) * fmax(yields[0], yields[1]));
    const double     normal = counted_by_stages(all.nn * yields[2]);
    part->stiffness = pcm_answer_weighed(part->stiffness, tangential, normal);
    part->damping = pcm_answer_weighed(part->damping, tangential, normal);
    *states = pcm_answer_weighed(*states, tangential, normal);
}

static void add_turning(pcm_mujoco *host, const pcm_contact_matrices *contact, size_t count, double h, double *entries)
{
    const pcm_answer damping = without_negative(answer_of(contact->damping, contact->frame, 0));
    const pcm_answer stiffness = without_negative(answer_of(contact->stiffness, contact->frame, 0));
    const pcm_answer states = without_negative(answer_of(contact->states, contact->frame, 0));
    const pcm_answer resistance = pcm_answer_over(&damping, &stiffness, h);
    const pcm_answer taken = pcm_answer_sum(pcm_answer_scaled(h, stiffness), states);
    pcm_answer_add(&resistance, 0, host->evaluation->implicit.columns, count, entries);
    add_force(host, &taken, contact, 0, count);
}

/* The states of contacts follow the velocity at the start of the step. Where they are too stiff for that, their force
 * is taken off once more, which makes the step stable. */
static pcm_status add_moving(pcm_mujoco *host, const pcm_meeting *meeting, const pcm_contact_matrices *contact,
                             double h)
{
    const size_t     count = meeting->count[0] + meeting->count[1];
    const pcm_answer damping = without_negative(answer_of(contact->damping, contact->frame, 3));
    const pcm_answer stiffness = without_negative(answer_of(contact->stiffness, contact->frame, 3));
    pcm_answer       states = without_negative(answer_of(contact->states, contact->frame, 3));
    pcm_frictional   part = {.damping = damping, .stiffness = stiffness};
    find_yields(host, meeting, part.yields);
    if (host->model->opt.integrator == mjINT_RK4) {
        reduce_for_stages(h, &part, &states);
    } else {
        part.stiffness = unfollowed(part.yields, stiffness, h);
        states = pcm_answer_scaled(h, unfollowed(part.yields, pcm_answer_scaled(1 / h, states), h));
    }
    part.taken = pcm_answer_sum(pcm_answer_scaled(h, part.stiffness), states);
    const pcm_answer resistance = pcm_answer_ending(part.yields, pcm_answer_over(&part.damping, &part.stiffness, h));
    pcm_answer_add(&resistance, 1, host->evaluation->implicit.columns, count,
                   host->evaluation->implicit.entries + meeting->entries);
    add_force(host, &part.taken, contact, 1, count);
    return pcm_friction_note(host, meeting, contact, part, &damping, &stiffness);
}

static pcm_status add_contact(pcm_mujoco *host, const pcm_contact_matrices *contact, double h)
{
    const mjModel *model = host->model;
    pcm_implicit  *implicit = &host->evaluation->implicit;
    pcm_meeting    sides = {.last = {last_dof(model, pcm_mujoco_body(host, contact->base)),
                                     last_dof(model, pcm_mujoco_body(host, contact->follower))}};
    const int      common = common_dof(model, sides.last[0], sides.last[1]);
    const bool     turns = twists(contact->stiffness) || twists(contact->damping);
    sides.count[0] = fill_columns(host, contact, 0, sides.last[0], common, turns, implicit->columns);
    sides.count[1] = fill_columns(host, contact, 1, sides.last[1], common, turns, implicit->columns + sides.count[0]);
    if (!sides.count[0] && !sides.count[1])
        return PCM_OK;
    const pcm_meeting *meeting = find_meeting(host, implicit->columns, sides);
    if (!meeting)
        return PCM_NO_MEMORY;
    if (turns)
        add_turning(host, contact, sides.count[0] + sides.count[1], h, implicit->entries + meeting->entries);
    implicit->acts = true;
    return add_moving(host, meeting, contact, h);
}

static pcm_status collect_all(pcm_mujoco *host)
{
    pcm_implicit *implicit = &host->evaluation->implicit;
    const size_t  count = pcm_world_contact_count(host->world);
    pcm_status    status = pcm_matrices_set_step(implicit->matrices, host->model->opt.timestep);
    forget_meetings(implicit);
    for (size_t first = 0, run; first < count && status == PCM_OK; first += run) {
        run = count - first < PCM_IMPLICIT_RUN ? count - first : PCM_IMPLICIT_RUN;
        status = pcm_matrices_list(implicit->matrices, first, run, implicit->found, sizeof *implicit->found);
        for (size_t i = 0; i < run && status == PCM_OK; i++)
            if (implicit->found[i].reported)
                status = add_contact(host, &implicit->found[i], host->model->opt.timestep);
    }
    return status;
}

/* Called under the lock: another thread may want to copy the contacts. */
static pcm_status collect(pcm_mujoco *host)
{
    pcm_host_lock(host);
    const pcm_status status = collect_all(host);
    pcm_host_unlock(host);
    return status;
}

/* ---- In MuJoCo's matrix ------------------------------------------------------------------------------------------ */

/* Moves to M the part that it has room for: all of each side, or only the diagonal if MuJoCo treats the side's joints
 * as independent. */
static void move_side(pcm_mujoco *host, const pcm_meeting *meeting, int side)
{
    const size_t count = meeting->count[0] + meeting->count[1], first = side ? meeting->count[0] : 0;
    const size_t end = first + meeting->count[side];
    const int   *dofs = host->evaluation->implicit.dofs + meeting->dofs;
    double      *entries = host->evaluation->implicit.entries + meeting->entries;
    for (size_t i = first; i < end; i++)
        for (size_t k = i; k < (meeting->simple[side] ? i + 1 : end); k++) {
            pcm_release_add_inertia(host->model, host->data, dofs[i], (int)(k - i), entries[count * i + k]);
            entries[count * i + k] = entries[count * k + i] = 0;
        }
}

static void move_all(pcm_mujoco *host)
{
    pcm_implicit *implicit = &host->evaluation->implicit;
    for (size_t i = 0; i < implicit->n_meetings; i++) {
        const pcm_meeting *meeting = &implicit->meetings[i];
        mirror(meeting->count[0] + meeting->count[1], implicit->entries + meeting->entries);
        move_side(host, meeting, 0);
        move_side(host, meeting, 1);
    }
}

/* ---- As a force -------------------------------------------------------------------------------------------------- */

/* The damping of an actuator that MuJoCo's integrators other than Euler's add to M. */
static double damping_of(const mjModel *model, const mjData *data, int actuator)
{
    const double *gain = model->actuator_gainprm + mjNGAIN * actuator;
    const double *bias = model->actuator_biasprm + mjNBIAS * actuator;
    double        per_velocity = 0;
    if (model->actuator_gaintype[actuator] == mjGAIN_AFFINE && model->actuator_dyntype[actuator] == mjDYN_NONE)
        per_velocity += gain[2] * data->ctrl[actuator];
    if (model->actuator_biastype[actuator] == mjBIAS_AFFINE)
        per_velocity += bias[2];
    return fmax(-per_velocity, 0);
}

static void add_actuators(const mjModel *model, const mjData *data, double *soft)
{
    for (int i = 0; i < (int)model->nu; i++) {
        const int  joint = model->actuator_trnid[2 * i], type = model->actuator_trntype[i];
        const bool turns = type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT;
        if (!turns || (model->jnt_type[joint] != mjJNT_HINGE && model->jnt_type[joint] != mjJNT_SLIDE))
            continue;
        const double gear = model->actuator_gear[6 * i];
        soft[model->jnt_dofadr[joint]] += model->opt.timestep * gear * gear * damping_of(model, data, i);
    }
}

/* The diagonal that MuJoCo's own integrator adds to M: h times the damping of joints and, unless it is Euler's method,
 * of their actuators. False: it is zero. */
static bool fill_soft(const mjModel *model, const mjData *data, double *soft)
{
    bool any = false;
    mju_zero(soft, (int)model->nv);
    if (model->opt.integrator == mjINT_RK4 || (model->opt.integrator == mjINT_EULER && !pcm_release_euler_damps(model)))
        return false;
    for (int dof = 0; dof < (int)model->nv; dof++)
        soft[dof] = model->opt.timestep * model->dof_damping[dof];
    if (model->opt.integrator != mjINT_EULER)
        add_actuators(model, data, soft);
    for (int dof = 0; dof < (int)model->nv; dof++)
        any |= soft[dof] != 0;
    return any;
}

/* With the larger matrix in place of M, finds the forces of MuJoCo's constraints and the acceleration of the step, as
 * MuJoCo does: without the integrator's own damping. */
static void find_acceleration(pcm_mujoco *host, double *found)
{
    const mjModel *model = host->model;
    mjData        *data = host->data;
    move_all(host);
    mj_factorM(model, data);
    mj_rne(model, data, 0, data->qfrc_bias);
    mj_fwdActuation(model, data);
    if (host->evaluation->implicit.splits)
        pcm_rest_push(host);
    mj_fwdAcceleration(model, data);
    if (data->nefc > 0) {
        pcm_release_project(model, data);
        mj_referenceConstraint(model, data);
        mj_fwdConstraint(model, data);
    }
    mju_copy(found, data->nefc > 0 ? data->qacc : data->qacc_smooth, (int)model->nv);
}

/* The acceleration under the same forces with the integrator's own damping. */
static void soften(pcm_mujoco *host, const double *soft, double *found)
{
    const mjModel *model = host->model;
    mjData        *data = host->data;
    const int      nv = (int)model->nv;
    mju_copy(found, data->qfrc_smooth, nv);
    if (data->nefc > 0)
        mju_addTo(found, data->qfrc_constraint, nv);
    for (int dof = 0; dof < nv; dof++)
        pcm_release_add_inertia(model, data, dof, 0, soft[dof]);
    mj_factorM(model, data);
    mj_solveM(model, data, found, found, 1);
}

/* Adds to qfrc_passive the force under which MuJoCo's own step, with M as it is, arrives at the acceleration that was
 * found. MuJoCo's constraints then see the acceleration before the integrator's own damping, (M + soft) found / M, and
 * their forces follow from it alone. */
static void push_to(pcm_mujoco *host, const double *soft, const double *found, double *push, double *before)
{
    const mjModel *model = host->model;
    mjData        *data = host->data;
    const int      nv = (int)model->nv;
    double         cost;
    mj_mulM(model, data, push, found);
    for (int dof = 0; dof < nv; dof++)
        push[dof] += soft[dof] * found[dof];
    if (data->nefc > 0) {
        double *residual = data->efc_b; /* MuJoCo computes it anew before it reads it */
        mj_solveM(model, data, before, push, 1);
        mj_mulJacVec(model, data, residual, before);
        mju_subFrom(residual, data->efc_aref, data->nefc);
        mj_constraintUpdate(model, data, residual, &cost, 0);
        mju_subFrom(push, data->qfrc_constraint, nv);
    }
    mju_subFrom(push, data->qfrc_smooth, nv);
    mju_addTo(data->qfrc_passive, push, nv);
}

/* What MuJoCo reads later, as M, is put back. */
static void act(pcm_mujoco *host)
{
    const mjModel *model = host->model;
    mjData        *data = host->data;
    pcm_implicit  *implicit = &host->evaluation->implicit;
    const int      nv = (int)model->nv;
    double    *soft = implicit->kept, *given = soft + nv, *warm = given + nv, *found = warm + nv, *push = found + nv;
    const bool softens = fill_soft(model, data, soft);
    mju_copy(given, data->qacc, nv);
    mju_copy(warm, data->qacc_warmstart, nv);
    mju_copy(push, data->qfrc_passive, nv);
    pcm_release_keep_inertia(model, data, implicit->inertia, true);
    find_acceleration(host, found);
    if (pcm_friction_follow(host, found, push))
        find_acceleration(host, found);
    if (softens)
        soften(host, soft, found);
    pcm_release_keep_inertia(model, data, implicit->inertia, false);
    pcm_release_project(model, data);
    push_to(host, soft, found, push, push + nv);
    mju_copy(data->qacc, given, nv);
    mju_copy(data->qacc_warmstart, warm, nv);
}

/* Why steps cannot be implicit; NULL: they can. */
static const char *obstacle(const mjModel *model)
{
    if (!PCM_RELEASE_KNOWS_INERTIA)
        return "in this release of MuJoCo, whose matrix of inertia is not known";
    return pcm_release_explicit_integrator(model)
               ? "under the integrator discrete: choose Euler, implicit, implicitfast or RK4"
               : NULL;
}

/* Notes once that steps are explicit although they should not be: of an attachment, and of an integrator chosen later.
 */
static void report_obstacle(pcm_mujoco *host)
{
    pcm_implicit *implicit = &host->evaluation->implicit;
    const char   *why = implicit->on && !host->source && !implicit->told ? obstacle(host->model) : NULL;
    if (!why || host->detection->n_pairs == 0)
        return;
    implicit->told = true;
    pcm_report(host->context, PCM_NOTE, PCM_MSG_NOT_IMPLICIT,
               "steps are explicit in contacts: they cannot be implicit %s", why);
}

bool pcm_implicit_acts(const pcm_mujoco *host)
{
    const pcm_evaluation *e = host->evaluation;
    const bool            solved = e->has_solver && e->solver.user != host; /* by another integrator than MuJoCo's */
    return e->implicit.on && !solved && !obstacle(host->model);
}

void pcm_implicit_act(pcm_mujoco *host)
{
    if (!pcm_implicit_acts(host)) {
        report_obstacle(host);
        return;
    }
    const pcm_status status = collect(host);
    pcm_host_note(host, status);
    if (status == PCM_OK && host->evaluation->implicit.acts)
        act(host);
}

/* ---- On and off ------------------------------------------------------------------------------------------------- */

static pcm_status reserve(pcm_mujoco *host)
{
    pcm_implicit *state = &host->evaluation->implicit;
    pcm_context  *context = host->context;
    const size_t  nv = (size_t)host->model->nv;
    state->nv = nv;
    state->n_inertia = pcm_release_inertia_size(host->model, host->data);
    state->matrices = pcm_matrices_new(host->world);
    if (!state->matrices)
        return PCM_NO_MEMORY; /* reported */
    state->found = pcm_allocate(context, PCM_IMPLICIT_RUN * sizeof *state->found);
    state->columns = pcm_allocate(context, 2 * nv * sizeof *state->columns);
    state->meeting_of = pcm_allocate(context, nv * sizeof *state->meeting_of);
    state->inertia = pcm_allocate(context, state->n_inertia * sizeof *state->inertia);
    state->work = pcm_allocate(context, PCM_IMPLICIT_WORK * nv * sizeof *state->work);
    state->impulses = pcm_allocate(context, 3 * nv * sizeof *state->impulses);
    state->kept = pcm_allocate(context, PCM_IMPLICIT_KEPT * nv * sizeof *state->kept);
    if (state->found && (!nv || (state->columns && state->meeting_of && state->inertia && state->work &&
                                 state->impulses && state->kept)))
        return PCM_OK;
    pcm_implicit_free(host);
    return pcm_host_no_memory(context);
}

static pcm_status set(pcm_mujoco *host, bool implicit)
{
    pcm_implicit    *state = &host->evaluation->implicit;
    const bool       known = PCM_RELEASE_KNOWS_INERTIA;
    const pcm_status status = implicit && known && !state->matrices ? reserve(host) : PCM_OK;
    state->on = implicit && status == PCM_OK;
    return status;
}

pcm_status pcm_implicit_start(pcm_mujoco *host, bool implicit)
{
    const pcm_status status = set(host, implicit);
    report_obstacle(host);
    return status;
}

pcm_status pcm_implicit_join(pcm_mujoco *host, const pcm_mujoco *other)
{
    return set(host, other->evaluation->implicit.on);
}

pcm_status pcm_mujoco_implicit(pcm_mujoco *host, bool implicit)
{
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    const char *why = implicit ? obstacle(host->model) : NULL;
    if (!why)
        return set(host, implicit);
    pcm_report(host->context, PCM_ERROR, PCM_MSG_NOT_IMPLICIT, "steps cannot be implicit in contacts %s", why);
    return PCM_BAD_ARGUMENT;
}

void pcm_implicit_free(pcm_mujoco *host)
{
    pcm_implicit *state = &host->evaluation->implicit;
    pcm_context  *context = host->context;
    pcm_matrices_free(state->matrices);
    pcm_free(context, state->found, PCM_IMPLICIT_RUN * sizeof *state->found);
    pcm_free(context, state->columns, 2 * state->nv * sizeof *state->columns);
    pcm_free(context, state->meeting_of, state->nv * sizeof *state->meeting_of);
    pcm_free(context, state->inertia, state->n_inertia * sizeof *state->inertia);
    pcm_free(context, state->work, PCM_IMPLICIT_WORK * state->nv * sizeof *state->work);
    pcm_free(context, state->impulses, 3 * state->nv * sizeof *state->impulses);
    pcm_free(context, state->kept, PCM_IMPLICIT_KEPT * state->nv * sizeof *state->kept);
    pcm_free(context, state->meetings, state->meeting_capacity * sizeof *state->meetings);
    pcm_free(context, state->dofs, state->dof_capacity * sizeof *state->dofs);
    pcm_free(context, state->entries, state->entry_capacity * sizeof *state->entries);
    pcm_free(context, state->frictional, state->frictional_capacity * sizeof *state->frictional);
    pcm_free(context, state->frictional_columns,
             state->frictional_columns_capacity * sizeof *state->frictional_columns);
    *state = (pcm_implicit){0};
}
