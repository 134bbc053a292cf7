/* SPDX-License-Identifier: MIT */
#include "units.h"
#include <pcm/pcm.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct symbol {
    const char *text;
    int         length, mass, time, temperature, current, tens; /* whole exponents, the usual notation */
    double      factor;
    bool        prefixed; /* takes k, m, u ... */
} symbol;

static const symbol symbols[] = {
    {"m", 1, 0, 0, 0, 0, 0, 1, true},
    {"g", 0, 1, 0, 0, 0, -3, 1, true},
    {"s", 0, 0, 1, 0, 0, 0, 1, true},
    {"N", 1, 1, -2, 0, 0, 0, 1, true},
    {"Pa", -1, 1, -2, 0, 0, 0, 1, true},
    {"bar", -1, 1, -2, 0, 0, 5, 1, true},
    {"J", 2, 1, -2, 0, 0, 0, 1, true},
    {"W", 2, 1, -3, 0, 0, 0, 1, true},
    {"Hz", 0, 0, -1, 0, 0, 0, 1, true},
    {"rad", 0, 0, 0, 0, 0, 0, 1, true},
    {"t", 0, 1, 0, 0, 0, 3, 1, false},
    {"min", 0, 0, 1, 0, 0, 0, 60, false},
    {"h", 0, 0, 1, 0, 0, 2, 36, false},
    {"deg", 0, 0, 0, 0, 0, 0, 3.14159265358979323846 / 180, false},
    {"rpm", 0, 0, -1, 0, 0, 0, 3.14159265358979323846 / 30, false},
    {"K", 0, 0, 0, 1, 0, 0, 1, true},
    {"A", 0, 0, 0, 0, 1, 0, 1, true},
    {"C", 0, 0, 1, 0, 1, 0, 1, true},
    {"V", 2, 1, -3, 0, -1, 0, 1, true},
};

