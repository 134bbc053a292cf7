/* SPDX-License-Identifier: MIT */
#include "library.h"
#include "isa.h"
#include "table_checks.h"
#include <pcm/messages.h>

/* The bytes of a struct up to and including a field: the size that it had in the first version of the interface. */
#define UP_TO(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* ---- Copies at this library's sizes ----------------------------------------------------------------------------- */

/* Copies an entry of `size` bytes, as the plugin was compiled, into a zeroed one of `here` bytes. */
static bool copy_entry(const pcm_image *image, void *to, size_t here, const void *from, size_t size, const char *what)
{
    memcpy(to, from, size < here ? size : here);
    if (pcm_zero_beyond(from, here, size))
        return true;
    pcm_report_at(image->context, PCM_ERROR, PCM_MSG_PLUGIN_NEWER, &(pcm_place){.file = image->path},
                  "the plugin's %s use fields that this PCM does not know; update PCM", what);
    return false;
}

/* A table of the model: its position, the smallest valid size of an entry, the size in this library, and its
 * alignment. */
typedef struct pcm_table_kind {
    const char *what;
    size_t      offset, least, here, alignment;
} pcm_table_kind;

#define KIND(what, field, entry, last)                                                                                 \
    {                                                                                                                  \
        what, offsetof(pcm_model, field), UP_TO(entry, last), sizeof(entry), _Alignof(entry)                           \
    }
