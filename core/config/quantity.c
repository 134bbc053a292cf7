/* SPDX-License-Identifier: MIT */
#include "quantity.h"
#include "suggest.h"
#include <pcm/messages.h>

#include <math.h>
#include <stdio.h>

static const char *span_text(const pcm_value_reader *reader, pcm_span span)
{
    return pcm_span_text(reader->reports->sources, span);
}

static const pcm_unit no_unit = {.factor = 1};

/* ---- Units ------------------------------------------------------------------------------------------------------ */

/* A percentage cannot be fixed by changing the unit alone: the number changes too. */
static void report_percent(const pcm_value_reader *reader, pcm_span span, const pcm_param_node *number)
{
    pcm_message *report =
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_BAD_UNIT, span, "'%%' is not a unit: a hundredth is 0.01");
    if (number != NULL && number->value.kind == PCM_VALUE_NUMBER)
        pcm_report_add_fix(reader->reports, report, pcm_span_join(number->value.span, span), "%s",
                           pcm_number(number->value.number / 100, 0).text);
}

static void report_bad_unit(const pcm_value_reader *reader, pcm_span span, const pcm_unit_fault *fault)
{
    const char    *text = span_text(reader, span) + 1;
    const int      length = span.length - 2;
    const pcm_span where = {span.offset + 1 + (uint32_t)fault->at, (uint16_t)(fault->bad > 0 ? fault->bad : 1),
                            span.source};
    if (fault->in_si != NULL) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_BAD_UNIT, where,
                       "an unknown name in the unit [%.*s]; write it in SI units: 1 %.*s = %s", length, text,
                       (int)where.length, span_text(reader, where), fault->in_si);
        return;
    }
    if (fault->advice != NULL || strspn(text, " \t-") == (size_t)length) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_BAD_UNIT, where, "[%.*s] is not a unit; %s", length, text,
                       fault->advice != NULL ? fault->advice : "a number without a unit has no brackets");
        return;
    }
    const bool   sure = fault->instead[0] != '\0', maybe = fault->maybe[0] != '\0';
    pcm_message *report =
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_BAD_UNIT, where, "%s in the unit [%.*s]%s%s%s%s%s%s",
                       fault->error == PCM_UNIT_UNKNOWN    ? "an unknown name"
                       : fault->error == PCM_UNIT_EXPONENT ? "an exponent that is not a number such as 2, 1.5 or (4/3)"
                                                           : "a unit name, '*', '/' or '^' is expected",
                       length, text, sure ? "; write '" : "", fault->instead, sure ? "'" : "",
                       maybe ? "; did you mean " : "", maybe ? fault->maybe : "", maybe ? "?" : "");
    if (sure)
        pcm_report_add_fix(reader->reports, report, where, "%s", fault->instead);
}

bool pcm_unit_span_read(const pcm_value_reader *reader, pcm_span span, const pcm_param_node *number, pcm_unit *unit)
{
    pcm_unit_fault fault;
    const char    *text = span_text(reader, span);
    *unit = no_unit;
    if (span.length == 0 || pcm_unit_read(text + 1, span.length - 2u, unit, &fault))
        return true;
    if (text[1 + fault.at] == '%')
        report_percent(reader, span, number);
    else
        report_bad_unit(reader, span, &fault);
    return false;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

bool pcm_lets_add(pcm_lets *lets, pcm_reports *reports, const pcm_let_node *node)
{
    enum { FEWEST = 16 };
    const pcm_allocator *allocator = &lets->names.allocator;
    const pcm_span       span = pcm_span_unquoted(reports->sources, node->name);
    const uint32_t       known = lets->names.count;
    const uint32_t       number = pcm_names_add(&lets->names, pcm_span_text(reports->sources, span), span.length);
    if (number == PCM_NO_NAME)
        return false;
    if (number < known) {
        pcm_message *report = pcm_report_add(reports, PCM_ERROR, PCM_MSG_DUPLICATE_LET, node->name,
                                             "'%s' is defined already", pcm_names_text(&lets->names, number));
        pcm_report_note(reports, report, lets->list[number].name, "first defined here");
        return true;
    }
    if (number == lets->capacity) {
        const uint32_t capacity = number == 0 ? FEWEST : 2 * number;
        pcm_let       *list = allocator->allocate(allocator->user, capacity * sizeof *list);
        if (list == NULL)
            return false;
        if (number > 0) {
            memcpy(list, lets->list, number * sizeof *list);
            allocator->release(allocator->user, lets->list, number * sizeof *list);
        }
        lets->list = list;
        lets->capacity = capacity;
    }
    lets->list[number] = (pcm_let){.node = node, .name = node->name};
    return true;
}

void pcm_lets_free(pcm_lets *lets)
{
    if (lets->list != NULL)
        lets->names.allocator.release(lets->names.allocator.user, lets->list, lets->capacity * sizeof *lets->list);
    pcm_names_free(&lets->names);
}

void pcm_report_too_deep(const pcm_value_reader *reader, pcm_span use)
{
    pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TOO_DEEP, use,
                   "definitions are nested more than %d deep; use a number or a law in place of '%.*s'",
                   PCM_DEFINITIONS_DEEP, pcm_shown(use.length), span_text(reader, use));
}

