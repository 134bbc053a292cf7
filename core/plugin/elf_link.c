/* SPDX-License-Identifier: MIT */
/* elf_link.c - the dynamic section of a shared object: the system's loader believes every number in it. */
#include "elf_link.h"

#include <elf.h>
#include <string.h>

/* Relocations, by what they write: the image's address and a number; a symbol's address; what a function chooses; and
 * what belongs to a thread. */
#if defined(__x86_64__)
enum { OWN = R_X86_64_RELATIVE, CHOSEN = R_X86_64_IRELATIVE };
static const uint32_t symbols[] = {R_X86_64_64, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT};
static const uint32_t threads[] = {R_X86_64_DTPMOD64, R_X86_64_DTPOFF64, R_X86_64_TPOFF64, R_X86_64_TLSDESC};
#elif defined(__aarch64__)
enum { OWN = R_AARCH64_RELATIVE, CHOSEN = R_AARCH64_IRELATIVE };
static const uint32_t symbols[] = {R_AARCH64_ABS64, R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT};
static const uint32_t threads[] = {R_AARCH64_TLS_DTPMOD, R_AARCH64_TLS_DTPREL, R_AARCH64_TLS_TPREL, R_AARCH64_TLSDESC};
#elif defined(__riscv)
enum { OWN = R_RISCV_RELATIVE, CHOSEN = 58 /* R_RISCV_IRELATIVE, which older headers lack */ };
static const uint32_t symbols[] = {R_RISCV_64, R_RISCV_JUMP_SLOT};
static const uint32_t threads[] = {R_RISCV_TLS_DTPMOD64, R_RISCV_TLS_DTPREL64, R_RISCV_TLS_TPREL64};
#elif defined(__s390x__)
enum { OWN = R_390_RELATIVE, CHOSEN = R_390_IRELATIVE };
static const uint32_t symbols[] = {R_390_64, R_390_GLOB_DAT, R_390_JMP_SLOT};
static const uint32_t threads[] = {R_390_TLS_DTPMOD, R_390_TLS_DTPOFF, R_390_TLS_TPOFF};
#else
#error "add this machine's relocations"
#endif

/* Entries of the dynamic section that count here: the first ones by their own numbers, the others behind them. */
enum { RELR = 36, RELR_SIZE = 35, RELR_ENTRY = 37, LOW_TAGS = 38 };
enum { GNU_HASH = LOW_TAGS, VERSION_OF, VERSION_NEED, VERSION_NEEDS, SLOTS };

/* Start functions of what compilers build into code to watch it. */
static const char *const watchers[] = {"__asan_init", "__tsan_init", "__msan_init", NULL};

/* Libraries of the C library and the compiler, by their whole names: they come from the system's own places. */
static const char *const runtimes[] = {"libc.so.6",
                                       "libm.so.6",
                                       "libmvec.so.1",
                                       "libpthread.so.0",
                                       "libgcc_s.so.1",
                                       "libstdc++.so.6", /* glibc */
                                       "libc.so",
                                       "libc.musl-x86_64.so.1",
                                       "libc.musl-aarch64.so.1",
                                       "libc.musl-s390x.so.1",
                                       "libc.musl-riscv64.so.1",
                                       "ld-linux-x86-64.so.2",
                                       "ld-linux-aarch64.so.1",
                                       "ld-linux-riscv64-lp64d.so.1",
                                       "ld64.so.1",
                                       "ld-musl-x86_64.so.1",
                                       "ld-musl-aarch64.so.1",
                                       "ld-musl-s390x.so.1",
                                       "ld-musl-riscv64.so.1",
                                       NULL};

/* Functions after which no handler could say which law ended the program, or its thread. What compilers add to count
 * lines calls the first. */
static const char *const endings[] = {"exit",         "_exit",     "_Exit",   "quick_exit",
                                      "pthread_exit", "thrd_exit", "syscall", NULL};

typedef struct linking {
    const pcm_elf *elf;
    char          *image;
    uint64_t       value[SLOTS]; /* of the entries of the dynamic section; 0 = not there */
    uint64_t       n_dynamic;
    uint32_t       n_symbols;
    pcm_elf_link   found;
} linking;

