// SPDX-License-Identifier: MIT
// The kit in Bullet, and what Bullet alone can do wrong.
#include <pcm/bullet.h>
#include <pcm/messages.h>

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

extern "C" {
#include "kit.h"
#include "../../core/fixture.h"
}

namespace
{

struct Simulation {
    btDefaultCollisionConfiguration                configuration;
    btCollisionDispatcher                          dispatcher{&configuration};
    btDbvtBroadphase                               broadphase;
    btSequentialImpulseConstraintSolver            solver;
    btDiscreteDynamicsWorld                        world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>>      bodies; // the last is the ground
    double                                         step = 0;
    pcm_bullet                                    *host = nullptr;

    ~Simulation()
    {
        pcm_bullet_free(host);
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }

    btRigidBody *add(btCollisionShape *shape, double mass, const char *name) // takes the shape
    {
        btVector3 inertia(0, 0, 0);
        shapes.emplace_back(shape);
        if (mass > 0)
            shape->calculateLocalInertia(btScalar(mass), inertia);
        bodies.emplace_back(new btRigidBody(btScalar(mass), nullptr, shape, inertia));
        bodies.back()->setUserPointer(const_cast<char *>(name));
        if (mass > 0)
            bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
        return bodies.back().get();
    }
};

btVector3 vector(const double from[3]) { return btVector3(btScalar(from[0]), btScalar(from[1]), btScalar(from[2])); }

void *make(const kit_scene *scene, pcm_context *context, pcm_config *config)
{
    auto *s = new Simulation;
    s->step = scene->step;
    s->world.setGravity(vector(scene->gravity));
    for (size_t i = 0; i < scene->count; i++) {
        const kit_body   &b = scene->bodies[i];
        btCollisionShape *shape;
        if (b.radius > 0)
            shape = new btSphereShape(btScalar(b.radius));
        else
            shape = new btBoxShape(vector(b.half));
        btRigidBody *body = s->add(shape, b.mass, b.name);
        body->setWorldTransform(btTransform(btQuaternion::getIdentity(), vector(b.at)));
        body->setLinearVelocity(vector(b.velocity));
        body->setAngularVelocity(vector(b.spin));
    }
    s->add(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, "Ground");
    s->host = pcm_bullet_attach(context, config, &s->world, sizeof(btScalar), nullptr);
    return s->host ? s : nullptr;
}

void step(void *engine)
{
    auto *s = static_cast<Simulation *>(engine);
    assert_int_equal(pcm_bullet_step(s->host, s->step, 0, 0), PCM_OK);
}

void copy(double to[3], const btVector3 &from)
{
    for (int k = 0; k < 3; k++)
        to[k] = double(from[k]);
}

kit_motion look(void *engine, size_t body)
{
    const btRigidBody &b = *static_cast<Simulation *>(engine)->bodies[body];
    kit_motion         m;
    copy(m.at, b.getWorldTransform().getOrigin());
    copy(m.velocity, b.getLinearVelocity());
    copy(m.spin, b.getAngularVelocity());
    return m;
}

void free_all(void *engine) { delete static_cast<Simulation *>(engine); }

pcm_world *world(void *engine) { return pcm_bullet_world(static_cast<Simulation *>(engine)->host); }

// ---- Bullet alone ---------------------------------------------------------------------------------------------------

// A simulation whose fixture ends with it.
struct Scene {
    fixture     f;
    Simulation *s;

    explicit Scene(const char *rules = kit_ball.rules)
    {
        fixture_open_with(&f, TEST_PLUGINS, rules, nullptr);
        s = static_cast<Simulation *>(make(&kit_ball, f.context, f.config));
    }
    ~Scene()
    {
        delete s;
        fixture_close(&f);
    }
    Scene(const Scene &) = delete;
    Scene &operator=(const Scene &) = delete;

