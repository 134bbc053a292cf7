# SPDX-License-Identifier: MIT
"""pcm.warp, pcm.mjwarp and pcm.newton, with NVIDIA Warp, MuJoCo Warp and Newton: on the GPU if there is one, else on
the processor. Run by warp.sh, which brings the packages."""

import time

import mujoco
import mujoco_warp
import numpy
import pytest
import warp

import pcm
import pcm.mjwarp
import pcm.newton
import pcm.warp

LAWS = {
    "Bristles": "CompliantGround { Stiffness = 1e5 [N/m^1.5]; Friction = 0.6; }",
    "Ground": "ViscoelasticGround { GroundStiffness = 20 [kN/m]; Friction = 0.7; }",
    "Claw": "SpringContact { K = 5 [kN/m]; Z_Limit = 50; }",
    "Spines": "Microspine { }",
    "Bond": "ParallelBond { }",
    "Turning": "KelvinVoigt { Stiffness = 2e4; Damping = 20; }",
    "Sum": "KelvinVoigt + LuGre { Stiffness = 2e4; KelvinVoigt.Damping = 20; }",
}


def device():
    return "cuda" if warp.is_cuda_available() else "cpu"


@pytest.fixture
def write(tmp_path):
    """Writes a .pcm file with that law between Rubber and Floor."""

    def write(law, name="law.pcm"):
        (tmp_path / name).write_text(f"ContactType Pad = {law};\nSurfacePair Floor * Rubber -> Pad;\n")
        return str(tmp_path / name)

    return write


# ---- pcm.warp ------------------------------------------------------------------------------------------------------


def contacts_of(law, count, seed):
    """Plausible contacts as a structured array of the law's Contact."""
    dice = numpy.random.default_rng(seed)
    contacts = numpy.zeros(count, law.Contact.numpy_dtype())
    sizes = {"depth": 1e-3, "depth_rate": 0.1, "slip_x": 0.1, "slip_y": 0.1}
    for name, size in sizes.items():
        if name in contacts.dtype.names:
            contacts[name] = size * dice.uniform(-1, 1, count)
    for name in contacts.dtype["state"].names if "state" in contacts.dtype.names else ():
        contacts["state"][name] = 1e-4 * dice.uniform(-1, 1, count)
    contacts["dt"] = 1e-3
    return contacts


def evaluate(law, contacts):
    Contact, Result, forces = law.Contact, law.Result, law.forces

    @warp.kernel(module="unique", enable_backward=False)
    def kernel(contact: warp.array(dtype=Contact), result: warp.array(dtype=Result)):
        i = warp.tid()
        forces(contact[i], result[i])

    given = warp.array(contacts, dtype=Contact, device=device())
    found = warp.zeros(len(contacts), dtype=Result, device=device())
    warp.launch(kernel, dim=len(contacts), inputs=[given, found], device=device())
    return found.numpy()


def plugin(path, contacts):
    state = numpy.stack([contacts["state"][name] for name in contacts["state"].dtype.names]).astype("f8")
    slip = numpy.column_stack([contacts["slip_x"], contacts["slip_y"]]).astype("f8")
    columns = {name: contacts[name].astype("f8") for name in ("depth", "depth_rate")}
    return pcm.load(path)["Pad"](**columns, slip=slip, state=state, dt=1e-3)


def test_a_function_has_the_bits_of_the_plugin(write):
    path = write(LAWS["Bristles"])
    law = pcm.warp.function(path, "Pad")
    contacts = contacts_of(law, 10000, 1)
    found, want = evaluate(law, contacts), plugin(path, contacts)
    for name in ("force_n", "force_x", "force_y"):
        assert (found[name].view("u8") == want[name].view("u8")).all(), name
    for k, name in enumerate(found["next"].dtype.names):
        assert (found["next"][name].view("u8") == want["next"][k].view("u8")).all(), name


