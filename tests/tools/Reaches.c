/* SPDX-License-Identifier: MIT */
/* A law that tries to access forbidden resources as soon as its parameters are read. */
#include <pcm/plugin.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char *const ways[] = {"Write", "Remove", "Start", "Connect", "Kill",  "Own",   "Inherit",
                                   "Input", "Seek",   "Map",   "Leave",   "Sleep", "Crash", NULL};

typedef struct {
    int64_t how;
} Law;

static int prepare(const pcm_setup *setup, void *params)
{
    static int *const volatile nowhere = NULL;
    const Law *law = params;
    (void)setup;
    switch (law->how) {
    case 0:
        return open("written", O_WRONLY | O_CREAT, 0600) < 0;
    case 1:
        return unlink("precious") != 0;
    case 2:
        return system("touch started") != 0;
    case 3:
        return socket(AF_UNIX, SOCK_STREAM, 0) < 0;
    case 4:
        return kill(getppid(), 0) != 0;
    case 5: /* the system would signal the owner when something changes in the directory */
        return fcntl(open(".", O_RDONLY), F_SETOWN, getppid()) != 0;
    case 6:
        return write(9, "written", 7) != 7;
    case 7:
        return write(STDIN_FILENO, "written", 7) != 7;
    case 8:
        return lseek(STDOUT_FILENO, 0, SEEK_SET) != 0;
    case 9:
        return mmap(NULL, 1, PROT_WRITE, MAP_SHARED, STDOUT_FILENO, 0) == MAP_FAILED;
    case 10:
        _exit(0);
    case 11:
        return nanosleep(&(struct timespec){.tv_sec = 1000}, NULL);
    default:
        return *nowhere;
    }
}

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i)
        b->force_n[i] = 1e3 * pcm_ramp(b->depth[i]);
}

static const pcm_param params[] = {PCM_CHOICE(Law, how, "How", ways, 0, "the way")};

PCM_KERNELS(update);
PCM_MODEL(Reaches, "A law that reaches for the machine", .params = PCM_TABLE(params), .inputs = PCM_DEPTH,
          .prepare = prepare);
