// SPDX-License-Identifier: MIT
// The kit in DART, and what DART alone can do wrong.
#include <pcm/dart.h>
#include <pcm/messages.h>

#include <dart/collision/CollisionObject.hpp>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/SimpleFrame.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <cmath>
#include <cstring>
#include <vector>

// After the headers of C++, which have functions that are macros here.
extern "C" {
#include "kit.h"
#include "../../core/fixture.h"
}

using namespace dart;

namespace
{

using Vector = Eigen::Map<const Eigen::Vector3d>;

struct Simulation {
    simulation::WorldPtr world = simulation::World::create();
    dynamics::BodyNode  *body[KIT_BODIES] = {};
    pcm_dart            *host = nullptr;

    ~Simulation() { pcm_dart_free(host); }
};

template <class Joint>
dynamics::BodyNode *add(Simulation *s, const char *name, const dynamics::ShapePtr &shape, double mass)
{
    auto skeleton = dynamics::Skeleton::create(name);
    auto pair = skeleton->createJointAndBodyNodePair<Joint>();
    pair.second->setName(name);
    pair.second->template createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(shape);
    if (mass > 0)
        pair.second->setInertia(dynamics::Inertia(mass, Eigen::Vector3d::Zero(), shape->computeInertia(mass)));
    s->world->addSkeleton(skeleton);
    return pair.second;
}

void *make(const kit_scene *scene, pcm_context *context, pcm_config *config)
{
    auto *s = new Simulation;
    s->world->setTimeStep(scene->step);
    s->world->setGravity(Vector(scene->gravity));
    s->world->getConstraintSolver()->setCollisionDetector(collision::DARTCollisionDetector::create());
    for (size_t i = 0; i < scene->count; i++) {
        const kit_body    &b = scene->bodies[i];
        dynamics::ShapePtr shape;
        if (b.radius > 0)
            shape = std::make_shared<dynamics::SphereShape>(b.radius);
        else
            shape = std::make_shared<dynamics::BoxShape>(2 * Vector(b.half));
        s->body[i] = add<dynamics::FreeJoint>(s, b.name, shape, b.mass);
        auto             *joint = static_cast<dynamics::FreeJoint *>(s->body[i]->getParentJoint());
        Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
        at.translation() = Vector(b.at);
        joint->setTransform(at);
        joint->setLinearVelocity(Vector(b.velocity));
        joint->setAngularVelocity(Vector(b.spin));
    }
    dynamics::BodyNode *ground =
        add<dynamics::WeldJoint>(s, "Ground", std::make_shared<dynamics::BoxShape>(Eigen::Vector3d(16, 16, 0.25)), 0);
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    at.translation() = Eigen::Vector3d(0, 0, -0.125);
    static_cast<dynamics::WeldJoint *>(ground->getParentJoint())->setTransformFromParentBodyNode(at);
    s->host = pcm_dart_attach(context, config, s->world.get(), nullptr);
    return s->host ? s : nullptr;
}

void step(void *engine) { assert_int_equal(pcm_dart_step(static_cast<Simulation *>(engine)->host, true), PCM_OK); }

kit_motion look(void *engine, size_t body)
{
    const dynamics::BodyNode *b = static_cast<Simulation *>(engine)->body[body];
    kit_motion                m;
    Eigen::Map<Eigen::Vector3d>(m.at) = b->getWorldTransform().translation();
    Eigen::Map<Eigen::Vector3d>(m.velocity) = b->getLinearVelocity();
    Eigen::Map<Eigen::Vector3d>(m.spin) = b->getAngularVelocity();
    return m;
}

void free_all(void *engine) { delete static_cast<Simulation *>(engine); }

pcm_world *world(void *engine) { return pcm_dart_world(static_cast<Simulation *>(engine)->host); }

// ---- DART alone -----------------------------------------------------------------------------------------------------

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

