/* SPDX-License-Identifier: MIT */
/* Parameters from the properties of two materials: their values are compared with closed forms; each pair of materials
 * that meets has one parameter block; statistics, checkpoints, threads and messages treat all pairs as one contact
 * type. */
#include "fixture.h"
#include <pcm/jacobian.h>
#include <pcm/materials.h>
#include <pcm/messages.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define GRAIN   "ContactType Grain = Hertz + Mindlin; "
#define STEEL   "Material Steel { YoungModulus = 210 [GPa]; PoissonRatio = 0.3; Friction = 0.4; } "
#define RUBBER  "Material Rubber { YoungModulus = 5 [MPa]; PoissonRatio = 0.49; Friction = 0.9; } "
#define BY_NAME "SurfacePair Steel * Rubber -> Grain; SurfacePair Steel * Steel -> Grain; "
#define BY_RULE "SurfacePair \"*\" * \"*\" -> Grain; "
#define EQUAL   1e-14 /* relative: a few roundings of products and quotients */

static const pcm_type *type_of(const fixture *f, size_t index) { return pcm_config_type_at(f->config, index); }

static double number_of(const pcm_type *type, const char *name)
{
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        if (strcmp(value.param->name, name) == 0)
            return value.number;
    }
    fail_msg("no parameter %s", name);
    return NAN;
}

static void assert_equal_to(double value, double expected) { assert_near(value, expected, EQUAL * fabs(expected)); }

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

static void moduli_are_those_of_the_closed_forms(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, GRAIN STEEL RUBBER BY_NAME, NULL);
    const pcm_type *type = pcm_type_between(type_of(&f, 0), "Steel", "Rubber");
    const double    e = 1 / ((1 - 0.3 * 0.3) / 210e9 + (1 - 0.49 * 0.49) / 5e6);
    const double    shear_steel = 210e9 / (2 * 1.3), shear_rubber = 5e6 / (2 * 1.49);
    const double    g = 1 / ((2 - 0.3) / shear_steel + (2 - 0.49) / shear_rubber);
    assert_non_null(type);
    assert_equal_to(number_of(type, "ReducedModulus"), e);
    assert_equal_to(number_of(type, "ReducedShearModulus"), g);
    assert_equal_to(number_of(type, "Friction"), sqrt(0.4 * 0.9));
    assert_ptr_equal(type, pcm_type_between(type_of(&f, 0), "Rubber", "Steel"));
    assert_ptr_equal(pcm_type_get_info(type)->written, type_of(&f, 0));
    assert_string_equal(pcm_type_get_info(type)->name, "Grain");
    fixture_close(&f);
}

static void usual_mixings_are_what_they_are_called(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "ContactType T = Blend; DefaultPair -> T; "
                 "Material A { Mean = 1; Geometric = 2; Harmonic = 3; Minimum = 4; Maximum = 5; Spring = 6; } "
                 "Material B { Mean = 7; Geometric = 8; Harmonic = 9; Minimum = 10; Maximum = 11; Spring = 12; } "
                 "Material None { Mean = 3; } ",
                 NULL);
    const pcm_type *type = pcm_type_between(type_of(&f, 0), "A", "B");
    assert_non_null(type);
    assert_true(number_of(type, "Mean") == 4 && number_of(type, "Geometric") == 4 &&
                number_of(type, "Harmonic") == 4.5);
    assert_true(number_of(type, "Minimum") == 4 && number_of(type, "Maximum") == 11);
    assert_true(number_of(type, "Stiffness") == 4 && number_of(type, "Loss") == 0.5);
    /* A material that lacks the property has the default; if both lack it, the parameter keeps its value. */
    type = pcm_type_between(type_of(&f, 0), "None", NULL);
    assert_non_null(type);
    assert_true(number_of(type, "Mean") == 2 && number_of(type, "Geometric") == 2 && number_of(type, "Loss") == 0.5);
    assert_ptr_equal(pcm_type_between(type_of(&f, 0), "no such", NULL), type_of(&f, 0));
    fixture_close(&f);
}

