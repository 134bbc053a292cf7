#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: transfer.py FILE.pcm FILE.csv

A certificate of transfer: a box is thrown onto a floor, slides, turns and comes to rest on bristles, under one .pcm file
in every engine that is installed. Prints force by force where the engines differ from the library's own loop at the
first step, in which all stand at the same place, so that what differs is their contact points; and where the box ends,
to which their integrators add. The table is for transfer.gp."""

import ctypes
import ctypes.util
import importlib.util
import sys
import warnings
from functools import partial

import numpy
from bodies import in_dart, in_drake, in_pybullet

import pcm

HALF, MASS, STEP, COUNT = numpy.array([0.2, 0.1, 0.02]), 1.0, 5e-4, 1400
PLACE, VELOCITY, SPIN = numpy.array([0.0, 0.0, HALF[2] - 2.5e-5]), numpy.array([1.0, 0.3, 0.0]), numpy.array([0.0, 0.0, 6.0])
INERTIA = MASS / 3 * (numpy.sum(HALF**2) - HALF**2)
CORNERS = numpy.array([[x, y, -1.0] for x in (-1, 1) for y in (-1, 1)]) * HALF


def matrix(w, x, y, z):
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def turned(turn, by):
    """A unit quaternion after a turn about an axis of the world."""
    angle = numpy.linalg.norm(by)
    if angle == 0:
        return turn
    (a, b, c), d = numpy.sin(angle / 2) / angle * by, numpy.cos(angle / 2)
    w, x, y, z = turn
    made = [d * w - a * x - b * y - c * z, d * x + a * w + b * z - c * y, d * y + b * w + c * x - a * z, d * z + c * w + a * y - b * x]
    return numpy.array(made) / numpy.linalg.norm(made)


def own(path):
    """The library's loop: corners on a plane, symplectic Euler, turns about the axis of the spin."""
    world = pcm.World(pcm.load(path))
    floor, box = (int(handle) for handle in world.add(["Floor", "Box"], mass=[0, MASS], fixed=[True, False]))
    place, turn, velocity, spin = PLACE.copy(), numpy.array([1.0, 0, 0, 0]), VELOCITY.copy(), SPIN.copy()
    up = numpy.array([0.0, 0, 1])
    for step in range(COUNT):
        axes = matrix(*turn)
        corners = place + CORNERS @ axes.T
        below = corners[corners[:, 2] < 0]
        world.move(box, numpy.array([[*place, *turn]]), numpy.array([[*spin, *velocity]]))
        world.touch_near(floor, box, below * [1, 1, 0.5], numpy.tile(up, (len(below), 1)), -below[:, 2])
        world.update(step * STEP, STEP)
        torque, force = world.wrench(box)[0].reshape(2, 3)
        yield place, velocity, world.contacts()
        world.commit()
        velocity = velocity + STEP * (force / MASS - 9.81 * up)
        turning = axes.T @ spin
        spin = spin + STEP * axes @ ((axes.T @ torque - numpy.cross(turning, INERTIA * turning)) / INERTIA)
        place = place + STEP * velocity
        turn = turned(turn, STEP * spin)


