# SPDX-License-Identifier: MIT
"""Contact laws in MuJoCo Warp: thousands of worlds of one model, on a GPU or a processor.

    m, d = mujoco_warp.put_model(mjm), mujoco_warp.put_data(mjm, mjd, nworld=1024)
    host = pcm.mjwarp.attach(m, d, "walker.pcm", mjm)
    mujoco_warp.step(m, d)          # as before, and in CUDA graphs

MuJoCo Warp finds contacts; those of pairs that the rules give to a law leave its solver, and the law's forces are
passive forces."""

import mujoco
import mujoco_warp
import numpy
import warp as wp
from warp import float64 as real

from . import _frames as frames
from . import _rows as rows
from ._attach import attach as attach_to_mujoco
from ._system import CONTACT, System

__all__ = ["CONTACT", "Host", "attach"]

_CONSTRAINT = wp.constant(int(mujoco_warp._src.types.ContactType.CONSTRAINT))

wp.set_module_options(frames.EXACT)


@wp.kernel
def set_clock(
    time: wp.array(dtype=float), step: wp.array(dtype=float), t: wp.array(dtype=real), dt: wp.array(dtype=real)
):
    w = wp.tid()
    t[w] = real(time[w])
    dt[w] = real(step[w % step.shape[0]])


@wp.kernel
def leave_solver(
    count: wp.array(dtype=int),
    geoms: wp.array(dtype=wp.vec2i),
    pair_of: wp.array2d(dtype=wp.int32),
    kind: wp.array(dtype=int),
):
    """Contacts of served pairs are no constraints."""
    i = wp.tid()
    if i < count[0] and geoms[i][0] >= 0 and geoms[i][1] >= 0:
        if pair_of[geoms[i][0], geoms[i][1]] != 0:
            kind[i] = kind[i] & ~_CONSTRAINT


@wp.kernel
def report_contacts(
    count: wp.array(dtype=int),
    world: wp.array(dtype=int),
    geoms: wp.array(dtype=wp.vec2i),
    place: wp.array(dtype=int),
    distance: wp.array(dtype=float),
    position: wp.array(dtype=wp.vec3),
    frame: wp.array(dtype=wp.mat33),
    pair_of: wp.array2d(dtype=wp.int32),
    stamp: wp.array(dtype=wp.int64),
    touches: wp.array3d(dtype=rows.Touch),
    lost: wp.array(dtype=wp.int32),
):
    """pair_of: 0, or 1 + the pair, negative where the base is the second geom."""
    i = wp.tid()
    if i >= wp.min(count[0], geoms.shape[0]) or geoms[i][0] < 0 or geoms[i][1] < 0:
        return
    code = pair_of[geoms[i][0], geoms[i][1]]
    if code == 0:
        return
    w, pair, t = world[i], wp.abs(code) - 1, place[i]
    if t >= touches.shape[2]:
        wp.atomic_add(lost, w, 1)
        return
    normal = frames.wide(frame[i][0])
    touches[w, pair, t].stamp = stamp[w]
    touches[w, pair, t].depth = real(-distance[i])
    touches[w, pair, t].point = frames.wide(position[i])
    touches[w, pair, t].normal = wp.where(code > 0, normal, -normal)


@wp.kernel
def report_bodies(
    root: wp.array(dtype=int),
    mass: wp.array2d(dtype=float),
    fixed: wp.array(dtype=wp.int32),
    xpos: wp.array2d(dtype=wp.vec3),
    xquat: wp.array2d(dtype=wp.quat),
    cvel: wp.array2d(dtype=wp.spatial_vector),
    subtree_com: wp.array2d(dtype=wp.vec3),
    bodies: wp.array2d(dtype=rows.Body),
):
    w, b = wp.tid()
    q, v = xquat[w, b], cvel[w, b]
    origin = frames.wide(xpos[w, b])
    angular = wp.vec3d(real(v[0]), real(v[1]), real(v[2]))
    moving = wp.vec3d(real(v[3]), real(v[4]), real(v[5]))
    linear = moving + wp.cross(angular, origin - frames.wide(subtree_com[w, root[b]]))
    inverse_mass = real(0)
    if fixed[b] == 0:
        inverse_mass = real(1) / real(mass[w % mass.shape[0], b])
    turn = wp.vec4d(real(q[0]), real(q[1]), real(q[2]), real(q[3]))  # scalar first, as MuJoCo stores it
    bodies[w, b] = rows.moving(origin, turn, linear, angular, inverse_mass)


@wp.kernel
def add_to_joints(
    root: wp.array(dtype=int),
    dof_body: wp.array(dtype=int),
    subtree: wp.array(dtype=int),
    cdof: wp.array2d(dtype=wp.spatial_vector),
    subtree_com: wp.array2d(dtype=wp.vec3),
    force: wp.array2d(dtype=wp.vec3d),
    torque: wp.array2d(dtype=wp.vec3d),
    passive: wp.array2d(dtype=float),
):
    """The wrenches of the bodies beyond a joint, along its motion."""
    w, dof = wp.tid()
    body = dof_body[dof]
    f, t = wp.vec3d(), wp.vec3d()
    for b in range(body, body + subtree[body]):
        f = f + force[w, b]
        t = t + torque[w, b]
    s = cdof[w, dof]
    t = t - wp.cross(frames.wide(subtree_com[w, root[body]]), f)
    turning = wp.vec3d(real(s[0]), real(s[1]), real(s[2]))
    sliding = wp.vec3d(real(s[3]), real(s[4]), real(s[5]))
    passive[w, dof] = passive[w, dof] + float(frames.dot(turning, t) + frames.dot(sliding, f))


