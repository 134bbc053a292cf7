/* SPDX-License-Identifier: MIT */
/* law_inputs.c - the inputs of a law's call: keyword arguments become columns.
 *
 * Users pass a motion with several components as an array of rows, (n, 2) or (n, 3); laws read columns, so these are
 * copied. States are columns already, (k, n). A plain number applies to all lanes. */
#include "law.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct motion {
    const char *name;
    uint32_t    input; /* PCM_... flag if only some laws read it; 0: it may be omitted */
    uint32_t    columns;
    size_t      offset[3]; /* offset of the columns in pcm_batch */
} motion;

#define COLUMN(name) offsetof(pcm_batch, name)
static const motion motions[] = {
    {"depth", PCM_DEPTH, 1, {COLUMN(depth)}},
    {"depth_rate", PCM_DEPTH_RATE, 1, {COLUMN(depth_rate)}},
    {"slip", PCM_SLIP, 2, {COLUMN(slip_x), COLUMN(slip_y)}},
    {"spin", PCM_SPIN, 3, {COLUMN(spin_x), COLUMN(spin_y), COLUMN(spin_n)}},
    {"position", PCM_POSITION, 3, {COLUMN(x), COLUMN(y), COLUMN(z)}},
    {"velocity", PCM_VELOCITY, 3, {COLUMN(velocity_x), COLUMN(velocity_y), COLUMN(velocity_z)}},
    {"radius", PCM_RADIUS, 1, {COLUMN(radius)}},
    {"mass", PCM_MASS, 1, {COLUMN(mass)}},
    {"load_n", PCM_LOAD, 1, {COLUMN(load_n)}},
    {"load_elastic", PCM_LOAD, 1, {COLUMN(load_elastic)}},
    {"load_adhesive", PCM_LOAD, 1, {COLUMN(load_adhesive)}},
    {"load_pull_off", PCM_LOAD, 1, {COLUMN(load_pull_off)}},
    {"contact_radius", PCM_CONTACT_RADIUS, 1, {COLUMN(contact_radius)}},
    {"loss_friction", PCM_LOSS, 1, {COLUMN(loss_friction)}},
    {"loss_damping", PCM_LOSS, 1, {COLUMN(loss_damping)}},
    {"load_t", PCM_LOSS, 2, {COLUMN(load_x), COLUMN(load_y)}},
    {"area", PCM_AREA, 1, {COLUMN(area)}},
    {"share", PCM_SHARE, 1, {COLUMN(share)}},
    {"base_spin", PCM_BODY_SPINS, 3, {COLUMN(base_spin_x), COLUMN(base_spin_y), COLUMN(base_spin_n)}},
    {"follower_spin", PCM_BODY_SPINS, 3, {COLUMN(follower_spin_x), COLUMN(follower_spin_y), COLUMN(follower_spin_n)}},
    {"base_axis", PCM_AXES, 3, {COLUMN(base_axis_x), COLUMN(base_axis_y), COLUMN(base_axis_n)}},
    {"follower_axis", PCM_AXES, 3, {COLUMN(follower_axis_x), COLUMN(follower_axis_y), COLUMN(follower_axis_n)}},
    {"fresh", 0, 1, {COLUMN(fresh)}},
    {"curvature", 0, 2, {COLUMN(curvature_1), COLUMN(curvature_2)}},
    {"curvature_axis", 0, 2, {COLUMN(curvature_x), COLUMN(curvature_y)}},
    {"point_part", 0, 1, {COLUMN(point_part)}},
    {"patch_part", 0, 1, {COLUMN(patch_part)}},
    {"line_length", 0, 1, {COLUMN(line_length)}},
    {"line_curvature", 0, 1, {COLUMN(line_curvature)}},
    {"flat_area", 0, 1, {COLUMN(flat_area)}},
    {"flat_aspect", 0, 1, {COLUMN(flat_aspect)}},
};
enum { MOTIONS = sizeof motions / sizeof *motions };

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

static double *new_copy(law_inputs *inputs, size_t numbers)
{
    double *copy = inputs->n_copies < LAW_COLUMNS ? calloc(numbers + 1, sizeof *copy) : NULL;
    if (copy)
        inputs->copies[inputs->n_copies++] = copy;
    else
        PyErr_NoMemory();
    return copy;
}

static bool take(law_inputs *inputs, PyObject *value, const char *name, Py_ssize_t rows, Py_ssize_t columns)
{
    if (inputs->n_arrays == LAW_COLUMNS) {
        PyErr_Format(PyExc_ValueError, "%s: more columns than a law has", name);
        return false;
    }
    if (!array_take(inputs->module, value, name, ARRAY_DOUBLE, rows, columns, 0, &inputs->arrays[inputs->n_arrays]))
        return false;
    inputs->n_arrays++;
    return true;
}

static bool is_number(PyObject *value) { return PyFloat_Check(value) || PyLong_Check(value); }

