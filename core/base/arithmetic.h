/* SPDX-License-Identifier: MIT */
/* arithmetic.h - saves and restores this thread's rounding mode, treatment of tiny numbers and traps around the call of
 * a law that may change them. Only for x86 and AArch64: elsewhere laws are trusted not to change them. */
#ifndef PCM_BASE_ARITHMETIC_H
#define PCM_BASE_ARITHMETIC_H

#include <stdint.h>

static inline uint64_t pcm_arithmetic(void)
{
#if defined __x86_64__
    const uint32_t flags = 0x3f; /* the exception flags, which may change */
    return __builtin_ia32_stmxcsr() & ~flags;
#elif defined __aarch64__
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
#else
    return 0;
#endif
}

/* Restores the state if it has changed, and the direction flag. */
static inline void pcm_arithmetic_keep(uint64_t was)
{
#if defined __x86_64__
    __asm__ volatile("cld" ::: "cc"); /* the direction of string instructions: the C library relies on it */
#endif
    if (pcm_arithmetic() == was)
        return;
#if defined __x86_64__
    __builtin_ia32_ldmxcsr((uint32_t)was);
    uint16_t long_doubles; /* the x87 control word, which gets the same rounding mode */
    __asm__ volatile("fnstcw %0" : "=m"(long_doubles));
    long_doubles = (uint16_t)((long_doubles & ~0xc00u) | (was >> 3 & 0xc00));
    __asm__ volatile("fldcw %0" ::"m"(long_doubles));
#elif defined __aarch64__
    __asm__ volatile("msr fpcr, %0" ::"r"(was));
#endif
}

#endif
