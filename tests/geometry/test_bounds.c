/* SPDX-License-Identifier: MIT */
/* usage: test_bounds [CASES [KINDS]]
 *
 * Checks the proof in every answer, for CASES random and adversarial pairs of each two kinds (1000; a million takes an
 * hour), or of the two kinds that KINDS names ("zb": a cylinder and a box). The bounds contain the distance and meet;
 * no direction gives a larger separation; the witnesses lie on both bodies, at that distance from each other; swapping
 * the bodies gives the mirrored answer; and the answer moves with the bodies. */
#include "context.h"
#include "fixture.h"
#include "reference.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { APART, DEEP, SHALLOW, GRAZING, NESTED, FLUSH, SIZES, INSIDE, THIN, CENTRED, ALMOST, REGIMES };
static const char *const regimes[REGIMES] = {"apart", "deep",   "shallow", "grazing", "nested", "flush",
                                             "sizes", "inside", "thin",    "centred", "almost"};

static int cases = 1000, n_off; /* n_off: witnesses that are off each other's normal by more than the tolerance */
static const char *only;        /* NULL: all kinds */

static pcm_separation separate(const any_body *a, const any_body *b)
{
    pcm_separation s = {.size = sizeof s};
    assert_int_equal(pcm_geometry_separate(a->geometry, &a->pose, b->geometry, &b->pose, &s), PCM_OK);
    return s;
}

static double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

/* Moves b along the normal until it overlaps a by depth. */
static void sink(const any_body *a, any_body *b, double depth)
{
    const pcm_separation s = separate(a, b);
    for (int k = 0; k < 3; k++)
        b->pose.position[k] -= (s.distance + depth) * s.normal[k];
}

static double tiny(dice *d) { return uniform(d, -1, 1) * pow(10, uniform(d, -16, -6)); }

/* Places b parallel to a or turned by 90 degrees, with the same centre or next to it. */
static void align(dice *d, int i, const any_body *a, any_body *b, bool beside)
{
    static const double turns[4][4] = {{1, 0, 0, 0}, {0.6, 0.8, 0, 0}, {0.5, 0.5, 0.5, 0.5}, {0.8, 0, 0.6, 0}};
    pcm_pose            by = {{0, 0, 0}, {1, 0, 0, 0}};
    memcpy(by.orientation, turns[i % 4], sizeof by.orientation);
    if (beside || i % 8 > 3)
        by.position[i % 3] = beside ? uniform(d, -1, 1) : 0;
    b->pose = moved(&a->pose, &by);
}

/* Places b almost aligned with a, with the same centre or next to it. */
static void almost(dice *d, int i, const any_body *a, any_body *b)
{
    const double turned = pow(10, uniform(d, -16, -2)), shifted = pow(10, uniform(d, -16, -2));
    pcm_pose     by = {{0, 0, 0}, {1, 0, 0, 0}};
    align(d, i / 4, a, b, i % 5 == 0);
    for (int k = 0; k < 3; k++) {
        by.orientation[k + 1] = i % 2 ? uniform(d, -turned, turned) : 0;
        b->pose.position[k] += i / 2 % 2 ? uniform(d, -shifted, shifted) : 0;
    }
    by.orientation[0] = sqrt(1 - dot3(by.orientation + 1, by.orientation + 1));
    b->pose = moved(&b->pose, &by);
    if (i % 5 == 0)
        sink(a, b, i % 2 ? tiny(d) : uniform(d, -1, 0.1));
}

static void arrange(dice *d, int regime, int i, any_body *a, any_body *b)
{
    const double spread = regime == APART ? 3 : regime == DEEP ? 0.3 : regime == NESTED || regime == INSIDE ? 0.02 : 1;
    a->pose = random_pose(d, spread);
    b->pose = random_pose(d, spread);
    if (regime == SHALLOW)
        sink(a, b, uniform(d, -1e-3, 1e-2));
    else if (regime == GRAZING || regime == SIZES || regime == THIN)
        sink(a, b, tiny(d));
    else if (regime == CENTRED)
        align(d, i, a, b, false);
    else if (regime == ALMOST || (regime == INSIDE && i % 2))
        almost(d, i, a, b);
    else if (regime == FLUSH) {
        align(d, i, a, b, true);
        sink(a, b, i % 3 ? tiny(d) : 0);
    }
}