/* Compares a world's force with one computed by hand. */
static void worlds_act_with_mixed_numbers(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType Grain = Hertz; " STEEL RUBBER BY_NAME, NULL);
    pcm_object_def    floor = {.size = sizeof floor, .name = "floor", .surface = "Steel", .fixed = true};
    pcm_object_def    ball = {.size = sizeof ball, .name = "ball", .surface = "Rubber", .radius = 0.02};
    pcm_object        a = pcm_world_add_object(f.world, &floor), b = pcm_world_add_object(f.world, &ball);
    const pcm_contact c = touch(f.world, a, b, 0, 0, 0, 1e-3);
    place(f.world, b, 0, 0, 0.02, 0, 0, 0);
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    const double e = 1 / ((1 - 0.3 * 0.3) / 210e9 + (1 - 0.49 * 0.49) / 5e6);
    assert_equal_to(wrench_of(f.world, b).force[2], 4.0 / 3 * e * sqrt(0.02) * pow(1e-3, 1.5));
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_info(f.world, c, &info), PCM_OK);
    assert_ptr_equal(info.type, pcm_type_between(type_of(&f, 0), "Rubber", "Steel"));
    assert_ptr_equal(info.type, pcm_world_pair(f.world, a, b, NULL));

    pcm_matrices        *matrices = pcm_matrices_new(f.world);
    pcm_contact_matrices m = {.size = sizeof m};
    assert_int_equal(pcm_matrices_contact(matrices, c, &m), PCM_OK);
    assert_near(m.stiffness[35], 2 * e * sqrt(0.02 * 1e-3), 1e-4 * e * 1e-3);
    pcm_matrices_free(matrices);
    fixture_close(&f);
}

static void what_a_contact_type_writes_wins(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 GRAIN
                 "ContactType Pair = Grain { Friction = 0.7; }; "
                 "ContactType Whole = Hertz { ReducedModulus = 1 [MPa]; }; " STEEL RUBBER
                 "SurfacePair Steel * Rubber -> Pair; DefaultPair -> Grain; SurfacePair Rubber * Rubber -> Whole;",
                 NULL);
    const pcm_type *pair = pcm_config_type_find(f.config, "Pair"), *whole = pcm_config_type_find(f.config, "Whole");
    const pcm_type *mixed = pcm_type_between(pair, "Steel", "Rubber");
    assert_true(number_of(mixed, "Friction") == 0.7 && number_of(mixed, "ReducedModulus") > 0);
    assert_int_equal(pcm_type_property_count(pair), 2);
    assert_ptr_equal(pcm_type_between(whole, "Rubber", "Rubber"), whole);
    assert_int_equal(pcm_type_property_count(whole), 0);
    fixture_close(&f);
}

static void both_sides_can_be_asked_for(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, GRAIN STEEL "Material Wax { YoungModulus = 1 [MPa]; PoissonRatio = 0.4; } " BY_RULE, NULL);
    const pcm_type      *mixed = pcm_type_between(type_of(&f, 0), "Wax", "Steel");
    const pcm_type_info *info = pcm_type_get_info(mixed);
    const size_t         steel = strcmp(info->material[0], "Steel") == 0 ? 0 : 1;
    assert_string_equal(info->material[1 - steel], "Wax");
    assert_int_equal(pcm_type_property_count(mixed), 3);
    pcm_value value = pcm_type_property_at(mixed, 2, 1 - steel);
    assert_string_equal(value.param->name, "Friction");
    assert_true(!value.written && value.number == 0.5);
    value = pcm_type_property_at(mixed, 2, steel);
    assert_true(value.written && value.number == 0.4);
    assert_int_equal(value.place.line, 1);

    assert_int_equal(pcm_config_material_count(f.config), 2);
    assert_string_equal(pcm_config_material_at(f.config, 1).name, "Wax");
    assert_int_equal(pcm_config_property_count(f.config), 3 + 2); /* of laws; of worlds */
    assert_true(pcm_config_property_at(f.config, 1, 0).number == 1e6);
    const pcm_param *properties[2];
    assert_int_equal(pcm_model_properties(info->model, properties, 2), 3);
    assert_string_equal(properties[1]->name, "PoissonRatio");
    fixture_close(&f);
}

