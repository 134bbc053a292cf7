/* SPDX-License-Identifier: MIT */
/* law.c - a contact type: its description, and its law on arrays. */
#include "law.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

/* Law(config, name) */
static PyObject *law_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    PyObject   *config;
    const char *name;
    (void)keywords;
    module_state *state = module_state_of(type);
    if (!state || !PyArg_ParseTuple(arguments, "O!s:Law", state->config, &config, &name))
        return NULL;
    const pcm_type *found = pcm_config_type_find(((config_object *)config)->config, name);
    if (!found)
        return PyErr_Format(PyExc_KeyError, "%s", name);
    law_object *law = object_new(type);
    if (!law)
        return NULL;
    law->state = state;
    law->config = (config_object *)Py_NewRef(config);
    law->type = found;
    law->info = pcm_type_get_info(found);
    return (PyObject *)law;
}

static void law_dealloc(PyObject *self)
{
    Py_XDECREF((PyObject *)((law_object *)self)->config);
    object_free(self);
}

/* ---- Description ------------------------------------------------------------------------------------------------- */

static PyObject *value_object(const pcm_value *value)
{
    switch (value->param->kind) {
    case PCM_KIND_INTEGER:
        return PyLong_FromDouble(value->number);
    case PCM_KIND_SWITCH:
        return PyBool_FromLong(value->number != 0);
    case PCM_KIND_CHOICE:
    case PCM_KIND_TEXT:
        return PyUnicode_FromString(value->text ? value->text : "");
    case PCM_KIND_LIST:
        break;
    default:
        return PyFloat_FromDouble(value->number);
    }
    PyObject *list = PyTuple_New((Py_ssize_t)value->list.count);
    for (size_t i = 0; list && i < value->list.count; i++)
        if (PyTuple_SetItem(list, (Py_ssize_t)i, PyFloat_FromDouble(value->list.values[i])) != 0)
            Py_CLEAR(list);
    return list;
}

static bool put(PyObject *dictionary, const char *name, PyObject *value)
{
    const bool done = value && PyDict_SetItemString(dictionary, name, value) == 0;
    Py_XDECREF(value);
    return done;
}

static PyObject *params(PyObject *self, void *unused)
{
    const pcm_type *type = ((law_object *)self)->type;
    PyObject       *values = PyDict_New();
    (void)unused;
    for (size_t i = 0; values && i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        if (!put(values, value.param->name, value_object(&value)))
            Py_CLEAR(values);
    }
    PyObject *shown = values ? PyDictProxy_New(values) : NULL;
    Py_XDECREF(values);
    return shown;
}

static bool append(PyObject *list, PyObject *entry)
{
    const bool done = entry && PyList_Append(list, entry) == 0;
    Py_XDECREF(entry);
    return done;
}

/* The columns of the law's states, in the order of the rows of `state`. */
static PyObject *states(PyObject *self, void *unused)
{
    const pcm_model *model = ((law_object *)self)->info->model;
    PyObject        *names = PyList_New(0);
    (void)unused;
    for (size_t i = 0; names && i < model->states.count; i++) {
        const pcm_state *entry = pcm_model_state(model, i);
        const bool       tangent = entry->shape == PCM_TANGENT;
        if (!append(names, PyUnicode_FromFormat("%s%s", entry->name, tangent ? "_x" : "")) ||
            (tangent && !append(names, PyUnicode_FromFormat("%s_y", entry->name))))
            Py_CLEAR(names);
    }
    PyObject *all = names ? PyList_AsTuple(names) : NULL;
    Py_XDECREF(names);
    return all;
}

static PyObject *events(PyObject *self, void *unused)
{
    const pcm_model *model = ((law_object *)self)->info->model;
    PyObject        *names = PyTuple_New((Py_ssize_t)model->events.count);
    (void)unused;
    for (size_t i = 0; names && i < model->events.count; i++)
        if (PyTuple_SetItem(names, (Py_ssize_t)i, PyUnicode_FromString(pcm_model_event(model, i)->name)) != 0)
            Py_CLEAR(names);
    return names;
}

