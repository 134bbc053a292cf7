# SPDX-License-Identifier: MIT
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, NamedTuple, Protocol

import numpy
from numpy.typing import ArrayLike, NDArray

__version__: str

_Path = str | bytes | PathLike[str] | PathLike[bytes]
_Floats = NDArray[numpy.float64]
_Handles = NDArray[numpy.uint64]
_Objects = int | numpy.uint64 | _Handles

CONTACT: numpy.dtype[Any]
SHAPE: numpy.dtype[Any]
HOST_CONTACT: numpy.dtype[Any]

class Diagnostic(NamedTuple):
    severity: str
    code: int
    message: str
    file: str
    line: int
    column: int
    length: int
    text: str

class Error(Exception):
    diagnostics: tuple[Diagnostic, ...]
    environments: tuple[int, ...]
    def __init__(self, text: str, diagnostics: tuple[Diagnostic, ...] = ...) -> None: ...

class Warning(UserWarning): ...

class Rule(NamedTuple):
    kind: str
    a: str
    b: str
    type: str
    file: str
    line: int
    swapped: bool

class RuleStats(NamedTuple):
    rule: Rule
    made: int
    parted: int
    broken: int
    max_depth: float
    max_slip: float
    max_force: float

class Ledger(NamedTuple):
    work: float
    stored: float
    dissipated: float
    residue: float
    brought: float

class Jacobian:
    def __call__(self, **columns: Any) -> dict[tuple[str, str], _Floats]: ...

class Law:
    @property
    def name(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def params(self) -> Mapping[str, float | int | bool | str | tuple[float, ...]]: ...
    @property
    def states(self) -> tuple[str, ...]: ...
    @property
    def events(self) -> tuple[str, ...]: ...
    @property
    def amounts(self) -> tuple[str, ...]: ...
    def derived(
        self, force: float = ..., depth: float = ..., speed: float = ..., mass: float = ..., radius: float = ...
    ) -> dict[str, float]: ...
    def __call__(
        self,
        *,
        depth: float | _Floats = ...,
        depth_rate: float | _Floats = ...,
        slip: _Floats = ...,
        spin: _Floats = ...,
        position: _Floats = ...,
        velocity: _Floats = ...,
        radius: float | _Floats = ...,
        mass: float | _Floats = ...,
        load_n: float | _Floats = ...,
        load_elastic: float | _Floats = ...,
        load_adhesive: float | _Floats = ...,
        load_pull_off: float | _Floats = ...,
        contact_radius: float | _Floats = ...,
        loss_friction: float | _Floats = ...,
        loss_damping: float | _Floats = ...,
        load_t: _Floats = ...,
        area: float | _Floats = ...,
        share: float | _Floats = ...,
        base_spin: _Floats = ...,
        follower_spin: _Floats = ...,
        base_axis: _Floats = ...,
        follower_axis: _Floats = ...,
        curvature: _Floats = ...,
        curvature_axis: _Floats = ...,
        point_part: float | _Floats = ...,
        patch_part: float | _Floats = ...,
        line_length: float | _Floats = ...,
        line_curvature: float | _Floats = ...,
        flat_area: float | _Floats = ...,
        flat_aspect: float | _Floats = ...,
        fresh: float | _Floats = ...,
        state: _Floats = ...,
        inputs: Mapping[str, float | _Floats] = ...,
        base_amounts: Mapping[str, float | _Floats] = ...,
        follower_amounts: Mapping[str, float | _Floats] = ...,
        time: float = ...,
        dt: float = ...,
    ) -> dict[str, NDArray[Any]]: ...
    def establish(self, **columns: Any) -> _Floats: ...
    def jacobian(self, partials: Iterable[tuple[str, str]]) -> Jacobian: ...

class Config:
    @property
    def rules(self) -> tuple[Rule, ...]: ...
    @property
    def amounts(self) -> tuple[str, ...]: ...
    def explain(self, a: str, b: str) -> list[Rule]: ...
    def keys(self) -> tuple[str, ...]: ...
    def __getitem__(self, name: str) -> Law: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, name: object) -> bool: ...

_Settings = Mapping[str, str | float | bool] | None
_Folders = _Path | Sequence[_Path]

def load(path: _Path, *, settings: _Settings = None, plugins: _Folders = ()) -> Config: ...
def shapes(count: int) -> NDArray[Any]: ...
def parse(text: str, *, name: _Path = "text", settings: _Settings = None, plugins: _Folders = ()) -> Config: ...

