/* SPDX-License-Identifier: MIT */
/* moving.h - surfaces that move on their bodies, in a block whose columns have the motion of the bodies. Included by
 * block.c alone, like frames.h. */
#ifndef PCM_WORLD_MOVING_H
#define PCM_WORLD_MOVING_H

#include "frames.h"

/* The velocity of surfaces of one side at the contact points, without its part along the normal since the shape of a
 * body does not move with its surface; and their angular velocity. World axes; 0 in lanes outside of `here`. */
static void gather_surface(const pcm_pass *pass, const pcm_record *record, bool follower, pcm_mask here, vec point,
                           vec normal, vec *linear, vec *angular)
{
    double    own[6][PCM_LANES];
    pcm_lanes p[8];
    for (size_t k = 0; k < PCM_LANES; k++) {
        const pcm_surface_line *line = &pass->surface[pcm_side_object(follower ? record[k].follower : record[k].base)];
        for (size_t c = 0; c < 3; c++) {
            own[c][k] = line->seen_linear[c];
            own[3 + c][k] = line->seen_angular[c];
        }
    }
    gather_pose(record, pass->pose, follower, p);
    const quat turn = {p[3], {p[4], p[5], p[6]}};
    const vec  arm = sum(point, scaled(broadcast(-1), (vec){p[0], p[1], p[2]}));
    *angular = only_vec(here, rotate(turn, (vec){load(own[3]), load(own[4]), load(own[5])}));
    const vec v = sum(rotate(turn, (vec){load(own[0]), load(own[1]), load(own[2])}), cross(*angular, arm));
    *linear = only_vec(here, sum(v, scaled(-dot(v, normal), normal)));
}

PCM_INLINE void add_to(double *column, pcm_lanes value) { store(column, load(column) + value); }

static void add_in_frame(const block_plan *plan, const frame *f, vec v, size_t i, pcm_column column[3])
{
    pcm_lanes x, y;
    into_frame(plan, f, v, &x, &y);
    add_to(&column[0][i], x);
    add_to(&column[1][i], y);
    add_to(&column[2][i], dot(v, f->normal));
}

static void add_vec(pcm_column column[3], size_t i, vec v)
{
    add_to(&column[0][i], v.x);
    add_to(&column[1][i], v.y);
    add_to(&column[2][i], v.z);
}

/* The motion of the follower's surface relative to the base's, to the columns of a vector of contacts. */
static void add_relative(const block_plan *plan, const frame *f, vec linear, vec angular, size_t i, pcm_scratch *s)
{
    const pcm_scratch *from = s;
    pcm_lanes          x, y;
    into_frame(plan, f, linear, &x, &y);
    x += load(&s->slip_x[i]);
    y += load(&s->slip_y[i]);
    store(&s->slip_x[i], x);
    store(&s->slip_y[i], y);
    store(&s->slip_squared[i], x * x + y * y);
    if (plan->spins) {
        into_frame(plan, f, angular, &x, &y);
        add_to(&s->spin_x[i], x);
        add_to(&s->spin_y[i], y);
        add_to(&s->spin_n[i], dot(angular, f->normal));
    }
    if (plan->based)
        add_vec(s->velocity, i, rotate(conjugate((quat){load(&s->turn[0][i]), load_vec(from->turn + 1, i)}), linear));
    if (!plan->keep) {
        add_vec(s->motion, i, linear);
        add_vec(s->motion + 3, i, angular);
    }
}

/* A velocity that is not finite is a fault of the motion. */
static void judge_surfaces(pcm_mask here, size_t i, pcm_scratch *s)
{
    const pcm_mask bad = here & ~is_finite(load(&s->slip_x[i]) + load(&s->slip_y[i]));
    if (!any(bad))
        return;
    if (!(s->flags[i / PCM_LANES] & PCM_NEEDS_CARE))
        *(pcm_mask *)&s->absent[i] = *(pcm_mask *)&s->fault[i] = (pcm_mask){0};
    *(pcm_mask *)&s->fault[i] |= bad & PCM_FAULT_MOTION;
    s->flags[i / PCM_LANES] |= PCM_NEEDS_CARE;
}

/* Adds the motion of surfaces to the columns of a block, except where contacts are not touched. Not inlined, since few
 * worlds have belts. */
static __attribute__((noinline)) void add_surfaces(const pcm_pass *pass, const block_plan *plan, const pcm_group *group,
                                                   size_t row, size_t count, pcm_scratch *s)
{
    const pcm_scratch *from = s;
    for (size_t i = 0; i < count; i += PCM_LANES) {
        const pcm_record *record = group->record + row + i;
        const vec         point = load_vec(from->contact, i);
        frame             f = {.normal = load_vec(from->contact + 3, i)};
        pcm_mask          here = {0};
        vec               linear[2], angular[2];
        for (size_t k = 0; k < PCM_LANES && i + k < count; k++)
            here[k] = group->stamp[row + i + k] == pass->evaluation ? -1 : 0;
        if (plan->carries) {
            f.x = load_vec(from->x_axis, i);
            f.y = load_vec(from->y_axis, i);
        } else
            f.factor = load(&s->factor[i]);
        for (size_t side = 0; side < 2; side++) {
            gather_surface(pass, record, side == 1, here, point, f.normal, &linear[side], &angular[side]);
            if (plan->sided && group->model->inputs & PCM_BODY_SPINS)
                add_in_frame(plan, &f, angular[side], i, s->side_spin[side]);
        }
        const pcm_lanes minus = broadcast(-1);
        add_relative(plan, &f, sum(linear[1], scaled(minus, linear[0])), sum(angular[1], scaled(minus, angular[0])), i,
                     s);
        judge_surfaces(here, i, s);
    }
}

#endif
