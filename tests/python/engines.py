# SPDX-License-Identifier: MIT
"""Laws in PyBullet, DART and Drake: one table of scenes for all, and what each alone can do wrong. Run by engines.sh,
which brings the package that it names.

Tolerances. All three compute in double precision, PyPI's PyBullet too: a place comes back from it in all its digits,
which test_numbers_are_double holds. So what is at rest is held to 1e-9 m, 1e-6 of the smallest size here, and friction
on slopes to 1e-6 m/s, which the hosts of C are held to as well."""

import os
import sys
import warnings

import numpy
import pytest

import pcm

sys.path.insert(0, os.path.join(os.environ["PCM_SOURCE"], "examples/transfer"))
from bodies import in_dart, in_drake, in_pybullet  # noqa: E402

ENGINE = os.environ["PCM_ENGINE"]

SPRING = "ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 50; }; DefaultPair -> C;"
DRY = (
    "ContactType C = KelvinVoigt + CoulombRegularised { Stiffness = 1e5; Damping = 50; Friction = %g; "
    "TransitionVelocity = 10 [mm/s]; }; DefaultPair -> C;"
)
BRISTLES = (
    "ContactType C = KelvinVoigt + Dahl { KelvinVoigt.Stiffness = 1e5; Damping = 50; Dahl.Stiffness = 1e5; "
    "Friction = 0.5; }; DefaultPair -> C;"
)
DOWN = (0, 0, -9.81)
SIN, COS = 0.3420201433256687, 0.9396926207859084
SLOPE = (9.81 * SIN, 0, -9.81 * COS)  # of 20 degrees, whose tangent is 0.364: gravity leans


def ball(name="Ball", radius=0.1, mass=1.0, at=(0, 0, 0.1), **motion):
    return dict(name=name, radius=radius, mass=mass, at=at, **motion)


def box(name="Box", half=(0.2, 0.1, 0.02), mass=1.0, at=(0, 0, 0.02), **motion):
    return dict(name=name, half=half, mass=mass, at=at, **motion)


# ---- The engines -----------------------------------------------------------------------------------------------------


class Engine:
    """What engines share that a host steps."""

    def step(self, count=1):
        for _ in range(count):
            self.host.step()

    def world(self):
        return self.host.world

    def detach(self):
        self.host.close()

    def close(self):
        self.host.close()


class PyBullet(Engine):
    def __init__(self, config, bodies, gravity, step, ground, **options):
        import pybullet
        from pybullet_utils.bullet_client import BulletClient

        self.client = client = BulletClient(pybullet.DIRECT)
        client.setGravity(*gravity)
        client.setTimeStep(step)
        self.names, self.bodies = {}, []
        if ground:
            self.ground = client.createMultiBody(0, client.createCollisionShape(client.GEOM_PLANE))
            self.names[self.ground] = "Ground"
        for body in bodies:
            self.add(**body)
        self.host = self.attach(config, names=self.names, **options)

    def add(self, name, **given):
        self.bodies.append(in_pybullet(self.client, **given))
        self.names[self.bodies[-1]] = name
        return self.bodies[-1]

    def attach(self, config, **options):
        import pcm.pybullet

        return pcm.pybullet.attach(self.client, config, **options)

    def engine_steps(self, count):
        for _ in range(count):
            self.client.stepSimulation()

    def look(self, body):
        velocity, spin = self.client.getBaseVelocity(self.bodies[body])
        return numpy.array(self.client.getBasePositionAndOrientation(self.bodies[body])[0]), velocity, spin

    def close(self):
        super().close()
        self.client.disconnect()

    def set_step(self, step):
        self.client.setTimeStep(step)


class Dart(Engine):
    def __init__(self, config, bodies, gravity, step, ground, **options):
        import dartpy

        self.engine = dartpy.simulation.World()
        self.engine.setGravity(numpy.array(gravity, dtype=float))
        self.engine.setTimeStep(step)
        self.bodies = []
        if ground:
            self.ground = in_dart(self.engine, "Ground", 0, (0, 0, -0.5), half=(10, 10, 0.5))
        for body in bodies:
            self.add(**body)
        self.host = self.attach(config, **options)

    def add(self, name, **given):
        self.bodies.append(in_dart(self.engine, name, **given))
        return self.bodies[-1]

    def attach(self, config, **options):
        import pcm.dart

        return pcm.dart.attach(self.engine, config, **options)

    def engine_steps(self, count):
        for _ in range(count):
            self.engine.step()

    def look(self, body):
        node = self.bodies[body]
        return node.getWorldTransform().translation(), node.getLinearVelocity(), node.getAngularVelocity()

    def set_step(self, step):
        self.engine.setTimeStep(step)


