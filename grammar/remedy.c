/* SPDX-License-Identifier: MIT */
#include "remedy.h"
#include "parser.h"
#include "scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A syntax error while it is examined. */
typedef struct slip {
    const pcm_parser *parser;
    pcm_span          span; /* of the wrong token */
    const char       *text; /* from it on */
    const char       *expected;
    int               wrong, previous; /* tokens */
    bool              in_block;        /* inside of braces */
    pcm_remedy       *remedy;
} slip;

/* Always true, so that it can end a search. */
__attribute__((format(printf, 2, 3))) static bool hint(const slip *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(s->remedy->hint, sizeof s->remedy->hint, format, arguments);
    va_end(arguments);
    return true;
}

__attribute__((format(printf, 4, 5))) static void replace(const slip *s, uint32_t at, size_t length, const char *format,
                                                          ...)
{
    pcm_remedy *remedy = s->remedy;
    va_list     arguments;
    va_start(arguments, format);
    remedy->fixes[remedy->n_fixes].span = (pcm_span){at, (uint16_t)length, s->span.source};
    const int wrote = vsnprintf(remedy->fixes[remedy->n_fixes].text, sizeof remedy->fixes[0].text, format, arguments);
    va_end(arguments);
    if (wrote < (int)sizeof remedy->fixes[0].text)
        remedy->n_fixes++;
}

/* ---- Text ------------------------------------------------------------------------------------------------------- */

static bool expects(const slip *s, const char *words) { return scan_same(s->expected, words, strlen(words)); }

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* A byte of a name that needs no quotes. */
static bool is_word(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-' || (unsigned char)c >= 0x80;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (is_word(text[length]) && !scan_same(text + length, "->", 2))
        length++;
    return length;
}

static const char *skip_blanks(const char *text) { return text + scan_over(text, " \t"); }

/* Whether the wrong token is one of the words, each with blanks around it. */
static bool is_one_of(const slip *s, const char *words)
{
    const size_t length = word_length(s->text);
    for (const char *at = words; length > 0 && (at = strchr(at, ' ')) != NULL && at[1] != '\0'; at++)
        if (scan_same(at + 1, s->text, length) && at[1 + length] == ' ')
            return true;
    return false;
}

