/* SPDX-License-Identifier: MIT */
/* Solids on grids of heights: flat ground acts like a plane, whatever its cells, and corners and edges that stand out
 * are contacts. */
#include "context.h"
#include "fixture.h"
#include "reference.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOUCHES = 256, LINES_MAX = 201 };

static double heights[LINES_MAX * LINES_MAX], lines[LINES_MAX];

typedef double surface(double x, double y);

/* A grid over a square about the origin, with `cells` cells along each side. */
static pcm_geometry *field(double side, size_t cells, surface *z)
{
    const size_t n = cells + 1;
    for (size_t i = 0; i < n; i++)
        lines[i] = side * ((double)i / (double)cells - 0.5);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            heights[i * n + j] = z(lines[i], lines[j]);
    return pcm_geometry_grid(context, lines, n, lines, n, heights);
}

static double flat(double x, double y) { return 0 * x * y; }
static double sloped(double x, double y) { return 0.3 * x - 0.2 * y; }
static double roof(double x, double y) { return -0.4 * fabs(x) + 0 * y; }
static double groove(double x, double y) { return fabs(x) + 0 * y; }
static double bumps(double x, double y) { return 0.05 * cos(4 * x) * cos(3 * y); }
static double bowl(double x, double y) { return 2 - sqrt(4 - x * x - y * y); }
static double dome(double x, double y) { return sqrt(16 - x * x - y * y) - 4; }

static const pcm_pose upright = {{0, 0, 0}, {1, 0, 0, 0}};

static size_t touches(const pcm_geometry *a, const pcm_pose *pa, const pcm_geometry *b, const pcm_pose *pb,
                      double reach, pcm_touch *out)
{
    size_t count;
    assert_int_equal(pcm_geometry_touch(a, pa, b, pb, reach, out, sizeof *out, TOUCHES, &count), PCM_OK);
    assert_true(count <= TOUCHES);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += out[i].share;
        assert_true(out[i].depth >= -reach && out[i].gives & PCM_SHARE);
        for (size_t k = 0; k < i; k++)
            assert_true(out[i].feature != out[k].feature);
    }
    if (count)
        assert_near(sum, 1, 1e-12);
    return count;
}

static const pcm_touch *named(const pcm_touch *list, size_t count, uint64_t feature)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].feature == feature)
            return &list[i];
    return NULL;
}

enum { SOLIDS = 6 };

static void make_solids(dice *d, pcm_geometry *solids[SOLIDS])
{
    const pcm_pose parts[2] = {{{0.1, 0, 0}, {1, 0, 0, 0}}, {{-0.1, 0, 0.05}, {0.9, 0.1, 0.3, 0}}};
    solids[0] = pcm_geometry_sphere(context, 0.2);
    solids[1] = pcm_geometry_capsule(context, 0.1, 0.3);
    solids[2] = pcm_geometry_box(context, (double[]){0.3, 0.4, 0.2});
    solids[3] = pcm_geometry_cylinder(context, 0.2, 0.15);
    solids[4] = random_hull(context, d, 40);
    solids[5] = pcm_geometry_compound(context, (const pcm_geometry *[]){solids[1], solids[2]}, parts, 2);
}

static void free_solids(pcm_geometry *solids[SOLIDS])
{
    for (int k = SOLIDS; k-- > 0;)
        pcm_geometry_free(solids[k]);
}

/* Checks that two lists have the same contacts, by their names. */
static void check_same(const pcm_touch *t, size_t n, const pcm_touch *u, size_t m)
{
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) {
        const pcm_touch *other = named(u, m, t[i].feature);
        assert_non_null(other);
        assert_near(t[i].depth, other->depth, 1e-12);
        assert_near(t[i].share, other->share, 1e-9); /* rounding errors where points barely reach */
        assert_near(t[i].area, other->area, 1e-12);
        assert_int_equal(t[i].gives, other->gives);
        for (int k = 0; k < 3; k++) {
            assert_near(t[i].point[k], other->point[k], 1e-12);
            assert_near(t[i].normal[k], other->normal[k], 1e-12);
        }
    }
}