/* ---- Checks of every answer -------------------------------------------------------------------------------------- */

/* The witnesses lie in the bodies, which do not extend farther along the normal. */
static void check_witnesses(dice *d, const any_body *a, const any_body *b, const pcm_separation *s, double tolerance)
{
    const double back[3] = {-s->normal[0], -s->normal[1], -s->normal[2]};
    assert_near(dot3(s->normal, s->normal), 1, 1e-14);
    double off = 0;
    for (int k = 0; k < 3; k++)
        off = fmax(off, fabs(s->on_b[k] - s->on_a[k] - s->distance * s->normal[k]));
    assert_near(off, 0, 16 * tolerance);
    n_off += !(off <= tolerance);
    assert_near(dot3(s->normal, s->on_a), reach_along(a, s->normal), tolerance);
    assert_near(dot3(back, s->on_b), reach_along(b, back), tolerance);
    for (int i = 0; i < 8; i++) {
        double n[3];
        direction(d, n);
        assert_true(dot3(n, s->on_a) <= reach_along(a, n) + tolerance);
        assert_true(dot3(n, s->on_b) <= reach_along(b, n) + tolerance);
    }
}

/* Directions everywhere, and near the normal at every scale: none gives a separation above the upper bound. */
static void check_directions(dice *d, const any_body *a, const any_body *b, const pcm_separation *s, double tolerance)
{
    assert_near(sep_along(a, b, s->normal), s->distance, tolerance);
    for (int i = 0; i < 96; i++) {
        double       n[3], length;
        const double share = i % 2 ? 1 : pow(10, -0.25 * i / 2);
        direction(d, n);
        for (int k = 0; k < 3; k++)
            n[k] = (i % 2 ? 0 : s->normal[k]) + share * n[k];
        length = sqrt(dot3(n, n));
        if (!(length > 1e-3))
            continue;
        for (int k = 0; k < 3; k++)
            n[k] /= length;
        assert_true(sep_along(a, b, n) <= s->high + tolerance);
    }
}

static void check_mirror(const any_body *a, const any_body *b, const pcm_separation *s)
{
    const pcm_separation t = separate(b, a);
    assert_near(t.distance, s->distance, 0);
    assert_near(t.low, s->low, 0);
    for (int k = 0; k < 3; k++) {
        assert_near(t.normal[k], -s->normal[k], 0);
        assert_near(t.on_a[k], s->on_b[k], 0);
    }
}

static void check_motion(dice *d, const any_body *a, const any_body *b, const pcm_separation *s, double tolerance)
{
    const pcm_pose by = random_pose(d, 1);
    any_body       c = *a, e = *b;
    c.pose = moved(&by, &a->pose);
    e.pose = moved(&by, &b->pose);
    const pcm_separation t = separate(&c, &e);
    assert_near(t.distance, s->distance, tolerance + (t.high - t.low));
}

/* The contacts: the deepest is as deep as the bodies, each has a name of its own, and the shares sum to 1. For rims,
 * whose patch is not level, the depth is that of Newton's method. */
static void check_touches(const any_body *a, const any_body *b, const pcm_separation *s, double tolerance)
{
    enum { TOUCHES = 512 };
    static pcm_touch t[TOUCHES];
    size_t           count;
    double           depth = -INFINITY, share = 0;
    if (a->endless || a->size <= 0)
        return;
    assert_int_equal(pcm_geometry_touch(a->geometry, &a->pose, b->geometry, &b->pose, 0, t, sizeof *t, TOUCHES, &count),
                     PCM_OK);
    assert_true(count > 0 ? s->distance <= tolerance : s->distance >= -tolerance);
    for (size_t k = 0; k < count; k++) {
        depth = fmax(depth, t[k].depth);
        share += t[k].share;
        assert_true(t[k].share >= 0 && isfinite(t[k].area));
        for (size_t i = 0; i < k; i++)
            assert_true(t[i].feature != t[k].feature);
    }
    if (count > 0 && t[0].gives & PCM_SHARE)
        assert_near(share, 1, 1e-9);
    if (count > 0 && a->rim <= 0 && b->rim <= 0)
        assert_near(depth, -s->distance, 16 * tolerance);
}

