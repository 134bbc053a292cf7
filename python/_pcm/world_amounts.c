/* SPDX-License-Identifier: MIT */
/* world_amounts.c - amounts of objects, such as temperatures, and the flows into them. */
#include "world.h"

static bool tell(world_object *world, pcm_status status, const char *call)
{
    return mailbox_tell(&world->config->mail, world->state, status, call);
}

/* Reads values or flows of objects into numbers. Returns how many it has read. */
static size_t read_amounts(const pcm_world *world, size_t index, bool flow, const handles *objects, double *numbers)
{
    pcm_amount_info info = {.size = sizeof info};
    size_t          i = 0;
    for (; i < objects->count && pcm_world_amount(world, objects->at[i], index, &info) == PCM_OK; i++)
        numbers[i] = flow ? info.flow : info.value;
    return i;
}

/* _amount(index, flow, objects) */
PyObject *world_amount(PyObject *self, PyObject *arguments)
{
    world_object  *world = (world_object *)self;
    Py_ssize_t     index;
    int            flow;
    PyObject      *given;
    handles        objects;
    array          made = {0};
    PyThreadState *thread;
    if (!PyArg_ParseTuple(arguments, "npO:amount", &index, &flow, &given) ||
        !take_handles(world->state, given, "objects", &objects))
        return NULL;
    PyObject *out = array_new(world->state, ARRAY_DOUBLE, objects.count, ARRAY_LIST, &made);
    if (out && world_enter(world, &thread)) {
        const size_t count = read_amounts(world->world, (size_t)index, flow, &objects, made.view.buf);
        world_leave(world, thread);
        if (tell(world, PCM_OK, "amount") && count < objects.count)
            reject_handle("objects", &objects, count, not_live);
    }
    array_release(&made, 1);
    array_release(&objects.held, 1);
    if (PyErr_Occurred())
        Py_CLEAR(out);
    return out;
}

/* The values for all objects: one number, or one for each. */
static size_t write_amounts(pcm_world *world, size_t index, bool capacity, const handles *objects, const double *values,
                            size_t step)
{
    size_t i = 0;
    for (; i < objects->count; i++) {
        const double     value = values[i * step];
        const pcm_status status = capacity ? pcm_world_set_capacity(world, objects->at[i], index, value)
                                           : pcm_world_set_amount(world, objects->at[i], index, value);
        if (status != PCM_OK)
            break;
    }
    return i;
}

/* _set_amount(index, capacity, objects, values) */
PyObject *world_set_amount(PyObject *self, PyObject *arguments)
{
    world_object  *world = (world_object *)self;
    Py_ssize_t     index;
    int            capacity;
    PyObject      *given, *numbers;
    handles        objects;
    array          values = {0};
    PyThreadState *thread;
    if (!PyArg_ParseTuple(arguments, "npOO:set_amount", &index, &capacity, &given, &numbers) ||
        !take_handles(world->state, given, "objects", &objects))
        return NULL;
    const bool one = PyFloat_Check(numbers) || PyLong_Check(numbers);
    double     number = one ? PyFloat_AsDouble(numbers) : 0;
    bool       done = !PyErr_Occurred() &&
                (one || array_take(world->state, numbers, "values", ARRAY_DOUBLE, (Py_ssize_t)objects.count, ARRAY_LIST,
                                   0, &values)) &&
                world_enter(world, &thread);
    if (done) {
        const size_t count = write_amounts(world->world, (size_t)index, capacity, &objects,
                                           one ? &number : values.view.buf, one ? 0 : 1);
        world_leave(world, thread);
        done = tell(world, PCM_OK, "set_amount") && count == objects.count;
        if (!done && !PyErr_Occurred())
            reject_handle("objects", &objects, count, not_live);
    }
    array_release(&values, 1);
    array_release(&objects.held, 1);
    return done ? Py_NewRef(Py_None) : NULL;
}
