/* SPDX-License-Identifier: MIT */
/* page.c - the board as a page of one file: a sortable table per suite, and measured against expected. */
#include <math.h>
#include <pcm/messages.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "command.h"

enum { WIDTH = 560, HEIGHT = 240, LEFT = 60, BOTTOM = 30, COLOURS = 8 };

static const char *const colours[COLOURS] = {"#1b6ca8", "#c8553d", "#3d7a3d", "#8a5aa8",
                                             "#b08900", "#3a8f8f", "#a83a6c", "#666666"};

static void put_part(FILE *out, const char *text, size_t length)
{
    for (; length-- > 0; text++) {
        const char *name = *text == '<'   ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '&' ? "&amp;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        if (name)
            (void)fputs(name, out);
        else
            (void)fputc(*text, out);
    }
}

static void put_text(FILE *out, const char *text) { put_part(out, text, strlen(text)); }

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/* The tests of a measure in one unit. Those that are called `NAME at NUMBER` are a curve of their own over the numbers;
 * all others are single points in the order of the suite. */
typedef struct picture {
    const board      *board;
    const suite      *suite;
    const suite_test *like;  /* the first of them */
    size_t            count; /* of its tests */
    double            low, high, first, last;
} picture;

/* The length of NAME, or of the whole name of a test that is a single point; *at: its number, or NaN. */
static size_t curve_name(const suite_test *t, double *at)
{
    const char *number = NULL;
    for (const char *next = t->name; (next = strstr(next, " at ")); next++)
        number = next + 4;
    char *end = NULL;
    *at = number ? strtod(number, &end) : NAN;
    if (number && end != number && isfinite(*at))
        return (size_t)(number - t->name);
    *at = NAN;
    return strlen(t->name);
}

static double abscissa(const suite_test *t)
{
    double at;
    (void)curve_name(t, &at);
    return at;
}

static bool is_curve(const picture *p) { return !isnan(abscissa(p->like)); }

static bool are_alike(const suite_test *a, const suite_test *b)
{
    double       at_a, at_b;
    const size_t length_a = curve_name(a, &at_a), length_b = curve_name(b, &at_b);
    const bool   points = isnan(at_a) && isnan(at_b);
    const bool   curve = !isnan(at_a) && !isnan(at_b) && length_a == length_b && !strncmp(a->name, b->name, length_a);
    return (points || curve) && strcmp(a->measure, b->measure) == 0 && strcmp(a->unit, b->unit) == 0;
}

static bool is_in(const picture *p, size_t test) { return are_alike(&p->suite->tests[test], p->like); }

static void widen(picture *p, double value)
{
    if (isfinite(value)) {
        p->low = fmin(p->low, value);
        p->high = fmax(p->high, value);
    }
}

static picture picture_of(const board *b, const suite *s, const suite_test *like)
{
    picture p = {
        .board = b, .suite = s, .like = like, .low = INFINITY, .high = -INFINITY, .first = INFINITY, .last = -INFINITY};
    for (size_t i = 0; i < s->n_tests; i++) {
        if (!is_in(&p, i))
            continue;
        p.count++;
        p.first = fmin(p.first, abscissa(&s->tests[i]));
        p.last = fmax(p.last, abscissa(&s->tests[i]));
        widen(&p, s->tests[i].expected);
        for (size_t k = 0; k < b->n_rows; k++)
            if (b->rows[k].suite == s && b->rows[k].results)
                widen(&p, b->rows[k].results[i].value);
    }
    if (!(p.high > p.low)) {
        p.low -= 0.5;
        p.high += 0.5;
    }
    return p;
}

/* Of the test that is the k-th of the picture. */
static double at_x(const picture *p, const suite_test *test, size_t k)
{
    const double part = is_curve(p) ? (abscissa(test) - p->first) / fmax(p->last - p->first, 1e-300)
                                    : ((double)k + 0.5) / (double)p->count;
    return LEFT + 10 + (WIDTH - LEFT - 30) * part;
}
static double at_y(const picture *p, double value)
{
    return 10 + (HEIGHT - BOTTOM - 10) * (p->high - value) / (p->high - p->low);
}

