/* SPDX-License-Identifier: MIT */
/* evaluate.c - passes motion to the world and forces to MuJoCo, in each forward dynamics that MuJoCo computes. */
#include "evaluation.h"
#include <string.h>

/* ---- Motion in --------------------------------------------------------------------------------------------------- */

/* As mj_objectVelocity, for a point of the body in the world's axes. */
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

/* The pose of an object in the axes of its file: MuJoCo centres meshes and turns them to their principal axes. */
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

/* The first time all objects move; then those that are near another one, or had a contact, as others cannot have any.
 */
static pcm_status report_motion(pcm_mujoco *host, const mjData *data)
{
    const pcm_detection *d = host->detection;
    for (size_t i = 0; i < d->kept.count; i++)
        pcm_mark_near(host, d->kept.items[i].pair);
    for (size_t i = 0; i < d->n_objects; i++) {
        const pcm_served *object = &d->objects[i];
        if (host->evaluation->placed && (object->fixed || !d->near.marked[i]))
            continue;
        pcm_status status = move(host, data, object);
        if (status != PCM_OK)
            return status;
    }
    host->evaluation->placed = true;
    return pcm_belts_follow(host);
}

static pcm_mujoco_contact_point point_of(const pcm_mujoco *host, const pcm_contact_point *point)
{
    const pcm_detection   *d = host->detection;
    const pcm_served_pair *pair = &d->pairs[point->pair];
    return (pcm_mujoco_contact_point){.size = sizeof(pcm_mujoco_contact_point),
                                      .pair = point->pair,
                                      .feature = point->feature,
                                      .a = d->objects[pair->a].name,
                                      .b = d->objects[pair->b].name,
                                      .type = pair->type,
                                      .depth = point->depth,
                                      .known = point->mark.partner != 0,
                                      .touched = point->touched,
                                      .contact = point->contact};
}

static bool touches(pcm_mujoco *host, pcm_contact_point *point)
{
    pcm_evaluation *e = host->evaluation;
    if (!e->has_solver || !e->solver.touches)
        return true;
    pcm_mujoco_contact_point seen = point_of(host, point);
    const bool               touched = e->solver.touches(e->solver.user, &seen);
    point->depth = seen.depth;
    return touched;
}

static const pcm_contact_shape *shape_of(const pcm_detection *d, const pcm_contact_point *point)
{
    const pcm_contact_shape *shape = d->shaped ? &d->gaps[point - d->seen.items] : NULL;
    return shape && shape->size > 0 ? shape : NULL;
}

static void touch(pcm_mujoco *host, pcm_contact_point *point)
{
    pcm_detection         *d = host->detection;
    const pcm_served_pair *pair = &d->pairs[point->pair];
    pcm_touch              touch = {.feature = point->feature,
                                    .depth = point->depth,
                                    .area = point->area,
                                    .share = point->share,
                                    .gives = point->gives,
                                    .shape = shape_of(d, point)};
    memcpy(touch.point, point->point, sizeof touch.point);
    memcpy(touch.normal, point->normal, sizeof touch.normal);
    point->contact =
        pcm_world_touch(host->world, d->objects[pair->a].handle, d->objects[pair->b].handle, &touch, sizeof touch);
}

static void give_inputs(pcm_mujoco *host, const pcm_contact_point *point, double time)
{
    const pcm_mujoco_contact_point seen = point_of(host, point);
    const uint32_t                 count = pcm_type_get_info(seen.type)->n_host_inputs;
    for (uint32_t i = 0; i < count; i++) {
        const double value = host->evaluation->input(host->evaluation->input_user, time, &seen, i);
        if (!isnan(value))
            pcm_world_set_input(host->world, point->contact, i, value);
    }
}

static void report_touches(pcm_mujoco *host, double time)
{
    if (host->evaluation->overlaps)
        pcm_ease_depths(host, time);
    for (size_t i = 0; i < host->detection->seen.count; i++) {
        pcm_contact_point *point = &host->detection->seen.items[i];
        point->touched = touches(host, point);
        if (point->touched)
            touch(host, point);
        if (point->touched && host->evaluation->input)
            give_inputs(host, point, time);
    }
}

