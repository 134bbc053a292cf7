/* SPDX-License-Identifier: MIT */
/* report.h - what a search found, for people to read and for the rig to replay. */
#ifndef PCM_TOOLS_VERIFY_REPORT_H
#define PCM_TOOLS_VERIFY_REPORT_H

#include "search.h"
#include "text_table.h"

/* Adds the check's line to the table of checks. */
void report_line(const search *s, grid *table);

/* Prints the finding, and writes its counterexample into the folder. */
void report_finding(const search *s, const char *folder);

#endif
