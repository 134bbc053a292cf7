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
    char        separator;
} line;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* What separates the cells of the table with that header. */
static char find_separator(const char *at, const char *end)
{
    char found = '\0';
    for (bool quoted = false; at < end; at++) {
        quoted ^= *at == '"';
        if (*at == ',' && !quoted)
            return ',';
        if ((*at == ';' || *at == '\t') && !quoted && found != ';')
            found = *at;
    }
    return found == '\0' ? ',' : found;
}

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
static bool next_line(const pcm_source *source, size_t *at, char separator, line *row)
{
    while (*at < source->length) {
        const char *start = source->text + *at, *newline = memchr(start, '\n', source->length - *at);
        const char *end = newline != NULL ? newline : source->text + source->length;
        *at = (size_t)(end - source->text) + (newline != NULL);
        const char *first = skip_blanks(start, end);
        *row = (line){first, separator == '\t' ? start : first, end, separator};
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

/* A tab is no blank where it separates cells. */
static const char *skip_in_row(const line *row, const char *at)
{
    while (at < row->end && is_blank(*at) && *at != row->separator)
        at++;
    return at;
}

/* One cell; false if its quotes do not close on this line, or something follows them. */
static bool take_cell(line *row, const char **start, const char **end)
{
    const char *at = skip_in_row(row, row->at);
    if (at < row->end && *at == '"') {
        *start = ++at;
        while (at < row->end && (*at != '"' || (at + 1 < row->end && at[1] == '"')))
            at += *at == '"' ? 2 : 1;
        *end = at;
        row->at = at < row->end ? skip_in_row(row, at + 1) : at;
        return at < row->end && (row->at == row->end || *row->at == row->separator);
    }
    *start = at;
    while (at < row->end && *at != row->separator)
        at++;
    *end = cut_blanks(*start, at);
    row->at = at;
    return true;
}

/* Whether a separator follows, and with it another cell. */
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
    pcm_span       first, found;      /* the first cell; the cells of that name: length 0 if there is none */
    bool           repeated, numbers; /* numbers: a cell is a number, and no name */
    pcm_span       wrapped;           /* the cell of that name whose unit is in parentheses; length 0: none */
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
    double number;
    suggest_name(reader->reports, &seen->nearest, start, end);
    seen->numbers |= start < end && pcm_number_read(start, (size_t)(end - start), &number) == (size_t)(end - start);
    const bool  same = (size_t)(end - start) >= name.length && memcmp(start, wanted, name.length) == 0;
    const char *behind = same ? skip_blanks(start + name.length, end) : end;
    if (same && behind < end && *behind == '(')
        seen->wrapped = span_of(source, column->source, behind, end);
    if (!same || (size_t)(end - start) != name.length)
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
    if (seen->wrapped.length > 2) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_COLUMN, seen->wrapped,
                       "a unit in a header stands in brackets: [%.*s]", pcm_shown(seen->wrapped.length - 2u),
                       pcm_span_text(reader->reports->sources, seen->wrapped) + 1);
        return false;
    }
    if (seen->numbers) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_TEXT, seen->first,
                       "the first row must name the columns: there is no '%.*s'", pcm_shown(name.length),
                       pcm_span_text(reader->reports->sources, name));
        reader->reports->sources->list[seen->first.source].broken = true;
        return false;
    }
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
    if (!next_line(source, &column->at, '\0', &row)) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_TEXT, file,
                       "the table is empty: its first row must name the columns");
        return false;
    }
    row.separator = column->separator = find_separator(row.at, row.end);
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
    if (source->broken) /* which has been reported */
        return false;
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

/* The table cannot be read: its other columns are not reported again. */
static bool give_up(const pcm_value_reader *reader, pcm_table_column *column)
{
    reader->reports->sources->list[column->source].broken = true;
    return stop(column);
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
            return give_up(reader, column);
        }
        if (count++ == column->number)
            *cell = span_of(source, column->source, start, end);
    } while (more_cells(row));
    if (count == column->cells)
        return true;
    pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_TEXT,
                   span_of(source, column->source, row->start, cut_blanks(row->start, row->end)),
                   "this row has %u cell%s, but the header names %u column%s%s", count, count == 1 ? "" : "s",
                   column->cells, column->cells == 1 ? "" : "s",
                   count > column->cells && column->separator == ',' ? "; a decimal comma is written as a point" : "");
    return give_up(reader, column);
}

bool pcm_table_next(const pcm_value_reader *reader, pcm_table_column *column, pcm_span *cell)
{
    const pcm_source *source = &reader->reports->sources->list[column->source];
    line              row;
    if (!next_line(source, &column->at, column->separator, &row)) {
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

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

/* What is wrong with a cell that is no number: the end of a sentence. */
static const char *cell_hint(const char *text, size_t length)
{
    double       number;
    const size_t read = pcm_number_read(text, length, &number);
    if (length == 0)
        return "; every row of the column needs one";
    if (memchr(text, ',', length) != NULL)
        return "; it is written with a decimal point and without separators";
    if (read == 0 || text[read] == '.' || text[read] == '\'')
        return read == 0 ? "; leave out rows without one" : "; digits are written without separators";
    return text[read] == '%' ? "; write 0.01 for a hundredth" : "; the unit stands once, in the header: name [unit]";
}

bool pcm_table_number(const pcm_value_reader *reader, pcm_table_column *column, pcm_span cell, double *number)
{
    enum { LONGEST = 64 };
    const char    *text = pcm_span_text(reader->reports->sources, cell), *comma = memchr(text, ',', cell.length);
    const char     mark = comma != NULL ? ',' : memchr(text, '.', cell.length) != NULL ? '.' : '\0';
    const pcm_span place = {cell.offset, (uint16_t)(cell.length > 0 ? cell.length : 1), cell.source};
    char           plain[LONGEST];
    if (comma != NULL && column->separator == ';' && cell.length < LONGEST) {
        memcpy(plain, text, cell.length);
        plain[comma - text] = '.';
        text = plain;
    }
    if (cell.length == 0 || pcm_number_read(text, cell.length, number) != cell.length) {
        text = pcm_span_text(reader->reports->sources, cell);
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_CELL, place, "'%.*s' is not a number%s",
                       pcm_shown(cell.length), text, cell_hint(text, cell.length));
        return false;
    }
    if (mark != '\0' && column->point != '\0' && mark != column->point) {
        pcm_report_add(reader->reports, PCM_ERROR, PCM_MSG_TABLE_CELL, place,
                       "this column has numbers with a decimal point and with a decimal comma; write one of them");
        return false;
    }
    column->point = mark != '\0' ? mark : column->point;
    return true;
}
