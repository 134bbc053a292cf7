/* SPDX-License-Identifier: MIT */
/* The kit in ODE, and what ODE alone can do wrong. */
#include "kit.h"
#include "../../core/fixture.h"
#include <pcm/messages.h>
#include <pcm/ode.h>

#include <math.h>
#include <string.h>

typedef struct simulation {
    dWorldID world;
    dSpaceID space;
    dGeomID  ground, geom[KIT_BODIES];
    dBodyID  body[KIT_BODIES];
    double   step;
    pcm_ode *host;
} simulation;

static void *make(const kit_scene *scene, pcm_context *context, pcm_config *config)
{
    simulation *s = test_calloc(1, sizeof *s);
    s->step = scene->step;
    s->world = dWorldCreate();
    s->space = dHashSpaceCreate(NULL);
    dWorldSetGravity(s->world, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    s->ground = dCreatePlane(s->space, 0, 0, 1, 0);
    dGeomSetData(s->ground, "Ground");
    for (size_t i = 0; i < scene->count; i++) {
        const kit_body *b = &scene->bodies[i];
        dMass           mass;
        s->body[i] = dBodyCreate(s->world);
        if (b->radius > 0) {
            s->geom[i] = dCreateSphere(s->space, b->radius);
            dMassSetSphereTotal(&mass, b->mass, b->radius);
        } else {
            s->geom[i] = dCreateBox(s->space, 2 * b->half[0], 2 * b->half[1], 2 * b->half[2]);
            dMassSetBoxTotal(&mass, b->mass, 2 * b->half[0], 2 * b->half[1], 2 * b->half[2]);
        }
        dBodySetMass(s->body[i], &mass);
        dGeomSetBody(s->geom[i], s->body[i]);
        dGeomSetData(s->geom[i], (void *)b->name);
        dBodySetPosition(s->body[i], b->at[0], b->at[1], b->at[2]);
        dBodySetLinearVel(s->body[i], b->velocity[0], b->velocity[1], b->velocity[2]);
        dBodySetAngularVel(s->body[i], b->spin[0], b->spin[1], b->spin[2]);
    }
    s->host = pcm_ode_attach(context, config, NULL);
    return s->host ? s : NULL;
}

static void near(void *user, dGeomID a, dGeomID b) { (void)pcm_ode_touch(user, a, b); }

static void step(void *engine)
{
    simulation *s = engine;
    dSpaceCollide(s->space, s->host, near);
    assert_int_equal(pcm_ode_push(s->host, s->step), PCM_OK);
    dWorldStep(s->world, s->step);
    assert_int_equal(pcm_ode_commit(s->host), PCM_OK);
}

static kit_motion look(void *engine, size_t body)
{
    const simulation *s = engine;
    kit_motion        m;
    for (int k = 0; k < 3; k++) {
        m.at[k] = dBodyGetPosition(s->body[body])[k];
        m.velocity[k] = dBodyGetLinearVel(s->body[body])[k];
        m.spin[k] = dBodyGetAngularVel(s->body[body])[k];
    }
    return m;
}

static void free_all(void *engine)
{
    simulation *s = engine;
    pcm_ode_free(s->host);
    dSpaceDestroy(s->space);
    dWorldDestroy(s->world);
    test_free(s);
}

static pcm_world *world(void *engine) { return pcm_ode_world(((simulation *)engine)->host); }

/* ---- ODE alone -----------------------------------------------------------------------------------------------------
 */

static void bad_calls_are_rejected(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, kit_ball.rules, NULL);
    simulation *s = make(&kit_ball, f.context, f.config);
    assert_null(pcm_ode_attach(f.context, NULL, NULL));
    assert_int_equal(pcm_ode_commit(s->host), PCM_BAD_ORDER);
    for (int i = 0; i < 3; i++) {
        const double bad[] = {0, -1e-3, NAN};
        dSpaceCollide(s->space, s->host, near);
        assert_int_equal(pcm_ode_push(s->host, bad[i]), PCM_BAD_ARGUMENT);
    }
    assert_int_equal(fixture_said(&f, PCM_MSG_BAD_CALL), 3);
    assert_false(pcm_ode_touch(s->host, (dGeomID)s->space, s->geom[0]));
    assert_false(pcm_ode_touch(s->host, s->geom[0], s->geom[0]));
    step(s);
    free_all(s);
    fixture_close(&f);
}

/* A geom that is gone has no contacts, and another one in its place begins its own. */
static void a_geom_can_be_forgotten(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, kit_ball.rules, NULL);
    simulation *s = make(&kit_ball, f.context, f.config);
    for (int i = 0; i < 10; i++)
        step(s);
    assert_int_equal(pcm_world_contact_count(pcm_ode_world(s->host)), 1);
    assert_true(pcm_ode_forget(s->host, s->geom[0]));
    assert_false(pcm_ode_forget(s->host, s->geom[0]));
    assert_int_equal(pcm_world_contact_count(pcm_ode_world(s->host)), 0);
    dGeomSetData(s->geom[0], NULL); /* without a name: ODE's */
    assert_false(pcm_ode_touch(s->host, s->ground, s->geom[0]));
    assert_true(pcm_ode_forget(s->host, s->geom[0]));
    dGeomSetData(s->geom[0], "Other");
    step(s);
    assert_int_equal(pcm_world_contact_count(pcm_ode_world(s->host)), 1);
    free_all(s);
    fixture_close(&f);
}

