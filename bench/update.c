/* SPDX-License-Identifier: MIT */
/* All the work of a contact - moves, frames, law, wrenches - in a world, compared with the hand-written scalar loop. */
#include "bench.h"
#include "baseline_scalar.h"

typedef struct Case {
    const char *name, *text;
    void (*by_hand)(void *scene);
    double goal, goal_large;
} Case;

static const Case cases[] = {
    {"update ViscoelasticGround", "ContactType C = " VISCOELASTIC_TYPE "; DefaultPair -> C;", by_hand_viscoelastic, 5,
     4},
    {"update CompliantGround", "ContactType C = " COMPLIANT_TYPE "; DefaultPair -> C;", by_hand_compliant, 3, 3},
    {"update SmoothSpringDamper", "ContactType C = " SMOOTH_TYPE "; DefaultPair -> C;", by_hand_smooth, 3, 3},
};

static void measure(const Case *test, size_t size)
{
    Scene *scene = scene_new(test->text, size, 1, NULL);
    test->by_hand(scene);
    scene_agree(scene, 1e-9); /* rounding differs: each computes the smallest rotation of the frame in its own way */
    bench_compare(&(bench_promise){.name = test->name,
                                   .size = size,
                                   .items = (double)size,
                                   .kind = BENCH_FASTER,
                                   .goal = size > 1000000 ? test->goal_large : test->goal,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){scene_update, scene_touch, scene}, (bench_way){test->by_hand, NULL, scene});
    if (size >= 100000)
        bench_quantity("peak memory of a contact, in bytes", size, (double)scene->account.peak / (double)size, 0);
    scene_free(scene);
}

/* What shapes cost: Hertz's law with shapes that are circles or ellipses, against the same law without shapes. */
static void measure_shapes(size_t size, bool ellipses)
{
    static const char text[] = "ContactType C = Hertz { ReducedModulus = 1 [MPa]; }; DefaultPair -> C;";
    Scene            *round = scene_new(text, size, 1, NULL), *shaped = scene_new(text, size, 1, NULL);
    shaped->shapes = bench_allocate(size * sizeof *shaped->shapes);
    for (size_t i = 0; i < size; i++) {
        shaped->shapes[i] = pcm_contact_shape_defaults();
        shaped->shapes[i].curvature[1] = bench_random(50, 100);
        shaped->shapes[i].curvature[0] = ellipses ? bench_random(20, 50) : shaped->shapes[i].curvature[1];
    }
    bench_compare(&(bench_promise){.name = ellipses ? "update Hertz with ellipses" : "update Hertz with circles",
                                   .size = size,
                                   .items = (double)size,
                                   .kind = BENCH_COST,
                                   .goal = 1.3,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){scene_update, scene_touch, shaped}, (bench_way){scene_update, scene_touch, round});
    scene_free(shaped);
    scene_free(round);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    measure_shapes(1000, false);
    measure_shapes(1000, true);
    measure_shapes(100000, true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        measure(&cases[i], 1000);
        measure(&cases[i], 100000);
        if (bench_settings()->large)
            measure(&cases[i], 10000000);
    }
}
