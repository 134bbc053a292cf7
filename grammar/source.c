/* SPDX-License-Identifier: MIT */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_BLOCK = 4096, END_BYTES = 2 /* the NULs that the scanner needs after a text */ };

uint32_t pcm_sources_add(pcm_sources *sources, const char *name, size_t name_length)
{
    pcm_allocator *allocator = &sources->arena.allocator;
    if (sources->count == sources->capacity) {
        uint32_t    capacity = sources->capacity == 0 ? 4 : 2 * sources->capacity;
        pcm_source *list = allocator->allocate(allocator->user, capacity * sizeof *list);
        if (list == NULL)
            return UINT32_MAX;
        if (sources->count > 0) {
            memcpy(list, sources->list, sources->count * sizeof *list);
            allocator->release(allocator->user, sources->list, sources->capacity * sizeof *list);
        }
        sources->list = list;
        sources->capacity = capacity;
    }
    const char *copy = pcm_arena_text(&sources->arena, name, name_length);
    if (copy == NULL)
        return UINT32_MAX;
    sources->list[sources->count] = (pcm_source){.name = copy};
    return sources->count++;
}

void pcm_sources_free(pcm_sources *sources)
{
    pcm_allocator *allocator = &sources->arena.allocator;
    for (uint32_t i = 0; i < sources->count; i++) {
        pcm_source *source = &sources->list[i];
        if (source->text != NULL)
            allocator->release(allocator->user, source->text, (size_t)source->length + END_BYTES);
    }
    if (sources->list != NULL)
        allocator->release(allocator->user, sources->list, sources->capacity * sizeof *sources->list);
    sources->list = NULL;
    sources->count = sources->capacity = 0;
    pcm_arena_free(&sources->arena);
}

static uint32_t count_line_ends(const char *text, size_t length)
{
    uint32_t count = 0;
#pragma omp simd reduction(+ : count)
    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    return count;
}

/* The first line end from start on, or end if there is none. */
static uint32_t next_line_end(const pcm_source *source, uint32_t start, uint32_t end)
{
    const char *found = memchr(source->text + start, '\n', end - start);
    return found == NULL ? end : (uint32_t)(found - source->text);
}

/* The start of the line of offset, searched back to first; fallback if it is not found there. */
static uint32_t line_start(const pcm_source *source, uint32_t first, uint32_t offset, uint32_t fallback)
{
    while (offset > first && source->text[offset - 1] != '\n')
        offset--;
    return offset > first ? offset : fallback;
}

/* Completes a source once its bytes are loaded. */
static pcm_read source_finish(pcm_sources *sources, pcm_source *source)
{
    uint32_t count = source->length / LINE_BLOCK + 1;
    if (source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0)
        source->start = 3;
    pcm_line_block *blocks = pcm_arena_take(&sources->arena, count * sizeof *blocks);
    if (blocks == NULL)
        return PCM_READ_NO_MEMORY;
    source->blocks = blocks;
    blocks[0].line_start = source->start;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t first = (i - 1) * LINE_BLOCK;
        blocks[i].lines_before = blocks[i - 1].lines_before + count_line_ends(source->text + first, LINE_BLOCK);
        blocks[i].line_start = line_start(source, first, i * LINE_BLOCK, blocks[i - 1].line_start);
    }
    uint32_t end = source->length;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t found = next_line_end(source, i * LINE_BLOCK, i + 1 < count ? (i + 1) * LINE_BLOCK : source->length);
        bool     there = found < source->length && source->text[found] == '\n';
        end = blocks[i].line_end = there ? found : end;
    }
    return PCM_READ_OK;
}

static pcm_read source_room(pcm_sources *sources, pcm_source *source, size_t length)
{
    if (length > PCM_SOURCE_BYTES_MOST)
        return PCM_READ_TOO_LARGE;
    pcm_allocator *allocator = &sources->arena.allocator;
    source->text = allocator->allocate(allocator->user, length + END_BYTES);
    if (source->text == NULL)
        return PCM_READ_NO_MEMORY;
    source->length = (uint32_t)length;
    memset(source->text + length, 0, END_BYTES);
    return PCM_READ_OK;
}

pcm_read pcm_source_take(pcm_sources *sources, uint32_t index, const char *text, size_t length)
{
    pcm_source *source = &sources->list[index];
    pcm_read    read = source_room(sources, source, length);
    if (read != PCM_READ_OK)
        return read;
    if (length > 0)
        memcpy(source->text, text, length);
    return source_finish(sources, source);
}

/* The C library's own texts depend on the locale. */
static const char *system_reason(int error)
{
    switch (error) {
    case ENOENT:
        return "the file does not exist";
    case EACCES:
    case EPERM:
        return "permission denied";
    case EISDIR:
        return "it is a directory";
    case ENOTDIR:
        return "a part of its path is not a directory";
    case ENAMETOOLONG:
        return "its name is too long";
    case ELOOP:
        return "its symbolic links form a loop";
    case EMFILE:
    case ENFILE:
        return "too many files are open";
    default:
        return "the system could not read it";
    }
}

/* Whether all was read: files of the system may be longer than their size says. */
static bool is_at_end(int file, const char **reason)
{
    char    byte;
    ssize_t got;
    do
        got = read(file, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got != 0)
        *reason = got < 0 ? system_reason(errno) : "it is longer than its size";
    return got == 0;
}

