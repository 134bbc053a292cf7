/* SPDX-License-Identifier: MIT */
/* The separation of every pair of geometries, compared with qhull's hull of the Minkowski difference, with closed
 * forms, with a search over directions for bodies with rims, and with itself under swaps and rigid motion. The tables
 * that it prints are those of docs/geometry.md, made with GEOMETRY_CASES=10 in the environment, which runs ten times as
 * many cases. */
#include "context.h"
#include "fixture.h"
#include "reference.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pcm_separation separate(const pcm_geometry *a, const pcm_pose *pa, const pcm_geometry *b, const pcm_pose *pb)
{
    pcm_separation s = {.size = sizeof s};
    assert_int_equal(pcm_geometry_separate(a, pa, b, pb, &s), PCM_OK);
    return s;
}

/* Moves b along the normal until it overlaps a by depth (negative: a gap). */
static void sink_into(const pcm_geometry *a, const pcm_pose *pa, const pcm_geometry *b, pcm_pose *pb, double depth)
{
    const pcm_separation s = separate(a, pa, b, pb);
    for (int k = 0; k < 3; k++)
        pb->position[k] -= (s.distance + depth) * s.normal[k];
}

/* The distance between the witnesses must equal the distance, to 1e-12 of the bodies' size and of itself, and the
 * normal must be a unit vector. */
static void check_witnesses(const pcm_separation *s, double size)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        assert_near(s->on_b[k] - s->on_a[k], s->distance * s->normal[k], 1e-12 * fmax(size, fabs(s->distance)));
        square += s->normal[k] * s->normal[k];
    }
    assert_near(square, 1, 1e-12);
}

