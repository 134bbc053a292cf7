/* SPDX-License-Identifier: MIT */
/* The cost of keeping a law in a shared object: a batch through the plugin against the very same kernel compiled into
 * this program, and batches of one against the scalar function that a C programmer would call; forces only. */
#include "bench.h"
#include "baseline_scalar.h"
#include "columns.h"
#include "open_config.h"

#include <stdlib.h>

#include "../plugins/ViscoelasticGround.c"

enum { CONTACTS = 4096 };

typedef struct Calls {
    const Columns *whole;
    Columns       *slices;
    size_t         count;
} Calls;

static Calls calls_new(const Columns *whole, size_t batch)
{
    Calls calls = {.whole = whole, .count = CONTACTS / batch};
    calls.slices = bench_allocate(calls.count * sizeof *calls.slices);
    for (size_t i = 0; i < calls.count; i++)
        columns_slice(whole, i * batch, batch, &calls.slices[i]);
    return calls;
}

static void call_plugin(void *work)
{
    const Calls *calls = work;
    for (size_t i = 0; i < calls->count; i++)
        pcm_type_call(calls->slices[i].type, PCM_FORCES, &calls->slices[i].batch);
}

static void call_compiled_in(void *work)
{
    const Calls *calls = work;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        for (size_t i = 0; i < calls->count; i++)
            pcm_forces_avx512(&calls->slices[i].batch);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        for (size_t i = 0; i < calls->count; i++)
            pcm_forces_avx2(&calls->slices[i].batch);
        return;
    }
#endif
    for (size_t i = 0; i < calls->count; i++)
        pcm_forces_plain(&calls->slices[i].batch);
}

static void call_scalar(void *work)
{
    const Calls     *calls = work;
    const pcm_batch *b = &calls->whole->batch;
    for (size_t i = 0; i < b->count; i++) {
        const LawMotion motion = {b->depth[i], b->depth_rate[i], b->slip_x[i], b->slip_y[i]};
        const LawForce  force = law_viscoelastic(&motion, NULL, NULL, 0);
        b->force_n[i] = force.normal;
        b->force_x[i] = force.x;
        b->force_y[i] = force.y;
    }
}

static void measure(const char *name, const Columns *columns, size_t batch, double goal, void (*rival)(void *))
{
    Calls calls = calls_new(columns, batch);
    bench_compare(&(bench_promise){.name = name,
                                   .size = batch,
                                   .items = CONTACTS,
                                   .bytes = columns->bytes,
                                   .kind = BENCH_COST,
                                   .goal = goal,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){call_plugin, NULL, &calls}, (bench_way){rival, NULL, &calls});
    free(calls.slices);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    Columns *columns = columns_new(open_type("ContactType C = " VISCOELASTIC_TYPE ";"), CONTACTS, true);
    for (size_t batch = 8; batch <= 1024; batch *= 2)
        measure("batch against kernel compiled in", columns, batch, batch == 256 ? 1.03 : 0, call_compiled_in);
    measure("one contact against scalar function", columns, 1, 1.5, call_scalar);
    columns_free(columns);
}
