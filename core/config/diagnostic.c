/* SPDX-License-Identifier: MIT */
#include "diagnostic.h"
#include "pattern.h"
#include "utf8.h"

#include <stdio.h>

enum {
    TAB = 8,
    LINE_MOST = 160,  /* bytes of a source line that are shown */
    BEFORE_MOST = 60, /* of these, bytes before the place, if the line is longer */
    GUTTER_DIGITS = 5
};

size_t pcm_show_piece(const char *name, size_t length, char piece[PCM_SHOWN_MOST], size_t *shown)
{
    const pcm_shown_piece next = pcm_shown_next(name, length);
    _Static_assert(sizeof next.text == PCM_SHOWN_MOST, "the same piece");
    memcpy(piece, next.text, sizeof next.text);
    *shown = next.length;
    return next.bytes;
}

/* ---- Sending ---------------------------------------------------------------------------------------------------- */

/* The place of a range that may be empty. */
static pcm_place fix_place(const pcm_sources *sources, pcm_span span)
{
    const uint16_t length = span.length;
    span.length = length > 0 ? length : 1;
    pcm_place place = pcm_span_place(sources, span);
    place.length = length;
    return place;
}

static void report_send(const pcm_reports *reports, pcm_context *context, const pcm_message *report)
{
    const pcm_sources *sources = reports->sources;
    pcm_place          includes[PCM_INCLUDE_DEPTH_MOST];
    pcm_fix            fixes[PCM_FIXES_MOST];
    pcm_diagnostic     diagnostic = {
            .size = sizeof diagnostic,
            .severity = report->severity,
            .code = report->code,
            .message = report->message,
            .place = pcm_span_place(sources, report->span),
            .includes = includes,
            .fixes = fixes,
    };
    for (const pcm_message_fix *fix = report->fixes; fix != NULL && diagnostic.n_fixes < PCM_FIXES_MOST;
         fix = fix->next)
        fixes[diagnostic.n_fixes++] = (pcm_fix){fix_place(sources, fix->span), fix->text};
    for (const pcm_source *source = &sources->list[report->span.source]; source->depth > 0 && !source->table;) {
        includes[diagnostic.n_includes++] = pcm_span_place(sources, source->included);
        source = &sources->list[source->included.source];
    }
    pcm_emit(context, &diagnostic);
}

void pcm_reports_send(pcm_reports *reports, pcm_context *context)
{
    pcm_reports_sort(reports);
    pcm_reports_send_sorted(reports, context);
}

void pcm_reports_send_sorted(const pcm_reports *reports, pcm_context *context)
{
    for (const pcm_message *report = reports->first; report != NULL; report = report->next) {
        report_send(reports, context, report);
        for (const pcm_message *note = report->notes; note != NULL; note = note->next)
            report_send(reports, context, note);
    }
}

/* ---- Formatting for people -------------------------------------------------------------------------------------- */

/* Text in the caller's buffer. Text that does not fit is only counted. */
typedef struct writer {
    char  *buffer;
    size_t size, used;
} writer;

static void put(writer *to, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++, to->used++)
        if (to->used + 1 < to->size)
            to->buffer[to->used] = text[i];
}

static void put_text(writer *to, const char *text) { put(to, text, strlen(text)); }

static void put_repeated(writer *to, char c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(to, &c, 1);
}

static void put_number(writer *to, uint32_t number, int width)
{
    char text[16];
    int  length = snprintf(text, sizeof text, "%*u", width, (unsigned)number);
    put(to, text, (size_t)length);
}

/* One character of a source line as a terminal shows it. */
typedef struct glyph {
    size_t bytes;   /* taken from the line */
    size_t columns; /* width in columns */
    bool   plain;   /* shown unchanged; else as spaces (a tab) or as \xNN */
} glyph;

static glyph glyph_at(const char *text, size_t length, size_t column)
{
    if (*text == '\t')
        return (glyph){1, TAB - column % TAB, false};
    size_t bytes = pcm_utf8_shown(text, length);
    return bytes > 0 ? (glyph){bytes, 1, true} : (glyph){1, PCM_ESCAPE_BYTES, false};
}