static const struct {
    const char *text;
    int         tens;
} prefixes[] = {{"p", -12}, {"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"m", -3}, {"c", -2},
                {"d", -1},  {"h", 2},  {"k", 3},  {"M", 6},         {"G", 9},         {"T", 12}};

typedef struct reader {
    const char    *text;
    size_t         length, at;
    pcm_unit_fault fault;
} reader;

static bool fail(reader *from, pcm_unit_error error, size_t at, size_t length)
{
    if (from->fault.error == PCM_UNIT_OK)
        from->fault = (pcm_unit_fault){.error = error, .at = at, .bad = length};
    return false;
}

static void skip_spaces(reader *from)
{
    while (from->at < from->length && (from->text[from->at] == ' ' || from->text[from->at] == '\t'))
        from->at++;
}

/* Whether the text goes on so; it may end without a zero. */
static bool goes_on(const reader *from, size_t at, const char *text)
{
    const size_t length = strlen(text);
    return from->length - at >= length && memcmp(from->text + at, text, length) == 0;
}

static bool take(reader *from, const char *text)
{
    skip_spaces(from);
    if (!goes_on(from, from->at, text))
        return false;
    from->at += strlen(text);
    return true;
}

static const symbol *find_symbol(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (strlen(symbols[i].text) == length && memcmp(symbols[i].text, text, length) == 0)
            return &symbols[i];
    return NULL;
}

static const symbol *degree(void) { return find_symbol("deg", 3); }

/* A symbol, or a prefix and a symbol. Whole symbols come first: "min" is a minute. */
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

/* ---- Suggestions ------------------------------------------------------------------------------------------------ */

/* Names that people write in place of a symbol, in lower case. */
static const struct {
    const char *name, *meant;
} spelled[] = {{"newton", "N"},   {"meter", "m"},  {"metre", "m"},    {"gram", "g"},     {"sec", "s"},
               {"second", "s"},   {"joule", "J"},  {"watt", "W"},     {"hertz", "Hz"},   {"pascal", "Pa"},
               {"radian", "rad"}, {"hour", "h"},   {"minute", "min"}, {"degree", "deg"}, {"\xc2\xb0", "deg"},
               {"tonne", "t"},    {"kelvin", "K"}, {"ampere", "A"},   {"amp", "A"},      {"volt", "V"},
               {"coulomb", "C"}};

/* Names that people write in place of a prefix. */
static const struct {
    const char *name, *meant;
} spelled_prefixes[] = {{"kilo", "k"}, {"milli", "m"}, {"micro", "u"}, {"mega", "M"},
                        {"giga", "G"}, {"centi", "c"}, {"nano", "n"}};

/* Units outside SI, and some of SI by others. */
static const struct {
    const char *name, *in_si;
} elsewhere[] = {{"lbf", "4.4482216152605 N"},
                 {"lb", "0.45359237 kg"},
                 {"lbs", "0.45359237 kg, 1 lbf = 4.4482216152605 N"},
                 {"oz", "28.349523125 g, 1 ozf = 0.27801385095378 N"},
                 {"in", "25.4 mm"},
                 {"inch", "25.4 mm"},
                 {"mil", "25.4 um"},
                 {"ft", "0.3048 m"},
                 {"yd", "0.9144 m"},
                 {"mph", "0.44704 m/s"},
                 {"kph", "1 km/h"},
                 {"kmh", "1 km/h"},
                 {"psi", "6894.757293168 Pa"},
                 {"ksi", "6.894757293168 MPa"},
                 {"kgf", "9.80665 N"},
                 {"gf", "9.80665 mN"},
                 {"kp", "9.80665 N"},
                 {"dyn", "1e-5 N"},
                 {"dyne", "1e-5 N"},
                 {"erg", "1e-7 J"},
                 {"atm", "101325 Pa"},
                 {"torr", "133.322368421 Pa"},
                 {"mmHg", "133.322387415 Pa"},
                 {"slug", "14.593903 kg"},
                 {"micron", "1 um"},
                 {"cal", "4.184 J"},
                 {"rev", "6.28318530717959 rad"},
                 {"l", "1e-3 m^3"},
                 {"L", "1e-3 m^3"},
                 {"ohm", "1 V/A"},
                 {"Ohm", "1 V/A"},
                 {"\xce\xa9", "1 V/A"},
                 {"\xe2\x84\xa6", "1 V/A"},
                 {"F", "1 A*s/V"},
                 {"H", "1 V*s/A"},
                 {"S", "1 A/V"},
                 {"Gal", "1 cm/s^2"}};

/* Texts in brackets that are no unit. */
static const char in_kelvin[] = "a temperature is in kelvin: add 273.15 to degrees Celsius and write [K]";
static const char hardness[] = "a hardness is no modulus: write the modulus, in [MPa]";
static const char no_unit[] = "a number without a unit has no brackets";

static const struct {
    const char *name, *advice;
} no_units[] = {{"degC", in_kelvin},
                {"degF", "a temperature is in kelvin: add 459.67 to degrees Fahrenheit, divide by 1.8 and write [K]"},
                {"\xc2\xb0"
                 "C",
                 in_kelvin},
                {"\xc2\xba"
                 "C",
                 in_kelvin},
                {"\xe2\x84\x83", in_kelvin},
                {"celsius", in_kelvin},
                {"Celsius", in_kelvin},
                {"ShA", hardness},
                {"ShD", hardness},
                {"Shore", hardness},
                {"ShoreA", hardness},
                {"IRHD", hardness},
                {"HRC", hardness},
                {"none", no_unit},
                {"dimensionless", no_unit}};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool same_letters(const char *text, size_t length, const char *word)
{
    size_t i = 0;
    while (i < length && word[i] != '\0' && lower(text[i]) == lower(word[i]))
        i++;
    return i == length && word[i] == '\0';
}

static const char *spelled_symbol(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++)
        if (same_letters(text, length, spelled[i].name) ||
            (length > 1 && lower(text[length - 1]) == 's' && same_letters(text, length - 1, spelled[i].name)))
            return spelled[i].meant;
    return NULL;
}

