/* SPDX-License-Identifier: MIT */
/* arguments.c - the arguments of a call, by position and by name. */
#include "extension.h"

static bool assign(const char *function, const char *name, PyObject *value, PyObject **slot)
{
    if (*slot) {
        PyErr_Format(PyExc_TypeError, "%s() got two values for '%s'", function, name);
        return false;
    }
    *slot = value;
    return true;
}

static bool assign_by_name(const char *function, const char *const *names, size_t count, PyObject *name,
                           PyObject *value, PyObject **values)
{
    for (size_t i = 0; i < count; i++)
        if (PyUnicode_CompareWithASCIIString(name, names[i]) == 0)
            return assign(function, names[i], value, &values[i]);
    PyErr_Format(PyExc_TypeError, "%s() has no argument '%U'", function, name);
    return false;
}

static bool assign_by_place(const char *function, const char *const *names, size_t count, Py_ssize_t place,
                            PyObject *value, PyObject **values)
{
    if ((size_t)place < count)
        return assign(function, names[place], value, &values[place]);
    PyErr_Format(PyExc_TypeError, "%s() takes at most %zu arguments", function, count);
    return false;
}

static bool all_given(const char *function, const char *const *names, size_t required, PyObject *const *values)
{
    for (size_t i = 0; i < required; i++)
        if (!values[i]) {
            PyErr_Format(PyExc_TypeError, "%s() needs the argument '%s'", function, names[i]);
            return false;
        }
    return true;
}

bool arguments_read(const char *function, const char *const *names, size_t required, size_t count,
                    PyObject *const *given, Py_ssize_t n_given, PyObject *keywords, PyObject **values)
{
    const Py_ssize_t n_keywords = keywords ? PyTuple_Size(keywords) : 0;
    memset(values, 0, count * sizeof(PyObject *));
    for (Py_ssize_t i = 0; i < n_given; i++)
        if (!assign_by_place(function, names, count, i, given[i], values))
            return false;
    for (Py_ssize_t i = 0; i < n_keywords; i++)
        if (!assign_by_name(function, names, count, PyTuple_GetItem(keywords, i), given[n_given + i], values))
            return false;
    return all_given(function, names, required, values);
}

bool arguments_unpack(const char *function, const char *const *names, size_t required, size_t count, PyObject *tuple,
                      PyObject *dictionary, PyObject **values)
{
    const Py_ssize_t n_given = PyTuple_Size(tuple);
    Py_ssize_t       at = 0;
    PyObject        *name, *value;
    memset(values, 0, count * sizeof(PyObject *));
    for (Py_ssize_t i = 0; i < n_given; i++)
        if (!assign_by_place(function, names, count, i, PyTuple_GetItem(tuple, i), values))
            return false;
    while (dictionary && PyDict_Next(dictionary, &at, &name, &value))
        if (!assign_by_name(function, names, count, name, value, values))
            return false;
    return all_given(function, names, required, values);
}
