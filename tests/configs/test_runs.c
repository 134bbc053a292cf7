/* SPDX-License-Identifier: MIT */
/* Runs the scenes of configs/ with the command, as a user does, and checks their outcome. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csv.h"
#include "reference.h"

/* Runs pcm in the folder CONFIGS/<folder>; its output goes to the file `summary` here. Fails unless it succeeds without
 * output on standard error. */
static void run(const char *folder, const char *arguments)
{
    char command[4096];
    (void)snprintf(
        command, sizeof command,
        "here=$PWD && mkdir -p logs && cd '%s/%s' && '%s' run %s > \"$here\"/summary 2> \"$here\"/complaints && "
        "cd \"$here\" && ! grep . complaints",
        CONFIGS, folder, PROGRAM, arguments);
    if (system(command) != 0)
        fail_msg("%s", command);
}

typedef struct table {
    double *cells;
    size_t  rows, columns;
} table;

/* Reads a whole table of numbers. */
static table read_table(const char *path)
{
    csv_reader reader;
    table      t = {0};
    assert_true(csv_open(&reader, path));
    t.columns = reader.columns;
    while (csv_next(&reader) == CSV_ROW) {
        t.cells = realloc(t.cells, (t.rows + 1) * t.columns * sizeof *t.cells);
        assert_non_null(t.cells);
        for (size_t i = 0; i < t.columns; i++)
            assert_true(csv_number(&reader, i, &t.cells[t.rows * t.columns + i]));
        t.rows++;
    }
    csv_close(&reader);
    assert_true(t.rows > 0);
    return t;
}

/* The row at that time; fails the test if there is none. */
static const double *row_at(const table *t, double time)
{
    for (size_t i = 0; i < t->rows; i++)
        if (fabs(t->cells[i * t->columns] - time) < 1e-9)
            return t->cells + i * t->columns;
    fail_msg("there is no row at %g s", time);
    return NULL;
}

/* ---- The climber ------------------------------------------------------------------------------------------------- */

/* A row of the summary: its rule, then the law, contacts made, ended, broken and the largest values. */
static void rule_fired(const char *rule, bool breaks)
{
    FILE *file = fopen("summary", "r");
    assert_non_null(file);
    char line[512];
    bool found = false;
    while (fgets(line, sizeof line, file)) {
        uint64_t made, ended, broken;
        double   depth, slip, force;
        char     law[64];
        if (strncmp(line, rule, strlen(rule)) != 0)
            continue;
        const char *rest = line + strlen(rule);
        found = sscanf(rest, " %63[^0-9] %" SCNu64 " %" SCNu64 " %" SCNu64 " %lf %lf %lf", law, &made, &ended, &broken,
                       &depth, &slip, &force) == 7;
        assert_true(found && made > 0 && force > 0.5 && depth > 0);
        assert_true((broken > 0) == breaks);
    }
    (void)fclose(file);
    if (!found)
        fail_msg("the summary has no row '%s'", rule);
}

/* Every rule of the file of 2004 fires; the feet that stick to the wall let go when they are pulled by 5 N. */
static void every_rule_of_the_climber_fires(void **state)
{
    (void)state;
    run("climber", "climber.xml climber.pcm --ctrl climber.csv --time 5 --log \"$here\"/logs");
    rule_fired("SurfacePair Normal * Glass -> C0", false);
    rule_fired("SurfacePair Sticky * Glass -> C1", true);
    rule_fired("ObjectPair FrontRightFoot * Ground -> C0", false);
    rule_fired("ObjectPair FrontRightFoot * Wall -> C1", true);
    rule_fired("SurfacePair Normal * Sticky -> Tread", false);
    rule_fired("ObjectPair Ground * HindLeftFoot -> Slip", false);
}

/* ---- The sliding point mass -------------------------------------------------------------------------------------- */

static void compare_pointmass(double position, double velocity)
{
    table     t = read_table("pointmass_out.csv");
    reference wanted = reference_open("pointmass_case2.csv");
    for (size_t i = 0; i < wanted.rows; i++) {
        const double *row = row_at(&t, reference_at(&wanted, i, "t"));
        assert_true(near(row[1], reference_at(&wanted, i, "x"), position, 0));
        assert_true(near(row[2], reference_at(&wanted, i, "y"), position, 0));
        assert_true(near(row[3], reference_at(&wanted, i, "z"), position, 0));
        assert_true(near(row[4], reference_at(&wanted, i, "vx"), velocity, 0));
        assert_true(near(row[5], reference_at(&wanted, i, "vy"), velocity, 0));
    }
    reference_close(&wanted);
    free(t.cells);
}

#define POINTMASS                                                                                                      \
    "pointmass.xml pointmass.pcm --keyframe start --states pointmass.csv --time 0.25 --every 0.00025"                  \
    " --out \"$here\"/pointmass_out.csv "

/* The table is accurate to 2e-13 m; a tolerance of 1e-10 gives a thousandth of the allowed error, 1e-6 m. The time of
 * sticking is from runs at 1e-12 and 1e-11, which agree to 3e-13 s. */
