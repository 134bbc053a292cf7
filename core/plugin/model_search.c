/* SPDX-License-Identifier: MIT */
#include "model_search.h"
#include "loader.h"
#include "plain_name.h"
#include <pcm/messages.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char suffix[] = ".so";

/* ---- The search path -------------------------------------------------------------------------------------------- */

typedef struct pcm_directory {
    const char *start;
    int         length; /* for "%.*s" */
} pcm_directory;

/* The next directory of a path, which it moves on; false at the end. */
static bool next_directory(const char **path, pcm_directory *directory)
{
    const char  *start = *path + strspn(*path, ":");
    const size_t length = strcspn(start, ":");
    *path = start + length;
    *directory = (pcm_directory){start, (int)length};
    return length > 0;
}

/* "directory/name.so" in the context's memory; bytes gets its size. */
static char *file_path(pcm_context *context, pcm_directory directory, const char *name, size_t *bytes)
{
    *bytes = (size_t)directory.length + strlen(name) + sizeof suffix + 1;
    char *path = pcm_allocate(context, *bytes);
    if (path)
        snprintf(path, *bytes, "%.*s/%s%s", directory.length, directory.start, name, suffix);
    return path;
}

static void list_directories(const char *path, char *to, size_t size)
{
    pcm_directory directory;
    size_t        used = 0;
    if (size > 0)
        to[0] = '\0';
    while (next_directory(&path, &directory) && used < size)
        used += (size_t)snprintf(to + used, size - used, "%s%.*s", used ? ", " : "", directory.length, directory.start);
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

static pcm_loaded *loaded_find(const pcm_context *context, const char *name)
{
    pcm_loaded *loaded = context->loaded;
    while (loaded && strcmp(loaded->model.name, name) != 0)
        loaded = loaded->next;
    return loaded;
}

/* Whether not everybody may write the file, or put another in its place; said where it is so. */
static bool check_owners(pcm_context *context, pcm_directory directory, const char *file, mode_t mode)
{
    struct stat status;
    char       *path = pcm_allocate(context, (size_t)directory.length + 1);
    const bool  reject = context->flags & PCM_CLOSED_PATHS;
    if (!path) {
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    memcpy(path, directory.start, (size_t)directory.length);
    const bool open = mode & S_IWOTH || stat(path, &status) != 0 || status.st_mode & S_IWOTH;
    pcm_free(context, path, (size_t)directory.length + 1);
    if (open)
        pcm_report_file(context, reject ? PCM_ERROR : PCM_WARNING, PCM_MSG_PLUGIN_OPEN, file,
                        "every user may write to the plugin or its directory; chmod o-w them");
    return !open || !reject;
}

/* Loads the plugin from the first directory that has a file of its name. */
static pcm_found search(pcm_context *context, const char *name)
{
    const char   *path = context->plugin_path;
    pcm_directory directory;
    while (next_directory(&path, &directory)) {
        size_t      bytes;
        struct stat status = {0};
        char       *file = file_path(context, directory, name, &bytes);
        if (!file) {
            pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "out of memory");
            return PCM_REJECTED;
        }
        const bool  there = stat(file, &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
        pcm_loaded *loaded = there && check_owners(context, directory, file, status.st_mode)
                                 ? pcm_plugin_open(context, name, file)
                                 : NULL;
        pcm_free(context, file, bytes);
        if (loaded) {
            loaded->next = context->loaded;
            context->loaded = loaded;
        }
        if (there)
            return loaded ? PCM_FOUND : PCM_REJECTED;
    }
    return PCM_NOT_FOUND;
}

const pcm_model *pcm_model_find(pcm_context *context, const char *name, pcm_found *found, char *searched, size_t size)
{
    pcm_loaded *loaded = loaded_find(context, name);
    *found = loaded ? PCM_FOUND : pcm_name_plain(name) ? search(context, name) : PCM_NOT_FOUND;
    if (searched)
        list_directories(context->plugin_path, searched, size);
    return *found != PCM_FOUND ? NULL : loaded ? &loaded->model : &context->loaded->model;
}

const pcm_model *pcm_model_load(pcm_context *context, const char *name)
{
    char             searched[1024];
    pcm_found        found;
    const pcm_model *model = pcm_model_find(context, name, &found, searched, sizeof searched);
    if (found == PCM_NOT_FOUND && !pcm_name_plain(name))
        pcm_report(context, PCM_ERROR, PCM_MSG_PLUGIN_BAD_NAME,
                   "'%s' is not a model name: a name is a letter or _, then letters, digits and _, at most %d in all",
                   name, PCM_NAME_MAX);
    else if (found == PCM_NOT_FOUND)
        pcm_report(context, PCM_ERROR, PCM_MSG_PLUGIN_MISSING, "plugin %s%s not found in %s; set PCM_PLUGIN_PATH", name,
                   suffix, searched[0] ? searched : "an empty search path");
    return model;
}

const char *pcm_model_path(pcm_context *context, const char *name)
{
    const pcm_loaded *loaded = loaded_find(context, name);
    return loaded ? loaded->path : NULL;
}

/* ---- Listing ---------------------------------------------------------------------------------------------------- */

typedef struct pcm_name_list {
    char (*names)[PCM_NAME_MAX + 1];
    size_t count, capacity;
} pcm_name_list;

/* The plain name before .so, or false where the file's name is another. */
static bool plugin_name(const char *file, char name[PCM_NAME_MAX + 1])
{
    const size_t length = strlen(file);
    const size_t stem = length > sizeof suffix - 1 ? length - (sizeof suffix - 1) : 0;
    if (stem == 0 || stem > PCM_NAME_MAX || strcmp(file + stem, suffix) != 0)
        return false;
    memcpy(name, file, stem);
    name[stem] = '\0';
    return pcm_name_plain(name);
}

static bool names_add(pcm_context *context, pcm_name_list *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->names[i], name) == 0)
            return true;
    if (!pcm_grow(context, &names->names, &names->capacity, names->count + 1, sizeof *names->names))
        return false;
    memcpy(names->names[names->count++], name, strlen(name) + 1);
    return true;
}

