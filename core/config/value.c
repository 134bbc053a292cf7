/* SPDX-License-Identifier: MIT */
#include "value.h"
#include "kinds.h"
#include "suggest.h"
#include "table.h"
#include <pcm/messages.h>

#include <math.h>
#include <stdio.h>

static const char *span_text(const pcm_value_reader *reader, pcm_span span)
{
    return pcm_span_text(reader->reports->sources, span);
}

/* ---- Units ------------------------------------------------------------------------------------------------------ */

/* Reported at the unit if there is one, else at the value. */
static void report_dimension(const pcm_value_reader *reader, const pcm_param *param, const pcm_param_node *node,
                             const pcm_unit *unit, const pcm_unit *wanted)
{
    char           has[PCM_DIMENSION_SIZE], wants[PCM_DIMENSION_SIZE];
    const pcm_span span = node->unit.length > 0 ? node->unit : node->value.span;
    const char    *text = span_text(reader, span);
    pcm_unit_dimension(unit, has);
    pcm_unit_dimension(wanted, wants);
    pcm_message *report;
    if (strcmp(param->unit, "1") == 0)
        report = pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_WRONG_UNIT, span, "'%s' has no unit; %.*s is %s",
                                param->name, pcm_shown(span.length), text, unit->degrees != 0 ? "an angle" : has);
    else
        report = pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_WRONG_UNIT, span,
                                "%.*s is %s, but '%s' is %s: write it in [%s], for example", pcm_shown(span.length),
                                text, has, param->name, wants, param->unit);
    if (reader->exponent.length > 0)
        pcm_report_note(reader->reports, report, reader->exponent, "the exponent of [%s] is written here", param->unit);
    pcm_note_names(reader, report, node->value.expression);
}

/* Whether the dimension is the parameter's, which is reported if not. */
static bool fits(const pcm_value_reader *reader, const pcm_param *param, const pcm_param_node *node,
                 const pcm_unit *unit)
{
    pcm_unit       wanted;
    pcm_unit_fault fault;
    pcm_unit_read(param->unit, strlen(param->unit), &wanted, &fault);
    const bool angle = unit->degrees != 0 && strcmp(param->unit, "1") == 0;
    if (pcm_unit_same_dimension(unit, &wanted) && !angle)
        return true;
    report_dimension(reader, param, node, unit, &wanted);
    return false;
}

/* The unit that a number was written in; without one, SI. */
static bool read_unit(const pcm_value_reader *reader, const pcm_param *param, const pcm_param_node *node,
                      pcm_unit *unit)
{
    const bool percent = strcmp(param->unit, "1") == 0;
    return pcm_unit_span_read(reader, node->unit, percent ? node : NULL, unit) &&
           (node->unit.length == 0 || fits(reader, param, node, unit));
}

static bool has_no_unit(const pcm_value_reader *reader, const pcm_param *param, const pcm_param_node *node)
{
    if (node->unit.length == 0)
        return true;
    pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_WRONG_UNIT, node->unit, "'%s' has no unit", param->name);
    return false;
}

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

/* "inf", "nan" and other words for numbers that no parameter can have. */
static bool is_infinite_word(const pcm_value_reader *reader, const pcm_value_node *node)
{
    static const char *const words[] = {"inf", "infinity", "infinite", "nan"};
    pcm_suggestion           word = pcm_suggest(span_text(reader, node->span), node->span.length);
    for (size_t i = 0; node->kind == PCM_VALUE_WORD && i < sizeof words / sizeof *words; i++)
        if (node->span.length == strlen(words[i]))
            pcm_suggest_try(&word, words[i], strlen(words[i]));
    return word.best != NULL && word.distance == 0;
}

/* A word in place of a number may be a misspelt name. */
static pcm_suggestion suggest_let(const pcm_value_reader *reader, const pcm_value_node *node)
{
    pcm_suggestion suggestion = pcm_report_suggest(reader->reports, span_text(reader, node->span), node->span.length);
    for (uint32_t i = 0; suggestion.length > 0 && node->kind == PCM_VALUE_WORD && i < reader->lets->names.count; i++) {
        const char *known = pcm_names_text(&reader->lets->names, i);
        pcm_suggest_try(&suggestion, known, strlen(known));
    }
    return suggestion;
}

typedef struct kind_hint {
    char text[200];
} kind_hint;

/* Whether the items look like one number with commas between its digits: 1,000,000. */
static bool is_grouped(const pcm_value_reader *reader, const pcm_value_node *node)
{
    bool grouped = node->items != NULL && node->items->span.length <= 3;
    for (const pcm_item_node *item = node->items; item != NULL; item = item->next) {
        const char *text = span_text(reader, item->span);
        grouped &= (item == node->items || item->span.length == 3) && strspn(text, "0123456789") >= item->span.length;
    }
    return grouped;
}

