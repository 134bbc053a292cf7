/* SPDX-License-Identifier: MIT */
/* A parameter that a program sets in a world acts with the bits of a file that gives it, passes the same checks, and
 * goes with checkpoints. */
#include "fixture.h"
#include <pcm/jacobian.h>
#include <pcm/messages.h>
#include <pcm/setting.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILE_WITH(friction, of_material, stiffness)                                                                    \
    "ContactType Grain = Hertz + Mindlin { " friction " }; "                                                           \
    "ContactType Foot = CompliantGround { Friction = 0.8; Stiffness = " stiffness "; }; "                              \
    "Material Steel { YoungModulus = 2 [MPa]; PoissonRatio = 0.3; " of_material " } "                                  \
    "Material Rubber { YoungModulus = 5 [MPa]; PoissonRatio = 0.49; " of_material " } "                                \
    "SurfacePair Steel * Rubber -> Grain; ObjectPair floor * foot -> Foot;"
#define PLAIN FILE_WITH("", "Friction = 0.6;", "1e5")

typedef struct scene {
    pcm_world *world;
    pcm_object floor, ball, foot;
} scene;

static scene scene_of(pcm_world *world)
{
    scene s = {.world = world};
    s.floor = pcm_world_add_object(world, &PCM_OBJECT(.name = "floor", .surface = "Steel", .fixed = true));
    s.ball = pcm_world_add_object(world, &PCM_OBJECT(.name = "ball", .surface = "Rubber", .radius = 0.02));
    s.foot = pcm_world_add_object(world, &PCM_OBJECT(.name = "foot", .radius = 0.02));
    return s;
}

