/* SPDX-License-Identifier: MIT */
/* pcm.h - the interface for simulators: contact laws, chosen in a .pcm file, evaluated for their contacts.
 *
 *   pcm_context *context = pcm_context_new(NULL);
 *   pcm_config  *config  = pcm_config_load(context, "rise.pcm");      immutable; many worlds may share it
 *   pcm_world   *world   = pcm_world_new(config, NULL);
 *   pcm_object   foot    = pcm_world_add(world, "FrontRightFoot", "Sticky");
 *   ...
 *   each evaluation:  pcm_world_move(world, foot, &pose, &twist);     every object that moves
 *                     pcm_world_touch(world, foot, wall, &touch, sizeof touch);       every touching
 *                     pcm_world_update(world, t, dt);                 all laws, batched
 *                     pcm_world_wrench(world, foot, &wrench);
 *   each step:        pcm_world_commit(world);                        or drop it: nothing has changed
 *
 * Everywhere: SI units; world axes unless a line says otherwise; doubles in IEEE arithmetic. The library never prints,
 * exits, aborts, changes the locale or the floating-point environment, and keeps no writable global data.
 *
 * Threads. [setup] functions of one context may be called from one thread at a time; pcm_world_new and everything on a
 * world may run concurrently with them. A config and what it hands out are immutable: any number of threads may read
 * one. A world belongs to one thread at a time. During a call on it others are rejected with PCM_BUSY, but [hot] calls
 * for one object or contact do not lock the world: if one of them overlaps another call, the world's data are damaged,
 * and calls may crash or never return. Different worlds share no data that is written. The sink and the allocator of a
 * context may be called from every thread that calls the library. A call needs up to 64 kB of stack.
 *
 * Fork. A child has copies of all worlds, and may use and free them. The library's own threads stay with the parent: in
 * the child the calling thread runs all tasks, with the same bits. Logs are the parent's; a child that commits writes
 * over their rows. A world in whose call another thread was at the fork is PCM_BUSY in the child for good.
 *
 * Growth. A struct that may grow begins with its size in bytes, as given by the headers that its maker was compiled
 * with. Fields are appended, never reordered or removed, and zero always means "as before".
 *   - Definitions (pcm_..._def) start from their pcm_..._defaults(), which sets the size. Fields that a smaller one
 *     lacks have their defaults; a larger one is rejected if a byte that the library does not know is not zero. Other
 *     structs that the caller writes are made with .size = sizeof and treated alike; their defaults are zero.
 *   - Structs that the library fills are made with their size, pcm_contact_info info = {.size = sizeof info}; the
 *     fields that both sides know are filled, the rest stays unchanged.
 *   - Structs that the library hands out by pointer contain their own size. Arrays take an entry's with the call.
 *   - Inline functions return structs by value; for other languages, each has one whose name ends in _into, which takes
 *     the struct and its size. Values of fixed meaning have no size and never grow: pcm_pose, pcm_twist, pcm_wrench,
 *     pcm_place, pcm_fix, pcm_list, pcm_allocator, handles.
 *
 * Errors. Functions that return a pointer return NULL, functions that return a handle return the zero handle, the
 * others return a pcm_status. The reason goes to the context's sink as diagnostics. PCM_BAD_HANDLE has no message: it
 * is the answer that an object or contact no longer exists. A failed call changes nothing.
 *
 * NULL. A pointer may be NULL where its comment says so, in pcm_..._free and release, and for arrays with a count of 0.
 * In calls on a world any other NULL is PCM_BAD_ARGUMENT. Elsewhere NULL is not checked, unless the comment says so. */
#ifndef PCM_PCM_H
#define PCM_PCM_H

#include <pcm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PCM_VERSION_MAJOR 0
#define PCM_VERSION_MINOR 1
#define PCM_VERSION_PATCH 0
#define PCM_VERSION       "0.1.0"

/* ---- Models ---------------------------------------------------------------------------------------------------- */

/* [setup] The model of that name, its tables checked and grown to this header's sizes; lives as long as the context. */
PCM_EXPORT const pcm_model *pcm_model_load(pcm_context *context, const char *name);

/* The file from which the model was loaded; NULL: it is linked in, or was not loaded. */
PCM_EXPORT const char *pcm_model_path(pcm_context *context, const char *name);

/* [setup] Calls visit for every plugin that is linked in or found on the search path, in order of name; rejected ones
 * are reported to the sink and skipped. Returns how many were visited. */
PCM_EXPORT size_t pcm_model_each(pcm_context *context, void (*visit)(void *user, const pcm_model *model), void *user);

/* Entries of a loaded model's tables. */
static inline const void *pcm_table_entry(const pcm_table *table, size_t i)
{
    return (const char *)table->entries + i * table->size;
}
static inline const pcm_param *pcm_model_param(const pcm_model *model, size_t i)
{
    return (const pcm_param *)pcm_table_entry(&model->params, i);
}
static inline const pcm_state *pcm_model_state(const pcm_model *model, size_t i)
{
    return (const pcm_state *)pcm_table_entry(&model->states, i);
}
static inline const pcm_host_input *pcm_model_host_input(const pcm_model *model, size_t i)
{
    return (const pcm_host_input *)pcm_table_entry(&model->host_inputs, i);
}
static inline const pcm_event *pcm_model_event(const pcm_model *model, size_t i)
{
    return (const pcm_event *)pcm_table_entry(&model->events, i);
}
static inline const pcm_amount *pcm_model_amount(const pcm_model *model, size_t i)
{
    return (const pcm_amount *)pcm_table_entry(&model->amounts, i);
}
static inline const pcm_derived *pcm_model_derived(const pcm_model *model, size_t i)
{
    return (const pcm_derived *)pcm_table_entry(&model->derived, i);
}
static inline const pcm_partial *pcm_model_partial(const pcm_model *model, size_t i)
{
    return (const pcm_partial *)pcm_table_entry(&model->partials, i);
}

