/* SPDX-License-Identifier: MIT */
/* elf_file.c - a shared object, looked at without the system's loader. */
#include "elf_file.h"
#include <pcm/messages.h>

#include <elf.h>
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

enum {
    PAGE = 4096,
    SPAN_MAX = 1 << 28,   /* bytes of a plugin in memory */
    THREAD_MAX = 1 << 20, /* bytes that a plugin may keep per thread */
    ALIGNMENT_MAX = 1 << 21
};

static const uint8_t BYTE_ORDER_HERE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

static pcm_elf wrong(uint32_t code, const char *text) { return (pcm_elf){.wrong = text, .code = code}; }

static pcm_elf truncated(void) { return wrong(PCM_MSG_PLUGIN_TRUNCATED, "is truncated; build or copy it again"); }

static pcm_elf damaged(void)
{
    return wrong(PCM_MSG_PLUGIN_NOT_ELF, "has damaged ELF headers; build or copy it again");
}

static pcm_elf no_library(void)
{
    return wrong(PCM_MSG_PLUGIN_NOT_ELF, "is not a shared object; link the plugin with -shared");
}

static bool read_at(int file, void *to, size_t bytes, uint64_t offset)
{
    return pread(file, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

/* Whether [offset, offset + bytes) lies in that many bytes. */
static bool inside(uint64_t offset, uint64_t bytes, uint64_t size) { return offset <= size && bytes <= size - offset; }

static bool is_alignment(uint64_t number) { return number <= ALIGNMENT_MAX && (number & (number - 1)) == 0; }

/* ---- Segments --------------------------------------------------------------------------------------------------- */

/* One that is mapped: they rise, share no page, and lie in memory as in the file. */
static bool add_segment(pcm_elf *elf, const Elf64_Phdr *p)
{
    if (p->p_filesz > p->p_memsz || !inside(p->p_vaddr, p->p_memsz, SPAN_MAX) || elf->count == PCM_SEGMENTS_MAX ||
        p->p_align < PAGE || !is_alignment(p->p_align) || (p->p_vaddr - p->p_offset) % p->p_align != 0 ||
        p->p_vaddr / PAGE < (elf->span + PAGE - 1) / PAGE)
        return false;
    const pcm_segment segment = {.start = p->p_vaddr,
                                 .size = p->p_memsz,
                                 .offset = p->p_offset,
                                 .filled = p->p_filesz,
                                 .readable = p->p_flags & PF_R,
                                 .writable = p->p_flags & PF_W,
                                 .executable = p->p_flags & PF_X};
    elf->segments[elf->count++] = segment;
    elf->span = p->p_vaddr + p->p_memsz;
    return segment.writable || p->p_filesz == p->p_memsz;
}

/* Whether those bytes of the file are filled in at that place. */
static bool is_filled(const pcm_elf *elf, uint64_t at, uint64_t offset, uint64_t bytes)
{
    for (uint32_t i = 0; i < elf->count; i++) {
        const pcm_segment *segment = &elf->segments[i];
        if (at >= segment->start && inside(at - segment->start, bytes, segment->filled))
            return at - segment->start == offset - segment->offset;
    }
    return false;
}

static bool is_mapped(const pcm_elf *elf, const Elf64_Phdr *p)
{
    return p->p_filesz == p->p_memsz && is_filled(elf, p->p_vaddr, p->p_offset, p->p_filesz);
}

/* What is sealed begins in a segment that is written and ends on its last page. */
static bool is_sealable(const pcm_elf *elf, uint64_t at, uint64_t bytes)
{
    for (uint32_t i = 0; i < elf->count; i++) {
        const pcm_segment *segment = &elf->segments[i];
        if (segment->writable && at >= segment->start &&
            inside(at - segment->start, bytes, segment->size + PAGE - (segment->start + segment->size) % PAGE))
            return true;
    }
    return false;
}

/* What else the system's loader goes by. */
static bool check_header(pcm_elf *elf, const Elf64_Ehdr *header, const Elf64_Phdr *p)
{
    switch (p->p_type) {
    case PT_DYNAMIC:
        elf->dynamic = p->p_vaddr;
        elf->dynamic_size = p->p_filesz;
        elf->dynamic_offset = p->p_offset;
        return is_mapped(elf, p);
    case PT_NOTE:
    case PT_GNU_PROPERTY:
    case PT_GNU_EH_FRAME:
        return is_mapped(elf, p);
    case PT_TLS:
        return is_filled(elf, p->p_vaddr, p->p_offset, p->p_filesz) && p->p_filesz <= p->p_memsz &&
               p->p_memsz <= THREAD_MAX && is_alignment(p->p_align);
    case PT_GNU_RELRO:
        elf->sealed = p->p_vaddr;
        elf->sealed_size = p->p_filesz;
        elf->sealed_memory = p->p_memsz;
        return is_sealable(elf, p->p_vaddr, p->p_memsz) && is_filled(elf, p->p_vaddr, p->p_offset, p->p_filesz);
    case PT_GNU_STACK: /* one that can be executed would be so for the whole program */
        elf->has_stack = !(p->p_flags & PF_X);
        return elf->has_stack;
    case PT_PHDR:
        return is_mapped(elf, p) && p->p_offset == header->e_phoff && p->p_filesz == header->e_phnum * sizeof *p;
    default:
        return true;
    }
}

/* Sections say a second time where the parts of the file go. */
static bool check_section(const pcm_elf *elf, const Elf64_Shdr *s)
{
    if (!(s->sh_flags & SHF_ALLOC) || (s->sh_type == SHT_NOBITS && s->sh_flags & SHF_TLS))
        return true;
    if (s->sh_type == SHT_DYNAMIC && (s->sh_addr != elf->dynamic || s->sh_size != elf->dynamic_size))
        return false;
    if (s->sh_size > 0 && s->sh_addr - elf->sealed < elf->sealed_memory && s->sh_addr - elf->sealed >= elf->sealed_size)
        return false;
    return s->sh_type == SHT_NOBITS ? inside(s->sh_addr, s->sh_size, elf->span)
                                    : is_filled(elf, s->sh_addr, s->sh_offset, s->sh_size);
}

static bool check_sections(int file, const Elf64_Ehdr *header, const pcm_elf *elf)
{
    Elf64_Shdr section;
    for (uint64_t i = 0; i < header->e_shnum; i++)
        if (!read_at(file, &section, sizeof section, header->e_shoff + i * sizeof section) ||
            !check_section(elf, &section))
            return false;
    return header->e_shnum > 0;
}

static pcm_elf read_segments(int file, const Elf64_Ehdr *header, uint64_t size)
{
    enum { HEADERS_MAX = 64 };
    Elf64_Phdr headers[HEADERS_MAX];
    pcm_elf    elf = {0};
    if (header->e_phnum > HEADERS_MAX)
        return damaged();
    if (!read_at(file, headers, header->e_phnum * sizeof *headers, header->e_phoff))
        return truncated();
    for (uint16_t i = 0; i < header->e_phnum; i++) {
        if (!inside(headers[i].p_offset, headers[i].p_filesz, size))
            return truncated();
        if (headers[i].p_type == PT_LOAD && !add_segment(&elf, &headers[i]))
            return damaged();
    }
    for (uint16_t i = 0; i < header->e_phnum; i++)
        if (headers[i].p_type != PT_LOAD && !check_header(&elf, header, &headers[i]))
            return damaged();
    if (elf.dynamic_size == 0 || elf.count == 0)
        return no_library();
    return elf.has_stack && check_sections(file, header, &elf) ? elf : damaged();
}

pcm_elf pcm_elf_read(int file)
{
    struct stat status;
    Elf64_Ehdr  header;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return wrong(PCM_MSG_PLUGIN_UNREADABLE, "is not a regular file");
    const uint64_t size = (uint64_t)status.st_size;
    if (size == 0)
        return wrong(PCM_MSG_PLUGIN_TRUNCATED, "is empty; build or copy it again");
    if (size < SELFMAG || !read_at(file, &header, SELFMAG, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return no_library();
    if (!read_at(file, &header, sizeof header, 0))
        return truncated();
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != BYTE_ORDER_HERE ||
        header.e_machine != MACHINE)
        return wrong(PCM_MSG_PLUGIN_MACHINE, "was built for another machine; build it on this one");
    if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr) || header.e_shentsize != sizeof(Elf64_Shdr))
        return no_library();
    /* The section headers come last: nothing maps them, but a file without the end that it announces was cut. */
    if (!inside(header.e_phoff, (uint64_t)header.e_phnum * header.e_phentsize, size) ||
        !inside(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize, size))
        return truncated();
    return read_segments(file, &header, size);
}

bool pcm_elf_fill(int file, const pcm_elf *elf, char *image)
{
    for (uint32_t i = 0; i < elf->count; i++) {
        const pcm_segment *segment = &elf->segments[i];
        if (!read_at(file, image + segment->start, segment->filled, segment->offset))
            return false;
    }
    return true;
}
