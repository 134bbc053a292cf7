/* SPDX-License-Identifier: MIT */
/* evaluate.c - motion in, forces out, at each forward dynamics that MuJoCo computes; and the step that commits. */
#include "host.h"
#include <pcm/messages.h>
#include <string.h>

/* ---- Motion in ------------------------------------------------------------------------------------------------- */

/* As mj_objectVelocity, of a point of the body in the world's axes. */
static pcm_twist twist_of(const pcm_mujoco *host, const mjData *data, int body, const double *point)
{
    const double *velocity = data->cvel + 6 * body;
    pcm_twist     twist;
    double        arm[3], turning[3];
    mju_sub3(arm, point, data->subtree_com + 3 * host->model->body_rootid[body]);
    mju_cross(turning, arm, velocity);
    mju_copy3(twist.angular, velocity);
    mju_sub3(twist.linear, velocity + 3, turning);
    return twist;
}

/* Where the file has an object: MuJoCo moves meshes to their middle and turns them to their principal axes. */
static pcm_pose pose_of(const mjModel *model, const mjData *data, const pcm_served *object)
{
    const bool    is_geom = object->geom >= 0;
    const int     id = is_geom ? object->geom : object->site;
    const double *position = (is_geom ? data->geom_xpos : data->site_xpos) + 3 * id;
    pcm_pose      pose;
    double        at[3], own[4], back[4], turn[4], from[3];
    memcpy(pose.position, position, sizeof pose.position);
    mju_mat2Quat(pose.orientation, (is_geom ? data->geom_xmat : data->site_xmat) + 9 * id);
    if (!is_geom || model->geom_type[id] != mjGEOM_MESH ||
        !pcm_release_mesh_place(model, model->geom_dataid[id], at, own))
        return pose;
    mju_negQuat(back, own);
    mju_mulQuat(turn, pose.orientation, back);
    mju_copy4(pose.orientation, turn);
    mju_rotVecQuat(from, at, turn);
    mju_subFrom3(pose.position, from);
    return pose;
}

static pcm_status move(pcm_mujoco *host, const mjData *data, const pcm_served *object)
{
    const pcm_pose  pose = pose_of(host->model, data, object);
    const pcm_twist twist = twist_of(host, data, object->body, pose.position);
    return pcm_world_move(host->world, object->handle, &pose, &twist);
}

static pcm_status report_motion(pcm_mujoco *host, const mjData *data)
{
    for (size_t i = 0; i < host->n_objects; i++) {
        const pcm_served *object = &host->objects[i];
        if (object->fixed && host->placed)
            continue;
        pcm_status status = move(host, data, object);
        if (status != PCM_OK)
            return status;
    }
    host->placed = true;
    return PCM_OK;
}

static pcm_mujoco_contact_point place_of(const pcm_mujoco *host, const pcm_spot *spot)
{
    const pcm_served_pair *pair = &host->pairs[spot->pair];
    return (pcm_mujoco_contact_point){.size = sizeof(pcm_mujoco_contact_point),
                                      .pair = spot->pair,
                                      .feature = spot->feature,
                                      .a = host->objects[pair->a].name,
                                      .b = host->objects[pair->b].name,
                                      .type = pair->type,
                                      .depth = spot->depth,
                                      .known = spot->known,
                                      .touched = spot->touched,
                                      .contact = spot->contact};
}

static bool touches(pcm_mujoco *host, pcm_spot *spot)
{
    if (!host->has_solver || !host->solver.touches)
        return true;
    pcm_mujoco_contact_point place = place_of(host, spot);
    const bool               told = host->solver.touches(host->solver.user, &place);
    spot->depth = place.depth;
    return told;
}

/* Of a point that stands for a part of its patch. */
static void touch_patch(pcm_mujoco *host, pcm_spot *spot, pcm_object a, pcm_object b)
{
    pcm_touch touch = {
        .feature = spot->feature, .depth = spot->depth, .area = spot->area, .share = spot->share, .gives = spot->gives};
    memcpy(touch.point, spot->point, sizeof touch.point);
    memcpy(touch.normal, spot->normal, sizeof touch.normal);
    if (pcm_world_touch_many(host->world, &spot->contact, &touch, sizeof touch, 1) != 1)
        spot->contact = pcm_world_touch_patch(host->world, a, b, &touch, sizeof touch);
}

