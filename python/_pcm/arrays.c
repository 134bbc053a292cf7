/* SPDX-License-Identifier: MIT */
/* arrays.c - the caller's arrays by the buffer protocol, without a copy, or an exception that says what is wrong. */
#include "extension.h"
#include <stdio.h>
#include <string.h>

static const struct {
    char        formats[2]; /* type codes of the module struct, 8 bytes each here */
    const char *dtype;      /* numpy's name for it */
} kinds[] = {[ARRAY_DOUBLE] = {"dd", "float64"}, [ARRAY_UNSIGNED] = {"LQ", "uint64"}, [ARRAY_SIGNED] = {"lq", "int64"}};

static bool is_kind(const Py_buffer *view, array_kind kind)
{
    const char *format = view->format ? view->format : "B", *const known = kinds[kind].formats;
    format += *format == '<' || *format == '=' || *format == '@';
    return view->itemsize == 8 && (*format == known[0] || *format == known[1]) && !format[1];
}

static bool is_shape(const Py_buffer *view, Py_ssize_t rows, Py_ssize_t columns)
{
    return view->ndim == (columns == ARRAY_LIST ? 1 : 2) && (rows == ARRAY_ANY || view->shape[0] == rows) &&
           (columns < 0 || view->shape[1] == columns);
}

static void shape_text(char *text, size_t size, Py_ssize_t rows, Py_ssize_t columns)
{
    char first[32] = "n", second[32] = "n";
    if (rows != ARRAY_ANY)
        snprintf(first, sizeof first, "%zd", rows);
    if (columns >= 0)
        snprintf(second, sizeof second, "%zd", columns);
    snprintf(text, size, columns == ARRAY_LIST ? "(%s,)" : "(%s, %s)", first, second);
}

static void complain_of_shape(const Py_buffer *view, const char *name, Py_ssize_t rows, Py_ssize_t columns)
{
    char wanted[64], found[64] = "another number of dimensions";
    shape_text(wanted, sizeof wanted, rows, columns);
    if (view->ndim == 1 || view->ndim == 2)
        shape_text(found, sizeof found, view->shape[0], view->ndim == 2 ? view->shape[1] : ARRAY_LIST);
    PyErr_Format(PyExc_ValueError, "%s: the shape is to be %s, not %s", name, wanted, found);
}

/* The reason why the array cannot be used; NULL if it can. */
static PyObject *check(const Py_buffer *view, const char *name, bool known, array_kind kind, Py_ssize_t rows,
                       Py_ssize_t columns, uint32_t flags)
{
    if (!known && !is_kind(view, kind))
        return PyErr_Format(PyExc_TypeError, "%s: the array is to be %s, not of format '%s': give it as .astype('%s')",
                            name, kinds[kind].dtype, view->format ? view->format : "B", kinds[kind].dtype);
    if (!is_shape(view, rows, columns))
        complain_of_shape(view, name, rows, columns);
    else if (!PyBuffer_IsContiguous(view, 'C'))
        PyErr_Format(PyExc_ValueError,
                     "%s: the array is not in C order (a slice or a transposed one): give numpy.ascontiguousarray(%s)",
                     name, name);
    else if ((flags & ARRAY_WRITABLE) && view->readonly)
        PyErr_Format(PyExc_ValueError, "%s: the array is read-only", name);
    return NULL;
}

/* numpy composes the format text at each call, so skip it if the array's dtype already gives the kind. */
static bool is_known(const module_state *state, PyObject *object, array_kind kind)
{
    PyObject *const dtypes[] = {
        [ARRAY_DOUBLE] = state->float64, [ARRAY_UNSIGNED] = state->uint64, [ARRAY_SIGNED] = state->int64};
    if ((PyObject *)Py_TYPE(object) != state->array)
        return false;
    PyObject  *dtype = PyObject_GetAttr(object, state->dtype);
    const bool known = dtype == dtypes[kind];
    if (!dtype)
        PyErr_Clear();
    Py_XDECREF(dtype);
    return known;
}

bool array_take(const module_state *state, PyObject *object, const char *name, array_kind kind, Py_ssize_t rows,
                Py_ssize_t columns, uint32_t flags, array *taken)
{
    const bool known = is_known(state, object, kind);
    if (PyObject_GetBuffer(object, &taken->view, known ? PyBUF_STRIDES : PyBUF_RECORDS_RO) != 0) {
        taken->view.obj = NULL;
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: an array of %s is wanted, not %R", name, kinds[kind].dtype, Py_TYPE(object));
        return false;
    }
    check(&taken->view, name, known, kind, rows, columns, flags);
    if (!PyErr_Occurred())
        return true;
    PyBuffer_Release(&taken->view);
    return false;
}

void array_release(array *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++)
        PyBuffer_Release(&arrays[i].view);
}

size_t array_rows(const array *taken) { return (size_t)taken->view.shape[0]; }

PyObject *array_new(module_state *state, array_kind kind, size_t rows, Py_ssize_t columns, array *taken)
{
    const char *const dtype = kinds[kind].dtype;
    PyObject         *made = columns == ARRAY_LIST
                                 ? PyObject_CallFunction(state->zeros, "(n)s", (Py_ssize_t)rows, dtype)
                                 : PyObject_CallFunction(state->zeros, "(nn)s", (Py_ssize_t)rows, columns, dtype);
    if (made && PyObject_GetBuffer(made, &taken->view, PyBUF_RECORDS) != 0)
        Py_CLEAR(made);
    return made;
}
