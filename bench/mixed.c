/* SPDX-License-Identifier: MIT */
/* Several laws mixed at random over the contacts: one batch per type against one indirect call per contact. */
#include "bench.h"
#include "baseline_scalar.h"
#include "columns.h"
#include "open_config.h"

#include <stdlib.h>

static const struct {
    const char  *text;
    LawFunction *by_hand;
} laws[] = {
    {"ContactType C = " VISCOELASTIC_TYPE ";", law_viscoelastic},
    {"ContactType C = " COMPLIANT_TYPE ";", law_compliant},
    {"ContactType C = " SMOOTH_TYPE ";", law_smooth},
    {"ContactType C = " SPRING_TYPE ";", law_spring},
};
enum { N_LAWS = sizeof laws / sizeof *laws };

/* A contact in a program that learns its law only at run time. */
typedef struct Touching {
    LawFunction *law;
    LawMotion    motion;
    double       state[3], next[3];
    LawForce     force;
} Touching;

typedef struct Mixture {
    Columns  *columns[N_LAWS];
    Touching *touching;
    size_t    count;
} Mixture;

static void call_batches(void *work)
{
    const Mixture *mixture = work;
    for (size_t i = 0; i < N_LAWS; i++)
        columns_call(mixture->columns[i]);
}

static void call_each(void *work)
{
    const Mixture *mixture = work;
    for (size_t i = 0; i < mixture->count; i++) {
        Touching *t = &mixture->touching[i];
        t->force = t->law(&t->motion, t->state, t->next, 1e-4);
    }
}

static void check(const Mixture *mixture, size_t index, size_t law, size_t row)
{
    const pcm_batch *b = &mixture->columns[law]->batch;
    const LawForce  *force = &mixture->touching[index].force;
    const double     size = fabs(force->normal) + fabs(force->x) + fabs(force->y);
    const double     error =
        fabs(force->normal - b->force_n[row]) + fabs(force->x - b->force_x[row]) + fabs(force->y - b->force_y[row]);
    if (!(error <= 1e-12 * size))
        bench_fail("the laws by hand are not the laws of the plugins");
}

static void measure(size_t size)
{
    Mixture mixture = {.count = size, .touching = bench_allocate(size * sizeof(Touching))};
    size_t *order = bench_allocate(size * sizeof *order);

    for (size_t i = 0; i < N_LAWS; i++)
        mixture.columns[i] = columns_new(open_type(laws[i].text), size / N_LAWS, false);
    for (size_t i = 0; i < size; i++) {
        const size_t other = (size_t)bench_random(0, (double)i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < size; i++) {
        const size_t   law = order[i] % N_LAWS, row = order[i] / N_LAWS;
        const Columns *columns = mixture.columns[law];
        Touching      *t = &mixture.touching[i];
        t->law = laws[law].by_hand;
        t->motion = (LawMotion){columns->batch.depth[row], columns->batch.depth_rate[row], columns->batch.slip_x[row],
                                columns->batch.slip_y[row]};
        for (size_t k = 0; k < 3 && columns->state[k]; k++)
            t->state[k] = columns->state[k][row];
    }
    call_batches(&mixture);
    call_each(&mixture);
    for (size_t i = 0; i < size; i++)
        check(&mixture, i, order[i] % N_LAWS, order[i] / N_LAWS);

    bench_compare(&(bench_promise){.name = "four laws mixed at random",
                                   .size = size,
                                   .items = (double)size,
                                   .kind = BENCH_FASTER,
                                   .goal = 6,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){call_batches, NULL, &mixture}, (bench_way){call_each, NULL, &mixture});
    for (size_t i = 0; i < N_LAWS; i++)
        columns_free(mixture.columns[i]);
    free(mixture.touching);
    free(order);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    measure(1000);
    measure(100000);
}
