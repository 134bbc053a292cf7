/* SPDX-License-Identifier: MIT */
/* checkpoint.h - a saved run, which continues bit for bit. */
#ifndef PCM_TOOLS_RUN_CHECKPOINT_H
#define PCM_TOOLS_RUN_CHECKPOINT_H

#include "run.h"

/* Hashes the files of the laws, before a run is saved or resumed. False, with a report: one cannot be read again. */
bool checkpoint_hash_laws(run *r);

/* Reads and checks the file of --resume. False, with a report: it cannot be used. Free it in either case. */
bool checkpoint_read(checkpoint *from, const char *path);
void checkpoint_free(checkpoint *from);

/* Whether this run, with the same scene, options and files, has saved it. Changes none of them. */
bool checkpoint_matches(const checkpoint *from, const run *r);

/* Restores the data and the contacts of an attached run; false, with a report: the contact types or rules differ. */
bool checkpoint_take(const checkpoint *from, run *r);

/* Cuts the logs back to their saved length: call it before the attachment, which appends to them. The second function
 * cuts the tables: call it after the attachment. */
bool checkpoint_cut_logs(const checkpoint *from, const run *r);
bool checkpoint_take_tables(const checkpoint *from, run *r);

/* Saves the run to a file next to that of --save, which then replaces the old one. Syncs logs and tables to the disk
 * first. */
bool checkpoint_write(run *r);

#endif
