# SPDX-License-Identifier: MIT
"""The kernel that evaluates the rows of one contact type."""

import warp as wp
from warp import float64 as real

from . import _frames as frames
from ._rows import BROKEN, EMPTY, FAILED, FAR, LIVE, SKEW, Answer, Body, Motion, Row, Touch
from .warp import native

_BASE_AXES, _FRAME_SHARED = 2, 64  # of pcm_model.flags

#: A law's inputs in Motion.
_VECTORS = {
    "slip": "slip_x slip_y",
    "spin": "spin_x spin_y spin_n",
    "position": "x y z",
    "velocity": "velocity_x velocity_y velocity_z",
    **{name: f"{name}_x {name}_y {name}_n" for name in ("base_spin", "follower_spin", "base_axis", "follower_axis")},
}
_INPUTS = {name: name for name in ("time", "dt", "fresh", "depth", "depth_rate", "radius", "mass")}
_INPUTS |= {name: f"{vector}[{k}]" for vector, names in _VECTORS.items() for k, name in enumerate(names.split())}
_INPUTS = {name: f"motion.{of}" for name, of in _INPUTS.items()}


def _inputs(header, traits):
    """What C calls each input. Host inputs have their fallbacks, "nan" if they have none."""
    hosts = [name for name in header.structs["contact"] if name.startswith("host_")]
    return {**_INPUTS, **{name: repr(value) for name, value in zip(hosts, traits["fallbacks"])}}


def unsupported(header, traits):
    """Why hosts on GPUs cannot serve a contact type; "": they can."""
    known = _inputs(header, traits)
    strange = [name for name in header.structs["contact"] if name != "state" and "nan" in known.get(name, "nan")]
    flows = [name for name in header.structs["result"] if name.endswith("_flow")]
    return (
        f"it reads {strange[0]}, which only a world provides"
        if strange
        else f"it changes amounts of bodies ({flows[0]})"
        if flows
        else "its numbers are those of a whole patch"
        if traits["whole_patch"]
        else "it has a verb per pair"
        if traits["per_pair"]
        else "Point is not Middle"
        if traits["point"]
        else ""
    )


def _contact(header, traits):
    lines = [f"pcm_header::{header.type}_contact c;"]
    inputs = _inputs(header, traits)
    lines += [f"c.{name} = {inputs[name]};" for name in header.structs["contact"] if name != "state"]
    states = header.names_of("state")
    lines += [f"c.state.{name} = state.data[{k} * stride + at];" for k, name in enumerate(states)]
    return "\n".join(lines) + "\n", states


def _row_functions(header, traits):
    """establish(motion, state, stride, at); forces(motion, state, next, stride, at, answer): on columns of states."""
    numbers = wp.array(dtype=real)
    contact, states = _contact(header, traits)
    result = header.structs["result"]
    begin = contact + "const auto s = pcm_header::" + f"{header.type}_establish(c);\n" if states else ""
    begin += "".join(f"state.data[{k} * stride + at] = s.{name};\n" for k, name in enumerate(states))
    establish = native(
        header, "establish", begin, {"motion": Motion, "state": numbers, "stride": wp.int32, "at": wp.int32}
    )
    body = contact + f"const auto r = pcm_header::{header.type}_forces(c);\ndouble sound = 0;\nbool lingers = false;\n"
    for vector, names in (
        ("force", ("force_x", "force_y", "force_n")),
        ("moment", ("moment_x", "moment_y", "moment_n")),
    ):
        body += "".join(f"answer.{vector}[{k}] = r.{name};\n" for k, name in enumerate(names) if name in result)
    body += "answer.life = r.life;\n" if "life" in result else "answer.life = pcm_header::PCMX_LIVE;\n"
    body += "answer.onset = r.onset;\n" if "onset" in result else "answer.onset = 1e300;\n"
    for k, name in enumerate(states):
        body += f"next.data[{k} * stride + at] = r.next.{name};\nsound += r.next.{name} * 0.0;\n"
        body += f"lingers = lingers || r.next.{name} != 0;\n" if traits["lingers"] >> k & 1 else ""
    body += "answer.sound = sound == 0 && answer.life != pcm_header::PCMX_INVALID;\nanswer.lingers = lingers;\n"
    arguments = {"motion": Motion, "state": numbers, "next": numbers, "stride": wp.int32, "at": wp.int32}
    return establish, native(header, "forces", body, {**arguments, "answer": wp.ref[Answer]})


