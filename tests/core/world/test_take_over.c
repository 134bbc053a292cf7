/* SPDX-License-Identifier: MIT */
/* A running host loads its laws and values again, and its contacts continue. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RULES(limit, pushed)                                                                                           \
    "ContactType C = Spring { Limit=" limit "; };\nContactType P = Creep { Pushed=" pushed "; };\n"                    \
    "ObjectPair ground * \"spring*\" -> C;\nObjectPair ground * \"creep*\" -> P;\n"

typedef struct scene {
    pcm_world *world;
    pcm_object ground, spring, creep;
} scene;

static scene open_scene(pcm_world *world)
{
    return (scene){world, pcm_world_add_object(world, &PCM_OBJECT(.name = "ground", .fixed = true)),
                   pcm_world_add(world, "spring", NULL), pcm_world_add(world, "creep", NULL)};
}

/* One step, whose number seeds its motion. Creep's push is not given. */
static void step(const scene *s, uint64_t number)
{
    uint64_t seed = number;
    place(s->world, s->spring, 0, 0, 1, noise(&seed), noise(&seed), noise(&seed));
    place(s->world, s->creep, 0, 0, 1, noise(&seed), noise(&seed), noise(&seed));
    for (uint64_t feature = 0; feature < 8; feature++) {
        const pcm_object objects[] = {s->spring, s->creep};
        for (size_t i = 0; i < 2; i++)
            touch(s->world, s->ground, objects[i], feature, noise(&seed), noise(&seed), 0.01 + 0.005 * noise(&seed));
    }
    const pcm_status status = pcm_world_update(s->world, 1e-3 * (double)number, 1e-3);
    assert_true(status == PCM_OK || status == PCM_BAD_INPUT);
    assert_int_equal(pcm_world_commit(s->world), PCM_OK);
}

static void assert_same_wrenches(const scene *a, const scene *b)
{
    const pcm_object of_a[] = {a->ground, a->spring, a->creep}, of_b[] = {b->ground, b->spring, b->creep};
    for (size_t i = 0; i < 3; i++) {
        pcm_wrench one = wrench_of(a->world, of_a[i]), other = wrench_of(b->world, of_b[i]);
        assert_memory_equal(&one, &other, sizeof one);
    }
}

/* Installs a law as a compiler would: as a new file under the old name. */
static void install(const char *folder, const char *law, const char *from)
{
    char command[1024];
    (void)snprintf(command, sizeof command, "cp '%s/%s.so' '%s/new' && mv '%s/new' '%s/%s.so'", from, law, folder,
                   folder, folder, law);
    assert_int_equal(system(command), 0);
}

static const pcm_model *model_of(const fixture *f, const char *type)
{
    return pcm_type_get_info(pcm_config_type_find(f->config, type))->model;
}

