// SPDX-License-Identifier: MIT
// corners.h - polyhedra on planes.
#ifndef PCM_BULLET_CORNERS_H
#define PCM_BULLET_CORNERS_H

#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <btBulletDynamicsCommon.h>
#include <new>

namespace pcm
{

// Finds the corners of a polyhedron near a plane, anew in each step. Bullet keeps at most four: the deepest, and three
// that span the largest area. Bullet's own algorithm finds the lowest, and others by leaning the
// polyhedron. It leans the margin of hulls too, which makes those depths too small.
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
        const auto        *shape = static_cast<const btPolyhedralConvexShape *>((swapped ? b : a)->getCollisionShape());
        const auto        *plane = static_cast<const btStaticPlaneShape *>((swapped ? a : b)->getCollisionShape());
        const btVector3    normal = below.getBasis() * plane->getPlaneNormal();
        const btVector3    foot = below * (plane->getPlaneConstant() * plane->getPlaneNormal());
        const btVector3    down = -normal * on.getBasis(); // in the polyhedron's axes
        const int          count = shape->getNumVertices();
        int                low = 0;
        btScalar           deepest = -BT_LARGE_FLOAT;
        manifold->clearManifold();
        result->setPersistentManifold(manifold);
        for (int i = 0; i < count; i++) {
            const btScalar depth = corner(shape, i, down).dot(down);
            low = depth > deepest ? i : low;
            deepest = btMax(deepest, depth);
        }
        // The lowest comes last, as one that is added takes the place of another nearby.
        for (int i = 0; i <= count && count > 0; i++) {
            const btVector3 at = on * corner(shape, i < count ? i : low, down);
            const btScalar  gap = normal.dot(at - foot);
            if (i != low && gap < manifold->getContactBreakingThreshold())
                result->addContactPoint(normal, at - gap * normal, gap);
        }
    }

    btScalar calculateTimeOfImpact(btCollisionObject *, btCollisionObject *, const btDispatcherInfo &,
                                   btManifoldResult *) override
    {
        return btScalar(1);
    }

    void getAllContactManifolds(btManifoldArray &manifolds) override { manifolds.push_back(manifold); }

  private:
    // Around the corners of a hull is its margin; a box has its own within.
    static btVector3 corner(const btPolyhedralConvexShape *shape, int index, const btVector3 &down)
    {
        btVector3 at;
        shape->getVertex(index, at);
        return shape->getShapeType() == BOX_SHAPE_PROXYTYPE ? at : at + shape->getMargin() * down;
    }
};

static_assert(sizeof(Corners) <= sizeof(btConvexConvexAlgorithm),
              "Bullet's pool of algorithms has elements of that size");

} // namespace pcm

#endif