/* With 1, 7 and 100 cells a side, level and sloped: any solid in any position, including flat on its side. */
static void flat_ground_is_a_plane(void **state)
{
    static const size_t cells[] = {1, 7, 100};
    surface *const      shapes[] = {flat, sloped};
    dice                d = {7};
    pcm_geometry       *solids[SOLIDS], *plane = pcm_geometry_plane(context);
    pcm_touch           t[TOUCHES], u[TOUCHES];
    size_t              seen = 0;
    (void)state;
    make_solids(&d, solids);
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < 3; c++) {
            pcm_geometry *ground = field(8, cells[c], shapes[s]);
            /* The plane through the surface: its axis is rotated from z to the normal. */
            const double n[3] = {s ? -0.3 : 0, s ? 0.2 : 0, 1}, l = sqrt(n[0] * n[0] + n[1] * n[1] + 1);
            pcm_pose     under = {{0, 0, 0}, {1 + n[2] / l, -n[1] / l, n[0] / l, 0}};
            for (int k = 0; k < SOLIDS; k++)
                for (int i = 0; i < 30; i++) {
                    const pcm_pose way = random_pose(&d, 1);
                    pcm_pose at = {{uniform(&d, -1, 1), uniform(&d, -1, 1), uniform(&d, -0.05, 0.3)}, {1, 0, 0, 0}};
                    if (i % 3 == 0)
                        memcpy(at.orientation, way.orientation, sizeof at.orientation);
                    else if (i % 3 == 1)
                        at = (pcm_pose){{at.position[0], at.position[1], at.position[2]}, {cos(i), 0, 0, sin(i)}};
                    const pcm_pose here = moved(&under, &at);
                    const size_t   count = touches(ground, &upright, solids[k], &here, 0.01, t);
                    check_same(t, count, u, touches(plane, &under, solids[k], &here, 0.01, u));
                    seen += count;
                    /* Swapping the bodies gives the mirrored answer. */
                    assert_int_equal(touches(solids[k], &here, ground, &upright, 0.01, u), count);
                    for (size_t q = 0; q < count; q++)
                        assert_near(u[q].normal[2], -t[q].normal[2], 0);
                }
            pcm_geometry_free(ground);
        }
    assert_true(seen > 1500);
    free_solids(solids);
    pcm_geometry_free(plane);
}

/* ---- Ends and edges ---------------------------------------------------------------------------------------------- */

static bool has_point(const pcm_touch *list, size_t count, double x, double y)
{
    for (size_t i = 0; i < count; i++)
        if (fabs(list[i].point[0] - x) < 1e-9 && fabs(list[i].point[1] - y) < 1e-9)
            return true;
    return false;
}

/* A box that hangs half over the rim rests on two of its corners and on the rim; on a field smaller than the box, on
 * the field's four corners. */
static void rims(void **state)
{
    static const size_t cells[] = {1, 4, 50};
    pcm_geometry       *box = pcm_geometry_box(context, (double[]){0.4, 0.2, 0.1});
    pcm_geometry       *can = pcm_geometry_cylinder(context, 0.5, 0.2);
    pcm_touch           t[TOUCHES];
    (void)state;
    for (int c = 0; c < 3; c++) {
        pcm_geometry *table = field(2, cells[c], flat), *post = field(0.16, cells[c], flat);
        pcm_pose      at = {{0.93, 0.013, 0.049}, {1, 0, 0, 0}};
        assert_int_equal(touches(table, &upright, box, &at, 0, t), 4);
        for (int k = 0; k < 4; k++) {
            assert_true(has_point(t, 4, k & 1 ? 0.73 : 1, k & 2 ? 0.113 : -0.087));
            assert_near(t[k].depth, 1e-3, 1e-12);
            assert_near(t[k].normal[2], 1, 1e-12);
            assert_near(t[k].share, 0.25, 1e-9);
        }
        at = (pcm_pose){{0.01, 0.01, 0.049}, {1, 0, 0, 0}};
        assert_int_equal(touches(post, &upright, box, &at, 0, t), 4);
        for (int k = 0; k < 4; k++)
            assert_true(has_point(t, 4, k & 1 ? 0.08 : -0.08, k & 2 ? 0.08 : -0.08));
        at.position[2] = 0.099;
        assert_int_equal(touches(post, &upright, can, &at, 0, t), 4);
        for (int k = 0; k < 4; k++)
            assert_near(t[k].depth, 1e-3, 1e-12);
        /* There is nothing next to the field. */
        at.position[0] = 1.3;
        at.position[2] = -1;
        assert_int_equal(touches(table, &upright, box, &at, 0, t), 0);
        pcm_geometry_free(table);
        pcm_geometry_free(post);
    }
    pcm_geometry_free(box);
    pcm_geometry_free(can);
}

