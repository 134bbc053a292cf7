# SPDX-License-Identifier: MIT
"""Laws written in Python: the plugin gives the numbers of numpy, and what cannot be written says so."""

import math
import subprocess

import numpy
import pytest

import pcm

PARAMS = {
    "Stiffness": pcm.param(1e5, "N/m", "force per metre of depth", min=0),
    "Damping": pcm.param(100, "N*s/m", "force per m/s of approach", min=0),
    "Friction": pcm.param(0.8, "1", 'of the "dry" kind', min=0, max=2),
    "Width": pcm.param(1e-3, "m/s", "slip at which friction has grown", min=1e-9),
}


@pcm.law(params=PARAMS, isotropic=True)
def Smooth(depth, depth_rate, slip_x, slip_y, Stiffness, Damping, Friction, Width):
    """A spring and damper with friction that grows smoothly."""
    normal = pcm.maximum(Stiffness * depth + Damping * depth_rate, 0)
    speed = pcm.length(slip_x, slip_y)
    friction = -Friction * normal * pcm.tanh(speed / Width) / pcm.where(speed > 0, speed, 1)
    return {"force_n": normal, "force_x": friction * slip_x, "force_y": friction * slip_y}


@pcm.law(
    params={"K": pcm.param(1000, "N/m", "stiffness", min=0)},
    states={"wear": pcm.state("J", "work of friction", nominal=1e-3), "stretch": pcm.state("m", "of the bristles", tangent=True)},
)
def Worn(depth, slip_x, slip_y, wear, stretch_x, stretch_y, K, dt):
    """A brush that wears."""
    x, y = stretch_x + dt * slip_x, stretch_y + dt * slip_y
    touching = (depth > 0) & ~(wear >= 1)
    force = pcm.where(touching, K * depth, 0)
    stuck = pcm.where((x * x + y * y < 1e-6) | (depth < 1e-9), 1, 0.5)
    return {
        "force_n": force,
        "force_x": -K * stuck * x,
        "force_y": -K * stuck * y,
        "energy": 0.5 * K * (x**2 + y**2),
        "wear": wear + abs(force) * pcm.sqrt(x * x + y * y),
        "stretch_x": stuck * x,
        "stretch_y": stuck * y,
    }


def motion(count):
    random = numpy.random.default_rng(2)
    given = {name: random.uniform(-1, 1, count) * size for name, size in (("depth", 1e-3), ("depth_rate", 1))}
    given.update((name, random.uniform(-1, 1, count) * 1e-3) for name in ("slip_x", "slip_y"))
    return given


def as_rows(given):
    slip = numpy.stack([given["slip_x"], given["slip_y"]], axis=1)
    return {**{name: value for name, value in given.items() if not name.startswith("slip")}, "slip": slip}


def test_the_plugin_has_the_bits_of_numpy(tmp_path):
    given = motion(1000)
    law = Smooth.build(tmp_path)
    built, computed = law(**as_rows(given)), Smooth(**given)
    numpy.testing.assert_array_equal(built["force_n"], computed["force_n"])
    for name in ("force_x", "force_y"):  # tanh comes from the kit
        numpy.testing.assert_allclose(built[name], computed[name], rtol=1e-15, atol=0)
    assert law.params["Width"] == 1e-3 and law.summary.startswith("A spring and damper")


def test_states_step_and_bits_are_equal(tmp_path):
    given = motion(500)
    del given["depth_rate"]
    random = numpy.random.default_rng(3)
    state = random.uniform(-1e-3, 1e-3, (3, 500))
    state[0] *= 2000
    law = Worn.build(tmp_path)
    built = law(**as_rows(given), state=state, dt=1e-3)
    computed = Worn(**given, wear=state[0], stretch_x=state[1], stretch_y=state[2], dt=1e-3)
    assert law.states == ("wear", "stretch_x", "stretch_y")
    for name in ("force_n", "force_x", "force_y", "energy"):
        numpy.testing.assert_array_equal(built[name], computed[name], err_msg=name)
    for row, name in enumerate(law.states):
        numpy.testing.assert_array_equal(built["next"][row], computed[name], err_msg=name)


def test_the_source_is_readable_c(tmp_path):
    Worn.build(tmp_path)
    source = (tmp_path / "Worn.c").read_text()
    assert "b->next[0][i] = " in source and "PCM_REAL(Law, K, \"K\", \"N/m\", 1000" in source
    strict = "-std=c17 -fopenmp-simd -fsyntax-only -Wall -Wextra -Wconversion -Wpedantic -Werror"
    include = pcm._compiler.HERE + "/include"
    subprocess.run(["gcc", *strict.split(), "-I", include, tmp_path / "Worn.c"], check=True)


