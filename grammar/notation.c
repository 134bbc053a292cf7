/* SPDX-License-Identifier: MIT */
#include "notation.h"
#include "scan.h"
#include <pcm/pcm.h>

#include <stdio.h>
#include <string.h>

static const char digits[] = "0123456789";
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

static size_t count_digits(const char *text) { return scan_over(text, digits); }

static const char *skip_blanks(const char *text) { return text + scan_over(text, " \t\r\n"); }

static bool is_one_of(char c, const char *list) { return c != '\0' && strchr(list, c) != NULL; }

/* The number of bytes of `sign` if the text starts with it, else 0. */
static size_t starts_with(const char *text, const char *sign)
{
    const size_t length = strlen(sign);
    return scan_same(text, sign, length) ? length : 0;
}

bool pcm_value_ends(const char *text)
{
    text = skip_blanks(text);
    if (*text == ',')
        return !is_one_of(*skip_blanks(text + 1), "+-.0123456789") && skip_blanks(text + 1)[0] != '\0';
    if (is_one_of(*text, letters))
        return *skip_blanks(text + 1 + scan_to(text + 1, " \t\r\n;,}=")) != '=';
    return strchr(";}[#)", *text) != NULL; /* or the end of the text */
}

/* Whether the number ends at the text: with its item of a list, its operand, or the value. */
static bool number_ends(const char *text, bool listed)
{
    const char next = *skip_blanks(text);
    return is_one_of(next, listed ? "+-*/^),[" : "+-*/^)") || pcm_value_ends(text);
}

/* ---- Signs ------------------------------------------------------------------------------------------------------ */

static const pcm_typeset signs[] = {
    {"\xe2\x88\x92", "U+2212", '-'}, {"\xe2\x80\x90", "U+2010", '-'}, {"\xe2\x80\x91", "U+2011", '-'},
    {"\xe2\x80\x92", "U+2012", '-'}, {"\xe2\x80\x93", "U+2013", '-'}, {"\xe2\x80\x94", "U+2014", '-'},
    {"\xef\xbc\x8d", "U+FF0D", '-'}, {"\xc3\x97", "U+00D7", '*'},     {"\xc2\xb7", "U+00B7", '*'},
    {"\xe2\x8b\x85", "U+22C5", '*'}, {"\xe2\x88\x99", "U+2219", '*'}, {"\xe2\x80\xa2", "U+2022", '*'},
    {"\xc3\xb7", "U+00F7", '/'},     {"\xe2\x88\x95", "U+2215", '/'}, {"\xe2\x81\x84", "U+2044", '/'},
    {"\xc2\xb1", "U+00B1", '\0'},
};

const pcm_typeset *pcm_typeset_at(const char *text)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (starts_with(text, signs[i].text))
            return &signs[i];
    return NULL;
}

/* The length of a sign that stands for that one; 0: there is none. */
static size_t sign_length(const char *text, char instead)
{
    const pcm_typeset *sign = pcm_typeset_at(text);
    return *text == instead ? 1 : sign != NULL && sign->instead == instead ? strlen(sign->text) : 0;
}

/* ---- Writing what is meant -------------------------------------------------------------------------------------- */

/* Takes the text without the bytes of `left_out`, with a point in place of `point`, as what is meant. */
static bool take_plain(const char *text, size_t length, const char *left_out, char point, pcm_notation *found)
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < PCM_NOTATION_SIZE; i++)
        if (is_one_of(text[i], "0123456789.,eE+-") && !is_one_of(text[i], left_out))
            found->plain[used++] = text[i] == point ? '.' : text[i];
    found->plain[used] = '\0';
    found->length = length;
    return pcm_number_read(found->plain, used, &found->number) == used;
}

static bool take_value(double number, size_t length, pcm_notation *found)
{
    found->number = number;
    found->length = length;
    return pcm_number_write(number, 0, found->plain) > 0;
}

/* ---- Notations -------------------------------------------------------------------------------------------------- */

/* 0x1F, 0b11, 0o17 */
static bool read_base(const char *text, size_t length, bool listed, pcm_notation *found)
{
    static const char hex[] = "0123456789abcdef";
    const char        mark = (char)(text[1] | 0x20);
    const unsigned    base = mark == 'x' ? 16 : mark == 'b' ? 2 : mark == 'o' ? 8 : 0;
    double            number = 0;
    (void)listed;
    length = 2;
    if (*text != '0' || base == 0)
        return false;
    for (const char *at; text[length] != '\0'; length++) {
        at = strchr(hex, text[length] | (text[length] >= 'A' ? 0x20 : 0));
        if (at == NULL || (size_t)(at - hex) >= base)
            break;
        number = number * base + (double)(at - hex);
    }
    found->why = "a number is written in decimal";
    found->certain = true;
    return length > 2 && number < 1e15 && take_value(number, length, found);
}

/* The length of "1.000.000" with that separator, whose last groups have three digits; *groups gets their number. With
 * `pairs`, groups but the last may have two, as in India. */