static void a_material_has_the_properties_of_the_one_that_it_is_made_from(void **state)
{
    (void)state;
    static const char *const settings[] = {"Steel.YoungModulus = 100 [GPa]", "Hard.PoissonRatio = 0.2"};
    fixture                  f;
    fixture_open(&f, "ContactType T = Hertz; DefaultPair -> T;", NULL);
    pcm_config_def def = pcm_config_defaults();
    def.name = "made";
    def.text = GRAIN "Material Hard = Cold { PoissonRatio = 0.25; }; Material Cold = Steel { Friction = 0.05; }" STEEL
                     "SurfacePair Hard * Hard -> Grain; SurfacePair Cold * Cold -> Grain;";
    def.length = strlen(def.text);
    for (size_t set = 0; set < 2; set++) {
        const double young = set ? 100e9 : 210e9, poisson[] = {0.3, set ? 0.2 : 0.25};
        def.settings = settings;
        def.n_settings = set ? 2 : 0;
        pcm_config *config = pcm_config_open(f.context, &def);
        assert_non_null(config);
        const pcm_type *cold = pcm_type_between(pcm_config_type_at(config, 0), "Cold", "Cold");
        const pcm_type *hard = pcm_type_between(pcm_config_type_at(config, 0), "Hard", "Hard");
        assert_equal_to(number_of(cold, "ReducedModulus"), young / (2 * (1 - poisson[0] * poisson[0])));
        assert_equal_to(number_of(hard, "ReducedModulus"), young / (2 * (1 - poisson[1] * poisson[1])));
        assert_true(number_of(hard, "Friction") == 0.05);
        pcm_config_release(config);
    }
    fixture_close(&f);
}

static void settings_reach_materials(void **state)
{
    (void)state;
    static const char *const settings[] = {"Steel.YoungModulus = 100 [GPa]", "Grain.Friction = 0.1"};
    fixture                  f;
    fixture_open(&f, "ContactType T = Hertz; DefaultPair -> T;", NULL);
    pcm_config_def def = pcm_config_defaults();
    def.name = "set";
    def.text = GRAIN STEEL BY_RULE;
    def.length = strlen(def.text);
    def.settings = settings;
    def.n_settings = 2;
    pcm_config *config = pcm_config_open(f.context, &def);
    assert_non_null(config);
    const pcm_type *mixed = pcm_type_between(pcm_config_type_at(config, 0), "Steel", "Steel");
    assert_equal_to(number_of(mixed, "ReducedModulus"), 100e9 / (2 * (1 - 0.3 * 0.3)));
    assert_true(number_of(mixed, "Friction") == 0.1);
    pcm_config_release(config);
    fixture_close(&f);
}

/* ---- A bed of twenty materials ---------------------------------------------------------------------------------- */

enum { MATERIALS = 20, GRAINS = 400, STEPS = 30 };

/* Twenty statements and one rule. */
static void write_bed(char *text, size_t size, double first)
{
    size_t used = (size_t)snprintf(text, size, GRAIN BY_RULE);
    for (size_t i = 0; i < MATERIALS; i++)
        used += (size_t)snprintf(text + used, size - used,
                                 "Material M%zu { YoungModulus = %zu [MPa]; PoissonRatio = 0.%zu; Friction = 0.%zu; } ",
                                 i, i == 0 ? (size_t)first : 10 + i, 20 + i, 30 + i);
}

typedef struct bed {
    fixture    f;
    pcm_object grain[GRAINS];
} bed;

static void add_grains(bed *b, pcm_world *world)
{
    for (size_t i = 0; i < GRAINS; i++) {
        char           name[16], surface[8];
        pcm_object_def def = {.size = sizeof def, .name = name, .surface = surface, .radius = 0.01, .mass = 0.01};
        snprintf(name, sizeof name, "grain%zu", i);
        snprintf(surface, sizeof surface, "M%zu", i % MATERIALS);
        b->grain[i] = pcm_world_add_object(world, &def);
    }
}

static void open_bed(bed *b, double first, const pcm_world_def *def)
{
    char text[4096];
    write_bed(text, sizeof text, first);
    fixture_open(&b->f, text, def);
    add_grains(b, b->f.world);
}

