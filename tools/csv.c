/* SPDX-License-Identifier: MIT */
#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <pcm/messages.h>

#include "command.h"
#include "hash.h"
#include "utf8.h"
#include "whole_file.h"

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

enum { COLUMNS_MOST = 1000000 };

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* A tab is no blank where it separates cells. */
static bool is_blank_in_row(const csv_reader *reader, char c) { return is_blank(c) && c != reader->separator; }

/* What separates the cells of the table with the header at reader->at: a comma, or else semicolons or tabs. */
static char find_separator(const csv_reader *reader)
{
    char found = '\0';
    bool quoted = false;
    for (size_t at = reader->at; at < reader->length && (quoted || reader->text[at] != '\n'); at++) {
        const char c = reader->text[at];
        quoted ^= c == '"';
        if (c == ',' && !quoted)
            return ',';
        if ((c == ';' || c == '\t') && !quoted && found != ';')
            found = c;
    }
    return found ? found : ',';
}

/* Takes a quoted cell, starting at the quote; false if the quotes do not close, or are followed by text. */
static bool take_quoted(csv_reader *reader, csv_cell *cell)
{
    const char *text = reader->text;
    size_t      at = reader->at + 1;
    cell->text = text + at;
    cell->quoted = true;
    for (; at < reader->length; at++) {
        const bool quote = text[at] == '"', pair = quote && at + 1 < reader->length && text[at + 1] == '"';
        if (quote && !pair)
            break;
        at += pair;
        reader->next_line += text[at] == '\n';
    }
    if (at >= reader->length)
        return false;
    cell->length = (size_t)(text + at - cell->text);
    for (at++; at < reader->length && (is_blank_in_row(reader, text[at]) || text[at] == '\r'); at++)
        ;
    reader->at = at;
    return at == reader->length || text[at] == reader->separator || text[at] == '\n';
}

static void take_plain(csv_reader *reader, csv_cell *cell)
{
    size_t at = reader->at;
    while (at < reader->length && reader->text[at] != reader->separator && reader->text[at] != '\n')
        at++;
    size_t end = at;
    while (end > reader->at && (is_blank(reader->text[end - 1]) || reader->text[end - 1] == '\r'))
        end--;
    cell->text = reader->text + reader->at;
    cell->length = end - reader->at;
    reader->at = at;
}

/* Takes one cell; false if its quotes are wrong. */
static bool take_cell(csv_reader *reader, csv_cell *cell)
{
    while (reader->at < reader->length && is_blank_in_row(reader, reader->text[reader->at]))
        reader->at++;
    *cell = (csv_cell){.offset = reader->at};
    if (reader->at < reader->length && reader->text[reader->at] == '"')
        return take_quoted(reader, cell);
    take_plain(reader, cell);
    return true;
}

/* Skips comments and empty lines up to a row; false at the end of the file. */
static bool find_row(csv_reader *reader)
{
    while (reader->at < reader->length) {
        reader->line = reader->next_line;
        reader->row_start = reader->at;
        const char *start = reader->text + reader->at;
        const char *newline = memchr(start, '\n', reader->length - reader->at);
        const char *end = newline ? newline : reader->text + reader->length;
        const char *first = start;
        while (first < end && (is_blank(*first) || *first == '\r'))
            first++;
        if (first < end && *first != '#')
            return true;
        reader->at = (size_t)(end - reader->text) + (newline != NULL);
        reader->next_line++;
    }
    return false;
}

/* Whether a separator, and so another cell, follows; otherwise the line ends here. */
static bool more_cells(csv_reader *reader)
{
    if (reader->at == reader->length)
        return false;
    const bool more = reader->text[reader->at++] == reader->separator;
    reader->next_line += !more;
    return more;
}

static int by_text(const void *a, const void *b)
{
    const csv_cell *first = *(const csv_cell *const *)a, *second = *(const csv_cell *const *)b;
    const size_t    least = first->length < second->length ? first->length : second->length;
    const int       order = memcmp(first->text, second->text, least);
    if (order || first->length != second->length)
        return order ? order : first->length < second->length ? -1 : 1;
    return first->offset < second->offset ? -1 : first->offset > second->offset;
}