static PyObject *amounts(PyObject *self, void *unused)
{
    const pcm_model *model = ((law_object *)self)->info->model;
    PyObject        *names = PyTuple_New((Py_ssize_t)model->amounts.count);
    (void)unused;
    for (size_t i = 0; names && i < model->amounts.count; i++)
        if (PyTuple_SetItem(names, (Py_ssize_t)i, PyUnicode_FromString(pcm_model_amount(model, i)->name)) != 0)
            Py_CLEAR(names);
    return names;
}

static PyObject *law_name(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(((law_object *)self)->info->name);
}

static PyObject *law_model(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(((law_object *)self)->info->model->name);
}

static PyObject *law_summary(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(((law_object *)self)->info->model->summary);
}

/* derived(force=, depth=, speed=, mass=, radius=) */
static PyObject *derived(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    enum { NUMBERS = 5 };
    static const char *const names[NUMBERS] = {"force", "depth", "speed", "mass", "radius"};
    law_object              *law = (law_object *)self;
    PyObject                *given[NUMBERS];
    pcm_load                 load = {sizeof load, NAN, NAN, NAN, NAN, NAN};
    double *const            numbers[NUMBERS] = {&load.force, &load.depth, &load.speed, &load.mass, &load.radius};
    if (!arguments_unpack("derived", names, 0, NUMBERS, arguments, keywords, given))
        return NULL;
    for (size_t i = 0; i < NUMBERS && !PyErr_Occurred(); i++)
        if (given[i])
            *numbers[i] = PyFloat_AsDouble(given[i]);
    PyObject *values = PyErr_Occurred() ? NULL : PyDict_New();
    for (size_t i = 0; values && i < law->info->model->derived.count; i++) {
        PyThreadState *thread = library_enter();
        config_enter(law->config);
        const double value = pcm_type_derived(law->type, i, &load);
        config_leave(law->config);
        library_leave(thread);
        if (!put(values, pcm_model_derived(law->info->model, i)->name, PyFloat_FromDouble(value)))
            Py_CLEAR(values);
    }
    return values;
}

/* ---- Calling it -------------------------------------------------------------------------------------------------- */

typedef struct output {
    const char *name;
    uint32_t    declared; /* PCM_..., 0: every law writes it */
    array_kind  kind;
    size_t      offset;
} output;

#define OUTPUT(name, declared, kind)                                                                                   \
    {                                                                                                                  \
#name, (declared), (kind), offsetof(pcm_batch, name)                                                           \
    }
static const output outputs[] = {
    OUTPUT(force_n, 0, ARRAY_DOUBLE),
    OUTPUT(force_x, PCM_FRICTION, ARRAY_DOUBLE),
    OUTPUT(force_y, PCM_FRICTION, ARRAY_DOUBLE),
    OUTPUT(moment_n, PCM_MOMENT, ARRAY_DOUBLE),
    OUTPUT(moment_x, PCM_MOMENT, ARRAY_DOUBLE),
    OUTPUT(moment_y, PCM_MOMENT, ARRAY_DOUBLE),
    OUTPUT(energy, PCM_ENERGY, ARRAY_DOUBLE),
    OUTPUT(dissipation, PCM_DISSIPATION, ARRAY_DOUBLE),
    OUTPUT(elastic_n, PCM_SHARES, ARRAY_DOUBLE),
    OUTPUT(adhesive_n, PCM_SHARES, ARRAY_DOUBLE),
    OUTPUT(pull_off, PCM_SHARES, ARRAY_DOUBLE),
    OUTPUT(patch_radius, PCM_PATCH_RADIUS, ARRAY_DOUBLE),
    OUTPUT(onset, PCM_ONSET, ARRAY_DOUBLE),
    OUTPUT(life, PCM_LIFE, ARRAY_SIGNED),
    OUTPUT(mode, PCM_MODE, ARRAY_SIGNED),
};
enum { OUTPUTS = sizeof outputs / sizeof *outputs, TABLES = 5 };