/* Each grain touches the second one after it, whose material differs by two, in an order that varies with the step. */
static void step_bed(const bed *b, pcm_world *world, uint64_t number)
{
    uint64_t seed = 7 * number;
    for (size_t k = 0; k < GRAINS; k++) {
        const size_t    i = (k * 7 + number) % GRAINS, j = (i + 2) % GRAINS;
        const pcm_twist twist = {{0, 0, 0}, {noise(&seed), noise(&seed), noise(&seed)}};
        const pcm_pose  pose = {{0, 0, 0.01 * noise(&seed)}, {1, 0, 0, 0}};
        assert_int_equal(pcm_world_move(world, b->grain[i], &pose, &twist), PCM_OK);
        touch(world, b->grain[i], b->grain[j], 0, 0.01 * noise(&seed), 0, 1e-4 * (1.5 + noise(&seed)));
    }
    assert_int_equal(pcm_world_update(world, 1e-3 * (double)number, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_commit(world), PCM_OK);
}

static void assert_same_wrenches(const bed *b, pcm_world *one, pcm_world *other)
{
    for (size_t i = 0; i < GRAINS; i++) {
        const pcm_wrench a = wrench_of(one, b->grain[i]), c = wrench_of(other, b->grain[i]);
        assert_memory_equal(&a, &c, sizeof a);
    }
}

/* Parameter blocks are made only for pairs of materials that meet. */
static void only_pairs_that_meet_have_parameters(void **state)
{
    (void)state;
    bed b;
    open_bed(&b, 10, NULL);
    const size_t before = b.f.allocations;
    step_bed(&b, b.f.world, 1);
    const pcm_type *types[GRAINS];
    size_t          different = 0;
    for (size_t i = 0; i < pcm_world_contact_count(b.f.world); i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(b.f.world, i, &info), PCM_OK);
        size_t k = 0;
        while (k < different && types[k] != info.type)
            k++;
        types[k] = info.type;
        different += k == different;
    }
    assert_int_equal(pcm_world_contact_count(b.f.world), GRAINS);
    assert_int_equal(different, MATERIALS);
    assert_true(b.f.allocations > before);
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_world_rule_stats(b.f.world, 0, &stats), PCM_OK);
    assert_int_equal(stats.made, GRAINS);
    /* Once all pairs have met, steps allocate no memory. */
    step_bed(&b, b.f.world, 2);
    const size_t settled = b.f.allocations;
    for (uint64_t n = 3; n < 10; n++)
        step_bed(&b, b.f.world, n);
    assert_int_equal(b.f.allocations, settled);
    fixture_close(&b.f);
}

/* The same bed with a contact type, and a rule, for each pair of materials. */
static void a_bed_gives_the_bits_of_a_type_per_pair(void **state)
{
    (void)state;
    enum { SIZE = 1 << 17 };
    bed    b, by_hand;
    char  *text = malloc(SIZE);
    size_t used = 0;
    open_bed(&b, 10, NULL);
    for (size_t i = 0; i < MATERIALS; i++) {
        char one[8], other[8];
        snprintf(one, sizeof one, "M%zu", i);
        snprintf(other, sizeof other, "M%zu", (i + 2) % MATERIALS);
        const pcm_type *mixed = pcm_type_between(type_of(&b.f, 0), one, other);
        char            number[3][PCM_NUMBER_SIZE];
        pcm_number_write(number_of(mixed, "ReducedModulus"), 0, number[0]);
        pcm_number_write(number_of(mixed, "ReducedShearModulus"), 0, number[1]);
        pcm_number_write(number_of(mixed, "Friction"), 0, number[2]);
        used += (size_t)snprintf(text + used, SIZE - used,
                                 "ContactType T%zu = Hertz + Mindlin { ReducedModulus = %s; ReducedShearModulus = %s; "
                                 "Friction = %s; }; SurfacePair %s * %s -> T%zu; ",
                                 i, number[0], number[1], number[2], one, other, i);
    }
    fixture_open(&by_hand.f, text, NULL);
    free(text);
    add_grains(&by_hand, by_hand.f.world);
    for (uint64_t n = 1; n <= STEPS; n++) {
        step_bed(&b, b.f.world, n);
        step_bed(&by_hand, by_hand.f.world, n);
        for (size_t i = 0; i < GRAINS; i++) {
            /* Each grain has two contacts: the order of summation does not matter. */
            const pcm_wrench one = wrench_of(b.f.world, b.grain[i]),
                             other = wrench_of(by_hand.f.world, by_hand.grain[i]);
            assert_memory_equal(one.force, other.force, sizeof one.force);
        }
    }
    fixture_close(&b.f);
    fixture_close(&by_hand.f);
}

