/* SPDX-License-Identifier: MIT */
/* Evaluations that are not committed have no lasting effect, and equal evaluations give equal bits. */
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const rules = "ContactType C = Spring { Stiffness=1000; Limit=0.04995; LogFile=\"spring.csv\"; };\n"
                                 "ContactType L = Brush { LogFile=\"brush.csv\"; Resolution=0.01; Debug=true; };\n"
                                 "ContactType P = Creep { Separation=0.001 [m]; Debug=true; };\n"
                                 "ObjectPair ground * \"spring*\" -> C;\n"
                                 "ObjectPair ground * \"brush*\" -> L;\n"
                                 "ObjectPair ground * \"creep*\" -> P;\n";

enum { OBJECTS = 9, FEATURES = 40, STEPS = 200 };

typedef struct run {
    fixture    f;
    char       directory[32];
    pcm_object ground, object[OBJECTS], stranger;
} run;

static void start(run *r)
{
    strcpy(r->directory, "/tmp/pcm-trial-XXXXXX");
    assert_non_null(mkdtemp(r->directory));
    pcm_world_def def = pcm_world_defaults();
    def.log_directory = r->directory;
    fixture_open(&r->f, rules, &def);
    r->ground = pcm_world_add_object(r->f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
    const char *kinds[] = {"spring", "brush", "creep"};
    for (size_t i = 0; i < OBJECTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s%zu", kinds[i % 3], i);
        r->object[i] = pcm_world_add(r->f.world, name, NULL);
    }
    r->stranger = pcm_world_add(r->f.world, "stranger", NULL);
}

/* One evaluation of the scene, with motion from the seed. */
static void evaluate(run *r, uint64_t seed, double t)
{
    pcm_world *world = r->f.world;
    for (size_t i = 0; i < OBJECTS; i++)
        place(world, r->object[i], noise(&seed), noise(&seed), 1, noise(&seed), noise(&seed), noise(&seed));
    for (uint64_t feature = 0; feature < FEATURES; feature++)
        for (size_t i = 0; i < OBJECTS; i++)
            if (noise(&seed) > -0.5)
                touch(world, r->ground, r->object[i], feature, noise(&seed), noise(&seed), 0.05 * noise(&seed));
    assert_int_equal(pcm_world_update(world, t, 1e-3), PCM_OK);
}

/* An evaluation with everything that must not last: unknown objects, deep touches, bad motion, other states. */
static void disturb(run *r, uint64_t seed, double t)
{
    pcm_world *world = r->f.world;
    touch(world, r->ground, r->stranger, 1, 0, 0, 0.1);
    for (uint64_t feature = 0; feature < FEATURES; feature += 1 + seed % 7) {
        touch(world, r->ground, r->object[seed % OBJECTS], feature + seed % 50, 0, 0, seed % 3 ? NAN : 1);
        pcm_contact  c = touch(world, r->ground, r->object[seed % 3 == 0], feature, 0, 0, 0.01);
        const double state[2] = {1, 2};
        pcm_world_try_state(world, c, state);
    }
    pcm_world_update(world, t + 1e9, 100);
}

/* All results of a world, as bytes. */
static size_t picture(run *r, char *bytes, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < pcm_world_contact_count(r->f.world); i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(r->f.world, i, &info), PCM_OK);
        uint32_t      n_state = pcm_type_get_info(info.type)->n_state;
        const double *parts[] = {info.point, info.frame, &info.depth, info.force, info.moment, &info.since, info.state};
        size_t        counts[] = {3, 9, 1, 3, 3, 1, n_state};
        assert_true(used + 256 + n_state * sizeof(double) < size);
        memcpy(bytes + used, &info.id, sizeof info.id);
        used += sizeof info.id;
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            if (counts[k]) {
                memcpy(bytes + used, parts[k], counts[k] * sizeof(double));
                used += counts[k] * sizeof(double);
            }
    }
    for (size_t i = 0; i < OBJECTS; i++) {
        pcm_wrench w = wrench_of(r->f.world, r->object[i]);
        memcpy(bytes + used, &w, sizeof w);
        used += sizeof w;
    }
    pcm_wrench w = wrench_of(r->f.world, r->ground);
    memcpy(bytes + used, &w, sizeof w);
    return used + sizeof w;
}

static size_t read_log(const run *r, const char *name, char *bytes, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", r->directory, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t used = fread(bytes, 1, size, file);
    assert_true(used < size);
    fclose(file);
    unlink(path);
    return used;
}

static void finish(run *r)
{
    fixture_close(&r->f);
    assert_int_equal(rmdir(r->directory), 0);
}

