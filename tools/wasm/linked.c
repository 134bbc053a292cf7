/* SPDX-License-Identifier: MIT */
#include "linked.h"

enum { LAWS_MOST = 256 };
static const pcm_library *laws[LAWS_MOST];
static size_t             n_laws;

bool linked_add(const pcm_library *entry)
{
    if (n_laws == LAWS_MOST)
        return false;
    laws[n_laws++] = entry;
    return true;
}

const pcm_library *const *linked_laws(size_t *count)
{
    *count = n_laws;
    return laws;
}

void linked_drop(void) { n_laws--; }