static void ledgers_sum_over_materials(void **state)
{
    (void)state;
    bed           b;
    pcm_world_def def = pcm_world_defaults();
    pcm_ledger    ledger = {.size = sizeof ledger}, part = {.size = sizeof part};
    def.ledger = true;
    open_bed(&b, 10, &def);
    for (uint64_t n = 1; n <= 5; n++)
        step_bed(&b, b.f.world, n);
    double stored = 0;
    for (size_t i = 0; i < MATERIALS; i++) {
        char one[8], other[8];
        snprintf(one, sizeof one, "M%zu", i);
        snprintf(other, sizeof other, "M%zu", (i + 2) % MATERIALS);
        const pcm_type *mixed = pcm_type_between(type_of(&b.f, 0), one, other);
        assert_int_equal(pcm_world_type_ledger(b.f.world, mixed, &part), PCM_OK);
        stored += part.stored;
    }
    assert_int_equal(pcm_world_type_ledger(b.f.world, type_of(&b.f, 0), &ledger), PCM_OK);
    assert_true(stored > 0);
    assert_near(ledger.stored, stored, 1e-12 * stored);
    fixture_close(&b.f);
}

/* ---- Checkpoints ------------------------------------------------------------------------------------------------ */

static void *save(pcm_world *world, size_t *size)
{
    *size = pcm_world_checkpoint_size(world);
    void *bytes = malloc(*size);
    assert_int_equal(pcm_world_checkpoint_save(world, bytes, *size), PCM_OK);
    return bytes;
}

/* Restores into a new world, and into one that has met the materials in another order. */
static void a_checkpoint_goes_on_bit_for_bit(void **state)
{
    (void)state;
    bed b;
    open_bed(&b, 10, NULL);
    for (uint64_t n = 1; n <= 5; n++)
        step_bed(&b, b.f.world, n);
    size_t     size;
    void      *bytes = save(b.f.world, &size);
    pcm_world *fresh = fixture_world(&b.f, NULL), *used = fixture_world(&b.f, NULL);
    add_grains(&b, fresh);
    add_grains(&b, used);
    for (size_t i = GRAINS - 1; i > 0; i -= 3)
        touch(used, b.grain[i], b.grain[i - 1], 0, 0, 0, 1e-5);
    step_bed(&b, used, 77);
    assert_int_equal(pcm_world_checkpoint_restore(fresh, bytes, size), PCM_OK);
    assert_int_equal(pcm_world_checkpoint_restore(used, bytes, size), PCM_OK);
    for (uint64_t n = 6; n <= 9; n++) {
        step_bed(&b, b.f.world, n);
        step_bed(&b, fresh, n);
        step_bed(&b, used, n);
        assert_same_wrenches(&b, b.f.world, fresh);
        assert_same_wrenches(&b, b.f.world, used);
    }
    free(bytes);
    pcm_world_free(fresh);
    pcm_world_free(used);
    fixture_close(&b.f);
}

static void a_checkpoint_knows_its_materials(void **state)
{
    (void)state;
    bed b, other;
    open_bed(&b, 10, NULL);
    step_bed(&b, b.f.world, 1);
    size_t size;
    void  *bytes = save(b.f.world, &size);
    open_bed(&other, 12, NULL);
    assert_int_equal(pcm_world_checkpoint_restore(other.f.world, bytes, size), PCM_BAD_CHECKPOINT);
    assert_int_equal(fixture_said(&other.f, PCM_MSG_CHECKPOINT_CONFIG), 1);
    assert_non_null(strstr(other.f.text[0], "'M0'"));
    /* The world that rejected it continues as before. */
    step_bed(&other, other.f.world, 1);
    free(bytes);
    fixture_close(&b.f);
    fixture_close(&other.f);
}

/* ---- Threads ---------------------------------------------------------------------------------------------------- */

enum { WORLDS = 4 };

typedef struct runner {
    const bed *b;
    pcm_world *world;
} runner;

static void *run_world(void *argument)
{
    const runner *r = argument;
    for (uint64_t n = 1; n <= STEPS; n++)
        step_bed(r->b, r->world, n);
    return NULL;
}

