/* SPDX-License-Identifier: MIT */
#include "builtin.h"
#include "library.h"
#include <pcm/messages.h>

#include <stdio.h>

static bool take(pcm_context *context, pcm_loaded *loaded, const pcm_library *entry)
{
    const pcm_image image = {.context = context, .path = loaded->path};
    if (!pcm_library_runs(&image) || !pcm_library_take(&image, entry, NULL, &loaded->model))
        return false;
    if (!pcm_loaded_find(context, loaded->model.name))
        return true;
    pcm_report_at(context, PCM_ERROR, PCM_MSG_PLUGIN_NAME_DIFFERS, &(pcm_place){.file = loaded->path},
                  "an earlier plugin of the program is called %s too; link in one of them", loaded->model.name);
    return false;
}

bool pcm_builtin_add(pcm_context *context, const pcm_library *const *builtin, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "builtin[%zu]", i);
        pcm_loaded *loaded = pcm_loaded_new(context, name);
        if (!loaded || !take(context, loaded, builtin[i])) {
            pcm_loaded_free(context, loaded);
            return false;
        }
        loaded->is_builtin = true;
        loaded->next = context->loaded;
        context->loaded = loaded;
    }
    return true;
}