    pcm_bullet *attach(const pcm_bullet_def *def, size_t scalar_size = sizeof(btScalar))
    {
        return pcm_bullet_attach(f.context, f.config, &s->world, scalar_size, def);
    }
    void again(const pcm_bullet_def *def)
    {
        pcm_bullet_free(s->host);
        s->host = attach(def);
    }
    void steps(int count)
    {
        for (int i = 0; i < count; i++)
            step(s);
    }
    size_t contacts() const { return pcm_world_contact_count(pcm_bullet_world(s->host)); }
};

void bad_calls_are_rejected(void **)
{
    Scene        scene;
    const double bad[] = {0, -1e-3, NAN};
    for (double h : bad) {
        assert_int_equal(pcm_bullet_step(scene.s->host, h, 0, 0), PCM_BAD_ARGUMENT);
        assert_int_equal(pcm_bullet_step(scene.s->host, 1e-3, 1, h), PCM_BAD_ARGUMENT);
    }
    assert_int_equal(fixture_said(&scene.f, PCM_MSG_BAD_CALL), 6);
    assert_null(pcm_bullet_attach(scene.f.context, nullptr, &scene.s->world, sizeof(btScalar), nullptr));
    assert_null(pcm_bullet_attach(scene.f.context, scene.f.config, nullptr, sizeof(btScalar), nullptr));
    assert_true(scene.s->bodies[0]->getWorldTransform().getOrigin().z() == btScalar(0.1));
    scene.steps(1);
}

void a_world_has_one_host(void **)
{
    Scene scene;
    assert_null(scene.attach(nullptr));
    assert_int_equal(fixture_said(&scene.f, PCM_MSG_ATTACHED), 1);
    scene.again(nullptr);
    assert_non_null(scene.s->host);
    scene.steps(1);
}

void another_precision_is_rejected(void **)
{
    Scene scene;
    pcm_bullet_free(scene.s->host);
    scene.s->host = scene.attach(nullptr, sizeof(btScalar) == 4 ? 8 : 4);
    assert_null(scene.s->host);
    assert_int_equal(fixture_said(&scene.f, PCM_MSG_PRECISION), 1);
}

void a_world_without_bullets_dispatcher_is_rejected(void **)
{
    Scene                   scene;
    Simulation             &s = *scene.s;
    btDiscreteDynamicsWorld empty(nullptr, &s.broadphase, &s.solver, &s.configuration);
    assert_null(pcm_bullet_attach(scene.f.context, scene.f.config, &empty, sizeof(btScalar), nullptr));
    assert_int_equal(fixture_said(&scene.f, PCM_MSG_NULL_ARGUMENT), 1);
}

void an_object_can_be_forgotten(void **)
{
    Scene        scene;
    btRigidBody *body = scene.s->bodies[0].get();
    scene.steps(10);
    assert_int_equal(scene.contacts(), 1);
    assert_true(pcm_bullet_forget(scene.s->host, body));
    assert_false(pcm_bullet_forget(scene.s->host, body));
    assert_int_equal(scene.contacts(), 0);
    body->setUserPointer(nullptr); // without a name: Bullet's
    scene.steps(100);
    assert_int_equal(scene.contacts(), 0);
    assert_int_equal(scene.s->dispatcher.getNumManifolds(), 1);
    assert_true(pcm_bullet_forget(scene.s->host, body));
    body->setUserPointer(const_cast<char *>("Other"));
    scene.steps(1);
    assert_int_equal(scene.contacts(), 1);
    assert_int_equal(scene.s->dispatcher.getNumManifolds(), 0);
}

void a_body_may_leave_the_world(void **)
{
    Scene        scene;
    btRigidBody *body = scene.s->bodies[0].get();
    scene.steps(10);
    assert_true(pcm_bullet_forget(scene.s->host, body));
    scene.s->world.removeRigidBody(body);
    scene.steps(10);
    assert_int_equal(scene.contacts(), 0);
    scene.s->world.addRigidBody(body);
    scene.steps(10);
    assert_int_equal(scene.contacts(), 1);
}

const char *call_all_stones(void *user, const void *object)
{
    ++*static_cast<int *>(user);
    return static_cast<const btCollisionObject *>(object)->isStaticObject() ? "Floor" : "Stone";
}

void names_come_from_a_function(void **)
{
    Scene scene("ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; ObjectPair Floor * Stone -> C;");
    int   calls = 0;
    pcm_bullet_def def{};
    def.size = sizeof def;
    def.name = call_all_stones;
    def.user = &calls;
    scene.again(&def);
    scene.steps(100);
    assert_int_equal(scene.contacts(), 1);
    assert_int_equal(calls, 2);
}

// Once the host goes, since objects may come at any step.
void a_name_that_no_object_has_is_told(void **)
{
    Scene scene("ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; ObjectPair Grund * Ball -> C;");
    scene.steps(10);
    assert_int_equal(scene.f.messages, 0);
    pcm_bullet_free(scene.s->host);
    scene.s->host = nullptr;
    assert_int_equal(fixture_said(&scene.f, PCM_MSG_NAME_UNMATCHED), 1);
    assert_string_equal(scene.f.text[0], "no object that came near another was called 'Grund'; did you mean 'Ground'?");
}

const char *call_all_rubber(void *, const void *) { return "Rubber"; }

void surfaces_come_from_a_function(void **)
{
    Scene scene("ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; SurfacePair Rubber * Rubber -> C;");
    scene.steps(10);
    assert_int_equal(scene.contacts(), 0);
    pcm_bullet_def def{};
    def.size = sizeof def;
    def.surface = call_all_rubber;
    scene.again(&def);
    scene.steps(10);
    assert_int_equal(scene.contacts(), 1);
}

// Detached, or stepped past the host, the world moves as one that never had a host, to the last bit.
void detaching_gives_the_world_back(void **)
{
    Scene one, two, never;
    pcm_bullet_free(never.s->host);
    never.s->host = nullptr;
    pcm_bullet_free(one.s->host);
    one.s->host = nullptr;
    two.steps(1);
    two.s->bodies[0]->setWorldTransform(never.s->bodies[0]->getWorldTransform());
    two.s->bodies[0]->setLinearVelocity(btVector3(0, 0, 0));
    for (int i = 0; i < 200; i++)
        for (Scene *scene : {&one, &two, &never}) {
            scene->s->world.stepSimulation(btScalar(1e-3), 0);
            const kit_motion m = look(scene->s, 0), same = look(one.s, 0);
            for (int k = 0; k < 3; k++)
                assert_true(m.at[k] == same.at[k] && m.velocity[k] == same.velocity[k]);
        }
    assert_near(look(never.s, 0).at[2], 0.1, 1e-3);
    assert_int_equal(two.s->dispatcher.getNumManifolds(), 1);
    pcm_bullet_free(two.s->host);
    two.s->host = nullptr;
    two.s->world.stepSimulation(btScalar(1e-3), 0);
    assert_int_equal(two.s->dispatcher.getNumManifolds(), 1);
}

struct Ticks {
    int before, after;
};

void count_before(btDynamicsWorld *world, btScalar) { static_cast<Ticks *>(world->getWorldUserInfo())->before++; }

void count_after(btDynamicsWorld *world, btScalar) { static_cast<Ticks *>(world->getWorldUserInfo())->after++; }

// The law acts in each substep, and a force of the user's in all of them.
void substeps_are_steps(void **)
{
    Scene whole, parts;
    Ticks ticks = {0, 0};
    parts.s->world.setInternalTickCallback(count_before, &ticks, true);
    parts.s->world.setInternalTickCallback(count_after, &ticks);
    for (int i = 0; i < 200; i++) {
        parts.s->bodies[0]->applyCentralForce(btVector3(0, 0, -10));
        assert_int_equal(pcm_bullet_step(parts.s->host, 10e-3, 20, 1e-3), PCM_OK);
    }
    for (int i = 0; i < ticks.after; i++) {
        whole.s->bodies[0]->applyCentralForce(btVector3(0, 0, -10));
        step(whole.s);
    }
    assert_in_range(ticks.after, 1990, 2000); // Bullet counts its time in floats
    assert_int_equal(ticks.before, ticks.after);
    assert_near(look(parts.s, 0).at[2], 0.1 - 19.81 / 1e5, 1e-7);
    assert_near(look(parts.s, 0).at[2], look(whole.s, 0).at[2], 1e-7);
    parts.s->world.stepSimulation(btScalar(1e-3), 0); // and still called
    assert_int_equal(ticks.before, ticks.after);
    assert_true(ticks.after > 1990);
}

// Bullet lets bodies sleep after 2 s: their contacts stay, and a push wakes them.
void a_body_that_sleeps_keeps_its_contacts(void **)
{
    Scene        scene;
    btRigidBody *body = scene.s->bodies[0].get();
    body->forceActivationState(ACTIVE_TAG);
    scene.steps(3000);
    assert_false(body->isActive());
    assert_int_equal(scene.contacts(), 1);
    const double asleep = look(scene.s, 0).at[2];
    body->activate();
    scene.steps(1000);
    assert_near(look(scene.s, 0).at[2], asleep, 1e-7);
    pcm_rule_stats stats{};
    stats.size = sizeof stats;
    assert_int_equal(pcm_world_rule_stats(world(scene.s), 0, &stats), PCM_OK);
    assert_int_equal(stats.made, 1);
}

bool take_normal(btManifoldPoint &point, const btCollisionObjectWrapper *, int, int, const btCollisionObjectWrapper *,
                 int, int)
{
    point.m_normalWorldOnB.setZero();
    return true;
}

// Bullet's own searches always give one, and a callback of the user's may change it.
void a_normal_of_no_length_is_reported(void **)
{
    Scene        scene;
    btRigidBody *body = scene.s->bodies[0].get();
    scene.steps(10);
    body->setCollisionFlags(btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    gContactAddedCallback = take_normal;
    for (int i = 0; i < 3; i++)
        assert_int_equal(pcm_bullet_step(scene.s->host, 1e-3, 0, 0), PCM_BAD_MOTION);
    gContactAddedCallback = nullptr;
    assert_int_equal(fixture_said(&scene.f, PCM_MSG_BAD_MOTION), 1);
    assert_non_null(strstr(scene.f.text[0], "its normal is no unit vector"));
    scene.steps(1000);
    assert_near(look(scene.s, 0).at[2], 0.1 - 9.81 / 1e5, 1e-7);
}

// Bullet then finds each of its pairs twice.
void a_body_twice_in_the_world_touches_once(void **)
{
    Scene                    scene;
    btRigidBody             *ground = scene.s->bodies[1].get();
    btBroadphaseProxy *const first = ground->getBroadphaseHandle(); // which Bullet forgets
    scene.s->world.addRigidBody(ground);
    scene.steps(2000);
    assert_int_equal(scene.contacts(), 1);
    assert_near(look(scene.s, 0).at[2], 0.1 - 9.81 / 1e5, 1e-7);
    assert_int_equal(scene.f.messages, 0);
    scene.s->world.removeRigidBody(ground); // once of two times
    scene.s->broadphase.destroyProxy(first, &scene.s->dispatcher);
}

// A static object of any class is fixed.
void ground_need_not_be_a_body(void **)
{
    Scene             scene;
    btCollisionObject ground;
    scene.s->world.removeRigidBody(scene.s->bodies[1].get());
    ground.setCollisionShape(scene.s->shapes[1].get());
    ground.setUserPointer(const_cast<char *>("Ground"));
    scene.s->world.addCollisionObject(&ground);
    scene.steps(2000);
    scene.s->world.removeCollisionObject(&ground);
    assert_near(look(scene.s, 0).at[2], 0.1 - 9.81 / 1e5, 1e-7);
}

// As Bullet's own contacts do.
void a_lift_wakes_what_it_carries(void **)
{
    Scene        scene;
    btRigidBody *body = scene.s->bodies[0].get(), *lift = scene.s->add(new btBoxShape(btVector3(1, 1, 1)), 0, "Lift");
    lift->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    scene.s->world.removeRigidBody(lift);
    lift->setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 0, btScalar(-1.0001))));
    lift->forceActivationState(ACTIVE_TAG);
    scene.s->world.addRigidBody(lift);
    body->forceActivationState(ISLAND_SLEEPING);
    scene.steps(1);
    assert_true(body->isActive());
}

