# SPDX-License-Identifier: MIT
"""Worlds of contacts."""

import os
from collections import namedtuple

import numpy

from . import _pcm

#: A row of World.contacts(): handles, the index of the contact type, motion and forces of a contact.
CONTACT = numpy.dtype(
    [(name, "u8") for name in ("contact", "id", "feature", "base", "follower")]
    + [(name, "i8") for name in ("type", "mode", "life")]
    + [(name, "f8") for name in ("since", "depth", "depth_rate", "energy", "area", "share", "scale")]
    + [("point", "f8", 3), ("frame", "f8", (3, 3)), ("slip", "f8", 2)]
    + [(name, "f8", 3) for name in ("spin", "force", "moment", "world_force")]
)

#: The shape of a contact, for World.touch(shape=...): pcm_contact_shape, with the units that stand there.
SHAPE = numpy.dtype(
    [("size", "u8"), ("curvature", "f8", 2), ("direction", "f8", 3)]
    + [(name, "f8") for name in ("point_part", "patch_part", "line_length", "line_curvature", "flat_area", "flat_aspect")]
)


def shapes(count):
    """Shapes of `count` points whose curvatures are not known: an array of SHAPE to fill in."""
    made = numpy.zeros(count, SHAPE)
    made["size"] = SHAPE.itemsize
    made["curvature"] = numpy.nan
    made["direction"] = (1, 0, 0)
    made["point_part"] = made["flat_aspect"] = 1
    return made


RuleStats = namedtuple("RuleStats", "rule made parted broken max_depth max_slip max_force")
Ledger = namedtuple("Ledger", "work stored dissipated residue brought")


def _spread(value, count, name):
    """A value for each of `count` objects: one for all, or a list with one for each."""
    if value is None or isinstance(value, (str, int, float)):
        return [value] * count
    values = list(value)
    if len(values) != count:
        raise ValueError(f"{name}: {len(values)} values for {count} objects")
    return values


class World(_pcm.World):
    """Objects and their contacts under a config's rules. It belongs to one thread at a time."""

    def __new__(cls, config, *, threads=1, log=None, ledger=False):
        if not 0 <= threads <= 1024:
            raise ValueError(f"threads is {threads}: a world has 0 to 1024")
        world = super().__new__(cls, config, threads, None if log is None else os.fsencode(log), ledger)
        world.config = config
        return world

    def add(self, names, *, surface=None, radius=0.0, mass=0.0, fixed=False):
        """Adds an object for each name and returns their handles. What is given as a list has an entry for each."""
        names = [names] if isinstance(names, str) else list(names)
        count = len(names)
        columns = zip(
            names,
            _spread(surface, count, "surface"),
            _spread(radius, count, "radius"),
            _spread(mass, count, "mass"),
            _spread(fixed, count, "fixed"),
        )
        handles = []
        try:
            for row in columns:
                handles.append(self._add(*row))
        except BaseException:
            for handle in handles:
                self.remove(handle)
            raise
        return numpy.array(handles, dtype=numpy.uint64)

    def _amount_index(self, name):
        names = self.config.amounts
        if name not in names:
            raise ValueError(f"the laws have no amount {name!r}; they have {', '.join(names) or 'none'}")
        return names.index(name)

    def amount(self, name, objects):
        """What objects have of an amount that laws read and change: a temperature, say."""
        return self._amount(self._amount_index(name), 0, objects)

    def flow(self, name, objects):
        """What flowed into objects at the last update, per second: the sum over their contacts."""
        return self._amount(self._amount_index(name), 1, objects)

    def set_amount(self, name, objects, values):
        """Sets what objects have; it counts from the next update on."""
        self._set_amount(self._amount_index(name), 0, objects, values)

    def set_capacity(self, name, objects, values):
        """Sets how much has to flow for one unit more. Commits integrate amounts of a capacity above 0."""
        self._set_amount(self._amount_index(name), 1, objects, values)

    def contacts(self):
        """The contacts of the last update, as an array of CONTACT."""
        return self._contacts(CONTACT)

    def rules(self):
        """What became of the contacts under each rule, in the order of the file."""
        return [RuleStats(rule, *stats) for rule, stats in zip(self.config.rules, self._rule_stats())]

    def ledger(self):
        """Where energy went, by the names of the contact types; all zero in a world without a ledger."""
        return {name: Ledger(*sums) for name, sums in self._ledger().items()}
