/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* F_DUPFD_CLOEXEC, secure_getenv, strsignal */
#include "isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <pcm/messages.h>

#include "command.h"
#include "crash.h"

/* Not every C library includes the kernel's headers. */
#if (defined(__x86_64__) || defined(__aarch64__)) && __has_include(<linux/seccomp.h>)
#define CONFINES 1
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#endif

/* ---- Allowed system calls ---------------------------------------------------------------------------------------- */

#ifdef CONFINES

/* The lower half of a system call's argument, which contains its flags. */
#define ARGUMENT(k) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (k)))

#define LOAD(at)           BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
#define ANSWER(what)       BPF_STMT(BPF_RET | BPF_K, (what))
#define IF_SO(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skip))
#define ALLOW_VALUE(value) IF_SO(value, 1), ANSWER(SECCOMP_RET_ALLOW)
#define ALLOW(name)        ALLOW_VALUE(SYS_##name)
#define REFUSE             ANSWER(SECCOMP_RET_ERRNO | EPERM)

static bool confine(void)
{
    const struct sock_filter rules[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        IF_SO(ARCHITECTURE, 1),
        BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        LOAD(offsetof(struct seccomp_data, nr)),
        /* Memory, time, signals to the process itself, and its end. */
        ALLOW(munmap),
        ALLOW(mprotect),
        ALLOW(mremap),
        ALLOW(madvise),
        ALLOW(brk),
        ALLOW(futex),
        ALLOW(clock_gettime),
        ALLOW(clock_nanosleep),
        ALLOW(gettimeofday),
        ALLOW(setitimer),
        ALLOW(getrandom),
        ALLOW(rt_sigaction),
        ALLOW(rt_sigprocmask),
        ALLOW(rt_sigreturn),
        ALLOW(sigaltstack),
        ALLOW(sched_yield),
        ALLOW(sched_getaffinity),
        ALLOW(set_robust_list),
#ifdef SYS_rseq
        ALLOW(rseq),
#endif
        ALLOW(getpid),
        ALLOW(gettid),
        ALLOW(exit),
        ALLOW(exit_group),
        /* Open files, and queries about other files. */
        ALLOW(read),
        ALLOW(pread64),
        ALLOW(write),
        ALLOW(writev),
        ALLOW(close),
        ALLOW(fstat),
        ALLOW(newfstatat),
        ALLOW(statx),
        ALLOW(getdents64),
        ALLOW(getcwd),
        ALLOW(readlinkat),
        ALLOW(faccessat),
#ifdef SYS_faccessat2 /* realpath calls it for ".." */
        ALLOW(faccessat2),
#endif
#ifdef SYS_open /* older calls, which newer architectures do not have */
        ALLOW(stat),
        ALLOW(lstat),
        ALLOW(access),
        ALLOW(readlink),
#endif
        /* abort sends a signal to its own process. */
        IF_SO(SYS_tgkill, 4),
        LOAD(ARGUMENT(0)),
        ALLOW_VALUE((uint32_t)getpid()),
        REFUSE,
        /* The query whether a file is a terminal. */
        IF_SO(SYS_ioctl, 4),
        LOAD(ARGUMENT(1)),
        ALLOW_VALUE(TCGETS),
        REFUSE,
        /* Mappings that are not shared: writing to a shared one would write to its file. */
        IF_SO(SYS_mmap, 4),
        LOAD(ARGUMENT(3)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 1, 0),
        ANSWER(SECCOMP_RET_ALLOW),
        REFUSE,
        /* The position may be changed in files other than the outputs: output is only appended. */
        IF_SO(SYS_lseek, 5),
        LOAD(ARGUMENT(0)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STDOUT_FILENO, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STDERR_FILENO, 1, 0),
        ANSWER(SECCOMP_RET_ALLOW),
        REFUSE,
        /* Threads, but no processes. The filter cannot see the flags of clone3; without clone3, libraries call
         * clone. */
        IF_SO(SYS_clone3, 1),
        ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
        IF_SO(SYS_clone, 4),
        LOAD(ARGUMENT(0)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
        ANSWER(SECCOMP_RET_ALLOW),
        REFUSE,
        /* Other commands of fcntl make the system send signals to any process. */
        IF_SO(SYS_fcntl, 8),
        LOAD(ARGUMENT(1)),
        ALLOW_VALUE(F_GETFL),
        ALLOW_VALUE(F_GETFD),
        ALLOW_VALUE(F_DUPFD_CLOEXEC),
        REFUSE,
        /* Files may be opened only for reading. */
        IF_SO(SYS_openat, 4),
        LOAD(ARGUMENT(2)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 1, 0),
        ANSWER(SECCOMP_RET_ALLOW),
        REFUSE,
        REFUSE,
    };
    const struct sock_fprog program = {sizeof rules / sizeof *rules, (struct sock_filter *)(uintptr_t)rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else
static bool confine(void) { return false; }
#endif

/* Closes other files that were open when the command started: laws must not write to them. */
static void close_others(void)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0) == 0)
        return;
#endif
    const long most = sysconf(_SC_OPEN_MAX);
    for (int file = STDERR_FILENO + 1; file < most; file++)
        (void)close(file);
}

