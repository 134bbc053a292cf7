/* SPDX-License-Identifier: MIT */
/* Geoms without a name: a quadruped with unnamed feet walks under the law that the rules give to feet. */
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>
#include <string.h>

/* Like published robots: a shank and a foot in each calf, with geoms for display among them, and no names. */
#define LEG(name, x, y)                                                                                                \
    "<body name='" name "_thigh' pos='" x " " y " 0'><joint name='" name "_hip' type='hinge' axis='0 1 0' "            \
    "damping='4'/><geom type='capsule' fromto='0 0 0 0 0 -0.2' size='0.02' contype='0' conaffinity='0' group='2'/>"    \
    "<geom type='capsule' fromto='0 0 0 0 0 -0.2' size='0.02' group='3'/>"                                             \
    "<body name='" name "_calf' pos='0 0 -0.2'><joint name='" name "_knee' type='hinge' axis='0 1 0' damping='4'/>"    \
    "<geom type='capsule' fromto='0 0 0 0 0 -0.2' size='0.01' contype='0' conaffinity='0' group='2'/>"                 \
    "<geom type='capsule' fromto='0 0 0 0 0 -0.18' size='0.01' group='3'/>"                                            \
    "<geom type='sphere' size='0.02' pos='0 0 -0.2' group='3'/></body></body>"
#define MOTOR(name)                                                                                                    \
    "<position name='" name "1' joint='" name "_hip' kp='200'/><position name='" name "2' joint='" name                \
    "_knee' kp='200'/>"

static const char quadruped[] =
    "<option timestep='5e-4'/><worldbody><geom name='Floor' type='plane' size='9 9 1'/>"
    "<body name='Trunk' pos='0 0 0.4201'><freejoint/><geom type='box' size='0.25 0.1 0.05' mass='6'/>" LEG(
        "FR", "0.2", "-0.12") LEG("FL", "0.2", "0.12") LEG("RR", "-0.2", "-0.12")
        LEG("RL", "-0.2", "0.12") "</body></worldbody><actuator>" MOTOR("FR") MOTOR("FL") MOTOR("RR")
            MOTOR("RL") "</actuator>";

#define TYPES                                                                                                          \
    "ContactType Foot  = CompliantGround { Stiffness = 2e5; Damping = 1000; Friction = 0.8 };\n"                       \
    "ContactType Other = CompliantGround { Stiffness = 2e5; Damping = 1000; Friction = 0.1 };\n"

static double sine(double phase) { return sin(2 * mjPI * phase); }

/* A trot in a user's own loop: diagonal legs move together. */
static void trot(fixture *f, int steps)
{
    for (int i = 0; i < steps; i++) {
        for (int leg = 0; leg < 4; leg++) {
            const double phase = 1.5 * f->data->time + (leg == 0 || leg == 3 ? 0 : 0.5);
            f->data->ctrl[2 * leg] = 0.5 + 0.2 * sine(phase);
            f->data->ctrl[2 * leg + 1] = -1 + 0.2 * sine(phase + 0.25);
        }
        mj_step(f->model, f->data);
    }
    assert_int_equal(pcm_mujoco_status(f->host), PCM_OK);
}

static uint64_t made_by(const fixture *f, size_t rule)
{
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_mujoco_rule_stats(f->host, rule, &stats), PCM_OK);
    return stats.made;
}

/* Rules by place, by type, by group, and by patterns of these: they match the same feet, and give the same bits. */
static void feet_without_names_walk(void **state)
{
    (void)state;
    static const char *const rules[] = {
        TYPES "ObjectPair Floor * \"*_calf.3\" -> Foot; DefaultPair -> Other;",
        TYPES "ObjectPair Floor * \"*_calf:sphere\" -> Foot; DefaultPair -> Other;",
        TYPES
        "ObjectPair Floor * FR_calf.3 -> Foot; ObjectPair Floor * FL_calf.3 -> Foot;"
        "ObjectPair Floor * RR_calf.3 -> Foot; ObjectPair Floor * \"RL_calf:sphere\" -> Foot; DefaultPair -> Other;",
    };
    double way = 0;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        fixture f;
        fixture_open(&f, quadruped, rules[i]);
        assert_int_equal(f.n_codes, 0);
        trot(&f, 4000);
        assert_true(made_by(&f, 0) >= (i < 2 ? 4 : 1));
        assert_true(f.data->qpos[2] > 0.2); /* it stands */
        way = i ? way : f.data->qpos[0];
        assert_true(fabs(way) > 0.05 && f.data->qpos[0] == way);
        fixture_close(&f);
    }
}