static const char *call_all_stones(void *user, dGeomID geom)
{
    ++*(int *)user;
    return dGeomGetBody(geom) ? "Stone" : "Floor";
}

static void names_come_from_a_function(void **state)
{
    (void)state;
    static const char rules[] =
        "ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; ObjectPair Floor * Stone -> C;";
    fixture f;
    int     calls = 0;
    fixture_open_with(&f, TEST_PLUGINS, rules, NULL);
    simulation *s = make(&kit_ball, f.context, f.config);
    pcm_ode_free(s->host);
    s->host = pcm_ode_attach(f.context, f.config, &PCM_ODE(.name = call_all_stones, .user = &calls));
    for (int i = 0; i < 100; i++)
        step(s);
    assert_int_equal(pcm_world_contact_count(pcm_ode_world(s->host)), 1);
    assert_int_equal(calls, 2);
    free_all(s);
    fixture_close(&f);
}

/* Once the host goes, since geoms may come at any step. */
static void a_name_that_no_geom_has_is_told(void **state)
{
    (void)state;
    static const char rules[] =
        "ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; ObjectPair Grund * Ball -> C; "
        "ObjectPair Grund * \"B*\" -> C; SurfacePair Rubber * Rubber -> C; DefaultPair -> C;";
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, rules, NULL);
    for (int count = 0; count < 2; count++) {
        simulation *s = make(&kit_ball, f.context, f.config);
        for (int i = 0; i < count; i++)
            step(s);
        assert_int_equal(f.messages, 0);
        free_all(s);
        assert_int_equal(f.messages, count ? 2 : 0); /* a host that never steps has met nothing */
    }
    assert_int_equal(fixture_said(&f, PCM_MSG_NAME_UNMATCHED), 2);
    assert_string_equal(f.text[0], "no object that came near another was called 'Grund'; did you mean 'Ground'?");
    assert_string_equal(f.text[1], "no object that came near another had the surface 'Rubber'");
    fixture_close(&f);
}

/* With the host gone, ODE goes on as one that never had any, to the last bit. */
static void detaching_gives_ode_back(void **state)
{
    (void)state;
    kit_scene scene = kit_ball;
    fixture   f;
    fixture_open_with(&f, TEST_PLUGINS, kit_ball.rules, NULL);
    scene.bodies[0].at[2] = 0.2; /* in the air */
    simulation *s = make(&scene, f.context, f.config), *twin = make(&scene, f.context, f.config);
    for (int i = 0; i < 200; i++) {
        if (i == 100) {
            assert_true(pcm_ode_touch(s->host, s->ground, s->geom[0]));
            pcm_ode_free(s->host);
            s->host = NULL;
        }
        if (s->host)
            step(s);
        else
            dWorldStep(s->world, s->step);
        dWorldStep(twin->world, s->step);
        const kit_motion one = look(s, 0), other = look(twin, 0);
        assert_memory_equal(&one, &other, sizeof one);
    }
    assert_true(look(s, 0).at[2] < 0.1); /* through the ground, since nobody asks for joints */
    free_all(s);
    free_all(twin);
    fixture_close(&f);
}

static void near_twice(void *user, dGeomID a, dGeomID b)
{
    (void)pcm_ode_touch(user, a, b);
    (void)pcm_ode_touch(user, b, a);
}

/* As callbacks do that are called for two spaces which share geoms. */
static void a_pair_touched_twice_is_one(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, kit_ball.rules, NULL);
    simulation *s = make(&kit_ball, f.context, f.config);
    for (int i = 0; i < 2000; i++) {
        dSpaceCollide(s->space, s->host, near_twice);
        assert_int_equal(pcm_ode_push(s->host, s->step), PCM_OK);
        dWorldStep(s->world, s->step);
        assert_int_equal(pcm_ode_commit(s->host), PCM_OK);
    }
    assert_near(look(s, 0).at[2], 0.1 - 9.81 / 1e5, 1e-9);
    assert_int_equal(f.messages, 0);
    free_all(s);
    fixture_close(&f);
}

/* Both are pushed before either steps. */
static void one_host_serves_two_worlds(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, kit_ball.rules, NULL);
    simulation *s[] = {make(&kit_ball, f.context, f.config), make(&kit_ball, f.context, f.config)};
    for (int i = 0; i < 2000; i++) {
        for (int k = 0; k < 2; k++)
            dSpaceCollide(s[k]->space, s[0]->host, near);
        assert_int_equal(pcm_ode_push(s[0]->host, s[0]->step), PCM_OK);
        for (int k = 0; k < 2; k++)
            dWorldStep(s[k]->world, s[k]->step);
        assert_int_equal(pcm_ode_commit(s[0]->host), PCM_OK);
    }
    for (int k = 0; k < 2; k++)
        assert_near(look(s[k], 0).at[2], 0.1 - 9.81 / 1e5, 1e-9);
    for (int k = 0; k < 2; k++)
        free_all(s[k]);
    fixture_close(&f);
}

