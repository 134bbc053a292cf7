/* SPDX-License-Identifier: MIT */
/* packed.h - whether compilers packed the loops of a law: several contacts to an instruction. */
#ifndef PCM_TOOLS_VERIFY_PACKED_H
#define PCM_TOOLS_VERIFY_PACKED_H

#include "source.h"

/* Prints which instruction sets the law's update is packed for, as objdump shows it, and for a law that was compiled
 * here and is not, what the compiler says of the reason. Nothing where there is no objdump, or the plugin has no
 * symbols. */
void packed_print(const law_source *source, const char *plugin);

#endif
