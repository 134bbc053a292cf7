// SPDX-License-Identifier: MIT
#include "../engine/engine.h"
#include <pcm/dart.h>
#include <pcm/messages.h>

#include <dart/collision/CollisionFilter.hpp>
#include <dart/collision/CollisionGroup.hpp>
#include <dart/collision/CollisionObject.hpp>
#include <dart/collision/CollisionResult.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SoftBodyNode.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/simulation/World.hpp>
#include <algorithm>
#include <new>
#include <utility>
#include <vector>

using namespace dart;

namespace
{

// Leaves of the pairs that another filter leaves those with a law, or those without.
struct Filter final : collision::CollisionFilter {
    pcm_dart                                   *host;
    bool                                        law;
    std::shared_ptr<collision::CollisionFilter> other;

    Filter(pcm_dart *host_, bool law_) : host(host_), law(law_) {}
    bool ignoresCollision(const collision::CollisionObject *a, const collision::CollisionObject *b) const override;
};

// A point of DART's, with its pair in the order of registration.
struct Point {
    pcm_engine_object *first, *second;
    size_t             index;
    bool               swapped;
};

using Pair = std::pair<const dynamics::ShapeFrame *, const dynamics::ShapeFrame *>;

// The force and torque on a body before a law's were added, in its own axes.
struct Push {
    dynamics::BodyNode *body;
    Eigen::Vector6d     before;
};

enum : size_t { MOST_POINTS = size_t(1) << 24 }; // of a step: DART's default of 1000 drops those of larger scenes

} // namespace

struct pcm_dart {
    pcm_engine                *engine;
    pcm_dart_def               def;
    simulation::World         *world;
    pcm_status                 status; // the first of this step
    std::shared_ptr<Filter>    with, without;
    collision::CollisionResult found;
    std::vector<Point>         points;
    std::vector<Pair>          before, touching, sorted; // with points: in the last search, in this one, by addresses
    std::vector<pcm_touch>     touches;
    std::vector<Push>          pushes;
};

