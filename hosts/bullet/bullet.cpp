// SPDX-License-Identifier: MIT
#include "../engine/engine.h"
#include "corners.h"
#include <pcm/bullet.h>
#include <pcm/messages.h>

#include <btBulletDynamicsCommon.h>
#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btConvexPlaneCollisionAlgorithm.h>
#include <new>

namespace
{

enum class Phase {
    away,    // outside of pcm_bullet_step
    finding, // the pairs with a law
    solving, // Bullet's own search and solver
};

// What was added to a body in this substep.
struct Push {
    btRigidBody *body;
    btVector3    force, torque;
};

// btDynamicsWorld lets one set its callbacks, and not read them.
struct Ticks : btDynamicsWorld {
    static btInternalTickCallback before(btDynamicsWorld *world) { return world->*(&Ticks::m_internalPreTickCallback); }
    static btInternalTickCallback after(btDynamicsWorld *world) { return world->*(&Ticks::m_internalTickCallback); }
};

// Makes manifolds that no solver sees.
class Dispatcher final : public btCollisionDispatcher
{
    pcm::Corners::Maker on_plane{false}, plane_below{true};

  public:
    explicit Dispatcher(btCollisionConfiguration *configuration) : btCollisionDispatcher(configuration)
    {
        using OnPlane = btConvexPlaneCollisionAlgorithm::CreateFunc;
        // A triangle mesh does not tell its corners: Bullet's own algorithm keeps it.
        for (int form : {BOX_SHAPE_PROXYTYPE, TRIANGLE_SHAPE_PROXYTYPE, TETRAHEDRAL_SHAPE_PROXYTYPE,
                         CONVEX_HULL_SHAPE_PROXYTYPE, CONVEX_POINT_CLOUD_SHAPE_PROXYTYPE}) {
            if (dynamic_cast<OnPlane *>(configuration->getCollisionAlgorithmCreateFunc(form, STATIC_PLANE_PROXYTYPE)))
                registerCollisionCreateFunc(form, STATIC_PLANE_PROXYTYPE, &on_plane);
            if (dynamic_cast<OnPlane *>(configuration->getCollisionAlgorithmCreateFunc(STATIC_PLANE_PROXYTYPE, form)))
                registerCollisionCreateFunc(STATIC_PLANE_PROXYTYPE, form, &plane_below);
        }
    }
};

} // namespace

struct pcm_bullet {
    pcm_bullet_def                  def;
    btDynamicsWorld                *world;
    btCollisionDispatcher          *dispatcher; // the world's
    Dispatcher                      own;
    pcm_engine                     *engine = nullptr;
    Phase                           phase = Phase::away;
    pcm_status                      status = PCM_OK; // the first of this step
    btInternalTickCallback          before = nullptr, after = nullptr;
    btAlignedObjectArray<Push>      pushes{};
    btAlignedObjectArray<pcm_touch> touches{};
    btManifoldArray                 manifolds{};
};

