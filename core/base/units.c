/* SPDX-License-Identifier: MIT */
#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct symbol {
    const char *text;
    int         length, mass, time, tens; /* whole exponents, as everyone writes them */
    double      factor;
    bool        prefixed; /* takes k, m, u ... */
} symbol;

static const symbol symbols[] = {
    {"m", 1, 0, 0, 0, 1, true},
    {"g", 0, 1, 0, -3, 1, true},
    {"s", 0, 0, 1, 0, 1, true},
    {"N", 1, 1, -2, 0, 1, true},
    {"Pa", -1, 1, -2, 0, 1, true},
    {"bar", -1, 1, -2, 5, 1, true},
    {"J", 2, 1, -2, 0, 1, true},
    {"W", 2, 1, -3, 0, 1, true},
    {"Hz", 0, 0, -1, 0, 1, true},
    {"rad", 0, 0, 0, 0, 1, true},
    {"t", 0, 1, 0, 3, 1, false},
    {"min", 0, 0, 1, 0, 60, false},
    {"h", 0, 0, 1, 2, 36, false},
    {"deg", 0, 0, 0, 0, 3.14159265358979323846 / 180, false},
    {"rpm", 0, 0, -1, 0, 3.14159265358979323846 / 30, false},
};

static const struct {
    const char *text;
    int         tens;
} prefixes[] = {{"p", -12}, {"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"m", -3}, {"c", -2},
                {"d", -1},  {"h", 2},  {"k", 3},  {"M", 6},         {"G", 9},         {"T", 12}};

typedef struct reader {
    const char    *text;
    size_t         length, at;
    pcm_unit_error error;
    size_t         bad_at, bad;
} reader;

static bool fail(reader *from, pcm_unit_error error, size_t at, size_t length)
{
    if (from->error == PCM_UNIT_OK) {
        from->error = error;
        from->bad_at = at;
        from->bad = length;
    }
    return false;
}

static void skip_spaces(reader *from)
{
    while (from->at < from->length && (from->text[from->at] == ' ' || from->text[from->at] == '\t'))
        from->at++;
}

static bool take(reader *from, const char *text)
{
    size_t length = strlen(text);
    skip_spaces(from);
    if (from->length - from->at < length || memcmp(from->text + from->at, text, length) != 0)
        return false;
    from->at += length;
    return true;
}

static const symbol *find_symbol(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (strlen(symbols[i].text) == length && memcmp(symbols[i].text, text, length) == 0)
            return &symbols[i];
    return NULL;
}

/* A symbol, or a prefix and a symbol; whole symbols come first: "min" is a minute, "cd" nothing. */
static const symbol *find_unit(const char *text, size_t length, int *tens)
{
    const symbol *found = find_symbol(text, length);
    *tens = 0;
    for (size_t i = 0; found == NULL && i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t prefix = strlen(prefixes[i].text);
        if (prefix >= length || memcmp(prefixes[i].text, text, prefix) != 0)
            continue;
        const symbol *rest = find_symbol(text + prefix, length - prefix);
        if (rest != NULL && rest->prefixed) {
            found = rest;
            *tens = prefixes[i].tens;
        }
    }
    return found;
}

static double power_of_halves(double base, int halves)
{
    double result = halves % 2 == 0 ? 1 : sqrt(base);
    for (int i = 0; i < (halves < 0 ? -halves : halves) / 2; i++)
        result *= base;
    return halves < 0 ? 1 / result : result;
}

/* Multiplies unit by other^(halves/2). */
static void multiply(pcm_unit *unit, const pcm_unit *other, int halves)
{
    unit->length += other->length * halves / 2;
    unit->mass += other->mass * halves / 2;
    unit->time += other->time * halves / 2;
    unit->tens += other->tens * halves / 2;
    unit->factor *= power_of_halves(other->factor, halves);
}

/* Halves can be taken of anything but of a half. */
static bool is_possible(const pcm_unit *unit, int halves)
{
    enum { MOST = 60 };
    const int parts[] = {unit->length, unit->mass, unit->time, unit->tens};
    for (int i = 0; i < 4; i++)
        if (parts[i] * halves % 2 != 0 || parts[i] * halves / 2 > MOST || parts[i] * halves / 2 < -MOST)
            return false;
    return true;
}

/* ^ and a whole number or one with .5, in halves; 2 where there is no ^. */
static bool read_exponent(reader *from, int *halves)
{
    *halves = 2;
    if (!take(from, "^"))
        return true;
    skip_spaces(from);
    size_t start = from->at;
    bool   negative = take(from, "-");
    int    number = 0, digits = 0;
    for (; from->at < from->length && from->text[from->at] >= '0' && from->text[from->at] <= '9'; from->at++, digits++)
        number = number < 100 ? number * 10 + (from->text[from->at] - '0') : number;
    number *= 2;
    if (digits > 0 && from->at < from->length && from->text[from->at] == '.') {
        bool half = take(from, ".5");
        if (!half && !take(from, ".0"))
            return fail(from, PCM_UNIT_EXPONENT, start, from->length - start);
        number += half;
    }
    if (digits == 0 || number == 0 || number > 24)
        return fail(from, PCM_UNIT_EXPONENT, start, from->at > start ? from->at - start : 1);
    *halves = negative ? -number : number;
    return true;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80; }

static bool read_product(reader *from, pcm_unit *unit, int depth);

static bool read_factor(reader *from, pcm_unit *unit, int depth)
{
    enum { DEEPEST = 8 };
    *unit = (pcm_unit){.factor = 1};
    if (take(from, "1"))
        return true;
    if (take(from, "(")) {
        if (depth == DEEPEST || !read_product(from, unit, depth + 1))
            return fail(from, PCM_UNIT_SYNTAX, from->at, 1);
        return take(from, ")") || fail(from, PCM_UNIT_SYNTAX, from->at, 1);
    }
    skip_spaces(from);
    size_t start = from->at;
    while (from->at < from->length && is_letter(from->text[from->at]) &&
           strncmp(from->text + from->at, "\xc2\xb7", 2) != 0)
        from->at++;
    if (from->at == start)
        return fail(from, PCM_UNIT_SYNTAX, start, 1);
    int           tens;
    const symbol *found = find_unit(from->text + start, from->at - start, &tens);
    if (found == NULL)
        return fail(from, PCM_UNIT_UNKNOWN, start, from->at - start);
    *unit = (pcm_unit){2 * found->length, 2 * found->mass, 2 * found->time, 2 * (found->tens + tens), found->factor};
    return true;
}

/* Factors with * (or a middle dot) and / between; a / is for the next factor alone. */
static bool read_product(reader *from, pcm_unit *unit, int depth)
{
    *unit = (pcm_unit){.factor = 1};
    for (int sign = 1;;) {
        pcm_unit factor;
        int      halves;
        skip_spaces(from);
        size_t start = from->at;
        if (!read_factor(from, &factor, depth) || !read_exponent(from, &halves))
            return false;
        if (!is_possible(&factor, halves))
            return fail(from, PCM_UNIT_EXPONENT, start, from->at - start);
        multiply(unit, &factor, sign * halves);
        if (take(from, "*") || take(from, "\xc2\xb7"))
            sign = 1;
        else if (take(from, "/"))
            sign = -1;
        else
            return true;
    }
}

pcm_unit_error pcm_unit_read(const char *text, size_t length, pcm_unit *unit, size_t *at, size_t *bad)
{
    reader from = {.text = text, .length = length};
    if (read_product(&from, unit, 0)) {
        skip_spaces(&from);
        if (from.at < length)
            fail(&from, PCM_UNIT_SYNTAX, from.at, length - from.at);
        else if (!is_possible(unit, 2))
            fail(&from, PCM_UNIT_EXPONENT, 0, length);
    }
    *at = from.bad_at < length ? from.bad_at : length;
    *bad = from.bad < length - *at ? from.bad : length - *at;
    return from.error;
}

bool pcm_unit_same_dimension(const pcm_unit *a, const pcm_unit *b)
{
    return a->length == b->length && a->mass == b->mass && a->time == b->time;
}

double pcm_unit_to_si(const pcm_unit *unit, double number)
{
    /* Powers of ten up to 10^22 are exact doubles: one multiplication or division rounds once. */
    number = unit->tens < 0 ? number / power_of_halves(10, -unit->tens) : number * power_of_halves(10, unit->tens);
    return number * unit->factor;
}

void pcm_unit_dimension(const pcm_unit *unit, char text[PCM_DIMENSION_SIZE])
{
    const struct {
        const char *name;
        int         halves;
    } parts[] = {{"kg", unit->mass}, {"m", unit->length}, {"s", unit->time}};
    size_t used = 0;
    for (int below = 0; below <= 1; below++) /* first what multiplies, then what divides */
        for (int i = 0; i < 3; i++) {
            int halves = below ? -parts[i].halves : parts[i].halves;
            if (halves <= 0)
                continue;
            used += (size_t)snprintf(text + used, PCM_DIMENSION_SIZE - used, "%s%s",
                                     below ? (used == 0 ? "1/" : "/") : (used == 0 ? "" : "*"), parts[i].name);
            if (halves != 2)
                used += (size_t)snprintf(text + used, PCM_DIMENSION_SIZE - used, "^%d%s", halves / 2,
                                         halves % 2 == 0 ? "" : ".5");
        }
    if (used == 0)
        memcpy(text, "1", 2);
}