class World:
    config: Config
    def __new__(cls, config: Config, *, threads: int = 1, log: _Path | None = None, ledger: bool = False) -> World: ...
    def add(
        self,
        names: str | Iterable[str],
        *,
        surface: str | Sequence[str | None] | None = None,
        radius: float | Sequence[float] = 0.0,
        mass: float | Sequence[float] = 0.0,
        fixed: bool | Sequence[bool] = False,
    ) -> _Handles: ...
    def remove(self, objects: _Objects, /) -> None: ...
    def move(self, objects: _Objects, poses: _Floats, twists: _Floats) -> None: ...
    def set_surface_velocity(self, objects: _Objects, twists: _Floats) -> None: ...
    def touch(
        self,
        a: _Objects,
        b: _Objects,
        feature: _Handles | None,
        point: _Floats,
        normal: _Floats,
        depth: _Floats,
        contacts: _Handles | None = None,
        area: _Floats | None = None,
        share: _Floats | None = None,
        shape: NDArray[Any] | None = None,
    ) -> None: ...
    def touch_near(
        self,
        a: _Objects,
        b: _Objects,
        point: _Floats,
        normal: _Floats,
        depth: _Floats,
        reach: float = 0.0,
        contacts: _Handles | None = None,
        area: _Floats | None = None,
        share: _Floats | None = None,
    ) -> None: ...
    def pair(self, a: int | numpy.uint64, b: int | numpy.uint64) -> str | None: ...
    def amount(self, name: str, objects: _Objects) -> _Floats: ...
    def flow(self, name: str, objects: _Objects) -> _Floats: ...
    def set_amount(self, name: str, objects: _Objects, values: float | _Floats) -> None: ...
    def set_capacity(self, name: str, objects: _Objects, values: float | _Floats) -> None: ...
    def set(self, name: str, value: float, /) -> None: ...
    def set_input(self, contacts: _Handles, column: int, values: _Floats) -> None: ...
    def update(self, t: float, dt: float) -> None: ...
    def wrench(self, objects: _Objects, out: _Floats | None = None) -> _Floats: ...
    def commit(self) -> None: ...
    def flush(self) -> None: ...
    def contacts(self) -> NDArray[Any]: ...
    def rules(self) -> list[RuleStats]: ...
    def ledger(self) -> dict[str, Ledger]: ...
    def save(self) -> bytes: ...
    def restore(self, bytes: bytes, /) -> None: ...

class _Addressed(Protocol):
    @property
    def _address(self) -> int: ...

class StableStep(NamedTuple):
    step: float
    a: str | None
    b: str | None
    type: str | None

class Host:
    config: Config
    @property
    def world(self) -> World: ...
    def contacts(self) -> NDArray[Any]: ...
    def status(self) -> None: ...
    def step(self) -> None: ...
    def forward(self) -> None: ...
    def reset(self) -> None: ...
    def sense(self) -> None: ...
    def implicit(self, whether: bool, /) -> None: ...
    def ease(self, seconds: float, /) -> None: ...
    def set(self, name: str, value: float, /) -> None: ...
    def contact_force(self, index: int) -> _Floats: ...
    def draw(self, scene: Any, points: bool = True, forces: bool = True) -> None: ...
    def set_surface_velocity(
        self, object: str, linear: Sequence[float] = ..., angular: Sequence[float] = ...
    ) -> None: ...
    def cloud(self, object: str, points: ArrayLike) -> None: ...
    def stable_step(self) -> StableStep: ...
    def fork(self, data: _Addressed) -> None: ...
    def save(self) -> bytes: ...
    def restore(self, bytes: bytes, /) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Host: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

def attach(
    model: _Addressed,
    data: _Addressed,
    config: Config | _Path,
    *,
    surfaces: Mapping[str, str] | None = None,
    log: _Path | None = None,
    ledger: bool = False,
    advise_step: bool = True,
    ease: float | None = None,
    implicit: bool = True,
) -> Host: ...

_Which = int | slice | Sequence[int] | Sequence[bool] | NDArray[numpy.bool_] | NDArray[numpy.integer[Any]] | None

class Hosts:
    config: Config
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Host: ...
    def step(self, steps: int = 1, which: _Which = None) -> None: ...
    def reset(self, which: _Which = None) -> None: ...
    def set(self, name: str, values: ArrayLike, which: _Which = None) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Hosts: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

def attach_many(
    model: _Addressed,
    data: Iterable[_Addressed],
    config: Config | _Path,
    threads: int = 0,
    *,
    surfaces: Mapping[str, str] | None = None,
    ledger: bool = False,
    advise_step: bool = True,
    ease: float | None = None,
    implicit: bool = True,
) -> Hosts: ...

class Param(NamedTuple):
    default: float
    unit: str
    doc: str
    min: float | None
    max: float | None

class State(NamedTuple):
    unit: str
    doc: str
    nominal: float
    tangent: bool
    swap: int

def param(
    default: float, unit: str = "1", doc: str = "", *, min: float | None = None, max: float | None = None
) -> Param: ...
def state(
    unit: str = "1", doc: str = "", *, nominal: float = 1.0, tangent: bool = False, swap: int | None = None
) -> State: ...

class TracedLaw:
    name: str
    params: dict[str, Param]
    states: dict[str, State]
    isotropic: bool
    def __call__(self, **columns: Any) -> dict[str, Any]: ...
    def source(self) -> str: ...
    def build(self, directory: str | PathLike[str]) -> Law: ...

def law(
    *,
    params: Mapping[str, Param] | None = None,
    states: Mapping[str, State] | None = None,
    isotropic: bool = False,
) -> Callable[[Callable[..., dict[str, Any]]], TracedLaw]: ...

# Columns of a law are arrays where it computes, and remember what is done to them where it is written as C.
def where(condition: Any, a: Any, b: Any) -> Any: ...
def sqrt(x: Any) -> Any: ...
def tanh(x: Any) -> Any: ...
def exp(x: Any) -> Any: ...
def log(x: Any) -> Any: ...
def maximum(a: Any, b: Any) -> Any: ...
def minimum(a: Any, b: Any) -> Any: ...
def length(x: Any, y: Any) -> Any: ...