/* Worlds on several threads share a configuration, and meet its materials at the same time. */
static void worlds_meet_materials_on_many_threads(void **state)
{
    (void)state;
    bed             b = {0};
    char            text[4096];
    pthread_t       thread[WORLDS];
    runner          runners[WORLDS];
    pcm_context_def def = pcm_context_defaults(); /* the fixture's memory count is for one thread */
    def.plugin_path = TEST_LAWS;
    pcm_context *context = pcm_context_new(&def);
    write_bed(text, sizeof text, 10);
    pcm_config *config = pcm_config_parse(context, "bed", text, strlen(text));
    for (size_t i = 0; i < WORLDS; i++) {
        runners[i] = (runner){&b, pcm_world_new(config, NULL)};
        add_grains(&b, runners[i].world);
    }
    pcm_config_release(config);
    for (size_t i = 0; i < WORLDS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, run_world, &runners[i]), 0);
    for (size_t i = 0; i < WORLDS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (size_t i = 0; i < WORLDS; i++)
        assert_same_wrenches(&b, runners[0].world, runners[i].world);
    for (size_t i = 0; i < WORLDS; i++)
        pcm_world_free(runners[i].world);
    pcm_context_free(context);
}

/* ---- Errors ----------------------------------------------------------------------------------------------------- */

typedef struct refusal {
    const char *text;
    uint32_t    code;
    const char *says; /* a part of the message */
    const char *note; /* a part of the note that follows; NULL: no note */
} refusal;

static const refusal refusals[] = {
    {GRAIN STEEL "Material Rubber { PoissonRatio = 0.4; } SurfacePair Steel * Rubber -> Grain;",
     PCM_MSG_MISSING_PROPERTY, "the material 'Rubber' lacks 'YoungModulus'", "the contact type 'Grain'"},
    {GRAIN STEEL "SurfacePair Steel * Wood -> Grain;", PCM_MSG_MISSING_PROPERTY, "the surface 'Wood' has no Material",
     "the rule"},
    {GRAIN STEEL STEEL BY_RULE, PCM_MSG_DUPLICATE_MATERIAL, "there is a Material 'Steel' already",
     "first defined here"},
    {GRAIN STEEL RUBBER BY_RULE "Surface Steel = Foot; Surface Rubber = Foot;", PCM_MSG_TWO_MATERIALS,
     "'Foot' has the material 'Steel' already", "first given here"},
    {GRAIN "Material Steel { YoungModulis = 1; } " BY_RULE, PCM_MSG_UNKNOWN_PROPERTY, "did you mean 'YoungModulus'",
     NULL},
    {GRAIN "Material Steel { Colour = \"grey\"; YoungModulus = \"stiff\"; } " BY_RULE, PCM_MSG_UNREAD_PROPERTY,
     "reads the property 'Colour'", NULL},
    {GRAIN "Material Steel { YoungModulus = 1 [MPa]; YoungModulus = 2 [MPa]; } " BY_RULE, PCM_MSG_DUPLICATE_PARAMETER,
     "'YoungModulus' is set already", "first set here"},
    {GRAIN "Material Steel { YoungModulus = 1 [kg]; } " BY_RULE, PCM_MSG_WRONG_UNIT, "'YoungModulus' is", NULL},
    {GRAIN "Material Steel { YoungModulus = -1 [GPa]; } " BY_RULE, PCM_MSG_OUT_OF_RANGE, "'YoungModulus' is -1", NULL},
    {GRAIN "Material \"S*\" { YoungModulus = 1 [GPa]; } " BY_RULE, PCM_MSG_MATERIAL_NAME, "is no pattern", NULL},
    {GRAIN "Material Steel = { YoungModulus = 1 [GPa]; }; " BY_RULE, PCM_MSG_SYNTAX, "Material NAME { ... }", NULL},
    {GRAIN "Material Steel { YoungModulus = 1 [GPa]; } Material Iron = Stel {} " BY_RULE, PCM_MSG_UNKNOWN_MATERIAL,
     "there is no Material 'Stel'; did you mean 'Steel'?", NULL},
    {GRAIN "Material Steel = Iron { YoungModulus = 1 [GPa]; } Material Iron = Steel {} " BY_RULE, PCM_MSG_CYCLE,
     "'Steel' is made from itself", "it is made here"},
    {"ContactType T = Blend; Material A { Geometric = -1; } Material B { Geometric = 1; } SurfacePair A * B -> T;",
     PCM_MSG_MIXING, "between 'A' and 'B', 'Geometric' of Blend comes to", "the material 'A'"},
    {"ContactType T = Blend; Material A { Spring = 1; Loss = 99; } SurfacePair A * A -> T;", PCM_MSG_MIXING,
     "'Loss' of Blend comes to 198, which is out of its range", "the material 'A'"},
    {"ContactType T = Blend { Manner = Infinite; }; Material A { Spring = 1; } SurfacePair A * A -> T;", PCM_MSG_MIXING,
     "comes to inf, which is not a finite number", "the material 'A'"},
    {"ContactType T = Blend { Manner = Refuse; }; Material A { Spring = 1; } SurfacePair A * A -> T;", PCM_MSG_MIXING,
     "Loss: these do not mix, between 'A' and 'A'", "the material 'A'"},
    {"ContactType T = Blend { Manner = Uneven; }; Material A { Spring = 1; } Material B { Spring = 1; Loss = 3; } "
     "SurfacePair A * B -> T;",
     PCM_MSG_MIXING, "when they trade places: the law's mix is wrong", "the material 'A'"},
    {"ContactType T = Blend; Material A { Loss = 1; } SurfacePair A * A -> T;", PCM_MSG_MISSING_PROPERTY,
     "lacks 'Spring'", "the contact type 'T'"},
};

