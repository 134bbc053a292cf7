/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dlinfo */
#include "loader.h"
#include "image.h"
#include "isa.h"
#include "table_checks.h"
#include <pcm/messages.h>

#include <dlfcn.h>
#include <link.h>

/* The bytes of a struct up to and with a field: its size in the first version of the interface, which no plugin is
 * below. */
#define UP_TO(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* ---- Copies at this library's sizes ----------------------------------------------------------------------------- */

/* Copies an entry that the plugin's headers made `size` bytes into one of `here` bytes that is zero. */
static bool copy_entry(const pcm_image *image, void *to, size_t here, const void *from, size_t size, const char *what)
{
    memcpy(to, from, size < here ? size : here);
    if (pcm_zero_beyond(from, here, size))
        return true;
    pcm_report_file(image->context, PCM_ERROR, PCM_MSG_PLUGIN_NEWER, image->path,
                    "the plugin's %s use fields that this PCM does not know; update PCM", what);
    return false;
}

/* A table of the model: where it is, the least and this library's size of an entry. */
typedef struct pcm_table_kind {
    const char *what;
    size_t      offset, least, here;
} pcm_table_kind;

static const pcm_table_kind kinds[] = {
    {"parameters", offsetof(pcm_model, params), UP_TO(pcm_param, flags), sizeof(pcm_param)},
    {"states", offsetof(pcm_model, states), UP_TO(pcm_state, swap), sizeof(pcm_state)},
    {"host inputs", offsetof(pcm_model, host_inputs), UP_TO(pcm_host_input, reserved), sizeof(pcm_host_input)},
    {"events", offsetof(pcm_model, events), UP_TO(pcm_event, jumps), sizeof(pcm_event)},
    {"derived values", offsetof(pcm_model, derived), UP_TO(pcm_derived, value), sizeof(pcm_derived)},
    {"partials", offsetof(pcm_model, partials), UP_TO(pcm_partial, wrt), sizeof(pcm_partial)},
    {"kernels", offsetof(pcm_model, kernels), UP_TO(pcm_kernel_set, terminate), sizeof(pcm_kernel_set)},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static pcm_table *table_of(pcm_model *model, const pcm_table_kind *kind)
{
    return (pcm_table *)(void *)((char *)model + kind->offset);
}

/* Puts a copy of one table, at this library's sizes, in the place of the plugin's own. */
static bool copy_table(const pcm_image *image, const pcm_table_kind *kind, pcm_table *table)
{
    const pcm_table from = *table;
    *table = (pcm_table){NULL, 0, (uint32_t)kind->here};
    if (from.count == 0)
        return true;
    if (from.size < kind->least || !pcm_image_holds(image, from.entries, (uint64_t)from.count * from.size)) {
        pcm_report_file(
            image->context, PCM_ERROR, PCM_MSG_PLUGIN_LAYOUT, image->path,
            "the plugin's table of %s states a wrong size or place; build it again with PCM_TABLE and these headers",
            kind->what);
        return false;
    }
    char *entries = pcm_allocate(image->context, from.count * kind->here);
    if (!entries) {
        pcm_report_file(image->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, image->path, "out of memory");
        return false;
    }
    *table = (pcm_table){entries, from.count, (uint32_t)kind->here};
    for (uint32_t i = 0; i < from.count; i++)
        if (!copy_entry(image, entries + i * kind->here, kind->here, (const char *)from.entries + i * (size_t)from.size,
                        from.size, kind->what))
            return false;
    return true;
}

static void release_tables(pcm_context *context, pcm_model *model)
{
    for (size_t i = 0; i < KINDS; i++) {
        pcm_table *table = table_of(model, &kinds[i]);
        pcm_free(context, (void *)(uintptr_t)table->entries, table->count * (size_t)table->size);
    }
}

/* A table that this library has not copied is the plugin's own and not to be released. */
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
    pcm_report_file(image->context, PCM_ERROR, code, image->path, "%s", text);
    return false;
}