class Drake:
    def __init__(self, config, bodies, gravity, step, ground, law=True, half_space=True, sampled=True, **options):
        from pydrake import all as drake

        builder = drake.DiagramBuilder()
        self.drake = drake
        self.plant, self.graph = drake.AddMultibodyPlantSceneGraph(builder, step)
        self.plant.mutable_gravity_field().set_gravity_vector(gravity)
        if ground and half_space:
            friction = drake.CoulombFriction(0.5, 0.5)
            place = drake.RigidTransform()
            self.plant.RegisterCollisionGeometry(self.plant.world_body(), place, drake.HalfSpace(), "ground", friction)
        elif ground:
            in_drake(self.plant, "ground", 0, (0, 0, -0.5), half=(10, 10, 0.5))
        self.bodies = [self.add(**body) for body in bodies]
        if step > 0:
            self.plant.SetUseSampledOutputPorts(sampled)
        self.plant.Finalize()
        if law:
            names = options.pop("names", {self.plant.world_body().index(): "Ground"})
            self.laws = self.attach(config, names=names, **options)
            self.laws.connect(builder)
            if law == "detached":
                self.laws.close()
        self.diagram = builder.Build()
        self.simulator = drake.Simulator(self.diagram)
        self.context = self.simulator.get_mutable_context()
        self.own = self.plant.GetMyMutableContextFromRoot(self.context)
        for body, given in zip(self.bodies, bodies):
            motion = drake.SpatialVelocity(w=given.get("spin", (0, 0, 0)), v=given.get("velocity", (0, 0, 0)))
            self.plant.SetFreeBodySpatialVelocity(context=self.own, body=body, V_JpJc=motion)
        self.simulator.Initialize()
        self.period, self.steps = step, 0

    def add(self, name, velocity=None, spin=None, **given):
        return in_drake(self.plant, name, **given)

    def attach(self, config, **options):
        import pcm.drake

        return pcm.drake.ContactForces(self.plant, self.graph, config, **options)

    def step(self, count=1):
        self.steps += count
        self.simulator.AdvanceTo(self.steps * self.period)

    engine_steps = step

    def look(self, body):
        motion = self.plant.EvalBodySpatialVelocityInWorld(self.own, self.bodies[body])
        place = self.plant.EvalBodyPoseInWorld(self.own, self.bodies[body])
        return place.translation(), motion.translational(), motion.rotational()

    def world(self):
        return self.laws._objects.world

    def close(self):
        pass


MAKE = {"pybullet": PyBullet, "dartpy": Dart, "pydrake": Drake}[ENGINE]


@pytest.fixture
def make():
    made = []

    def make(text, bodies, gravity=DOWN, step=1e-3, ground=True, **options):
        made.append(MAKE(pcm.parse(text), bodies, gravity, step, ground, **options))
        return made[-1]

    yield make
    for engine in made:
        engine.close()


def begun(engine):
    return engine.world().rules()[0].made


# ---- The scenes ------------------------------------------------------------------------------------------------------


def test_a_ball_rests_as_deep_as_its_weight_says(make):
    engine = make(SPRING, [ball()])
    engine.step(2000)
    assert engine.look(0)[0][2] == pytest.approx(0.1 - 9.81 / 1e5, abs=1e-9)
    assert begun(engine) == 1


def test_a_box_rests_on_four_points(make):
    engine = make(SPRING, [box(half=(0.2, 0.1, 0.05), at=(0, 0, 0.05))])
    engine.step(2000)
    assert engine.look(0)[0][2] == pytest.approx(0.05 - 9.81 / 4e5, abs=1e-9)
    assert begun(engine) == 4


def test_a_box_rests_on_a_box(make):
    """The upper one stands 5 cm beside the middle, which tilts the lower one by 31 urad: 1.5e-6 m at that place."""
    bodies = [box(half=(0.2, 0.1, 0.05), at=(0, 0, 0.05)), box("Top", (0.1, 0.2, 0.05), at=(0.05, 0, 0.15))]
    engine = make(SPRING.replace("Damping = 50", "Damping = 30"), bodies, step=5e-4)
    engine.step(6000)
    low, high = engine.look(0)[0][2], engine.look(1)[0][2]
    assert low == pytest.approx(0.05 - 2 * 9.81 / 4e5, abs=1e-9)
    assert high - low - 0.1 == pytest.approx(-9.81 / 4e5, abs=2e-6)
    assert begun(engine) == 8


