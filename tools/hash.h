/* SPDX-License-Identifier: MIT */
/* hash.h - the hash of Fowler, Noll and Vo (FNV-1a, 64 bits), used to check whether files and options are the same. */
#ifndef PCM_TOOLS_HASH_H
#define PCM_TOOLS_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_FIRST UINT64_C(14695981039346656037) /* of nothing */

/* Continues a hash with these bytes. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(1099511628211);
    return hash;
}

#endif
