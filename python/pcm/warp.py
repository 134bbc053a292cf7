# SPDX-License-Identifier: MIT
"""Contact types as functions of NVIDIA Warp's kernels.

    rubber = pcm.warp.function("walker.pcm", "Rubber")
    contact = rubber.Contact()      # in a kernel
    contact.depth = depth[i]
    result = rubber.Result()
    rubber.forces(contact, result)

The functions are the header that `pcm export` writes, inside of wp.func_native: the same bits on CPUs and on CUDA."""

import linecache
import re
from hashlib import blake2b

import warp

from ._header import Header

_NUMBERS = {"pcmx_int": warp.int64, "double": warp.float64, "float": warp.float32}
_STRUCTS = {
    "state": "State",
    "contact": "Contact",
    "result": "Result",
    "report": "Report",
    "end": "End",
    "params": "Params",
}

#: The functions of a contact type: the struct that each writes, and the arguments that it takes.
_FUNCTIONS = {
    "forces": ("result", ("contact",)),
    "update": ("report", ("contact",)),
    "establish": ("state", ("contact",)),
    "jump": ("state", ("contact", "event")),
    "terminate": ("end", ("contact",)),
}


class Law:
    """A contact type in Warp.

    Contact, Result, Report, State: structs of Warp; fields are those of the header (`pcm export`). Report is that of
    update; State is None for a type without states, and so are Params and End where the type has none. forces(contact,
    result), update(contact, report), establish(contact, state), jump(contact, event, state) and terminate(contact, end)
    are functions of Warp that write their last argument; with free parameters they take `params` first, which
    prepare(values ..., params) makes. None: the law has no such function. onset and separation: m, the largest gaps at
    which a contact begins and stays. header: the text in C."""

    def __init__(self, header):
        self.header, self.type = header.text, header.type
        self.onset, self.separation = header.onset, header.separation
        mark = blake2b(header.text.encode(), digest_size=6).hexdigest()
        self._name = f"{header.type}_{mark}"
        structs = {}
        for kind, name in _STRUCTS.items():
            structs[kind] = self._struct(header, kind, structs) if kind in header.structs else None
            setattr(self, name, structs[kind])
        for function, (answer, arguments) in _FUNCTIONS.items():
            made = function in header.functions and self._function(header, structs, function, answer, arguments)
            setattr(self, function, made or None)
        self.prepare = self._prepare(header, structs) if "prepare" in header.functions else None

    def __repr__(self):
        return f"<pcm.warp.Law {self.type}>"

    def _struct(self, header, kind, structs):
        fields = {}
        for name, number in header.structs[kind].items():
            inner = number.removeprefix(f"{header.type}_")
            fields[name] = _NUMBERS[number] if number in _NUMBERS else structs[inner]
        return warp.struct(type(f"{self._name}_{kind}", (), {"__annotations__": fields, "__module__": __name__}))

    def _function(self, header, structs, function, answer, arguments):
        given = (["params"] if structs["params"] else []) + list(arguments)
        types = {name: warp.int32 if name == "event" else structs[name] for name in given}
        body = "".join(_copy(header, name, f"{name}_", name) for name in given if name != "event")
        call = f"{header.type}_{function}({', '.join(name if name == 'event' else name + '_' for name in given)})"
        body += f"const pcm_header::{header.type}_{answer} answer_ = pcm_header::{call};\n"
        body += "".join(f"answer.{name} = answer_.{name};\n" for name in header.names_of(answer))
        return self._native(function, header, body, types, structs[answer])

    def _prepare(self, header, structs):
        words = [argument.split() for argument in header.functions["prepare"].split(",")]
        types = {name: _NUMBERS[type] for type, name in words}
        body = f"const pcm_header::{header.type}_params answer_ = "
        body += f"pcm_header::{header.type}_prepare({', '.join(types)});\n"
        body += "".join(f"answer.{name} = answer_.{name};\n" for name in header.names_of("params"))
        return self._native("prepare", header, body, types, structs["params"])

    def _native(self, function, header, body, types, answer):
        return native(header, function, body, {**types, "answer": warp.ref[answer]})


def native(header, name, body, arguments):
    """A Warp function of that C++ body, in which pcm_header:: is the header. arguments: Warp types by name."""
    mark = blake2b((header.text + name + body).encode(), digest_size=6).hexdigest()
    return warp.func_native(_inside(header.text) + body)(_stub(f"{header.type}_{name}_{mark}", arguments))


def _copy(header, kind, to, of):
    lines = [f"pcm_header::{header.type}_{kind} {to};\n"]
    return "".join(lines + [f"{to}.{name} = {of}.{name};\n" for name in header.names_of(kind)])


def _stub(name, arguments):
    """A function without a body. Warp reads the names of arguments from a function's source: so this has one."""
    text = f"def {name}({', '.join(arguments)}): ...\n"
    file = f"<pcm.warp {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    place = {"__name__": __name__}
    exec(compile(text, file, "exec"), place)
    place[name].__annotations__ = arguments
    return place[name]


def _inside(text):
    """The header as a struct inside of a function, which is where Warp puts native code: any number of them, in any
    module."""
    names = sorted(set(re.findall(r"^#\s*define (\w+)", text, re.MULTILINE)))
    forget = "".join(f"#undef {name}\n" for name in names)
    return f"{forget}#undef PCM_FN\n#define PCM_FN static CUDA_CALLABLE inline\nstruct pcm_header {{\n{text}}};\n"


def function(path, type, *, settings=None, free=(), single=False):
    """The Law of a contact type of a .pcm file.

    settings: as for pcm.load, {"Rubber.Friction": 0.5}. free: names of parameters that are arguments and not constants.
    single: in single precision, which GPUs for consumers need; else in double, with the bits of the plugin. Needs the
    command `pcm export`, and so clang; errors in the file are a RuntimeError with the command's messages."""
    return Law(Header(path, type, settings=settings, free=free, single=single))