static void feet_are_distinguished_from_shanks(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, quadruped,
                 TYPES "ObjectPair Floor * \"*_calf:group3\" -> Other; ObjectPair Floor * \"*_calf.3\" -> Foot;");
    fixture_step(&f, 1000);
    assert_int_equal(made_by(&f, 0), 0); /* the later of two patterns is used */
    assert_true(made_by(&f, 1) >= 4);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_at(pcm_mujoco_world(f.host), 0, &info), PCM_OK);
    assert_string_equal(strchr(info.follower_name, '_'), "_calf.3");
    fixture_close(&f);
}

/* Each name of a geom has its rule; of two rules for one pair the later one is used. */
static void rules_go_by_any_name(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, quadruped,
                 TYPES "ObjectPair Floor * \"*_calf:sphere\" -> Foot; ObjectPair Trunk * FR_calf.3 -> Other;"
                       "ObjectPair Floor * FR_calf -> Other; ObjectPair \"F*\" * \"*_calf.2\" -> Other;"
                       "ObjectPair \"F*\" * \"?L_calf:group3\" -> Other;");
    assert_int_equal(f.n_codes, 0);
    fixture_step(&f, 1000);
    assert_true(made_by(&f, 0) >= 2); /* FR and RR: their own name takes precedence over their body's */
    assert_int_equal(made_by(&f, 2), 0);
    assert_true(made_by(&f, 4) >= 2);
    fixture_close(&f);
}

/* The friction of each foot's law is that of the surface, which its material gives. */
static void surfaces_reach_geoms_without_names(void **state)
{
    (void)state;
    static const char *const files[] = {
        TYPES "Surface Rubber = \"*_calf:sphere\"; SurfacePair Rubber * Ground -> Foot; DefaultPair -> Other;"
              "Surface Ground = Floor;",
        TYPES "Surface Rubber = FR_calf.3, FL_calf.3, \"R?_calf.3\"; SurfacePair Rubber * Ground -> Foot;"
              "DefaultPair -> Other; Surface Ground = Floor; ObjectPair Trunk * \"*_calf:group3\" -> Other;",
        TYPES "SurfacePair Rubber * Ground -> Foot; DefaultPair -> Other; Surface Ground = Floor;",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        static const char *const given[] = {"*_calf:sphere=Rubber"};
        fixture                  f;
        pcm_mujoco_def           def = pcm_mujoco_defaults();
        def.surfaces = given;
        def.n_surfaces = i == 2;
        fixture_open(&f, quadruped, files[i]);
        pcm_mujoco_free(f.host);
        f.host = pcm_mujoco_attach(f.context, f.config, f.model, f.data, &def);
        assert_int_equal(fixture_said(&f, PCM_MSG_SURFACE_UNUSED), 0);
        fixture_step(&f, 1000);
        assert_true(made_by(&f, 0) >= 4);
        fixture_close(&f);
    }
}

static void custom_elements_reach_geoms_without_names(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<custom><text name='pcm:surface:*_leg:box' data='Rubber'/>"
                 "<numeric name='pcm:radius:*_leg.1' data='0.03'/></custom>"
                 "<worldbody><geom name='Floor' type='plane' size='9 9 1'/><body name='FR_leg' pos='0 0 0.05'>"
                 "<freejoint/><geom type='box' size='0.05 0.05 0.05'/></body></worldbody>",
                 TYPES "SurfacePair Rubber * \"*\" -> Foot; DefaultPair -> Other;"
                       "ContactType Round = Hertz { ReducedModulus = 1e6 }; ObjectPair Floor * Nothing -> Round;");
    assert_int_equal(fixture_said(&f, PCM_MSG_CUSTOM), 0);
    fixture_close(&f);
}

/* Only patterns that contain a dot match a name with a dot: "*1" matches bodies, and not the first geom of each. */
static void plain_patterns_mean_bodies(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, quadruped,
                 TYPES
                 "ObjectPair Floor * \"*_calf.3\" -> Foot; ObjectPair Floor * \"*3\" -> Other; DefaultPair -> Other;");
    assert_int_equal(fixture_said(&f, PCM_MSG_NAME_UNMATCHED), 1);
    fixture_step(&f, 1000);
    assert_true(made_by(&f, 0) >= 4);
    fixture_close(&f);
}