/* A step in which both objects slide and bounce, known by its number. */
static void step(const scene *s, int number)
{
    const double t = 1e-3 * number, depth = 1e-3 * (1.2 + sin(40 * t));
    place(s->world, s->ball, 0, 0, 0.02 - depth, 0.3 * cos(30 * t), 0.1, -0.04 * cos(40 * t));
    place(s->world, s->foot, 1, 0, 0.02 - depth, 0.3 * cos(20 * t), 0.2, -0.04 * cos(40 * t));
    touch(s->world, s->floor, s->ball, 0, 0, 0, depth);
    touch(s->world, s->floor, s->foot, 0, 1, 0, depth);
    assert_int_equal(pcm_world_update(s->world, t, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_commit(s->world), PCM_OK);
}

static void assert_same_forces(const scene *a, const scene *b)
{
    const pcm_object objects[2][2] = {{a->ball, a->foot}, {b->ball, b->foot}};
    for (size_t i = 0; i < 2; i++) {
        const pcm_wrench one = wrench_of(a->world, objects[0][i]), other = wrench_of(b->world, objects[1][i]);
        assert_memory_equal(&one, &other, sizeof one);
        assert_true(isfinite(one.force[0]) && isfinite(one.force[2]));
    }
}

static void assert_differ(const scene *a, const scene *b)
{
    const pcm_wrench one = wrench_of(a->world, a->ball), other = wrench_of(b->world, b->ball);
    assert_true(one.force[0] != other.force[0]);
}

static void set_all(const scene *s)
{
    assert_int_equal(pcm_world_set(s->world, "Grain.Mindlin.Friction", 0.25), PCM_OK);
    assert_int_equal(pcm_world_set(s->world, "Foot.Stiffness", 3e4), PCM_OK);
    assert_int_equal(pcm_world_set(s->world, "Foot.Friction", 0.2), PCM_OK);
}

/* A setting of a configuration names a part's parameter with or without the part, whichever the file has written. */
static void a_setting_names_a_part(void **state)
{
    (void)state;
    static const char *const texts[] = {FILE_WITH("Friction = 0.4;", "", "1e5"),
                                        FILE_WITH("Mindlin.Friction = 0.4;", "", "1e5")};
    static const char *const settings[] = {"Grain.Friction = 0.25", "Grain.Mindlin.Friction = 0.25"};
    fixture                  f;
    fixture_open_with(&f, TEST_PLUGINS, PLAIN, NULL);
    for (int i = 0; i < 4; i++) {
        pcm_config_def def = pcm_config_defaults();
        def.name = "test.pcm";
        def.text = texts[i / 2];
        def.length = strlen(def.text);
        def.settings = &settings[i % 2];
        def.n_settings = 1;
        pcm_config *config = pcm_config_open(f.context, &def);
        assert_non_null(config);
        double friction = 0;
        assert_true(pcm_type_friction(pcm_config_type_find(config, "Grain"), &friction));
        assert_true(friction == 0.25);
        pcm_config_release(config);
    }
    fixture_close(&f);
}

static void a_set_number_gives_the_bits_of_a_file(void **state)
{
    (void)state;
    fixture f, g;
    fixture_open_with(&f, TEST_PLUGINS, PLAIN, NULL);
    fixture_open_with(&g, TEST_PLUGINS, FILE_WITH("Friction = 0.25;", "", "3e4"), NULL);
    pcm_world *const written = pcm_world_new(g.config, NULL);
    const scene      set = scene_of(f.world), plain = scene_of(pcm_world_new(f.config, NULL)), file = scene_of(written);
    assert_int_equal(pcm_world_set(file.world, "Foot.Friction", 0.2), PCM_OK);
    set_all(&set);
    for (int i = 1; i < 200; i++) {
        step(&set, i);
        step(&plain, i);
        step(&file, i);
        assert_same_forces(&set, &file);
    }
    assert_differ(&set, &plain);
    assert_int_equal(f.messages + g.messages, 0);
    pcm_world_free(plain.world);
    pcm_world_free(written);
    fixture_close(&f);
    fixture_close(&g);
}

/* The contacts of a running world go on in one whose file has the numbers. */
static void contacts_go_on_with_the_set_number(void **state)
{
    (void)state;
    fixture f, g;
    fixture_open_with(&f, TEST_PLUGINS, PLAIN, NULL);
    fixture_open_with(&g, TEST_PLUGINS, FILE_WITH("Friction = 0.25;", "", "3e4"), NULL);
    const scene set = scene_of(f.world), file = scene_of(g.world);
    for (int i = 1; i < 100; i++)
        step(&set, i);
    assert_int_equal(pcm_world_take_over(file.world, set.world), PCM_OK);
    assert_int_equal(pcm_world_set(set.world, "Grain.Friction", 0.25), PCM_OK);
    assert_int_equal(pcm_world_set(set.world, "Foot.Stiffness", 3e4), PCM_OK);
    for (int i = 100; i < 200; i++) {
        step(&set, i);
        step(&file, i);
        assert_same_forces(&set, &file);
    }
    fixture_close(&f);
    fixture_close(&g);
}

static void *save(pcm_world *world, size_t *size)
{
    *size = pcm_world_checkpoint_size(world);
    void *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(pcm_world_checkpoint_save(world, bytes, *size), PCM_OK);
    return bytes;
}

static void a_checkpoint_has_what_was_set(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, PLAIN, NULL);
    const scene set = scene_of(f.world), other = scene_of(pcm_world_new(f.config, NULL));
    size_t      birth_size, size;
    void       *birth = save(set.world, &birth_size);
    assert_int_equal(pcm_world_set(other.world, "Foot.Friction", 0.5), PCM_OK); /* gone with the restore */
    for (int i = 1; i < 50; i++)
        step(&set, i);
    set_all(&set);
    for (int i = 50; i < 100; i++)
        step(&set, i);
    void *bytes = save(set.world, &size);
    assert_int_equal(pcm_world_checkpoint_restore(other.world, bytes, size), PCM_OK);
    assert_int_equal(pcm_world_setting_count(other.world), 3);
    for (size_t i = 0; i < 3; i++) {
        const pcm_world_setting one = pcm_world_setting_at(set.world, i), two = pcm_world_setting_at(other.world, i);
        assert_memory_equal(&one, &two, sizeof one);
    }
    assert_true(pcm_world_setting_at(other.world, 1).value == 3e4);
    for (int i = 100; i < 150; i++) {
        step(&set, i);
        step(&other, i);
        assert_same_forces(&set, &other);
    }
    assert_int_equal(pcm_world_checkpoint_restore(other.world, birth, birth_size), PCM_OK);
    assert_int_equal(pcm_world_setting_count(other.world), 0);
    pcm_world_free(other.world);
    free(birth);
    free(bytes);
    fixture_close(&f);
}

/* Between materials that meet later, too. */
static void new_pairs_have_the_set_number(void **state)
{
    (void)state;
    fixture f, g;
    fixture_open_with(&f, TEST_PLUGINS, PLAIN, NULL);
    fixture_open_with(&g, TEST_PLUGINS, FILE_WITH("ReducedModulus = 1e6;", "Friction = 0.6;", "1e5"), NULL);
    const scene set = scene_of(f.world), file = scene_of(g.world);
    assert_int_equal(pcm_world_set(set.world, "Grain.ReducedModulus", 1e6), PCM_OK);
    step(&set, 1);
    step(&file, 1);
    assert_same_forces(&set, &file);
    fixture_close(&f);
    fixture_close(&g);
}