static void ridges_and_grooves(void **state)
{
    static const size_t cells[] = {2, 8, 100};
    pcm_geometry *box = pcm_geometry_box(context, (double[]){0.4, 0.2, 0.1}), *ball = pcm_geometry_sphere(context, 0.1);
    pcm_geometry *capsule = pcm_geometry_capsule(context, 0.05, 0.4), *can = pcm_geometry_cylinder(context, 0.05, 0.4);
    pcm_touch     t[TOUCHES];
    (void)state;
    for (int c = 0; c < 3; c++) {
        pcm_geometry *top = field(4, cells[c], roof), *ditch = field(4, cells[c], groove);
        const double  h = sqrt(0.5);
        pcm_pose      level = {{0.03, 0.011, 0.049}, {1, 0, 0, 0}}, across = {{0.03, 0.011, 0.049}, {h, 0, h, 0}};
        /* A face on the ridge touches where the ridge leaves the face, at both ends. */
        assert_int_equal(touches(top, &upright, box, &level, 1e-4, t), 2);
        for (int k = 0; k < 2; k++) {
            assert_true(has_point(t, 2, 0, k ? 0.111 : -0.089));
            assert_near(t[k].depth, 1e-3, 1e-12);
            assert_near(t[k].share, 0.5, 1e-9);
        }
        assert_int_equal(touches(top, &upright, ball, &(pcm_pose){{0.01, 0.3, 0.099}, {1, 0, 0, 0}}, 0, t), 1);
        assert_near(t[0].depth, 0.1 - hypot(0.01, 0.099), 1e-12);
        assert_near(t[0].normal[0], 0.01 / hypot(0.01, 0.099), 1e-12);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(touches(top, &upright, k ? can : capsule, &across, 0, t), 1);
            assert_near(t[0].depth, 1e-3, 1e-12);
            assert_near(t[0].point[0], 0, 1e-9);
            assert_near(t[0].normal[2], 1, 1e-12);
        }
        /* On both sides of a groove, equally, and with the same names from either side. */
        uint64_t left = 0;
        for (int k = -1; k <= 1; k++) {
            const pcm_pose low = {{1e-4 * k, 0.3, 0.1 * sqrt(2) - 1e-3}, {1, 0, 0, 0}};
            assert_int_equal(touches(ditch, &upright, ball, &low, 0, t), 2);
            assert_near(t[0].depth + t[1].depth, 2e-3 * h, 1e-12);
            const pcm_touch *here = t[0].normal[0] > 0 ? &t[0] : &t[1];
            assert_true(k == -1 || here->feature == left);
            left = here->feature;
            if (k == 0)
                assert_near(t[0].share, 0.5, 1e-9);
        }
        pcm_geometry_free(top);
        pcm_geometry_free(ditch);
    }
    pcm_geometry_free(box);
    pcm_geometry_free(ball);
    pcm_geometry_free(capsule);
    pcm_geometry_free(can);
}

/* On smooth ground a ball has one contact, and so has a block on a dome, however fine the field is. */
static void smooth_ground(void **state)
{
    static const size_t cells[] = {25, 50, 100};
    pcm_geometry       *ball = pcm_geometry_sphere(context, 0.3), *box = pcm_geometry_box(context, (double[]){2, 2, 1});
    pcm_touch           t[TOUCHES];
    dice                d = {3};
    (void)state;
    for (int c = 0; c < 3; c++) {
        pcm_geometry *hollow = field(2, cells[c], bowl), *hill = field(2, cells[c], dome);
        const double  fine = pow(2.0 / (double)cells[c], 2);
        size_t        tops = 0;
        for (int i = 0; i < 200; i++) {
            const double x = uniform(&d, -0.5, 0.5), y = uniform(&d, -0.5, 0.5), out = sqrt(4 - x * x - y * y) / 2;
            /* 1 cm deep in the bowl, whose centre is at z = 2. */
            const pcm_pose at = {{x * 1.71 / 2, y * 1.71 / 2, 2 - 1.71 * out}, {1, 0, 0, 0}};
            assert_int_equal(touches(hollow, &upright, ball, &at, 0, t), 1);
            assert_near(t[0].depth, 0.01, fine);
            const double   a = uniform(&d, -0.1, 0.1), q = sin(a / 2) / sqrt(2);
            const pcm_pose tilt = {{uniform(&d, -0.1, 0.1), uniform(&d, -0.1, 0.1), 0.48}, {cos(a / 2), q, q, 0}};
            const size_t   count = touches(hill, &upright, box, &tilt, 0, t);
            assert_in_range(count, 1, 4); /* all corners of a facet that lies flat on the block */
            tops += count;
        }
        assert_in_range(tops, 200, 230);
        pcm_geometry_free(hollow);
        pcm_geometry_free(hill);
    }
    pcm_geometry_free(ball);
    pcm_geometry_free(box);
}

