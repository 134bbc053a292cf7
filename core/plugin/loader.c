/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dlinfo, RTLD_DEFAULT */
#include "loader.h"
#include "elf_link.h"
#include "image.h"
#include "memory_file.h"
#include <pcm/messages.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

static bool refuse(const pcm_image *image, uint32_t code, const char *text)
{
    pcm_report_file(image->context, PCM_ERROR, code, image->path, "%s", text);
    return false;
}

/* ---- The file, before anything of it runs ----------------------------------------------------------------------- */

/* A plugin that is read. What is read is what is loaded: a copy of the file in memory, or where plugins are trusted the
 * file itself. */
typedef struct plugin_file {
    int          file;
    pcm_elf      elf;
    char        *image; /* its bytes where they would be if it were loaded, of elf.span bytes */
    pcm_elf_link link;
} plugin_file;

static bool is_trusted(const pcm_context *context) { return context->flags & PCM_TRUST_PLUGINS; }

static void close_file(pcm_context *context, plugin_file *f)
{
    if (f->file >= 0)
        close(f->file);
    if (f->image)
        pcm_free(context, f->image, f->elf.span);
}

/* Opens the plugin and reads its headers; says what is wrong with it, NULL: nothing. */
static const char *open_file(pcm_context *context, const char *path, plugin_file *f, uint32_t *code)
{
    const char *wrong;
    /* Not blocking: a plugin's name may belong to a pipe. */
    f->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *code = PCM_MSG_PLUGIN_UNREADABLE;
    if (f->file < 0)
        return "cannot be read; check its permissions";
    f->elf = pcm_elf_read(f->file);
    if (!f->elf.wrong && !is_trusted(context)) {
        const int copy = pcm_memory_file(f->file, strrchr(path, '/') + 1, &wrong);
        close(f->file);
        f->file = copy;
        if (copy < 0)
            return wrong;
        f->elf = pcm_elf_read(copy);
    }
    *code = f->elf.code;
    return f->elf.wrong;
}

static bool read_file(pcm_context *context, const char *path, plugin_file *f)
{
    uint32_t    code;
    const char *wrong = open_file(context, path, f, &code);
    if (!wrong) {
        f->image = pcm_allocate(context, f->elf.span);
        if (f->image && pcm_elf_fill(f->file, &f->elf, f->image))
            return true;
        wrong = f->image ? "cannot be read; check its permissions" : "finds no memory";
        code = f->image ? PCM_MSG_PLUGIN_UNREADABLE : PCM_MSG_OUT_OF_MEMORY;
    }
    pcm_report_file(context, PCM_ERROR, code, path, "the plugin %s", wrong);
    return false;
}

/* Whether it is in this program already, so that nothing of it runs when it is needed once more. */
static bool is_here(const char *library)
{
    void *here = strchr(library, '/') ? NULL : dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (here)
        dlclose(here);
    return here;
}

static bool check_libraries(const pcm_image *image, const pcm_elf_link *link)
{
    for (uint32_t i = 0; i < link->n_libraries; i++) {
        if (is_here(link->libraries[i]))
            continue;
        pcm_report_file(image->context, PCM_ERROR, PCM_MSG_PLUGIN_START, image->path,
                        "the plugin brings the library %.100s, whose start-up code cannot be checked; link it without, "
                        "or trust it (PCM_TRUST_PLUGINS)",
                        link->libraries[i]);
        return false;
    }
    return true;
}

/* Whether nothing of the plugin is to run while it is loaded, or closed, but what compilers put into every shared
 * object, and it leaves ending the program to the program. */
