# SPDX-License-Identifier: MIT
"""usage: menagerie.py ROOT [ROBOT ...]

Robots of MuJoCo's Menagerie, from PyPI's mujoco-menagerie, whose feet have a law on the floor, beside MuJoCo's own contacts.
Without names: all robots that load; then the table of docs/robots.md is written. With names: each must run without being
thrown, and those of STANDS must stand. Exit status 77: the models cannot be had.
"""

import copy
import os
import sys
import time
import warnings

import mujoco
import mujoco_menagerie
import numpy

import pcm

SECONDS, EASE, ROUND = 3.0, 0.1, 50  # ROUND: steps of one and then of the other, whose times are compared
HEAD = "| robot | | warnings | deepest [mm] | centre of mass beside own [mm] | time over own |\n"

# Those whose keyframe `home` is a stance: held by their servos, or motors at HOLD Nm/rad and Nms/rad, their centre of mass stays
# within 5 cm. Other robots may fall as their keyframe lets them.
STANDS = ("unitree_go1", "unitree_go2")
HOLD = (60, 2)


def rules_of(page):
    """The rules that the page shows."""
    with open(page, encoding="utf-8") as file:
        return file.read().split("```pcm menagerie.pcm\n")[1].split("```")[0]


def started(model):
    """Data at the keyframe `home`, or the first one."""
    data = mujoco.MjData(model)
    key = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, "home")
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, max(key, 0))
    return data


def stepped(model, data, home):
    """Processor time of a round of steps; home: the pose that motors hold, or None."""
    start = time.thread_time()
    for _ in range(ROUND):
        if home is not None:
            joints = model.actuator_trnid[:, 0]
            position, rate = model.jnt_qposadr[joints], model.jnt_dofadr[joints]
            data.ctrl[:] = HOLD[0] * (home - data.qpos)[position] - HOLD[1] * data.qvel[rate]
        mujoco.mj_step(model, data)
    return time.thread_time() - start


def centre(model, data):
    """The centre of mass of all that moves."""
    mujoco.mj_comPos(model, data)
    return data.subtree_com[0].copy()


def broke(data):
    kinds = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)
    return any(data.warning[int(kind)].number for kind in kinds)


def tried(name, model, rules):
    """What becomes of a robot with laws beside one with MuJoCo's own contacts, which needs a model of its own: all data of
    an attached model have laws."""
    plain = copy.deepcopy(model)
    own, data = started(plain), started(model)
    home = data.qpos.copy() if name in STANDS and not model.actuator_biastype.any() else None
    mujoco.mj_forward(model, data)
    first, highest, times = centre(model, data), -numpy.inf, numpy.zeros(2)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with pcm.attach(model, data, rules, ease=EASE) as host:
            while data.time < SECONDS and not broke(data):
                times += stepped(plain, own, home), stepped(model, data, home)
                highest = max(highest, centre(model, data)[2])
            host.status()
            deepest = max((rule.max_depth for rule in host.world.rules()), default=0)
    last, theirs = centre(model, data), centre(plain, own)
    farther = numpy.linalg.norm((last - first)[:2]) - numpy.linalg.norm((theirs - first)[:2])
    return {
        "runs": not broke(data) and bool(numpy.isfinite(last).all()),
        "thrown": highest > first[2] + 0.3 or farther > 1,
        "told": sum(issubclass(w.category, pcm.Warning) for w in told),
        "deepest": deepest,
        "beside": numpy.linalg.norm(last - theirs),
        "moved": numpy.linalg.norm(last - first),
        "time": times[1] / times[0],
    }


def load(name):
    """The robot's model; None: it does not load, which is said."""
    try:
        return mujoco_menagerie.load(name)
    except ValueError as error:
        print(f"{name} does not load: {str(error).splitlines()[0]}")
    except mujoco_menagerie.DownloadError as error:
        print(f"{name}: {error}")
        sys.exit(77)
    except mujoco_menagerie.MenagerieError as error:
        print(error)
    return None


def row(name, got):
    how = "thrown" if got["thrown"] else "runs" if got["runs"] else "unstable"
    return (f"| {name} | {how} | {got['told']} | {1000 * got['deepest']:.1f} | {1000 * got['beside']:.0f} | "
            f"{got['time']:.2f} |")


def judge(name, got):
    assert got["runs"] and not got["thrown"], (name, got)
    assert got["deepest"] < 0.05 and got["told"] == 0, (name, got)
    assert name not in STANDS or got["moved"] < 0.05, (name, got)


def write(page, results):
    counts = {kind: sum(bool(got[kind]) for got in results.values()) for kind in ("runs", "thrown", "told")}
    deep = sum(got["deepest"] > 0.01 for got in results.values())
    pace = numpy.median([got["time"] for got in results.values()])
    with open(page, encoding="utf-8") as file:
        before, table = file.read().split(HEAD)
    after = table.split("\n\n", 2)[2]
    rows = "\n".join(row(name, got) for name, got in results.items())
    sums = (f"MuJoCo {mujoco.__version__}, {len(results)} robots: {counts['runs']} run to the end, {counts['thrown']} thrown, "
            f"{counts['told']} with a warning, {deep} deeper than 1 cm; the median time is {pace:.2f} of MuJoCo's own.")
    with open(page, "w", encoding="utf-8") as file:
        file.write(f"{before}{HEAD}|---|---|---|---|---|---|\n{rows}\n\n{sums}\n\n{after}")


def main():
    page, names, results = os.path.join(sys.argv[1], "docs", "robots.md"), sys.argv[2:], {}
    rules = pcm.parse(rules_of(page))
    for name in names or mujoco_menagerie.names():
        model = load(name)
        if model:
            results[name] = tried(name, model, rules)
            print(row(name, results[name]), flush=True)
            if names:
                judge(name, results[name])
    if not results:
        sys.exit(77)
    if not names:
        write(page, results)


main()