/* What a type has: a line, or a point for each test. */
static void put_measured(FILE *out, const picture *p, const board_row *row, size_t colour)
{
    const char *paint = colours[colour % COLOURS];
    const bool  joined = is_curve(p);
    size_t      k = 0;
    (void)fprintf(out, joined ? "<polyline fill='none' stroke='%s' stroke-width='1.5' points='" : "<g fill='%s'>",
                  paint);
    for (size_t i = 0; i < p->suite->n_tests; i++)
        if (is_in(p, i)) {
            if (isfinite(row->results[i].value))
                (void)fprintf(out, joined ? "%.1f,%.1f " : "<rect x='%.1f' y='%.1f' width='5' height='5'/>",
                              at_x(p, &p->suite->tests[i], k) - (joined ? 0 : 2.5),
                              at_y(p, row->results[i].value) - (joined ? 0 : 2.5));
            k++;
        }
    (void)fputs(joined ? "'><title>" : "<title>", out);
    put_text(out, row->type);
    (void)fputs(joined ? "</title></polyline>\n" : "</title></g>\n", out);
}

static void put_expected(FILE *out, const picture *p)
{
    size_t k = 0;
    for (size_t i = 0; i < p->suite->n_tests; i++)
        if (is_in(p, i)) {
            const suite_test *t = &p->suite->tests[i];
            const double      unsure = t->uncertainty > 0 ? t->uncertainty : 0, x = at_x(p, t, k++);
            (void)fprintf(out, "<line x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f' stroke='currentColor'/>", x, x,
                          at_y(p, t->expected - unsure), at_y(p, t->expected + unsure));
            (void)fprintf(out, "<circle cx='%.1f' cy='%.1f' r='4' fill='none' stroke='currentColor'><title>", x,
                          at_y(p, t->expected));
            put_text(out, t->name);
            (void)fprintf(out, ": %.5g</title></circle>\n", t->expected);
        }
}

/* A frame with its scale, and a line in the middle. */
static void put_frame(FILE *out, const picture *p)
{
    (void)fprintf(out, "<rect x='%d' y='10' width='%d' height='%d' fill='none' stroke='#8886'/>", LEFT,
                  WIDTH - LEFT - 10, HEIGHT - BOTTOM - 10);
    for (int i = 0; i <= 2; i++) {
        const double value = p->low + 0.5 * i * (p->high - p->low), y = at_y(p, value);
        (void)fprintf(out,
                      "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='#8886'/><text x='%d' y='%.1f' "
                      "text-anchor='end'>%.3g</text>\n",
                      LEFT, WIDTH - 10, y, y, LEFT - 6, y + 4, value);
    }
}

static void put_picture(FILE *out, const board *b, const suite *s, const suite_test *like)
{
    const picture p = picture_of(b, s, like);
    size_t        colour = 0;
    if (p.count < 3)
        return;
    const bool   plain = strcmp(like->unit, "1") == 0;
    double       at;
    const size_t shown = curve_name(like, &at);
    (void)fputs("<figure><figcaption>", out);
    if (is_curve(&p)) {
        put_part(out, like->name, shown - strlen(" at "));
        (void)fputs(": ", out);
    }
    (void)fprintf(out, "%s%s%s</figcaption><svg viewBox='0 0 %d %d' role='img'>\n", like->measure, plain ? "" : ", ",
                  plain ? "" : like->unit, WIDTH, HEIGHT);
    put_frame(out, &p);
    for (size_t k = 0; k < b->n_rows; k++)
        if (b->rows[k].suite == s) {
            if (b->rows[k].results)
                put_measured(out, &p, &b->rows[k], colour);
            colour++;
        }
    put_expected(out, &p);
    (void)fprintf(out, "<text x='%d' y='%d'>%s %.4g to %.4g; circles: the reference</text></svg></figure>\n", LEFT,
                  HEIGHT - 8, is_curve(&p) ? "at" : "test", is_curve(&p) ? p.first : 1,
                  is_curve(&p) ? p.last : (double)p.count);
}