static void unused_names_are_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, quadruped, TYPES "ObjectPair Floor * FR_calf.7 -> Foot; ObjectPair Floor * \"F?\" -> Foot;");
    assert_int_equal(fixture_said(&f, PCM_MSG_NAME_UNMATCHED), 2);
    assert_non_null(strstr(f.last, "'F?'"));
    pcm_mujoco_free(f.host);
    pcm_mujoco_def def = pcm_mujoco_defaults();
    def.check_scene = false;
    f.host = pcm_mujoco_attach(f.context, f.config, f.model, f.data, &def);
    assert_int_equal(fixture_said(&f, PCM_MSG_NAME_UNMATCHED), 2);
    fixture_close(&f);
}

/* A wrong name in a rule is reported with the closest name, or with the reason why it has no effect. */
static void expect_message(const char *scene, const char *rules, uint32_t code, const char *text)
{
    fixture f;
    fixture_open(&f, scene, rules);
    assert_int_equal(fixture_said(&f, code), 1);
    if (!strstr(f.last, text))
        fail_msg("'%s' lacks '%s'", f.last, text);
    fixture_close(&f);
}

static void patterns_that_nothing_fits_have_a_proposal(void **state)
{
    (void)state;
    expect_message(quadruped, TYPES "ObjectPair Floor * \"*_claf.3\" -> Foot;", PCM_MSG_NAME_UNMATCHED,
                   "did you mean 'FR_calf.3'?");
    expect_message(quadruped, TYPES "ObjectPair Floor * \"FR_CAFL*\" -> Foot;", PCM_MSG_NAME_UNMATCHED,
                   "did you mean 'FR_calf'?");
    expect_message(quadruped, TYPES "SurfacePair A * A -> Foot; Surface A = \"?R_caalf\";", PCM_MSG_SURFACE_UNUSED,
                   "did you mean 'FR_calf'?");
}

static const char humanoid[] =
    "<worldbody><geom name='Floor' type='plane' size='9 9 1'/><geom name='Block' type='box' size='1 1 1' pos='9 0 0'/>"
    "<body name='pelvis' pos='0 0 0.8'><freejoint/><geom size='0.1'/><site name='imu_in_pelvis'/>"
    "<body name='left_ankle' pos='0 0.1 -0.7'><joint axis='0 1 0'/><geom size='0.02' pos='0.1 0 -0.02'/>"
    "<geom size='0.02' pos='0.1 0 0.04'/><site name='left_foot' pos='0 0 -0.05'/></body>"
    "<body name='left_hand' pos='0 0.3 0'><joint axis='0 1 0'/><geom size='0.02'/></body></body></worldbody>";

/* A pattern means geoms; if it takes sites because it fits no geom, or leaves sites alone, a note says so. */
static void patterns_take_geoms_before_sites(void **state)
{
    (void)state;
    expect_message(humanoid, TYPES "ObjectPair Floor * \"*_foot\" -> Foot;", PCM_MSG_SITES, "as 'left_ankle.1'");
    expect_message(humanoid, TYPES "ObjectPair Floor * \"*e*\" -> Foot;", PCM_MSG_SITES, "sites like 'imu_in_pelvis'");
    static const size_t made[] = {1, 0, 0, 1, 0};
    const char *const   rules[] = {
          TYPES "ObjectPair Floor * left_foot -> Foot;", TYPES "ObjectPair Floor * \"left_*\" -> Foot;",
          TYPES "ObjectPair Floor * \"*\" -> Foot;", TYPES "ObjectPair Floor * \"left_f*\" -> Foot;",
          TYPES "SurfacePair \"*\" * \"*\" -> Foot; DefaultPair -> Foot;"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        fixture f;
        fixture_open(&f, humanoid, rules[i]);
        f.data->qpos[2] = 0.745; /* the site is 5 mm deep, and no geom touches */
        assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
        assert_int_equal(pcm_world_contact_count(pcm_mujoco_world(f.host)), made[i]);
        fixture_close(&f);
    }
}

