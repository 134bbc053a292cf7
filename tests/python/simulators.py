# SPDX-License-Identifier: MIT
"""MuJoCo without its package: what has an `_address` will do for pcm.attach()."""

import ctypes
import ctypes.util

_FUNCTIONS = {
    "mj_loadXML": (ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]),
    "mj_makeData": (ctypes.c_void_p, [ctypes.c_void_p]),
    "mj_step": (None, [ctypes.c_void_p] * 2),
    "mj_forward": (None, [ctypes.c_void_p] * 2),
    "mj_resetData": (None, [ctypes.c_void_p] * 2),
    "mj_resetDataKeyframe": (None, [ctypes.c_void_p] * 2 + [ctypes.c_int]),
    "mj_copyData": (ctypes.c_void_p, [ctypes.c_void_p] * 3),
    "mj_deleteData": (None, [ctypes.c_void_p]),
    "mj_deleteModel": (None, [ctypes.c_void_p]),
}


class Simulator:
    """A libmujoco by its functions."""

    def __init__(self, path=None):
        library = ctypes.CDLL(path or ctypes.util.find_library("mujoco") or "libmujoco.so")
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)


class Model:
    def __init__(self, simulator, path):
        error = ctypes.create_string_buffer(1000)
        self.simulator = simulator
        self._address = simulator.mj_loadXML(str(path).encode(), None, error, 1000)
        if not self._address:
            raise ValueError(error.value.decode())

    def __del__(self):
        if self._address:
            self.simulator.mj_deleteModel(self._address)


class Data:
    def __init__(self, model):
        self.model = model
        self._address = model.simulator.mj_makeData(model._address)

    def step(self):
        self.model.simulator.mj_step(self.model._address, self._address)

    def forward(self):
        self.model.simulator.mj_forward(self.model._address, self._address)

    def reset(self, key=-1):
        self.model.simulator.mj_resetDataKeyframe(self.model._address, self._address, key)

    def copy(self):
        other = Data(self.model)
        other.become(self)
        return other

    def become(self, other):
        self.model.simulator.mj_copyData(self._address, self.model._address, other._address)

    def __del__(self):
        self.model.simulator.mj_deleteData(self._address)
