/* SPDX-License-Identifier: MIT */
/* Bodies that are not convex, as sets of convex parts. */
#include "fixture.h"
#include "reference.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOUCHES = 256 };

static fixture shared;

static int open_fixture(void **state)
{
    (void)state;
    fixture_open(&shared,
                 "ContactType C = SmoothSpringDamper { Stiffness = 1e4; Damping = 0; TransitionRegionWidth = 1e-4;"
                 " Patch = Shared; }; ObjectPair Floor * Part -> C;",
                 NULL);
    return 0;
}

/* Runs last, since cmocka does not count failures in a group's teardown. */
static void all_memory_is_given_back(void **state)
{
    (void)state;
    fixture_close(&shared);
}

static pcm_pose upright(double x, double y, double z) { return (pcm_pose){{x, y, z}, {1, 0, 0, 0}}; }

static size_t touches(const pcm_geometry *a, pcm_pose at_a, const pcm_geometry *b, pcm_pose at_b, pcm_touch *t)
{
    size_t count;
    assert_int_equal(pcm_geometry_touch(a, &at_a, b, &at_b, 0, t, sizeof *t, TOUCHES, &count), PCM_OK);
    assert_true(count <= TOUCHES);
    return count;
}

/* An L of two boxes: a foot along x, of 3 by 1 by 1, and a leg on one end of it. */
typedef struct angle {
    pcm_geometry *foot, *leg, *whole;
} angle;

static angle make_angle(void)
{
    angle          l = {pcm_geometry_box(shared.context, (double[]){3, 1, 1}),
                        pcm_geometry_box(shared.context, (double[]){1, 1, 2}), NULL};
    const pcm_pose poses[2] = {{{1.5, 0, 0.5}, {1, 0, 0, 0}}, {{0.5, 0, 2}, {1, 0, 0, 0}}};
    l.whole = pcm_geometry_compound(shared.context, (const pcm_geometry *[]){l.foot, l.leg}, poses, 2);
    assert_non_null(l.whole);
    return l;
}

static void free_angle(angle *l)
{
    pcm_geometry_free(l->whole);
    pcm_geometry_free(l->foot);
    pcm_geometry_free(l->leg);
}

/* A ball in the corner of an L touches both of its arms, at one point each; the hull of the L would contain the
 * ball. */
static void ball_in_a_corner(void **state)
{
    angle          l = make_angle();
    pcm_geometry  *ball = pcm_geometry_sphere(shared.context, 0.5);
    const pcm_pose at = upright(0, 0, 0), in = upright(1.49, 0, 1.48), off = upright(1.7, 0, 1.6);
    pcm_separation s = {.size = sizeof s};
    pcm_touch      t[TOUCHES];
    (void)state;
    assert_int_equal(touches(l.whole, at, ball, in, t), 2);
    assert_true(t[0].feature != t[1].feature);
    assert_near(t[0].depth, 0.02, 1e-15);
    assert_near(t[0].normal[2], 1, 1e-15);
    assert_near(t[1].depth, 0.01, 1e-15);
    assert_near(t[1].normal[0], 1, 1e-15);
    assert_near(t[0].share + t[1].share, 1, 1e-15);
    assert_near(t[0].share, 2.0 / 3, 1e-9);
    assert_int_equal(touches(l.whole, at, ball, off, t), 0);
    assert_int_equal(pcm_geometry_separate(l.whole, &at, ball, &off, &s), PCM_OK);
    assert_near(s.distance, 0.1, 1e-15);
    assert_near(s.low, 0.1, 1e-15);
    assert_near(s.high, 0.1, 1e-15);
    assert_near(s.on_a[2], 1, 1e-15);
    assert_int_equal(pcm_geometry_separate(ball, &off, l.whole, &at, &s), PCM_OK);
    assert_near(s.normal[2], -1, 1e-15);
    pcm_geometry_free(ball);
    free_angle(&l);
}

