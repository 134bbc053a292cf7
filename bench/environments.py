# SPDX-License-Identifier: MIT
"""Many environments of one model: what a step, a reset and a parameter cost each, with laws beside MuJoCo's own contacts.
Fails where the promise is broken: a step of 256 at most 1.05 of MuJoCo's own in the middle of the scenes, a reset at most
50 us, a parameter at most 20 us."""

import pathlib
import statistics
import sys
import time

import numpy

import pcm

try:
    import mujoco
except ImportError:
    print("the official package of MuJoCo is not at hand")
    sys.exit(77)

ROOT = pathlib.Path(__file__).parent.parent
SCENES = ["bench/humanoid.xml", "examples/trot.xml", "configs/climber/climber.xml"]
COUNT, STEPS, SETTLED, ROUNDS = 256, 4, 400, 15


def new_data(model):
    """Each begins a little differently, in the first keyframe, which its servos hold, or the model's own pose."""
    random = numpy.random.default_rng(1)
    several = [mujoco.MjData(model) for _ in range(COUNT)]
    for data in several:
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, 0)
            data.ctrl[:] = data.qpos[-model.nu :]
        data.qvel[:] = 0.1 * random.standard_normal(model.nv)
    return several


def took(work):
    """Microseconds of this thread for each of all environments."""
    start = time.thread_time_ns()
    work()
    return (time.thread_time_ns() - start) / COUNT / 1e3


def least(work, between=lambda: None):
    return min((between(), took(work))[1] for _ in range(ROUNDS))


def compare(scene, config):
    path = str(ROOT / scene)
    model, plain = mujoco.MjModel.from_xml_path(path), mujoco.MjModel.from_xml_path(path)
    served, own = new_data(model), new_data(plain)

    def step_own(steps):
        for data in own:
            mujoco.mj_step(plain, data, steps)

    step_own(SETTLED)
    with pcm.attach_many(model, served, config, threads=1, advise_step=False) as hosts:
        hosts.step(SETTLED)
        pairs = [(took(lambda: hosts.step(STEPS)), took(lambda: step_own(STEPS))) for _ in range(ROUNDS)]
        reset = least(hosts.reset, lambda: hosts.step(STEPS))
        column = numpy.linspace(0.1, 1, COUNT)
        parameter = least(lambda: hosts.set("Ground.Friction", column))
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    ours, theirs = (min(column) / STEPS for column in zip(*pairs, strict=True))
    print(f"{scene:30} {ours:9.1f} {theirs:9.1f} {ratio:9.2f} {reset:9.1f} {parameter:9.2f}")
    return ratio, reset, parameter


def main():
    config = pcm.parse("ContactType Ground = CompliantGround { Friction = 0.8; }; DefaultPair -> Ground;")
    print(f"{COUNT} environments, MuJoCo {mujoco.__version__}; us of one thread for each")
    print(f"{'':30} {'laws':>9} {'own':>9} {'ratio':>9} {'reset':>9} {'set':>9}")
    ratios, resets, parameters = zip(*(compare(scene, config) for scene in SCENES), strict=True)
    return statistics.median(ratios) > 1.05 or max(resets) > 50 or max(parameters) > 20


sys.exit(main())
