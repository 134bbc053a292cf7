/* SPDX-License-Identifier: MIT */
/* checkpoint.h - a run as a file, from which it goes on bit for bit. */
#ifndef PCM_TOOLS_RUN_CHECKPOINT_H
#define PCM_TOOLS_RUN_CHECKPOINT_H

#include "run.h"

/* What --resume names, read and found whole. Free it in either case; false: it has been reported why not. */
bool checkpoint_read(checkpoint *from, const char *path);
void checkpoint_free(checkpoint *from);

/* Whether it is of this run, by its scene, options and files, none of which is changed. */
bool checkpoint_matches(const checkpoint *from, const run *r);

/* Gives the data and the contacts of an attached run what they had; false, and reported, where the contact types or
 * rules are others. */
bool checkpoint_take(const checkpoint *from, run *r);

/* Cuts the logs back to what they were; before the attachment, which goes on behind that. The tables, behind it. */
bool checkpoint_cut_logs(const checkpoint *from, const run *r);
bool checkpoint_take_tables(const checkpoint *from, run *r);

/* Writes the run as it stands into the file that --save names, beside the old one, and then takes its place. Logs and
 * tables are brought to the disk before. */
bool checkpoint_write(run *r);

#endif