/* The prefix of that index, as its text is written, and as it is meant; false: there is none. */
static bool prefix_at(size_t index, const char **text, const char **meant)
{
    const size_t usual = sizeof prefixes / sizeof *prefixes,
                 count = usual + sizeof spelled_prefixes / sizeof *spelled_prefixes;
    if (index > count)
        return false;
    *text = index == 0 ? "" : index <= usual ? prefixes[index - 1].text : spelled_prefixes[index - 1 - usual].name;
    *meant = index <= usual ? *text : spelled_prefixes[index - 1 - usual].meant;
    return true;
}

/* "KN" for kN, "kNewton": a prefix, possibly empty, and a symbol in other letters. If several fit, none is certain. */
static size_t suggest_letters(const char *text, size_t length, pcm_unit_fault *fault)
{
    const char *prefix, *meant;
    size_t      count = 0, used = 0;
    for (size_t i = 0; prefix_at(i, &prefix, &meant); i++) {
        const size_t before = strlen(prefix);
        if (before >= length || !same_letters(text, before, prefix))
            continue;
        const char *rest = spelled_symbol(text + before, length - before);
        for (size_t j = 0; j < sizeof symbols / sizeof *symbols; j++) {
            const char *known = symbols[j].text;
            const bool  fits =
                same_letters(text + before, length - before, known) || (rest != NULL && strcmp(rest, known) == 0);
            if (!fits || (i > 0 && !symbols[j].prefixed))
                continue;
            if (++count == 1)
                snprintf(fault->instead, sizeof fault->instead, "%s%s", meant, known);
            if (used < sizeof fault->maybe)
                used += (size_t)snprintf(fault->maybe + used, sizeof fault->maybe - used, "%s'%s%s'",
                                         count > 1 ? " or " : "", meant, known);
        }
    }
    if (count < 2)
        fault->maybe[0] = '\0';
    return count;
}

/* "Ns" for N*s, "Nsm" for N*s*m: two or three units without a sign between them. A leading K means k, not kelvin. The
 * number of ways; instead: the first. */
static size_t suggest_product(const char *text, size_t length, int units, char instead[24])
{
    size_t count = 0;
    int    tens;
    for (size_t i = 1; i < length && length < 16; i++) {
        char rest[24];
        if ((i == 1 && *text == 'K') || find_unit(text, i, &tens) == NULL)
            continue;
        const bool   last = find_unit(text + i, length - i, &tens) != NULL;
        const size_t ways = last ? 1 : units > 2 ? suggest_product(text + i, length - i, units - 1, rest) : 0;
        if (ways > 0 && count == 0)
            snprintf(instead, 24, "%.*s*%.*s", (int)i, text, last ? (int)(length - i) : 20, last ? text + i : rest);
        count += ways;
    }
    return count;
}

/* Suggests a unit for an unknown name. */
static bool suggest_unit(reader *from, size_t start, size_t length)
{
    const char *text = from->text + start;
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strlen(elsewhere[i].name) == length && memcmp(elsewhere[i].name, text, length) == 0)
            from->fault.in_si = elsewhere[i].in_si;
    for (size_t i = 0; i < sizeof no_units / sizeof *no_units; i++)
        if (strlen(no_units[i].name) == length && memcmp(no_units[i].name, text, length) == 0)
            from->fault.advice = no_units[i].advice;
    size_t found = from->fault.in_si != NULL || from->fault.advice != NULL
                       ? 2
                       : suggest_product(text, length, 3, from->fault.instead);
    if (found == 0)
        found = suggest_letters(text, length, &from->fault);
    if (found != 1)
        from->fault.instead[0] = '\0';
    return false;
}

