# SPDX-License-Identifier: MIT
"""Contacts of many worlds on a Warp device, with laws of a .pcm file: what pcm.mjwarp and pcm.newton share.

An engine reports its contacts and the motion of its bodies; rows keep what laws remember, and bodies get wrenches.
Every pair of shapes that a law serves has `places` rows in each world, a row for each contact. All is computed in
double precision, in the order of rows, as a world of libpcm does: the bits do not depend on the device or on
threads."""

from typing import NamedTuple

import warp as wp
from warp import float64 as real

from . import _frames as frames

# A row is empty, its contact is live, its law has ended it, or it is so because a number was not finite.
EMPTY, LIVE, BROKEN, FAILED = wp.constant(0), wp.constant(1), wp.constant(2), wp.constant(3)
# What an evaluation does first: nothing, accept the last one, forget all contacts.
TRIAL, COMMIT, RESET = wp.constant(0), wp.constant(1), wp.constant(2)
FAR = wp.constant(wp.float64(-1e9))
HOST_CONTACT = 8  # of pcm_model.flags
SKEW = wp.constant(wp.float64(1e-6))  # the largest deviation of a normal's square from 1

wp.set_module_options(frames.EXACT)


class Pair(NamedTuple):
    """Two shapes that a law serves. bodies: their bodies, the base's first. curvatures: 1/m, 0: flat. near: m, points
    of two steps that are nearer than this are one contact."""

    traits: dict
    shapes: tuple[int, int]
    bodies: tuple[int, int]
    curvatures: tuple[float, float]
    near: float


@wp.struct
class Body:
    """A body's motion, in world axes. origin, turn: of its axes, a unit quaternion, scalar first; linear: velocity of
    the body's point at the world's origin; inverse_mass: 0 for what cannot move."""

    origin: wp.vec3d
    turn: wp.vec4d
    linear: wp.vec3d
    angular: wp.vec3d
    inverse_mass: real


@wp.struct
class Touch:
    """A contact that the engine reports in an evaluation, the one of that stamp. normal: from the base to the follower;
    local: the point in the base's axes."""

    stamp: wp.int64
    taken: wp.int32
    depth: real
    point: wp.vec3d
    normal: wp.vec3d
    local: wp.vec3d


@wp.struct
class Row:
    """A contact. after, next_...: what it becomes if the evaluation is accepted. touch: the place of its touch, -1:
    none. frames are in the axes of the base, and shared ones in the follower's too. force: on the follower, with its
    torque about the world's origin."""

    status: wp.int32
    after: wp.int32
    touch: wp.int32
    begins: wp.int32
    local: wp.vec3d
    frame: wp.vec4d
    follower_frame: wp.vec4d
    next_frame: wp.vec4d
    next_follower_frame: wp.vec4d
    force: wp.vec3d
    torque: wp.vec3d


@wp.struct
class Motion:
    """All that laws may read of a contact. Vectors of the tangent plane are x, y, n."""

    time: real
    dt: real
    fresh: real
    depth: real
    depth_rate: real
    slip: wp.vec3d
    spin: wp.vec3d
    position: wp.vec3d
    velocity: wp.vec3d
    radius: real
    mass: real
    base_spin: wp.vec3d
    follower_spin: wp.vec3d
    base_axis: wp.vec3d
    follower_axis: wp.vec3d


@wp.struct
class Answer:
    """What laws write. sound: all of it, next states too, is finite; lingers: a state outlasts the contact."""

    force: wp.vec3d
    moment: wp.vec3d
    life: wp.int64
    onset: real
    sound: wp.int32
    lingers: wp.int32


@wp.func
def moving(origin: wp.vec3d, turn: wp.vec4d, linear: wp.vec3d, angular: wp.vec3d, inverse_mass: real):
    """A Body from the velocity of its own origin. As pcm_world_move does it."""
    body = Body()
    norm = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]
    scale = real(1)
    if wp.abs(norm - real(1)) > real(1e-12):
        scale = real(1) / wp.sqrt(norm)
    body.origin = origin
    body.turn = scale * turn
    body.angular = angular
    body.linear = linear - wp.cross(angular, origin)
    body.inverse_mass = inverse_mass
    return body


@wp.kernel
def advance(
    time: wp.array(dtype=real),
    last: wp.array(dtype=real),
    action: wp.array(dtype=wp.int32),
    fresh: wp.array(dtype=real),
    stamp: wp.array(dtype=wp.int64),
):
    """What this evaluation of a world does first, by its clock. fresh: 1 until something is accepted."""
    w = wp.tid()
    action[w] = TRIAL
    if time[w] > last[w]:
        action[w] = COMMIT
        fresh[w] = real(0)
    if time[w] < last[w] or stamp[w] == wp.int64(0):
        action[w] = RESET
        fresh[w] = real(1)
    last[w] = time[w]
    stamp[w] = stamp[w] + wp.int64(1)


