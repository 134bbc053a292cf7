/* SPDX-License-Identifier: MIT */
/* command.h - shared by all commands: their declarations, common options, and a context that reports to standard
 * error. */
#ifndef PCM_TOOLS_COMMAND_H
#define PCM_TOOLS_COMMAND_H

#include <math.h>
#include <stdarg.h>
#include <pcm/pcm.h>

#include "options.h"

/* The commands; those that a build lacks are declared too. argv contains the words after the command's name. */
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

/* The surroundings of a URDF file's robot. */
typedef struct option_robot {
    bool         floor;
    double       free_at;  /* m; NaN: its root is fixed */
    option_texts packages; /* NAME=DIR */
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
        {.name = "--free",                                                                                             \
         .value = "M",                                                                                                 \
         .doc = "the root of a URDF file's robot moves freely, and starts at that height",                             \
         .number = &(target)->free_at},                                                                                \
    {                                                                                                                  \
        .name = "--package", .value = "NAME=DIR", .doc = "where a package is whose meshes a URDF file names",          \
        .texts = &(target)->packages                                                                                   \
    }

/* Commands that apply rules to a scene take --surface: put this into their options. */
#define OPTION_SURFACES(target)                                                                                        \
    {                                                                                                                  \
        .name = "--surface", .value = "PATTERN=NAME", .doc = "the surface of objects of the scene; may be repeated",   \
        .texts = (target)                                                                                              \
    }

/* Commands that examine a contact type take --between twice: put this into their options. */
#define OPTION_BETWEEN(target)                                                                                         \
    {                                                                                                                  \
        .name = "--between", .value = "SURFACE", .doc = "a surface whose material counts; give it twice",              \
        .texts = (target)                                                                                              \
    }

/* The contact type between the materials of those two surfaces, or the type itself if no surfaces are given. NULL, with
 * a report: it needs materials, or rejects these. */
const pcm_type *command_between(const pcm_type *type, const option_texts *between);

/* Reads a .pcm file with these settings; NULL, with a report: it has errors. */
pcm_config *command_config(pcm_context *context, const char *path, const option_texts *settings);

/* A context that searches these folders for plugins: `plugins` (NULL: none), then PCM_PLUGIN_PATH, then this build or
 * installation. sink is command_report or command_report_types, or calls one of them. NULL, with a report: there is no
 * memory. */
pcm_context *command_context(const char *plugins, pcm_sink sink, void *user);

/* The same with kernels of at most this instruction set. */
pcm_context *command_context_at(const char *plugins, uint32_t isa, pcm_sink sink, void *user);

/* The path of a folder that belongs to this program: `in_build` in the build tree, or `installed` in an installation,
 * which may have been moved as a whole. False: there is no such folder. */
bool command_folder(const char *in_build, const char *installed, char *path, size_t size);

/* Prints a diagnostic to standard error: a sink. */
void command_report(void *user, const pcm_diagnostic *diagnostic);

/* As command_report, for commands that examine only contact types: omits the warning that no rule names a type. */
void command_report_types(void *user, const pcm_diagnostic *diagnostic);

/* Reports an error without a place in a file; format as for printf. */
void command_error(uint32_t code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a message of the command itself. place: NULL if it has none. */
void command_message(pcm_severity severity, uint32_t code, const pcm_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void command_message_of(pcm_severity severity, uint32_t code, const pcm_place *place, const char *format,
                        va_list arguments);

/* Returns the status of work that tells each error, and that fails without one only where it had no memory: says so. */
int command_excuse(int status);

/* Returns status, or EXIT_WRONG with a message when the output could not be written. Call it last. */
int command_finish(int status);

#endif