namespace
{

// ---- Objects --------------------------------------------------------------------------------------------------------

pcm_engine_object *object_of(pcm_bullet *host, btCollisionObject *of)
{
    pcm_engine_object *known = pcm_engine_find(host->engine, of);
    if (known)
        return known;
    const pcm_bullet_def   &def = host->def;
    const btRigidBody      *rigid = btRigidBody::upcast(of);
    const btCollisionShape *form = of->getCollisionShape();
    pcm_engine_shape        shape{};
    shape.key = of;
    shape.body = of->isStaticObject() ? nullptr : of;
    if (rigid || of->isStaticObject()) {
        shape.name = def.name ? def.name(def.user, of) : static_cast<const char *>(of->getUserPointer());
        shape.surface = def.surface ? def.surface(def.user, of) : nullptr;
    }
    if (form->getShapeType() == SPHERE_SHAPE_PROXYTYPE)
        shape.radius = double(static_cast<const btSphereShape *>(form)->getRadius());
    if (rigid && !of->isStaticOrKinematicObject())
        shape.mass = double(rigid->getMass());
    return pcm_engine_add(host->engine, &shape);
}

void copy(double to[3], const btVector3 &from)
{
    for (int k = 0; k < 3; k++)
        to[k] = double(from[k]);
}

void move(pcm_bullet *host, const btCollisionObject *of, pcm_engine_object *object)
{
    if (!pcm_engine_wants(host->engine, object))
        return;
    const btQuaternion turn = of->getWorldTransform().getRotation();
    pcm_pose           pose{{0, 0, 0}, {double(turn.w()), double(turn.x()), double(turn.y()), double(turn.z())}};
    pcm_twist          twist{};
    copy(pose.position, of->getWorldTransform().getOrigin());
    if (const btRigidBody *rigid = object->body ? btRigidBody::upcast(of) : nullptr) {
        copy(twist.linear, rigid->getLinearVelocity());
        copy(twist.angular, rigid->getAngularVelocity());
    }
    pcm_engine_note(&host->status, pcm_world_move(pcm_engine_world(host->engine), object->handle, &pose, &twist));
}

bool serves(pcm_bullet *host, btCollisionObject *a, btCollisionObject *b)
{
    if (!host->dispatcher->needsResponse(a, b) || !object_of(host, a)) // the second may move the first in memory
        return false;
    const pcm_engine_object *second = object_of(host, b);
    return second && pcm_engine_serves(host->engine, pcm_engine_find(host->engine, a), second);
}

// ---- Pairs ----------------------------------------------------------------------------------------------------------

// The algorithm of a pair in Bullet's broadphase that a law serves. It has its manifolds from the host's dispatcher, so
// that Bullet's solver gets none. Bullet deletes it with the pair.
class Served final : public btCollisionAlgorithm
{
  public:
    explicit Served(pcm_bullet *host_) : host(host_) { m_dispatcher = host_->dispatcher; }
    ~Served() override
    {
        drop(host->own, served);
        drop(*host->dispatcher, plain);
    }

    void processCollision(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
                          const btDispatcherInfo &info, btManifoldResult *result) override
    {
        if (host->phase == Phase::finding) {
            drop(*host->dispatcher, plain);
            find(host->own, served, a, b, info, result);
            touch(a->getCollisionObject(), b->getCollisionObject());
        } else if (host->phase == Phase::away)
            find(*host->dispatcher, plain, a, b, info, result);
    }

    btScalar calculateTimeOfImpact(btCollisionObject *, btCollisionObject *, const btDispatcherInfo &,
                                   btManifoldResult *) override
    {
        return btScalar(1);
    }

    void getAllContactManifolds(btManifoldArray &manifolds) override
    {
        btCollisionAlgorithm *algorithm = plain ? plain : served;
        if (algorithm)
            algorithm->getAllContactManifolds(manifolds);
    }

    // Touches in the points that are known.
    void touch(const btCollisionObject *a, const btCollisionObject *b);

  private:
    pcm_bullet           *host;
    btCollisionAlgorithm *served = nullptr, *plain = nullptr; // plain: while the world is stepped without the host

    static void drop(btCollisionDispatcher &dispatcher, btCollisionAlgorithm *&algorithm)
    {
        if (!algorithm)
            return;
        algorithm->~btCollisionAlgorithm();
        dispatcher.freeCollisionAlgorithm(algorithm);
        algorithm = nullptr;
    }

