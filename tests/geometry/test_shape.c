/* SPDX-License-Identifier: MIT */
/* Making geometries: which are rejected and why, mesh files, and running out of memory. */
#include "fixture.h"
#include <pcm/geometry.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Stores the last message, and has an allocator that fails from a chosen call on. */
typedef struct voice {
    char      text[512];
    uint32_t  code, line;
    long      calls, fail_at;
    ptrdiff_t bytes;
} voice;

static void hear(void *user, const pcm_diagnostic *d)
{
    voice *v = user;
    snprintf(v->text, sizeof v->text, "%s", d->message);
    v->code = d->code;
    v->line = d->place.line;
}

static void *allocate(void *user, size_t bytes)
{
    voice *v = user;
    if (v->fail_at > 0 && ++v->calls >= v->fail_at)
        return NULL;
    v->bytes += (ptrdiff_t)bytes;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void release(void *user, void *memory, size_t bytes)
{
    voice *v = user;
    v->bytes -= (ptrdiff_t)bytes;
    free(memory);
}

static voice        said;
static pcm_context *context;

static int open_context(void **state)
{
    pcm_context_def def = pcm_context_defaults();
    (void)state;
    memset(&said, 0, sizeof said);
    def.sink = hear;
    def.sink_user = &said;
    def.allocator = (pcm_allocator){&said, allocate, release};
    context = pcm_context_new(&def);
    return context ? 0 : -1;
}

/* Runs last, since cmocka does not count failures in a group's teardown. */
static void all_memory_is_given_back(void **state)
{
    (void)state;
    pcm_context_free(context);
    assert_int_equal(said.bytes, 0);
}

static void refused(pcm_geometry *g, const char *because)
{
    assert_null(g);
    if (!strstr(said.text, because))
        fail_msg("said '%s', not '%s'", said.text, because);
    said.text[0] = 0;
}

static void lengths(void **state)
{
    static const double bad[] = {0, -1, NAN, INFINITY, 1e-10, 1e10};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        refused(pcm_geometry_sphere(context, bad[i]), "radius of a sphere");
        refused(pcm_geometry_disk(context, bad[i]), "radius of a disk");
        refused(pcm_geometry_capsule(context, bad[i], 1), "radius of a capsule");
        refused(pcm_geometry_capsule(context, 1, bad[i]), "segment of a capsule");
        refused(pcm_geometry_cylinder(context, bad[i], 1), "radius of a cylinder");
        refused(pcm_geometry_cylinder(context, 1, bad[i]), "height of a cylinder");
        refused(pcm_geometry_box(context, (double[]){1, bad[i], 1}), "side of a box");
    }
    for (double size = 1e-6; size < 2e6; size *= 10) {
        pcm_geometry *g = pcm_geometry_sphere(context, size);
        assert_non_null(g);
        pcm_geometry_free(g);
    }
}

static void hulls(void **state)
{
    double points[3 * 64];
    (void)state;
    for (int i = 0; i < 64; i++) {
        points[3 * i] = i % 4;
        points[3 * i + 1] = i / 4 % 4;
        points[3 * i + 2] = i / 16;
    }
    refused(pcm_geometry_hull(context, points, 3), "at least 4");
    refused(pcm_geometry_hull(context, NULL, 0), "at least one");
    refused(pcm_geometry_hull(context, points, 16), "one plane");
    refused(pcm_geometry_hull(context, (double[12]){0}, 4), "the same point");
    refused(pcm_geometry_hull(context, (double[]){0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0}, 4), "one plane");
    refused(pcm_geometry_hull(context, (double[]){0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, NAN}, 4), "point 3");
    refused(pcm_geometry_hull(context, (double[]){0, 0, 0, 1, INFINITY, 0, 0, 1, 0, 0, 0, 1}, 4), "point 1");
    /* A lattice of 4 by 4 by 4 points: a cube, of which only the 8 corners are kept, and whose flat sides are one face
     * each. */
    for (double unit = 1e-6; unit < 2e6; unit *= 1e3) {
        double scaled[3 * 64];
        size_t count;
        for (int i = 0; i < 3 * 64; i++)
            scaled[i] = unit * points[i];
        pcm_geometry *g = pcm_geometry_hull(context, scaled, 64);
        assert_non_null(g);
        assert_non_null(pcm_geometry_points(g, &count));
        assert_int_equal(count, 8);
        pcm_geometry_free(g);
    }
}

static void grids_and_clouds(void **state)
{
    const double up[3] = {0, 1, 2}, unsorted[3] = {0, 2, 1}, twice[3] = {0, 1, 1}, h[9] = {0};
    double       hole[9] = {0};
    (void)state;
    hole[5] = NAN;
    refused(pcm_geometry_grid(context, unsorted, 3, up, 3, h), "line 2");
    refused(pcm_geometry_grid(context, up, 3, twice, 3, h), "y lines");
    refused(pcm_geometry_grid(context, up, 1, up, 3, h), "2 to 65536");
    refused(pcm_geometry_grid(context, NULL, 3, up, 3, h), "lines along x");
    refused(pcm_geometry_grid(context, up, 3, up, 3, hole), "height 1, 2");
    refused(pcm_geometry_grid(context, up, 3, up, 3, NULL), "height 0, 0");
    refused(pcm_geometry_cloud(context, NULL, 0), "at least one");
    refused(pcm_geometry_cloud(context, hole, 3), "point 1");
}

