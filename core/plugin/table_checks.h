/* SPDX-License-Identifier: MIT */
/* table_checks.h - the tables of a plugin, held to the rules of plugin.h. */
#ifndef PCM_PLUGIN_TABLE_CHECKS_H
#define PCM_PLUGIN_TABLE_CHECKS_H

#include "image.h"

/* Checks every table of the model, whose entries are at this library's sizes; says what is wrong and what to do. */
bool pcm_tables_check(const pcm_image *image, const pcm_model *model);

#endif
