/* SPDX-License-Identifier: MIT */
/* Each allocation of every call fails in turn, once or from there on: the call reports it and changes nothing, and when
 * it is called again it does the same as with enough memory. */
#include "fixture.h"
#include "../../support/budget.h"
#include <pcm/jacobian.h>
#include <pcm/messages.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char rules[] = "Let k = 2;"
                            "ContactType C = Brush { LogFile = \"memory.csv\"; Debug = true };"
                            "ContactType D = Spring;"
                            "Surface Ice = \"b*\";"
                            "ObjectPair \"a*\" * \"b?\" -> C; SurfacePair Ice * \"*\" -> D; DefaultPair -> D;";
static const char wrong[] = "ContactType C = Brush { Nothing = 1 }; ObjectPair a * b -> E; ContactType C = Brush;";

typedef struct scene {
    budget        memory;
    size_t        told; /* number of messages about missing memory */
    pcm_context  *context;
    pcm_config   *config;
    char         *layout;
    size_t        layout_length;
    pcm_world    *world;
    pcm_object    object[3];
    pcm_contact   contact[2];
    void         *saved;
    size_t        saved_size;
    pcm_matrices *matrices;
    pcm_wrench    wrench;
} scene;

static void listen(void *user, const pcm_diagnostic *diagnostic)
{
    ((scene *)user)->told += diagnostic->code == PCM_MSG_OUT_OF_MEMORY;
}

/* ---- The calls: each returns whether it succeeded --------------------------------------------------------------- */

static bool make_context(scene *s)
{
    pcm_context_def def = pcm_context_defaults();
    def.allocator = budget_allocator(&s->memory);
    def.sink = listen;
    def.sink_user = s;
    def.plugin_path = TEST_LAWS;
    def.flags = PCM_NO_DEFAULT_PATHS;
    return (s->context = pcm_context_new(&def)) != NULL;
}

static bool load_model(scene *s) { return pcm_model_load(s->context, "Brush") != NULL; }

static bool read_rules(scene *s)
{
    const char *const settings[] = {"k = 3"};
    pcm_config_def    def = pcm_config_defaults();
    def.name = "memory.pcm";
    def.text = rules;
    def.length = strlen(rules);
    def.settings = settings;
    def.n_settings = 1;
    return (s->config = pcm_config_open(s->context, &def)) != NULL;
}

/* These rules never give a configuration: only leaks are checked. */
static bool read_wrong_rules(scene *s)
{
    const size_t refused = s->memory.refused;
    assert_null(pcm_config_parse(s->context, "wrong.pcm", wrong, strlen(wrong)));
    return s->memory.refused == refused;
}

static bool lay_out(scene *s)
{
    return pcm_config_format(s->context, "memory.pcm", rules, strlen(rules), &s->layout, &s->layout_length) == PCM_OK;
}

static bool resolve(scene *s)
{
    size_t rule[4];
    bool   swapped[4];
    s->memory.calls = 0;
    assert_int_equal(pcm_config_resolve(s->config, "a1", "Snow", "b1", "", rule, swapped, 4), 3);
    assert_int_equal(rule[0], 0);
    assert_int_equal(pcm_config_resolve(s->config, "c", "Snow", "b1", "", rule, swapped, 4), 2);
    assert_true(rule[0] == 1 && swapped[0]);
    return true;
}

static bool make_world(scene *s)
{
    pcm_world_def def = pcm_world_defaults();
    def.log_directory = ".";
    def.ledger = true;
    def.threads = 2;
    return (s->world = pcm_world_new(s->config, &def)) != NULL;
}

static bool add_object(scene *s, size_t i, const char *name)
{
    return (s->object[i] = pcm_world_add(s->world, name, "Snow")).generation != 0;
}

static bool add_first(scene *s) { return add_object(s, 0, "a1"); }
static bool add_second(scene *s) { return add_object(s, 1, "b1"); }
static bool add_third(scene *s) { return add_object(s, 2, "c"); }

/* The next update reports that a touch was dropped. */
static bool begin(scene *s, size_t i, pcm_object a, pcm_object b)
{
    s->contact[i] = touch(s->world, a, b, 7, 0.1, 0.2, 0.01);
    if (s->contact[i].generation != 0)
        return true;
    s->memory.calls = SIZE_MAX;
    assert_int_equal(pcm_world_update(s->world, 0.001, 0.001), PCM_NO_MEMORY);
    return false;
}

static bool ask_type(scene *s)
{
    const pcm_type  *type;
    const pcm_status status = pcm_world_pair_type(s->world, s->object[0], s->object[2], &type, NULL);
    assert_true(status == PCM_OK ? type != NULL : status == PCM_NO_MEMORY && !type);
    return status == PCM_OK;
}

/* Without memory the answer is that there is no law for the pair; the next update reports the failure. */
static bool ask_pair(scene *s)
{
    if (pcm_world_pair(s->world, s->object[2], s->object[1], NULL))
        return true;
    s->memory.calls = SIZE_MAX;
    assert_int_equal(pcm_world_update(s->world, 0, 0), PCM_NO_MEMORY);
    return false;
}

static bool begin_first(scene *s) { return begin(s, 0, s->object[0], s->object[1]); }
static bool begin_second(scene *s) { return begin(s, 1, s->object[2], s->object[1]); }

