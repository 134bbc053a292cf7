# SPDX-License-Identifier: MIT
"""Laws in a simulation of MuJoCo: of the official package, or of any library that a process has loaded.

MuJoCo has no ABI: nearly every release lays out models and data anew. So the host, a library of C, is compiled for the
release at hand when it is first needed, with the headers of that release, and kept in the user's cache."""

import os
import re
import subprocess
import tempfile
from typing import NamedTuple

import numpy

from . import _pcm
from ._compiler import HERE, compiler
from ._config import Config, load
from ._world import CONTACT, World

#: A row of Host.contacts(): a row of a world, and the indices of the two bodies in the model.
HOST_CONTACT = numpy.dtype(CONTACT.descr + [("base_body", "i8"), ("follower_body", "i8")])

# The same flags as for the library, so that every host computes the same bits.
_FLAGS = (
    "-std=gnu17 -O2 -fPIC -shared -fvisibility=hidden -fno-math-errno -fno-trapping-math -ffp-contract=off "
    "-Wl,-z,nodelete -Wl,-z,defs"
).split()


def _loaded_library():
    """The file of the one libmujoco in this process."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        paths = {line.split(maxsplit=5)[5].rstrip("\n") for line in maps if "/libmujoco.so" in line}
    if not paths:
        raise RuntimeError("this process has loaded no libmujoco: import mujoco before pcm.attach()")
    if len(paths) > 1:
        raise RuntimeError(
            f"this process has loaded two libraries of MuJoCo, {' and '.join(sorted(paths))}: keep to one of them"
        )
    return paths.pop()


def _release(number):
    """3.12.0 of 3012000, which is how mj_version() tells it since 3.5; before, of 312."""
    major, minor, patch = (
        (number // 100, number // 10 % 10, number % 10)
        if number < 1000
        else (number // 1000000, number // 1000 % 1000, number % 1000)
    )
    return f"{major}.{minor}.{patch}"


def _header_release(include):
    try:
        with open(os.path.join(include, "mujoco", "mujoco.h"), encoding="utf-8") as header:
            found = re.search(r"^#define mjVERSION_HEADER (\d+)", header.read(), re.MULTILINE)
    except OSError:
        return None
    return int(found.group(1)) if found else None


def _headers(library, version):
    """The folder of the headers of that release: beside the library, or the system's."""
    beside = os.path.dirname(library)
    places = [os.path.join(beside, "include"), os.path.join(os.path.dirname(beside), "include"), "/usr/include"]
    places += ["/usr/local/include"]
    others = {}
    for place in places:
        release = _header_release(place)
        if release == version:
            return place
        if release is not None:
            others[place] = _release(release)
    wanted = _release(version)
    if others:
        seen = ", ".join(f"{place} is of {release}" for place, release in others.items())
        raise RuntimeError(f"{library} is MuJoCo {wanted}, but {seen}: install headers and library of one release")
    raise RuntimeError(f"the headers of MuJoCo {wanted} are missing: mujoco/mujoco.h in {' or '.join(places[:3])}")


def _sources():
    folder = os.path.join(HERE, "mujoco")
    return sorted(os.path.join(folder, name) for name in os.listdir(folder))


def _own():
    """What the host is linked with of the package. libpcm-geometry is there where qhull was when it was built."""
    folder = os.path.join(HERE, "lib")
    geometry = os.path.join(folder, "libpcm-geometry.so.0")
    own = [os.path.join(folder, "libpcm.so.0")]
    return [*own, "-DPCM_MUJOCO_GEOMETRY", geometry, f"-Wl,-rpath,{folder}"] if os.path.exists(geometry) else own


def _cache():
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(root, "pcm")


def _library_name(version, include, library):
    """The host's file: by release, and by a hash of all that it is made from."""
    from hashlib import blake2b

    parts = blake2b(" ".join([*_FLAGS, *_own(), include, library, _pcm.version]).encode("utf-8", "surrogateescape"))
    for path in _sources():
        with open(path, "rb") as source:
            parts.update(source.read())
    return f"mujoco-{_release(version)}-{parts.hexdigest()[:16]}.so"


def _compile(target, include, library):
    """Writes the host beside its place and renames it, so that others find it whole or not at all."""
    program = compiler()
    try:
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
        number, draft = tempfile.mkstemp(dir=os.path.dirname(target), suffix=".draft")
        os.close(number)
    except OSError as error:
        raise RuntimeError(f"the compiled host cannot be kept: {error}: XDG_CACHE_HOME names another folder") from error
    sources = [path for path in _sources() if path.endswith(".c")]
    command = [*program, *_FLAGS, "-isystem", include, "-I", os.path.join(HERE, "include")]
    command += ["-I", os.path.join(HERE, "mujoco"), *sources, *_own(), library, "-lm", "-lpthread", "-o", draft]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"the host cannot be compiled for this MuJoCo:\n{' '.join(command)}\n{done.stderr}")
        os.replace(draft, target)
    finally:
        if os.path.exists(draft):
            os.unlink(draft)


def _host_library():
    library = _loaded_library()
    version = _pcm.library_version(os.fsencode(library))
    release = _release(version)
    ready = os.path.join(HERE, "hosts", f"mujoco-{release}.so")  # in wheels, for releases that they know
    if os.path.exists(ready) and os.path.basename(library) == f"libmujoco.so.{release}":
        return ready
    include = _headers(library, version)
    target = os.path.join(_cache(), _library_name(version, include, library))
    if not os.path.exists(target):
        _compile(target, include, library)
    return target


