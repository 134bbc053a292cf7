# SPDX-License-Identifier: MIT
"""A program that uses all of the package, for `mypy --strict`; it is not run."""

import numpy
from numpy.typing import NDArray

import pcm

Floats = NDArray[numpy.float64]

config = pcm.load("a.pcm", settings={"C.Friction": 0.5, "C.Single": True}, plugins=["laws"])
law = config["Rubber"]
force: Floats = law(depth=numpy.zeros(3), slip=numpy.zeros((3, 2)), dt=0.1)["force_n"]
slope: Floats = law.jacobian([("force_n", "depth")])(depth=1.0)[("force_n", "depth")]
winner: str = config.explain("Foot:Rubber", "Wall")[0].type

world = pcm.World(config, threads=2, log="logs", ledger=True)
handles = world.add(["a", "b"], surface="Rubber", radius=[0.1, 0.2], fixed=True)
contacts = numpy.zeros(2, numpy.uint64)
world.move(handles, numpy.zeros((2, 7)), numpy.zeros((2, 6)))
world.touch(int(handles[0]), handles, None, numpy.zeros((2, 3)), numpy.zeros((2, 3)), numpy.zeros(2), contacts)
world.update(0.0, 1e-3)
world.restore(world.save())
total: float = world.ledger()["Rubber"].work + world.rules()[0].max_force

try:
    pcm.parse("")
except pcm.Error as error:
    line: int = error.diagnostics[0].line


class Data:
    _address = 64


with pcm.attach(Data(), Data(), config, surfaces={"*Foot": "Rubber"}) as host:
    host.step()
    bodies: NDArray[numpy.int64] = host.contacts()["base_body"]


@pcm.law(params={"K": pcm.param(1.0, "N/m", min=0)})
def Spring(depth: Floats, K: float) -> dict[str, Floats]:
    return {"force_n": pcm.where(depth > 0, K * depth, 0)}


built: pcm.Law = Spring.build("out")