/* Rejects two columns with the same name: after sorting they are neighbours. Reports the first that repeats a name. */
static bool check_names(csv_reader *reader)
{
    const csv_cell **sorted = calloc(reader->columns, sizeof *sorted), *repeated = NULL;
    if (!sorted) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "%s: out of memory", reader->path);
        return false;
    }
    for (size_t i = 0; i < reader->columns; i++)
        sorted[i] = &reader->names[i];
    qsort(sorted, reader->columns, sizeof *sorted, by_text);
    for (size_t i = 1; i < reader->columns; i++)
        if (sorted[i]->length == sorted[i - 1]->length &&
            memcmp(sorted[i]->text, sorted[i - 1]->text, sorted[i]->length) == 0 && (!repeated || sorted[i] < repeated))
            repeated = sorted[i];
    free(sorted);
    if (repeated)
        csv_error(reader, PCM_MSG_TABLE_COLUMN, (size_t)(repeated - reader->names), "column '%.*s' is repeated",
                  (int)repeated->length, repeated->text);
    return !repeated;
}

static bool read_header(csv_reader *reader)
{
    if (!find_row(reader)) {
        csv_error(reader, PCM_MSG_TABLE_TEXT, 0, "the table is empty: its first row must name the columns");
        return false;
    }
    reader->separator = find_separator(reader);
    size_t room = 0;
    do {
        if (reader->columns == COLUMNS_MOST) {
            csv_error(reader, PCM_MSG_TABLE_TEXT, 0, "the table has more than 1,000,000 columns");
            return false;
        }
        if (reader->columns == room) {
            room = room ? 2 * room : 32;
            csv_cell *names = realloc(reader->names, room * sizeof *names);
            if (!names) {
                command_error(PCM_MSG_OUT_OF_MEMORY, "%s: out of memory", reader->path);
                return false;
            }
            reader->names = names;
        }
        if (!take_cell(reader, &reader->names[reader->columns++])) {
            csv_error(reader, PCM_MSG_TABLE_TEXT, reader->columns - 1,
                      "the closing quote of this column's name is missing");
            return false;
        }
    } while (more_cells(reader));
    if (!check_names(reader))
        return false;
    reader->header_start = reader->row_start;
    reader->header_line = reader->line;
    reader->first_row = reader->at;
    reader->first_line = reader->next_line;
    reader->cells = calloc(reader->columns, sizeof *reader->cells);
    if (!reader->cells)
        command_error(PCM_MSG_OUT_OF_MEMORY, "%s: out of memory", reader->path);
    return reader->cells;
}

bool csv_open(csv_reader *reader, const char *path)
{
    const bool standard = strcmp(path, "-") == 0;
    *reader = (csv_reader){.path = standard ? "standard input" : path, .next_line = 1};
    reader->text = whole_file(path, &reader->length);
    if (!reader->text) {
        command_error(PCM_MSG_TABLE_FILE, "%s: cannot be read: %s", reader->path, strerror(errno));
        return false;
    }
    if (memchr(reader->text, '\0', reader->length)) {
        command_error(PCM_MSG_TABLE_TEXT, "%s: is not a text: it has a zero byte", reader->path);
        return false;
    }
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (reader->length >= 3 && memcmp(reader->text, byte_order_mark, 3) == 0)
        reader->at = 3;
    return read_header(reader);
}

void csv_close(csv_reader *reader)
{
    free(reader->text);
    free(reader->names);
    free(reader->cells);
    *reader = (csv_reader){0};
}

csv_result csv_next(csv_reader *reader)
{
    if (!find_row(reader))
        return CSV_END;
    reader->row++;
    size_t count = 0;
    do {
        csv_cell  spare;
        csv_cell *cell = count < reader->columns ? &reader->cells[count] : &spare;
        if (!take_cell(reader, cell)) {
            csv_error(reader, PCM_MSG_TABLE_TEXT, count, "row %zu: the closing quote of this cell is missing",
                      reader->row);
            return CSV_ERROR;
        }
        count++;
    } while (more_cells(reader));
    if (count == reader->columns)
        return CSV_ROW;
    csv_error(reader, PCM_MSG_TABLE_TEXT, 0, "row %zu has %zu cells, but the header names %zu columns", reader->row,
              count, reader->columns);
    return CSV_ERROR;
}

