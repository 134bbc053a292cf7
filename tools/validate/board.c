/* SPDX-License-Identifier: MIT */
/* board.c - prints results: for people, as Markdown and as JSON. */
#include "board.h"

#include <math.h>
#include <string.h>

#include "json.h"
#include "text_table.h"

static double scaled(const suite_test *test, const trial_result *result)
{
    return result->error / (test->uncertainty > 0 ? test->uncertainty : test->tolerance);
}

board_score board_score_of(const board_row *row)
{
    board_score score = {.mean = 0};
    double      worst = -1;
    for (size_t i = 0; row->results && i < row->suite->n_tests; i++) {
        const suite_test   *test = &row->suite->tests[i];
        const trial_result *result = &row->results[i];
        score.seconds += result->seconds;
        score.warnings += result->warnings;
        if (!result->done) {
            score.failed++;
            continue;
        }
        score.done++;
        score.within += result->error <= test->tolerance;
        score.mean += scaled(test, result);
        if (result->error / test->tolerance > worst) {
            worst = result->error / test->tolerance;
            score.worst = i;
        }
    }
    score.mean = score.done ? score.mean / (double)score.done : NAN;
    return score;
}

bool board_is_best(const board *b, const board_row *row)
{
    const board_score own = board_score_of(row);
    if (!own.done || own.failed)
        return false;
    for (size_t i = 0; i < b->n_rows; i++) {
        const board_score other = board_score_of(&b->rows[i]);
        if (b->rows[i].suite == row->suite && !other.failed && other.mean < own.mean)
            return false;
    }
    return true;
}

/* ---- For people -------------------------------------------------------------------------------------------------- */

void board_worst(const board_row *row, char *text, size_t size)
{
    const board_score score = board_score_of(row);
    const suite_test *test = &row->suite->tests[score.worst];
    if (score.done)
        (void)snprintf(text, size, "%s: %.4g for %.4g %s", test->name, row->results[score.worst].value, test->expected,
                       strcmp(test->unit, "1") == 0 ? "" : test->unit);
    else
        (void)snprintf(text, size, "none ran: %s", row->results[0].reason);
}

static void add_row(grid *g, const board *b, const board_row *row)
{
    char              within[64], mean[64], took[64], worst[300], warned[32];
    const board_score score = board_score_of(row);
    if (!row->results) {
        GRID_ADD(g, row->type, "-", "-", row->unfit, "", "");
        return;
    }
    (void)snprintf(within, sizeof within, "%zu of %zu%s", score.within, row->suite->n_tests,
                   score.failed ? " (failed)" : "");
    (void)snprintf(mean, sizeof mean, "%.3g%s", score.mean, board_is_best(b, row) ? " best" : "");
    (void)snprintf(took, sizeof took, "%.2g s", score.seconds);
    (void)snprintf(warned, sizeof warned, "%u", score.warnings);
    board_worst(row, worst, sizeof worst);
    GRID_ADD(g, row->type, within, mean, worst, took, warned);
}

static void fill(grid *g, const board *b, const suite *s)
{
    GRID_ADD(g, "type", "within tolerance", "mean error", "farthest off", "time", "warnings"); /* pages have no times */
    for (size_t i = 0; i < b->n_rows; i++)
        if (b->rows[i].suite == s)
            add_row(g, b, &b->rows[i]);
}

void board_print(const board *b)
{
    for (size_t i = 0; i < b->n_suites; i++) {
        const suite *s = &b->suites[i];
        grid         g = {.columns = 6};
        (void)printf("%s%s: %s\n  %s\n\n", i ? "\n" : "", s->name, s->title, s->source);
        fill(&g, b, s);
        grid_print(&g, 2);
    }
    (void)printf("\nMean errors are in uncertainties of the reference, or in tolerances where it has none.\n");
}

