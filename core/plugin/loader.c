/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dlinfo, RTLD_DEFAULT */
#include "loader.h"
#include "elf_link.h"
#include "image.h"
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

/* The file's bytes where they would be if it were loaded, of elf->span bytes; NULL after having said why not. */
static char *read_copy(pcm_context *context, const char *path, pcm_elf *elf)
{
    /* Not blocking: a plugin's name may belong to a pipe. */
    const int   file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const char *wrong = "cannot be read; check its permissions";
    uint32_t    code = PCM_MSG_PLUGIN_UNREADABLE;
    char       *copy = NULL;
    if (file >= 0) {
        *elf = pcm_elf_read(file);
        copy = elf->wrong ? NULL : pcm_allocate(context, elf->span);
        if (copy && pcm_elf_fill(file, elf, copy)) {
            close(file);
            return copy;
        }
        if (elf->wrong)
            wrong = elf->wrong, code = elf->code;
        else if (!copy)
            wrong = "finds no memory", code = PCM_MSG_OUT_OF_MEMORY;
        pcm_free(context, copy, elf->span);
        close(file);
    }
    pcm_report_file(context, PCM_ERROR, code, path, "the plugin %s", wrong);
    return NULL;
}

/* Whether nothing of the plugin runs while it is loaded but what compilers put into every shared object. */
static bool check_start(const pcm_image *image, const pcm_elf_link *link)
{
    const bool watched = link->instrumented && dlsym(RTLD_DEFAULT, link->instrumented);
    if (image->context->flags & PCM_TRUST_PLUGINS)
        return true;
    if (link->instrumented && !watched)
        return refuse(image, PCM_MSG_PLUGIN_START,
                      "the plugin was built for a sanitizer that is not in this program; build it without");
    if (link->library) {
        pcm_report_file(image->context, PCM_ERROR, PCM_MSG_PLUGIN_START, image->path,
                        "the plugin brings the library %.100s, whose start-up code cannot be checked; link it without, "
                        "or trust it (PCM_TRUST_PLUGINS)",
                        link->library);
        return false;
    }
    const uint32_t usual = 1u + watched + PCM_COVERAGE; /* sanitizers and coverage start in each object too */
    if (link->chooses || link->starters > usual)
        return refuse(image, PCM_MSG_PLUGIN_START,
                      "the plugin has code that runs when it is loaded (a constructor, an ifunc, -ffast-math at the "
                      "link); remove it, or trust it (PCM_TRUST_PLUGINS)");
    return true;
}

static bool check_copy(pcm_context *context, const char *path, const char *name, const pcm_elf *elf, char *copy)
{
    const pcm_image    image = {.context = context, .path = path, .base = (uintptr_t)copy, .elf = elf};
    const pcm_elf_link link = pcm_elf_link_image(elf, copy);
    pcm_model          model = {0};
    if (link.wrong) {
        pcm_report_file(context, PCM_ERROR, PCM_MSG_PLUGIN_NOT_ELF, path, "the plugin %s", link.wrong);
        return false;
    }
    if (!link.entry)
        return refuse(&image, PCM_MSG_PLUGIN_ENTRY,
                      "the plugin exports no pcm_entry; end it with PCM_KERNELS(...); PCM_MODEL(...);");
    const bool good = pcm_library_take(&image, (const pcm_library *)(void *)(copy + link.entry), name, &model) &&
                      check_start(&image, &link);
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

/* While a mapping is in use, the system's loader answers with it when asked for its path again, even if another file
 * has taken the place of the first. Another spelling of the path is a new question. */
static void *open_as_read(const char *path, const pcm_elf *elf, const char *copy)
{
    enum { SPELLINGS = 16 };
    const char *name = strrchr(path, '/') + 1;
    for (int i = 0; i < SPELLINGS; i++) {
        char spelt[PATH_MAX + 2 * SPELLINGS] = "";
        (void)snprintf(spelt, sizeof spelt, "%.*s%.*s%s", (int)(name - path), path, 2 * i,
                       "././././././././././././././././", name);
        void *library = open_library(spelt);
        char *base = library ? base_of(library) : NULL;
        if (!library || (base && is_copied(elf, base, copy)))
            return library;
        close_library(library);
    }
    return NULL;
}

static bool load(pcm_context *context, pcm_loaded *loaded, const char *name, const pcm_elf *elf, const char *copy)
{
    (void)dlerror();
    loaded->library = open_as_read(loaded->path, elf, copy);
    loaded->close = close_library;
    const pcm_library *entry = loaded->library ? dlsym(loaded->library, "pcm_entry") : NULL;
    if (!entry) {
        const char *reason = dlerror();
        pcm_report_file(
            context, PCM_ERROR, PCM_MSG_PLUGIN_REJECTED, loaded->path, "the system's loader rejects the plugin: %s",
            reason ? reason
                   : "what it loads is not what the file says: the file was written over while it was in use, or "
                     "exports names that the program has too; build it anew, with pcm_entry alone exported");
        return false;
    }
    const pcm_image image = {
        .context = context, .path = loaded->path, .base = (uintptr_t)base_of(loaded->library), .elf = elf};
    return pcm_library_take(&image, entry, name, &loaded->model);
}

/* As pcm_plugin_check; what was checked stays in memory, of elf->span bytes. NULL where it is rejected. */
static char *checked_copy(pcm_context *context, const char *name, const char *path, pcm_elf *elf)
{
    char *copy = read_copy(context, path, elf);
    if (!copy || check_copy(context, path, name, elf, copy))
        return copy;
    pcm_free(context, copy, elf->span);
    return NULL;
}

bool pcm_plugin_check(pcm_context *context, const char *name, const char *path)
{
    pcm_elf elf;
    char   *copy = checked_copy(context, name, path, &elf);
    if (copy)
        pcm_free(context, copy, elf.span);
    return copy;
}

static bool map(pcm_context *context, pcm_loaded *loaded, const char *name)
{
    pcm_elf elf;
    if (!pcm_library_runs(&(pcm_image){.context = context, .path = loaded->path}))
        return false;
    char *copy = checked_copy(context, name, loaded->path, &elf);
    if (!copy)
        return false;
    const bool good = load(context, loaded, name, &elf, copy);
    pcm_free(context, copy, elf.span);
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
