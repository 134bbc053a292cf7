/* SPDX-License-Identifier: MIT */
/* doubts.h - warnings about contact types that are valid but probably not intended, given once all types are known. */
#ifndef PCM_CONFIG_DOUBTS_H
#define PCM_CONFIG_DOUBTS_H

#include "config.h"

/* Warns of moduli that nothing sets, of friction from several parts, and of a reach of metres. */
void pcm_types_doubt(const pcm_config *config, pcm_reports *reports);

#endif
