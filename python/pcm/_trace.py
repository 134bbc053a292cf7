# SPDX-License-Identifier: MIT
"""A contact law as a Python function of columns: called with numpy arrays it computes, and it can be written as C.

The function runs once with columns that remember what was done to them. What they remember is straight-line code, so that
the C reads like the function, and every lane takes the same way."""

import inspect
import operator
import os
import subprocess
from collections import namedtuple

import numpy

from ._compiler import HERE, compiler
from ._config import parse

Param = namedtuple("Param", "default unit doc min max")
State = namedtuple("State", "unit doc nominal tangent swap")


def param(default, unit="1", doc="", *, min=None, max=None):
    """A parameter of a law: a number with a unit, and the range that it is to be in."""
    return Param(float(default), unit, doc, min, max)


def state(unit="1", doc="", *, nominal=1.0, tangent=False, swap=None):
    """A state of a law, whose next value the law returns under its name; a tangent one has columns NAME_x and NAME_y.

    swap: the factor when the two objects trade places (plugin.h); by default -1 for a tangent state, else 1."""
    return State(unit, doc, float(nominal), tangent, (-1 if tangent else 1) if swap is None else swap)


# The columns of pcm_batch that a law reads, and the flag that declares each.
_MOTION = {
    "depth": "PCM_DEPTH",
    "depth_rate": "PCM_DEPTH_RATE",
    **dict.fromkeys(("slip_x", "slip_y"), "PCM_SLIP"),
    **dict.fromkeys(("spin_x", "spin_y", "spin_n"), "PCM_SPIN"),
    **dict.fromkeys(("x", "y", "z"), "PCM_POSITION"),
    **dict.fromkeys(("velocity_x", "velocity_y", "velocity_z"), "PCM_VELOCITY"),
    "radius": "PCM_RADIUS",
    "mass": "PCM_MASS",
}
_TIMES = ("time", "dt")

# The columns that a law writes: all columns of a group, or none.
_OUTPUTS = {
    "": ("force_n",),
    "PCM_FRICTION": ("force_x", "force_y"),
    "PCM_MOMENT": ("moment_n", "moment_x", "moment_y"),
    "PCM_ENERGY": ("energy",),
    "PCM_DISSIPATION": ("dissipation",),
}


# ---- Columns that record ---------------------------------------------------------------------------------------------

_NO_TRUTH = "a law goes the same way in every lane: use pcm.where(condition, a, b), not `if`, on columns"


# What numpy calls for an operator between one of its numbers and a column.
_OPERATORS = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "power": operator.pow,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
}

# Functions of numpy that are called otherwise here.
_RENAMED = {
    "absolute": "abs(x)",
    "fabs": "abs(x)",
    "hypot": "pcm.length",
    "fmax": "pcm.maximum",
    "fmin": "pcm.minimum",
    "clip": "pcm.minimum(pcm.maximum(x, low), high)",
    "logical_and": "&",
    "logical_or": "|",
    "logical_not": "~",
    "square": "x*x",
}


def _refuse(name):
    here = _RENAMED.get(name) or (f"pcm.{name}" if callable(globals().get(name)) else None)
    raise TypeError(f"numpy.{name} knows no columns of a law: " + (f"use {here}" if here else "laws have no such function"))


class _Node:
    """What was done (`form`, C with a place for each argument), and to what."""

    def __array_ufunc__(self, function, method, *inputs, **settings):
        own = _OPERATORS.get(function.__name__) if method == "__call__" and not settings else None
        if own is None:
            _refuse(function.__name__)
        return own(*(value if isinstance(value, _Node) else float(value) for value in inputs))

    def __array_function__(self, function, types, inputs, settings):
        _refuse(function.__name__)

    def __init__(self, form, *arguments):
        self.form = form
        self.arguments = [argument if isinstance(argument, _Node) else _literal(argument) for argument in arguments]

    def __bool__(self):
        raise TypeError(_NO_TRUTH)

    def __float__(self):
        raise TypeError("a column is no number: use pcm.sqrt, pcm.tanh, pcm.exp ... in place of math's or numpy's")

    def __iter__(self):
        raise TypeError("a column has no entries to go through: what is done to it is done in every lane")

    __hash__ = None


class _Condition(_Node):
    def __and__(self, other):
        return _Condition("{0} && {1}", self, _as_condition(other))

    def __or__(self, other):
        return _Condition("{0} || {1}", self, _as_condition(other))

    def __invert__(self):
        return _Condition("!{0}", self)


