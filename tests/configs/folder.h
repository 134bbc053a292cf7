/* SPDX-License-Identifier: MIT */
/* folder.h - the files of a folder of configurations. */
#ifndef PCM_TESTS_CONFIGS_FOLDER_H
#define PCM_TESTS_CONFIGS_FOLDER_H

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* Visits each .pcm file of the folder; returns their number. */
static inline size_t each_config(const char *folder, void (*visit)(void *user, const char *path), void *user)
{
    DIR   *stream = opendir(folder);
    size_t count = 0;
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        char        path[1000];
        const char *suffix = strrchr(entry->d_name, '.');
        if (suffix == NULL || strcmp(suffix, ".pcm") != 0)
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        visit(user, path);
        count++;
    }
    closedir(stream);
    return count;
}

#endif