static void trials_leave_no_trace(void **state)
{
    (void)state;
    enum { SIZE = 1 << 24 };
    static run  plain, tried;
    static char a[SIZE], b[SIZE];
    start(&plain);
    start(&tried);
    size_t trials = 0;
    for (uint64_t i = 0; i < STEPS; i++) {
        double t = 1e-3 * (double)i;
        for (uint64_t k = 0; k < i % 20; k++, trials++) {
            evaluate(&tried, 77 * i + k, t + 5);
            disturb(&tried, i + k, t);
        }
        evaluate(&plain, i, t);
        evaluate(&tried, i, t);
        size_t size = picture(&plain, a, SIZE);
        assert_int_equal(picture(&tried, b, SIZE), size);
        assert_memory_equal(a, b, size);
        assert_int_equal(pcm_world_commit(plain.f.world), PCM_OK);
        assert_int_equal(pcm_world_commit(tried.f.world), PCM_OK);
        size = picture(&plain, a, SIZE);
        assert_int_equal(picture(&tried, b, SIZE), size);
        assert_memory_equal(a, b, size);
    }
    assert_true(trials >= 1000);
    assert_int_equal(plain.f.messages, tried.f.messages);
    assert_memory_equal(plain.f.text, tried.f.text, sizeof plain.f.text);
    uint64_t events = 0;
    for (size_t rule = 0; rule < 3; rule++) {
        pcm_rule_stats one = {.size = sizeof one}, other = {.size = sizeof other};
        assert_int_equal(pcm_world_rule_stats(plain.f.world, rule, &one), PCM_OK);
        assert_int_equal(pcm_world_rule_stats(tried.f.world, rule, &other), PCM_OK);
        assert_memory_equal(&one, &other, sizeof one);
        assert_true(one.made >= 100);
        events += one.parted + one.broken;
    }
    assert_true(events > 1000);
    assert_int_equal(pcm_world_flush(plain.f.world), PCM_OK);
    assert_int_equal(pcm_world_flush(tried.f.world), PCM_OK);
    const char *logs[] = {"spring.csv", "brush.csv"};
    for (size_t i = 0; i < 2; i++) {
        size_t size = read_log(&plain, logs[i], a, SIZE);
        assert_true(size > 10000);
        assert_int_equal(read_log(&tried, logs[i], b, SIZE), size);
        assert_memory_equal(a, b, size);
    }
    finish(&plain);
    finish(&tried);
}

/* After the largest number of contacts has occurred, the loop allocates nothing. */
static void loop_does_not_allocate(void **state)
{
    (void)state;
    run r;
    strcpy(r.directory, "");
    fixture_open(&r.f, rules, NULL);
    r.ground = pcm_world_add(r.f.world, "ground", NULL);
    for (size_t i = 0; i < OBJECTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "spring%zu", i);
        r.object[i] = pcm_world_add(r.f.world, name, NULL);
    }
    for (uint64_t i = 0; i < 200; i++) {
        if (i == 100)
            r.f.allocations = 0;
        evaluate(&r, i % 100, (double)i);
        assert_int_equal(pcm_world_commit(r.f.world), PCM_OK);
    }
    assert_int_equal(r.f.allocations, 0);
    fixture_close(&r.f);
}

/* The same scene with every instruction set: every bit of every force and state is the same. */
static void instruction_sets_agree(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    static char reference[SIZE], other[SIZE];
    size_t      size = 0;
    for (uint32_t isa = PCM_ISA_PLAIN; isa <= PCM_ISA_AVX512; isa++) {
        run           r;
        pcm_world_def def = pcm_world_defaults();
        def.isa = isa;
        fixture_open(&r.f, rules, &def);
        r.ground = pcm_world_add_object(r.f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
        const char *kinds[] = {"spring", "brush", "creep"};
        for (size_t i = 0; i < OBJECTS; i++) {
            char name[16];
            snprintf(name, sizeof name, "%s%zu", kinds[i % 3], i);
            r.object[i] = pcm_world_add(r.f.world, name, NULL);
        }
        for (uint64_t i = 0; i < 100; i++) {
            evaluate(&r, i, (double)i);
            assert_int_equal(pcm_world_commit(r.f.world), PCM_OK);
        }
        if (isa == PCM_ISA_PLAIN)
            size = picture(&r, reference, SIZE);
        else {
            assert_int_equal(picture(&r, other, SIZE), size);
            assert_memory_equal(reference, other, size);
        }
        fixture_close(&r.f);
    }
}

/* A commit moves and removes contacts, one of which was read just before. */
static void looks_are_of_their_moment(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    static run  plain, looked;
    static char a[SIZE], b[SIZE];
    run *const  runs[] = {&plain, &looked};
    start(&plain);
    start(&looked);
    for (uint64_t i = 0; i < 40; i++) {
        pcm_contact_info info = {.size = sizeof info};
        evaluate(&plain, i, 1e-3 * (double)i);
        evaluate(&looked, i, 1e-3 * (double)i);
        assert_int_equal(pcm_world_contact_at(looked.f.world, 0, &info), PCM_OK);
        assert_int_equal(pcm_world_commit(plain.f.world), PCM_OK);
        assert_int_equal(pcm_world_commit(looked.f.world), PCM_OK);
        const size_t size = picture(&plain, a, SIZE);
        assert_int_equal(picture(&looked, b, SIZE), size);
        assert_memory_equal(a, b, size);
    }
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(pcm_world_flush(runs[i]->f.world), PCM_OK);
        read_log(runs[i], "spring.csv", a, SIZE);
        read_log(runs[i], "brush.csv", a, SIZE);
        finish(runs[i]);
    }
}

