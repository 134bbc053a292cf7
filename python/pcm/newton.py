# SPDX-License-Identifier: MIT
"""Contact laws in Newton: on the rigid contacts that its collision pipeline finds, for any of its solvers.

    host = pcm.newton.attach(model, "walker.pcm", surfaces={"*foot*": "Rubber", "ground*": "Rock"})
    pipeline.collide(state, contacts)   # of newton.CollisionPipeline(model)
    host.act(state, contacts, dt)      # the laws' forces go into state.body_f
    solver.step(state, next_state, control, contacts, dt)

Contacts of pairs that the rules give to a law are taken out of `contacts`; the solver handles the others."""

from fnmatch import fnmatchcase

import numpy
import warp as wp
from warp import float64 as real

from . import _frames as frames
from . import _rows as rows
from ._config import load
from ._system import CONTACT, System

__all__ = ["CONTACT", "Host", "attach"]

wp.set_module_options(frames.EXACT)


@wp.func
def wide_turn(q: wp.quat):
    """Newton's quaternions have the scalar last."""
    return wp.vec4d(real(q[3]), real(q[0]), real(q[1]), real(q[2]))


@wp.func
def placed(bodies: wp.array2d(dtype=rows.Body), body: int, point: wp.vec3):
    p = frames.wide(point)
    if body >= 0:
        p = frames.rotate(bodies[0, body + 1].turn, p) + bodies[0, body + 1].origin
    return p


@wp.kernel
def report_bodies(
    body_q: wp.array(dtype=wp.transform),
    body_qd: wp.array(dtype=wp.spatial_vector),
    body_com: wp.array(dtype=wp.vec3),
    inverse_mass: wp.array(dtype=float),
    bodies: wp.array2d(dtype=rows.Body),
):
    """Body 0 is the world, which stands still; Newton's bodies follow."""
    b = wp.tid()
    if b == 0:
        bodies[0, 0].turn = wp.vec4d(real(1), real(0), real(0), real(0))
        return
    q, v = body_q[b - 1], body_qd[b - 1]
    turn = wide_turn(wp.transform_get_rotation(q))
    angular = frames.wide(wp.spatial_bottom(v))
    at_centre = frames.wide(wp.spatial_top(v))
    linear = at_centre - wp.cross(angular, frames.rotate(turn, frames.wide(body_com[b - 1])))
    origin = frames.wide(wp.transform_get_translation(q))
    bodies[0, b] = rows.moving(origin, turn, linear, angular, real(inverse_mass[b - 1]))


@wp.kernel
def clear_places(taken: wp.array(dtype=wp.int32)):
    taken[wp.tid()] = 0


@wp.kernel
def report_contacts(
    count: wp.array(dtype=int),
    shape0: wp.array(dtype=int),
    shape1: wp.array(dtype=int),
    point0: wp.array(dtype=wp.vec3),
    point1: wp.array(dtype=wp.vec3),
    normal: wp.array(dtype=wp.vec3),
    margin0: wp.array(dtype=float),
    margin1: wp.array(dtype=float),
    shape_body: wp.array(dtype=int),
    keys: wp.array(dtype=wp.int64),
    codes: wp.array(dtype=wp.int32),
    stamp: wp.array(dtype=wp.int64),
    bodies: wp.array2d(dtype=rows.Body),
    taken: wp.array(dtype=wp.int32),
    touches: wp.array3d(dtype=rows.Touch),
    lost: wp.array(dtype=wp.int32),
):
    """keys: of pairs of shapes, ascending; codes: 1 + the pair, negative where the base is the second shape."""
    i = wp.tid()
    if i >= wp.min(count[0], shape0.shape[0]) or shape0[i] < 0 or shape1[i] < 0:
        return
    key = wp.int64(shape0[i]) * wp.int64(shape_body.shape[0]) + wp.int64(shape1[i])
    at = wp.lower_bound(keys, key)
    if at >= keys.shape[0] or keys[at] != key:
        return
    pair = wp.abs(codes[at]) - 1
    n = frames.wide(normal[i])
    a = placed(bodies, shape_body[shape0[i]], point0[i]) + real(margin0[i]) * n
    b = placed(bodies, shape_body[shape1[i]], point1[i]) - real(margin1[i]) * n
    shape0[i] = -1
    shape1[i] = -1
    t = wp.atomic_add(taken, pair, 1)
    if t >= touches.shape[2]:
        wp.atomic_add(lost, 0, 1)
        return
    touches[0, pair, t].stamp = stamp[0]
    touches[0, pair, t].depth = -frames.dot(n, b - a)
    touches[0, pair, t].point = real(0.5) * (a + b)
    touches[0, pair, t].normal = wp.where(codes[at] > 0, n, -n)


@wp.kernel
def add_to_bodies(
    bodies: wp.array2d(dtype=rows.Body),
    body_com: wp.array(dtype=wp.vec3),
    force: wp.array2d(dtype=wp.vec3d),
    torque: wp.array2d(dtype=wp.vec3d),
    body_f: wp.array(dtype=wp.spatial_vector),
):
    b = wp.tid()
    body = bodies[0, b + 1]
    f = force[0, b + 1]
    centre = body.origin + frames.rotate(body.turn, frames.wide(body_com[b]))
    t = torque[0, b + 1] - wp.cross(centre, f)
    add = wp.spatial_vector(float(f[0]), float(f[1]), float(f[2]), float(t[0]), float(t[1]), float(t[2]))
    body_f[b] = body_f[b] + add