/* Signs of typography in units, and what .pcm files have instead of each. */
static const struct {
    const char *text, *instead;
} unit_signs[] = {{"\xe2\x8b\x85", "*"}, {"\xe2\x80\xa2", "*"}, {"\xc3\x97", "*"},     {"\xe2\x88\x99", "*"},
                  {"\xe2\x88\x95", "/"}, {"\xe2\x81\x84", "/"}, {"\xe2\x88\x92", "-"}, {"\xe2\x81\xbb", "-"},
                  {"\xe2\x81\xb0", "0"}, {"\xc2\xb9", "1"},     {"\xc2\xb2", "2"},     {"\xc2\xb3", "3"},
                  {"\xe2\x81\xb4", "4"}, {"\xe2\x81\xb5", "5"}, {"\xe2\x81\xb6", "6"}};

/* What the sign at that text stands for; NULL: it is none. */
static const char *unit_sign(const char *text, size_t length, size_t *bytes)
{
    for (size_t i = 0; i < sizeof unit_signs / sizeof *unit_signs; i++) {
        *bytes = strlen(unit_signs[i].text);
        if (*bytes <= length && memcmp(text, unit_signs[i].text, *bytes) == 0)
            return unit_signs[i].instead;
    }
    return NULL;
}

/* "mm2", "mm-2" and "mm" with superscripts: an exponent without its '^'. Suggests it, and returns its bytes. */
static size_t suggest_exponent(reader *from, size_t at)
{
    char   exponent[8] = "^";
    size_t used = 1, length = 0, bytes;
    if (goes_on(from, at, "**"))
        length = 2;
    while (at + length < from->length && used + 1 < sizeof exponent) {
        const char  c = from->text[at + length];
        const char *sign = unit_sign(from->text + at + length, from->length - at - length, &bytes);
        if (sign == NULL && ((c >= '0' && c <= '9') || c == '-')) {
            sign = from->text + at + length;
            bytes = 1;
        }
        if (sign == NULL || (*sign == '-') != (used == 1 && *sign == '-') || *sign == '*' || *sign == '/')
            break;
        exponent[used++] = *sign;
        length += bytes;
    }
    const bool digits = used > 1 && exponent[used - 1] != '-';
    if (digits)
        snprintf(from->fault.instead, sizeof from->fault.instead, "%.*s", (int)used, exponent);
    return digits ? length : 0;
}

/* What stands between two units in place of '*' or '/': its bytes, and the suggested sign. */
static size_t suggest_sign(reader *from, size_t at)
{
    const char *text = from->text + at, *end = from->text + from->length;
    reader      behind = {.text = from->text, .length = from->length, .at = at};
    size_t      bytes;
    skip_spaces(&behind);
    const size_t blanks = behind.at - at, per = goes_on(&behind, behind.at, "per ") ? 4 : 0;
    const char  *sign = unit_sign(text, from->length - at, &bytes);
    if (sign == NULL && (*text == '.' || *text == '-')) {
        sign = "*";
        bytes = 1;
    } else if (sign == NULL && blanks + per > 0) {
        sign = per > 0 ? "/" : "*";
        bytes = blanks + per;
    }
    if (sign == NULL || (*sign != '*' && *sign != '/') || text + bytes >= end || !is_letter(text[bytes]))
        return 0;
    snprintf(from->fault.instead, sizeof from->fault.instead, "%s", sign);
    return bytes;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* base^exponent. Multiples of a half use only multiplications and a root: exact for powers of ten up to 10^22. */
static double power(double base, double exponent)
{
    const double halves = fabs(2 * exponent);
    if (halves != floor(halves) || halves > 2 * PCM_EXPONENT_MOST * PCM_EXPONENT_MOST)
        return base == 1 ? 1 : pcm_pow(base, exponent);
    double result = fmod(halves, 2) == 0 ? 1 : sqrt(base);
    for (int i = 0; i < (int)halves / 2; i++)
        result *= base;
    return exponent < 0 ? 1 / result : result;
}

/* Multiplies unit by other^exponent. */
static void multiply(pcm_unit *unit, const pcm_unit *other, double exponent)
{
    unit->length += other->length * exponent;
    unit->mass += other->mass * exponent;
    unit->time += other->time * exponent;
    unit->temperature += other->temperature * exponent;
    unit->current += other->current * exponent;
    unit->tens += other->tens * exponent;
    unit->degrees += other->degrees * exponent;
    unit->factor *= power(other->factor, exponent);
}

bool pcm_unit_raise(pcm_unit *unit, double exponent)
{
    pcm_unit     raised = {.factor = 1};
    const double parts[] = {unit->length, unit->mass, unit->time, unit->temperature, unit->current, unit->degrees};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!(fabs(parts[i] * exponent) <= PCM_EXPONENT_MOST))
            return false;
    multiply(&raised, unit, exponent);
    *unit = raised;
    return true;
}