    pcm_dart *attach(const pcm_dart_def *def) { return pcm_dart_attach(f.context, f.config, s->world.get(), def); }
    void      again(const pcm_dart_def *def)
    {
        pcm_dart_free(s->host);
        s->host = attach(def);
    }
    void steps(int count)
    {
        for (int i = 0; i < count; i++)
            step(s);
    }
    size_t   contacts() const { return pcm_world_contact_count(pcm_dart_world(s->host)); }
    uint64_t made() const
    {
        pcm_rule_stats stats{};
        stats.size = sizeof stats;
        assert_int_equal(pcm_world_rule_stats(pcm_dart_world(s->host), 0, &stats), PCM_OK);
        return stats.made;
    }
    const void *shape() const { return static_cast<dynamics::ShapeFrame *>(s->body[0]->getShapeNode(0)); }
    collision::CollisionOption &option() const { return s->world->getConstraintSolver()->getCollisionOption(); }
};

void detach(const Scene &scene)
{
    pcm_dart_free(scene.s->host);
    scene.s->host = nullptr;
}

void bad_calls_are_rejected(void **)
{
    Scene scene;
    assert_null(pcm_dart_attach(scene.f.context, nullptr, scene.s->world.get(), nullptr));
    assert_null(pcm_dart_attach(scene.f.context, scene.f.config, nullptr, nullptr));
    for (double none : {0.0, -1e-3}) { // which DART does not take
        scene.s->world->setTimeStep(none);
        assert_true(scene.s->world->getTimeStep() == kit_ball.step);
    }
    scene.s->world->setTimeStep(INFINITY);
    assert_int_equal(pcm_dart_step(scene.s->host, true), PCM_BAD_ARGUMENT);
    assert_int_equal(fixture_said(&scene.f, PCM_MSG_BAD_CALL), 1);
    assert_true(look(scene.s, 0).at[2] == 0.1);
    scene.s->world->setTimeStep(1e-3);
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

void a_shape_can_be_forgotten(void **)
{
    Scene scene;
    scene.steps(10);
    assert_int_equal(scene.contacts(), 1);
    assert_true(pcm_dart_forget(scene.s->host, scene.shape()));
    assert_false(pcm_dart_forget(scene.s->host, scene.shape()));
    assert_int_equal(scene.contacts(), 0);
    scene.steps(1);
    assert_int_equal(scene.contacts(), 1);
}

const char *call_all_stones(void *user, const void *shape)
{
    ++*static_cast<int *>(user);
    const auto *frame = static_cast<const dynamics::ShapeFrame *>(shape);
    return frame->asShapeNode()->getBodyNodePtr()->getName() == "Ground" ? "Floor" : "Stone";
}

void names_come_from_a_function(void **)
{
    Scene scene("ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; ObjectPair Floor * Stone -> C;");
    int   calls = 0;
    pcm_dart_def def{};
    def.size = sizeof def;
    def.name = call_all_stones;
    def.user = &calls;
    scene.again(&def);
    scene.steps(100);
    assert_int_equal(scene.contacts(), 1);
    assert_int_equal(calls, 2);
}

const char *call_nothing(void *, const void *) { return nullptr; }

void shapes_without_a_name_are_darts(void **)
{
    Scene        scene;
    pcm_dart_def def{};
    def.size = sizeof def;
    def.name = call_nothing;
    scene.again(&def);
    scene.steps(200);
    assert_int_equal(scene.contacts(), 0);
    assert_near(look(scene.s, 0).at[2], 0.1, 1e-3);
}

// Once the host goes, since objects may come at any step.
void a_name_that_no_object_has_is_told(void **)
{
    Scene scene("ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; ObjectPair Grund * Ball -> C;");
    scene.steps(10);
    assert_int_equal(scene.f.messages, 0);
    detach(scene);
    assert_int_equal(fixture_said(&scene.f, PCM_MSG_NAME_UNMATCHED), 1);
    assert_string_equal(scene.f.text[0], "no object that came near another was called 'Grund'; did you mean 'Ground'?");
}

const char *call_all_rubber(void *, const void *) { return "Rubber"; }

void surfaces_come_from_a_function(void **)
{
    Scene scene("ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; SurfacePair Rubber * Rubber -> C;");
    scene.steps(10);
    assert_int_equal(scene.contacts(), 0);
    pcm_dart_def def{};
    def.size = sizeof def;
    def.surface = call_all_rubber;
    scene.again(&def);
    scene.steps(10);
    assert_int_equal(scene.contacts(), 1);
}

// Detached, or stepped past the host, the world moves as one that never had a host, to the last bit.
void detaching_gives_the_world_back(void **)
{
    Scene attached, detached, never;
    detach(never);
    for (Scene *scene : {&attached, &detached}) {
        const auto filter = scene->option().collisionFilter;
        step(scene->s);
        assert_ptr_equal(scene->option().collisionFilter.get(), filter.get());
        auto *joint = static_cast<dynamics::FreeJoint *>(scene->s->body[0]->getParentJoint());
        joint->setTransform(never.s->body[0]->getWorldTransform());
        joint->setLinearVelocity(Eigen::Vector3d::Zero());
        joint->setAngularVelocity(Eigen::Vector3d::Zero());
    }
    detach(detached);
    for (int i = 0; i < 200; i++)
        for (Scene *scene : {&attached, &detached, &never}) {
            scene->s->world->step();
            const kit_motion m = look(scene->s, 0), same = look(attached.s, 0);
            for (int k = 0; k < 3; k++)
                assert_true(m.at[k] == same.at[k] && m.velocity[k] == same.velocity[k]);
        }
    assert_near(look(never.s, 0).at[2], 0.1, 1e-3);
}

// A detector of the user's whose points have no normal while it is told so.
struct Detector final : collision::DARTCollisionDetector {
    bool normals = false;

    bool collide(collision::CollisionGroup *group, const collision::CollisionOption &option,
                 collision::CollisionResult *result) override
    {
        const bool found = DARTCollisionDetector::collide(group, option, result);
        for (size_t i = 0; !normals && result && i < result->getNumContacts(); i++)
            result->getContact(i).normal.setZero();
        return found;
    }
};

void a_normal_of_no_length_is_reported(void **)
{
    Scene      scene;
    const auto detector = std::make_shared<Detector>();
    scene.s->world->getConstraintSolver()->setCollisionDetector(detector);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pcm_dart_step(scene.s->host, true), PCM_BAD_MOTION);
    assert_int_equal(fixture_said(&scene.f, PCM_MSG_BAD_MOTION), 1);
    assert_non_null(strstr(scene.f.text[0], "its normal is no unit vector"));
    detector->normals = true;
    scene.steps(1000);
    assert_near(look(scene.s, 0).at[2], 0.1 - 9.81 / 1e5, 1e-9);
}