/* ---- Places in the image ---------------------------------------------------------------------------------------- */

static const pcm_segment *segment_of(const linking *l, uint64_t at, uint64_t bytes)
{
    for (uint32_t i = 0; i < l->elf->count; i++) {
        const pcm_segment *segment = &l->elf->segments[i];
        if (at >= segment->start && at - segment->start <= segment->size &&
            bytes <= segment->size - (at - segment->start))
            return segment;
    }
    return NULL;
}

/* What lies there, if that many bytes do and the place is a multiple of the alignment. */
static void *spot(const linking *l, uint64_t at, uint64_t bytes, uint64_t alignment)
{
    const pcm_segment *segment = segment_of(l, at, bytes);
    return segment && segment->readable && at % alignment == 0 ? l->image + at : NULL;
}

/* The same of a table that nothing writes to. */
static void *table(const linking *l, uint64_t at, uint64_t bytes, uint64_t alignment)
{
    const pcm_segment *segment = segment_of(l, at, bytes);
    return segment && !segment->writable ? spot(l, at, bytes, alignment) : NULL;
}

static bool is_code(const linking *l, uint64_t at)
{
    const pcm_segment *segment = segment_of(l, at, 1);
    return segment && segment->executable;
}

/* A text of the string table, whose last byte is 0; NULL where there is none. */
static const char *text(const linking *l, uint64_t offset)
{
    return offset < l->value[DT_STRSZ] ? l->image + l->value[DT_STRTAB] + offset : NULL;
}

static bool is_listed(const char *name, const char *const *list)
{
    while (*list && strcmp(name, *list))
        list++;
    return *list;
}

/* ---- The dynamic section ---------------------------------------------------------------------------------------- */

static int slot_of(int64_t tag)
{
    switch (tag) {
    case DT_GNU_HASH:
        return GNU_HASH;
    case DT_VERSYM:
        return VERSION_OF;
    case DT_VERNEED:
        return VERSION_NEED;
    case DT_VERNEEDNUM:
        return VERSION_NEEDS;
    default:
        return tag > DT_NULL && tag < LOW_TAGS ? (int)tag : -1;
    }
}

static const Elf64_Dyn *dynamic(const linking *l) { return (const Elf64_Dyn *)(void *)(l->image + l->elf->dynamic); }

static bool read_dynamic(linking *l)
{
    const uint64_t     room = l->elf->dynamic_size / sizeof(Elf64_Dyn);
    const pcm_segment *segment = segment_of(l, l->elf->dynamic, l->elf->dynamic_size);
    if (!segment || !segment->writable || l->elf->dynamic % 8)
        return false;
    for (; l->n_dynamic < room && dynamic(l)[l->n_dynamic].d_tag != DT_NULL; l->n_dynamic++) {
        const Elf64_Dyn *entry = &dynamic(l)[l->n_dynamic];
        const int        slot = slot_of(entry->d_tag);
        if (entry->d_tag == DT_VERDEF || entry->d_tag == DT_FILTER || entry->d_tag == DT_AUXILIARY)
            return false;
        if (slot < 0 || slot == DT_NEEDED)
            continue;
        if (l->value[slot])
            return false;
        l->value[slot] = entry->d_un.d_val;
    }
    return l->n_dynamic < room;
}

/* Whether sizes of entries are what the loader takes them for, and there is nothing that it cannot follow. */
static bool check_kinds(const linking *l)
{
    const uint64_t *value = l->value;
    return value[DT_SYMENT] == sizeof(Elf64_Sym) && (!value[DT_RELA] || value[DT_RELAENT] == sizeof(Elf64_Rela)) &&
           (!value[DT_JMPREL] || value[DT_PLTREL] == DT_RELA) && !value[DT_REL] && !value[DT_TEXTREL] &&
           !(value[DT_FLAGS] & DF_TEXTREL) && (!value[RELR] || value[RELR_ENTRY] == sizeof(uint64_t)) &&
           (!value[DT_PLTGOT] || segment_of(l, value[DT_PLTGOT], sizeof(uint64_t)));
}

