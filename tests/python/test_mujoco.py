# SPDX-License-Identifier: MIT
"""Attachments to the official package of MuJoCo."""

import copy
import pickle
import threading

import numpy
import pytest

import pcm

mujoco = pytest.importorskip("mujoco", reason="the official package of MuJoCo is not at hand")

SCENE = """
<mujoco>
  <option timestep="0.0005" integrator="{integrator}"/>
  <worldbody>
    <geom name="Floor" type="plane" size="5 5 0.1"/>
    <body name="Ball" pos="0 0 0.12">
      <freejoint/>
      <geom name="Ball" size="0.1" mass="1"/>
    </body>
  </worldbody>
</mujoco>
"""
RULES = "ContactType Ground = CompliantGround { Friction = 0.8; }; ObjectPair Floor * Ball -> Ground;"
STEPS = 4000


def new_model(integrator="Euler"):
    return mujoco.MjModel.from_xml_string(SCENE.format(integrator=integrator))


def new_data(model, push=0.0):
    data = mujoco.MjData(model)
    data.qvel[:] = [0.3 + push, 0.1, -0.2, 1, 2, 3]
    return data


def own_loop(model, data, host=None, steps=STEPS):
    for _ in range(steps):
        mujoco.mj_step(model, data)
    if host:
        host.status()
    return numpy.concatenate([data.qpos, data.qvel])


@pytest.fixture
def config():
    return pcm.parse(RULES)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_own_loop_is_host_step(config, integrator):
    model = new_model(integrator)
    first, second, plain = new_data(model), new_data(model), new_data(model)
    alone = own_loop(model, plain)
    with pcm.attach(model, first, config) as host:
        followed = own_loop(model, first, host)
    with pcm.attach(model, second, config) as host:
        for _ in range(STEPS):
            host.step()
        assert host.contacts()["follower_body"].tolist() == [1]
        assert host.world.rules()[0].made >= 1
    assert (followed == numpy.concatenate([second.qpos, second.qvel])).all()
    assert (followed != alone).any()


def test_every_start_is_eased(config, caplog):
    model, highest = new_model(), []
    for ease in (None, 0.1):
        data = mujoco.MjData(model)
        with pcm.attach(model, data, config, ease=ease):
            for _ in range(2):
                mujoco.mj_resetData(model, data)
                data.qpos[2] = 0.05
                heights = [0]
                for _ in range(2000):
                    mujoco.mj_step(model, data)
                    heights.append(data.qpos[2])
                highest.append(max(heights))
    assert min(highest[:2]) > 0.2 and max(highest[2:]) < 0.12
    for wrong in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="a time in s above 0"):
            pcm.attach(model, mujoco.MjData(model), config, ease=wrong)


def test_episodes_give_equal_bits(config):
    model = new_model()
    data = mujoco.MjData(model)
    ends = []
    with pcm.attach(model, data, config) as host:
        for _ in range(4):
            mujoco.mj_resetData(model, data)
            data.qvel[:] = [0.3, 0.1, -0.2, 1, 2, 3]
            ends.append(own_loop(model, data, host, 1500))
    assert all((end == ends[0]).all() for end in ends)


def test_forward_and_copies_change_nothing(config):
    model = new_model()
    plain, tried = new_data(model), new_data(model)
    with pcm.attach(model, plain, config) as host:
        own_loop(model, plain, host, 1000)
    with pcm.attach(model, tried, config) as host:
        for step in range(1000):
            mujoco.mj_forward(model, tried)
            if step % 100 == 50:
                copy = mujoco.MjData(model)
                mujoco.mj_copyData(copy, model, tried)
                own_loop(model, copy, steps=10)
            mujoco.mj_step(model, tried)
        host.status()
    assert (plain.qpos == tried.qpos).all() and (plain.qvel == tried.qvel).all()


