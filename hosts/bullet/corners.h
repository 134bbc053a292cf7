// SPDX-License-Identifier: MIT
// corners.h - polyhedra on planes.
#ifndef PCM_BULLET_CORNERS_H
#define PCM_BULLET_CORNERS_H

#include <btBulletDynamicsCommon.h>
#include <new>

namespace pcm
{

// Finds the corners of a polyhedron on which it stands on a plane, anew in each step. Bullet's own algorithm finds the
// lowest, and others by leaning the polyhedron, which tells less depth of hulls, since it leans their margin too.
class Corners final : public btCollisionAlgorithm
{
    btPersistentManifold *manifold;
    bool                  swapped; // the plane comes first

  public:
    struct Maker final : btCollisionAlgorithmCreateFunc {
        explicit Maker(bool swap) { m_swapped = swap; }
        btCollisionAlgorithm *CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo &of,
                                                       const btCollisionObjectWrapper       *a,
                                                       const btCollisionObjectWrapper       *b) override
        {
            void *memory = of.m_dispatcher1->allocateCollisionAlgorithm(int(sizeof(Corners)));
            return new (memory) Corners(of, a->getCollisionObject(), b->getCollisionObject(), m_swapped);
        }
    };

    Corners(const btCollisionAlgorithmConstructionInfo &of, const btCollisionObject *a, const btCollisionObject *b,
            bool swap)
        : btCollisionAlgorithm(of), manifold(m_dispatcher->getNewManifold(swap ? b : a, swap ? a : b)), swapped(swap)
    {
    }
    ~Corners() override { m_dispatcher->releaseManifold(manifold); }

    void processCollision(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
                          const btDispatcherInfo &, btManifoldResult                        *result) override
    {
        const btTransform &on = (swapped ? b : a)->getWorldTransform(), &below = (swapped ? a : b)->getWorldTransform();
        const auto        *shape = static_cast<const btConvexShape *>((swapped ? b : a)->getCollisionShape());
        const auto        *plane = static_cast<const btStaticPlaneShape *>((swapped ? a : b)->getCollisionShape());
        const btVector3    normal = below.getBasis() * plane->getPlaneNormal();
        const btVector3    foot = below * (plane->getPlaneConstant() * plane->getPlaneNormal());
        const btVector3    down = -normal * on.getBasis(); // in the polyhedron's axes
        // Not leaned, and leaned to five sides: each corner of a box that lies is the lowest in one of them.
        static const double lean[][2] = {
            {0, 0}, {0.1, 0}, {0.0309, 0.0951}, {-0.0809, 0.0588}, {-0.0809, -0.0588}, {0.0309, -0.0951}};
        enum { LEANS = sizeof lean / sizeof *lean };
        btVector3 found[LEANS], x, y;
        btPlaneSpace1(down, x, y);
        manifold->clearManifold();
        result->setPersistentManifold(manifold);
        for (int i = 0; i < LEANS; i++) {
            found[i] = lowest(shape, down, btScalar(lean[i][0]) * x + btScalar(lean[i][1]) * y);
            bool known = false;
            for (int k = 0; k < i; k++)
                known = known || found[k] == found[i];
            const btVector3 corner = on * found[i];
            const btScalar  gap = normal.dot(corner - foot);
            if (!known && gap < manifold->getContactBreakingThreshold())
                result->addContactPoint(normal, corner - gap * normal, gap);
        }
    }

    btScalar calculateTimeOfImpact(btCollisionObject *, btCollisionObject *, const btDispatcherInfo &,
                                   btManifoldResult *) override
    {
        return btScalar(1);
    }

    void getAllContactManifolds(btManifoldArray &manifolds) override { manifolds.push_back(manifold); }

  private:
    // The lowest corner as it leans. Around the corners of a hull is its margin; a box has its own within.
    static btVector3 lowest(const btConvexShape *shape, const btVector3 &down, const btVector3 &lean)
    {
        if (shape->getShapeType() == BOX_SHAPE_PROXYTYPE)
            return static_cast<const btBoxShape *>(shape)->localGetSupportingVertex(down + lean);
        return shape->localGetSupportingVertexWithoutMargin(down + lean) + shape->getMargin() * down;
    }
};

} // namespace pcm

#endif
