# SPDX-License-Identifier: MIT
"""Contact laws in Drake: a system beside a MultibodyPlant.

    plant, scene_graph = AddMultibodyPlantSceneGraph(builder, time_step=1e-3)
    ...
    plant.Finalize()
    laws = pcm.drake.ContactForces(plant, scene_graph, "walker.pcm")
    laws.connect(builder)

Pairs of geometries that a rule gives to a law are filtered out of the plant's own contact; queries of signed distance,
which no filter hides, find their points, and laws answer them by forces. All other pairs stay the plant's."""

import numpy
from pydrake.common.value import AbstractValue
from pydrake.geometry import Box, CollisionFilterDeclaration, Convex, GeometrySet, HalfSpace, Mesh, QueryObject, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialForce, SpatialVelocity
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.multibody.tree import BodyIndex
from pydrake.systems.framework import LeafSystem

from . import _engine, _meeting

__all__ = ["ContactForces"]


class _Solid:
    """A geometry on its body. corners: of its hull, rows in the body's axes; None: it has none."""

    def __init__(self, inspector, geometry, row):
        self.geometry, self.row, self.shape = geometry, row, inspector.GetShape(geometry)
        place = inspector.GetPoseInFrame(geometry)
        self.at, self.axes = place.translation(), place.rotation().matrix()
        self.half = 0.5 * self.shape.size() if isinstance(self.shape, Box) else None
        self.corners, self.reach, self.centre = None, numpy.inf, self.at
        if isinstance(self.shape, HalfSpace):
            return
        bounds = inspector.GetObbInGeometryFrame(geometry)
        self.reach = float(numpy.linalg.norm(bounds.half_width()))
        self.centre = self.at + self.axes @ bounds.pose().translation()
        if isinstance(self.shape, Box):
            self.corners = _meeting.Box(self.at, self.axes, self.half).corners()
        elif isinstance(self.shape, (Convex, Mesh)):
            hull = inspector.GetConvexHull(geometry)
            local = numpy.array([hull.vertex(k) for k in range(hull.num_vertices())])
            self.corners = self.at + local @ self.axes.T


