# SPDX-License-Identifier: MIT
"""The points at which two solids with flat faces meet, where an engine reports only the deepest one.

An engine's query gives the normal; the points are the corners of the face of one that lies in the other's."""

from typing import NamedTuple

import numpy

_CORNERS = numpy.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)

#: The cosine of the angle between a face and a normal up to which they are one: 8 degrees.
_FACE = 0.99


class Box(NamedTuple):
    """axes: its unit vectors as columns, in the world; half: half of its lengths along them."""

    centre: numpy.ndarray
    axes: numpy.ndarray
    half: numpy.ndarray

    def corners(self):
        return self.centre + (_CORNERS * self.half) @ self.axes.T


def rotation(w, x, y, z):
    """The matrix of a unit quaternion."""
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def on_plane(corners, at, normal, gap):
    """Corners on a plane through `at`, whose normal points to them: points midway between both, and depths."""
    depths = (at - corners) @ normal
    near = depths >= -gap
    depths = depths[near]
    return corners[near] + 0.5 * depths[:, None] * normal, depths


def _clip(polygon, axis, sign, limit):
    """The part of a polygon in which a coordinate, times the sign, is at most the limit."""
    if all(sign * corner[axis] <= limit for corner in polygon):
        return polygon
    kept = []
    for k, here in enumerate(polygon):
        before = polygon[k - 1]
        over, was_over = sign * here[axis] - limit, sign * before[axis] - limit
        if (over > 0) != (was_over > 0):
            part = was_over / (was_over - over)
            kept.append([x + part * (y - x) for x, y in zip(before, here)])
        if over <= 0:
            kept.append(here)
    return kept


def _face_towards(box, direction):
    """The axis of the face that looks most into a direction, and its sign."""
    along = direction @ box.axes
    k = int(numpy.argmax(numpy.abs(along)))
    return k, float(numpy.sign(along[k])), abs(float(along[k]))


def of_boxes(normal, a, b, gap):
    """Where a face of one box lies in the other: points, normals from a to b, and depths. None: no face does.

    normal: from a to b, as the engine has found it."""
    sides = _face_towards(a, normal), _face_towards(b, -normal)
    if max(sides[0][2], sides[1][2]) < _FACE:
        return None
    turned = sides[1][2] > sides[0][2] + 1e-9  # of equal ones the first, whatever the last digits are
    base, other = (b, a) if turned else (a, b)
    k, sign, _ = sides[turned]
    outwards = sign * base.axes[:, k]
    m, other_sign, _ = _face_towards(other, -outwards)
    face = _CORNERS[_CORNERS[:, m] == other_sign][[0, 1, 3, 2]]  # once round
    polygon = ((other.centre + (face * other.half) @ other.axes.T - base.centre) @ base.axes).tolist()
    for axis in {0, 1, 2} - {k}:
        for side in (1, -1):
            polygon = _clip(polygon, axis, side, base.half[axis])
    if not polygon:
        return None
    local = numpy.array(polygon)
    depths = base.half[k] - sign * local[:, k]
    near = depths >= -gap
    depths = depths[near]
    points = base.centre + local[near] @ base.axes.T + 0.5 * depths[:, None] * outwards
    return points, numpy.repeat((-outwards if turned else outwards)[None], len(depths), axis=0), depths
