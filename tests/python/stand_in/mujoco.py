# SPDX-License-Identifier: MIT
"""As much of the package mujoco as docs/python.md uses, on the system's library."""

import simulators

_simulator = simulators.Simulator()


class MjModel(simulators.Model):
    timestep = 0.0005  # for the page's scene

    @staticmethod
    def from_xml_path(path):
        return MjModel(_simulator, path)


class MjData(simulators.Data):
    time = 0.0


def mj_step(model, data):
    data.step()
    data.time += model.timestep