static bool is_first(const suite *s, size_t test)
{
    for (size_t i = 0; i < test; i++)
        if (are_alike(&s->tests[i], &s->tests[test]))
            return false;
    return true;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static void put_row(FILE *out, const board *b, const board_row *row, size_t colour)
{
    char              worst[300];
    const board_score score = board_score_of(row);
    (void)fprintf(out, "<tr%s><td><i style='background:%s'></i>", board_is_best(b, row) ? " class=best" : "",
                  colours[colour % COLOURS]);
    put_text(out, row->type);
    if (row->results) {
        board_worst(row, worst, sizeof worst);
        (void)fprintf(out, "</td><td>%zu</td><td>%zu</td><td>%.3g</td><td>%.2g</td><td>%u</td><td>", score.within,
                      row->suite->n_tests, score.mean, score.seconds, score.warnings);
    } else
        (void)fputs("</td><td colspan=6>", out);
    put_text(out, row->results ? worst : row->unfit);
    (void)fputs("</td></tr>\n", out);
}

static void put_suite(FILE *out, const board *b, const suite *s)
{
    size_t colour = 0;
    (void)fputs("<section><h2>", out);
    put_text(out, s->title);
    (void)fputs("</h2><p>", out);
    put_text(out, s->source);
    (void)fputs("</p><table><thead><tr><th>type<th>within tolerance<th>tests<th>mean "
                "error<th>seconds<th>warnings<th>farthest off</tr></thead><tbody>\n",
                out);
    for (size_t i = 0; i < b->n_rows; i++)
        if (b->rows[i].suite == s)
            put_row(out, b, &b->rows[i], colour++);
    (void)fputs("</tbody></table>\n", out);
    for (size_t i = 0; i < s->n_tests; i++)
        if (is_first(s, i))
            put_picture(out, b, s, &s->tests[i]);
    (void)fputs("</section>\n", out);
}

static const char head[] =
    "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
    "<title>Contact laws in benchmarks</title><style>"
    ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:1180px;margin:auto;padding:1em}"
    "table{border-collapse:collapse}th,td{padding:.2em .8em;text-align:right;border-bottom:1px solid #8886}"
    "th:first-child,td:first-child,th:last-child,td:last-child{text-align:left}th{cursor:pointer}.best{font-weight:"
    "bold}"
    "i{display:inline-block;width:.8em;height:.8em;margin-right:.5em}"
    "figure{display:inline-block;margin:1em 1em 0 0;width:min(560px,100%)}svg{width:100%}svg "
    "text{font-size:11px;fill:currentColor}"
    "section{overflow-x:auto}</style><h1>Contact laws in benchmarks</h1>"
    "<p>Mean errors are in uncertainties of the reference, or in tolerances where it has none. Bold: the best of each "
    "suite. Circles are the reference, lines and squares the laws. A click on a heading sorts.</p>\n";

static const char tail[] =
    "<script>document.querySelectorAll('th').forEach(th=>th.onclick=()=>{const "
    "body=th.closest('table').tBodies[0],k=th.cellIndex,"
    "of=r=>(r.cells[k]||r.cells[0]).textContent,up=th.up=!th.up;[...body.rows].sort((a,b)=>{const "
    "x=of(a),y=of(b),d=x-y;"
    "return (isNaN(d)?x.localeCompare(y):d)*(up?1:-1)}).forEach(r=>body.append(r))})</script></html>\n";

bool board_write_page(const board *b, const char *path)
{
    FILE *out = fopen(path, "w");
    if (out) {
        (void)fputs(head, out);
        for (size_t i = 0; i < b->n_suites; i++)
            put_suite(out, b, &b->suites[i]);
        (void)fputs(tail, out);
    }
    const bool failed = out && ferror(out);
    if (out && fclose(out) == 0 && !failed)
        return true;
    command_error(PCM_MSG_BAD_SUITE, "cannot write %s", path);
    return false;
}