def test_bristles_hold_on_a_slope(make):
    engine = make(BRISTLES, [box()], SLOPE)
    engine.step(2000)
    settled = engine.look(0)[0][0]
    engine.step(2000)
    assert engine.look(0)[0][0] == pytest.approx(settled, abs=1e-5)  # while its bristles swing out, without dampers
    assert begun(engine) == 4


def test_a_box_slides_down_a_slope_as_friction_says(make):
    engine = make(DRY % 0.2, [box()], SLOPE)
    engine.step(1000)
    before = engine.look(0)[1][0]
    engine.step(1000)
    assert engine.look(0)[1][0] - before == pytest.approx(9.81 * (SIN - 0.2 * COS), abs=1e-6)


def test_a_box_that_slides_and_turns_keeps_its_contacts(make):
    engine = make(BRISTLES, [box(at=(0, 0, 0.02 - 2.5e-5), velocity=(1, 0.3, 0), spin=(0, 0, 6))])
    engine.step(1)
    assert begun(engine) == 4
    engine.step(999)
    assert begun(engine) == 4
    _, velocity, spin = engine.look(0)
    assert abs(velocity[0]) < 1e-3 and abs(spin[2]) < 1e-3


def test_a_ball_that_skids_comes_to_roll(make):
    """It ends at 5/7 of its speed. The friction's slip of 10 mm/s allows 1e-3 m/s of creep."""
    engine = make(DRY % 0.3, [ball(at=(0, 0, 0.1 - 9.81e-5), velocity=(1, 0, 0))])
    engine.step(1000)
    _, velocity, spin = engine.look(0)
    assert velocity[0] == pytest.approx(5 / 7, abs=1e-3) and 0.1 * spin[1] == pytest.approx(velocity[0], abs=1e-3)
    assert begun(engine) == 1


def test_momentum_stays(make):
    one = ball("One", at=(0, 0, 5), velocity=(1, 0, 0))
    two = ball("Two", 0.2, 3.0, at=(0.31, 0.05, 5), spin=(0, 0, 9))
    engine = make(DRY % 0.3, [one, two], (0, 0, 0), 1e-4)
    engine.step(2000)
    first, second = numpy.array(engine.look(0)[1]), numpy.array(engine.look(1)[1])
    numpy.testing.assert_allclose(first + 3 * second, (1, 0, 0), atol=1e-12)
    assert begun(engine) == 1 and abs(first[1]) > 0.01


def test_numbers_are_double(make):
    engine = make(SPRING, [ball(at=(1 / 3, 0, 10))])
    assert engine.look(0)[0][0] == 1 / 3


