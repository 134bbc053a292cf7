/* SPDX-License-Identifier: MIT */
/* suite.c - reads a suite's folder, and says what is wrong in it and where. */
#include "suite.h"

#include <math.h>
#include <pcm/messages.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "flight.h"
#include "units.h"

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

/* A copy that lives as long as the suite; NULL, with a report: no memory. */
static const char *keep(suite *s, const char *text, size_t length)
{
    char **texts = realloc(s->texts, (s->n_texts + 1) * sizeof *texts);
    char  *copy = malloc(length + 1);
    if (texts)
        s->texts = texts;
    if (!texts || !copy) {
        free(copy);
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    return s->texts[s->n_texts++] = copy;
}

const char *suite_path(const suite *s, const char *file, char path[SUITE_PATH])
{
    (void)snprintf(path, SUITE_PATH, "%s/%s", s->folder, file);
    return path;
}

const char *suite_host(const suite *s)
{
    const char *dot = s->n_tests ? strrchr(s->tests[0].scene, '.') : NULL;
    return s->kind != SUITE_SCENE ? "own" : dot && strcmp(dot, ".in") == 0 ? "lammps" : "mujoco";
}

static bool add_text(suite *s, option_texts *texts, const csv_cell *cell)
{
    const char **at = realloc(texts->at, (texts->count + 1) * sizeof *at);
    const char  *text = at ? keep(s, cell->text, cell->length) : NULL;
    if (at)
        texts->at = at;
    if (!text)
        return false;
    texts->at[texts->count++] = text;
    return true;
}

void suite_free(suite *s)
{
    for (size_t i = 0; i < s->n_texts; i++)
        free(s->texts[i]);
    free(s->texts);
    free(s->needs.at);
    free(s->sets.at);
    free(s->tests);
    *s = (suite){0};
}

/* ---- suite.csv --------------------------------------------------------------------------------------------------- */

static bool read_kind(suite *s, const csv_reader *r, const csv_cell *cell)
{
    static const char *const kinds[] = {"impact", "history", "scene"};
    for (int k = 0; k < 3; k++)
        if (csv_is(cell, kinds[k])) {
            s->kind = (suite_kind)k;
            return true;
        }
    csv_error(r, PCM_MSG_BAD_SUITE, 1, "no kind of suite: impact, history or scene");
    return false;
}

static bool read_key(suite *s, const csv_reader *r)
{
    const struct {
        const char  *key;
        const char **text;
    } texts[] = {{"title", &s->title},
                 {"source", &s->source},
                 {"laws", &s->laws},
                 {"base", &s->base},
                 {"follower", &s->follower}};
    const csv_cell *key = &r->cells[0], *value = &r->cells[1];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (csv_is(key, texts[i].key))
            return (*texts[i].text = keep(s, value->text, value->length)) != NULL;
    if (csv_is(key, "kind"))
        return read_kind(s, r, value);
    if (csv_is(key, "needs"))
        return add_text(s, &s->needs, value);
    if (csv_is(key, "set") && memchr(value->text, '=', value->length))
        return add_text(s, &s->sets, value);
    csv_error(r, PCM_MSG_BAD_SUITE, csv_is(key, "set") ? 1 : 0, "%s",
              csv_is(key, "set") ? "write PARAMETER=VALUE"
                                 : "no key of a suite: title, source, kind, laws, needs, set, base or follower");
    return false;
}

static bool is_given(const char *text) { return text && *text; }

static bool read_head(suite *s)
{
    char       path[SUITE_PATH];
    csv_reader r = {0};
    bool       good = csv_open(&r, suite_path(s, "suite.csv", path));
    if (good && (r.columns != 2 || csv_find(&r, "key") != 0 || csv_find(&r, "value") != 1)) {
        csv_error(&r, PCM_MSG_BAD_SUITE, 0, "a suite has the columns key and value");
        good = false;
    }
    csv_result row = CSV_END;
    while (good && (row = csv_next(&r)) == CSV_ROW)
        good = read_key(s, &r);
    csv_close(&r);
    if (!good || row == CSV_ERROR)
        return false;
    if (is_given(s->title) && is_given(s->source) && is_given(s->laws))
        return true;
    command_error(PCM_MSG_BAD_SUITE, "%s/suite.csv lacks a %s", s->folder,
                  !is_given(s->title)    ? "title"
                  : !is_given(s->source) ? "source: where its numbers come from"
                                         : "file of laws");
    return false;
}

/* ---- tests.csv --------------------------------------------------------------------------------------------------- */

static const char *text_of(suite *s, const csv_reader *r, const char *name)
{
    const size_t column = csv_find(r, name);
    return column < r->columns ? keep(s, r->cells[column].text, r->cells[column].length) : "";
}

/* NaN where the column or the cell is missing. */
static bool number_of(const csv_reader *r, const char *name, double *value)
{
    const size_t column = csv_find(r, name);
    *value = NAN;
    return column >= r->columns || r->cells[column].length == 0 || csv_number(r, column, value);
}

scene_measure suite_scene_measure(const char *name)
{
    static const char *const names[] = {"end", "rate", "most", "least", "mean_square", "when"};
    int                      i = 0;
    while (i < SCENE_MEASURES && strcmp(names[i], name) != 0)
        i++;
    return (scene_measure)i;
}

/* Columns of a run in MuJoCo, by their ends; others may have any unit. */
static const char *unit_of_column(const suite_test *t, bool *known)
{
    static const struct {
        const char *end, *unit, *rate;
    } columns[] = {{".x", "m", "m/s"},          {".y", "m", "m/s"},          {".z", "m", "m/s"},
                   {".vx", "m/s", "m/s^2"},     {".vy", "m/s", "m/s^2"},     {".vz", "m/s", "m/s^2"},
                   {".wx", "rad/s", "rad/s^2"}, {".wy", "rad/s", "rad/s^2"}, {".wz", "rad/s", "rad/s^2"},
                   {".angle", "rad", "rad/s"},  {"energy", "J", "W"},        {"depth", "m", "m/s"}};
    const scene_measure measure = suite_scene_measure(t->measure);
    const char         *dot = strrchr(t->column, '.'), *end = dot ? dot : t->column;
    *known = measure != SCENE_MEASURES;
    if (measure == SCENE_WHEN)
        return "s";
    for (size_t i = 0; i < sizeof columns / sizeof *columns && measure < SCENE_MEAN_SQUARE; i++)
        if (strcmp(columns[i].end, end) == 0)
            return measure == SCENE_RATE ? columns[i].rate : columns[i].unit;
    return NULL;
}

/* The unit in SI of what a test measures; NULL: that depends on the column of a run, or `known` is false, as no test of
 * this kind measures that. */
static const char *unit_of(const suite *s, const suite_test *t, bool *known)
{
    if (s->kind == SUITE_IMPACT) {
        const char *unit = flight_unit(t->measure);
        *known = unit != NULL;
        return unit;
    }
    if (s->kind == SUITE_HISTORY) {
        *known = strcmp(t->measure, "largest_difference") == 0;
        return strncmp(t->column, "force_", 6) == 0 ? "N" : strncmp(t->column, "moment_", 7) == 0 ? "N*m" : NULL;
    }
    return unit_of_column(t, known);
}

static bool read_unit(const suite *s, suite_test *t, const csv_reader *r)
{
    bool           known;
    const char    *in_si = unit_of(s, t, &known);
    pcm_unit       unit, wanted;
    pcm_unit_fault fault;
    if (!known) {
        csv_error(r, PCM_MSG_BAD_SUITE, csv_find(r, "measure"), "no measure of this kind of suite");
        return false;
    }
    if (!pcm_unit_read(t->unit, strlen(t->unit), &unit, &fault)) {
        csv_error(r, PCM_MSG_BAD_SUITE, csv_find(r, "unit"), "no unit");
        return false;
    }
    t->to_si = pcm_unit_to_si(&unit, 1);
    if (in_si && pcm_unit_read(in_si, strlen(in_si), &wanted, &fault) && !pcm_unit_same_dimension(&unit, &wanted)) {
        csv_error(r, PCM_MSG_BAD_SUITE, csv_find(r, "unit"), "%s is in %s",
                  *t->column && strcmp(t->measure, "when") != 0 ? t->column : t->measure, in_si);
        return false;
    }
    return true;
}

static bool read_impact(const csv_reader *r, impact_case *c)
{
    const size_t partner = csv_find(r, "partner");
    const bool   good = number_of(r, "radius", &c->radius) && number_of(r, "mass", &c->mass) &&
                      number_of(r, "angle", &c->angle) && number_of(r, "speed", &c->speed) &&
                      number_of(r, "spin", &c->spin) && number_of(r, "steps", &c->steps) &&
                      number_of(r, "partner_radius", &c->partner_radius) &&
                      number_of(r, "partner_mass", &c->partner_mass) && number_of(r, "partner_spin", &c->partner_spin);
    if (!good)
        return false;
    if (!(c->radius > 0 && c->mass > 0 && c->speed > 0) || c->partner_radius <= 0 || c->partner_mass <= 0) {
        csv_error(r, PCM_MSG_BAD_SUITE, 0, "an impact has radii, masses and a speed above 0");
        return false;
    }
    c->angle = isnan(c->angle) ? 0 : c->angle * (3.141592653589793 / 180);
    c->spin = isnan(c->spin) ? 0 : c->spin;
    c->partner_radius = isnan(c->partner_radius) ? c->radius : c->partner_radius;
    c->partner_mass = isnan(c->partner_mass) ? c->mass : c->partner_mass;
    c->partner_spin = isnan(c->partner_spin) ? c->spin : c->partner_spin;
    c->steps = isnan(c->steps) ? 4000 : c->steps;
    c->on_ball = partner < r->columns && csv_is(&r->cells[partner], "ball");
    return true;
}

static bool read_test(suite *s, const csv_reader *r)
{
    suite_test *tests = realloc(s->tests, (s->n_tests + 1) * sizeof *tests);
    if (!tests) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    s->tests = tests;
    suite_test *t = &tests[s->n_tests];
    *t = (suite_test){.name = text_of(s, r, "test"),
                      .measure = text_of(s, r, "measure"),
                      .unit = text_of(s, r, "unit"),
                      .motion = text_of(s, r, "motion"),
                      .reference = text_of(s, r, "reference"),
                      .column = text_of(s, r, "column"),
                      .against = text_of(s, r, "against"),
                      .minus = text_of(s, r, "minus"),
                      .scene = text_of(s, r, "scene"),
                      .options = text_of(s, r, "options"),
                      .set = text_of(s, r, "set")};
    if (!t->name || !t->measure || !t->unit || !t->motion || !t->reference || !t->column || !t->against || !t->minus ||
        !t->scene || !t->options || !t->set)
        return false;
    if (!number_of(r, "expected", &t->expected) || !number_of(r, "uncertainty", &t->uncertainty) ||
        !number_of(r, "tolerance", &t->tolerance) || !number_of(r, "steps", &t->steps) ||
        !number_of(r, "time", &t->time) || !number_of(r, "step", &t->step) || !number_of(r, "from", &t->from) ||
        !read_unit(s, t, r))
        return false;
    if (!(t->tolerance > 0) || isnan(t->expected)) {
        csv_error(r, PCM_MSG_BAD_SUITE, 0, "a test has an expected number, and a tolerance above 0");
        return false;
    }
    s->n_tests++;
    return s->kind != SUITE_IMPACT || read_impact(r, &t->impact);
}

static bool read_tests(suite *s)
{
    static const char *const needed[] = {"test", "measure", "expected", "unit", "tolerance"};
    char                     path[SUITE_PATH];
    csv_reader               r = {0};
    bool                     good = csv_open(&r, suite_path(s, "tests.csv", path));
    for (size_t i = 0; good && i < sizeof needed / sizeof *needed; i++)
        if (csv_find(&r, needed[i]) == r.columns) {
            csv_error(&r, PCM_MSG_BAD_SUITE, 0, "tests have a column %s", needed[i]);
            good = false;
        }
    csv_result row = CSV_END;
    while (good && (row = csv_next(&r)) == CSV_ROW)
        good = read_test(s, &r);
    csv_close(&r);
    return good && row != CSV_ERROR;
}

bool suite_read(suite *s, const char *folder)
{
    const char *slash = strrchr(folder, '/');
    *s = (suite){0};
    s->folder = keep(s, folder, strlen(folder));
    s->name = s->folder ? keep(s, slash ? slash + 1 : folder, strlen(slash ? slash + 1 : folder)) : NULL;
    return s->name && read_head(s) && read_tests(s);
}
