/* SPDX-License-Identifier: MIT */
/* motion.c - motion in, wrenches out. */
#include "motion.h"
#include "guard.h"
#include "parallel.h"
#include <pcm/messages.h>

/* How many entries ahead loops prefetch. The handles there are not checked yet, which does no harm: a prefetch of an
 * invalid address is ignored. */
enum { PCM_AHEAD = 16 };

/* ---- Motion ---------------------------------------------------------------------------------------------------- */

/* Writes both lines in place: copying a line just written would wait for its stores. Number by number: after a memcpy
 * the compiler would reload the world's fields in a loop over bodies. */
static inline void write_motion(pcm_pose_line *restrict pose, pcm_twist_line *restrict line, const pcm_pose *at,
                                const pcm_twist *twist)
{
    const double *p = at->position, *q = at->orientation, *w = twist->angular, *v = twist->linear;
    double        norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double        scale = fabs(norm - 1) > 1e-12 ? 1 / sqrt(norm) : 1;
#pragma GCC unroll 3
    for (size_t k = 0; k < 3; k++) {
        pose->position[k] = p[k];
        line->angular[k] = w[k];
    }
#pragma GCC unroll 4
    for (size_t k = 0; k < 4; k++)
        pose->orientation[k] = scale * q[k];
    line->linear[0] = v[0] - (w[1] * p[2] - w[2] * p[1]);
    line->linear[1] = v[1] - (w[2] * p[0] - w[0] * p[2]);
    line->linear[2] = v[2] - (w[0] * p[1] - w[1] * p[0]);
    if (!(norm > 0 && norm < INFINITY)) /* no orientation: contacts judge motion by the velocity */
        line->linear[0] = NAN;
}

/* Compared as numbers, so that -0 equals 0; but a NaN equals itself. */
static bool same_line(const void *a, const void *b)
{
    double first[8], second[8];
    memcpy(first, a, sizeof first);
    memcpy(second, b, sizeof second);
    bool same = true;
    for (size_t k = 0; k < 8; k++)
        same = same && (first[k] == second[k] || memcmp(&first[k], &second[k], sizeof *first) == 0);
    return same;
}
_Static_assert(sizeof(pcm_pose_line) == 64 && sizeof(pcm_twist_line) == 64, "lines of eight numbers");

/* A fixed object's first move places it; later ones must be equal. */
static pcm_status place_fixed(pcm_world *world, uint32_t i, const pcm_pose *pose, const pcm_twist *twist)
{
    size_t         newest = world->moved[i] == world->epoch ? 1 - world->front : world->front;
    pcm_pose_line  place = world->pose[newest][i];
    pcm_twist_line moving = world->twist[newest][i];
    write_motion(&place, &moving, pose, twist);
    if (place.hold == PCM_HOLD_PLACED &&
        !(same_line(&place, &world->pose[newest][i]) && same_line(&moving, &world->twist[newest][i])))
        return PCM_BAD_ARGUMENT;
    place.hold = PCM_HOLD_PLACED;
    world->pose[1 - world->front][i] = place;
    world->twist[1 - world->front][i] = moving;
    world->moved[i] = world->epoch;
    return PCM_OK;
}

typedef struct motions {
    pcm_world        *world;
    const pcm_object *objects;
    const pcm_pose   *poses;
    const pcm_twist  *twists;
} motions;

static size_t move_part(void *argument, size_t first, size_t end)
{
    const motions    m = *(const motions *)argument;
    pcm_world *const world = m.world;
    pcm_pose_line   *pose = world->pose[1 - world->front];
    pcm_twist_line  *twist = world->twist[1 - world->front];
    uint32_t        *moved = world->moved, epoch = world->epoch;
    for (size_t i = first; i < end; i++) {
        uint32_t at = m.objects[i].index;
        if (i + PCM_AHEAD < end) {
            __builtin_prefetch(&pose[m.objects[i + PCM_AHEAD].index], 1);
            __builtin_prefetch(&twist[m.objects[i + PCM_AHEAD].index], 1);
        }
        if (!pcm_world_has(world, m.objects[i]))
            return i - first;
        if (pose[at].hold == PCM_HOLD_FREE) {
            write_motion(&pose[at], &twist[at], &m.poses[i], &m.twists[i]);
            moved[at] = epoch;
        } else if (place_fixed(world, at, &m.poses[i], &m.twists[i]) != PCM_OK)
            return i - first;
    }
    return end - first;
}

pcm_status pcm_world_move(pcm_world *world, pcm_object object, const pcm_pose *pose, const pcm_twist *twist)
{
    const pcm_status status = pcm_world_admit(world, pose && twist, __func__);
    if (status != PCM_OK || move_part(&(motions){world, &object, pose, twist}, 0, 1) == 1)
        return status;
    return pcm_world_has(world, object)
               ? pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__, "a fixed object cannot move once it is placed")
               : PCM_BAD_HANDLE;
}