def steps_told(make, count, **options):
    """The warnings of the step's length during `count` steps, without those of the energy that a long step adds."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        make(SPRING, [ball()], **options).step(count)
    texts = [str(entry.message) for entry in told if entry.category is pcm.Warning]
    return [text for text in texts if text.startswith("the step of")]


def test_a_step_too_large_is_told_once(make):
    (told,) = steps_told(make, 20, step=1e-2)
    assert "the step of 0.01 s is too large" in told and "'Ground' and 'Ball' is stable up to" in told
    # A ball that is pushed at its surface answers by m / 3.5.
    assert float(told.split("up to ")[1].split(" s")[0]) < 2 * (1 / 3.5 / 1e5) ** 0.5


def test_a_step_that_is_stable_is_not_told(make):
    assert steps_told(make, 20) == steps_told(make, 20, step=1e-2, advise_step=False) == []


RULE = "ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; ObjectPair Ground * Ball -> C;"


def test_pairs_without_a_rule_are_the_engine_s(make):
    """Both rest: the ball by the law, and the other, whose name no rule knows, by the engine."""
    engine = make(RULE, [ball(), ball("Other", at=(1, 0, 0.1))])
    engine.step(1500)
    assert engine.look(0)[0][2] == pytest.approx(0.1 - 9.81e-5, abs=1e-9)
    assert abs(engine.look(1)[0][2] - 0.1) < 5e-3
    rows = engine.world().contacts()
    assert len(rows) == 1 and rows["force"][0, 2] == pytest.approx(9.81, abs=1e-6)


def test_surfaces_by_patterns(make):
    text = RULE.replace("ObjectPair Ground * Ball", "SurfacePair Stone * Rubber")
    engine = make(text, [ball()], surfaces={"Gr*": "Stone", "B?ll": "Rubber"})
    engine.step(10)
    assert begun(engine) == 1
    with pytest.raises(ValueError, match="surfaces: no object is called 'Foot'"):
        make(text, [ball()], surfaces={"Foot": "Rubber"})


def test_a_name_that_no_object_has_is_told(make):
    engine = make(RULE.replace("Ball", "Bal") + "ObjectPair Bal * Bal -> C; DefaultPair -> C;", [ball()])
    with pytest.warns(pcm.Warning) as told:
        engine.step(2)
    texts = [str(entry.message) for entry in told]
    assert [text for text in texts if "called" in text] == ["text:1: no object is called 'Bal'; there are Ground, Ball"]


def test_a_file_with_an_error_says_where(make):
    with pytest.raises(pcm.Error, match="text:1"):
        make("ContactType C = KelvinVoight; DefaultPair -> C;", [ball()])


def test_a_simulation_takes_one_attachment(make):
    engine = make(SPRING, [ball()])
    with pytest.raises(RuntimeError, match="attached to this simulation already: close\\(\\) them"):
        engine.attach(pcm.parse(SPRING))
    engine.step(10)
    assert begun(engine) == 1
    (engine.laws if ENGINE == "pydrake" else engine.host).close()
    other = engine.attach(pcm.parse(SPRING), names={})
    other.close()


def test_a_normal_of_no_length_is_told(make, monkeypatch):
    from pcm import _engine

    engine = make(SPRING, [ball()])
    point, none, depth = numpy.zeros((1, 3)), numpy.zeros((1, 3)), numpy.array([1e-3])
    finds = engine.laws if ENGINE == "pydrake" else engine.host
    monkeypatch.setattr(finds, "_meetings", lambda *_: [_engine.Meeting(0, 1, point, none, depth)])
    with pytest.raises(pcm.Error, match="not finite for some contact"):
        engine.step(1)
    monkeypatch.undo()
    engine.step(10)
    assert begun(engine) == 1


def test_a_body_without_a_name_is_the_engine_s(make):
    """names= takes away the name that DART and Drake have for each body, and PyBullet for those that it makes."""
    bodies = [ball("Bare"), ball(at=(1, 0, 0.1))]
    if ENGINE == "pydrake":
        engine = make(SPRING, bodies, names={0: "Ground", 1: ""})
    else:
        engine = make(SPRING, bodies)
        engine.detach()
        engine.host = engine.attach(pcm.parse(SPRING), names={**getattr(engine, "names", {}), engine.bodies[0]: ""})
    engine.step(1500)
    assert begun(engine) == 1
    assert abs(engine.look(0)[0][2] - 0.1) < 5e-3 and engine.look(1)[0][2] == pytest.approx(0.1 - 9.81e-5, abs=1e-9)


# ---- The hosts that own the step -------------------------------------------------------------------------------------

owns_step = pytest.mark.skipif(ENGINE == "pydrake", reason="Drake steps itself")
drake_only = pytest.mark.skipif(ENGINE != "pydrake", reason="of Drake alone")
bullet_only = pytest.mark.skipif(ENGINE != "pybullet", reason="of PyBullet alone")
dart_only = pytest.mark.skipif(ENGINE != "dartpy", reason="of DART alone")


@owns_step
def test_detaching_gives_the_engine_back(make):
    """After the laws are gone, all goes on as in an engine that never had any. That one starts from the ball's place
    and motion, as no engine keeps more of a ball that it did not collide."""
    engine = make(RULE, [ball(at=(0, 0, 0.11), velocity=(0.5, 0, 0))])
    engine.step(100)
    place, velocity, spin = engine.look(0)
    assert len(engine.host.contacts()) == 1
    engine.detach()
    engine.detach()
    with pytest.raises(RuntimeError, match="detached"):
        engine.host.step()
    twin = make(RULE.replace("Ball", "Nobody"), [ball(at=place, velocity=velocity, spin=spin)])
    for _ in range(500):
        engine.engine_steps(1)
        twin.engine_steps(1)
        numpy.testing.assert_allclose(engine.look(0), twin.look(0), atol=1e-9)
    assert len(twin.host.contacts()) == 0 and abs(engine.look(0)[0][2] - 0.1) < 5e-3


@owns_step
def test_a_with_block_detaches(make):
    engine = make(RULE, [ball()])
    with engine.host as host:
        host.step()
    with pytest.raises(RuntimeError, match="detached"):
        host.push()


@owns_step
def test_calls_out_of_order(make):
    engine = make(RULE, [ball()])
    with pytest.raises(RuntimeError, match="no push to commit"):
        engine.host.commit()
    engine.host.push()
    with pytest.raises(RuntimeError, match="was not committed"):
        engine.host.push()
    engine.engine_steps(1)
    engine.host.commit()
    engine.step(1)


@owns_step
def test_a_body_is_added_once_and_can_go(make):
    engine = make(SPRING, [ball(at=(0, 0, 0.0999))])
    engine.step(2)
    assert len(engine.host.contacts()) == 1
    key = engine.bodies[0]
    with pytest.raises(ValueError, match="'Ball' is an object already"):
        engine.host.add(key)
    engine.host.remove(key)
    with pytest.raises(ValueError, match="no object"):
        engine.host.remove(key)
    engine.step(2)
    assert len(engine.host.contacts()) == 0
    later = engine.add(**ball("Later", at=(1, 0, 0.0999)))
    engine.host.add(later)
    engine.host.add(key)
    engine.step(2)
    assert len(engine.host.contacts()) == 2


@bullet_only
@pytest.mark.parametrize("step", [0.0, -1e-3])
def test_bullet_with_steps_that_are_none(make, step):
    engine = make(SPRING, [ball()])
    engine.set_step(step)
    with pytest.raises(ValueError, match="must be above 0"):
        engine.host.push()


@owns_step
def test_steps_that_are_none(make, monkeypatch):
    engine = make(SPRING, [ball()])
    for step in (0.0, -1e-3, float("nan"), float("inf")):
        monkeypatch.setattr(engine.host, "_period", lambda step=step: step)
        with pytest.raises(ValueError, match="must be above 0"):
            engine.host.push()


# ---- PyBullet alone --------------------------------------------------------------------------------------------------


@bullet_only
def test_bullet_that_steps_by_itself_is_refused(make):
    engine = make(SPRING, [ball()])
    engine.client.setRealTimeSimulation(1)
    with pytest.raises(RuntimeError, match="setRealTimeSimulation"):
        engine.host.push()
    engine.client.setRealTimeSimulation(0)


@bullet_only
def test_a_client_that_is_reset_takes_another_attachment(make):
    engine = make(SPRING, [ball()])
    engine.client.resetSimulation()
    engine.client.createMultiBody(1, engine.client.createCollisionShape(engine.client.GEOM_SPHERE, radius=0.1))
    with engine.attach(pcm.parse(SPRING)) as host:
        host.step()


@bullet_only
def test_a_body_of_bullet_has_one_name(make):
    with pytest.raises(ValueError, match="names: \\(1, -1\\) is called 'Ball' and 'Other'"):
        engine = make(SPRING, [ball()])
        engine.detach()
        engine.attach(pcm.parse(SPRING), names={1: "Ball", (1, -1): "Other"})


@bullet_only
def test_bullet_has_no_such_body(make):
    engine = make(SPRING, [ball()])
    with pytest.raises(ValueError, match="has no \\(77, -1\\)"):
        engine.host.add(77)
    engine.detach()
    with pytest.raises(ValueError, match="names: the engine has no \\(77, -1\\)"):
        pcm.pybullet.attach(engine.client, pcm.parse(SPRING), names={77: "Ghost"})


PENDULUM = """<robot name="arm">
  <link name="base"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="hand"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.5 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="elbow" type="continuous"><parent link="base"/><child link="hand"/><axis xyz="0 1 0"/></joint>
