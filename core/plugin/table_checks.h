/* SPDX-License-Identifier: MIT */
/* table_checks.h - checks a plugin's tables by the rules of plugin.h. */
#ifndef PCM_PLUGIN_TABLE_CHECKS_H
#define PCM_PLUGIN_TABLE_CHECKS_H

#include "image.h"

/* Checks every table of the model, whose entries have this library's sizes. False: something is wrong, which has been
 * reported. */
bool pcm_tables_check(const pcm_image *image, const pcm_model *model);

#endif
