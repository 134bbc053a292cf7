/* SPDX-License-Identifier: MIT */
/* usage: mutate LAW.c NUMBER
 *        mutate FILE.c NUMBER questions
 *
 * Prints the law with one small mistake in one line of its functions, of the kind that people make: a wrong operator,
 * sign, component, bound or number, or a missing statement. Prints the change to standard error. The number chooses the
 * mistake; consecutive numbers choose mistakes far apart. With `questions` it changes code that decides: comparisons,
 * negations, return values, ends of loops. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLIPS = 8192 };

typedef struct slip {
    size_t at, length;
    char   text[32];
} slip;

typedef struct law {
    char  *text;
    size_t length;
    slip   slips[SLIPS];
    size_t n_slips;
    bool   asks; /* mistakes for `questions` */
} law;

typedef struct swap {
    const char *from, *to;
} swap;

static const swap swaps[] = {
    {" + ", " - "},
    {" - ", " + "},
    {" * ", " / "},
    {" / ", " * "},
    {" < ", " > "},
    {" > ", " < "},
    {" <= ", " < "},
    {" >= ", " > "},
    {" && ", " || "},
    {" || ", " && "},
    {"= -", "= "},
    {" > 0 ? ", " < 0 ? "},
    {"pcm_max(", "pcm_min("},
    {"pcm_min(", "pcm_max("},
    {"pcm_ramp(", "("},
    {"_x[", "_y["},
    {"_y[", "_x["},
    {"[i] * ", "[i] + "},
    {"state[", "next["},
    {" = ", " = -"},
    {" = ", " = 2 * "},
    {"depth_rate[", "depth["},
    {"(1 - ", "(1 + "},
    {" ? 1 : 0", " ? 0 : 1"},
    {"-law", "law"},
};

static const swap questions[] = {
    {" == ", " != "},
    {" != ", " == "},
    {" < ", " <= "},
    {" > ", " >= "},
    {" < ", " >= "},
    {" > ", " <= "},
    {" && ", " || "},
    {" || ", " && "},
    {"(!", "("},
    {" !", " "},
    {"return true", "return false"},
    {"return false", "return true"},
    {"return 0;", "return 1;"},
    {"continue;", "break;"},
    {" + 1", ""},
    {" - 1", ""},
    {"++", "--"},
    {" += ", " = "},
};

static void add(law *l, size_t at, size_t length, const char *text)
{
    if (l->n_slips == SLIPS)
        return;
    slip *s = &l->slips[l->n_slips++];
    *s = (slip){.at = at, .length = length};
    (void)snprintf(s->text, sizeof s->text, "%s", text);
}

/* Numbers that are a whole token: 0 becomes 1, others are doubled. */
static void add_number(law *l, size_t at)
{
    const char *text = l->text;
    char       *end = NULL;
    if (!isdigit((unsigned char)text[at]) || isalnum((unsigned char)text[at - 1]) || strchr("_.[", text[at - 1]))
        return;
    const double value = strtod(text + at, &end);
    char         other[32];
    (void)snprintf(other, sizeof other, "%.17g", value == 0 ? 1 : 2 * value);
    if (!isalpha((unsigned char)*end) && *end != ']')
        add(l, at, (size_t)(end - text) - at, other);
}

/* Omits a line that writes a column. */
static void add_forgotten(law *l, size_t at)
{
    const char  *line = l->text + at + 1;
    const size_t blanks = strspn(line, " "), length = strcspn(line, "\n");
    const char  *written = strstr(line, "[i] = ");
    if (l->text[at] == '\n' && length > 0 && line[length - 1] == ';' && written && written < line + length)
        add(l, at + 1 + blanks, length - blanks, "(void)0;");
}

static void add_swaps(law *l, size_t at, const swap *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(l->text + at, list[i].from, strlen(list[i].from)) == 0)
            add(l, at, strlen(list[i].from), list[i].to);
}

static void add_slips(law *l, size_t at)
{
    if (l->asks) {
        add_swaps(l, at, questions, sizeof questions / sizeof *questions);
        return;
    }
    add_swaps(l, at, swaps, sizeof swaps / sizeof *swaps);
    add_number(l, at);
    add_forgotten(l, at);
}

/* The length of a comment, string or preprocessor line that begins here; 0: none begins. */
static size_t passive(const char *text, size_t at)
{
    const char *from = text + at, *end = NULL;
    if (strncmp(from, "/*", 2) == 0)
        end = strstr(from + 2, "*/");
    else if (*from == '"')
        end = strchr(from + 1, '"');
    else if (*from == '#')
        end = strchr(from, '\n');
    return end ? (size_t)(end - from) + 1 : 0;
}

/* A function is a pair of braces at the outermost level without an = before it. */
static void find_slips(law *l)
{
    int  depth = 0;
    bool is_function = false, has_call = false, is_table = false;
    for (size_t at = 1; at < l->length; at++) {
        const char   c = l->text[at];
        const size_t skip = passive(l->text, at);
        if (skip) {
            at += skip - 1;
            continue;
        }
        if (depth == 0 && c == '{')
            is_function = has_call && !is_table;
        depth += (c == '{') - (c == '}');
        if (depth == 0) {
            has_call = (has_call || c == '(') && c != ';' && c != '}';
            is_table = (is_table || c == '=') && c != ';' && c != '}';
        } else if (is_function) {
            add_slips(l, at);
        }
    }
}

static bool read_law(law *l, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    enum { MOST = 1 << 20 };
    l->text = malloc(MOST);
    if (l->text)
        l->length = fread(l->text, 1, MOST - 1, file);
    (void)fclose(file);
    if (l->text)
        l->text[l->length] = '\0';
    return l->text && l->length > 0;
}

static void print(const law *l, const slip *s)
{
    size_t line = 1, start = s->at;
    for (size_t i = 0; i < s->at; i++)
        line += l->text[i] == '\n';
    while (start > 0 && l->text[start - 1] != '\n')
        start--;
    (void)fprintf(stderr, "line %zu: '%.*s' becomes '%s' in:%.*s\n", line, (int)s->length, l->text + s->at, s->text,
                  (int)strcspn(l->text + start, "\n"), l->text + start);
    (void)fwrite(l->text, 1, s->at, stdout);
    (void)fputs(s->text, stdout);
    (void)fputs(l->text + s->at + s->length, stdout);
}

int main(int argc, char **argv)
{
    static law l;
    l.asks = argc == 4 && strcmp(argv[3], "questions") == 0;
    if (argc != (l.asks ? 4 : 3) || !read_law(&l, argv[1])) {
        (void)fprintf(stderr, "usage: mutate FILE.c NUMBER [questions]\n");
        return 2;
    }
    find_slips(&l);
    const uint64_t number = (strtoull(argv[2], NULL, 10) + 1) * 0x9e3779b97f4a7c15u;
    if (l.n_slips > 0)
        print(&l, &l.slips[(number >> 33) % l.n_slips]);
    free(l.text);
    return l.n_slips > 0 ? 0 : 1;
}
