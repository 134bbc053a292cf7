/* SPDX-License-Identifier: MIT */
/* Two threads against one: the laws alone, on columns of the host's own, and a world's whole update. */
#include "bench.h"
#include "baseline_scalar.h"
#include "columns.h"
#include "open_config.h"

#include <pthread.h>
#include <stdatomic.h>

enum { CONTACTS = 100000 };

/* A second thread that waits for its half without sleeping, as in hosts with frames of their own. */
typedef struct Pair {
    Columns    *whole, halves[2];
    atomic_uint asked, done;
    atomic_bool over;
} Pair;

static void *work_beside(void *argument)
{
    Pair    *pair = argument;
    unsigned round = 0;
    while (!atomic_load(&pair->over))
        if (atomic_load(&pair->asked) != round) {
            columns_call(&pair->halves[1]);
            atomic_store(&pair->done, ++round);
        }
    return NULL;
}

static void call_both(void *work)
{
    Pair          *pair = work;
    const unsigned round = atomic_fetch_add(&pair->asked, 1) + 1;
    columns_call(&pair->halves[0]);
    while (atomic_load(&pair->done) != round)
        ;
}

static void measure_laws(void)
{
    Pair      pair = {.whole = columns_new(open_type("ContactType C = " VISCOELASTIC_TYPE ";"), CONTACTS, false)};
    pthread_t thread;
    columns_slice(pair.whole, 0, CONTACTS / 2, &pair.halves[0]);
    columns_slice(pair.whole, CONTACTS / 2, CONTACTS - CONTACTS / 2, &pair.halves[1]);
    if (pthread_create(&thread, NULL, work_beside, &pair) != 0)
        bench_fail("no second thread");
    bench_compare(&(bench_promise){.name = "laws on two threads",
                                   .size = CONTACTS,
                                   .items = CONTACTS,
                                   .kind = BENCH_FASTER,
                                   .goal = 1.85,
                                   .clock = CLOCK_MONOTONIC},
                  (bench_way){call_both, NULL, &pair}, (bench_way){columns_call, NULL, pair.whole});
    atomic_store(&pair.over, true);
    pthread_join(thread, NULL);
    columns_free(pair.whole);
}

/* One step first: threads are awake and the caches hold this scene, as in the middle of a simulation. */
static void step_before(void *scene)
{
    scene_touch(scene);
    scene_update(scene);
    scene_touch(scene);
}

static void measure_update(size_t size, double goal)
{
    const char   *text = "ContactType C = " VISCOELASTIC_TYPE "; DefaultPair -> C;";
    pcm_world_def def = pcm_world_defaults();
    Scene        *one = scene_new(text, size, 1, &def);
    def.threads = 2;
    Scene *two = scene_new(text, size, 1, &def);
    bench_compare(&(bench_promise){.name = "update on two threads",
                                   .size = size,
                                   .items = (double)size,
                                   .kind = BENCH_FASTER,
                                   .goal = goal,
                                   .clock = CLOCK_MONOTONIC},
                  (bench_way){scene_update, step_before, two}, (bench_way){scene_update, step_before, one});
    scene_free(one);
    scene_free(two);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    measure_laws();
    measure_update(10000, 0);
    measure_update(CONTACTS, 1.7);
    measure_update(1000000, 0);
}
