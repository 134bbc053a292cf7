/* SPDX-License-Identifier: MIT */
#include "table.h"
#include "parse.h"
#include <pcm/messages.h>

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* The table of that path, if it has been read before. */
static uint32_t find_source(const pcm_sources *sources, uint32_t index)
{
    uint32_t i = 0;
    while (i < index && !(sources->list[i].table && sources->list[i].text != NULL &&
                          strcmp(sources->list[i].name, sources->list[index].name) == 0))
        i++;
    return i;
}

/* The source of the file; UINT32_MAX if it cannot be read, which is reported. */
static uint32_t open_source(const pcm_value_reader *reader, pcm_span file)
{
    pcm_reports *reports = reader->reports;
    pcm_sources *sources = reports->sources;
    if (sources->count == PCM_SOURCES_MOST) {
        pcm_report_add(reports, PCM_ERROR, PCM_MSG_INCLUDE_COUNT, file, "more than 1000 files are included");
        return UINT32_MAX;
    }
    const uint32_t index = pcm_source_add_named(reports, file);
    if (index == UINT32_MAX)
        return index;
    const uint32_t known = find_source(sources, index);
    sources->list[index].table = true;
    if (known < index) {
        sources->count--; /* its name stays in the arena */
        return known;
    }
    return pcm_source_open(reports, index, NULL, 0) ? index : UINT32_MAX;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* A row of text while it is read. */
typedef struct line {
    const char *start, *at, *end;
} line;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

static const char *cut_blanks(const char *start, const char *end)
{
    while (end > start && is_blank(end[-1]))
        end--;
    return end;
}

/* The next line with cells; false at the end of the text. */
static bool next_line(const pcm_source *source, size_t *at, line *row)
{
    while (*at < source->length) {
        const char *start = source->text + *at, *newline = memchr(start, '\n', source->length - *at);
        const char *end = newline != NULL ? newline : source->text + source->length;
        *at = (size_t)(end - source->text) + (newline != NULL);
        const char *first = skip_blanks(start, end);
        *row = (line){first, first, end};
        if (first < end && *first != '#')
            return true;
    }
    return false;
}

static pcm_span span_of(const pcm_source *source, uint32_t index, const char *start, const char *end)
{
    const size_t length = (size_t)(end - start);
    return (pcm_span){(uint32_t)(start - source->text), (uint16_t)(length < PCM_SPAN_MOST ? length : PCM_SPAN_MOST),
                      (uint16_t)index};
}

/* One cell; false if its quotes do not close on this line, or something follows them. */
static bool take_cell(line *row, const char **start, const char **end)
{
    const char *at = skip_blanks(row->at, row->end);
    if (at < row->end && *at == '"') {
        *start = ++at;
        while (at < row->end && (*at != '"' || (at + 1 < row->end && at[1] == '"')))
            at += *at == '"' ? 2 : 1;
        *end = at;
        row->at = at < row->end ? skip_blanks(at + 1, row->end) : at;
        return at < row->end && (row->at == row->end || *row->at == ',');
    }
    *start = at;
    while (at < row->end && *at != ',')
        at++;
    *end = cut_blanks(*start, at);
    row->at = at;
    return true;
}

/* Whether a comma follows, and with it another cell. */
static bool more_cells(line *row)
{
    const bool more = row->at < row->end;
    row->at += more;
    return more;
}

static void report_quotes(const pcm_value_reader *reader, pcm_span cell)
{
    pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_TEXT, cell,
                   "the closing '\"' of this cell is missing on its line");
}

/* ---- The header ------------------------------------------------------------------------------------------------- */

/* Splits "name [unit]". */
static void split_header(const char *start, const char **end, const char **unit)
{
    const char *at = *end;
    *unit = NULL;
    if (at == start || at[-1] != ']')
        return;
    while (at > start && at[-1] != '[')
        at--;
    if (at == start)
        return;
    *unit = at - 1;
    *end = cut_blanks(start, at - 1);
}

/* The result of looking for a name in a header. */
typedef struct header {
    pcm_suggestion nearest;
    pcm_span       first, found; /* the first cell; the cells of that name: length 0 if there is none */
    bool           repeated;
} header;

/* A suggested name is copied, since the line is overwritten. */
static void suggest_name(pcm_reports *reports, pcm_suggestion *nearest, const char *start, const char *end)
{
    pcm_suggest_try(nearest, start, (size_t)(end - start));
    if (nearest->best != start)
        return;
    nearest->best = pcm_arena_text(&reports->arena, start, (size_t)(end - start));
    reports->no_memory |= nearest->best == NULL;
}

