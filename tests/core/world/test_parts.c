/* SPDX-License-Identifier: MIT */
/* A law assembled from parts gives the same as the law written by hand, to the last bit. Checkpoints, events, derived
 * values, Jacobians and messages treat it as one law. Elastic + Drag + Roll equals Whole. */
#include "fixture.h"
#include <pcm/jacobian.h>
#include <pcm/messages.h>

#include <stdio.h>
#include <stdlib.h>

#define PARTS                                                                                                          \
    "Elastic + Drag + Roll { Sticky = 0.2; Drag.Stiffness = 3 [kN/m]; Roll.Friction = 0.03; Drag.Friction = 0.4; }"
#define WHOLE "Whole { Sticky = 0.2; DragStiffness = 3 [kN/m]; RollFriction = 0.03; Friction = 0.4; }"
#define RULE  "; DefaultPair -> T;"

enum { OBJECTS = 40, STEPS = 60, FEATURES = 8 };

typedef struct scene {
    fixture    f;
    pcm_object ground, object[OBJECTS];
} scene;

static void add_objects(scene *s)
{
    char name[16];
    s->ground = pcm_world_add(s->f.world, "ground", NULL);
    for (size_t i = 0; i < OBJECTS; i++) {
        snprintf(name, sizeof name, "ball%zu", i);
        s->object[i] = pcm_world_add(s->f.world, name, NULL);
    }
}

static void open_scene(scene *s, const char *law, const pcm_world_def *def)
{
    char text[512];
    snprintf(text, sizeof text, "ContactType T = %s" RULE, law);
    fixture_open(&s->f, text, def);
    add_objects(s);
}

static void step(scene *s, uint64_t number)
{
    uint64_t seed = number;
    for (size_t i = 0; i < OBJECTS; i++) {
        const pcm_pose  pose = {{noise(&seed), noise(&seed), 0.1}, {1, 0, 0, 0}};
        const pcm_twist twist = {{noise(&seed), noise(&seed), noise(&seed)},
                                 {noise(&seed), noise(&seed), noise(&seed)}};
        assert_int_equal(pcm_world_move(s->f.world, s->object[i], &pose, &twist), PCM_OK);
        for (uint64_t feature = 0; feature < FEATURES; feature++)
            touch(s->f.world, s->ground, s->object[i], feature, noise(&seed), noise(&seed),
                  0.002 * noise(&seed) + 0.001);
    }
    assert_int_equal(pcm_world_update(s->f.world, 1e-3 * (double)number, 1e-3), PCM_OK);
}

static void assert_same_wrenches(scene *a, scene *b)
{
    for (size_t i = 0; i < OBJECTS; i++) {
        const pcm_wrench wa = wrench_of(a->f.world, a->object[i]), wb = wrench_of(b->f.world, b->object[i]);
        assert_memory_equal(&wa, &wb, sizeof wa);
    }
}

static void assert_same_contacts(scene *a, scene *b)
{
    assert_int_equal(pcm_world_contact_count(a->f.world), pcm_world_contact_count(b->f.world));
    for (size_t i = 0; i < pcm_world_contact_count(a->f.world); i++) {
        pcm_contact_info ca = {.size = sizeof ca}, cb = {.size = sizeof cb};
        assert_int_equal(pcm_world_contact_at(a->f.world, i, &ca), PCM_OK);
        assert_int_equal(pcm_world_contact_at(b->f.world, i, &cb), PCM_OK);
        assert_memory_equal(ca.state, cb.state, 2 * sizeof(double));
        assert_memory_equal(ca.event, cb.event, sizeof(double));
        assert_memory_equal(ca.moment, cb.moment, sizeof ca.moment);
        assert_memory_equal(&ca.energy, &cb.energy, sizeof(double));
        assert_int_equal(ca.mode, cb.mode);
    }
}

