# SPDX-License-Identifier: MIT
"""Contact frames in Warp's kernels: the arithmetic of core/world/frames.h and lanes.h, operation by operation, so that
contacts have the bits of a world. Quaternions are vec4d, scalar first."""

import warp as wp
from warp import float64 as real

#: What keeps the bits: no contraction of a product and a sum.
EXACT = {"fuse_fp": False, "fast_math": False, "enable_backward": False}

wp.set_module_options(EXACT)


@wp.func
def wide(v: wp.vec3):
    """In double precision."""
    return wp.vec3d(real(v[0]), real(v[1]), real(v[2]))


@wp.func
def sign(value: real):
    """1 with the sign of value, also of zeros."""
    return wp.where(value < real(0) or (value == real(0) and real(1) / value < real(0)), real(-1), real(1))


@wp.func
def dot(a: wp.vec3d, b: wp.vec3d):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@wp.func
def conjugate(q: wp.vec4d):
    return wp.vec4d(q[0], -q[1], -q[2], -q[3])


@wp.func
def normalised(q: wp.vec4d):
    scale = real(1) / wp.sqrt(q[0] * q[0] + (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]))
    return wp.vec4d(scale * q[0], scale * q[1], scale * q[2], scale * q[3])


@wp.func
def product(a: wp.vec4d, b: wp.vec4d):
    u, v = wp.vec3d(a[1], a[2], a[3]), wp.vec3d(b[1], b[2], b[3])
    t = ((a[0] * v) + (b[0] * u)) + wp.cross(u, v)
    return wp.vec4d(a[0] * b[0] - dot(u, v), t[0], t[1], t[2])


@wp.func
def rotate(q: wp.vec4d, v: wp.vec3d):
    u = wp.vec3d(q[1], q[2], q[3])
    t = real(2) * wp.cross(u, v)
    return (v + q[0] * t) + wp.cross(u, t)


@wp.func
def x_axis(q: wp.vec4d):
    w, x, y, z = q[0], q[1], q[2], q[3]
    return wp.vec3d(real(1) - real(2) * (y * y + z * z), real(2) * (x * y + w * z), real(2) * (x * z - w * y))


@wp.func
def y_axis(q: wp.vec4d):
    w, x, y, z = q[0], q[1], q[2], q[3]
    return wp.vec3d(real(2) * (x * y - w * z), real(1) - real(2) * (x * x + z * z), real(2) * (y * z + w * x))


@wp.func
def z_axis(q: wp.vec4d):
    w, x, y, z = q[0], q[1], q[2], q[3]
    return wp.vec3d(real(2) * (x * z + w * y), real(2) * (y * z - w * x), real(1) - real(2) * (x * x + y * y))


@wp.func
def quat_of(x: wp.vec3d, n: wp.vec3d):
    """The quaternion whose axes are x, n cross x, and n."""
    y = wp.cross(n, x)
    one = real(1)
    a, b, c = y[2] - n[1], n[0] - x[2], x[1] - y[0]
    d, e, f = x[1] + y[0], n[0] + x[2], y[2] + n[1]
    most = one + x[0] + y[1] + n[2]
    q = wp.vec4d(most, a, b, c)
    along = one + x[0] - y[1] - n[2]
    if along > most:
        most = along
        q = wp.vec4d(a, along, d, e)
    along = one - x[0] + y[1] - n[2]
    if along > most:
        most = along
        q = wp.vec4d(b, d, along, f)
    along = one - x[0] - y[1] + n[2]
    if along > most:
        q = wp.vec4d(c, e, f, along)
    return normalised(q)


@wp.func
def begin_frame(base: wp.vec4d, normal: wp.vec3d):
    """A new contact's frame, in the base's axes."""
    n = rotate(conjugate(base), normal)
    axis = wp.vec3d(real(1), real(0), real(0))
    if not (real(1) - n[0] * n[0] > real(1e-6)):
        axis = wp.vec3d(real(0), real(1), real(0))
    x = axis + (-dot(axis, n)) * n
    return quat_of((real(1) / wp.sqrt(dot(x, x))) * x, n)


@wp.func
def begin_shared(base: wp.vec4d, follower: wp.vec4d, normal: wp.vec3d):
    """A new contact's frame that both bodies carry, in world axes."""
    axis = x_axis(base) + x_axis(follower)
    x = axis + (-dot(axis, normal)) * normal
    if not (dot(x, x) > real(1e-6)):
        x = x_axis(product(base, begin_frame(base, normal)))
    return quat_of((real(1) / wp.sqrt(dot(x, x))) * x, normal)


@wp.func
def midway(a: wp.vec4d, b: wp.vec4d):
    """The rotation halfway between two rotations."""
    side = sign(a[0] * b[0] + (a[1] * b[1] + a[2] * b[2] + a[3] * b[3]))
    return normalised(wp.vec4d(a[0] + side * b[0], a[1] + side * b[1], a[2] + side * b[2], a[3] + side * b[3]))


@wp.func
def turn_frame(normal: wp.vec3d, carried: wp.vec4d):
    """Turns a carried frame by the smallest rotation that brings its normal onto the new one."""
    was = z_axis(carried)
    cosine = dot(was, normal)
    across = wp.cross(was, normal)
    least = wp.vec4d(real(1) + cosine, across[0], across[1], across[2])
    if real(1) + cosine < real(1e-12):
        around = x_axis(carried)
        least = wp.vec4d(real(0), around[0], around[1], around[2])
    return normalised(product(least, carried))


@wp.func
def free_factor(n: wp.vec3d):
    """The axes of a frame that nobody carries, any that depends on the normal alone, are x = (1 + s n.x n.x a, s n.x
    n.y a, -s n.x) and y = (n.x n.y a, s + n.y n.y a, -n.y), with s the sign of n.z and a this factor."""
    return real(-1) / (sign(n[2]) + n[2])


@wp.func
def into_free(n: wp.vec3d, v: wp.vec3d):
    """The components of v along these axes and the normal."""
    side = sign(n[2])
    h = (n[0] * v[0] + n[1] * v[1]) * free_factor(n) - v[2]
    return wp.vec3d(v[0] + side * n[0] * h, side * v[1] + n[1] * h, dot(v, n))


@wp.func
def out_of_free(n: wp.vec3d, x: real, y: real, normal: real):
    side = sign(n[2])
    g = side * n[0] * x + n[1] * y
    h = normal + g * free_factor(n)
    return wp.vec3d(x + n[0] * h, side * y + n[1] * h, normal * n[2] - g)


@wp.func
def into_carried(q: wp.vec4d, n: wp.vec3d, v: wp.vec3d):
    return wp.vec3d(dot(v, x_axis(q)), dot(v, y_axis(q)), dot(v, n))


@wp.func
def out_of_carried(q: wp.vec4d, n: wp.vec3d, x: real, y: real, normal: real):
    return (normal * n + x * x_axis(q)) + y * y_axis(q)