void csv_rewind(csv_reader *reader)
{
    reader->at = reader->first_row;
    reader->next_line = reader->first_line;
    reader->row_start = reader->header_start;
    reader->line = reader->header_line;
    reader->row = 0;
}

bool csv_is(const csv_cell *cell, const char *text)
{
    size_t at = 0;
    for (; at < cell->length && *text && cell->text[at] == *text; text++)
        at += cell->quoted && *text == '"' ? 2 : 1;
    return at == cell->length && !*text;
}

size_t csv_find(const csv_reader *reader, const char *name)
{
    size_t i = 0;
    while (i < reader->columns && !csv_is(&reader->names[i], name))
        i++;
    return i;
}

/* Reads the cell; behind semicolons it may have a decimal comma. */
static bool read_number(const csv_reader *reader, const csv_cell *cell, double *value)
{
    char        plain[PCM_NUMBER_SIZE * 2];
    const char *comma = memchr(cell->text, ',', cell->length), *text = cell->text;
    if (comma && reader->separator == ';' && cell->length < sizeof plain) {
        memcpy(plain, text, cell->length);
        plain[comma - text] = '.';
        text = plain;
    }
    return pcm_number_read(text, cell->length, value) == cell->length && cell->length > 0 && isfinite(*value);
}

bool csv_number(const csv_reader *reader, size_t column, double *value)
{
    const csv_cell *cell = &reader->cells[column];
    if (read_number(reader, cell, value))
        return true;
    const csv_cell *name = &reader->names[column];
    csv_error(reader, PCM_MSG_TABLE_CELL, column, "row %zu, column '%.*s': '%.*s' is not a finite number%s",
              reader->row, (int)name->length, name->text, (int)cell->length, cell->text,
              memchr(cell->text, ',', cell->length) ? "; write a decimal point" : "");
    return false;
}

void csv_error(const csv_reader *reader, uint32_t code, size_t column, const char *format, ...)
{
    pcm_place       place = {.file = reader->path, .line = reader->line, .column = 1, .length = 1};
    const csv_cell *cells = reader->row > 0 ? reader->cells : reader->names;
    if (reader->line > 0) {
        const char *line = reader->text + reader->row_start;
        const char *newline = memchr(line, '\n', reader->length - reader->row_start);
        const char *end = newline ? newline : reader->text + reader->length;
        place.source_line = line;
        place.source_line_length = (uint32_t)(end - line);
        if (place.source_line_length > 0 && line[place.source_line_length - 1] == '\r')
            place.source_line_length--;
        if (cells && column < reader->columns) {
            place.column = (uint32_t)(cells[column].offset - reader->row_start) + 1;
            place.length = cells[column].length > 0 ? (uint32_t)cells[column].length : 1;
        }
    }
    va_list arguments;
    va_start(arguments, format);
    command_message_of(PCM_ERROR, code, &place, format, arguments);
    va_end(arguments);
}

uint64_t csv_hash(const csv_reader *reader) { return hash_bytes(HASH_FIRST, reader->text, reader->length); }

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* Writes the complete rows. If the disk has no room for them, none of them is written in part. */
static void flush(csv_writer *writer)
{
    if (writer->failed || fwrite(writer->buffer, 1, writer->whole, writer->file) != writer->whole) {
        writer->failed = true;
        if (writer->file != stdout)
            (void)!ftruncate(fileno(writer->file), (off_t)writer->written);
    } else {
        writer->written += writer->whole;
    }
    writer->used -= writer->whole;
    memmove(writer->buffer, writer->buffer + writer->whole, writer->used);
    writer->whole = 0;
}

/* Makes room for this many more bytes. If there is no memory the row is lost, like one that cannot be written. */
static void reserve(csv_writer *writer, size_t bytes)
{
    if (writer->room - writer->used >= bytes)
        return;
    flush(writer);
    if (writer->room - writer->used >= bytes)
        return;
    char *grown = realloc(writer->buffer, 2 * writer->room + bytes);
    if (!grown) {
        writer->failed = true;
        writer->used = 0;
        return;
    }
    writer->buffer = grown;
    writer->room = 2 * writer->room + bytes;
}