def _as_condition(value):
    if not isinstance(value, _Condition):
        raise TypeError("& and | are between conditions")
    return value


def _binary(form):
    return (
        lambda self, other: _Column(form, self, _operand(other)),
        lambda self, other: _Column(form, _operand(other), self),
    )


def _comparison(form):
    return lambda self, other: _Condition(form, self, _operand(other))


class _Column(_Node):
    __add__, __radd__ = _binary("{0} + {1}")
    __sub__, __rsub__ = _binary("{0} - {1}")
    __mul__, __rmul__ = _binary("{0} * {1}")
    __truediv__, __rtruediv__ = _binary("{0} / {1}")
    __lt__ = _comparison("{0} < {1}")
    __le__ = _comparison("{0} <= {1}")
    __gt__ = _comparison("{0} > {1}")
    __ge__ = _comparison("{0} >= {1}")
    __eq__ = _comparison("{0} == {1}")
    __ne__ = _comparison("{0} != {1}")
    __hash__ = None

    def __neg__(self):
        return _Column("-{0}", self)

    def __pos__(self):
        return self

    def __abs__(self):
        return _Column("pcm_abs({0})", self)

    def __rpow__(self, base):
        return _Column("pcm_pow({0}, {1})", _operand(base), self)

    def __pow__(self, exponent):
        if exponent == 2 and not isinstance(exponent, _Node):
            return self * self
        return _Column("pcm_pow({0}, {1})", self, _operand(exponent))


def _operand(value):
    if isinstance(value, _Condition):
        raise TypeError("a condition is no number: use pcm.where(condition, 1, 0)")
    if isinstance(value, _Column):
        return value
    return float(value)


def _literal(value):
    number = float(value)
    if number != number:
        return _Column("NAN")
    if number in (float("inf"), float("-inf")):
        return _Column("INFINITY" if number > 0 else "-INFINITY")
    text = repr(number)
    return _Column(text[:-2] if text.endswith(".0") else text)


def _traced(*values):
    return any(isinstance(value, _Node) for value in values)


# ---- Functions of columns --------------------------------------------------------------------------------------------


def where(condition, a, b):
    """a where the condition holds, else b, lane by lane."""
    if not _traced(condition, a, b):
        return numpy.where(condition, a, b)
    return _Column("{0} ? {1} : {2}", _as_condition(condition), _operand(a), _operand(b))


def _function(name, compute, doc):
    def function(x):
        return _Column(f"pcm_{name}({{0}})", x) if _traced(x) else compute(x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


sqrt = _function("sqrt", numpy.sqrt, "The square root.")
tanh = _function("tanh", numpy.tanh, "The hyperbolic tangent.")
exp = _function("exp", numpy.exp, "e to the power of x.")
log = _function("log", numpy.log, "The natural logarithm.")


def maximum(a, b):
    """The larger of a and b; b where they are equal or either is NaN."""
    if _traced(a, b):
        return _Column("pcm_max({0}, {1})", _operand(a), _operand(b))
    return numpy.where(numpy.greater(a, b), a, b)


def minimum(a, b):
    """The smaller of a and b; b where they are equal or either is NaN."""
    if _traced(a, b):
        return _Column("pcm_min({0}, {1})", _operand(a), _operand(b))
    return numpy.where(numpy.less(a, b), a, b)


def length(x, y):
    """The length of the vector (x, y), whose squares neither overflow nor vanish on the way."""
    if _traced(x, y):
        return _Column("pcm_length({0}, {1})", _operand(x), _operand(y))
    size = maximum(numpy.abs(x), numpy.abs(y))
    scale = where(size > 2.0**500, 2.0**-600, where(size < 2.0**-400, 2.0**600, 1.0))
    u, v = x * scale, y * scale
    return numpy.sqrt(u * u + v * v) / scale


# ---- C ---------------------------------------------------------------------------------------------------------------

# Parenthesise an operand that binds more weakly than its surroundings.
_STRENGTH = {"?": 1, "||": 2, "&&": 3, "==": 4, "!=": 4, "<": 5, "<=": 5, ">": 5, ">=": 5, "+": 6, "-": 6, "*": 7, "/": 7}
_LONG = 70


def _strength(form):
    if form.startswith(("-", "!")):
        return 8
    return _STRENGTH.get(form.split(" ")[1], 9) if form.startswith("{0} ") else 9


class _Writer:
    """Writes what columns remember as statements, each value that is used twice under a name."""

    def __init__(self):
        self.uses, self.names, self.lines = {}, {}, []

    def count(self, node):
        self.uses[id(node)] = self.uses.get(id(node), 0) + 1
        if self.uses[id(node)] == 1:
            for argument in node.arguments:
                self.count(argument)

    def expression(self, node, within=0):
        if id(node) in self.names:
            return self.names[id(node)]
        own = _strength(node.form)
        if not node.arguments:
            text = node.form
        elif own == 9:  # a function, a name or a number: its arguments need no parentheses
            text = node.form.format(*(self.expression(argument) for argument in node.arguments))
        else:  # right of - and /, equal precedence needs parentheses; between && and || always
            first = own + 1 if own in (1, 2, 3, 8) else own
            texts = [self.expression(argument, own + 1) for argument in node.arguments[1:]]
            text = node.form.format(self.expression(node.arguments[0], first), *texts)
        if node.arguments and (self.uses[id(node)] > 1 or len(text) > _LONG) and isinstance(node, _Column):
            name = self.names[id(node)] = f"t{len(self.names) + 1}"
            self.lines.append(f"const double {name} = {text};")
            return name
        return f"({text})" if own < within else text


def _text(words):
    escaped = "".join(
        character if character.isprintable() and character not in '"\\?' else f"\\{ord(character):03o}"
        for character in words
        if ord(character) >= 32
    )
    return f'"{escaped}"'


def _number(value):
    return _literal(value).form


def _flags(names):
    return " | ".join(dict.fromkeys(name for name in names if name)) or "0"


_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while".split()
)