/* Returns the gap between the bounds, as a share of the size. */
static double check(dice *d, const any_body *a, const any_body *b)
{
    const pcm_separation s = separate(a, b);
    const double size = fmax(a->size, b->size), far = fabs(s.distance) + sqrt(dot3(a->pose.position, a->pose.position));
    const double rounding = 1e-15 * (size + far), tolerance = fmax(1e-12 * size, rounding);
    assert_true(s.low <= s.distance + tolerance && s.distance <= s.high + tolerance);
    check_witnesses(d, a, b, &s, tolerance);
    check_directions(d, a, b, &s, tolerance);
    check_mirror(a, b, &s);
    check_motion(d, a, b, &s, tolerance);
    check_touches(a, b, &s, tolerance);
    return fmax(0, s.high - s.low - 4 * rounding) / size;
}

/* ---- All pairs --------------------------------------------------------------------------------------------------- */

typedef struct tally {
    int    count, open;
    double worst;
} tally;

/* Runs pair i of a regime. */
static double run_one(const char *kinds, int regime, int i, dice *d)
{
    const double unit = regime == SIZES || regime == INSIDE ? pow(10, uniform(d, -6, 0)) : 1;
    const bool   thin = regime == THIN || (regime == ALMOST && i % 3 == 0);
    any_body     a = random_body(context, d, kinds[0], 1, thin);
    any_body     b = random_body(context, d, kinds[1], unit, thin);
    arrange(d, regime, i, &a, &b);
    const double gap = check(d, &a, &b);
    pcm_geometry_free(a.geometry);
    pcm_geometry_free(b.geometry);
    return gap;
}

static void run(const char *kinds, int regime, uint64_t seed, tally *t)
{
    dice d = {seed};
    for (int i = 0; i < cases / REGIMES + 1; i++) {
        const double gap = run_one(kinds, regime, i, &d);
        t->count++;
        t->open += gap > 1e-12;
        t->worst = fmax(t->worst, gap);
    }
}

/* Pairs whose bounds once did not meet: with rims, by up to 1e-5 of the size, bodies hardly turned from a rim's axis,
 * rims with two crossings that are almost equally good, and needles in the difference of a large and a small
 * tetrahedron. Also a corner over a small disk whose witnesses were off both bodies; thin hulls whose patch, from two
 * faces of one of them, was less deep than the bodies; and a tetrahedron that does not contain the middle of its
 * bounds. */
static void once_wrong(void **state)
{
    static const struct {
        const char *kinds;
        int         regime, i;
        uint64_t    seed;
    } pairs[] = {{"zc", INSIDE, 33027, 16426980722079200853u},  {"zc", ALMOST, 32147, 16171013681644197616u},
                 {"dc", ALMOST, 18561, 8930843548385340899u},   {"zh", ALMOST, 68667, 9421229359064536870u},
                 {"dh", ALMOST, 17553, 4680789822884940078u},   {"dh", ALMOST, 51408, 3444325611300820194u},
                 {"zz", SHALLOW, 49472, 5666578417539966365u},  {"dz", SHALLOW, 88534, 3900756008101412877u},
                 {"tt", SIZES, 6647, 16356029657135068994u},    {"tt", SIZES, 23902, 13189437469123878539u},
                 {"tt", SIZES, 43331, 15375359734197608046u},   {"tt", THIN, 10890, 9252887662052068303u},
                 {"tb", THIN, 6684, 9236342440729147315u},      {"cb", INSIDE, 395, 1707845340676408001u},
                 {"db", GRAZING, 12179, 12165735383370613654u}, {"zb", SIZES, 63907, 11599312925918208185u},
                 {"dh", THIN, 19001, 4647021276049437568u},     {"hh", ALMOST, 9651, 6795161005072646789u},
                 {"tt", SIZES, 2548, 14711910731531545918u}};
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        dice d = {pairs[k].seed};
        assert_true(run_one(pairs[k].kinds, pairs[k].regime, pairs[k].i, &d) <= 1e-12);
    }
}

