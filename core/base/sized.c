/* SPDX-License-Identifier: MIT */
/* sized.c - structs whose size the program and the library may know differently (pcm.h, Growth). */
#include "context_struct.h"
#include <pcm/messages.h>

/* Larger than any struct: a size above this is garbage. */
enum { PCM_SIZE_MAX = 4096 };

static size_t size_of(const void *sized)
{
    size_t size;
    memcpy(&size, sized, sizeof size);
    return size;
}

static bool is_size(size_t size) { return size > sizeof size && size <= PCM_SIZE_MAX; }

/* Copies everything except the size. */
static void copy_fields(void *to, const void *from, size_t size)
{
    memcpy((char *)to + sizeof size, (const char *)from + sizeof size, size - sizeof size);
}

bool pcm_zero_beyond(const void *bytes, size_t known, size_t size)
{
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)bytes)[i])
            return false;
    return true;
}

bool pcm_def_fill(pcm_context *context, const char *name, void *to, const void *from)
{
    if (!from)
        return true;
    const size_t size = size_of(from), known = size_of(to);
    if (!is_size(size)) {
        pcm_report(context, PCM_ERROR, PCM_MSG_BAD_DEF,
                   "the %s has no size: start it from its defaults, or make it with .size = sizeof", name);
        return false;
    }
    if (!pcm_zero_beyond(from, known, size)) {
        pcm_report(context, PCM_ERROR, PCM_MSG_BAD_DEF,
                   "the %s has fields that this PCM does not know: the program was built with a later one; update PCM",
                   name);
        return false;
    }
    copy_fields(to, from, size < known ? size : known);
    return true;
}

pcm_status pcm_info_fill(pcm_context *context, const char *name, void *to, size_t size, const void *from)
{
    const size_t known = size_of(from);
    if (is_size(size)) {
        memcpy(to, &size, sizeof size);
        copy_fields(to, from, size < known ? size : known);
        return PCM_OK;
    }
    if (context)
        pcm_report(context, PCM_ERROR, PCM_MSG_BAD_DEF, "the %s to be filled has no size: make it with .size = sizeof",
                   name);
    return PCM_BAD_ARGUMENT;
}
