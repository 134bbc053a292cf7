# SPDX-License-Identifier: MIT
"""The header that `pcm export` writes for one contact type, and what stands in it."""

import os
import re
import shutil
import subprocess

from ._compiler import HERE
from ._config import setting

#: The kinds of a struct that a contact type has, in the order of the header.
_KINDS = "state", "contact", "result", "report", "end", "params"
_STRUCT = re.compile(r"^typedef struct (\w+) \{\n(.*?)^\} \1;$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^    (\w+) (\w+);", re.MULTILINE)
_FUNCTION = re.compile(r"^PCM_FN (\w+) (\w+)\((.*?)\)$", re.MULTILINE)
_GAP = re.compile(r"^#define (\w+)_(ONSET|SEPARATION) (\S+)", re.MULTILINE)


def _command():
    """The program `pcm`: PCM_COMMAND, that of the package, or the system's."""
    program = os.environ.get("PCM_COMMAND") or os.path.join(HERE, "bin", "pcm-command")
    if os.path.exists(program):
        return program
    program = shutil.which("pcm")
    if not program:
        raise RuntimeError("the program pcm is missing: install PCM, or name the program in PCM_COMMAND")
    return program


def structs_of(text, type):
    """The structs of a contact type in a header's text, by kind: a dictionary of C types by name for each."""
    found = {name.removeprefix(f"{type}_"): body for name, body in _STRUCT.findall(text)}
    return {kind: {name: number for number, name in _FIELD.findall(found[kind])} for kind in _KINDS if kind in found}


class Header:
    """The header of one contact type. text: all of it. structs: fields by kind (state, contact, result, report, end,
    params), each a dictionary of C types by name. functions: argument lists by name (forces, update, establish ...)."""

    def __init__(self, path, type, *, between=None, settings=None, free=(), single=False):
        command = [_command(), "export", os.fspath(path), type]
        command += [word for name, value in dict(settings or {}).items() for word in ("--set", setting(name, value))]
        command += [word for material in between or () for word in ("--between", material)]
        command += ["--free", ",".join(free)] if free else []
        command += ["--float"] if single else []
        places = [os.environ.get("PCM_PLUGIN_PATH"), os.path.join(HERE, "plugins")]
        places = {**os.environ, "PCM_PLUGIN_PATH": ":".join(place for place in places if place)}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=places)
        if done.returncode != 0:
            raise RuntimeError(f"{os.fspath(path)}: {type} cannot be exported:\n{done.stderr or done.stdout}")
        self.text = done.stdout
        self.type = re.sub(r"\W", "_", type)
        self.structs = structs_of(self.text, self.type)
        begin = f"{self.type}_"
        self.functions = {
            name.removeprefix(begin): arguments
            for _, name, arguments in _FUNCTION.findall(self.text)
            if name.startswith(begin)
        }
        gaps = {name: float(value) for owner, name, value in _GAP.findall(self.text) if owner == self.type}
        self.onset, self.separation = gaps["ONSET"], gaps["SEPARATION"]

    def names_of(self, kind):
        """The numbers of a struct, those of structs inside it too, as C writes them: `state.stretch_x`."""
        names = []
        for field, type in self.structs.get(kind, {}).items():
            inner = type.removeprefix(f"{self.type}_")
            names += [f"{field}.{name}" for name in self.names_of(inner)] if inner in self.structs else [field]
        return names
