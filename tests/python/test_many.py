# SPDX-License-Identifier: MIT
"""Many simulations of one model, and parameters that are set, with the system's libmujoco through ctypes."""

import gc
import threading
import weakref

import numpy
import pytest

import pcm
import simulators

SCENE = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <geom name="Floor" type="plane" size="5 5 0.1"/>
    <body name="Cube" pos="0 0 0.0499">
      <freejoint/>
      <geom name="Cube" type="box" size="0.05 0.05 0.05" mass="1"/>
    </body>
  </worldbody>
  <keyframe>
    <key qpos="0 0 0.0499 1 0 0 0" qvel="1 0.5 0 0 0 2"/>
    <key qpos="0 0 0.0499 1 0 0 0" qvel="1e20 0 0 0 0 0"/>
  </keyframe>
</mujoco>
"""
RULES = "ContactType Ground = CompliantGround {{ Friction = {0}; Stiffness = 1e5; }}; ObjectPair Floor * Cube -> Ground;"
COUNT, STEPS = 6, 200
FRICTIONS = numpy.linspace(0.1, 0.9, COUNT)


@pytest.fixture(scope="session")
def simulator():
    try:
        return simulators.Simulator()
    except OSError:
        pytest.skip("there is no libmujoco")


@pytest.fixture
def model(simulator, tmp_path):
    scene = tmp_path / "scene.xml"
    scene.write_text(SCENE)
    return simulators.Model(simulator, scene)


@pytest.fixture
def config():
    return pcm.parse(RULES.format(0.6))


def new_data(model, count=COUNT):
    data = [simulators.Data(model) for _ in range(count)]
    for one in data:
        one.reset(0)
    return data


def forces(host):
    rows = host.contacts()
    assert len(rows) == 4
    return rows["force"].copy(), rows["slip"].copy(), rows["depth"].copy()


def assert_same(one, other):
    for a, b in zip(one, other):
        numpy.testing.assert_array_equal(a, b)


def alone(model, friction, steps=STEPS):
    data = new_data(model, 1)[0]
    with pcm.attach(model, data, pcm.parse(RULES.format(friction))) as host:
        for _ in range(steps):
            host.step()
        return forces(host)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_they_have_the_bits_of_one_by_one(model, config, threads):
    with pcm.attach_many(model, new_data(model), config, threads) as hosts:
        hosts.set("Ground.Friction", FRICTIONS)
        hosts.step(STEPS // 2)
        for _ in range(STEPS // 2):
            hosts.step()
        assert len(hosts) == COUNT
        for host, friction in zip(hosts, FRICTIONS):
            assert_same(forces(host), alone(model, friction))


def test_some_of_them(model, config):
    data = new_data(model)
    with pcm.attach_many(model, data, config) as hosts:
        hosts.set("Ground.Friction", 0.2, which=[1, 3])
        hosts.step(STEPS, which=numpy.arange(COUNT) < 4)
        for host, friction in zip(hosts, (0.6, 0.2, 0.6, 0.2)):
            assert_same(forces(host), alone(model, friction))
        assert len(hosts[4].world.contacts()) == 0
        data[1].reset(0)
        hosts.reset(which=1)
        hosts.step(STEPS, which=1)
        assert_same(forces(hosts[1]), alone(model, 0.2))  # parameters stay


def test_one_that_fails(model, config):
    data = new_data(model)
    with pcm.attach_many(model, data, config, threads=2) as hosts:
        data[2].reset(1)
        with pytest.raises(pcm.Error, match="unstable") as told:
            hosts.step(STEPS)
        assert told.value.environments == (2,)
        assert "in environments 2" in told.value.__notes__
        for i in (0, 1, 3):
            assert_same(forces(hosts[i]), alone(model, 0.6))
        with pytest.raises(pcm.Error, match="'Friction' is -1, but must be at least 0"):
            hosts.set("Ground.Friction", -1)
        with pytest.raises(ValueError, match="negative"):
            hosts.step(-1)
        with pytest.raises(ValueError):
            hosts.set("Ground.Friction", [1, 2])
        with pytest.raises(IndexError):
            hosts.reset(COUNT)
        with pytest.raises(IndexError, match="6 attachments"):
            hosts[COUNT]


def test_they_belong_together(model, config):
    data = new_data(model)
    hosts = pcm.attach_many(model, data, config)
    third, world = hosts[3], hosts[-3].world
    assert hosts[3] is third and third.world is world and third.config is config
    with pytest.raises(RuntimeError, match="close\\(\\) them together"):
        third.close()
    with pytest.raises(pcm.Error, match="attached already"):
        pcm.attach(model, data[1], config)
    hosts.close()
    hosts.close()
    for call in (third.step, third.contacts, world.commit, hosts.step, lambda: hosts[0]):
        with pytest.raises(RuntimeError, match="closed"):
            call()
    pcm.attach(model, data[1], config).close()
    with pytest.raises(TypeError, match="data\\[1\\]: an object of the package mujoco is wanted, not int"):
        pcm.attach_many(model, [data[0], 1], config)
    with pytest.raises(pcm.Error, match="nothing to attach"):
        pcm.attach_many(model, [], config)


def test_dropped_ones_warn_and_leave_nothing(model, config):
    data = new_data(model)
    watched = weakref.ref(data[0])
    host = pcm.attach_many(model, data, config)[0]
    del data
    gc.collect()
    host.step()
    assert watched()
    with pytest.warns(pcm.Warning, match="dropped"):
        del host
        gc.collect()
    assert not watched()


def test_python_goes_on_meanwhile(model, config):
    with pcm.attach_many(model, new_data(model), config) as hosts:
        done = threading.Event()

        def run():
            hosts.step(20 * STEPS)
            done.set()

        thread = threading.Thread(target=run)
        thread.start()
        counted = 0
        while not done.is_set():
            counted += 1
        thread.join()
        assert counted > 100


# ---- One parameter ---------------------------------------------------------------------------------------------------


def test_a_set_number_has_the_bits_of_a_file(model, config):
    data = new_data(model, 1)[0]
    with pcm.attach(model, data, config) as host:
        host.set("Ground.Friction", 0.3)
        for _ in range(STEPS):
            data.step()
        assert_same(forces(host), alone(model, 0.3))
        assert config["Ground"].params["Friction"] == 0.6
        saved = host.save()
        host.set("Ground.Friction", 0.5)
        host.restore(saved)  # with 0.3
        before = data.copy()
        for _ in range(10):
            host.step()
        first = forces(host)
        data.become(before)
        host.restore(saved)
        for _ in range(10):
            host.step()
        assert_same(first, forces(host))


def test_worlds_set_them_too(config):
    world = pcm.World(config)
    world.set("Ground.Friction", 0.3)
    with pytest.raises(pcm.Error, match="no parameter 'Frction' of its own; did you mean 'Friction'"):
        world.set("Ground.Frction", 0.3)
    with pytest.raises(pcm.Error, match="no contact type 'ground'; did you mean 'Ground'"):
        world.set("ground.Friction", 0.3)
    with pytest.raises(TypeError, match="2 arguments"):
        world.set("Ground.Friction")
    with pytest.raises(TypeError):
        world.set("Ground.Friction", "0.3")
