/* SPDX-License-Identifier: MIT */
/* arithmetic.h - saves and restores how this thread's processor rounds, treats tiny numbers and traps, around the call
 * of a law that may change it. x86 and AArch64 only: elsewhere laws are trusted to leave it alone. */
#ifndef PCM_BASE_ARITHMETIC_H
#define PCM_BASE_ARITHMETIC_H

#include <stdint.h>

static inline uint64_t pcm_arithmetic(void)
{
#if defined __x86_64__
    const uint32_t flags = 0x3f; /* of what has happened */
    return __builtin_ia32_stmxcsr() & ~flags;
#elif defined __aarch64__
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
#else
    return 0;
#endif
}

/* Restores it if it has changed, and the direction flag. */
static inline void pcm_arithmetic_keep(uint64_t was)
{
#if defined __x86_64__
    __asm__ volatile("cld" ::: "cc"); /* the direction of string instructions, which the C library uses */
#endif
    if (pcm_arithmetic() == was)
        return;
#if defined __x86_64__
    __builtin_ia32_ldmxcsr((uint32_t)was);
    uint16_t long_doubles; /* which have a word of their own, that rounds alike */
    __asm__ volatile("fnstcw %0" : "=m"(long_doubles));
    long_doubles = (uint16_t)((long_doubles & ~0xc00u) | (was >> 3 & 0xc00));
    __asm__ volatile("fldcw %0" ::"m"(long_doubles));
#elif defined __aarch64__
    __asm__ volatile("msr fpcr, %0" ::"r"(was));
#endif
}

#endif
