/* SPDX-License-Identifier: MIT */
/* outside.h - whether laws write where they may not, tried before anything is simulated with them. */
#ifndef PCM_TOOLS_VERIFY_OUTSIDE_H
#define PCM_TOOLS_VERIFY_OUTSIDE_H

#include <pcm/pcm.h>

/* Calls the law of each contact type that has its parameters, for a few batches of contacts that begin, between
 * sentinels and, where the system gives one, in a process of its own. A law that writes beyond its lanes, to what it
 * reads, or to its parameters, that crashes, ends its process in any way or does not return is reported by name, and
 * the answer is false. */
bool outside_try(const pcm_config *config);

#endif
