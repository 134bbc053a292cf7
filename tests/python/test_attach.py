# SPDX-License-Identifier: MIT
"""Attachments to the system's libmujoco, through ctypes."""

import gc
import os
import subprocess
import sys
import warnings
import weakref

import numpy
import pytest

import pcm
import simulators

SCENE = """
<mujoco>
  <option timestep="0.0005" integrator="{integrator}"/>
  <worldbody>
    <geom name="Floor" type="plane" size="5 5 0.1"/>
    <body name="Cube" pos="0 0 0.0505">
      <freejoint/>
      <geom name="Cube" type="box" size="0.05 0.05 0.05" mass="1" euler="1 2 3"/>
    </body>
  </worldbody>
</mujoco>
"""
RULES = """
ContactType Ground = CompliantGround { Friction = 0.8; LogFile = "ground.csv"; };
ObjectPair Floor * Cube -> Ground;
"""


@pytest.fixture(scope="session")
def simulator():
    try:
        return simulators.Simulator()
    except OSError:
        pytest.skip("there is no libmujoco")


@pytest.fixture
def files(tmp_path):
    scene, rules = tmp_path / "scene.xml", tmp_path / "scene.pcm"
    scene.write_text(SCENE.format(integrator="Euler"))
    rules.write_text(RULES)
    return scene, rules


@pytest.fixture
def attached(simulator, files):
    scene, rules = files
    model = simulators.Model(simulator, scene)
    data = simulators.Data(model)
    host = pcm.attach(model, data, rules)
    yield data, host
    host.close()


STEPS = 1000


def run_own_loop(data, host):
    for _ in range(STEPS):
        data.step()
    host.status()


def run_host_step(data, host):
    for _ in range(STEPS):
        host.step()


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_own_loop_host_step_and_the_command_give_the_same_bits(simulator, files, tmp_path, integrator):
    scene, rules = files
    scene.write_text(SCENE.format(integrator=integrator))
    logs = {}
    for run in (run_own_loop, run_host_step):
        model = simulators.Model(simulator, scene)
        data = simulators.Data(model)
        folder = tmp_path / run.__name__
        folder.mkdir()
        with pcm.attach(model, data, rules, log=folder) as host:
            run(data, host)
            assert len(host.contacts()) > 0
        logs[run.__name__] = (folder / "ground.csv").read_text()
    folder = tmp_path / "command"
    folder.mkdir()
    subprocess.run(
        [os.environ["PCM_COMMAND"], "run", scene, rules, "--time", str(0.0005 * STEPS), "--log", folder],
        check=True,
        capture_output=True,
    )
    logs["command"] = (folder / "ground.csv").read_text()
    assert logs["run_host_step"].count("\n") > 1000
    assert logs["run_host_step"] == logs["command"]
    if integrator == "Euler":  # in RK4 MuJoCo 2 rounds quaternions once more: see docs/mujoco.md
        assert logs["run_own_loop"] == logs["command"]


def test_contacts_name_their_bodies(attached):
    data, host = attached
    run_own_loop(data, host)
    rows = host.contacts()
    assert rows.dtype == pcm.HOST_CONTACT and len(rows) >= 3
    assert {(row["base_body"], row["follower_body"]) for row in rows} <= {(0, 1), (1, 0)}
    assert rows["world_force"][:, 2].sum() == pytest.approx(9.81 * (1 if rows["base_body"][0] == 0 else -1), rel=0.2)
    assert host.world.rules()[0].made >= 3


def test_a_forward_is_a_trial(attached):
    data, host = attached
    run_own_loop(data, host)
    plain = host.contacts()
    data.reset()
    for _ in range(STEPS):
        data.forward()
        host.forward()
        data.step()
    tried = host.contacts()
    for name in ("depth", "slip", "force", "point", "since"):
        assert (tried[name] == plain[name]).all()


def test_episodes_with_resets_give_equal_bits(attached):
    data, host = attached
    ends = []
    for _ in range(4):
        run_own_loop(data, host)
        ends.append(host.contacts().copy())
        data.reset()
    for end in ends[1:]:
        for name in ("depth", "slip", "force", "point", "since"):
            assert (end[name] == ends[0][name]).all()


def test_copies_and_forks_go_on_alone(attached):
    data, host = attached
    run_own_loop(data, host)
    before = host.contacts()
    copy = data.copy()
    host.fork(copy)
    for _ in range(50):
        copy.step()
    assert (host.contacts() == before).all()