static void matrices_follow(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, PLAIN, NULL);
    const scene   s = scene_of(f.world);
    pcm_matrices *matrices = pcm_matrices_new(s.world);
    double        stiffness[3];
    step(&s, 1);
    for (size_t i = 0; i < 3; i++) {
        pcm_contact_matrices m[2] = {{.size = sizeof *m}, {.size = sizeof *m}};
        assert_int_equal(pcm_matrices_list(matrices, 0, 2, m, sizeof *m), PCM_OK);
        stiffness[i] = m[0].stiffness[35];
        assert_int_equal(pcm_world_set(s.world, "Foot.Stiffness", 2e5 * (double)(i + 1)), PCM_OK);
        step(&s, 1);
    }
    /* It grows linearly with the parameter: by 1e5, then by 2e5. */
    assert_true(stiffness[1] > stiffness[0]);
    assert_near(stiffness[2] - stiffness[1], 2 * (stiffness[1] - stiffness[0]), 1e-6 * stiffness[2]);
    pcm_matrices_free(matrices);
    fixture_close(&f);
}

static void assert_refused(fixture *f, const char *name, double value, uint32_t code)
{
    const size_t before = f->messages;
    assert_int_equal(pcm_world_set(f->world, name, value), PCM_BAD_ARGUMENT);
    assert_true(f->messages > before);
    assert_int_equal(f->code[before], code);
    assert_int_equal(pcm_world_setting_count(f->world), 0);
}

static void wrong_settings_change_nothing(void **state)
{
    (void)state;
    fixture f, g;
    fixture_open_with(&f, TEST_PLUGINS, PLAIN, NULL);
    fixture_open_with(&g, TEST_PLUGINS, PLAIN, NULL);
    const scene set = scene_of(f.world), plain = scene_of(g.world);
    assert_refused(&f, "Food.Friction", 1, PCM_MSG_UNKNOWN_PARAMETER);
    assert_non_null(strstr(f.text[f.messages - 1], "did you mean 'Foot'?"));
    assert_refused(&f, "Foot.Frction", 1, PCM_MSG_UNKNOWN_PARAMETER);
    assert_non_null(strstr(f.text[f.messages - 1], "did you mean 'Friction'?"));
    assert_refused(&f, "Foot", 1, PCM_MSG_UNKNOWN_PARAMETER);
    assert_refused(&f, "Foot.LogFile", 1, PCM_MSG_UNKNOWN_PARAMETER);
    assert_refused(&f, "Foot.Friction", -1, PCM_MSG_OUT_OF_RANGE);
    assert_refused(&f, "Foot.Friction", NAN, PCM_MSG_VALUE_NOT_FINITE);
    assert_refused(&f, "Foot.Friction", INFINITY, PCM_MSG_VALUE_NOT_FINITE);
    assert_int_equal(pcm_world_set(f.world, NULL, 1), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_set_value(f.world, NULL, 0, 1), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_set_value(f.world, pcm_config_type_at(g.config, 0), 0, 1), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_set_value(f.world, pcm_config_type_at(f.config, 0), 1000, 1), PCM_BAD_ARGUMENT);
    for (int i = 1; i < 20; i++) {
        step(&set, i);
        step(&plain, i);
        assert_same_forces(&set, &plain);
    }
    fixture_close(&f);
    fixture_close(&g);
}

/* After an update the round begins again, as by a touch. */
static void an_update_is_dropped(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, PLAIN, NULL);
    const scene s = scene_of(f.world);
    step(&s, 1);
    touch(s.world, s.floor, s.foot, 0, 1, 0, 1e-3);
    assert_int_equal(pcm_world_update(s.world, 2e-3, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_set(s.world, "Foot.Friction", 0.1), PCM_OK);
    assert_int_equal(pcm_world_commit(s.world), PCM_BAD_ORDER);
    step(&s, 2);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_number_gives_the_bits_of_a_file),
        cmocka_unit_test(contacts_go_on_with_the_set_number),
        cmocka_unit_test(a_checkpoint_has_what_was_set),
        cmocka_unit_test(new_pairs_have_the_set_number),
        cmocka_unit_test(matrices_follow),
        cmocka_unit_test(a_setting_names_a_part),
        cmocka_unit_test(wrong_settings_change_nothing),
        cmocka_unit_test(an_update_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