/* What is wrong with a value in place of a number or a list. */
static kind_hint kind_hint_of(const pcm_value_reader *reader, const pcm_param *param, const pcm_value_node *node)
{
    kind_hint      hint = {""};
    const pcm_span inside = pcm_span_unquoted(reader->reports->sources, node->span);
    double         number;
    if (param->kind == PCM_KIND_LIST && node->kind == PCM_VALUE_TEXT)
        snprintf(hint.text, sizeof hint.text, ", or a column of a table: \"file.csv\".name");
    if (!pcm_kinds[param->kind].is_number)
        return hint;
    if (node->kind == PCM_VALUE_LIST && is_grouped(reader, node))
        snprintf(hint.text, sizeof hint.text, "; its digits are written without separators");
    else if (node->kind == PCM_VALUE_LIST)
        snprintf(hint.text, sizeof hint.text, "; this is a list of %u", (unsigned)node->count);
    else if (node->kind == PCM_VALUE_COLUMN)
        snprintf(hint.text, sizeof hint.text, "; this is a column of a table");
    else if (node->kind == PCM_VALUE_TEXT && pcm_number_read(span_text(reader, inside), inside.length, &number) > 0)
        snprintf(hint.text, sizeof hint.text, "; it is written without quotes, and its unit in brackets");
    else if (node->kind == PCM_VALUE_WORD)
        snprintf(hint.text, sizeof hint.text, "%s", pcm_name_hint(reader, node->span).text);
    return hint;
}

static bool wrong_kind(const pcm_value_reader *reader, const pcm_param *param, const pcm_value_node *node)
{
    const pcm_kind      *kind = &pcm_kinds[param->kind];
    const bool           infinite = kind->is_number && is_infinite_word(reader, node);
    const pcm_suggestion let = kind->is_number ? suggest_let(reader, node) : pcm_suggest("", 0);
    if (kind->is_number && node->kind == PCM_VALUE_WORD &&
        reader->incomplete) /* its Let may be in a part that could not be read */
        return false;
    pcm_message *report = pcm_report_add(
        reader->reports, PCM_ERROR, PCM_MSG_WRONG_KIND, node->span, "'%s' must be %s%s%s%s%s%s", param->name,
        infinite ? "a finite number" : kind->wanted, infinite ? "; leave it out, or write a large one such as 1e9" : "",
        PCM_DID_YOU_MEAN(let), infinite || let.best != NULL ? "" : kind_hint_of(reader, param, node).text);
    pcm_report_fix_case(reader->reports, report, node->span, &let);
    if (param->kind == PCM_KIND_TEXT && node->kind == PCM_VALUE_WORD)
        pcm_report_add_fix(reader->reports, report, node->span, "\"%.*s\"", (int)node->span.length,
                           span_text(reader, node->span));
    if (param->kind == PCM_KIND_SWITCH && node->kind == PCM_VALUE_NUMBER && (node->number == 0 || node->number == 1))
        pcm_report_add_fix(reader->reports, report, node->span, node->number == 1 ? "true" : "false");
    return false;
}

typedef struct range_text {
    char text[160];
} range_text;

/* "at least 0 and below 1 N/m". */
static range_text describe_range(const pcm_param *param)
{
    range_text  out;
    const char *above = param->flags & PCM_OPEN_MIN ? "above " : "at least ";
    const char *below = param->flags & PCM_OPEN_MAX ? "below " : "at most ";
    const bool  has_min = param->min > -INFINITY, has_max = param->max < INFINITY, bare = strcmp(param->unit, "1") == 0;
    snprintf(out.text, sizeof out.text, "%s%s%s%s%s%s%.60s", has_min ? above : "",
             has_min ? pcm_number(param->min, 0).text : "", has_min && has_max ? " and " : "", has_max ? below : "",
             has_max ? pcm_number(param->max, 0).text : "", bare ? "" : " ", bare ? "" : param->unit);
    return out;
}

pcm_wrong pcm_number_wrong(const pcm_param *param, double number)
{
    pcm_wrong  wrong = {""};
    const bool low = number < param->min || (number == param->min && (param->flags & PCM_OPEN_MIN));
    const bool high = number > param->max || (number == param->max && (param->flags & PCM_OPEN_MAX));
    const bool bare = strcmp(param->unit, "1") == 0;
    if (low || high)
        snprintf(wrong.text, sizeof wrong.text, "'%.60s' is %s%s%.60s, but must be %s", param->name,
                 pcm_number(number, 0).text, bare ? "" : " ", bare ? "" : param->unit, describe_range(param).text);
    return wrong;
}