static void touch(pcm_mujoco *host, pcm_spot *spot)
{
    const pcm_served_pair *pair = &host->pairs[spot->pair];
    const pcm_object       a = host->objects[pair->a].handle, b = host->objects[pair->b].handle;
    if (spot->gives) {
        touch_patch(host, spot, a, b);
        return;
    }
    if (pcm_world_touch_again(host->world, spot->contact, spot->point, spot->normal, spot->depth) != PCM_OK)
        spot->contact = pcm_world_touch(host->world, a, b, spot->feature, spot->point, spot->normal, spot->depth);
}

static void give_inputs(pcm_mujoco *host, const pcm_spot *spot, double time)
{
    const pcm_mujoco_contact_point place = place_of(host, spot);
    const uint32_t                 count = pcm_type_get_info(place.type)->n_host_inputs;
    for (uint32_t i = 0; i < count; i++) {
        const double value = host->input(host->input_user, time, &place, i);
        if (!isnan(value))
            pcm_world_set_input(host->world, spot->contact, i, value);
    }
}

static void report_touches(pcm_mujoco *host, double time)
{
    if (host->overlaps)
        pcm_ease_depths(host, time);
    for (size_t i = 0; i < host->seen.count; i++) {
        pcm_spot *spot = &host->seen.items[i];
        spot->touched = touches(host, spot);
        if (spot->touched)
            touch(host, spot);
        if (spot->touched && host->input)
            give_inputs(host, spot, time);
    }
}

/* ---- Forces out ------------------------------------------------------------------------------------------------ */

/* Whether forces go into xfrc_applied. */
static bool are_sensed(const pcm_mujoco *host) { return host->in_own_call && host->senses; }

/* Within calls of our own forces go into xfrc_applied where sensors are to see them, and out again at the end. A body's
 * row that is just as we left it is the user's value and our share; any other was written by the user since and is
 * theirs.
 */
void pcm_mujoco_withdraw(pcm_mujoco *host, mjData *data)
{
    for (int body = 0; host->has_shares && body < host->model->nbody; body++) {
        double *row = data->xfrc_applied + 6 * body;
        if (host->has_share[body] && memcmp(row, host->applied + 6 * body, 6 * sizeof *row) == 0)
            memcpy(row, host->user_force + 6 * body, 6 * sizeof *row);
        host->has_share[body] = false;
    }
    host->has_shares = false;
}

static void add_to_row(const mjModel *model, int body, const double *origin, const pcm_wrench *wrench, mjData *data)
{
    (void)model;
    double *row = data->xfrc_applied + 6 * body, arm[3], torque[3];
    mju_sub3(arm, origin, data->xipos + 3 * body);
    mju_cross(torque, arm, wrench->force);
    mju_addTo3(row, wrench->force);
    mju_addTo3(row + 3, wrench->torque);
    mju_addTo3(row + 3, torque);
}

/* As mj_applyFT, but touching only the joints that move the body: MuJoCo's fills a whole Jacobian. */
static void add_to_joints(const mjModel *model, int body, const double *origin, const pcm_wrench *wrench, mjData *data)
{
    double arm[3], torque[3];
    mju_sub3(arm, origin, data->subtree_com + 3 * model->body_rootid[body]);
    mju_cross(torque, arm, wrench->force);
    mju_addTo3(torque, wrench->torque);
    while (body > 0 && model->body_dofnum[body] == 0)
        body = model->body_parentid[body];
    int dof = body > 0 ? model->body_dofadr[body] + model->body_dofnum[body] - 1 : -1;
    for (; dof >= 0; dof = model->dof_parentid[dof]) {
        const double *axis = data->cdof + 6 * dof;
        data->qfrc_passive[dof] += pcm_dot(axis, torque) + pcm_dot(axis + 3, wrench->force);
    }
}

