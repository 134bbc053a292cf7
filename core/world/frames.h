/* SPDX-License-Identifier: MIT */
/* frames.h - contact frames of vectors of contacts. Included by block.c alone, like lanes.h. */
#ifndef PCM_WORLD_FRAMES_H
#define PCM_WORLD_FRAMES_H

#include "lanes.h"

/* The steps that the pipeline performs for this group. */
typedef struct block_plan {
    bool keep;    /* forces go to objects, and next states to the group; else the rows are only evaluated */
    bool reports; /* the law's reports are wanted */
    bool based;   /* the law wants position, velocity or axes of the base */
    bool carries; /* the contact frame is carried */
    bool shares;  /* both objects carry the frame alike */
    bool begins;  /* contacts are new: frames and states are */
    bool spins;
    bool sided;    /* the law wants the spin or an axis of each body */
    bool directed; /* the law wants the direction of the shape */
    bool absent;   /* some contact is not touched */
    bool far;      /* there are too many contacts for their lines and columns to be in the cache */
} block_plan;

/* Intermediate values of a vector of contacts. */
typedef struct motion {
    vec       point, normal, linear, angular;
    pcm_lanes depth, objects;
    quat      base; /* the base's orientation and position, if the law reads them */
    vec       origin;
} motion;

/* The contact frame of a vector of contacts. For an isotropic law any tangent basis that depends only on the normal n
 * will do: with s the sign of n.z and a = -1/(s + n.z), whose division takes longest,
 *   x = (1 + s n.x n.x a, s n.x n.y a, -s n.x),   y = (n.x n.y a, s + n.y n.y a, -n.y). */
typedef struct frame {
    vec       normal;
    vec       x, y;   /* for a frame that is carried or reported */
    pcm_lanes factor; /* a, for a frame that is neither */
} frame;

PCM_INLINE pcm_lanes basis_factor(vec n) { return -1.0 / (sign(n.z) + n.z); }

/* The components of v along x and y. */
PCM_INLINE void into_frame(const block_plan *plan, const frame *f, vec v, pcm_lanes *x, pcm_lanes *y)
{
    if (plan->carries) {
        *x = dot(v, f->x);
        *y = dot(v, f->y);
        return;
    }
    vec       n = f->normal;
    pcm_lanes side = sign(n.z), h = (n.x * v.x + n.y * v.y) * f->factor - v.z;
    *x = v.x + side * n.x * h;
    *y = side * v.y + n.y * h;
}

/* The vector with these components along x, y and the normal. */
PCM_INLINE vec out_of_frame(const block_plan *plan, const frame *f, pcm_lanes x, pcm_lanes y, pcm_lanes normal)
{
    vec n = f->normal;
    if (plan->carries)
        return sum(sum(scaled(normal, n), scaled(x, f->x)), scaled(y, f->y));
    pcm_lanes side = sign(n.z), g = side * n.x * x + n.y * y, h = normal + g * f->factor;
    return (vec){x + n.x * h, side * y + n.y * h, normal * n.z - g};
}

/* The quaternion whose axes are x, n cross x, and n. */
static quat quat_of(vec x, vec n)
{
    vec             y = cross(n, x);
    const pcm_lanes along[4] = {1.0 + x.x + y.y + n.z, 1.0 + x.x - y.y - n.z, 1.0 - x.x + y.y - n.z,
                                1.0 - x.x - y.y + n.z};
    const pcm_lanes a = y.z - n.y, b = n.x - x.z, c = x.y - y.x; /* 4 w times the vector part */
    const pcm_lanes d = x.y + y.x, e = n.x + x.z, f = y.z + n.y;
    const quat      candidates[4] = {
             {along[0], {a, b, c}}, {a, {along[1], d, e}}, {b, {d, along[2], f}}, {c, {e, f, along[3]}}};
    quat      q = candidates[0];
    pcm_lanes most = along[0];
    for (size_t k = 1; k < 4; k++) {
        pcm_mask more = along[k] > most;
        most = pick(more, along[k], most);
        q = (quat){pick(more, candidates[k].w, q.w), pick_vec(more, candidates[k].u, q.u)};
    }
    return normalised(q);
}

/* A contact begins with x as the base's x axis in the tangent plane, or its y axis if x is nearly normal. The result is
 * in the base's axes, like a carried frame. */
static quat begin_frame(quat base, vec normal)
{
    const double nearly_normal = 1e-6;
    vec          n = rotate(conjugate(base), normal);
    pcm_mask     clear = 1.0 - n.x * n.x > nearly_normal;
    vec          axis = {only(clear, broadcast(1)), only(~clear, broadcast(1)), {0}};
    vec          x = sum(axis, scaled(-dot(axis, n), n));
    return quat_of(scaled(1.0 / square_root(dot(x, x)), x), n);
}

/* A shared frame begins with the mean of both objects' x axes in the tangent plane, or like a frame of the base if they
 * cancel. The result is in world axes. */
static quat begin_shared(quat base, quat follower, vec normal)
{
    const double cancelled = 1e-6;
    vec          axis = sum(x_axis(base), x_axis(follower));
    vec          x = sum(axis, scaled(-dot(axis, normal), normal));
    pcm_mask     clear = dot(x, x) > cancelled;
    quat         usual = quat_product(base, begin_frame(base, normal));
    x = pick_vec(clear, x, x_axis(usual));
    return quat_of(scaled(1.0 / square_root(dot(x, x)), x), normal);
}