/* The number in SI units, within the parameter's range. */
static bool check_number(const pcm_value_reader *reader, const pcm_param *param, const pcm_value_node *node,
                         double number)
{
    pcm_message *report;
    if (!isfinite(number)) {
        report = pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_VALUE_NOT_FINITE, node->span,
                                "this is not a finite number");
        pcm_note_names(reader, report, node->expression);
        return false;
    }
    const pcm_wrong wrong = pcm_number_wrong(param, number);
    if (*wrong.text == '\0')
        return true;
    report = pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_OUT_OF_RANGE, node->span, "%s", wrong.text);
    pcm_note_names(reader, report, node->expression);
    return false;
}

/* A coefficient of friction that is probably a percentage. Even larger values mean that nothing ever slips. */
static void check_friction(const pcm_value_reader *reader, const pcm_param *param, pcm_span span, double number)
{
    static const double usual = 5, percent = 100;
    if ((param->flags & PCM_CONE) && number > usual && number <= percent)
        pcm_report_add(reader->reports, PCM_WARNING, PCM_MSG_UNUSUAL, span,
                       "a coefficient of friction of %s is unusual: %s %% is %s", pcm_number(number, 6).text,
                       pcm_number(number, 6).text, pcm_number(number / 100, 6).text);
}

/* Warns of a modulus of a few pascals, which is probably in GPa, and of millinewtons where meganewtons are usual. Users
 * who really mean a soft gel write the unit. */
static void check_size(const pcm_value_reader *reader, const pcm_param *param, const pcm_param_node *node,
                       double number)
{
    static const double jelly = 1e3, softest = 10; /* Pa, of what is solid */
    const bool          modulus = strcmp(param->unit, "Pa") == 0, stiffness = strcmp(param->unit, "N/m") == 0;
    const bool          elastic = param->mix == PCM_MIX_MODULUS || param->mix == PCM_MIX_SHEAR;
    const bool          large = param->flags & PCM_REQUIRED || pcm_kind_default(param).number >= 1;
    const char         *unit = span_text(reader, node->unit);
    const size_t        at = node->unit.length > 0 && *unit == '[' ? 1 : 0;
    const bool          milli = (modulus || stiffness) && large && node->unit.length > at + 2 &&
                       memcmp(unit + at, modulus ? "mPa" : "mN/m", modulus ? 3 : 4) == 0;
    const bool bare = node->unit.length == 0 && node->value.kind == PCM_VALUE_NUMBER;
    if (modulus && (elastic || strcmp(param->name, "YoungModulus") == 0) && !milli && number > 0 &&
        number < (bare ? jelly : softest))
        pcm_report_add(reader->reports, PCM_WARNING, PCM_MSG_UNUSUAL, node->value.span,
                       "'%s' is %s Pa, softer than %s: %s [GPa], [MPa] or [Pa]", param->name,
                       pcm_number(number, 6).text, bare ? "jelly" : "any solid",
                       bare ? "write the unit," : "which unit is meant,");
    if (milli)
        pcm_report_add(reader->reports, PCM_WARNING, PCM_MSG_UNUSUAL, node->unit,
                       "'%s' is %s %s: m is milli, and mega is M; write %s [%s] if it is meant", param->name,
                       pcm_number(number, 6).text, param->unit, pcm_number(number, 6).text, param->unit);
}

static bool is_number(const pcm_value_reader *reader, const pcm_value_node *node)
{
    bool exists = true;
    if (node->kind == PCM_VALUE_WORD)
        (void)pcm_lets_find(reader, node->span, &exists);
    return exists &&
           (node->kind == PCM_VALUE_NUMBER || node->kind == PCM_VALUE_WORD || node->kind == PCM_VALUE_EXPRESSION);
}

/* The value of a plain number or an expression, in SI units. */
static bool read_number(const pcm_value_reader *reader, const pcm_param_node *node, const pcm_param *param,
                        double *number)
{
    pcm_unit     unit;
    pcm_quantity quantity;
    if (!is_number(reader, &node->value))
        return wrong_kind(reader, param, &node->value);
    if (node->value.kind == PCM_VALUE_NUMBER) {
        if (!read_unit(reader, param, node, &unit))
            return false;
        *number = pcm_unit_to_si(&unit, node->value.number);
        return true;
    }
    if (!pcm_expression_value(reader, node->value.expression, &quantity))
        return false;
    *number = quantity.number;
    return quantity.plain || fits(reader, param, node, &quantity.unit);
}