static void report_cycle(const pcm_value_reader *reader, const pcm_let *let, pcm_span use)
{
    pcm_message *report = pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_CYCLE, use, "'%.*s' is defined by itself",
                                         pcm_shown(use.length), span_text(reader, use));
    pcm_report_note(reader->reports, report, let->name, "defined here");
}

/* Evaluates a Let and those that it names. The state of each finds circular definitions. */
static void work_out(const pcm_value_reader *reader, pcm_let *let)
{
    let->state = PCM_LET_OPEN;
    let->state = pcm_param_quantity(reader, let->node, &let->quantity) ? PCM_LET_GOOD : PCM_LET_BAD;
}

const pcm_let *pcm_lets_find(const pcm_value_reader *reader, pcm_span name, bool *exists)
{
    const uint32_t number = pcm_names_find(&reader->lets->names, span_text(reader, name), name.length);
    *exists = number != PCM_NO_NAME;
    if (!*exists)
        return NULL;
    pcm_let *let = &reader->lets->list[number];
    let->used = true;
    if (let->state == PCM_LET_OPEN) {
        report_cycle(reader, let, name);
        return NULL;
    }
    if (let->state == PCM_LET_UNREAD) {
        if (reader->depth == PCM_DEFINITIONS_DEEP) {
            pcm_report_too_deep(reader, name);
            return NULL;
        }
        pcm_value_reader deeper = *reader;
        deeper.depth++;
        work_out(&deeper, let);
    }
    return let->state == PCM_LET_GOOD ? let : NULL;
}

pcm_name_advice pcm_name_hint(const pcm_value_reader *reader, pcm_span name)
{
    static const char *const pi[] = {"pi", "Pi", "PI", "M_PI", "\xcf\x80"};
    pcm_name_advice          advice = {""};
    const char              *text = span_text(reader, name), *point = memchr(text, '.', name.length);
    const int                length = pcm_shown(name.length);
    for (size_t i = 0; i < sizeof pi / sizeof *pi; i++)
        if (strlen(pi[i]) == name.length && memcmp(text, pi[i], name.length) == 0)
            snprintf(advice.text, sizeof advice.text, "; write 3.14159265358979");
    for (const char *at = point; at != NULL && at + 4 < text + name.length;
         at = memchr(at + 1, '.', name.length - (size_t)(at + 1 - text)))
        if (strncmp(at, ".csv.", 5) == 0) {
            snprintf(advice.text, sizeof advice.text, "; the path of a table is written in quotes: \"%.*s\"%.*s",
                     (int)(at + 4 - text), text, length - (int)(at + 4 - text), at + 4);
            return advice;
        }
    if (point != NULL && point > text && point + 1 < text + name.length)
        snprintf(advice.text, sizeof advice.text,
                 "; an expression has no parameters of contact types: give the number a name by Let, and use it twice");
    return advice;
}

