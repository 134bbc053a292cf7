/* SPDX-License-Identifier: MIT */
#include "model_search.h"
#include "library.h"
#include "plain_name.h"
#include "search_path.h"
#include <pcm/messages.h>

#include <stdlib.h>

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

const pcm_model *pcm_model_find(pcm_context *context, const char *name, pcm_found *found, char *searched, size_t size)
{
    pcm_loaded *loaded = pcm_loaded_find(context, name);
    *found = loaded ? PCM_FOUND : pcm_name_plain(name) ? pcm_search_path_load(context, name) : PCM_NOT_FOUND;
    if (searched)
        pcm_search_path_list(context, searched, size);
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
        pcm_report(context, PCM_ERROR, PCM_MSG_PLUGIN_MISSING, "plugin %s.so not found in %s; set PCM_PLUGIN_PATH",
                   name, searched[0] ? searched : "an empty search path");
    return model;
}

const char *pcm_model_path(pcm_context *context, const char *name)
{
    const pcm_loaded *loaded = pcm_loaded_find(context, name);
    return loaded && !loaded->is_builtin ? loaded->path : NULL;
}

/* ---- Listing ---------------------------------------------------------------------------------------------------- */

typedef struct pcm_name_list {
    pcm_context *context;
    char (*names)[PCM_NAME_MAX + 1];
    size_t count, capacity;
} pcm_name_list;

static bool names_add(void *user, const char *name)
{
    pcm_name_list *names = user;
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->names[i], name) == 0)
            return true;
    if (!pcm_grow(names->context, &names->names, &names->capacity, names->count + 1, sizeof *names->names))
        return false;
    memcpy(names->names[names->count++], name, strlen(name) + 1);
    return true;
}

/* The plugins that are linked in, and those on the search path. */
static bool names_collect(pcm_context *context, pcm_name_list *names)
{
    for (const pcm_loaded *loaded = context->loaded; loaded; loaded = loaded->next)
        if (loaded->is_builtin && !names_add(names, loaded->model.name))
            return false;
    return pcm_search_path_names(context, &(pcm_name_visit){names_add, names});
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

void pcm_model_names(pcm_context *context, void (*visit)(void *user, const char *name), void *user)
{
    pcm_name_list names = {.context = context};
    if (!names_collect(context, &names))
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