/* However a box is cut in two, and wherever it lies on another one, its shares give the same force and moment. */
static void halves_share_one_patch(void **state)
{
    pcm_geometry *box = pcm_geometry_box(shared.context, (double[]){2, 1, 1});
    pcm_geometry *half = pcm_geometry_box(shared.context, (double[]){1, 1, 1});
    pcm_geometry *table = pcm_geometry_box(shared.context, (double[]){9, 9, 1}),
                 *plane = pcm_geometry_plane(shared.context);
    const pcm_pose poses[2] = {{{-0.5, 0, 0}, {1, 0, 0, 0}}, {{0.5, 0, 0}, {1, 0, 0, 0}}};
    pcm_geometry  *cut = pcm_geometry_compound(shared.context, (const pcm_geometry *[]){half, half}, poses, 2);
    pcm_touch      t[TOUCHES];
    (void)state;
    for (int i = 0; i < 2; i++) {
        const pcm_geometry *floor = i ? table : plane;
        const pcm_pose      under = upright(0, 0, i ? -0.5 : 0), on = upright(0.3, 0.2, 0.49);
        for (int k = 0; k < 2; k++) {
            const size_t count = touches(floor, under, k ? cut : box, on, t);
            double       share = 0, x = 0, y = 0;
            assert_int_equal(count, k ? 8 : 4);
            for (size_t j = 0; j < count; j++) {
                assert_near(t[j].depth, 0.01, 1e-15);
                share += t[j].share;
                x += t[j].share * t[j].point[0];
                y += t[j].share * t[j].point[1];
            }
            assert_near(share, 1, 1e-14);
            assert_near(x, 0.3, 1e-14);
            assert_near(y, 0.2, 1e-14);
        }
    }
    pcm_geometry_free(cut);
    pcm_geometry_free(box);
    pcm_geometry_free(half);
    pcm_geometry_free(table);
    pcm_geometry_free(plane);
}

/* Each point of a cloud has one contact, with the part in which it is deepest. */
static void points_of_a_cloud(void **state)
{
    angle          l = make_angle();
    const double   points[9] = {2.5, 0, 0.9, 0.5, 0, 2.8, 2, 0, 2};
    pcm_geometry  *cloud = pcm_geometry_cloud(shared.context, points, 3);
    const pcm_pose at = upright(0, 0, 0);
    pcm_separation s = {.size = sizeof s};
    pcm_touch      t[TOUCHES];
    (void)state;
    assert_int_equal(touches(l.whole, at, cloud, at, t), 2);
    assert_int_equal(t[0].feature, 0);
    assert_near(t[0].depth, 0.1, 1e-15);
    assert_int_equal(t[1].feature, 1);
    assert_near(t[1].depth, 0.2, 1e-15);
    assert_near(t[1].normal[2], 1, 1e-15);
    assert_int_equal(pcm_geometry_separate_point(cloud, &at, l.whole, &at, 2, &s), PCM_OK);
    assert_near(s.distance, 1, 1e-15);
    pcm_geometry_free(cloud);
    free_angle(&l);
}

/* In a space: one contact for each part, all with the same law. */
static void in_a_space(void **state)
{
    angle         l = make_angle();
    pcm_geometry *plane = pcm_geometry_plane(shared.context);
    pcm_space    *space = pcm_space_new(shared.context, shared.world);
    pcm_object    floor = pcm_space_add(space, &PCM_OBJECT(.name = "Floor", .fixed = true), plane, NULL);
    pcm_object    part = pcm_space_add(space, &PCM_OBJECT(.name = "Part"), l.whole, NULL);
    pcm_pose      pose = upright(0, 0, -0.01);
    pcm_twist     rest = {{0, 0, 0}, {0, 0, 0}};
    pcm_sensing   felt = {.size = sizeof felt};
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pcm_space_move(space, part, &pose, &rest), PCM_OK);
        assert_int_equal(pcm_space_touch(space), PCM_OK);
        assert_int_equal(pcm_world_update(shared.world, 1e-3 * i, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(shared.world), PCM_OK);
    }
    assert_int_equal(pcm_space_sense(space, floor, part, &felt, sizeof felt, 1), PCM_OK);
    assert_near(felt.depth, 0.01, 1e-15);
    assert_near(felt.normal_force, 100, 1e-9);
    pcm_space_free(space);
    pcm_geometry_free(plane);
    free_angle(&l);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* Writes the six faces of a box from low to high, as an object of an OBJ file; `from` corners were written before. */
