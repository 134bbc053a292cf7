/* SPDX-License-Identifier: MIT */
/* context.h - memory, messages, and numbers as text, which all other headers use. pcm.h includes it; its rules on
 * threads, growth and errors hold here too. */
#ifndef PCM_CONTEXT_H
#define PCM_CONTEXT_H

#include <pcm/plugin.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status and diagnostics ------------------------------------------------------------------------------------ */

#define PCM_STATUS_TABLE(X)                                                                                            \
    X(OK, "done")                                                                                                      \
    X(NO_MEMORY, "memory allocation failed")                                                                           \
    X(BAD_ARGUMENT, "an argument is not valid for the function")                                                       \
    X(BAD_HANDLE, "the handle does not name a live object")                                                            \
    X(BAD_FILE, "a file could not be read or written")                                                                 \
    X(BAD_CONFIG, "the configuration has errors")                                                                      \
    X(BAD_PLUGIN, "a plugin was rejected")                                                                             \
    X(BAD_MOTION, "motion or force was not finite for some contact, which contributes nothing")                        \
    X(BAD_INPUT, "an input that a contact's law reads is missing")                                                     \
    X(BAD_CHECKPOINT, "the checkpoint does not match or is damaged")                                                   \
    X(BAD_ORDER, "the call is out of order: commit needs an update before it")                                         \
    X(BAD_HOST, "the simulator stopped with an error")                                                                 \
    X(BUSY, "another call on the same world is going on")

typedef enum pcm_status {
#define PCM_STATUS_ENUM(name, text) PCM_##name,
    PCM_STATUS_TABLE(PCM_STATUS_ENUM)
#undef PCM_STATUS_ENUM
} pcm_status;

/* The text of the table above; never NULL. */
PCM_EXPORT const char *pcm_status_text(pcm_status status);

typedef enum pcm_severity { PCM_NOTE, PCM_WARNING, PCM_ERROR } pcm_severity;

/* A place in a text. Lines and columns count from 1, columns in bytes; 0 = not in a line of a file. */
typedef struct pcm_place {
    const char *file;
    uint32_t    line, column;
    uint32_t    length;      /* bytes to underline; at least 1 if line > 0 */
    const char *source_line; /* the line without its end, not NUL-terminated; NULL if there is none */
    uint32_t    source_line_length;
} pcm_place;

/* New text for a place: it replaces the place's bytes or, if place.length is 0, is inserted before its column. */
typedef struct pcm_fix {
    pcm_place   place;
    const char *text;
} pcm_fix;

/* One message. A note belongs to the error or warning before it. Everything it points at is valid only during the call
 * of the sink. */
typedef struct pcm_diagnostic {
    size_t           size;
    pcm_severity     severity;
    uint32_t         code;     /* the nnn of [PCM-nnn], stable; named in messages.h */
    const char      *message;  /* one line, without place and code */
    pcm_place        place;    /* place.file is NULL if the message is about no file */
    const pcm_place *includes; /* the Include lines that led here, innermost first */
    uint32_t         n_includes;
    uint32_t         n_fixes;
    const pcm_fix   *fixes; /* without overlap; applied together they correct the error; none if no fix is certain */
} pcm_diagnostic;

typedef void (*pcm_sink)(void *user, const pcm_diagnostic *diagnostic);

/* Writes the diagnostic for people to read (file:line:col: error: text [PCM-nnn], the source line, the caret, the
 * include chain) and a final newline into buffer, NUL-terminated, cut at size. Returns the bytes of the whole text. */
PCM_EXPORT size_t pcm_diagnostic_format(const pcm_diagnostic *diagnostic, char *buffer, size_t size);

/* ---- Numbers as text ------------------------------------------------------------------------------------------- */

/* PCM reads and writes all numbers with these: correctly rounded, independent of locale and floating-point environment.
 */

/* Reads the decimal number at the start of length bytes of text: sign, digits with at most one point, exponent. Returns
 * the bytes read; 0, with value unchanged, if there is no number. Beyond the range of a double: infinite. */
PCM_EXPORT size_t pcm_number_read(const char *text, size_t length, double *value);

enum { PCM_NUMBER_SIZE = 32 }; /* bytes for any number written, with its final NUL */

/* Writes the value with that many significant digits (1 to 17), trailing zeros dropped; 0 digits: the shortest text
 * that reads back as the same double. A value that is not finite gives "nan", "inf" or "-inf". Returns the length
 * without the NUL. */
