# SPDX-License-Identifier: MIT
"""usage: step.py STEP: what Python costs. A step of five calls from Python beside the same calls in C (the program STEP);
a law written in Python beside a hand-written one and numpy; the import; where the official package of MuJoCo is at hand,
a humanoid stepped by its user's own loop, with laws and with MuJoCo's own contacts."""

import pathlib
import subprocess
import sys
import tempfile
import time

import numpy

import pcm


def best(work, seconds=0.3):
    """Nanoseconds of processor time of one call: the least of many rounds."""
    work()
    least, rounds, count = float("inf"), 0, 1
    end = time.process_time() + seconds
    while time.process_time() < end or rounds < 3:
        start = time.process_time_ns()
        for _ in range(count):
            work()
        took = time.process_time_ns() - start
        if took < 2e6 and count < 1000:
            count *= 2
            continue
        least, rounds = min(least, took / count), rounds + 1
    return least


def new_step(n):
    config = pcm.parse("ContactType C = ViscoelasticGround { GroundStiffness = 20 [kN/m]; }; DefaultPair -> C;")
    world = pcm.World(config)
    floor = int(world.add("Floor", fixed=True)[0])
    balls = world.add(["Ball"] * n)
    poses, twists, out = numpy.zeros((n, 7)), numpy.zeros((n, 6)), numpy.zeros((n, 6))
    poses[:, 3], twists[:, 3] = 1, 0.01
    point, normal, depth = numpy.zeros((n, 3)), numpy.zeros((n, 3)), numpy.full(n, 1e-3)
    normal[:, 2] = 1
    contacts = numpy.zeros(n, numpy.uint64)
    time_now = 0.0

    def step():
        nonlocal time_now
        time_now += 1e-3
        world.move(balls, poses, twists)
        world.touch(floor, balls, None, point, normal, depth, contacts)
        world.update(time_now, 1e-3)
        world.wrench(balls, out)
        world.commit()

    return step


def compare_steps(program):
    print("a step of five calls          n      C [us]  Python [us]   more [us]")
    for n in (1, 10, 100, 1000, 10000, 100000):
        step = new_step(n)
        ours, theirs = float("inf"), float("inf")
        for _ in range(5):
            theirs = min(theirs, float(subprocess.run([program, str(n)], capture_output=True, check=True).stdout.split()[-1]))
            ours = min(ours, best(step, 0.1))
        print(f"{n:31} {theirs / 1e3:11.2f} {ours / 1e3:12.2f} {(ours - theirs) / 1e3:11.2f}")


PARAMS = {
    "Stiffness": pcm.param(1e5, "N/m"),
    "Damping": pcm.param(100, "N*s/m"),
    "Friction": pcm.param(0.8),
    "Width": pcm.param(1e-2, "m/s"),
}


@pcm.law(params=PARAMS, isotropic=True)
def Traced(depth, depth_rate, slip_x, slip_y, Stiffness, Damping, Friction, Width):
    normal = pcm.maximum(Stiffness * depth + Damping * depth_rate, 0)
    speed = pcm.sqrt(slip_x * slip_x + slip_y * slip_y)
    friction = -Friction * normal * pcm.tanh(speed / Width) / pcm.where(speed > 0, speed, 1)
    return {"force_n": normal, "force_x": friction * slip_x, "force_y": friction * slip_y}


BY_HAND = """
#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, damping, friction, width;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double normal = pcm_max(law.stiffness * b->depth[i] + law.damping * b->depth_rate[i], 0);
        const double speed = pcm_sqrt(b->slip_x[i] * b->slip_x[i] + b->slip_y[i] * b->slip_y[i]);
        const double friction = -law.friction * normal / law.width * pcm_tanh_ratio(speed / law.width);
        b->force_n[i] = normal;
        b->force_x[i] = friction * b->slip_x[i];
        b->force_y[i] = friction * b->slip_y[i];
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "spring"), PCM_REAL(Law, damping, "Damping", "N*s/m", 100, "damper"),
    PCM_REAL(Law, friction, "Friction", "1", 0.8, "friction"), PCM_REAL(Law, width, "Width", "m/s", 1e-2, "of the step in slip"),
};

PCM_KERNELS(update);
PCM_MODEL(ByHand, "the same by hand", .params = PCM_TABLE(params), .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP,
          .outputs = PCM_FRICTION, .flags = PCM_ISOTROPIC);
"""


