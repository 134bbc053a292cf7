/* SPDX-License-Identifier: MIT */
/* A law assembled from parts, compared with the same laws run one after the other over as many contacts: the overhead
 * of being a part. */
#include "bench.h"
#include "baseline_scalar.h"
#include "columns.h"
#include "open_config.h"

#include <math.h>

enum { PARTS = 3 };

#define WHOLE                                                                                                          \
    "ContactType C = ViscoelasticGround + SmoothSpringDamper + CompliantGround { GroundStiffness = 1e4; "              \
    "GroundDamping = 10; ViscoelasticGround.Friction = 0.8; TanhRate = 50; SmoothSpringDamper.Stiffness = 1e6; "       \
    "SmoothSpringDamper.Damping = 1e3; TransitionRegionWidth = 1e-4; CoefficientOfStaticFriction = 0.5; "              \
    "CoefficientOfDynamicFriction = 0.3; CriticalVelocity = 1e-3; CompliantGround.Stiffness = 1e6; "                   \
    "CompliantGround.Damping = 2000; CompliantGround.Friction = 0.5; };"

typedef struct Pair {
    Columns *whole, *alone[PARTS];
} Pair;

static void call_whole(void *work) { columns_call(((Pair *)work)->whole); }

static void call_alone(void *work)
{
    for (size_t i = 0; i < PARTS; i++)
        columns_call(((Pair *)work)->alone[i]);
}

/* The laws alone over the motion of the whole, so that their forces add up to those of the whole. */
static Columns *alone(const char *text, const Columns *whole)
{
    Columns *columns = columns_new(open_type(text), whole->batch.count, false);
    columns->batch.depth = whole->batch.depth;
    columns->batch.depth_rate = whole->batch.depth_rate;
    columns->batch.slip_x = whole->batch.slip_x;
    columns->batch.slip_y = whole->batch.slip_y;
    return columns;
}

static void check(Pair *pair)
{
    call_whole(pair);
    call_alone(pair);
    for (size_t i = 0; i < pair->whole->batch.count; i++) {
        double sum = 0;
        for (size_t k = 0; k < PARTS; k++)
            sum += pair->alone[k]->batch.force_n[i];
        if (!(fabs(pair->whole->batch.force_n[i] - sum) <= 1e-12 * fabs(sum)))
            bench_fail("the whole is not the sum of its parts");
    }
}

static void measure(size_t size)
{
    static const char *const texts[PARTS] = {"ContactType C = " VISCOELASTIC_TYPE ";",
                                             "ContactType C = " SMOOTH_TYPE ";", "ContactType C = " COMPLIANT_TYPE ";"};
    Pair                     pair = {.whole = columns_new(open_type(WHOLE), size, false)};
    const bench_way          whole = {call_whole, NULL, &pair}, laws = {call_alone, NULL, &pair};
    const bench_promise      ratio = {.name = "law of three parts over its laws",
                                      .size = size,
                                      .items = (double)size,
                                      .kind = BENCH_COST,
                                      .clock = CLOCK_THREAD_CPUTIME_ID};
    const bench_promise      part = {.name = "a part beyond its law, ns",
                                     .size = size,
                                     .items = (double)(PARTS * size),
                                     .kind = BENCH_NANOSECONDS,
                                     .goal = 3,
                                     .clock = CLOCK_THREAD_CPUTIME_ID};
    for (size_t i = 0; i < PARTS; i++)
        pair.alone[i] = alone(texts[i], pair.whole);
    check(&pair);
    bench_compare(&ratio, whole, laws);
    bench_compare_beyond(&part, whole, (bench_way){0}, laws);
    for (size_t i = 0; i < PARTS; i++)
        columns_free(pair.alone[i]);
    columns_free(pair.whole);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    measure(1000);
    measure(100000);
}