/* The rotation halfway between two rotations. */
static quat midway(quat a, quat b)
{
    pcm_lanes side = sign(a.w * b.w + dot(a.u, b.u));
    return normalised((quat){a.w + side * b.w, sum(a.u, scaled(side, b.u))});
}

/* Turns a carried frame by the smallest rotation that brings its normal onto the new one. */
PCM_INLINE quat turn_frame(vec normal, quat carried)
{
    vec       was = z_axis(carried), around = x_axis(carried), across = cross(was, normal);
    pcm_lanes cosine = dot(was, normal);
    /* If the normal reverses there is no smallest rotation: x then keeps its direction. */
    pcm_mask reverses = 1.0 + cosine < 1e-12;
    quat     least = {only(~reverses, 1.0 + cosine), pick_vec(reverses, around, across)};
    return normalised(quat_product(least, carried));
}

/* Loads rows of a group's column, as many as the vector has (`count`), and 0 beyond, where another task may be
 * writing. */
PCM_INLINE pcm_lanes load_rows(const double *column, size_t count)
{
    pcm_lanes rows = {0};
    if (count >= PCM_LANES)
        return load(column);
    memcpy(&rows, column, count * sizeof *column);
    return rows;
}

/* The side whose axes the frame is stored in: 0 the base, 1 the follower. */
PCM_INLINE quat load_frame(const pcm_group *group, uint32_t parity, uint32_t side, size_t row, size_t count)
{
    pcm_lanes q[PCM_FRAME_COLUMNS];
    for (uint32_t k = 0; k < PCM_FRAME_COLUMNS; k++)
        q[k] = load_rows(pcm_group_frame(group, parity, side * PCM_FRAME_COLUMNS + k, row), count);
    if (count < PCM_LANES)
        q[0] = pick(first_lanes(count), q[0], broadcast(1));
    return (quat){q[0], {q[1], q[2], q[3]}};
}

PCM_INLINE void store_frame(pcm_group *group, uint32_t parity, uint32_t side, size_t row, size_t count, quat q)
{
    const pcm_lanes number[PCM_FRAME_COLUMNS] = {q.w, q.u.x, q.u.y, q.u.z};
    for (uint32_t k = 0; k < PCM_FRAME_COLUMNS; k++) {
        double *column = pcm_group_frame(group, parity, side * PCM_FRAME_COLUMNS + k, row);
        if (count >= PCM_LANES)
            store(column, number[k]);
        else
            memcpy(column, &number[k], count * sizeof *column);
    }
}

/* The orientations of one side. An orientation that is NaN, which the motion shows as a fault, counts as upright. */
static quat gather_turn(const pcm_pass *pass, const pcm_record *record, bool follower)
{
    pcm_lanes p[8];
    gather_pose(record, pass->pose, follower, p);
    pcm_mask sound = is_finite(p[3] + p[4] + p[5] + p[6]);
    return (quat){pick(sound, p[3], broadcast(1)), only_vec(sound, (vec){p[4], p[5], p[6]})};
}

/* A frame that both objects carry, halfway between them: it does not matter which of them is the base. Not inlined,
 * since the frames of most laws are not shared. */
static __attribute__((noinline)) quat share_frame(const pcm_pass *pass, const block_plan *plan, pcm_group *group,
                                                  size_t row, size_t count, quat base, vec normal)
{
    quat follower = gather_turn(pass, group->record + row, true), q;
    if (plan->begins) {
        q = begin_shared(base, follower, normal);
        store_frame(group, pass->parity, 0, row, count, quat_product(conjugate(base), q));
        store_frame(group, pass->parity, 1, row, count, quat_product(conjugate(follower), q));
    } else
        q = midway(quat_product(base, load_frame(group, pass->parity, 0, row, count)),
                   quat_product(follower, load_frame(group, pass->parity, 1, row, count)));
    q = turn_frame(normal, q);
    if (plan->keep) {
        store_frame(group, 1 - pass->parity, 0, row, count, quat_product(conjugate(base), q));
        store_frame(group, 1 - pass->parity, 1, row, count, quat_product(conjugate(follower), q));
    }
    return q;
}

/* The contact frame. A carried one goes to the group, for a commit to make it the committed one. */
PCM_INLINE frame compute_frame(const pcm_pass *pass, const block_plan *plan, pcm_group *group, size_t row, size_t count,
                               const motion *m)
{
    frame f = {.normal = m->normal};
    quat  q;
    if (!plan->carries) {
        f.factor = basis_factor(m->normal);
        if (!plan->keep) {
            f.x = out_of_frame(plan, &f, broadcast(1), broadcast(0), broadcast(0));
            f.y = out_of_frame(plan, &f, broadcast(0), broadcast(1), broadcast(0));
        }
        return f;
    }
    if (plan->shares) {
        q = share_frame(pass, plan, group, row, count, m->base, m->normal);
    } else {
        if (plan->begins) {
            q = begin_frame(m->base, m->normal);
            store_frame(group, pass->parity, 0, row, count, q);
        } else
            q = load_frame(group, pass->parity, 0, row, count);
        q = turn_frame(m->normal, quat_product(m->base, q));
        if (plan->keep)
            store_frame(group, 1 - pass->parity, 0, row, count, quat_product(conjugate(m->base), q));
    }
    f.x = x_axis(q);
    f.y = y_axis(q);
    return f;
}

#endif