static void parts_give_the_bits_of_the_whole(void **state)
{
    (void)state;
    pcm_world_def tasks = pcm_world_defaults();
    tasks.threads = 2;
    for (uint32_t isa = PCM_ISA_PLAIN; isa <= PCM_ISA_AVX512; isa++) {
        scene a, b;
        tasks.isa = isa;
        open_scene(&a, PARTS, &tasks);
        open_scene(&b, WHOLE, NULL);
        for (uint64_t n = 1; n <= STEPS; n++) {
            step(&a, n);
            step(&b, n);
            assert_same_wrenches(&a, &b);
            assert_same_contacts(&a, &b);
            assert_int_equal(pcm_world_commit(a.f.world), PCM_OK);
            assert_int_equal(pcm_world_commit(b.f.world), PCM_OK);
        }
        fixture_close(&a.f);
        fixture_close(&b.f);
    }
}

/* Contact types as parts, with their values: alone, as a sum, and with a value of the whole instead. */
static const char *const assembled[] = {
    "ContactType E = Elastic { Sticky = 0.2; }; ContactType D = Drag { Stiffness = 3 [kN/m]; Friction = 0.4; };"
    "ContactType R = Roll { Friction = 0.03; }; ContactType T = E + D + R; DefaultPair -> T;",
    "ContactType T = ED + Roll { Roll.Friction = 0.03; }; DefaultPair -> T;"
    "ContactType ED = Elastic + Drag { Sticky = 0.2; Drag.Stiffness = 3 [kN/m]; Friction = 0.4; };",
    "ContactType ED = Elastic + Drag { Sticky = 0.2; Drag.Stiffness = 1 [N/m]; Friction = 0.4; };"
    "ContactType R = Roll; ContactType T = ED + R { Drag.Stiffness = 3 [kN/m]; Roll.Friction = 0.03; };"
    "DefaultPair -> T;",
};

static void contact_types_are_parts_with_their_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof assembled / sizeof *assembled; k++) {
        scene a, b;
        open_scene(&a, PARTS, NULL);
        fixture_open(&b.f, assembled[k], NULL);
        add_objects(&b);
        for (uint64_t n = 1; n <= 10; n++) {
            step(&a, n);
            step(&b, n);
            assert_same_wrenches(&a, &b);
            assert_int_equal(pcm_world_commit(a.f.world), PCM_OK);
            assert_int_equal(pcm_world_commit(b.f.world), PCM_OK);
        }
        fixture_close(&a.f);
        fixture_close(&b.f);
    }
}

static void a_part_jumps_at_its_own_event(void **state)
{
    (void)state;
    scene a;
    open_scene(&a, PARTS, NULL);
    step(&a, 1);
    assert_int_equal(pcm_world_commit(a.f.world), PCM_OK);
    pcm_contact_info before = {.size = sizeof before}, after = {.size = sizeof after};
    assert_int_equal(pcm_world_contact_at(a.f.world, 3, &before), PCM_OK);
    const pcm_contact c = before.handle;
    step(&a, 2);
    assert_int_equal(pcm_world_contact_info(a.f.world, c, &before), PCM_OK);
    const double stretch = before.state[0];
    assert_int_equal(pcm_world_commit(a.f.world), PCM_OK);
    assert_int_equal(pcm_world_jump(a.f.world, c, 0), PCM_OK);
    for (size_t i = 0; i < OBJECTS; i++)
        place(a.f.world, a.object[i], 0, 0, 0.1, 0, 0, 0);
    for (size_t i = 0; i < OBJECTS; i++)
        for (uint64_t feature = 0; feature < FEATURES; feature++)
            touch(a.f.world, a.ground, a.object[i], feature, 0, 0, 0.1);
    assert_int_equal(pcm_world_update(a.f.world, 0.002, 0), PCM_OK);
    assert_int_equal(pcm_world_contact_info(a.f.world, c, &after), PCM_OK);
    assert_true(after.state[0] == -stretch && stretch != 0);
    fixture_close(&a.f);
}

