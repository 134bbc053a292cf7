# SPDX-License-Identifier: MIT
"""Worlds: the loop of a simulator with its bodies in arrays, and everything that can be wrong with it."""

import contextlib
import gc
import os
import signal
import sys
import threading
import time
import tracemalloc

import numpy
import pytest

import pcm


def test_a_step_gives_the_law_s_forces(config, scene):
    out = scene.step()
    law = config["Soft"](depth=scene.depth, depth_rate=0.0, slip=numpy.zeros((scene.count, 2)))
    numpy.testing.assert_allclose(out[:, 5], law["force_n"], rtol=1e-15)
    assert (out[:, :5] == 0).all()


def test_threads_are_few(config):
    for threads in (-1, 1025):
        with pytest.raises(ValueError, match="0 to 1024"):
            pcm.World(config, threads=threads)


def test_contacts_live_on(scene):
    scene.twists[:, 3] = 0.01
    scene.step()
    first = scene.contacts.copy()
    forces = scene.out.copy()
    scene.step()
    assert (first != 0).all() and (scene.contacts == first).all()
    assert (scene.out[:, 3] < forces[:, 3]).all()  # the stretch has grown


def test_contacts_as_one_array(scene):
    scene.step()
    rows = scene.world.contacts()
    assert rows.dtype == pcm.CONTACT and rows.shape == (scene.count,)
    rows = rows[numpy.argsort(rows["id"])]
    assert (rows["contact"] == scene.contacts).all() and (rows["follower"] == scene.balls).all()
    assert (rows["base"] == scene.floor).all() and (rows["depth"] == scene.depth).all()
    numpy.testing.assert_array_equal(rows["world_force"][:, 2], scene.out[:, 5])
    numpy.testing.assert_array_equal(rows["frame"][:, :, 2], scene.normal)


def test_rules_and_ledger(config, new_scene):
    scene = new_scene(config, 3, ledger=True)
    scene.twists[:, 3] = 0.1
    for _ in range(20):
        scene.step()
    soft, hard = scene.world.rules()
    assert (soft.made, soft.parted, hard.made) == (3, 0, 0) and soft.max_slip == pytest.approx(0.1)
    assert soft.rule == config.rules[0]
    assert scene.world.ledger()["Soft"].work < 0 and scene.world.ledger()["Hard"].work == 0


def test_a_checkpoint_goes_on_bit_for_bit(config, new_scene):
    one, other = new_scene(config, 5), new_scene(config, 5)
    for scene in (one, other):
        scene.twists[:, 3] = 0.02
    one.step(), one.step()
    saved = one.world.save()
    assert isinstance(saved, bytes)
    other.world.restore(saved)
    other.contacts[:], other.time = 0, one.time
    assert (one.step() == other.step()).all()
    with pytest.raises(pcm.Error, match="checkpoint"):
        other.world.restore(saved[:-1] + bytes([saved[-1] ^ 1]))
    with pytest.raises(TypeError):
        other.world.restore(bytearray(saved))
    assert (one.step() == other.step()).all()


def test_threads_give_the_same_bits(config, new_scene):
    alone, together = new_scene(config, 20000), new_scene(config, 20000, threads=2)
    assert (alone.step() == together.step()).all()


def test_logs_are_written(tmp_path, new_scene):
    config = pcm.parse('ContactType C = CompliantGround { LogFile = "c.csv"; }; DefaultPair -> C;')
    scene = new_scene(config, 2, log=tmp_path)
    scene.step()
    scene.world.flush()
    assert len((tmp_path / "c.csv").read_text().splitlines()) == 3
    del scene
    gc.collect()


def test_a_list_has_an_entry_for_each(scene):
    handles = scene.world.add(["a", "b"], surface=["Rubber", "Steel"], radius=[0.1, 0.2], mass=1, fixed=[True, False])
    assert handles.dtype == numpy.uint64 and handles.shape == (2,)
    scene.world.remove(handles)
    scene.world.remove(int(scene.balls[0]))
    with pytest.raises(ValueError, match="objects\\[0\\].*no live object"):
        scene.world.remove(scene.balls)


