# SPDX-License-Identifier: MIT
"""Where boxes meet: the corners of the common part of two faces, known in closed form."""

import numpy
import pytest

from pcm import _meeting

UP = numpy.array([0.0, 0.0, 1.0])


def a_box(half, centre, turn=0.0, lean=0.0):
    """Turned about z, then leaned about x."""
    c, s, d, t = numpy.cos(turn), numpy.sin(turn), numpy.cos(lean), numpy.sin(lean)
    axes = numpy.array([[1, 0, 0], [0, d, -t], [0, t, d]]) @ numpy.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return _meeting.Box(numpy.array(centre, dtype=float), axes, numpy.array(half, dtype=float))


LOW = a_box((0.2, 0.1, 0.05), (0, 0, -0.05))


def met(low, high, gap=0.0):
    """Points in rows by x and y; in either order of the boxes they are the same, and so is the normal but for its sign."""
    points, normals, depths = _meeting.of_boxes(UP, low, high, gap)
    swapped = _meeting.of_boxes(-UP, high, low, gap)
    order = numpy.lexsort(points.T.round(9)[1::-1])
    back = numpy.lexsort(swapped[0].T.round(9)[1::-1])
    numpy.testing.assert_allclose(points[order], swapped[0][back], atol=1e-15)
    numpy.testing.assert_allclose(normals[order], -swapped[1][back], atol=1e-15)
    numpy.testing.assert_allclose(depths[order], swapped[2][back], atol=1e-15)
    return points[order], depths[order]


def corners(x, y):
    return numpy.array([[i, j] for i in x for j in y])


@pytest.mark.parametrize(
    "half, centre, turn, x, y",
    [
        ((0.2, 0.1, 0.05), (0, 0, 0.049), 0, (-0.2, 0.2), (-0.1, 0.1)),  # as large, straight above
        ((0.05, 0.03, 0.05), (0.1, 0, 0.049), 0, (0.05, 0.15), (-0.03, 0.03)),  # small, within
        ((0.5, 0.5, 0.05), (0, 0, 0.049), 0.3, (-0.2, 0.2), (-0.1, 0.1)),  # large, all around
        ((0.2, 0.1, 0.05), (0.3, 0.05, 0.049), 0, (0.1, 0.2), (-0.05, 0.1)),  # beside, as bricks
        ((0.2, 0.1, 0.05), (0, 0, 0.049), numpy.pi / 2, (-0.1, 0.1), (-0.1, 0.1)),  # across: no corner is in the other
    ],
)
def test_faces_meet_in_their_common_part(half, centre, turn, x, y):
    points, depths = met(LOW, a_box(half, centre, turn))
    numpy.testing.assert_allclose(points[:, :2], corners(x, y), atol=1e-15)
    numpy.testing.assert_allclose(points[:, 2], -5e-4, atol=1e-15)  # midway between 0 and -1 mm
    numpy.testing.assert_allclose(depths, 1e-3, atol=1e-15)


def test_a_face_that_is_turned_has_eight_corners():
    """Two squares, turned by 45 degrees: an octagon of equal distances from the middle."""
    low, high = a_box((0.1, 0.1, 0.05), (0, 0, -0.05)), a_box((0.1, 0.1, 0.05), (0, 0, 0.049), numpy.pi / 4)
    points, depths = met(low, high)
    assert len(points) == 8
    away = numpy.hypot(points[:, 0], points[:, 1])
    numpy.testing.assert_allclose(away, 0.1 / numpy.cos(numpy.pi / 8), rtol=1e-12)


def test_a_box_that_leans_meets_by_an_edge():
    lean = 0.05
    high = a_box((0.05, 0.04, 0.05), (0, 0, 0.05 * numpy.cos(lean) + 0.04 * numpy.sin(lean) - 1e-3), lean=lean)
    points, _, depths = _meeting.of_boxes(UP, LOW, high, 0.0)
    numpy.testing.assert_allclose(depths, 1e-3, rtol=1e-12)
    assert len(points) == 2 and (points[:, 1] < 0).all()
    assert len(_meeting.of_boxes(UP, LOW, high, 0.01)[2]) == 4  # the other edge is 3 mm above


def test_gaps_count_where_laws_reach_across_them():
    high = a_box((0.05, 0.05, 0.05), (0, 0, 0.052))
    assert len(_meeting.of_boxes(UP, LOW, high, 0.0)[2]) == 0
    numpy.testing.assert_allclose(_meeting.of_boxes(UP, LOW, high, 3e-3)[2], -2e-3, rtol=1e-12)


def test_edges_and_boxes_apart_are_the_engine_s():
    slanted = numpy.array([0, 1, 1]) / 2**0.5
    assert _meeting.of_boxes(slanted, LOW, a_box((0.1, 0.1, 0.1), (0, 0.2, 0.1)), 0.0) is None
    assert _meeting.of_boxes(UP, LOW, a_box((0.1, 0.1, 0.1), (5, 0, 0.099)), 0.0) is None


def test_corners_on_a_plane():
    high = a_box((0.1, 0.1, 0.05), (1, 2, 0.0499), turn=0.3)
    points, depths = _meeting.on_plane(high.corners(), numpy.zeros(3), UP, 0.0)
    numpy.testing.assert_allclose(depths, 1e-4, rtol=1e-9)
    assert len(points) == 4 and numpy.abs(points[:, 2] + 5e-5).max() < 1e-15
    assert numpy.abs(points[:, :2].mean(axis=0) - (1, 2)).max() < 1e-15


def test_quaternions_turn():
    half = 0.5**0.5
    numpy.testing.assert_allclose(_meeting.rotation(half, 0, 0, half) @ [1, 0, 0], [0, 1, 0], atol=1e-15)
    numpy.testing.assert_allclose(_meeting.rotation(half, half, 0, 0) @ [0, 1, 0], [0, 0, 1], atol=1e-15)
    numpy.testing.assert_allclose(_meeting.rotation(half, 0, half, 0) @ [0, 0, 1], [1, 0, 0], atol=1e-15)
