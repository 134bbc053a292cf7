/* SPDX-License-Identifier: MIT */
/* Pairs with a short closed form: a caller who takes touches of this version's size has them by a quicker way than
 * others. Both give the same statuses and bits, for poses of any kind, whichever body is named first. */
#include "context.h"
#include "fixture.h"
#include "reference.h"
#include <math.h>

enum { TOUCHES = 64, SHORT = offsetof(pcm_touch, gives) };

static const double numbers[] = {0, -0.0, 1, 1e-160, 1e160, 1e300, INFINITY, -INFINITY, NAN};

/* Anywhere, and now and then aligned, with a quaternion that is no unit, or with a number that is none of a pose. */
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

/* Contacts of the bodies named the other way round are the same, but for the normal, which is the mirror image. */
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

/* counts: pairs that are apart, that touch, and that are refused. */
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
        pcm_geometry_touch_again(NULL, a, &at_a, b, &at_b, reach, again, sizeof *again, TOUCHES, &count_again), status);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_answer)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
