/* SPDX-License-Identifier: MIT */
#include "value.h"
#include "kinds.h"
#include "suggest.h"
#include "units.h"
#include <pcm/messages.h>

#include <math.h>
#include <stdio.h>

static const char *span_text(const pcm_value_reader *reader, pcm_span span)
{
    return pcm_span_text(reader->reports->sources, span);
}

/* ---- Units ------------------------------------------------------------------------------------------------------ */

/* A percentage has no unit to be turned into: the number changes too. */
static void report_percent(const pcm_value_reader *reader, const pcm_param *param, const pcm_param_node *node)
{
    char plain[PCM_NUMBER_SIZE];
    pcm_number_write(node->value.number / 100, 0, plain);
    pcm_message *report = pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_BAD_UNIT, node->unit,
                                         "'%%' is not a unit: a hundredth is 0.01");
    if (node->value.kind == PCM_VALUE_NUMBER && strcmp(param->unit, "1") == 0)
        pcm_report_add_fix(reader->reports, report, pcm_span_join(node->value.span, node->unit), "%s", plain);
}

static void report_bad_unit(const pcm_value_reader *reader, const pcm_param *param, const pcm_param_node *node,
                            const pcm_unit_fault *fault)
{
    const char    *text = span_text(reader, node->unit) + 1;
    const int      length = node->unit.length - 2;
    const pcm_span where = {node->unit.offset + 1 + (uint32_t)fault->at, (uint16_t)(fault->bad > 0 ? fault->bad : 1),
                            node->unit.source};
    const char    *bad = span_text(reader, where);
    if (*bad == '%') {
        report_percent(reader, param, node);
        return;
    }
    if (fault->in_si != NULL) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_BAD_UNIT, where,
                       "an unknown name in the unit [%.*s]; write it in SI units: 1 %.*s = %s", length, text,
                       (int)where.length, bad, fault->in_si);
        return;
    }
    const bool   sure = fault->instead[0] != '\0';
    pcm_message *report =
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_BAD_UNIT, where, "%s in the unit [%.*s]%s%s%s",
                       fault->error == PCM_UNIT_UNKNOWN    ? "an unknown name"
                       : fault->error == PCM_UNIT_EXPONENT ? "an exponent that is not a whole or half number"
                                                           : "a unit name, '*' or '/' is expected",
                       length, text, sure ? "; write '" : "", fault->instead, sure ? "'" : "");
    if (sure)
        pcm_report_add_fix(reader->reports, report, where, "%s", fault->instead);
}

static void report_dimension(const pcm_value_reader *reader, const pcm_param *param, pcm_span span,
                             const pcm_unit *unit, const pcm_unit *wanted)
{
    char        has[PCM_DIMENSION_SIZE], wants[PCM_DIMENSION_SIZE];
    const char *text = span_text(reader, span);
    pcm_unit_dimension(unit, has);
    pcm_unit_dimension(wanted, wants);
    if (strcmp(param->unit, "1") == 0)
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_WRONG_UNIT, span, "'%s' has no unit; %.*s is %s",
                       param->name, (int)span.length, text, unit->degrees != 0 ? "an angle" : has);
    else
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_WRONG_UNIT, span,
                       "%.*s is %s, but '%s' is %s: write it in [%s], for example", (int)span.length, text, has,
                       param->name, wants, param->unit);
}

/* The unit that a number was written in; without one, SI. */
static bool read_unit(const pcm_value_reader *reader, const pcm_param *param, const pcm_param_node *node,
                      pcm_unit *unit)
{
    pcm_unit       wanted;
    pcm_unit_fault fault;
    *unit = (pcm_unit){.factor = 1};
    if (node->unit.length == 0)
        return true;
    if (!pcm_unit_read(span_text(reader, node->unit) + 1, node->unit.length - 2u, unit, &fault)) {
        report_bad_unit(reader, param, node, &fault);
        return false;
    }
    pcm_unit_read(param->unit, strlen(param->unit), &wanted, &fault);
    const bool angle = unit->degrees != 0 && strcmp(param->unit, "1") == 0;
    if (pcm_unit_same_dimension(unit, &wanted) && !angle)
        return true;
    report_dimension(reader, param, node->unit, unit, &wanted);
    return false;
}

