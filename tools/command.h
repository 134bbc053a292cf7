/* SPDX-License-Identifier: MIT */
/* command.h - what the commands share: the table's entries, and a context whose messages go to standard error. */
#ifndef PCM_TOOLS_COMMAND_H
#define PCM_TOOLS_COMMAND_H

#include <math.h>
#include <pcm/pcm.h>

#include "options.h"

/* The commands; those that a build lacks are declared too. argv holds the words after the command's name. */
#define COMMAND(when, source, name, summary) int name##_run(int argc, char **argv);
#include "commands.inc"
#undef COMMAND

/* Every command takes --plugins DIR: put this into its options. */
#define OPTION_PLUGINS(target)                                                                                         \
    {                                                                                                                  \
        .name = "--plugins", .value = "DIR", .doc = "search DIR for plugins first", .text = (target)                   \
    }

/* Commands that read a .pcm file take --set: put this into their options. */
#define OPTION_SET(target)                                                                                             \
    {                                                                                                                  \
        .name = "--set", .value = "T.P=VALUE",                                                                         \
        .doc = "P of contact type or material T, or NAME=VALUE; may be repeated", .texts = (target)                    \
    }

/* What stands around the robot of a URDF file. */
typedef struct option_robot {
    bool   floor;
    double free_at; /* m; NaN: its root is fixed */
} option_robot;
#define OPTION_ROBOT_NONE                                                                                              \
    {                                                                                                                  \
        .free_at = NAN                                                                                                 \
    }

/* Commands that read a scene take --floor and --free: put this into their options. */
#define OPTION_ROBOT(target)                                                                                           \
    {.name = "--floor",                                                                                                \
     .doc = "put a plane under the robot of a URDF file: 'world' in rules",                                            \
     .flag = &(target)->floor},                                                                                        \
    {                                                                                                                  \
        .name = "--free", .value = "M",                                                                                \
        .doc = "the root of a URDF file's robot moves freely, and starts at that height", .number = &(target)->free_at \
    }

/* Commands that hold rules against a scene take --surface: put this into their options. */
#define OPTION_SURFACES(target)                                                                                        \
    {                                                                                                                  \
        .name = "--surface", .value = "PATTERN=NAME", .doc = "the surface of objects of the scene; may be repeated",   \
        .texts = (target)                                                                                              \
    }

/* Commands that look at a contact type take --between twice: put this into their options. */
#define OPTION_BETWEEN(target)                                                                                         \
    {                                                                                                                  \
        .name = "--between", .value = "SURFACE", .doc = "a surface whose material counts; give it twice",              \
        .texts = (target)                                                                                              \
    }

/* The contact type between the materials of those two surfaces, or itself where none are given; NULL: it needs some, or
 * cannot have these, which has been reported. */
const pcm_type *command_between(const pcm_type *type, const option_texts *between);

/* Reads a .pcm file with these settings; NULL when it is wrong, which has been reported. */
pcm_config *command_config(pcm_context *context, const char *path, const option_texts *settings);

/* A context that finds the plugins of this build or installation: those in `plugins` (NULL: none) first, then those on
 * PCM_PLUGIN_PATH. sink is command_report, command_report_types or passes on to one. NULL when there is no memory,
 * which it says. */
pcm_context *command_context(const char *plugins, pcm_sink sink, void *user);

/* The same with no better kernels than those of the instruction set. */
pcm_context *command_context_at(const char *plugins, uint32_t isa, pcm_sink sink, void *user);

/* The path of a folder that belongs to this very program: `in_build` in the build tree, or `installed` in an
 * installation, which may have been moved as a whole. false when there is none. */
bool command_folder(const char *in_build, const char *installed, char *path, size_t size);

/* Prints a diagnostic to standard error: a sink. */
void command_report(void *user, const pcm_diagnostic *diagnostic);

/* As command_report, for commands that look at contact types alone: silent about those that no rule names. */
void command_report_types(void *user, const pcm_diagnostic *diagnostic);

/* Reports an error about no place in a file; format as printf. */
void command_error(uint32_t code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* EXIT_WRONG with a message when what was printed could not be written, else status. Call it last. */
int command_finish(int status);

#endif