static bool read_real(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value)
{
    if (!read_number(reader, node, value->param, &value->number) ||
        !check_number(reader, value->param, &node->value, value->number))
        return false;
    check_friction(reader, value->param, node->value.span, value->number);
    check_size(reader, value->param, node, value->number);
    return true;
}

static bool read_integer(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value)
{
    static const double most = 9007199254740992.0; /* up to here, every whole number is a double */
    if (!has_no_unit(reader, value->param, node) || !read_number(reader, node, value->param, &value->number))
        return false;
    if (isfinite(value->number) && (value->number != floor(value->number) || fabs(value->number) > most))
        return wrong_kind(reader, value->param, &node->value);
    return check_number(reader, value->param, &node->value, value->number);
}

/* An item of a list. Its unit is that after the list, or its own. */
static bool read_item(const pcm_value_reader *reader, const pcm_param_node *node, const pcm_item_node *item,
                      const pcm_unit *unit, const pcm_param *param, double *number)
{
    const pcm_value_node value = {.kind = PCM_VALUE_EXPRESSION, .expression = item->expression, .span = item->span};
    const pcm_param_node whole = {.name = node->name, .value = value};
    pcm_quantity         quantity;
    *number = pcm_unit_to_si(unit, item->number);
    if (item->expression == NULL)
        return true;
    if (!pcm_expression_value(reader, item->expression, &quantity))
        return false;
    *number = quantity.plain ? pcm_unit_to_si(unit, quantity.number) : quantity.number;
    if (!quantity.plain && node->unit.length > 0) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_DIMENSION, node->unit,
                       "items of this list have units already");
        return false;
    }
    return quantity.plain || fits(reader, param, &whole, &quantity.unit);
}

/* The unit of a column, from its header or from the text. */
static bool read_column_unit(const pcm_value_reader *reader, const pcm_param_node *node, const pcm_param *param,
                             const pcm_table_column *column, pcm_unit *unit)
{
    pcm_param_node header = *node;
    if (column->unit.length == 0)
        return read_unit(reader, param, node, unit);
    if (node->unit.length > 0) {
        pcm_message *report =
            pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_DIMENSION, node->unit, "the column has a unit already");
        pcm_report_note(reader->reports, report, column->unit, "written here");
        return false;
    }
    header.unit = column->unit;
    return read_unit(reader, param, &header, unit);
}

/* A cell of a column as a number in SI units, checked against the parameter's range. */
static bool read_cell(const pcm_value_reader *reader, const pcm_param *param, pcm_table_column *column, pcm_span cell,
                      const pcm_unit *unit, double *number)
{
    const pcm_value_node node = {.kind = PCM_VALUE_NUMBER, .span = cell};
    if (!pcm_table_number(reader, column, cell, number))
        return false;
    *number = pcm_unit_to_si(unit, *number);
    return check_number(reader, param, &node, *number);
}

void pcm_column_note(const pcm_value_reader *reader, const pcm_param_node *node, pcm_message *report)
{
    pcm_table_column column;
    pcm_span         cell, falls = {0, 0, 0};
    double           number, before = -INFINITY;
    bool             equal = true;
    if (node->value.kind != PCM_VALUE_COLUMN || !pcm_table_find(reader, node->value.file, node->value.column, &column))
        return;
    while (pcm_table_next(reader, &column, &cell) && pcm_table_number(reader, &column, cell, &number)) {
        if (number < before || (number == before && falls.length == 0))
            falls = equal ? cell : falls;
        equal &= !(number < before);
        before = number;
    }
    if (falls.length > 0)
        pcm_report_note(reader->reports, report, falls, "this is not above the number before it");
}

static bool read_column(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value)
{
    pcm_table_column column;
    pcm_unit         unit;
    pcm_span         cell;
    if (!pcm_table_find(reader, node->value.file, node->value.column, &column) ||
        !read_column_unit(reader, node, value->param, &column, &unit))
        return false;
    double *numbers = pcm_arena_take(reader->arena, column.rows_most * sizeof *numbers);
    size_t  count = 0;
    reader->reports->no_memory |= numbers == NULL;
    while (numbers != NULL && pcm_table_next(reader, &column, &cell))
        if (!read_cell(reader, value->param, &column, cell, &unit, &numbers[count++]))
            return false;
    value->list = (pcm_list){numbers, count};
    return numbers != NULL && !column.wrong;
}

