/* SPDX-License-Identifier: MIT */
/* jacobian.c - partial derivatives of a law on arrays. */
#include "law.h"
#include <stdlib.h>
#include <string.h>

typedef struct jacobian_object {
    OBJECT_HEAD
    law_object        *law;
    PyObject          *partials; /* the tuple of pairs of names that the caller requested */
    pcm_jacobian      *jacobian;
    PyThread_type_lock turn; /* one evaluation at a time */
} jacobian_object;

/* ---- Names ------------------------------------------------------------------------------------------------------- */

typedef struct numbered {
    const char *name;
    uint32_t    number;
} numbered;

static const numbered output_names[] = {
    {"force_n", PCM_OUTPUT_FORCE_N},   {"force_x", PCM_OUTPUT_FORCE_X},   {"force_y", PCM_OUTPUT_FORCE_Y},
    {"moment_n", PCM_OUTPUT_MOMENT_N}, {"moment_x", PCM_OUTPUT_MOMENT_X}, {"moment_y", PCM_OUTPUT_MOMENT_Y},
};
static const numbered motion_names[] = {
    {"depth", PCM_WRT_DEPTH},
    {"depth_rate", PCM_WRT_DEPTH_RATE},
    {"slip_x", PCM_WRT_SLIP_X},
    {"slip_y", PCM_WRT_SLIP_Y},
    {"spin_x", PCM_WRT_SPIN_X},
    {"spin_y", PCM_WRT_SPIN_Y},
    {"spin_n", PCM_WRT_SPIN_N},
    {"x", PCM_WRT_X},
    {"y", PCM_WRT_Y},
    {"z", PCM_WRT_Z},
    {"velocity_x", PCM_WRT_VELOCITY_X},
    {"velocity_y", PCM_WRT_VELOCITY_Y},
    {"velocity_z", PCM_WRT_VELOCITY_Z},
};

static bool number_of(const numbered *names, size_t count, const char *name, uint32_t *number)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i].name, name) == 0) {
            *number = names[i].number;
            return true;
        }
    return false;
}

static bool is_state(const pcm_state *state, const char *name, const char *axis)
{
    const size_t length = strlen(state->name);
    return strncmp(name, state->name, length) == 0 && strcmp(name + length, axis) == 0;
}

/* The column of a state by its name; base: PCM_OUTPUT_RATE or PCM_WRT_STATE. */
static bool state_number(const pcm_model *model, const char *name, uint32_t base, uint32_t *number)
{
    for (uint32_t i = 0, column = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        const bool       tangent = state->shape == PCM_TANGENT;
        if (is_state(state, name, tangent ? "_x" : "") || (tangent && is_state(state, name, "_y"))) {
            *number = base + column + (tangent && is_state(state, name, "_y"));
            return true;
        }
        column += pcm_columns_of(state->shape);
    }
    return false;
}

static bool param_number(const pcm_model *model, const char *name, uint32_t *number)
{
    for (uint32_t i = 0; i < model->params.count; i++)
        if (strcmp(pcm_model_param(model, i)->name, name) == 0) {
            *number = PCM_WRT_PARAM + i;
            return true;
        }
    return false;
}

/* (output, wrt): output is a force, a moment or a state (meaning its rate); wrt a motion, a state or a parameter. */
static bool read_partial(const pcm_model *model, PyObject *pair, pcm_partial *partial)
{
    const char *output, *wrt;
    if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "ss", &output, &wrt)) {
        PyErr_Clear();
        PyErr_SetString(PyExc_TypeError, "partials: pairs of names are wanted, as in [('force_n', 'depth')]");
        return false;
    }
    if (!number_of(output_names, sizeof output_names / sizeof *output_names, output, &partial->output) &&
        !state_number(model, output, PCM_OUTPUT_RATE, &partial->output)) {
        PyErr_Format(PyExc_ValueError, "partials: %s has no output '%s'", model->name, output);
        return false;
    }
    if (!number_of(motion_names, sizeof motion_names / sizeof *motion_names, wrt, &partial->wrt) &&
        !state_number(model, wrt, PCM_WRT_STATE, &partial->wrt) && !param_number(model, wrt, &partial->wrt)) {
        PyErr_Format(PyExc_ValueError, "partials: %s has no motion, state or parameter '%s'", model->name, wrt);
        return false;
    }
    return true;
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static bool open_jacobian(jacobian_object *self)
{
    law_object      *law = self->law;
    const Py_ssize_t count = PyTuple_Size(self->partials);
    pcm_partial     *partials = calloc((size_t)count + 1, sizeof *partials);
    bool             sound = partials && self->turn;
    if (!sound)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; sound && i < count; i++)
        sound = read_partial(law->info->model, PyTuple_GetItem(self->partials, i), &partials[i]);
    if (sound && count == 0) {
        PyErr_SetString(PyExc_ValueError, "partials: at least one pair of names is wanted");
        sound = false;
    }
    if (sound) {
        PyThreadState *thread = library_enter();
        config_enter(law->config);
        self->jacobian = pcm_jacobian_new(law->type, partials, (size_t)count, 0);
        config_leave(law->config);
        library_leave(thread);
        sound = mailbox_tell(&law->config->mail, law->state, self->jacobian ? PCM_OK : PCM_BAD_ARGUMENT, "jacobian");
    }
    free(partials);
    return sound;
}