def _member(name):
    return name + "_" if name in _KEYWORDS else name


# ---- The law ---------------------------------------------------------------------------------------------------------


class TracedLaw:
    """A law written in Python. Called with columns by name, it computes them with numpy; parameters have their defaults
    and states are zero where they are not given."""

    def __init__(self, function, params, states, isotropic):
        self.name, self.params, self.states, self.isotropic = function.__name__, dict(params), dict(states), isotropic
        self.__doc__ = function.__doc__
        self._function = function
        self._state_columns = {}
        for name, entry in self.states.items():
            for axis in ("_x", "_y") if entry.tangent else ("",):
                self._state_columns[name + axis] = len(self._state_columns)
        self._arguments = tuple(inspect.signature(function).parameters)
        self._check_arguments()
        self._results = self._trace()

    def _check_arguments(self):
        if not self.name.isidentifier() or not self.name.isascii():
            raise ValueError(f"{self.name}: a law's name is of letters, digits and _")
        known = [*_MOTION, *_TIMES, *self.params, *self._state_columns]
        for name in self._arguments:
            if name not in known:
                raise TypeError(f"{self.name}: '{name}' is no column, parameter or state: {', '.join(known)}")

    def _trace(self):
        given = {}
        for name in self._arguments:
            if name in self.params:
                given[name] = _Column(f"law.{_member(name)}")
            elif name in self._state_columns:
                given[name] = _Column(f"b->state[{self._state_columns[name]}][i]")
            else:
                given[name] = _Column(f"b->{name}" if name in _TIMES else f"b->{name}[i]")
        results = self._function(**given)
        self._check_results(results)
        return {name: value if isinstance(value, _Column) else _literal(value) for name, value in results.items()}

    def _check_results(self, results):
        if not isinstance(results, dict) or "force_n" not in results:
            raise TypeError(f"{self.name}: a law returns a dictionary of columns, with force_n among them")
        known = [name for group in _OUTPUTS.values() for name in group] + list(self._state_columns)
        for name, value in results.items():
            if name not in known:
                raise TypeError(f"{self.name}: '{name}' is no output or state: {', '.join(known)}")
            _operand(value)
        for group in [*_OUTPUTS.values(), tuple(self._state_columns)]:
            missing = [name for name in group if name not in results]
            if missing and (len(missing) < len(group) or group == tuple(self._state_columns)):
                raise TypeError(f"{self.name}: the law returns no {', '.join(missing)}")

    def __call__(self, **columns):
        given = {name: columns.pop(name, entry.default) for name, entry in self.params.items()}
        given.update((name, columns.pop(name, 0.0)) for name in self._state_columns)
        given.update((name, columns.pop(name, 0.0)) for name in _TIMES)
        for name in self._arguments:
            if name not in given:
                if name not in columns:
                    raise TypeError(f"{self.name}() needs the column '{name}'")
                given[name] = columns.pop(name)
        if columns:
            raise TypeError(f"{self.name}() reads no '{next(iter(columns))}'")
        return self._function(**{name: given[name] for name in self._arguments})

    def _statements(self):
        writer = _Writer()
        for value in self._results.values():
            writer.count(value)
        targets = {name: f"b->{name}[i]" for name in self._results}
        targets.update((name, f"b->next[{column}][i]") for name, column in self._state_columns.items())
        for name, value in self._results.items():
            writer.lines.append(f"{targets[name]} = {writer.expression(value)};")
        return writer.lines

    def _param_lines(self):
        for name, entry in self.params.items():
            range_ = "".join(
                f", .{side} = {_number(limit)}" for side, limit in (("min", entry.min), ("max", entry.max)) if limit is not None
            )
            yield (
                f"    PCM_REAL(Law, {_member(name)}, {_text(name)}, {_text(entry.unit)}, {_number(entry.default)}, "
                f"{_text(entry.doc or name)}{range_}),"
            )

    def _state_lines(self):
        for name, entry in self.states.items():
            shape = "PCM_TANGENT" if entry.tangent else "PCM_SCALAR"
            yield (
                f"    {{.name = {_text(name)}, .unit = {_text(entry.unit)}, .doc = {_text(entry.doc or name)}, "
                f".nominal = {_number(entry.nominal)}, .shape = {shape}, .role = PCM_HISTORY, .swap = {entry.swap:d}}},"
            )

    def _model(self):
        summary = next(iter((self.__doc__ or "").strip().splitlines()), "") or f"{self.name}, written in Python"
        fields = [_text(summary)]
        if self.params:
            fields.append(".params = PCM_TABLE(params)")
        if self.states:
            fields.append(".states = PCM_TABLE(states)")
        fields.append(f".inputs = {_flags(_MOTION.get(name) for name in self._arguments)}")
        outputs = _flags(flag for flag, group in _OUTPUTS.items() if group[0] in self._results)
        if outputs != "0":
            fields.append(f".outputs = {outputs}")
        if self.isotropic:
            fields.append(".flags = PCM_ISOTROPIC")
        return f"PCM_MODEL({self.name}, " + ",\n          ".join(fields) + ");"

    def source(self):
        """The law as the C of a plugin."""
        lines = [f"/* {self.name}.c - a contact law, written by pcm.law from a function of Python. */"]
        lines += ["#include <pcm/plugin.h>", ""]
        if self.params:
            members = ", ".join(_member(name) for name in self.params)
            lines += ["typedef struct Law {", f"    double {members};", "} Law;", ""]
        lines += ["static void update(const pcm_batch *b)", "{"]
        if self.params:
            lines.append("    const Law law = *(const Law *)b->params;")
        lines.append("    PCM_EACH(b, i) {")
        lines += ["        " + line for line in self._statements()] + ["    }", "}", ""]
        if self.params:
            lines += ["static const pcm_param params[] = {", *self._param_lines(), "};", ""]
        if self.states:
            lines += ["static const pcm_state states[] = {", *self._state_lines(), "};", ""]
        return "\n".join([*lines, "PCM_KERNELS(update);", self._model(), ""])

    def build(self, directory):
        """Writes NAME.c into the directory, compiles NAME.so beside it, and returns the law with its defaults, loaded.

        pcm.load(path, plugins=[directory]) then finds it by its name."""
        os.makedirs(directory, exist_ok=True)
        source = os.path.join(directory, self.name + ".c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(self.source())
        compile_law(directory, self.name)
        return parse(
            f"ContactType {self.name} = {self.name} {{}}; DefaultPair -> {self.name};", name=source, plugins=[directory]
        )[self.name]


def compile_law(directory, name):
    """Compiles NAME.so of NAME.c. A process that has loaded the last one keeps it."""
    source, plugin = (os.path.join(directory, name + end) for end in (".c", ".so"))
    flags = "-shared -fPIC -O2 -fopenmp-simd -fno-math-errno -fno-trapping-math -ffp-contract=off".split()
    command = [*compiler(), *flags, "-I", os.path.join(HERE, "include"), source, "-o", plugin + ".draft"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{name}.c cannot be compiled:\n{' '.join(command)}\n{done.stderr}")
    os.replace(plugin + ".draft", plugin)


def law(*, params=None, states=None, isotropic=False):
    """Makes a contact law of a function of columns, as a decorator.

    The function's arguments are columns of motion (depth, depth_rate, slip_x, slip_y, ...), parameters and states by
    name, time and dt; it returns a dictionary with force_n, other outputs, and the next value of every state."""
    return lambda function: TracedLaw(function, params or {}, states or {}, isotropic)