def test_a_file_uses_it_like_any_law(tmp_path):
    Smooth.build(tmp_path)
    config = pcm.parse("ContactType C = Smooth { Stiffness = 20 [kN/m]; }; DefaultPair -> C;", plugins=[tmp_path])
    assert config["C"].params["Stiffness"] == 20e3
    with pytest.raises(pcm.Error, match="Friction"):
        pcm.parse("ContactType C = Smooth { Friction = 3; }; DefaultPair -> C;", plugins=[tmp_path])


def test_parentheses_stand_where_they_matter(tmp_path):
    @pcm.law()
    def Order(depth, depth_rate):
        a, b = depth, depth_rate
        return {"force_n": a - (b - a) - (a / (b * a)) * -(-a - b) + (a + b) * (a - b) / -2.5 - (1e300 * 1e-3) / 7}

    given = {name: value for name, value in motion(50).items() if name.startswith("depth")}
    built = Order.build(tmp_path)(**given)
    numpy.testing.assert_array_equal(built["force_n"], Order(**given)["force_n"])


def test_extreme_numbers(tmp_path):
    @pcm.law()
    def Extreme(depth, depth_rate):
        larger = pcm.maximum(depth, depth_rate) + pcm.minimum(depth, depth_rate)
        return {"force_n": pcm.where(depth == depth, pcm.length(depth, depth_rate), larger)}

    values = numpy.array([0.0, -0.0, 1e300, 1e-300, 5e-324, numpy.inf, -1.0])
    depth, rate = (part.ravel().copy() for part in numpy.meshgrid(values, values))
    built = Extreme.build(tmp_path)(depth=depth, depth_rate=rate)["force_n"]
    numpy.testing.assert_array_equal(built, Extreme(depth=depth, depth_rate=rate)["force_n"])


def trace(body, **settings):
    return lambda: pcm.law(**settings)(body)


def branch(depth):
    return {"force_n": depth if depth > 0 else 0}


def choice(depth):
    return {"force_n": max(depth, 0)}


def by_math(depth):
    return {"force_n": math.sqrt(depth)}


def by_numpy(depth):
    return {"force_n": numpy.tanh(depth)}


def by_numpy_maximum(depth):
    return {"force_n": numpy.maximum(depth, 0)}


def by_numpy_where(depth):
    return {"force_n": numpy.where(depth > 0, depth, 0)}


def by_numpy_sinc(depth):
    return {"force_n": numpy.sinc(depth)}


def added(depth):
    return {"force_n": depth + (depth > 0)}


def unknown(depths):
    return {"force_n": depths}


def nothing(depth):
    return depth


def half(depth):
    return {"force_n": depth, "force_x": depth}


def other(depth):
    return {"force_n": depth, "force_q": depth}


def frozen(depth, wear):
    return {"force_n": depth}


@pytest.mark.parametrize(
    "body, words",
    [
        (branch, "use pcm.where"),
        (choice, "use pcm.where"),
        (by_math, "use pcm.sqrt"),
        (by_numpy, "use pcm.tanh"),
        (by_numpy_maximum, "use pcm.maximum"),
        (by_numpy_where, "use pcm.where"),
        (by_numpy_sinc, "numpy.sinc knows no columns"),
        (added, r"pcm.where\(condition, 1, 0\)"),
        (unknown, "'depths' is no column"),
        (nothing, "returns a dictionary"),
        (half, "returns no force_y"),
        (other, "'force_q' is no output"),
    ],
)
def test_what_cannot_be_written_says_so(body, words):
    with pytest.raises(TypeError, match=words):
        pcm.law()(body)


def test_numbers_of_numpy_go_with_columns(tmp_path):
    two = numpy.float64(2)

    @pcm.law()
    def Doubled(depth):
        return {"force_n": pcm.where(two > depth, two * depth + two / (two - depth), two**depth)}

    values = numpy.array([0.1, 0.5, 3.0])
    built = Doubled.build(tmp_path)(depth=values)["force_n"]
    numpy.testing.assert_array_equal(built[:2], 2 * values[:2] + 2 / (2 - values[:2]))
    numpy.testing.assert_allclose(built[2], 8.0, rtol=4e-16)


def test_states_and_columns_must_be_there(tmp_path):
    with pytest.raises(TypeError, match="returns no wear"):
        pcm.law(states={"wear": pcm.state("J")})(frozen)
    with pytest.raises(TypeError, match="needs the column 'slip_y'"):
        Smooth(depth=1.0, depth_rate=0.0, slip_x=0.0)
    with pytest.raises(TypeError, match="reads no 'slop'"):
        Smooth(**motion(2), slop=1)


def test_a_wrong_table_is_libpcm_s_error(tmp_path):
    law = pcm.law(params={"K": pcm.param(1, "N/furlong")})

    def Furlong(depth, K):
        return {"force_n": K * depth}

    with pytest.raises(pcm.Error, match="furlong"):
        law(Furlong).build(tmp_path)


def test_without_a_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(RuntimeError, match="apt install gcc"):
        Smooth.build(tmp_path)