static bool is_possible(const pcm_unit *unit)
{
    const double parts[] = {unit->length,  unit->mass,    unit->time,     unit->temperature,
                            unit->current, unit->degrees, unit->tens / 12};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!(fabs(parts[i]) <= PCM_EXPONENT_MOST))
            return false;
    return true;
}

/* "/2" without a digit after it belongs to an exponent, since no unit is called 2. */
static bool is_fraction(const reader *from)
{
    const char *at = from->text + from->at;
    return from->length - from->at >= 2 && at[0] == '/' && at[1] == '2' &&
           (from->length - from->at == 2 || !(at[2] >= '0' && at[2] <= '9'));
}

/* Suggests 1.5 in place of "3/2". */
static bool suggest_fraction(reader *from, size_t start)
{
    int    number = 0;
    reader at = {.text = from->text, .length = from->length, .at = start};
    bool   negative = take(&at, "-");
    for (; at.at < at.length && at.text[at.at] >= '0' && at.text[at.at] <= '9' && number < 100; at.at++)
        number = number * 10 + (at.text[at.at] - '0');
    if (!is_fraction(&at) || number == 0)
        return false;
    from->fault.bad = at.at + 2 - start;
    snprintf(from->fault.instead, sizeof from->fault.instead, "%s%d%s", negative ? "-" : "", number / 2,
             number % 2 == 0 ? "" : ".5");
    return false;
}

/* Digits, possibly with a point; false if there are none. */
static bool read_digits(reader *from, double *number)
{
    size_t length = 0;
    skip_spaces(from);
    while (from->at + length < from->length && (strchr("0123456789.", from->text[from->at + length]) != NULL))
        length++;
    const size_t read = length == 0 ? 0 : pcm_number_read(from->text + from->at, length, number);
    from->at += read;
    return read > 0 && read == length;
}

/* Suggests 1.5 in place of "{1.5}" and "1,5". */
static bool suggest_number(reader *from, size_t start)
{
    char        plain[16];
    const char *text = from->text + start;
    const bool  braces = goes_on(from, start, "{");
    size_t      length = braces, used = 0;
    double      number;
    while (start + length < from->length && used + 1 < sizeof plain && strchr("-.,0123456789", text[length])) {
        plain[used++] = text[length] == ',' ? '.' : text[length];
        length++;
    }
    if (used == 0 || pcm_number_read(plain, used, &number) != used || (!braces && memchr(text, ',', length) == NULL))
        return false;
    from->fault.bad = length + (braces && start + length < from->length && text[length] == '}');
    snprintf(from->fault.instead, sizeof from->fault.instead, "%.*s", (int)used, plain);
    return false;
}