class Host:
    """Contact laws in the data of one model. Leaving a `with` block detaches them.

    The laws' states step with the clock of each world: an evaluation at a later time accepts the last one, one at an
    earlier time, as after a reset, begins contacts anew, and one at the same time is a trial."""

    def __init__(self, m, d, system, pair_of):
        self.system, self._m, self._d, self._pair_of = system, m, d, pair_of
        self._before = m.callback.contactfilter, m.callback.passive
        m.callback.contactfilter, m.callback.passive = self._filter, self._act
        self._fixed = wp.array(m.body_weldid.numpy() == 0, dtype=wp.int32, device=system.device)

    def _filter(self, m, d):
        if self._before[0]:
            self._before[0](m, d)
        contact = d.contact
        self._launch(leave_solver, d.naconmax, d.nacon, contact.geom, self._pair_of, contact.type)

    def _act(self, m, d):
        if self._before[1]:
            self._before[1](m, d)
        s, contact = self.system, d.contact
        self._launch(set_clock, d.nworld, d.time, m.opt.timestep, s.time, s.dt)
        s.begin()
        self._launch(
            report_contacts, d.naconmax, d.nacon, contact.worldid, contact.geom, contact.geomcollisionid, contact.dist,
            contact.pos, contact.frame, self._pair_of, s.stamp, s.touches, s.lost,
        )  # fmt: skip
        self._launch(
            report_bodies, (d.nworld, m.nbody), m.body_rootid, m.body_mass, self._fixed, d.xpos, d.xquat, d.cvel,
            d.subtree_com, s.body,
        )  # fmt: skip
        s.evaluate()
        self._launch(
            add_to_joints, (d.nworld, m.nv), m.body_rootid, m.dof_bodyid, m.body_subtreenum, d.cdof, d.subtree_com,
            s.force, s.torque, d.qfrc_passive,
        )  # fmt: skip

    def _launch(self, kernel, dim, *inputs):
        wp.launch(kernel, dim=dim, inputs=list(inputs), device=self.system.device)

    def contacts(self):
        """The contacts of the last evaluation, as an array of CONTACT: world, type, shapes (geoms), bodies, depth,
        point, normal, and force on the follower. Copies from the device."""
        self.status()
        return self.system.contacts()

    def status(self):
        """Raises pcm.Error if contacts were lost since the last call, or had numbers that are not finite."""
        self.system.status()

    def close(self):
        """MuJoCo Warp's own contacts act again."""
        self._m.callback.contactfilter, self._m.callback.passive = self._before

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


def _pairs(mjm, path, surfaces, settings):
    """What the rules say of the model, as the host of MuJoCo says it."""
    from ._config import load

    config = load(path, settings=settings)
    with attach_to_mujoco(mjm, mujoco.MjData(mjm), config, surfaces=surfaces, advise_step=False) as host:
        found = host._pairs()
    pairs = []
    for traits, geoms, radii in found:
        if min(geoms) < 0:
            raise ValueError(f"{path}: {traits['type']} acts on a site, which MuJoCo Warp does not collide")
        bound = [mjm.geom_rbound[geom] for geom in geoms]
        near = 0.25 * (min(bound) if min(bound) > 0 else max(bound))
        bodies = tuple(int(mjm.geom_bodyid[geom]) for geom in geoms)
        pairs.append(rows.Pair(traits, geoms, bodies, tuple(1 / r if r > 0 else 0.0 for r in radii), near))
    return pairs


def _refuse(m):
    if m.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
        raise ValueError("the integrator RK4 evaluates contacts four times a step: use Euler or implicitfast")
    if m.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP:
        raise ValueError("sleeping bodies keep no contacts: disable sleep")
    both = mujoco.mjtDisableBit.mjDSBL_SPRING | mujoco.mjtDisableBit.mjDSBL_DAMPER
    if m.opt.disableflags & both == both:
        raise ValueError("MuJoCo Warp has no passive forces with springs and dampers disabled: enable one of them")


def _widen(m, pairs):
    """Lets MuJoCo Warp report gaps at which laws act."""
    gap = m.geom_gap.numpy()
    for pair in pairs:
        for geom in pair.shapes:
            gap[:, geom] = numpy.maximum(gap[:, geom], 0.5 * pair.traits["separation"])
    m.geom_gap.assign(gap)


def attach(m, d, path, mjm, *, surfaces=None, settings=None, places=8):
    """Gives contacts of MuJoCo Warp's model and data to the rules of a .pcm file.

    m, d: of mujoco_warp.put_model and put_data or make_data. mjm: the MjModel that they are made of, which has the
    names. surfaces: as for pcm.attach. settings: as for pcm.load. places: the largest number of contacts of two geoms.
    Returns the Host; keep it. Laws are evaluated in double precision with the bits of the C library, on the contacts
    that MuJoCo Warp finds in single precision. ValueError: the engine cannot serve a law, or has options under which
    laws cannot act."""
    _refuse(m)
    pairs = _pairs(mjm, path, surfaces, settings)
    device = d.qpos.device
    system = System(path, pairs, d.nworld, m.nbody, places, settings, device)
    _widen(m, system.pairs)
    pair_of = numpy.zeros((m.ngeom, m.ngeom), numpy.int32)
    for k, pair in enumerate(system.pairs):
        base, follower = pair.shapes
        pair_of[base, follower], pair_of[follower, base] = 1 + k, -1 - k
    return Host(m, d, system, wp.array(pair_of, dtype=wp.int32, device=device))