def test_single_precision_is_near(write):
    path = write(LAWS["Bristles"])
    law = pcm.warp.function(path, "Pad", single=True)
    contacts = contacts_of(law, 10000, 2)
    found, want = evaluate(law, contacts), plugin(path, contacts)
    for name in ("force_n", "force_x", "force_y"):
        assert found[name].dtype == numpy.float32
        assert numpy.abs(found[name] - want[name]).max() <= 1e-5 * numpy.abs(want[name]).max(), name


def test_two_types_and_free_parameters_in_one_kernel(write):
    first = pcm.warp.function(write(LAWS["Turning"], "a.pcm"), "Pad")
    second = pcm.warp.function(write(LAWS["Turning"], "b.pcm"), "Pad", free=["Stiffness"])
    A, B, P = first.Contact, second.Contact, second.Params
    RA, RB = first.Result, second.Result
    of_first, of_second, prepare = first.forces, second.forces, second.prepare

    @warp.kernel(module="unique", enable_backward=False)
    def kernel(depth: warp.array(dtype=warp.float64), out: warp.array2d(dtype=warp.float64)):
        i = warp.tid()
        a = A()
        a.depth = depth[i]
        b = B()
        b.depth = depth[i]
        p = P()
        prepare(warp.float64(4e4), p)
        ra = RA()
        rb = RB()
        of_first(a, ra)
        of_second(p, b, rb)
        out[i, 0] = ra.force_n
        out[i, 1] = rb.force_n

    depth = warp.array([1e-3, 2e-3], dtype=warp.float64, device=device())
    out = warp.zeros((2, 2), dtype=warp.float64, device=device())
    warp.launch(kernel, dim=2, inputs=[depth, out], device=device())
    assert out.numpy().tolist() == [[20.0, 40.0], [40.0, 80.0]]


def test_a_file_with_an_error_says_where(write):
    with pytest.raises(RuntimeError, match="law.pcm:1"):
        pcm.warp.function(write("CompliantGround { Frictoin = 1; }"), "Pad")


# ---- pcm.mjwarp ----------------------------------------------------------------------------------------------------

CUBES = """
<mujoco>
  <option timestep="0.0005" gravity="1 0.5 -9.81"/>
  <worldbody>
    <geom name="Ground" type="plane" size="5 5 0.1"/>
    <body name="Cube" pos="0 0 0.051" euler="1 2 20">
      <freejoint/>
      <geom name="Cube" type="box" size="0.05 0.05 0.05" mass="1"/>
      <body name="Flap" pos="0.05 0 0">
        <joint type="hinge" axis="0 1 0" damping="0.01"/>
        <geom name="Flap" type="capsule" fromto="0 0 0 0.1 0 -0.045" size="0.01" mass="0.1"/>
      </body>
    </body>
    <body name="Other" pos="0.3 0 0.0501">
      <freejoint/>
      <geom name="Other" type="box" size="0.05 0.05 0.05" mass="1"/>
    </body>
  </worldbody>
</mujoco>
"""
SURFACES = {"Ground": "Floor", "Cube": "Rubber", "Flap": "Rubber"}


def put(xml, worlds=1, **velocity):
    mjm = mujoco.MjModel.from_xml_string(xml)
    mjd = mujoco.MjData(mjm)
    mujoco.mj_forward(mjm, mjd)
    with warp.ScopedDevice(device()):
        return mjm, mujoco_warp.put_model(mjm), mujoco_warp.put_data(mjm, mjd, nworld=worlds, nconmax=64, njmax=256)


