# SPDX-License-Identifier: MIT
"""A .pcm file: its contact types, as laws on arrays, and its rules."""

import os
from collections import namedtuple

from . import _pcm, _report  # noqa: F401: libpcm's messages go there
from ._compiler import HERE

Rule = namedtuple("Rule", "kind a b type file line swapped")
Rule.__doc__ = """A line that assigns a contact type. `swapped`, of config.explain: it names b's side first, so that b is the base."""


class Jacobian(_pcm.Jacobian):
    """Partial derivatives of a law: called like the law, it returns an array for each pair of names."""


class Law(_pcm.Law):
    """A contact type: called with columns of motion, it returns columns of forces."""

    def jacobian(self, partials):
        """The partial derivatives of outputs with respect to motion, states or parameters: pairs of names."""
        return Jacobian(self, tuple(partials))

    def __repr__(self):
        return f"<pcm.Law {self.name}: {self.model}>"


class Config(_pcm.Config):
    """What a .pcm file says; a mapping from the names of its contact types to laws. It never changes."""

    @property
    def rules(self):
        """The rules in the order of the file."""
        return tuple(Rule(*rule, False) for rule in self._rules())

    @property
    def amounts(self):
        """The names of the amounts of objects that the laws read and change."""
        return self._amounts()

    def explain(self, a, b):
        """The rules that match two objects, the winner first; none: no rule speaks for them.

        Each is "Object", "Object:Surface" or ":Surface", as for `pcm explain`."""
        rules = self.rules
        return [
            rules[index]._replace(swapped=swapped) for index, swapped in self._resolve(*_side(a), *_side(b))
        ]

    def __getitem__(self, name):
        return Law(self, name)

    def __iter__(self):
        return iter(self._types())

    def __len__(self):
        return len(self._types())

    def __contains__(self, name):
        return name in self._types()

    def keys(self):
        """The contact types' names in the order of the file."""
        return self._types()


def _side(text):
    name, colon, surface = text.rpartition(":")
    return (name, surface) if colon else (text, "")


def setting(name, value):
    if isinstance(value, bool):
        value = "true" if value else "false"
    elif isinstance(value, float):
        value = repr(float(value))
    return f"{name} = {value}"


def _plugin_path(plugins):
    if isinstance(plugins, (str, bytes, os.PathLike)):
        plugins = [plugins]
    places = [os.fsdecode(place) for place in plugins]
    places.append(os.environ.get("PCM_PLUGIN_PATH", ""))
    places.append(os.path.join(HERE, "plugins"))
    return os.fsencode(":".join(place for place in places if place))


def _open(name, text, settings, plugins):
    told = tuple(setting(*item) for item in dict(settings or {}).items())
    return Config(os.fsencode(name), text, told, _plugin_path(plugins))


def load(path, *, settings=None, plugins=()):
    """Reads a .pcm file.

    settings: values in place of the file's, {"Floor.Friction": 0.3}. plugins: folders with laws, searched before
    PCM_PLUGIN_PATH and the laws that come with the package."""
    return _open(path, None, settings, plugins)


def parse(text, *, name="text", settings=None, plugins=()):
    """Reads the text of a .pcm file, which messages call `name`."""
    return _open(name, text, settings, plugins)
