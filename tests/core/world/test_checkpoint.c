/* SPDX-License-Identifier: MIT */
/* A saved and restored world continues bit for bit; a checkpoint that does not fit or is damaged is rejected, with the
 * reason. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RULES(limit)                                                                                                   \
    "ContactType C = Spring { Limit=" limit "; };\nContactType L = Brush;\nContactType P = Creep { Pushed=true; };\n"  \
    "ObjectPair ground * \"spring*\" -> C;\nObjectPair ground * \"brush*\" -> L;\n"                                    \
    "ObjectPair ground * \"creep*\" -> P;\n"

enum { OBJECTS = 6, FEATURES = 30 };

typedef struct scene {
    pcm_world *world;
    pcm_object ground, object[OBJECTS], stranger;
} scene;

enum { GROUND = OBJECTS, STRANGER, ALL };

/* Registers object i; of each kind, two objects share a name. */
static void add(scene *s, size_t i)
{
    const char *kinds[] = {"spring", "brush", "creep"};
    if (i == GROUND)
        s->ground = pcm_world_add_object(s->world, &PCM_OBJECT(.name = "ground", .fixed = true));
    else if (i == STRANGER)
        s->stranger = pcm_world_add(s->world, "stranger", NULL);
    else
        s->object[i] = pcm_world_add(s->world, kinds[i % 3], "Skin");
}

/* Two orders of registration. Objects that share a name have the same order in both, the others do not. */
static const size_t one_order[ALL] = {GROUND, 0, 1, 2, 3, 4, 5, STRANGER};
static const size_t other_order[ALL] = {STRANGER, 2, 1, 0, 5, GROUND, 4, 3};

static void add_in_order(scene *s, pcm_world *world, const size_t order[ALL])
{
    s->world = world;
    for (size_t i = 0; i < ALL; i++)
        add(s, order[i]);
}

static void add_objects(scene *s, pcm_world *world) { add_in_order(s, world, one_order); }

/* One step, whose number seeds its motion; objects move only every third step. */
static void step(scene *s, uint64_t number, bool commit)
{
    uint64_t seed = number;
    for (size_t i = 0; i < OBJECTS && number % 3 == 0; i++)
        place(s->world, s->object[i], noise(&seed), noise(&seed), 1, noise(&seed), noise(&seed), noise(&seed));
    for (uint64_t feature = 0; feature < FEATURES; feature++)
        for (size_t i = 0; i < OBJECTS; i++)
            if (noise(&seed) > -0.5) {
                pcm_contact c =
                    touch(s->world, s->ground, s->object[i], feature, noise(&seed), noise(&seed), 0.05 * noise(&seed));
                if (i % 3 == 2 && c.generation && feature % 4)
                    pcm_world_set_input(s->world, c, 0, noise(&seed));
            }
    touch(s->world, s->ground, s->stranger, 0, 0, 0, 0.1);
    pcm_status status = pcm_world_update(s->world, 1e-3 * (double)number, 1e-3);
    assert_true(status == PCM_OK || status == PCM_BAD_INPUT);
    if (commit)
        assert_int_equal(pcm_world_commit(s->world), PCM_OK);
}

static void *save(pcm_world *world, size_t *size)
{
    *size = pcm_world_checkpoint_size(world);
    void *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(pcm_world_checkpoint_save(world, bytes, *size), PCM_OK);
    return bytes;
}