@wp.func
def axis_of(turn: wp.vec4d, axis: int):
    if axis == 0:
        return frames.x_axis(turn)
    if axis == 1:
        return frames.y_axis(turn)
    return frames.z_axis(turn)


@wp.func
def carried_frame(row: wp.ref[Row], a: Body, b: Body, normal: wp.vec3d, shared: bool):
    """The frame that the row's contact carries, turned onto the new normal; in world axes."""
    q = wp.vec4d()
    if shared:
        if row.begins == 1:
            q = frames.begin_shared(a.turn, b.turn, normal)
            row.frame = frames.product(frames.conjugate(a.turn), q)
            row.follower_frame = frames.product(frames.conjugate(b.turn), q)
        else:
            q = frames.midway(frames.product(a.turn, row.frame), frames.product(b.turn, row.follower_frame))
        q = frames.turn_frame(normal, q)
        row.next_follower_frame = frames.product(frames.conjugate(b.turn), q)
    else:
        if row.begins == 1:
            row.frame = frames.begin_frame(a.turn, normal)
        q = frames.turn_frame(normal, frames.product(a.turn, row.frame))
    row.next_frame = frames.product(frames.conjugate(a.turn), q)
    return q


@wp.func
def into(carries: bool, q: wp.vec4d, n: wp.vec3d, v: wp.vec3d):
    if carries:
        return frames.into_carried(q, n, v)
    return frames.into_free(n, v)


@wp.func
def out_of(carries: bool, q: wp.vec4d, n: wp.vec3d, v: wp.vec3d):
    if carries:
        return frames.out_of_carried(q, n, v[0], v[1], v[2])
    return frames.out_of_free(n, v[0], v[1], v[2])


@wp.func
def finite(v: wp.vec3d):
    return (v[0] + v[1] + v[2]) * real(0) == real(0)