/* Jacobian(law, partials: tuple) */
static PyObject *jacobian_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    PyObject     *law, *partials;
    module_state *state = module_state_of(type);
    (void)keywords;
    if (!state || !PyArg_ParseTuple(arguments, "O!O!:Jacobian", state->law, &law, (PyObject *)&PyTuple_Type, &partials))
        return NULL;
    jacobian_object *self = object_new(type);
    if (!self)
        return NULL;
    self->state = state;
    self->law = (law_object *)Py_NewRef(law);
    self->partials = Py_NewRef(partials);
    self->turn = PyThread_allocate_lock();
    if (open_jacobian(self))
        return (PyObject *)self;
    Py_DecRef((PyObject *)self);
    return NULL;
}

static void jacobian_dealloc(PyObject *object)
{
    jacobian_object *self = (jacobian_object *)object;
    pcm_jacobian_free(self->jacobian);
    if (self->turn)
        PyThread_free_lock(self->turn);
    Py_XDECREF(self->partials);
    Py_XDECREF((PyObject *)self->law);
    object_free(object);
}

/* ---- Calling it -------------------------------------------------------------------------------------------------- */

static bool evaluate(jacobian_object *self, const pcm_batch *batch, double *const *values)
{
    PyThreadState *thread = library_enter();
    PyThread_acquire_lock(self->turn, WAIT_LOCK);
    const pcm_status status = pcm_jacobian_evaluate(self->jacobian, batch, values, NULL);
    PyThread_release_lock(self->turn);
    library_leave(thread);
    return mailbox_tell(&self->law->config->mail, self->state, status, "jacobian");
}

static PyObject *jacobian_call(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    jacobian_object *self = (jacobian_object *)object;
    const size_t     count = pcm_jacobian_count(self->jacobian);
    PyObject        *by_pair = PyDict_New();
    array           *made = calloc(count + 1, sizeof *made);
    double         **values = calloc(count + 1, sizeof *values);
    size_t           n = 0;
    law_inputs       from;
    bool             done = law_inputs_read(self->law, "jacobian", arguments, keywords, &from) && by_pair;
    if (!made || !values) {
        PyErr_NoMemory();
        done = false;
    }
    while (done && n < count) {
        PyObject *column = array_new(self->state, ARRAY_DOUBLE, from.batch.count, ARRAY_LIST, &made[n]);
        done = column && PyDict_SetItem(by_pair, PyTuple_GetItem(self->partials, (Py_ssize_t)n), column) == 0;
        Py_XDECREF(column);
        if (column)
            values[n] = made[n].view.buf;
        n += column != NULL;
    }
    done = done && evaluate(self, &from.batch, values);
    law_inputs_free(&from);
    if (made)
        array_release(made, n);
    free(made);
    free(values);
    if (!done)
        Py_CLEAR(by_pair);
    return by_pair;
}

static PyType_Slot slots[] = {
    SLOT(Py_tp_new, jacobian_new),
    SLOT(Py_tp_dealloc, jacobian_dealloc),
    SLOT(Py_tp_call, jacobian_call),
    {0, NULL},
};

PyType_Spec jacobian_spec = {
    .name = "_pcm.Jacobian",
    .basicsize = sizeof(jacobian_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};