static void feet_without_names_are_proposed(void **state)
{
    (void)state;
    static const char bare[] =
        "<worldbody><geom name='Floor' type='plane' size='9 9 1'/><body name='base' pos='0 0 0.8'><freejoint/>"
        "<geom size='0.1'/><body name='FL_calf' pos='0 0 -0.5'><joint/><geom size='0.02'/>"
        "<geom size='0.02' pos='0 0 -0.2'/></body><body name='FR_calf' pos='0 0 -0.5'><joint/>"
        "<geom name='FR' size='0.02' pos='0 0 -0.2'/></body></body></worldbody>";
    expect_message(bare, TYPES "ObjectPair Floor * \"*_foot\" -> Foot;", PCM_MSG_NAME_UNMATCHED,
                   "the lowest geoms of last links are 'FL_calf.2', 'FR'");
}

static void rules_that_no_contact_follows_are_reported(void **state)
{
    (void)state;
    expect_message(humanoid, TYPES "ObjectPair Block * left_foot -> Foot;", PCM_MSG_RULE_IDLE,
                   "a site touches planes alone");
    expect_message(humanoid, TYPES "ObjectPair pelvis * left_ankle -> Foot;", PCM_MSG_RULE_IDLE, "parent and child");
    fixture f; /* another rule wins for its pairs, but they touch */
    fixture_open(&f, humanoid, TYPES "ObjectPair Floor * pelvis -> Foot; ObjectPair Floor * \"pel*\" -> Other;");
    assert_int_equal(fixture_said(&f, PCM_MSG_RULE_IDLE), 0);
    fixture_close(&f);
}

static const char idle[] = "<worldbody><geom name='Floor' type='plane' size='9 9 1'/><body name='Leg' pos='0 0 1'>"
                           "<freejoint/><geom name='Foot' size='0.1'/><geom name='Shell' size='0.2' contype='0' "
                           "conaffinity='0'/></body></worldbody>";

static void geoms_that_collide_with_nothing_are_reported(void **state)
{
    (void)state;
    static const char why[] = "collides with nothing: its contype and conaffinity are 0";
    expect_message(idle, TYPES "ObjectPair Floor * Shell -> Foot;", PCM_MSG_NAME_UNMATCHED, why);
    expect_message(idle, TYPES "ObjectPair Floor * \"She*\" -> Foot;", PCM_MSG_NAME_UNMATCHED, why);
    expect_message(idle, TYPES "SurfacePair A * A -> Foot; Surface A = Shell;", PCM_MSG_SURFACE_UNUSED, why);
}

static void names_with_wildcards_are_reported(void **state)
{
    (void)state;
    static const char scene[] = "<worldbody><geom name='Floor' type='plane' size='9 9 1'/><body pos='0 0 1'>"
                                "<freejoint/><geom name='Foot*' size='0.1'/><geom name='FootPad' size='0.2'/></body>"
                                "</worldbody>";
    expect_message(scene, TYPES "ObjectPair Floor * \"Foot*\" -> Foot;", PCM_MSG_WILDCARD_NAME, "'FootPad' fits, too");
    fixture f;
    fixture_open(&f, scene, TYPES "ObjectPair Floor * \"Fo*\" -> Foot;");
    assert_int_equal(fixture_said(&f, PCM_MSG_WILDCARD_NAME), 0);
    fixture_close(&f);
}

static void likely_names_are_proposed(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, quadruped, TYPES "ObjectPair Flor * \"*_calf.3\" -> Foot;");
    assert_non_null(strstr(f.last, "did you mean 'Floor'?"));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_without_names_walk),
        cmocka_unit_test(feet_are_distinguished_from_shanks),
        cmocka_unit_test(rules_go_by_any_name),
        cmocka_unit_test(surfaces_reach_geoms_without_names),
        cmocka_unit_test(custom_elements_reach_geoms_without_names),
        cmocka_unit_test(plain_patterns_mean_bodies),
        cmocka_unit_test(unused_names_are_reported),
        cmocka_unit_test(patterns_take_geoms_before_sites),
        cmocka_unit_test(feet_without_names_are_proposed),
        cmocka_unit_test(rules_that_no_contact_follows_are_reported),
        cmocka_unit_test(patterns_that_nothing_fits_have_a_proposal),
        cmocka_unit_test(geoms_that_collide_with_nothing_are_reported),
        cmocka_unit_test(names_with_wildcards_are_reported),
        cmocka_unit_test(likely_names_are_proposed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
