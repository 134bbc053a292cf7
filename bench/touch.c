/* SPDX-License-Identifier: MIT */
/* What it costs to report a contact that lives: by pair and feature, and by the handle that the host kept. */
#include "bench.h"
#include "baseline_scalar.h"

static void touch_by_pair(void *work)
{
    Scene *scene = work;
    for (size_t i = 0; i < scene->n_contacts; i++) {
        const Contact *c = &scene->contacts[i];
        pcm_world_touch(scene->world, scene->objects[c->a], scene->objects[c->b], i, c->point, c->normal, c->depth);
    }
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
    measure("touch by handle", 1000, 0, scene_touch);
    measure("touch by pair and feature", 100000, 25, touch_by_pair);
    measure("touch by handle", 100000, 5, scene_touch);
}