static void put(csv_writer *writer, char c)
{
    reserve(writer, 1);
    writer->buffer[writer->used++] = c;
}

static void start_cell(csv_writer *writer)
{
    if (writer->in_row)
        put(writer, ',');
    writer->in_row = true;
}

enum { FIRST_ROOM = 1 << 16 };

/* Incomplete rows stay in the buffer, so that the file gets only whole ones. */
static bool open_table(csv_writer *writer, const char *path, FILE *file)
{
    *writer = (csv_writer){.path = path ? path : "standard output", .file = file, .room = FIRST_ROOM};
    writer->buffer = file ? malloc(FIRST_ROOM) : NULL;
    if (!file)
        command_error(PCM_MSG_TABLE_FILE, "%s: cannot be written: %s", path, strerror(errno));
    else if (!writer->buffer)
        command_error(PCM_MSG_OUT_OF_MEMORY, "%s: out of memory", writer->path);
    else if (path)
        (void)setvbuf(file, NULL, _IONBF, 0);
    return writer->buffer;
}

bool csv_create(csv_writer *writer, const char *path)
{
    return open_table(writer, path, path ? fopen(path, "wb") : stdout);
}

bool csv_continue(csv_writer *writer, const char *path, uint64_t bytes)
{
    struct stat status;
    if (!open_table(writer, path, fopen(path, "r+b")))
        return false;
    writer->written = bytes;
    if (fstat(fileno(writer->file), &status) == 0 && (uint64_t)status.st_size >= bytes &&
        ftruncate(fileno(writer->file), (off_t)bytes) == 0 && fseeko(writer->file, (off_t)bytes, SEEK_SET) == 0)
        return true;
    command_error(PCM_MSG_TABLE_FILE, "%s: the table is shorter than it was, and cannot continue", path);
    return false;
}

bool csv_sync(csv_writer *writer)
{
    flush(writer);
    if (!writer->failed && (fsync(fileno(writer->file)) == 0 || errno == EINVAL))
        return true;
    command_error(PCM_MSG_TABLE_FILE, "%s: could not be written in full", writer->path);
    return false;
}

static void warn_of_formula(csv_writer *writer, const char *text)
{
    if (writer->told_formula || !pcm_is_formula(text))
        return;
    writer->told_formula = true;
    command_message(PCM_WARNING, PCM_MSG_FORMULA, NULL,
                    "%.80s: a spreadsheet that opens the table takes the name '%.80s' for a formula: import it as text",
                    writer->path, text);
}

void csv_put_text(csv_writer *writer, const char *text)
{
    const bool quoted = strpbrk(text, ",\" #") != NULL;
    start_cell(writer);
    warn_of_formula(writer, text);
    if (quoted)
        put(writer, '"');
    for (size_t left = strlen(text); left > 0;) {
        const pcm_shown_piece piece = pcm_shown_next(text, left);
        if (*text == '"')
            put(writer, '"');
        for (size_t i = 0; i < piece.length; i++)
            put(writer, piece.text[i]);
        text += piece.bytes;
        left -= piece.bytes;
    }
    if (quoted)
        put(writer, '"');
}

void csv_put_number(csv_writer *writer, double value)
{
    start_cell(writer);
    reserve(writer, PCM_NUMBER_SIZE);
    writer->used += pcm_number_write(value, 17, writer->buffer + writer->used);
}

void csv_end_row(csv_writer *writer)
{
    put(writer, '\n');
    writer->whole = writer->used;
    writer->in_row = false;
}

bool csv_finish(csv_writer *writer)
{
    flush(writer);
    const bool closed = writer->file == stdout ? fflush(stdout) == 0 : fclose(writer->file) == 0;
    free(writer->buffer);
    if (closed && !writer->failed)
        return true;
    command_error(PCM_MSG_TABLE_FILE, "%s: could not be written in full", writer->path);
    return false;
}
