# SPDX-License-Identifier: MIT
"""What the tests of the Python package share."""

import numpy
import pytest

import pcm

TEXT = """
ContactType Soft = CompliantGround { Stiffness = 1e5 [N/m^1.5]; Friction = 0.8; };
ContactType Hard = ViscoelasticGround { GroundStiffness = 20 [kN/m]; Friction = 0.5; };
SurfacePair Floor * Rubber -> Soft;
SurfacePair Floor * Steel -> Hard;
"""


@pytest.fixture
def config():
    return pcm.parse(TEXT)


class Scene:
    """Balls in a row on a floor: what a user keeps in arrays."""

    def __init__(self, config, count, surface="Rubber", **settings):
        self.count, self.time = count, 0.0
        self.world = pcm.World(config, **settings)
        self.floor = int(self.world.add("Floor", surface="Floor", fixed=True)[0])
        names = [f"Ball{i}" for i in range(count)]
        self.balls = self.world.add(names, surface=surface, radius=0.05, mass=1.0)
        self.poses = numpy.zeros((count, 7))
        self.poses[:, 0] = 0.2 * numpy.arange(count)
        self.poses[:, 2] = 0.049
        self.poses[:, 3] = 1
        self.twists = numpy.zeros((count, 6))
        self.feature = numpy.zeros(count, numpy.uint64)
        self.point = self.poses[:, :3].copy()
        self.normal = numpy.tile([0.0, 0.0, 1.0], (count, 1))
        self.depth = numpy.linspace(5e-4, 1e-3, count)
        self.contacts = numpy.zeros(count, numpy.uint64)
        self.out = numpy.zeros((count, 6))

    def touch(self, **other):
        given = {
            name: getattr(self, name) for name in ("feature", "point", "normal", "depth", "contacts")
        }
        self.world.touch(**{"a": self.floor, "b": self.balls, **given, **other})

    def step(self, dt=1e-3):
        self.time += dt
        self.world.move(self.balls, self.poses, self.twists)
        self.touch()
        self.world.update(self.time, dt)
        self.world.wrench(self.balls, self.out)
        self.world.commit()
        return self.out


@pytest.fixture
def scene(config):
    return Scene(config, 7)


@pytest.fixture
def new_scene():
    return Scene