static void put_glyph(writer *to, const char *text, glyph shown)
{
    if (shown.plain) {
        put(to, text, shown.bytes);
    } else if (*text == '\t') {
        put_repeated(to, ' ', shown.columns);
    } else {
        char escape[PCM_ESCAPE_BYTES];
        pcm_escape(escape, *text);
        put(to, escape, sizeof escape);
    }
}

/* The name of a file, or a message with names in it. It may contain any byte but NUL. */
static void put_shown(writer *to, const char *text)
{
    for (size_t length = strlen(text); length > 0;) {
        glyph shown = glyph_at(text, length, 0);
        put_glyph(to, text, shown);
        text += shown.bytes;
        length -= shown.bytes;
    }
}

/* The source line, and the caret below it. Of a long line only the part around the place. */
static void put_source(writer *to, const pcm_place *place)
{
    const char *line = place->source_line;
    size_t      length = place->source_line_length, at = place->column - 1, start = 0;
    if (length > LINE_MOST && at > BEFORE_MOST) {
        start = at - BEFORE_MOST;
        while (start < at && ((unsigned char)line[start] & 0xc0) == 0x80)
            start++;
    }
    size_t end = length - start > LINE_MOST ? start + LINE_MOST : length;
    while (end > at && end < length && ((unsigned char)line[end] & 0xc0) == 0x80)
        end--;
    put_number(to, place->line, GUTTER_DIGITS);
    put_text(to, start > 0 ? " | ..." : " | ");
    size_t column = 0, before = 0, under = 0; /* columns: so far, before the place, of the place */
    for (size_t i = start; i < end;) {
        glyph shown = glyph_at(line + i, length - i, column);
        put_glyph(to, line + i, shown);
        column += shown.columns;
        if (i < at)
            before += shown.columns;
        else if (i < at + place->length)
            under += shown.columns;
        i += shown.bytes;
    }
    put_text(to, end < length ? "...\n" : "\n");
    put_repeated(to, ' ', GUTTER_DIGITS);
    put_text(to, start > 0 ? " |    " : " | ");
    put_repeated(to, ' ', before);
    put_text(to, "^");
    put_repeated(to, '~', under > 1 ? under - 1 : 0);
    put_text(to, "\n");
}

static void put_includes(writer *to, const pcm_diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < diagnostic->n_includes; i++) {
        put_text(to, i == 0 ? "In file included from " : "                 from ");
        put_shown(to, diagnostic->includes[i].file);
        put_text(to, ":");
        put_number(to, diagnostic->includes[i].line, 0);
        put_text(to, "\n");
    }
}

size_t pcm_diagnostic_format(const pcm_diagnostic *diagnostic, char *buffer, size_t size)
{
    static const char *const severities[] = {[PCM_NOTE] = "note", [PCM_WARNING] = "warning", [PCM_ERROR] = "error"};
    const pcm_place         *place = &diagnostic->place;
    writer                   to = {buffer, size, 0};
    if (diagnostic->severity != PCM_NOTE)
        put_includes(&to, diagnostic);
    if (place->file != NULL) {
        put_shown(&to, place->file);
        put_text(&to, ":");
        if (place->line > 0) {
            put_number(&to, place->line, 0);
            put_text(&to, ":");
            put_number(&to, place->column, 0);
            put_text(&to, ":");
        }
        put_text(&to, " ");
    }
    put_text(&to, severities[diagnostic->severity]);
    put_text(&to, ": ");
    put_shown(&to, diagnostic->message);
    put_text(&to, " [PCM-");
    put_number(&to, diagnostic->code, 0);
    put_text(&to, "]\n");
    if (place->line > 0 && place->source_line != NULL)
        put_source(&to, place);
    if (size > 0)
        buffer[to.used < size ? to.used : size - 1] = '\0';
    return to.used;
}
