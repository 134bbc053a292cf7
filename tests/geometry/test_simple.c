/* SPDX-License-Identifier: MIT */
/* Pairs with a short closed form. A caller whose touches have this version's size gets them by a faster path than other
 * callers, and so does one who passes many pairs at once. All paths give the same statuses and bits, for poses of any
 * kind, whichever body is given first. Corners that reach a plane are found in single precision, and none is missed. */
#include "context.h"
#include "fixture.h"
#include "reference.h"
#include <math.h>
#include <string.h>

enum { TOUCHES = 64, SHORT = offsetof(pcm_touch, gives) };

static const double numbers[] = {0, -0.0, 1, 1e-160, 1e160, 1e300, INFINITY, -INFINITY, NAN};

/* A random pose; some are aligned, some have a quaternion that is not of unit length, some have a NaN. */
static pcm_pose any_pose(dice *d)
{
    pcm_pose     pose = random_pose(d, 0.8);
    const double kind = uniform(d, 0, 1), size = exp(uniform(d, -3, 3));
    const int    at = (int)uniform(d, 0, 7), which = (int)uniform(d, 0, sizeof numbers / sizeof *numbers);
    if (kind < 0.1)
        pose = (pcm_pose){{0, 0, pose.position[2]}, {1, 0, 0, 0}};
    else if (kind < 0.3)
        for (int k = 0; k < 4; k++)
            pose.orientation[k] *= kind < 0.2 ? size : 1 + 1e-8 * size;
    else if (kind < 0.5)
        *(at < 3 ? &pose.position[at] : &pose.orientation[at - 3]) = numbers[which];
    return pose;
}

static bool is_same(double x, double y) { return x == y || (isnan(x) && isnan(y)); }

/* With the bodies swapped the contacts are the same, except that the normal is reversed. */
static void check_mirror(const pcm_geometry *a, const pcm_pose *at_a, const pcm_geometry *b, const pcm_pose *at_b,
                         double reach, const pcm_touch *touches, size_t count)
{
    pcm_touch mirrored[TOUCHES];
    size_t    count_mirrored = 99;
    pcm_geometry_touch(b, at_b, a, at_a, reach, mirrored, sizeof *mirrored, TOUCHES, &count_mirrored);
    assert_int_equal(count, count_mirrored);
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            assert_true(is_same(mirrored[i].normal[k], -touches[i].normal[k]));
            assert_true(is_same(mirrored[i].point[k], touches[i].point[k]));
        }
        assert_true(is_same(mirrored[i].depth, touches[i].depth));
        assert_true(is_same(mirrored[i].share, touches[i].share));
        assert_true(is_same(mirrored[i].area, touches[i].area));
    }
}

/* counts: numbers of pairs that are apart, that touch, and that are rejected. */
static void check_pair(const pcm_geometry *a, const pcm_geometry *b, dice *d, size_t counts[3])
{
    const pcm_pose   at_a = any_pose(d), at_b = any_pose(d);
    const double     draw = uniform(d, 0, 1), reach = draw < 0.6 ? 0 : draw < 0.9 ? 0.1 : draw < 0.95 ? INFINITY : NAN;
    pcm_touch        touches[TOUCHES], again[TOUCHES];
    char             shorter[TOUCHES][SHORT];
    size_t           count = 99, count_short = 99, count_one = 99, count_again = 99;
    const pcm_status status = pcm_geometry_touch(a, &at_a, b, &at_b, reach, touches, sizeof *touches, TOUCHES, &count);
    assert_int_equal(
        pcm_geometry_touch(a, &at_a, b, &at_b, reach, (pcm_touch *)(void *)shorter, SHORT, TOUCHES, &count_short),
        status);
    assert_int_equal(pcm_geometry_touch(a, &at_a, b, &at_b, reach, NULL, sizeof *touches, 0, &count_one), status);
    assert_int_equal(
        pcm_geometry_touch_cached(NULL, a, &at_a, b, &at_b, reach, again, sizeof *again, TOUCHES, &count_again),
        status);
    assert_int_equal(count, count_short);
    assert_int_equal(count, count_again);
    assert_int_equal(count, count_one);
    assert_true(count <= TOUCHES);
    for (size_t i = 0; i < count; i++)
        assert_memory_equal(&touches[i], shorter[i], SHORT);
    assert_memory_equal(touches, again, count * sizeof *touches);
    for (int k = 0; k < 3; k++)
        assert_true(status != PCM_OK || (isfinite(at_a.position[k]) && isfinite(at_b.position[k])));
    check_mirror(a, &at_a, b, &at_b, reach, touches, count);
    counts[status != PCM_OK ? 2 : count > 0]++;
}

