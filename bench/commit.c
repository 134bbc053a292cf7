/* SPDX-License-Identifier: MIT */
/* The cost of a commit per contact: alone, with statistics for several rules of one type, with the energy ledger, and
 * with both. */
#include "bench.h"
#include "baseline_scalar.h"

#define ONE_RULE  "ContactType C = " VISCOELASTIC_TYPE "; DefaultPair -> C;"
#define TWO_RULES "ContactType C = " VISCOELASTIC_TYPE "; SurfacePair S0 * S0 -> C; DefaultPair -> C;"

static void commit(void *work)
{
    const Scene *scene = work;
    if (pcm_world_commit(scene->world) != PCM_OK)
        bench_fail("the commit failed");
}

static void evaluate(void *work)
{
    scene_touch(work);
    scene_update(work);
}

static void measure(const char *name, const char *text, size_t size, bool ledger, double goal)
{
    pcm_world_def def = pcm_world_defaults();
    def.ledger = ledger;
    Scene *scene = scene_new(text, size, 2, &def);
    bench_compare(&(bench_promise){.name = name,
                                   .size = size,
                                   .items = (double)size,
                                   .kind = BENCH_NANOSECONDS,
                                   .goal = goal,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){commit, evaluate, scene}, (bench_way){0});
    scene_free(scene);
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {4000, 100000};
    bench_start(argc, argv, "");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        measure("commit", ONE_RULE, sizes[i], false, 0);
        measure("commit with two rules", TWO_RULES, sizes[i], false, 20);
        measure("commit with a ledger", ONE_RULE, sizes[i], true, 20);
        measure("commit with two rules and a ledger", TWO_RULES, sizes[i], true, 20);
    }
}