def mujoco(path):
    """implicit=False: with the forces at the start of the step, as the others."""
    import mujoco

    xml = f"""<mujoco><option timestep="{STEP}" integrator="Euler"/><worldbody>
      <geom name="Floor" type="plane" size="5 5 0.1"/>
      <body pos="0 0 {PLACE[2]}"><freejoint/><geom name="Box" type="box" size="{HALF[0]} {HALF[1]} {HALF[2]}" mass="{MASS}"/></body>
    </worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qvel[:] = [*VELOCITY, *SPIN]
    with pcm.attach(model, data, path, implicit=False) as host:
        for _ in range(COUNT):
            place, velocity = data.qpos[:3].copy(), data.qvel[:3].copy()
            host.forward()
            yield place, velocity, host.contacts()
            host.step()


def pybullet(path):
    import pybullet
    from pybullet_utils.bullet_client import BulletClient

    import pcm.pybullet

    client = BulletClient(pybullet.DIRECT)
    client.setGravity(0, 0, -9.81)
    client.setTimeStep(STEP)
    floor = client.createMultiBody(0, client.createCollisionShape(client.GEOM_PLANE))
    box = in_pybullet(client, MASS, PLACE, half=HALF, velocity=VELOCITY, spin=SPIN)
    with pcm.pybullet.attach(client, path, names={floor: "Floor", box: "Box"}) as host:
        for _ in range(COUNT):
            place, velocity = client.getBasePositionAndOrientation(box)[0], client.getBaseVelocity(box)[0]
            host.push()
            yield numpy.array(place), numpy.array(velocity), host.contacts()
            client.stepSimulation()
            host.commit()
    client.disconnect()


def dartpy(path, detector=None, plane=False):
    """detector: DART has four; without one, FCL as the world begins with. plane: the floor is one, not a box."""
    import dartpy

    import pcm.dart

    world = dartpy.simulation.World()
    world.setTimeStep(STEP)
    world.setGravity(numpy.array([0, 0, -9.81]))

    if detector:
        world.getConstraintSolver().setCollisionDetector(getattr(dartpy.collision, detector)())

    if plane:
        skeleton = dartpy.dynamics.Skeleton("Floor")
        floor = skeleton.createWeldJointAndBodyNodePair()[1]
        floor.setName("Floor")
        node = floor.createShapeNode(dartpy.dynamics.PlaneShape(numpy.array([0, 0, 1.0]), 0.0))
        node.createCollisionAspect()
        node.createDynamicsAspect()
        world.addSkeleton(skeleton)
    else:
        in_dart(world, "Floor", 0, (0, 0, -0.5), half=(5, 5, 0.5))
    box = in_dart(world, "Box", MASS, PLACE, half=HALF, velocity=VELOCITY, spin=SPIN)
    with pcm.dart.attach(world, path) as host:
        for _ in range(COUNT):
            place, velocity = box.getWorldTransform().translation(), box.getLinearVelocity()
            host.push()
            yield place, velocity, host.contacts()
            world.step()
            host.commit()


def drake(path):
    from pydrake import all as drake

    import pcm.drake

    builder = drake.DiagramBuilder()
    plant, graph = drake.AddMultibodyPlantSceneGraph(builder, STEP)
    in_drake(plant, "floor", 0, (0, 0, -0.5), half=(5, 5, 0.5))
    box = in_drake(plant, "Box", MASS, PLACE, half=HALF)
    plant.Finalize()
    laws = pcm.drake.ContactForces(plant, graph, path, names={plant.world_body().index(): "Floor"}).connect(builder)
    simulator = drake.Simulator(builder.Build())
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    motion = drake.SpatialVelocity(w=SPIN, v=VELOCITY)
    plant.SetFreeBodySpatialVelocity(context=context, body=box, V_JpJc=motion)
    simulator.Initialize()
    for step in range(COUNT):
        place = plant.EvalBodyPoseInWorld(context, box).translation()
        velocity = plant.EvalBodySpatialVelocityInWorld(context, box).translational()
        yield place, velocity, laws.contacts(laws.GetMyContextFromRoot(simulator.get_context()))
        simulator.AdvanceTo((step + 1) * STEP)


def ode(path):
    """ODE has no package for Python: this calls its C functions, and serves them by a loop like the library's own."""
    lib, number, body = ctypes.CDLL(ctypes.util.find_library("ode")), ctypes.c_double, ctypes.c_void_p

    class Point(ctypes.Structure):
        _fields_ = [("point", number * 4), ("normal", number * 4), ("depth", number), ("a", body), ("b", body), ("sides", ctypes.c_int * 2)]

    def call(name, *words, gives=None):
        function = getattr(lib, name)
        function.restype = gives
        return function(*(number(word) if isinstance(word, float) else body(word) if isinstance(word, int) else word for word in words))

    def read(name, count):
        return numpy.array(call(name, box, gives=ctypes.POINTER(number))[:count])

    if not call("dCheckConfiguration", ctypes.c_char_p(b"ODE_double_precision"), gives=ctypes.c_int):
        raise SystemExit("this ODE computes with floats")
    call("dInitODE")
    engine = call("dWorldCreate", gives=body)
    call("dWorldSetGravity", engine, 0.0, 0.0, -9.81)
    geoms = [call("dCreatePlane", 0, 0.0, 0.0, 1.0, 0.0, gives=body), call("dCreateBox", 0, *(2 * HALF).tolist(), gives=body)]
    box, mass = call("dBodyCreate", engine, gives=body), (number * 24)()
    call("dMassSetBoxTotal", mass, MASS, *(2 * HALF).tolist())
    call("dBodySetMass", box, mass)
    call("dGeomSetBody", geoms[1], box)
    for name, values in ("dBodySetPosition", PLACE), ("dBodySetLinearVel", VELOCITY), ("dBodySetAngularVel", SPIN):
        call(name, box, *values.tolist())
    world, points = pcm.World(pcm.load(path)), (Point * 16)()
    handles = [int(handle) for handle in world.add(["Floor", "Box"], mass=[0, MASS], fixed=[True, False])]
    for step in range(COUNT):
        place, velocity = read("dBodyGetPosition", 3), read("dBodyGetLinearVel", 3)
        pose = [*place, *read("dBodyGetQuaternion", 4)]
        world.move(handles[1], numpy.array([pose]), numpy.array([[*read("dBodyGetAngularVel", 3), *velocity]]))
        count = call("dCollide", *geoms, ctypes.c_int(16), points, ctypes.c_int(ctypes.sizeof(Point)), gives=ctypes.c_int)
        at, normal = (numpy.array([getattr(point, name)[:3] for point in points[:count]]) for name in ("point", "normal"))
        world.touch_near(*handles, at.reshape(-1, 3), -normal.reshape(-1, 3), numpy.array([point.depth for point in points[:count]]))
        world.update(step * STEP, STEP)
        wrench = world.wrench(handles[1])[0].tolist()
        yield place, velocity, world.contacts()
        call("dBodyAddTorque", box, *wrench[:3])
        call("dBodyAddForce", box, *wrench[3:])
        call("dWorldStep", engine, STEP)
        world.commit()