@pytest.mark.parametrize(
    "wrong, error, words",
    [
        (dict(depth=numpy.zeros(7, "f4")), TypeError, "depth.*float64"),
        (dict(depth=None), TypeError, "depth"),
        (dict(point=numpy.zeros((7, 3), order="F")), ValueError, "point.*C order"),
        (dict(point=numpy.zeros((14, 3))[::2]), ValueError, "point.*C order"),
        (dict(normal=numpy.zeros((7, 2))), ValueError, r"normal.*\(7, 3\), not \(7, 2\)"),
        (dict(normal=numpy.zeros(21)), ValueError, r"normal.*\(7, 3\), not \(21,\)"),
        (dict(feature=numpy.zeros(7)), TypeError, "feature.*uint64"),
        (dict(feature=numpy.zeros(7, numpy.int64)), TypeError, "feature.*uint64"),
        (dict(contacts=numpy.zeros(6, numpy.uint64)), ValueError, r"contacts.*\(7,\), not \(6,\)"),
        (dict(a=numpy.zeros(5, numpy.uint64)), ValueError, "a: 5 objects for 7 touches"),
        (dict(a=-1), ValueError, "a: -1 is no handle"),
        (dict(a=1.5), TypeError, "a"),
        (dict(a=2**40), ValueError, r"a\[0\], b\[0\]"),
        (dict(extra=1), TypeError, "no argument 'extra'"),
    ],
)
def test_wrong_touches_are_named(scene, wrong, error, words):
    with pytest.raises(error, match=words):
        scene.touch(**wrong)
    assert (scene.contacts == 0).all()
    scene.world.update(0.0, 1e-3)
    assert len(scene.world.contacts()) == 0  # nothing was left half done


# ---- Touches without features ------------------------------------------------------------------------------------


class Corners:
    """A box on the floor by four points, which slides and turns."""

    def __init__(self, config):
        self.world = pcm.World(config)
        self.floor, self.box, self.other = self.world.add(["Floor", "Box", "Other"], surface=["Floor", "Rubber", "Rubber"])
        self.local = numpy.array([[x, y, 0.0] for x in (-0.2, 0.2) for y in (-0.1, 0.1)])
        self.normal, self.time = numpy.tile([0.0, 0.0, 1.0], (4, 1)), 0.0

    def step(self, touch):
        turn, way, spin = 0.1 * self.time, 0.05 * self.time, numpy.array([0, 0, 0.1])
        axes = numpy.array([[numpy.cos(turn), -numpy.sin(turn), 0], [numpy.sin(turn), numpy.cos(turn), 0], [0, 0, 1]])
        poses = numpy.array([[way, 0, 0, numpy.cos(turn / 2), 0, 0, numpy.sin(turn / 2)]])
        self.world.move(int(self.box), poses, numpy.array([[*spin, 0.05, 0, 0]]))
        touch(poses[0, :3] + self.local @ axes.T, numpy.array([1e-4, 2e-4, 3e-4, 4e-4]))
        self.world.update(self.time, 1e-3)
        self.world.commit()
        self.time += 1e-3
        return self.world.wrench(int(self.box))[0]


def test_points_in_any_order_are_the_contacts_that_they_were(config):
    plain, near = Corners(config), Corners(config)
    dice, features = numpy.random.default_rng(3), numpy.arange(4, dtype=numpy.uint64)

    def by_feature(points, depths):
        plain.world.touch(int(plain.floor), int(plain.box), features, points, plain.normal, depths)

    def by_place(points, depths):
        order = dice.permutation(4)
        near.world.touch_near(int(near.floor), int(near.box), points[order], near.normal, depths[order])

    for _ in range(200):
        want, got = plain.step(by_feature), near.step(by_place)
        # The order of the points determines the order of the sum.
        numpy.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12 * numpy.abs(want).max())
    assert near.world.rules()[0].made == 4


def test_many_pairs_in_one_call(config):
    scene = Corners(config)
    kept = numpy.zeros(4, numpy.uint64)

    def both(points, depths):
        sides = numpy.array([scene.box, scene.box, scene.box, scene.other])
        scene.world.touch_near(int(scene.floor), sides, points, scene.normal, depths, contacts=kept, reach=0.01)

    scene.step(both)
    rows = {row["contact"]: row for row in scene.world.contacts()}
    assert [rows[handle]["depth"] for handle in kept.tolist()] == [1e-4, 2e-4, 3e-4, 4e-4]
    assert [rows[handle]["follower"] for handle in kept.tolist()] == [scene.box] * 3 + [scene.other]
    first = kept.copy()
    scene.step(both)
    assert (kept == first).all()


def test_a_pair_whose_points_are_dropped_for_a_step_goes_on(config):
    scene = Corners(config)
    none = numpy.zeros((0, 3))

    def by_place(points, depths):
        scene.world.touch_near(int(scene.floor), int(scene.box), points, scene.normal, depths)

    def nothing(points, depths):
        scene.world.touch_near(int(scene.floor), int(scene.box), none, none, numpy.zeros(0))

    scene.step(by_place)
    for touch in (nothing, by_place):
        assert scene.step(touch)[5] > 0
    assert scene.world.rules()[0].made == 4


