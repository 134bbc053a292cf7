/* SPDX-License-Identifier: MIT */
#include "characters.h"
#include "parser.h"
#include <pcm/messages.h>

#include <stdarg.h>

pcm_message *pcm_parser_error(pcm_parser *parser, uint32_t code, pcm_span span, const char *format, ...)
{
    if (parser->stopped)
        return NULL;
    va_list arguments;
    va_start(arguments, format);
    pcm_message *report = pcm_report_add_list(parser->reports, PCM_ERROR, code, span, format, arguments);
    va_end(arguments);
    parser->stopped = parser->reports->errors > PCM_ERRORS_MOST;
    return report;
}

void *pcm_parser_take(pcm_parser *parser, size_t bytes)
{
    void *memory = pcm_arena_take(&parser->reports->arena, bytes);
    if (memory == NULL)
        parser->stopped = parser->reports->no_memory = true;
    return memory;
}

bool pcm_parse(pcm_reports *reports, uint32_t index, const pcm_listener *listener, bool *incomplete)
{
    pcm_source *source = &reports->sources->list[index];
    pcm_parser  parser = {
         .reports = reports,
         .listener = listener,
         .incomplete = incomplete,
         .source = index,
         .text = source->text,
         .current_end = source->start,
         .statement_next = !source->setting,
         .setting = source->setting,
         .in_block = source->setting,
    };
    if (!pcm_scanner_start(&parser)) {
        reports->no_memory = true;
        return false;
    }
    source->open = true;
    if (pcm_grammar_parse(&parser) != 0 || parser.stopped)
        *incomplete = true;
    reports->sources->list[index].open = false; /* the list may have moved */
    pcm_scanner_end(&parser);
    return !reports->no_memory;
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* With its mark, or of ASCII characters without. */
static bool is_utf16(const pcm_source *source)
{
    const char *text = source->text;
    return source->length >= 4 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0 ||
                                   (!text[0] != !text[1] && !text[0] == !text[2] && !text[1] == !text[3]));
}

static void report_unreadable(pcm_reports *reports, pcm_span place, const pcm_source *source, const char *reason)
{
    const bool   included = source->depth > 0, backslash = included && strchr(source->name, '\\') != NULL;
    const char  *hint = backslash                             ? "; folders are separated by '/'"
                        : !included                           ? ""
                        : strstr(source->name, "://") != NULL ? "; it must be a file of this machine"
                        : strchr(source->name, '*') != NULL   ? "; a path is no pattern: each file is named by itself"
                        : strstr(source->name, "~/") != NULL  ? "; '~' is the shell's: write the whole path"
                        : strchr(source->name, '$') != NULL   ? "; a path has no variables of the shell"
                                                              : "";
    pcm_message *report = pcm_report_add(reports, PCM_ERROR, PCM_MSG_UNREADABLE, place, "cannot read '%s': %s%s",
                                         source->name, reason, hint);
    if (!backslash)
        return;
    const char *text = pcm_span_text(reports->sources, place);
    char       *path = pcm_arena_text(&reports->arena, text, place.length);
    reports->no_memory |= path == NULL;
    for (char *at = path; at != NULL && (at = strchr(at, '\\')) != NULL;)
        *at = '/';
    if (path != NULL)
        pcm_report_add_fix(reports, report, place, "%s", path);
}

