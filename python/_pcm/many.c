/* SPDX-License-Identifier: MIT */
/* many.c - attachments to many simulations of one model, stepped together. */
#include "host.h"
#include <stdlib.h>

typedef struct many_object {
    OBJECT_HEAD
    config_object   *config;
    PyObject        *model, *data; /* kept alive; a tuple */
    host_functions   call;
    pcm_mujoco_many *many; /* NULL: closed */
    size_t           count;
    host_object    **hosts; /* borrowed: each keeps this object alive; NULL: there is none */
    atomic_flag      busy;
} many_object;

static bool tell(many_object *self, pcm_status status, const char *call)
{
    return mailbox_tell(&self->config->mail, self->state, status, call);
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

/* The addresses of all mjData in a new array. */
static mjData **addresses_of(PyObject *tuple, size_t *count)
{
    const Py_ssize_t n = PyTuple_Size(tuple);
    mjData         **data = n < 0 ? NULL : calloc((size_t)n + 1, sizeof *data);
    for (Py_ssize_t i = 0; data && i < n; i++)
        data[i] = (mjData *)(uintptr_t)PyLong_AsUnsignedLongLong(PyTuple_GetItem(tuple, i));
    if (!data && !PyErr_Occurred())
        PyErr_NoMemory();
    *count = n < 0 ? 0 : (size_t)n;
    return data;
}

static bool attach(many_object *self, unsigned long long model, PyObject *addresses, unsigned threads,
                   PyObject *surfaces, bool ledger, bool advise_step, double ease, bool implicit)
{
    pcm_mujoco_def def;
    mjData       **data = addresses_of(addresses, &self->count);
    self->hosts = calloc(self->count + 1, sizeof *self->hosts);
    if (!data || !self->hosts || PyErr_Occurred() ||
        !host_define(&self->call, surfaces, ledger, advise_step, ease, implicit, &def)) {
        free(data);
        return false;
    }
    PyThreadState *thread = library_enter();
    config_enter(self->config);
    self->many = self->call.attach_many(self->config->context, self->config->config, (const mjModel *)(uintptr_t)model,
                                        data, self->count, threads, &def);
    config_leave(self->config);
    library_leave(thread);
    free((void *)def.surfaces);
    free(data);
    return tell(self, self->many ? PCM_OK : PCM_BAD_ARGUMENT, "attach_many");
}

/* Hosts(config, library: bytes, model, data: tuple, address of the model, addresses: tuple, threads, surfaces: tuple,
 * ledger, advise_step, ease, implicit) */
static PyObject *many_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    PyObject          *config, *model, *data, *addresses, *surfaces;
    const char        *library;
    unsigned long long model_address;
    unsigned           threads;
    int                ledger, advise_step, implicit;
    double             ease;
    module_state      *state = module_state_of(type);
    (void)keywords;
    if (!state || !PyArg_ParseTuple(arguments, "O!yOO!KO!IO!ppdp:Hosts", state->config, &config, &library, &model,
                                    &PyTuple_Type, &data, &model_address, &PyTuple_Type, &addresses, &threads,
                                    &PyTuple_Type, &surfaces, &ledger, &advise_step, &ease, &implicit))
        return NULL;
    many_object *self = object_new(type);
    if (!self)
        return NULL;
    self->state = state;
    self->config = (config_object *)Py_NewRef(config);
    self->model = Py_NewRef(model);
    self->data = Py_NewRef(data);
    atomic_flag_clear(&self->busy);
    if (host_load(library, &self->call) &&
        attach(self, model_address, addresses, threads, surfaces, ledger, advise_step, ease, implicit))
        return (PyObject *)self;
    Py_DecRef((PyObject *)self);
    return NULL;
}

void many_forget(PyObject *many, size_t index) { ((many_object *)many)->hosts[index] = NULL; }

static void detach(many_object *self)
{
    for (size_t i = 0; i < self->count && self->hosts; i++)
        if (self->hosts[i])
            host_let_go(self->hosts[i]);
    if (self->many)
        self->call.many_free(self->many);
    self->many = NULL;
    Py_CLEAR(self->model);
    Py_CLEAR(self->data);
}

static void many_dealloc(PyObject *object)
{
    many_object *self = (many_object *)object;
    if (self->many)
        host_warn_of_drop(object);
    detach(self);
    free(self->hosts);
    Py_XDECREF((PyObject *)self->config);
    object_free(object);
}

static bool claim(many_object *self)
{
    if (!self->many)
        PyErr_SetString(PyExc_RuntimeError, "the attachments are closed");
    else if (atomic_flag_test_and_set(&self->busy))
        PyErr_SetString(PyExc_RuntimeError, "the attachments are in a call of another thread");
    else
        return true;
    return false;
}