/* ---- Sliding ----------------------------------------------------------------------------------------------------- */

/* The force of a linear law that the patch shares, and its moment. */
static void pushed(const pcm_touch *t, size_t count, double out[6])
{
    memset(out, 0, 6 * sizeof *out);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const int    l = (k + 1) % 3, m = (k + 2) % 3;
            const double force = t[i].share * fmax(t[i].depth, 0);
            out[k] += force * t[i].normal[k];
            out[3 + k] += force * (t[i].point[l] * t[i].normal[m] - t[i].point[m] * t[i].normal[l]);
        }
}

static void sliding(void **state)
{
    dice          d = {11};
    pcm_geometry *solids[SOLIDS];
    pcm_touch     t[TOUCHES], before[TOUCHES];
    (void)state;
    make_solids(&d, solids);
    static const double high[SOLIDS] = {0.22, 0.27, 0.12, 0.1, 0.5, 0.2},
                        low[SOLIDS] = {0.19, 0.24, 0.09, 0.07, 0.5, 0.15};
    static const double leaps[SOLIDS] = {2e-3, 4e-3, 0.03, 0.1, 0.03, 0.04};
    for (int level = 0; level < 2; level++) { /* over bumps, and over flat ground */
        pcm_geometry *ground = field(4, 100, level ? flat : bumps);
        for (int k = 0; k < SOLIDS; k++) {
            double   last[6] = {0}, leap = 0, most = 0;
            size_t   count = 0;
            pcm_pose at = {{-1, -0.7, (level ? low : high)[k]}, {1, 0, 0, 0}};
            for (int i = 0; i < 10000; i++) {
                double now[6];
                memcpy(before, t, sizeof t);
                const size_t old = count;
                at.position[0] += 1.9e-4;
                at.position[1] += 1.3e-4;
                count = touches(ground, &upright, solids[k], &at, 1e-3, t);
                pushed(t, count, now);
                for (int q = 0; q < 6 && i > 0; q++) {
                    leap = fmax(leap, fabs(now[q] - last[q]));
                    most = fmax(most, fabs(now[q]));
                }
                memcpy(last, now, sizeof now);
                if (!level || i == 0)
                    continue;
                assert_int_equal(count, old);
                for (size_t q = 0; q < count; q++)
                    assert_int_equal(t[q].feature, before[q].feature);
            }
            /* Where a ball or a corner passes from one triangle to the next, its normal turns by the bend between them,
             * 0.03; the points of a rim are chosen by that normal. */
            assert_true(leap <= leaps[k] * most);
        }
        pcm_geometry_free(ground);
    }
    free_solids(solids);
}

/* ---- Apart ------------------------------------------------------------------------------------------------------- */

