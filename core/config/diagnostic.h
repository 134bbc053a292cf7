/* SPDX-License-Identifier: MIT */
/* diagnostic.h - reports about a configuration on their way to the context's sink. */
#ifndef PCM_CONFIG_DIAGNOSTIC_H
#define PCM_CONFIG_DIAGNOSTIC_H

#include "context_struct.h"
#include "report.h"

/* Sends every report with its notes, in the order of the text. */
void pcm_reports_send(pcm_reports *reports, pcm_context *context);

/* The same for reports that are sorted already. */
void pcm_reports_send_sorted(const pcm_reports *reports, pcm_context *context);

#endif