class Host:
    """Contact laws on a model of Newton. Its clock is the sum of the steps that act is called with."""

    def __init__(self, model, system, keys, codes):
        self.system, self._model, self._keys, self._codes = system, model, keys, codes
        self._taken = wp.zeros(len(system.pairs), dtype=wp.int32, device=system.device)
        self._time = 0.0

    def act(self, state, contacts, dt):
        """Adds the laws' forces of these contacts to state.body_f, and takes the contacts out of `contacts`. Once a
        step of dt, after the collision pipeline and before the solver's step: a call accepts the states of the last
        one."""
        s, m = self.system, self._model
        s.time.fill_(self._time)
        s.dt.fill_(dt)
        self._time += dt
        s.begin()
        self._launch(report_bodies, m.body_count + 1, state.body_q, state.body_qd, m.body_com, m.body_inv_mass, s.body)
        self._launch(clear_places, len(s.pairs), self._taken)
        c = contacts
        self._launch(
            report_contacts, c.rigid_contact_max, c.rigid_contact_count, c.rigid_contact_shape0, c.rigid_contact_shape1,
            c.rigid_contact_point0, c.rigid_contact_point1, c.rigid_contact_normal, c.rigid_contact_margin0,
            c.rigid_contact_margin1, m.shape_body, self._keys, self._codes, s.stamp, s.body, self._taken, s.touches,
            s.lost,
        )  # fmt: skip
        s.evaluate()
        self._launch(add_to_bodies, m.body_count, s.body, m.body_com, s.force, s.torque, state.body_f)

    def _launch(self, kernel, dim, *inputs):
        wp.launch(kernel, dim=dim, inputs=list(inputs), device=self.system.device)

    def reset(self):
        """Contacts begin anew, at the next act."""
        self._time = -1.0 - self._time if self._time > 0 else self._time - 1.0

    def contacts(self):
        """The contacts of the last act, as an array of CONTACT: shapes, bodies (0 is the world, Newton's follow),
        depth, point, normal, and force on the follower. Copies from the device."""
        self.status()
        return self.system.contacts()

    def status(self):
        """Raises pcm.Error if contacts were lost since the last call, or had numbers that are not finite."""
        self.system.status()


def _sides(model, surfaces):
    """The name and the surface of each shape."""
    found = []
    for label in model.shape_label:
        fits = [surface for pattern, surface in surfaces.items() if fnmatchcase(label, pattern)]
        found.append((label, fits[0] if fits else ""))
    unused = [pattern for pattern in surfaces if not any(fnmatchcase(label, pattern) for label in model.shape_label)]
    if unused:
        raise ValueError(f"surfaces: no shape is called {unused[0]!r}; shapes are {', '.join(model.shape_label[:10])}")
    return found


def _pairs(model, config, surfaces):
    sides, body = _sides(model, surfaces), model.shape_body.numpy()
    bound, rules = model.shape_collision_radius.numpy(), config.rules
    flat = 0.0  # Newton has no radius of curvature of a shape that fits all kinds
    pairs, known = [], {}
    for a, b in model.shape_contact_pairs.numpy().tolist():
        question = (*sides[a], *sides[b])
        if question not in known:
            known[question] = config._resolve(*question)
        if not known[question]:
            continue
        rule, swapped = known[question][0]
        traits = config[rules[rule].type]._traits
        base, follower = (b, a) if swapped else (a, b)
        if traits["flags"] & rows.HOST_CONTACT:
            continue
        if traits["needs_materials"]:
            materials = (sides[base][1], sides[follower][1])
            traits = {**traits, "materials": materials, "type": f"{traits['type']} ({' and '.join(materials)})"}
        near = 0.25 * min(bound[base], bound[follower])
        bodies = (int(body[base]) + 1, int(body[follower]) + 1)
        pairs.append(rows.Pair(traits, (base, follower), bodies, (flat, flat), float(near)))
    return pairs


def attach(model, path, *, surfaces=None, settings=None, places=8):
    """Gives rigid contacts of a Newton model to the rules of a .pcm file. Objects are shapes, by their labels.

    surfaces: those of shapes by patterns of their labels, {"*foot*": "Rubber"}; a Material of the file with that name
    gives its properties. settings: as for pcm.load. places: the largest number of contacts of two shapes. Returns the
    Host; call its act in each step. Laws are evaluated in double precision with the bits of the C library, on the
    contacts that Newton finds in single precision; shapes count as flat. ValueError: Newton cannot serve a law."""
    config = load(path, settings=settings)
    pairs = _pairs(model, config, dict(surfaces or {}))
    system = System(path, pairs, 1, model.body_count + 1, places, settings, model.device)
    keys = {}
    for k, pair in enumerate(system.pairs):
        base, follower = pair.shapes
        keys[base * model.shape_count + follower], keys[follower * model.shape_count + base] = 1 + k, -1 - k
    order = numpy.array(sorted(keys), numpy.int64)
    codes = numpy.array([keys[key] for key in order.tolist()], numpy.int32)
    device = model.device
    return Host(
        model, system, wp.array(order, dtype=wp.int64, device=device), wp.array(codes, dtype=wp.int32, device=device)
    )
