/* SPDX-License-Identifier: MIT */
/* frames.h - contact frames that are carried from commit to commit: how they begin, turn, and lie in a group's columns.
 * Included by block.c alone, which is compiled for several widths. */
#ifndef PCM_WORLD_FRAMES_H
#define PCM_WORLD_FRAMES_H

#include "lanes.h"

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

/* A contact begins with x as the base's x axis in the tangent plane, or its y axis where x is nearly normal. In the
 * base's axes, as if it had been carried here. */
static quat begin_frame(quat base, vec normal)
{
    const double nearly_normal = 1e-6;
    vec          n = rotate(conjugate(base), normal);
    pcm_mask     clear = 1.0 - n.x * n.x > nearly_normal;
    vec          axis = {only(clear, broadcast(1)), only(~clear, broadcast(1)), {0}};
    vec          x = sum(axis, scaled(-dot(axis, n), n));
    return quat_of(scaled(1.0 / square_root(dot(x, x)), x), n);
}

/* A shared frame begins with the mean of both objects' x axes in the tangent plane, as a contact frame of the base
 * where they cancel. In the world's axes. */
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

/* Half the way from one turn to the other. */
static quat midway(quat a, quat b)
{
    pcm_lanes side = sign(a.w * b.w + dot(a.u, b.u));
    return normalised((quat){a.w + side * b.w, sum(a.u, scaled(side, b.u))});
}

/* The frame that an object has carried takes the smallest turn that brings its normal onto the new one. */
PCM_INLINE quat turn_frame(vec normal, quat carried)
{
    vec       was = z_axis(carried), around = x_axis(carried), across = cross(was, normal);
    pcm_lanes cosine = dot(was, normal);
    /* A normal that reverses has no smallest turn: x then keeps its direction. */
    pcm_mask reverses = 1.0 + cosine < 1e-12;
    quat     least = {only(~reverses, 1.0 + cosine), pick_vec(reverses, around, across)};
    return normalised(quat_product(least, carried));
}

/* Rows of a group's column, of which the vector has `count`; 0 beyond, where another task may be writing. */
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

#endif
