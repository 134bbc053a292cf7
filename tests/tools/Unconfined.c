/* SPDX-License-Identifier: MIT */
/* Loaded in front of a program (LD_PRELOAD): a system that cannot confine a process. */
#include <errno.h>

int prctl(int option, ...);

int prctl(int option, ...)
{
    (void)option;
    errno = EINVAL;
    return -1;
}