/* Two of them off the body's centre: their torques are about the centre. */
static void a_body_may_have_several_geoms(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, kit_ball.rules, NULL);
    simulation *s = make(&kit_ball, f.context, f.config);
    for (int side = -1; side <= 1; side += 2) {
        dGeomID geom = dCreateSphere(s->space, 0.1);
        dGeomSetBody(geom, s->body[0]);
        dGeomSetOffsetPosition(geom, 0.5 * side, 0, 0);
        dGeomSetData(geom, "Ball");
    }
    for (int i = 0; i < 4000; i++)
        step(s);
    assert_int_equal(pcm_world_contact_count(pcm_ode_world(s->host)), 3);
    assert_near(look(s, 0).at[2], 0.1 - 9.81 / 3e5, 1e-9);
    free_all(s);
    fixture_close(&f);
}

static bool in_floats;

/* Takes the place of ODE's in this program. */
PCM_EXPORT int dCheckConfiguration(const char *token)
{
    return strcmp(token, "ODE_double_precision") != 0 || !in_floats;
}

static void another_precision_is_rejected(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, kit_ball.rules, NULL);
    in_floats = true;
    pcm_ode *host = pcm_ode_attach(f.context, f.config, NULL);
    in_floats = false;
    assert_null(host);
    assert_int_equal(fixture_said(&f, PCM_MSG_PRECISION), 1);
    fixture_close(&f);
}

static void a_law_across_gaps_is_told(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS,
                      "ContactType C = KelvinVoigt { Separation = 2 [mm]; };\nContactType D = KelvinVoigt;\n"
                      "ObjectPair Ball * Ground -> C; DefaultPair -> D;",
                      NULL);
    pcm_ode_free(pcm_ode_attach(f.context, f.config, NULL));
    assert_int_equal(f.messages, 1);
    assert_int_equal(fixture_said(&f, PCM_MSG_GAP_UNSEEN), 1);
    assert_string_equal(f.text[0], "'C' acts across gaps of up to 0.002 m, where ODE reports few points or none: its "
                                   "contacts may end as surfaces part");
    fixture_close(&f);
}

/* A class of geoms whose points have no normal. */
static int collide_without_normals(dGeomID a, dGeomID b, int flags, dContactGeom *points, int skip)
{
    (void)flags;
    (void)skip;
    *points = (dContactGeom){.depth = 1e-3, .g1 = a, .g2 = b};
    return 1;
}

static dColliderFn *collider_of(int class)
{
    (void)class;
    return collide_without_normals;
}

static void a_normal_of_no_length_is_reported(void **state)
{
    (void)state;
    fixture          f;
    const dGeomClass odd = {0, collider_of, dInfiniteAABB, NULL, NULL};
    fixture_open_with(&f, TEST_PLUGINS, kit_ball.rules, NULL);
    simulation *s = make(&kit_ball, f.context, f.config);
    dGeomID     geom = dCreateGeom(dCreateGeomClass(&odd));
    dGeomSetData(geom, "Odd");
    dSpaceAdd(s->space, geom);
    dSpaceCollide(s->space, s->host, near);
    assert_int_equal(pcm_ode_push(s->host, s->step), PCM_BAD_MOTION);
    assert_int_equal(fixture_said(&f, PCM_MSG_BAD_MOTION), 2); /* with the ball, and with the ground */
    assert_non_null(strstr(f.text[0], "its normal is no unit vector"));
    dWorldStep(s->world, s->step);
    assert_int_equal(pcm_ode_commit(s->host), PCM_OK);
    assert_int_equal(f.messages, 2);
    free_all(s);
    fixture_close(&f);
}

int main(void)
{
    static const kit_engine ode = {make, step, look, free_all, world, false, 1e-9, 1e-6, 1e-12};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_calls_are_rejected),        cmocka_unit_test(a_geom_can_be_forgotten),
        cmocka_unit_test(names_come_from_a_function),    cmocka_unit_test(detaching_gives_ode_back),
        cmocka_unit_test(a_pair_touched_twice_is_one),   cmocka_unit_test(a_normal_of_no_length_is_reported),
        cmocka_unit_test(one_host_serves_two_worlds),    cmocka_unit_test(a_body_may_have_several_geoms),
        cmocka_unit_test(another_precision_is_rejected), cmocka_unit_test(a_name_that_no_geom_has_is_told),
        cmocka_unit_test(a_law_across_gaps_is_told),
    };
    dInitODE2(0);
    const int failed = kit_run(&ode) + cmocka_run_group_tests(tests, NULL, NULL);
    dCloseODE();
    return failed;
}