static void take_name(const pcm_value_reader *reader, pcm_table_column *column, header *seen, const char *start,
                      const char *end, pcm_span name)
{
    const pcm_source *source = &reader->reports->sources->list[column->source];
    const char       *wanted = pcm_span_text(reader->reports->sources, name), *whole = end, *unit;
    split_header(start, &end, &unit);
    suggest_name(reader->reports, &seen->nearest, start, end);
    if ((size_t)(end - start) != name.length || memcmp(start, wanted, name.length) != 0)
        return;
    seen->repeated |= seen->found.length > 0;
    seen->found = span_of(source, column->source, start, whole > start ? whole : start + 1);
    column->number = column->cells;
    if (unit != NULL)
        column->unit = span_of(source, column->source, unit, whole);
}

static bool report_header(const pcm_value_reader *reader, pcm_span name, const header *seen)
{
    pcm_message *report;
    if (seen->repeated) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_COLUMN, seen->found, "a column '%.*s' is there twice",
                       pcm_shown(name.length), pcm_span_text(reader->reports->sources, name));
        return false;
    }
    if (seen->found.length > 0)
        return true;
    report = pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_COLUMN, name,
                            "the table has no column '%.*s'%s%s%s", pcm_shown(name.length),
                            pcm_span_text(reader->reports->sources, name), PCM_DID_YOU_MEAN(seen->nearest));
    pcm_report_note(reader->reports, report, seen->first, "its columns are named here");
    pcm_report_fix_case(reader->reports, report, name, &seen->nearest);
    return false;
}

static bool read_header(const pcm_value_reader *reader, pcm_table_column *column, pcm_span file, pcm_span name)
{
    const pcm_source *source = &reader->reports->sources->list[column->source];
    const char       *wanted = pcm_span_text(reader->reports->sources, name), *start, *end;
    header            seen = {.nearest = pcm_suggest(wanted, name.length)};
    line              row;
    if (!next_line(source, &column->at, &row)) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_TEXT, file,
                       "the table is empty: its first row must name the columns");
        return false;
    }
    seen.first = span_of(source, column->source, row.start, row.start + 1);
    do {
        if (!take_cell(&row, &start, &end)) {
            report_quotes(reader, span_of(source, column->source, start - 1, end));
            return false;
        }
        take_name(reader, column, &seen, start, end, name);
        column->cells++;
    } while (more_cells(&row));
    return report_header(reader, name, &seen);
}

static size_t count_lines(const pcm_source *source, size_t from)
{
    size_t count = 1;
    for (size_t i = from; i < source->length; i++)
        count += source->text[i] == '\n';
    return count;
}

bool pcm_table_find(const pcm_value_reader *reader, pcm_span file, pcm_span name, pcm_table_column *column)
{
    *column = (pcm_table_column){.source = open_source(reader, file)};
    if (column->source == UINT32_MAX)
        return false;
    const pcm_source *source = &reader->reports->sources->list[column->source];
    column->at = source->start;
    if (!read_header(reader, column, file, pcm_span_unquoted(reader->reports->sources, name)))
        return false;
    const size_t lines = count_lines(source, column->at);
    column->rows_most = lines < PCM_TABLE_ROWS_MOST ? lines : PCM_TABLE_ROWS_MOST;
    return true;
}

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

static bool stop(pcm_table_column *column)
{
    column->wrong = true;
    return false;
}

/* Reads all cells of a row, and keeps that of the column. */
static bool take_row(const pcm_value_reader *reader, pcm_table_column *column, line *row, pcm_span *cell)
{
    const pcm_source *source = &reader->reports->sources->list[column->source];
    const char       *start, *end;
    uint32_t          count = 0;
    do {
        if (!take_cell(row, &start, &end)) {
            report_quotes(reader, span_of(source, column->source, start - 1, end));
            return stop(column);
        }
        if (count++ == column->number)
            *cell = span_of(source, column->source, start, end);
    } while (more_cells(row));
    if (count == column->cells)
        return true;
    pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_TEXT,
                   span_of(source, column->source, row->start, cut_blanks(row->start, row->end)),
                   "this row has %u cells, but the header names %u columns", count, column->cells);
    return stop(column);
}

bool pcm_table_next(const pcm_value_reader *reader, pcm_table_column *column, pcm_span *cell)
{
    const pcm_source *source = &reader->reports->sources->list[column->source];
    line              row;
    if (!next_line(source, &column->at, &row)) {
        if (column->rows > 0)
            return false;
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_TEXT, source->included,
                       "the table has no rows of numbers");
        return stop(column);
    }
    if (column->rows++ == PCM_TABLE_ROWS_MOST) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_TEXT,
                       span_of(source, column->source, row.start, row.start + 1), "a list has at most %d numbers",
                       PCM_TABLE_ROWS_MOST);
        return stop(column);
    }
    return take_row(reader, column, &row, cell);
}
