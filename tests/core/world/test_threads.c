/* SPDX-License-Identifier: MIT */
/* Results are equal bit for bit with any number of tasks on any threads, and for worlds in threads of their own. */
#include "fixture.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const rules = "ContactType C = Spring { Limit=0.0499; };\nContactType L = Brush;\n"
                                 "ObjectPair ground * \"*\" -> C;\nObjectPair wall * \"*\" -> L;\nDefaultPair -> C;\n";

enum { OBJECTS = 900, ROWS = 26000, STEPS = 4 };

/* Contacts of many objects with each other and with two fixed ones, some near, some far, which begin and end. */
static void run_crowd(pcm_world *world, pcm_wrench wrench[OBJECTS])
{
    static pcm_object object[OBJECTS];
    for (size_t i = 0; i < OBJECTS; i++) {
        char name[16];
        snprintf(name, sizeof name, i == 0 ? "ground" : i == 1 ? "wall" : "o%zu", i);
        object[i] = pcm_world_add_object(world, &PCM_OBJECT(.name = name, .fixed = i < 2));
    }
    for (uint64_t step = 0; step < STEPS; step++) {
        uint64_t seed = step;
        for (size_t i = 2; i < OBJECTS; i++)
            place(world, object[i], noise(&seed), noise(&seed), 1, noise(&seed), noise(&seed), noise(&seed));
        for (uint64_t row = 0; row < ROWS; row++) {
            size_t a = 2 + row * (OBJECTS - 2) / ROWS, b = row % 3 == 0   ? row % 2
                                                           : row % 3 == 1 ? a - 1
                                                                          : 2 + row * 7 % 800;
            if (noise(&seed) > -0.9 && a != b)
                touch(world, object[b], object[a], row, noise(&seed), noise(&seed), 0.05 * fabs(noise(&seed)));
        }
        assert_int_equal(pcm_world_update(world, (double)step, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(world), PCM_OK);
    }
    for (size_t i = 0; i < OBJECTS; i++)
        wrench[i] = wrench_of(world, object[i]);
}

static void bits_do_not_depend_on_tasks(void **state)
{
    (void)state;
    static pcm_wrench alone[OBJECTS], together[OBJECTS];
    fixture           f;
    fixture_open(&f, rules, NULL);
    run_crowd(f.world, alone);
    assert_true(pcm_world_contact_count(f.world) > 20000);
    size_t runs = 0;
    for (uint32_t threads = 2; threads < 8; threads += threads == 3 ? 4 : 1)
        for (int own = 0; own < 2; own++) {
            pcm_world_def def = pcm_world_defaults();
            def.threads = threads;
            def.run = own ? NULL : run_backwards;
            def.run_user = &runs;
            pcm_world *world = fixture_world(&f, &def);
            run_crowd(world, together);
            assert_memory_equal(alone, together, sizeof alone);
            pcm_world_free(world);
        }
    assert_true(runs >= 3 * STEPS);
    fixture_close(&f);
}

/* Every contact is with the first object, which is free, so each task except the first must keep its sums for it
 * separately. */
static void run_on_first(pcm_world *world, pcm_wrench wrench[OBJECTS])
{
    static pcm_object object[OBJECTS];
    for (size_t i = 0; i < OBJECTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "o%zu", i);
        object[i] = pcm_world_add(world, name, NULL);
    }
    for (uint64_t row = 0; row < ROWS; row++)
        touch(world, object[0], object[1 + row * (OBJECTS - 1) / ROWS], row, 0, 0, 0.01);
    assert_int_equal(pcm_world_update(world, 0, 1e-3), PCM_OK);
    for (size_t i = 0; i < OBJECTS; i++)
        wrench[i] = wrench_of(world, object[i]);
}

static void first_object_may_be_free(void **state)
{
    (void)state;
    static pcm_wrench alone[OBJECTS], together[OBJECTS];
    fixture           f;
    pcm_world_def     def = pcm_world_defaults();
    def.threads = 3;
    fixture_open(&f, rules, NULL);
    run_on_first(f.world, alone);
    pcm_world *world = fixture_world(&f, &def);
    run_on_first(world, together);
    assert_memory_equal(alone, together, sizeof alone);
    pcm_world_free(world);
    fixture_close(&f);
}