// DART leaves it where it is.
void a_skeleton_added_twice_touches_once(void **)
{
    Scene scene;
    scene.s->world->addSkeleton(scene.s->body[0]->getSkeleton());
    scene.steps(2000);
    assert_int_equal(scene.contacts(), 1);
    assert_near(look(scene.s, 0).at[2], 0.1 - 9.81 / 1e5, 1e-9);
}

// Forces that are not reset are the user's alone.
void external_forces_stay(void **)
{
    Scene scene;
    scene.s->body[0]->addExtForce(Eigen::Vector3d(0, 0, -10));
    const Eigen::Vector6d before = scene.s->body[0]->getExternalForceLocal();
    for (int i = 0; i < 2000; i++) {
        assert_int_equal(pcm_dart_step(scene.s->host, false), PCM_OK);
        assert_true(scene.s->body[0]->getExternalForceLocal() == before);
    }
    assert_near(look(scene.s, 0).at[2], 0.1 - 19.81 / 1e5, 1e-9);
}

// Three balls on one body, two of them off its centre: their torques are about the centre, and all are taken back.
void a_body_may_have_several_shapes(void **)
{
    Scene scene;
    auto *body = scene.s->body[0];
    for (double x : {-0.5, 0.5}) {
        auto *node = body->createShapeNodeWith<dynamics::CollisionAspect>(std::make_shared<dynamics::SphereShape>(0.1));
        node->setRelativeTranslation(Eigen::Vector3d(x, 0, 0));
    }
    for (int i = 0; i < 4000; i++) {
        assert_int_equal(pcm_dart_step(scene.s->host, false), PCM_OK);
        assert_true(body->getExternalForceLocal().isZero(0));
    }
    assert_int_equal(scene.contacts(), 3);
    assert_near(look(scene.s, 0).at[2], 0.1 - 9.81 / 3e5, 1e-9);
}