class Mirror:
    """A world of libpcm with the motion and the contacts that MuJoCo Warp has had in an evaluation."""

    def __init__(self, host, mjm, config):
        self.host, self.mjm = host, mjm
        self.world = pcm.World(config)
        pairs = host.system.pairs
        self.geoms = sorted({geom for pair in pairs for geom in pair.shapes})
        self.handles = {}
        for geom in self.geoms:
            name, body = mjm.geom(geom).name, mjm.geom(geom).bodyid[0]
            fixed = bool(mjm.body(body).weldid[0] == 0)
            mass = 0.0 if fixed else float(numpy.float32(mjm.body(body).mass[0]))
            handle = self.world.add(name, surface=SURFACES[name], fixed=fixed, mass=mass)
            self.handles[geom] = handle
        self.known = {}

    def step(self, d, time, dt):
        body_of = self.mjm.geom_bodyid
        xpos, xquat, cvel = (getattr(d, name).numpy()[0].astype("f8") for name in ("xpos", "xquat", "cvel"))
        com = d.subtree_com.numpy()[0].astype("f8")
        for geom in self.geoms:
            b = body_of[geom]
            w, v = cvel[b, :3], cvel[b, 3:]
            off = xpos[b] - com[self.mjm.body_rootid[b]]
            turning = numpy.array(
                [w[1] * off[2] - w[2] * off[1], w[2] * off[0] - w[0] * off[2], w[0] * off[1] - w[1] * off[0]]
            )
            pose = numpy.concatenate([xpos[b], xquat[b]])[None]
            self.world.move(self.handles[geom], pose, numpy.concatenate([w, v + turning])[None])
        contacts = self.host.contacts()
        handles = []
        for contact in contacts:
            key = (*contact["shapes"].tolist(), int(contact["place"]))
            base, follower = (int(self.handles[geom][0]) for geom in contact["shapes"])
            own = numpy.array([self.known.get(key, 0)], numpy.uint64)
            self.world.touch(
                base,
                numpy.array([follower], numpy.uint64),
                numpy.array([key[2]], numpy.uint64),
                contact["point"][None].copy(),
                contact["normal"][None].copy(),
                numpy.array([contact["depth"]]),
                own,
            )
            self.known[key] = int(own[0])
            handles.append(int(own[0]))
        self.world.update(time, dt)
        found = {int(row["contact"]): row["world_force"] for row in self.world.contacts()}
        self.world.commit()
        return contacts, numpy.array([found[handle] for handle in handles])


@pytest.mark.parametrize("law", list(LAWS))
def test_forces_have_the_bits_of_a_world_on_the_same_contacts(write, law):
    path = write(LAWS[law])
    mjm, m, d = put(CUBES)
    host = pcm.mjwarp.attach(m, d, path, mjm, surfaces=SURFACES)
    mirror, seen = Mirror(host, mjm, pcm.load(path)), 0
    for _ in range(200):
        now = d.time.numpy().astype("f8")[0]
        mujoco_warp.step(m, d)
        contacts, forces = mirror.step(d, now, float(m.opt.timestep.numpy()[0]))
        if len(contacts):
            assert (contacts["force"].view("u8") == forces.view("u8")).all()
            seen += len(contacts)
    assert seen > 100


GRIP = """
<mujoco>
  <option timestep="0.0005"/>
  <worldbody>
    <body name="Left" pos="-0.03 0 0.5">
      <joint name="left" type="slide" axis="1 0 0" damping="20"/>
      <geom name="LeftPad" type="box" size="0.01 0.02 0.02" mass="0.1"/>
    </body>
    <body name="Right" pos="0.03 0 0.5">
      <joint name="right" type="slide" axis="-1 0 0" damping="20"/>
      <geom name="RightPad" type="box" size="0.01 0.02 0.02" mass="0.1"/>
    </body>
    <body name="Part" pos="0 0 0.5">
      <freejoint/>
      <geom name="Part" type="box" size="0.0199 0.01 0.01" mass="0.2" condim="4"/>
    </body>
  </worldbody>
  <actuator>
    <motor name="left" joint="left"/>
    <motor name="right" joint="right"/>
  </actuator>
</mujoco>
"""
PADS = {"LeftPad": "Floor", "RightPad": "Floor", "Part": "Rubber"}


