/* SPDX-License-Identifier: MIT */
/* Checkpoints of version 5 that are kept as bytes: a world that restores one goes on, with the same bits, as a world of
 * today that has made the same steps. With PCM_KEEP_CHECKPOINTS=FOLDER in the environment it writes them there: for a
 * new version of the layout, beside those of the old ones. */
#include "law.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE = 12, AFTER = 8, OBJECTS = 4, FEATURES = 6 };

typedef struct kept {
    const char *file, *rules;
    bool        ledger;
} kept;

#define SPRING "ContactType S = Kept { Stiffness = 200; }; ObjectPair Ground * \"S*\" -> S;\n"
#define ONSET  "ContactType O = KeptOnset { Stiffness = 50; Gap = 0.25; }; ObjectPair Ground * \"O*\" -> O;\n"

static const kept checkpoints[] = {
    {"spring-5.checkpoint", SPRING, false},      /* states, frames, host inputs */
    {"onset-5.checkpoint", ONSET, false},        /* broken features, objects that are new */
    {"ledger-5.checkpoint", SPRING ONSET, true}, /* two types, with the ledger of each contact */
};

typedef struct scene {
    pcm_context *context;
    pcm_config  *config;
    pcm_world   *world;
    pcm_object   ground, object[OBJECTS];
} scene;

static scene open_scene(const kept *k)
{
    static const char *const names[OBJECTS] = {"S1", "O1", "S2", "O2"};
    pcm_context_def          def = pcm_context_defaults();
    pcm_world_def            world = pcm_world_defaults();
    def.plugin_path = BUILT_PLUGINS;
    def.flags = PCM_NO_DEFAULT_PATHS;
    world.ledger = k->ledger;
    scene s = {.context = pcm_context_new(&def)};
    s.config = pcm_config_parse(s.context, k->file, k->rules, strlen(k->rules));
    s.world = pcm_world_new(s.config, &world);
    assert_non_null(s.world);
    s.ground = pcm_world_add_object(s.world, &PCM_OBJECT(.name = "Ground", .fixed = true));
    for (size_t i = 0; i < OBJECTS; i++)
        s.object[i] = pcm_world_add(s.world, names[i], "Skin");
    return s;
}

static void close_scene(scene *s)
{
    pcm_world_free(s->world);
    pcm_config_release(s->config);
    pcm_context_free(s->context);
}

/* The number of a step seeds its motion. Contacts begin, end and break; the last object is new in every sixth step. */
static void step(scene *s, int number)
{
    uint64_t seed = (uint64_t)number;
    for (size_t i = 0; i < OBJECTS; i++) {
        const pcm_pose  pose = {.position = {noise(&seed), noise(&seed), 1}, .orientation = {1}};
        const pcm_twist twist = {.angular = {noise(&seed), 0, noise(&seed)}, .linear = {noise(&seed), 0, noise(&seed)}};
        assert_int_equal(pcm_world_move(s->world, s->object[i], &pose, &twist), PCM_OK);
        for (uint64_t feature = 0; feature < FEATURES; feature++) {
            const pcm_touch   touch = {.feature = feature,
                                       .point = {noise(&seed), noise(&seed)},
                                       .normal = {0, 0, 1},
                                       .depth = 0.5 * noise(&seed)};
            const pcm_contact contact = pcm_world_touch(s->world, s->ground, s->object[i], &touch, sizeof touch);
            if (contact.generation)
                assert_int_equal(pcm_world_set_input(s->world, contact, 0, noise(&seed)), PCM_OK);
        }
    }
    assert_int_equal(pcm_world_update(s->world, 0.125 * number, 0.125), PCM_OK);
    assert_int_equal(pcm_world_commit(s->world), PCM_OK);
    if (number % 6 == 0)
        assert_int_equal(pcm_world_renew(s->world, s->object[OBJECTS - 1]), PCM_OK);
}

static void write_file(const char *folder, const kept *k, scene *s)
{
    char         path[1024];
    const size_t size = pcm_world_checkpoint_size(s->world);
    void        *bytes = malloc(size);
    (void)snprintf(path, sizeof path, "%s/%s", folder, k->file);
    FILE *file = fopen(path, "wb");
    assert_true(file && bytes);
    assert_int_equal(pcm_world_checkpoint_save(s->world, bytes, size), PCM_OK);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

static void restore_file(const kept *k, scene *s)
{
    static char bytes[65536];
    char        path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", KEPT_PLUGINS, k->file);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(pcm_world_checkpoint_restore(s->world, bytes, size), PCM_OK);
}

static double dissipated(const scene *s, size_t type)
{
    pcm_ledger ledger = {.size = sizeof ledger};
    assert_int_equal(pcm_world_type_ledger(s->world, pcm_config_type_at(s->config, type), &ledger), PCM_OK);
    return ledger.dissipated;
}

/* `more`, J, is what a has dissipated of each type beyond b: the sums of then lack what ended contacts stored. */
static void assert_same(const scene *a, const scene *b, const double *more)
{
    assert_int_equal(pcm_world_contact_count(a->world), pcm_world_contact_count(b->world));
    for (size_t i = 0; i < OBJECTS; i++) {
        pcm_wrench at_a, at_b;
        assert_int_equal(pcm_world_wrench(a->world, a->object[i], &at_a), PCM_OK);
        assert_int_equal(pcm_world_wrench(b->world, b->object[i], &at_b), PCM_OK);
        assert_memory_equal(&at_a, &at_b, sizeof at_a);
    }
    for (size_t i = 0; i < pcm_config_type_count(a->config); i++) {
        pcm_ledger of_a = {.size = sizeof of_a}, of_b = {.size = sizeof of_b};
        assert_int_equal(pcm_world_type_ledger(a->world, pcm_config_type_at(a->config, i), &of_a), PCM_OK);
        assert_int_equal(pcm_world_type_ledger(b->world, pcm_config_type_at(b->config, i), &of_b), PCM_OK);
        assert_true(of_a.work == of_b.work && of_a.stored == of_b.stored && of_a.brought == of_b.brought);
        assert_true(near(of_a.dissipated, of_b.dissipated + more[i], 0, 1e-12));
    }
}

static void worlds_go_on_from_checkpoints_of_then(void **state)
{
    const char *folder = getenv("PCM_KEEP_CHECKPOINTS");
    (void)state;
    for (size_t i = 0; i < sizeof checkpoints / sizeof *checkpoints; i++) {
        const kept *k = &checkpoints[i];
        scene       whole = open_scene(k), resumed = open_scene(k);
        for (int n = 1; n <= BEFORE; n++)
            step(&whole, n);
        assert_true(pcm_world_contact_count(whole.world) >= 4);
        if (folder)
            write_file(folder, k, &whole);
        restore_file(k, &resumed);
        double more[2];
        for (size_t type = 0; type < pcm_config_type_count(whole.config); type++)
            more[type] = dissipated(&whole, type) - dissipated(&resumed, type);
        for (int n = BEFORE + 1; n <= BEFORE + AFTER; n++) {
            step(&whole, n);
            step(&resumed, n);
            assert_same(&whole, &resumed, more);
        }
        close_scene(&whole);
        close_scene(&resumed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(worlds_go_on_from_checkpoints_of_then)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