// Bodies of a skeleton that is not mobile get no forces, which DART would never clear.
void a_skeleton_may_stand_still(void **)
{
    Scene scene;
    auto  skeleton = scene.s->body[0]->getSkeleton();
    scene.steps(100);
    skeleton->setMobile(false);
    const double at = look(scene.s, 0).at[2];
    scene.steps(100);
    assert_true(look(scene.s, 0).at[2] == at);
    assert_int_equal(scene.contacts(), 1);
    assert_true(scene.s->body[0]->getExternalForceLocal().isZero(0));
}

// DART puts the ShapeFrame within a SimpleFrame at addresses that its alignment forbids, which sanitizers report.
void skip_in_sanitizers()
{
#ifdef __SANITIZE_ADDRESS__
    skip();
#endif
}

// A box without a body, whose top is at z = 0.05 and on which the ball lies.
dynamics::SimpleFramePtr put_shelf(const Scene &scene)
{
    const auto shelf = dynamics::SimpleFrame::createShared(dynamics::Frame::World(), "Shelf");
    shelf->setShape(std::make_shared<dynamics::BoxShape>(Eigen::Vector3d(1, 1, 0.04)));
    shelf->createCollisionAspect();
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    at.translation() = Eigen::Vector3d(0, 0, 0.03);
    shelf->setRelativeTransform(at);
    scene.s->world->getConstraintSolver()->getCollisionGroup()->addShapeFrame(shelf.get());
    at.translation() = Eigen::Vector3d(0, 0, 0.1499);
    static_cast<dynamics::FreeJoint *>(scene.s->body[0]->getParentJoint())->setTransform(at);
    return shelf;
}

void a_frame_without_a_body_is_fixed(void **)
{
    skip_in_sanitizers();
    Scene      scene("ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; ObjectPair Shelf * Ball -> C;");
    const auto shelf = put_shelf(scene);
    scene.steps(2000);
    assert_int_equal(scene.contacts(), 1);
    assert_near(look(scene.s, 0).at[2], 0.15 - 9.81 / 1e5, 1e-9);
    assert_true(pcm_dart_forget(scene.s->host, static_cast<dynamics::ShapeFrame *>(shelf.get())));
}

// A detector that counts the contacts with frames without a body in each search, and drops them: DART's solver takes
// the body of both shapes of a contact, and ends with a null pointer.
struct Dropper final : collision::DARTCollisionDetector {
    std::vector<size_t> dropped;

    bool collide(collision::CollisionGroup *group, const collision::CollisionOption &option,
                 collision::CollisionResult *result) override
    {
        DARTCollisionDetector::collide(group, option, result);
        const std::vector<collision::Contact> all = result->getContacts();
        result->clear();
        for (const collision::Contact &contact : all)
            if (contact.collisionObject1->getShapeFrame()->asShapeNode() &&
                contact.collisionObject2->getShapeFrame()->asShapeNode())
                result->addContact(contact);
        dropped.push_back(all.size() - result->getNumContacts());
        return result->isCollision();
    }
};

