# SPDX-License-Identifier: MIT
"""What hosts of engines share that find contact points without features: objects by the engine's own keys and names,
the pairs that laws serve, a step from points to wrenches, and advice on its length."""

import math
import os
import warnings
import weakref
from fnmatch import fnmatchcase
from typing import NamedTuple

import numpy

from ._config import Config, load
from ._report import Warning
from ._world import World


class Thing(NamedTuple):
    """An object as the engine knows it. key: the engine's own; mass: kg, 0 if it cannot move."""

    key: object
    name: str
    mass: float = 0.0
    radius: float = 0.0
    fixed: bool = False


class Meeting(NamedTuple):
    """The points of two objects, by their places in the list: normals point from a to b."""

    a: int
    b: int
    points: numpy.ndarray
    normals: numpy.ndarray
    depths: numpy.ndarray


def no_points(a, b):
    return Meeting(a, b, numpy.zeros((0, 3)), numpy.zeros((0, 3)), numpy.zeros(0))


_serving = weakref.WeakValueDictionary()  # who serves which simulation


def check_free(simulation):
    """RuntimeError: laws are attached to that simulation already."""
    if simulation in _serving:
        raise RuntimeError("laws are attached to this simulation already: close() them before others are attached")


def serve(simulation, host):
    _serving[simulation] = host


def leave(simulation):
    _serving.pop(simulation, None)


class Objects:
    """The objects of an engine in a world of laws, with their motion and wrenches in arrays, row by row."""

    def __init__(self, config, *, names=None, surfaces=None, log=None, ledger=False, advise_step=True):
        self.config = config if isinstance(config, Config) else load(config)
        self.world = World(self.config, log=log, ledger=ledger)
        self.things, self._rows, self._handles = [], {}, numpy.zeros(0, numpy.uint64)
        self._names, self._surfaces = dict(names or {}), dict(surfaces or {})
        self._advises, self._updates = advise_step, 0
        self.gap = max((self.config[name]._traits["separation"] for name in self.config), default=0.0)
        self._resize()

    def _resize(self):
        count = len(self.things)
        self.poses, self.twists, self.wrenches = numpy.zeros((count, 7)), numpy.zeros((count, 6)), numpy.zeros((count, 6))
        self.poses[:, 3] = 1

    def add(self, things):
        """Adds objects; those without a name are none, and the engine keeps their contacts."""
        things = [thing._replace(name=self._names.get(thing.key, thing.name)) for thing in things]
        for thing in things:
            if thing.key in self._rows or sum(thing.key == other.key for other in things) > 1:
                raise ValueError(f"{thing.name or thing.key!r} is an object already: each one is added once")
        things = [thing for thing in things if thing.name]
        for thing in things:
            handle = self.world.add(
                thing.name,
                surface=self._surface(thing.name),
                radius=thing.radius,
                mass=thing.mass,
                fixed=thing.fixed,
            )
            self._rows[thing.key] = len(self.things)
            self.things.append(thing)
            self._handles = numpy.append(self._handles, handle)
        self._resize()

    def check_patterns(self):
        """Raises ValueError for an entry of names or surfaces that fits no object. Those without a name are none."""
        keys = list(self._rows)
        for key, name in self._names.items():
            if name and key not in keys:
                raise ValueError(f"names: the engine has no {key!r} to be called {name!r}")
        called = [thing.name for thing in self.things]
        for pattern in self._surfaces:
            if not any(fnmatchcase(name, pattern) for name in called):
                raise ValueError(f"surfaces: no object is called {pattern!r}; there are {', '.join(called[:10])}")

    def _check_rules(self):
        """Warns of names in ObjectPair rules that no object has."""
        called, told = [thing.name for thing in self.things], set()
        there_are = ", ".join(called[:10]) or "none"
        for rule in self.config.rules:
            for name in (rule.a, rule.b) if rule.kind == "ObjectPair" else ():
                if name not in told and not any(fnmatchcase(other, name) for other in called):
                    told.add(name)
                    warnings.warn(
                        f"{rule.file}:{rule.line}: no object is called {name!r}; there are {there_are}",
                        Warning,
                        stacklevel=4,  # who calls push
                    )

    def _surface(self, name):
        return next((surface for pattern, surface in self._surfaces.items() if fnmatchcase(name, pattern)), None)

    def remove(self, key):
        """Forgets an object; its contacts end. Returns its row, at which the last one is now."""
        if key not in self._rows:
            raise ValueError(f"{key!r} is no object of this host")
        row = self._rows.pop(key)
        self.world.remove(int(self._handles[row]))
        last = self.things.pop()
        if last.key != key:
            self.things[row], self._handles[row], self._rows[last.key] = last, self._handles[-1], row
        self._handles = self._handles[:-1].copy()
        self._resize()

    def row(self, key):
        """The row of a key, or None."""
        return self._rows.get(key)

    def serves(self, a, b):
        """Whether a law acts between two rows. Two that cannot move have nothing to say to each other."""
        if not (self.things[a].mass > 0 or self.things[b].mass > 0):
            return False
        return self.world.pair(int(self._handles[a]), int(self._handles[b])) is not None

    def evaluate(self, time, step, meetings):
        """The wrenches for a step from the motion in `poses` and `twists`, and the points of pairs. Each pair comes once:
        one that touched at the last step also without points, as the engine may have dropped them for a step."""
        if not (step > 0 and math.isfinite(step)):
            raise ValueError(f"a step of {step} s is none: it must be above 0")
        if self._updates == 0:
            self._check_rules()
        self.world.move(self._handles, self.poses, self.twists)
        for meeting in meetings:
            if not len(meeting.depths):
                a, b = (int(self._handles[row]) for row in meeting[:2])
                self.world.touch_near(a, b, meeting.points, meeting.normals, meeting.depths)
        meetings = [meeting for meeting in meetings if len(meeting.depths)]
        if meetings:
            counts = [len(meeting.depths) for meeting in meetings]
            self.world.touch_near(
                numpy.repeat(self._handles[[meeting.a for meeting in meetings]], counts),
                numpy.repeat(self._handles[[meeting.b for meeting in meetings]], counts),
                numpy.concatenate([meeting.points for meeting in meetings]),
                numpy.concatenate([meeting.normals for meeting in meetings]),
                numpy.concatenate([meeting.depths for meeting in meetings]),
            )
        self.world.update(time, step)
        self.world.wrench(self._handles, self.wrenches)
        self._updates += 1
        if self._advises and not self._updates & (self._updates - 1):  # it costs as much as some updates
            self._advise(step)
        return self.wrenches

    def _advise(self, step):
        """Warns once of a step that is too large for some contact."""
        least, *sides = self.world._least_step()
        if not step > least:
            return
        self._advises = False
        names = dict(zip(self._handles.tolist(), (thing.name for thing in self.things)))
        a, b = (names[handle] for handle in sides)
        warnings.warn(
            f"the step of {step:.3g} s is too large: by its stiffness, its damping and its share of the bodies, the "
            f"contact of '{a}' and '{b}' is stable up to {least:.3g} s: shorten it or soften the contact type",
            Warning,
            stacklevel=4,  # who calls push
        )


