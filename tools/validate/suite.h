/* SPDX-License-Identifier: MIT */
/* suite.h - suites of benchmarks for contact laws: folders of text.
 *
 * suite.csv has the columns key and value: title, source, kind (impact, history or scene), laws (a .pcm file whose
 * contact types the board compares), needs (a parameter that a type must have; may be repeated), set (PARAMETER=VALUE,
 * for every part of a type that has the parameter; may be repeated), base and follower (patterns of the names that a
 * scene gives its objects).
 *
 * tests.csv has a row for each number: test, measure, expected, unit, uncertainty, tolerance, set (as in suite.csv,
 * with semicolons between several), and what the kind reads:
 *
 * - impact: radius, mass, angle, speed, spin, partner (wall or ball), partner_radius, partner_mass, partner_spin,
 * steps.
 * - history: motion (a table of t and what `pcm rig` reads), reference (a table with the rows that are compared),
 *   column (of the rig), against (of the reference), steps (of each row).
 * - scene: scene, time, step, options, column, minus, from.
 */
#ifndef PCM_TOOLS_VALIDATE_SUITE_H
#define PCM_TOOLS_VALIDATE_SUITE_H

#include "csv.h"
#include "options.h"

typedef enum suite_kind { SUITE_IMPACT, SUITE_HISTORY, SUITE_SCENE } suite_kind;

/* A sphere that hits a wall or another sphere. SI units and radians. */
typedef struct impact_case {
    double radius, mass, angle, speed, spin; /* angle from the normal; spin about the axis that rolls along the slip */
    double partner_radius, partner_mass, partner_spin; /* of the other sphere, the same spin slips the same way */
    double steps;                                      /* in the time of contact */
    bool   on_ball;
} impact_case;

typedef struct suite_test {
    const char *name, *measure, *unit;
    double      expected, uncertainty, tolerance; /* in that unit; NaN: the uncertainty is not known */
    double      to_si;                            /* expected * to_si is in SI units */
    impact_case impact;
    const char *motion, *reference, *column, *against, *minus; /* of history and scene; "" where not given */
    const char *scene, *options, *set;
    double      steps, time, step, from; /* NaN where not given */
} suite_test;

typedef struct suite {
    const char  *name, *title, *source, *laws, *base, *follower;
    const char  *folder;
    suite_kind   kind;
    option_texts needs, sets; /* PARAMETER; PARAMETER=VALUE */
    suite_test  *tests;
    size_t       n_tests;
    char       **texts; /* all that the others point to */
    size_t       n_texts;
} suite;

/* Reads the suite in that folder. False, with a report: it has an error. Free it in either case. */
bool suite_read(suite *s, const char *folder);
void suite_free(suite *s);

/* What a test measures in a run: the last value, its change per second, the largest and smallest one, the mean square
 * of its change, and the time at which it is first not above 0. */
typedef enum scene_measure {
    SCENE_END,
    SCENE_RATE,
    SCENE_MOST,
    SCENE_LEAST,
    SCENE_MEAN_SQUARE,
    SCENE_WHEN,
    SCENE_MEASURES
} scene_measure;
scene_measure suite_scene_measure(const char *name); /* SCENE_MEASURES: none has that name */

/* Where it runs: own, mujoco, or lammps if its scenes are LAMMPS's scripts, which end with .in. */
const char *suite_host(const suite *s);

/* FOLDER/FILE. */
enum { SUITE_PATH = 4096 };
const char *suite_path(const suite *s, const char *file, char path[SUITE_PATH]);

#endif
