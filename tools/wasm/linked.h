/* SPDX-License-Identifier: MIT */
/* linked.h - laws that the loader of a page, or of Node, has added to the program. */
#ifndef PCM_TOOLS_WASM_LINKED_H
#define PCM_TOOLS_WASM_LINKED_H

#include <pcm/pcm.h>

/* Adds the entry of a law, which must stay valid. False: there is no room for more. */
bool linked_add(const pcm_library *entry);

/* All these laws, in the order in which they were added. */
const pcm_library *const *linked_laws(size_t *count);

/* Removes the last entry. */
void linked_drop(void);

#endif
