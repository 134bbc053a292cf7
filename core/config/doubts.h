/* SPDX-License-Identifier: MIT */
/* doubts.h - contact types that are possible but probably not what was meant: warned of once all is known. */
#ifndef PCM_CONFIG_DOUBTS_H
#define PCM_CONFIG_DOUBTS_H

#include "config.h"

/* Warns of moduli that nothing sets, of friction that several parts give, and of a law's reach of metres. */
void pcm_types_doubt(const pcm_config *config, pcm_reports *reports);

#endif
