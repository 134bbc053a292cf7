/* SPDX-License-Identifier: MIT */
/* messages.h - the registry of messages: X(code, NAME, "what it means"), which docs/messages.md shows as a page; and
 * numbers inside messages. A sink may test for one: pcm_diagnostic.code is then PCM_MSG_NAME. Codes are stable:
 * never reused, never renumbered.
 *
 * 1xx text and syntax, 2xx names and values of a .pcm file, 3xx plugins, 4xx worlds, 5xx checkpoints, 6xx simulators
 * and scenes, 7xx cones and geometry, 8xx the pcm command. */
#ifndef PCM_MESSAGES_H
#define PCM_MESSAGES_H

#include <pcm/pcm.h>

#define PCM_MESSAGE_TABLE(X)                                                                                           \
    X(100, OUT_OF_MEMORY, "memory allocation failed")                                                                  \
    X(101, SYNTAX, "a syntax error: something else is expected here")                                                  \
    X(102, NO_SEMICOLON, "the ';' of a statement or parameter is missing")                                             \
    X(103, NO_CLOSING_BRACKET, "the '}' or ']' of a block of parameters is missing")                                   \
    X(104, UNKNOWN_STATEMENT, "a statement begins with an unknown word")                                               \
    X(105, BAD_BYTE, "a byte that is not allowed in a .pcm file")                                                      \
    X(106, OPEN_STRING, "the closing quote of a text is missing on its line")                                          \
    X(107, OPEN_UNIT, "the ']' of a unit is missing on its line")                                                      \
    X(108, TOO_LONG, "a name or text is longer than 65000 bytes")                                                      \
    X(109, TOO_NESTED, "the parentheses of an expression are nested too deeply")                                       \
    X(110, TOO_MANY_ERRORS, "the file has more than 1000 errors; the others are not told")                             \
    X(111, UNREADABLE, "a file does not exist, cannot be read, or is not a regular file")                              \
    X(112, FILE_TOO_LARGE, "a file is larger than 1 GiB")                                                              \
    X(113, INCLUDE_CYCLE, "a file includes itself, directly or through other files")                                   \
    X(114, INCLUDE_DEPTH, "includes are nested more than 16 deep")                                                     \
    X(115, INCLUDE_COUNT, "more than 1000 files are included")                                                         \
    X(116, NOT_UTF8, "the file is UTF-16 or Latin-1; .pcm files are ASCII or UTF-8")                                   \
    X(117, COMMENTED_INCLUDE, "a comment that looks like an include or a definition of another language (warning)")    \
    X(118, BAD_NUMBER, "a number in another notation: with a comma, a percent sign, separated digits, a tolerance")    \
    X(119, DECOMPOSED, "a letter and its accent are two characters (warning)")                                         \
    X(201, UNKNOWN_MODEL, "the model's plugin was not found in the search path")                                       \
    X(202, REJECTED_MODEL, "the model's plugin was rejected, for the reason that was reported before")                 \
    X(203, UNKNOWN_PARAMETER, "the model has no parameter of that name")                                               \
    X(204, DUPLICATE_PARAMETER, "a parameter is given twice")                                                          \
    X(205, MISSING_PARAMETER, "a parameter without a default is missing")                                              \
    X(206, WRONG_KIND, "a value of the wrong kind: a number, a word, a text or a list where another kind is expected") \
    X(207, BAD_UNIT, "a text in brackets that is not a unit")                                                          \
    X(208, WRONG_UNIT, "a unit whose dimension differs from the parameter's")                                          \
    X(209, OUT_OF_RANGE, "a value outside the parameter's range")                                                      \
    X(210, VALUE_NOT_FINITE, "an expression that divides by zero or leaves the range of a double")                     \
    X(211, PARAMETERS_REJECTED, "parameter values that the law rejects, alone or together")                            \
    X(212, NO_EFFECT, "a parameter that has no effect with the values of the others (warning)")                        \
    X(213, UNKNOWN_CHOICE, "a word that is not one of the parameter's choices")                                        \
    X(214, EMPTY_NAME, "an empty name in quotes")                                                                      \
    X(215, DUPLICATE_TYPE, "two contact types have one name")                                                          \
    X(216, UNDEFINED_TYPE, "a rule names a contact type that is not defined")                                          \
    X(217, UNUSED_TYPE, "no rule names the contact type (warning)")                                                    \
    X(218, CONTRADICTORY_RULES, "two exact rules for one pair disagree in type or in order")                           \
    X(219, REPEATED_RULE, "a rule is written twice (warning)")                                                         \
    X(220, SECOND_DEFAULT, "DefaultPair is written twice")                                                             \
    X(221, DEAD_RULE, "a rule that can never win, because others cover it (warning)")                                  \
    X(222, REGEX, "a quoted name with a character of regular expressions, which is taken literally (warning)")         \
    X(223, SIMILAR_NAMES, "two names in the rules differ by what looks like a typing error (warning)")                 \
    X(224, UNUSUAL, "a value that is possible but probably a mistake (warning)")                                       \
    X(225, UNKNOWN_NAME, "an expression with a name that no Let defines")                                              \
    X(226, DIMENSION, "an expression whose units do not match")                                                        \
    X(227, UNUSED_LET, "nothing uses the number that a Let names (warning)")                                           \
    X(228, DUPLICATE_LET, "two Let statements define one name")                                                        \
    X(229, CYCLE, "a definition that depends on itself")                                                               \
    X(230, UNUSED_SURFACE, "no SurfacePair names a surface that the file assigns to objects (warning)")                \
    X(231, DEAD_SURFACE,                                                                                               \
      "a line that assigns a surface has no effect, because a later line assigns another one (warning)")               \
    X(232, PATCH, "a contact type whose Patch and Single disagree")                                                    \
    X(233, TOO_DEEP, "numbers or contact types whose definitions are nested more than 64 deep")                        \
    X(234, RULE_LISTS, "a rule whose lists of names make more than 4096 pairs")                                        \
    X(240, PARTS, "parts of a contact type that cannot be combined")                                                   \
    X(241, TWO_FRICTIONS, "two parts of a contact type give friction, which adds up (warning)")                        \
    X(250, DUPLICATE_MATERIAL, "two Material statements have one name")                                                \
    X(251, MATERIAL_NAME, "a Material whose name is a pattern")                                                        \
    X(252, UNKNOWN_PROPERTY, "a property of a material with what looks like a typing error in its name")               \
    X(253, UNREAD_PROPERTY, "a property of a material that no contact type of the file reads (warning)")               \
    X(254, PROPERTY_UNITS, "two laws read one property of materials in different units")                               \
    X(255, MISSING_PROPERTY, "a material lacks a property that a law needs, or a surface lacks a material")            \
    X(256, MIXING, "two materials whose mixed value of a parameter is not finite or out of range")                     \
    X(257, UNUSED_MATERIAL, "no rule and no Surface line names the surface of a Material (warning)")                   \
    X(258, TWO_MATERIALS, "two Surface lines give the same objects different materials")                               \
    X(259, DEFAULT_MODULUS, "a modulus that nothing sets: no Material, and no value in the contact type (warning)")    \
    X(260, SURFACE_NAME, "a Surface whose name is a pattern")                                                          \
    X(261, UNKNOWN_MATERIAL, "a Material is made from one that the file does not have")                                \
    X(300, CONTEXT_DEF, "a pcm_context_def that sets only one of its allocator's functions")                           \
    X(301, PLUGIN_BAD_NAME, "a text that is not a valid model name")                                                   \
    X(302, PLUGIN_MISSING, "no plugin of that name was found in the search path")                                      \
    X(303, PLUGIN_UNREADABLE, "a plugin that cannot be read, or is not a regular file")                                \
    X(304, PLUGIN_NOT_ELF, "a plugin that is not a shared object")                                                     \
    X(305, PLUGIN_MACHINE, "a plugin that was built for another machine")                                              \
    X(306, PLUGIN_TRUNCATED, "a plugin whose file is shorter than its headers say")                                    \
    X(307, PLUGIN_REJECTED, "a plugin that the system's loader rejects, for instance because of a missing symbol")     \
    X(308, PLUGIN_ENTRY, "a shared object without pcm_entry")                                                          \
    X(309, PLUGIN_MAGIC, "a pcm_entry that does not belong to a plugin")                                               \
    X(310, PLUGIN_ABI, "a plugin that needs another version of the plugin interface")                                  \
    X(311, PLUGIN_LAYOUT, "a plugin whose entry or tables state wrong sizes")                                          \
    X(312, PLUGIN_NEWER, "a plugin that uses features which this version of PCM does not know")                        \
    X(313, PLUGIN_NAME_DIFFERS, "a plugin whose model name differs from its file name")                                \
    X(314, PLUGIN_TEXT, "a name or text of a plugin that is missing, malformed or repeated")                           \
    X(315, PLUGIN_PARAM, "a parameter that a plugin describes wrongly")                                                \
    X(316, PLUGIN_STATE, "a state that a plugin describes wrongly")                                                    \
    X(317, PLUGIN_INPUT, "a host input that a plugin describes wrongly")                                               \
    X(318, PLUGIN_EVENT, "an event that a plugin describes wrongly")                                                   \
    X(319, PLUGIN_PARTIAL, "a Jacobian entry that a plugin describes wrongly")                                         \
    X(320, PLUGIN_CODE, "a function that is missing from a plugin")                                                    \
    X(321, PLUGIN_PROCESSOR, "this processor lacks the instructions that every plugin needs")                          \
    X(322, CONFIG_DEF, "a pcm_config_def without a name, or with a root that is not a folder")                         \
    X(331, PLUGIN_OPEN, "a plugin, or its directory, that other users may write to (warning)")                         \
    X(400, BAD_DEF, "a struct without its size, or with fields that this PCM does not know")                           \
    X(401, BAD_OBJECT, "an object without a name, or with an invalid radius or mass")                                  \
    X(402, BASE_NOT_FIXED, "a rule assigns a law that needs a fixed base to a pair whose base is not fixed")           \
    X(403, COMMIT_ORDER, "a commit without an update before it")                                                       \
    X(404, BAD_MOTION, "motion or a wrench that is not finite, or an invalid orientation or normal: no force acts")    \
    X(405, BAD_RESULT, "a law whose force or state is not finite: the contact gives no force")                         \
    X(406, INPUT_MISSING, "a contact whose law reads an input that the host has not set: it gives no force")           \
    X(407, NO_RULE, "no rule matches two objects that are touching: the simulator handles their contact")              \
    X(408, CONTACT_CHANGE, "a contact of a type with Debug = true began, ended or broke")                              \
    X(409, ENERGY_CREATED, "contacts of two objects have added energy to them, although their law must not")           \
    X(410, LOG_OUTSIDE, "a LogFile that is not a path below the log directory")                                        \
    X(411, LOG_FILE, "a log file, or its directory, that cannot be opened or written")                                 \
    X(412, LOG_TAKEN, "a log file that another world or contact type is writing")                                      \
    X(413, BROKEN_OVERLAP,                                                                                             \
      "a law broke a contact whose objects overlap: no force acts at that point until they separate there")            \
    X(414, PULLS, "a law without PCM_PULLS has pulled two objects together")                                           \
    X(415, BAD_CALL, "an invalid call on a world")                                                                     \
    X(416, UNCOMMITTED, "a world was updated with contacts, but never committed (warning)")                            \
    X(417, CLOCK, "the times of commits do not agree with their steps (warning)")                                      \
    X(418, WORLD_BUSY, "a call on a world during another call")                                                        \
    X(419, NORMAL_REVERSED,                                                                                            \
      "the depth of a contact grows while its objects part, or shrinks while they approach (warning)")                 \
    X(420, PARTIAL, "a partial derivative that does not exist for the law")                                            \
    X(421, DEEP, "objects overlap by more than a metre (warning)")                                                     \
    X(422, FEATURE_TWICE, "two points of a pair have the same feature: only one of them counts (warning)")             \
    X(423, FORMULA, "a table has a name that spreadsheets take for a formula (warning)")                               \
    X(424, POINTS_ALONE, "a law that holds for contacts in a point alone meets a line or a flat (warning)")            \
    X(425, BAD_SHAPE, "the shape of a contact has a number that is not possible: the radius counts (warning)")         \
    X(426, CROWDED_PAIR, "two objects touch at more points than count for a pair (warning)")                           \
    X(430, NEEDS_MATERIALS, "a contact type is used without materials, but two materials give its parameters")         \
    X(500, CHECKPOINT_DAMAGED, "a checkpoint with missing or changed bytes")                                           \
    X(501, CHECKPOINT_VERSION, "a checkpoint of another version of PCM")                                               \
    X(502, CHECKPOINT_CONFIG, "a checkpoint from another configuration")                                               \
    X(503, CHECKPOINT_MODEL, "a checkpoint made with another version of a model")                                      \
    X(504, CHECKPOINT_OBJECT, "a checkpoint with an object that is missing from the world")                            \
    X(505, TAKE_OVER, "a world that cannot take over another one's contacts, because a law has other states")          \
    X(600, SCENE, "a scene could not be read")                                                                         \
    X(601, SIMULATOR, "the simulator reported an error or a warning")                                                  \
    X(602, NAME_UNMATCHED, "a rule names an object or a surface that is not in the scene")                             \
    X(603, PAIR_UNASSIGNED, "no rule matches a pair of the scene; the simulator handles its contact")                  \
    X(604, SURFACE_TEXT, "a text that assigns a surface to objects is not of the form pattern=Surface")                \
    X(605, SURFACE_UNUSED, "a pattern that assigns a surface matches no object of the scene")                          \
    X(606, ATTACHED, "a simulation that is attached already")                                                          \
    X(607, UNSTABLE, "the simulation reached numbers that are not finite, and the simulator reset it")                 \
    X(608, CALLBACK_LOST, "the simulator computed a step without asking for contact forces")                           \
    X(609, NO_KEYFRAME, "the scene has no keyframe of that name")                                                      \
    X(610, CONTROLS, "the table of controls does not match the scene's actuators")                                     \
    X(611, LOG_UNWANTED, "a LogFile that is not written because no log directory was given")                           \
    X(612, SOLVER, "the solver of equations of motion reported an error or a warning")                                 \
    X(613, START, "a table of initial contact states does not match the contacts")                                     \
    X(614, STEP_LARGE, "a time step that is too large for a contact to be stable")                                     \
    X(615, HISTORY_STEPS, "a contact type with history states, which error control does not cover (warning)")          \
    X(616, INPUT_NEVER, "a rule assigns a law that reads an input which the simulator never gives (warning)")          \
    X(617, STALL, "the solver of equations of motion makes little or no progress")                                     \
    X(618, GIVEN, "a table of inputs does not match the pairs of the scene or the inputs of their laws")               \
    X(620, RELEASE,                                                                                                    \
      "the release of the simulator's library differs from that of the headers that PCM was compiled with")            \
    X(621, NULL_ARGUMENT, "an argument that is needed to attach a simulation is NULL")                                 \
    X(622, NOT_FORKED,                                                                                                 \
      "the contacts of a simulation start without history, because no earlier ones are known (warning)")               \
    X(623, PAIR_LATE, "a pair that could not collide when the scene was attached, and now does (warning)")             \
    X(624, UNSERVED, "a sensor, an actuator, a flex or a changed number of the scene that laws do not serve")          \
    X(625, CUSTOM, "a custom element of the scene that PCM cannot use (warning)")                                      \
    X(626, NOT_IMPLICIT, "steps that cannot be implicit in the forces of laws")                                        \
    X(627, DROPPED, "parameters of the scene's contacts that laws do not use (note)")                                  \
    X(628, THROWN, "contacts threw a body of the scene: they gave it too much energy (warning)")                       \
    X(629, OVERLAP, "objects that overlap at the start of a run (warning)")                                            \
    X(630, NO_PAIRS, "a scene in which nothing can collide (note)")                                                    \
    X(631, FIELD, "a height field on which the law acts in full at each point of a pair (note)")                       \
    X(632, OTHER_MODEL, "data of another model than the one to attach, or a model that was compiled again since")      \
    X(633, CLOUD, "points for an object of the scene that cannot have them")                                           \
    X(634, WILDCARD_NAME, "an object whose name contains * or ?: no rule can name it alone (warning)")                 \
    X(635, SPECULATIVE, "a scene in which MuJoCo would add contacts of its own between objects of laws")               \
    X(636, SITES, "a pattern that fits sites: which it takes, and which it leaves (note)")                             \
    X(637, RULE_IDLE, "a rule whose two sides are in the scene, but in no pair that can touch (warning)")              \
    X(638, BELT, "a surface velocity for an object that the scene does not have, or that no rule gives a law")         \
    X(639, PRECISION, "an engine that computes in another precision than PCM was built for")                           \
    X(640, LAW_ENDED_RUN,                                                                                              \
      "a law crashed, ended the program, did not return, or wrote to memory that it may only read")                    \
    X(641, RUN_CHECKPOINT, "a checkpoint of a run could not be written, is damaged, or is of another run")             \
    X(642, ISOLATED, "laws in a process of their own ended it early, or this system cannot confine a process")         \
    X(643, GAP_UNSEEN, "a law that acts across gaps, in an engine that reports few points there (warning)")            \
    X(700, CONE, "a friction cone with an invalid normal or friction coefficient")                                     \
    X(701, PYRAMID, "a linear pyramid with an invalid number of sides, direction or friction coefficient")             \
    X(702, WRENCH_CONE, "points, or a sole, that do not define a wrench cone")                                         \
    X(703, WRENCH_CONE_FAILED, "a wrench cone whose faces could not be computed reliably")                             \
    X(704, NO_CDDLIB, "wrench cones of points need cddlib, which is missing from this build")                          \
    X(705, NO_CONE, "a contact type, or an object of a scene, that has no friction cone")                              \
    X(706, NO_PICTURE, "gnuplot did not draw the picture")                                                             \
    X(750, BAD_GEOMETRY, "an invalid shape: a length out of range, a flat hull, a grid whose lines do not ascend")     \
    X(751, BAD_MESH, "a mesh file that cannot be read or whose surface is not closed")                                 \
    X(752, NO_PARTNER, "a rule for two objects whose geometries are not supported as a pair")                          \
    X(760, REPLAY_FILE, "the page of a run that cannot be read or written")                                            \
    X(761, REPLAY_VIEWER, "the viewer for pages of runs is not installed")                                             \
    X(762, REPLAY_SHAPE, "a shape, body or quantity that a page cannot show")                                          \
    X(763, REPLAY_DAMAGED, "a chunk of the page of a run with missing or changed bytes (warning)")                     \
    X(764, REPLAY_LARGE, "the page of a run may be too large for a browser (warning)")                                 \
    X(800, TABLE_FILE, "a table could not be read or written")                                                         \
    X(801, TABLE_TEXT, "a table row whose number of cells differs from the header's, or quotes that are not closed")   \
    X(802, TABLE_CELL, "a table cell with a value that is not valid in its column")                                    \
    X(803, TABLE_COLUMN, "a table with an unknown column, or without a required one")                                  \
    X(804, NO_PLUGINS, "no plugin was found in the search path")                                                       \
    X(805, NO_LAW, "there is no contact type with a law for the rig")                                                  \
    X(806, NOT_FINITE, "a law on the rig gives a force or state that is not finite, or PCM_INVALID")                   \
    X(807, BENCH, "a benchmark does not exist or could not be run")                                                    \
    X(808, NO_SCENES, "a scene was given to a build without MuJoCo")                                                   \
    X(809, UNWRITABLE, "a .pcm file could not be written")                                                             \
    X(810, UNKNOWN_SETTING, "a setting of a contact type or number that the file does not have")                       \
    X(820, NOT_BUILT, "a law's C file that does not compile")                                                          \
    X(821, NOT_VERIFIED, "a law that cannot be loaded, or a check of it that could not be run")                        \
    X(822, NOT_MADE, "a file of a new law that could not be written")                                                  \
    X(823, NOT_PLOTTED, "a contact type, an input or a table that lacks the data for a picture")                       \
    X(824, NO_PAGE, "a page of laws that could not be written")                                                        \
    X(825, NOT_EXPORTED, "a contact type that cannot be exported as a header, or a header that could not be written")  \
    X(826, BAD_SUITE, "a suite of benchmarks that lacks something, or a test of it that could not be run")

enum {
#define PCM_MESSAGE_ENUM(code, name, text) PCM_MSG_##name = code,
    PCM_MESSAGE_TABLE(PCM_MESSAGE_ENUM)
#undef PCM_MESSAGE_ENUM
};

typedef struct pcm_number_text {
    char text[PCM_NUMBER_SIZE];
} pcm_number_text;

/* For "%s" in the format of pcm_report: pcm_number(value, digits).text lives to the end of the full expression. Digits
 * are those of pcm_number_write; 9 digits hide the rounding errors of computed values, such as a time that is a sum of
 * steps. */
static inline pcm_number_text pcm_number(double value, int digits)
{
    pcm_number_text number;
    pcm_number_write(value, digits, number.text);
    return number;
}

#endif