/* The distance from the first corner to the farthest. */
static double size_of(const double *corners, size_t count)
{
    double most = 0;
    for (size_t i = 1; i < count; i++) {
        const double *p = &corners[3 * i], d[3] = {p[0] - corners[0], p[1] - corners[1], p[2] - corners[2]};
        most = fmax(most, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
    return most;
}

/* ---- Accuracy of the answers ------------------------------------------------------------------------------------- */

typedef struct tally {
    int    cases, good; /* good: answers within 1e-12 */
    double worst;
} tally;

static void count_error(tally *t, double error)
{
    t->cases++;
    t->good += fabs(error) <= 1e-12;
    if (!(fabs(error) <= t->worst))
        t->worst = fabs(error);
}

static void report(const char *pair, const char *how, const tally *t)
{
    print_message("| %-22s | %-14s | %5d | %8.4f %% | %7.1e |\n", pair, how, t->cases, 100.0 * t->good / t->cases,
                  t->worst);
    assert_int_equal(t->good, t->cases);
}

/* The factor on the usual number of cases. */
static int times(void)
{
    const char *text = getenv("GEOMETRY_CASES");
    return text && atoi(text) > 0 ? atoi(text) : 1;
}

enum { APART, DEEP, SHALLOW, TOUCHING, REGIMES };
static const char *const regimes[REGIMES] = {"any distance", "deep", "shallow", "just touching"};

static void arrange(dice *d, int regime, const pcm_geometry *a, pcm_pose *pa, const pcm_geometry *b, pcm_pose *pb)
{
    const double spread = regime == APART ? 3 : regime == DEEP ? 0.3 : 1;
    *pa = random_pose(d, spread);
    *pb = random_pose(d, spread);
    if (regime == SHALLOW)
        sink_into(a, pa, b, pb, uniform(d, -1e-3, 1e-2));
    else if (regime == TOUCHING)
        sink_into(a, pa, b, pb, uniform(d, -1, 1) * pow(10, uniform(d, -16, -7)));
}

static void hulls_against_minkowski(void **state)
{
    static const struct {
        const char *name;
        size_t      a, b; /* numbers of corners; 8 means a box */
        int         cases;
    } pairs[] = {{"box, box", 8, 8, 500},      {"hull 4, hull 4", 4, 4, 500},     {"hull 12, hull 12", 12, 12, 300},
                 {"box, hull 30", 8, 30, 250}, {"hull 40, hull 40", 40, 40, 250}, {"hull 150, hull 150", 150, 150, 6}};
    dice d = {88172645463325252u};
    (void)state;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (int regime = 0; regime < REGIMES; regime++) {
            tally t = {0, 0, 0};
            for (int i = 0; i < pairs[p].cases * times(); i++) {
                pcm_geometry *a = pairs[p].a == 8 ? random_box(context, &d) : random_hull(context, &d, pairs[p].a);
                pcm_geometry *b = pairs[p].b == 8 ? random_box(context, &d) : random_hull(context, &d, pairs[p].b);
                pcm_pose      pa, pb;
                size_t        n_a, n_b;
                arrange(&d, regime, a, &pa, b, &pb);
                double              *at_a = world_corners(a, &pa, &n_a), *at_b = world_corners(b, &pb, &n_b);
                const pcm_separation s = separate(a, &pa, b, &pb);
                check_witnesses(&s, fmax(size_of(at_a, n_a), size_of(at_b, n_b)));
                count_error(&t, s.distance - minkowski_separation(at_a, n_a, at_b, n_b));
                free(at_a);
                free(at_b);
                pcm_geometry_free(a);
                pcm_geometry_free(b);
            }
            report(pairs[p].name, regimes[regime], &t);
        }
}

/* Boxes placed face on face, edge on edge and corner on corner, aligned and exactly touching, so that faces and edges
 * are parallel. The depth equals that of the closed form. */
static void aligned_boxes(void **state)
{
    pcm_geometry *box = pcm_geometry_box(context, (double[]){1, 2, 3});
    const double  side[3] = {1, 2, 3};
    (void)state;
    for (int i = 0; i < 729; i++) {
        static const double shifts[9] = {-1.5, -1, -0.75, -1e-3, 0, 1e-3, 0.75, 1, 1.5};
        const pcm_pose      pa = {{0, 0, 0}, {1, 0, 0, 0}};
        pcm_pose            pb = {{0, 0, 0}, {1, 0, 0, 0}};
        double              outside = 0, overlap = INFINITY;
        for (int k = 0; k < 3; k++) {
            pb.position[k] = shifts[k == 0 ? i % 9 : k == 1 ? i / 9 % 9 : i / 81] * side[k];
            const double gap = fabs(pb.position[k]) - side[k];
            outside += gap > 0 ? gap * gap : 0;
            overlap = fmin(overlap, -gap);
        }
        const pcm_separation s = separate(box, &pa, box, &pb);
        check_witnesses(&s, 1);
        assert_near(s.distance, outside > 0 ? sqrt(outside) : -overlap, 1e-12);
    }
    pcm_geometry_free(box);
}

/* ---- Bodies with rims: the best of many directions, improved by a local search ----------------------------------- */

static double climbed(const any_body *a, const any_body *b, double n[3], dice *d)
{
    double best = sep_along(a, b, n);
    for (double step = 0.05; step > 1e-10; step *= 0.7)
        for (int k = 0; k < 12; k++) {
            double m[3], u[3], length = 0;
            direction(d, u);
            for (int i = 0; i < 3; i++) {
                m[i] = n[i] + step * u[i];
                length += m[i] * m[i];
            }
            for (int i = 0; i < 3; i++)
                m[i] /= sqrt(length);
            const double sep = sep_along(a, b, m);
            if (sep > best) {
                best = sep;
                memcpy(n, m, sizeof m);
            }
        }
    return best;
}

enum { DIRECTIONS = 600, CLIMBS = 4 };

/* The largest sep over evenly spread directions, the best of them improved by a local search. Never greater than the
 * true one. */
static double searched(const any_body *a, const any_body *b, dice *d)
{
    static double n[DIRECTIONS][3], sep[DIRECTIONS];
    double        best = -INFINITY;
    for (int i = 0; i < DIRECTIONS; i++) {
        const double z = 1 - (2 * i + 1.0) / DIRECTIONS, r = sqrt(1 - z * z), turn = 2.39996322972865332 * i;
        n[i][0] = r * cos(turn);
        n[i][1] = r * sin(turn);
        n[i][2] = z;
        sep[i] = sep_along(a, b, n[i]);
    }
    for (int c = 0; c < CLIMBS; c++) {
        int    k = 0;
        double from[3];
        for (int i = 1; i < DIRECTIONS; i++)
            if (sep[i] > sep[k])
                k = i;
        memcpy(from, n[k], sizeof from);
        for (int i = 0; i < DIRECTIONS; i++)
            if (from[0] * n[i][0] + from[1] * n[i][1] + from[2] * n[i][2] > 0.99)
                sep[i] = -INFINITY;
        best = fmax(best, climbed(a, b, from, d));
    }
    return best;
}

/* Checks both sides: the answer's own direction proves that it is not too small (sep is a bound along every direction),
 * and the search would find a better direction if there were one. */
static void rims_against_search(void **state)
{
    static const struct {
        const char *name, *kinds;
    } pairs[] = {{"capsule, box", "cb"},       {"capsule, hull 30", "ch"}, {"cylinder, sphere", "zs"},
                 {"cylinder, capsule", "zc"},  {"cylinder, box", "zb"},    {"cylinder, hull 30", "zh"},
                 {"cylinder, cylinder", "zz"}, {"disk, sphere", "ds"},     {"disk, capsule", "dc"},
                 {"disk, box", "db"},          {"disk, hull 30", "dh"},    {"disk, cylinder", "dz"}};
    dice d = {362436069};
    (void)state;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (int regime = 0; regime < REGIMES; regime++) {
            tally t = {0, 0, 0};
            for (int i = 0; i < 250 * times(); i++) {
                any_body a = random_body(context, &d, pairs[p].kinds[0], 1, false);
                any_body b = random_body(context, &d, pairs[p].kinds[1], 1, false);
                arrange(&d, regime, a.geometry, &a.pose, b.geometry, &b.pose);
                const pcm_separation s = separate(a.geometry, &a.pose, b.geometry, &b.pose);
                check_witnesses(&s, 1);
                assert_near(sep_along(&a, &b, s.normal), s.distance, 1e-12 * fmax(1, s.distance));
                count_error(&t, fmax(0, searched(&a, &b, &d) - s.distance));
                pcm_geometry_free(a.geometry);
                pcm_geometry_free(b.geometry);
            }
            report(pairs[p].name, regimes[regime], &t);
        }
}

/* ---- Closed forms ------------------------------------------------------------------------------------------------ */

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Spheres against spheres, boxes and planes, at sizes from 1e-6 to 1e6 m. */
static void spheres(void **state)
{
    dice d = {521288629};
    (void)state;
    for (int i = 0; i < 3000; i++) {
        const double unit = pow(10, uniform(&d, -6, 6)), r = unit * uniform(&d, 0.1, 1), q = unit * uniform(&d, 0.1, 1);
        pcm_geometry  *a = pcm_geometry_sphere(context, r), *b = pcm_geometry_sphere(context, q);
        pcm_geometry  *box = pcm_geometry_box(context, (double[]){2 * unit, unit, 3 * unit});
        pcm_geometry  *plane = pcm_geometry_plane(context);
        const pcm_pose upright = {{0, 0, 0}, {1, 0, 0, 0}}, pa = random_pose(&d, unit), pb = random_pose(&d, unit);
        double         between[3], over[3], outside = 0;
        for (int k = 0; k < 3; k++)
            between[k] = pb.position[k] - pa.position[k];
        const pcm_separation s = separate(a, &pa, b, &pb);
        assert_near(s.distance, length_of(between) - r - q, 1e-14 * unit);
        for (int k = 0; k < 3; k++)
            assert_near(s.normal[k], between[k] / length_of(between), 1e-9);
        const double half[3] = {unit, 0.5 * unit, 1.5 * unit};
        double       within = -INFINITY;
        for (int k = 0; k < 3; k++) {
            over[k] = fabs(pa.position[k]) - half[k];
            outside += over[k] > 0 ? over[k] * over[k] : 0;
            within = fmax(within, over[k]);
        }
        assert_near(separate(box, &upright, a, &pa).distance, (outside > 0 ? sqrt(outside) : within) - r, 1e-14 * unit);
        assert_near(separate(plane, &upright, a, &pa).distance, pa.position[2] - r, 1e-14 * unit);
        pcm_geometry_free(a);
        pcm_geometry_free(b);
        pcm_geometry_free(box);
        pcm_geometry_free(plane);
    }
}

/* A tilted disk, cylinder, capsule and box over a plane: their lowest points in closed form. */
static void over_planes(void **state)
{
    pcm_geometry *plane = pcm_geometry_plane(context);
    pcm_geometry *bodies[4] = {pcm_geometry_disk(context, 0.5), pcm_geometry_cylinder(context, 0.5, 2),
                               pcm_geometry_capsule(context, 0.5, 2), pcm_geometry_box(context, (double[]){1, 2, 3})};
    dice          d = {7};
    (void)state;
    for (int i = 0; i < 1000; i++) {
        const pcm_pose upright = {{0, 0, 0}, {1, 0, 0, 0}}, p = random_pose(&d, 2);
        double         x[3], y[3], z[3];
        rotate(p.orientation, (double[]){1, 0, 0}, x);
        rotate(p.orientation, (double[]){0, 1, 0}, y);
        rotate(p.orientation, (double[]){0, 0, 1}, z);
        const double rim = 0.5 * hypot(x[2], y[2]);
        const double down[4] = {rim, rim + fabs(z[2]), 0.5 + fabs(z[2]),
                                0.5 * fabs(x[2]) + fabs(y[2]) + 1.5 * fabs(z[2])};
        for (int k = 0; k < 4; k++) {
            const pcm_separation s = separate(plane, &upright, bodies[k], &p);
            check_witnesses(&s, 1);
            assert_near(s.distance, p.position[2] - down[k], 1e-14);
            assert_near(s.normal[2], 1, 0);
            assert_near(separate(bodies[k], &p, plane, &upright).normal[2], -1, 0);
        }
    }
    for (int k = 0; k < 4; k++)
        pcm_geometry_free(bodies[k]);
    pcm_geometry_free(plane);
}

/* Points against a grid, compared with the nearest of all its triangles, each by its own closed form. */
static double point_triangle(const double p[3], const double t[3][3])
{
    double best = INFINITY;
    for (int i = 0; i < 3; i++) { /* sides, by their parameter */
        double d[3], r[3], dd = 0, dr = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = t[(i + 1) % 3][k] - t[i][k];
            r[k] = p[k] - t[i][k];
            dd += d[k] * d[k];
            dr += d[k] * r[k];
        }
        const double s = fmin(fmax(dr / dd, 0), 1);
        best = fmin(best, length_of((double[]){r[0] - s * d[0], r[1] - s * d[1], r[2] - s * d[2]}));
    }
    double e[3], f[3], r[3], ee = 0, ef = 0, ff = 0, re = 0, rf = 0; /* the inside, by normal equations */
    for (int k = 0; k < 3; k++) {
        e[k] = t[1][k] - t[0][k];
        f[k] = t[2][k] - t[0][k];
        r[k] = p[k] - t[0][k];
        ee += e[k] * e[k];
        ef += e[k] * f[k];
        ff += f[k] * f[k];
        re += r[k] * e[k];
        rf += r[k] * f[k];
    }
    const double det = ee * ff - ef * ef, u = (re * ff - rf * ef) / det, v = (rf * ee - re * ef) / det;
    if (u >= 0 && v >= 0 && u + v <= 1)
        best = fmin(best, length_of((double[]){r[0] - u * e[0] - v * f[0], r[1] - u * e[1] - v * f[1],
                                               r[2] - u * e[2] - v * f[2]}));
    return best;
}

enum { NX = 9, NY = 6 };

static void points_and_grid(void **state)
{
    dice   d = {99};
    double x[NX], y[NY], h[NX * NY];
    (void)state;
    for (int i = 0; i < NX; i++)
        x[i] = (i ? x[i - 1] : -1) + uniform(&d, 0.05, 0.5);
    for (int j = 0; j < NY; j++)
        y[j] = (j ? y[j - 1] : -1) + uniform(&d, 0.05, 0.5);
    for (int i = 0; i < NX * NY; i++)
        h[i] = uniform(&d, -0.2, 0.2);
    pcm_geometry  *grid = pcm_geometry_grid(context, x, NX, y, NY, h), *point = pcm_geometry_point(context);
    const pcm_pose upright = {{0, 0, 0}, {1, 0, 0, 0}};
    int            below = 0;
    for (int i = 0; i < 2000; i++) {
        pcm_pose p = {{0, 0, 0}, {1, 0, 0, 0}};
        double   nearest = INFINITY;
        bool     under = false;
        for (int k = 0; k < 3; k++)
            p.position[k] = uniform(&d, -2, 2) * (k == 2 && i % 2 ? 0.1 : 1);
        for (int a = 0; a + 1 < NX; a++)
            for (int b = 0; b + 1 < NY; b++) {
                const double c[4][3] = {{x[a], y[b], h[a * NY + b]},
                                        {x[a + 1], y[b], h[(a + 1) * NY + b]},
                                        {x[a + 1], y[b + 1], h[(a + 1) * NY + b + 1]},
                                        {x[a], y[b + 1], h[a * NY + b + 1]}};
                double       t[3][3];
                const double u = (p.position[0] - x[a]) / (x[a + 1] - x[a]),
                             v = (p.position[1] - y[b]) / (y[b + 1] - y[b]);
                for (int w = 1; w < 3; w++) {
                    memcpy(t[0], c[0], sizeof t[0]);
                    memcpy(t[1], c[w], sizeof t[0]);
                    memcpy(t[2], c[w + 1], sizeof t[0]);
                    nearest = fmin(nearest, point_triangle(p.position, (const double(*)[3])t));
                }
                if (u >= 0 && u <= 1 && v >= 0 && v <= 1) {
                    const double surface = v <= u ? c[0][2] + u * (c[1][2] - c[0][2]) + v * (c[2][2] - c[1][2])
                                                  : c[0][2] + v * (c[3][2] - c[0][2]) + u * (c[2][2] - c[3][2]);
                    under = p.position[2] < surface;
                }
            }
        const pcm_separation s = separate(grid, &upright, point, &p);
        check_witnesses(&s, 1);
        assert_near(s.distance, under ? -nearest : nearest, 1e-13);
        below += under;
    }
    assert_true(below > 100);
    pcm_geometry_free(grid);
    pcm_geometry_free(point);
}

/* ---- Invariants -------------------------------------------------------------------------------------------------- */

static void swaps_and_motions(void **state)
{
    static const char kinds[] = "sczdbh";
    dice              d = {42};
    (void)state;
    for (int i = 0; i < 600; i++) {
        any_body a = random_body(context, &d, kinds[i % 6], 1, false);
        any_body b = random_body(context, &d, kinds[i / 6 % 6], 1, false);
        if (!pcm_geometry_meets(pcm_geometry_get_kind(a.geometry), pcm_geometry_get_kind(b.geometry))) {
            pcm_geometry_free(a.geometry);
            pcm_geometry_free(b.geometry);
            continue;
        }
        arrange(&d, i % 3, a.geometry, &a.pose, b.geometry, &b.pose);
        const pcm_separation s = separate(a.geometry, &a.pose, b.geometry, &b.pose);
        const pcm_separation swapped = separate(b.geometry, &b.pose, a.geometry, &a.pose);
        assert_near(swapped.distance, s.distance, 1e-10);
        const pcm_pose       by = random_pose(&d, 5), pa = moved(&by, &a.pose), pb = moved(&by, &b.pose);
        const pcm_separation away = separate(a.geometry, &pa, b.geometry, &pb);
        double               normal[3];
        rotate(by.orientation, s.normal, normal);
        assert_near(away.distance, s.distance, 1e-10);
        for (int k = 0; k < 3; k++) {
            /* If two directions are equally good, either may be found, so the normal is compared only in clear cases.
             * Curved bodies determine their depth to second order in the normal. */
            if (s.distance > 1e-3) {
                assert_near(swapped.normal[k], -s.normal[k], 1e-5);
                assert_near(away.normal[k], normal[k], 1e-5);
            }
        }
        pcm_geometry_free(a.geometry);
        pcm_geometry_free(b.geometry);
    }
}

/* Bodies at the same place, or 1e6 times smaller or larger than each other, have a finite answer. */
static void coincident_and_extreme(void **state)
{
    static const char kinds[] = "sczdbh";
    dice              d = {4711};
    (void)state;
    for (int i = 0; i < 36; i++)
        for (int far = 0; far < 3; far++) {
            any_body     a = random_body(context, &d, kinds[i % 6], 1, false);
            any_body     b = random_body(context, &d, kinds[i / 6], 1, false);
            const double shift[3] = {0, 1e-13, 1e8};
            b.pose.position[2] = shift[far];
            if (pcm_geometry_meets(pcm_geometry_get_kind(a.geometry), pcm_geometry_get_kind(b.geometry))) {
                const pcm_separation s = separate(a.geometry, &a.pose, b.geometry, &b.pose);
                check_witnesses(&s, 1);
                assert_true(far == 2 ? s.distance > 0.9e8 : s.distance <= 1e-9);
            }
            pcm_geometry_free(a.geometry);
            pcm_geometry_free(b.geometry);
        }
    pcm_geometry  *ground = pcm_geometry_box(context, (double[]){1e6, 1e6, 1e6});
    pcm_geometry  *grain = pcm_geometry_box(context, (double[]){1e-6, 1e-6, 1e-6});
    const pcm_pose under = {{0, 0, -5e5}, {1, 0, 0, 0}}, above = {{0, 0, 0.4e-6}, {1, 0, 0, 0}};
    assert_near(separate(ground, &under, grain, &above).distance, -1e-7, 1e-9 * 1e6);
    pcm_geometry_free(ground);
    pcm_geometry_free(grain);
}

static void motion_that_is_none(void **state)
{
    pcm_geometry  *box = pcm_geometry_box(context, (double[]){1, 1, 1}), *disk = pcm_geometry_disk(context, 1);
    const pcm_pose good = {{0, 0, 0}, {1, 0, 0, 0}}, nan = {{NAN, 0, 0}, {1, 0, 0, 0}},
                   flat = {{0, 0, 0}, {0, 0, 0, 0}};
    pcm_separation s = {.size = sizeof s};
    size_t         count;
    (void)state;
    assert_int_equal(pcm_geometry_separate(box, &good, box, &nan, &s), PCM_BAD_MOTION);
    assert_int_equal(pcm_geometry_separate(box, &flat, box, &good, &s), PCM_BAD_MOTION);
    assert_int_equal(pcm_geometry_separate(disk, &good, disk, &good, &s), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_geometry_touch(disk, &good, disk, &good, 0, NULL, sizeof(pcm_touch), 0, &count),
                     PCM_BAD_ARGUMENT);
    pcm_geometry_free(box);
    pcm_geometry_free(disk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_against_minkowski),
        cmocka_unit_test(aligned_boxes),
        cmocka_unit_test(rims_against_search),
        cmocka_unit_test(spheres),
        cmocka_unit_test(over_planes),
        cmocka_unit_test(points_and_grid),
        cmocka_unit_test(swaps_and_motions),
        cmocka_unit_test(coincident_and_extreme),
        cmocka_unit_test(motion_that_is_none),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
