# SPDX-License-Identifier: MIT
"""pcm.warp, pcm.mjwarp and pcm.newton, with NVIDIA Warp, MuJoCo Warp and Newton: on the GPU if there is one, else on the
processor. Run by warp.sh, which brings the packages."""

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
            turning = numpy.array([w[1] * off[2] - w[2] * off[1], w[2] * off[0] - w[0] * off[2], w[0] * off[1] - w[1] * off[0]])
            pose = numpy.concatenate([xpos[b], xquat[b]])[None]
            self.world.move(self.handles[geom], pose, numpy.concatenate([w, v + turning])[None])
        contacts = self.host.contacts()
        handles = []
        for contact in contacts:
            key = (*contact["shapes"].tolist(), int(contact["place"]))
            base, follower = (int(self.handles[geom][0]) for geom in contact["shapes"])
            own = numpy.array([self.known.get(key, 0)], numpy.uint64)
            self.world.touch(
                base, numpy.array([follower], numpy.uint64), numpy.array([key[2]], numpy.uint64), contact["point"][None].copy(), contact["normal"][None].copy(),
                numpy.array([contact["depth"]]), own,
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
