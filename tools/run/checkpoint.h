/* SPDX-License-Identifier: MIT */
/* checkpoint.h - a saved run, which continues bit for bit. */
#ifndef PCM_TOOLS_RUN_CHECKPOINT_H
#define PCM_TOOLS_RUN_CHECKPOINT_H

#include "run.h"

/* Reads and checks the file of --resume. False, and reported: it cannot be used. Free it in either case. */
bool checkpoint_read(checkpoint *from, const char *path);
void checkpoint_free(checkpoint *from);

/* Whether it was saved by this run, by its scene, options and files. Changes none of them. */
bool checkpoint_matches(const checkpoint *from, const run *r);

/* Restores the data and the contacts of an attached run; false, and reported, where the contact types or rules
 * differ. */
bool checkpoint_take(const checkpoint *from, run *r);

/* Cuts the logs back to their saved length: before the attachment, which appends to them. The tables: after it. */
bool checkpoint_cut_logs(const checkpoint *from, const run *r);
bool checkpoint_take_tables(const checkpoint *from, run *r);

/* Saves the run to the file of --save, next to the old one, which it then replaces. Syncs logs and tables to the disk
 * first. */
bool checkpoint_write(run *r);

#endif