static void report_unknown_name(const pcm_value_reader *reader, pcm_span name)
{
    const char    *text = span_text(reader, name);
    pcm_suggestion suggestion = pcm_report_suggest(reader->reports, text, name.length);
    for (uint32_t i = 0; suggestion.length > 0 && i < reader->lets->names.count; i++) {
        const char *known = pcm_names_text(&reader->lets->names, i);
        pcm_suggest_try(&suggestion, known, strlen(known));
    }
    if (reader->incomplete)
        return;
    pcm_message *report = pcm_report_add(
        reader->reports, PCM_ERROR, PCM_MSG_UNKNOWN_NAME, name, "no Let defines '%.*s'%s%s%s%s", pcm_shown(name.length),
        text, PCM_DID_YOU_MEAN(suggestion), suggestion.best == NULL ? pcm_name_hint(reader, name).text : "");
    pcm_report_fix_case(reader->reports, report, name, &suggestion);
}

void pcm_lets_finish(const pcm_value_reader *reader)
{
    pcm_lets *lets = reader->lets;
    for (uint32_t i = 0; i < lets->names.count; i++)
        if (lets->list[i].state == PCM_LET_UNREAD)
            work_out(reader, &lets->list[i]);
    for (uint32_t i = 0; i < lets->names.count && reader->reports->errors == 0; i++)
        if (!lets->list[i].used)
            pcm_report_add(reader->reports, PCM_WARNING, PCM_MSG_UNUSED_LET, lets->list[i].name,
                           "nothing uses the number '%s'", pcm_names_text(&lets->names, i));
}

void pcm_note_names(const pcm_value_reader *reader, pcm_message *report, const pcm_operation *last)
{
    for (const pcm_operation *at = last == NULL ? NULL : last->next; at != NULL; at = at == last ? NULL : at->next) {
        bool           exists = false;
        const pcm_let *let = at->operation == PCM_OP_NAME ? pcm_lets_find(reader, at->span, &exists) : NULL;
        if (let != NULL)
            pcm_report_note(reader->reports, report, let->name, "'%.*s' is defined here", pcm_shown(at->span.length),
                            span_text(reader, at->span));
    }
}

/* ---- Expressions ------------------------------------------------------------------------------------------------ */

typedef struct dimension_text {
    char text[PCM_DIMENSION_SIZE + 24];
} dimension_text;

static dimension_text describe(const pcm_quantity *quantity)
{
    dimension_text out = {"a number without a unit"};
    if (!quantity->plain)
        pcm_unit_dimension(&quantity->unit, out.text);
    return out;
}

static bool read_name(const pcm_value_reader *reader, pcm_span name, pcm_quantity *result)
{
    bool           exists;
    const pcm_let *let = pcm_lets_find(reader, name, &exists);
    if (!exists)
        report_unknown_name(reader, name);
    if (let != NULL)
        *result = let->quantity;
    return let != NULL;
}

static bool give_unit(const pcm_value_reader *reader, pcm_span span, pcm_quantity *operand)
{
    pcm_unit unit;
    if (!pcm_unit_span_read(reader, span, NULL, &unit))
        return false;
    if (!operand->plain) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_DIMENSION, span,
                       "the value before this unit already has a unit: %s", describe(operand).text);
        return false;
    }
    operand->number = pcm_unit_to_si(&unit, operand->number);
    operand->plain = false;
    operand->unit = unit;
    operand->unit.tens = 0;
    operand->unit.factor = 1;
    return true;
}

static bool power_missing(const pcm_value_reader *reader, pcm_span span, const pcm_quantity *base)
{
    pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_DIMENSION, span, "there is no unit for this power of %s",
                   describe(base).text);
    return false;
}

static bool call(const pcm_value_reader *reader, pcm_span name, pcm_quantity *argument)
{
    if (name.length != 4 || memcmp(span_text(reader, name), "sqrt", 4) != 0) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_UNKNOWN_NAME, name,
                       "there is no function '%.*s'; there is sqrt", pcm_shown(name.length), span_text(reader, name));
        return false;
    }
    const pcm_quantity before = *argument;
    argument->number = sqrt(argument->number);
    return pcm_unit_raise(&argument->unit, 0.5) || power_missing(reader, name, &before);
}