def run_in_threads(work, count):
    threads = [threading.Thread(target=work, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_attachments_in_threads(config):
    model = new_model()
    with pcm.attach(model, new_data(model), config) as host:
        expected = own_loop(model, new_data(model), host, 1500)
    ends = [None] * 4

    def run(i):
        data = new_data(model)
        with pcm.attach(model, data, config) as host:
            ends[i] = own_loop(model, data, host, 1500)

    run_in_threads(run, 4)
    assert all((end == ends[0]).all() for end in ends) and expected.shape == ends[0].shape


def test_one_attachment_serves_four_threads(config):
    """As mujoco.rollout steps copies: their data are not attached."""
    model = new_model()
    data = new_data(model)
    ends = [None] * 4
    with pcm.attach(model, data, config) as host:

        def run(i):
            ends[i] = own_loop(model, new_data(model), steps=1500)

        run_in_threads(run, 4)
        own = own_loop(model, data, host, 1500)
    assert all((end == own).all() for end in ends)


def test_rollouts_of_the_package(config):
    """Its data are copies, and begin with what is set."""
    rollout = pytest.importorskip("mujoco.rollout", reason="this package has no rollout")
    model = new_model()
    data = new_data(model)
    physics = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = numpy.zeros(mujoco.mj_stateSize(model, physics))
    mujoco.mj_getState(model, data, start, physics)
    with pcm.attach(model, data, config) as host:
        host.set("Ground.Friction", 0.1)
        states, _ = rollout.rollout(model, [mujoco.MjData(model) for _ in range(2)], numpy.stack([start] * 3), nstep=STEPS)
        own_loop(model, data, host)
        mujoco.mj_getState(model, data, start, physics)
    assert all((one[-1] == start).all() for one in states)


def test_flexes_are_told(caplog):
    if int(mujoco.__version__.split(".")[0]) < 3:
        pytest.skip("this MuJoCo has no flexes")
    scene = SCENE.format(integrator="Euler").replace(
        "</worldbody>",
        '<flexcomp type="grid" count="3 3 1" spacing=".1 .1 .1" name="cloth" dim="2" mass="0.1" radius="0.01"/></worldbody>',
    )
    model = mujoco.MjModel.from_xml_string(scene)
    with caplog.at_level("INFO", "pcm"):
        pcm.attach(model, mujoco.MjData(model), pcm.parse(RULES)).close()
    assert "contacts of flexes stay MuJoCo's own" in caplog.text


def test_ill_scenes_raise(config):
    model = new_model()
    data = new_data(model)
    with pcm.attach(model, data, config) as host:
        own_loop(model, data, host, 20)
        data.qvel[0] = numpy.nan
        own_loop(model, data, steps=2)
        with pytest.raises(pcm.Error, match="unstable"):
            host.status()


def test_python_exceptions_survive(config):
    model = new_model()
    data = new_data(model)
    with pcm.attach(model, data, config):
        with pytest.raises(Exception):
            mujoco.MjModel.from_xml_string("<mujoco><nothing/></mujoco>")
        own_loop(model, data, steps=10)


def test_pictures_and_forces(config):
    model = new_model()
    data = new_data(model)
    with pcm.attach(model, data, config) as host:
        own_loop(model, data, host)
        scene = mujoco.MjvScene(model, maxgeom=10)
        host.draw(scene)
        point, arrow = scene.geoms[:2]
        assert scene.ngeom == 2 and arrow.type == mujoco.mjtGeom.mjGEOM_ARROW
        assert point.pos[2] == pytest.approx(0, abs=1e-2)
        assert arrow.size[2] == pytest.approx(9.81 * model.vis.map.force / model.stat.meanmass, rel=1e-2)
        host.draw(scene, points=False)
        assert scene.ngeom == 3
        for _ in range(5):
            host.draw(scene)
        assert scene.ngeom == 10  # full
        force = host.contact_force(0)
        assert force.shape == (6,) and force[0] == pytest.approx(9.81, rel=1e-2)
        with pytest.raises(IndexError, match="no contact 7"):
            host.contact_force(7)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_copies_of_models_are_told(config, caplog, copied):
    model = new_model()
    data = new_data(model)
    other = copied(model)
    with pcm.attach(model, data, config) as host, caplog.at_level("INFO", "pcm"):
        own_loop(other, new_data(other), steps=10)
        host.status()
    assert "another mjModel of the same names" in caplog.text


def test_what_is_no_model_is_told(config):
    model = new_model()
    spec = mujoco.MjSpec.from_string(SCENE.format(integrator="Euler")) if hasattr(mujoco, "MjSpec") else None
    with pytest.raises(TypeError, match="what its compile"):
        pcm.attach(spec, new_data(model), config)
    of_mjx = type("Model", (), {"__module__": "mujoco.mjx._src.types"})()
    with pytest.raises(TypeError, match="MJX steps without libmujoco"):
        pcm.attach(of_mjx, new_data(model), config)


def test_two_libraries_in_one_process(tmp_path):
    import simulators

    try:
        simulators.Simulator("libmujoco.so")
    except OSError:
        pytest.skip("there is no other libmujoco")
    model = new_model()
    with pytest.raises(RuntimeError, match="two libraries of MuJoCo.*keep to one of them"):
        pcm.attach(model, new_data(model), pcm.parse(RULES))