def compare_laws(folder):
    from pcm._trace import compile_law

    with open(folder + "/ByHand.c", "w", encoding="utf-8") as source:
        source.write(BY_HAND)
    compile_law(folder, "ByHand")
    by_hand = pcm.parse("ContactType ByHand = ByHand {}; DefaultPair -> ByHand;", plugins=[folder])["ByHand"]
    n = 4000
    random = numpy.random.default_rng(1)
    columns = {name: random.uniform(0, 1e-2, n) for name in ("depth", "depth_rate", "slip_x", "slip_y")}
    slip = numpy.stack([columns["slip_x"], columns["slip_y"]], axis=1)
    given = {"depth": columns["depth"], "depth_rate": columns["depth_rate"], "slip": slip}
    traced = Traced.build(folder)
    print(f"\nns per contact, {n} contacts, called from Python")
    for name, work in (
        ("a law written in Python, as a plugin", lambda: traced(**given)),
        ("the same by hand", lambda: by_hand(**given)),
        ("numpy", lambda: Traced(**columns)),
    ):
        print(f"{name:40} {best(work) / n:8.2f}")


def compare_imports():
    times = []
    for code in ("import numpy", "import numpy, pcm"):
        script = f"import time; start = time.process_time_ns(); {code}; print(time.process_time_ns() - start)"
        run = [sys.executable, "-c", script]
        times.append(min(int(subprocess.run(run, capture_output=True, check=True).stdout) for _ in range(7)))
    print(f"\nimport pcm beyond numpy: {(times[1] - times[0]) / 1e6:.1f} ms")


def own_loop(mujoco, model, data, steps=4000):
    """Microseconds of processor time a step, from the model's pose on."""
    mujoco.mj_resetData(model, data)
    start = time.process_time_ns()
    for _ in range(steps):
        mujoco.mj_step(model, data)
    return (time.process_time_ns() - start) / steps / 1e3


def compare_humanoids():
    try:
        import mujoco
    except ImportError:
        print("\nthe official package of MuJoCo is not at hand: no humanoid")
        return
    # Two models: an attachment serves all data of its model.
    scene = str(pathlib.Path(__file__).with_name("humanoid.xml"))
    model, plain_model = mujoco.MjModel.from_xml_path(scene), mujoco.MjModel.from_xml_path(scene)
    served, plain = mujoco.MjData(model), mujoco.MjData(plain_model)
    ground = "GroundStiffness = 50 [kN/m]; GroundDamping = 500 [N*s/m];"
    config = pcm.parse(f"ContactType Ground = ViscoelasticGround {{ {ground} }}; DefaultPair -> Ground;")
    pcm.attach(model, served, config).close()  # compiles the host where this release is new
    attached = best(lambda: pcm.attach(model, served, config).close()) / 1e6
    with pcm.attach(model, served, config) as host:
        rounds = [(own_loop(mujoco, model, served), own_loop(mujoco, plain_model, plain)) for _ in range(5)]
        host.status()
        touches = len(host.contacts()), plain.ncon
    ours, theirs = (min(column) for column in zip(*rounds, strict=True))
    print(f"\nan attachment: {attached:.1f} ms")
    print(f"humanoid, MuJoCo {mujoco.__version__}, mj_step: {ours:.1f} us with laws ({touches[0]} contacts in the end)", end="")
    print(f", {theirs:.1f} with MuJoCo's own ({touches[1]}): {theirs / ours:.2f} times as fast")


if __name__ == "__main__":
    compare_steps(sys.argv[1])
    with tempfile.TemporaryDirectory() as place:
        compare_laws(place)
    compare_imports()
    compare_humanoids()