/* In cfrc_ext, where torques stand first and are about the centre of mass of the tree. */
static void add_to_outer(const mjModel *model, int body, const double *origin, const pcm_wrench *wrench, mjData *data)
{
    double *row = data->cfrc_ext + 6 * body, arm[3], torque[3];
    mju_sub3(arm, origin, data->subtree_com + 3 * model->body_rootid[body]);
    mju_cross(torque, arm, wrench->force);
    mju_addTo3(row, wrench->torque);
    mju_addTo3(row, torque);
    mju_addTo3(row + 3, wrench->force);
}

typedef void add_wrench(const mjModel *model, int body, const double *origin, const pcm_wrench *wrench, mjData *data);

static void add_wrenches(pcm_mujoco *host, mjData *data, add_wrench *add)
{
    for (size_t i = 0; i < host->n_objects; i++) {
        const pcm_served *object = &host->objects[i];
        pcm_wrench        wrench;
        if (object->body == 0 || pcm_world_wrench(host->world, object->handle, &wrench) != PCM_OK)
            continue;
        const pcm_pose pose = pose_of(host->model, data, object);
        add(host->model, object->body, pose.position, &wrench, data);
    }
}

void pcm_mujoco_share(pcm_mujoco *host, mjData *data)
{
    const size_t bodies = (size_t)host->model->nbody;
    memcpy(host->user_force, data->xfrc_applied, 6 * bodies * sizeof *host->user_force);
    add_wrenches(host, data, add_to_row);
    memcpy(host->applied, data->xfrc_applied, 6 * bodies * sizeof *host->applied);
    memcpy(host->has_share, host->served_body, bodies * sizeof *host->has_share);
    host->has_shares = true;
}

static void apply(pcm_mujoco *host, mjData *data)
{
    pcm_follow_lock(host);
    if (are_sensed(host))
        pcm_mujoco_share(host, data);
    else
        add_wrenches(host, data, add_to_joints);
    pcm_follow_unlock(host);
}

/* Whether an update with this status computed forces: contacts that it complains of then contribute none. */
static bool leaves_forces(pcm_status status)
{
    return status == PCM_OK || status == PCM_BAD_MOTION || status == PCM_BAD_INPUT;
}

/* ---- One evaluation -------------------------------------------------------------------------------------------- */

static pcm_status update_world(pcm_mujoco *host, const mjData *data)
{
    pcm_status status = report_motion(host, data);
    if (status != PCM_OK)
        return status;
    report_touches(host, data->time);
    if (!host->has_solver)
        return pcm_world_update(host->world, data->time, host->model->opt.timestep);
    const pcm_mujoco_solver *solver = &host->solver;
    status = solver->before(solver->user);
    if (status == PCM_OK)
        status = pcm_world_update(host->world, data->time, solver->dt);
    if (!leaves_forces(status) || !solver->after)
        return status;
    const pcm_status read = solver->after(solver->user);
    return read == PCM_OK ? status : read;
}

pcm_status pcm_mujoco_update_again(pcm_mujoco *host, double time, double step)
{
    for (size_t i = 0; i < host->seen.count; i++)
        host->seen.items[i].contact = (pcm_contact){0};
    report_touches(host, time);
    const pcm_status status = pcm_world_update(host->world, time, step);
    if (leaves_forces(status))
        pcm_checkpoint_find_contacts(host);
    return status;
}

pcm_status pcm_mujoco_update(pcm_mujoco *host, mjData *data)
{
    pcm_follow_lock(host);
    host->pending = 0;
    pcm_follow_unlock(host);
    pcm_status status = pcm_mujoco_detect(host, data);
    if (status != PCM_OK)
        return status;
    pcm_follow_lock(host);
    status = update_world(host, data);
    if (host->restored && leaves_forces(status))
        pcm_checkpoint_find_contacts(host);
    pcm_follow_unlock(host);
    return status;
}

void pcm_mujoco_evaluate(pcm_mujoco *host, mjData *data)
{
    if (!pcm_model_stands(host))
        return;
    const bool has_solver = host->has_solver, own_loop = !host->in_own_call && !has_solver;
    pcm_mujoco_withdraw(host, data);
    if (pcm_sleep_begins(host, data)) { /* the step's forces stay what they are, and so do states */
        apply(host, data);
        return;
    }
    pcm_list_settle(data);
    host->open_phases = 0;
    if (own_loop) {
        pcm_advise_of_loop(host, data->time);
        pcm_follow_arrive(host, data);
    }
    const bool       stages = own_loop && host->follows && host->model->opt.integrator == mjINT_RK4;
    const pcm_status status = stages ? pcm_stages_evaluate(host, data) : pcm_mujoco_update(host, data);
    if (leaves_forces(status)) {
        apply(host, data);
        pcm_sleep_join(host, data);
        pcm_advise(host, data->time);
    }
    pcm_follow_note(host, status);
    if (!has_solver)
        pcm_follow_leave(host, data);
    host->evaluations++;
}