static void write_box(FILE *file, const char *name, const double low[3], const double high[3], int from)
{
    static const int faces[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    fprintf(file, "o %s\n", name);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %g %g %g\n", i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]);
    for (int f = 0; f < 6; f++)
        fprintf(file, "f %d %d %d %d\n", faces[f][0] + from, faces[f][1] + from, faces[f][2] + from,
                faces[f][3] + from);
}

static void from_a_file(void **state)
{
    char           path[] = "/tmp/pcm-compound-XXXXXX";
    FILE          *file = fdopen(mkstemp(path), "w");
    pcm_geometry  *ball = pcm_geometry_sphere(shared.context, 0.5);
    const pcm_pose at = upright(0, 0, 0), in = upright(1.49, 0.5, 1.48);
    pcm_touch      t[TOUCHES];
    (void)state;
    write_box(file, "foot", (double[]){0, 0, 0}, (double[]){3, 1, 1}, 0);
    write_box(file, "leg", (double[]){0, 0, 1}, (double[]){1, 1, 3}, 8);
    fclose(file);
    pcm_geometry *whole = pcm_geometry_compound_file(shared.context, path, 1);
    assert_non_null(whole);
    assert_int_equal(pcm_geometry_get_kind(whole), PCM_COMPOUND);
    assert_int_equal(touches(whole, at, ball, in, t), 2);
    pcm_geometry_free(whole);
    pcm_geometry_free(ball);
    unlink(path);
}

/* An object that is not convex is rejected; the message has its name and says what to do. */
static void refuses_what_is_not_convex(void **state)
{
    char  path[] = "/tmp/pcm-compound-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    (void)state;
    fputs("o angle\nv 0 0 0\nv 3 0 0\nv 3 0 1\nv 1 0 1\nv 1 0 3\nv 0 0 3\n"
          "v 0 1 0\nv 3 1 0\nv 3 1 1\nv 1 1 1\nv 1 1 3\nv 0 1 3\n"
          "f 1 2 3 4 5 6\nf 12 11 10 9 8 7\n"
          "f 2 1 7 8\nf 3 2 8 9\nf 4 3 9 10\nf 5 4 10 11\nf 6 5 11 12\nf 1 6 12 7\n",
          file);
    fclose(file);
    const size_t said = fixture_said(&shared, 751);
    assert_null(pcm_geometry_compound_file(shared.context, path, 1));
    assert_true(fixture_said(&shared, 751) == said + 1);
    pcm_geometry *hull = pcm_geometry_hull_file(shared.context, path, 1);
    assert_non_null(hull);
    pcm_geometry_free(hull);
    unlink(path);
}

static void refuses_bad_parts(void **state)
{
    angle          l = make_angle();
    pcm_geometry  *plane = pcm_geometry_plane(shared.context);
    const pcm_pose nowhere = {{NAN, 0, 0}, {1, 0, 0, 0}};
    (void)state;
    assert_null(pcm_geometry_compound(shared.context, NULL, NULL, 1));
    assert_null(pcm_geometry_compound(shared.context, (const pcm_geometry *[]){l.foot}, NULL, 0));
    assert_null(pcm_geometry_compound(shared.context, (const pcm_geometry *[]){l.foot, plane}, NULL, 2));
    assert_null(pcm_geometry_compound(shared.context, (const pcm_geometry *[]){l.foot, l.whole}, NULL, 2));
    assert_null(pcm_geometry_compound(shared.context, (const pcm_geometry *[]){l.foot, NULL}, NULL, 2));
    assert_null(pcm_geometry_compound(shared.context, (const pcm_geometry *[]){l.foot}, &nowhere, 1));
    assert_null(pcm_geometry_compound_file(shared.context, "/nowhere.obj", 1));
    assert_true(pcm_geometry_meets(PCM_COMPOUND, PCM_GRID));
    assert_true(pcm_geometry_meets(PCM_DISK, PCM_COMPOUND));
    pcm_geometry_free(plane);
    free_angle(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_in_a_corner),  cmocka_unit_test(halves_share_one_patch),
        cmocka_unit_test(points_of_a_cloud), cmocka_unit_test(in_a_space),
        cmocka_unit_test(from_a_file),       cmocka_unit_test(refuses_what_is_not_convex),
        cmocka_unit_test(refuses_bad_parts), cmocka_unit_test(all_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, open_fixture, NULL);
}
