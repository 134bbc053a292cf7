/* SPDX-License-Identifier: MIT */
#include "isa.h"
#include "model.h"

#if defined(__x86_64__)
#include <cpuid.h>

/* The registers that the operating system saves: an instruction set whose registers it does not save cannot be used. */
static uint32_t saved_states(void)
{
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

uint32_t pcm_isa_here(void)
{
    enum { SAVES_AVX = 0x06, SAVES_AVX512 = 0xe6 };
    const uint32_t avx512 = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;
    uint32_t       a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || (saved_states() & SAVES_AVX) != SAVES_AVX)
        return PCM_ISA_PLAIN;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2))
        return PCM_ISA_PLAIN;
    const bool usable = (b & avx512) == avx512 && (saved_states() & SAVES_AVX512) == SAVES_AVX512;
    return usable ? PCM_ISA_AVX512 : PCM_ISA_AVX2;
}

bool pcm_isa_usable(void)
{
    uint32_t a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}
#else
bool pcm_isa_usable(void) { return true; }

uint32_t pcm_isa_here(void) { return PCM_ISA_PLAIN; }
#endif

const pcm_kernel_set *pcm_model_kernels(const pcm_model *model, uint32_t isa)
{
    const pcm_kernel_set *best = NULL;
    for (size_t i = 0; i < model->kernels.count; i++) {
        const pcm_kernel_set *set = pcm_model_kernel_set(model, i);
        if (set->isa <= isa && (!best || set->isa > best->isa))
            best = set;
    }
    return best;
}
