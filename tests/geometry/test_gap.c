/* SPDX-License-Identifier: MIT */
/* The shape of the gap around contacts: curvatures of pairs of all kinds against second differences of their surfaces,
 * which are found by bisection of the distance of points; and lines and flats, lying and tipped. */
#include "cases.h"
#include "context.h"
#include "fixture.h"
#include "reference.h"
#include <math.h>

enum { TOUCHES = 64, LINES = 81 };

static const double pi = 3.141592653589793;

/* ---- Second differences ------------------------------------------------------------------------------------------ */

typedef struct placed {
    const pcm_geometry *geometry;
    pcm_pose            pose;
} placed;

static double distance_of(const placed *b, const double p[3])
{
    const pcm_pose at = {{p[0], p[1], p[2]}, {1, 0, 0, 0}};
    pcm_geometry  *point = pcm_geometry_point(context);
    pcm_separation s = {.size = sizeof s};
    assert_int_equal(pcm_geometry_separate(b->geometry, &b->pose, point, &at, &s), PCM_OK);
    pcm_geometry_free(point);
    return s.distance;
}

/* How far along n from p the body's surface is, where n points out of the body. */
static double height_of(const placed *b, const double p[3], const double n[3])
{
    double low = -0.05, high = 0.05;
    for (int k = 0; k < 80; k++) {
        const double middle = 0.5 * (low + high);
        const double at[3] = {p[0] + middle * n[0], p[1] + middle * n[1], p[2] + middle * n[2]};
        *(distance_of(b, at) < 0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* The gap over the tangent point p + u e + v f. */
static double gap_at(const placed *a, const placed *b, const pcm_touch *t, const double e[3])
{
    double p[3], back[3];
    for (int k = 0; k < 3; k++) {
        p[k] = t->point[k] + e[k];
        back[k] = -t->normal[k];
    }
    return -height_of(a, p, t->normal) - height_of(b, p, back);
}

static void assert_near_of(double is, double wanted, double of) { assert_near((is - wanted) / of, 0, 1e-6); }

/* The second derivative of the gap along a unit vector, by differences at two distances, which cancels their first
 * error. */
static double bend_along(const placed *a, const placed *b, const pcm_touch *t, const double d[3], double step)
{
    double bend[2];
    for (int level = 0; level < 2; level++) {
        const double h = step * (1 + level);
        const double on[3] = {h * d[0], h * d[1], h * d[2]}, back[3] = {-on[0], -on[1], -on[2]}, none[3] = {0};
        bend[level] = (gap_at(a, b, t, on) + gap_at(a, b, t, back) - 2 * gap_at(a, b, t, none)) / (h * h);
    }
    return (4 * bend[0] - bend[1]) / 3;
}

static pcm_pose turned(double x, double y, double z, double angle, double ax, double ay, double az)
{
    const double s = sin(angle / 2);
    return (pcm_pose){{x, y, z}, {cos(angle / 2), s * ax, s * ay, s * az}};
}

/* Moves b along z until it is `gap` above a. */
static void settle(const placed *a, placed *b, double gap)
{
    for (int k = 0; k < 60; k++) {
        pcm_separation s = {.size = sizeof s};
        assert_int_equal(pcm_geometry_separate(a->geometry, &a->pose, b->geometry, &b->pose, &s), PCM_OK);
        b->pose.position[2] -= (s.distance - gap) * (s.normal[2] > 0.1 ? 1 / s.normal[2] : 1);
    }
}

static size_t find(const placed *a, const placed *b, pcm_touch *touches, pcm_contact_shape *shapes)
{
    size_t count;
    assert_int_equal(pcm_geometry_touch(a->geometry, &a->pose, b->geometry, &b->pose, 1e-3, touches, sizeof *touches,
                                        TOUCHES, &count),
                     PCM_OK);
    assert_int_equal(pcm_geometry_shape(a->geometry, &a->pose, b->geometry, &b->pose, touches, sizeof *touches, count,
                                        shapes, sizeof *shapes),
                     PCM_OK);
    return count;
}

/* Checks the shape of the deepest contact. A line has its curvature across, and none along. */
static void check_bends(const char *name, placed a, placed b, double size)
{
    pcm_touch         touches[TOUCHES];
    pcm_contact_shape shapes[TOUCHES];
    print_message("%s\n", name);
    settle(&a, &b, 1e-5 * size);
    assert_true(find(&a, &b, touches, shapes) > 0);
    const pcm_contact_shape *s = &shapes[0];
    const double            *n = touches[0].normal, *u = s->direction;
    const double             v[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]};
    const double             w[3] = {sqrt(0.5) * (u[0] + v[0]), sqrt(0.5) * (u[1] + v[1]), sqrt(0.5) * (u[2] + v[2])};
    const bool               line = pcm_contact_shape_kind(s) == PCM_CONTACT_LINE;
    const double             first = line ? 0 : s->curvature[0], second = line ? s->line_curvature : s->curvature[1];
    const double             step = 2e-3 * size;
    assert_near(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], 1, 1e-14);
    assert_near(n[0] * u[0] + n[1] * u[1] + n[2] * u[2], 0, 1e-14);
    pcm_touch here = touches[0];
    if (line) /* its contacts are its ends */
        for (int k = 0; k < 3; k++)
            here.point[k] = 0.6 * touches[0].point[k] + 0.4 * touches[1].point[k];
    assert_near_of(bend_along(&a, &b, &here, u, step), first, second);
    assert_near_of(bend_along(&a, &b, &here, v, step), second, second);
    assert_near_of(bend_along(&a, &b, &here, w, step), 0.5 * (first + second), second);
}

static pcm_geometry *make_field(bool smooth, double (*z)(double, double))
{
    static double lines[LINES], heights[LINES * LINES];
    for (size_t i = 0; i < LINES; i++)
        lines[i] = 0.05 * ((double)i - LINES / 2);
    for (size_t i = 0; i < LINES; i++)
        for (size_t j = 0; j < LINES; j++)
            heights[i * LINES + j] = z(lines[i], lines[j]);
    return (smooth ? pcm_geometry_smooth_grid : pcm_geometry_grid)(context, lines, LINES, lines, LINES, heights);
}

static double level(double x, double y) { return 0 * x * y; }
static double waves(double x, double y) { return 0.05 * sin(2 * pi * x) + 0.02 * cos(2 * pi * y + 0.4); }

static void pairs_are_as_curved_as_their_surfaces(void **state)
{
    (void)state;
    pcm_geometry *ball = pcm_geometry_sphere(context, 0.2), *small = pcm_geometry_sphere(context, 0.07);
    pcm_geometry *plane = pcm_geometry_plane(context), *box = pcm_geometry_box(context, (double[]){1, 0.8, 0.4});
    pcm_geometry *rod = pcm_geometry_capsule(context, 0.1, 0.6), *thin = pcm_geometry_capsule(context, 0.06, 0.5);
    pcm_geometry *drum = pcm_geometry_cylinder(context, 0.15, 0.7), *thick = pcm_geometry_cylinder(context, 0.25, 0.9);
    pcm_geometry *field = make_field(false, level);
    pcm_geometry *ground = make_field(true, waves);
    pcm_geometry *hull = pcm_geometry_hull(
        context,
        (double[]){-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 0, 0, -2}, 9);
    const pcm_pose level_at = {{0, 0, 0}, {1, 0, 0, 0}}, above = {{0, 0, 1}, {1, 0, 0, 0}};
    const pcm_pose lying = turned(0, 0, 0, pi / 2, 1, 0, 0), lying_above = turned(0, 0, 1, pi / 2, 1, 0, 0);
    const pcm_pose leaning = turned(0, 0, 1, 0.7, 1, 0, 0), across = turned(0.03, -0.02, 1, pi / 2, 0, 1, 0);
    const pcm_pose slanted = turned(0.02, 0.01, 1, pi / 2, cos(0.65), sin(0.65), 0);
    const struct {
        const char *name;
        placed      a, b;
    } pairs[] = {
        {"ball on ball", {ball, level_at}, {small, {{0.1, 0.05, 1}, {1, 0, 0, 0}}}},
        {"ball on plane", {plane, level_at}, {ball, above}},
        {"ball on a box's face", {box, level_at}, {ball, above}},
        {"ball on a hull's face", {hull, level_at}, {ball, above}},
        {"ball on a grid", {field, level_at}, {ball, {{0.013, 0.007, 1}, {1, 0, 0, 0}}}},
        {"ball on a capsule's side", {rod, lying}, {ball, {{0.03, 0.1, 1}, {1, 0, 0, 0}}}},
        {"ball on a capsule's end", {rod, level_at}, {ball, {{0.03, 0.02, 1}, {1, 0, 0, 0}}}},
        {"ball on a cylinder's side", {drum, lying}, {small, {{-0.04, 0.2, 1}, {1, 0, 0, 0}}}},
        {"ball on a cylinder's cap", {drum, level_at}, {small, above}},
        {"capsule's end on a plane", {plane, level_at}, {rod, leaning}},
        {"capsule's end on a box", {box, level_at}, {rod, leaning}},
        {"capsule's end on a cylinder's cap", {thick, level_at}, {thin, leaning}},
        {"capsule's end on a capsule's side", {rod, lying}, {thin, {{0.02, 0.1, 1}, {1, 0, 0, 0}}}},
        {"capsules that cross", {rod, lying}, {thin, across}},
        {"capsules that cross aslant", {rod, lying}, {thin, slanted}},
        {"capsule across a cylinder", {drum, lying}, {thin, across}},
        {"cylinders that cross", {thick, lying}, {drum, across}},
        {"cylinders that cross aslant", {thick, lying}, {drum, slanted}},
        {"capsule along a plane", {plane, level_at}, {rod, lying_above}},
        {"cylinder along a plane", {plane, level_at}, {drum, lying_above}},
        {"cylinder along a box", {box, level_at}, {drum, lying_above}},
        {"capsule along a capsule", {rod, lying}, {thin, lying_above}},
        {"capsule along a cylinder", {thick, lying}, {rod, lying_above}},
        {"ball on smooth ground", {ground, level_at}, {small, {{0.137, -0.211, 1}, {1, 0, 0, 0}}}},
        {"ball on a smooth hill", {ground, level_at}, {ball, {{0.26, 0.3, 1}, {1, 0, 0, 0}}}},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        check_bends(pairs[i].name, pairs[i].a, pairs[i].b, 0.1);
    pcm_geometry *all[] = {ball, small, plane, box, rod, thin, drum, thick, field, ground, hull};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pcm_geometry_free(all[i]);
}

/* ---- Lines and flats --------------------------------------------------------------------------------------------- */

/* Sums over the contacts of a pair whose bodies overlap by `depth`: parts, and the stiffness of the lines and flats, as
 * the radius of the circle that is as stiff. */
typedef struct sums {
    double point, patch, stiff, load; /* load: over E* and depth, with a ball's law for points of curvature k */
    pcm_contact_shape first;
    size_t            count;
} sums;

static sums sum_up(placed a, placed b, double depth)
{
    pcm_touch         touches[TOUCHES];
    pcm_contact_shape shapes[TOUCHES];
    sums              s = {0};
    settle(&a, &b, -depth);
    s.count = find(&a, &b, touches, shapes);
    for (size_t i = 0; i < s.count; i++) {
        const pcm_contact_shape *of = &shapes[i];
        if (!(touches[i].depth > 0))
            continue;
        const double d = touches[i].depth, flat = 2 * sqrt(of->flat_area / pi), line = pi / 4 * of->line_length;
        const double ball = of->point_part > 0 ? 4.0 / 3 * sqrt(d / of->curvature[1]) : 0;
        s.point += of->point_part;
        s.patch += of->patch_part;
        s.stiff += of->patch_part * (of->line_length > 0 ? line : flat) / 2;
        s.load += (of->point_part * ball + of->patch_part * (of->line_length > 0 ? line : flat)) * d / depth;
    }
    s.first = shapes[0];
    return s;
}

static void what_lies_has_the_line_or_flat_once(void **state)
{
    (void)state;
    pcm_geometry *plane = pcm_geometry_plane(context), *rod = pcm_geometry_capsule(context, 0.02, 0.3);
    pcm_geometry *drum = pcm_geometry_cylinder(context, 0.02, 1),
                 *box = pcm_geometry_box(context, (double[]){0.2, 0.1, 0.1});
    pcm_geometry *table = pcm_geometry_box(context, (double[]){2, 2, 0.5}),
                 *beam = pcm_geometry_box(context, (double[]){0.05, 1, 0.1});
    const pcm_pose flat = {{0, 0, 0}, {1, 0, 0, 0}}, above = {{0, 0, 1}, {1, 0, 0, 0}};
    const pcm_pose lying = turned(0, 0, 1, pi / 2, 0, 1, 0);
    const struct {
        const pcm_geometry *a, *b;
        pcm_pose            pose;
        double              length, curvature, area, aspect;
    } cases[] = {
        {plane, rod, lying, 0.3, 50, 0, 1},       {table, rod, lying, 0.3, 50, 0, 1},
        {beam, rod, lying, 0.05, 50, 0, 1},       {plane, drum, lying, 1, 50, 0, 1},
        {table, drum, lying, 1, 50, 0, 1},        {plane, drum, above, 0, 0, pi * 4e-4, 1},
        {table, drum, above, 0, 0, pi * 4e-4, 1}, {plane, box, above, 0, 0, 0.02, 2},
        {table, box, above, 0, 0, 0.02, 2},       {beam, box, above, 0, 0, 0.005, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sums s = sum_up((placed){cases[i].a, flat}, (placed){cases[i].b, cases[i].pose}, 1e-5);
        print_message("case %zu\n", i);
        assert_true(s.count >= 2);
        assert_near(s.patch, 1, 1e-9);
        assert_near(s.point, 0, 1e-9);
        assert_near(s.first.line_length, cases[i].length, 1e-9);
        assert_near(s.first.line_curvature, cases[i].curvature, 1e-9);
        assert_near(s.first.flat_area, cases[i].area, 1e-9);
        assert_near(s.first.flat_aspect, cases[i].aspect, 1e-6);
    }
    pcm_geometry *all[] = {plane, rod, drum, box, table, beam};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pcm_geometry_free(all[i]);
}

/* A body that tips at a constant depth: the load of a law with constant stiffness changes by at most 5 % from one angle
 * to the next, which is nearer to lying or standing by a hundredth. */
static void check_tipping(const pcm_geometry *ground, const pcm_geometry *solid, double from, double to, double depth)
{
    const pcm_pose flat = {{0, 0, 0}, {1, 0, 0, 0}};
    double         before = NAN;
    for (double tilt = 1e-8; tilt < pi / 2 - 1e-8; tilt += 0.01 * fmin(tilt, pi / 2 - tilt)) {
        const double angle = from < to ? from + tilt : from - tilt;
        const sums   s = sum_up((placed){ground, flat}, (placed){solid, turned(0, 0, 1, angle, 0, 1, 0)}, depth);
        if (!(fabs(s.load - before) <= 0.05 * before) && !isnan(before))
            fail_msg("from %g, at a tilt of %g the load leaps from %g to %g (%zu, %g %g %g %g %g)", from, tilt, before,
                     s.load, s.count, s.first.point_part, s.first.patch_part, s.first.line_length, s.first.flat_area,
                     s.first.curvature[1]);
        before = s.load;
    }
}

static void nothing_leaps_as_a_body_tips(void **state)
{
    (void)state;
    pcm_geometry *plane = pcm_geometry_plane(context), *table = pcm_geometry_box(context, (double[]){2, 2, 0.5});
    pcm_geometry *rod = pcm_geometry_capsule(context, 0.02, 0.3), *drum = pcm_geometry_cylinder(context, 0.02, 0.1);
    pcm_geometry *box = pcm_geometry_box(context, (double[]){0.2, 0.1, 0.1});
    const struct {
        const pcm_geometry *ground, *solid;
        bool                rises;
    } ways[] = {{plane, box, true},   {table, drum, false}, {table, rod, false}, {plane, drum, true},
                {plane, drum, false}, {table, drum, true},  {plane, rod, false}, {table, box, true}};
    for (size_t i = 0; i < cases(sizeof ways / sizeof *ways); i++)
        check_tipping(ways[i].ground, ways[i].solid, ways[i].rises ? 0 : pi / 2, ways[i].rises ? pi / 2 : 0, 3e-5);
    pcm_geometry *all[] = {plane, table, rod, drum, box};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pcm_geometry_free(all[i]);
}

/* ---- Hertz's law in a space -------------------------------------------------------------------------------------- */

static const char hertz[] =
    "ContactType Soft = Hertz { ReducedModulus = 1 [MPa]; };\nObjectPair Ground * Solid -> Soft;\n";

/* The load of a solid at a height over a plane, turned about y, by Hertz's law with E* = 1 MPa. */
typedef struct stand {
    fixture             f;
    pcm_space          *space;
    pcm_geometry       *plane;
    const pcm_geometry *solid;
    pcm_object          body;
} stand;

static void stand_open(stand *s, const pcm_geometry *solid)
{
    fixture_open(&s->f, hertz, NULL);
    s->space = pcm_space_new(s->f.context, s->f.world);
    s->plane = pcm_geometry_plane(s->f.context);
    s->solid = solid;
    (void)pcm_space_add(s->space, &PCM_OBJECT(.name = "Ground", .fixed = true), s->plane, NULL);
    s->body = pcm_space_add(s->space, &PCM_OBJECT(.name = "Solid", .mass = 1), solid, NULL);
}

static void stand_close(stand *s)
{
    assert_int_equal(s->f.messages, 0);
    pcm_space_free(s->space);
    pcm_geometry_free(s->plane);
    fixture_close(&s->f);
}

static double load_at(stand *s, double depth, double angle)
{
    placed          ground = {s->plane, {{0, 0, 0}, {1, 0, 0, 0}}}, body = {s->solid, turned(0, 0, 1, angle, 0, 1, 0)};
    const pcm_twist rest = {{0}, {0}};
    pcm_wrench      w;
    settle(&ground, &body, -depth);
    assert_int_equal(pcm_space_move(s->space, s->body, &body.pose, &rest), PCM_OK);
    assert_int_equal(pcm_space_touch(s->space), PCM_OK);
    assert_int_equal(pcm_world_update(s->f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_world_wrench(s->f.world, s->body, &w), PCM_OK);
    return w.force[2];
}

/* How deep the solid is under the weight of 1 kg. */
static double sinks(const pcm_geometry *solid, double angle)
{
    stand  s;
    double low = 0, high = 0.01;
    stand_open(&s, solid);
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        *(load_at(&s, middle, angle) < 9.81 ? &low : &high) = middle;
    }
    stand_close(&s);
    return 0.5 * (low + high);
}

/* Johnson, Contact Mechanics, eq. 5.57. */
static double line_sinks(double length)
{
    const double per = 9.81 / length, b = sqrt(4 * per * 0.02 / (pi * 1e6));
    return per / (pi * 1e6) * (2 * log(4 * 0.02 / b) - 1);
}

/* Cylinders of 2 cm and of 1 m sink as lines do, 818 and 29 um, and as a flat punch on their ends, 245 um. */
static void cylinders_sink_as_lines_and_punches_do(void **state)
{
    (void)state;
    pcm_geometry *thin = pcm_geometry_cylinder(context, 0.02, 0.02), *wide = pcm_geometry_cylinder(context, 0.02, 1);
    assert_near(sinks(thin, pi / 2) / line_sinks(0.02), 1, 1e-6);
    assert_near(sinks(wide, pi / 2) / line_sinks(1), 1, 1e-6);
    assert_near(sinks(thin, 0), 9.81 / (2 * 1e6 * 0.02), 1e-12);
    assert_near(sinks(wide, 0), 9.81 / (2 * 1e6 * 0.02), 1e-12);
    pcm_geometry_free(thin);
    pcm_geometry_free(wide);
}

/* From one angle to the next, nearer to lying or standing by a hundredth, the load at one depth changes by at most 5 %.
 */
static void hertz_does_not_leap_as_a_capsule_tips(void **state)
{
    (void)state;
    pcm_geometry *rod = pcm_geometry_capsule(context, 0.02, 0.3);
    stand         s;
    stand_open(&s, rod);
    double before = load_at(&s, 3e-5, pi / 2), standing = 4.0 / 3 * 1e6 * sqrt(0.02 * 3e-5) * 3e-5;
    assert_true(before > 50 * standing);
    for (double tilt = 1e-8; tilt < pi / 2 - 1e-8; tilt += 0.01 * fmin(tilt, pi / 2 - tilt)) {
        const double load = load_at(&s, 3e-5, pi / 2 - tilt);
        if (!(fabs(load - before) <= 0.05 * before))
            fail_msg("at a tilt of %g the load leaps from %g to %g", tilt, before, load);
        before = load;
    }
    assert_near(before / standing, 1, 1e-9);
    stand_close(&s);
    pcm_geometry_free(rod);
}

/* ---- Smooth ground ----------------------------------------------------------------------------------------------- */

/* A ball at a constant depth under the true surface, a sine with heights every 5 cm. */
static void smooth_ground_is_as_deep_as_the_true_surface(void **state)
{
    (void)state;
    pcm_geometry  *ball = pcm_geometry_sphere(context, 0.1), *ground = make_field(true, waves);
    const pcm_pose flat = {{0, 0, 0}, {1, 0, 0, 0}};
    for (double x = -0.6; x < 0.6; x += 0.0131) {
        const double slope = 0.1 * pi * cos(2 * pi * x), y = -0.03, down = -0.04 * pi * sin(2 * pi * y + 0.4);
        const double root = sqrt(1 + slope * slope + down * down), off = 0.1 - 1e-3;
        placed    b = {ball, {{x - off * slope / root, y - off * down / root, waves(x, y) + off / root}, {1, 0, 0, 0}}};
        placed    a = {ground, flat};
        pcm_touch touches[TOUCHES];
        pcm_contact_shape shapes[TOUCHES];
        assert_int_equal(find(&a, &b, touches, shapes), 1);
        assert_near(touches[0].depth, 1e-3, 5e-6);
        assert_near(touches[0].normal[0], -slope / root, 1e-3);
        assert_true(shapes[0].curvature[0] > 0 && shapes[0].point_part == 1);
    }
    pcm_geometry_free(ball);
    pcm_geometry_free(ground);
}

/* In a space the contact type decides for each pair: one ball feels the true surface, the other one the cells. */
static void smooth_in_a_type_smoothes_its_grids(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "ContactType Fine = KelvinVoigt { Stiffness = 2e4; Damping = 0; Smooth = true; };\n"
                 "ContactType Coarse = KelvinVoigt { Stiffness = 2e4; Damping = 0; };\n"
                 "ObjectPair Ground * Fine -> Fine;\nObjectPair Ground * Coarse -> Coarse;\n",
                 NULL);
    pcm_space               *space = pcm_space_new(f.context, f.world);
    pcm_geometry            *ball = pcm_geometry_sphere(context, 0.1), *ground = make_field(false, waves);
    pcm_object               balls[2];
    static const char *const names[2] = {"Fine", "Coarse"};
    double                   least[2] = {INFINITY, INFINITY}, most[2] = {0, 0};
    (void)pcm_space_add(space, &PCM_OBJECT(.name = "Ground", .fixed = true), ground, NULL);
    for (int k = 0; k < 2; k++)
        balls[k] = pcm_space_add(space, &PCM_OBJECT(.name = names[k], .mass = 1), ball, NULL);
    for (double x = -0.6; x < 0.6; x += 0.0131) {
        const double   slope = 0.1 * pi * cos(2 * pi * x), y = -0.03, down = -0.04 * pi * sin(2 * pi * y + 0.4);
        const double   root = sqrt(1 + slope * slope + down * down), off = 0.1 - 1e-3;
        const pcm_pose pose = {{x - off * slope / root, y - off * down / root, waves(x, y) + off / root}, {1, 0, 0, 0}};
        const pcm_twist rest = {{0}, {0}};
        for (int k = 0; k < 2; k++)
            assert_int_equal(pcm_space_move(space, balls[k], &pose, &rest), PCM_OK);
        assert_int_equal(pcm_space_touch(space), PCM_OK);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        for (int k = 0; k < 2; k++) {
            const pcm_wrench w = wrench_of(f.world, balls[k]);
            const double     load = sqrt(w.force[0] * w.force[0] + w.force[1] * w.force[1] + w.force[2] * w.force[2]);
            least[k] = fmin(least[k], load);
            most[k] = fmax(most[k], load);
        }
    }
    assert_true(least[0] > 19.6 && most[0] < 20.4);
    assert_true(most[1] - least[1] > 10);
    pcm_space_free(space);
    pcm_geometry_free(ball);
    pcm_geometry_free(ground);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_as_curved_as_their_surfaces),
        cmocka_unit_test(what_lies_has_the_line_or_flat_once),
        cmocka_unit_test(nothing_leaps_as_a_body_tips),
        cmocka_unit_test(cylinders_sink_as_lines_and_punches_do),
        cmocka_unit_test(hertz_does_not_leap_as_a_capsule_tips),
        cmocka_unit_test(smooth_ground_is_as_deep_as_the_true_surface),
        cmocka_unit_test(smooth_in_a_type_smoothes_its_grids),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