static bool names_of_directory(pcm_context *context, pcm_name_list *names, const char *path)
{
    DIR *stream = opendir(path);
    bool fits = true;
    if (!stream)
        return true;
    for (struct dirent *entry; fits && (entry = readdir(stream));) {
        char name[PCM_NAME_MAX + 1];
        if (plugin_name(entry->d_name, name))
            fits = names_add(context, names, name);
    }
    closedir(stream);
    return fits;
}

static bool names_of_path(pcm_context *context, pcm_name_list *names)
{
    const char   *path = context->plugin_path;
    pcm_directory directory;
    bool          fits = true;
    while (fits && next_directory(&path, &directory)) {
        const size_t bytes = (size_t)directory.length + 1;
        char        *text = pcm_allocate(context, bytes);
        if (text)
            memcpy(text, directory.start, bytes - 1);
        fits = text && names_of_directory(context, names, text);
        pcm_free(context, text, bytes);
    }
    return fits;
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

void pcm_model_names(pcm_context *context, void (*visit)(void *user, const char *name), void *user)
{
    pcm_name_list names = {0};
    if (!names_of_path(context, &names))
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "out of memory");
    if (names.count > 0)
        qsort(names.names, names.count, sizeof *names.names, by_name);
    for (size_t i = 0; i < names.count; i++)
        visit(user, names.names[i]);
    pcm_free(context, names.names, names.capacity * sizeof *names.names);
}

typedef struct pcm_model_visitor {
    pcm_context *context;
    void (*visit)(void *user, const pcm_model *model);
    void  *user;
    size_t visited;
} pcm_model_visitor;

static void visit_model(void *user, const char *name)
{
    pcm_model_visitor *visitor = user;
    const pcm_model   *model = pcm_model_load(visitor->context, name);
    if (model) {
        visitor->visit(visitor->user, model);
        visitor->visited++;
    }
}

size_t pcm_model_each(pcm_context *context, void (*visit)(void *user, const pcm_model *model), void *user)
{
    pcm_model_visitor visitor = {context, visit, user, 0};
    pcm_model_names(context, visit_model, &visitor);
    return visitor.visited;
}
