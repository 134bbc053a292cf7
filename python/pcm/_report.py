# SPDX-License-Identifier: MIT
"""What libpcm says, as exceptions, warnings and notes."""

from collections import namedtuple

import numpy

from . import _pcm

Diagnostic = namedtuple("Diagnostic", "severity code message file line column length text")
Diagnostic.__doc__ = """One message. `text` is the whole of it, as `pcm check` prints it; line 0: about no line of a file."""


class Error(Exception):
    """What libpcm rejects. Its text is that of `pcm check`; `diagnostics` are its parts. `environments`: the indices of
    those that failed in a call on many."""

    environments = ()

    def __init__(self, text, diagnostics=()):
        super().__init__(text)
        self.diagnostics = diagnostics


class Warning(UserWarning):
    """What libpcm warns of."""


def _note(text):
    import logging  # takes half of the time of importing pcm

    logging.getLogger("pcm").info(text)
    return True


_pcm.adopt(
    Error,
    Warning,
    Diagnostic,
    _note,
    numpy.zeros,
    numpy.ndarray,
    numpy.dtype("float64"),
    numpy.dtype("uint64"),
    numpy.dtype("int64"),
)