def test_a_checkpoint_goes_on(attached):
    data, host = attached
    run_own_loop(data, host)
    saved, copy = host.save(), data.copy()
    data.step()
    after = host.contacts()
    data.model.simulator.mj_copyData(data._address, data.model._address, copy._address)
    host.restore(saved)
    data.step()
    again = host.contacts()
    assert (after["force"] == again["force"]).all() and (after["depth"] == again["depth"]).all()
    with pytest.raises(pcm.Error):
        host.restore(saved[:-3])


def test_reset_where_the_clock_stays(attached):
    data, host = attached
    run_own_loop(data, host)
    assert host.contacts()["since"].min() >= 0
    host.reset()
    data.step()
    host.status()


def test_implicit_steps_bear_hard_contacts(simulator, files):
    scene, rules = files
    scene.write_text(SCENE.format(integrator="Euler").replace("0.0005", "0.01"))
    rules.write_text(RULES.replace("Friction", "Stiffness = 1e9; Friction"))
    model = simulators.Model(simulator, scene)
    data = simulators.Data(model)
    with pcm.attach(model, data, rules) as host:
        host.ease(0.1)
        for _ in range(500):
            host.step()
        assert host.contacts()["force"][:, 2].sum() == pytest.approx(9.81, rel=1e-3)
        with pytest.raises(pcm.Error):
            host.ease(-1.0)


def test_the_largest_stable_step(simulator, files):
    scene, rules = files
    rules.write_text(RULES.replace("Friction", "Stiffness = 1e9; Friction"))
    model = simulators.Model(simulator, scene)
    for advise, warnings in ((False, 0), (True, 1)):
        data = simulators.Data(model)
        with pytest.warns(pcm.Warning) as told:
            with pcm.attach(model, data, rules, advise_step=advise, implicit=False) as host:
                assert host.stable_step() == (numpy.inf, None, None, None)
                while not len(host.contacts()):
                    data.step()
                found = host.stable_step()
                assert 0 < found.step < 0.0005
                assert {found.a, found.b} == {"Floor", "Cube"} and found.type == "Ground"
                data.step()
                host.status()
        assert sum("too large" in str(warning.message) for warning in told) == warnings
        assert sum("call host.implicit(True)" in str(warning.message) for warning in told) == warnings


def test_an_object_touches_by_its_points(simulator, files):
    scene, rules = files
    model = simulators.Model(simulator, scene)
    data = simulators.Data(model)
    feet = numpy.array([[0.04, 0.04, -0.05], [0.04, -0.04, -0.05], [-0.04, 0, -0.05]])
    with pcm.attach(model, data, rules) as host:
        for points in (feet[:, :2], feet.ravel(), [["x"]]):
            with pytest.raises(ValueError):
                host.cloud("Cube", points)
        with pytest.raises(pcm.Error, match="Cub"):
            host.cloud("Cub", feet)
        try:
            host.cloud("Cube", feet)
        except pcm.Error as error:
            if "built without libpcm-geometry" in str(error):  # as in wheels
                pytest.skip("there is no libpcm-geometry")
            raise
        run_own_loop(data, host)
        contacts = host.contacts()
        assert sorted(contacts["feature"].tolist()) == [0, 1, 2]
        assert contacts["force"][:, 2].sum() == pytest.approx(9.81, rel=1e-2)


def test_a_closed_attachment_says_so(attached):
    data, host = attached
    world = host.world
    assert host.world is world
    host.close()
    host.close()
    for call in (host.step, host.status, host.save, host.contacts, host.stable_step, lambda: world.update(0.0, 0.0)):
        with pytest.raises(RuntimeError, match="closed"):
            call()
    data.step()
    again = pcm.attach(data.model, data, host.config)
    with pytest.raises(pcm.Error, match=r"attached already: .*\(host\.close\(\)\)"):  # as Python has it
        pcm.attach(data.model, data, host.config)
    again.close()