static void one_answer(void **state)
{
    enum { KINDS = 7, CASES = 20000 };
    dice          d = {19};
    pcm_geometry *shapes[KINDS] = {pcm_geometry_sphere(context, 0.5),
                                   pcm_geometry_capsule(context, 0.3, 0.8),
                                   pcm_geometry_box(context, (double[]){1, 0.6, 0.8}),
                                   pcm_geometry_cylinder(context, 0.4, 1),
                                   pcm_geometry_disk(context, 0.5),
                                   random_hull(context, &d, 20),
                                   pcm_geometry_plane(context)};
    (void)state;
    for (int i = 0; i < KINDS; i++)
        for (int k = 0; k < KINDS; k++) {
            size_t counts[3] = {0};
            if (!pcm_geometry_meets(pcm_geometry_get_kind(shapes[i]), pcm_geometry_get_kind(shapes[k])))
                continue;
            for (int n = 0; n < CASES; n++)
                check_pair(shapes[i], shapes[k], &d, counts);
            for (int n = 0; n < 3; n++)
                assert_true(counts[n] > CASES / 20);
        }
    for (int i = 0; i < KINDS; i++)
        pcm_geometry_free(shapes[i]);
}

/* ---- Two boxes in motion ----------------------------------------------------------------------------------------- */

/* Turns and moves a pose by up to `step`. */
static void nudge(pcm_pose *pose, const double way[7], double step)
{
    for (int k = 0; k < 3; k++)
        pose->position[k] += step * way[k];
    for (int k = 0; k < 4; k++)
        pose->orientation[k] += step * way[3 + k];
}

/* Whether a contact is in a list, within rounding. */
static bool is_among(const pcm_touch *touches, size_t count, const pcm_touch *t)
{
    for (size_t i = 0; i < count; i++)
        if (touches[i].feature == t->feature)
            return fabs(touches[i].depth - t->depth) < 1e-12 && fabs(touches[i].share - t->share) < 1e-9;
    return false;
}

/* Returns whether the answer with a cache equals the answer without it: the same bits for boxes that overlap, and for
 * others the same contacts within rounding, in any order. */
static bool is_as_without_cache(pcm_geometry_cache *cache, const pcm_geometry *a, const pcm_pose *at_a,
                                const pcm_geometry *b, const pcm_pose *at_b, double reach)
{
    pcm_touch anew[TOUCHES], again[TOUCHES];
    size_t    count = 99, count_again = 99;
    pcm_geometry_touch(a, at_a, b, at_b, reach, anew, sizeof *anew, TOUCHES, &count);
    pcm_geometry_touch_cached(cache, a, at_a, b, at_b, reach, again, sizeof *again, TOUCHES, &count_again);
    if (count != count_again)
        return false;
    if (count > 0 && anew[0].depth > 1e-12)
        return memcmp(anew, again, count * sizeof *anew) == 0;
    for (size_t i = 0; i < count; i++)
        if (!is_among(again, count, &anew[i]))
            return false;
    return true;
}