static bool has_no_unit(const pcm_value_reader *reader, const pcm_param *param, const pcm_param_node *node)
{
    if (node->unit.length == 0)
        return true;
    pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_WRONG_UNIT, node->unit, "'%s' has no unit", param->name);
    return false;
}

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

/* "inf" and what else stands for numbers that parameters never are. */
static bool is_infinite_word(const pcm_value_reader *reader, const pcm_value_node *node)
{
    static const char *const words[] = {"inf", "infinity", "infinite", "nan"};
    pcm_suggestion           word = pcm_suggest(span_text(reader, node->span), node->span.length);
    for (size_t i = 0; node->kind == PCM_VALUE_WORD && i < sizeof words / sizeof *words; i++)
        if (node->span.length == strlen(words[i]))
            pcm_suggest_try(&word, words[i], strlen(words[i]));
    return word.best != NULL && word.distance == 0;
}

static bool wrong_kind(const pcm_value_reader *reader, const pcm_param *param, const pcm_value_node *node)
{
    const pcm_kind *kind = &pcm_kinds[param->kind];
    const bool      infinite = kind->is_number && is_infinite_word(reader, node);
    pcm_message    *report = pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_WRONG_KIND, node->span,
                                            "'%s' must be %s%s", param->name, infinite ? "a finite number" : kind->wanted,
                                         infinite ? "; leave it out, or write a large one such as 1e9" : "");
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

/* The number in SI units, within the parameter's range. */
static bool check_number(const pcm_value_reader *reader, const pcm_param *param, pcm_span span, double number)
{
    if (!isfinite(number)) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_VALUE_NOT_FINITE, span, "this is not a finite number");
        return false;
    }
    const bool low = number < param->min || (number == param->min && (param->flags & PCM_OPEN_MIN));
    const bool high = number > param->max || (number == param->max && (param->flags & PCM_OPEN_MAX));
    const bool bare = strcmp(param->unit, "1") == 0;
    if (!low && !high)
        return true;
    pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_OUT_OF_RANGE, span, "'%s' is %s%s%s, but must be %s",
                   param->name, pcm_number(number, 0).text, bare ? "" : " ", bare ? "" : param->unit,
                   describe_range(param).text);
    return false;
}

static bool read_real(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value)
{
    pcm_unit unit;
    if (node->value.kind != PCM_VALUE_NUMBER)
        return wrong_kind(reader, value->param, &node->value);
    if (!read_unit(reader, value->param, node, &unit))
        return false;
    value->number = pcm_unit_to_si(&unit, node->value.number);
    return check_number(reader, value->param, node->value.span, value->number);
}

static bool read_integer(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value)
{
    static const double most = 9007199254740992.0; /* up to here, every whole number is a double */
    if (!has_no_unit(reader, value->param, node))
        return false;
    value->number = node->value.number;
    if (node->value.kind != PCM_VALUE_NUMBER ||
        (isfinite(value->number) && (value->number != floor(value->number) || fabs(value->number) > most)))
        return wrong_kind(reader, value->param, &node->value);
    return check_number(reader, value->param, node->value.span, value->number);
}

/* A single number is a list of one. */
static bool read_list(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value)
{
    pcm_unit              unit;
    const pcm_value_node *list = &node->value;
    const pcm_item_node   one = {NULL, list->number};
    if (list->kind != PCM_VALUE_LIST && list->kind != PCM_VALUE_NUMBER)
        return wrong_kind(reader, value->param, list);
    if (!read_unit(reader, value->param, node, &unit))
        return false;
    size_t  count = list->kind == PCM_VALUE_LIST ? list->count : 1;
    double *numbers = pcm_arena_take(reader->arena, count * sizeof *numbers);
    if (numbers == NULL) {
        reader->reports->no_memory = true;
        return false;
    }
    value->list = (pcm_list){numbers, count};
    for (const pcm_item_node *item = list->kind == PCM_VALUE_LIST ? list->items : &one; item != NULL;
         item = item->next) {
        *numbers = pcm_unit_to_si(&unit, item->number);
        if (!check_number(reader, value->param, list->span, *numbers++))
            return false;
    }
    return true;
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

/* What other languages call false and true. */
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

/* The word's place among those that the parameter takes. */
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
