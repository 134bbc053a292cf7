/* SPDX-License-Identifier: MIT */
/* usage: step N: a step of N balls on a floor as five calls, in nanoseconds of processor time. step.py compares the
 * same calls from Python with it. */
#include "bench.h"
#include "open_config.h"

#include <stdio.h>
#include <stdlib.h>

static const char law[] = "ContactType C = ViscoelasticGround { GroundStiffness = 20 [kN/m]; }; DefaultPair -> C;";

typedef struct Balls {
    size_t            count;
    double            time;
    pcm_world        *world;
    pcm_object       *balls;
    pcm_pose         *poses;
    pcm_twist        *twists;
    pcm_wrench       *wrenches;
    pcm_touch_columns columns;
} Balls;

static void make(Balls *balls, size_t n, Account *account)
{
    pcm_config *config = open_text(open_context(account), law, strlen(law));
    pcm_object *floor = bench_allocate(sizeof *floor);
    double     *point = bench_allocate(3 * n * sizeof *point), *normal = bench_allocate(3 * n * sizeof *normal);
    double     *depth = bench_allocate(n * sizeof *depth);
    *balls = (Balls){.count = n,
                     .world = pcm_world_new(config, NULL),
                     .balls = bench_allocate(n * sizeof *balls->balls),
                     .poses = bench_allocate(n * sizeof *balls->poses),
                     .twists = bench_allocate(n * sizeof *balls->twists),
                     .wrenches = bench_allocate(n * sizeof *balls->wrenches)};
    *floor = pcm_world_add_object(balls->world, &PCM_OBJECT(.name = "Floor", .fixed = true));
    for (size_t i = 0; i < n; i++) {
        balls->balls[i] = pcm_world_add(balls->world, "Ball", NULL);
        balls->poses[i].orientation[0] = 1;
        balls->twists[i].linear[0] = 0.01;
        normal[3 * i + 2] = 1;
        depth[i] = 1e-3;
    }
    balls->columns = (pcm_touch_columns){.size = sizeof balls->columns,
                                         .count = n,
                                         .a = floor,
                                         .one_a = true,
                                         .b = balls->balls,
                                         .point = point,
                                         .normal = normal,
                                         .depth = depth,
                                         .contacts = bench_allocate(n * sizeof(pcm_contact))};
}

static void step(void *work)
{
    Balls *b = work;
    b->time += 1e-3;
    const bool done = pcm_world_move_many(b->world, b->balls, b->poses, b->twists, b->count) == b->count &&
                      pcm_world_touch_many(b->world, &b->columns) == b->count &&
                      pcm_world_update(b->world, b->time, 1e-3) == PCM_OK &&
                      pcm_world_wrench_many(b->world, b->balls, b->wrenches, b->count) == b->count &&
                      pcm_world_commit(b->world) == PCM_OK;
    if (!done)
        bench_fail("a step failed");
}

int main(int argc, char **argv)
{
    Balls   balls;
    Account account = {0};
    bench_start(argc, argv, "N");
    const size_t n = bench_settings()->word_count == 1 ? strtoul(bench_settings()->words[0], NULL, 10) : 0;
    if (n == 0)
        bench_fail("how many balls?");
    make(&balls, n, &account);
    step(&balls);
    printf("%.1f\n", bench_time((bench_way){step, NULL, &balls}, 1, CLOCK_THREAD_CPUTIME_ID));
    return 0;
}
