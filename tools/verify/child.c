/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dl_iterate_phdr, registers of a signal */
#include "child.h"
#include "crash.h"
#include "isolate.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    CLOCK_SECONDS = 2,      /* of processor time, for one stretch of work */
    SLEEP_SECONDS = 20,     /* without any processor time: it waits for something */
    MEMORY_LIMIT = 1 << 30, /* bytes of address space beyond what the child begins with */
    SIGNAL_STACK = 1 << 16,
    TRAP_FUNCTIONS = 256,
    TRAP_STRIDE = 64,
    WRITABLE_PARTS = 8
};

/* What a child says of its end; the parent reads it. */
typedef struct last_words {
    child_report  report;
    volatile bool done;
} last_words;
static last_words *words;

void *child_share(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void child_unshare(void *memory, size_t bytes)
{
    if (memory)
        (void)munmap(memory, bytes);
}

/* ---- Traps --------------------------------------------------------------------------------------------------------
 */

/* What a child watches in the plugin. Calls of outside functions lead into pages that may not be touched, so many bytes
 * apart; static data is in pages that may only be read. */
static struct {
    char       *pages;
    const char *names[TRAP_FUNCTIONS];
    char       *slots[TRAP_FUNCTIONS]; /* that hold the functions' addresses */
    char       *real[TRAP_FUNCTIONS];
    size_t      count;
    char       *part[WRITABLE_PARTS];
    size_t      bytes[WRITABLE_PARTS];
    size_t      parts;
} trap;

static bool is_compilers_own(const char *name)
{
    static const char *const own[] = {"memcpy", "memmove", "memset", "memcmp", "__stack_chk_fail"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    return strncmp(name, "__asan", 6) == 0 || strncmp(name, "__ubsan", 7) == 0 || strncmp(name, "__tsan", 6) == 0;
}

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static char *page_of(char *address) { return address - (uintptr_t)address % page_size(); }

/* Notes the slots of a table of relocations that name functions from outside. */
static void note_slots(char *base, const ElfW(Rela) * slots, size_t count, const ElfW(Sym) * symbols, const char *texts)
{
    for (size_t i = 0; i < count && trap.count < TRAP_FUNCTIONS; i++) {
        const ElfW(Sym) *symbol = &symbols[slots[i].r_info >> (sizeof(ElfW(Addr)) == 8 ? 32 : 8)];
        const char *name = texts + symbol->st_name;
        char       *slot = base + slots[i].r_offset;
        if (!symbol->st_name || symbol->st_shndx != SHN_UNDEF || is_compilers_own(name) ||
            mprotect(page_of(slot), page_size(), PROT_READ | PROT_WRITE) != 0)
            continue;
        memcpy(&trap.real[trap.count], slot, sizeof trap.real[0]);
        trap.slots[trap.count] = slot;
        trap.names[trap.count++] = name;
    }
}

/* Addresses in the table are absolute with glibc, offsets with others. */
static const void *dynamic_address(const char *base, ElfW(Addr) value)
{
    return value >= (uintptr_t)base ? (const void *)value : base + value;
}

static void note_imports(char *base, const ElfW(Dyn) * dynamic)
{
    const ElfW(Rela) * tables[2] = {NULL, NULL};
    size_t bytes[2] = {0, 0};
    const ElfW(Sym) *symbols = NULL;
    const char *texts = NULL;
    for (; dynamic->d_tag != DT_NULL; dynamic++)
        switch (dynamic->d_tag) {
        case DT_JMPREL:
            tables[0] = dynamic_address(base, dynamic->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            bytes[0] = dynamic->d_un.d_val;
            break;
        case DT_RELA:
            tables[1] = dynamic_address(base, dynamic->d_un.d_ptr);
            break;
        case DT_RELASZ:
            bytes[1] = dynamic->d_un.d_val;
            break;
        case DT_SYMTAB:
            symbols = dynamic_address(base, dynamic->d_un.d_ptr);
            break;
        case DT_STRTAB:
            texts = dynamic_address(base, dynamic->d_un.d_ptr);
            break;
        default:
            break;
        }
    for (size_t i = 0; symbols && texts && i < 2; i++)
        if (tables[i])
            note_slots(base, tables[i], bytes[i] / sizeof(ElfW(Rela)), symbols, texts);
}

/* A page of slots that may be written stays so, and with it what shares the page. */
static bool has_slots(const char *page)
{
    for (size_t i = 0; i < trap.count; i++)
        if (page_of(trap.slots[i]) == page)
            return true;
    return false;
}

static void protect_data(char *base, const struct dl_phdr_info *info)
{
    for (size_t i = 0; i < info->dlpi_phnum && trap.parts < WRITABLE_PARTS; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        char *start = page_of(base + part->p_vaddr), *end = base + part->p_vaddr + part->p_memsz;
        for (char *page = start; page < end; page += page_size())
            if (!has_slots(page))
                (void)mprotect(page, page_size(), PROT_READ);
        trap.part[trap.parts] = start;
        trap.bytes[trap.parts++] = (size_t)(end - start);
    }
}

static bool holds(const struct dl_phdr_info *info, const void *place)
{
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (uintptr_t)place - info->dlpi_addr - part->p_vaddr < part->p_memsz)
            return true;
    }
    return false;
}

static int watch_object(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    if (!holds(info, user))
        return 0;
    char *base = (char *)info->dlpi_addr; /* NOLINT(performance-no-int-to-ptr) */
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            note_imports(base, (const ElfW(Dyn) *)(void *)(base + info->dlpi_phdr[i].p_vaddr));
    protect_data(base, info);
    return 1;
}

void child_protect(const void *place)
{
    const size_t bytes = (size_t)TRAP_FUNCTIONS * TRAP_STRIDE;
    char        *pages = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (trap.pages || pages == MAP_FAILED)
        return;
    trap.pages = pages;
    (void)dl_iterate_phdr(watch_object, (void *)(uintptr_t)place);
}

void child_trap(void)
{
    for (size_t i = 0; i < trap.count; i++) {
        char *to = trap.pages + i * TRAP_STRIDE;
        memcpy(trap.slots[i], &to, sizeof to);
    }
}

void child_untrap(void)
{
    for (size_t i = 0; i < trap.count; i++)
        memcpy(trap.slots[i], &trap.real[i], sizeof trap.real[i]);
}

/* ---- The child's end ----------------------------------------------------------------------------------------------
 */

/* What the signal at that address tells. */
static child_end read_signal(int number, char *address, char *stack)
{
    const ptrdiff_t trapped = trap.pages ? address - trap.pages : -1;
    if (trapped >= 0 && trapped < (ptrdiff_t)trap.count * TRAP_STRIDE) {
        (void)strncpy(words->report.name, trap.names[trapped / TRAP_STRIDE], sizeof words->report.name - 1);
        return CHILD_CALLED;
    }
    for (size_t i = 0; i < trap.parts; i++)
        if (address >= trap.part[i] && address < trap.part[i] + trap.bytes[i])
            return CHILD_TOUCHED;
    const ptrdiff_t below = stack - address;
    const ptrdiff_t near_stack = 1 << 20;
    return number == SIGSEGV && below > -near_stack && below < near_stack ? CHILD_STACK : CHILD_CRASHED;
}

static char *stack_pointer(const void *context)
{
#if defined(__x86_64__)
    return (char *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP]; /* NOLINT(performance-no-int-to-ptr) */
#elif defined(__aarch64__)
    return (char *)((const ucontext_t *)context)->uc_mcontext.sp; /* NOLINT(performance-no-int-to-ptr) */
#else
    (void)context;
    return NULL;
#endif
}

static void end_child(int number, siginfo_t *info, void *context)
{
    words->report.signal = number;
    words->report.end = number == SIGPROF ? CHILD_HUNG : read_signal(number, info->si_addr, stack_pointer(context));
    words->done = true;
    _exit(1);
}

static void watch_signals(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGPROF};
    static char      room[SIGNAL_STACK];
    (void)sigaltstack(&(stack_t){.ss_sp = room, .ss_size = sizeof room}, NULL);
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = end_child;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)sigaction(numbers[i], &action, NULL);
}

