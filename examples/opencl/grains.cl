/* SPDX-License-Identifier: MIT */
/* grains.cl - the two kernels of a step, behind the header of the contact type Grain and grains.h. */

/* One work item for each row: the law. It writes the contact's wrench and point, and what the contact remembers. */
__kernel void contacts(__global const grain *grains, __global row *rows, __global wrench *wrenches,
                       __global vector *points, const double dt, const long count)
{
    const long i = get_global_id(0);
    if (i >= count)
        return;
    row            r = rows[i];
    const touching t = touch_of(grains[r.base], grains[r.follower]);
    const vector   none = {0, 0, 0};
    wrench         w = {none, none};
    if (t.depth < 0)
        r.stretch = r.roll = none, r.circle = 0;
    else {
        const vector  stretch = onto_plane(r.stretch, t.n), roll = onto_plane(r.roll, t.n);
        Grain_contact c;
        c.time = 0;
        c.dt = dt;
        c.depth = t.depth;
        c.depth_rate = t.depth_rate;
        c.slip_x = t.slip_x;
        c.slip_y = t.slip_y;
        c.spin_x = t.spin_x;
        c.spin_y = t.spin_y;
        c.spin_n = t.spin_n;
        c.radius = t.radius;
        c.mass = t.mass;
        c.state.stretch_x = dot_of(stretch, t.x);
        c.state.stretch_y = dot_of(stretch, t.y);
        c.state.circle = r.circle;
        c.state.roll_x = dot_of(roll, t.x);
        c.state.roll_y = dot_of(roll, t.y);
        const Grain_result f = Grain_forces(c);
        w.force = in_world(t, f.force_x, f.force_y, f.force_n);
        w.torque = in_world(t, f.moment_x, f.moment_y, f.moment_n);
        r.stretch = in_world(t, f.next.stretch_x, f.next.stretch_y, 0);
        r.roll = in_world(t, f.next.roll_x, f.next.roll_y, 0);
        r.circle = f.next.circle;
    }
    rows[i] = r;
    wrenches[i] = w;
    points[i] = t.point;
}

/* One work item for each grain: it adds its contacts in the order of rows, and moves. sides: 2 * row + 1 where the grain
 * is the follower. */
__kernel void bodies(__global grain *grains, __global const wrench *wrenches, __global const vector *points,
                     __global const long *first, __global const long *sides, const double gravity, const double dt,
                     const long count)
{
    const long i = get_global_id(0);
    if (i >= count)
        return;
    grain        g = grains[i];
    const vector none = {0, 0, 0};
    wrench       sum = {none, none};
    for (long k = first[i]; k < first[i + 1]; k++)
        sum = with_contact(sum, wrenches[sides[k] / 2], points[sides[k] / 2], g, sides[k] % 2);
    if (g.curvature > 0)
        grains[i] = moved(g, sum, gravity, dt);
}
