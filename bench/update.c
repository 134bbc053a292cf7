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

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        measure(&cases[i], 1000);
        measure(&cases[i], 100000);
        if (bench_settings()->large)
            measure(&cases[i], 10000000);
    }
}