void board_print_markdown(const board *b)
{
    for (size_t i = 0; i < b->n_suites; i++) {
        const suite *s = &b->suites[i];
        grid         g = {.columns = 4};
        (void)printf("%s### %s\n\n%s. Source: %s.\n\n", i ? "\n" : "", s->name, s->title, s->source);
        fill(&g, b, s);
        grid_print_markdown(&g);
    }
}

static void print_tests(const board_row *row)
{
    grid g = {.columns = 8};
    (void)printf("%s: %s\n  %s\n\n", row->suite->name, row->type, row->suite->source);
    if (!row->results) {
        (void)printf("  not run: %s\n", row->unfit);
        return;
    }
    GRID_ADD(&g, "test", "measured", "expected", "error", "uncertainty", "within", "step", "time per s");
    for (size_t i = 0; i < row->suite->n_tests; i++) {
        const suite_test   *test = &row->suite->tests[i];
        const trial_result *r = &row->results[i];
        char                got[64], want[64], error[64], unsure[64] = "", step[64] = "", took[64];
        const char         *unit = strcmp(test->unit, "1") == 0 ? "" : test->unit;
        (void)snprintf(got, sizeof got, "%.5g", r->value);
        (void)snprintf(want, sizeof want, "%.5g %s", test->expected, unit);
        (void)snprintf(error, sizeof error, "%.2g", r->error);
        if (!isnan(test->uncertainty))
            (void)snprintf(unsure, sizeof unsure, "%.2g", test->uncertainty);
        if (!isnan(r->step))
            (void)snprintf(step, sizeof step, "%.2g s", r->step);
        (void)snprintf(took, sizeof took, "%.2g s", r->seconds / r->simulated);
        if (r->done)
            GRID_ADD(&g, test->name, got, want, error, unsure, r->error <= test->tolerance ? "yes" : "no", step, took);
        else
            GRID_ADD(&g, test->name, "failed", r->reason, "", "", "", "", "");
    }
    grid_print(&g, 2);
}

void board_print_tests(const board *b)
{
    for (size_t i = 0; i < b->n_rows; i++) {
        if (i)
            (void)printf("\n");
        print_tests(&b->rows[i]);
    }
}

/* ---- For programs ------------------------------------------------------------------------------------------------ */

static void put_test(json *j, const suite_test *test, const trial_result *r)
{
    json_begin_object(j, NULL);
    json_text(j, "test", test->name);
    json_text(j, "measure", test->measure);
    json_text(j, "unit", test->unit);
    json_number(j, "expected", test->expected);
    json_number(j, "uncertainty", test->uncertainty);
    json_number(j, "tolerance", test->tolerance);
    json_number(j, "measured", r->value);
    json_number(j, "error", r->error);
    json_bool(j, "within", r->done && r->error <= test->tolerance);
    json_text(j, "reason", r->done ? NULL : r->reason);
    json_number(j, "seconds", r->seconds);
    json_number(j, "simulated", r->simulated);
    json_number(j, "step", r->step);
    json_integer(j, "warnings", r->warnings);
    json_end_object(j);
}

void board_print_json(const board *b)
{
    json j = {.out = stdout};
    json_begin_array(&j, NULL);
    for (size_t i = 0; i < b->n_rows; i++) {
        const board_row  *row = &b->rows[i];
        const board_score score = board_score_of(row);
        json_begin_object(&j, NULL);
        json_text(&j, "suite", row->suite->name);
        json_text(&j, "source", row->suite->source);
        json_text(&j, "type", row->type);
        json_text(&j, "unfit", row->results ? NULL : row->unfit);
        json_number(&j, "mean_error", score.mean);
        json_bool(&j, "best", board_is_best(b, row));
        json_begin_array(&j, "tests");
        for (size_t k = 0; row->results && k < row->suite->n_tests; k++)
            put_test(&j, &row->suite->tests[k], &row->results[k]);
        json_end_array(&j);
        json_end_object(&j);
    }
    json_end_array(&j);
    (void)printf("\n");
}
