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
    int         group;
} fix_item;

typedef struct fix_file {
    char  *name, *text;
    size_t length;
} fix_file;

/* Makes room for one more entry of a list. */
static bool grow(void **list, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    const size_t wanted = *capacity ? 2 * *capacity : 16;
    void        *grown = realloc(*list, wanted * size);
    if (!grown)
        return false;
    *list = grown;
    *capacity = wanted;
    return true;
}

static bool keep(fix_list *list, const pcm_fix *fix)
{
    void *items = list->items;
    if (!grow(&items, list->count, &list->capacity, sizeof *list->items))
        return false;
    list->items = items;
    const size_t text = strlen(fix->text) + 1, file = strlen(fix->place.file) + 1;
    char        *copy = malloc(text + file);
    if (!copy)
        return false;
    memcpy(copy, fix->text, text);
    memcpy(copy + text, fix->place.file, file);
    list->items[list->count++] =
        (fix_item){copy, copy + text, fix->place.line, fix->place.column, fix->place.length, (int)list->n_groups};
    return true;
}

static bool keep_text(char ***texts, size_t *count, size_t *capacity, const char *text)
{
    void *list = *texts;
    if (!grow(&list, *count, capacity, sizeof **texts))
        return false;
    *texts = list;
    (*texts)[*count] = strdup(text);
    return (*texts)[*count] && ++*count;
}

void fix_collect(fix_list *list, const pcm_diagnostic *diagnostic)
{
    const size_t before = list->count;
    bool         kept = diagnostic->severity != PCM_ERROR ||
                keep_text(&list->errors, &list->n_errors, &list->error_capacity, diagnostic->message);
    for (uint32_t i = 0; i < diagnostic->n_fixes; i++)
        if (diagnostic->fixes[i].place.line > 0)
            kept = keep(list, &diagnostic->fixes[i]) && kept;
    if (list->count > before)
        kept = keep_text(&list->groups, &list->n_groups, &list->group_capacity, diagnostic->message) && kept;
    list->no_memory |= !kept;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

void fix_free(fix_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].text);
    free(list->items);
    free_texts(list->errors, list->n_errors);
    free_texts(list->groups, list->n_groups);
    *list = (fix_list){0};
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

bool fix_helped(const fix_list *before, const fix_list *after)
{
    size_t known = 0;
    if (after->no_memory || (after->n_errors >= before->n_errors && after->n_groups >= before->n_groups))
        return false;
    if (before->n_errors > 0)
        qsort(before->errors, before->n_errors, sizeof *before->errors, by_text);
    if (after->n_errors > 0)
        qsort(after->errors, after->n_errors, sizeof *after->errors, by_text);
    for (size_t i = 0; i < before->n_errors && known < after->n_errors; i++)
        known += strcmp(before->errors[i], after->errors[known]) == 0;
    return known == after->n_errors;
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

static bool is_among(const char *text, char **texts, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(texts[i], text) != 0)
        i++;
    return i < count;
}

/* The choice of fixes to apply. */
typedef struct fix_choice {
    const fix_list *list, *before;
    int             group;
} fix_choice;

static bool is_chosen(const fix_choice *choice, const fix_item *item)
{
    if (choice->group != FIX_NEW)
        return choice->group == FIX_ALL || choice->group == item->group;
    const char *text = choice->list->groups[item->group];
    return !is_among(text, choice->before->groups, choice->before->n_groups);
}

/* Copies the text to the file with the chosen changes applied; returns the number of changes. */
static size_t write_changed(FILE *file, const fix_file *old, const fix_item *items, size_t count,
                            const fix_choice *choice)
{
    const char  *text = old->text;
    const size_t first = old->length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    size_t       line = 1, line_start = first, done = 0, made = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_chosen(choice, &items[i]))
            continue;
        line_start = find_line(text, old->length, line_start, &line, items[i].line);
        const size_t at = line_start + items[i].column - 1;
        if (at < done || at + items[i].length > old->length)
            continue;
        (void)fwrite(text + done, 1, at - done, file);
        (void)fputs(items[i].text, file);
        done = at + items[i].length;
        made++;
    }
    (void)fwrite(text + done, 1, old->length - done, file);
    return made;
}

/* Changes one file, and keeps its old text in *old. */
static size_t change_file(const fix_item *items, size_t count, const fix_choice *choice, fix_file *old)
{
    size_t changed_length = 0, made = 0;
    char  *changed = NULL;
    old->name = strdup(items->file);
    old->text = whole_file(items->file, &old->length);
    FILE       *memory = old->name && old->text ? open_memstream(&changed, &changed_length) : NULL;
    const char *reason = strerror(errno);
    if (memory) {
        made = write_changed(memory, old, items, count, choice);
        reason = fclose(memory) == 0 ? NULL : strerror(errno);
        if (!reason && made > 0)
            reason = replace_file(items->file, changed, changed_length);
    }
    if (reason)
        command_error(PCM_MSG_UNWRITABLE, "'%s' is unchanged: %s", items->file, reason);
    free(changed);
    return reason ? 0 : made;
}

size_t fix_apply(const fix_list *list, int group, const fix_list *before, fix_saved *saved)
{
    const fix_choice choice = {list, before, group};
    size_t           made = 0;
    *saved = (fix_saved){.files = calloc(list->count + 1, sizeof *saved->files)};
    if (list->count > 0 && saved->files)
        qsort(list->items, list->count, sizeof *list->items, by_place);
    for (size_t i = 0, next; i < list->count && saved->files; i = next) {
        for (next = i + 1; next < list->count && strcmp(list->items[next].file, list->items[i].file) == 0;)
            next++;
        made += change_file(&list->items[i], next - i, &choice, &saved->files[saved->count++]);
    }
    return made;
}

void fix_settle(fix_saved *saved, bool back)
{
    for (size_t i = 0; i < saved->count; i++) {
        const fix_file *file = &saved->files[i];
        const char     *reason = back && file->text ? replace_file(file->name, file->text, file->length) : NULL;
        if (reason)
            command_error(PCM_MSG_UNWRITABLE, "'%s' keeps changes that did not help: %s", file->name, reason);
        free(file->name);
        free(file->text);
    }
    free(saved->files);
    *saved = (fix_saved){0};
}
