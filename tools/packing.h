/* SPDX-License-Identifier: MIT */
/* packing.h - whether the compiler vectorised the loops of a law, to handle several contacts per instruction. */
#ifndef PCM_TOOLS_PACKING_H
#define PCM_TOOLS_PACKING_H

#include <stdbool.h>
#include <stddef.h>

enum { PACKING_SETS = 3 /* PCM_ISA_PLAIN and so on */ };

/* By instruction set. */
typedef struct packing {
    bool packed[PACKING_SETS];
} packing;

extern const char *const packing_names[PACKING_SETS];

/* Counts the instructions of the law's update in that plugin with objdump. False: there is no objdump, or the plugin
 * has no symbols. */
bool packing_find(const char *plugin, packing *found);

#endif
