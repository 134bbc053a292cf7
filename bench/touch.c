/* SPDX-License-Identifier: MIT */
/* The cost of reporting a live contact: by pair and feature, one at a time and in columns, and by the handle that the
 * host stored. */
#include "bench.h"
#include "baseline_scalar.h"

#include <stdlib.h>
#include <string.h>

static void touch_by_pair(void *work)
{
    Scene *scene = work;
    for (size_t i = 0; i < scene->n_contacts; i++)
        (void)scene_touch_one(scene, i);
}

/* The contacts of a scene in a host that stores pairs in arrays. */
typedef struct Pairs {
    Scene            *scene;
    pcm_touch_columns columns;
    pcm_object       *a, *b;
    uint64_t         *feature;
} Pairs;

static void pairs_make(Pairs *pairs, Scene *scene)
{
    const size_t n = scene->n_contacts;
    *pairs = (Pairs){.scene = scene,
                     .a = bench_allocate(n * sizeof *pairs->a),
                     .b = bench_allocate(n * sizeof *pairs->b),
                     .feature = bench_allocate(n * sizeof *pairs->feature)};
    for (size_t i = 0; i < n; i++) {
        const Contact *c = &scene->contacts[i];
        pairs->a[i] = scene->objects[c->a];
        pairs->b[i] = scene->objects[c->b];
        pairs->feature[i] = i;
    }
    pairs->columns = (pcm_touch_columns){.size = sizeof pairs->columns,
                                         .count = n,
                                         .a = pairs->a,
                                         .b = pairs->b,
                                         .feature = pairs->feature,
                                         .point = scene->points,
                                         .normal = scene->normals,
                                         .depth = scene->depths,
                                         .contacts = bench_allocate(n * sizeof(pcm_contact))};
}

static void pairs_drop(Pairs *pairs)
{
    free(pairs->a);
    free(pairs->b);
    free(pairs->feature);
    free(pairs->columns.contacts);
}

static void touch_pairs(void *work)
{
    const Pairs *pairs = work;
    if (pcm_world_touch_many(pairs->scene->world, &pairs->columns) != pairs->columns.count)
        bench_fail("touches were rejected");
}

static void update_pairs(void *work) { scene_update(((const Pairs *)work)->scene); }

static void measure_pairs(size_t size, double goal)
{
    Pairs  pairs;
    Scene *scene = scene_new("ContactType C = " VISCOELASTIC_TYPE "; DefaultPair -> C;", size, 1, NULL);
    pairs_make(&pairs, scene);
    bench_compare(&(bench_promise){.name = "touch of pairs in columns",
                                   .size = size,
                                   .items = (double)size,
                                   .kind = BENCH_NANOSECONDS,
                                   .goal = goal,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){touch_pairs, update_pairs, &pairs}, (bench_way){0});
    pairs_drop(&pairs);
    scene_free(scene);
}

static void measure(const char *name, size_t size, double goal, void (*touch)(void *))
{
    Scene *scene = scene_new("ContactType C = " VISCOELASTIC_TYPE "; DefaultPair -> C;", size, 1, NULL);
    bench_compare(&(bench_promise){.name = name,
                                   .size = size,
                                   .items = (double)size,
                                   .kind = BENCH_NANOSECONDS,
                                   .goal = goal,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){touch, scene_update, scene}, (bench_way){0});
    scene_free(scene);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    measure("touch by pair and feature", 1000, 0, touch_by_pair);
    measure_pairs(1000, 0);
    measure("touch by handle", 1000, 0, scene_touch);
    measure("touch by pair and feature", 100000, 25, touch_by_pair);
    measure_pairs(100000, 25);
    measure("touch by handle", 100000, 5, scene_touch);
}
