/* SPDX-License-Identifier: MIT */
/* module.c - the module `_pcm`: its types, and what the package passes to it. */
#include "extension.h"
#include <string.h>

/* ---- Objects of any type ----------------------------------------------------------------------------------------- */

module_state *module_state_of(PyTypeObject *type)
{
    for (; type; type = PyType_GetSlot(type, Py_tp_base)) {
        module_state *state = PyType_GetModuleState(type);
        if (state)
            return state;
        PyErr_Clear(); /* a class derived in Python has no module */
    }
    return NULL;
}

void *object_new(PyTypeObject *type)
{
    allocfunc allocate = (allocfunc)(uintptr_t)PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, 0);
}

void object_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc      release = (freefunc)(uintptr_t)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DecRef((PyObject *)type);
}

/* ---- Forks ------------------------------------------------------------------------------------------------------- */

static atomic_uint forks;

static void count_fork(void) { atomic_fetch_add(&forks, 1); }

static void watch_forks(void) { pthread_atfork(NULL, NULL, count_fork); }

void process_watch_forks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
}

unsigned process_forks(void) { return atomic_load(&forks); }

/* ---- The module -------------------------------------------------------------------------------------------------- */

/* adopt(error, warning, diagnostic, note, zeros, array, float64, uint64, int64): the package calls this first. */
static PyObject *adopt(PyObject *module, PyObject *brought)
{
    module_state    *state = PyModule_GetState(module);
    PyObject **const slots[] = {&state->error, &state->warning, &state->diagnostic, &state->note, &state->zeros,
                                &state->array, &state->float64, &state->uint64,     &state->int64};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        PyObject *value = PyTuple_GetItem(brought, (Py_ssize_t)i);
        if (!value)
            return NULL;
        Py_XDECREF(*slots[i]);
        *slots[i] = Py_NewRef(value);
    }
    return Py_NewRef(Py_None);
}

static int add_type(PyObject *module, PyType_Spec *spec, PyObject **slot)
{
    *slot = PyType_FromModuleAndSpec(module, spec, NULL);
    return *slot ? PyModule_AddType(module, (PyTypeObject *)*slot) : -1;
}

static int execute(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    process_watch_forks();
    state->dtype = PyUnicode_InternFromString("dtype");
    const bool added =
        state->dtype && add_type(module, &config_spec, &state->config) == 0 &&
        add_type(module, &law_spec, &state->law) == 0 && add_type(module, &jacobian_spec, &state->jacobian) == 0 &&
        add_type(module, &world_spec, &state->world) == 0 && add_type(module, &host_spec, &state->host) == 0 &&
        add_type(module, &many_spec, &state->many) == 0 &&
        PyModule_AddStringConstant(module, "version", PCM_VERSION) == 0;
    return added ? 0 : -1;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    module_state *state = PyModule_GetState(module);
    Py_VISIT(state->config);
    Py_VISIT(state->law);
    Py_VISIT(state->jacobian);
    Py_VISIT(state->world);
    Py_VISIT(state->host);
    Py_VISIT(state->many);
    Py_VISIT(state->error);
    Py_VISIT(state->warning);
    Py_VISIT(state->diagnostic);
    Py_VISIT(state->note);
    Py_VISIT(state->zeros);
    Py_VISIT(state->array);
    Py_VISIT(state->float64);
    Py_VISIT(state->uint64);
    Py_VISIT(state->int64);
    return 0;
}

static int clear(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    Py_CLEAR(state->config);
    Py_CLEAR(state->law);
    Py_CLEAR(state->jacobian);
    Py_CLEAR(state->world);
    Py_CLEAR(state->host);
    Py_CLEAR(state->many);
    Py_CLEAR(state->error);
    Py_CLEAR(state->warning);
    Py_CLEAR(state->diagnostic);
    Py_CLEAR(state->note);
    Py_CLEAR(state->zeros);
    Py_CLEAR(state->array);
    Py_CLEAR(state->float64);
    Py_CLEAR(state->uint64);
    Py_CLEAR(state->int64);
    Py_CLEAR(state->dtype);
    return 0;
}

PyMODINIT_FUNC PyInit__pcm(void);

PyMODINIT_FUNC PyInit__pcm(void)
{
    static PyMethodDef methods[] = {
        {"adopt", adopt, METH_VARARGS, "adopt(error, warning, diagnostic, note, zeros, array, float64, uint64, int64)"},
        {"library_version", library_version, METH_O, "library_version(path)"},
        {NULL, NULL, 0, NULL},
    };
    static PyModuleDef_Slot slots[] = {
        SLOT(Py_mod_exec, execute),
        {0, NULL},
    };
    static PyModuleDef definition = {
        .m_base = PyModuleDef_HEAD_INIT,
        .m_name = "_pcm",
        .m_doc = "libpcm for the package pcm",
        .m_size = sizeof(module_state),
        .m_methods = methods,
        .m_slots = slots,
        .m_traverse = traverse,
        .m_clear = clear,
    };
    return PyModuleDef_Init(&definition);
}