/* Whether the law has a verb per pair. */
static inline bool pcm_model_has_pair_verb(const pcm_model *model)
{
    return model->kernels.count > 0 && ((const pcm_kernel_set *)model->kernels.entries)->pair;
}

/* The common parameters that every model has (LogFile, Resolution, Separation, Point, Single ...), as a table of
 * pcm_param whose offsets are into pcm_common. */
PCM_EXPORT pcm_table pcm_common_params(void);

/* ---- Configuration --------------------------------------------------------------------------------------------- */

typedef struct pcm_config pcm_config;
typedef struct pcm_type   pcm_type; /* a contact type: a model with parameter values; lives as long as its config */

/* [setup] Reads a .pcm file, or length bytes of text that messages call name, and reports every error in it. NULL if
 * there was one. Include is relative to the file that contains it; in text, to the current directory. */
PCM_EXPORT pcm_config *pcm_config_load(pcm_context *context, const char *path);
PCM_EXPORT pcm_config *pcm_config_parse(pcm_context *context, const char *name, const char *text, size_t length);

/* The text to read, and changes to it. Start from pcm_config_defaults(). */
typedef struct pcm_config_def {
    size_t      size;
    const char *name; /* the file's path; with text, the name of the text in messages */
    const char *text; /* NULL: the file is read */
    size_t      length;
    /* Values that replace the file's, in its syntax: "Floor.Friction = 0.3", or "grip = 0.6" for a Let. If two set the
     * same value, the later counts. */
    const char *const *settings;
    size_t             n_settings;
    /* A folder: files that the text names, by Include and as tables, must be below it, links resolved. For text that is
     * not trusted. NULL: anywhere. */
    const char *root;
} pcm_config_def;
PCM_EXPORT void              pcm_config_defaults_into(pcm_config_def *def, size_t size);
static inline pcm_config_def pcm_config_defaults(void)
{
    pcm_config_def def;
    pcm_config_defaults_into(&def, sizeof def);
    return def;
}

/* [setup] As pcm_config_load and pcm_config_parse, with settings. def is not kept. */
PCM_EXPORT pcm_config *pcm_config_open(pcm_context *context, const pcm_config_def *def);

/* [setup] Formats .pcm text in the canonical layout; messages call it name. Only spaces and line ends change.
 * *formatted gets new text of *formatted_length bytes, followed by a NUL: release it by pcm_free(context, *formatted,
 * *formatted_length + 1). Included files are not read. PCM_BAD_CONFIG, and NULL: an error of syntax, reported. */
PCM_EXPORT pcm_status pcm_config_format(pcm_context *context, const char *name, const char *text, size_t length,
                                        char **formatted, size_t *formatted_length);

/* The context that it was read in. Any thread. */
PCM_EXPORT pcm_context *pcm_config_context(const pcm_config *config);

/* Releases the caller's reference; worlds keep their config alive. Any thread. NULL is allowed. */
PCM_EXPORT void pcm_config_release(pcm_config *config);

/* Values of Point: where the velocity is measured and the force acts. */
enum { PCM_POINT_MIDDLE, PCM_POINT_BASE, PCM_POINT_FOLLOWER };

/* Values of Patch: what the law's parameters and outputs describe. POINTS: each contact. SHARED: the whole patch, which
 * is all contacts of a pair of objects; the world multiplies the law's outputs for a contact (force, moment, energy,
 * dissipation) by the contact's share. SINGLE: the whole patch, whose only contact is at the deepest point. */
enum { PCM_PATCH_POINTS, PCM_PATCH_SHARED, PCM_PATCH_SINGLE };

/* The common parameters of a contact type. */
typedef struct pcm_common {
    size_t      size;
    const char *log_file;   /* LogFile; "" = no log */
    double      resolution; /* Resolution: seconds between log rows; 0 = every commit */
    double      separation; /* Separation: the gap, m, at which a contact ends; default: the law's reach, or onset */
    int64_t     point;      /* Point */
    int64_t     single;     /* Single: one contact, the deepest point, per pair; 1 with PCM_PATCH_SINGLE alone */
    int64_t     debug;      /* Debug: report contacts made, parted and broken as notes */
    int64_t zero_crossings; /* ZeroCrossings: the separation crossing zero is an event for solvers that locate them */
    int64_t sensing;        /* Sensing: log rows also contain the measurements of pcm_world_sense */
    int64_t patch;          /* Patch: PCM_PATCH_... */
    int64_t base_axis, follower_axis; /* BaseAxis, FollowerAxis: 0, 1, 2 for X, Y, Z, of laws that read axes */
    int64_t smooth;                   /* Smooth: hosts treat fields of heights as smooth surfaces */
} pcm_common;

typedef struct pcm_type_info {
    size_t           size;
    const char      *name;
    const pcm_model *model;
    const void *params; /* the law's parameter struct, prepared; NULL: it depends on materials, see pcm/materials.h */
    const pcm_common *common;
    pcm_place         place;                  /* of the name in its ContactType line */
    uint32_t          index;                  /* among the config's types */
    uint32_t          n_state, n_host_inputs; /* columns: a tangent state has two */
    bool              carries_frame;          /* the world carries the contact frame from step to step for the law */
    double            onset;                  /* m, the largest gap at which a contact begins, 0 or more */
    const pcm_type   *written;                /* the type in the file: the type itself, unless it is one between... */
    const char       *material[2];            /* ... these materials, "" where a side has none; else NULL */
    uint32_t          sets; /* of a world's own type: how often pcm_world_set has changed its numbers; 0: the file's */
} pcm_type_info;