def is_there(needed):
    return (ctypes.util.find_library if needed == "ode" else importlib.util.find_spec)(needed) is not None


#: What is run, and the package or, of ODE, the C library that it needs.
ENGINES = {
    "own loop": (own, "pcm"),
    "MuJoCo": (mujoco, "mujoco"),
    "PyBullet": (pybullet, "pybullet"),
    "ODE": (ode, "ode"),
    "Drake": (drake, "pydrake"),
    "DART": (dartpy, "dartpy"),
    "DART/Bullet": (partial(dartpy, detector="BulletCollisionDetector"), "dartpy"),
    "DART/ODE": (partial(dartpy, detector="OdeCollisionDetector"), "dartpy"),
    "DART/plane": (partial(dartpy, plane=True), "dartpy"),
}


class Run:
    """What an engine did: places, velocities, sums of the forces, and the contacts of the first step by their places."""

    def __init__(self, engine, path):
        self.places, self.velocities, self.forces, self.first = [], [], [], None
        for place, velocity, rows in engine(path):
            self.places.append(place)
            self.velocities.append(velocity)
            self.forces.append(rows["world_force"].sum(axis=0))
            if self.first is None:
                self.first = rows[numpy.lexsort(rows["point"].T.round(6)[:2])]
        self.places, self.velocities, self.forces = map(numpy.array, (self.places, self.velocities, self.forces))


def certify(name, run, base):
    end, off = 1e3 * run.places[-1], numpy.linalg.norm(run.places[-1] - base.places[-1])
    one, other = run.first, base.first
    if len(one) == len(other):
        forces = numpy.linalg.norm(one["world_force"] - other["world_force"], axis=1)
        apart = numpy.abs(one["point"] - other["point"])
        midway = apart[:, 2].max() < 0.1 * other["depth"].max()
        why = "the same points" if midway else "points on one surface, not midway"
        said = " ".join(f"{force:8.1e}" for force in forces)
    else:
        why, said = "too few points" if len(one) < len(other) else "more points", "-".center(35)
    print(f"{name:12} {len(one):2} {said} {end[0]:9.3f} {end[1]:8.3f} {off:8.1e}  {why}")


def main(path, table):
    warnings.simplefilter("ignore", pcm.Warning)
    runs = {}
    for name, (engine, needed) in ENGINES.items():
        if not is_there(needed):
            print(f"{name} is not installed")
            continue
        runs[name] = Run(engine, path)
    base = runs["own loop"]
    print("The forces of the own loop at the first step, in N, corner by corner:")
    for row in base.first:
        print("   ({0:8.4f}, {1:8.4f}, {2:8.4f})".format(*row["world_force"]))
    print("And in each engine: the number of points, how far each of these forces is off, N, where the box ends, x and y,")
    print("mm, and how far off that is, m")
    for name, run in runs.items():
        certify(name, run, base)
    with open(table, "w", encoding="utf-8") as file:
        print("t", *(f"{name} {what}" for name in runs for what in ("x", "y", "friction", "off")), sep=",", file=file)
        for k in range(COUNT):
            row = [f"{k * STEP:.6g}"]
            for run in runs.values():
                off = numpy.linalg.norm(run.places[k] - base.places[k])
                friction = numpy.linalg.norm(run.forces[k][:2])
                row += [f"{x:.12g}" for x in (*run.places[k][:2], friction, off)]
            print(*row, sep=",", file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
