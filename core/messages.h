/* SPDX-License-Identifier: MIT */
/* messages.h - the registry of diagnostics. Codes are stable: never reused, never renumbered.
 *
 * 1xx text and syntax, 2xx names and values of a .pcm file, 3xx plugins, 4xx worlds, 5xx checkpoints, 6xx simulators
 * and scenes, 7xx cones and geometry, 8xx the pcm command. X(code, NAME, "what it means, for docs/messages.md") */
#ifndef PCM_CORE_MESSAGES_H
#define PCM_CORE_MESSAGES_H

#define PCM_MESSAGE_TABLE(X)                                                                                           \
    X(100, OUT_OF_MEMORY, "the allocator gave no memory")                                                              \
    X(300, CONTEXT_DEF, "a pcm_context_def that pcm_context_defaults() did not make")                                  \
    X(301, PLUGIN_BAD_NAME, "a text that cannot be the name of a model")                                               \
    X(302, PLUGIN_MISSING, "no directory of the search path has a plugin of that name")                                \
    X(303, PLUGIN_UNREADABLE, "a plugin that cannot be read, or is no regular file")                                   \
    X(304, PLUGIN_NOT_ELF, "a plugin that is no shared object")                                                        \
    X(305, PLUGIN_MACHINE, "a plugin that was built for another machine")                                              \
    X(306, PLUGIN_TRUNCATED, "a plugin whose file is shorter than its headers say")                                    \
    X(307, PLUGIN_REFUSED, "a plugin that the system's loader refuses, for instance for a missing symbol")             \
    X(308, PLUGIN_ENTRY, "a shared object without pcm_entry")                                                          \
    X(309, PLUGIN_MAGIC, "a pcm_entry that is not the one of a plugin")                                                \
    X(310, PLUGIN_ABI, "a plugin that needs another version of the plugin interface")                                  \
    X(311, PLUGIN_LAYOUT, "a plugin whose entry or tables lie about their sizes")                                      \
    X(312, PLUGIN_NEWER, "a plugin that uses what this version of PCM does not know")                                  \
    X(313, PLUGIN_NAME_DIFFERS, "a plugin whose model has another name than its file")                                 \
    X(314, PLUGIN_TEXT, "a name or text of a plugin that is missing, malformed or there twice")                        \
    X(315, PLUGIN_PARAM, "a parameter that a plugin describes wrongly")                                                \
    X(316, PLUGIN_STATE, "a state that a plugin describes wrongly")                                                    \
    X(317, PLUGIN_INPUT, "a given input that a plugin describes wrongly")                                              \
    X(318, PLUGIN_EVENT, "an event that a plugin describes wrongly")                                                   \
    X(319, PLUGIN_PARTIAL, "a Jacobian entry that a plugin describes wrongly")                                         \
    X(320, PLUGIN_CODE, "a function that a plugin lacks")                                                              \
    X(700, CONE, "a friction cone with a normal or friction that makes none")                                          \
    X(701, PYRAMID, "a linear pyramid with sides, a direction or friction that make none")                             \
    X(702, WRENCH_CONE, "points, or a sole, that have no wrench cone")                                                 \
    X(703, WRENCH_CONE_FAILED, "a wrench cone whose faces could not be computed reliably")                             \
    X(704, NO_CDDLIB, "wrench cones of points need cddlib, which this build lacks")                                    \
    X(800, TABLE_FILE, "a table could not be read or written")                                                         \
    X(801, TABLE_TEXT, "a table's row has other cells than its header names, or quotes that do not close")             \
    X(802, TABLE_CELL, "a table's cell does not hold what its column needs")                                           \
    X(803, TABLE_COLUMN, "a table has a column that means nothing here, or lacks one that is needed")                  \
    X(804, NO_PLUGINS, "no plugin is found anywhere")                                                                  \
    X(805, NO_LAW, "the rig is given no contact type with a law")                                                      \
    X(806, NOT_FINITE, "a law on the rig gives a force that is not finite")

enum {
#define PCM_MESSAGE_ENUM(code, name, text) PCM_MSG_##name = code,
    PCM_MESSAGE_TABLE(PCM_MESSAGE_ENUM)
#undef PCM_MESSAGE_ENUM
};

#endif
