/* SPDX-License-Identifier: MIT */
#include "types.h"

#include <stdio.h>
#include <string.h>
#include <pcm/materials.h>
#include <pcm/messages.h>

typedef struct finder {
    found_types      *found;
    const pcm_config *config;
    const pcm_type   *seen[TYPES_MOST];
} finder;

static bool add(finder *f, const pcm_type *type, const char *a, const char *b)
{
    found_types *found = f->found;
    for (size_t i = 0; i < found->count; i++)
        if (f->seen[i] == type)
            return true;
    if (found->count == TYPES_MOST) {
        command_error(PCM_MSG_NOT_VERIFIED, "%s has more than %d contact types: name those to be verified", found->file,
                      TYPES_MOST);
        return false;
    }
    f->seen[found->count] = type;
    found_type *next = &found->at[found->count++];
    (void)snprintf(next->name, sizeof next->name, "%s", pcm_type_get_info(type)->name);
    (void)snprintf(next->surface[0], sizeof next->surface[0], "%s", a);
    (void)snprintf(next->surface[1], sizeof next->surface[1], "%s", b);
    return true;
}

static bool add_between(finder *f, const pcm_type *type, const char *a, const char *b)
{
    const pcm_type *between = pcm_type_between(type, a, b);
    return between && add(f, between, a, b);
}

static bool add_type(finder *f, const pcm_type *type)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    const option_texts  *between = f->found->between;
    const size_t         count = pcm_config_material_count(f->config);
    bool                 good = true;
    if (info->model->flags & PCM_HOST_CONTACT)
        return true;
    if (info->model->inputs & (PCM_LOAD | PCM_CONTACT_RADIUS)) {
        command_error(PCM_MSG_PARTS, "'%s' is not a whole law: write %s behind one, as in Hertz + %s", info->name,
                      info->model->name, info->model->name);
        return false;
    }
    if (between->count == 2)
        return add_between(f, type, between->at[0], between->at[1]);
    if (info->params)
        return add(f, type, "", "");
    for (size_t i = 0; i < count && good; i++)
        for (size_t k = i; k < count && good; k++)
            good = add_between(f, type, pcm_config_material_at(f->config, i).name,
                               pcm_config_material_at(f->config, k).name);
    return good && (count > 0 || add_between(f, type, "", ""));
}

static bool add_named(finder *f)
{
    bool good = true;
    for (size_t i = 0; i < f->found->n_names && good; i++) {
        const char     *name = f->found->names[i];
        const pcm_type *type = pcm_config_type_find(f->config, name);
        if (!type)
            command_error(PCM_MSG_NO_LAW, "%s has no contact type '%s'", f->found->file, name);
        good = type && add_type(f, type);
    }
    for (size_t i = 0; i < pcm_config_type_count(f->config) && f->found->n_names == 0 && good; i++)
        good = add_type(f, pcm_config_type_at(f->config, i));
    return good;
}

void types_find(void *argument)
{
    finder       f = {.found = argument};
    pcm_context *context = command_context(f.found->plugins, command_report_types, NULL);
    pcm_config  *config = context ? command_config(context, f.found->file, f.found->settings) : NULL;
    f.config = config;
    f.found->good = config && add_named(&f);
    pcm_config_release(config);
    pcm_context_free(context);
}