static bool check_start(const pcm_image *image, const pcm_elf_link *link)
{
    const bool watched = link->instrumented && dlsym(RTLD_DEFAULT, link->instrumented);
    if (is_trusted(image->context))
        return true;
    if (link->instrumented && !watched)
        return refuse(image, PCM_MSG_PLUGIN_START,
                      "the plugin was built for a sanitizer that is not in this program; build it without");
    const uint32_t usual = 1u + watched + PCM_COVERAGE; /* sanitizers and coverage start in each object too */
    if (link->chooses || link->starters > usual || link->enders > usual)
        return refuse(image, PCM_MSG_PLUGIN_START,
                      "the plugin has code that runs when it is loaded or closed (a constructor, an ifunc, -ffast-math "
                      "at the link, a destructor); remove it, or trust it (PCM_TRUST_PLUGINS)");
    if (link->ends) {
        pcm_report_file(
            image->context, PCM_ERROR, PCM_MSG_PLUGIN_START, image->path,
            "the plugin calls %s, which ends its program or thread without a word; report in prepare, write "
            "PCM_INVALID in update, or trust it (PCM_TRUST_PLUGINS)",
            link->ends);
        return false;
    }
    return check_libraries(image, link);
}

static bool check_file(pcm_context *context, const char *path, const char *name, plugin_file *f)
{
    const pcm_image image = {.context = context, .path = path, .base = (uintptr_t)f->image, .elf = &f->elf};
    pcm_model       model = {0};
    f->link = pcm_elf_link_image(&f->elf, f->image);
    if (f->link.wrong) {
        pcm_report_file(context, PCM_ERROR, PCM_MSG_PLUGIN_NOT_ELF, path, "the plugin %s", f->link.wrong);
        return false;
    }
    if (!f->link.entry)
        return refuse(&image, PCM_MSG_PLUGIN_ENTRY,
                      "the plugin exports no pcm_entry; end it with PCM_KERNELS(...); PCM_MODEL(...);");
    const pcm_library *entry = (const pcm_library *)(void *)(f->image + f->link.entry);
    const bool         good = pcm_library_take(&image, entry, name, &model) && check_start(&image, &f->link);
    pcm_library_drop(context, &model);
    return good;
}

/* ---- Loading ---------------------------------------------------------------------------------------------------- */

/* Start-up code may set the processor's rounding and its treatment of small numbers; the host's stay as they are. */
static void *open_library(const char *path)
{
    fenv_t here;
    fegetenv(&here);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    fesetenv(&here);
    return library;
}

static void close_library(void *library)
{
    fenv_t here;
    fegetenv(&here);
    dlclose(library);
    fesetenv(&here);
}

/* What a sanitizer put between the objects of a plugin is compared too, which it would report. */
#define UNGUARDED __attribute__((no_sanitize_address))
typedef uint64_t loose_word __attribute__((aligned(1), may_alias));

UNGUARDED static bool same_bytes(const char *mapped, const char *copy, uint64_t size)
{
    for (uint64_t at = 0; at < size; at++)
        if (mapped[at] != copy[at])
            return false;
    return true;
}

/* Whether a word that the system's loader has written is the one of the copy: a number, or a place in the plugin.
 * Places elsewhere are 0 in the copy. */
UNGUARDED static bool same_word(const char *mapped, const char *copy, uint64_t at)
{
    const uint64_t a = *(const loose_word *)(const void *)(mapped + at);
    const uint64_t b = *(const loose_word *)(const void *)(copy + at);
    return a == b || b == 0 || a - (uintptr_t)mapped == b - (uintptr_t)copy || a - (uintptr_t)mapped == b;
}

/* Whether what is mapped is the file that was read. */
static bool is_copied(const pcm_elf *elf, const char *mapped, const char *copy)
{
    for (uint32_t i = 0; i < elf->count; i++) {
        const pcm_segment *segment = &elf->segments[i];
        if (!segment->writable && segment->readable &&
            !same_bytes(mapped + segment->start, copy + segment->start, segment->filled))
            return false;
    }
    for (uint64_t at = 0; at + 8 <= elf->sealed_size; at += 8)
        if (!same_word(mapped, copy, elf->sealed + at))
            return false;
    return true;
}

static char *base_of(void *library)
{
    struct link_map *map = NULL;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? (char *)map->l_addr : NULL;
}