static PyObject *many_close(PyObject *object, PyObject *unused)
{
    many_object *self = (many_object *)object;
    (void)unused;
    if (!self->many)
        return Py_NewRef(Py_None);
    if (!claim(self))
        return NULL;
    detach(self);
    atomic_flag_clear(&self->busy);
    return tell(self, PCM_OK, "close") ? Py_NewRef(Py_None) : NULL;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

/* A mask with a byte for each attachment, or None: NULL then. */
static bool take_mask(const many_object *self, PyObject *given, array *mask, const bool **which)
{
    *which = NULL;
    mask->view.obj = NULL;
    if (given == Py_None)
        return true;
    if (PyObject_GetBuffer(given, &mask->view, PyBUF_SIMPLE) != 0)
        return false;
    if ((size_t)mask->view.len == self->count) {
        *which = mask->view.buf;
        return true;
    }
    PyBuffer_Release(&mask->view);
    PyErr_Format(PyExc_ValueError, "a mask of %zu is wanted", self->count);
    return false;
}

/* _step(steps, mask or None, statuses: an array of int64 that gets that of each) */
static PyObject *many_step(PyObject *object, PyObject *arguments)
{
    many_object *self = (many_object *)object;
    Py_ssize_t   steps;
    PyObject    *given, *told;
    array        mask, out;
    const bool  *which;
    if (!PyArg_ParseTuple(arguments, "nOO:_step", &steps, &given, &told) || !take_mask(self, given, &mask, &which))
        return NULL;
    pcm_status *statuses = malloc(self->count * sizeof *statuses);
    const bool  taken = statuses && array_take(self->state, told, "statuses", ARRAY_SIGNED, (Py_ssize_t)self->count,
                                               ARRAY_LIST, ARRAY_WRITABLE, &out);
    pcm_status  status = PCM_OK;
    const bool  claimed = taken && claim(self);
    if (claimed) {
        PyThreadState *thread = library_enter();
        status = self->call.many_step(self->many, which, (size_t)steps, statuses);
        library_leave(thread);
        atomic_flag_clear(&self->busy);
        for (size_t i = 0; i < self->count; i++)
            ((int64_t *)out.view.buf)[i] = statuses[i];
    }
    if (taken)
        array_release(&out, 1);
    free(statuses);
    PyBuffer_Release(&mask.view);
    return claimed && tell(self, status, "step") ? Py_NewRef(Py_None) : NULL;
}

/* _reset(mask or None) */
static PyObject *many_reset(PyObject *object, PyObject *given)
{
    many_object *self = (many_object *)object;
    array        mask;
    const bool  *which;
    if (!take_mask(self, given, &mask, &which))
        return NULL;
    const bool claimed = claim(self);
    pcm_status status = PCM_OK;
    if (claimed) {
        PyThreadState *thread = library_enter();
        status = self->call.many_reset(self->many, which);
        library_leave(thread);
        atomic_flag_clear(&self->busy);
    }
    PyBuffer_Release(&mask.view);
    return claimed && tell(self, status, "reset") ? Py_NewRef(Py_None) : NULL;
}

/* _set(name, values: an array of a number for each, mask or None) */
static PyObject *many_set(PyObject *object, PyObject *arguments)
{
    many_object *self = (many_object *)object;
    const char  *name;
    PyObject    *given, *numbers;
    array        mask, values;
    const bool  *which;
    if (!PyArg_ParseTuple(arguments, "sOO:_set", &name, &numbers, &given) ||
        !array_take(self->state, numbers, "values", ARRAY_DOUBLE, (Py_ssize_t)self->count, ARRAY_LIST, 0, &values))
        return NULL;
    const bool masked = take_mask(self, given, &mask, &which), claimed = masked && claim(self);
    pcm_status status = PCM_OK;
    if (claimed) {
        PyThreadState *thread = library_enter();
        status = self->call.many_set(self->many, which, name, values.view.buf, NULL);
        library_leave(thread);
        atomic_flag_clear(&self->busy);
    }
    if (masked)
        PyBuffer_Release(&mask.view);
    array_release(&values, 1);
    return claimed && tell(self, status, "set") ? Py_NewRef(Py_None) : NULL;
}

/* _at(type, index): the attachment of that index, as an object of that type. */
static PyObject *many_at(PyObject *object, PyObject *arguments)
{
    many_object *self = (many_object *)object;
    PyObject    *type;
    Py_ssize_t   index;
    if (!PyArg_ParseTuple(arguments, "On:_at", &type, &index) || !claim(self))
        return NULL;
    if (!self->hosts[index])
        self->hosts[index] = host_of_many(type, &self->call, self->config, object, (size_t)index,
                                          self->call.many_at(self->many, (size_t)index), &self->busy);
    else
        Py_IncRef((PyObject *)self->hosts[index]);
    atomic_flag_clear(&self->busy);
    return (PyObject *)self->hosts[index];
}

static Py_ssize_t many_length(PyObject *object) { return (Py_ssize_t)((many_object *)object)->count; }

static PyMethodDef methods[] = {
    {"close", many_close, METH_NOARGS, "MuJoCo's own contacts act again"},
    {"_step", many_step, METH_VARARGS, "_step(steps, mask, statuses)"},
    {"_reset", many_reset, METH_O, "_reset(mask)"},
    {"_set", many_set, METH_VARARGS, "_set(name, values, mask)"},
    {"_at", many_at, METH_VARARGS, "_at(type, index)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    SLOT(Py_tp_new, many_new),
    SLOT(Py_tp_dealloc, many_dealloc),
    SLOT(Py_sq_length, many_length),
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec many_spec = {
    .name = "_pcm.Hosts",
    .basicsize = sizeof(many_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};
