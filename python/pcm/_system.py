# SPDX-License-Identifier: MIT
"""All contacts of an engine on a Warp device: its memory, and the launches of an evaluation."""

import numpy
import warp as wp

from . import _rows as rows
from ._evaluate import evaluator, unsupported
from ._header import Header
from ._report import Error

#: A contact in Host.contacts(). shapes, bodies: the base's first, in the engine's numbers; place: with the shapes it
#: names the contact as long as it lasts; force: N, on the follower, in world axes.
CONTACT = numpy.dtype(
    [("world", "i4"), ("type", "U64"), ("shapes", "i4", 2), ("bodies", "i4", 2), ("place", "i4"), ("depth", "f8")]
    + [(name, "f8", 3) for name in ("point", "normal", "force")]
)


def _header(path, traits, settings):
    return Header(path, traits["written"], between=traits["materials"], settings=settings)


class System:
    """pairs: a list of rows.Pair. worlds, bodies: their numbers. places: the largest number of contacts of a pair."""

    def __init__(self, path, pairs, worlds, bodies, places, settings, device):
        if not pairs:
            raise ValueError(f"{path}: the rules give no pair of shapes that can touch to a law")
        self.pairs = sorted(pairs, key=lambda pair: pair.traits["type"])
        self.worlds, self.bodies, self.places, self.device = worlds, bodies, places, device
        self._kernels = []  # and the first pair and the number of pairs of each
        for kind in dict.fromkeys(pair.traits["type"] for pair in self.pairs):
            own = [k for k, pair in enumerate(self.pairs) if pair.traits["type"] == kind]
            traits = self.pairs[own[0]].traits
            header = _header(path, traits, settings)
            reason = unsupported(header, traits)
            if reason:
                raise ValueError(f"{path}: {kind} cannot act in this engine: {reason}")
            self._kernels.append((evaluator(header, traits), own[0], len(own)))
        self._allocate()

    def _allocate(self):
        count, shape = len(self.pairs), (self.worlds, len(self.pairs), self.places)
        columns = [pair.traits["columns"] for pair in self.pairs]
        with wp.ScopedDevice(self.device):
            self.touches, self.rows = wp.zeros(shape, dtype=rows.Touch), wp.zeros(shape, dtype=rows.Row)
            self.body = wp.zeros((self.worlds, self.bodies), dtype=rows.Body)
            self.force = wp.zeros((self.worlds, self.bodies), dtype=wp.vec3d)
            self.torque = wp.zeros((self.worlds, self.bodies), dtype=wp.vec3d)
            size = (max(columns), self.worlds * count * self.places)
            self.state, self.next = wp.zeros(size, dtype=wp.float64), wp.zeros(size, dtype=wp.float64)
            self.time, self.dt = wp.zeros(self.worlds, dtype=wp.float64), wp.zeros(self.worlds, dtype=wp.float64)
            self._last = wp.zeros(self.worlds, dtype=wp.float64)
            self.fresh = wp.zeros(self.worlds, dtype=wp.float64)
            self.stamp = wp.zeros(self.worlds, dtype=wp.int64)
            self._action, self.lost, self._failed = (wp.zeros(self.worlds, dtype=wp.int32) for _ in range(3))
            self._columns = wp.array(columns, dtype=wp.int32)
            self._near = wp.array([pair.near for pair in self.pairs], dtype=wp.float64)
            self._onset = wp.array([pair.traits["onset"] for pair in self.pairs], dtype=wp.float64)
            self._base = wp.array([pair.bodies[0] for pair in self.pairs], dtype=wp.int32)
            self._sides = wp.array([pair.bodies for pair in self.pairs], dtype=wp.int32)
            self._curvatures = wp.array([sum(pair.curvatures) for pair in self.pairs], dtype=wp.float64)
            self._first, self._side = self._pairs_of_bodies()

    def _pairs_of_bodies(self):
        own = [[] for _ in range(self.bodies)]
        for k, pair in enumerate(self.pairs):
            for follower in (0, 1):
                own[pair.bodies[follower]].append(2 * k + follower)
        first = numpy.cumsum([0] + [len(sides) for sides in own])
        side = numpy.array(sum(own, []), numpy.int32)
        return wp.array(first, dtype=wp.int32), wp.array(side, dtype=wp.int32)

    def begin(self):
        """After time and dt are set: the evaluation has its stamp, with which the engine reports touches and motion."""
        self._launch(rows.advance, self.worlds, self.time, self._last, self._action, self.fresh, self.stamp)

    def evaluate(self):
        """From touches and bodies to force and torque, of each body in each world, about the world's origin."""
        count = len(self.pairs)
        shape = (self.worlds, count, self.places)
        self._launch(rows.settle, shape, self._action, self._columns, self.state, self.next, self.rows)
        self._launch(
            rows.match, shape[:2], self.stamp, self._near, self._onset, self._base, self.body, self.touches, self.rows,
            self.lost,
        )  # fmt: skip
        state, next = self.state.flatten(), self.next.flatten()
        for kernel, first, pairs in self._kernels:
            self._launch(
                kernel, (self.worlds, pairs, self.places), first, self.time, self.dt, self.fresh, self._sides,
                self._curvatures, self.body, self.touches, state, next, self.rows, self._failed,
            )  # fmt: skip
        self._launch(
            rows.gather, (self.worlds, self.bodies), self._first, self._side, self.rows, self.force, self.torque
        )

    def _launch(self, kernel, dim, *inputs):
        wp.launch(kernel, dim=dim, inputs=list(inputs), device=self.device)

    def status(self):
        """Raises pcm.Error if contacts were lost since the last call, or had numbers that are not finite."""
        lost, failed = int(self.lost.numpy().sum()), int(self._failed.numpy().sum())
        self.lost.zero_()
        self._failed.zero_()
        if lost:
            raise Error(f"{lost} contacts had no place: attach with more than places={self.places}")
        if failed:
            raise Error(f"{failed} contacts gave no force: their motion, or what the law made of it, is not finite")

    def contacts(self):
        """Those of the last evaluation, in the order of worlds and rows, as an array of CONTACT."""
        table, touches = self.rows.numpy(), self.touches.numpy()
        acting = (table["touch"] >= 0) & (table["after"] == int(rows.LIVE))
        found = numpy.argwhere(acting)
        contacts = numpy.zeros(len(found), CONTACT)
        for contact, (w, p, k) in zip(contacts, found):
            pair, row = self.pairs[p], table[w, p, k]
            touch = touches[w, p, row["touch"]]
            contact["world"], contact["type"] = w, pair.traits["type"]
            contact["shapes"], contact["bodies"], contact["place"] = pair.shapes, pair.bodies, k
            for name in ("depth", "point", "normal"):
                contact[name] = touch[name]
            contact["force"] = row["force"]
        return contacts