class ContactForces(LeafSystem):
    """Contact laws for a discrete MultibodyPlant, which is finalized. Its state holds the contacts, so that contexts may
    be copied, kept and stepped again; it commits at the plant's period.

    scene_graph: the plant's, before a context of it is made. config: a Config or the path of a .pcm file. names: of
    bodies by their indices, where their names in the plant do not do: {body.index(): "Box"}. surfaces: those of objects
    by patterns of their names, {"*Foot": "Rubber"}. advise_step: a step that some contact makes unstable is warned of,
    once. TypeError: the plant computes in other numbers than doubles. ValueError: it is continuous, or a half space and a
    shape without corners are a law's pair. RuntimeError: laws are attached to the plant already."""

    def __init__(self, plant, scene_graph, config, *, names=None, surfaces=None, ledger=False, advise_step=True):
        super().__init__()
        if not isinstance(plant, MultibodyPlant):
            raise TypeError("laws compute in doubles: they take a MultibodyPlant, and none of AutoDiffXd or Expression")
        if not plant.time_step() > 0:
            raise ValueError(
                "a plant of continuous time asks for forces within steps, where contacts have no state: give it a time_step"
            )
        _engine.check_free(id(plant))
        self._plant, self._scene_graph, self._step = plant, scene_graph, plant.time_step()
        names = {int(index): name for index, name in dict(names or {}).items()}
        self._objects = _engine.Objects(config, **_engine.options(names, surfaces, None, ledger, advise_step))
        inspector = scene_graph.model_inspector()
        self._solids = {}
        self._objects.add(list(self._bodies(inspector)))
        self._objects.check_patterns()
        self._find_pairs(inspector)
        self._filter("ExcludeBetween")
        self._declare()
        _engine.serve(id(plant), self)

    # ---- Bodies and pairs ------------------------------------------------------------------------------------------

    def _bodies(self, inspector):
        plant = self._plant
        for index in range(plant.num_bodies()):
            body = plant.get_body(BodyIndex(index))
            geometries = plant.GetCollisionGeometriesForBody(body)
            if not geometries:
                continue
            shape = inspector.GetShape(geometries[0])
            radius = shape.radius() if len(geometries) == 1 and isinstance(shape, Sphere) else 0.0
            fixed = plant.IsAnchored(body)
            yield _engine.Thing(index, body.name(), 0.0 if fixed else body.default_mass(), radius, fixed)

    def _solid(self, inspector, geometry):
        if geometry not in self._solids:
            frame = inspector.GetFrameId(geometry)
            body = self._plant.GetBodyFromFrameId(frame)
            row = None if body is None else self._objects.row(int(body.index()))
            self._solids[geometry] = None if row is None else _Solid(inspector, geometry, row)
        return self._solids[geometry]

    def _find_pairs(self, inspector):
        """Candidates of the plant's own contact with a law, in a fixed order."""
        self._pairs = []
        for pair in sorted(inspector.GetCollisionCandidates(), key=lambda pair: [g.get_value() for g in pair]):
            solids = [self._solid(inspector, geometry) for geometry in pair]
            if None in solids or solids[0].row == solids[1].row:
                continue
            a, b = sorted(solids, key=lambda solid: solid.row)
            if self._objects.serves(a.row, b.row):
                self._pairs.append((a, b))
                _check(inspector, a, b)
                _check(inspector, b, a)

    def _filter(self, what):
        manager = self._scene_graph.collision_filter_manager()
        for a, b in self._pairs:
            declaration = CollisionFilterDeclaration()
            getattr(declaration, what)(GeometrySet(a.geometry), GeometrySet(b.geometry))
            manager.Apply(declaration)

    def close(self):
        """Gives all pairs back to the plant, in contexts that are made from now on."""
        self._filter("AllowBetween")
        self._pairs = []
        _engine.leave(id(self._plant))

    # ---- The system ------------------------------------------------------------------------------------------------

    def _declare(self):
        self._query = self.DeclareAbstractInputPort("geometry_query", AbstractValue.Make(QueryObject()))
        self._body_poses = self.DeclareAbstractInputPort("body_poses", AbstractValue.Make([RigidTransform()]))
        self._velocities = self.DeclareAbstractInputPort("body_spatial_velocities", AbstractValue.Make([SpatialVelocity()]))
        self.DeclareAbstractOutputPort(
            "spatial_forces", lambda: AbstractValue.Make([ExternallyAppliedSpatialForce()]), self._forces
        )
        self._at = self._objects.world.save()  # the state that the world is in
        self._last = None
        # When the contacts were committed, how they were before, and how they are since.
        self.DeclareAbstractState(AbstractValue.Make((-1.0, self._at, self._at)))
        self.DeclarePeriodicUnrestrictedUpdateEvent(self._step, 0.0, self._commit)

    def connect(self, builder):
        """Adds the system to a DiagramBuilder that has the plant and its SceneGraph, and connects all ports. Returns it."""
        plant = self._plant
        builder.AddSystem(self)
        builder.Connect(self._scene_graph.get_query_output_port(), self._query)
        builder.Connect(plant.get_body_poses_output_port(), self._body_poses)
        builder.Connect(plant.get_body_spatial_velocities_output_port(), self._velocities)
        builder.Connect(self.get_output_port(), plant.get_applied_spatial_force_input_port())
        return self

    @property
    def config(self):
        return self._objects.config

    def contacts(self, context):
        """The contacts in a context of this system, as an array of pcm.CONTACT."""
        self._evaluate(context)
        return self._objects.world.contacts()

    def _evaluate(self, context):
        """The wrenches at the context's time. Depending on the plant's ports, Drake commits before or after the plant
        reads the forces of the same time: those are the forces on the contacts as they were."""
        time = context.get_time()
        committed, before, since = context.get_abstract_state(0).get_value()
        state = before if time == committed else since
        self._read(context)
        poses, twists = self._objects.poses, self._objects.twists
        last = self._last
        if last and last[0] == time and last[1] is state and (last[2] == poses).all() and (last[3] == twists).all():
            return last[4]
        if self._at is not state:
            self._objects.world.restore(state)
            self._at = state
        wrenches = self._objects.evaluate(time, self._step, self._meetings(context)).copy()
        self._last = (time, state, poses.copy(), twists.copy(), wrenches)
        return wrenches

    def _read(self, context):
        poses, velocities = self._body_poses.Eval(context), self._velocities.Eval(context)
        for row, thing in enumerate(self._objects.things):
            pose, velocity = poses[thing.key], velocities[thing.key]
            self._objects.poses[row, :3] = pose.translation()
            self._objects.poses[row, 3:] = pose.rotation().ToQuaternion().wxyz()
            self._objects.twists[row, :3], self._objects.twists[row, 3:] = velocity.rotational(), velocity.translational()

    def _forces(self, context, output):
        wrenches, forces = self._evaluate(context), []
        for row in numpy.flatnonzero(wrenches.any(axis=1)).tolist():
            if self._objects.things[row].fixed:
                continue
            force = ExternallyAppliedSpatialForce()
            force.body_index = BodyIndex(self._objects.things[row].key)
            force.F_Bq_W = SpatialForce(tau=wrenches[row, :3], f=wrenches[row, 3:])
            forces.append(force)
        output.set_value(forces)

    def _commit(self, context, state):
        time = context.get_time()
        committed, before, since = context.get_abstract_state(0).get_value()
        if time == committed:
            return
        self._evaluate(context)
        if self._at is not since:  # the wrenches were known, and the world has gone on since
            self._last = None
            self._evaluate(context)
        self._objects.world.commit()
        self._at = self._objects.world.save()
        state.get_mutable_abstract_state(0).set_value((time, since, self._at))

    # ---- Points ----------------------------------------------------------------------------------------------------

    def _meetings(self, context):
        query, found = self._query.Eval(context), {}
        turns = [_meeting.rotation(*pose[3:]) for pose in self._objects.poses]
        for a, b in self._near(turns):
            points, normals, depths = self._points(query, a, b, turns)
            found.setdefault((a.row, b.row), []).append((points, normals, depths))
        return [
            _engine.Meeting(a, b, *(numpy.concatenate([row[k] for row in rows]) for k in range(3)))
            for (a, b), rows in found.items()
        ]

    def _near(self, turns):
        """Pairs whose bounding balls are near one another."""
        places = self._objects.poses[:, :3]
        centre = {s: places[s.row] + turns[s.row] @ s.centre for pair in self._pairs for s in pair}
        gap = self._objects.gap
        for a, b in self._pairs:
            away = centre[a] - centre[b]
            if a.reach + b.reach == numpy.inf or away @ away <= (a.reach + b.reach + gap) ** 2:
                yield a, b

    def _points(self, query, a, b, turns):
        gap = self._objects.gap
        for plane, solid, sign in ((a, b, 1.0), (b, a, -1.0)):
            if isinstance(plane.shape, HalfSpace) and solid.corners is not None:
                turn, place = turns[plane.row], self._objects.poses[plane.row, :3]
                normal, at = turn @ plane.axes[:, 2], place + turn @ plane.at
                points, depths = _meeting.on_plane(self._corners(solid, turns), at, normal, gap)
                return points, numpy.repeat(sign * normal[None], len(depths), axis=0), depths
        pair = query.ComputeSignedDistancePairClosestPoints(a.geometry, b.geometry)
        sign = 1.0 if pair.id_A == b.geometry else -1.0
        normal = sign * pair.nhat_BA_W
        if not numpy.isfinite(normal).all() or pair.distance > gap:  # surfaces that just touch have no normal in Drake
            return numpy.zeros((0, 3)), numpy.zeros((0, 3)), numpy.zeros(0)
        if a.half is not None and b.half is not None:
            faces = _meeting.of_boxes(normal, self._box(a, turns), self._box(b, turns), gap)
            if faces:
                return faces
        owner = a if pair.id_A == a.geometry else b
        on_first = self._objects.poses[owner.row, :3] + turns[owner.row] @ (owner.at + owner.axes @ pair.p_ACa)
        point = on_first - 0.5 * pair.distance * pair.nhat_BA_W
        return point[None], normal[None], numpy.array([-pair.distance])

    def _corners(self, solid, turns):
        return self._objects.poses[solid.row, :3] + solid.corners @ turns[solid.row].T

    def _box(self, solid, turns):
        place, turn = self._objects.poses[solid.row, :3], turns[solid.row]
        return _meeting.Box(place + turn @ solid.at, turn @ solid.axes, solid.half)


def _check(inspector, plane, solid):
    if isinstance(plane.shape, HalfSpace) and solid.corners is None and not isinstance(solid.shape, Sphere):
        raise ValueError(
            f"{inspector.GetName(solid.geometry)}: Drake gives no distance of a {type(solid.shape).__name__} to a half "
            f"space, {inspector.GetName(plane.geometry)}: put a box in its place"
        )