/* A number after ^, or a fraction in parentheses: 1.5, -2, (4/3). 1 if there is no ^. */
static bool read_exponent(reader *from, double *exponent)
{
    *exponent = 1;
    if (!take(from, "^"))
        return true;
    skip_spaces(from);
    const size_t start = from->at;
    const bool   open = take(from, "("), negative = take(from, "-");
    double       below = 1;
    bool         good = read_digits(from, exponent);
    if (good && open)
        good = (!take(from, "/") || read_digits(from, &below)) && take(from, ")");
    if (!good || !(*exponent / below <= PCM_EXPONENT_MOST))
        return fail(from, PCM_UNIT_EXPONENT, start, from->at > start ? from->at - start : 1) ||
               suggest_number(from, start);
    if (from->at < from->length && from->text[from->at] == ',')
        return fail(from, PCM_UNIT_EXPONENT, start, from->at - start) || suggest_number(from, start);
    if (is_fraction(from))
        return fail(from, PCM_UNIT_EXPONENT, start, from->at + 2 - start) || suggest_fraction(from, start);
    *exponent = (negative ? -1 : 1) * (*exponent / below);
    return true;
}

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
    size_t start = from->at, bytes;
    while (from->at < from->length && is_letter(from->text[from->at]) && !goes_on(from, from->at, "\xc2\xb7") &&
           unit_sign(from->text + from->at, from->length - from->at, &bytes) == NULL)
        from->at++;
    if (from->at == start)
        return fail(from, PCM_UNIT_SYNTAX, start, 1);
    int           tens;
    const symbol *found = find_unit(from->text + start, from->at - start, &tens);
    if (found == NULL)
        return fail(from, PCM_UNIT_UNKNOWN, start, from->at - start) || suggest_unit(from, start, from->at - start);
    *unit = (pcm_unit){found->length,  found->mass,        found->time,       found->temperature,
                       found->current, found->tens + tens, found == degree(), found->factor};
    return true;
}

/* Reports what is no '*', '/' or '^' behind a unit. Where nothing is known of it, pcm_unit_read does. */
static bool strange_sign(reader *from, size_t at)
{
    pcm_unit_fault known = from->fault;
    const size_t   exponent = suggest_exponent(from, at), sign = exponent > 0 ? 0 : suggest_sign(from, at);
    char           instead[sizeof known.instead];
    memcpy(instead, from->fault.instead, sizeof instead);
    from->fault = known;
    if (exponent + sign == 0)
        return true;
    fail(from, PCM_UNIT_SYNTAX, at, exponent + sign);
    memcpy(from->fault.instead, instead, sizeof instead);
    return false;
}

/* Factors with * (or a middle dot) and / between them. A / applies to the next factor alone. */
static bool read_product(reader *from, pcm_unit *unit, int depth)
{
    *unit = (pcm_unit){.factor = 1};
    for (int sign = 1;;) {
        pcm_unit factor;
        double   exponent;
        skip_spaces(from);
        const size_t start = from->at;
        if (!read_factor(from, &factor, depth))
            return false;
        size_t end = from->at;
        if (!read_exponent(from, &exponent))
            return false;
        reader behind = {.text = from->text, .length = from->at, .at = end};
        skip_spaces(&behind);
        if (behind.at < from->at) /* there is an exponent */
            end = from->at;
        multiply(unit, &factor, sign * exponent);
        if (!is_possible(unit))
            return fail(from, PCM_UNIT_EXPONENT, start, from->at - start);
        if (goes_on(from, end, "**"))
            return strange_sign(from, end);
        if (take(from, "*") || take(from, "\xc2\xb7"))
            sign = 1;
        else if (take(from, "/"))
            sign = -1;
        else
            return from->at == from->length || *(from->text + from->at) == ')' || strange_sign(from, end);
    }
}

bool pcm_unit_read(const char *text, size_t length, pcm_unit *unit, pcm_unit_fault *fault)
{
    reader from = {.text = text, .length = length};
    if (read_product(&from, unit, 0)) {
        skip_spaces(&from);
        if (from.at < length)
            fail(&from, PCM_UNIT_SYNTAX, from.at, length - from.at);
    }
    *fault = from.fault;
    fault->at = fault->at < length ? fault->at : length;
    fault->bad = fault->bad < length - fault->at ? fault->bad : length - fault->at;
    return fault->error == PCM_UNIT_OK;
}

bool pcm_unit_same_dimension(const pcm_unit *a, const pcm_unit *b)
{
    static const double rounding = 1e-9;
    return fabs(a->length - b->length) < rounding && fabs(a->mass - b->mass) < rounding &&
           fabs(a->time - b->time) < rounding && fabs(a->temperature - b->temperature) < rounding &&
           fabs(a->current - b->current) < rounding;
}

