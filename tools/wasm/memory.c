/* SPDX-License-Identifier: MIT */
/* memory.c - memory functions by the processor's own instructions, instead of the C library's loops, which take 3
 * kB. */
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size) { return __builtin_memcpy(to, from, size); }

void *memmove(void *to, const void *from, size_t size) { return __builtin_memmove(to, from, size); }

void *memset(void *to, int byte, size_t size) { return __builtin_memset(to, byte, size); }