/* Between polytopes the bounds always meet. Where one body's axis nearly coincides with another's, deep inside it, all
 * directions around are nearly as good, and the search may run out of cells before it can distinguish them. Plates that
 * graze a rim may have witnesses that are off each other's normal by a few times 1e-12. */
static void bounds_meet(void **state)
{
    static const char *const pairs[] = {"ps", "pc", "pb", "ph", "pz", "pd", "po", "os", "oc", "ob", "oh", "oz",
                                        "ss", "sc", "sb", "sh", "cc", "cb", "ch", "tb", "tt", "bb", "bh", "hh",
                                        "HH", "zs", "zc", "zb", "zh", "zz", "ds", "dc", "db", "dh", "dz"};
    int                      total = 0, open = 0;
    (void)state;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        const bool round = strpbrk(pairs[p], "zd") != NULL;
        tally      t = {0, 0, 0};
        if (only && strcmp(only, pairs[p]) != 0)
            continue;
        for (int regime = 0; regime < REGIMES; regime++) {
            const int before = t.open;
            run(pairs[p], regime, 88172645463325252u + p, &t);
            if (t.open > before)
                print_message("%s %s: %d open\n", pairs[p], regimes[regime], t.open - before);
        }
        print_message("| %s | %7d | %7.4f %% | %7.1e |\n", pairs[p], t.count, 100.0 * (t.count - t.open) / t.count,
                      t.worst);
        assert_true(round || t.open == 0);
        assert_true(t.worst < 1e-3);
        total += t.count;
        open += t.open;
    }
    print_message("of %d pairs, %d are open and %d have witnesses beside each other\n", total, open, n_off);
    assert_true(open <= 1e-4 * total + 1);
    assert_true(n_off <= 1e-4 * total);
}

/* A cylinder flush with a box, for which the search once never ended. */
static void comes_back(void **state)
{
    const double turn[4] = {-0.81288960207911254, 0.56478012403190758, -0.048762355296290881, 0.1336268649490937};
    any_body     box = {.size = 2, .pose = {{1.2458978780291527, 2.1719689953867798, 1.0932996704561662}, {0}}};
    any_body     cylinder = {.rim = 0.54726798676796884,
                             .half = 1.5231156776724136 / 2,
                             .size = 2,
                             .pose = {{0.39816428966636863, 2.4125668857033054, 1.0299865901180605}, {0}}};
    dice         d = {1};
    (void)state;
    memcpy(box.pose.orientation, turn, sizeof turn);
    memcpy(cylinder.pose.orientation, turn, sizeof turn);
    box.geometry = pcm_geometry_box(context, (double[]){0.68831562386307086, 1.4542910226442936, 1.9189511378529263});
    cylinder.geometry = pcm_geometry_cylinder(context, 0.54726798676796884, 1.5231156776724136);
    assert_true(check(&d, &box, &cylinder) == 0);
    pcm_geometry_free(box.geometry);
    pcm_geometry_free(cylinder.geometry);
}

/* A thin cylinder within a wide one of the same height, hardly tilted: all directions out of it are equally good. */
static void all_sides_alike(void **state)
{
    const pcm_pose upright = {{0, 0, 0}, {1, 0, 0, 0}};
    any_body       wide = {.rim = 0.5, .half = 0.5, .size = 1, .pose = upright};
    any_body       thin = {.rim = 0.05, .half = 0.5, .size = 1, .pose = upright};
    dice           d = {1};
    (void)state;
    wide.geometry = pcm_geometry_cylinder(context, 0.5, 1);
    thin.geometry = pcm_geometry_cylinder(context, 0.05, 1);
    for (int k = 5; k < 55; k++) {
        const double tilt = ldexp(1, -k);
        thin.pose.orientation[0] = sqrt(1 - tilt * tilt);
        thin.pose.orientation[1] = tilt;
        assert_true(check(&d, &wide, &thin) <= 1e-12);
    }
    pcm_geometry_free(wide.geometry);
    pcm_geometry_free(thin.geometry);
}