@wp.kernel
def settle(
    action: wp.array(dtype=wp.int32),
    columns: wp.array(dtype=wp.int32),
    state: wp.array2d(dtype=real),
    next: wp.array2d(dtype=real),
    rows: wp.array3d(dtype=Row),
):
    """Accepts the last evaluation, or not."""
    w, pair, k = wp.tid()
    rows[w, pair, k].touch = -1
    rows[w, pair, k].begins = 0
    if action[w] == RESET:
        rows[w, pair, k].status = EMPTY
    if action[w] != COMMIT:
        return
    row = rows[w, pair, k]
    if row.after == LIVE:
        at = (w * rows.shape[1] + pair) * rows.shape[2] + k
        for c in range(columns[pair]):
            state[c, at] = next[c, at]
        rows[w, pair, k].frame = row.next_frame
        rows[w, pair, k].follower_frame = row.next_follower_frame
    rows[w, pair, k].status = row.after


@wp.func
def nearest(
    w: int, pair: int, stamp: wp.int64, near: real, touches: wp.array3d(dtype=Touch), rows: wp.array3d(dtype=Row)
):
    """The closest touch and row that have no partner yet, as touch * places + row; -1: none are near enough."""
    best = int(-1)
    apart = near * near
    for t in range(touches.shape[2]):
        if touches[w, pair, t].stamp == stamp and touches[w, pair, t].taken == 0:
            for k in range(rows.shape[2]):
                if rows[w, pair, k].status != EMPTY and rows[w, pair, k].touch < 0:
                    d = rows[w, pair, k].local - touches[w, pair, t].local
                    if frames.dot(d, d) < apart:
                        apart = frames.dot(d, d)
                        best = t * rows.shape[2] + k
    return best


@wp.kernel
def match(
    stamp: wp.array(dtype=wp.int64),
    near: wp.array(dtype=real),
    onset: wp.array(dtype=real),
    base: wp.array(dtype=wp.int32),
    bodies: wp.array2d(dtype=Body),
    touches: wp.array3d(dtype=Touch),
    rows: wp.array3d(dtype=Row),
    lost: wp.array(dtype=wp.int32),
):
    """Gives each touch of a pair the row of the contact that it continues, or an empty row, where it may begin."""
    w, pair = wp.tid()
    body = bodies[w, base[pair]]
    places = rows.shape[2]
    for t in range(touches.shape[2]):
        touches[w, pair, t].taken = 0
        touches[w, pair, t].local = frames.rotate(frames.conjugate(body.turn), touches[w, pair, t].point - body.origin)
    best = nearest(w, pair, stamp[w], near[pair], touches, rows)
    while best >= 0:
        touches[w, pair, best / places].taken = 1
        rows[w, pair, best % places].touch = best / places
        rows[w, pair, best % places].local = touches[w, pair, best / places].local
        best = nearest(w, pair, stamp[w], near[pair], touches, rows)
    for t in range(touches.shape[2]):
        touch = touches[w, pair, t]
        if touch.stamp == stamp[w] and touch.taken == 0 and not (touch.depth < -onset[pair]):
            free = int(-1)
            for k in range(places):
                if free < 0 and rows[w, pair, k].status == EMPTY and rows[w, pair, k].begins == 0:
                    free = k
            if free < 0:
                lost[w] = lost[w] + 1
            else:
                rows[w, pair, free].touch = t
                rows[w, pair, free].begins = 1
                rows[w, pair, free].local = touch.local


@wp.kernel
def gather(
    first: wp.array(dtype=wp.int32),
    side: wp.array(dtype=wp.int32),
    rows: wp.array3d(dtype=Row),
    force: wp.array2d(dtype=wp.vec3d),
    torque: wp.array2d(dtype=wp.vec3d),
):
    """Adds a body's contacts in the order of rows. side: pairs of the body, 2 * pair + 1 where it is the follower."""
    w, body = wp.tid()
    f, t = wp.vec3d(), wp.vec3d()
    for i in range(first[body], first[body + 1]):
        for k in range(rows.shape[2]):
            row = rows[w, side[i] / 2, k]
            if side[i] % 2 == 1:
                f = f + row.force
                t = t + row.torque
            else:
                f = f - row.force
                t = t - row.torque
    force[w, body] = f
    torque[w, body] = t