static size_t grouped_length(const char *text, const char *separator, bool pairs, size_t *groups)
{
    size_t length = count_digits(text), between = strlen(separator), last = 3;
    *groups = 0;
    if (length == 0 || length > 3)
        return 0;
    while (starts_with(text + length, separator)) {
        const size_t count = count_digits(text + length + between);
        if (count != 3 && !(pairs && count == 2))
            break;
        last = count;
        length += between + count;
        ++*groups;
    }
    return *groups > 0 && last == 3 ? length : 0;
}

/* 1 000 000, 1_000, 1'000.5, 1,000,000.5, 1.000.000,5 */
static bool read_groups(const char *text, size_t length, bool listed, pcm_notation *found)
{
    static const char *const separators[] = {" ", "_", "'", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99",
                                             ",", "."};
    found->why = "the digits of a number are written without separators";
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
        const char sign = *separators[i];
        const bool comma = sign == ',', point = sign == '.';
        size_t     groups;
        length = comma && listed ? 0 : grouped_length(text, separators[i], comma, &groups);
        const char   decimal = point ? ',' : '.';
        const size_t decimals = length > 0 && text[length] == decimal ? count_digits(text + length + 1) : 0;
        if (length == 0 || ((comma || point) && groups == 1 && decimals == 0) || (point && listed && decimals > 0))
            continue;
        length += text[length] == decimal ? 1 + decimals : 0;
        found->certain = true;
        if (!comma || pcm_value_ends(text + length))
            return take_plain(text, length, point ? "." : ",", decimal, found);
    }
    return false;
}

/* 0,5 */
static bool read_decimal_comma(const char *text, size_t length, bool listed, pcm_notation *found)
{
    const size_t whole = count_digits(text), decimals = text[whole] == ',' ? count_digits(text + whole + 1) : 0;
    length = whole + 1 + decimals;
    if (whole == 0 || decimals == 0 || listed)
        return false;
    const size_t sign = is_one_of(text[length], "eE") ? 1 + (size_t)is_one_of(text[length + 1], "+-") : 0;
    length += sign > 0 && count_digits(text + length + sign) > 0 ? sign + count_digits(text + length + sign) : 0;
    if (!pcm_value_ends(text + length))
        return false;
    found->why = "a number has a decimal point and no ','";
    found->certain = decimals != 3 || *text == '0'; /* else perhaps a thousand and more */
    if (!take_plain(text, length, "", ',', found))
        return false;
    if (!found->certain) {
        const size_t used = strlen(found->plain);
        (void)snprintf(found->plain + used, PCM_NOTATION_SIZE - used, " or %.*s%.*s", (int)whole, text, (int)decimals,
                       text + whole + 1);
    }
    return true;
}

/* 60 % */
static bool read_percent(const char *text, size_t length, bool listed, pcm_notation *found)
{
    (void)listed;
    const size_t blanks = scan_over(text + length, " \t");
    if (text[length + blanks] != '%')
        return false;
    found->why = "'%' is not a unit";
    found->certain = true;
    (void)pcm_number_read(text, length, &found->number);
    return take_value(found->number / 100, length + blanks + 1, found);
}

/* 1.5D4 as in Fortran, 6e with a minus sign of typography, and 1e without an exponent. */
static bool read_exponent(const char *text, size_t length, bool listed, pcm_notation *found)
{
    const bool   fortran = is_one_of(text[length], "dD");
    const char  *sign = text + length + 1;
    const size_t minus = sign_length(sign, '-'), plus = minus == 0 && *sign == '+',
                 count = count_digits(sign + minus + plus);
    if (!is_one_of(text[length], "dDeE"))
        return false;
    if (count == 0) {
        found->why = "the exponent of a number has digits, as in 1e6";
        found->length = length + 1 + minus + plus;
        return !fortran && number_ends(text + found->length, listed);
    }
    const char *after = sign + minus + plus + count;
    found->why = fortran ? "an exponent is written with 'e'" : "a minus sign is a plain '-'";
    found->certain = true;
    found->length = (size_t)(after - text);
    const int wrote = snprintf(found->plain, sizeof found->plain, "%.*se%s%.*s", (int)length, text,
                               minus > 0 ? "-" : "", (int)count, after - count);
    return wrote > 0 && (size_t)wrote < sizeof found->plain && !is_one_of(*after, letters) &&
           pcm_number_read(found->plain, (size_t)wrote, &found->number) == (size_t)wrote;
}