static bool on_this_line(const slip *s)
{
    const pcm_parser *parser = s->parser;
    return memchr(parser->text + parser->previous_end, '\n', s->span.offset - parser->previous_end) == NULL;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

/* The end of the words and blanks from `at` on, without trailing blanks; *next gets the byte after these. */
static uint32_t words_end(const pcm_parser *parser, uint32_t at, char *next)
{
    uint32_t end = at;
    for (; is_blank(parser->text[at]) || (is_word(parser->text[at]) && memcmp(parser->text + at, "->", 2) != 0); at++)
        if (!is_blank(parser->text[at]))
            end = at + 1;
    *next = parser->text[at];
    return end;
}

/* A name of several words, if the token that must follow a name comes after the next words. */
static bool spaced_name(const slip *s)
{
    char           next;
    const char     due = expects(s, "'*'") ? '*' : expects(s, "'->'") ? '-' : '=';
    const uint32_t start = s->parser->previous_start, end = words_end(s->parser, s->span.offset, &next);
    if (s->wrong != NAME || s->previous != NAME || !on_this_line(s) || next != due ||
        (due == '=' && !expects(s, "'='")) || s->in_block)
        return false;
    replace(s, start, 0, "\"");
    replace(s, end, 0, "\"");
    return hint(s, "; a name with spaces is written in quotes");
}

/* "*_Foot", "Foot*" and "*" without quotes. */
static bool bare_pattern(const slip *s)
{
    const char *text = s->parser->text;
    uint32_t    start = s->span.offset, end = s->span.offset + 1;
    const bool  name_due = scan_same(s->expected, "a name", 6);
    const bool  tail = start > 0 && is_word(text[start - 1]), before = s->previous == STAR && name_due;
    if (s->wrong != STAR || s->in_block || s->parser->statement == CONTACT_TYPE || !(name_due || tail))
        return false;
    if (before && s->parser->previous_start > 0 && is_word(text[s->parser->previous_start - 1])) {
        start = s->parser->previous_start;
        end = start + 1; /* the first star belongs to the name before it */
    }
    while (start > 0 && is_word(text[start - 1]))
        start--;
    while (is_word(text[end]) && memcmp(text + end, "->", 2) != 0)
        end++;
    replace(s, start, 0, "\"");
    replace(s, end, 0, "\"");
    return hint(s, "; a pattern is written in quotes");
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

/* The length of what could be a unit. */
static size_t unit_length(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0' && (is_word(text[length]) || strchr("*/^()", text[length]) != NULL))
        length++;
    while (length > 0 && text[length - 1] == ')' && memchr(text, '(', length) == NULL)
        length--;
    return length;
}

static bool bare_unit(const slip *s)
{
    if (s->wrong != NAME || s->previous != NUMBER)
        return false;
    const size_t length = unit_length(s->text);
    replace(s, s->span.offset, 0, "[");
    replace(s, s->span.offset + (uint32_t)length, 0, "]");
    return hint(s, "; a unit is written in brackets: [%.*s]", (int)(length < 60 ? length : 60), s->text);
}

/* 2 (3 + k) */
static bool lost_product(const slip *s)
{
    if (s->previous != NUMBER || s->wrong != OPEN)
        return false;
    replace(s, s->span.offset, 0, "*");
    return hint(s, "; a product is written with '*'");
}

static bool in_value(const slip *s)
{
    const bool name_due = scan_same(s->expected, "a name", 6);
    if (bare_unit(s) || lost_product(s))
        return true;
    if (name_due && s->wrong == UNIT && strchr("+-.0123456789", s->text[1]) != NULL) {
        replace(s, s->span.offset, 1, "(");
        replace(s, s->span.offset + s->span.length - 1, 1, ")");
        return hint(s, "; a list is written in parentheses, with commas: (1, 2)");
    }
    if (s->wrong == UNIT && s->parser->parentheses > 0)
        return hint(s, "; the unit of a list follows it: (1, 2) [m]");
    if (s->wrong == NUMBER && s->previous == STRING)
        return hint(s, "; a column of a table is named: \"file.csv\".\"name\"");
    if (s->wrong == NUMBER && (s->previous == NUMBER || s->previous == UNIT))
        return hint(s, "; one number is a value, several are a list with parentheses and commas: (1, 2)");
    return false;
}

/* ---- Blocks ----------------------------------------------------------------------------------------------------- */

/* Stiffness [N/mm] = 2 */
static bool unit_before_sign(const slip *s)
{
    const size_t length = scan_to(s->text, s->wrong == OPEN_BRACKET ? "]\n" : ")\n");
    const char  *sign = skip_blanks(s->text + length + (s->text[length] != '\0'));
    if (!expects(s, "'='") || (s->wrong != OPEN_BRACKET && s->wrong != OPEN) || length < 2 || *sign != '=')
        return false;
    const char  *value = skip_blanks(sign + 1);
    const size_t end = scan_to(value, ";,}[#\n");
    if (strchr(";,}", value[end]) != NULL && end > 0) {
        replace(s, s->span.offset, (size_t)(sign - s->text), "%s", "");
        replace(s, (uint32_t)(value + end - s->parser->text), 0, " [%.*s]", (int)(length - 1), s->text + 1);
    }
    return hint(s, "; the unit follows the number: %.*s [%.*s]", (int)(end < 40 ? end : 40), value,
                (int)(length < 40 ? length - 1 : 39), s->text + 1);
}

static bool in_block(const slip *s)
{
    const char  *previous = s->parser->text + s->parser->previous_start;
    const size_t length = s->parser->previous_end - s->parser->previous_start;
    if (unit_before_sign(s))
        return true;
    if (!s->in_block)
        return false;
    s->remedy->names_lost = expects(s, "'='") && s->wrong == NAME && length == 3 && scan_same(previous, "Let", 3);
    if (s->remedy->names_lost)
        return hint(s, "%s",
                    s->parser->reports->sources->list[s->span.source].setting
                        ? "; a setting has no Let: NAME = number"
                        : "; a Let stands before the contact type, outside of its block");
    if (expects(s, "'='") && s->wrong == NAME && is_digit(*s->text)) {
        replace(s, s->span.offset, 0, "= ");
        return hint(s, "%s", "");
    }
    if (expects(s, "'='") && s->wrong == NAME)
        return hint(s, "; the name of a parameter is one word");
    if (s->wrong != STRING || strchr("=:", *skip_blanks(s->text + s->span.length)) == NULL)
        return false;
    replace(s, s->span.offset, s->span.length, "%.*s", s->span.length - 2, s->text + 1);
    return hint(s, "; the name of a parameter is written without quotes");
}

/* ---- Statements ------------------------------------------------------------------------------------------------- */

/* Signs and words between two names, for which .pcm files have another sign. */
static bool joined_by(const slip *s, const char *sign, const char *words)
{
    const bool mark =
        s->wrong == PLUS || s->wrong == SLASH || s->wrong == MINUS || s->wrong == COMMA || s->wrong == STAR;
    if (!mark && !(s->wrong == NAME && is_one_of(s, words)))
        return false;
    replace(s, s->span.offset, s->span.length, "%s", sign);
    return true;
}

/* ObjectPair(Foot, Floor) -> F; */
static bool called_rule(const slip *s)
{
    const size_t comma = scan_to(s->text, ",)\n"), close = comma + scan_to(s->text + comma, ")\n");
    if (s->wrong != OPEN || (s->previous != OBJECT_PAIR && s->previous != SURFACE_PAIR) || s->text[comma] != ',' ||
        s->text[close] != ')')
        return false;
    replace(s, s->span.offset, 1, " ");
    replace(s, s->span.offset + (uint32_t)comma, 1, " *");
    replace(s, s->span.offset + (uint32_t)close, 1, "%s", "");
    return hint(s, "; a rule has no parentheses: A * B -> TYPE;");
}

/* ObjectPair Foot, Floor -> F; or with one name. */
static bool one_side(const slip *s)
{
    const char *text = s->parser->text, *comma = NULL;
    size_t      count = 0;
    for (uint32_t at = s->span.offset; at > 0 && strchr(";}\n", text[at - 1]) == NULL; at--)
        if (text[at - 1] == ',') {
            comma = &text[at - 1];
            count++;
        }
    if (s->wrong != ARROW || !expects(s, "'*'"))
        return false;
    if (count == 1)
        replace(s, (uint32_t)(comma - text), 1, " *");
    return hint(s, "; a rule has two sides: A * B, or A * \"*\" for any other");
}

static bool in_rule(const slip *s)
{
    const int statement = s->parser->statement;
    if (statement != OBJECT_PAIR && statement != SURFACE_PAIR && statement != DEFAULT_PAIR)
        return false;
    if (expects(s, "'->'") && s->wrong == EQUALS) {
        replace(s, s->span.offset, 1, "->");
        return hint(s, "%s", "");
    }
    if (s->previous == DEFAULT_PAIR && (s->wrong == NAME || s->wrong == STRING)) {
        if (strchr("*,", *skip_blanks(s->text + s->span.length)) != NULL)
            return hint(s, "; two objects have an ObjectPair, all others the DefaultPair");
        replace(s, s->span.offset, 0, "-> ");
        return hint(s, "%s", "");
    }
    if (one_side(s) || called_rule(s))
        return true;
    if (expects(s, "'*'") && joined_by(s, "*", " x X and vs with to "))
        return hint(s, "; the two sides of a rule are joined by '*'");
    return expects(s, "';'") && s->wrong == COMMA && hint(s, "; a pair has one contact type");
}

static bool in_surface(const slip *s)
{
    if (s->parser->statement != SURFACE)
        return false;
    if (expects(s, "'='") && s->wrong == OPEN_BRACE)
        return hint(s, "; Surface R = Foot, Hand; gives objects a surface, and Material R { ... } its properties");
    if (expects(s, "';'") && s->wrong != EQUALS && joined_by(s, ",", " and or with "))
        return hint(s, "; objects are separated by ','");
    return expects(s, "';'") && s->wrong == NAME && on_this_line(s) && hint(s, "; objects are separated by ','");
}

/* Material Steel = { ... } */
static bool in_material(const slip *s)
{
    if (s->parser->statement != MATERIAL || s->previous != EQUALS || s->wrong != OPEN_BRACE)
        return false;
    replace(s, s->parser->previous_start, 1, "%s", "");
    return hint(s, "; the properties follow the name: Material NAME { ... }");
}

static bool in_type(const slip *s)
{
    if (s->parser->statement != CONTACT_TYPE || s->in_block)
        return false;
    if (expects(s, "'='") && s->wrong == OPEN_BRACE)
        return hint(s, "; a contact type has a law: ContactType NAME = LAW { ... };");
    if (expects(s, "'='") && s->wrong == ARROW) {
        replace(s, s->span.offset, s->span.length, "=");
        return hint(s, "%s", "");
    }
    if (s->previous == CLOSE_BRACE && s->wrong == PLUS)
        return hint(s, "; a sum has one block, behind its last part");
    if (!expects(s, "';'") || s->previous == CLOSE_BRACE)
        return false;
    if (s->wrong == STAR)
        return hint(s, "; a part has no factor");
    if (joined_by(s, " +", " and with plus "))
        return hint(s, "; the parts of a law are joined by '+'");
    return s->wrong == NAME && on_this_line(s) && hint(s, "; the name of a law is one word");
}

static bool in_file(const slip *s)
{
    if (s->wrong == SLASH && expects(s, "Include"))
        return hint(s, "; a comment begins with '#'");
    if (s->previous != INCLUDE || s->wrong != NAME)
        return false;
    const size_t length = scan_to(s->text, "; \t\r\n\"");
    replace(s, s->span.offset, 0, "\"");
    replace(s, s->span.offset + (uint32_t)length, 0, "\"");
    return hint(s, "; a path is written in quotes");
}

void pcm_remedy_find(const pcm_parser *parser, pcm_span span, const char *expected, pcm_remedy *found)
{
    const slip s = {parser,
                    span,
                    parser->text + span.offset,
                    expected,
                    parser->current,
                    parser->previous,
                    parser->in_block && parser->current != OPEN_BRACE,
                    found};
    *found = (pcm_remedy){.hint = "", .n_fixes = 0};
    (void)(in_value(&s) || spaced_name(&s) || bare_pattern(&s) || in_block(&s) || in_rule(&s) || in_surface(&s) ||
           in_material(&s) || in_type(&s) || in_file(&s));
}