def test_shares_of_points():
    scene = Corners(pcm.parse("ContactType Pad = CompliantGround { Patch = Shared; }; DefaultPair -> Pad;"))
    share = numpy.array([0.1, 0.2, 0.3, 0.4])

    def by_place(points, depths):
        scene.world.touch_near(int(scene.floor), int(scene.box), points, scene.normal, depths, share=share, area=share)

    scene.step(by_place)
    rows = numpy.sort(scene.world.contacts(), order="depth")
    assert rows["share"].tolist() == share.tolist() and rows["scale"].tolist() == share.tolist()


@pytest.mark.parametrize(
    "wrong, error, words",
    [
        (dict(reach=-1.0), pcm.Error, "reach"),
        (dict(reach=float("nan")), pcm.Error, "reach"),
        (dict(reach="far"), TypeError, "real number"),
        (dict(depth=numpy.zeros(4, "f4")), TypeError, "depth.*float64"),
        (dict(point=numpy.zeros((3, 3))), ValueError, r"point.*\(4, 3\), not \(3, 3\)"),
        (dict(share=numpy.zeros(3)), ValueError, r"share.*\(4,\), not \(3,\)"),
        (dict(contacts=numpy.zeros(4)), TypeError, "contacts.*uint64"),
        (dict(b=2**40), ValueError, "two live objects"),
        (dict(b=numpy.zeros(3, numpy.uint64)), ValueError, "b: 3 objects for 4 touches"),
        (dict(many=1100), pcm.Error, "PCM_NEAR_MOST"),
    ],
)
def test_wrong_points_are_named(config, wrong, error, words):
    scene = Corners(config)
    count = wrong.pop("many", 4)
    given = dict(point=numpy.zeros((count, 3)), normal=numpy.tile([0.0, 0, 1], (count, 1)), depth=numpy.zeros(count))
    with pytest.raises(error, match=words):
        scene.world.touch_near(**{"a": int(scene.floor), "b": int(scene.box), **given, **wrong})
    with pytest.raises(ValueError, match="one object each"):
        nobody = numpy.zeros(0, numpy.uint64)
        scene.world.touch_near(nobody, nobody, numpy.zeros((0, 3)), numpy.zeros((0, 3)), numpy.zeros(0))


def test_which_pairs_a_law_serves(config):
    scene = Corners(config)
    steel, floor, box = int(scene.world.add("Plate", surface="Steel")[0]), int(scene.floor), int(scene.box)
    assert scene.world.pair(floor, box) == "Soft" and scene.world.pair(box, floor) == "Soft"
    assert scene.world.pair(a=floor, b=steel) == "Hard" and scene.world.pair(box, steel) is None
    with pytest.raises(ValueError, match="two live objects"):
        scene.world.pair(box, 2**40)
    with pytest.raises(TypeError, match="one object"):
        scene.world.pair(box, numpy.array([scene.floor]))


def test_read_only_arrays(scene):
    scene.contacts.flags.writeable = False
    with pytest.raises(ValueError, match="contacts.*read-only"):
        scene.touch()
    scene.out.flags.writeable = False
    with pytest.raises(ValueError, match="out.*read-only"):
        scene.world.wrench(scene.balls, scene.out)
    scene.depth.flags.writeable = False
    scene.touch(contacts=None)


def test_dead_handles(scene):
    scene.step()
    dead = scene.balls[3]
    scene.world.remove(scene.balls[3:4])
    with pytest.raises(ValueError, match=rf"objects\[3\]: {dead} is no live object"):
        scene.world.wrench(scene.balls)
    with pytest.raises(ValueError, match=rf"objects\[3\]: {dead} is no live object"):
        scene.world.move(scene.balls, scene.poses, scene.twists)
    with pytest.raises(ValueError, match=r"a\[3\], b\[3\]"):
        scene.touch()
    with pytest.raises(pcm.Error, match="no host input with that column"):
        scene.world.set_input(scene.contacts, 0, scene.depth)


def test_motion_that_is_no_number(scene):
    scene.step()
    scene.poses[2, 1] = numpy.nan
    scene.world.move(scene.balls, scene.poses, scene.twists)
    scene.touch()
    with pytest.warns(pcm.Warning, match="Ball2"), pytest.raises(pcm.Error, match="not finite"):
        scene.world.update(1e-3, 1e-3)
    scene.poses[2, 1] = 0
    scene.step()
    assert numpy.isfinite(scene.out).all()


def test_calls_out_of_order(scene):
    with pytest.raises(pcm.Error, match="commit"):
        scene.world.commit()
    scene.touch()
    with pytest.raises(pcm.Error, match="wrench"):
        scene.world.wrench(scene.balls)
    with pytest.raises(TypeError, match="needs the argument 'dt'"):
        scene.world.update(0.0)
    with pytest.raises(TypeError, match="two values for 't'"):
        scene.world.update(0.0, 0.0, t=1.0)
    with pytest.raises(TypeError):
        scene.world.update("now", 0.0)


