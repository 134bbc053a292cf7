/* SPDX-License-Identifier: MIT */
/* Tiles of boxes and of hulls that lie side by side are one ground: solids that slide over their edges keep their
 * speed, and have the load that they have on one box. */
#include "cases.h"
#include "context.h"
#include "fixture.h"
#include <math.h>
#include <pcm/geometry.h>
#include <stdio.h>

enum { STEPS = 4000, TILES = 5 };

static pcm_geometry *hull_like_box(const double sides[3])
{
    double points[24];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            points[3 * i + k] = (i >> k & 1 ? 0.5 : -0.5) * sides[k];
    return pcm_geometry_hull(context, points, 8);
}

/* Slides a solid of 1 kg without friction at 0.05 m/s over tiles of 10 cm; its speed
 * after 20 cm, and the least and greatest load on the way, once it has come to rest. */
typedef struct slid {
    double speed, least, most, height;
} slid;

static slid slide(const pcm_geometry *tile, const pcm_geometry *solid, double side, double half, double aside,
                  double turn)
{
    fixture      f;
    const double dt = 1e-3;
    fixture_open(&f,
                 "ContactType Slide = KelvinVoigt { Stiffness = 1e5; Damping = 100; };\n"
                 "ObjectPair \"Tile*\" * Solid -> Slide;\n",
                 NULL);
    pcm_space *space = pcm_space_new(f.context, f.world);
    for (int i = 0; i < TILES * TILES; i++) {
        const pcm_pose  at = {{side * (i % TILES - 1), side * (i / TILES - TILES / 2), -0.1}, {1, 0, 0, 0}};
        const pcm_twist rest = {{0}, {0}};
        char            name[16];
        (void)snprintf(name, sizeof name, "Tile%d", i);
        const pcm_object t = pcm_space_add(space, &PCM_OBJECT(.name = name, .fixed = true), tile, NULL);
        assert_true(t.generation > 0);
        assert_int_equal(pcm_space_move(space, t, &at, &rest), PCM_OK);
    }
    const pcm_object body = pcm_space_add(space, &PCM_OBJECT(.name = "Solid", .mass = 1), solid, NULL);
    pcm_pose         pose = {{0, aside, half}, {cos(turn / 2), 0, 0, sin(turn / 2)}};
    pcm_twist        twist = {{0}, {0.05, 0, 0}};
    slid             s = {.least = INFINITY, .most = -INFINITY};
    for (int step = 0; step < STEPS; step++) {
        pcm_wrench w;
        assert_int_equal(pcm_space_move(space, body, &pose, &twist), PCM_OK);
        assert_int_equal(pcm_space_touch(space), PCM_OK);
        assert_int_equal(pcm_world_update(f.world, step * dt, dt), PCM_OK);
        assert_int_equal(pcm_world_wrench(f.world, body, &w), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        for (int k = 0; k < 3; k++) {
            twist.linear[k] += dt * (w.force[k] - (k == 2 ? 9.81 : 0));
            pose.position[k] += dt * twist.linear[k];
        }
        if (step > 500) {
            s.least = fmin(s.least, w.force[2]);
            s.most = fmax(s.most, w.force[2]);
        }
    }
    s.speed = sqrt(twist.linear[0] * twist.linear[0] + twist.linear[1] * twist.linear[1]);
    s.height = pose.position[2];
    pcm_space_free(space);
    fixture_close(&f);
    return s;
}

static void solids_slide_over_the_edges_of_tiles(void **state)
{
    (void)state;
    const double  side = 0.1, sides[3] = {side, side, 0.2};
    pcm_geometry *tiles[2] = {pcm_geometry_box(context, sides), hull_like_box(sides)};
    pcm_geometry *solids[] = {pcm_geometry_box(context, (double[]){0.03, 0.03, 0.03}),
                              pcm_geometry_box(context, (double[]){0.17, 0.13, 0.03}),
                              hull_like_box((double[]){0.03, 0.04, 0.03}), pcm_geometry_sphere(context, 0.015),
                              pcm_geometry_cylinder(context, 0.015, 0.03)};
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < sizeof solids / sizeof *solids; i++)
            for (int k = 0; k < (int)cases(3); k++) {
                const slid s = slide(tiles[t], solids[i], side, 0.015, 0.013 * k, 0.3 * k);
                print_message("tiles %zu, solid %zu, turn %d: speed %g, load %g to %g, height %g\n", t, i, k, s.speed,
                              s.least, s.most, s.height);
                assert_true(s.speed > 0.99 * 0.05 && s.speed < 1.01 * 0.05);
                assert_true(s.least > 0.97 * 9.81 && s.most < 1.03 * 9.81);
            }
    for (size_t t = 0; t < 2; t++)
        pcm_geometry_free(tiles[t]);
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++)
        pcm_geometry_free(solids[i]);
}

/* Only sides that are flush all along are joined. */
static void tiles_that_are_not_flush_keep_their_edges(void **state)
{
    (void)state;
    pcm_geometry *tile = pcm_geometry_box(context, (double[]){1, 1, 0.2}), *joined[2];
    const struct {
        double x, y, z;
        bool   joins;
    } cases[] = {{1, 0, 0, true}, {1, 0, 1e-3, false}, {1.001, 0, 0, false}, {1, 0.01, 0, false}, {0, 1, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pcm_pose poses[2] = {{{0, 0, 0}, {1, 0, 0, 0}}, {{cases[i].x, cases[i].y, cases[i].z}, {1, 0, 0, 0}}};
        assert_int_equal(pcm_geometry_join(context, (const pcm_geometry *[]){tile, tile}, poses, 2, joined), PCM_OK);
        assert_int_equal(joined[0] != NULL, cases[i].joins);
        assert_int_equal(joined[1] != NULL, cases[i].joins);
        pcm_geometry_free(joined[0]);
        pcm_geometry_free(joined[1]);
    }
    pcm_geometry_free(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_slide_over_the_edges_of_tiles),
        cmocka_unit_test(tiles_that_are_not_flush_keep_their_edges),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
