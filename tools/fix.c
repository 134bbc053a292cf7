/* SPDX-License-Identifier: MIT */
#include "fix.h"

#include <errno.h>
#include <pcm/messages.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "replace.h"
#include "whole_file.h"

/* The new text, followed in the same memory by the name of the file. */
typedef struct fix_item {
    char       *text;
    const char *file;
    size_t      line, column, length;
} fix_item;

static bool keep(fix_list *list, const pcm_fix *fix)
{
    if (list->count == list->capacity) {
        const size_t wanted = list->capacity ? 2 * list->capacity : 16;
        fix_item    *grown = realloc(list->items, wanted * sizeof *grown);
        if (!grown)
            return false;
        list->items = grown;
        list->capacity = wanted;
    }
    const size_t text = strlen(fix->text) + 1, file = strlen(fix->place.file) + 1;
    char        *copy = malloc(text + file);
    if (!copy)
        return false;
    memcpy(copy, fix->text, text);
    memcpy(copy + text, fix->place.file, file);
    list->items[list->count++] = (fix_item){copy, copy + text, fix->place.line, fix->place.column, fix->place.length};
    return true;
}

void fix_collect(fix_list *list, const pcm_diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < diagnostic->n_fixes; i++)
        if (diagnostic->fixes[i].place.line > 0 && !keep(list, &diagnostic->fixes[i]))
            list->no_memory = true;
}

static void forget(fix_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].text);
    list->count = 0;
}

void fix_free(fix_list *list)
{
    forget(list);
    free(list->items);
    *list = (fix_list){0};
}

/* Compares by file, then by position. */
static int by_place(const void *a, const void *b)
{
    const fix_item *x = a, *y = b;
    const int       file = strcmp(x->file, y->file);
    if (file != 0)
        return file;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/* The start of the line that contains the position; searches from `at`, the start of line *line. */
static size_t find_line(const char *text, size_t length, size_t at, size_t *line, size_t wanted)
{
    while (*line < wanted && at < length)
        *line += text[at++] == '\n';
    return at;
}

/* Copies the text to the file with the changes applied; returns the number of changes. */
static size_t write_changed(FILE *file, const char *text, size_t length, const fix_item *items, size_t count)
{
    const size_t first = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    size_t       line = 1, line_start = first, done = 0, made = 0;
    for (size_t i = 0; i < count; i++) {
        line_start = find_line(text, length, line_start, &line, items[i].line);
        const size_t at = line_start + items[i].column - 1;
        if (at < done || at + items[i].length > length)
            continue;
        (void)fwrite(text + done, 1, at - done, file);
        (void)fputs(items[i].text, file);
        done = at + items[i].length;
        made++;
    }
    (void)fwrite(text + done, 1, length - done, file);
    return made;
}

static size_t change_file(const fix_item *items, size_t count)
{
    size_t      length = 0, changed_length = 0, made = 0;
    char       *text = whole_file(items->file, &length), *changed = NULL;
    FILE       *memory = text ? open_memstream(&changed, &changed_length) : NULL;
    const char *reason = strerror(errno);
    if (memory) {
        made = write_changed(memory, text, length, items, count);
        reason = fclose(memory) == 0 ? replace_file(items->file, changed, changed_length) : strerror(errno);
    }
    if (reason)
        command_error(PCM_MSG_UNWRITABLE, "'%s' is unchanged: %s", items->file, reason);
    free(changed);
    free(text);
    return reason ? 0 : made;
}

size_t fix_apply(fix_list *list)
{
    size_t made = 0;
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, by_place);
    for (size_t i = 0, next; i < list->count; i = next) {
        for (next = i + 1; next < list->count && strcmp(list->items[next].file, list->items[i].file) == 0;)
            next++;
        made += change_file(&list->items[i], next - i);
    }
    forget(list);
    return made;
}