    static void find(btCollisionDispatcher &dispatcher, btCollisionAlgorithm *&algorithm,
                     const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b, const btDispatcherInfo &info,
                     btManifoldResult *result)
    {
        if (!algorithm)
            algorithm = dispatcher.findAlgorithm(a, b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        if (algorithm)
            algorithm->processCollision(a, b, info, result);
    }
};
static_assert(sizeof(Served) <= sizeof(btConvexConvexAlgorithm),
              "Bullet's pool of algorithms has elements of that size");

// A body that moves on rails wakes what it touches, as in Bullet.
void wake(const btCollisionObject *a, const btCollisionObject *b)
{
    if (a->isKinematicObject() && a->isActive())
        b->activate();
    if (b->isKinematicObject() && b->isActive())
        a->activate();
}

// Bullet's normal points into a manifold's first body.
void add_points(btAlignedObjectArray<pcm_touch> &touches, const btPersistentManifold &manifold, bool swapped)
{
    for (int i = 0; i < manifold.getNumContacts(); i++) {
        const btManifoldPoint &point = manifold.getContactPoint(i);
        pcm_touch              touch{};
        for (int k = 0; k < 3; k++) {
            touch.point[k] = 0.5 * (double(point.m_positionWorldOnA[k]) + double(point.m_positionWorldOnB[k]));
            touch.normal[k] = (swapped ? 1 : -1) * double(point.m_normalWorldOnB[k]);
        }
        touch.depth = -double(point.m_distance1);
        touches.push_back(touch);
    }
}

void Served::touch(const btCollisionObject *a, const btCollisionObject *b)
{
    pcm_engine_object *first = pcm_engine_find(host->engine, a), *second = pcm_engine_find(host->engine, b);
    host->manifolds.resize(0);
    host->touches.resize(0);
    if (served)
        served->getAllContactManifolds(host->manifolds);
    for (int i = 0; i < host->manifolds.size(); i++)
        add_points(host->touches, *host->manifolds[i], host->manifolds[i]->getBody0() != a);
    if (host->touches.size())
        wake(a, b);
    move(host, a, first);
    move(host, b, second);
    pcm_engine_note(&host->status,
                    pcm_engine_touch(host->engine, first, second, host->touches.size() ? &host->touches[0] : nullptr,
                                     size_t(host->touches.size())));
}

Served *served_in(const btBroadphasePair &pair) { return dynamic_cast<Served *>(pair.m_algorithm); }

// Gives a pair an algorithm of the host, or Bullet's own again.
Served *serve(pcm_bullet *host, btBroadphasePair &pair, bool ours)
{
    if (ours != (served_in(pair) != nullptr)) {
        host->world->getPairCache()->cleanOverlappingPair(pair, host->dispatcher);
        if (ours)
            pair.m_algorithm = new (host->dispatcher->allocateCollisionAlgorithm(int(sizeof(Served)))) Served(host);
    }
    return served_in(pair);
}

// Pairs that are near where they are now. Bullet adds where they will be, which it has not computed yet.
void find_pairs(btDynamicsWorld *world)
{
    bool      &ahead = world->getDispatchInfo().m_useContinuous;
    const bool before = ahead;
    ahead = false;
    world->updateAabbs();
    world->computeOverlappingPairs();
    ahead = before;
}

// Bullet does not search pairs of which both sleep: they touch where they did.
void find_points(pcm_bullet *host)
{
    btBroadphasePairArray &pairs = host->world->getPairCache()->getOverlappingPairArray();
    const btNearCallback   near = host->dispatcher->getNearCallback();
    for (int i = 0; i < pairs.size(); i++) {
        btCollisionObject *a = static_cast<btCollisionObject *>(pairs[i].m_pProxy0->m_clientObject);
        btCollisionObject *b = static_cast<btCollisionObject *>(pairs[i].m_pProxy1->m_clientObject);
        Served            *served = serve(host, pairs[i], serves(host, a, b));
        if (served && (a->isActive() || b->isActive()))
            near(pairs[i], *host->dispatcher, host->world->getDispatchInfo());
        else if (served)
            served->touch(a, b);
    }
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

// The host that steps in this thread: callbacks of ticks get the world alone, and its user pointer is the caller's.
thread_local pcm_bullet *stepping;

btVector3 vector(const double from[3]) { return btVector3(btScalar(from[0]), btScalar(from[1]), btScalar(from[2])); }

void push(void *user, const pcm_engine_object *object, const pcm_wrench *wrench)
{
    btRigidBody *body = btRigidBody::upcast(static_cast<btCollisionObject *>(object->body));
    const Push   added = {body, vector(wrench->force), vector(wrench->torque)};
    body->applyCentralForce(added.force);
    body->applyTorque(added.torque);
    static_cast<pcm_bullet *>(user)->pushes.push_back(added);
}

// Bullet keeps forces from substep to substep of one step.
void take_back(pcm_bullet *host)
{
    for (int i = 0; i < host->pushes.size(); i++) {
        host->pushes[i].body->applyCentralForce(-host->pushes[i].force);
        host->pushes[i].body->applyTorque(-host->pushes[i].torque);
    }
    host->pushes.resize(0);
}

void before_tick(btDynamicsWorld *world, btScalar step)
{
    pcm_bullet *host = stepping;
    if (host->before)
        host->before(world, step);
    take_back(host);
    host->phase = Phase::finding;
    find_pairs(world);
    find_points(host);
    pcm_engine_note(&host->status, pcm_engine_update(host->engine, double(step), push, host));
    host->phase = Phase::solving;
}

void after_tick(btDynamicsWorld *world, btScalar step)
{
    pcm_bullet *host = stepping;
    pcm_engine_note(&host->status, pcm_engine_commit(host->engine));
    if (host->after)
        host->after(world, step);
}

void listen(btDynamicsWorld *world, btInternalTickCallback before, btInternalTickCallback after)
{
    world->setInternalTickCallback(before, world->getWorldUserInfo(), true);
    world->setInternalTickCallback(after, world->getWorldUserInfo(), false);
}

} // namespace

pcm_status pcm_bullet_step(pcm_bullet *host, double step, int substeps, double substep)
{
    if (!host || !pcm_engine_accepts(host->engine, step) ||
        (substeps > 0 && !pcm_engine_accepts(host->engine, substep)))
        return PCM_BAD_ARGUMENT;
    pcm_bullet *const outer = stepping;
    host->before = Ticks::before(host->world);
    host->after = Ticks::after(host->world);
    host->status = PCM_OK;
    stepping = host;
    listen(host->world, before_tick, after_tick);
    host->world->stepSimulation(btScalar(step), substeps > 0 ? substeps : 0, btScalar(substep));
    listen(host->world, host->before, host->after);
    stepping = outer;
    host->phase = Phase::away;
    host->pushes.resize(0); // Bullet has cleared all forces
    return host->status;
}

// ---- Opening and closing --------------------------------------------------------------------------------------------

pcm_bullet *pcm_bullet_attach(pcm_context *context, pcm_config *config, void *world, size_t scalar_size,
                              const pcm_bullet_def *def)
{
    pcm_bullet_def filled{};
    filled.size = sizeof filled;
    if (!context || !config || !world || !pcm_def_fill(context, "pcm_bullet_def", &filled, def))
        return nullptr;
    if (scalar_size != sizeof(btScalar)) {
        pcm_report(context, PCM_ERROR, PCM_MSG_PRECISION,
                   "this Bullet computes with numbers of %d bytes, and PCM was built for %d: build both with the same",
                   int(scalar_size), int(sizeof(btScalar)));
        return nullptr;
    }
    btDynamicsWorld *simulation = static_cast<btDynamicsWorld *>(world);
    auto            *dispatcher = dynamic_cast<btCollisionDispatcher *>(simulation->getDispatcher());
    if (!dispatcher) {
        pcm_report(context, PCM_ERROR, PCM_MSG_NULL_ARGUMENT,
                   "the dispatcher of this world is no btCollisionDispatcher");
        return nullptr;
    }
    auto *host = new (std::nothrow)
        pcm_bullet{filled, simulation, dispatcher, Dispatcher(dispatcher->getCollisionConfiguration())};
    if (!host) {
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to attach to Bullet");
        return nullptr;
    }
    const pcm_engine_def engine{filled.ledger, !filled.silent_of_step, filled.log_directory, world, "Bullet"};
    host->engine = pcm_engine_new(context, config, &engine);
    if (host->engine)
        return host;
    delete host;
    return nullptr;
}

void pcm_bullet_free(pcm_bullet *host)
{
    if (!host)
        return;
    btBroadphasePairArray &pairs = host->world->getPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); i++)
        serve(host, pairs[i], false);
    pcm_engine_free(host->engine);
    delete host;
}

pcm_world *pcm_bullet_world(pcm_bullet *host) { return pcm_engine_world(host->engine); }

bool pcm_bullet_forget(pcm_bullet *host, const void *object) { return pcm_engine_remove(host->engine, object); }
