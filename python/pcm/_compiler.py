# SPDX-License-Identifier: MIT
"""The C compiler that laws and hosts are compiled with, and where the package keeps what they need."""

import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))


def compiler():
    """The command of the compiler: CC, or the first that is installed."""
    chosen = os.environ.get("CC")
    for command in [chosen] if chosen else ["cc", "gcc", "clang"]:
        if shutil.which(command.split()[0]):
            return command.split()
    raise RuntimeError(
        f"a C compiler is needed here, and there is none ({chosen or 'cc, gcc, clang'}): install one "
        "(apt install gcc), or name one in CC"
    )