/* ---- Meshes ------------------------------------------------------------------------------------------------------ */

static const char cube_obj[] = "# a cube\n"
                               "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                               "vn 0 0 1\n"
                               "f 4 3 2 1\nf 5/1 6/2 7/3 8/4\nf 1//1 2//1 6//1 5//1\n"
                               "f 2 3 7\nf 2 7 6\nf 3 4 8 7\nf -8 -4 -1 -5\n";

static const char tetrahedron_stl[] = "solid t\n"
                                      "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\n"
                                      "endloop\nendfacet\n"
                                      "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\n"
                                      "endloop\nendfacet\n"
                                      "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\n"
                                      "endloop\nendfacet\n"
                                      "facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1e0\n"
                                      "endloop\nendfacet\nendsolid t\n";

static pcm_geometry *from_bytes(const void *bytes, size_t length, double scale)
{
    char path[] = "mesh-XXXXXX.bin";
    int  file = mkstemps(path, 4);
    assert_true(file >= 0 && write(file, bytes, length) == (ssize_t)length);
    close(file);
    pcm_geometry *g = pcm_geometry_hull_file(context, path, scale);
    unlink(path);
    return g;
}

static pcm_geometry *from_text(const char *text) { return from_bytes(text, strlen(text), 1); }

static void meshes(void **state)
{
    const pcm_pose at = {{0, 0, 0}, {1, 0, 0, 0}}, above = {{0.5, 0.5, 3}, {1, 0, 0, 0}};
    pcm_geometry  *point = pcm_geometry_point(context);
    pcm_separation s = {.size = sizeof s};
    size_t         count;
    (void)state;
    pcm_geometry *g = from_bytes(cube_obj, sizeof cube_obj - 1, 2);
    assert_non_null(g);
    pcm_geometry_points(g, &count);
    assert_int_equal(count, 8);
    assert_int_equal(pcm_geometry_separate(g, &at, point, &above, &s), PCM_OK);
    assert_near(s.distance, 1, 1e-15);
    pcm_geometry_free(g);
    g = from_text(tetrahedron_stl);
    assert_non_null(g);
    pcm_geometry_points(g, &count);
    assert_int_equal(count, 4);
    pcm_geometry_free(g);

    /* The same tetrahedron as binary STL. */
    static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int   faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    char               bytes[84 + 4 * 50] = "binary";
    bytes[80] = 4;
    for (int f = 0; f < 4; f++)
        for (int k = 0; k < 3; k++)
            memcpy(bytes + 84 + 50 * f + 12 + 12 * k, corners[faces[f][k]], 12);
    g = from_bytes(bytes, sizeof bytes, 1);
    assert_non_null(g);
    pcm_geometry_points(g, &count);
    assert_int_equal(count, 4);
    pcm_geometry_free(g);
    pcm_geometry_free(point);
}

