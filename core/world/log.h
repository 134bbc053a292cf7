/* SPDX-License-Identifier: MIT */
/* log.h - the CSV files of contact types: rows are buffered in memory and written on request. */
#ifndef PCM_WORLD_LOG_H
#define PCM_WORLD_LOG_H

#include "contact_type.h"

typedef struct pcm_log_file {
    const pcm_type *type; /* NULL: this type has no log */
    int             file;
    char           *text; /* rows that are not written yet */
    size_t          used, capacity;
    size_t          header;  /* bytes of the first row */
    size_t          planned; /* bytes in use, including reserved rows */
    size_t          cells;   /* number of cells in a row */
    bool            ledger;  /* rows have ledger columns */
    double          last;    /* time of the last row; -INFINITY: none */
    uint64_t        written; /* bytes of the file, all in whole rows */
} pcm_log_file;

/* Opens the logs of all types of the config: `logs` has one, zeroed, for each. The files are locked, and emptied unless
 * the definition continues them. A file that another world writes is an error. No log directory: no logs. */
pcm_status pcm_logs_open(pcm_context *context, pcm_log_file *logs, const pcm_config *config, const pcm_world_def *def);

/* Writes the buffered rows. Rows that cannot be written are lost, which is reported; files never contain part of a row.
 */
pcm_status pcm_logs_flush(pcm_context *context, pcm_log_file *logs, size_t count);
void       pcm_logs_close(pcm_context *context, pcm_log_file *logs, size_t count);

/* Whether rows are due at this time, by the log's Resolution. A clock that was set back starts again. */
bool pcm_log_due(const pcm_log_file *log, double time);

/* Reserves room for one more row, for a contact of objects with these names. Unused reservations count until the next
 * pcm_log_begin. */
void       pcm_log_begin(pcm_log_file *log);
pcm_status pcm_log_reserve(pcm_context *context, pcm_log_file *log, const char *base, const char *follower);

/* Adds a row, for which room was reserved; sensing is written if the type asks for it. ending: NULL while the contact
 * lives. */
void pcm_log_row(pcm_context *context, pcm_log_file *log, double time, const pcm_contact_info *info,
                 const pcm_sensing *sensing, const pcm_ending *ending);

#endif