/* A single number is a list of one. */
static bool read_list(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value)
{
    pcm_unit              unit;
    const pcm_value_node *list = &node->value;
    const bool            single = list->kind != PCM_VALUE_LIST;
    const size_t          count = single ? 1 : list->count;
    if (list->kind == PCM_VALUE_COLUMN)
        return read_column(reader, node, value);
    if (single && !is_number(reader, list))
        return wrong_kind(reader, value->param, list);
    if (!single && !read_unit(reader, value->param, node, &unit))
        return false;
    double *numbers = pcm_arena_take(reader->arena, count * sizeof *numbers);
    reader->reports->no_memory |= numbers == NULL;
    if (numbers == NULL || (single && !read_number(reader, node, value->param, numbers)))
        return false;
    value->list = (pcm_list){numbers, count};
    for (const pcm_item_node *item = list->items; item != NULL; item = item->next, numbers++)
        if (!read_item(reader, node, item, &unit, value->param, numbers) ||
            !check_number(reader, value->param, list, *numbers))
            return false;
    return !single || check_number(reader, value->param, list, *numbers);
}

/* ---- Words ------------------------------------------------------------------------------------------------------ */

typedef struct choice_list {
    char text[200];
} choice_list;

static choice_list list_choices(const char *const *choices)
{
    choice_list list = {""};
    size_t      used = 0;
    for (size_t i = 0; choices[i] != NULL && used < sizeof list.text; i++)
        used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s%s", i > 0 ? ", " : "", choices[i]);
    return list;
}

/* Words of other languages for false and true. */
static const char *switch_meant(const char *const *switches, const char *text, size_t length)
{
    static const char *const words[2][2] = {{"no", "off"}, {"yes", "on"}};
    pcm_suggestion           meant = pcm_suggest(text, length);
    for (size_t i = 0; i < 4; i++)
        if (strlen(words[i / 2][i % 2]) == length)
            pcm_suggest_try(&meant, words[i / 2][i % 2], length);
    if (meant.best == NULL || meant.distance != 0)
        return NULL;
    return switches[meant.best == words[1][0] || meant.best == words[1][1]];
}

/* The index of the word among those that the parameter takes. */
static bool read_word(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value)
{
    const char *const *choices = pcm_kind_words(value->param);
    pcm_span           span = pcm_span_unquoted(reader->reports->sources, node->value.span);
    const char        *text = span_text(reader, span);
    pcm_suggestion     suggestion = pcm_suggest(text, span.length);
    if (!has_no_unit(reader, value->param, node))
        return false;
    if (node->value.kind != PCM_VALUE_WORD && node->value.kind != PCM_VALUE_TEXT)
        return wrong_kind(reader, value->param, &node->value);
    for (size_t i = 0; choices[i] != NULL; i++) {
        if (strlen(choices[i]) == span.length && memcmp(text, choices[i], span.length) == 0) {
            value->number = (double)i;
            value->text = choices[i];
            return true;
        }
        pcm_suggest_try(&suggestion, choices[i], strlen(choices[i]));
    }
    const char *meant = value->param->kind == PCM_KIND_SWITCH ? switch_meant(choices, text, span.length) : NULL;
    if (meant != NULL)
        suggestion = (pcm_suggestion){.best = meant, .best_length = strlen(meant)};
    pcm_message *report = pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_UNKNOWN_CHOICE, node->value.span,
                                         "'%s' must be one of %s%s%s%s", value->param->name, list_choices(choices).text,
                                         PCM_DID_YOU_MEAN(suggestion));
    pcm_report_fix_case(reader->reports, report, node->value.span, &suggestion);
    return false;
}

static bool read_text(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value)
{
    if (!has_no_unit(reader, value->param, node))
        return false;
    if (node->value.kind != PCM_VALUE_TEXT)
        return wrong_kind(reader, value->param, &node->value);
    pcm_span span = pcm_span_unquoted(reader->reports->sources, node->value.span);
    value->text = pcm_arena_text(reader->arena, span_text(reader, span), span.length);
    reader->reports->no_memory |= value->text == NULL;
    return value->text != NULL;
}

bool pcm_value_read(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value)
{
    static bool (*const readers[])(const pcm_value_reader *, const pcm_param_node *, pcm_value *) = {
        [PCM_KIND_REAL] = read_real,   [PCM_KIND_INTEGER] = read_integer, [PCM_KIND_SWITCH] = read_word,
        [PCM_KIND_CHOICE] = read_word, [PCM_KIND_TEXT] = read_text,       [PCM_KIND_LIST] = read_list,
    };
    _Static_assert(sizeof readers / sizeof *readers == PCM_KINDS, "a kind of parameter has no reader");
    return readers[value->param->kind](reader, node, value);
}