PCM_EXPORT size_t pcm_number_write(double value, int digits, char text[PCM_NUMBER_SIZE]);

/* ---- Context --------------------------------------------------------------------------------------------------- */

typedef struct pcm_context pcm_context;

/* allocate returns 64-byte aligned memory or NULL; release gets the size that was allocated. */
typedef struct pcm_allocator {
    void *user;
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory, size_t bytes);
} pcm_allocator;

enum {
    PCM_NO_DEFAULT_PATHS = 1u, /* search only plugin_path, not PCM_PLUGIN_PATH or the installed directory */
    PCM_CLOSED_PATHS = 4u      /* reject plugins that other users may write or replace; otherwise a warning */
};

typedef struct pcm_context_def {
    size_t        size;
    pcm_allocator allocator; /* all zero: malloc and free */
    pcm_sink      sink;      /* NULL: diagnostics are dropped */
    void         *sink_user;
    const char   *plugin_path; /* directories separated by ':', searched before the default ones; NULL = none */
    uint32_t      flags;
    uint32_t      isa; /* the best kernel set to use, PCM_ISA_...; the default is the processor's */
    /* The entries of plugins that are linked into the program, n_builtin of them, which must live as long as the
     * context. They are checked at once, like files, and take precedence over files of the same name. Each is compiled
     * with its own entry name, -Dpcm_entry=Hertz_entry, which the program declares. NULL: none. */
    const pcm_library *const *builtin;
    size_t                    n_builtin;
} pcm_context_def;

/* malloc, no sink, the usual search path, the best kernel set of this processor. */
PCM_EXPORT void               pcm_context_defaults_into(pcm_context_def *def, size_t size);
static inline pcm_context_def pcm_context_defaults(void)
{
    pcm_context_def def;
    pcm_context_defaults_into(&def, sizeof def);
    return def;
}

/* [setup] A context for configs and worlds, which must be freed before it. def NULL: the defaults. Returns NULL if the
 * definition or a builtin plugin is rejected, or there is no memory. */
PCM_EXPORT pcm_context *pcm_context_new(const pcm_context_def *def);
PCM_EXPORT void         pcm_context_free(pcm_context *context);

/* For code built on the library, such as hosts: the context's memory and messages. pcm_allocate returns 64-byte
 * aligned, zeroed memory, or NULL if there is none; size 0 gives NULL. */
PCM_EXPORT void *pcm_allocate(pcm_context *context, size_t bytes);
PCM_EXPORT void  pcm_free(pcm_context *context, void *memory, size_t bytes);

/* [setup] Grows an array of the context's memory to at least `wanted` elements of `size` bytes. array: the address of
 * the pointer to it; *capacity: its elements, 0 if the pointer is NULL. If it grows, the capacity at least doubles, the
 * new room is zeroed, and pointers into the array become invalid. Returns false, and changes nothing, if there is no
 * memory. Free the array with pcm_free and capacity times size. */
PCM_EXPORT bool pcm_grow(pcm_context *context, void *array, size_t *capacity, size_t wanted, size_t size);

/* Sends a message without a place. format: as printf, but pass floating-point numbers as text, so that no locale
 * matters. */
PCM_EXPORT void pcm_report(pcm_context *context, pcm_severity severity, uint32_t code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* As pcm_report, with the place that the message is about, such as that of a rule or a contact type. NULL: it has none.
 */
PCM_EXPORT void pcm_report_at(pcm_context *context, pcm_severity severity, uint32_t code, const pcm_place *place,
                              const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

/* Passes a diagnostic to the sink, if there is one, with every field that this library knows. */
PCM_EXPORT void pcm_emit(pcm_context *context, const pcm_diagnostic *diagnostic);

/* Fills a definition from a caller's of any version. Both begin with their size; `to` holds the defaults, which the
 * fields of `from` (NULL: none) replace. False, with a message that calls the definition `name`, if the caller's has no
 * size or sets fields that are not known here. */
PCM_EXPORT bool pcm_def_fill(pcm_context *context, const char *name, void *to, const void *from);

/* Copies `from`, which begins with its size, to a caller's struct of any version, as far as both go; the rest of `to`
 * stays as it was. PCM_BAD_ARGUMENT, with a message to the context unless that is NULL, if the size is not valid. */
PCM_EXPORT pcm_status pcm_info_fill(pcm_context *context, const char *name, void *to, size_t size, const void *from);

#ifdef __cplusplus
}
#endif
#endif
