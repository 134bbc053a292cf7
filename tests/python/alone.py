# SPDX-License-Identifier: MIT
"""usage: alone.py FOLDER PLUGINS: the extension alone, in an interpreter with nothing else: a law's call and a step of a world."""

import collections
import sys

sys.path.insert(0, sys.argv[1])
import _pcm


def zeros(shape, dtype):
    shape = (shape,) if isinstance(shape, int) else shape
    letter = {"float64": "d", "uint64": "Q", "int64": "q"}[dtype]
    count = 1
    for size in shape:
        count *= size
    return memoryview(bytearray(8 * count)).cast(letter, shape)


def column(*values):
    made = zeros(len(values), "float64")
    for i, value in enumerate(values):
        made[i] = value
    return made


def rows(*values):
    made = zeros((len(values), len(values[0])), "float64")
    for i, row in enumerate(values):
        for k, value in enumerate(row):
            made[i, k] = value
    return made


class Error(Exception):
    pass


names = "severity code message file line column length text"
_pcm.adopt(Error, UserWarning, collections.namedtuple("Diagnostic", names), print, zeros, None, None, None, None)
text = "ContactType C = ViscoelasticGround { GroundStiffness = 1e6; }; DefaultPair -> C;"
config = _pcm.Config(b"text", text, (), sys.argv[2].encode())
law = _pcm.Law(config, "C")
force = law(depth=column(1e-3, 0.0), depth_rate=0.0, slip=rows((0, 0), (0, 0)))["force_n"]
assert force[0] > 0 and force[1] == 0
world = _pcm.World(config, 1, None, False)
floor, ball = world._add("Floor", None, 0.0, 0.0, True), world._add("Ball", None, 0.1, 1.0, False)
contacts = zeros(1, "uint64")
world.touch(floor, ball, None, rows((0, 0, 0)), rows((0, 0, 1)), column(1e-3), contacts)
world.update(0.0, 1e-3)
assert abs(world.wrench(ball)[0, 5] - force[0]) < 1e-12 * force[0] and contacts[0] != 0
world.commit()
try:
    world.touch(floor, ball, None, rows((0, 0)), rows((0, 0, 1)), column(1e-3), contacts)
except ValueError as error:
    assert "point" in str(error)
try:
    _pcm.Config(b"text", "ContactType", (), b"")
except Error as error:
    assert "PCM-" in str(error)
del world, law, config
