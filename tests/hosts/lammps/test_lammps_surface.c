/* SPDX-License-Identifier: MIT */
/* Surfaces of triangles: the points at which a sphere touches them, compared with a search over all points; and STL
 * files, valid and invalid. */
#include "surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static double uniform(void)
{
    static uint64_t seed = 7;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-53;
}

/* The distance from a triangle, by trying many of its points: an upper bound, accurate to a hundredth of the triangle's
 * size. */
static double walk(double (*corner)[3], const double y[3])
{
    enum { STEPS = 100 };
    double least = INFINITY;
    for (int i = 0; i <= STEPS; i++)
        for (int j = 0; i + j <= STEPS; j++) {
            double square = 0;
            for (int k = 0; k < 3; k++) {
                const double at = corner[0][k] + (corner[1][k] - corner[0][k]) * i / STEPS +
                                  (corner[2][k] - corner[0][k]) * j / STEPS - y[k];
                square += at * at;
            }
            least = fmin(least, square);
        }
    return sqrt(least);
}

static void the_nearest_point_is_found(void **state)
{
    (void)state;
    enum { TRIANGLES = 60 };
    double corner[TRIANGLES][3][3];
    for (int i = 0; i < TRIANGLES; i++)
        for (int k = 0; k < 9; k++)
            corner[i][k / 3][k % 3] = 3 * ((i * (k % 3 + 3)) % 7) / 7.0 + uniform();
    pcm_lammps_surface *surface = pcm_lammps_surface_new(TRIANGLES, corner, 1);
    assert_non_null(surface);
    int touched = 0;
    for (int trial = 0; trial < 60; trial++) {
        const double    y[3] = {5 * uniform() - 0.5, 5 * uniform() - 0.5, 5 * uniform() - 0.5}, reach = 1;
        pcm_lammps_spot spot[4];
        double          least = INFINITY;
        for (int i = 0; i < TRIANGLES; i++)
            least = fmin(least, walk(corner[i], y));
        const int n = pcm_lammps_surface_near(surface, y, reach, 4, spot);
        if (n == 0) {
            assert_true(least > reach);
            continue;
        }
        touched++;
        assert_true(spot[0].height <= reach && spot[0].height <= least + 1e-12 && spot[0].height > least - 0.03);
        for (int i = 1; i < n; i++)
            assert_true(spot[i].height >= spot[i - 1].height);
    }
    assert_true(touched > 20);
    pcm_lammps_surface_free(surface);
}

/* Two triangles that form a square, and a third that is perpendicular to it at one of its edges. */
static double corner_shape[3][3][3] = {
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, {{0, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 0}, {1, 1, 0}, {1, 1, 1}}};

static void seams_are_touched_once(void **state)
{
    (void)state;
    pcm_lammps_surface *surface = pcm_lammps_surface_new(3, corner_shape, 2);
    pcm_lammps_spot     spot[4];
    assert_non_null(surface);
    /* Above the diagonal, next to it, below it, outside an edge and outside a corner: one contact. */
    const double once[][3] = {{1, 1, 0.1}, {1, 0.95, 0.1}, {1, 0.95, -0.1}, {1, -0.05, 0.02}, {-0.05, -0.05, 0.02}};
    for (size_t i = 0; i < sizeof once / sizeof *once; i++)
        assert_int_equal(pcm_lammps_surface_near(surface, once[i], 0.2, 4, spot), 1);
    assert_true(fabs(spot[0].height - sqrt(2 * 0.0025 + 0.0004)) < 1e-15);
    /* In the angle between two faces: contacts with both. */
    const double angle[3] = {1.9, 1.9, 0.1};
    assert_int_equal(pcm_lammps_surface_near(surface, angle, 0.2, 4, spot), 2);
    assert_true(fabs(fabs(spot[0].normal[2]) + fabs(spot[1].normal[2]) - 1) < 1e-15);
    /* The centre in the surface: the normal is the surface's. */
    const double within[3] = {1.5, 0.5, 0};
    assert_int_equal(pcm_lammps_surface_near(surface, within, 0.2, 4, spot), 1);
    assert_true(spot[0].height == 0 && spot[0].normal[2] == 1);
    assert_true(pcm_lammps_surface_meet(surface, 0, 1) && pcm_lammps_surface_meet(surface, 0, 2));
    assert_false(pcm_lammps_surface_meet(surface, 0, 3));
    pcm_lammps_surface_free(surface);
}

static const char *write_file(const char *text, size_t size)
{
    static char name[] = "surface.XXXXXX";
    memcpy(name, "surface.XXXXXX", sizeof name);
    const int file = mkstemp(name);
    assert_true(file >= 0 && write(file, text, size) == (ssize_t)size && close(file) == 0);
    return name;
}

static void expect(const char *text, size_t size, const char *why)
{
    char                error[256] = "";
    const char         *name = write_file(text, size);
    pcm_lammps_surface *surface = pcm_lammps_surface_open(name, 1, error, sizeof error);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(surface == NULL, why != NULL);
    if (why && !strstr(error, why))
        fail_msg("%s", error);
    pcm_lammps_surface_free(surface);
}

static void expect_text(const char *text, const char *why) { expect(text, strlen(text), why); }

static void files_are_read_or_refused(void **state)
{
    (void)state;
    char binary[84 + 50 + 1] = "solid as text files begin";
    binary[80] = 1;
    const float corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    memcpy(binary + 96, corner, sizeof corner);
    expect(binary, sizeof binary - 1, NULL);
    expect(binary, sizeof binary - 2, "not an STL file");
    expect_text("solid s facet normal 0 0 1 outer loop vertex 0 0 0\nvertex 1 0 0\r\n vertex 0 1e0 0 endloop endfacet",
                NULL);
    expect_text("", "not an STL file");
    expect_text("solid s endsolid s", "not an STL file");
    expect_text("vertex 0 0 0 vertex 1 0 0", "not an STL file");
    expect_text("vertex 0 0 0 vertex 1 0 0 vertex 0 1", "not an STL file");
    expect_text("vertex 0 0 0 vertex 1 0 0 vertex 0 1 x", "not an STL file");
    expect_text("vertex 0 0 0 vertex 1 0 0 vertex 0 1 1e999", "not an STL file");
    expect_text("vertex 0 0 0 vertex 1 0 0 vertex 2 0 0", "no triangle with an area");
    char error[256] = "";
    assert_null(pcm_lammps_surface_open("none.stl", 1, error, sizeof error));
    assert_non_null(strstr(error, "cannot read the STL file 'none.stl'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_point_is_found),
        cmocka_unit_test(seams_are_touched_once),
        cmocka_unit_test(files_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