def test_objects_outlive_each_other():
    def balls():
        config = pcm.parse("ContactType C = CompliantGround {}; DefaultPair -> C;")
        world = pcm.World(config)
        return world, world.add(["a", "b"])

    world, handles = balls()
    gc.collect()
    assert world.wrench(handles).shape == (2, 6)
    with pytest.raises(TypeError):
        pcm.World("config")
    with pytest.raises(TypeError):
        pcm.World(world.config, threads="two")


def test_bad_objects_are_refused_whole(scene):
    before = scene.world.save()
    with pytest.raises(pcm.Error):
        scene.world.add(["a", "b"], radius=[1.0, -1.0])
    with pytest.raises(ValueError, match="mass: 1 values for 2 objects"):
        scene.world.add(["a", "b"], mass=[1.0])
    assert scene.world.save() == before


def test_two_threads_in_one_world(config, new_scene):
    scene = new_scene(config, 20000)
    scene.step()
    ready, refused = threading.Barrier(2), []

    def enter():
        ready.wait()
        while not refused:
            try:
                scene.world.update(0.0, 0.0)
            except RuntimeError as error:
                refused.append(str(error))

    other = threading.Thread(target=enter)
    other.start()
    enter()
    other.join()
    assert refused and all("another thread" in text for text in refused)
    scene.step()


def test_two_worlds_in_two_threads(config, new_scene):
    scenes = [new_scene(config, 3000) for _ in range(3)]

    def run(scene):
        for _ in range(20):
            scene.step()

    threads = [threading.Thread(target=run, args=(scene,)) for scene in scenes[1:]]
    for thread in threads:
        thread.start()
    run(scenes[0])
    for thread in threads:
        thread.join()
    assert all((scene.out == scenes[0].out).all() for scene in scenes)


def test_each_thread_is_told_its_own_errors(config):
    strange = []

    def run(name):
        world = pcm.World(config)
        for _ in range(500):
            try:
                world.add(name, radius=-1.0)
            except pcm.Error as error:
                if len(error.diagnostics) != 1:
                    strange.append(str(error))

    threads = [threading.Thread(target=run, args=(f"Ball{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not strange


def in_child(work):
    """Runs it in a fork and returns what it returned."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, str(work()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    text = os.read(reader, 1000).decode()
    os.close(reader)
    os.waitpid(child, 0)
    return text


def test_a_fork_has_its_own_copy(config, new_scene):
    plain, threaded = new_scene(config, 3), new_scene(config, 3, threads=2)

    def child():
        try:
            threaded.step()
        except RuntimeError as error:
            return f"{plain.step()[0, 5]} {error}"

    force, words = in_child(child).split(" ", 1)
    assert float(force) == plain.step()[0, 5]
    assert "process that made it" in words
    threaded.step()


def test_an_interrupted_update_is_whole(config, new_scene):
    scene = new_scene(config, 50000)
    scene.touch()
    timer = threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            scene.world.update(0.0, 1e-3)
            time.sleep(0)
    timer.join()
    scene.step()
    assert scene.out[0, 5] > 0


def growth_of(count, work):
    """Bytes that are left of `count` runs, after as many others: tables of the interpreter have their size by then."""
    for _ in range(count):
        work()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(count):
        work()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return grown


def test_calls_leave_nothing(config, scene):
    law = config["Soft"]
    good = dict(depth=1e-3, depth_rate=0.0, slip=numpy.zeros((1, 2)))

    def work():
        law(**good)
        scene.step()
        for wrong in (dict(depth=1.0), dict(good, dt="1")):
            with contextlib.suppress(TypeError):
                law(**wrong)
        with contextlib.suppress(ValueError):
            scene.touch(depth=scene.out)

    kept = (config, law, scene.world, scene.balls, scene.out, good["slip"], pcm.CONTACT)
    before = [sys.getrefcount(object) for object in kept]
    assert growth_of(2000, work) < 4000
    assert [sys.getrefcount(object) for object in kept] == before


def test_100000_objects_leave_nothing(config):
    kept = (config, pcm.Law, pcm.World, pcm.Config)
    before = [sys.getrefcount(object) for object in kept]
    for _ in range(100000):
        config["Hard"]
    for _ in range(10000):
        pcm.World(config)
    gc.collect()
    assert [sys.getrefcount(object) for object in kept] == before


def test_worlds_and_configs_leave_nothing():
    def work():
        config = pcm.parse("ContactType C = CompliantGround {}; DefaultPair -> C;")
        pcm.World(config).add("a")
        with contextlib.suppress(pcm.Error):
            pcm.parse("ContactType C = ")

    assert growth_of(100, work) < 4000
