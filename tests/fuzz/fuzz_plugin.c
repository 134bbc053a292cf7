/* SPDX-License-Identifier: MIT */
/* A plugin of which some bytes are others: sound or rejected with one message, before anything of it runs. HEADERS: the
 * bytes are of what the system's loader goes by, at both ends of the file; else of the tables in it and of the list of
 * places that point into it. */
#include "fuzz.h"
#include "elf_file.h"
#include "loader.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { FILE_MOST = 1 << 20, PARTS_MOST = PCM_SEGMENTS_MAX };

static uint8_t sound[FILE_MOST], bytes[FILE_MOST];
static size_t  size_of_file, n_parts;
static struct {
    size_t at, size;
} parts[PARTS_MOST];

static void add_part(size_t at, size_t size)
{
    demand(at <= size_of_file && size <= size_of_file - at);
    parts[n_parts].at = at;
    parts[n_parts++].size = size;
}

static void read_sound(void)
{
    const int file = open(SOUND_PLUGIN, O_RDONLY | O_CLOEXEC);
    demand(file >= 0);
    const ssize_t size = read(file, sound, sizeof sound);
    const pcm_elf elf = pcm_elf_read(file);
    close(file);
    demand(size > 4096 && !elf.wrong);
    size_of_file = (size_t)size;
#ifdef HEADERS
    add_part(0, 4096); /* file and program headers, hashes, symbols, versions, relocations */
    add_part(size_of_file - 2048, 2048);
    for (uint32_t i = 0; i < elf.count; i++)
        if (elf.dynamic >= elf.segments[i].start && elf.dynamic - elf.segments[i].start < elf.segments[i].filled)
            add_part(elf.dynamic - elf.segments[i].start + elf.segments[i].offset, elf.dynamic_size);
#else
    for (uint32_t i = 0; i < elf.count; i++)
        if (!elf.segments[i].executable)
            add_part(elf.segments[i].offset, elf.segments[i].filled);
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, data + size};
    if (n_parts == 0)
        read_sound();
    memcpy(bytes, sound, size_of_file);
    const size_t part = fuzz_byte(&input) % n_parts;
    fuzz_edit(&input, bytes + parts[part].at, parts[part].size);
    pcm_context *context = fuzz_context(NULL);
    const bool   good = pcm_plugin_check(context, "Sound", fuzz_file(bytes, size_of_file));
    demand(good == (fuzz_heard[PCM_ERROR] == 0) && fuzz_heard[PCM_ERROR] <= 1);
    return 0;
}