static void assert_same(scene *a, scene *b)
{
    size_t size_a, size_b;
    void  *bytes_a = save(a->world, &size_a), *bytes_b = save(b->world, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    free(bytes_a);
    free(bytes_b);
    for (size_t i = 0; i < OBJECTS; i++) {
        pcm_wrench one = wrench_of(a->world, a->object[i]), other = wrench_of(b->world, b->object[i]);
        assert_memory_equal(&one, &other, sizeof one);
    }
}

static void resumed_worlds_go_on_bit_for_bit(void **state)
{
    (void)state;
    fixture       f;
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    fixture_open(&f, RULES("0.0499"), &def);
    scene through, resumed;
    add_objects(&through, f.world);
    for (uint64_t i = 0; i < 500; i++)
        step(&through, i, true);
    assert_true(pcm_world_contact_count(f.world) > 50);
    size_t size;
    void  *bytes = save(f.world, &size);
    step(&through, 778, false); /* a checkpoint does not contain a trial */
    add_objects(&resumed, fixture_world(&f, &def));
    step(&resumed, 3, true); /* its contacts go with the restore */
    size_t messages = f.messages;
    assert_int_equal(pcm_world_checkpoint_restore(resumed.world, bytes, size), PCM_OK);
    for (uint64_t i = 500; i < 1500; i++) {
        step(&through, i, true);
        step(&resumed, i, true);
        if (i % 50 == 0)
            assert_same(&through, &resumed);
    }
    assert_same(&through, &resumed);
    pcm_rule_stats one = {.size = sizeof one}, other = {.size = sizeof other};
    for (size_t rule = 0; rule < 3; rule++) {
        assert_int_equal(pcm_world_rule_stats(through.world, rule, &one), PCM_OK);
        assert_int_equal(pcm_world_rule_stats(resumed.world, rule, &other), PCM_OK);
        assert_memory_equal(&one, &other, sizeof one);
    }
    assert_true(one.made > 0);
    assert_int_equal(f.messages, messages); /* no message appears a second time */
    pcm_world_free(resumed.world);
    free(bytes);
    fixture_close(&f);
}

/* If a rule does not determine which object is the base, it is the one registered first; the checkpoint stores which
 * that was. One world loses an object before the sixth is registered, which takes the slot. */
static void objects_are_registered_in_any_order(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType L = Brush; DefaultPair -> L;", NULL);
    scene      through = {.world = f.world}, resumed;
    pcm_object lost = pcm_world_add(f.world, "lost", NULL);
    for (size_t i = 0; i < ALL; i++) {
        if (one_order[i] == OBJECTS - 1)
            assert_int_equal(pcm_world_remove(f.world, lost), PCM_OK);
        add(&through, one_order[i]);
    }
    add_in_order(&resumed, fixture_world(&f, NULL), other_order);
    step(&resumed, 4, true);
    bool swapped;
    pcm_world_pair(resumed.world, resumed.object[0], resumed.ground, &swapped);
    assert_false(swapped); /* until it reads the checkpoint */
    step(&through, 0, true);
    step(&through, 1, true);
    size_t size;
    void  *bytes = save(through.world, &size);
    assert_int_equal(pcm_world_checkpoint_restore(resumed.world, bytes, size), PCM_OK);
    pcm_world_pair(resumed.world, resumed.object[0], resumed.ground, &swapped);
    assert_true(swapped);
    for (uint64_t i = 2; i < 60; i++) {
        step(&through, i, true);
        step(&resumed, i, true);
        assert_same(&through, &resumed);
    }
    pcm_world_free(resumed.world);
    free(bytes);
    fixture_close(&f);
}

/* Radius and mass are copied with the motion, also to the place where an object's next move is written. */
static void a_move_keeps_other_checkpoint_fields(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType L = Brush; DefaultPair -> L;", NULL);
    pcm_world *world[2] = {f.world, fixture_world(&f, NULL)};
    pcm_object object[2];
    size_t     size[2];
    void      *bytes[2];
    for (size_t i = 0; i < 2; i++) {
        const double one = (double)(i + 1);
        object[i] = pcm_world_add_object(world[i], &PCM_OBJECT(.name = "grain", .radius = one, .mass = one));
    }
    place(world[0], object[0], 1, 2, 3, 0, 0, 0);
    bytes[0] = save(world[0], &size[0]);
    assert_int_equal(pcm_world_checkpoint_restore(world[1], bytes[0], size[0]), PCM_OK);
    free(bytes[0]);
    for (size_t n = 0; n < 3; n++) {
        for (size_t i = 0; i < 2; i++) {
            if (n < 2)
                place(world[i], object[i], (double)n, 0, 0, 0, 0, 0);
            assert_int_equal(pcm_world_update(world[i], (double)n, 1), PCM_OK);
            bytes[i] = save(world[i], &size[i]);
        }
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
    pcm_world_free(world[1]);
    fixture_close(&f);
}

/* Grains that all have the same name, with another object in a different place: restoring must not compare each with
 * all. */
static void many_may_share_a_name(void **state)
{
    enum { GRAINS = 30000 };
    (void)state;
    fixture f;
    double  seconds[2];
    fixture_open(&f, "ContactType L = Brush; DefaultPair -> L;", NULL);
    for (int shared = 0; shared < 2; shared++) {
        pcm_world *world[2] = {fixture_world(&f, NULL), fixture_world(&f, NULL)};
        pcm_world_add(world[0], "first", NULL);
        for (size_t i = 0; i < GRAINS; i++)
            for (size_t w = 0; w < 2; w++) {
                char name[16];
                snprintf(name, sizeof name, "grain%zu", i);
                place(world[w], pcm_world_add(world[w], shared ? "grain" : name, NULL), 0, 0, (double)(w * i), 0, 0, 0);
            }
        pcm_world_add(world[1], "first", NULL);
        size_t        size;
        void         *bytes = save(world[0], &size);
        const clock_t start = clock();
        assert_int_equal(pcm_world_checkpoint_restore(world[1], bytes, size), PCM_OK);
        seconds[shared] = (double)(clock() - start) / CLOCKS_PER_SEC;
        size_t size_after;
        void  *after = save(world[1], &size_after);
        assert_int_equal(size_after, size);
        assert_memory_equal(after, bytes, size);
        free(bytes);
        free(after);
        pcm_world_free(world[0]);
        pcm_world_free(world[1]);
    }
    assert_true(seconds[1] < 20 * seconds[0] + 0.02);
    fixture_close(&f);
}

/* Each allocation of a restore fails in turn, in a world whose objects would be reordered. */
static void without_memory_nothing_changes(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType L = Brush; DefaultPair -> L;", NULL);
    scene saved, other;
    add_objects(&saved, f.world);
    add_in_order(&other, fixture_world(&f, NULL), other_order);
    step(&saved, 3, true);
    size_t     size, size_before, size_after, refused = 0;
    void      *bytes = save(saved.world, &size), *before = save(other.world, &size_before);
    pcm_status status = PCM_NO_MEMORY;
    f.messages = 0;
    while (f.limit = f.allocations + refused,
           (status = pcm_world_checkpoint_restore(other.world, bytes, size)) == PCM_NO_MEMORY) {
        f.limit = 0;
        assert_int_equal(fixture_said(&f, 100), f.messages);
        void *after = save(other.world, &size_after);
        assert_int_equal(size_after, size_before);
        assert_memory_equal(after, before, size_after);
        free(after);
        refused++;
    }
    f.limit = 0;
    assert_int_equal(status, PCM_OK);
    assert_true(refused > 4);
    assert_in_range(f.messages, refused, FIXTURE_MESSAGES - 1);
    assert_same(&saved, &other);
    pcm_world_free(other.world);
    free(bytes);
    free(before);
    fixture_close(&f);
}

/* The same world returns to an earlier step, any number of times. */
static void a_world_goes_back(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, RULES("1"), NULL);
    scene s;
    add_objects(&s, f.world);
    for (uint64_t i = 0; i < 20; i++)
        step(&s, i, true);
    size_t size, again;
    void  *bytes = save(f.world, &size);
    for (size_t k = 0; k < 3; k++) {
        for (uint64_t i = 0; i < 10; i++)
            step(&s, 50 * k + i, true);
        assert_int_equal(pcm_world_checkpoint_restore(f.world, bytes, size), PCM_OK);
    }
    step(&s, 21, true);
    void *after = save(f.world, &again);
    assert_int_equal(pcm_world_checkpoint_restore(f.world, bytes, size), PCM_OK);
    step(&s, 21, true);
    size_t last;
    void  *after_too = save(f.world, &last);
    assert_int_equal(again, last);
    assert_memory_equal(after, after_too, last);
    free(bytes);
    free(after);
    free(after_too);
    fixture_close(&f);
}

/* A checkpoint contains the forces; the list of contacts needs an evaluation. */
static void contacts_are_listed_after_the_next_update(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, RULES("1"), NULL);
    scene s;
    add_objects(&s, f.world);
    step(&s, 3, true);
    pcm_wrench       wrench = wrench_of(f.world, s.object[0]), after;
    pcm_contact_info info = {.size = sizeof info};
    pcm_sensing      sensing = {.size = sizeof sensing};
    assert_int_equal(pcm_world_contact_at(f.world, 0, &info), PCM_OK);
    size_t size;
    void  *bytes = save(f.world, &size);
    assert_int_equal(pcm_world_checkpoint_restore(f.world, bytes, size), PCM_OK);
    after = wrench_of(f.world, s.object[0]);
    assert_memory_equal(&wrench, &after, sizeof wrench);
    size_t size_again;
    void  *again = save(f.world, &size_again);
    assert_int_equal(size_again, size);
    assert_memory_equal(again, bytes, size);
    free(again);
    assert_int_equal(pcm_world_contact_count(f.world), 0);
    assert_int_equal(pcm_world_contact_at(f.world, 0, &info), PCM_BAD_ORDER);
    pcm_contact c = touch(f.world, s.ground, s.object[0], 0, 0, 0, 0.01);
    assert_int_equal(pcm_world_contact_info(f.world, c, &info), PCM_BAD_ORDER);
    assert_int_equal(pcm_world_sense(f.world, c, &sensing), PCM_BAD_ORDER);
    assert_int_equal(pcm_world_commit(f.world), PCM_BAD_ORDER);
    step(&s, 4, false);
    assert_true(pcm_world_contact_count(f.world) > 0);
    assert_int_equal(pcm_world_contact_at(f.world, 0, &info), PCM_OK);
    free(bytes);
    fixture_close(&f);
}

