/* SPDX-License-Identifier: MIT */
/* elf_file.c - a shared object, looked at without the system's loader. */
#include "elf_file.h"
#include <pcm/messages.h>

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#elif defined(__riscv)
enum { MACHINE = EM_RISCV };
#else
#error "add this machine's ELF number"
#endif

static const uint8_t BYTE_ORDER_HERE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

static pcm_elf wrong(uint32_t code, const char *text) { return (pcm_elf){.wrong = text, .code = code}; }

static bool read_at(int file, void *to, size_t bytes, uint64_t offset)
{
    return pread(file, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

/* Whether [offset, offset + bytes) lies in a file of that size. */
static bool inside(uint64_t offset, uint64_t bytes, uint64_t size) { return offset <= size && bytes <= size - offset; }

static pcm_elf read_segments(int file, const Elf64_Ehdr *header, uint64_t size)
{
    pcm_elf elf = {0};
    bool    dynamic = false;
    for (uint16_t i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        if (!read_at(file, &segment, sizeof segment, header->e_phoff + i * sizeof segment))
            return wrong(PCM_MSG_PLUGIN_TRUNCATED, "is truncated; build or copy it again");
        if (!inside(segment.p_offset, segment.p_filesz, size))
            return wrong(PCM_MSG_PLUGIN_TRUNCATED, "is truncated; build or copy it again");
        dynamic = dynamic || segment.p_type == PT_DYNAMIC;
        if (segment.p_type != PT_LOAD)
            continue;
        if (segment.p_filesz > segment.p_memsz || segment.p_vaddr + segment.p_memsz < segment.p_vaddr ||
            elf.count == PCM_SEGMENTS_MAX)
            return wrong(PCM_MSG_PLUGIN_NOT_ELF, "has damaged ELF headers; build or copy it again");
        elf.segments[elf.count++] = (pcm_segment){segment.p_vaddr, segment.p_memsz, (segment.p_flags & PF_X) != 0};
    }
    if (!dynamic || elf.count == 0)
        return wrong(PCM_MSG_PLUGIN_NOT_ELF, "is not a shared object; link the plugin with -shared");
    return elf;
}

static pcm_elf read_file(int file, uint64_t size)
{
    Elf64_Ehdr header;
    if (size == 0)
        return wrong(PCM_MSG_PLUGIN_TRUNCATED, "is empty; build or copy it again");
    if (size < SELFMAG || !read_at(file, &header, SELFMAG, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return wrong(PCM_MSG_PLUGIN_NOT_ELF, "is not a shared object; link the plugin with -shared");
    if (!read_at(file, &header, sizeof header, 0))
        return wrong(PCM_MSG_PLUGIN_TRUNCATED, "is truncated; build or copy it again");
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != BYTE_ORDER_HERE ||
        header.e_machine != MACHINE)
        return wrong(PCM_MSG_PLUGIN_MACHINE, "was built for another machine; build it on this one");
    if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr))
        return wrong(PCM_MSG_PLUGIN_NOT_ELF, "is not a shared object; link the plugin with -shared");
    /* The section headers come last: nothing maps them, but a file without the end that it announces was cut. */
    if (!inside(header.e_phoff, (uint64_t)header.e_phnum * header.e_phentsize, size) ||
        !inside(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize, size))
        return wrong(PCM_MSG_PLUGIN_TRUNCATED, "is truncated; build or copy it again");
    return read_segments(file, &header, size);
}

pcm_elf pcm_elf_read(const char *path)
{
    /* Not blocking: a plugin's name may belong to a pipe. */
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return wrong(PCM_MSG_PLUGIN_UNREADABLE, "cannot be read; check its permissions");
    struct stat status;
    pcm_elf     elf;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        elf = wrong(PCM_MSG_PLUGIN_UNREADABLE, "is not a regular file");
    else
        elf = read_file(file, (uint64_t)status.st_size);
    close(file);
    return elf;
}
