// SPDX-License-Identifier: MIT
// The pairs by FCL, in double precision: fcl::collide with contacts.
#include "others.h"

#include <fcl/fcl.h>
#include <memory>
#include <vector>

namespace
{

constexpr size_t contacts = 64;

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

// The triangles of a hull with few corners, no four of them in one plane: all other corners are behind each triangle.
Geometry hull(const other_shape &shape)
{
    const auto corners = std::make_shared<std::vector<fcl::Vector3d>>();
    const auto faces = std::make_shared<std::vector<int>>();
    const int  n = static_cast<int>(shape.n_corners);
    int        count = 0;
    for (int i = 0; i < n; i++)
        corners->emplace_back(shape.corners[3 * i], shape.corners[3 * i + 1], shape.corners[3 * i + 2]);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = i + 1; k < n; k++) {
                const fcl::Vector3d &p = (*corners)[i], normal = ((*corners)[j] - p).cross((*corners)[k] - p);
                bool                 outermost = k != j;
                for (int l = 0; l < n && outermost; l++)
                    outermost = l == i || l == j || l == k || normal.dot((*corners)[l] - p) < 0;
                if (outermost) {
                    faces->insert(faces->end(), {3, i, j, k});
                    count++;
                }
            }
    return std::make_shared<fcl::Convexd>(corners, count, faces);
}

Geometry make_shape(const other_shape &shape)
{
    switch (shape.kind) {
    case OTHER_PLANE:
        return std::make_shared<fcl::Halfspaced>(fcl::Vector3d(0, 0, 1), 0);
    case OTHER_SPHERE:
        return std::make_shared<fcl::Sphered>(shape.radius);
    case OTHER_CAPSULE:
        return std::make_shared<fcl::Capsuled>(shape.radius, shape.length);
    case OTHER_CYLINDER:
        return std::make_shared<fcl::Cylinderd>(shape.radius, shape.length);
    case OTHER_BOX:
        return std::make_shared<fcl::Boxd>(shape.sides[0], shape.sides[1], shape.sides[2]);
    case OTHER_HULL:
        break;
    }
    return hull(shape);
}

// A ball looks the same at any orientation.
fcl::Transform3d transform(const fcl::CollisionGeometryd &of, const other_place &place)
{
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.translation() = fcl::Vector3d(place.position[0], place.position[1], place.position[2]);
    if (of.getNodeType() != fcl::GEOM_SPHERE)
        t.linear() = fcl::Quaterniond(place.turn[0], place.turn[1], place.turn[2], place.turn[3]).toRotationMatrix();
    return t;
}

} // namespace

struct other_pairs {
    Geometry                   a, b;
    size_t                     places;
    std::vector<other_place>   at_a, at_b; // by moment, then by pose
    std::vector<fcl::Vector3d> guess;      // of each pose

    size_t collide(size_t at, const fcl::CollisionRequestd &request, fcl::CollisionResultd &result) const
    {
        return fcl::collide(a.get(), transform(*a, at_a[at]), b.get(), transform(*b, at_b[at]), request, result);
    }
};

static other_pairs *make(const other_shape *a, const other_shape *b, size_t places, size_t moments)
{
    auto *p = new other_pairs{make_shape(*a), make_shape(*b), places, {}, {}, {}};
    p->at_a.resize(places * moments);
    p->at_b.resize(places * moments);
    p->guess.assign(places, fcl::Vector3d(1, 0, 0));
    return p;
}

static void put(other_pairs *p, size_t place, size_t moment, const other_place *a, const other_place *b)
{
    p->at_a[moment * p->places + place] = *a;
    p->at_b[moment * p->places + place] = *b;
}

static size_t find(other_pairs *p)
{
    const fcl::CollisionRequestd request(contacts, true);
    size_t                       count = 0;
    for (size_t i = 0; i < p->places; i++) {
        fcl::CollisionResultd result;
        count += p->collide(i, request, result);
    }
    return count;
}

static size_t follow(other_pairs *p, size_t moment)
{
    fcl::CollisionRequestd request(contacts, true);
    size_t                 count = 0;
    request.enable_cached_gjk_guess = true;
    for (size_t i = 0; i < p->places; i++) {
        fcl::CollisionResultd result;
        request.cached_gjk_guess = p->guess[i];
        count += p->collide(moment * p->places + i, request, result);
        p->guess[i] = result.cached_gjk_guess;
    }
    return count;
}

static void free_pairs(other_pairs *p) { delete p; }

const other_library other_fcl = {"FCL", make, put, find, follow, free_pairs};