void child_start_clock(void)
{
    (void)setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = CLOCK_SECONDS}, NULL);
}

static void close_output(void)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
    }
}

static void limit_child(void)
{
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    (void)setrlimit(RLIMIT_DATA, &(struct rlimit){MEMORY_LIMIT, MEMORY_LIMIT});
#endif
}

/* Processor time of the child; NaN where it cannot be known. */
static double time_used(pid_t child)
{
    clockid_t       clock;
    struct timespec time;
    if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return NAN;
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Waits for the child, which has CHILD_DONE then. The time is what this process sees of it: a machine that is busy, or
 * stops both, makes no child late. */
static child_end watch(pid_t child, double seconds, int *status)
{
    double seen = 0, idle = 0, used = 0;
    for (long pause = 100000; seen < seconds && idle < SLEEP_SECONDS; pause = pause < 10000000 ? 2 * pause : pause) {
        if (waitpid(child, status, WNOHANG) == child)
            return CHILD_DONE;
        (void)nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
        const double before = used;
        used = time_used(child);
        idle = used == before ? idle + 1e-9 * (double)pause : 0;
        seen += 1e-9 * (double)pause;
    }
    return idle < SLEEP_SECONDS ? CHILD_SLOW : CHILD_LATE;
}

static child_report reap(pid_t child, double seconds)
{
    int             status = 0;
    const child_end end = watch(child, seconds, &status);
    if (end != CHILD_DONE) {
        (void)kill(child, SIGKILL);
        (void)waitpid(child, &status, 0);
        return (child_report){.end = end};
    }
    if (words->done)
        return words->report;
    if (WIFSIGNALED(status))
        return (child_report){.end = CHILD_CRASHED, .signal = WTERMSIG(status)};
    return (child_report){.end = CHILD_LEFT};
}

static bool isolated;

void child_isolate(bool wanted) { isolated = wanted; }

child_report child_run(void (*work)(void *), void *argument, double seconds, bool silent)
{
    last_words *outer = words;
    words = child_share(sizeof *words);
    child_report report = {.end = CHILD_NONE};
    (void)fflush(NULL);
    const pid_t child = words ? fork() : -1;
    if (child == 0) {
        limit_child();
        crash_leave_to_parent();
        watch_signals();
        if (silent)
            close_output();
        if (isolated && !isolate_enter())
            _exit(1);
        child_start_clock();
        work(argument);
        words->done = true; /* with CHILD_DONE, which is 0 */
        _exit(0);
    }
    if (child > 0)
        report = reap(child, seconds + SLEEP_SECONDS);
    child_unshare(words, sizeof *words);
    words = outer;
    return report;
}
