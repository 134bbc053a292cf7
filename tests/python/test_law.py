# SPDX-License-Identifier: MIT
"""Laws on arrays: the numbers of the command, bit for bit, and arguments that are wrong."""

import os
import subprocess
from pathlib import Path

import numpy
import pytest

import pcm

COLUMNS = {
    "slip": ("slip_x", "slip_y"),
    "spin": ("spin_x", "spin_y", "spin_n"),
    "position": ("x", "y", "z"),
    "velocity": ("velocity_x", "velocity_y", "velocity_z"),
    "base_axis": ("base_axis_x", "base_axis_y", "base_axis_n"),
    "follower_axis": ("follower_axis_x", "follower_axis_y", "follower_axis_n"),
}
LANES = 70
RESULTS = "force_n force_x force_y moment_n moment_x moment_y energy".split()

#: Laws' inputs without a default.
NEEDED = {
    "MeasuredTable": "Depths = (1e-4, 4e-4) [m]; Forces = (1, 5) [N];",
    "SpringContact": "K = 1e4; B = 10;",
    "WallContact": "GapLeft = (0.50, 1.20) [m]; GapRight = (0.60, 1.45) [m];",
}
LAWS = sorted(path.stem for path in Path(os.environ["PCM_SOURCE"], "plugins").glob("*.c"))
LAWS.remove("DefaultContact")  # They read amounts of objects, which a call does not take.
LAWS = [law for law in LAWS if law not in ("ArchardWear", "ContactHeat", "HeatConduction")]


def is_part(model):
    """Parts that read the load of earlier ones are no whole law, which a rule could name."""
    return "PCM_LOAD" in Path(os.environ["PCM_SOURCE"], "plugins", f"{model}.c").read_text()


def motion_of_every_kind():
    random = numpy.random.default_rng(4)
    motion = {
        "depth": random.uniform(-5e-4, 1e-3, LANES),
        "depth_rate": random.uniform(-1, 1, LANES),
        "radius": random.uniform(0.01, 1, LANES),
        "mass": random.uniform(0.1, 10, LANES),
        "area": random.uniform(1e-4, 1e-3, LANES),
        "load_n": random.uniform(-10, 100, LANES),
        "load_elastic": random.uniform(0, 100, LANES),
        "load_adhesive": random.uniform(-10, 0, LANES),
        "load_pull_off": random.uniform(0, 10, LANES),
        "contact_radius": random.uniform(1e-4, 1e-3, LANES),
    }
    for name, parts in COLUMNS.items():
        motion[name] = random.uniform(-1, 1, (LANES, len(parts)))
    return motion, random


def read_names(law):
    """What the law reads, as it says itself where it is missing."""
    motion, _ = motion_of_every_kind()
    given = {}
    while True:
        try:
            law(**given)
            return given
        except TypeError as error:
            name = str(error).split("'")[1]
            assert name in motion, str(error)
            given[name] = motion[name]