/* One parameter of a contact type as the file gave it. */
typedef struct pcm_value {
    size_t           size;
    const pcm_param *param;   /* the law's entry; if its unit depends on an exponent, a copy with the actual unit */
    bool             written; /* false: the default */
    pcm_place        place;   /* of the value, where it was written */
    double           number;  /* SI; the index of a choice */
    const char      *text;    /* of a text or the word of a choice; else NULL */
    pcm_list         list;
    bool             mixed; /* computed from the properties of two materials */
} pcm_value;

/* The contact types in the order of the file; by name: NULL if there is none. */
PCM_EXPORT size_t          pcm_config_type_count(const pcm_config *config);
PCM_EXPORT const pcm_type *pcm_config_type_at(const pcm_config *config, size_t index);
PCM_EXPORT const pcm_type *pcm_config_type_find(const pcm_config *config, const char *name);

/* The description of a contact type; lives as long as the type. */
PCM_EXPORT const pcm_type_info *pcm_type_get_info(const pcm_type *type);

/* The values of the law's own parameters in table order, then of the common parameters that have an effect in it. */
PCM_EXPORT size_t       pcm_type_value_count(const pcm_type *type);
PCM_EXPORT void         pcm_type_value_into(const pcm_type *type, size_t index, pcm_value *value, size_t size);
static inline pcm_value pcm_type_value_at(const pcm_type *type, size_t index)
{
    pcm_value value;
    pcm_type_value_into(type, index, &value, sizeof value);
    return value;
}

/* [setup] The law's derived value `index` under the type's parameters; NaN where there is none. */
PCM_EXPORT double pcm_type_derived(const pcm_type *type, size_t index, const pcm_load *load);

/* [setup] The tangential forces that contacts of the type can transmit at the normal force force_n, N, below 0 if they
 * pull: see pcm_shear. False, with set unchanged, if the law declares no such set (those with a round cone do not), if
 * several parts of a law add friction, or if the parameters depend on materials. size: sizeof *set. */
PCM_EXPORT bool    pcm_type_shear_into(const pcm_type *type, double force_n, pcm_shear *set, size_t size);
static inline bool pcm_type_shear(const pcm_type *type, double force_n, pcm_shear *set)
{
    return pcm_type_shear_into(type, force_n, set, sizeof *set);
}

/* The coefficient of the type's round cone, the sum of each part's largest. False: none of its laws declares one. */
PCM_EXPORT bool pcm_type_friction(const pcm_type *type, double *friction);

/* Whether a parameter, host input or cone entry with that `when` text acts with the type's values. NULL: yes. */
PCM_EXPORT bool pcm_type_when(const pcm_type *type, const char *when);

/* The value of a host input column until the host sets it: its fallback, or NaN if it has none. */
PCM_EXPORT double pcm_type_input_fallback(const pcm_type *type, uint32_t column);

typedef enum pcm_rule_kind { PCM_OBJECT_PAIR, PCM_SURFACE_PAIR, PCM_DEFAULT_PAIR } pcm_rule_kind;

typedef struct pcm_rule_info {
    size_t          size;
    pcm_rule_kind   kind;
    bool            pattern; /* a side contains * or ? */
    const char     *a, *b;   /* as written: base, follower; "" for DefaultPair */
    const pcm_type *type;
    pcm_place       place;
} pcm_rule_info;

/* The rules in the order of the file. */
PCM_EXPORT size_t pcm_config_rule_count(const pcm_config *config);
PCM_EXPORT void   pcm_config_rule_into(const pcm_config *config, size_t index, pcm_rule_info *info, size_t size);
static inline pcm_rule_info pcm_config_rule_at(const pcm_config *config, size_t index)
{
    pcm_rule_info info;
    pcm_config_rule_into(config, index, &info, sizeof info);
    return info;
}

/* Whether a name matches a pattern, as in rules: '*' matches any characters, or none, and '?' one character of UTF-8
 * text. Any thread. */
PCM_EXPORT bool pcm_name_matches(const char *pattern, const char *name);

/* A number that a Let of the file names. */
typedef struct pcm_let_info {
    size_t      size;
    const char *name;
    double      number;   /* SI */
    char        unit[64]; /* in base units, "kg/s^2"; "1" for a ratio, "" where it has none of its own */
    pcm_place   place;    /* of the name */
} pcm_let_info;

/* In the order of the text. Any thread. */
PCM_EXPORT size_t          pcm_config_let_count(const pcm_config *config);
PCM_EXPORT void            pcm_config_let_into(const pcm_config *config, size_t index, pcm_let_info *info, size_t size);
static inline pcm_let_info pcm_config_let_at(const pcm_config *config, size_t index)
{
    pcm_let_info info;
    pcm_config_let_into(config, index, &info, sizeof info);
    return info;
}

/* The surface of an object: that of the last Surface line of the file whose pattern its name matches, else `surface`,
 * the host's own. Worlds and pcm_config_resolve use it. object NULL: `surface`. Any thread. */
PCM_EXPORT const char *pcm_config_surface(const pcm_config *config, const char *object, const char *surface);

/* One pattern, or name, of a Surface line. */
typedef struct pcm_surface_info {
    size_t      size;
    const char *name;
    const char *pattern;    /* of objects' names */
    bool        is_pattern; /* with * or ?, not a plain name */
    pcm_place   place;      /* of the pattern */
} pcm_surface_info;

/* In the order of the text. Any thread. */
PCM_EXPORT size_t pcm_config_surface_count(const pcm_config *config);
PCM_EXPORT void   pcm_config_surface_into(const pcm_config *config, size_t index, pcm_surface_info *info, size_t size);
static inline pcm_surface_info pcm_config_surface_at(const pcm_config *config, size_t index)
{
    pcm_surface_info info;
    pcm_config_surface_into(config, index, &info, sizeof info);
    return info;
}

/* A text from which the configuration was read. */
typedef struct pcm_source_info {
    size_t      size;
    const char *name; /* as places call it: pcm_place.file */
    const char *text; /* length bytes, followed by a NUL */
    size_t      length;
    bool        table; /* a table of numbers for lists, not statements */
} pcm_source_info;

