/* SPDX-License-Identifier: MIT */
#include "scene_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pcm/messages.h>

#include "command.h"
#include "contents.h"
#include "ending.h"
#include "whole_file.h"

enum { PATH_SIZE = 8192, NAME_SIZE = 1024 };

static bool is_known(const scene_files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->at[i].name, name) == 0)
            return true;
    return false;
}

static bool add(scene_files *files, const char *name, const char *path)
{
    if (files->count == files->capacity) {
        const size_t wanted = files->capacity ? 2 * files->capacity : 16;
        scene_file  *grown = realloc(files->at, wanted * sizeof *grown);
        if (!grown)
            return contents_fail(name, "out of memory");
        files->at = grown;
        files->capacity = wanted;
    }
    scene_file file = {strdup(name), strdup(path)};
    files->at[files->count++] = file;
    return (file.name && file.path) || contents_fail(name, "out of memory");
}

/* Copies the value of the next attribute of that name, from `start` on; returns where it ends, NULL: there is none. */
static const char *next_value(const char *start, const char *attribute, char value[NAME_SIZE])
{
    const size_t length = strlen(attribute);
    const char  *at = start;
    while ((at = strstr(at, attribute))) {
        const bool  begins = at > start && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\n');
        const char *quote = at + length + strspn(at + length, " \t\n");
        at += length;
        if (!begins || *quote != '=')
            continue;
        quote += 1 + strspn(quote + 1, " \t\n");
        const char *end = *quote == '"' || *quote == '\'' ? strchr(quote + 1, *quote) : NULL;
        if (!end || end - quote >= NAME_SIZE)
            continue;
        (void)snprintf(value, NAME_SIZE, "%.*s", (int)(end - quote - 1), quote + 1);
        return end;
    }
    return NULL;
}

/* Adds the file at the first place where it is. */
static bool add_found(scene_files *files, const char *value)
{
    for (size_t i = 0; i < 4; i++) {
        const char *place = i ? files->places[i - 1] : "";
        char        name[NAME_SIZE + 520], path[PATH_SIZE];
        (void)snprintf(name, sizeof name, "%s%s%s", place, *place && place[strlen(place) - 1] != '/' ? "/" : "", value);
        (void)snprintf(path, sizeof path, "%s%s", *name == '/' ? "" : files->folder, name);
        if (access(path, R_OK) == 0)
            return is_known(files, name) || add(files, name, path);
    }
    return true;
}

static void read_places(scene_files *files, const char *text)
{
    static const char *const names[3] = {"meshdir", "texturedir", "assetdir"};
    for (size_t i = 0; i < 3; i++) {
        char value[NAME_SIZE];
        if (next_value(text, names[i], value))
            (void)snprintf(files->places[i], sizeof files->places[i], "%.511s", value);
    }
}

/* Adds the files that one names, which may be texts that name others. */
static bool follow(scene_files *files, size_t index)
{
    if (index > 0 && !ends_with(files->at[index].name, ".xml"))
        return true;
    size_t length;
    char  *text = whole_file(files->at[index].path, &length), value[NAME_SIZE];
    if (!text)
        return contents_fail(files->at[index].path, "the scene could not be read");
    bool good = true;
    read_places(files, text);
    for (const char *at = text; good && (at = next_value(at, "file", value));)
        good = add_found(files, value);
    free(text);
    return good;
}

bool scene_files_find(scene_files *files, const char *path)
{
    const char *base = contents_base(path);
    *files = (scene_files){0};
    (void)snprintf(files->folder, sizeof files->folder, "%.*s", (int)(base - path), path);
    bool good = add(files, base, path);
    for (size_t i = 0; good && i < files->count; i++)
        good = follow(files, i);
    return good;
}

void scene_files_free(scene_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->at[i].name);
        free(files->at[i].path);
    }
    free(files->at);
}
