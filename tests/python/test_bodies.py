# SPDX-License-Identifier: MIT
"""What laws read of bodies and patches beside motion: amounts such as temperatures, axes, spins, areas and shares."""

import os
import shutil

import numpy
import pytest

import pcm


@pytest.fixture(scope="module")
def laws(tmp_path_factory):
    """A folder with the laws of libpcm's own tests that read these."""
    from pcm._trace import compile_law

    folder = tmp_path_factory.mktemp("laws")
    for name in ("Sole", "Skate", "Warm", "Wheel"):
        shutil.copy(f"{os.environ['PCM_SOURCE']}/tests/core/laws/{name}.c", folder)
        compile_law(folder, name)
    return folder


def test_amounts_of_both_sides(laws):
    config = pcm.parse("ContactType W = Warm { Friction = 0.4; Wear = 1e-12; }; DefaultPair -> W;", plugins=laws)
    law = config["W"]
    assert law.amounts == config.amounts == ("temperature", "worn")
    slip = numpy.array([[0.0, 0.0], [0.3, 0.4]])
    hot = numpy.array([303.15, 293.15])
    out = law(depth=1e-3, slip=slip, follower_amounts={"temperature": hot})
    numpy.testing.assert_allclose(out["base_flow"][0], [5, 0.1], rtol=1e-12)  # the base has its initial temperature
    numpy.testing.assert_allclose(out["follower_flow"][0], [-5, 0.1], rtol=1e-12)
    numpy.testing.assert_allclose(out["follower_flow"][1], [0, 0.5e-12], rtol=1e-12)
    with pytest.raises(ValueError, match="base_amounts: Warm has no amount 'heat'"):
        law(depth=1e-3, slip=slip, base_amounts={"heat": 1.0})
    with pytest.raises(TypeError, match="follower_amounts: a dictionary"):
        law(depth=1e-3, slip=slip, follower_amounts=[1.0])


def test_a_world_keeps_amounts(laws):
    world = pcm.World(pcm.parse("ContactType W = Warm; DefaultPair -> W;", plugins=laws))
    a, b = world.add(["a", "b"])
    both = numpy.array([a, b])
    world.set_amount("temperature", both, numpy.array([300.0, 310.0]))
    world.set_capacity("temperature", both, 2.0)
    point, normal = numpy.zeros((1, 3)), numpy.array([[0.0, 0.0, 1.0]])
    world.touch(int(a), int(b), None, point, normal, numpy.array([1e-3]))
    world.update(0.0, 0.1)
    assert world.flow("temperature", both).tolist() == [5, -5]
    world.commit()
    numpy.testing.assert_allclose(world.amount("temperature", both), [300.25, 309.75], rtol=1e-15)
    with pytest.raises(ValueError, match="heat"):
        world.amount("heat", both)
    with pytest.raises(ValueError, match=r"objects\[1\]: 0 is no live object"):
        world.amount("temperature", numpy.array([a, 0], numpy.uint64))
    with pytest.raises(ValueError, match="objects: 77 is no handle|no live object"):
        world.set_capacity("temperature", 77, 1.0)
    with pytest.raises(pcm.Error, match="finite"):
        world.set_amount("temperature", int(a), float("nan"))
    with pytest.raises(ValueError, match="values: the shape"):
        world.set_amount("temperature", both, numpy.zeros(3))


def test_a_surface_that_moves(laws):
    world = pcm.World(pcm.parse("ContactType S = CompliantGround; DefaultPair -> S;", plugins=laws))
    belt, box = world.add(["belt", "box"])
    point, normal = numpy.zeros((1, 3)), numpy.array([[0.0, 0.0, 1.0]])

    def force():
        world.touch(int(belt), int(box), None, point, normal, numpy.array([1e-3]))
        world.update(0.0, 0.1)
        return world.wrench(int(box))[0, 3]

    still = force()
    world.set_surface_velocity(int(belt), numpy.array([[0, 0, 0, 0.5, 0, 0]]))
    assert force() > still
    with pytest.raises(pcm.Error, match="finite"):
        world.set_surface_velocity(int(belt), numpy.full((1, 6), numpy.inf))
    with pytest.raises(ValueError, match="objects: 77 is no handle|no live object"):
        world.set_surface_velocity(77, numpy.zeros((1, 6)))


