# SPDX-License-Identifier: MIT
"""Contact laws in PyBullet.

    host = pcm.pybullet.attach(client, "walker.pcm", names={ground: "Floor", box: "Box"})
    while True:
        host.step()                 # in place of client.stepSimulation()

Bullet collides nothing for pairs that a rule gives to a law: getClosestPoints finds their points, which laws answer by
forces. All other pairs stay Bullet's."""

import uuid

import numpy

from . import _engine, _meeting

__all__ = ["Host", "attach"]

_SPHERE, _BOX, _PLANE = 2, 3, 6  # pybullet.GEOM_SPHERE and its kin


class Host(_engine.Host):
    """Contact laws in a PyBullet client. Keys are (body, link); the base is link -1, and may be given as the body alone.

    `step` is a push, client.stepSimulation() and a commit."""

    def __init__(self, client, config, **options):
        self._client, self._shapes = client, {}
        names = {}
        for key, name in dict(options["names"] or {}).items():
            if names.setdefault(_key(key), name) != name:
                raise ValueError(f"names: {_key(key)} is called {names[_key(key)]!r} and {name!r}: give it one name")
        options["names"] = names
        super().__init__(_simulation(client), config, **options)

    def add(self, key):
        super().add(_key(key))

    def remove(self, key):
        super().remove(_key(key))

    def _bodies(self):
        found = []
        for place in range(self._client.getNumBodies()):
            body = self._client.getBodyUniqueId(place)
            for link in range(-1, self._client.getNumJoints(body)):
                found += self._thing(body, link)
        return found

    def _thing(self, body, link):
        client = self._client
        shapes = client.getCollisionShapeData(body, link)
        if not shapes:
            return []
        kind, sizes, place, turn = shapes[0][2], numpy.array(shapes[0][3]), shapes[0][5], shapes[0][6]
        x, y, z, w = turn
        self._shapes[body, link] = None
        radius = 0.0
        if len(shapes) == 1 and kind == _SPHERE:
            radius = float(sizes[0])
        if len(shapes) == 1 and kind == _PLANE:
            self._shapes[body, link] = "plane"
        if len(shapes) == 1 and kind == _BOX:
            self._shapes[body, link] = numpy.array(place), _meeting.rotation(w, x, y, z), 0.5 * sizes
        name = client.getBodyInfo(body)[0] if link < 0 else client.getJointInfo(body, link)[12]
        mass = client.getDynamicsInfo(body, link)[0]
        return [_engine.Thing((body, link), name.decode(), mass, radius)]

    def _period(self):
        settings = self._client.getPhysicsEngineParameters()
        if settings["useRealTimeSimulation"]:
            raise RuntimeError("PyBullet steps by itself, where no law can act: setRealTimeSimulation(0)")
        return settings["fixedTimeStep"]

    def _read(self, key):
        body, link = key
        if link < 0:
            position, turn = self._client.getBasePositionAndOrientation(body)
            linear, angular = self._client.getBaseVelocity(body)
        else:
            state = self._client.getLinkState(body, link, 1, 1)
            position, turn, linear, angular = state[0], state[1], state[6], state[7]
        return position, (turn[3], *turn[:3]), angular, linear

    def _give(self, key, wrench):
        client, (body, link) = self._client, key
        place = self._objects.poses[self._objects.row(key), :3].tolist()
        client.applyExternalForce(body, link, wrench[3:].tolist(), place, client.WORLD_FRAME)
        client.applyExternalTorque(body, link, wrench[:3].tolist(), client.WORLD_FRAME)

    def _advance(self):
        self._client.stepSimulation()

    def _may_meet(self, a, b):
        return a[0] != b[0]

    def _part(self, a, b):
        self._client.setCollisionFilterPair(a[0], b[0], a[1], b[1], 0)

    def _rejoin(self, a, b):
        self._client.setCollisionFilterPair(a[0], b[0], a[1], b[1], 1)

    # ---- Points --------------------------------------------------------------------------------------------------

    def _sort_out(self):
        self._sides = numpy.array(self._pairs, dtype=int).reshape(-1, 2)

    def _meetings(self):
        things, gap = self._objects.things, self._objects.gap
        boxes = numpy.array([self._client.getAABB(*thing.key) for thing in things]).reshape(-1, 2, 3)
        a, b = boxes[self._sides[:, 0]], boxes[self._sides[:, 1]]
        apart = (a[:, 0] > b[:, 1] + gap) | (b[:, 0] > a[:, 1] + gap)
        return [self._meeting(*pair) for pair in self._sides[~apart.any(axis=1)].tolist()]

    def _meeting(self, a, b):
        (body_a, link_a), (body_b, link_b) = self._objects.things[a].key, self._objects.things[b].key
        rows = self._client.getClosestPoints(body_a, body_b, self._objects.gap, link_a, link_b)
        if len(rows) == 1:
            found = self._faces(a, b, rows[0])
            if found:
                return _engine.Meeting(a, b, *found)
        on_a, on_b, normal_on_b, distance = (numpy.array([row[k] for row in rows]) for k in (5, 6, 7, 8))
        return _engine.Meeting(a, b, 0.5 * (on_a + on_b).reshape(-1, 3), -normal_on_b.reshape(-1, 3), -distance)

    def _faces(self, a, b, row):
        """Bullet's query gives one point, at which a box would rock: the corners of its face are its points."""
        shapes = self._shapes[self._objects.things[a].key], self._shapes[self._objects.things[b].key]
        if shapes[0] is None or shapes[1] is None:
            return None
        normal, gap = -numpy.array(row[7]), self._objects.gap
        if shapes[0] == "plane":
            points, depths = _meeting.on_plane(self._box(b).corners(), numpy.array(row[5]), normal, gap)
        elif shapes[1] == "plane":
            points, depths = _meeting.on_plane(self._box(a).corners(), numpy.array(row[6]), -normal, gap)
        else:
            return _meeting.of_boxes(normal, self._box(a), self._box(b), gap)
        return points, numpy.repeat(normal[None], len(depths), axis=0), depths

    def _box(self, row):
        place, turn, half = self._shapes[self._objects.things[row].key]
        pose = self._objects.poses[row]
        axes = _meeting.rotation(*pose[3:])
        return _meeting.Box(pose[:3] + axes @ place, axes @ turn, half)


def _simulation(client):
    """A mark on the first body, which goes with it when the client is reset or connects anew."""
    if not client.getNumBodies():
        return uuid.uuid4().hex
    body = client.getBodyUniqueId(0)
    mark = client.getUserDataId(body, "pcm")
    if mark < 0:
        mark = client.addUserData(body, "pcm", uuid.uuid4().hex)
    return client.getUserData(mark)


def _key(key):
    return key if isinstance(key, tuple) else (key, -1)


def attach(client, config, *, names=None, surfaces=None, log=None, ledger=False, advise_step=True):
    """Gives contacts of a PyBullet client to the rules of a config, a Config or the path of a .pcm file.

    client: the module pybullet, or a BulletClient. names: of bodies, or of (body, link), where the names of their links
    in the URDF do not do: {box: "Box"}; "" leaves one to Bullet. surfaces: those of objects by patterns of their names,
    {"*Foot": "Rubber"}. log: the folder for logs. advise_step: a step that some contact makes unstable is warned of,
    once. Returns the Host. Links of one body never touch by a law. A pair of the law's must not be switched by
    setCollisionFilterPair meanwhile. RuntimeError: laws are attached to this client already."""
    return Host(client, config, **_engine.options(names, surfaces, log, ledger, advise_step))