static void damage_is_refused_in_every_byte(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, RULES("1"), NULL);
    scene s;
    add_objects(&s, f.world);
    for (uint64_t i = 0; i < 3; i++)
        step(&s, i, true);
    size_t   size, size_after;
    uint8_t *bytes = save(f.world, &size);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= (uint8_t)(1 + i % 255);
        f.messages = 0;
        assert_int_equal(pcm_world_checkpoint_restore(f.world, bytes, size), PCM_BAD_CHECKPOINT);
        assert_int_equal(f.messages, 1);
        bytes[i] ^= (uint8_t)(1 + i % 255);
    }
    for (size_t cut = 0; cut < size; cut += 7) {
        f.messages = 0;
        assert_int_equal(pcm_world_checkpoint_restore(f.world, bytes, cut), PCM_BAD_CHECKPOINT);
    }
    uint8_t *after = save(f.world, &size_after);
    assert_int_equal(size, size_after);
    assert_memory_equal(bytes, after, size); /* nothing has changed */
    free(bytes);
    free(after);
    fixture_close(&f);
}

/* Saves a world of one configuration and restores it under another; the message must be the expected one. */
static void try_other(const char *first, const char *second, uint32_t code, const char *reason, const char *extra)
{
    fixture f, g;
    fixture_open(&f, first, NULL);
    fixture_open(&g, second, NULL);
    scene s, t;
    add_objects(&s, f.world);
    if (extra) {
        pcm_object stray = pcm_world_add(f.world, extra, NULL);
        place(f.world, stray, 0, 0, 1, 0, 0, 0);
    }
    step(&s, 3, true);
    add_objects(&t, g.world);
    size_t size;
    void  *bytes = save(f.world, &size);
    g.messages = 0;
    assert_int_equal(pcm_world_checkpoint_restore(g.world, bytes, size), PCM_BAD_CHECKPOINT);
    assert_int_equal(fixture_said(&g, code), 1);
    if (!strstr(g.text[0], reason))
        fail_msg("'%s' does not say '%s'", g.text[0], reason);
    free(bytes);
    fixture_close(&f);
    fixture_close(&g);
}