// A detector that finds nothing in one search of ten.
struct Forgetful final : collision::DARTCollisionDetector {
    int searches = 0;

    bool collide(collision::CollisionGroup *group, const collision::CollisionOption &option,
                 collision::CollisionResult *result) override
    {
        DARTCollisionDetector::collide(group, option, result);
        if (++searches % 20 == 19) // the host's; those of the solver are even
            result->clear();
        return result->isCollision();
    }
};

// A ball that rolls, with bristles: it goes on as if the points had been there.
void points_that_are_dropped_are_made_up(void **)
{
    const char *rules =
        "ContactType C = KelvinVoigt + Dahl { Damping = 200; Friction = 0.5; KelvinVoigt.Stiffness = 1e5;"
        " Dahl.Stiffness = 1e5; }; ObjectPair Ground * Ball -> C;";
    Scene      dropped(rules), whole(rules);
    const auto detector = std::make_shared<Forgetful>();
    dropped.s->world->getConstraintSolver()->setCollisionDetector(detector);
    for (Scene *scene : {&dropped, &whole}) {
        auto *joint = static_cast<dynamics::FreeJoint *>(scene->s->body[0]->getParentJoint());
        joint->setLinearVelocity(Eigen::Vector3d(0.1, 0, 0));
        joint->setAngularVelocity(Eigen::Vector3d(0, 1, 0));
    }
    for (int i = 0; i < 500; i++) {
        dropped.steps(1);
        whole.steps(1);
        assert_int_equal(dropped.contacts(), whole.contacts());
        const kit_motion one = look(dropped.s, 0), other = look(whole.s, 0);
        for (int k = 0; k < 3; k++)
            assert_near(one.at[k], other.at[k], 1e-4); // of 5 cm: a made-up point stays behind
    }
    assert_int_equal(dropped.made(), whole.made());
    detach(dropped);
    detach(whole);
}

// The host does not see its contacts, and the world's solver does.
void a_frame_without_a_law_is_darts(void **)
{
    skip_in_sanitizers();
    Scene      scene("ContactType C = KelvinVoigt; ObjectPair Ground * Ball -> C;");
    const auto detector = std::make_shared<Dropper>();
    scene.s->world->getConstraintSolver()->setCollisionDetector(detector);
    const auto shelf = put_shelf(scene);
    scene.steps(1);
    assert_int_equal(scene.contacts(), 0);
    assert_int_equal(detector->dropped.size(), 2);
    assert_int_equal(detector->dropped[0], 0);
    assert_int_equal(detector->dropped[1], 1);
}

} // namespace

int main()
{
    // DART keeps orientations as logarithms: a free ball of 1 m/s that turns loses up to 7e-10 m/s in 2000 steps.
    static const kit_engine in_dart = {make, step, look, free_all, world, true, 1e-9, 1e-6, 1e-9};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_calls_are_rejected),
        cmocka_unit_test(a_world_has_one_host),
        cmocka_unit_test(a_shape_can_be_forgotten),
        cmocka_unit_test(names_come_from_a_function),
        cmocka_unit_test(shapes_without_a_name_are_darts),
        cmocka_unit_test(surfaces_come_from_a_function),
        cmocka_unit_test(detaching_gives_the_world_back),
        cmocka_unit_test(external_forces_stay),
        cmocka_unit_test(a_body_may_have_several_shapes),
        cmocka_unit_test(a_skeleton_may_stand_still),
        cmocka_unit_test(a_normal_of_no_length_is_reported),
        cmocka_unit_test(a_skeleton_added_twice_touches_once),
        cmocka_unit_test(a_name_that_no_object_has_is_told),
        cmocka_unit_test(points_that_are_dropped_are_made_up),
        cmocka_unit_test(a_frame_without_a_body_is_fixed),
        cmocka_unit_test(a_frame_without_a_law_is_darts),
    };
    return kit_run(&in_dart) + cmocka_run_group_tests(tests, nullptr, nullptr);
}