static bool check_texts(linking *l)
{
    const uint64_t size = l->value[DT_STRSZ];
    const char    *texts = table(l, l->value[DT_STRTAB], size, 1);
    if (!texts || size == 0 || texts[size - 1])
        return false;
    for (uint64_t i = 0; i < l->n_dynamic; i++) {
        const Elf64_Dyn *entry = &dynamic(l)[i];
        const bool       names = entry->d_tag == DT_NEEDED || entry->d_tag == DT_SONAME || entry->d_tag == DT_RPATH ||
                           entry->d_tag == DT_RUNPATH;
        const char *name = names ? text(l, entry->d_un.d_val) : NULL;
        if (names && !name)
            return false;
        if (entry->d_tag == DT_NEEDED && !is_listed(name, runtimes)) {
            if (l->found.n_libraries == PCM_LIBRARIES_MAX)
                return false;
            l->found.libraries[l->found.n_libraries++] = name;
        }
    }
    return true;
}

/* ---- Symbols ---------------------------------------------------------------------------------------------------- */

/* The table that symbols are found by also says how many there are. */
static bool walk_gnu_hash(linking *l)
{
    enum { HEADER = 4 * sizeof(uint32_t) };
    const uint64_t  at = l->value[GNU_HASH], most = l->elf->span / sizeof(Elf64_Sym);
    const uint32_t *header = table(l, at, HEADER, 8);
    if (!header || !header[0] || !header[2] || header[2] & (header[2] - 1) || header[3] >= 32)
        return false;
    const uint64_t buckets_at = at + HEADER + UINT64_C(8) * header[2], chains_at = buckets_at + UINT64_C(4) * header[0];
    const uint32_t *buckets = table(l, buckets_at, UINT64_C(4) * header[0], 4);
    uint64_t        steps = 0;
    l->n_symbols = header[1];
    for (uint32_t b = 0; buckets && b < header[0]; b++) {
        const uint32_t *chain = NULL;
        for (uint64_t n = buckets[b]; n && !(chain && *chain & 1); n++) {
            chain = n < header[1] ? NULL : table(l, chains_at + 4 * (n - header[1]), 4, 4);
            if (!chain || ++steps > most)
                return false;
            l->n_symbols = n >= l->n_symbols ? (uint32_t)n + 1 : l->n_symbols;
        }
    }
    return buckets;
}

static bool walk_old_hash(linking *l)
{
    const uint32_t *header = table(l, l->value[DT_HASH], 8, 4);
    const uint64_t  count = header ? UINT64_C(2) + header[0] + header[1] : 0;
    const uint32_t *first = count ? table(l, l->value[DT_HASH], 4 * count, 4) : NULL;
    uint64_t        steps = 0;
    if (!first || !header[0])
        return false;
    for (uint32_t b = 0; b < header[0]; b++)
        for (uint32_t n = first[2 + b]; n; n = first[2 + header[0] + n])
            if (n >= header[1] || ++steps > header[1])
                return false;
    l->n_symbols = l->value[GNU_HASH] ? l->n_symbols : header[1];
    return true;
}

static bool check_hashes(linking *l)
{
    return (l->value[GNU_HASH] || l->value[DT_HASH]) && (!l->value[GNU_HASH] || walk_gnu_hash(l)) &&
           (!l->value[DT_HASH] || walk_old_hash(l));
}

static const Elf64_Sym *symbol(const linking *l, uint64_t index)
{
    return (const Elf64_Sym *)(void *)(l->image + l->value[DT_SYMTAB]) + index;
}

static bool check_symbols(linking *l)
{
    if (!table(l, l->value[DT_SYMTAB], l->n_symbols * sizeof(Elf64_Sym), 8))
        return false;
    for (uint32_t i = 0; i < l->n_symbols; i++) {
        const Elf64_Sym *s = symbol(l, i);
        const char      *name = text(l, s->st_name);
        const int        type = ELF64_ST_TYPE(s->st_info);
        if (!name)
            return false;
        if (s->st_shndx == SHN_UNDEF) {
            l->found.instrumented = is_listed(name, watchers) ? name : l->found.instrumented;
            l->found.ends = is_listed(name, endings + PCM_COVERAGE) ? name : l->found.ends;
            continue;
        }
        if (type != STT_TLS && s->st_shndx != SHN_ABS && s->st_value > l->elf->span)
            return false;
        l->found.chooses = l->found.chooses || type == STT_GNU_IFUNC;
        if (strcmp(name, "pcm_entry") == 0)
            l->found.entry = s->st_value;
    }
    return true;
}

