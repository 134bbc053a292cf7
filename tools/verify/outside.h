/* SPDX-License-Identifier: MIT */
/* outside.h - whether laws write where they may not, tried before anything is simulated with them. */
#ifndef PCM_TOOLS_VERIFY_OUTSIDE_H
#define PCM_TOOLS_VERIFY_OUTSIDE_H

#include <pcm/pcm.h>

/* Calls the law of each contact type that has its parameters, for a few batches of contacts that begin, between
 * sentinels: a law that writes beyond its lanes, to what it reads, or to its parameters is reported by name, and the
 * answer is false. calls: hears whose law is called next, and NULL in the end; NULL: nobody. */
bool outside_try(const pcm_config *config, void (*calls)(const pcm_type *type));

#endif