namespace
{

// ---- Shapes ---------------------------------------------------------------------------------------------------------

const dynamics::ShapeFrame *frame_of(const pcm_engine_object *object)
{
    return static_cast<const dynamics::ShapeFrame *>(object->key);
}

dynamics::BodyNode *body_of(const dynamics::ShapeFrame *frame)
{
    const dynamics::ShapeNode *node = frame->asShapeNode();
    return node ? const_cast<dynamics::ShapeNode *>(node)->getBodyNodePtr().get() : nullptr;
}

pcm_engine_object *object_of(pcm_dart *host, const dynamics::ShapeFrame *frame)
{
    pcm_engine_object *known = pcm_engine_find(host->engine, frame);
    if (known)
        return known;
    const pcm_dart_def &def = host->def;
    dynamics::BodyNode *body = body_of(frame);
    pcm_engine_shape    shape{};
    shape.key = frame;
    if (!body || !body->asSoftBodyNode()) {
        shape.body = body && body->getNumDependentGenCoords() > 0 ? body : nullptr;
        shape.name = def.name ? def.name(def.user, frame) : (body ? body->getName() : frame->getName()).c_str();
        shape.surface = def.surface ? def.surface(def.user, frame) : nullptr;
        shape.mass = shape.body && body->getSkeleton()->isMobile() ? body->getMass() : 0;
    }
    if (const auto *ball = dynamic_cast<const dynamics::SphereShape *>(frame->getShape().get()))
        shape.radius = ball->getRadius();
    return pcm_engine_add(host->engine, &shape);
}

void move(pcm_dart *host, pcm_engine_object *object)
{
    if (!pcm_engine_wants(host->engine, object))
        return;
    const auto              *frame = frame_of(object);
    const Eigen::Isometry3d &place = frame->getWorldTransform();
    const Eigen::Quaterniond turn(place.linear());
    pcm_pose                 pose{{0, 0, 0}, {turn.w(), turn.x(), turn.y(), turn.z()}};
    pcm_twist                twist{};
    Eigen::Map<Eigen::Vector3d>(pose.position) = place.translation();
    if (object->body) {
        Eigen::Map<Eigen::Vector3d>(twist.linear) = frame->getLinearVelocity();
        Eigen::Map<Eigen::Vector3d>(twist.angular) = frame->getAngularVelocity();
    }
    pcm_engine_note(&host->status, pcm_world_move(pcm_engine_world(host->engine), object->handle, &pose, &twist));
}

bool Filter::ignoresCollision(const collision::CollisionObject *a, const collision::CollisionObject *b) const
{
    if (other && other->ignoresCollision(a, b))
        return true;
    (void)object_of(host, a->getShapeFrame()); // the second may move the first in memory
    const pcm_engine_object *second = object_of(host, b->getShapeFrame());
    const pcm_engine_object *first = pcm_engine_find(host->engine, a->getShapeFrame());
    return law != (first && second && pcm_engine_serves(host->engine, first, second));
}

// ---- Touches --------------------------------------------------------------------------------------------------------

// DART's normal points into the first shape.
pcm_touch touch_of(const collision::Contact &contact, bool swapped)
{
    pcm_touch touch{};
    Eigen::Map<Eigen::Vector3d>(touch.point) = contact.point;
    Eigen::Map<Eigen::Vector3d>(touch.normal) = (swapped ? 1 : -1) * contact.normal;
    touch.depth = contact.penetrationDepth;
    return touch;
}

void sort_points(pcm_dart *host)
{
    const std::vector<collision::Contact> &contacts = host->found.getContacts();
    host->points.clear();
    for (size_t i = 0; i < contacts.size(); i++) {
        pcm_engine_object *a = pcm_engine_find(host->engine, contacts[i].collisionObject1->getShapeFrame());
        pcm_engine_object *b = pcm_engine_find(host->engine, contacts[i].collisionObject2->getShapeFrame());
        host->points.push_back(a < b ? Point{a, b, i, false} : Point{b, a, i, true});
    }
    std::sort(host->points.begin(), host->points.end(), [](const Point &p, const Point &q) {
        return p.first != q.first ? p.first < q.first : p.second != q.second ? p.second < q.second : p.index < q.index;
    });
}

void touch(pcm_dart *host, pcm_engine_object *first, pcm_engine_object *second)
{
    move(host, first);
    move(host, second);
    pcm_engine_note(&host->status,
                    pcm_engine_touch(host->engine, first, second, host->touches.data(), host->touches.size()));
}

// Of pairs that touched before, those without a point now, unless a shape has gone: DART may drop points for a step.
void touch_dropped(pcm_dart *host, const collision::CollisionGroup &group)
{
    host->sorted = host->touching;
    std::sort(host->sorted.begin(), host->sorted.end());
    host->touches.clear();
    for (const Pair &pair : host->before) {
        if (std::binary_search(host->sorted.begin(), host->sorted.end(), pair))
            continue;
        pcm_engine_object *first = pcm_engine_find(host->engine, pair.first);
        pcm_engine_object *second = pcm_engine_find(host->engine, pair.second);
        if (first && second && group.hasShapeFrame(pair.first) && group.hasShapeFrame(pair.second))
            touch(host, first, second);
    }
}

void find_points(pcm_dart *host, constraint::ConstraintSolver &solver)
{
    const collision::CollisionOption option(true, MOST_POINTS, host->with);
    host->found.clear();
    solver.getCollisionGroup()->collide(option, &host->found);
    sort_points(host);
    host->before.swap(host->touching);
    host->touching.clear();
    const std::vector<Point> &points = host->points;
    for (size_t i = 0; i < points.size();) {
        const Point &at = points[i];
        host->touches.clear();
        for (; i < points.size() && points[i].first == at.first && points[i].second == at.second; i++)
            host->touches.push_back(touch_of(host->found.getContact(points[i].index), points[i].swapped));
        touch(host, at.first, at.second);
        host->touching.emplace_back(frame_of(at.first), frame_of(at.second));
    }
    touch_dropped(host, *solver.getCollisionGroup());
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

void push(void *user, const pcm_engine_object *object, const pcm_wrench *wrench)
{
    auto       *body = static_cast<dynamics::BodyNode *>(object->body);
    const auto *frame = frame_of(object);
    if (!body->getSkeleton()->isMobile())
        return;
    static_cast<pcm_dart *>(user)->pushes.push_back({body, body->getExternalForceLocal()});
    body->addExtForce(Eigen::Map<const Eigen::Vector3d>(wrench->force), frame->getWorldTransform().translation(), false,
                      false);
    body->addExtTorque(Eigen::Map<const Eigen::Vector3d>(wrench->torque), false);
}

// The last first: a body with several shapes is left with what it had before all of them.
void take_back(pcm_dart *host)
{
    for (auto at = host->pushes.rbegin(); at != host->pushes.rend(); ++at) {
        at->body->BodyNode::clearExternalForces();
        at->body->addExtForce(at->before.tail<3>(), Eigen::Vector3d::Zero(), true, true);
        at->body->addExtTorque(at->before.head<3>(), true);
    }
}

// Puts a filter over that of the solver while it lives.
struct Covered {
    collision::CollisionOption    &option;
    const std::shared_ptr<Filter> &filter;
    Covered(collision::CollisionOption &option_, const std::shared_ptr<Filter> &filter_)
        : option(option_), filter(filter_)
    {
        option.collisionFilter = filter;
    }
    ~Covered() { option.collisionFilter = filter->other; }
};

bool fails(pcm_status status) { return status != PCM_OK && status != PCM_BAD_MOTION && status != PCM_BAD_INPUT; }

} // namespace

pcm_status pcm_dart_step(pcm_dart *host, bool reset_command)
{
    if (!host)
        return PCM_BAD_ARGUMENT;
    constraint::ConstraintSolver &solver = *host->world->getConstraintSolver();
    if (!pcm_engine_accepts(host->engine, host->world->getTimeStep()))
        return PCM_BAD_ARGUMENT;
    host->status = PCM_OK;
    host->pushes.clear();
    host->with->other = host->without->other = solver.getCollisionOption().collisionFilter;
    find_points(host, solver);
    const pcm_status status = pcm_engine_update(host->engine, host->world->getTimeStep(), push, host);
    pcm_engine_note(&host->status, status);
    if (fails(status))
        return status;
    {
        const Covered covered(solver.getCollisionOption(), host->without);
        host->world->step(reset_command);
    }
    if (!reset_command)
        take_back(host);
    pcm_engine_note(&host->status, pcm_engine_commit(host->engine));
    return host->status;
}

// ---- Opening and closing --------------------------------------------------------------------------------------------

pcm_dart *pcm_dart_attach(pcm_context *context, pcm_config *config, void *world, const pcm_dart_def *def)
{
    pcm_dart_def filled{};
    filled.size = sizeof filled;
    if (!context || !config || !world || !pcm_def_fill(context, "pcm_dart_def", &filled, def))
        return nullptr;
    auto *host = new (std::nothrow) pcm_dart{};
    if (!host) {
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to attach to DART");
        return nullptr;
    }
    host->def = filled;
    host->world = static_cast<simulation::World *>(world);
    host->with = std::make_shared<Filter>(host, true);
    host->without = std::make_shared<Filter>(host, false);
    const pcm_engine_def engine{filled.ledger, !filled.silent_of_step, filled.log_directory, world, "DART"};
    host->engine = pcm_engine_new(context, config, &engine);
    if (host->engine)
        return host;
    delete host;
    return nullptr;
}

void pcm_dart_free(pcm_dart *host)
{
    if (!host)
        return;
    pcm_engine_free(host->engine);
    delete host;
}

pcm_world *pcm_dart_world(pcm_dart *host) { return pcm_engine_world(host->engine); }

bool pcm_dart_forget(pcm_dart *host, const void *shape) { return pcm_engine_remove(host->engine, shape); }