// A box, two of them in a compound, and a hull with the corners of one, on a plane that is turned and off its origin.
btCollisionShape *make_boxes(Simulation &s, int kind, double half)
{
    const double round = 0.01; // of hulls, around their points
    auto        *box = new btBoxShape(btVector3(btScalar(half), btScalar(half), btScalar(half)));
    auto        *hull = new btConvexHullShape;
    auto        *both = new btCompoundShape;
    hull->setMargin(btScalar(round));
    for (int i = 0; i < 8; i++)
        hull->addPoint(btScalar(half - round) * btVector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    for (double x : {-0.3, 0.3})
        both->addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(btScalar(x), 0, 0)), box);
    btCollisionShape *const shapes[] = {box, both, hull};
    for (int i = 0; i < 3; i++)
        if (i != kind)
            s.shapes.emplace_back(shapes[i]);
    return shapes[kind];
}

void check_corners(Simulation &s, size_t count, double depth)
{
    pcm_world       *w = pcm_bullet_world(s.host);
    pcm_contact_info info[8];
    assert_int_equal(pcm_world_contact_count(w), count);
    for (size_t i = 0; i < count; i++) {
        info[i] = pcm_contact_info{};
        info[i].size = sizeof info[i];
        assert_int_equal(pcm_world_contact_at(w, i, &info[i]), PCM_OK);
        assert_near(info[i].depth, depth, 2e-6); // floats, at 3 m
        for (size_t k = 0; k < i; k++)
            assert_true(std::hypot(info[i].point[0] - info[k].point[0], info[i].point[1] - info[k].point[1],
                                   info[i].point[2] - info[k].point[2]) > 0.17);
    }
}