static pcm_read source_read_open(pcm_sources *sources, pcm_source *source, int file, const char **reason)
{
    struct stat about;
    if (fstat(file, &about) != 0) {
        *reason = system_reason(errno);
        return PCM_READ_FAILED;
    }
    if (!S_ISREG(about.st_mode)) {
        *reason = S_ISDIR(about.st_mode) ? system_reason(EISDIR) : "it is not a regular file";
        return PCM_READ_FAILED;
    }
    source->device = (uint64_t)about.st_dev;
    source->inode = (uint64_t)about.st_ino;
    pcm_read room = source_room(sources, source, (size_t)about.st_size);
    size_t   done = 0;
    while (room == PCM_READ_OK && done < source->length) {
        ssize_t got = read(file, source->text + done, source->length - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            *reason = got < 0 ? system_reason(errno) : "it became shorter while it was read";
            return PCM_READ_FAILED;
        }
        done += (size_t)got;
    }
    if (room == PCM_READ_OK && !is_at_end(file, reason))
        return PCM_READ_FAILED;
    return room == PCM_READ_OK ? source_finish(sources, source) : room;
}

/* The path with links resolved, in a buffer of PATH_MAX + 1. WASI cannot resolve links: there no file counts as below a
 * root. */
static bool resolve(const char *path, char *real)
{
#if defined(__wasi__)
    (void)path;
    (void)real;
    errno = ENOTSUP;
    return false;
#else
    return realpath(path, real) != NULL;
#endif
}

bool pcm_sources_set_root(pcm_sources *sources, const char *root, const char **reason)
{
    char        real[PATH_MAX + 2];
    struct stat about;
    *reason = NULL;
    if (!resolve(root, real) || stat(real, &about) != 0)
        *reason = system_reason(errno);
    else if (!S_ISDIR(about.st_mode))
        *reason = "it is not a directory";
    if (*reason != NULL)
        return false;
    const size_t length = strlen(real);
    memcpy(real + length, "/", 2);
    sources->root = pcm_arena_text(&sources->arena, real, length + (real[length - 1] != '/'));
    return sources->root != NULL;
}

static bool is_below_root(const pcm_sources *sources, const char *name, const char **reason)
{
    char real[PATH_MAX + 1];
    if (!resolve(name, real))
        *reason = system_reason(errno);
    else if (strncmp(real, sources->root, strlen(sources->root)) != 0)
        *reason = "it is outside of the folder that files are read from here";
    else
        return true;
    return false;
}

pcm_read pcm_source_read(pcm_sources *sources, uint32_t index, const char **reason)
{
    pcm_source *source = &sources->list[index];
    if (sources->root != NULL && index > 0 && !is_below_root(sources, source->name, reason))
        return PCM_READ_FAILED;
    int file = open(source->name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) {
        *reason = system_reason(errno);
        return PCM_READ_FAILED;
    }
    pcm_read read = source_read_open(sources, source, file, reason);
    close(file);
    return read;
}

pcm_span pcm_span_unquoted(const pcm_sources *sources, pcm_span span)
{
    if (*pcm_span_text(sources, span) == '"') {
        span.offset++;
        span.length = (uint16_t)(span.length - 2);
    }
    return span;
}

pcm_place pcm_span_place(const pcm_sources *sources, pcm_span span)
{
    const pcm_source *source = &sources->list[span.source];
    if (span.length == 0 || source->blocks == NULL)
        return (pcm_place){.file = source->name};
    const pcm_line_block *block = &source->blocks[span.offset / LINE_BLOCK];
    uint32_t              first = span.offset / LINE_BLOCK * LINE_BLOCK, last = first + LINE_BLOCK;
    uint32_t              line = block->lines_before + count_line_ends(source->text + first, span.offset - first);
    uint32_t              start = line_start(source, first, span.offset, block->line_start), end;
    if (last > source->length) {
        end = next_line_end(source, span.offset, source->length);
    } else {
        end = next_line_end(source, span.offset, last);
        end = end < last ? end : block[1].line_end;
    }
    if (end > span.offset && source->text[end - 1] == '\r')
        end--;
    return (pcm_place){
        .file = source->name,
        .line = line + 1,
        .column = span.offset - start + 1,
        .length = span.length,
        .source_line = source->text + start,
        .source_line_length = end - start,
    };
}

int pcm_span_compare(const pcm_sources *sources, pcm_span a, pcm_span b)
{
    bool a_lifted = false, b_lifted = false; /* then the Include line and everything after it may depend on it */
    while (a.source != b.source) {
        const pcm_source *source_a = &sources->list[a.source], *source_b = &sources->list[b.source];
        if (source_a->depth == 0 && source_b->depth == 0) /* settings come after the file */
            return a.source < b.source ? -1 : 1;
        if (source_a->depth >= source_b->depth) {
            a = source_a->included;
            a_lifted = true;
        }
        if (source_b->depth >= source_a->depth) {
            b = source_b->included;
            b_lifted = true;
        }
    }
    if (a.offset != b.offset)
        return a.offset < b.offset ? -1 : 1;
    return (int)a_lifted - (int)b_lifted;
}