static bool check_entry(const pcm_image *image, const pcm_library *entry)
{
    if (!pcm_image_holds(image, entry, UP_TO(pcm_library, model)) || entry->magic != PCM_MAGIC)
        return refuse(image, PCM_MSG_PLUGIN_MAGIC,
                      "pcm_entry does not start with PCM_MAGIC; end the plugin with PCM_KERNELS(...); PCM_MODEL(...);");
    if (entry->abi_major != PCM_ABI_MAJOR || entry->abi_minor > PCM_ABI_MINOR) {
        pcm_report_file(image->context, PCM_ERROR, PCM_MSG_PLUGIN_ABI, image->path,
                        "the plugin needs plugin interface %u.%u, this PCM has %u.%u; %s", (unsigned)entry->abi_major,
                        (unsigned)entry->abi_minor, PCM_ABI_MAJOR, PCM_ABI_MINOR,
                        entry->abi_major < PCM_ABI_MAJOR ? "build the plugin again" : "update PCM");
        return false;
    }
    if (entry->size < UP_TO(pcm_library, model) || entry->batch_size < UP_TO(pcm_batch, mode) ||
        entry->model_size < UP_TO(pcm_model, reach) || !pcm_image_holds(image, entry, entry->size) ||
        !pcm_image_holds(image, entry->model, entry->model_size) || entry->model->size != entry->model_size)
        return refuse(image, PCM_MSG_PLUGIN_LAYOUT,
                      "the plugin's entry states wrong sizes; build it again with these headers");
    if (entry->batch_size > sizeof(pcm_batch))
        return refuse(image, PCM_MSG_PLUGIN_NEWER,
                      "the plugin was built for columns that this PCM does not know; update PCM");
    return true;
}

static bool load_model(const pcm_image *image, const pcm_library *entry, const char *name, pcm_model *model)
{
    pcm_library known;
    if (!check_entry(image, entry) || !copy_entry(image, &known, sizeof known, entry, entry->size, "entry fields") ||
        !copy_model(image, entry, model))
        return false;
    if (!pcm_image_holds_text(image, model->name) || strcmp(model->name, name) != 0)
        return refuse(image, PCM_MSG_PLUGIN_NAME_DIFFERS,
                      "the plugin's model name differs from its file name; the file of model NAME is NAME.so");
    return pcm_tables_check(image, model);
}

/* ---- The file --------------------------------------------------------------------------------------------------- */

static bool map(pcm_context *context, pcm_loaded *loaded, const char *name)
{
    const pcm_elf elf = pcm_elf_read(loaded->path);
    pcm_image     image = {.context = context, .path = loaded->path, .elf = &elf};
    if (!pcm_isa_usable())
        return refuse(&image, PCM_MSG_PLUGIN_PROCESSOR, "plugins need SSE4.2, which this processor lacks");
    if (elf.wrong) {
        pcm_report_file(context, PCM_ERROR, elf.code, loaded->path, "the plugin %s", elf.wrong);
        return false;
    }
    loaded->library = dlopen(loaded->path, RTLD_NOW | RTLD_LOCAL);
    struct link_map *map = NULL;
    if (!loaded->library || dlinfo(loaded->library, RTLD_DI_LINKMAP, &map) != 0) {
        const char *reason = dlerror();
        pcm_report_file(context, PCM_ERROR, PCM_MSG_PLUGIN_REJECTED, loaded->path,
                        "the system's loader rejects the plugin: %s", reason ? reason : "no reason given");
        return false;
    }
    image.base = map->l_addr;
    const pcm_library *entry = dlsym(loaded->library, "pcm_entry");
    if (!entry)
        return refuse(&image, PCM_MSG_PLUGIN_ENTRY,
                      "the plugin exports no pcm_entry; end it with PCM_KERNELS(...); PCM_MODEL(...);");
    return load_model(&image, entry, name, &loaded->model);
}

pcm_loaded *pcm_plugin_open(pcm_context *context, const char *name, const char *path)
{
    const size_t bytes = strlen(path) + 1;
    pcm_loaded  *loaded = pcm_allocate(context, sizeof *loaded);
    if (loaded && (loaded->path = pcm_allocate(context, bytes))) {
        memcpy(loaded->path, path, bytes);
        if (map(context, loaded, name))
            return loaded;
    } else {
        pcm_report_file(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, path, "out of memory");
    }
    pcm_plugin_close(context, loaded);
    return NULL;
}

void pcm_plugin_close(pcm_context *context, pcm_loaded *loaded)
{
    if (!loaded)
        return;
    release_tables(context, &loaded->model);
    if (loaded->library)
        dlclose(loaded->library);
    if (loaded->path)
        pcm_free(context, loaded->path, strlen(loaded->path) + 1);
    pcm_free(context, loaded, sizeof *loaded);
}
