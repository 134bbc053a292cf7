/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* secure_getenv */
#include "search_path.h"
#include "loader.h"
#include "plain_name.h"
#include <pcm/messages.h>

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".so";

/* ---- The path --------------------------------------------------------------------------------------------------- */

char *pcm_search_path_new(pcm_context *context, const char *given)
{
    const bool   defaults = !(context->flags & PCM_NO_DEFAULT_PATHS);
    const char  *environment = defaults ? secure_getenv("PCM_PLUGIN_PATH") : NULL;
    const char  *parts[] = {given ? given : "", environment ? environment : "", defaults ? PCM_PLUGIN_DIRECTORY : ""};
    const size_t bytes = strlen(parts[0]) + strlen(parts[1]) + strlen(parts[2]) + 3;
    char        *path = pcm_allocate(context, bytes);
    if (path)
        snprintf(path, bytes, "%s:%s:%s", parts[0], parts[1], parts[2]);
    return path;
}

typedef struct pcm_directory {
    const char *start;
    int         length; /* for "%.*s" */
} pcm_directory;

/* Takes the next directory off the path; false at the end. */
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

/* Whether the path has the directory before that place. */
static bool is_listed(const char *path, const pcm_directory *directory)
{
    pcm_directory before;
    while (next_directory(&path, &before) && before.start < directory->start)
        if (before.length == directory->length && strncmp(before.start, directory->start, (size_t)before.length) == 0)
            return true;
    return false;
}

void pcm_search_path_list(const pcm_context *context, char *to, size_t size)
{
    const char   *path = context->plugin_path;
    pcm_directory directory;
    size_t        used = 0;
    if (size > 0)
        to[0] = '\0';
    while (next_directory(&path, &directory) && used < size)
        if (!is_listed(context->plugin_path, &directory))
            used +=
                (size_t)snprintf(to + used, size - used, "%s%.*s", used ? ", " : "", directory.length, directory.start);
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

/* The way in which another user may change a file or directory; NULL: none. A group whose number is that of the owner
 * counts as the owner. */
static const char *others_may(const struct stat *status)
{
    if (status->st_mode & S_IWOTH)
        return "every user may write to";
    if (status->st_mode & S_IWGRP && status->st_gid != status->st_uid && status->st_gid != 0)
        return "a group may write to";
    return status->st_uid != 0 && status->st_uid != geteuid() ? "another user owns" : NULL;
}

/* The same for the directory of a plugin, and for those above it in which every user may replace a directory. */
static const char *others_may_to_directory(const char *directory)
{
    char        path[PATH_MAX];
    struct stat status;
    if (!realpath(directory, path) || stat(path, &status) != 0)
        return "nobody knows who may write to";
    const char *may = others_may(&status);
    while (!may && path[0] == '/' && path[1]) {
        char *last = strrchr(path, '/');
        last[last == path] = '\0';
        if (stat(path, &status) == 0 && status.st_mode & S_IWOTH && !(status.st_mode & S_ISVTX))
            may = others_may(&status);
    }
    return may;
}

/* Whether nobody else may write or replace the file; reported otherwise. */
static bool check_owners(pcm_context *context, pcm_directory directory, const char *file, const struct stat *status)
{
    char       *path = pcm_allocate(context, (size_t)directory.length + 1);
    const bool  reject = context->flags & PCM_CLOSED_PATHS;
    const char *may = others_may(status), *what = "the plugin";
    if (!path) {
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    memcpy(path, directory.start, (size_t)directory.length);
    if (!may) {
        may = others_may_to_directory(path);
        what = "the plugin's directory, or one above";
    }
    pcm_free(context, path, (size_t)directory.length + 1);
    if (may)
        pcm_report_at(context, reject ? PCM_ERROR : PCM_WARNING, PCM_MSG_PLUGIN_OPEN, &(pcm_place){.file = file},
                      "%s %s; chown it to yourself, chmod go-w it", may, what);
    return !may || !reject;
}

pcm_found pcm_search_path_load(pcm_context *context, const char *name)
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
        pcm_loaded *loaded =
            there && check_owners(context, directory, file, &status) ? pcm_plugin_open(context, name, file) : NULL;
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

/* ---- Listing ---------------------------------------------------------------------------------------------------- */

/* Takes the name before .so; false if the file is not called so. */
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

static bool names_of_directory(const char *path, const pcm_name_visit *visit)
{
    DIR *stream = opendir(path);
    bool fits = true;
    if (!stream)
        return true;
    for (struct dirent *entry; fits && (entry = readdir(stream));) {
        char name[PCM_NAME_MAX + 1];
        if (plugin_name(entry->d_name, name))
            fits = visit->see(visit->user, name);
    }
    closedir(stream);
    return fits;
}

bool pcm_search_path_names(pcm_context *context, const pcm_name_visit *visit)
{
    const char   *path = context->plugin_path;
    pcm_directory directory;
    bool          fits = true;
    while (fits && next_directory(&path, &directory)) {
        const size_t bytes = (size_t)directory.length + 1;
        char        *text = pcm_allocate(context, bytes);
        if (text)
            memcpy(text, directory.start, bytes - 1);
        fits = text && names_of_directory(text, visit);
        pcm_free(context, text, bytes);
    }
    return fits;
}