def evaluator(header, traits):
    """The kernel of one contact type: over worlds, the type's pairs, and places."""
    establish, forces = _row_functions(header, traits)
    result = header.structs["result"]
    carries, shared = bool(traits["carries"]), bool(traits["flags"] & _FRAME_SHARED)
    base_axes = bool(traits["flags"] & _BASE_AXES)
    friction, moments = "force_x" in result, "moment_n" in result
    sided = any(name.endswith("axis_x") or name.endswith("spin_x") for name in header.structs["contact"])
    base_axis, follower_axis = traits["axes"]
    separation, onset, columns = float(traits["separation"]), float(traits["onset"]), len(header.names_of("state"))

    @wp.func
    def motion_of(touch: Touch, touched: bool, a: Body, b: Body, q: wp.vec4d, linear: wp.vec3d, angular: wp.vec3d):
        m = Motion()
        m.depth_rate = real(0) - frames.dot(linear, touch.normal)
        m.slip = into(carries, q, touch.normal, linear)
        m.spin = into(carries, q, touch.normal, angular)
        back = frames.conjugate(a.turn)
        m.position = frames.rotate(back, touch.point - a.origin)
        m.velocity = frames.rotate(back, linear)
        m.mass = real(1) / (a.inverse_mass + b.inverse_mass)
        m.depth = touch.depth
        if sided:
            if touched:
                m.base_spin = into(carries, q, touch.normal, a.angular)
                m.follower_spin = into(carries, q, touch.normal, b.angular)
            m.base_axis = into(carries, q, touch.normal, axis_of(a.turn, base_axis))
            m.follower_axis = into(carries, q, touch.normal, axis_of(b.turn, follower_axis))
        return m

    @wp.func
    def wrench(row: wp.ref[Row], answer: Answer, a: Body, q: wp.vec4d, touch: Touch):
        f = answer.force
        if base_axes:
            row.force = frames.rotate(a.turn, f)
        elif friction:
            row.force = out_of(carries, q, touch.normal, f)
        else:
            row.force = f[2] * touch.normal
        row.torque = wp.cross(touch.point, row.force)
        if moments:
            row.torque = row.torque + out_of(carries, q, touch.normal, answer.moment)

    @wp.func
    def outcome(row: Row, touch: Touch, touched: bool, moves: bool, answer: Answer):
        """What becomes of the contact, as pcm_type_outcome says."""
        if row.begins == 1 and (not moves or touch.depth < -wp.min(real(onset), answer.onset)):
            return EMPTY
        if not moves:
            return LIVE
        if answer.sound == 0 or not finite(row.torque):
            return FAILED
        if not touched or -touch.depth > real(separation):
            if answer.life != wp.int64(1) and answer.lingers == 1:
                return LIVE
            return EMPTY
        if answer.life == wp.int64(1):
            return BROKEN
        return LIVE

    @wp.kernel(module="unique", enable_backward=False, module_options=frames.EXACT)
    def evaluate(
        first: int,
        time: wp.array(dtype=real),
        dt: wp.array(dtype=real),
        fresh: wp.array(dtype=real),
        sides: wp.array2d(dtype=wp.int32),
        curvatures: wp.array(dtype=real),
        bodies: wp.array2d(dtype=Body),
        touches: wp.array3d(dtype=Touch),
        state: wp.array(dtype=real),
        next: wp.array(dtype=real),
        rows: wp.array3d(dtype=Row),
        failed: wp.array(dtype=wp.int32),
    ):
        w, p, k = wp.tid()
        pair = first + p
        row = rows[w, pair, k]
        row.force = wp.vec3d()
        row.torque = wp.vec3d()
        touched = row.touch >= 0
        row.after = EMPTY
        touch = Touch()
        touch.depth = FAR
        touch.normal = wp.vec3d(real(0), real(0), real(1))
        if touched:
            touch = touches[w, pair, row.touch]
        if row.status >= BROKEN and touched and not (touch.depth < -real(onset)):
            row.after = row.status
        if row.status == LIVE or row.begins == 1:
            a = bodies[w, sides[pair, 0]]
            b = bodies[w, sides[pair, 1]]
            linear, angular = wp.vec3d(), wp.vec3d()
            if touched:
                angular = b.angular - a.angular
                linear = (b.linear - a.linear) + wp.cross(angular, touch.point)
            square = frames.dot(touch.normal, touch.normal)
            moves = finite(linear) and wp.abs(touch.depth) < real(1e300) and wp.abs(square - real(1)) <= SKEW
            q = wp.vec4d()
            if carries:
                q = carried_frame(row, a, b, touch.normal, shared)
            m = motion_of(touch, touched, a, b, q, linear, angular)
            m.time = time[w]
            m.dt = dt[w]
            m.fresh = fresh[w]
            m.radius = real(1) / curvatures[pair]
            stride = rows.shape[0] * rows.shape[1] * rows.shape[2]
            at = (w * rows.shape[1] + pair) * rows.shape[2] + k
            if row.begins == 1:
                for c in range(columns):
                    state[c * stride + at] = real(0)
                establish(m, state, stride, at)
            answer = Answer()
            forces(m, state, next, stride, at, answer)
            wrench(row, answer, a, q, touch)
            row.after = outcome(row, touch, touched, moves, answer)
            if not touched or not moves or row.after == FAILED or (row.begins == 1 and row.after == EMPTY):
                row.force = wp.vec3d()
                row.torque = wp.vec3d()
            if not moves or row.after == FAILED:
                failed[w] = failed[w] + 1
                row.next_frame = row.frame
                row.next_follower_frame = row.follower_frame
                for c in range(columns):
                    next[c * stride + at] = state[c * stride + at]
        rows[w, pair, k] = row

    return evaluate