/* The outputs of a call, each in an array of its own. */
typedef struct law_outputs {
    PyObject *by_name;
    array     arrays[OUTPUTS + TABLES];
    size_t    n_arrays;
    double   *next[LAW_COLUMNS], *rate[LAW_COLUMNS], *event[LAW_COLUMNS], *flow[2][LAW_COLUMNS];
} law_outputs;

/* A new zeroed array under a name; NULL: an exception is set. */
static void *add_output(const law_object *law, law_outputs *to, const char *name, array_kind kind, size_t rows,
                        Py_ssize_t columns)
{
    array *made = &to->arrays[to->n_arrays];
    if (!put(to->by_name, name, array_new(law->state, kind, rows, columns, made)))
        return NULL;
    to->n_arrays++;
    return made->view.buf;
}

static bool add_table(const law_object *law, law_outputs *to, const char *name, size_t rows, size_t count,
                      double **columns, double *const **into)
{
    double *values = rows ? add_output(law, to, name, ARRAY_DOUBLE, rows, (Py_ssize_t)count) : NULL;
    for (size_t k = 0; values && k < rows; k++)
        columns[k] = values + k * count;
    *into = columns;
    return values || !rows;
}

static bool add_tables(const law_object *law, law_outputs *to, pcm_batch *batch)
{
    const size_t n_state = law->info->n_state, n_event = law->info->model->events.count;
    const size_t n_amount = law->info->model->amounts.count;
    return add_table(law, to, "next", n_state, batch->count, to->next, &batch->next) &&
           add_table(law, to, "rate", n_state, batch->count, to->rate, &batch->rate) &&
           add_table(law, to, "event", n_event, batch->count, to->event, &batch->event) &&
           add_table(law, to, "base_flow", n_amount, batch->count, to->flow[0], &batch->base_flow) &&
           add_table(law, to, "follower_flow", n_amount, batch->count, to->flow[1], &batch->follower_flow);
}

static bool add_outputs(const law_object *law, law_outputs *to, pcm_batch *batch)
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        if (outputs[i].declared && !(law->info->model->outputs & outputs[i].declared))
            continue;
        void *column = add_output(law, to, outputs[i].name, outputs[i].kind, batch->count, ARRAY_LIST);
        if (!column)
            return false;
        memcpy((char *)batch + outputs[i].offset, &column, sizeof column);
    }
    return add_tables(law, to, batch);
}

static bool call_verb(law_object *law, const char *function, pcm_verb_kind verb, const pcm_batch *batch)
{
    PyThreadState   *thread = library_enter();
    const pcm_status status = pcm_type_call(law->type, verb, batch);
    library_leave(thread);
    return mailbox_tell(&law->config->mail, law->state, status, function);
}

static PyObject *law_call(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    law_object *law = (law_object *)self;
    law_inputs  from;
    law_outputs to = {.by_name = PyDict_New()};
    const bool  done = to.by_name && law_inputs_read(law, law->info->name, arguments, keywords, &from) &&
                      add_outputs(law, &to, &from.batch) && call_verb(law, law->info->name, PCM_UPDATE, &from.batch);
    if (to.by_name)
        law_inputs_free(&from);
    array_release(to.arrays, to.n_arrays);
    if (!done)
        Py_CLEAR(to.by_name);
    return to.by_name;
}

/* establish(depth=..., ...): the initial states of new contacts. */
static PyObject *establish(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    law_object *law = (law_object *)self;
    law_inputs  from;
    array       made;
    double     *next[LAW_COLUMNS];
    PyObject   *states = NULL;
    if (law_inputs_read(law, "establish", arguments, keywords, &from) &&
        (states = array_new(law->state, ARRAY_DOUBLE, law->info->n_state, (Py_ssize_t)from.batch.count, &made))) {
        for (size_t k = 0; k < law->info->n_state; k++)
            next[k] = (double *)made.view.buf + k * from.batch.count;
        from.batch.next = next;
        if (!call_verb(law, "establish", PCM_ESTABLISH, &from.batch))
            Py_CLEAR(states);
        array_release(&made, 1);
    }
    law_inputs_free(&from);
    return states;
}

