/* SPDX-License-Identifier: MIT */
/* starve.c - loaded in front of a program (LD_PRELOAD): makes one allocation fail, the one whose number among the
 * allocations of PCM's own code, from 1, is in STARVE_AT. It then writes 1 to the file named by STARVE_TOLD, which is
 * mapped as the program starts: confined processes cannot open files for writing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* Whether the code at that address belongs to the program or to a library of PCM. */
static bool is_ours(const void *code)
{
    Dl_info     found;
    const char *name = dladdr(code, &found) ? strrchr(found.dli_fname, '/') : NULL;
    name = name ? name + 1 : "pcm";
    return strncmp(name, "pcm", 3) == 0 || strncmp(name, "libpcm", 6) == 0;
}

static char *map_told(void)
{
    const char *path = getenv("STARVE_TOLD");
    const int   file = path ? open(path, O_RDWR) : -1;
    char       *told = file >= 0 ? mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    (void)close(file);
    return told == MAP_FAILED ? NULL : told;
}

static bool fails(const void *caller)
{
    static char *told;
    static long  left = -1;
    static bool  busy;
    if (busy || left == 0)
        return false;
    busy = true; /* the calls below may allocate */
    const char *at = left < 0 ? getenv("STARVE_AT") : NULL;
    told = at ? map_told() : told;
    left = left < 0 ? (told ? atol(at) : 0) : left;
    const bool failing = left > 0 && is_ours(caller) && --left == 0;
    if (failing)
        *told = '1';
    busy = false;
    return failing;
}

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char        *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