/* In the order of their first use: the file itself, then the files that it includes and the tables of its lists. Texts
 * live as long as the config. Any thread. */
PCM_EXPORT size_t pcm_config_source_count(const pcm_config *config);
PCM_EXPORT void   pcm_config_source_into(const pcm_config *config, size_t index, pcm_source_info *info, size_t size);
static inline pcm_source_info pcm_config_source_at(const pcm_config *config, size_t index)
{
    pcm_source_info info;
    pcm_config_source_into(config, index, &info, sizeof info);
    return info;
}

/* Which rule applies to two objects. rules gets the indices of those that match, at most capacity of them: first the
 * winner, then those that it shadows, in order of precedence. Returns how many match: 0 = the pair is unassigned.
 * swapped[i] (may be NULL): rule i names b's side first, so that b is the base. */
PCM_EXPORT size_t pcm_config_resolve(const pcm_config *config, const char *object_a, const char *surface_a,
                                     const char *object_b, const char *surface_b, size_t *rules, bool *swapped,
                                     size_t capacity);

/* ---- Batches of the host's own --------------------------------------------------------------------------------- */

/* [hot] Calls a law, as worlds do, for hosts that own their contacts.
 *
 * The caller sets size, count, time, dt, the columns that the law reads and those of its declared outputs; the type
 * sets params. Columns that the law does not declare may be NULL, and so may next, rate, event, energy if the host does
 * not want them. Columns start on a multiple of 8 bytes. Only the size is checked: the law is not called if it is
 * missing, if the batch sets fields that are not known here, or if the type has no params.
 *
 * A planar host may leave out the columns along y of slip, position, velocity, tangent states and tangent inputs: if
 * the column along x is present, they are zero. Any other column that the law reads and the host leaves out is NaN.
 *
 * A host that sets params itself, to pcm_type_get_info(type)->params, promises that every column that the law may
 * access is present: its declared inputs and outputs, all of next, rate and event; and sets reports (plugin.h). The law
 * then gets the batch unchanged, at the cost of a direct call. */
typedef enum pcm_verb_kind {
    PCM_UPDATE,
    PCM_ESTABLISH,
    PCM_JUMP,
    PCM_TERMINATE,
    PCM_FORCES /* PCM_UPDATE without the law's reports (plugin.h) and Jacobian, whose columns may be left unwritten */
} pcm_verb_kind;
PCM_EXPORT pcm_status pcm_type_call(const pcm_type *type, pcm_verb_kind verb, const pcm_batch *batch);

/* [hot] Calls the law's verb per pair. Hosts that own their contacts call it with the sums of each pair after
 * pcm_type_call, and apply its results (pcm_pair_batch). Without such a verb scale is 1 and life PCM_LIVE. The type
 * sets params; every other column is present. PCM_BAD_ARGUMENT: the batch has no size, or sets fields that this version
 * does not know. */
PCM_EXPORT pcm_status pcm_type_call_pairs(const pcm_type *type, const pcm_pair_batch *batch);

/* [hot] What happens to a contact at a commit, by the rules that worlds follow. touched: the host reported it; life: as
 * the law wrote it; next: its n_state next values. PCM_OUTCOME_KEPT; PCM_OUTCOME_PARTED: ended, because it is no longer
 * reported or apart by more than its type's separation, and has no state that lingers; PCM_OUTCOME_BROKEN: ended by its
 * law while it was reported within the separation. Its feature begins no contact until a commit at which it is not
 * reported or pcm_type_can_begin is false: otherwise it would stick again at once. A contact that breaks across a gap
 * where none can begin does not block its feature. */
typedef enum pcm_outcome { PCM_OUTCOME_KEPT, PCM_OUTCOME_PARTED, PCM_OUTCOME_BROKEN } pcm_outcome;
PCM_EXPORT pcm_outcome pcm_type_outcome(const pcm_type *type, bool touched, double depth, int64_t life,
                                        const double *next);

/* [hot] Converts the n_state columns of a contact whose base and follower are swapped, for hosts in which the order of
 * a pair may change, such as codes that sort particles. The contact frame keeps its x; y and n are reversed. A scalar
 * is multiplied by its swap, a tangent's x by it and its y by minus it. Motion, and forces and moments on the follower,
 * convert likewise: slip_x, spin_x are negated; depth, depth_rate, slip_y, spin_y, spin_n stay. Not for laws in the
 * base's own axes (PCM_BASE_AXES, PCM_POSITION, PCM_VELOCITY). */
PCM_EXPORT void pcm_type_swap(const pcm_type *type, double *state);

/* [hot] Whether a contact of the type may begin at that depth: if the gap is at most the type's onset, mostly 0. */
PCM_EXPORT bool pcm_type_can_begin(const pcm_type *type, double depth);

/* [hot] The same for one contact, after the update of a law with PCM_ONSET has written its onset: if the gap is at most
 * that too. For other laws: onset INFINITY. */
PCM_EXPORT bool pcm_type_begins(const pcm_type *type, double depth, double onset);

/* ---- World: objects -------------------------------------------------------------------------------------------- */

typedef struct pcm_world pcm_world;

/* Handles by value: index and generation; all zero is no handle. A handle is never reused for another object or contact
 * of its world; another world may have one with the same numbers, and takes it for its own. */
typedef struct pcm_object {
    uint32_t index, generation;
} pcm_object;
typedef struct pcm_contact {
    uint32_t index, generation;
} pcm_contact;

/* A task, and a function that runs it: calls task(argument, i) for every i < count, on any threads, and returns when
 * all are done. [hot] */
typedef void pcm_task(void *argument, uint32_t index);
typedef void pcm_runner(void *user, pcm_task *task, void *argument, uint32_t count);