double pcm_unit_to_si(const pcm_unit *unit, double number)
{
    /* Powers of ten up to 10^22 are exact doubles: one multiplication or division rounds once. */
    number = unit->tens < 0 ? number / power(10, -unit->tens) : number * power(10, unit->tens);
    return number * unit->factor;
}

void pcm_exponent_write(double exponent, char text[PCM_EXPONENT_SIZE])
{
    enum { FEW_DIGITS = 6, MANY_DIGITS = 12, LARGEST_BELOW = 99 };
    static const double rounding = 1e-9;
    char                digits[PCM_NUMBER_SIZE];
    pcm_number_write(exponent, FEW_DIGITS, digits);
    double read = 0;
    pcm_number_read(digits, strlen(digits), &read);
    for (int below = 2; fabs(read - exponent) >= rounding && below <= LARGEST_BELOW; below++) {
        const double above = floor(exponent * below + 0.5);
        if (fabs(above / below - exponent) < rounding) {
            snprintf(text, PCM_EXPONENT_SIZE, "(%d/%d)", (int)above, below);
            return;
        }
    }
    if (fabs(read - exponent) >= rounding)
        pcm_number_write(exponent, MANY_DIGITS, digits);
    memcpy(text, digits, strlen(digits) + 1);
}

void pcm_unit_dimension(const pcm_unit *unit, char text[PCM_DIMENSION_SIZE])
{
    const struct {
        const char *name;
        double      exponent;
    } parts[] = {
        {"kg", unit->mass}, {"m", unit->length}, {"s", unit->time}, {"K", unit->temperature}, {"A", unit->current}};
    size_t used = 0;
    for (int below = 0; below <= 1; below++) /* first the factors, then the divisors */
        for (size_t i = 0; i < sizeof parts / sizeof *parts && used < PCM_DIMENSION_SIZE; i++) {
            const double exponent = below ? -parts[i].exponent : parts[i].exponent;
            char         written[PCM_EXPONENT_SIZE];
            pcm_exponent_write(exponent, written);
            if (!(exponent > 1e-9))
                continue;
            used += (size_t)snprintf(text + used, PCM_DIMENSION_SIZE - used, "%s%s%s%s",
                                     below ? (used == 0 ? "1/" : "/") : (used == 0 ? "" : "*"), parts[i].name,
                                     strcmp(written, "1") == 0 ? "" : "^", strcmp(written, "1") == 0 ? "" : written);
        }
    if (used == 0)
        memcpy(text, "1", 2);
}

/* ---- Exponents that are parameters ------------------------------------------------------------------------------ */

static bool is_name(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.'; }

const char *pcm_unit_exponent_name(const char *unit, size_t *length)
{
    for (const char *at = strchr(unit, '^'); at != NULL; at = strchr(at, '^')) {
        at += 1 + strspn(at + 1, " ");
        if (!is_letter(*at) && *at != '_')
            continue;
        for (*length = 0; is_name(at[*length]);)
            ++*length;
        return at;
    }
    return NULL;
}

bool pcm_unit_replace_names(const char *unit, pcm_exponent_text *text_of, void *user, char text[PCM_UNIT_SIZE])
{
    size_t used = 0, length = 0;
    for (const char *name; (name = pcm_unit_exponent_name(unit, &length)) != NULL; unit = name + length) {
        const char *instead = text_of(user, name, length);
        if (instead == NULL)
            return false;
        used += (size_t)snprintf(text + used, PCM_UNIT_SIZE - used, "%.*s%s", (int)(name - unit), unit, instead);
        if (used >= PCM_UNIT_SIZE)
            return false;
    }
    used += (size_t)snprintf(text + used, PCM_UNIT_SIZE - used, "%s", unit);
    return used < PCM_UNIT_SIZE;
}