static PyMethodDef methods[] = {
    {"derived", (PyCFunction)(void (*)(void))derived, METH_VARARGS | METH_KEYWORDS,
     "derived(force=, depth=, speed=, mass=, radius=)"},
    {"establish", (PyCFunction)(void (*)(void))establish, METH_VARARGS | METH_KEYWORDS, "establish(depth=, ...)"},
    {NULL, NULL, 0, NULL},
};

typedef bool state_kind(const pcm_state *state);

static bool lingers(const pcm_state *state) { return state->flags & PCM_LINGERS; }
static bool host_steps(const pcm_state *state) { return state->role == PCM_CONTINUOUS && !(state->flags & PCM_STEPS); }

/* The columns of states of a kind, as bits. */
static unsigned long long columns_of(const pcm_model *model, state_kind *is)
{
    unsigned long long bits = 0;
    unsigned           column = 0;
    for (uint32_t i = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        for (uint32_t k = 0; k < pcm_columns_of(state->shape); k++, column++)
            if (is(state) && column < 64)
                bits |= 1ull << column;
    }
    return bits;
}

/* The values that host inputs have until a host sets them; NaN: none. */
static PyObject *fallbacks(const pcm_type *type)
{
    const uint32_t count = pcm_type_get_info(type)->n_host_inputs;
    PyObject      *values = PyTuple_New((Py_ssize_t)count);
    for (uint32_t k = 0; values && k < count; k++)
        if (PyTuple_SetItem(values, (Py_ssize_t)k, PyFloat_FromDouble(pcm_type_input_fallback(type, k))) != 0)
            Py_CLEAR(values);
    return values;
}

PyObject *type_traits(const pcm_type *type)
{
    const pcm_type_info *info = pcm_type_get_info(type), *written = pcm_type_get_info(info->written);
    const pcm_common    *common = info->common;
    const pcm_table      kernels = info->model->kernels;
    const bool           per_pair =
        kernels.size > offsetof(pcm_kernel_set, pair) && ((const pcm_kernel_set *)kernels.entries)->pair;
    const char *const material = info->material[0];
    return Py_BuildValue(
        "{s:s,s:s,s:N,s:O,s:I,s:I,s:N,s:K,s:K,s:O,s:O,s:O,s:L,s:(LL),s:d,s:d}", "type", info->name, "written",
        written->name, "materials", material ? Py_BuildValue("(ss)", material, info->material[1]) : Py_NewRef(Py_None),
        "needs_materials", info->params ? Py_False : Py_True, "flags", info->model->flags, "columns", info->n_state,
        "fallbacks", fallbacks(type), "lingers", columns_of(info->model, lingers), "host_steps",
        columns_of(info->model, host_steps), "carries", info->carries_frame ? Py_True : Py_False, "whole_patch",
        common->single || common->patch != PCM_PATCH_POINTS ? Py_True : Py_False, "per_pair",
        per_pair ? Py_True : Py_False, "point", (long long)common->point, "axes", (long long)common->base_axis,
        (long long)common->follower_axis, "separation", common->separation, "onset", info->onset);
}

static PyObject *traits(PyObject *self, void *unused)
{
    (void)unused;
    return type_traits(((law_object *)self)->type);
}

static PyGetSetDef attributes[] = {
    {"name", law_name, NULL, "the contact type's name", NULL},
    {"model", law_model, NULL, "the name of its law", NULL},
    {"summary", law_summary, NULL, "what the law is", NULL},
    {"params", params, NULL,
     "the parameters' values by name, in SI units, to be read: settings of load and parse set them", NULL},
    {"states", states, NULL, "the columns of its states", NULL},
    {"events", events, NULL, "the names of its events", NULL},
    {"amounts", amounts, NULL, "the names of the objects' amounts that it reads and changes", NULL},
    {"_traits", traits, NULL, "what hosts on GPUs have to know besides the header of the type", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    SLOT(Py_tp_new, law_new),   SLOT(Py_tp_dealloc, law_dealloc), {Py_tp_methods, methods},
    {Py_tp_getset, attributes}, SLOT(Py_tp_call, law_call),       {0, NULL},
};

PyType_Spec law_spec = {
    .name = "_pcm.Law",
    .basicsize = sizeof(law_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};