bool pcm_source_open(pcm_reports *reports, uint32_t index, const char *text, size_t length)
{
    const char *reason = NULL;
    pcm_read    read = text == NULL ? pcm_source_read(reports->sources, index, &reason)
                                    : pcm_source_take(reports->sources, index, text, length);
    pcm_source *source = &reports->sources->list[index];
    pcm_span    place = source->depth > 0 ? source->included : (pcm_span){0, 0, (uint16_t)index};
    switch (read) {
    case PCM_READ_OK:
        break;
    case PCM_READ_FAILED:
        report_unreadable(reports, place, source, reason);
        return false;
    case PCM_READ_TOO_LARGE:
        pcm_report_add(reports, PCM_ERROR, PCM_MSG_FILE_TOO_LARGE, place, "'%s' is larger than 1 GiB", source->name);
        return false;
    case PCM_READ_NO_MEMORY:
        reports->no_memory = true;
        return false;
    }
    if (is_utf16(source)) {
        pcm_report_add(reports, PCM_ERROR, PCM_MSG_NOT_UTF8, place, "'%s' is UTF-16 text; save it as UTF-8",
                       source->name);
        return false;
    }
    const char *nul = memchr(source->text, '\0', source->length); /* flex would read the text before it again */
    if (nul != NULL) {
        place = (pcm_span){(uint32_t)(nul - source->text), 1, (uint16_t)index};
        pcm_report_add(reports, PCM_ERROR, PCM_MSG_BAD_BYTE, place, "the byte 0x00 is not allowed here; remove it");
        return false;
    }
    return source->table || pcm_check_characters(reports, index);
}

uint32_t pcm_source_add_named(pcm_reports *reports, pcm_span span)
{
    pcm_sources      *sources = reports->sources;
    const pcm_source *at = &sources->list[span.source];
    const pcm_span    path = pcm_span_unquoted(sources, span);
    const char       *text = pcm_span_text(sources, path), *slash = at->inode == 0 ? NULL : strrchr(at->name, '/');
    const size_t      directory = *text == '/' || slash == NULL ? 0 : (size_t)(slash + 1 - at->name);
    const uint32_t    depth = at->depth + 1;
    char             *name = pcm_arena_take(&reports->arena, directory + path.length + 1);
    uint32_t          index = UINT32_MAX;
    if (name != NULL) {
        memcpy(name, at->name, directory);
        memcpy(name + directory, text, path.length);
        index = pcm_sources_add(sources, name, directory + path.length);
    }
    if (index == UINT32_MAX) {
        reports->no_memory = true;
        return index;
    }
    sources->list[index].included = span;
    sources->list[index].depth = depth;
    return index;
}

/* The first source with the same file, possibly itself. */
static uint32_t same_file(const pcm_sources *sources, uint32_t index)
{
    const pcm_source *list = sources->list, *source = &list[index];
    uint32_t          i = 0;
    while (i < index && (list[i].text == NULL || list[i].inode != source->inode || list[i].device != source->device))
        i++;
    return i;
}

bool pcm_parser_include(pcm_parser *parser, pcm_span span)
{
    pcm_reports *reports = parser->reports;
    pcm_sources *sources = reports->sources;
    if (parser->stopped)
        return false;
    if (parser->listener->token != NULL)
        return true;
    if (sources->list[parser->source].depth == PCM_INCLUDE_DEPTH_MOST || sources->count == PCM_SOURCES_MOST) {
        bool deep = sources->count < PCM_SOURCES_MOST;
        *parser->incomplete = true;
        pcm_parser_error(parser, deep ? PCM_MSG_INCLUDE_DEPTH : PCM_MSG_INCLUDE_COUNT, span,
                         deep ? "includes are nested more than 16 deep" : "more than 1000 files are included");
        return true;
    }
    uint32_t index = pcm_source_add_named(reports, span);
    if (index == UINT32_MAX) {
        parser->stopped = true;
        return false;
    }
    if (!pcm_source_open(reports, index, NULL, 0)) {
        *parser->incomplete = true;
        return !reports->no_memory;
    }
    uint32_t same = same_file(sources, index);
    if (same == index)
        return pcm_parse(reports, index, parser->listener, parser->incomplete);
    if (sources->list[same].open) /* otherwise it has been read already, and once is enough */
        pcm_parser_error(parser, PCM_MSG_INCLUDE_CYCLE, span, "'%s' includes itself", sources->list[same].name);
    return true;
}