size_t pcm_world_move_many(pcm_world *world, const pcm_object *objects, const pcm_pose *poses, const pcm_twist *twists,
                           size_t count)
{
    if (pcm_world_enter(world, !count || (objects && poses && twists), __func__) != PCM_OK)
        return 0;
    const size_t moved = pcm_world_run_parts(world, move_part, &(motions){world, objects, poses, twists}, count);
    pcm_world_leave(world);
    return moved;
}

/* Prepares new motion for the swap to the front, and clears wrenches. An object that was moved for the last update but
 * not for this one has its newest lines at the front already: they are copied, or the swap would bring back older ones.
 */
static size_t make_ready(void *argument, size_t first, size_t end)
{
    pcm_world *world = argument;
    uint32_t   front = world->front, back = 1 - front;
    for (size_t i = first; i < end; i++)
        if (world->moved[i] == world->epoch - 1) {
            world->twist[back][i] = world->twist[front][i];
            world->pose[back][i] = world->pose[front][i];
        }
    if (end > first)
        memset(world->wrench + first, 0, (end - first) * sizeof *world->wrench);
    return end - first;
}

void pcm_world_turn_motion(pcm_world *world)
{
    pcm_world_run_parts(world, make_ready, world, world->n_bodies);
    world->front = 1 - world->front;
    world->epoch++;
}

/* ---- Wrenches -------------------------------------------------------------------------------------------------- */

static inline pcm_status compute_wrench(const pcm_world *world, pcm_object object, pcm_wrench *wrench)
{
    if (!pcm_world_has(world, object))
        return PCM_BAD_HANDLE;
    const pcm_wrench_line *line = &world->wrench[object.index];
    const double          *p = world->pose[world->front][object.index].position, *f = line->force, *t = line->torque;
    if (f[0] == 0 && f[1] == 0 && f[2] == 0) /* then the position, which may be NaN, does not matter */
        *wrench = (pcm_wrench){.torque = {t[0], t[1], t[2]}};
    else
        *wrench = (pcm_wrench){.torque = {t[0] - (p[1] * f[2] - p[2] * f[1]), t[1] - (p[2] * f[0] - p[0] * f[2]),
                                          t[2] - (p[0] * f[1] - p[1] * f[0])},
                               .force = {f[0], f[1], f[2]}};
    const double *n = wrench->torque;
    return f[0] * 0 + f[1] * 0 + f[2] * 0 + n[0] * 0 + n[1] * 0 + n[2] * 0 == 0 ? PCM_OK : PCM_BAD_MOTION;
}

/* Reports why an object has no wrench, unless there is no such object. */
static pcm_status judge_wrench(const pcm_world *world, pcm_object object, pcm_status status)
{
    if (status == PCM_BAD_MOTION)
        pcm_report(world->context, PCM_ERROR, PCM_MSG_BAD_MOTION,
                   "the wrench on '%s' is not finite: it is too far away, or its contacts push too hard",
                   world->bodies[object.index].name);
    return status;
}

/* Wrenches are those of the last update until a touch begins the next. */
static pcm_status admit_reader(const pcm_world *world, const char *call)
{
    return world->phase == PCM_GATHERING ? pcm_world_reject(world, PCM_BAD_ORDER, call,
                                                            "there is no wrench between a touch and the update that "
                                                            "uses it: read wrenches after the update")
                                         : PCM_OK;
}

pcm_status pcm_world_wrench(pcm_world *world, pcm_object object, pcm_wrench *wrench)
{
    pcm_status status = pcm_world_admit(world, wrench != NULL, __func__);
    if (status == PCM_OK)
        status = admit_reader(world, __func__);
    return status == PCM_OK ? judge_wrench(world, object, compute_wrench(world, object, wrench)) : status;
}

typedef struct query {
    const pcm_world  *world;
    const pcm_object *objects;
    pcm_wrench       *wrenches;
} query;

static size_t compute_wrenches(void *argument, size_t first, size_t end)
{
    const query         *q = argument;
    const pcm_pose_line *pose = q->world->pose[q->world->front];
    for (size_t i = first; i < end; i++) {
        if (i + PCM_AHEAD < end) {
            __builtin_prefetch(&q->world->wrench[q->objects[i + PCM_AHEAD].index]);
            __builtin_prefetch(&pose[q->objects[i + PCM_AHEAD].index]);
        }
        if (compute_wrench(q->world, q->objects[i], &q->wrenches[i]) != PCM_OK)
            return i - first;
    }
    return end - first;
}

size_t pcm_world_wrench_many(pcm_world *world, const pcm_object *objects, pcm_wrench *wrenches, size_t count)
{
    if (pcm_world_enter(world, !count || (objects && wrenches), __func__) != PCM_OK)
        return 0;
    size_t computed = 0;
    if (admit_reader(world, __func__) == PCM_OK) {
        computed = pcm_world_run_parts(world, compute_wrenches, &(query){world, objects, wrenches}, count);
        if (computed < count)
            (void)judge_wrench(world, objects[computed], compute_wrench(world, objects[computed], &wrenches[computed]));
    }
    pcm_world_leave(world);
    return computed;
}