static bool update(scene *s) { return pcm_world_update(s->world, 0.001, 0.001) == PCM_OK; }

static bool commit(scene *s) { return pcm_world_commit(s->world) == PCM_OK; }

static bool make_matrices(scene *s) { return (s->matrices = pcm_matrices_new(s->world)) != NULL; }

static bool measure_matrices(scene *s)
{
    pcm_contact_matrices matrices = {.size = sizeof matrices};
    return pcm_matrices_contact(s->matrices, s->contact[1], &matrices) == PCM_OK;
}

static bool size_checkpoint(scene *s) { return (s->saved_size = pcm_world_checkpoint_size(s->world)) > 0; }

static bool save_checkpoint(scene *s) { return pcm_world_checkpoint_save(s->world, s->saved, s->saved_size) == PCM_OK; }

static bool restore_checkpoint(scene *s)
{
    return pcm_world_checkpoint_restore(s->world, s->saved, s->saved_size) == PCM_OK;
}

static bool flush(scene *s) { return pcm_world_flush(s->world) == PCM_OK; }

static bool remove_object(scene *s)
{
    return pcm_world_remove(s->world, s->object[2]) == PCM_OK && (s->object[2].generation = 0) == 0;
}

/* ---- Failing memory --------------------------------------------------------------------------------------------- */

/* Makes each allocation fail in turn, until all calls succeed. */
static void starve(scene *s, bool (*call)(scene *))
{
    bool done = false;
    for (size_t calls = 0; !done; calls++) {
        assert_in_range(calls, 0, 1000);
        s->memory.calls = calls;
        s->memory.refused = s->told = 0;
        done = call(s);
        assert_int_equal(s->memory.refused > 0, !done);
        assert_true(done || s->told > 0);
        s->memory.calls = SIZE_MAX;
    }
}

/* All calls of a host from its start to its end. */
static void live(scene *s)
{
    static bool (*const before[])(scene *) = {
        make_context, load_model, read_rules,    read_wrong_rules, lay_out,     resolve,     make_world,
        add_first,    add_second, add_third,     ask_type,         ask_pair,    begin_first, begin_second,
        update,       commit,     make_matrices, measure_matrices, begin_first, update,      size_checkpoint};
    static bool (*const after[])(scene *) = {save_checkpoint, commit, restore_checkpoint, begin_first, update,
                                             commit,          flush,  remove_object,      begin_first, update};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        starve(s, before[i]);
    s->saved = malloc(s->saved_size);
    assert_non_null(s->saved);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        starve(s, after[i]);
    s->wrench = wrench_of(s->world, s->object[1]);
}

static void end(scene *s)
{
    pcm_matrices_free(s->matrices);
    pcm_world_free(s->world);
    pcm_free(s->context, s->layout, s->layout_length + 1);
    pcm_config_release(s->config);
    pcm_context_free(s->context);
    free(s->saved);
    assert_int_equal(s->memory.bytes, 0);
    assert_int_equal(unlink("memory.csv"), 0);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    pcm_wrench wrench[2];
    for (int once = 0; once < 2; once++) {
        scene s = {.memory = {.calls = SIZE_MAX, .once = once}};
        live(&s);
        wrench[once] = s.wrench;
        end(&s);
    }
    assert_true(wrench[0].force[2] != 0);
    assert_memory_equal(&wrench[0], &wrench[1], sizeof *wrench);
}

/* When two materials first touch, their contact type is made. If memory runs out the next update says so, and the pair
 * gets its law later. */
static void a_dropped_touch_is_reported_by_the_update(void **state)
{
    (void)state;
    static const char materials[] = "ContactType Grain = Hertz + Mindlin; SurfacePair \"*\" * \"*\" -> Grain;"
                                    "Material Steel { YoungModulus = 210 [GPa]; PoissonRatio = 0.3; Friction = 0.4; }"
                                    "Material Rubber { YoungModulus = 5 [MPa]; PoissonRatio = 0.5; Friction = 0.9; }";
    scene             s = {.memory = {.calls = SIZE_MAX, .once = true}};
    assert_true(make_context(&s));
    s.config = pcm_config_parse(s.context, "materials.pcm", materials, strlen(materials));
    assert_non_null(s.config);
    s.world = pcm_world_new(s.config, NULL);
    s.object[0] = pcm_world_add_object(s.world, &PCM_OBJECT(.name = "a", .surface = "Steel", .radius = 1));
    s.object[1] = pcm_world_add_object(s.world, &PCM_OBJECT(.name = "b", .surface = "Rubber", .radius = 1));
    size_t dropped = 0;
    for (bool made = false; !made; dropped += !made) {
        s.memory.calls = dropped;
        made = begin_first(&s);
    }
    s.memory.calls = SIZE_MAX;
    assert_true(update(&s));
    assert_true(dropped > 3 && wrench_of(s.world, s.object[1]).force[2] > 0);
    pcm_world_free(s.world);
    pcm_config_release(s.config);
    pcm_context_free(s.context);
    assert_int_equal(s.memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail),
                                       cmocka_unit_test(a_dropped_touch_is_reported_by_the_update)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
