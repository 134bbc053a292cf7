/* SPDX-License-Identifier: MIT */
#include "elf_header.h"
#include <pcm/messages.h>

#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#elif defined(__riscv)
enum { MACHINE = EM_RISCV };
#elif defined(__s390x__)
enum { MACHINE = EM_S390 };
#else
#error "add this machine's ELF number"
#endif

static const uint8_t CLASS_HERE = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
static const uint8_t BYTE_ORDER_HERE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

static const pcm_elf_fault sound = {0, NULL};
static const pcm_elf_fault not_regular = {PCM_MSG_PLUGIN_UNREADABLE, "is not a regular file"};
static const pcm_elf_fault empty = {PCM_MSG_PLUGIN_TRUNCATED, "is empty; build or copy it again"};
static const pcm_elf_fault truncated = {PCM_MSG_PLUGIN_TRUNCATED, "is truncated; build or copy it again"};
static const pcm_elf_fault no_library = {PCM_MSG_PLUGIN_NOT_ELF,
                                         "is not a shared object; link the plugin with -shared"};
static const pcm_elf_fault other_machine = {PCM_MSG_PLUGIN_MACHINE,
                                            "was built for another machine; build it on this one"};

static bool read_at(int file, void *to, size_t bytes, uint64_t offset)
{
    return pread(file, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

/* Whether [offset, offset + bytes) lies in a file of that size. */
static bool inside(uint64_t offset, uint64_t bytes, uint64_t size) { return offset <= size && bytes <= size - offset; }

static bool holds_segments(int file, const ElfW(Ehdr) * header, uint64_t size)
{
    ElfW(Phdr) segment;
    for (uint64_t i = 0; i < header->e_phnum; i++)
        if (!read_at(file, &segment, sizeof segment, header->e_phoff + i * sizeof segment) ||
            !inside(segment.p_offset, segment.p_filesz, size))
            return false;
    return true;
}

pcm_elf_fault pcm_elf_check(int file)
{
    struct stat status;
    ElfW(Ehdr) header;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return not_regular;
    const uint64_t size = (uint64_t)status.st_size;
    if (size == 0)
        return empty;
    if (size < SELFMAG || !read_at(file, &header, SELFMAG, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return no_library;
    if (!read_at(file, &header, sizeof header, 0))
        return truncated;
    if (header.e_ident[EI_CLASS] != CLASS_HERE || header.e_ident[EI_DATA] != BYTE_ORDER_HERE ||
        header.e_machine != MACHINE)
        return other_machine;
    if (header.e_type != ET_DYN || header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phnum == 0)
        return no_library;
    /* Linkers put the section headers at the end of the file. */
    if (!inside(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize, size) ||
        !holds_segments(file, &header, size))
        return truncated;
    return sound;
}