def trial_rows(folder, text, columns):
    """The same evaluations by `pcm rig --trial`, with numbers of 17 digits."""
    file, table = folder / "one.pcm", folder / "motion.csv"
    file.write_text(text)
    rows = [",".join(columns)] + [
        ",".join(format(column[i], ".17g") for column in columns.values()) for i in range(LANES)
    ]
    table.write_text("\n".join(rows) + "\n")
    told = subprocess.run(
        [os.environ["PCM_COMMAND"], "rig", file, "C", "--motion", table, "--trial"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    names = told[0].split(",")
    return {name: [row.split(",")[at] for row in told[1:]] for at, name in enumerate(names)}


@pytest.mark.parametrize("model", LAWS)
def test_every_law_gives_the_bits_of_the_command(model, tmp_path):
    text = f"ContactType C = {model} {{ {NEEDED.get(model, '')} }};\n" + ("" if is_part(model) else "DefaultPair -> C;\n")
    law = pcm.parse(text)["C"]
    given = read_names(law)
    state = numpy.random.default_rng(9).uniform(-1e-4, 1e-4, (len(law.states), LANES))
    columns = {}
    for name, value in given.items():
        parts = COLUMNS.get(name, (name,))
        columns.update(zip(parts, value.reshape(LANES, -1).T))
    columns.update(zip(law.states, state))
    columns["dt"] = numpy.full(LANES, 1e-3)
    columns["fresh"] = numpy.ones(LANES)  # establish reads it, and the rig needs it
    told = trial_rows(tmp_path, text, columns)
    result = law(state=state, dt=1e-3, **given)
    compared = 0
    for name in RESULTS:
        if name in result and name in told:
            numpy.testing.assert_array_equal(result[name], numpy.array(told[name], float), err_msg=name)
            compared += 1
    for row, name in enumerate(law.states):
        base, _, axis = name.rpartition("_") if name[-2:] in ("_x", "_y") else (name, "", "")
        for kind in ("next", "rate"):
            column = f"{base}_{kind}" + (f"_{axis}" if axis else "")
            if column in told:
                numpy.testing.assert_array_equal(result[kind][row], numpy.array(told[column], float))
                compared += 1
    assert compared >= 1 + len(law.states)


def test_one_number_stands_for_all_lanes(config):
    law = config["Hard"]
    some = law(depth=numpy.full(3, 1e-3), depth_rate=0.1, slip=numpy.zeros((3, 2)))
    one = law(depth=1e-3, depth_rate=0.1, slip=numpy.zeros((1, 2)))
    assert some["force_n"].shape == (3,) and (some["force_n"] == one["force_n"][0]).all()
    assert law(depth=numpy.zeros(0), depth_rate=0.0, slip=numpy.zeros((0, 2)))["force_n"].shape == (0,)


def test_states_begin_at_zero_and_step(config):
    law = config["Soft"]
    given = dict(depth=numpy.full(4, 1e-3), depth_rate=0.0, slip=numpy.full((4, 2), 0.01), dt=1e-3)
    first = law(**given)
    again = law(state=first["next"], **given)
    assert first["next"].shape == (2, 4) and (first["next"][0] > 0).all()
    assert (again["next"][0] > first["next"][0]).all()
    assert law.establish(depth=1e-3, depth_rate=0.0, slip=numpy.zeros((1, 2))).shape == (2, 1)
    assert first["mode"].dtype == numpy.int64


HEATED = """
#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, warmth;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i)
        b->force_n[i] = law.stiffness * b->depth[i] + b->host_inputs[0][i] + b->host_inputs[1][i];
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1000, "force per metre of depth"),
    PCM_REAL(Law, warmth, "Warmth", "N", 5, "force until the host says another"),
};
static const pcm_host_input inputs[] = {
    {.name = "push", .unit = "N", .doc = "a force of the host's"},
    {.name = "warmth", .unit = "N", .doc = "another", .fallback = "Warmth"},
};

PCM_KERNELS(update);
PCM_MODEL(Heated, "A spring with two inputs", .params = PCM_TABLE(params), .host_inputs = PCM_TABLE(inputs),
          .inputs = PCM_DEPTH);
"""


def test_host_inputs_and_their_fallback(tmp_path):
    from pcm._trace import compile_law

    (tmp_path / "Heated.c").write_text(HEATED)
    compile_law(tmp_path, "Heated")
    law = pcm.parse("ContactType C = Heated { Warmth = 7; }; DefaultPair -> C;", plugins=tmp_path)["C"]
    given = dict(depth=numpy.array([1.0, 2.0]))
    push = numpy.array([10.0, 20.0])
    assert law(**given, inputs={"push": push})["force_n"].tolist() == [1017, 2027]
    assert law(**given, inputs={"push": 1.0, "warmth": push})["force_n"].tolist() == [1011, 2021]
    with pytest.raises(TypeError, match="needs inputs={'push'"):
        law(**given)
    with pytest.raises(ValueError, match="no host input 'pull'"):
        law(**given, inputs={"pull": push})


def test_jacobian_by_motion_and_parameter(config):
    law = config["Hard"]
    given = dict(depth=numpy.array([1e-3, 2e-3]), depth_rate=numpy.zeros(2), slip=numpy.zeros((2, 2)))
    jacobian = law.jacobian([("force_n", "depth"), ("force_n", "GroundStiffness")])
    values = jacobian(**given)
    step = 1e-9
    up = law(**{**given, "depth": given["depth"] + step})["force_n"]
    down = law(**{**given, "depth": given["depth"] - step})["force_n"]
    numpy.testing.assert_allclose(values["force_n", "depth"], (up - down) / (2 * step), rtol=1e-6)
    numpy.testing.assert_allclose(values["force_n", "GroundStiffness"], given["depth"], rtol=1e-9)
    with pytest.raises(ValueError, match="no output 'force_q'"):
        law.jacobian([("force_q", "depth")])
    with pytest.raises(ValueError, match="no motion, state or parameter 'dept'"):
        law.jacobian([("force_n", "dept")])
    with pytest.raises(TypeError, match="pairs of names"):
        law.jacobian(["force_n"])
    with pytest.raises(ValueError, match="at least one"):
        law.jacobian([])


def test_derived_values_follow_the_load(config):
    derived = config["Soft"].derived(force=10.0)
    assert isinstance(derived, dict) and all(isinstance(value, float) for value in derived.values())
    with pytest.raises(TypeError):
        config["Soft"].derived(weight=1)


GOOD = dict(depth=numpy.zeros(3), depth_rate=numpy.zeros(3), slip=numpy.zeros((3, 2)))


@pytest.mark.parametrize(
    "wrong, error, words",
    [
        (dict(depth=numpy.zeros(3, "f4")), TypeError, "depth.*float64"),
        (dict(depth=[0.0, 0.0, 0.0]), TypeError, "depth.*float64"),
        (dict(depth=numpy.zeros(6)[::2]), ValueError, "depth.*C order"),
        (dict(slip=numpy.zeros((3, 2), order="F")), ValueError, "slip.*C order"),
        (dict(slip=numpy.zeros(3)), ValueError, r"slip.*\(3, 2\), not \(3,\)"),
        (dict(depth_rate=numpy.zeros(4)), ValueError, r"depth_rate.*\(3,\), not \(4,\)"),
        (dict(depth_rate=numpy.zeros(3, complex)), TypeError, "depth_rate"),
        (dict(state=numpy.zeros((1, 3))), ValueError, r"state.*\(2, 3\)"),
        (dict(dt="1"), TypeError, ""),
        (dict(inputs={"load": 1.0}), ValueError, "inputs.*load"),
        (dict(inputs=[1.0]), TypeError, "inputs"),
        (dict(slop=1.0), TypeError, "no argument 'slop'"),
    ],
)
def test_wrong_arguments_are_named(config, wrong, error, words):
    with pytest.raises(error, match=words):
        config["Soft"](**{**GOOD, **wrong})


def test_missing_and_unnamed_arguments(config):
    with pytest.raises(TypeError, match="needs the argument 'depth_rate'|needs the argument 'slip'"):
        config["Soft"](depth=1.0)
    with pytest.raises(TypeError, match="by name"):
        config["Soft"](1.0)


def test_a_law_outlives_its_config():
    law = pcm.parse("ContactType C = CompliantGround {}; DefaultPair -> C;")["C"]
    jacobian = pcm.parse("ContactType C = CompliantGround {}; DefaultPair -> C;")["C"].jacobian([("force_n", "depth")])
    assert law(**GOOD)["force_n"].shape == (3,)
    assert jacobian(**GOOD)["force_n", "depth"].shape == (3,)
