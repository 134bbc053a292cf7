# SPDX-License-Identifier: MIT
"""usage: engines.py [COUNT ...]

What laws cost in engines from Python: the time of a step of so many boxes at rest on a floor, with the engine's own
contacts and with laws, in turns in the same run; the least of the rounds. Engines that are not installed are left out."""

import contextlib
import io
import os
import sys
import time
import warnings

import numpy

import pcm

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../examples/transfer"))
from bodies import in_dart, in_drake, in_pybullet  # noqa: E402

TEXT = (
    "ContactType C = KelvinVoigt + Dahl { KelvinVoigt.Stiffness = 1e5; Damping = 30; Dahl.Stiffness = 1e4; "
    "Friction = 0.5; }; ObjectPair Floor * Box -> C;"
)
HALF, STEP, ROUNDS = numpy.array([0.1, 0.1, 0.05]), 1e-3, 5


def places(count):
    side = int(numpy.ceil(count**0.5))
    return [(0.3 * (k % side), 0.3 * (k // side), HALF[2] - 2.5e-5) for k in range(count)]


def pybullet(count, law):
    import pybullet
    from pybullet_utils.bullet_client import BulletClient

    import pcm.pybullet

    client = BulletClient(pybullet.DIRECT)
    client.setGravity(0, 0, -9.81)
    client.setTimeStep(STEP)
    names = {client.createMultiBody(0, client.createCollisionShape(client.GEOM_PLANE)): "Floor"}
    for place in places(count):
        names[in_pybullet(client, 1, place, half=HALF)] = "Box"
    return pcm.pybullet.attach(client, pcm.parse(TEXT), names=names).step if law else client.stepSimulation


def dartpy(count, law):
    import dartpy

    import pcm.dart

    world = dartpy.simulation.World()
    world.setTimeStep(STEP)
    asleep = world.getDeactivationOptions()
    asleep.mEnabled = False  # bodies at rest would cost nothing
    world.setDeactivationOptions(asleep)
    in_dart(world, "Floor", 0, (0, 0, -0.5), half=(50, 50, 0.5))
    for place in places(count):
        in_dart(world, "Box", 1, place, half=HALF)
    return pcm.dart.attach(world, pcm.parse(TEXT)).step if law else world.step


def pydrake(count, law):
    from pydrake import all as drake

    import pcm.drake

    builder = drake.DiagramBuilder()
    plant, graph = drake.AddMultibodyPlantSceneGraph(builder, STEP)
    in_drake(plant, "floor", 0, (0, 0, -0.5), half=(50, 50, 0.5))
    names = {plant.world_body().index(): "Floor"}
    for k, place in enumerate(places(count)):
        names[in_drake(plant, f"Box{k}", 1, place, half=HALF).index()] = "Box"
    plant.Finalize()
    if law:
        pcm.drake.ContactForces(plant, graph, pcm.parse(TEXT), names=names).connect(builder)
    simulator = drake.Simulator(builder.Build())
    simulator.Initialize()
    return lambda: simulator.AdvanceTo(simulator.get_context().get_time() + STEP)


def main(counts):
    warnings.simplefilter("ignore", pcm.Warning)
    print("engine      boxes   own contacts, us   laws, us")
    for engine in (pybullet, dartpy, pydrake):
        for count in counts:
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    steps = engine(count, False), engine(count, True)
            except ImportError:
                print(f"{engine.__name__} is not installed")
                break
            least = [float("inf")] * 2
            repeats = max(5, 300 // count)
            for _ in range(ROUNDS):
                for k, step in enumerate(steps):
                    start = time.process_time()
                    for _ in range(repeats):
                        step()
                    least[k] = min(least[k], (time.process_time() - start) / repeats)
            print(f"{engine.__name__:10} {count:6} {1e6 * least[0]:18.0f} {1e6 * least[1]:10.0f}")


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [1, 10, 100])
