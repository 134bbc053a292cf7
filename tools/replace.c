/* SPDX-License-Identifier: MIT */
#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* Syncs a file's folder, which makes the file's name safe on the disk. Not all file systems support that. */
static void sync_folder(const char *path)
{
    char        folder[4096];
    const char *slash = strrchr(path, '/');
    (void)snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    const int open_folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (open_folder < 0)
        return;
    (void)fsync(open_folder);
    (void)close(open_folder);
}

/* Removes a file that a killed process has left behind. Only the name is removed: the data stays if there are other
 * links to it. */
static const char *make_way(const char *beside)
{
    struct stat status;
    if (lstat(beside, &status) != 0)
        return errno == ENOENT ? NULL : strerror(errno);
    if (!S_ISREG(status.st_mode))
        return "FILE.pcm-new, by which it is replaced, exists and is not a plain file";
    return unlink(beside) == 0 ? NULL : strerror(errno);
}

/* Writes a file that did not exist before. mode 0: the default mode of new files. */
static const char *write_beside(const char *beside, mode_t mode, const void *bytes, size_t size)
{
    const int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return strerror(errno);
    const bool good = write_all(file, bytes, size) && (!mode || fchmod(file, mode) == 0) && fsync(file) == 0;
    const int  reason = errno;
    if (close(file) == 0 && good)
        return NULL;
    (void)remove(beside);
    return strerror(good ? errno : reason);
}

static const char *replace(const char *path, mode_t mode, const void *bytes, size_t size)
{
    char beside[4096];
    if (snprintf(beside, sizeof beside, "%s.pcm-new", path) >= (int)sizeof beside)
        return "the name is too long";
    const char *reason = make_way(beside);
    if (!reason)
        reason = write_beside(beside, mode, bytes, size);
    if (reason)
        return reason;
    if (rename(beside, path) != 0) {
        reason = strerror(errno);
        (void)remove(beside);
        return reason;
    }
    sync_folder(path);
    return NULL;
}

const char *replace_file(const char *path, const void *bytes, size_t size)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return errno == ENOENT ? replace(path, 0, bytes, size) : strerror(errno);
    if (!S_ISREG(status.st_mode))
        return "it is not a plain file";
    char *target = realpath(path, NULL); /* after links are resolved */
    if (!target)
        return strerror(errno);
    const char *reason = replace(target, status.st_mode & 07777, bytes, size);
    free(target);
    return reason;
}
