// SPDX-License-Identifier: MIT
#include "engines.h"
#include <pcm/bullet.h>

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace
{

struct Simulation {
    btDefaultCollisionConfiguration           configuration;
    btCollisionDispatcher                     dispatcher{&configuration};
    btDbvtBroadphase                          broadphase;
    btSequentialImpulseConstraintSolver       solver;
    btDiscreteDynamicsWorld                   world{&dispatcher, &broadphase, &solver, &configuration};
    btStaticPlaneShape                        plane{btVector3(0, 0, 1), 0};
    btBoxShape                                box{btVector3(btScalar(0.1), btScalar(0.1), btScalar(0.05))};
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    pcm_bullet                               *host = nullptr; // null: contacts are the solver's

    void add(btScalar mass, btCollisionShape *shape, const char *name, const btVector3 &at)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
            shape->calculateLocalInertia(mass, inertia);
        bodies.emplace_back(new btRigidBody(mass, nullptr, shape, inertia));
        btRigidBody &body = *bodies.back();
        body.setUserPointer(const_cast<char *>(name));
        body.setWorldTransform(btTransform(btQuaternion::getIdentity(), at));
        if (mass > 0)
            body.setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(&body);
    }

    ~Simulation()
    {
        pcm_bullet_free(host);
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }
};

void *make(size_t boxes, pcm_context *context, pcm_config *config)
{
    auto *s = new Simulation;
    s->world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    s->add(0, &s->plane, "Ground", btVector3(0, 0, 0));
    for (size_t i = 0; i < boxes; i++)
        s->add(1, &s->box, "Box",
               btVector3(btScalar(ENGINE_GAP * double(i % ENGINE_ROW)), btScalar(ENGINE_GAP * double(i / ENGINE_ROW)),
                         btScalar(0.04997)));
    if (config)
        s->host = pcm_bullet_attach(context, config, &s->world, sizeof(btScalar), nullptr);
    return s;
}

pcm_status step(void *scene)
{
    auto *s = static_cast<Simulation *>(scene);
    if (s->host)
        return pcm_bullet_step(s->host, 1e-3, 0, 0);
    s->world.stepSimulation(btScalar(1e-3), 0);
    return PCM_OK;
}

size_t contacts(void *scene)
{
    return pcm_world_contact_count(pcm_bullet_world(static_cast<Simulation *>(scene)->host));
}

void free_scene(void *scene) { delete static_cast<Simulation *>(scene); }

} // namespace

const engine_kind engine_bullet = {"step in Bullet", make, step, contacts, free_scene};