/* How a contact ended: see pcm_outcome; REMOVED: one of its objects was removed. */
typedef enum pcm_end { PCM_END_PARTED, PCM_END_BROKEN, PCM_END_REMOVED } pcm_end;

/* A contact that ends, in its last state as the law's terminate saw it. */
typedef struct pcm_ending {
    size_t                         size;
    const struct pcm_contact_info *contact; /* as the last update left it; its handle is no longer valid */
    pcm_end                        reason;
    double                         time;        /* s, of the update that is committed, or the last before a removal */
    double                         energy;      /* J that it still stored, which are lost */
    double                         dissipation; /* J that it dissipated in its life; 0 if the law does not count */
} pcm_ending;

/* Called by pcm_world_commit and pcm_world_remove, in their thread, for each contact that they end, before it is
 * removed, grouped by contact type in the order of the file. Freeing or restoring a world ends no contacts. `ending`
 * and what it points to are valid only during the call. Calls on this world are rejected with PCM_BUSY. */
typedef void pcm_ended(void *user, const pcm_ending *ending);

typedef struct pcm_world_def {
    size_t      size;
    const char *log_directory; /* logs are written in this directory only; NULL: no logs */
    uint32_t    isa;           /* as in pcm_context_def, for this world; the default is the context's */
    /* Updates of many contacts, and moves and wrenches of many bodies in one call, are split into this many tasks, at
     * most 1024; 0 or 1: not split. The bits are the same for any number. */
    uint32_t    threads;
    pcm_runner *run; /* runs the tasks; NULL: the library's own threads, which wait between updates */
    void       *run_user;
    bool        ledger; /* keep the energy ledger, which evaluates every contact a second time at each commit */
    pcm_ended  *ended;  /* NULL: none */
    void       *ended_user;
    bool        log_continue; /* append to existing log files; otherwise they are emptied */
    bool sure_normals; /* normals come from a collision detector that is known to be right: no warning doubts them */
} pcm_world_def;

/* One thread, no logs, no ledger. */
PCM_EXPORT void             pcm_world_defaults_into(pcm_world_def *def, size_t size);
static inline pcm_world_def pcm_world_defaults(void)
{
    pcm_world_def def;
    pcm_world_defaults_into(&def, sizeof def);
    return def;
}

/* A world without objects, under the config's rules. Any thread. def NULL: the defaults. */
PCM_EXPORT pcm_world *pcm_world_new(pcm_config *config, const pcm_world_def *def);
PCM_EXPORT void       pcm_world_free(pcm_world *world); /* flushes its logs */

/* The config that the world was made with. It lives as long as the world. */
PCM_EXPORT pcm_config *pcm_world_config(const pcm_world *world);

/* How many tasks the world's work is split into: `threads` of its definition, at least 1. */
PCM_EXPORT uint32_t pcm_world_threads(const pcm_world *world);

/* [hot] Runs the host's own work on the world's threads: task(argument, i) for every i < pcm_world_threads(world), by
 * the definition's runner if it has one. Returns when all are done. Tasks must not call this world: PCM_BUSY. If the
 * call is rejected, no task runs. */
PCM_EXPORT pcm_status pcm_world_run_tasks(pcm_world *world, pcm_task *task, void *argument);

/* Every default is zero, so in C one may write &PCM_OBJECT(.name = "Box", .fixed = true). */
typedef struct pcm_object_def {
    size_t      size;
    const char *name;    /* copied */
    const char *surface; /* copied; NULL or "" = none */
    bool        fixed;   /* never moved after its first pcm_world_move */
    double      radius;  /* m, > 0: curvature at the contact, for laws that read it; 0 = flat */
    double      mass;    /* kg, > 0: for laws that read it; 0 = immovable */
    /* Further names of the object, which others may have too, such as "Calf.3" or "Calf:sphere" of a "Calf"; NULL at
     * the end. NULL: none. A text without '*' or '?' matches the object if it is one of them; a pattern matches them
     * only if it contains a '.' or ':' itself. Of ObjectPair rules those that match an object only by such a name take
     * precedence. */
    const char *const *aliases;
    const char        *label; /* its name in messages, logs and contacts, copied; NULL: name */
} pcm_object_def;

/* All zero. */
PCM_EXPORT void              pcm_object_defaults_into(pcm_object_def *def, size_t size);
static inline pcm_object_def pcm_object_defaults(void)
{
    pcm_object_def def;
    pcm_object_defaults_into(&def, sizeof def);
    return def;
}

#define PCM_OBJECT(...) ((pcm_object_def){.size = sizeof(pcm_object_def), __VA_ARGS__})

/* Whether the text of an ObjectPair rule, or of a Surface line, matches the object. Any thread. */
PCM_EXPORT bool pcm_object_fits(const pcm_object_def *object, const char *text);

/* pcm_config_surface and pcm_config_resolve for objects with aliases, by all of their names. A definition that is
 * rejected, which is reported, has no surface and no rule. Any thread. */
PCM_EXPORT const char *pcm_config_object_surface(const pcm_config *config, const pcm_object_def *object);
PCM_EXPORT size_t pcm_config_resolve_objects(const pcm_config *config, const pcm_object_def *a, const pcm_object_def *b,
                                             size_t *rules, bool *swapped, size_t capacity);

/* Registers an object. It is at the world origin, at rest, until it is moved. */
PCM_EXPORT pcm_object pcm_world_add(pcm_world *world, const char *name, const char *surface);
PCM_EXPORT pcm_object pcm_world_add_object(pcm_world *world, const pcm_object_def *def);

/* Makes an object new until the next commit, as when it was added. Laws such as ParallelBond bond contacts that begin
 * between two new objects (PCM_FRESH). Example: an arm sets a block down on glue. The host calls this for both after a
 * commit, and the contacts that begin between them in the next step are bonds. */
PCM_EXPORT pcm_status pcm_world_renew(pcm_world *world, pcm_object object);