/* A child of fork has the world without its threads: it goes on with the same bits, and frees the world. */
static void children_of_fork_go_on_alone(void **state)
{
    (void)state;
    static pcm_wrench alone[OBJECTS], together[OBJECTS];
    fixture           f;
    pcm_world_def     def = pcm_world_defaults();
    int               answers[2];
    char              answer = 'n';
    def.threads = 3;
    assert_int_equal(pipe(answers), 0);
    fixture_open(&f, rules, NULL);
    run_crowd(f.world, alone);
    pcm_world  *world = fixture_world(&f, &def);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60);
        run_crowd(world, together);
        pcm_world_free(world);
        fixture_close(&f);
        _exit(write(answers[1], memcmp(alone, together, sizeof alone) == 0 ? "y" : "n", 1) != 1);
    }
    /* Not by its exit status, which valgrind replaces: cmocka's memory is left in the child. */
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(answers[1]);
    assert_int_equal(read(answers[0], &answer, 1), 1);
    close(answers[0]);
    assert_int_equal(answer, 'y');
    pcm_world_free(world);
    fixture_close(&f);
}

typedef struct tally {
    pcm_world *world;
    uint32_t   done[4];
    pcm_status inside;
} tally;

static void count_task(void *argument, uint32_t index)
{
    tally *t = argument;
    t->done[index]++;
    if (index == 0)
        t->inside = pcm_world_run_tasks(t->world, count_task, t);
}

/* A host's own tasks run once each, and must not call their world. */
static void hosts_run_tasks(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    for (uint32_t threads = 0; threads < 4; threads++) {
        pcm_world_def def = pcm_world_defaults();
        def.threads = threads;
        tally t = {.world = fixture_world(&f, &def)};
        assert_int_equal(pcm_world_threads(t.world), threads > 1 ? threads : 1);
        assert_int_equal(pcm_world_run_tasks(t.world, count_task, &t), PCM_OK);
        assert_int_equal(pcm_world_run_tasks(t.world, NULL, &t), PCM_BAD_ARGUMENT);
        assert_int_equal(t.inside, PCM_BUSY);
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(t.done[i], i < pcm_world_threads(t.world));
        pcm_world_free(t.world);
    }
    fixture_close(&f);
}

static void *run_alone(void *argument)
{
    pcm_world *world = argument;
    pcm_object ground = pcm_world_add(world, "ground", NULL), ball = pcm_world_add(world, "ball", NULL);
    for (uint64_t step = 0; step < 200; step++) {
        place(world, ball, 0, 0, 1, 0, 0, -1);
        for (uint64_t feature = 0; feature < 20; feature++)
            touch(world, ground, ball, feature + step % 7, 0, 0, 0.01);
        if (pcm_world_update(world, (double)step, 1e-3) != PCM_OK || pcm_world_commit(world) != PCM_OK)
            return NULL;
    }
    return world;
}

static void worlds_share_nothing_that_is_written(void **state)
{
    (void)state;
    pcm_context_def setting = pcm_context_defaults();
    setting.plugin_path = TEST_LAWS;
    pcm_context *context = pcm_context_new(&setting);
    pcm_config  *config = pcm_config_parse(context, "test.pcm", rules, strlen(rules));
    assert_non_null(config);
    enum { WORLDS = 3 };
    pthread_t  thread[WORLDS];
    pcm_world *world[WORLDS];
    for (size_t i = 0; i < WORLDS; i++) {
        world[i] = pcm_world_new(config, NULL);
        assert_int_equal(pthread_create(&thread[i], NULL, run_alone, world[i]), 0);
    }
    pcm_config_release(config);
    for (size_t i = 0; i < WORLDS; i++) {
        void *result;
        assert_int_equal(pthread_join(thread[i], &result), 0);
        assert_ptr_equal(result, world[i]);
        assert_int_equal(pcm_world_contact_count(world[i]), 20);
        pcm_world_free(world[i]);
    }
    pcm_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_do_not_depend_on_tasks),          cmocka_unit_test(first_object_may_be_free),
        cmocka_unit_test(children_of_fork_go_on_alone),         cmocka_unit_test(hosts_run_tasks),
        cmocka_unit_test(worlds_share_nothing_that_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
