# SPDX-License-Identifier: MIT
"""PCM: contact laws, chosen in a text file, on numpy arrays and in simulators.

    config = pcm.load("rise.pcm")
    force = config["Rubber"](depth=depth, depth_rate=rate, slip=slip)["force_n"]
    world = pcm.World(config)
"""

from ._config import Config, Jacobian, Law, Rule, load, parse
from ._report import Diagnostic, Error, Warning
from ._world import CONTACT, Ledger, RuleStats, World
from ._pcm import version as __version__

__all__ = [
    "CONTACT",
    "Config",
    "Diagnostic",
    "Error",
    "Jacobian",
    "Law",
    "Ledger",
    "Rule",
    "RuleStats",
    "Warning",
    "World",
    "load",
    "parse",
]
