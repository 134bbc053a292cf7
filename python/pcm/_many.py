# SPDX-License-Identifier: MIT
"""Laws in many simulations of one model: the environments of a learner."""

import os

import numpy

from . import _pcm
from ._attach import Host, _address, _eased, _host_library, _texts_of
from ._config import Config, load
from ._report import Error


class Hosts(_pcm.Hosts):
    """Contact laws in several mjData of one model, a Host for each: hosts[0], hosts[1] ... Leaving a `with` block
    detaches them."""

    def __getitem__(self, index):
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"there are {count} attachments, and none has the index {index}")
        host = self._at(Host, index % count)
        host.config, host._model = self.config, self._model
        return host

    def _mask(self, which):
        if which is None:
            return None
        mask = numpy.zeros(len(self), bool)
        mask[which] = True
        return mask

    def step(self, steps=1, which=None):
        """Makes that many steps in all, or in those that `which` selects, in the threads of attach_many and without the
        GIL: the bits of host.step() in each. One that fails takes no further step, and the others go on; the Error has
        the indices of those that failed as `environments`."""
        if steps < 0:
            raise ValueError(f"steps: {steps} is negative")
        statuses = numpy.zeros(len(self), numpy.int64)
        try:
            self._step(steps, self._mask(which), statuses)
        except Error as error:
            error.environments = tuple(numpy.flatnonzero(statuses).tolist())
            error.add_note(f"in environments {', '.join(map(str, error.environments))}")
            raise

    def reset(self, which=None):
        """Contacts of all, or of those that `which` selects, begin anew; parameters stay as they were set. For resets
        that leave the clock where it was: mujoco.mj_resetData needs no call."""
        self._reset(self._mask(which))

    def set(self, name, values, which=None):
        """Sets a parameter, "Type.Parameter", to a number for each, or to one for all; as Host.set. `which` selects
        those that are set. At an error those before it keep the new number."""
        self._set(name, numpy.ascontiguousarray(numpy.broadcast_to(values, len(self)), float), self._mask(which))

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


def attach_many(model, data, config, threads=0, *, surfaces=None, ledger=False, advise_step=True, ease=None, implicit=True):
    """Gives the contacts of a model and of several of its data to the rules of a config, a Config or the path of a .pcm
    file. The model is checked once, and all share its tables.

    data: a sequence of MjData. threads: how many make the steps of Hosts.step(); 0: as many as this process may use.
    The others as in attach(), whose logs it lacks. Steps are judged in the first one alone."""
    ease = _eased(ease)
    data = tuple(data)
    address = _address(model, "model")
    addresses = tuple(_address(one, f"data[{i}]") for i, one in enumerate(data))
    if not isinstance(config, Config):
        config = load(config)
    threads = threads or len(os.sched_getaffinity(0))
    library = os.fsencode(_host_library())
    hosts = Hosts(
        config, library, model, data, address, addresses, threads, _texts_of(surfaces), ledger, advise_step, ease, implicit
    )
    hosts.config, hosts._model = config, model
    return hosts