/* Text of a face with this many corners. */
static const char *face_of(size_t corners)
{
    static char text[4000];
    char       *end = stpcpy(text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1");
    for (size_t i = 1; i < corners; i++)
        end = stpcpy(end, i % 2 ? " 2" : " 3");
    strcpy(end, "\n");
    return text;
}

static void bad_meshes(void **state)
{
    (void)state;
    refused(pcm_geometry_hull_file(context, "no such file", 1), "cannot be read");
    refused(pcm_geometry_hull_file(context, ".", 1), "cannot be read");
    assert_int_equal(mkfifo("mesh.pipe", 0600), 0);
    refused(pcm_geometry_hull_file(context, "mesh.pipe", 1), "cannot be read"); /* must not wait for a writer */
    assert_int_equal(unlink("mesh.pipe"), 0);
    refused(from_bytes(cube_obj, sizeof cube_obj - 1, 0), "scale");
    refused(from_bytes(cube_obj, sizeof cube_obj - 1, NAN), "scale");
    refused(from_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n"), "no face");
    refused(from_text("just words\n"), "no face");
    refused(from_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\n"), "not closed");
    refused(from_text("v 0 0 0\nv 1 0 x\n"), "three numbers");
    assert_int_equal(said.line, 2);
    refused(from_text("v 0 0 0\nv 1 0 nan\n"), "three numbers");
    refused(from_text("v 0 0 0\nv 1 0 1e999\n"), "finite");
    refused(from_text("v 0 0 0\nv 1 0 0\nf 1 2 3\n"), "no earlier v line");
    assert_int_equal(said.line, 3);
    refused(from_text("v 0 0 0\nf 1 1 0\n"), "no earlier v line");
    refused(from_text("v 0 0 0\nv 1 0 0\nf 1 2\n"), "fewer than 3");
    refused(from_text(face_of(257)), "more than 256 corners");
    refused(from_text("solid\nvertex 0 0 0\nvertex 1 0 0\nendloop\n"), "fewer than 3");
    refused(from_text("solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 1 1 1\n"), "more than 3");
    refused(from_text("solid\nvertex 0 0 0\nvertex 1 0\n"), "three numbers");
    refused(from_text("solid\nvertex 0 0 0\n"), "inside a facet");
    /* Closed, but flat. */
    refused(from_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n"), "at least 4");
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* ---- Points chosen to have equal hashes -------------------------------------------------------------------------- */

static const uint64_t factor = 0xFF51AFD7ED558CCDu; /* of the hash of places, which also uses a secret */

static uint64_t mixed(uint64_t h)
{
    h *= factor;
    return h ^ h >> 29;
}

static uint64_t unmixed(uint64_t h)
{
    uint64_t inverse = factor, before = h;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - factor * inverse;
    for (int i = 0; i < 3; i++)
        before = h ^ before >> 29;
    return before * inverse;
}

/* The time to read points; with `chosen`, all of them would have the same hash if the secret were 1. */
static double seconds_for_places(bool chosen)
{
    enum { POINTS = 40000, LINE = 100 };
    char *text = malloc(POINTS * LINE), *end = text;
    assert_non_null(text);
    for (int i = 1; i <= POINTS; i++) {
        const double x = i;
        uint64_t     bits;
        double       z;
        memcpy(&bits, &x, sizeof bits);
        bits = mixed(mixed(bits)) ^ unmixed(20040820);
        memcpy(&z, &bits, sizeof z);
        end += sprintf(end, "v %.17g 0 %.17g\n", x, chosen && isfinite(z) ? z : 1.0 / x);
    }
    const clock_t start = clock();
    refused(from_bytes(text, (size_t)(end - text), 1), "no face");
    free(text);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void chosen_places_cost_no_more(void **state)
{
    (void)state;
    assert_true(seconds_for_places(true) < 20 * seconds_for_places(false) + 0.02);
}

static pcm_geometry *make(int kind)
{
    const double up[3] = {0, 1, 2}, h[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    switch (kind) {
    case 0:
        return from_bytes(cube_obj, sizeof cube_obj - 1, 1);
    case 1:
        return pcm_geometry_grid(context, up, 3, up, 3, h);
    case 2:
        return pcm_geometry_capsule(context, 1, 1);
    case 3:
        return pcm_geometry_box(context, (double[]){1, 2, 3});
    case 4:
        return pcm_geometry_cloud(context, h, 3);
    default:
        return pcm_geometry_cylinder(context, 1, 1);
    }
}

/* Whichever allocation fails, there is a message, nothing is made and nothing leaks. */
static void memory_that_ends(void **state)
{
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        const ptrdiff_t before = said.bytes;
        pcm_geometry   *g = NULL;
        for (long at = 1; !g; at++) {
            said.calls = 0;
            said.fail_at = at;
            said.code = 0;
            g = make(kind);
            assert_true(g || said.code == 100);
            assert_true(g || said.bytes == before);
            assert_true(at < 1000);
        }
        said.fail_at = 0;
        pcm_geometry_free(g);
        assert_true(said.bytes == before);
    }
    pcm_geometry_free(NULL);
}

/* ---- Which kinds can be paired ----------------------------------------------------------------------------------- */

/* The columns are hull, disk, grid, plane, point, cloud. */
static void pairs_of_kinds_that_touch(void **state)
{
    static const pcm_geometry_kind kinds[6] = {PCM_HULL, PCM_DISK, PCM_GRID, PCM_PLANE, PCM_POINT, PCM_CLOUD};
    static const bool              table[6][6] = {{1, 1, 1, 1, 1, 1}, {1, 0, 0, 1, 0, 0}, {1, 0, 0, 0, 1, 1},
                                                  {1, 1, 0, 0, 1, 1}, {1, 0, 1, 1, 0, 0}, {1, 0, 1, 1, 0, 0}};
    static const pcm_geometry_kind solids[5] = {PCM_HULL, PCM_SPHERE, PCM_CAPSULE, PCM_BOX, PCM_CYLINDER};
    (void)state;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            assert_int_equal(pcm_geometry_meets(kinds[i], kinds[j]), table[i][j]);
            for (int s = 0; s < 5 && i == 0; s++)
                assert_int_equal(pcm_geometry_meets(solids[s], kinds[j]), table[0][j]);
        }
    assert_non_null(strstr(pcm_geometry_partners(PCM_DISK), "solids and planes"));
    assert_non_null(strstr(pcm_geometry_partners(PCM_GRID), "point clouds"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),
        cmocka_unit_test(hulls),
        cmocka_unit_test(meshes),
        cmocka_unit_test(grids_and_clouds),
        cmocka_unit_test(bad_meshes),
        cmocka_unit_test(memory_that_ends),
        cmocka_unit_test(pairs_of_kinds_that_touch),
        cmocka_unit_test(chosen_places_cost_no_more),
        cmocka_unit_test(all_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, open_context, NULL);
}