/* ---- Steps ----------------------------------------------------------------------------------------------------- */

static void forward(void *user)
{
    const pcm_mujoco *host = user;
    mj_forward(host->model, host->data);
}

static void step(void *user)
{
    const pcm_mujoco *host = user;
    mj_step(host->model, host->data);
}

static void step_implicit(void *user) { pcm_implicit_step(user); }

static pcm_status run_engine(pcm_mujoco *host, void (*function)(void *host))
{
    mjData              *data = host->data;
    uint64_t             evaluations = host->evaluations;
    int                  unstable = pcm_follow_instabilities(data);
    const pcm_stack_mark stack = pcm_release_stack(data);
    pcm_process_hook_in();
    host->status = PCM_OK;
    host->in_own_call = true;
    if (!pcm_process_guard(host->context, function, host)) {
        pcm_release_unwind(data, stack);
        host->status = PCM_BAD_HOST;
    }
    pcm_mujoco_withdraw(host, data);
    host->in_own_call = false;
    host->reset = pcm_follow_instabilities(data) != unstable;
    if (host->reset) {
        pcm_follow_report_unstable(host);
        host->status = PCM_BAD_MOTION;
    }
    if (host->status == PCM_OK && host->evaluations == evaluations) {
        pcm_follow_report_lost(host);
        host->status = PCM_BAD_HOST;
    }
    return host->status;
}

pcm_status pcm_mujoco_use_solver(pcm_mujoco *host, const pcm_mujoco_solver *solver)
{
    pcm_mujoco_solver filled = {.size = sizeof filled};
    if (!pcm_def_fill(host->context, "pcm_mujoco_solver", &filled, solver))
        return PCM_BAD_ARGUMENT;
    host->has_solver = solver != NULL;
    host->solver = filled;
    return PCM_OK;
}

pcm_status pcm_mujoco_forward(pcm_mujoco *host)
{
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    if (!host->has_solver)
        pcm_follow_arrive(host, host->data);
    return run_engine(host, forward);
}

/* MuJoCo runs its stages, ours run beside them; history states see the end of the step alone. */
static pcm_status step_stages(pcm_mujoco *host)
{
    const pcm_mujoco_solver solver = pcm_stages_solver(host);
    pcm_mujoco_use_solver(host, &solver);
    const pcm_status status = run_engine(host, step);
    const bool       ends = leaves_forces(status) && !host->reset;
    pcm_mujoco_use_solver(host, NULL);
    if (ends)
        pcm_stages_move(host);
    const pcm_status end = ends ? pcm_stages_finish(host, host->data) : PCM_OK;
    return end == PCM_OK ? status : end;
}

pcm_status pcm_mujoco_step(pcm_mujoco *host)
{
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    const bool stages = host->model->opt.integrator == mjINT_RK4;
    if (stages && host->implicit.on) /* chosen since: rejected as it would have been then */
        return pcm_mujoco_implicit(host, true);
    pcm_follow_arrive(host, host->data);
    pcm_sense_tell_own(host);
    if (pcm_sense_adds(host))
        mju_zero(host->data->cfrc_ext, 6 * (int)host->model->nbody);
    const pcm_status status = stages ? step_stages(host) : run_engine(host, host->implicit.on ? step_implicit : step);
    if (!leaves_forces(status) || host->reset)
        return status;
    pcm_sense_all(host);
    if (pcm_sense_adds(host)) {
        pcm_follow_lock(host);
        add_wrenches(host, host->data, add_to_outer);
        pcm_follow_unlock(host);
    }
    pcm_sense_keep_own(host);
    const pcm_status committed = pcm_mujoco_commit(host);
    return committed == PCM_OK ? status : committed;
}
