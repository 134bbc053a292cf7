/* SPDX-License-Identifier: MIT */
#include "picture.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"
#include "gnuplot.h"

picture_curve *picture_add(picture *p, const char *format, ...)
{
    picture_curve *curve = &p->curves[p->n_curves++];
    va_list        arguments;
    va_start(arguments, format);
    (void)vsnprintf(curve->name, sizeof curve->name, format, arguments);
    va_end(arguments);
    return curve;
}

void picture_point(picture *p, picture_curve *curve, double x, double y)
{
    if (curve->count == curve->room) {
        const size_t room = curve->room ? 2 * curve->room : 256;
        double      *points = realloc(curve->points, room * 2 * sizeof *points);
        p->failed = p->failed || !points;
        if (!points)
            return;
        curve->points = points;
        curve->room = room;
    }
    curve->points[2 * curve->count] = x;
    curve->points[2 * curve->count + 1] = y;
    curve->count++;
}

void picture_free(picture *p)
{
    for (size_t i = 0; i < p->n_curves; i++)
        free(p->curves[i].points);
    *p = (picture){0};
}

picture_kind picture_kind_of(const char *path)
{
    static const char *const ends[] = {[PICTURE_SVG] = ".svg", [PICTURE_PNG] = ".png", [PICTURE_SCRIPT] = ".gp"};
    const char              *dot = strrchr(path, '.');
    for (picture_kind kind = PICTURE_SVG; dot && kind <= PICTURE_SCRIPT; kind++)
        if (strcmp(dot, ends[kind]) == 0)
            return kind;
    return PICTURE_NONE;
}

/* ---- The script -------------------------------------------------------------------------------------------------- */

static void put_line(FILE *out, const char *what, const char *text)
{
    if (text[0] == '\0')
        return;
    (void)fprintf(out, "set %s ", what);
    gnuplot_quote(out, text);
    (void)fputc('\n', out);
}

static void put_points(FILE *out, const picture_curve *curve, size_t index)
{
    (void)fprintf(out, "$curve%zu << EOD\n", index);
    for (size_t i = 0; i < curve->count; i++) {
        const double x = curve->points[2 * i], y = curve->points[2 * i + 1];
        if (isnan(y))
            (void)fputc('\n', out);
        else
            (void)fprintf(out, "%s %s\n", pcm_number(x, 9).text, pcm_number(y, 9).text);
    }
    (void)fputs("EOD\n", out);
}

/* Sets line styles that differ in brightness, dashes and marks, so that curves are distinct in black and white. */
static void put_style(FILE *out, const picture *p, size_t index)
{
    static const char *const colors[] = {"#000000", "#c2313f", "#2f7fc1", "#3a7d44", "#9a6a00", "#888888"};
    static const int         marks[] = {7, 4, 9, 2, 12, 1};
    enum { COLORS = sizeof colors / sizeof *colors, DASHES = 5, MARKS_ON_LINE = 8 };
    const picture_curve *curve = &p->curves[index];
    const char          *color = colors[index % COLORS];
    const int            mark = marks[index % COLORS];
    if (p->has_marks)
        (void)fprintf(out, "points pt %d ps 0.7 lc rgb '%s'", mark, color);
    else
        (void)fprintf(out, "linespoints lw 2 dt %zu pt %d ps 0.7 pi %zu lc rgb '%s'", index % DASHES + 1, mark,
                      curve->count / MARKS_ON_LINE + 1, color);
}

static void put_script(FILE *out, const picture *p)
{
    put_line(out, "title", p->title);
    put_line(out, "xlabel", p->x_label);
    put_line(out, "ylabel", p->y_label);
    (void)fputs("set grid\nset key tmargin horizontal\nset tics nomirror\nset offsets graph 0, graph 0, graph "
                "0.05, graph 0.05\n",
                out);
    for (size_t i = 0; i < p->n_curves; i++)
        if (p->curves[i].count > 0)
            put_points(out, &p->curves[i], i);
    const char *before = "plot";
    for (size_t i = 0; i < p->n_curves; i++) {
        if (p->curves[i].count == 0)
            continue;
        (void)fprintf(out, "%s $curve%zu with ", before, i);
        put_style(out, p, i);
        (void)fputs(" title ", out);
        gnuplot_quote(out, p->curves[i].name);
        before = ", \\\n    ";
    }
    (void)fputc('\n', out);
}

bool picture_draw(const picture *p, picture_kind kind, const char *path)
{
    static const char *const terminals[] = {
        [PICTURE_SVG] = "svg noenhanced size 800,560 font 'sans-serif,13' background 'white'",
        [PICTURE_PNG] = "pngcairo noenhanced size 800,560 font 'sans-serif,11' background 'white'",
        [PICTURE_TERMINAL] = "dumb noenhanced 100 32"};
    gnuplot g;
    if (p->failed) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    if (!gnuplot_open(&g))
        return false;
    (void)fputs("set encoding utf8\n", g.script);
    if (terminals[kind])
        (void)fprintf(g.script, "set terminal %s\n", terminals[kind]);
    if (kind == PICTURE_SVG || kind == PICTURE_PNG)
        put_line(g.script, "output", path);
    put_script(g.script, p);
    return kind == PICTURE_SCRIPT ? gnuplot_save(&g, path) : gnuplot_draw(&g, path ? path : "the picture");
}
