/* SPDX-License-Identifier: MIT */
/* messages.h - the registry of diagnostics. Codes are stable: never reused, never renumbered.
 *
 * 1xx text and syntax, 2xx names and values of a .pcm file, 3xx plugins, 4xx worlds, 5xx checkpoints, 6xx simulators
 * and scenes, 7xx cones and geometry, 8xx the pcm command. X(code, NAME, "what it means, for docs/messages.md") */
#ifndef PCM_CORE_MESSAGES_H
#define PCM_CORE_MESSAGES_H

#define PCM_MESSAGE_TABLE(X)                                                                                           \
    X(100, OUT_OF_MEMORY, "the allocator gave no memory")                                                              \
    X(800, TABLE_FILE, "a table could not be read or written")                                                         \
    X(801, TABLE_TEXT, "a table's row has other cells than its header names, or quotes that do not close")             \
    X(802, TABLE_CELL, "a table's cell does not hold what its column needs")                                           \
    X(803, TABLE_COLUMN, "a table has a column that means nothing here, or lacks one that is needed")

enum {
#define PCM_MESSAGE_ENUM(code, name, text) PCM_MSG_##name = code,
    PCM_MESSAGE_TABLE(PCM_MESSAGE_ENUM)
#undef PCM_MESSAGE_ENUM
};

#endif