static void the_point_mass_slides_to_rest(void **state)
{
    (void)state;
    if (!WITH_CVODE)
        skip();
    run("pointmass", POINTMASS "--solver cvode --rtol 1e-10 --atol 1e-12 --events \"$here\"/pointmass_events.csv");
    compare_pointmass(1e-9, 1e-8);
    csv_reader events;
    double     time;
    assert_true(csv_open(&events, "pointmass_events.csv"));
    assert_int_equal(csv_next(&events), CSV_ROW);
    assert_true(csv_number(&events, csv_find(&events, "time"), &time));
    assert_true(near(time, 0.0761944407266, 1e-8, 0));
    assert_int_equal(csv_next(&events), CSV_END); /* it sticks for good */
    csv_close(&events);
}

static void rk4_agrees_about_the_point_mass(void **state)
{
    (void)state;
    run("pointmass", POINTMASS "--solver rk4 --step 0.00025");
    compare_pointmass(1e-8, 1e-6);
}

/* ---- The rolling disc -------------------------------------------------------------------------------------------- */

/* MuJoCo's free joint: position, then the quaternion, scalar first as in the table. */
static void compare_disc(double position, double quaternion)
{
    table     t = read_table("disc_out.csv");
    reference wanted = reference_open("rollingdisc_start.csv");
    for (size_t i = 0; i < wanted.rows; i++) {
        static const char *const r[] = {"rx", "ry", "rz"}, *const q[] = {"qn0", "qn1", "qn2", "qn3"};
        const double *row = row_at(&t, reference_at(&wanted, i, "t"));
        const double  length = sqrt(row[4] * row[4] + row[5] * row[5] + row[6] * row[6] + row[7] * row[7]);
        for (int k = 0; k < 3; k++)
            assert_true(near(row[1 + k], reference_at(&wanted, i, r[k]), position, 0));
        for (int k = 0; k < 4; k++)
            assert_true(near(row[4 + k] / length, reference_at(&wanted, i, q[k]), quaternion, 0));
    }
    reference_close(&wanted);
    free(t.cells);
}

#define DISC "disc.pcm --keyframe start --time 0.6 --every 0.01 --log \"$here\"/logs --out \"$here\"/disc_out.csv "

/* A point that touches down and sticks at once has one event: within a nanosecond, only its parting may follow. */
static void touch_downs_are_single_events(size_t least)
{
    csv_reader events;
    size_t     touch_downs = 0;
    double     time, touched = -INFINITY;
    char       point[64] = "";
    assert_true(csv_open(&events, "disc_events.csv"));
    const size_t name = csv_find(&events, "event"), b = csv_find(&events, "b");
    while (csv_next(&events) == CSV_ROW) {
        assert_true(csv_number(&events, csv_find(&events, "time"), &time));
        if (csv_is(&events.cells[b], point) && !csv_is(&events.cells[name], "parted"))
            assert_true(time - touched > 1e-9);
        if (!csv_is(&events.cells[name], "touch-down"))
            continue;
        touched = time;
        (void)snprintf(point, sizeof point, "%.*s", (int)events.cells[b].length, events.cells[b].text);
        touch_downs++;
    }
    csv_close(&events);
    assert_true(touch_downs >= least);
}

#define DISC_EVENTS " --events \"$here\"/disc_events.csv"

/* The table's errors are 2e-11 m and 9e-11 in the quaternion; the run's are 1e-10 m and 1.5e-9. */
static void the_disc_rolls_on_sites(void **state)
{
    (void)state;
    if (!WITH_CVODE)
        skip();
    run("disc", "disc.xml " DISC "--solver cvode --rtol 1e-10 --atol 1e-12" DISC_EVENTS);
    compare_disc(1e-8, 1e-7);
    touch_downs_are_single_events(10);
}

static void touch_downs_into_sticking_are_single_events(void **state)
{
    (void)state;
    if (!WITH_CVODE)
        skip();
    run("disc", "disc.xml " DISC "--solver cvode --rtol 1e-6 --atol 1e-8" DISC_EVENTS);
    touch_downs_are_single_events(10);
    run("disc", "disc.xml " DISC "--solver cvode --rtol 1e-8 --atol 1e-10" DISC_EVENTS);
    touch_downs_are_single_events(10);
}

/* Spheres of 1e-12 m instead of points. */
static void the_disc_rolls_on_tiny_spheres(void **state)
{
    (void)state;
    if (!WITH_CVODE)
        skip();
    run("disc", "disc_spheres.xml " DISC "--solver cvode --rtol 1e-9 --atol 1e-11");
    compare_disc(1e-7, 1e-6);
}

/* A fixed step meets each touch-down somewhere within the step: the error is the step's, not RK4's. */
static void rk4_approaches_the_disc(void **state)
{
    (void)state;
    run("disc", "disc.xml " DISC "--solver rk4 --step 0.00005");
    compare_disc(3e-5, 3e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_of_the_climber_fires),
        cmocka_unit_test(rk4_agrees_about_the_point_mass),
        cmocka_unit_test(rk4_approaches_the_disc),
        cmocka_unit_test(the_point_mass_slides_to_rest),
        cmocka_unit_test(the_disc_rolls_on_sites),
        cmocka_unit_test(the_disc_rolls_on_tiny_spheres),
        cmocka_unit_test(touch_downs_into_sticking_are_single_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