typedef struct heard {
    char first[512], note[512];
} heard;

static void remember(void *user, const pcm_diagnostic *diagnostic)
{
    heard *h = user;
    if (diagnostic->code == PCM_MSG_DEAD_SURFACE) /* a warning about two lines that already have another message */
        return;
    if (h->first[0] == '\0')
        snprintf(h->first, sizeof h->first, "%u %s", diagnostic->code, diagnostic->message);
    else if (h->note[0] == '\0' && diagnostic->severity == PCM_NOTE)
        snprintf(h->note, sizeof h->note, "%s", diagnostic->message);
}

static void errors_of_materials_name_both_places(void **state)
{
    (void)state;
    heard           h;
    pcm_context_def def = pcm_context_defaults();
    def.plugin_path = TEST_LAWS;
    def.sink = remember;
    def.sink_user = &h;
    pcm_context *context = pcm_context_new(&def);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        char code[16];
        h = (heard){"", ""};
        assert_null(pcm_config_parse(context, "text", refusals[i].text, strlen(refusals[i].text)));
        snprintf(code, sizeof code, "%u ", refusals[i].code);
        if (strncmp(h.first, code, strlen(code)) != 0 || !strstr(h.first, refusals[i].says) ||
            (refusals[i].note && !strstr(h.note, refusals[i].note)))
            fail_msg("%s\nsaid: %s\nnote: %s", refusals[i].text, h.first, h.note);
    }
    pcm_context_free(context);
}

typedef struct warning {
    const char *text;
    uint32_t    code;
} warning;

static const warning warnings[] = {
    {GRAIN STEEL "Material Air { Density = 1.2 [kg/m^3]; } " BY_RULE, PCM_MSG_UNREAD_PROPERTY},
    {GRAIN STEEL "Material Steal { Friction = 0.1; } SurfacePair Steel * Steel -> Grain;", PCM_MSG_UNUSED_MATERIAL},
    {GRAIN STEEL RUBBER BY_RULE "Surface Rubber = Foot;", 0},
    {GRAIN STEEL RUBBER "DefaultPair -> Grain;", 0},
    {"ContactType Material = Hertz; SurfacePair Material * Let -> Material; Material Material { YoungModulus = 1 "
     "[MPa]; "
     "PoissonRatio = 0; } Material Let { YoungModulus = 1 [MPa]; PoissonRatio = 0; };",
     0},
};

