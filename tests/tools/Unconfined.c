/* SPDX-License-Identifier: MIT */
/* Loaded before a program's libraries (LD_PRELOAD), it imitates a system that cannot confine a process. */
#include <errno.h>

int prctl(int option, ...);

int prctl(int option, ...)
{
    (void)option;
    errno = EINVAL;
    return -1;
}