/* Ends the object's contacts without commit and frees the handle. Touches since the last update are forgotten. */
PCM_EXPORT pcm_status pcm_world_remove(pcm_world *world, pcm_object object);

typedef struct pcm_pose {
    double position[3];    /* m, of the object's origin */
    double orientation[4]; /* unit quaternion, scalar first, maps the object's axes to the world's */
} pcm_pose;
typedef struct pcm_twist {
    double angular[3]; /* rad/s */
    double linear[3];  /* m/s, of the object's origin */
} pcm_twist;
typedef struct pcm_wrench {
    double torque[3]; /* N*m, about the object's origin */
    double force[3];  /* N */
} pcm_wrench;

/* [hot] Takes effect at the next update. Motion that is not finite, or an orientation of length 0, is reported for the
 * contacts that it affects. */
PCM_EXPORT pcm_status pcm_world_move(pcm_world *world, pcm_object object, const pcm_pose *pose, const pcm_twist *twist);

/* An object as the world has it. */
typedef struct pcm_object_info {
    size_t      size;
    const char *name, *surface; /* "" if it has none; both live as long as the object */
    bool        fixed;
    pcm_pose    pose;  /* of the last update; the world origin before the first */
    pcm_twist   twist; /* likewise; at rest */
} pcm_object_info;

/* The handles of all objects, at most capacity of them, in an order that stays the same while none is added or removed.
 * Returns how many there are. */
PCM_EXPORT size_t     pcm_world_objects(const pcm_world *world, pcm_object *objects, size_t capacity);
PCM_EXPORT pcm_status pcm_world_object_info(const pcm_world *world, pcm_object object, pcm_object_info *info);

/* [hot] pcm_world_move for many bodies, entry by entry: for hosts that keep them in arrays, at a fraction of the cost.
 * Returns how many entries were accepted. Fewer than count: the next one was rejected, for the reason that
 * pcm_world_move returns; a host may continue after it. A world with threads processes bodies in tasks, like an update:
 * no body may then be moved twice in one call, and bodies after one that is rejected may have been moved. */
PCM_EXPORT size_t pcm_world_move_many(pcm_world *world, const pcm_object *objects, const pcm_pose *poses,
                                      const pcm_twist *twists, size_t count);

/* The type that the rules assign to a pair, between its materials. NULL: the simulator handles its contact (no rule, or
 * a PCM_HOST_CONTACT model); the materials do not mix, which is reported; or there is no memory, which is reported, and
 * the next update returns PCM_NO_MEMORY. swapped (may be NULL): b is base. */
PCM_EXPORT const pcm_type *pcm_world_pair(pcm_world *world, pcm_object a, pcm_object b, bool *swapped);

/* The same for hosts that cache the result. PCM_OK: *type is the type that the rules assign, or NULL. PCM_NO_MEMORY,
 * which is reported: not known, call again. PCM_BAD_HANDLE: an object does not exist. *type is NULL unless PCM_OK. */
PCM_EXPORT pcm_status pcm_world_pair_type(pcm_world *world, pcm_object a, pcm_object b, const pcm_type **type,
                                          bool *swapped);

/* ---- World: evaluation ----------------------------------------------------------------------------------------- */

/* Where two objects touch or nearly touch: one contact point, and what part it is of the pair's patch.
 *
 * feature: any number that identifies the same part of the same pair from step to step. Of two points with one feature
 * only the last counts, which is reported once. point: m, midway between the two surfaces; normal: unit, from a towards
 * b; depth: m, > 0 overlapping, < 0 the gap. area: m^2, at least 0, that the point stands for. share: of the patch, at
 * least 0; the shares of a pair sum to 1. gives: PCM_AREA, PCM_SHARE or both: which of the two the host gives, or 0.
 *
 * If a contact of a pair lacks its share, the world computes all shares of the pair: in proportion to how far each
 * point is within its type's separation, separation + depth, so that a point comes and goes with share 0. There is no
 * such rule for areas: a contact without one whose law reads it gives no force, which is reported (PCM-406). The one
 * contact of a pair of PCM_PATCH_SINGLE has share 1 and the sum of the areas. */
typedef struct pcm_touch {
    uint64_t                        feature;
    double                          point[3], normal[3], depth;
    double                          area, share;
    uint64_t                        gives;
    const struct pcm_contact_shape *shape; /* contact_shape.h, read during the call; NULL: not known */
} pcm_touch;

/* [hot] Reports a touch of two objects, for the next update only. touch_size: sizeof *touch.
 *
 * A contact begins where pcm_type_can_begin holds, which mostly is at depth >= 0, and lives while it is reported with a
 * gap of at most its type's separation.
 *
 * Returns the contact's handle, valid while the contact lives; for one that begins here, until this evaluation is
 * forgotten. The zero handle: there is no contact (no rule, a gap, a host contact, a feature that is broken, an object
 * that does not live), or no memory for one, and then the next pcm_world_update returns PCM_NO_MEMORY. */
PCM_EXPORT pcm_contact pcm_world_touch(pcm_world *world, pcm_object a, pcm_object b, const pcm_touch *touch,
                                       size_t touch_size);

/* Touches in columns of `count` entries, with the meaning of pcm_touch. Either of pairs, with a and b; contacts then
 * caches their handles from call to call. Or of contacts that exist, with contacts alone. */
typedef struct pcm_touch_columns {
    size_t            size;
    size_t            count;
    const pcm_object *a, *b;          /* both, or both NULL */
    bool              one_a, one_b;   /* a, b point at one object, which is that of every entry */
    const uint64_t   *feature;        /* NULL: 0 in every entry; not read without a and b */
    const double     *point, *normal; /* rows of x, y, z */
    const double     *depth;
    pcm_contact      *contacts;     /* read and written; zero before the first call; NULL with a and b: no cache */
    const double     *area, *share; /* NaN for entries without one; NULL: no entry has one */
    const struct pcm_contact_shape *shape; /* NULL: no entry has one */
} pcm_touch_columns;