static void a_changed_law_is_compiled_again(void **state)
{
    (void)state;
    char folder[] = "/tmp/take-overXXXXXX", path[2 * sizeof folder];
    assert_non_null(mkdtemp(folder));
    install(folder, "Creep", TEST_LAWS);
    install(folder, "Spring", TEST_LAWS);
    fixture before, after;
    fixture_open_with(&before, folder, RULES("1", "false"), NULL);
    const scene was = open_scene(before.world);
    for (uint64_t i = 0; i < 100; i++)
        step(&was, i);
    install(folder, "Creep", TEST_LAWS "/newer");
    fixture_open_with(&after, folder, RULES("1", "false"), NULL);
    const scene is = open_scene(after.world);
    assert_null(model_of(&before, "P")->version);
    assert_string_equal(model_of(&after, "P")->version, "2");
    assert_int_equal(pcm_world_take_over(is.world, was.world), PCM_OK);
    assert_int_equal(pcm_world_contact_count(is.world), 0); /* as after any restore */
    for (uint64_t i = 100; i < 200; i++) {
        step(&was, i); /* the old world continues unchanged */
        step(&is, i);
        assert_same_wrenches(&was, &is); /* the two versions compute the same */
    }
    assert_int_equal(pcm_world_contact_count(is.world), 16);
    assert_int_equal(after.messages + before.messages, 0);
    fixture_close(&before);
    fixture_close(&after);
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/%s.so", folder, i ? "Creep" : "Spring");
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* The spring lets go at the depth from the new values. */
static void values_change(void **state)
{
    (void)state;
    fixture before, after;
    fixture_open(&before, RULES("1", "false"), NULL);
    fixture_open(&after, RULES("0.001", "false"), NULL);
    const scene was = open_scene(before.world), is = open_scene(after.world);
    for (uint64_t i = 0; i < 10; i++)
        step(&was, i);
    assert_int_equal(pcm_world_take_over(is.world, was.world), PCM_OK);
    for (uint64_t i = 10; i < 12; i++) {
        step(&was, i);
        step(&is, i);
    }
    const pcm_wrench creep[] = {wrench_of(was.world, was.creep), wrench_of(is.world, is.creep)};
    const pcm_wrench spring[] = {wrench_of(was.world, was.spring), wrench_of(is.world, is.spring)};
    assert_memory_equal(&creep[0], &creep[1], sizeof creep[0]);
    assert_memory_not_equal(&spring[0], &spring[1], sizeof spring[0]);
    fixture_close(&before);
    fixture_close(&after);
}

static void try_other(const char *laws, const char *text, uint32_t code)
{
    fixture before, after;
    fixture_open(&before, RULES("1", "false"), NULL);
    fixture_open_with(&after, laws, text, NULL);
    const scene was = open_scene(before.world), is = open_scene(after.world);
    step(&was, 1);
    step(&is, 2);
    after.messages = 0;
    const pcm_wrench kept = wrench_of(is.world, is.creep);
    assert_int_equal(pcm_world_take_over(is.world, was.world), PCM_BAD_CHECKPOINT);
    assert_int_equal(fixture_said(&after, code), 1);
    const pcm_wrench left = wrench_of(is.world, is.creep);
    assert_memory_equal(&kept, &left, sizeof kept); /* nothing is lost */
    step(&was, 2);
    fixture_close(&before);
    fixture_close(&after);
}

static void checkpoints_of_other_files_are_refused(void **state)
{
    (void)state;
    try_other(TEST_LAWS "/renamed:" TEST_LAWS, RULES("1", "false"), 505);
    try_other(TEST_LAWS, RULES("1", "false") "ObjectPair ground * other -> C;", 502);
    fixture f;
    fixture_open(&f, RULES("1", "false"), NULL);
    assert_int_equal(pcm_world_take_over(f.world, f.world), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_take_over(f.world, NULL), PCM_BAD_ARGUMENT);
    fixture_close(&f);
}

/* Each allocation fails in turn: both worlds remain unchanged. */
static void without_memory_nothing_changes(void **state)
{
    (void)state;
    fixture before, after;
    fixture_open(&before, RULES("1", "false"), NULL);
    fixture_open(&after, RULES("1", "false"), NULL);
    const scene was = open_scene(before.world), is = open_scene(after.world);
    step(&was, 1);
    pcm_status status = PCM_NO_MEMORY;
    size_t     tries = 0;
    for (; status == PCM_NO_MEMORY && tries < 1000; tries++) {
        after.limit = after.allocations + tries + 1;
        status = pcm_world_take_over(is.world, was.world);
        after.limit = 0;
    }
    assert_int_equal(status, PCM_OK);
    assert_true(tries > 1);
    step(&was, 2);
    step(&is, 2);
    assert_same_wrenches(&was, &is);
    fixture_close(&before);
    fixture_close(&after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_law_is_compiled_again),
        cmocka_unit_test(values_change),
        cmocka_unit_test(checkpoints_of_other_files_are_refused),
        cmocka_unit_test(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
