/* SPDX-License-Identifier: MIT */
/* extension.h - what the files of the extension `_pcm` share.
 *
 * The extension is plain C on CPython's limited API of 3.11 and the buffer protocol: one file serves every Python from
 * there on, and numpy is not needed to build it. It gives libpcm's objects a life in Python; what has no need of C
 * stands in the package around it.
 *
 * Calls release the GIL while libpcm works. Messages come from threads that do not hold it: they are kept, and told
 * when a call ends (messages.c). */
#ifndef PCM_PYTHON_EXTENSION_H
#define PCM_PYTHON_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pcm/amount.h>
#include <pcm/jacobian.h>
#include <pthread.h>
#include <stdatomic.h>

/* ---- The module ------------------------------------------------------------------------------------------------ */

typedef struct module_state {
    PyObject *config, *law, *jacobian, *world, *host; /* types */
    /* What the package brings: classes, and functions of Python. */
    PyObject *error, *warning, *diagnostic;
    PyObject *note;                     /* note(text): to the log */
    PyObject *zeros;                    /* zeros(shape, dtype): a new array */
    PyObject *array;                    /* numpy's type of arrays */
    PyObject *float64, *uint64, *int64; /* its dtypes */
    PyObject *dtype;                    /* the attribute's name */
} module_state;

/* The state of the module that a type, or one that it is derived from, belongs to. */
module_state *module_state_of(PyTypeObject *type);

extern PyType_Spec config_spec, law_spec, jacobian_spec, world_spec, host_spec;

/* A function of the calling convention METH_FASTCALL | METH_KEYWORDS as an entry of a table of methods. */
#define FAST_METHOD(name, function, doc)                                                                               \
    {                                                                                                                  \
        (name), (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, (doc)                          \
    }

/* An entry of a table of slots whose value is a function: Python wants it as a pointer to data. */
#define SLOT(slot, function)                                                                                           \
    {                                                                                                                  \
        (slot), (void *)(uintptr_t)(function)                                                                          \
    }

/* The base of every object: it keeps the module, and with it the state, alive through its type. */
#define OBJECT_HEAD PyObject_HEAD module_state *state;

/* For tp_dealloc: gives the object's memory and its type back. */
void object_free(PyObject *self);

/* A new, zeroed object of a type that bears OBJECT_HEAD. */
void *object_new(PyTypeObject *type);

/* ---- Arguments ------------------------------------------------------------------------------------------------- */

/* Assigns the arguments of a call to `count` names, of which the first `required` must be there; what is not given is
 * NULL. Borrowed references. False: an exception. */
bool arguments_read(const char *function, const char *const *names, size_t required, size_t count,
                    PyObject *const *given, Py_ssize_t n_given, PyObject *keywords, PyObject **values);

/* The same of a call that comes as tuple and dictionary. */
bool arguments_unpack(const char *function, const char *const *names, size_t required, size_t count, PyObject *tuple,
                      PyObject *dictionary, PyObject **values);

/* ---- Arrays ---------------------------------------------------------------------------------------------------- */

typedef enum array_kind { ARRAY_DOUBLE, ARRAY_UNSIGNED, ARRAY_SIGNED } array_kind;

/* An array of the caller's, as it lies: 8 bytes an entry, C order. */
typedef struct array {
    Py_buffer view; /* view.obj NULL: none is held */
} array;

enum { ARRAY_ANY = -1, ARRAY_LIST = -2 };
enum { ARRAY_WRITABLE = 1 };

/* Takes hold of an object's buffer. rows: how many there are to be, ARRAY_ANY for as many as there are; columns: how
 * many numbers each has, ARRAY_LIST for a plain list of numbers. False: an exception that names the argument. */
bool   array_take(const module_state *state, PyObject *object, const char *name, array_kind kind, Py_ssize_t rows,
                  Py_ssize_t columns, uint32_t flags, array *taken);
void   array_release(array *arrays, size_t count);
size_t array_rows(const array *taken);

/* A new array of the package's, rows by columns or a list of rows numbers (ARRAY_LIST), all zero, and hold of it. */
PyObject *array_new(module_state *state, array_kind kind, size_t rows, Py_ssize_t columns, array *taken);

/* ---- Messages -------------------------------------------------------------------------------------------------- */

/* Releases the GIL for a call of libpcm and takes it again: what is said in between is told by this thread alone. */
PyThreadState *library_enter(void);
void           library_leave(PyThreadState *thread);

typedef struct message message;

/* What libpcm has said and Python has not been told yet. Any thread may add to it: one in a call of ours for itself,
 * and others, such as a simulator's, for whoever calls next. */
typedef struct mailbox {
    pthread_mutex_t lock;
    message        *first, **end;
    size_t          dropped;
    _Atomic size_t  count;
} mailbox;

void mailbox_open(mailbox *box);
void mailbox_close(mailbox *box);

/* A pcm_sink whose user is the mailbox. */
void mailbox_receive(void *user, const pcm_diagnostic *diagnostic);

/* At the end of a call, with the GIL: tells what has come. Errors become one exception, and so does a status that is
 * not PCM_OK; warnings go to `warnings`, notes to the log. False: an exception. */
bool mailbox_tell(mailbox *box, module_state *state, pcm_status status, const char *call);

/* ---- Objects --------------------------------------------------------------------------------------------------- */

typedef struct config_object {
    OBJECT_HEAD
    pcm_context       *context;
    pcm_config        *config;
    mailbox            mail;
    PyThread_type_lock setup; /* held, without the GIL, in [setup] calls of the context */
} config_object;

/* A tuple of str as libpcm wants it: borrowed texts in a new array. NULL: an exception. */
const char **texts_of(PyObject *tuple, size_t *count);

/* Takes and gives back the config's turn at [setup] calls. Neither needs the GIL. */
void config_enter(config_object *config);
void config_leave(config_object *config);

typedef struct law_object {
    OBJECT_HEAD
    config_object       *config;
    const pcm_type      *type;
    const pcm_type_info *info;
} law_object;

typedef struct world_object {
    OBJECT_HEAD
    config_object        *config;
    pcm_world            *world; /* NULL once its host is closed */
    PyObject             *host;  /* whose world it is, kept alive; NULL: its own */
    atomic_flag          *busy;  /* a thread is in a call: the host's flag, or */
    atomic_flag           own_busy;
    bool                  tied;    /* to the process that made it: it has threads or logs */
    unsigned              forks;   /* process_forks() when it was made */
    struct world_object **kept_by; /* where the host remembers it */
} world_object;

/* Claims a world for one call; false: an exception. */
bool world_claim(world_object *world);
void world_drop(world_object *world);

/* The same, and releases the GIL. */
bool world_enter(world_object *world, PyThreadState **thread);
void world_leave(world_object *world, PyThreadState *thread);

/* A world of that type, which is a host's: it keeps the host, shares its flag, and takes itself out of *kept_by. */
world_object *world_of_host(PyObject *type, config_object *config, PyObject *host, pcm_world *world, atomic_flag *busy,
                            world_object **kept_by);

PyObject *library_version(PyObject *module, PyObject *path);

/* How many forks lie between the first process and this one. */
unsigned process_forks(void);
void     process_watch_forks(void);

#endif