def test_a_dropped_attachment_warns(simulator, files):
    model = simulators.Model(simulator, files[0])
    data = simulators.Data(model)
    with pytest.warns(pcm.Warning, match="keep what pcm.attach\\(\\) returns"):
        pcm.attach(model, data, files[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        host = pcm.attach(model, data, files[1])
        with pytest.raises(pcm.Error, match="attached already"):
            pcm.attach(model, data, files[1])
        host.close()
        del host


def test_it_keeps_model_and_data(simulator, files):
    model = simulators.Model(simulator, files[0])
    data = simulators.Data(model)
    watched = weakref.ref(model), weakref.ref(data)
    world = pcm.attach(model, data, str(files[1])).world
    del model, data
    gc.collect()
    assert all(watch() for watch in watched)
    watched[1]().step()
    assert len(world.rules()) == 1
    with pytest.warns(pcm.Warning, match="dropped"):
        del world
        gc.collect()
    assert not any(watch() for watch in watched)


def test_attachments_leave_nothing(simulator, files):
    config = pcm.load(files[1])
    model = simulators.Model(simulator, files[0])
    data = simulators.Data(model)
    kept = (config, model, data)
    before = [sys.getrefcount(object) for object in kept]
    for _ in range(300):
        host = pcm.attach(model, data, config)
        host.step()
        host.world
        host.close()
    del host
    assert [sys.getrefcount(object) for object in kept] == before


def test_the_second_attachment_starts_nothing(attached, monkeypatch):
    data, host = attached
    host.close()

    def refuse(*command, **_):
        raise AssertionError(f"{command} is started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    pcm.attach(data.model, data, host.config).close()


def test_wrong_objects(attached):
    data, host = attached
    with pytest.raises(TypeError, match="model: an object of the package mujoco is wanted, not int"):
        pcm.attach(1, data, host.config)
    with pytest.raises(TypeError, match="data: .* not dict"):
        pcm.attach(data.model, {}, host.config)
    with pytest.raises(pcm.Error):
        pcm.attach(data.model, data, "no-such-file.pcm")
    with pytest.raises(TypeError):
        host.fork(None)


def in_other_process(code, folder, **environment):
    """What the code says of its error, in a process with nothing loaded and an empty cache."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), **environment}
    code = "import pcm, simulators, ctypes, sys\n" + code
    path = [os.path.dirname(__file__), environment["PYTHONPATH"]]
    environment["PYTHONPATH"] = os.pathsep.join(path)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    return done.stderr


ATTACH = """
simulator = simulators.Simulator()
model = simulators.Model(simulator, "{0}")
data = simulators.Data(model)
{2}
pcm.attach(model, data, "{1}").step()
"""


def test_no_library_no_compiler_no_cache(simulator, files, tmp_path):
    class_with_address = "class Some: _address = 64\npcm.attach(Some(), Some(), pcm.parse(''))"
    assert "import mujoco before pcm.attach()" in in_other_process(class_with_address, tmp_path)
    said = in_other_process(ATTACH.format(*files, ""), tmp_path, CC="no-such-compiler")
    assert "there is none (no-such-compiler)" in said and "apt install gcc" in said
    said = in_other_process(ATTACH.format(*files, ""), tmp_path, CC="false")
    assert "cannot be compiled" in said
    (tmp_path / "file").write_text("")
    said = in_other_process(ATTACH.format(*files, ""), tmp_path, XDG_CACHE_HOME=str(tmp_path / "file"))
    assert "XDG_CACHE_HOME names another folder" in said
    assert not list((tmp_path / "cache").glob("pcm/*"))


def test_a_drop_is_told_unless_python_ends(simulator, files, tmp_path):
    cache = os.environ.get("XDG_CACHE_HOME", "")
    said = in_other_process(ATTACH.format(*files, ""), tmp_path, XDG_CACHE_HOME=cache)
    assert "keep what pcm.attach() returns" in said  # by Python's own filters
    kept = ATTACH.replace("pcm.attach(", "host = pcm.attach(").replace(".step()", "; host.step()")
    assert in_other_process(kept.format(*files, ""), tmp_path, XDG_CACHE_HOME=cache) == ""


def test_a_replaced_callback_is_told(simulator, files, tmp_path):
    replace = """
@ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
def nothing(model, data): pass
pcm.attach(model, data, "{0}").close()
host = pcm.attach(model, data, "{0}")
place = ctypes.c_void_p.in_dll(ctypes.CDLL(ctypes.util.find_library("mujoco") or "libmujoco.so"), "mjcb_passive")
place.value = ctypes.cast(nothing, ctypes.c_void_p).value
for _ in range(10):
    data.step()
try:
    host.status()
except pcm.Error as error:
    sys.exit("told: " + str(error))
""".format(files[1])
    said = in_other_process(ATTACH.format(*files, replace), tmp_path, XDG_CACHE_HOME=os.environ.get("XDG_CACHE_HOME", ""))
    assert "told:" in said and "mjcb_passive was replaced" in said