void boxes_touch_planes_with_all_corners(void **)
{
    const double      half = 0.1, up = 0.25, deep = 1e-3;
    const btTransform turned(btQuaternion(btVector3(1, 2, 0).normalized(), btScalar(0.7)), btVector3(3, -1, 2));
    const btTransform above(btQuaternion::getIdentity(), btVector3(0, btScalar(up + half - deep), 0));
    for (int kind = 0; kind < 6; kind++) {
        fixture f;
        fixture_open_with(&f, TEST_PLUGINS, kit_ball.rules, nullptr);
        {
            Simulation   s;
            btRigidBody *ground = nullptr, *box = nullptr;
            for (int i = 0; i < 2; i++) // either comes first
                if (i == kind / 3)
                    box = s.add(make_boxes(s, kind % 3, half), 1, "Box");
                else
                    ground = s.add(new btStaticPlaneShape(btVector3(0, 1, 0), btScalar(up)), 0, "Ground");
            ground->setWorldTransform(turned);
            box->setWorldTransform(turned * above);
            box->setGravity(btVector3(0, 0, 0));
            s.host = pcm_bullet_attach(f.context, f.config, &s.world, sizeof(btScalar), nullptr);
            assert_int_equal(pcm_bullet_step(s.host, 1e-3, 0, 0), PCM_OK);
            check_corners(s, kind % 3 == 1 ? 8 : 4, deep);
        }
        fixture_close(&f);
    }
}