/* ---- Forces out -------------------------------------------------------------------------------------------------- */

/* The last stage of RK4 leaves nothing of the step's start, from which sensors could be computed again. */
bool pcm_forces_are_shared(const pcm_mujoco *host)
{
    const pcm_evaluation *e = host->evaluation;
    return e->pushes || (e->senses && host->model->opt.integrator == mjINT_RK4);
}

/* During our own calls forces are added to xfrc_applied if only so sensors feel them, and removed at the end. A body's
 * row that is as we left it is the user's value plus our share; otherwise the user has written it since, and it is left
 * unchanged. */
void pcm_forces_withdraw(pcm_mujoco *host, mjData *data)
{
    pcm_evaluation *e = host->evaluation;
    for (int body = 0; e->has_shares && body < host->model->nbody; body++) {
        double *row = data->xfrc_applied + 6 * body;
        if (e->has_share[body] && memcmp(row, e->applied + 6 * body, 6 * sizeof *row) == 0)
            memcpy(row, e->user_force + 6 * body, 6 * sizeof *row);
        e->has_share[body] = false;
    }
    e->has_shares = false;
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

/* As mj_applyFT, but only for the joints that move the body: MuJoCo's function fills a whole Jacobian. */
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

/* Adds to cfrc_ext, which has the torque first, about the centre of mass of the tree. */
static void add_to_outer(const mjModel *model, int body, const double *origin, const pcm_wrench *wrench, mjData *data)
{
    double *row = data->cfrc_ext + 6 * body, arm[3], torque[3];
    mju_sub3(arm, origin, data->subtree_com + 3 * model->body_rootid[body]);
    mju_cross(torque, arm, wrench->force);
    mju_addTo3(row, wrench->torque);
    mju_addTo3(row, torque);
    mju_addTo3(row + 3, wrench->force);
}

/* Most objects of a robot touch nothing. */
static bool is_none(const pcm_wrench *w)
{
    for (int k = 0; k < 3; k++)
        if (w->force[k] != 0 || w->torque[k] != 0)
            return false;
    return true;
}

typedef void add_wrench(const mjModel *model, int body, const double *origin, const pcm_wrench *wrench, mjData *data);

static void add_wrenches(pcm_mujoco *host, mjData *data, add_wrench *add)
{
    const size_t count = pcm_world_contact_count(host->world) > 0 ? host->detection->n_objects : 0;
    for (size_t i = 0; i < count; i++) {
        const pcm_served *object = &host->detection->objects[i];
        pcm_wrench        wrench;
        if (object->body == 0 || pcm_world_wrench(host->world, object->handle, &wrench) != PCM_OK || is_none(&wrench))
            continue;
        const pcm_pose pose = pose_of(host->model, data, object);
        add(host->model, object->body, pose.position, &wrench, data);
    }
}

void pcm_forces_share(pcm_mujoco *host, mjData *data)
{
    pcm_evaluation *e = host->evaluation;
    const size_t    bodies = (size_t)host->model->nbody;
    memcpy(e->user_force, data->xfrc_applied, 6 * bodies * sizeof *e->user_force);
    add_wrenches(host, data, add_to_row);
    memcpy(e->applied, data->xfrc_applied, 6 * bodies * sizeof *e->applied);
    memcpy(e->has_share, host->detection->served_body, bodies * sizeof *e->has_share);
    e->has_shares = true;
}

void pcm_forces_apply(pcm_mujoco *host, mjData *data)
{
    pcm_host_lock(host);
    if (host->in_own_call && pcm_forces_are_shared(host))
        pcm_forces_share(host, data);
    else
        add_wrenches(host, data, add_to_joints);
    pcm_host_unlock(host);
}

/* Called under the lock. */
void pcm_forces_add_outer(pcm_mujoco *host, mjData *data) { add_wrenches(host, data, add_to_outer); }

/* ---- One evaluation ---------------------------------------------------------------------------------------------- */

static pcm_status update_world(pcm_mujoco *host, const mjData *data)
{
    pcm_status status = report_motion(host, data);
    if (status != PCM_OK)
        return status;
    report_touches(host, data->time);
    if (!host->evaluation->has_solver)
        return pcm_world_update(host->world, data->time, host->model->opt.timestep);
    const pcm_mujoco_solver *solver = &host->evaluation->solver;
    status = solver->before(solver->user);
    if (status == PCM_OK)
        status = pcm_world_update(host->world, data->time, solver->dt);
    if (!pcm_leaves_forces(status) || !solver->after)
        return status;
    const pcm_status read = solver->after(solver->user);
    return read == PCM_OK ? status : read;
}

pcm_status pcm_evaluate_points(pcm_mujoco *host, pcm_status (*tries)(pcm_mujoco *host), double time, double step)
{
    report_touches(host, time);
    const pcm_status status = tries ? tries(host) : PCM_OK;
    return status == PCM_OK ? pcm_world_update(host->world, time, step) : status;
}

pcm_status pcm_evaluate_again(pcm_mujoco *host, double time, double step)
{
    for (size_t i = 0; i < host->detection->seen.count; i++)
        host->detection->seen.items[i].contact = (pcm_contact){0};
    report_touches(host, time);
    const pcm_status status = pcm_world_update(host->world, time, step);
    if (pcm_leaves_forces(status))
        pcm_detect_find_contacts(host);
    return status;
}

pcm_status pcm_evaluate_all(pcm_mujoco *host, mjData *data)
{
    pcm_host_lock(host);
    host->evaluation->pending = 0;
    pcm_host_unlock(host);
    pcm_status status = pcm_detect_all(host, data);
    if (status != PCM_OK)
        return status;
    pcm_host_lock(host);
    status = update_world(host, data);
    if (host->detection->restored && pcm_leaves_forces(status))
        pcm_detect_find_contacts(host);
    pcm_host_unlock(host);
    return status;
}

pcm_status pcm_mujoco_use_solver(pcm_mujoco *host, const pcm_mujoco_solver *solver)
{
    pcm_mujoco_solver filled = {.size = sizeof filled};
    if (!pcm_def_fill(host->context, "pcm_mujoco_solver", &filled, solver))
        return PCM_BAD_ARGUMENT;
    host->evaluation->has_solver = solver != NULL;
    host->evaluation->solver = filled;
    host->detection->reach = filled.reach;
    return PCM_OK;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

pcm_status pcm_evaluate_reserve(pcm_mujoco *host)
{
    pcm_evaluation *e = host->evaluation;
    pcm_context    *context = host->context;
    e->user_force = pcm_allocate(context, 6 * host->n_bodies * sizeof *e->user_force);
    e->applied = pcm_allocate(context, 6 * host->n_bodies * sizeof *e->applied);
    e->has_share = pcm_allocate(context, host->n_bodies * sizeof *e->has_share);
    e->tree_push = pcm_allocate(context, 3 * host->n_bodies * sizeof *e->tree_push);
    e->place = pcm_allocate(context, host->n_state * sizeof *e->place);
    const bool has_place = e->place || host->n_state == 0;
    return e->user_force && e->applied && e->has_share && e->tree_push && has_place ? PCM_OK
                                                                                    : pcm_host_no_memory(context);
}

void pcm_evaluate_free(pcm_mujoco *host)
{
    pcm_evaluation *e = host->evaluation;
    pcm_context    *context = host->context;
    pcm_free(context, e->user_force, 6 * host->n_bodies * sizeof *e->user_force);
    pcm_free(context, e->tree_push, 3 * host->n_bodies * sizeof *e->tree_push);
    pcm_free(context, e->applied, 6 * host->n_bodies * sizeof *e->applied);
    pcm_free(context, e->has_share, host->n_bodies * sizeof *e->has_share);
    pcm_free(context, e->place, host->n_state * sizeof *e->place);
}
