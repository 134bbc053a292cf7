/* SPDX-License-Identifier: MIT */
/* The cost of reporting a live contact: by pair and feature, one at a time and in columns, and by the handle that the
 * host stored. */
#include "bench.h"
#include "baseline_scalar.h"
#include <pcm/near.h>

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

/* Boxes on a plane, four points each: in a call for each box, and in one for all with features. */
enum { CORNERS = 4 };
typedef struct Boxes {
    pcm_context      *context;
    pcm_config       *config;
    pcm_world        *world;
    pcm_object        plane, *box, *box_of;
    pcm_touch        *touches;
    pcm_touch_columns columns;
    double           *point, *normal, *depth;
    uint64_t         *feature;
    size_t            n;
    double            time;
} Boxes;

static void touch_boxes_near(void *work)
{
    const Boxes *b = work;
    for (size_t i = 0; i < b->n; i++)
        if (pcm_world_touch_near(b->world, b->plane, b->box[i], b->touches + CORNERS * i, sizeof *b->touches, CORNERS,
                                 0, NULL) != PCM_OK)
            bench_fail("touches were rejected");
}

static void touch_boxes_in_columns(void *work)
{
    const Boxes *b = work;
    if (pcm_world_touch_many(b->world, &b->columns) != b->columns.count)
        bench_fail("touches were rejected");
}

static void update_boxes(void *work)
{
    Boxes *b = work;
    b->time += 1e-3;
    if (pcm_world_update(b->world, b->time, 1e-3) != PCM_OK || pcm_world_commit(b->world) != PCM_OK)
        bench_fail("the boxes were not updated");
}

static void boxes_open(Boxes *b, size_t n, bool features)
{
    static const char law[] = "ContactType C = " VISCOELASTIC_TYPE "; DefaultPair -> C;";
    *b = (Boxes){.n = n, .context = pcm_context_new(NULL)};
    b->config = pcm_config_parse(b->context, "boxes", law, strlen(law));
    b->world = b->config ? pcm_world_new(b->config, NULL) : NULL;
    if (!b->world)
        bench_fail("there is no world");
    b->plane = pcm_world_add_object(b->world, &PCM_OBJECT(.name = "plane", .fixed = true));
    b->box = bench_allocate(n * sizeof *b->box);
    b->box_of = bench_allocate(CORNERS * n * sizeof *b->box_of);
    b->touches = bench_allocate(CORNERS * n * sizeof *b->touches);
    b->point = bench_allocate(3 * CORNERS * n * sizeof *b->point);
    b->normal = bench_allocate(3 * CORNERS * n * sizeof *b->normal);
    b->depth = bench_allocate(CORNERS * n * sizeof *b->depth);
    b->feature = bench_allocate(CORNERS * n * sizeof *b->feature);
    for (size_t i = 0; i < CORNERS * n; i++) {
        const size_t box = i / CORNERS;
        if (i % CORNERS == 0)
            b->box[box] = pcm_world_add_object(b->world, &PCM_OBJECT(.name = "box"));
        b->box_of[i] = b->box[box];
        b->point[3 * i] = (double)box + (i & 1 ? 0.2 : -0.2);
        b->point[3 * i + 1] = i & 2 ? 0.1 : -0.1;
        b->normal[3 * i + 2] = 1;
        b->depth[i] = 1e-4;
        b->feature[i] = i % CORNERS;
        const size_t at = CORNERS * box + (features ? i % CORNERS : (i * 3 + box) % CORNERS); /* in another order */
        b->touches[at] = (pcm_touch){.normal = {0, 0, 1}, .depth = 1e-4};
        memcpy(b->touches[at].point, b->point + 3 * i, sizeof b->touches->point);
    }
    b->columns = (pcm_touch_columns){.size = sizeof b->columns,
                                     .count = CORNERS * n,
                                     .a = &b->plane,
                                     .one_a = true,
                                     .b = b->box_of,
                                     .feature = b->feature,
                                     .point = b->point,
                                     .normal = b->normal,
                                     .depth = b->depth,
                                     .contacts = bench_allocate(CORNERS * n * sizeof(pcm_contact))};
}

static void boxes_close(Boxes *b)
{
    pcm_world_free(b->world);
    pcm_config_release(b->config);
    pcm_context_free(b->context);
    void *const memory[] = {b->box,    b->box_of, b->touches, b->point,
                            b->normal, b->depth,  b->feature, b->columns.contacts};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
}

static void measure_near(const char *name, size_t boxes, bool in_order, double goal)
{
    Boxes near, rival;
    boxes_open(&near, boxes, in_order);
    boxes_open(&rival, boxes, true);
    bench_compare(&(bench_promise){.name = name,
                                   .size = boxes,
                                   .items = (double)(CORNERS * boxes),
                                   .kind = BENCH_COST,
                                   .goal = goal,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){touch_boxes_near, update_boxes, &near},
                  (bench_way){touch_boxes_in_columns, update_boxes, &rival});
    boxes_close(&near);
    boxes_close(&rival);
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
    measure_near("touch by place, over pairs in columns", 1000, true, 2.5);
    measure_near("touch by place in another order", 1000, false, 2.5);
}
