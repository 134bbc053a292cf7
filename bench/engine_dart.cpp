// SPDX-License-Identifier: MIT
#include "engines.h"
#include <pcm/dart.h>

#include <dart/collision/fcl/FCLCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <string>

using namespace dart;

namespace
{

struct Simulation {
    simulation::WorldPtr world = simulation::World::create();
    pcm_dart            *host = nullptr; // null: contacts are the constraint solver's

    ~Simulation() { pcm_dart_free(host); }
};

template <class Joint>
void add(Simulation *s, const std::string &name, const Eigen::Vector3d &size, const Eigen::Vector3d &at)
{
    auto              skeleton = dynamics::Skeleton::create(name);
    auto              pair = skeleton->createJointAndBodyNodePair<Joint>();
    const auto        shape = std::make_shared<dynamics::BoxShape>(size);
    Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
    auto *node = pair.second->template createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(shape);
    node->getDynamicsAspect()->setFrictionCoeff(0.5);
    pair.second->setInertia(dynamics::Inertia(1, Eigen::Vector3d::Zero(), shape->computeInertia(1)));
    place.translation() = at;
    pair.first->setTransformFromParentBodyNode(place);
    s->world->addSkeleton(skeleton);
}

// DART's own detector tries all pairs; FCL's has a tree of them, and shapes of its own for boxes.
void *make(size_t boxes, pcm_context *context, pcm_config *config)
{
    auto *s = new Simulation;
    auto  detector = collision::FCLCollisionDetector::create();
    detector->setPrimitiveShapeType(collision::FCLCollisionDetector::PRIMITIVE);
    detector->setContactPointComputationMethod(collision::FCLCollisionDetector::FCL);
    s->world->getConstraintSolver()->setCollisionDetector(detector);
    s->world->getConstraintSolver()->getCollisionOption().maxNumContacts = 8 * boxes;
    s->world->setTimeStep(1e-3);
    s->world->setGravity(Eigen::Vector3d(0, 0, -9.81));
    add<dynamics::WeldJoint>(s, "Ground", Eigen::Vector3d(100, 100, 0.25), Eigen::Vector3d(0, 0, -0.125));
    for (size_t i = 0; i < boxes; i++)
        add<dynamics::FreeJoint>(
            s, "Box" + std::to_string(i), Eigen::Vector3d(0.2, 0.2, 0.1),
            Eigen::Vector3d(ENGINE_GAP * double(i % ENGINE_ROW), ENGINE_GAP * double(i / ENGINE_ROW), 0.04997));
    if (config)
        s->host = pcm_dart_attach(context, config, s->world.get(), nullptr);
    return s;
}

pcm_status step(void *scene)
{
    auto *s = static_cast<Simulation *>(scene);
    if (s->host)
        return pcm_dart_step(s->host, true);
    s->world->step();
    return PCM_OK;
}

size_t contacts(void *scene) { return pcm_world_contact_count(pcm_dart_world(static_cast<Simulation *>(scene)->host)); }

void free_scene(void *scene) { delete static_cast<Simulation *>(scene); }

} // namespace

const engine_kind engine_dart = {"step in DART", make, step, contacts, free_scene};
