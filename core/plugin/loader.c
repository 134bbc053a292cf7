/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dlinfo, dl_iterate_phdr */
#include "loader.h"
#include "elf_header.h"
#include "image.h"
#include <pcm/messages.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The file --------------------------------------------------------------------------------------------------- */

static bool check_file(const pcm_image *image, struct stat *status)
{
    /* Not blocking: a plugin's name may belong to a pipe. */
    const int     file = open(image->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    pcm_elf_fault fault = {PCM_MSG_PLUGIN_UNREADABLE, "cannot be read; check its permissions"};
    if (file >= 0) {
        if (fstat(file, status) == 0)
            fault = pcm_elf_check(file);
        close(file);
    }
    if (fault.text)
        pcm_report_at(image->context, PCM_ERROR, fault.code, &(pcm_place){.file = image->path}, "the plugin %s",
                      fault.text);
    return !fault.text;
}

/* ---- The system's loader ---------------------------------------------------------------------------------------- */

/* Constructors and destructors may change the processor's rounding and its treatment of small numbers: the host keeps
 * its own. */
static void *open_library(const char *path, int flags)
{
    fenv_t here;
    fegetenv(&here);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags);
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

enum { SPELT_MAX = PATH_MAX + 2 * 64 };

/* Writes another path to the same file: before its name, the bits of the file's number as "./" and "/". */
static void spell(const char *path, const struct stat *status, char spelt[SPELT_MAX])
{
    const char *name = strrchr(path, '/') + 1;
    int         used = snprintf(spelt, SPELT_MAX, "%.*s", (int)(name - path), path);
    for (uint64_t number = (uint64_t)status->st_ino ^ (uint64_t)status->st_dev << 40; number; number >>= 1)
        used += snprintf(spelt + used, SPELT_MAX - (size_t)used, number & 1 ? "./" : "/");
    (void)snprintf(spelt + used, SPELT_MAX - (size_t)used, "%s", name);
}

/* While a library is in use, glibc returns it to every caller that asks for its path, even if another file has that
 * path by now. If the path is new to it, glibc compares the files. */
static void *open_newest(const char *path, const struct stat *status)
{
    char  spelt[SPELT_MAX];
    void *used = open_library(path, RTLD_NOLOAD);
    if (!used)
        return open_library(path, 0);
    spell(path, status, spelt);
    void *library = open_library(spelt, 0);
    close_library(used);
    return library;
}

/* The system's reason without the path, which stands in front of the message anyway. */
static const char *reason(const char *path)
{
    const char  *why = dlerror();
    const size_t length = strlen(path);
    if (why && strncmp(why, path, length) == 0 && strncmp(why + length, ": ", 2) == 0)
        return why + length + 2;
    return why ? why : "no reason given";
}

/* ---- The mapped library ----------------------------------------------------------------------------------------- */

typedef struct search {
    uintptr_t    dynamic; /* the address of the library's dynamic section, which is unique */
    pcm_mapping *mapping;
} search;

static int note_segments(struct dl_phdr_info *info, size_t size, void *user)
{
    const search *s = user;
    bool          found = false;
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        found |= info->dlpi_phdr[i].p_type == PT_DYNAMIC && info->dlpi_addr + info->dlpi_phdr[i].p_vaddr == s->dynamic;
    for (size_t i = 0; found && i < info->dlpi_phnum && s->mapping->count < PCM_SEGMENTS_MAX; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD)
            s->mapping->segments[s->mapping->count++] = (pcm_segment){.start = info->dlpi_addr + part->p_vaddr,
                                                                      .size = part->p_memsz,
                                                                      .readable = part->p_flags & PF_R,
                                                                      .executable = part->p_flags & PF_X};
    }
    return found;
}

pcm_mapping pcm_plugin_mapping(void *library)
{
    struct link_map *map = NULL;
    pcm_mapping      mapping = {0};
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0)
        (void)dl_iterate_phdr(note_segments, &(search){(uintptr_t)map->l_ld, &mapping});
    return mapping;
}

static bool take_entry(const pcm_image *image, pcm_loaded *loaded, const char *name)
{
    const pcm_library *entry = dlsym(loaded->library, "pcm_entry");
    if (entry && pcm_image_holds(image, entry, 1)) /* not the entry of a library that it needs */
        return pcm_library_take(image, entry, name, &loaded->model);
    pcm_report_at(image->context, PCM_ERROR, PCM_MSG_PLUGIN_ENTRY, &(pcm_place){.file = image->path},
                  "the plugin exports no pcm_entry; end it with PCM_KERNELS(...); PCM_MODEL(...);");
    return false;
}

static bool load(pcm_context *context, pcm_loaded *loaded, const char *name)
{
    pcm_mapping mapping;
    pcm_image   image = {.context = context, .path = loaded->path, .mapping = &mapping};
    struct stat status;
    if (!pcm_library_runs(&image) || !check_file(&image, &status))
        return false;
    loaded->library = open_newest(loaded->path, &status);
    loaded->close = close_library;
    if (loaded->library) {
        mapping = pcm_plugin_mapping(loaded->library);
        return take_entry(&image, loaded, name);
    }
    pcm_report_at(context, PCM_ERROR, PCM_MSG_PLUGIN_REJECTED, &(pcm_place){.file = loaded->path},
                  "the system's loader rejects the plugin: %s; build it on this system, and link it with every "
                  "library that it calls",
                  reason(loaded->path));
    return false;
}

pcm_loaded *pcm_plugin_open(pcm_context *context, const char *name, const char *path)
{
    pcm_loaded *loaded = pcm_loaded_new(context, path);
    if (loaded && load(context, loaded, name))
        return loaded;
    pcm_loaded_free(context, loaded);
    return NULL;
}