// Its four lower corners are all in the plane, up to 14 mm deep.
void a_tilted_box_touches_with_all_corners(void **)
{
    for (int kind : {0, 2}) {
        fixture f;
        fixture_open_with(&f, TEST_PLUGINS, kit_ball.rules, nullptr);
        {
            const double      half = 0.1, margin = kind == 2 ? 0.01 : 0;
            const btTransform tilted(btQuaternion(btVector3(1, btScalar(0.4), 0).normalized(), btScalar(0.045)),
                                     btVector3(0, 0, btScalar(0.092)));
            Simulation        s;
            s.add(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, "Ground");
            btRigidBody *box = s.add(make_boxes(s, kind, half), 1, "Box");
            box->setWorldTransform(tilted);
            box->setGravity(btVector3(0, 0, 0));
            s.host = pcm_bullet_attach(f.context, f.config, &s.world, sizeof(btScalar), nullptr);
            assert_int_equal(pcm_bullet_step(s.host, 1e-3, 0, 0), PCM_OK);
            pcm_world *w = pcm_bullet_world(s.host);
            assert_int_equal(pcm_world_contact_count(w), 4);
            for (int corner = 0; corner < 4; corner++) {
                const btVector3 at = btScalar(half - margin) * btVector3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, -1);
                const double    depth = margin - double((tilted * at).z());
                double          off = INFINITY;
                assert_true(depth > 1e-3);
                for (size_t i = 0; i < 4; i++) {
                    pcm_contact_info info{};
                    info.size = sizeof info;
                    assert_int_equal(pcm_world_contact_at(w, i, &info), PCM_OK);
                    off = std::fmin(off, std::fabs(info.depth - depth));
                }
                assert_true(off < 1e-7);
            }
        }
        fixture_close(&f);
    }
}

} // namespace

int main()
{
    // Floats lose 1e-7 of a place of 0.1 m to 1 m, and of a speed in each step.
    static const kit_engine bullet = {make, step, look, free_all, world, true, 1e-7, 3e-5, 1e-6};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_calls_are_rejected),
        cmocka_unit_test(a_world_has_one_host),
        cmocka_unit_test(another_precision_is_rejected),
        cmocka_unit_test(a_world_without_bullets_dispatcher_is_rejected),
        cmocka_unit_test(an_object_can_be_forgotten),
        cmocka_unit_test(a_body_may_leave_the_world),
        cmocka_unit_test(names_come_from_a_function),
        cmocka_unit_test(surfaces_come_from_a_function),
        cmocka_unit_test(detaching_gives_the_world_back),
        cmocka_unit_test(substeps_are_steps),
        cmocka_unit_test(a_body_that_sleeps_keeps_its_contacts),
        cmocka_unit_test(a_lift_wakes_what_it_carries),
        cmocka_unit_test(boxes_touch_planes_with_all_corners),
        cmocka_unit_test(a_tilted_box_touches_with_all_corners),
        cmocka_unit_test(a_normal_of_no_length_is_reported),
        cmocka_unit_test(a_body_twice_in_the_world_touches_once),
        cmocka_unit_test(ground_need_not_be_a_body),
        cmocka_unit_test(a_name_that_no_object_has_is_told),
    };
    return kit_run(&bullet) + cmocka_run_group_tests(tests, nullptr, nullptr);
}