/* Tried states apply to one evaluation; a commit keeps tried continuous states as given, and steps histories from
 * them. */
static void tried_states_are_the_hosts(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    pcm_object  ground = pcm_world_add(f.world, "ground", NULL), creep = pcm_world_add(f.world, "creep", NULL);
    pcm_contact c = touch(f.world, ground, creep, 1, 0, 0, 0.5);
    double      tried = 0.25;
    assert_int_equal(pcm_world_try_state(f.world, c, &tried), PCM_BAD_ORDER); /* not live yet */
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    pcm_contact_info info = {.size = sizeof info};
    for (size_t i = 0; i < 2; i++) {
        touch(f.world, ground, creep, 1, 0, 0, 0.5);
        if (i == 0)
            assert_int_equal(pcm_world_try_state(f.world, c, &tried), PCM_OK);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        assert_int_equal(pcm_world_contact_info(f.world, c, &info), PCM_OK);
        assert_near(info.force[2], i == 0 ? 25 : 0, 0);
        assert_near(info.rate[0], i == 0 ? 0.25 : 0.5, 0);
        assert_near(info.event[0], i == 0 ? -0.75 : -1, 0);
        assert_near(info.energy, i == 0 ? 50 * 0.0625 : 0, 0);
    }
    touch(f.world, ground, creep, 1, 0, 0, 0.5);
    assert_int_equal(pcm_world_try_state(f.world, c, &tried), PCM_OK);
    assert_int_equal(pcm_world_update(f.world, 0, 0.1), PCM_OK);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    touch(f.world, ground, creep, 1, 0, 0, 0.5);
    assert_int_equal(pcm_world_update(f.world, 0, 0.1), PCM_OK);
    assert_int_equal(pcm_world_contact_info(f.world, c, &info), PCM_OK);
    assert_near(info.state[0], 0.25 + 0.1 * 0.25, 1e-17); /* the world's step */
    fixture_close(&f);
}

/* While another contact's states are tried, a new contact begins with the states that its law establishes. */
static void new_contacts_begin_next_to_trial_ones(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object  ground = pcm_world_add(f.world, "ground", NULL), old = pcm_world_add(f.world, "brush1", NULL);
    const pcm_object  young = pcm_world_add(f.world, "brush2", NULL);
    const pcm_contact c = touch(f.world, ground, old, 1, 0, 0, 0.5);
    const double      tried[] = {0.25, 0};
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    for (size_t i = 0; i < 2; i++) { /* in the second evaluation it already exists */
        touch(f.world, ground, old, 1, 0, 0, 0.5);
        touch(f.world, ground, young, 1, 0, 0, 0.5);
        assert_int_equal(pcm_world_try_state(f.world, c, tried), PCM_OK);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        const pcm_wrench of_old = wrench_of(f.world, old), of_young = wrench_of(f.world, young);
        assert_near(hypot(of_old.force[0], of_old.force[1]), 1e4 * 0.25, 1e-9);
        assert_near(hypot(of_young.force[0], of_young.force[1]), 1e4 * 1e-6, 1e-15);
    }
    fixture_close(&f);
}

static void jumps_change_committed_states(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    pcm_object  ground = pcm_world_add(f.world, "ground", NULL), brush = pcm_world_add(f.world, "brush", NULL);
    pcm_contact c = touch(f.world, ground, brush, 1, 0, 0, 0.5);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_world_jump(f.world, c, 0), PCM_BAD_ORDER);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    assert_int_equal(pcm_world_jump(f.world, c, 1), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_jump(f.world, c, 0), PCM_OK);
    touch(f.world, ground, brush, 1, 0, 0, 0.5);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_info(f.world, c, &info), PCM_OK);
    assert_near(info.state[0], -1e-6, 0);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trials_leave_no_trace),         cmocka_unit_test(looks_are_of_their_moment),
        cmocka_unit_test(loop_does_not_allocate),        cmocka_unit_test(instruction_sets_agree),
        cmocka_unit_test(tried_states_are_the_hosts),    cmocka_unit_test(new_contacts_begin_next_to_trial_ones),
        cmocka_unit_test(jumps_change_committed_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