static void a_checkpoint_goes_on_bit_for_bit(void **state)
{
    (void)state;
    scene a, b;
    open_scene(&a, PARTS, NULL);
    open_scene(&b, PARTS, NULL);
    for (uint64_t n = 1; n <= 5; n++) {
        step(&a, n);
        assert_int_equal(pcm_world_commit(a.f.world), PCM_OK);
    }
    const size_t size = pcm_world_checkpoint_size(a.f.world);
    void        *bytes = malloc(size);
    assert_int_equal(pcm_world_checkpoint_save(a.f.world, bytes, size), PCM_OK);
    assert_int_equal(pcm_world_checkpoint_restore(b.f.world, bytes, size), PCM_OK);
    free(bytes);
    step(&a, 6);
    step(&b, 6);
    assert_same_wrenches(&a, &b);
    fixture_close(&a.f);
    fixture_close(&b.f);
}

static void names_and_values_are_those_of_the_parts(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType T = " PARTS RULE, NULL);
    const pcm_type      *type = pcm_config_type_at(f.config, 0);
    const pcm_type_info *info = pcm_type_get_info(type);
    static const char   *names[] = {"Elastic.Stiffness", "Sticky", "Drag.Stiffness", "Drag.Friction", "Roll.Friction"};
    const double         values[] = {1e4, 0.2, 3e3, 0.4, 0.03};
    assert_string_equal(info->model->name, "Elastic + Drag + Roll");
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(pcm_type_value_at(type, i).param->name, names[i]);
        assert_true(pcm_type_value_at(type, i).number == values[i]);
    }
    assert_true(pcm_type_derived(type, 0, &(pcm_load){.size = sizeof(pcm_load), .force = 5}) == 5 / 1e4);
    assert_true(pcm_type_derived(type, 1, &(pcm_load){.size = sizeof(pcm_load), .force = 5}) !=
                pcm_type_derived(type, 1, &(pcm_load){.size = sizeof(pcm_load), .force = 5}));
    fixture_close(&f);
}

/* While it slips, d force_x / d depth is friction times stiffness times the direction: depth acts through the load. */
static void jacobians_go_through_the_load(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType T = " PARTS RULE, NULL);
    const pcm_type   *type = pcm_config_type_at(f.config, 0);
    const pcm_partial wanted[] = {{PCM_OUTPUT_FORCE_X, PCM_WRT_DEPTH}, {PCM_OUTPUT_FORCE_X, PCM_WRT_PARAM + 3}};
    pcm_jacobian     *jacobian = pcm_jacobian_new(type, wanted, 2, 0);
    const double      depth = 1e-3, zero = 0, stretch = 1;
    const double     *states[] = {&stretch, &zero};
    double            by_depth, by_friction, *values[] = {&by_depth, &by_friction};
    const pcm_batch   batch = {.size = sizeof batch,
                               .count = 1,
                               .depth = &depth,
                               .slip_x = &zero,
                               .slip_y = &zero,
                               .spin_x = &zero,
                               .spin_y = &zero,
                               .spin_n = &zero,
                               .state = states};
    assert_non_null(jacobian);
    pcm_jacobian_evaluate(jacobian, &batch, values, NULL);
    assert_near(by_depth, -0.4 * 1e4, 1e-3);
    assert_near(by_friction, -(1e4 * 1e-3 + 2 * 0.2), 1e-6);
    pcm_jacobian_free(jacobian);
    fixture_close(&f);
}

typedef struct refusal {
    const char *text;
    uint32_t    code;
    const char *says; /* a part of the message */
} refusal;