#: Objects that look like a model or data, by the beginning of their type's module or by its name.
_INSTEAD = {
    "mujoco.mjx": "MJX steps without libmujoco, where no law can act: attach laws to an MjModel and its MjData, many of "
    "them by pcm.attach_many()",
    "mujoco_warp": "MuJoCo Warp steps without libmujoco: pcm.mjwarp.attach(m, d, path, mjm) brings laws into it",
    "MjSpec": "a specification is no model yet: attach laws to what its compile() returns",
}


def _address(object, name):
    kind = type(object)
    for beginning, instead in _INSTEAD.items():
        if kind.__module__.startswith(beginning) or kind.__name__ == beginning:
            raise TypeError(f"{name}: {instead}")
    try:
        address = object._address
    except AttributeError:
        raise TypeError(f"{name}: an object of the package mujoco is wanted, not {kind.__name__}") from None
    if not address:
        raise ValueError(f"{name}: it has no address")
    return address


class StableStep(NamedTuple):
    """The largest explicit step, in s, and the contact that limits it most; infinite and None where no contact acts."""

    step: float
    a: str | None
    b: str | None
    type: str | None


class Host(_pcm.Host):
    """Contact laws in one mjData. The user's own loop goes on; leaving a `with` block detaches them."""

    @property
    def world(self):
        """The world that answers. It keeps the attachment."""
        world = self._world(World)
        world.config = self.config
        return world

    def contacts(self):
        """The contacts after the last step, as an array of HOST_CONTACT."""
        self.status()
        rows = self.world.contacts()
        contacts = numpy.zeros(len(rows), HOST_CONTACT)
        for name in CONTACT.names:
            contacts[name] = rows[name]
        for side in ("base", "follower"):
            contacts[f"{side}_body"] = [self._body(handle) for handle in rows[side].tolist()]
        return contacts

    def contact_force(self, index):
        """The force and the torque of data.contact[index] in its frame, an array of 6: as mujoco.mj_contactForce, which
        knows nothing of laws."""
        return numpy.array(self._contact_force(index))

    def draw(self, scene, points=True, forces=True):
        """Adds contacts of laws to an MjvScene that is filled already, such as renderer.scene or viewer.user_scn: a ball
        at each point, and the force on the follower as an arrow, in MuJoCo's scale. Stops when the scene is full."""
        import mujoco

        vis, stat = self._model.vis, self._model.stat
        ball = numpy.full(3, 0.5 * vis.scale.contactwidth * stat.meansize)
        width, scale = vis.scale.forcewidth * stat.meansize, vis.map.force / stat.meanmass
        arrow, none, axes = mujoco.mjtGeom.mjGEOM_ARROW, numpy.zeros(3), numpy.eye(3).ravel()
        for row in self.contacts():
            at, tip = row["point"], row["point"] + scale * row["world_force"]
            if points and scene.ngeom < scene.maxgeom:
                geom = scene.geoms[scene.ngeom]
                mujoco.mjv_initGeom(geom, mujoco.mjtGeom.mjGEOM_SPHERE, ball, at, axes, vis.rgba.contactpoint)
                scene.ngeom += 1
            if forces and scene.ngeom < scene.maxgeom:
                geom = scene.geoms[scene.ngeom]
                mujoco.mjv_initGeom(geom, arrow, none, at, axes, vis.rgba.contactforce)
                mujoco.mjv_connector(geom, arrow, width, at, tip)
                scene.ngeom += 1

    def cloud(self, object, points):
        """Objects of that name or pattern touch by points of theirs, rows of x, y and z in m in the geom's own axes, in
        place of their shape. Before the first step."""
        rows = numpy.ascontiguousarray(points, dtype=float)
        if rows.ndim != 2 or rows.shape[1] != 3:
            raise ValueError(f"points: rows of x, y and z are wanted, not an array of shape {rows.shape}")
        self._cloud(object, rows)

    def stable_step(self):
        """The StableStep with the contacts of the last evaluation."""
        return StableStep(*self._stable_step())

    def fork(self, data):
        """The contacts of another mjData of the model go on from where these stand."""
        self._fork(_address(data, "data"))

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


def _texts_of(surfaces):
    return tuple(f"{pattern}={surface}" for pattern, surface in dict(surfaces or {}).items())


def _eased(seconds):
    if seconds is not None and not seconds > 0:
        raise ValueError(f"ease: a time in s above 0 is wanted, not {seconds!r}")
    return float(seconds or 0)


def attach(model, data, config, *, surfaces=None, log=None, ledger=False, advise_step=True, ease=None, implicit=True):
    """Gives the contacts of a model and its data to the rules of a config, a Config or the path of a .pcm file.

    surfaces: those of objects by patterns of their names, {"*Foot": "Rubber"}; they beat materials. log: the folder for
    logs. advise_step: a step that some contact makes unstable is warned of, once. ease: s, within which objects part that
    overlap at a start, now and after every reset. implicit: steps are implicit in contacts, and stable at any size; if not,
    they have the laws' forces at their start. The loop of mujoco.mj_step stays as it is."""
    ease = _eased(ease)
    addresses = _address(model, "model"), _address(data, "data")
    if not isinstance(config, Config):
        config = load(config)
    told = _texts_of(surfaces)
    folder = None if log is None else os.fsencode(log)
    library = os.fsencode(_host_library())
    host = Host(config, library, model, data, *addresses, told, folder, ledger, advise_step, ease, implicit)
    host.config, host._model = config, model
    return host