/* ---- Versions of symbols ---------------------------------------------------------------------------------------- */

/* The loader takes it for granted that a library of which a version is wanted is one that is needed. */
static bool is_needed(const linking *l, const char *library)
{
    for (uint64_t i = 0; i < l->n_dynamic; i++)
        if (dynamic(l)[i].d_tag == DT_NEEDED && strcmp(text(l, dynamic(l)[i].d_un.d_val), library) == 0)
            return true;
    return false;
}

/* The versions wanted of one library; false where the list is broken, else *most is at least their greatest number. */
static bool walk_versions(const linking *l, uint64_t at, uint32_t count, uint16_t *most)
{
    for (uint32_t i = 0; i < count; i++) {
        const Elf64_Vernaux *version = table(l, at, sizeof *version, 4);
        if (!version || !text(l, version->vna_name) || (version->vna_next == 0) != (i + 1 == count))
            return false;
        const uint16_t number = version->vna_other & 0x7fff;
        *most = number > *most ? number : *most;
        at += version->vna_next;
    }
    return count > 0;
}

static bool check_versions(const linking *l)
{
    enum { MOST_LIBRARIES = 1000 };
    uint16_t       most = 1;
    uint64_t       at = l->value[VERSION_NEED];
    const uint64_t count = l->value[VERSION_NEEDS];
    for (uint64_t i = 0; at && i < count; i++) {
        const Elf64_Verneed *need = table(l, at, sizeof *need, 4);
        if (!need || need->vn_version != VER_NEED_CURRENT || !text(l, need->vn_file) || count > MOST_LIBRARIES ||
            !is_needed(l, text(l, need->vn_file)) || (need->vn_next == 0) != (i + 1 == count) ||
            !walk_versions(l, at + need->vn_aux, need->vn_cnt, &most))
            return false;
        at += need->vn_next;
    }
    if ((l->value[VERSION_NEED] != 0) != (count != 0))
        return false;
    const uint16_t *of = l->value[VERSION_OF] ? table(l, l->value[VERSION_OF], l->n_symbols * sizeof *of, 2) : NULL;
    for (uint32_t i = 0; of && i < l->n_symbols; i++)
        if ((of[i] & 0x7fff) > most)
            return false;
    return of || !l->value[VERSION_OF];
}

/* ---- Relocations ------------------------------------------------------------------------------------------------ */

static bool is_of(uint32_t type, const uint32_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == type)
            return true;
    return false;
}

/* Writes the address of that place of the image, 0 for NULL, where the loader may write. */
static bool put_address(linking *l, uint64_t at, bool known, uint64_t place)
{
    const pcm_segment *segment = segment_of(l, at, sizeof(uint64_t));
    if (!segment || !segment->writable || at - l->elf->dynamic < l->elf->dynamic_size)
        return false;
    const uint64_t address = known ? (uintptr_t)l->image + place : 0;
    memcpy(l->image + at, &address, sizeof address);
    return true;
}

static bool relocate(linking *l, const Elf64_Rela *r)
{
    const uint32_t type = ELF64_R_TYPE(r->r_info);
    const uint64_t index = ELF64_R_SYM(r->r_info), addend = (uint64_t)r->r_addend;
    if (index && index >= l->n_symbols)
        return false;
    if (type == OWN)
        return addend <= l->elf->span && put_address(l, r->r_offset, true, addend);
    if (type == CHOSEN) {
        l->found.chooses = true;
        return is_code(l, addend) && put_address(l, r->r_offset, false, 0);
    }
    if (is_of(type, symbols, sizeof symbols / sizeof *symbols)) {
        const Elf64_Sym *s = symbol(l, index);
        return put_address(l, r->r_offset, s->st_shndx != SHN_UNDEF, s->st_value + addend);
    }
    return type == 0 ||
           (is_of(type, threads, sizeof threads / sizeof *threads) && put_address(l, r->r_offset, false, 0));
}

