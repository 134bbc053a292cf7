# SPDX-License-Identifier: MIT
"""Contact laws in DART, by the package dartpy.

    host = pcm.dart.attach(world, "walker.pcm")
    while True:
        host.step()                 # in place of world.step()

DART's solver leaves out pairs of bodies that a rule gives to a law: a collision group of the host's finds their points,
by the detector of the world, and laws answer them by forces. All other pairs stay DART's."""

import warnings

import dartpy
import numpy

from . import _engine
from ._report import Warning

__all__ = ["Host", "attach"]

_MOST = 1000000  # contacts of a search: no limit of DART's is to drop any


class Host(_engine.Host):
    """Contact laws in a dartpy World. Keys are BodyNodes; `step` is a push, world.step() and a commit."""

    def __init__(self, world, config, **options):
        self._engine = world
        self._filter = world.getConstraintSolver().getCollisionOption().collisionFilter
        if not isinstance(self._filter, dartpy.collision.BodyNodeCollisionFilter):
            raise TypeError(
                f"the collision filter of the world is a {type(self._filter).__name__}: pairs of laws can be added to a "
                "BodyNodeCollisionFilter alone"
            )
        super().__init__(id(world), config, **options)
        if self._objects.gap > 0:
            warnings.warn(
                f"some laws act across gaps of up to {self._objects.gap:.3g} m, and DART reports points that overlap "
                "alone: contacts end where they part",
                Warning,
                stacklevel=3,
            )

    def _bodies(self):
        bodies = []
        for place in range(self._engine.getNumSkeletons()):
            skeleton = self._engine.getSkeleton(place)
            bodies += [skeleton.getBodyNode(k) for k in range(skeleton.getNumBodyNodes())]
        return [self._thing(body) for body in bodies if body.getNumShapeNodes()]

    def _thing(self, body):
        moves = body.getSkeleton().isMobile() and body.getNumDependentGenCoords() > 0
        shapes = [node.getShape() for node in body.getShapeNodes() if node.getCollisionAspect() is not None]
        ball = len(shapes) == 1 and isinstance(shapes[0], dartpy.dynamics.SphereShape)
        radius = shapes[0].getRadius() if ball else 0.0
        return _engine.Thing(body, body.getName(), body.getMass() if moves else 0.0, radius, not moves)

    def _period(self):
        return self._engine.getTimeStep()

    def _read(self, body):
        pose = body.getWorldTransform()
        return pose.translation(), pose.quaternion().wxyz(), body.getAngularVelocity(), body.getLinearVelocity()

    def _give(self, body, wrench):
        body.addExtForce(wrench[3:], numpy.zeros(3), False, True)
        body.addExtTorque(wrench[:3], False)

    def _advance(self):
        self._engine.step()

    def _part(self, a, b):
        self._filter.addBodyNodePairToBlackList(a, b)

    def _rejoin(self, a, b):
        self._filter.removeBodyNodePairFromBlackList(a, b)

    # ---- Points --------------------------------------------------------------------------------------------------

    def _sort_out(self):
        """A group of all bodies with a law. Its filter is DART's, for neighbours and skeletons that do not collide with
        themselves, with the pairs that have no law."""
        things, served = self._objects.things, set(self._pairs)
        rows = sorted({row for pair in self._pairs for row in pair})
        only = dartpy.collision.BodyNodeCollisionFilter()
        for k, b in enumerate(rows):
            for a in rows[:k]:
                if (a, b) not in served:
                    only.addBodyNodePairToBlackList(things[a].key, things[b].key)
        self._group = self._engine.getConstraintSolver().getCollisionDetector().createCollisionGroup()
        for row in rows:
            self._group.addShapeFramesOf(things[row].key)
        self._option = dartpy.collision.CollisionOption(True, _MOST, only)
        self._result, self._touching = dartpy.collision.CollisionResult(), set()

    def _meetings(self):
        self._result.clear()
        self._group.collide(self._option, self._result)
        meetings = {}
        for contact in self._result.getContacts():
            one = self._objects.row(contact.collisionObject1.getShapeFrame().getBodyNode())
            other = self._objects.row(contact.collisionObject2.getShapeFrame().getBodyNode())
            a, b, sign = (other, one, 1) if other < one else (one, other, -1)  # DART's normal points to the first
            meetings.setdefault((a, b), []).append((contact.point, sign * contact.normal, contact.penetrationDepth))
        missing, self._touching = self._touching - meetings.keys(), set(meetings)
        return [_engine.no_points(*pair) for pair in missing] + [
            _engine.Meeting(a, b, *(numpy.array([row[k] for row in rows]) for k in range(3)))
            for (a, b), rows in meetings.items()
        ]


def attach(world, config, *, names=None, surfaces=None, log=None, ledger=False, advise_step=True):
    """Gives contacts of a dartpy World to the rules of a config, a Config or the path of a .pcm file.

    Objects are the BodyNodes with shapes, by their names or by those in names: {body: "Box"}. surfaces: those of objects
    by patterns of their names, {"*Foot": "Rubber"}. log: the folder for logs. advise_step: a step that some contact makes
    unstable is warned of, once. Returns the Host. A body without degrees of freedom is placed once. A change of the
    world's collision detector comes before the attachment. The default one, FCL, finds one point of a box on a
    PlaneShape: give it a box to stand on. RuntimeError: laws are attached to this world already."""
    return Host(world, config, **_engine.options(names, surfaces, log, ledger, advise_step))