/* [hot] Reports many touches, in the calling thread, for hosts that keep their contacts in arrays.
 *
 * With a and b: as pcm_world_touch for each entry, whose handle goes to contacts. A handle that is there already saves
 * the search if it is still that of this pair and feature; any other does no harm. Returns count; or, having done
 * nothing, the first entry in which a or b is no live object, or both are the same.
 *
 * With contacts alone: no search at all. Normals point from the a of each contact's first touch. An entry whose contact
 * has ended is skipped, and its handle becomes zero. Returns count. */
PCM_EXPORT size_t pcm_world_touch_many(pcm_world *world, const pcm_touch_columns *columns);

/* [hot] Sets column `column` of the law's host inputs for this contact until it is set again; before, its fallback. */
PCM_EXPORT pcm_status pcm_world_set_input(pcm_world *world, pcm_contact contact, uint32_t column, double value);

/* [hot] For hosts whose solver integrates continuous states, such as RK4 in its stages: the next update evaluates this
 * live contact at these n_state values, in its contact frame, instead of the committed ones. Like touches they apply to
 * that update only. A commit accepts tried continuous states as they are, without another step; tried history states
 * replace the committed ones and step from there. */
PCM_EXPORT pcm_status pcm_world_try_state(pcm_world *world, pcm_contact contact, const double *state);

/* [hot] Call after the commit at a located event: the law's jump changes the contact's committed states. */
PCM_EXPORT pcm_status pcm_world_jump(pcm_world *world, pcm_contact contact, uint32_t event);

/* [hot] Evaluates every law at time t for a step of dt, s. That is the one to come, or the one that ends where an
 * update at its end is committed; 0: a pure evaluation. Touches since the last update are used and then forgotten: each
 * evaluation needs its own. Contacts with motion that is not finite contribute nothing, nor do those whose law gives a
 * force or state that is not finite, or PCM_INVALID. The status is then PCM_BAD_MOTION, or PCM_BAD_INPUT where a law
 * lacks an input; all other wrenches are right, and the commit reports each pair once by name. The host may commit,
 * which breaks the contacts whose law failed, or stop: an update does not report why, pcm_world_report_faults does.
 * PCM_NO_MEMORY, reported: a touch or pcm_world_pair since the last update found none. All wrenches but its contact's
 * are right. */
PCM_EXPORT pcm_status pcm_world_update(pcm_world *world, double t, double dt);

PCM_EXPORT double pcm_world_time(const pcm_world *world); /* s, of the last update; 0 before the first */

/* The contact type whose law is running now, or one of them if there are several; NULL: none. For signal handlers and
 * watchdog threads, which can name the law that crashed or does not return. */
PCM_EXPORT const pcm_type *pcm_world_running(const pcm_world *world);

/* Reports why contacts gave no force at the last update, once for each pair of objects: PCM-404, 405, 406. A commit
 * does so itself; this is for hosts that stop without one. Does nothing if there is no update to commit. */
PCM_EXPORT void pcm_world_report_faults(pcm_world *world);

/* [hot] The sum of contact forces on the object at the last update. PCM_BAD_ORDER from a touch to the next update.
 * PCM_BAD_MOTION, reported: it is not finite, as the object is too far away or its forces are too large. */
PCM_EXPORT pcm_status pcm_world_wrench(pcm_world *world, pcm_object object, pcm_wrench *wrench);
/* [hot] The same for many objects. Returns how many entries were accepted; wrenches after these may be written. */
PCM_EXPORT size_t pcm_world_wrench_many(pcm_world *world, const pcm_object *objects, pcm_wrench *wrenches,
                                        size_t count);

/* Accepts the last update: new contacts become live, states and amounts (amount.h) advance, contacts that ended go, log
 * rows are buffered, reports go to the sink. An update that is never committed leaves no trace. PCM_BAD_ORDER: a touch,
 * an input, a tried state or a removal has begun the next evaluation. Allocates only for more contacts than ever. */
PCM_EXPORT pcm_status pcm_world_commit(pcm_world *world);

/* Whether commits check for normals that point the wrong way and for laws that create energy (PCM-419, PCM-409). They
 * do so by default. For hosts that for a while let depths grow by more than the motion of bodies: contacts that live at
 * a commit with the check off are never checked later. Not saved in checkpoints. */
PCM_EXPORT pcm_status pcm_world_judge(pcm_world *world, bool judges);

/* Writes buffered log rows to their files. */
PCM_EXPORT pcm_status pcm_world_flush(pcm_world *world);

/* ---- World: contacts and reports ------------------------------------------------------------------------------- */

/* Energy flows in J, summed from commit to commit. Work is done by the forces of an update during the step to the next
 * update; it is computed with the mean of the motions at both ends, even if the contact has parted by then. After an
 * update with dt = 0, as from solvers, it is computed from the mean power at both ends. The energy that contacts take
 * up is stored or dissipated, as far as the law reports it; the sums of a type have what a contact still stores as it
 * ends in `dissipated`. The energy brought is what contacts held when they began deeper than the motion of their bodies
 * explains. The residue is the rest: the error of the steps, and energy that the law does not report. A residue below
 * zero means that energy was created. */
typedef struct pcm_ledger {
    size_t size;
    double work, stored, dissipated; /* work: done on the bodies */
    double residue;                  /* brought - work - stored - dissipated */
    double brought;                  /* if the law does not report what it stores, an upper bound: force times depth */
} pcm_ledger;