/* No point of the surface is closer than the distance, and the returned point is at that distance. */
static void apart(void **state)
{
    dice          d = {5};
    pcm_geometry *solids[SOLIDS], *ground = field(3, 12, bumps), *point = pcm_geometry_point(context);
    int           clear = 0;
    (void)state;
    make_solids(&d, solids);
    for (int i = 0; i < 600; i++) {
        pcm_geometry  *solid = solids[i % SOLIDS];
        pcm_pose       at = random_pose(&d, 1);
        pcm_separation s = {.size = sizeof s}, mirror = s;
        at.position[2] = uniform(&d, 0.2, 2);
        assert_int_equal(pcm_geometry_separate(ground, &upright, solid, &at, &s), PCM_OK);
        assert_int_equal(pcm_geometry_separate(solid, &at, ground, &upright, &mirror), PCM_OK);
        assert_near(mirror.distance, s.distance, 0);
        assert_near(mirror.normal[2], -s.normal[2], 0);
        for (int k = 0; k < 3; k++)
            assert_near(s.on_b[k] - s.on_a[k], s.distance * s.normal[k], 1e-9);
        if (s.distance <= 0)
            continue;
        clear++;
        double nearest = INFINITY;
        for (int a = 0; a <= 240; a++)
            for (int b = 0; b <= 240; b++) {
                /* Samples on the triangles: between grid lines the surface is bent along the diagonals. */
                const double u = a % 20 / 20.0, v = b % 20 / 20.0;
                const int    p = a / 20 < 12 ? a / 20 : 11, q = b / 20 < 12 ? b / 20 : 11;
                const double x = -1.5 + 0.25 * (a / 20 < 12 ? p + u : 12), y = -1.5 + 0.25 * (b / 20 < 12 ? q + v : 12);
                if ((a % 20 && b % 20) || (i / SOLIDS) % 50)
                    continue;
                const double x0 = -1.5 + 0.25 * p, y0 = -1.5 + 0.25 * q, fx = (x - x0) / 0.25, fy = (y - y0) / 0.25;
                const double h00 = bumps(x0, y0), h11 = bumps(x0 + 0.25, y0 + 0.25);
                const double z = fy <= fx ? h00 + fx * (bumps(x0 + 0.25, y0) - h00) + fy * (h11 - bumps(x0 + 0.25, y0))
                                          : h00 + fy * (bumps(x0, y0 + 0.25) - h00) + fx * (h11 - bumps(x0, y0 + 0.25));
                pcm_separation at_point = {.size = sizeof at_point};
                const pcm_pose there = {{x, y, z}, {1, 0, 0, 0}};
                assert_int_equal(pcm_geometry_separate(solid, &at, point, &there, &at_point), PCM_OK);
                nearest = fmin(nearest, at_point.distance);
            }
        assert_true(s.distance <= nearest + 1e-9);
        assert_true((i / SOLIDS) % 50 || s.distance > nearest - 0.02);
    }
    assert_true(clear > 300);
    free_solids(solids);
    pcm_geometry_free(ground);
    pcm_geometry_free(point);
}

/* A ball in a fine bowl that is slightly wider, within reach of more places than a contact list may have: the nearest
 * ones are used. */
static void many_places(void **state)
{
    enum { LINES = 81 };
    static double xs[LINES], hs[LINES * LINES];
    pcm_touch     t[TOUCHES];
    (void)state;
    for (int i = 0; i < LINES; i++)
        xs[i] = -0.6 + 1.2 * i / (LINES - 1);
    for (int i = 0; i < LINES * LINES; i++)
        hs[i] = 1 - sqrt(1 - xs[i % LINES] * xs[i % LINES] - xs[i / LINES] * xs[i / LINES]);
    pcm_geometry  *bowl = pcm_geometry_grid(context, xs, LINES, xs, LINES, hs);
    pcm_geometry  *ball = pcm_geometry_sphere(context, 0.9);
    const pcm_pose origin = {{0, 0, 0}, {1, 0, 0, 0}}, amid = {{1e-3, 2e-3, 1}, {1, 0, 0, 0}};
    const double   reaches[] = {0.15, 0.25, INFINITY};
    for (int r = 0; r < 3; r++) {
        size_t count;
        double sum = 0;
        assert_int_equal(pcm_geometry_touch(bowl, &origin, ball, &amid, reaches[r], t, sizeof *t, TOUCHES, &count),
                         PCM_OK);
        assert_in_range(count, 1, TOUCHES);
        for (size_t i = 0; i < count; i++) {
            assert_near(t[i].depth, -0.1, 3e-3);
            assert_near(t[i].normal[0] * t[i].normal[0] + t[i].normal[1] * t[i].normal[1] +
                            t[i].normal[2] * t[i].normal[2],
                        1, 1e-12);
            assert_true(t[i].share >= 0);
            sum += t[i].share;
        }
        assert_near(sum, 1, 1e-12);
    }
    pcm_geometry_free(bowl);
    pcm_geometry_free(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_ground_is_a_plane),
        cmocka_unit_test(rims),
        cmocka_unit_test(ridges_and_grooves),
        cmocka_unit_test(smooth_ground),
        cmocka_unit_test(sliding),
        cmocka_unit_test(apart),
        cmocka_unit_test(many_places),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