/* What runs by itself is taken out of the copy that is loaded; sanitizers and coverage need theirs. */
static bool silence(plugin_file *f)
{
    pcm_elf_quiet(&f->elf, f->image, f->link.instrumented || PCM_COVERAGE);
    return pwrite(f->file, f->image + f->elf.dynamic, f->elf.dynamic_size, (off_t)f->elf.dynamic_offset) ==
               (ssize_t)f->elf.dynamic_size &&
           pcm_memory_file_seal(f->file);
}

/* While a mapping is in use, the system's loader answers with it when asked for its path again, even if another file
 * has taken the place of the first. Another spelling of the path is a new question. */
enum { SPELLINGS = 16 };

static void spell(const plugin_file *f, bool trusted, const char *path, int i, char spelt[PATH_MAX + 2 * SPELLINGS])
{
    const int folder = (int)(strrchr(path, '/') + 1 - path);
    if (trusted)
        (void)snprintf(spelt, PATH_MAX + 2 * SPELLINGS, "%.*s%.*s%s", folder, path, 2 * i,
                       "././././././././././././././././", path + folder);
    else
        pcm_memory_file_path(f->file, spelt);
}

/* NULL after setting *why, or leaving it NULL where what is mapped is not what was read. */
static void *open_as_read(const plugin_file *f, bool trusted, const char *path, const char **why)
{
    for (int i = 0; i < SPELLINGS; i++) {
        char spelt[PATH_MAX + 2 * SPELLINGS] = "";
        spell(f, trusted, path, i, spelt);
        void       *library = open_library(spelt);
        const char *base = library ? base_of(library) : NULL;
        if (base && is_copied(&f->elf, base, f->image))
            return library;
        if (!library) {
            const size_t length = strlen(spelt);
            *why = dlerror();
            if (*why && strncmp(*why, spelt, length) == 0 && strncmp(*why + length, ": ", 2) == 0)
                *why += length + 2;
            return NULL;
        }
        close_library(library);
    }
    return NULL;
}

static bool load(pcm_context *context, pcm_loaded *loaded, const char *name, plugin_file *f)
{
    const bool  trusted = is_trusted(context);
    const char *why = "the copy that is loaded cannot be sealed";
    if (trusted || silence(f)) {
        why = NULL;
        loaded->library = open_as_read(f, trusted, loaded->path, &why);
    }
    loaded->close = close_library;
    const pcm_library *entry = loaded->library ? dlsym(loaded->library, "pcm_entry") : NULL;
    if (!entry) {
        pcm_report_file(
            context, PCM_ERROR, PCM_MSG_PLUGIN_REJECTED, loaded->path, "the system's loader rejects the plugin: %s",
            why ? why
                : "what it loads is not what the file says: the file was written over while it was in use, or "
                  "exports names that the program has too; build it anew, with pcm_entry alone exported");
        return false;
    }
    const pcm_image image = {
        .context = context, .path = loaded->path, .base = (uintptr_t)base_of(loaded->library), .elf = &f->elf};
    return pcm_library_take(&image, entry, name, &loaded->model);
}

bool pcm_plugin_check(pcm_context *context, const char *name, const char *path)
{
    plugin_file f = {.file = -1};
    const bool  good = read_file(context, path, &f) && check_file(context, path, name, &f);
    close_file(context, &f);
    return good;
}

static bool map(pcm_context *context, pcm_loaded *loaded, const char *name)
{
    plugin_file f = {.file = -1};
    if (!pcm_library_runs(&(pcm_image){.context = context, .path = loaded->path}))
        return false;
    const bool good = read_file(context, loaded->path, &f) && check_file(context, loaded->path, name, &f) &&
                      load(context, loaded, name, &f);
    close_file(context, &f);
    return good;
}

pcm_loaded *pcm_plugin_open(pcm_context *context, const char *name, const char *path)
{
    pcm_loaded *loaded = pcm_loaded_new(context, path);
    if (loaded && map(context, loaded, name))
        return loaded;
    pcm_loaded_free(context, loaded);
    return NULL;
}