/* The same number in every lane. */
static bool spread(law_inputs *inputs, PyObject *value, const double **column)
{
    const double number = PyFloat_AsDouble(value);
    double      *copy = PyErr_Occurred() ? NULL : new_copy(inputs, inputs->batch.count);
    for (size_t i = 0; copy && i < inputs->batch.count; i++)
        copy[i] = number;
    *column = copy;
    return copy;
}

/* Transposes the array acquired last from rows to columns. */
static bool split(law_inputs *inputs, size_t columns, const double **to)
{
    const size_t  count = inputs->batch.count;
    const double *rows = inputs->arrays[inputs->n_arrays - 1].view.buf;
    double       *copy = new_copy(inputs, columns * count);
    if (!copy)
        return false;
    for (size_t k = 0; k < columns; k++) {
        for (size_t i = 0; i < count; i++)
            copy[k * count + i] = rows[i * columns + k];
        to[k] = copy + k * count;
    }
    return true;
}

/* A value as `columns` columns of batch.count lanes; the first array of a call sets that count. */
static bool read_columns(law_inputs *inputs, PyObject *value, const char *name, uint32_t columns, const double **to)
{
    if (columns == 1 && is_number(value))
        return spread(inputs, value, to);
    const Py_ssize_t count = inputs->sized ? (Py_ssize_t)inputs->batch.count : ARRAY_ANY;
    if (!take(inputs, value, name, count, columns == 1 ? ARRAY_LIST : (Py_ssize_t)columns))
        return false;
    if (!inputs->sized) {
        inputs->batch.count = array_rows(&inputs->arrays[inputs->n_arrays - 1]);
        inputs->sized = true;
    }
    if (columns > 1)
        return split(inputs, columns, to);
    to[0] = inputs->arrays[inputs->n_arrays - 1].view.buf;
    return true;
}

/* ---- Motion, states, host inputs --------------------------------------------------------------------------------- */

static bool read_motion(law_inputs *inputs, const motion *wanted, PyObject *value)
{
    const double *columns[3] = {0};
    if (!read_columns(inputs, value, wanted->name, wanted->columns, columns))
        return false;
    for (uint32_t k = 0; k < wanted->columns; k++)
        memcpy((char *)&inputs->batch + wanted->offset[k], &columns[k], sizeof columns[k]);
    return true;
}

/* Arrays before numbers, since a number fills as many lanes as the arrays have; if all are numbers there is one
 * lane. */
static bool read_motions(law_inputs *inputs, PyObject *const *values)
{
    for (size_t i = 0; i < MOTIONS; i++)
        if (values[i] && !(motions[i].columns == 1 && is_number(values[i])) &&
            !read_motion(inputs, &motions[i], values[i]))
            return false;
    if (!inputs->sized)
        inputs->batch.count = 1;
    inputs->sized = true;
    for (size_t i = 0; i < MOTIONS; i++)
        if (values[i] && motions[i].columns == 1 && is_number(values[i]) &&
            !read_motion(inputs, &motions[i], values[i]))
            return false;
    return true;
}

static bool needs_motions(const law_object *law, const char *function, PyObject *const *values)
{
    for (size_t i = 0; i < MOTIONS; i++)
        if (!values[i] && (law->info->model->inputs & motions[i].input)) {
            PyErr_Format(PyExc_TypeError, "%s() needs the argument '%s', which %s reads", function, motions[i].name,
                         law->info->model->name);
            return false;
        }
    return true;
}

/* Zeros if it is omitted: the states of a contact before its law establishes them. */
static bool read_state(const law_object *law, law_inputs *inputs, PyObject *value)
{
    const size_t  n_state = law->info->n_state, count = inputs->batch.count;
    const double *columns;
    if (value && !take(inputs, value, "state", (Py_ssize_t)n_state, (Py_ssize_t)count))
        return false;
    columns = value ? inputs->arrays[inputs->n_arrays - 1].view.buf : new_copy(inputs, n_state * count);
    if (!columns)
        return false;
    for (size_t k = 0; k < n_state; k++)
        inputs->state[k] = columns + k * count;
    inputs->batch.state = inputs->state;
    return true;
}

/* A dictionary with `count` names of the model's own; NULL: it was omitted. */
static bool has_known_names(PyObject *given, const char *argument, const char *what, const pcm_model *model,
                            size_t count, const char *(*name_of)(const pcm_model *, size_t))
{
    Py_ssize_t at = 0;
    PyObject  *name, *value;
    if (given && !PyDict_Check(given)) {
        PyErr_Format(PyExc_TypeError, "%s: a dictionary of %ss by name is wanted", argument, what);
        return false;
    }
    while (given && PyDict_Next(given, &at, &name, &value)) {
        size_t i = 0;
        while (i < count && !(PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, name_of(model, i)) == 0))
            i++;
        if (i == count) {
            PyErr_Format(PyExc_ValueError, "%s: %s has no %s %R", argument, model->name, what, name);
            return false;
        }
    }
    return true;
}

