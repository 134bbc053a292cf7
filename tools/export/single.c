/* SPDX-License-Identifier: MIT */
/* single.c - parameters in single precision. Their struct has another layout, and the constants that a law's prepare
 * computes have other values: so the law is compiled for floats and run here. */
#include "export.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* What compile.c writes behind each law: see export_write_law. */
typedef size_t offset_function(size_t entry);
typedef size_t size_function(void);
typedef int    prepare_function(void *params);

static bool find(void *object, const char *law, const char *end, void *function)
{
    char name[EXPORT_NAME + 16];
    (void)snprintf(name, sizeof name, "%s_%s", law, end);
    void *address = dlsym(object, name);
    memcpy(function, &address, sizeof address);
    return address;
}

static void *open_law(const export_job *job, const char *law)
{
    char path[sizeof job->folder + EXPORT_NAME + 16];
    (void)snprintf(path, sizeof path, "%s/law_%s.so", job->folder, law);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object)
        return object;
    static const char script[] =
        "for c in \"$1\"/law_*.c; do\n"
        "    [ -e \"${c%.c}.so\" ] || $clang -O2 -shared -fPIC $flags $3 \"$c\" -o \"${c%.c}.so\" || exit 3\n"
        "done";
    return export_script(job, script) == 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

/* The bytes that an entry of the table has in the struct. Lists become floats, which the part keeps behind it. */
static void put(const export_type *type, export_part *part, size_t entry, float **room)
{
    const pcm_value value = pcm_type_value_at(type->type, part->first_param + entry);
    char           *to = part->own + part->offset[entry];
    const float     number = (float)value.number;
    const int64_t   whole = (int64_t)value.number;
    const char     *text = value.text;
    const pcm_list  list = {(const double *)(const void *)*room, value.list.count};
    switch (pcm_model_param(part->model, entry)->kind) {
    case PCM_KIND_REAL:
        memcpy(to, &number, sizeof number);
        break;
    case PCM_KIND_TEXT:
        memcpy(to, &text, sizeof text);
        break;
    case PCM_KIND_LIST:
        memcpy(to, &list, sizeof list);
        for (size_t i = 0; i < list.count; i++)
            *(*room)++ = (float)value.list.values[i];
        break;
    default:
        memcpy(to, &whole, sizeof whole);
        break;
    }
}

static size_t list_entries(const export_type *type, const export_part *part)
{
    size_t count = 0;
    for (size_t i = 0; i < part->model->params.count; i++)
        count += pcm_type_value_at(type->type, part->first_param + i).list.count;
    return count;
}

bool export_prepare_single(const export_job *job, const export_type *type, export_part *part)
{
    const char       *law = part->model->name;
    offset_function  *offset;
    size_function    *size;
    prepare_function *prepare;
    part->object = open_law(job, law);
    if (!part->object || !find(part->object, law, "offset", &offset) || !find(part->object, law, "size", &size) ||
        !find(part->object, law, "prepare", &prepare))
        return export_refuse(&type->info->place, "%s does not compile in single precision", law);
    part->params_size = size();
    const size_t rounded = (part->params_size + 15) & ~(size_t)15;
    part->own = calloc(1, rounded + list_entries(type, part) * sizeof(float) + 16);
    if (!part->own)
        return export_refuse(NULL, "out of memory");
    part->params = part->own;
    float *room = (float *)(void *)(part->own + rounded);
    for (size_t i = 0; i < part->model->params.count; i++) {
        part->offset[i] = offset(i);
        put(type, part, i, &room);
    }
    return prepare(part->own) == 0 ||
           export_refuse(&type->info->place, "%s rejects these parameters in single precision", law);
}

void export_release_single(export_part *part)
{
    free(part->offset);
    free(part->own);
    if (part->object)
        (void)dlclose(part->object);
}