</robot>"""


@bullet_only
def test_links_of_bullet_get_their_wrenches(make, tmp_path):
    """An arm that hangs in the air by its base and lies on the ground by its hand: the spring carries half of the hand's
    weight, with the centre of its mass over the contact: all of it, and the joint none."""
    engine = make(SPRING, [])
    (tmp_path / "arm.urdf").write_text(PENDULUM)
    client = engine.client
    arm = client.loadURDF(str(tmp_path / "arm.urdf"), [0, 0, 0.1], useFixedBase=True)
    for link in (-1, 0):
        client.changeDynamics(arm, link, linearDamping=0, angularDamping=0, jointDamping=0)
    client.setJointMotorControl2(arm, 0, client.VELOCITY_CONTROL, force=0)
    engine.host.add((arm, 0))
    engine.step(4000)
    hand = client.getLinkState(arm, 0, 1, 1)
    row = engine.host.contacts()[0]
    assert row["force"][2] == pytest.approx(9.81, rel=1e-3)  # the arm leans by the depth
    assert hand[0][2] == pytest.approx(0.1 - 9.81e-5, abs=1e-7)


# ---- DART alone ------------------------------------------------------------------------------------------------------


@dart_only
def test_dart_finds_no_points_across_gaps(make):
    with pytest.warns(pcm.Warning, match="act across gaps of up to"):
        make("ContactType C = CapillaryBridge { }; DefaultPair -> C;", [ball()])


# ---- Drake alone -----------------------------------------------------------------------------------------------------


@drake_only
def test_the_state_of_drake_is_in_its_context(make):
    """A copy of the context, stepped later or not at all, has the contacts that it had: the same bits again."""
    engine = make(BRISTLES, [box(at=(0, 0, 0.02 - 2.5e-5), velocity=(0.1, 0.03, 0), spin=(0, 0, 1))])
    engine.step(50)
    kept = engine.context.Clone()

    def start():
        simulator = engine.drake.Simulator(engine.diagram, kept.Clone())
        simulator.Initialize()
        return simulator

    def motion(simulator):
        return engine.plant.GetPositionsAndVelocities(engine.plant.GetMyContextFromRoot(simulator.get_context()))

    one = start()
    one.AdvanceTo(0.1)
    first = motion(one)
    side_by_side = start(), start()
    for step in range(51, 101):
        for simulator in side_by_side:
            simulator.AdvanceTo(step * 1e-3)
    for simulator in side_by_side:
        assert (motion(simulator) == first).all()
    engine.step(50)
    assert numpy.abs(engine.plant.GetPositionsAndVelocities(engine.own) - first).max() < 1e-12
    assert len(engine.laws.contacts(engine.laws.GetMyContextFromRoot(engine.context))) == 4


@drake_only
def test_the_order_of_drake_s_updates_does_not_matter(make):
    """With output ports that are not sampled, Drake commits before the plant reads the forces of the same time. Their
    forces differ by rounding."""
    motions = []
    for sampled in (True, False):
        body = box(at=(0, 0, 0.02 - 2.5e-5), velocity=(0.1, 0.03, 0), spin=(0, 0, 1))
        engine = make(BRISTLES, [body], sampled=sampled)
        engine.step(100)
        motions.append(engine.plant.GetPositionsAndVelocities(engine.own))
    numpy.testing.assert_allclose(*motions, atol=1e-12)


@drake_only
def test_a_box_of_drake_on_a_box_of_ground(make):
    engine = make(SPRING, [box(half=(0.2, 0.1, 0.05), at=(0, 0, 0.05))], half_space=False)
    engine.step(2000)
    assert engine.look(0)[0][2] == pytest.approx(0.05 - 9.81 / 4e5, abs=1e-9)
    assert begun(engine) == 4


@drake_only
def test_closing_gives_drake_its_pairs_back(make):
    soft = RULE.replace("1e5", "98.1")
    hangs, stands = make(soft, [ball()]), make(soft, [ball()], law="detached")
    for engine in (hangs, stands):
        engine.step(2000)
    assert hangs.look(0)[0][2] < 0.05 and stands.look(0)[0][2] > 0.095


@drake_only
def test_what_drake_cannot_serve(make):
    with pytest.raises(ValueError, match="time_step"):
        make(SPRING, [ball()], step=0.0)
    with pytest.raises(ValueError, match="names: the engine has no 77"):
        make(SPRING, [ball()], names={77: "Ghost"})

    from pydrake import all as drake

    import pcm.drake

    plant, graph = drake.AddMultibodyPlantSceneGraph(drake.DiagramBuilder(), 1e-3)
    friction = drake.CoulombFriction(0.5, 0.5)
    plant.RegisterCollisionGeometry(plant.world_body(), drake.RigidTransform(), drake.HalfSpace(), "ground", friction)
    can = plant.AddRigidBody("Can", drake.SpatialInertia.SolidBoxWithMass(1, 1, 1, 1))
    plant.RegisterCollisionGeometry(can, drake.RigidTransform(), drake.Cylinder(0.1, 0.2), "can", friction)
    plant.Finalize()
    with pytest.raises(TypeError, match="laws compute in doubles"):
        pcm.drake.ContactForces(plant.ToAutoDiffXd(), graph, pcm.parse(SPRING))
    with pytest.raises(ValueError, match="no distance of a Cylinder to a half space"):
        pcm.drake.ContactForces(plant, graph, pcm.parse(SPRING))