static const pcm_table_kind kinds[] = {
    KIND("parameters", params, pcm_param, flags),
    KIND("side properties", sides, pcm_param, flags),
    KIND("states", states, pcm_state, swap),
    KIND("host inputs", host_inputs, pcm_host_input, reserved),
    KIND("events", events, pcm_event, jumps),
    KIND("derived values", derived, pcm_derived, value),
    KIND("partials", partials, pcm_partial, wrt),
    KIND("amounts", amounts, pcm_amount, capacity),
    KIND("kernels", kernels, pcm_kernel_set, terminate),
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static pcm_table *table_of(pcm_model *model, const pcm_table_kind *kind)
{
    return (pcm_table *)(void *)((char *)model + kind->offset);
}

/* Replaces one table by a copy at this library's sizes. */
static bool copy_table(const pcm_image *image, const pcm_table_kind *kind, pcm_table *table)
{
    const pcm_table from = *table;
    *table = (pcm_table){NULL, 0, (uint32_t)kind->here};
    if (from.count == 0)
        return true;
    if (from.size < kind->least || from.size % kind->alignment || (uintptr_t)from.entries % kind->alignment ||
        !pcm_image_holds(image, from.entries, (uint64_t)from.count * from.size)) {
        pcm_report_at(
            image->context, PCM_ERROR, PCM_MSG_PLUGIN_LAYOUT, &(pcm_place){.file = image->path},
            "the plugin's table of %s states a wrong size or place; build it again with PCM_TABLE and these headers",
            kind->what);
        return false;
    }
    char *entries = pcm_allocate(image->context, from.count * kind->here);
    if (!entries) {
        pcm_report_at(image->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, &(pcm_place){.file = image->path},
                      "out of memory");
        return false;
    }
    *table = (pcm_table){entries, from.count, (uint32_t)kind->here};
    for (uint32_t i = 0; i < from.count; i++)
        if (!copy_entry(image, entries + i * kind->here, kind->here, (const char *)from.entries + i * (size_t)from.size,
                        from.size, kind->what))
            return false;
    return true;
}

void pcm_library_drop(pcm_context *context, pcm_model *model)
{
    for (size_t i = 0; i < KINDS; i++) {
        pcm_table *table = table_of(model, &kinds[i]);
        pcm_free(context, (void *)(uintptr_t)table->entries, table->count * (size_t)table->size);
    }
}

/* Tables that were not copied belong to the plugin and must not be released. */
static bool copy_model(const pcm_image *image, const pcm_library *entry, pcm_model *to)
{
    if (!copy_entry(image, to, sizeof *to, entry->model, entry->model_size, "model fields")) {
        *to = (pcm_model){0};
        return false;
    }
    bool copied = true;
    for (size_t i = 0; i < KINDS; i++) {
        pcm_table *table = table_of(to, &kinds[i]);
        if (copied)
            copied = copy_table(image, &kinds[i], table);
        else
            *table = (pcm_table){NULL, 0, 0};
    }
    return copied;
}

/* ---- The entry -------------------------------------------------------------------------------------------------- */

static bool refuse(const pcm_image *image, uint32_t code, const char *text)
{
    pcm_report_at(image->context, PCM_ERROR, code, &(pcm_place){.file = image->path}, "%s", text);
    return false;
}

static bool check_entry(const pcm_image *image, const pcm_library *entry)
{
    if (!pcm_image_holds_struct(image, entry, UP_TO(pcm_library, model)) || entry->magic != PCM_MAGIC)
        return refuse(image, PCM_MSG_PLUGIN_MAGIC,
                      "pcm_entry does not start with PCM_MAGIC; end the plugin with PCM_KERNELS(...); PCM_MODEL(...);");
    if (entry->abi_major != PCM_ABI_MAJOR || entry->abi_minor > PCM_ABI_MINOR) {
        pcm_report_at(image->context, PCM_ERROR, PCM_MSG_PLUGIN_ABI, &(pcm_place){.file = image->path},
                      "the plugin needs plugin interface %u.%u, this PCM has %u.%u; %s", (unsigned)entry->abi_major,
                      (unsigned)entry->abi_minor, PCM_ABI_MAJOR, PCM_ABI_MINOR,
                      entry->abi_major < PCM_ABI_MAJOR ? "build the plugin again" : "update PCM");
        return false;
    }
    if (entry->size < UP_TO(pcm_library, model) || entry->batch_size < UP_TO(pcm_batch, mode) ||
        entry->model_size < UP_TO(pcm_model, reach) || !pcm_image_holds(image, entry, entry->size) ||
        !pcm_image_holds_struct(image, entry->model, entry->model_size) || entry->model->size != entry->model_size)
        return refuse(image, PCM_MSG_PLUGIN_LAYOUT,
                      "the plugin's entry states wrong sizes; build it again with these headers");
    if (entry->batch_size > sizeof(pcm_batch))
        return refuse(image, PCM_MSG_PLUGIN_NEWER,
                      "the plugin was built for columns that this PCM does not know; update PCM");
    return true;
}

bool pcm_library_take(const pcm_image *image, const pcm_library *entry, const char *name, pcm_model *model)
{
    pcm_library known;
    if (!check_entry(image, entry) || !copy_entry(image, &known, sizeof known, entry, entry->size, "entry fields") ||
        !copy_model(image, entry, model))
        return false;
    if (!pcm_image_holds_text(image, model->name) || (name && strcmp(model->name, name) != 0))
        return refuse(image, PCM_MSG_PLUGIN_NAME_DIFFERS,
                      "the plugin's model name differs from its file name; the file of model NAME is NAME.so");
    return pcm_tables_check(image, model);
}

bool pcm_library_runs(const pcm_image *image)
{
    return pcm_isa_usable() ||
           refuse(image, PCM_MSG_PLUGIN_PROCESSOR, "plugins need SSE4.2, which this processor lacks");
}

pcm_loaded *pcm_loaded_new(pcm_context *context, const char *path)
{
    const size_t bytes = strlen(path) + 1;
    pcm_loaded  *loaded = pcm_allocate(context, sizeof *loaded);
    if (loaded && (loaded->path = pcm_allocate(context, bytes))) {
        memcpy(loaded->path, path, bytes);
        return loaded;
    }
    pcm_report_at(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, &(pcm_place){.file = path}, "out of memory");
    pcm_loaded_free(context, loaded);
    return NULL;
}

void pcm_loaded_free(pcm_context *context, pcm_loaded *loaded)
{
    if (!loaded)
        return;
    pcm_library_drop(context, &loaded->model);
    if (loaded->library)
        loaded->close(loaded->library);
    if (loaded->path)
        pcm_free(context, loaded->path, strlen(loaded->path) + 1);
    pcm_free(context, loaded, sizeof *loaded);
}

pcm_loaded *pcm_loaded_find(const pcm_context *context, const char *name)
{
    pcm_loaded *loaded = context->loaded;
    while (loaded && strcmp(loaded->model.name, name) != 0)
        loaded = loaded->next;
    return loaded;
}