def creep(mjm, m, d):
    """how far the part sinks, in m, between 0.15 s and 0.3 s, when the grip has settled."""
    d.ctrl.assign(numpy.full(d.ctrl.shape, 20.0, numpy.float32))
    heights = []
    for _ in range(2):
        for _ in range(300):
            mujoco_warp.step(m, d)
        heights.append(float(d.qpos.numpy()[0, 4]))
    return heights[0] - heights[1]


def test_a_grip_that_mujoco_warp_lets_creep_holds(write):
    mjm, m, d = put(GRIP)
    native = creep(mjm, m, d)
    mjm, m, d = put(GRIP)
    springs = "Stiffness = 2e4; KelvinVoigt.Damping = 10; BristleStiffness = 2e4; BristleDamping = 5;"
    path = write(f"KelvinVoigt + Dupont {{ {springs} }}")
    with pcm.mjwarp.attach(m, d, path, mjm, surfaces=PADS) as host:
        law = creep(mjm, m, d)
        assert len(host.contacts()) >= 4
    print(f"in 0.15 s the part sinks by {1e6 * native:.3f} um in MuJoCo Warp, by {1e6 * law:.3f} um with the law")
    assert native > 1e-4
    assert abs(law) < 1e-6


def test_many_worlds_in_one_launch(write):
    """1,024 worlds that differ have the states of one world each."""
    path, worlds = write(LAWS["Bristles"]), 1024
    mjm, m, d = put(CUBES, worlds)
    speeds = numpy.linspace(-0.5, 0.5, worlds, dtype=numpy.float32)
    qvel = d.qvel.numpy()
    qvel[:, 0] = speeds
    d.qvel.assign(qvel)
    host = pcm.mjwarp.attach(m, d, path, mjm, surfaces=SURFACES)
    steps = 40
    for _ in range(steps):
        mujoco_warp.step(m, d)
    assert len(host.contacts()) > worlds
    for world in (0, 700, worlds - 1):
        mjm, m, one = put(CUBES)
        qvel = one.qvel.numpy()
        qvel[:, 0] = speeds[world]
        one.qvel.assign(qvel)
        pcm.mjwarp.attach(m, one, path, mjm, surfaces=SURFACES)
        for _ in range(steps):
            mujoco_warp.step(m, one)
        far = numpy.abs(one.qpos.numpy()[0] - d.qpos.numpy()[world]).max()
        assert far < 1e-6, world  # MuJoCo Warp's own sums may come in another order


def test_a_reset_begins_contacts_anew_and_a_trial_changes_nothing(write):
    path = write(LAWS["Bristles"])
    mjm, m, d = put(CUBES)
    host = pcm.mjwarp.attach(m, d, path, mjm, surfaces=SURFACES)
    first = []
    for k in range(60):
        mujoco_warp.step(m, d)
        first.append(d.qpos.numpy().copy())
    mujoco_warp.reset_data(m, d)
    for k in range(60):
        mujoco_warp.forward(m, d)
        mujoco_warp.forward(m, d)
        mujoco_warp.step(m, d)
        # On a GPU MuJoCo Warp's own sums may come in another order.
        assert numpy.abs(d.qpos.numpy() - first[k]).max() <= (0 if device() == "cpu" else 1e-6), k
    host.close()
    assert m.callback.passive is None and m.callback.contactfilter is None


def test_what_the_engine_cannot_serve_is_refused(write):
    mjm, m, d = put(CUBES)
    with pytest.raises(ValueError, match="patch"):
        pcm.mjwarp.attach(m, d, write("KelvinVoigt { Patch = Single; }"), mjm, surfaces=SURFACES)
    with pytest.raises(ValueError, match="no pair"):
        pcm.mjwarp.attach(m, d, write(LAWS["Turning"]), mjm, surfaces={"Ground": "Floor"})
    mjm, m, d = put(CUBES.replace("timestep", 'integrator="RK4" timestep'))
    with pytest.raises(ValueError, match="RK4"):
        pcm.mjwarp.attach(m, d, write(LAWS["Turning"]), mjm, surfaces=SURFACES)


