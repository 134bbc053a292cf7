/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create */
#include "memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static bool copy_bytes(int from, int to, off_t size)
{
    char bytes[1 << 14];
    for (off_t at = 0; at < size;) {
        const ssize_t count = pread(from, bytes, sizeof bytes, at);
        if (count <= 0 || write(to, bytes, (size_t)count) != count)
            return false;
        at += count;
    }
    return true;
}

int pcm_memory_file(int file, const char *name, const char **wrong)
{
    struct stat   status;
    struct rlimit limit;
    const off_t   most = (off_t)1 << 30;
    *wrong = "cannot be copied into memory, from where it is loaded; or trust it (PCM_TRUST_PLUGINS)";
    if (fstat(file, &status) != 0 || status.st_size > most)
        return -1;
    /* Beyond it the system would end the program. */
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < (rlim_t)status.st_size) {
        *wrong =
            "is larger than files may be (ulimit -f), so that no copy can be loaded; raise the limit, or trust the "
            "plugin (PCM_TRUST_PLUGINS)";
        return -1;
    }
    const int copy = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (copy < 0 || copy_bytes(file, copy, status.st_size))
        return copy;
    close(copy);
    return -1;
}

bool pcm_memory_file_seal(int file)
{
    enum { TRIES = 5 };
    for (int i = 0; i < TRIES; i++)
        if (fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
            return true;
        else if (errno != EBUSY) /* the system holds a page for a while, as when it moves memory about */
            return false;
    return false;
}

/* Empty parts of a path, and ".", change nothing: they write the file's number in bits, which no other file has as long
 * as this one is mapped. */
void pcm_memory_file_path(int file, char path[PCM_MEMORY_PATH_MAX])
{
    struct stat status = {0};
    int         used = snprintf(path, PCM_MEMORY_PATH_MAX, "/proc/self/fd");
    (void)fstat(file, &status);
    for (uint64_t number = (uint64_t)status.st_ino; number; number >>= 1)
        used += snprintf(path + used, PCM_MEMORY_PATH_MAX - (size_t)used, number & 1 ? "/." : "/");
    (void)snprintf(path + used, PCM_MEMORY_PATH_MAX - (size_t)used, "/%d", file);
}