static bool relocate_all(linking *l, int list, int list_size)
{
    const uint64_t    bytes = l->value[list_size], count = bytes / sizeof(Elf64_Rela);
    const Elf64_Rela *r = l->value[list] ? table(l, l->value[list], bytes, 8) : NULL;
    if (!r || bytes % sizeof *r)
        return !l->value[list] && !bytes;
    for (uint64_t i = 0; i < count; i++)
        if (!relocate(l, &r[i]))
            return false;
    return true;
}

/* Adds the image's address to the number that stands there. */
static bool move_address(linking *l, uint64_t at)
{
    uint64_t place = 0;
    if (!segment_of(l, at, sizeof place))
        return false;
    memcpy(&place, l->image + at, sizeof place);
    return place <= l->elf->span && put_address(l, at, true, place);
}

/* Packed relocations: an address, then bits for the 63 words behind it, and for the next 63 ... */
static bool relocate_packed(linking *l)
{
    const uint64_t  bytes = l->value[RELR_SIZE];
    const uint64_t *entry = l->value[RELR] ? table(l, l->value[RELR], bytes, 8) : NULL;
    uint64_t        next = 0;
    if (!entry || bytes % sizeof *entry)
        return !l->value[RELR] && !bytes;
    for (const uint64_t *end = entry + bytes / sizeof *entry; entry < end; entry++) {
        if (!(*entry & 1)) {
            if (!move_address(l, *entry))
                return false;
            next = *entry + 8;
            continue;
        }
        for (uint64_t bits = *entry >> 1, at = next; bits; bits >>= 1, at += 8)
            if (bits & 1 && !move_address(l, at))
                return false;
        next += 63 * 8;
    }
    return true;
}

/* ---- What runs by itself ---------------------------------------------------------------------------------------- */

/* Functions that the loader calls, in an array or by itself: all are code of this file. */
static bool check_calls(const linking *l, int alone, int array, int array_size, uint32_t *count)
{
    const uint64_t  bytes = l->value[array_size];
    const uint64_t *call = l->value[array] ? spot(l, l->value[array], bytes, 8) : NULL;
    *count = (uint32_t)(bytes / sizeof *call);
    if ((l->value[alone] && !is_code(l, l->value[alone])) || (!call && (l->value[array] || bytes)))
        return false;
    for (uint32_t i = 0; i < *count; i++)
        if (!is_code(l, call[i] - (uintptr_t)l->image))
            return false;
    return true;
}

static bool link_all(linking *l)
{
    return read_dynamic(l) && check_kinds(l) && check_texts(l) && check_hashes(l) && check_symbols(l) &&
           check_versions(l) && relocate_all(l, DT_RELA, DT_RELASZ) && relocate_all(l, DT_JMPREL, DT_PLTRELSZ) &&
           relocate_packed(l) && check_calls(l, DT_INIT, DT_INIT_ARRAY, DT_INIT_ARRAYSZ, &l->found.starters) &&
           check_calls(l, DT_FINI, DT_FINI_ARRAY, DT_FINI_ARRAYSZ, &l->found.enders);
}

pcm_elf_link pcm_elf_link_image(const pcm_elf *elf, char *image)
{
    linking l = {.elf = elf, .image = image};
    if (!link_all(&l))
        l.found.wrong = "has a damaged or unusual dynamic section; build it again, with -fPIC and -shared";
    return l.found;
}

void pcm_elf_quiet(const pcm_elf *elf, char *image, bool keep_arrays)
{
    Elf64_Dyn *entries = (Elf64_Dyn *)(void *)(image + elf->dynamic);
    for (; entries->d_tag != DT_NULL; entries++) {
        const int64_t tag = entries->d_tag;
        const bool    alone = tag == DT_INIT || tag == DT_FINI || tag == DT_RPATH || tag == DT_RUNPATH;
        const bool    array =
            tag == DT_INIT_ARRAY || tag == DT_INIT_ARRAYSZ || tag == DT_FINI_ARRAY || tag == DT_FINI_ARRAYSZ;
        if (alone || (array && !keep_arrays))
            entries->d_tag = DT_DEBUG; /* which counts in programs alone */
    }
}
