/* SPDX-License-Identifier: MIT */
/* The sweep finds the same pairs as a comparison of all balls with all others, each once, with work that is
 * proportional to their number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../hosts/mujoco/detect/sweep.h"

enum { MOST = 6400 };

static uint64_t random_state = 1;

static double uniform(double low, double high)
{
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

static pcm_ball  balls[MOST];
static pcm_keyed order[MOST], spare[MOST];
static uint32_t  high[MOST];

/* Counts how often each pair of balls of a small scene was visited; in larger scenes it counts only the visits. */
enum { FEW = 200 };
typedef struct visits {
    unsigned char seen[FEW][FEW];
    size_t        count;
} visits;

static void count(void *user, uint32_t a, uint32_t b)
{
    (void)a;
    (void)b;
    ((visits *)user)->count++;
}

static void note(void *user, uint32_t a, uint32_t b)
{
    visits *v = user;
    v->seen[a < b ? a : b][a < b ? b : a]++;
    v->count++;
}

static void sweep(uint32_t n, pcm_sweep_visit *visit, visits *v)
{
    *v = (visits){.count = 0};
    pcm_sweep_balls(&(pcm_sweep){order, spare, high}, balls, n, visit, v);
}

static bool meet(const pcm_ball *a, const pcm_ball *b)
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += (a->centre[k] - b->centre[k]) * (a->centre[k] - b->centre[k]);
    return sqrt(square) <= a->radius + b->radius;
}

static void compare_with_all_pairs(uint32_t n)
{
    static visits v;
    sweep(n, note, &v);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++) {
            assert_true(v.seen[a][b] <= 1);
            if (meet(&balls[a], &balls[b]))
                assert_int_equal(v.seen[a][b], 1);
        }
}

static void place(uint32_t n, double x, double y, double z, double least, double largest)
{
    for (uint32_t i = 0; i < n; i++)
        balls[i] =
            (pcm_ball){{uniform(-x, x), uniform(-y, y), uniform(-z, z)}, least * pow(largest / least, uniform(0, 1))};
}

static void finds_all_that_meet(void **state)
{
    static const double scene[][5] = {/* extents, and the least and largest radius */
                                      {10, 10, 10, 0.5, 0.5},      {10, 10, 0, 0.01, 1}, {0, 0, 50, 0.1, 0.5},
                                      {1, 2, 3, 1e-3, 10},         {0, 0, 0, 0.1, 0.2},  {1e14, 1e13, 1e14, 1, 1e13},
                                      {1e-9, 1e-9, 0, 1e-10, 1e-9}};
    (void)state;
    for (size_t s = 0; s < sizeof scene / sizeof *scene; s++)
        for (uint32_t n = 0; n < FEW; n = 1 + n * 5 / 4) {
            place(n, scene[s][0], scene[s][1], scene[s][2], scene[s][3], scene[s][4]);
            compare_with_all_pairs(n);
            if (n > 4) { /* two whose position is not finite */
                balls[1] = balls[n / 2] = (pcm_ball){{0, 0, 0}, INFINITY};
                compare_with_all_pairs(n);
            }
        }
}

/* Balls that just touch, around the origin. */
static void finds_those_that_touch(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 125; i++)
        balls[i] = (pcm_ball){{(double)(i % 5) - 2, (double)(i / 5 % 5) - 2, (double)(i / 25) - 2}, 0.5};
    compare_with_all_pairs(125);
    for (uint32_t i = 0; i < 125; i++)
        for (int k = 0; k < 3; k++)
            balls[i].centre[k] *= -1;
    compare_with_all_pairs(125);
}

/* ---- Growth ------------------------------------------------------------------------------------------------------ */

/* Visits per ball in a row, a square or a cube of balls that each overlap their neighbours. */
static double visits_per_ball(uint32_t side, int dimensions)
{
    visits        *v = calloc(1, sizeof *v);
    const uint32_t n = (uint32_t)lround(pow(side, dimensions));
    assert_non_null(v);
    assert_true(n <= MOST);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at[3] = {i % side, dimensions > 1 ? i / side % side : 0, dimensions > 2 ? i / side / side : 0};
        for (int k = 0; k < 3; k++)
            balls[i].centre[k] = 0.2 * at[k] + uniform(-0.005, 0.005);
        balls[i].radius = 0.11;
    }
    sweep(n, count, v);
    const double each = (double)v->count / n;
    free(v);
    return each;
}

/* In a cube the work grows as n^(4/3): each strip spans the whole third axis. */
static void work_grows_as_the_number(void **state)
{
    (void)state;
    assert_true(visits_per_ball(100, 1) <= 1 && visits_per_ball(6400, 1) <= 1);
    const double few = visits_per_ball(10, 2), many = visits_per_ball(80, 2);
    assert_true(few < 4 && many < 5); /* of 6399 other balls */
    assert_true(visits_per_ball(18, 3) < 2.5 * visits_per_ball(9, 3));
}

/* ---- Sorting ----------------------------------------------------------------------------------------------------- */

static void sorts_and_keeps_equals_in_order(void **state)
{
    (void)state;
    for (int bits = 0; bits <= 64; bits += 4)
        for (uint32_t n = 0; n < 600; n = 1 + 2 * n) {
            for (uint32_t i = 0; i < n; i++)
                order[i] = (pcm_keyed){bits ? (uint64_t)uniform(0, 0x1p53) * 2049 >> (64 - bits) : 7, i};
            pcm_sort_keyed(order, spare, n);
            for (uint32_t i = 1; i < n; i++)
                assert_true(order[i - 1].key < order[i].key ||
                            (order[i - 1].key == order[i].key && order[i - 1].item < order[i].item));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_all_that_meet),
        cmocka_unit_test(finds_those_that_touch),
        cmocka_unit_test(work_grows_as_the_number),
        cmocka_unit_test(sorts_and_keeps_equals_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