static void doubtful_materials_are_reported(void **state)
{
    (void)state;
    heard           h;
    pcm_context_def def = pcm_context_defaults();
    def.plugin_path = TEST_LAWS;
    def.sink = remember;
    def.sink_user = &h;
    pcm_context *context = pcm_context_new(&def);
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
        h = (heard){"", ""};
        pcm_config *config = pcm_config_parse(context, "text", warnings[i].text, strlen(warnings[i].text));
        if (!config || strtoul(h.first, NULL, 10) != warnings[i].code)
            fail_msg("%s\nsaid: %s", warnings[i].text, h.first);
        pcm_config_release(config);
    }
    pcm_context_free(context);
}

/* A pair that cannot be mixed causes one message, when it first meets, and has no force. */
static void a_pair_that_does_not_mix_is_reported_once(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, GRAIN STEEL BY_RULE, NULL);
    pcm_object a = pcm_world_add(f.world, "a", "Steel");
    for (size_t i = 0; i < 3; i++) {
        char name[8];
        snprintf(name, sizeof name, "b%zu", i);
        pcm_object b = pcm_world_add(f.world, name, "Wood");
        assert_int_equal(touch(f.world, a, b, 0, 0, 0, 1e-3).generation, 0);
    }
    assert_int_equal(fixture_said(&f, PCM_MSG_MISSING_PROPERTY), 1); /* modulus and ratio together */
    assert_null(pcm_type_between(type_of(&f, 0), "Steel", "Wood"));
    assert_int_equal(fixture_said(&f, PCM_MSG_MISSING_PROPERTY), 2);
    pcm_world *second = fixture_world(&f, NULL);
    touch(second, pcm_world_add(second, "a", "Steel"), pcm_world_add(second, "b", "Wood"), 0, 0, 0, 1e-3);
    assert_int_equal(fixture_said(&f, PCM_MSG_MISSING_PROPERTY), 3);
    pcm_world_free(second);
    fixture_close(&f);
}

/* A type that gets parameters only from materials cannot be called alone. */
static void an_open_type_is_not_called(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, GRAIN STEEL BY_RULE, NULL);
    const pcm_batch batch = {.size = sizeof batch, .count = 1};
    assert_null(pcm_type_get_info(type_of(&f, 0))->params);
    assert_int_equal(pcm_type_call(type_of(&f, 0), PCM_UPDATE, &batch), PCM_BAD_ARGUMENT);
    assert_null(pcm_jacobian_new(type_of(&f, 0), NULL, 0, 0));
    assert_int_equal(fixture_said(&f, PCM_MSG_NEEDS_MATERIALS), 2);
    fixture_close(&f);
}

/* Without memory the configuration is NULL and there is no contact, and nothing leaks. */
static void memory_may_run_out(void **state)
{
    (void)state;
    bool done = false;
    for (size_t limit = 1; !done; limit++) {
        fixture f;
        fixture_open(&f, GRAIN STEEL RUBBER BY_RULE, NULL);
        pcm_object a = pcm_world_add(f.world, "a", "Steel"), b = pcm_world_add(f.world, "b", "Rubber");
        f.limit = f.allocations + limit;
        done = touch(f.world, a, b, 0, 0, 0, 1e-3).generation != 0;
        assert_true(done || f.messages > 0);
        f.limit = 0;
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moduli_are_those_of_the_closed_forms),
        cmocka_unit_test(usual_mixings_are_what_they_are_called),
        cmocka_unit_test(worlds_act_with_mixed_numbers),
        cmocka_unit_test(what_a_contact_type_writes_wins),
        cmocka_unit_test(both_sides_can_be_asked_for),
        cmocka_unit_test(settings_reach_materials),
        cmocka_unit_test(a_material_has_the_properties_of_the_one_that_it_is_made_from),
        cmocka_unit_test(only_pairs_that_meet_have_parameters),
        cmocka_unit_test(a_bed_gives_the_bits_of_a_type_per_pair),
        cmocka_unit_test(ledgers_sum_over_materials),
        cmocka_unit_test(a_checkpoint_goes_on_bit_for_bit),
        cmocka_unit_test(a_checkpoint_knows_its_materials),
        cmocka_unit_test(worlds_meet_materials_on_many_threads),
        cmocka_unit_test(errors_of_materials_name_both_places),
        cmocka_unit_test(doubtful_materials_are_reported),
        cmocka_unit_test(a_pair_that_does_not_mix_is_reported_once),
        cmocka_unit_test(an_open_type_is_not_called),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
