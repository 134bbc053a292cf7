/* SPDX-License-Identifier: MIT */
/* Properties of a MuJoCo model that laws read: materials, by the names of MJCF's materials; radius and mass; and custom
 * elements. */
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>
#include <string.h>

#define MATERIALS                                                                                                      \
    "Material Steel { YoungModulus = 210 [GPa]; PoissonRatio = 0.3; };\n"                                              \
    "Material Rubber { YoungModulus = 10 [MPa]; PoissonRatio = 0.5; };\n"
#define HERTZ "ContactType Grain = Hertz; SurfacePair \"*\" * \"*\" -> Grain;\n"

static const double young[] = {210e9, 10e6}, poisson[] = {0.3, 0.5};

/* A body 1 mm deep in the ground; text: XML after the geom. */
static void open_scene(fixture *f, const char *geom, const char *text, const char *rules)
{
    char scene[2048];
    (void)snprintf(
        scene, sizeof scene,
        "%s<asset><material name='Steel'/><material name='Rubber'/><material name='Putty'/></asset><worldbody>"
        "<geom name='Ground' type='plane' size='1 1 1' material='Steel'/>"
        "<body name='Ball' pos='0 0 0.099'><freejoint/><geom name='Ball' mass='2' %s/></body></worldbody>",
        text, geom);
    fixture_open(f, scene, rules);
}

static pcm_contact_info look(fixture *f)
{
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_mujoco_forward(f->host), PCM_OK);
    assert_int_equal(pcm_world_contact_at(pcm_mujoco_world(f->host), 0, &info), PCM_OK);
    return info;
}

/* F = 4/3 E* sqrt(R d) d, where 1/E* is the sum of (1 - nu^2)/E. */
static double hertz(double radius, double depth, int a, int b)
{
    const double modulus = 1 / ((1 - poisson[a] * poisson[a]) / young[a] + (1 - poisson[b] * poisson[b]) / young[b]);
    return 4.0 / 3 * modulus * sqrt(radius * depth) * depth;
}

static void expect(const char *geom, const char *text, const char *rules, double radius, int material)
{
    fixture f;
    open_scene(&f, geom, text, rules);
    const pcm_contact_info info = look(&f);
    assert_near(info.force[2], hertz(radius, info.depth, 0, material), 1e-12);
    assert_int_equal(f.n_codes, 0);
    fixture_close(&f);
}

static void materials_are_those_of_the_model(void **state)
{
    (void)state;
    expect("type='sphere' size='0.1' material='Rubber'", "", MATERIALS HERTZ, 0.1, 1);
    expect("type='sphere' size='0.1' material='Steel'", "", MATERIALS HERTZ, 0.1, 0);
    expect("type='sphere' size='0.1' material='Rubber'", "", MATERIALS HERTZ "Surface Steel = Ball;\n", 0.1, 0);
}

/* Sides, which touch in lines, are in test_mujoco_gaps.c. */
static void ends_of_capsules_have_a_radius(void **state)
{
    (void)state;
    expect("type='capsule' size='0.1 0.2' pos='0 0 0.2' material='Rubber'", "", MATERIALS HERTZ, 0.1, 1);
}

/* The file's Surface overrides the custom element, which overrides the material of the geom. */
static void custom_elements_say_more(void **state)
{
    (void)state;
    static const char custom[] = "<custom><text name='pcm:surface:B*' data='Rubber'/>"
                                 "<numeric name='pcm:radius:Ball' data='0.03'/></custom>";
    expect("type='sphere' size='0.1' material='Steel'", custom, MATERIALS HERTZ, 0.03, 1);
    expect("type='box' size='0.1 0.1 0.1'", custom, MATERIALS HERTZ, 0.03, 1);
    expect("type='sphere' size='0.1'", custom, MATERIALS HERTZ "Surface Steel = Ball;\n", 0.03, 0);
}

static void empty_custom_elements_are_reported(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "<text name='pcm:surface:Bal' data='Rubber'/>", "<text name='pcm:surfaces:Ball' data='Rubber'/>",
        "<numeric name='pcm:radius:Ball' data='1 2'/>", "<numeric name='pcm:radius:Ball' data='-1'/>",
        "<numeric name='pcm:mass:Ball' data='1'/>",     "<numeric name='pcm:radius:Bull' data='1'/>",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fixture f;
        char    custom[256];
        (void)snprintf(custom, sizeof custom, "<custom>%s</custom>", bad[i]);
        open_scene(&f, "type='sphere' size='0.1' material='Rubber'", custom, MATERIALS HERTZ);
        assert_int_equal(f.n_codes, 1);
        assert_int_equal(fixture_said(&f, PCM_MSG_CUSTOM), 1);
        assert_non_null(strstr(f.last, "pcm:"));
        fixture_close(&f);
    }
}

/* A property that two materials lack is reported before they touch, and once for each surface. */
static void materials_that_give_nothing_are_an_error_of_the_scene(void **state)
{
    (void)state;
    static const char scene[] =
        "<mujoco><asset><material name='Steel'/><material name='Putty'/></asset><worldbody>"
        "<geom name='Ground' type='plane' size='1 1 1' material='Steel'/>"
        "<body pos='0 0 1'><freejoint/><geom name='A' type='sphere' size='0.1' material='Putty'/></body>"
        "<body pos='0 1 1'><freejoint/><geom name='B' type='sphere' size='0.1' material='Putty'/></body>"
        "</worldbody></mujoco>";
    static const char rules[] = MATERIALS "ContactType Grain = Hertz; SurfacePair Steel * \"*\" -> Grain;\n";
    fixture           f;
    fixture_open_file(&f, scene, "");
    pcm_config *config = pcm_config_parse(f.context, "grains", rules, strlen(rules));
    assert_non_null(config);
    f.n_codes = 0;
    assert_int_equal(pcm_mujoco_check(f.context, config, f.model, NULL, false, NULL), PCM_BAD_ARGUMENT);
    assert_int_equal(f.n_codes, 1); /* one for the surface, with both properties */
    assert_non_null(strstr(f.last, "the surface 'Putty' has no Material"));
    mjData *data = mj_makeData(f.model);
    assert_null(pcm_mujoco_attach(f.context, config, f.model, data, NULL));
    mj_deleteData(data);
    pcm_config_release(config);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_are_those_of_the_model),
        cmocka_unit_test(ends_of_capsules_have_a_radius),
        cmocka_unit_test(custom_elements_say_more),
        cmocka_unit_test(empty_custom_elements_are_reported),
        cmocka_unit_test(materials_that_give_nothing_are_an_error_of_the_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
