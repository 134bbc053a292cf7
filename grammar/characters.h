/* SPDX-License-Identifier: MIT */
/* characters.h - characters of a text that nobody sees, or that look like others. */
#ifndef PCM_GRAMMAR_CHARACTERS_H
#define PCM_GRAMMAR_CHARACTERS_H

#include "report.h"

/* Reports bytes that are no UTF-8, blanks that are not plain, invisible characters, and letters apart from their
 * accents, but in comments. Blanks and invisible characters between words become plain blanks, so that the rest can be
 * read. False: it cannot be. */
bool pcm_check_characters(pcm_reports *reports, uint32_t source);

#endif
