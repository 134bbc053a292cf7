# SPDX-License-Identifier: MIT
"""PCM: contact laws, chosen in a text file, on numpy arrays and in simulators.

    config = pcm.load("rise.pcm")
    force = config["Rubber"](depth=depth, depth_rate=rate, slip=slip)["force_n"]
    world = pcm.World(config)
    host = pcm.attach(model, data, "rise.pcm")  # of the package mujoco
"""

from ._config import Config, Jacobian, Law, Rule, load, parse
from ._pcm import version as __version__
from ._report import Diagnostic, Error, Warning
from ._world import CONTACT, SHAPE, Ledger, RuleStats, World, shapes

# Imported on first use: half of all programs never need it, and it takes longer to import than the rest.
_LATER = {
    **dict.fromkeys(("HOST_CONTACT", "Host", "StableStep", "attach"), "_attach"),
    **dict.fromkeys(("Hosts", "attach_many"), "_many"),
    **dict.fromkeys(("Param", "State", "TracedLaw", "law", "param", "state"), "_trace"),
    **dict.fromkeys(("exp", "length", "log", "maximum", "minimum", "sqrt", "tanh", "where"), "_trace"),
}

__all__ = sorted(  # noqa: PLE0605
    [
        "CONTACT",
        "Config",
        "Diagnostic",
        "Error",
        "Jacobian",
        "Law",
        "Ledger",
        "Rule",
        "RuleStats",
        "SHAPE",
        "Warning",
        "World",
        "load",
        "parse",
        "shapes",
        *_LATER,
    ]
)


def __getattr__(name):
    if name not in _LATER:
        raise AttributeError(f"module 'pcm' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module("." + _LATER[name], __name__), name)
    globals()[name] = value
    return value