/* A cache of other boxes, or of these boxes at another place, does not change the answer either. */
static void boxes_in_motion(void **state)
{
    enum { PATHS = 4000, STEPS = 40 };
    dice                d = {57};
    pcm_geometry       *boxes[3] = {pcm_geometry_box(context, (double[]){1, 0.6, 0.8}),
                                    pcm_geometry_box(context, (double[]){1, 0.6, 0.8}),
                                    pcm_geometry_box(context, (double[]){0.02, 2, 0.4})};
    pcm_geometry_cache *cache = pcm_geometry_cache_new(context);
    size_t              different = 0;
    (void)state;
    assert_non_null(cache);
    for (int n = 0; n < PATHS; n++) {
        const pcm_geometry *a = boxes[n % 3], *b = boxes[n / 3 % 3];
        pcm_pose            at_a = random_pose(&d, 0.3), at_b = random_pose(&d, 0.3);
        const double        step = 0.1 * exp(uniform(&d, -9, 0)), reach = n % 5 == 0 ? 0.05 : 0;
        double              way[7];
        for (int k = 0; k < 7; k++)
            way[k] = uniform(&d, -1, 1);
        pcm_separation s = {.size = sizeof s};
        assert_int_equal(pcm_geometry_separate(a, &at_a, b, &at_b, &s), PCM_OK);
        for (int k = 0; k < 3 && n % 2; k++) /* so that they barely touch */
            at_b.position[k] -= (s.distance + uniform(&d, -0.02, 0.01)) * s.normal[k];
        for (int i = 0; i < STEPS; i++) {
            different += !is_as_without_cache(cache, a, &at_a, b, &at_b, reach);
            nudge(&at_b, way, step);
            if (i == STEPS / 2)
                different += !is_as_without_cache(cache, b, &at_b, a, &at_a, reach);
        }
    }
    assert_int_equal(different, 0);
    pcm_geometry_cache_free(cache);
    for (int k = 0; k < 3; k++)
        pcm_geometry_free(boxes[k]);
}

/* ---- Room for contacts ------------------------------------------------------------------------------------------- */

enum { SHAPES = 12 };

/* Makes a geometry of every kind, and NULL. */
static void make_shapes(dice *d, const pcm_geometry *shapes[SHAPES])
{
    const double        lines[] = {-1, 0, 1}, heights[9] = {0, 0.1, 0, 0, 0.2, 0, 0.1, 0, 0};
    const double        points[] = {0, 0, 0.2, 0.3, 0, -0.2, 0, 0.3, -0.2};
    const pcm_pose      apart[] = {{{-0.3, 0, 0}, {1, 0, 0, 0}}, {{0.3, 0, 0}, {1, 0, 0, 0}}};
    const pcm_geometry *made[] = {pcm_geometry_plane(context),
                                  pcm_geometry_sphere(context, 0.5),
                                  pcm_geometry_capsule(context, 0.3, 0.8),
                                  pcm_geometry_box(context, (double[]){1, 0.6, 0.8}),
                                  pcm_geometry_cylinder(context, 0.4, 1),
                                  pcm_geometry_disk(context, 0.5),
                                  random_hull(context, d, 20),
                                  pcm_geometry_grid(context, lines, 3, lines, 3, heights),
                                  pcm_geometry_point(context),
                                  pcm_geometry_cloud(context, points, 3),
                                  NULL,
                                  NULL};
    made[10] = pcm_geometry_compound(context, (const pcm_geometry *[]){made[1], made[3]}, apart, 2);
    memcpy(shapes, made, sizeof made);
}

/* However much room there is, the count is the same, and nothing is written beyond the room; NULL is an error. */
static void check_room(const pcm_geometry *a, const pcm_geometry *b, size_t touch_size, size_t capacity, dice *d)
{
    static _Alignas(pcm_touch) char few[TOUCHES * sizeof(pcm_touch)];
    static pcm_touch                all[TOUCHES];
    const pcm_pose                  at_a = any_pose(d), at_b = any_pose(d);
    const double                    reach = uniform(d, 0, 1) < 0.5 ? 0 : 0.1;
    size_t                          count = 99, count_all = 99;
    memset(few, 7, sizeof few);
    const pcm_status status_all = pcm_geometry_touch(a, &at_a, b, &at_b, reach, all, sizeof *all, TOUCHES, &count_all);
    const pcm_status status =
        pcm_geometry_touch(a, &at_a, b, &at_b, reach, (pcm_touch *)(void *)few, touch_size, capacity, &count);
    assert_int_equal(status, status_all);
    assert_int_equal(count, count_all);
    assert_true((a && b) || status == PCM_BAD_ARGUMENT);
    assert_true(status == PCM_OK || count == 0);
    const size_t written = (count < capacity ? count : capacity) * touch_size;
    for (size_t k = written; k < sizeof few; k++)
        assert_int_equal(few[k], 7);
    if (count <= capacity && count > 0)
        assert_memory_equal(few, all, touch_size);
}

