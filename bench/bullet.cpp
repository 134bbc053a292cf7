// SPDX-License-Identifier: MIT
// The pairs by Bullet, in the precision it is built with: the algorithm that its dispatcher finds for each, which keeps
// its contacts from step to step.
#include "others.h"

#include <btBulletCollisionCommon.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <memory>
#include <vector>

namespace
{

using Shape = std::unique_ptr<btCollisionShape>;

// Bullet adds its margin around a hull, so the corners are moved inwards by the margin.
Shape hull(const other_shape &shape)
{
    auto         made = std::make_unique<btConvexHullShape>();
    const double inner = 1 - CONVEX_DISTANCE_MARGIN / shape.radius;
    for (size_t i = 0; i < shape.n_corners; i++)
        made->addPoint(btVector3(btScalar(inner * shape.corners[3 * i]), btScalar(inner * shape.corners[3 * i + 1]),
                                 btScalar(inner * shape.corners[3 * i + 2])),
                       false);
    made->recalcLocalAabb();
    return made;
}

Shape make_shape(const other_shape &shape)
{
    const btScalar radius = btScalar(shape.radius), length = btScalar(shape.length);
    switch (shape.kind) {
    case OTHER_PLANE:
        return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0));
    case OTHER_SPHERE:
        return std::make_unique<btSphereShape>(radius);
    case OTHER_CAPSULE:
        return std::make_unique<btCapsuleShapeZ>(radius, length);
    case OTHER_CYLINDER:
        return std::make_unique<btCylinderShapeZ>(btVector3(radius, radius, length / 2));
    case OTHER_BOX:
        return std::make_unique<btBoxShape>(
            btVector3(btScalar(shape.sides[0] / 2), btScalar(shape.sides[1] / 2), btScalar(shape.sides[2] / 2)));
    case OTHER_HULL:
        break;
    }
    return hull(shape);
}

// A ball looks the same at any orientation.
btTransform transform(const btCollisionShape &of, const other_place &place)
{
    btTransform   t = btTransform::getIdentity();
    const double *p = place.position, *q = place.turn;
    t.setOrigin(btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])));
    if (of.getShapeType() != SPHERE_SHAPE_PROXYTYPE)
        t.setRotation(btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])));
    return t;
}

// Two objects and Bullet's cache of the pair.
struct Meeting {
    btCollisionObject     a, b;
    btCollisionAlgorithm *known = nullptr;
};

} // namespace

struct other_pairs {
    btDefaultCollisionConfiguration       configuration;
    btCollisionDispatcher                 dispatcher{&configuration};
    btDispatcherInfo                      info;
    Shape                                 a, b;
    std::vector<std::unique_ptr<Meeting>> meetings;
    std::vector<other_place>              at_a, at_b; // by moment, then by pair

    ~other_pairs()
    {
        for (auto &m : meetings)
            forget(m->known);
    }

    void forget(btCollisionAlgorithm *algorithm)
    {
        if (!algorithm)
            return;
        algorithm->~btCollisionAlgorithm();
        dispatcher.freeCollisionAlgorithm(algorithm);
    }

    // The contacts of one pair, from the cache or, without one, from a new algorithm.
    size_t meet(Meeting &m, size_t at)
    {
        m.a.setWorldTransform(transform(*a, at_a[at]));
        m.b.setWorldTransform(transform(*b, at_b[at]));
        const btCollisionObjectWrapper wrapped_a(nullptr, a.get(), &m.a, m.a.getWorldTransform(), -1, -1);
        const btCollisionObjectWrapper wrapped_b(nullptr, b.get(), &m.b, m.b.getWorldTransform(), -1, -1);
        btManifoldResult               result(&wrapped_a, &wrapped_b);
        if (!m.known)
            m.known = dispatcher.findAlgorithm(&wrapped_a, &wrapped_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        m.known->processCollision(&wrapped_a, &wrapped_b, info, &result);
        const btPersistentManifold *found = result.getPersistentManifold();
        return found ? size_t(found->getNumContacts()) : 0;
    }
};

static other_pairs *make(const other_shape *a, const other_shape *b, size_t places, size_t moments)
{
    auto *p = new other_pairs;
    p->a = make_shape(*a);
    p->b = make_shape(*b);
    p->at_a.resize(places * moments);
    p->at_b.resize(places * moments);
    for (size_t i = 0; i < places; i++) {
        p->meetings.push_back(std::make_unique<Meeting>());
        p->meetings[i]->a.setCollisionShape(p->a.get());
        p->meetings[i]->b.setCollisionShape(p->b.get());
    }
    return p;
}

static void put(other_pairs *p, size_t place, size_t moment, const other_place *a, const other_place *b)
{
    p->at_a[moment * p->meetings.size() + place] = *a;
    p->at_b[moment * p->meetings.size() + place] = *b;
}

static size_t find(other_pairs *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->meetings.size(); i++) {
        Meeting &m = *p->meetings[i];
        p->forget(m.known);
        m.known = nullptr;
        count += p->meet(m, i);
    }
    return count;
}

static size_t follow(other_pairs *p, size_t moment)
{
    size_t count = 0;
    for (size_t i = 0; i < p->meetings.size(); i++)
        count += p->meet(*p->meetings[i], moment * p->meetings.size() + i);
    return count;
}

static void free_pairs(other_pairs *p) { delete p; }

const other_library other_bullet = {"Bullet", make, put, find, follow, free_pairs};
