/* SPDX-License-Identifier: MIT */
/* log.h - the files that contact types log to: CSV, rows gathered in memory, written when asked. */
#ifndef PCM_WORLD_LOG_H
#define PCM_WORLD_LOG_H

#include "contact_type.h"

typedef struct pcm_log_file {
    const pcm_type *type; /* NULL: this type has no log */
    int             file;
    char           *text; /* rows that are not written yet */
    size_t          used, capacity;
    size_t          header;  /* bytes of the first row */
    size_t          planned; /* bytes used once every row is there that room was reserved for */
    size_t          cells;   /* of a row */
    bool            ledger;  /* with columns for it */
    double          last;    /* time of the last row; -INFINITY: none */
    uint64_t        written; /* bytes of the file: whole rows, and nothing behind them */
} pcm_log_file;

/* Opens the logs of all types of the config: `logs` has one, zeroed, for each. The files are locked, and emptied unless
 * the definition says that they go on: who
 * asks for one that another world writes is refused. No log directory: no logs. */
pcm_status pcm_logs_open(pcm_context *context, pcm_log_file *logs, const pcm_config *config, const pcm_world_def *def);

/* Writes what is gathered. Rows that cannot be written are lost, which is reported; files never hold part of one. */
pcm_status pcm_logs_flush(pcm_context *context, pcm_log_file *logs, size_t count);
void       pcm_logs_close(pcm_context *context, pcm_log_file *logs, size_t count);

/* Whether the log's Resolution asks for rows at this time. A clock that was set back begins anew. */
bool pcm_log_due(const pcm_log_file *log, double time);

/* Room for one more row, of a contact of objects with these names. What was reserved before and not used is counted
 * until the next pcm_log_begin. */
void       pcm_log_begin(pcm_log_file *log);
pcm_status pcm_log_reserve(pcm_context *context, pcm_log_file *log, const char *base, const char *follower);

/* Adds a row, for which there is room; sensing is written where the type asks for it. ending: NULL while it lives. */
void pcm_log_row(pcm_context *context, pcm_log_file *log, double time, const pcm_contact_info *info,
                 const pcm_sensing *sensing, const pcm_ending *ending);

#endif