static const char *host_input_name(const pcm_model *model, size_t i) { return pcm_model_host_input(model, i)->name; }

/* An omitted input gets its fallback in every lane; an input without a fallback is required if the law reads it. */
static bool read_fallback(const law_object *law, const char *function, law_inputs *inputs, const pcm_host_input *wanted,
                          uint32_t column)
{
    const double fallback = pcm_type_input_fallback(law->type, column);
    if (isnan(fallback)) {
        if (!pcm_type_when(law->type, wanted->when))
            return true;
        PyErr_Format(PyExc_TypeError, "%s() needs inputs={'%s': ...}, which %s reads", function, wanted->name,
                     law->info->model->name);
        return false;
    }
    double *copy = new_copy(inputs, inputs->batch.count);
    for (size_t i = 0; copy && i < inputs->batch.count; i++)
        copy[i] = fallback;
    inputs->host_inputs[column] = copy;
    return copy;
}

static bool read_host_inputs(const law_object *law, const char *function, law_inputs *inputs, PyObject *given)
{
    const pcm_model *model = law->info->model;
    if (!has_known_names(given, "inputs", "host input", model, model->host_inputs.count, host_input_name))
        return false;
    for (size_t i = 0, column = 0; i < model->host_inputs.count; i++) {
        const pcm_host_input *wanted = pcm_model_host_input(model, i);
        PyObject             *value = given ? PyDict_GetItemString(given, wanted->name) : NULL;
        const uint32_t        columns = pcm_columns_of(wanted->shape);
        if (!(value ? read_columns(inputs, value, wanted->name, columns, &inputs->host_inputs[column])
                    : read_fallback(law, function, inputs, wanted, (uint32_t)column)))
            return false;
        column += columns;
    }
    inputs->batch.host_inputs = inputs->host_inputs;
    return true;
}

/* ---- Amounts ----------------------------------------------------------------------------------------------------- */

static const char *amount_name(const pcm_model *model, size_t i) { return pcm_model_amount(model, i)->name; }

/* The amounts of one side: a dictionary by name; omitted ones get the initial value that a world uses. */
static bool read_amounts(const law_object *law, law_inputs *inputs, const char *argument, PyObject *given,
                         const double **columns)
{
    const pcm_model *model = law->info->model;
    if (!has_known_names(given, argument, "amount", model, model->amounts.count, amount_name))
        return false;
    for (size_t i = 0; i < model->amounts.count; i++) {
        const pcm_amount *amount = pcm_model_amount(model, i);
        PyObject         *value = given ? PyDict_GetItemString(given, amount->name) : NULL;
        PyObject         *initial = value ? NULL : PyFloat_FromDouble(amount->initial);
        const bool        done =
            (value || initial) && read_columns(inputs, value ? value : initial, amount->name, 1, &columns[i]);
        Py_XDECREF(initial);
        if (!done)
            return false;
    }
    return true;
}

/* ---- Reading all arguments --------------------------------------------------------------------------------------- */

static bool read_seconds(PyObject *value, double *seconds)
{
    if (value)
        *seconds = PyFloat_AsDouble(value);
    return !PyErr_Occurred();
}

bool law_inputs_read(const law_object *law, const char *function, PyObject *arguments, PyObject *keywords,
                     law_inputs *inputs)
{
    enum { STATE = MOTIONS, INPUTS, BASE, FOLLOWER, TIME, DT, NAMES };
    const char *names[NAMES] = {
        [STATE] = "state", [INPUTS] = "inputs", [BASE] = "base_amounts", [FOLLOWER] = "follower_amounts",
        [TIME] = "time",   [DT] = "dt"};
    PyObject *values[NAMES];
    memset(inputs, 0, sizeof *inputs);
    inputs->module = law->state;
    inputs->batch.size = sizeof inputs->batch;
    inputs->batch.base_amount = inputs->amount[0];
    inputs->batch.follower_amount = inputs->amount[1];
    for (size_t i = 0; i < MOTIONS; i++)
        names[i] = motions[i].name;
    if (PyTuple_Size(arguments) > 0) {
        PyErr_Format(PyExc_TypeError, "%s() takes its arguments by name: depth=..., slip=...", function);
        return false;
    }
    return arguments_unpack(function, names, 0, NAMES, arguments, keywords, values) &&
           needs_motions(law, function, values) && read_motions(inputs, values) &&
           read_state(law, inputs, values[STATE]) && read_host_inputs(law, function, inputs, values[INPUTS]) &&
           read_amounts(law, inputs, names[BASE], values[BASE], inputs->amount[0]) &&
           read_amounts(law, inputs, names[FOLLOWER], values[FOLLOWER], inputs->amount[1]) &&
           read_seconds(values[TIME], &inputs->batch.time) && read_seconds(values[DT], &inputs->batch.dt);
}

void law_inputs_free(law_inputs *inputs)
{
    array_release(inputs->arrays, inputs->n_arrays);
    while (inputs->n_copies > 0)
        free(inputs->copies[--inputs->n_copies]);
}