/* Makes standard input read-only: it may be open for writing too, as terminals are, and is then opened again. */
static bool input_only_reads(void)
{
    if ((fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY)
        return true;
    int file = open("/proc/self/fd/0", O_RDONLY | O_NOCTTY);
    if (file < 0)
        file = open("/dev/null", O_RDONLY);
    return file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO;
}

/* Gives up the rights that a command does not need if it only reads; the process ends with its parent. */
static bool enter(void)
{
    const bool reads = input_only_reads();
    close_others();
    return reads && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && confine();
}

bool isolate_enter(void)
{
    if (enter())
        return true;
    command_error(PCM_MSG_ISOLATED,
                  "--isolate: this system cannot confine a process (Linux on x86-64 and aarch64 can)");
    return false;
}

/* ---- The process ------------------------------------------------------------------------------------------------- */

/* Shared by both processes: whether the command is done, and its status. It is needed since a law may end its process,
 * with any status. */
typedef struct last_word {
    bool done;
    int  status;
} last_word;

static last_word *word; /* NULL: nothing is isolated */

int isolate_end(int status)
{
    if (word)
        *word = (last_word){true, status};
    return status;
}

/* As fork; both processes share `word`. */
static pid_t begin(void)
{
    void *shared = mmap(NULL, sizeof *word, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    word = shared == MAP_FAILED ? NULL : shared;
    crash_share();
    (void)fflush(NULL);
    const pid_t child = word ? fork() : -1;
    if (child == 0)
        crash_leave_to_parent();
    return child;
}

static void limit(void)
{
    const rlim_t memory = (rlim_t)8 << 30;
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    (void)setrlimit(RLIMIT_DATA, &(struct rlimit){memory, memory});
}

static volatile pid_t        watched;
static volatile sig_atomic_t late;

static void on_alarm(int number)
{
    (void)number;
    late = 1;
    (void)kill(watched, SIGKILL);
}

/* The time limit of the process in seconds, sleeping included; it allows for a busy machine, which makes laws slow. 0
 * after an error. */
static unsigned seconds_allowed(void)
{
    enum { USUAL = 600, MOST_DIGITS = 9 };
    const char  *given = secure_getenv("PCM_ISOLATE_SECONDS");
    const size_t digits = given ? strspn(given, "0123456789") : 0;
    if (!given)
        return USUAL;
    const unsigned seconds = given[digits] == '\0' && digits <= MOST_DIGITS ? (unsigned)strtoul(given, NULL, 10) : 0;
    if (seconds == 0)
        command_error(PCM_MSG_ISOLATED, "PCM_ISOLATE_SECONDS is '%.40s': give a whole number of seconds, 1 or more",
                      given);
    return seconds;
}

/* Waits for the process and returns the command's status. seconds: the time after which it is ended; 0: never. */
static int await(pid_t child, unsigned seconds)
{
    int status = 0;
    watched = child;
    (void)signal(SIGALRM, on_alarm);
    (void)alarm(seconds);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    (void)alarm(0);
    char        call[192];
    const char *in = crash_describe(call, sizeof call) ? ": it was in " : "", *where = *in ? call : "";
    if (late)
        command_error(PCM_MSG_ISOLATED, "the laws did not end within %u s (PCM_ISOLATE_SECONDS)%s%s", seconds, in,
                      where);
    else if (WIFSIGNALED(status))
        command_error(PCM_MSG_ISOLATED, "the process of the laws ended early: %s%s%s%s", strsignal(WTERMSIG(status)),
                      WTERMSIG(status) == SIGKILL ? " (out of memory?)" : "", in, where);
    else if (!word->done)
        command_error(PCM_MSG_ISOLATED, "a law ended the process of the laws before the command was done%s%s", in,
                      where);
    else
        return word->status;
    return EXIT_WRONG;
}

bool isolate(int *status)
{
    const unsigned seconds = seconds_allowed();
    *status = EXIT_CALL;
    if (seconds == 0)
        return false;
    *status = EXIT_WRONG;
    const pid_t child = begin();
    if (child == 0) {
        limit();
        return isolate_enter();
    }
    if (child > 0)
        *status = await(child, seconds);
    else
        command_error(PCM_MSG_ISOLATED, "--isolate: the system gave no process");
    return false;
}

bool isolate_reader(bool asked, int *status)
{
    if (asked)
        return isolate(status);
    if (!PCM_CONFINES_READERS)
        return true;
    const pid_t child = begin();
    if (child == 0)
        (void)enter();
    if (child > 0)
        *status = await(child, 0);
    return child <= 0;
}

bool isolate_can(void)
{
    const pid_t child = begin();
    if (child == 0)
        _exit(isolate_end(isolate_enter() ? EXIT_GOOD : EXIT_WRONG));
    return child > 0 && await(child, 0) == EXIT_GOOD;
}
