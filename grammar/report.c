/* SPDX-License-Identifier: MIT */
#include "report.h"
#include "utf8.h"

#include <pcm/messages.h>
#include <stdio.h>

enum { MESSAGE_MOST = 1000 };

static const char too_many[] = "too many errors: only the first 1000 that were found are told";

void pcm_reports_start(pcm_reports *reports, pcm_sources *sources)
{
    *reports = (pcm_reports){.sources = sources, .arena.allocator = sources->arena.allocator};
}

void pcm_reports_free(pcm_reports *reports)
{
    pcm_arena_free(&reports->arena);
    reports->first = reports->last = NULL;
}

/* Messages quote the file, which may contain any bytes. */
static const char *safe_text(pcm_arena *arena, const char *text)
{
    size_t length = strlen(text);
    char  *copy = pcm_arena_take(arena, PCM_ESCAPE_BYTES * length + 1), *to = copy;
    if (copy == NULL)
        return NULL;
    while (length > 0) {
        const pcm_shown_piece piece = pcm_shown_next(text, length);
        memcpy(to, piece.text, piece.length);
        to += piece.length;
        text += piece.bytes;
        length -= piece.bytes;
    }
    return copy;
}

__attribute__((format(printf, 5, 0))) static pcm_message *report_make(pcm_reports *reports, pcm_severity severity,
                                                                      uint32_t code, pcm_span span, const char *format,
                                                                      va_list arguments)
{
    char text[MESSAGE_MOST];
    vsnprintf(text, sizeof text, format, arguments);
    pcm_message *report = pcm_arena_take(&reports->arena, sizeof *report);
    if (report == NULL || (report->message = safe_text(&reports->arena, text)) == NULL) {
        reports->no_memory = true;
        return NULL;
    }
    report->severity = severity;
    report->code = code;
    report->span = span;
    return report;
}

pcm_message *pcm_report_add_list(pcm_reports *reports, pcm_severity severity, uint32_t code, pcm_span span,
                                 const char *format, va_list arguments)
{
    reports->errors += severity == PCM_ERROR;
    const bool beyond = severity == PCM_ERROR && reports->errors > PCM_ERRORS_MOST;
    if (beyond && reports->errors > PCM_ERRORS_MOST + 1)
        return NULL;
    pcm_message *report = beyond ? report_make(reports, PCM_ERROR, PCM_MSG_TOO_MANY_ERRORS, span, too_many, arguments)
                                 : report_make(reports, severity, code, span, format, arguments);
    if (report == NULL)
        return NULL;
    *(reports->last == NULL ? &reports->first : &reports->last->next) = report;
    reports->last = report;
    reports->count++;
    return report;
}

pcm_message *pcm_report_add(pcm_reports *reports, pcm_severity severity, uint32_t code, pcm_span span,
                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pcm_message *report = pcm_report_add_list(reports, severity, code, span, format, arguments);
    va_end(arguments);
    return report;
}

pcm_suggestion pcm_report_suggest(const pcm_reports *reports, const char *word, size_t length)
{
    return pcm_suggest(word, reports->count < PCM_SUGGESTIONS_MOST ? length : 0);
}

void pcm_report_note(pcm_reports *reports, pcm_message *report, pcm_span span, const char *format, ...)
{
    if (report == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    pcm_message *note = report_make(reports, PCM_NOTE, report->code, span, format, arguments);
    va_end(arguments);
    pcm_message **end = &report->notes;
    while (*end != NULL)
        end = &(*end)->next;
    *end = note;
}

void pcm_report_add_fix(pcm_reports *reports, pcm_message *report, pcm_span span, const char *format, ...)
{
    char    text[MESSAGE_MOST];
    va_list arguments;
    if (report == NULL)
        return;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= MESSAGE_MOST) /* an incomplete fix is dropped */
        return;
    pcm_message_fix *fix = pcm_arena_take(&reports->arena, sizeof *fix);
    if (fix == NULL || (fix->text = pcm_arena_text(&reports->arena, text, (size_t)length)) == NULL) {
        reports->no_memory = true;
        return;
    }
    fix->span = span;
    pcm_message_fix **end = &report->fixes;
    while (*end != NULL)
        end = &(*end)->next;
    *end = fix;
}

void pcm_report_fix_case(pcm_reports *reports, pcm_message *report, pcm_span span, const pcm_suggestion *suggestion)
{
    if (suggestion->best != NULL && suggestion->distance == 0)
        pcm_report_add_fix(reports, report, pcm_span_unquoted(reports->sources, span), "%.*s",
                           (int)suggestion->best_length, suggestion->best);
}

/* Merges two sorted lists; equal reports of a come first. */
static pcm_message *merge(const pcm_sources *sources, pcm_message *a, pcm_message *b)
{
    pcm_message *first = NULL, **end = &first;
    while (a != NULL && b != NULL) {
        pcm_message **least = pcm_span_compare(sources, a->span, b->span) <= 0 ? &a : &b;
        *end = *least;
        end = &(*least)->next;
        *least = *end;
    }
    *end = a != NULL ? a : b;
    return first;
}

/* Sorts `count` reports from *list on, and advances *list past them. */
static pcm_message *sort(const pcm_sources *sources, pcm_message **list, uint32_t count)
{
    if (count == 0)
        return NULL;
    if (count == 1) {
        pcm_message *one = *list;
        *list = one->next;
        one->next = NULL;
        return one;
    }
    pcm_message *a = sort(sources, list, count / 2);
    pcm_message *b = sort(sources, list, count - count / 2);
    return merge(sources, a, b);
}

void pcm_reports_sort(pcm_reports *reports)
{
    pcm_message *list = reports->first;
    reports->first = sort(reports->sources, &list, reports->count);
    reports->last = NULL;
    for (pcm_message *report = reports->first; report != NULL; report = report->next)
        reports->last = report;
}