static const char *const raised[] = {"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
                                     "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};

/* A whole exponent in superscripts, as ASCII; returns its length in the text. */
static size_t read_raised(const char *text, char exponent[8])
{
    size_t length = 0, used = 0;
    if (starts_with(text, "\xe2\x81\xbb")) {
        exponent[used++] = '-';
        length = 3;
    }
    for (size_t i = 0; i < 10 && used < 7;) {
        const size_t bytes = starts_with(text + length, raised[i]);
        if (bytes > 0)
            exponent[used++] = (char)('0' + i);
        length += bytes;
        i = bytes > 0 ? 0 : i + 1;
    }
    exponent[used] = '\0';
    return used > 0 && exponent[used - 1] != '-' ? length : 0;
}

/* The exponent of "^6", "**-6" or of superscripts, as ASCII; returns its length in the text. */
static size_t read_power(const char *text, char exponent[8])
{
    const size_t sign = *text == '^' ? 1 : starts_with(text, "**"),
                 minus = sign > 0 ? sign_length(text + sign, '-') : 0;
    const size_t count = sign > 0 ? count_digits(text + sign + minus) : 0;
    if (sign == 0)
        return read_raised(text, exponent);
    if (count == 0 || count > 3)
        return 0;
    (void)snprintf(exponent, 8, "%s%.*s", minus > 0 ? "-" : "", (int)count, text + sign + minus);
    return sign + minus + count;
}

/* 1 x 10^6, 2.5 * 10**-3; but 2*10^6 is an expression. And 10 with an exponent in superscripts. */
static bool read_times_ten(const char *text, size_t length, bool listed, pcm_notation *found)
{
    (void)listed;
    char         exponent[8];
    const char  *times = text + length + scan_over(text + length, " \t");
    const size_t sign = is_one_of(*times, "xX") ? 1 : sign_length(times, '*');
    const char  *ten = times + sign + scan_over(times + sign, " \t");
    const bool   bare = length == 2 && scan_same(text, "10", 2);
    size_t       power = sign > 0 && scan_same(ten, "10", 2) ? read_power(ten + 2, exponent) : 0;
    found->length = (size_t)(ten + 2 + power - text);
    if (power == 0 && bare) {
        power = read_raised(text + 2, exponent);
        found->length = 2 + power;
    }
    if (power == 0 || (*times == '*' && times[1] != '*' && sign == 1 && ten[2] == '^'))
        return false;
    found->why = "a power of ten is written with 'e'";
    found->certain = true;
    const int wrote = snprintf(found->plain, sizeof found->plain, "%.*se%s", bare ? 1 : (int)length, text, exponent);
    return wrote > 0 && (size_t)wrote < sizeof found->plain &&
           pcm_number_read(found->plain, (size_t)wrote, &found->number) == (size_t)wrote;
}

/* 0.6f as in C, and 20k as in circuits. */
static bool read_suffix(const char *text, size_t length, bool listed, pcm_notation *found)
{
    static const char multiples[] = "kMG";
    const char       *at = is_one_of(text[length], multiples) ? strchr(multiples, text[length]) : NULL;
    const bool        suffix = is_one_of(text[length], "fF");
    if ((!suffix && at == NULL) || is_one_of(text[length + 1], letters) || !number_ends(text + length + 1, listed))
        return false;
    found->why = suffix ? "a number has no suffix" : "a multiple is written with 'e'";
    found->certain = true;
    found->length = length + 1;
    const int wrote = suffix ? snprintf(found->plain, sizeof found->plain, "%.*s", (int)length, text)
                             : snprintf(found->plain, sizeof found->plain, "%.*se%d", (int)length, text,
                                        3 + 3 * (int)(at - multiples));
    return wrote > 0 && (size_t)wrote < sizeof found->plain &&
           pcm_number_read(found->plain, (size_t)wrote, &found->number) == (size_t)wrote;
}

/* 1.2.3 */
static bool read_two_points(const char *text, size_t length, bool listed, pcm_notation *found)
{
    (void)listed;
    found->why = "a number has one decimal point";
    found->length = length + scan_over(text + length, "0123456789.");
    return text[length] == '.';
}

/* The fractions that are one character, alone. */
static bool read_fraction(const char *text, size_t length, bool listed, pcm_notation *found)
{
    (void)listed;
    static const struct {
        const char *text;
        double      number;
    } fractions[] = {{"\xc2\xbc", 0.25}, {"\xc2\xbd", 0.5}, {"\xc2\xbe", 0.75}};
    found->why = "a fraction is written in digits";
    found->certain = true;
    for (size_t i = 0; i < 3; i++) {
        double whole = 0;
        if (!starts_with(text + length, fractions[i].text))
            continue;
        (void)pcm_number_read(text, length, &whole);
        return take_value(whole + fractions[i].number, length + 2, found);
    }
    return false;
}

bool pcm_notation_read(const char *text, size_t length, bool listed, pcm_notation *found)
{
    static bool (*const readers[])(const char *, size_t, bool, pcm_notation *) = {
        read_base,      read_groups, read_decimal_comma, read_percent,    read_exponent,
        read_times_ten, read_suffix, read_fraction,      read_two_points,
    };
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        *found = (pcm_notation){.why = NULL};
        if (readers[i](text, length, listed, found))
            return true;
    }
    return false;
}