typedef struct pcm_contact_info {
    size_t          size;
    pcm_contact     handle;
    uint64_t        id; /* 1, 2, ... in the order of commits that made them; never used again; 0 = not yet committed */
    uint64_t        feature;
    const pcm_type *type; /* between the materials of both: pcm_type_info.written is the file's */
    pcm_object      base, follower;
    const char     *base_name, *follower_name;
    double          since;    /* s, time of the commit that made it */
    double          point[3]; /* m, where the force acts, see Point; 0 if not reported, and then depth is PCM_FAR */
    double          frame[9]; /* world axes; columns x, y, z = normal from base to follower; row-major 3 by 3 */
    double          depth, depth_rate, slip[2], spin[3];
    double          force[3];  /* on the follower in the contact frame: x, y, n */
    double          moment[3]; /* likewise */
    double          world_force[3];
    double          energy; /* J; 0 if the law has none */
    int64_t         mode, life;
    /* Of the last update, valid until the next call on the world: */
    const double     *state;  /* n_state values at the update's time */
    const double     *rate;   /* n_state values, per second; 0 for history states */
    const double     *event;  /* an indicator per event of the law */
    const pcm_ledger *ledger; /* since the contact began; all zero in worlds without a ledger */
    /* Of its pair's patch, as the law sees them: 0 if neither the law nor Patch uses them, NaN if not known. */
    double        area, share; /* m^2; 1 */
    double        scale; /* the factor of the law's force: its share, times the scale of the law's verb per pair */
    const double *flow;  /* per amount of the law: into the base, then into the follower; per second */
    size_t        rule;  /* the rule that assigned the type; index as in pcm_config_rule_at */
    const struct pcm_contact_shape *shape; /* valid until the next call on the world; NULL: none, or not read */
} pcm_contact_info;

/* The contacts of the last update, in no particular order: every live one, and those that would begin. Once the next
 * evaluation has begun or a checkpoint is restored there are none: count 0, else PCM_BAD_ORDER. */
PCM_EXPORT size_t     pcm_world_contact_count(const pcm_world *world);
PCM_EXPORT pcm_status pcm_world_contact_at(pcm_world *world, size_t index, pcm_contact_info *info);
PCM_EXPORT pcm_status pcm_world_contact_info(pcm_world *world, pcm_contact contact, pcm_contact_info *info);

/* [hot] Whether the contact exists: live, or about to begin. */
PCM_EXPORT bool pcm_world_has_contact(const pcm_world *world, pcm_contact contact);

/* Measurements of a contact, as the outputs of a spatial contact force block. Apart, everything but the separation is
 * zero and the rotations are identities, unless the law acts across the gap. Rotations are row-major; their columns are
 * the contact frame's x, y, z in the body's axes. */
typedef struct pcm_sensing {
    size_t  size;
    int64_t contact;                /* 1 in contact, 0 apart */
    double  depth;                  /* m, >= 0 */
    double  separation;             /* m, -depth in contact; infinite if the host no longer reports the contact */
    double  normal_force;           /* N, >= 0 */
    double  friction_force;         /* N, >= 0 */
    double  normal_velocity;        /* m/s, of the follower relative to the base along z: > 0 parting */
    double  tangential_velocity[2]; /* m/s, along x and y */
    double  base_rotation[9];       /* contact frame to base axes */
    double  base_translation[3];    /* m, the contact point in base axes */
    double  follower_rotation[9];
    double  follower_translation[3];
    double  normal_load; /* N, the normal force with its sign: > 0 pressing, < 0 pulling */
} pcm_sensing;

/* [hot] Measures a contact at the last update. */
PCM_EXPORT pcm_status pcm_world_sense(pcm_world *world, pcm_contact contact, pcm_sensing *sensing);

/* Per rule, since the world was made; index as in pcm_config_rule_at. */
typedef struct pcm_rule_stats {
    size_t   size;
    uint64_t made, parted, broken; /* contacts committed, parted, and ended by their law */
    double   max_depth;            /* m */
    double   max_slip;             /* m/s */
    double   max_force;            /* N, normal and tangential together */
} pcm_rule_stats;
PCM_EXPORT pcm_status pcm_world_rule_stats(const pcm_world *world, size_t rule, pcm_rule_stats *stats);

/* The ledger of all contacts of a type since the start; for one of the file, between all materials. 0 without one. */
PCM_EXPORT pcm_status pcm_world_type_ledger(const pcm_world *world, const pcm_type *type, pcm_ledger *ledger);

/* ---- World: checkpoints ---------------------------------------------------------------------------------------- */

/* A checkpoint is the committed state of a world, as bytes: objects by name with their motion, contacts with ids,
 * features, states and frames, broken features, statistics, log clocks, and which reports were made. It contains
 * nothing that is not committed. It does not depend on addresses or on the order in which plugins were loaded, and has
 * the same meaning on every machine. A restored world continues bit for bit as the saved one would have; its contacts
 * have new handles. Saving takes exactly the size asked for. */
PCM_EXPORT size_t     pcm_world_checkpoint_size(pcm_world *world);
PCM_EXPORT pcm_status pcm_world_checkpoint_save(pcm_world *world, void *bytes, size_t size);

/* Restores a checkpoint of a world with the same configuration and model versions. Its objects must be registered in
 * this world too, in any order: they are identified by name and surface, and those that share both by the order of
 * registration. A checkpoint that does not match, or has any damaged byte, is rejected with the reason, and the world
 * does not change. The contacts can be listed again, and committed, after the next update. */
PCM_EXPORT pcm_status pcm_world_checkpoint_restore(pcm_world *world, const void *bytes, size_t size);

/* Copies the committed state of another world into this one, like a checkpoint, except that this world's contact types
 * may have other parameter values, and their laws other code or versions. A host calls it between steps after it has
 * loaded the configuration again, in a new context, which loads the plugins as they are now: see docs/embedding.md.
 * Contact types, rules and the states of each law must be the same, otherwise nothing changes and the reason is
 * reported (PCM-505). The other world stays as it is. */
PCM_EXPORT pcm_status pcm_world_take_over(pcm_world *world, pcm_world *other);

#ifdef __cplusplus
}
#endif
#endif