static void any_room_is_enough(void **state)
{
    enum { CASES = 9000 };
    static const size_t rooms[] = {0, 1, 2, TOUCHES};
    dice                d = {23};
    const pcm_geometry *shapes[SHAPES];
    (void)state;
    make_shapes(&d, shapes);
    for (int i = 0; i < SHAPES; i++)
        for (int n = 0; n < CASES; n++)
            check_room(shapes[i], shapes[(size_t)uniform(&d, 0, SHAPES)],
                       uniform(&d, 0, 1) < 0.8 ? sizeof(pcm_touch) : SHORT, rooms[(size_t)uniform(&d, 0, 4)], &d);
    for (int i = SHAPES; i-- > 0;)
        pcm_geometry_free((pcm_geometry *)(uintptr_t)shapes[i]);
}

/* ---- Corners over a plane ---------------------------------------------------------------------------------------- */

enum { CORNERS_MAX = 300 };

/* Points on a ball of radius 0.5, all of them corners, at the distance `off` from the origin. */
static void scatter(dice *d, size_t count, double off, double points[3 * CORNERS_MAX])
{
    for (size_t i = 0; i < count; i++) {
        double length = 0, *p = &points[3 * i];
        for (int k = 0; k < 3; k++) {
            p[k] = uniform(d, -1, 1);
            length += p[k] * p[k];
        }
        for (int k = 0; k < 3; k++)
            p[k] = 0.5 * p[k] / sqrt(length) + off * (k + 1);
    }
}

/* The heights of the points, the lowest first. */
static void find_heights(const double *points, size_t count, const pcm_pose *at, double heights[CORNERS_MAX])
{
    const double *q = at->orientation, w = q[0], x = q[1], y = q[2], z = q[3];
    const double  row[3] = {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z};
    for (size_t i = 0; i < count; i++) {
        const double *p = &points[3 * i], height = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + at->position[2];
        size_t        k = i;
        for (; k > 0 && heights[k - 1] > height; k--)
            heights[k] = heights[k - 1];
        heights[k] = height;
    }
}

static double area_of(const pcm_touch *touches, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += touches[i].area;
    return sum;
}

/* The corners that reach a plane are those whose height is low enough, also if many have nearly the same height, and
 * however many the hull has; and the areas of all corners have the same sum from above as from below. */
static void every_corner_counts(void **state)
{
    static pcm_touch touches[CORNERS_MAX], from_above[CORNERS_MAX];
    dice             d = {40};
    pcm_geometry    *plane = pcm_geometry_plane(context);
    (void)state;
    for (size_t n = 4; n <= CORNERS_MAX; n += n < 80 ? 1 : 11)
        for (int far = 0; far < 3; far++) {
            double         points[3 * CORNERS_MAX], heights[CORNERS_MAX];
            const double   off = far == 0 ? 0 : far == 1 ? 1 : 100, rounding = 1e-14 * (1 + 4 * off);
            const size_t   wanted = (size_t)uniform(&d, 1, (double)n);
            pcm_pose       pose = random_pose(&d, 0), ground = {{0, 0, 0}, {1, 0, 0, 0}};
            const pcm_pose ceiling = {{0, 0, 0}, {0, 1, 0, 0}};
            size_t         count = 0, count_above = 0;
            scatter(&d, n, off, points);
            pcm_geometry *hull = pcm_geometry_hull(context, points, n);
            assert_non_null(hull);
            find_heights(points, n, &pose, heights);
            for (int side = -1; side < 2; side += 2) { /* just below and just above the height of one of them */
                ground.position[2] = heights[wanted - 1] + side * rounding;
                assert_int_equal(
                    pcm_geometry_touch(plane, &ground, hull, &pose, 0, touches, sizeof *touches, CORNERS_MAX, &count),
                    PCM_OK);
                assert_in_range(count, side < 0 ? wanted - 1 : wanted, side < 0 ? wanted - 1 : wanted);
            }
            pcm_geometry_touch(plane, &ground, hull, &pose, INFINITY, touches, sizeof *touches, CORNERS_MAX, &count);
            pcm_geometry_touch(plane, &ceiling, hull, &pose, INFINITY, from_above, sizeof *touches, CORNERS_MAX,
                               &count_above);
            assert_int_equal(count, n);
            assert_int_equal(count_above, n);
            assert_true(fabs(area_of(touches, n) - area_of(from_above, n)) < 1e-12 * (1 + off * off));
            pcm_geometry_free(hull);
        }
    pcm_geometry_free(plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_answer), cmocka_unit_test(boxes_in_motion),
                                       cmocka_unit_test(any_room_is_enough), cmocka_unit_test(every_corner_counts)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