/* Capsules hardly tilted in cylinders. Their witnesses were once off by 1.4e-11, beside a side that ends before its
 * other end counts, and their bounds once stayed 4e-12 apart where Newton's method gives the answer. */
static void hardly_tilted(void **state)
{
    static const double sizes[3][4] = {
        {0.51623792497062748, 0.61035043456892934, 0.52502366753864227, 0.66753536401896198},
        {0.018908444794409732, 0.70840054203127912, 0.20151018959996581, 0.9172960025396728},
        {0.55571413094858357, 0.34252263688715834, 0.30724840925897362, 0.91582411755532212}};
    static const pcm_pose poses[3][2] = {
        {{{0.62192768744060523, -0.20063702545429485, -0.19544199438973564},
          {-0.25960258106677297, 0.93596263675005709, 0.1816164716534493, 0.15360956915342874}},
         {{0.62192769498140721, -0.20063701073361387, -0.19544196516861279},
          {-0.25960258110654399, 0.93596263676470093, 0.18161647158082664, 0.15360956908285164}}},
        {{{-0.79911363781819955, -0.26462726920785085, 0.52969936563453479},
          {-0.75869024317139389, -0.044596217520680749, 0.2694404626009842, -0.59144072349876853}},
         {{-0.79911363946218794, -0.26462727108474537, 0.52969936801893269},
          {-0.75869024303604737, -0.044596217489962016, 0.26944046256202436, -0.59144072369245393}}},
        {{{0.97073393476409153, -0.55197514175123108, 0.59391846872750387},
          {0.58958353071628622, 0.045267803510760748, -0.71173739578951456, -0.37917273861419554}},
         {{0.97053484646242283, -0.55258135258758478, 0.59286493036569854},
          {0.58958353072042735, 0.045267803526471445, -0.71173739578721218, -0.37917273861020256}}}};
    dice d = {1};
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double *s = sizes[i];
        any_body      a = {.rim = s[0], .half = s[1] / 2, .size = 2 * fmax(s[0], s[1]), .pose = poses[i][0]};
        any_body      b = {.radius = s[2], .half = s[3] / 2, .size = 2 * fmax(s[2], s[3]), .pose = poses[i][1]};
        a.geometry = pcm_geometry_cylinder(context, s[0], s[1]);
        b.geometry = pcm_geometry_capsule(context, s[2], s[3]);
        assert_true(check(&d, &a, &b) <= 1e-12);
        pcm_geometry_free(a.geometry);
        pcm_geometry_free(b.geometry);
    }
}

/* Thin bodies whose axes are hardly turned, a cylinder and a hull: witnesses were once up to 1e-7 off both bodies. */
static void points_on_both(void **state)
{
    static const uint64_t seeds[] = {3641319057u, 1975379633u, 1375855721u};
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        dice     d = {seeds[i]};
        any_body a = random_body(context, &d, 'z', 1, true), b = random_body(context, &d, 'h', 1, true);
        arrange(&d, ALMOST, 3, &a, &b);
        assert_true(check(&d, &a, &b) < 1e-3);
        pcm_geometry_free(a.geometry);
        pcm_geometry_free(b.geometry);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(comes_back),    cmocka_unit_test(all_sides_alike),
                                       cmocka_unit_test(hardly_tilted), cmocka_unit_test(points_on_both),
                                       cmocka_unit_test(once_wrong),    cmocka_unit_test(bounds_meet)};
    if (argc > 1 && atoi(argv[1]) > 0)
        cases = atoi(argv[1]);
    only = argc > 2 ? argv[2] : NULL;
    return cmocka_run_group_tests(tests, open_context, close_context);
}