class Host:
    """Contact laws in an engine that steps by itself. The loop calls `step`, or `push` and `commit` around the engine's
    own step; leaving a `with` block detaches them, and the engine's own contacts act again.

    A host of an engine has: _bodies(), the Things that there are; _period(), the step, s; _read(key), position,
    orientation (scalar first), angular and linear velocity; _meetings(); _give(key, wrench); _advance(), the engine's
    step; _part(a, b) and _rejoin(a, b), which switch the engine's own contact of two keys off and on. simulation: what
    tells it from others while the host lives."""

    def __init__(self, simulation, config, **options):
        check_free(simulation)
        self._simulation = simulation
        self._objects = Objects(config, **options)
        self._pairs, self._pushed, self._closed, self.time = [], 0.0, False, 0.0
        self._objects.add(self._bodies())
        self._objects.check_patterns()
        self._divide()
        serve(simulation, self)

    @property
    def config(self):
        return self._objects.config

    @property
    def world(self):
        """The world that answers."""
        return self._objects.world

    def contacts(self):
        """The contacts of the last push, as an array of pcm.CONTACT."""
        return self.world.contacts()

    def _key_pairs(self):
        return [(self._objects.things[a].key, self._objects.things[b].key) for a, b in self._pairs]

    def _divide(self):
        """Pairs with a law are the law's; all others are the engine's."""
        before, count = set(self._key_pairs()), len(self._objects.things)
        self._pairs = [
            (a, b)
            for b in range(count)
            for a in range(b)
            if self._may_meet(self._objects.things[a].key, self._objects.things[b].key) and self._objects.serves(a, b)
        ]
        for pair in set(self._key_pairs()) - before:
            self._part(*pair)
        for row, thing in enumerate(self._objects.things):
            self._take(row, thing.key)
        self._sort_out()

    def _may_meet(self, a, b):
        return True

    def _sort_out(self):
        """What the host prepares for its search after the pairs have changed."""

    def _take(self, row, key):
        position, turn, angular, linear = self._read(key)
        self._objects.poses[row, :3], self._objects.poses[row, 3:] = position, turn
        self._objects.twists[row, :3], self._objects.twists[row, 3:] = angular, linear

    def add(self, key):
        """Takes a body on that was made after the attachment."""
        self._ready()
        found = [thing for thing in self._bodies() if thing.key == key]
        if not found:
            raise ValueError(f"the engine has no {key!r} with a shape")
        self._objects.add(found)
        self._divide()

    def remove(self, key):
        """Lets a body go, before the engine removes it: its contacts end, and the engine's own act again."""
        self._ready()
        if self._objects.row(key) is None:
            raise ValueError(f"{key!r} is no object of this host")
        for pair in self._key_pairs():
            if key in pair:
                self._rejoin(*pair)
        self._objects.remove(key)
        self._pairs = []
        self._divide()

    def _ready(self):
        if self._closed:
            raise RuntimeError("the laws were detached")

    def push(self):
        """Gives bodies the laws' forces for the engine's next step."""
        self._ready()
        if self._pushed:
            raise RuntimeError("the last push was not committed: call commit() after each step of the engine")
        step, objects = self._period(), self._objects
        for row, thing in enumerate(objects.things):
            if not thing.fixed:
                self._take(row, thing.key)
        wrenches = objects.evaluate(self.time, step, self._meetings())
        for row in numpy.flatnonzero(wrenches.any(axis=1)).tolist():
            if objects.things[row].mass > 0:
                self._give(objects.things[row].key, wrenches[row])
        self._pushed = step

    def commit(self):
        """After the engine's step: contact states advance."""
        self._ready()
        if not self._pushed:
            raise RuntimeError("there is no push to commit")
        self.world.commit()
        self.time += self._pushed
        self._pushed = 0.0

    def step(self):
        """A push, the engine's own step, and a commit."""
        self.push()
        self._advance()
        self.commit()

    def close(self):
        """Detaches the laws: the engine's own contacts act again."""
        if not self._closed:
            for pair in self._key_pairs():
                self._rejoin(*pair)
            leave(self._simulation)
        self._closed = True

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


def options(names, surfaces, log, ledger, advise_step):
    """The options that every attachment has."""
    folder = None if log is None else os.fsdecode(log)
    return dict(names=names, surfaces=surfaces, log=folder, ledger=ledger, advise_step=advise_step)
