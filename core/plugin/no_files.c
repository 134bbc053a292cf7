/* SPDX-License-Identifier: MIT */
/* no_files.c - replaces loader.c and search_path.c in builds in which all plugins are linked in. */
#include "search_path.h"

char *pcm_search_path_new(pcm_context *context, const char *given)
{
    const size_t bytes = given ? strlen(given) + 1 : 1;
    char        *path = pcm_allocate(context, bytes);
    if (path && given)
        memcpy(path, given, bytes);
    return path;
}

void pcm_search_path_list(const pcm_context *context, char *to, size_t size)
{
    const size_t length = strlen(context->plugin_path) < size ? strlen(context->plugin_path) : size - 1;
    memcpy(to, context->plugin_path, length);
    to[length] = '\0';
}

pcm_found pcm_search_path_load(pcm_context *context, const char *name)
{
    (void)context;
    (void)name;
    return PCM_NOT_FOUND;
}

bool pcm_search_path_names(pcm_context *context, const pcm_name_visit *visit)
{
    (void)context;
    (void)visit;
    return true;
}