static void checkpoints_of_other_files_are_refused(void **state)
{
    (void)state;
    try_other(RULES("1"), RULES("0.5"), 502, "contact type 'C' has other parameter values", NULL);
    try_other(RULES("1"), RULES("1") "ObjectPair ground * other -> C;", 502, "other rules", NULL);
    try_other(RULES("1"), RULES("1") "ContactType D = Spring; ObjectPair a * b -> D;", 502, "number of contact types",
              NULL);
    try_other("ContactType C = Spring; DefaultPair -> C;", "ContactType C = Brush; DefaultPair -> C;", 502,
              "'C' (Spring) where this one has 'C' (Brush)", NULL);
    try_other(RULES("1"), RULES("1"), 504, "no moving object 'stray'", "stray");
}

/* From each version to the other: the laws differ only in their version. */
static void another_version_of_a_law_is_refused(void **state)
{
    (void)state;
    const char *paths[] = {TEST_LAWS, TEST_LAWS "/newer:" TEST_LAWS};
    const char *reasons[] = {
        "the checkpoint is rejected: it was made with version 1 of model 'Creep', which is version 2 now",
        "the checkpoint is rejected: it was made with version 2 of model 'Creep', which is version 1 now"};
    fixture f[2];
    scene   s[2];
    size_t  size[2], size_after;
    void   *bytes[2];
    for (size_t i = 0; i < 2; i++) {
        fixture_open_with(&f[i], paths[i], RULES("1"), NULL);
        add_objects(&s[i], f[i].world);
        step(&s[i], 3 + i, true);
        bytes[i] = save(f[i].world, &size[i]);
    }
    for (size_t i = 0; i < 2; i++) {
        size_t other = 1 - i;
        f[other].messages = 0;
        assert_int_equal(pcm_world_checkpoint_restore(f[other].world, bytes[i], size[i]), PCM_BAD_CHECKPOINT);
        assert_int_equal(f[other].messages, 1);
        assert_int_equal(f[other].code[0], 503);
        assert_string_equal(f[other].text[0], reasons[i]);
        void *after = save(f[other].world, &size_after);
        assert_int_equal(size_after, size[other]);
        assert_memory_equal(after, bytes[other], size_after); /* the rejected restore has changed nothing */
        free(after);
    }
    for (size_t i = 0; i < 2; i++) {
        free(bytes[i]);
        fixture_close(&f[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resumed_worlds_go_on_bit_for_bit),
        cmocka_unit_test(objects_are_registered_in_any_order),
        cmocka_unit_test(a_move_keeps_other_checkpoint_fields),
        cmocka_unit_test(a_world_goes_back),
        cmocka_unit_test(many_may_share_a_name),
        cmocka_unit_test(without_memory_nothing_changes),
        cmocka_unit_test(contacts_are_listed_after_the_next_update),
        cmocka_unit_test(damage_is_refused_in_every_byte),
        cmocka_unit_test(checkpoints_of_other_files_are_refused),
        cmocka_unit_test(another_version_of_a_law_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
