# SPDX-License-Identifier: MIT
"""The command `pcm` of an installed package: its program lies in here, where it finds its library and laws."""

import os
import sys

from ._compiler import HERE


def main():
    """Becomes the program."""
    places = [os.environ.get("PCM_PLUGIN_PATH"), os.path.join(HERE, "plugins")]
    os.environ["PCM_PLUGIN_PATH"] = ":".join(place for place in places if place)
    os.execv(os.path.join(HERE, "bin", "pcm-command"), ["pcm", *sys.argv[1:]])