static bool add(const pcm_value_reader *reader, const pcm_operation *operation, pcm_quantity *a, const pcm_quantity *b)
{
    const bool same = pcm_unit_same_dimension(&a->unit, &b->unit);
    const bool number = pcm_unit_same_dimension(&a->unit, &no_unit);
    if (!same || (a->plain != b->plain && !number)) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_DIMENSION, operation->span, "%s and %s cannot be %s",
                       describe(a).text, describe(b).text,
                       operation->operation == PCM_OP_ADD ? "added" : "subtracted from each other");
        return false;
    }
    a->number = pcm_operation_apply(operation->operation, a->number, b->number);
    a->plain &= b->plain;
    a->unit.degrees = a->unit.degrees != 0 ? a->unit.degrees : b->unit.degrees;
    return true;
}

static void scale(pcm_operator operation, pcm_quantity *a, const pcm_quantity *b)
{
    const double sign = operation == PCM_OP_MULTIPLY ? 1 : -1;
    a->number = pcm_operation_apply(operation, a->number, b->number);
    a->plain &= b->plain;
    a->unit.length += sign * b->unit.length;
    a->unit.mass += sign * b->unit.mass;
    a->unit.time += sign * b->unit.time;
    a->unit.temperature += sign * b->unit.temperature;
    a->unit.current += sign * b->unit.current;
    a->unit.degrees += sign * b->unit.degrees;
}

static bool raise(const pcm_value_reader *reader, const pcm_operation *operation, pcm_quantity *a,
                  const pcm_quantity *b)
{
    const pcm_quantity before = *a;
    if (!pcm_unit_same_dimension(&b->unit, &no_unit)) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_DIMENSION, operation->span,
                       "an exponent is a number, not %s", describe(b).text);
        return false;
    }
    a->number = pcm_power(a->number, b->number);
    if (pcm_unit_same_dimension(&a->unit, &no_unit))
        return true;
    return pcm_unit_raise(&a->unit, b->number) || power_missing(reader, operation->span, &before);
}

/* One operation on the operands below *top. */
static bool operate(const pcm_value_reader *reader, const pcm_operation *operation, pcm_quantity **top)
{
    switch (operation->operation) {
    case PCM_OP_NUMBER:
        *(*top)++ = (pcm_quantity){operation->number, no_unit, true};
        return true;
    case PCM_OP_NAME:
        return read_name(reader, operation->span, (*top)++);
    case PCM_OP_UNIT:
        return give_unit(reader, operation->span, *top - 1);
    case PCM_OP_CALL:
        return call(reader, operation->span, *top - 1);
    case PCM_OP_NEGATE:
        (*top)[-1].number = -(*top)[-1].number;
        return true;
    case PCM_OP_ADD:
    case PCM_OP_SUBTRACT:
        --*top;
        return add(reader, operation, *top - 1, *top);
    case PCM_OP_POWER:
        --*top;
        return raise(reader, operation, *top - 1, *top);
    default:
        --*top;
        scale(operation->operation, *top - 1, *top);
        return true;
    }
}

bool pcm_expression_value(const pcm_value_reader *reader, const pcm_operation *last, pcm_quantity *quantity)
{
    pcm_quantity stack[PCM_OPERANDS_MOST], *top = stack;
    for (const pcm_operation *at = last->next;; at = at->next) {
        if (!operate(reader, at, &top))
            return false;
        if (at == last)
            break;
    }
    *quantity = stack[0];
    return true;
}

bool pcm_param_quantity(const pcm_value_reader *reader, const pcm_param_node *node, pcm_quantity *quantity)
{
    if (node->value.kind != PCM_VALUE_NUMBER)
        return pcm_expression_value(reader, node->value.expression, quantity);
    *quantity = (pcm_quantity){node->value.number, no_unit, true};
    return node->unit.length == 0 || give_unit(reader, node->unit, quantity);
}