def test_too_few_places_are_an_error(write):
    mjm, m, d = put(CUBES.replace('euler="1 2 20"', "").replace("0.051", "0.0499"))
    host = pcm.mjwarp.attach(m, d, write(LAWS["Turning"]), mjm, surfaces=SURFACES, places=2)
    mujoco_warp.step(m, d)
    with pytest.raises(pcm.Error, match="places=2"):
        host.contacts()


# ---- pcm.newton ----------------------------------------------------------------------------------------------------


def newton_scene():
    import newton

    builder = newton.ModelBuilder()
    builder.add_ground_plane(label="ground")
    body = builder.add_body(xform=warp.transform(warp.vec3(0.0, 0.0, 0.0499), warp.quat_identity()), mass=0.0)
    builder.add_shape_box(body, hx=0.05, hy=0.05, hz=0.05, label="cube")
    return builder.finalize(device=device())


def test_a_box_of_newton_slides_as_the_law_says(write):
    """The coefficient of friction is 0.6: 0.5 m/s are gone after 0.085 s and 21 mm."""
    import newton

    path = write(LAWS["Bristles"])
    model = newton_scene()
    host = pcm.newton.attach(model, path, surfaces={"ground*": "Floor", "cube*": "Rubber"})
    solver = newton.solvers.SolverSemiImplicit(model, angular_damping=0.0)
    states = [model.state(), model.state()]
    mass = float(model.body_mass.numpy()[0])
    states[0].body_qd.assign(numpy.array([[0.5, 0, 0, 0, 0, 0]], numpy.float32))
    pipeline, dt = newton.CollisionPipeline(model), 2e-4
    contacts = pipeline.contacts()
    for _ in range(2000):
        states[0].clear_forces()
        pipeline.collide(states[0], contacts)
        host.act(states[0], contacts, dt)
        solver.step(states[0], states[1], model.control(), contacts, dt)
        states.reverse()
    found = host.contacts()
    assert len(found) == 4
    assert abs(found["force"][:, 2].sum() - 9.81 * mass) < 1e-3 * 9.81 * mass
    assert abs(states[0].body_q.numpy()[0, 0] - 0.5**2 / (2 * 0.6 * 9.81)) < 5e-4
    assert abs(states[0].body_qd.numpy()[0, 0]) < 1e-4


# ---- Speed ---------------------------------------------------------------------------------------------------------


def steps_per_second(m, d, steps):
    with warp.ScopedDevice(device()):
        for _ in range(5):
            mujoco_warp.step(m, d)
        graph = None
        if device() != "cpu":
            with warp.ScopedCapture() as capture:
                mujoco_warp.step(m, d)
            graph = capture.graph
        warp.synchronize()
        begin = time.perf_counter()
        for _ in range(steps):
            warp.capture_launch(graph) if graph else mujoco_warp.step(m, d)
        warp.synchronize()
        return d.nworld * steps / (time.perf_counter() - begin)


def test_speed_beside_the_engines_own_contacts(write):
    """Prints steps of worlds per second. Not held to a number: other work may share the machine."""
    worlds, steps = (8192, 200) if device() != "cpu" else (256, 10)
    path = write(LAWS["Bristles"])
    mjm, m, d = put(CUBES, worlds)
    native = steps_per_second(m, d, steps)
    mjm, m, d = put(CUBES, worlds)
    with pcm.mjwarp.attach(m, d, path, mjm, surfaces=SURFACES) as host:
        law = steps_per_second(m, d, steps)
        assert len(host.contacts()) > worlds
    rates = f"{native:.4g} steps/s with MuJoCo Warp's contacts, {law:.4g} with laws"
    print(f"{worlds} worlds on {warp.get_device(device()).name}: {rates}")
