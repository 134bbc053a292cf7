/* SPDX-License-Identifier: MIT */
/* extension.h - shared by the files of the extension `_pcm`.
 *
 * The extension is plain C on CPython's limited API of 3.11 and the buffer protocol: one file serves every Python from
 * 3.11 on, and building it does not need numpy. It wraps libpcm's objects for Python; everything that does not need C
 * is in the package around it.
 *
 * Calls release the GIL while libpcm works. Threads that do not hold the GIL may emit messages; these are queued and
 * passed to Python when a call ends (messages.c). */
#ifndef PCM_PYTHON_EXTENSION_H
#define PCM_PYTHON_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pcm/amount.h>
#include <pcm/jacobian.h>
#include <pthread.h>
#include <stdatomic.h>

/* ---- The module -------------------------------------------------------------------------------------------------- */

typedef struct module_state {
    PyObject *config, *law, *jacobian, *world, *host, *many; /* types */
    /* Passed in by the package: classes and Python functions. */
    PyObject *error, *warning, *diagnostic;
    PyObject *note;                     /* note(text): to the log */
    PyObject *zeros;                    /* zeros(shape, dtype): a new array */
    PyObject *array;                    /* numpy's array type */
    PyObject *float64, *uint64, *int64; /* its dtypes */
    PyObject *dtype;                    /* the attribute's name */
} module_state;

/* The state of the module that a type, or one of its base types, belongs to. */
module_state *module_state_of(PyTypeObject *type);

extern PyType_Spec config_spec, law_spec, jacobian_spec, world_spec, host_spec, many_spec;

/* A function of the calling convention METH_FASTCALL | METH_KEYWORDS as an entry of a method table. */
#define FAST_METHOD(name, function, doc)                                                                               \
    {                                                                                                                  \
        (name), (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, (doc)                          \
    }

/* A slot whose value is a function: Python expects it as a pointer to data. */
#define SLOT(slot, function)                                                                                           \
    {                                                                                                                  \
        (slot), (void *)(uintptr_t)(function)                                                                          \
    }

/* The base of every object: through its type it keeps the module, and with it the state, alive. */
#define OBJECT_HEAD PyObject_HEAD module_state *state;

/* For tp_dealloc: frees the object and releases its type. */
void object_free(PyObject *self);

/* A new, zeroed object of a type that starts with OBJECT_HEAD. */
void *object_new(PyTypeObject *type);

/* ---- Arguments --------------------------------------------------------------------------------------------------- */

/* Assigns the arguments of a call to `count` names, of which the first `required` are mandatory; arguments that are not
 * given are NULL. Borrowed references. False: an exception is set. */
bool arguments_read(const char *function, const char *const *names, size_t required, size_t count,
                    PyObject *const *given, Py_ssize_t n_given, PyObject *keywords, PyObject **values);

/* The same for a call that passes a tuple and a dictionary. */
bool arguments_unpack(const char *function, const char *const *names, size_t required, size_t count, PyObject *tuple,
                      PyObject *dictionary, PyObject **values);

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

typedef enum array_kind { ARRAY_DOUBLE, ARRAY_UNSIGNED, ARRAY_SIGNED } array_kind;

/* An array of the caller's, used in place: 8 bytes an entry, C order. */
typedef struct array {
    Py_buffer view; /* view.obj NULL: nothing is held */
} array;

enum { ARRAY_ANY = -1, ARRAY_LIST = -2 };
enum { ARRAY_WRITABLE = 1 };

/* Acquires an object's buffer. rows: the required number, or ARRAY_ANY for any; columns: how many numbers each row has,
 * or ARRAY_LIST for a plain list of numbers. False: an exception names the argument. */
bool   array_take(const module_state *state, PyObject *object, const char *name, array_kind kind, Py_ssize_t rows,
                  Py_ssize_t columns, uint32_t flags, array *taken);
void   array_release(array *arrays, size_t count);
size_t array_rows(const array *taken);

/* Creates an array through the package, rows by columns or a list of rows numbers (ARRAY_LIST), all zero, and acquires
 * its buffer. */
PyObject *array_new(module_state *state, array_kind kind, size_t rows, Py_ssize_t columns, array *taken);

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

/* Releases the GIL for a call of libpcm and takes it again: this thread alone reports the messages of that call. */
PyThreadState *library_enter(void);
void           library_leave(PyThreadState *thread);

typedef struct message message;

/* Messages of libpcm that Python has not seen yet. Any thread may add to the queue: a thread in one of our calls adds
 * for itself, and others, such as a simulator's, add for the next caller. */
typedef struct mailbox {
    pthread_mutex_t lock;
    message        *first, **end;
    size_t          dropped;
    _Atomic size_t  count;
} mailbox;

void mailbox_open(mailbox *box);
void mailbox_close(mailbox *box);

/* A pcm_sink whose user is the queue. */
void mailbox_receive(void *user, const pcm_diagnostic *diagnostic);

/* Called at the end of a call, with the GIL: passes the messages on. Errors become one exception, and so does a status
 * other than PCM_OK; warnings go to `warnings`, notes to the log. False: an exception is set. */
bool mailbox_tell(mailbox *box, module_state *state, pcm_status status, const char *call);

/* Writes functions of C in a message as those of Python. NULL is allowed. */
void speak_python(char *text);

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

typedef struct config_object {
    OBJECT_HEAD
    pcm_context       *context;
    pcm_config        *config;
    mailbox            mail;
    PyThread_type_lock setup; /* held, without the GIL, during [setup] calls of the context */
} config_object;

/* A tuple of str as libpcm expects it: borrowed texts in a new array. NULL: an exception is set. */
const char **texts_of(PyObject *tuple, size_t *count);

/* Lock and unlock the config for [setup] calls. Neither needs the GIL. */
void config_enter(config_object *config);
void config_leave(config_object *config);

typedef struct law_object {
    OBJECT_HEAD
    config_object       *config;
    const pcm_type      *type;
    const pcm_type_info *info;
} law_object;

/* What a host on a GPU has to know of a contact type besides its header: a new dictionary. */
PyObject *type_traits(const pcm_type *type);

typedef struct world_object {
    OBJECT_HEAD
    config_object        *config;
    pcm_world            *world; /* NULL once its host is closed */
    PyObject             *host;  /* the owner of the world, kept alive; NULL: its own */
    atomic_flag          *busy;  /* set while a thread is in a call: points to the host's flag, or */
    atomic_flag           own_busy;
    bool                  tied;    /* only valid in the process that made it: it has threads or logs */
    unsigned              forks;   /* process_forks() at its creation */
    struct world_object **kept_by; /* the host's own pointer to it */
} world_object;

/* Claims a world for one call; false: an exception is set. */
bool world_claim(world_object *world);
void world_drop(world_object *world);

/* Also releases the GIL. */
bool world_enter(world_object *world, PyThreadState **thread);
void world_leave(world_object *world, PyThreadState *thread);

/* An object of that type for a host's world: it keeps the host alive, shares its flag, and clears *kept_by when it
 * goes. */
world_object *world_of_host(PyObject *type, config_object *config, PyObject *host, pcm_world *world, atomic_flag *busy,
                            world_object **kept_by);

PyObject *library_version(PyObject *module, PyObject *path);

/* The number of forks between the first process and this one. */
unsigned process_forks(void);
void     process_watch_forks(void);

#endif
