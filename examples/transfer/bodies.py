# SPDX-License-Identifier: MIT
"""How a body is made in PyBullet, DART and Drake: a ball or a box, which is fixed where it has no mass."""

import numpy


def in_pybullet(client, mass, at, half=None, radius=None, velocity=(0, 0, 0), spin=(0, 0, 0)):
    """Returns its number."""
    size = {"halfExtents": list(half)} if radius is None else {"radius": radius}
    shape = client.createCollisionShape(client.GEOM_BOX if radius is None else client.GEOM_SPHERE, **size)
    body = client.createMultiBody(mass, shape, basePosition=list(at))
    client.resetBaseVelocity(body, list(velocity), list(spin))
    client.changeDynamics(body, -1, linearDamping=0, angularDamping=0, restitution=0)  # Bullet's air
    return body


def in_dart(world, name, mass, at, half=None, radius=None, velocity=(0, 0, 0), spin=(0, 0, 0)):
    """Returns its BodyNode."""
    from dartpy import dynamics, math

    shape = dynamics.BoxShape(2 * numpy.array(half, dtype=float)) if radius is None else dynamics.SphereShape(radius)
    skeleton = dynamics.Skeleton(f"{name} {world.getNumSkeletons()}")
    joint, body = skeleton.createFreeJointAndBodyNodePair() if mass else skeleton.createWeldJointAndBodyNodePair()
    body.setName(name)
    node = body.createShapeNode(shape)
    node.createCollisionAspect()
    node.createDynamicsAspect()
    if mass:
        inertia = dynamics.Inertia()
        inertia.setMass(mass)
        inertia.setMoment(shape.computeInertia(mass))
        body.setInertia(inertia)
        joint.setPositions(numpy.array([0, 0, 0, *at], dtype=float))
        joint.setVelocities(numpy.array([*spin, *velocity], dtype=float))
    else:
        place = math.Isometry3()
        place.set_translation(numpy.array(at, dtype=float))
        joint.setTransformFromParentBodyNode(place)
    world.addSkeleton(skeleton)
    return body


def in_drake(plant, name, mass, at, half=None, radius=None):
    """In a plant that is not finalized yet. Without mass it is a geometry of the plant's world; else returns the body."""
    from pydrake.geometry import Box, Sphere
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import CoulombFriction
    from pydrake.multibody.tree import SpatialInertia

    friction = CoulombFriction(0.5, 0.5)  # of Drake's contact, for pairs without a law
    sides = None if half is None else 2 * numpy.array(half, dtype=float)
    shape = Box(*sides) if radius is None else Sphere(radius)
    place = RigidTransform(numpy.array(at, dtype=float))
    if not mass:
        plant.RegisterCollisionGeometry(plant.world_body(), place, shape, name, friction)
        return None
    inertia = SpatialInertia.SolidBoxWithMass(mass, *sides) if radius is None else SpatialInertia.SolidSphereWithMass(mass, radius)
    body = plant.AddRigidBody(name, inertia)
    plant.RegisterCollisionGeometry(body, RigidTransform(), shape, name, friction)
    plant.SetDefaultFloatingBaseBodyPose(body, place)
    return body