static const refusal refusals[] = {
    {"ContactType T = Drag; DefaultPair -> T;", PCM_MSG_PARTS, "'T' is not a whole law: Drag reads the normal load"},
    {"ContactType T = Drag + Elastic; DefaultPair -> T;", PCM_MSG_PARTS,
     "Drag reads the normal load of an earlier part"},
    {"ContactType T = Spring + Roll; DefaultPair -> T;", PCM_MSG_PARTS,
     "Roll reads the contact radius, which no earlier"},
    {"ContactType T = Elastic + Elastic; DefaultPair -> T;", PCM_MSG_PARTS, "Elastic is listed twice"},
    {"ContactType E = Elastic; ContactType T = E + Elastic; DefaultPair -> T;", PCM_MSG_PARTS,
     "Elastic is listed twice"},
    {"ContactType T = Elastic + U; ContactType U = T + Drag; DefaultPair -> T;", PCM_MSG_CYCLE,
     "'T' is made from itself"},
    {"ContactType T = Elastic + Corner; DefaultPair -> T;", PCM_MSG_PARTS,
     "Corner gives its force along the base's axes"},
    {"ContactType T = Elastic + Dragg; DefaultPair -> T;", PCM_MSG_UNKNOWN_MODEL, "did you mean 'Drag'"},
    {"ContactType T = Elastic + Drag { Stiffness = 1; }; DefaultPair -> T;", PCM_MSG_UNKNOWN_PARAMETER, "Stiffness"},
    {"ContactType T = Elastic + Drag { Drag.Friction = 10; }; DefaultPair -> T;", PCM_MSG_PARAMETERS_REJECTED,
     "Friction: nothing is that rough"},
    {"ContactType T = Elastic + ; DefaultPair -> T;", PCM_MSG_SYNTAX, "a name or a quoted text expected"},
};

static void remember(void *user, const pcm_diagnostic *diagnostic)
{
    char *first = user;
    if (*first == '\0')
        snprintf(first, 512, "%u %s", diagnostic->code, diagnostic->message);
}

static void parts_that_clash_are_an_error(void **state)
{
    (void)state;
    char            said[512];
    pcm_context_def def = pcm_context_defaults();
    def.plugin_path = TEST_LAWS;
    def.sink = remember;
    def.sink_user = said;
    pcm_context *context = pcm_context_new(&def);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        char code[16];
        said[0] = '\0';
        assert_null(pcm_config_parse(context, "text", refusals[i].text, strlen(refusals[i].text)));
        snprintf(code, sizeof code, "%u ", refusals[i].code);
        if (strncmp(said, code, strlen(code)) != 0 || !strstr(said, refusals[i].says))
            fail_msg("%s\nsaid: %s", refusals[i].text, said);
    }
    pcm_context_free(context);
}

/* A law that is only a part can be a type for tools that call it with a load of their own. */
static void a_part_can_be_called_alone(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType P = Drag { Friction = 0.4; }; ContactType T = Elastic + Drag" RULE, NULL);
    const pcm_type *type = pcm_config_type_find(f.config, "P");
    const double    zero = 0, elastic = 10, pull_off = 0.2, stretch = 1;
    const double   *states[] = {&stretch, &zero};
    double          force_x = 0;
    const pcm_batch batch = {.size = sizeof batch,
                             .count = 1,
                             .slip_x = &zero,
                             .slip_y = &zero,
                             .load_n = &elastic,
                             .load_elastic = &elastic,
                             .load_adhesive = &zero,
                             .load_pull_off = &pull_off,
                             .state = states,
                             .force_x = &force_x};
    pcm_type_call(type, PCM_UPDATE, &batch);
    assert_near(force_x, -0.4 * 10.4, 1e-14);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_types_are_parts_with_their_values),
        cmocka_unit_test(parts_give_the_bits_of_the_whole),
        cmocka_unit_test(a_part_jumps_at_its_own_event),
        cmocka_unit_test(a_checkpoint_goes_on_bit_for_bit),
        cmocka_unit_test(names_and_values_are_those_of_the_parts),
        cmocka_unit_test(jacobians_go_through_the_load),
        cmocka_unit_test(parts_that_clash_are_an_error),
        cmocka_unit_test(a_part_can_be_called_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