def test_axes_and_spins(laws):
    config = pcm.parse("ContactType S = Skate; ContactType W = Wheel; ObjectPair a * b -> S; DefaultPair -> W;", plugins=laws)
    along, across = numpy.array([[0.1, 0.0]]), numpy.array([[0.0, 0.1]])
    axis = numpy.array([[1.0, 0.0, 0.0]])
    glide = config["S"](depth=1e-3, slip=along, base_axis=axis, follower_axis=axis)
    bite = config["S"](depth=1e-3, slip=across, base_axis=axis, follower_axis=axis)
    assert abs(glide["force_x"][0]) < abs(bite["force_y"][0])
    with pytest.raises(TypeError, match="'base_axis', which Skate reads"):
        config["S"](depth=1e-3, slip=along)
    with pytest.raises(TypeError, match="_spin', which Wheel reads"):
        config["W"](depth=1e-3, slip=along)


def test_areas_and_shares(laws):
    config = pcm.parse(
        "ContactType Sole = Sole; ContactType Pad = CompliantGround { Patch = Shared; };"
        "ObjectPair a * b -> Sole; ObjectPair a * c -> Pad;",
        plugins=laws,
    )
    slip = numpy.zeros((2, 2))
    area = numpy.array([1e-4, 2e-4])
    forces = config["Sole"](depth=1e-3, slip=slip, area=area)["force_n"]
    numpy.testing.assert_allclose(forces, 2e6 / 0.01 * 1e-3 * area, rtol=1e-15)

    world = pcm.World(config)
    a, b, c = (int(handle) for handle in world.add(["a", "b", "c"]))
    point = numpy.zeros((2, 3))
    given = {
        "feature": numpy.array([0, 1], numpy.uint64),
        "point": point,
        "normal": numpy.tile([0.0, 0.0, 1.0], (2, 1)),
        "depth": numpy.array([1e-3, 1e-3]),
    }
    world.touch(a, b, area=area, **given)
    world.touch(a, c, share=numpy.array([0.25, 0.75]), **given)
    world.update(0.0, 1e-3)
    rows = world.contacts()
    soles, pads = rows[rows["follower"] == b], rows[rows["follower"] == c]
    assert sorted(soles["area"]) == sorted(area) and (soles["scale"] == 1).all()
    assert sorted(soles["force"][:, 2]) == sorted(forces)
    assert sorted(pads["share"]) == [0.25, 0.75] and (pads["scale"] == pads["share"]).all()
    whole = config["Pad"](depth=1e-3, depth_rate=0.0, slip=slip[:1])["force_n"][0]
    assert pads["force"][:, 2].sum() == pytest.approx(whole, rel=1e-15)
    with pytest.raises(ValueError, match="share: the shape"):
        world.touch(a, c, share=numpy.zeros(3), **given)


def test_a_touch_has_a_shape():
    """A cylinder of 0.2 m and a curvature of 50 1/m, and a crossed pair, by Hertz: the forces of the law on their columns."""
    config = pcm.parse("ContactType Hard = Hertz { ReducedModulus = 1 [MPa]; }; ObjectPair a * b -> Hard;")
    world = pcm.World(config)
    a, b = (int(handle) for handle in world.add(["a", "b"], radius=0.02))
    given = {
        "feature": numpy.array([0, 1], numpy.uint64),
        "point": numpy.zeros((2, 3)),
        "normal": numpy.tile([0.0, 0.0, 1.0], (2, 1)),
        "depth": numpy.array([1e-4, 1e-4]),
    }
    shapes = pcm.shapes(2)
    shapes["point_part"][0], shapes["patch_part"][0] = 0, 1
    shapes["line_length"][0], shapes["line_curvature"][0] = 0.2, 50
    shapes["curvature"][1] = 20, 50
    world.touch(a, b, shape=shapes, **given)
    world.update(0.0, 1e-3)
    rows = world.contacts()
    forces = {row["feature"]: row["force"][2] for row in rows}
    law = config["Hard"]
    line = law(depth=1e-4, radius=0.01, point_part=0.0, patch_part=1.0, line_length=0.2, line_curvature=50.0)["force_n"]
    crossed = law(depth=1e-4, radius=0.01, curvature=numpy.array([[20.0, 50.0]]))["force_n"]
    assert forces == {0: line[0], 1: crossed[0]}
    with pytest.raises(ValueError, match=r"pcm.shapes\(2\)"):
        world.touch(a, b, shape=numpy.zeros(2, pcm.SHAPE), **given)
    with pytest.raises(ValueError, match=r"pcm.shapes\(2\)"):
        world.touch(a, b, shape=pcm.shapes(3), **given)
