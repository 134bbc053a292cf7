/* SPDX-License-Identifier: MIT */
/* world.c - a world: bodies and contacts in the caller's arrays. */
#include "world.h"
#include <pcm/contact_shape.h>
#include <pcm/setting.h>
#include <string.h>

/* ---- One thread at a time ---------------------------------------------------------------------------------------- */

bool world_claim(world_object *world)
{
    if (!world->world) {
        PyErr_SetString(PyExc_RuntimeError, "the world is gone: its attachment to a simulator was closed");
        return false;
    }
    if (world->tied && world->forks != process_forks()) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a world with threads or logs stays in the process that made it: make one after the fork");
        return false;
    }
    if (atomic_flag_test_and_set(world->busy)) {
        PyErr_SetString(PyExc_RuntimeError, "the world is in a call of another thread: give each thread its own");
        return false;
    }
    return true;
}

void world_drop(world_object *world) { atomic_flag_clear(world->busy); }

bool world_enter(world_object *world, PyThreadState **thread)
{
    if (!world_claim(world))
        return false;
    *thread = library_enter();
    return true;
}

void world_leave(world_object *world, PyThreadState *thread)
{
    library_leave(thread);
    world_drop(world);
}

static bool tell(world_object *world, pcm_status status, const char *call)
{
    return mailbox_tell(&world->config->mail, world->state, status, call);
}

static PyObject *none_if(bool done) { return done ? Py_NewRef(Py_None) : NULL; }

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static world_object *new_world(PyTypeObject *type, module_state *state, config_object *config)
{
    world_object *world = object_new(type);
    if (!world)
        return NULL;
    world->state = state;
    world->config = (config_object *)Py_NewRef((PyObject *)config);
    world->forks = process_forks();
    world->busy = &world->own_busy;
    atomic_flag_clear(world->busy);
    return world;
}

world_object *world_of_host(PyObject *type, config_object *config, PyObject *host, pcm_world *own, atomic_flag *busy,
                            world_object **kept_by)
{
    world_object *world = new_world((PyTypeObject *)type, config->state, config);
    if (!world)
        return NULL;
    world->host = Py_NewRef(host);
    world->world = own;
    world->busy = busy;
    world->kept_by = kept_by;
    return world;
}

/* World(config, threads: int, log: bytes | None, ledger: bool) */
static PyObject *world_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    PyObject     *config, *log;
    unsigned      threads;
    int           ledger;
    module_state *state = module_state_of(type);
    (void)keywords;
    if (!state || !PyArg_ParseTuple(arguments, "O!IOp:World", state->config, &config, &threads, &log, &ledger))
        return NULL;
    world_object *world = new_world(type, state, (config_object *)config);
    if (!world)
        return NULL;
    pcm_world_def def = pcm_world_defaults();
    def.threads = threads;
    def.log_directory = log == Py_None ? NULL : PyBytes_AsString(log);
    def.ledger = ledger;
    world->tied = threads > 1 || def.log_directory;
    if (!PyErr_Occurred())
        world->world = pcm_world_new(world->config->config, &def);
    if (!PyErr_Occurred() && tell(world, world->world ? PCM_OK : PCM_NO_MEMORY, "World"))
        return (PyObject *)world;
    Py_DecRef((PyObject *)world);
    return NULL;
}

/* A world copied by a fork has no threads, and shares its logs with the parent: leave it alone. */
static void world_dealloc(PyObject *self)
{
    world_object *world = (world_object *)self;
    if (!world->host && world->world && !(world->tied && world->forks != process_forks())) {
        PyThreadState *thread = library_enter();
        pcm_world_free(world->world);
        library_leave(thread);
    }
    if (world->kept_by)
        *world->kept_by = NULL;
    Py_XDECREF(world->host);
    Py_XDECREF((PyObject *)world->config);
    object_free(self);
}

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

static pcm_object object_of(uint64_t handle) { return (pcm_object){(uint32_t)handle, (uint32_t)(handle >> 32)}; }

/* _add(name, surface: str | None, radius, mass, fixed): its handle. */
static PyObject *add(PyObject *self, PyObject *arguments)
{
    world_object  *world = (world_object *)self;
    pcm_object_def def = pcm_object_defaults();
    int            fixed;
    PyThreadState *thread;
    if (!PyArg_ParseTuple(arguments, "szddp:add", &def.name, &def.surface, &def.radius, &def.mass, &fixed) ||
        !world_enter(world, &thread))
        return NULL;
    def.fixed = fixed;
    const pcm_object object = pcm_world_add_object(world->world, &def);
    world_leave(world, thread);
    if (!tell(world, object.generation ? PCM_OK : PCM_BAD_ARGUMENT, "add"))
        return NULL;
    return PyLong_FromUnsignedLongLong(handle_of(object.index, object.generation));
}

bool take_handles(const module_state *state, PyObject *value, const char *name, handles *taken)
{
    taken->held.view.obj = NULL;
    taken->single = PyLong_Check(value) || !PySequence_Check(value);
    if (taken->single && PyIndex_Check(value)) {
        PyObject *number = PyNumber_Index(value);
        taken->one = object_of(number ? PyLong_AsUnsignedLongLong(number) : 0);
        taken->at = &taken->one;
        taken->count = 1;
        Py_XDECREF(number);
        if (!PyErr_Occurred())
            return true;
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s: %R is no handle", name, value);
        return false;
    }
    if (!array_take(state, value, name, ARRAY_UNSIGNED, ARRAY_ANY, ARRAY_LIST, 0, &taken->held))
        return false;
    taken->at = taken->held.view.buf;
    taken->count = array_rows(&taken->held);
    taken->single = taken->count == 1;
    return true;
}

PyObject *reject_handle(const char *name, const handles *of, size_t at, const char *why)
{
    const pcm_object object = of->at[of->single ? 0 : at];
    return PyErr_Format(PyExc_ValueError, "%s[%zu]: %llu %s", name, at,
                        (unsigned long long)handle_of(object.index, object.generation), why);
}

const char not_live[] = "is no live object of this world";

/* remove(objects) */
static PyObject *remove_objects(PyObject *self, PyObject *value)
{
    world_object  *world = (world_object *)self;
    handles        objects;
    size_t         i = 0;
    PyThreadState *thread;
    if (!take_handles(world->state, value, "objects", &objects))
        return NULL;
    bool done = world_enter(world, &thread);
    if (done) {
        while (i < objects.count && pcm_world_remove(world->world, objects.at[i]) == PCM_OK)
            i++;
        world_leave(world, thread);
        done = tell(world, PCM_OK, "remove");
    }
    if (done && i < objects.count) {
        reject_handle("objects", &objects, i, not_live);
        done = false;
    }
    array_release(&objects.held, 1);
    return none_if(done);
}

/* ---- Motion and wrenches ----------------------------------------------------------------------------------------- */

/* move(objects, poses, twists) */
static PyObject *move(PyObject *self, PyObject *const *given, Py_ssize_t n_given, PyObject *keywords)
{
    static const char *const names[] = {"objects", "poses", "twists"};
    world_object            *world = (world_object *)self;
    PyObject                *values[3];
    handles                  objects;
    array                    arrays[2] = {0};
    PyThreadState           *thread;
    if (!arguments_read("move", names, 3, 3, given, n_given, keywords, values) ||
        !take_handles(world->state, values[0], "objects", &objects))
        return NULL;
    const Py_ssize_t n = (Py_ssize_t)objects.count;
    bool             done = array_take(world->state, values[1], "poses", ARRAY_DOUBLE, n, 7, 0, &arrays[0]) &&
                array_take(world->state, values[2], "twists", ARRAY_DOUBLE, n, 6, 0, &arrays[1]) &&
                world_enter(world, &thread);
    if (done) {
        const size_t moved =
            pcm_world_move_many(world->world, objects.at, arrays[0].view.buf, arrays[1].view.buf, objects.count);
        world_leave(world, thread);
        done = tell(world, PCM_OK, "move") && moved == objects.count;
        if (!done && !PyErr_Occurred())
            reject_handle("objects", &objects, moved,
                          "is no live object of this world, or is fixed and was placed elsewhere");
    }
    array_release(arrays, 2);
    array_release(&objects.held, 1);
    return none_if(done);
}

/* set_surface_velocity(objects, twists) */
static PyObject *set_surface_velocity(PyObject *self, PyObject *const *given, Py_ssize_t n_given, PyObject *keywords)
{
    static const char *const names[] = {"objects", "twists"};
    world_object            *world = (world_object *)self;
    PyObject                *values[2];
    handles                  objects;
    array                    twists = {0};
    PyThreadState           *thread;
    if (!arguments_read("set_surface_velocity", names, 2, 2, given, n_given, keywords, values) ||
        !take_handles(world->state, values[0], "objects", &objects))
        return NULL;
    bool done = array_take(world->state, values[1], "twists", ARRAY_DOUBLE, (Py_ssize_t)objects.count, 6, 0, &twists) &&
                world_enter(world, &thread);
    if (done) {
        const pcm_twist *twist = twists.view.buf;
        size_t           i = 0;
        while (i < objects.count && pcm_world_set_surface_velocity(world->world, objects.at[i], &twist[i]) == PCM_OK)
            i++;
        world_leave(world, thread);
        done = tell(world, PCM_OK, "set_surface_velocity") && i == objects.count;
        if (!done && !PyErr_Occurred())
            reject_handle("objects", &objects, i, not_live);
    }
    array_release(&twists, 1);
    array_release(&objects.held, 1);
    return none_if(done);
}

/* wrench(objects, out) */
static PyObject *wrench(PyObject *self, PyObject *const *given, Py_ssize_t n_given, PyObject *keywords)
{
    static const char *const names[] = {"objects", "out"};
    world_object            *world = (world_object *)self;
    PyObject                *values[2], *out = NULL;
    handles                  objects;
    array                    written = {0};
    PyThreadState           *thread;
    if (!arguments_read("wrench", names, 1, 2, given, n_given, keywords, values) ||
        !take_handles(world->state, values[0], "objects", &objects))
        return NULL;
    if (!values[1] || values[1] == Py_None)
        out = array_new(world->state, ARRAY_DOUBLE, objects.count, 6, &written);
    else if (array_take(world->state, values[1], "out", ARRAY_DOUBLE, (Py_ssize_t)objects.count, 6, ARRAY_WRITABLE,
                        &written))
        out = Py_NewRef(values[1]);
    if (out && world_enter(world, &thread)) {
        const size_t count = pcm_world_wrench_many(world->world, objects.at, written.view.buf, objects.count);
        world_leave(world, thread);
        if (tell(world, PCM_OK, "wrench") && count < objects.count)
            reject_handle("objects", &objects, count, not_live);
    }
    array_release(&written, 1);
    array_release(&objects.held, 1);
    if (PyErr_Occurred())
        Py_CLEAR(out);
    return out;
}

/* ---- Touches ----------------------------------------------------------------------------------------------------- */

enum { A, B, FEATURE, POINT, NORMAL, DEPTH, CONTACTS, AREA, SHARE, SHAPE, TOUCH_ARGUMENTS };

typedef struct touches {
    handles           a, b;
    array             arrays[TOUCH_ARGUMENTS];
    pcm_touch_columns columns;
} touches;

static bool is_given(PyObject *value) { return value && value != Py_None; }

bool take_objects(const module_state *state, PyObject *value, const char *name, size_t count, handles *objects)
{
    if (!take_handles(state, value, name, objects))
        return false;
    if (objects->count == count || objects->single)
        return true;
    PyErr_Format(PyExc_ValueError, "%s: %zu objects for %zu touches: one, or one for each", name, objects->count,
                 count);
    return false;
}

/* Rows of pcm.SHAPE, as pcm.shapes() makes them, which know their size. */
static bool take_shapes(PyObject *value, size_t count, array *taken)
{
    const pcm_contact_shape *shape = NULL;
    if (PyObject_GetBuffer(value, &taken->view, PyBUF_ND | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0)
        return false;
    const Py_buffer *view = &taken->view;
    bool             fits = view->ndim == 1 && view->itemsize == sizeof *shape && view->shape[0] == (Py_ssize_t)count;
    shape = view->buf;
    for (size_t i = 0; fits && i < count; i++)
        fits = shape[i].size == sizeof *shape;
    if (!fits)
        PyErr_Format(PyExc_ValueError, "shape: give an array by pcm.shapes(%zu), with a row for each touch", count);
    return fits;
}

/* Depth determines the number of touches. */
static bool take_touches(const module_state *state, PyObject *const *values, touches *t)
{
    memset(t, 0, sizeof *t);
    if (!array_take(state, values[DEPTH], "depth", ARRAY_DOUBLE, ARRAY_ANY, ARRAY_LIST, 0, &t->arrays[DEPTH]))
        return false;
    const size_t     count = array_rows(&t->arrays[DEPTH]);
    const Py_ssize_t n = (Py_ssize_t)count;
    if (!take_objects(state, values[A], "a", count, &t->a) || !take_objects(state, values[B], "b", count, &t->b) ||
        !array_take(state, values[POINT], "point", ARRAY_DOUBLE, n, 3, 0, &t->arrays[POINT]) ||
        !array_take(state, values[NORMAL], "normal", ARRAY_DOUBLE, n, 3, 0, &t->arrays[NORMAL]) ||
        (is_given(values[FEATURE]) &&
         !array_take(state, values[FEATURE], "feature", ARRAY_UNSIGNED, n, ARRAY_LIST, 0, &t->arrays[FEATURE])) ||
        (is_given(values[CONTACTS]) && !array_take(state, values[CONTACTS], "contacts", ARRAY_UNSIGNED, n, ARRAY_LIST,
                                                   ARRAY_WRITABLE, &t->arrays[CONTACTS])) ||
        (is_given(values[AREA]) &&
         !array_take(state, values[AREA], "area", ARRAY_DOUBLE, n, ARRAY_LIST, 0, &t->arrays[AREA])) ||
        (is_given(values[SHARE]) &&
         !array_take(state, values[SHARE], "share", ARRAY_DOUBLE, n, ARRAY_LIST, 0, &t->arrays[SHARE])) ||
        (is_given(values[SHAPE]) && !take_shapes(values[SHAPE], count, &t->arrays[SHAPE])))
        return false;
    t->columns = (pcm_touch_columns){.size = sizeof t->columns,
                                     .count = count,
                                     .a = t->a.at,
                                     .b = t->b.at,
                                     .one_a = t->a.single,
                                     .one_b = t->b.single,
                                     .feature = t->arrays[FEATURE].view.buf,
                                     .point = t->arrays[POINT].view.buf,
                                     .normal = t->arrays[NORMAL].view.buf,
                                     .depth = t->arrays[DEPTH].view.buf,
                                     .contacts = t->arrays[CONTACTS].view.buf,
                                     .area = t->arrays[AREA].view.buf,
                                     .share = t->arrays[SHARE].view.buf,
                                     .shape = t->arrays[SHAPE].view.buf};
    return true;
}

static bool report_touches(world_object *world, const touches *t)
{
    PyThreadState *thread;
    if (!world_enter(world, &thread))
        return false;
    const size_t count = pcm_world_touch_many(world->world, &t->columns);
    world_leave(world, thread);
    if (!tell(world, PCM_OK, "touch"))
        return false;
    if (count == t->columns.count)
        return true;
    const pcm_object a = t->a.at[t->a.single ? 0 : count], b = t->b.at[t->b.single ? 0 : count];
    PyErr_Format(PyExc_ValueError, "a[%zu], b[%zu]: %llu and %llu are not two live objects of this world", count, count,
                 (unsigned long long)handle_of(a.index, a.generation),
                 (unsigned long long)handle_of(b.index, b.generation));
    return false;
}

/* touch(a, b, feature, point, normal, depth, contacts=None, area=None, share=None, shape=None) */
static PyObject *touch(PyObject *self, PyObject *const *given, Py_ssize_t n_given, PyObject *keywords)
{
    static const char *const names[] = {"a",     "b",        "feature", "point", "normal",
                                        "depth", "contacts", "area",    "share", "shape"};
    PyObject                *values[TOUCH_ARGUMENTS];
    touches                  t;
    if (!arguments_read("touch", names, 6, TOUCH_ARGUMENTS, given, n_given, keywords, values))
        return NULL;
    const bool done =
        take_touches(((world_object *)self)->state, values, &t) && report_touches((world_object *)self, &t);
    array_release(t.arrays, TOUCH_ARGUMENTS);
    array_release(&t.a.held, 1);
    array_release(&t.b.held, 1);
    return none_if(done);
}

static pcm_contact contact_of(uint64_t handle) { return (pcm_contact){(uint32_t)handle, (uint32_t)(handle >> 32)}; }

/* set(name, value) */
static PyObject *set(PyObject *self, PyObject *const *given, Py_ssize_t n_given)
{
    world_object *world = (world_object *)self;
    if (n_given != 2)
        return PyErr_Format(PyExc_TypeError, "set(name, value) takes 2 arguments, not %zd", n_given);
    const char  *name = PyUnicode_AsUTF8AndSize(given[0], NULL);
    const double value = name ? PyFloat_AsDouble(given[1]) : 0;
    if (PyErr_Occurred() || !world_claim(world))
        return NULL;
    const pcm_status status = pcm_world_set(world->world, name, value);
    world_drop(world);
    return none_if(tell(world, status, "set"));
}

/* set_input(contacts, column, values) */
static PyObject *set_input(PyObject *self, PyObject *const *given, Py_ssize_t n_given, PyObject *keywords)
{
    static const char *const names[] = {"contacts", "column", "values"};
    world_object            *world = (world_object *)self;
    PyObject                *values[3];
    array                    arrays[2] = {0};
    PyThreadState           *thread;
    pcm_status               status = PCM_OK;
    size_t                   i = 0;
    if (!arguments_read("set_input", names, 3, 3, given, n_given, keywords, values) ||
        !array_take(world->state, values[0], "contacts", ARRAY_UNSIGNED, ARRAY_ANY, ARRAY_LIST, 0, &arrays[0]))
        return NULL;
    const size_t   count = array_rows(&arrays[0]);
    const uint32_t column = (uint32_t)PyLong_AsUnsignedLong(values[1]);
    bool           done =
        !PyErr_Occurred() &&
        array_take(world->state, values[2], "values", ARRAY_DOUBLE, (Py_ssize_t)count, ARRAY_LIST, 0, &arrays[1]) &&
        world_enter(world, &thread);
    if (done) {
        const uint64_t *contacts = arrays[0].view.buf;
        const double   *numbers = arrays[1].view.buf;
        for (; i < count && status == PCM_OK; i++)
            status = pcm_world_set_input(world->world, contact_of(contacts[i]), column, numbers[i]);
        world_leave(world, thread);
        done = tell(world, PCM_OK, "set_input") && status == PCM_OK;
        if (!done && !PyErr_Occurred())
            PyErr_Format(PyExc_ValueError,
                         status == PCM_BAD_HANDLE ? "contacts[%zu] is no live contact of this world"
                                                  : "column: the law of contacts[%zu] has no such host input",
                         i - 1);
    }
    array_release(arrays, 2);
    return none_if(done);
}

/* ---- Evaluations ------------------------------------------------------------------------------------------------- */

/* update(t, dt) */
static PyObject *update(PyObject *self, PyObject *const *given, Py_ssize_t n_given, PyObject *keywords)
{
    static const char *const names[] = {"t", "dt"};
    world_object            *world = (world_object *)self;
    PyObject                *values[2];
    PyThreadState           *thread;
    if (!arguments_read("update", names, 2, 2, given, n_given, keywords, values))
        return NULL;
    const double t = PyFloat_AsDouble(values[0]);
    const double dt = PyErr_Occurred() ? 0 : PyFloat_AsDouble(values[1]);
    if (PyErr_Occurred() || !world_enter(world, &thread))
        return NULL;
    const pcm_status status = pcm_world_update(world->world, t, dt);
    if (status != PCM_OK)
        pcm_world_report_faults(world->world);
    world_leave(world, thread);
    return none_if(tell(world, status, "update"));
}

static PyObject *commit(PyObject *self, PyObject *unused)
{
    world_object  *world = (world_object *)self;
    PyThreadState *thread;
    (void)unused;
    if (!world_enter(world, &thread))
        return NULL;
    const pcm_status status = pcm_world_commit(world->world);
    world_leave(world, thread);
    return none_if(tell(world, status, "commit"));
}

static PyObject *flush(PyObject *self, PyObject *unused)
{
    world_object  *world = (world_object *)self;
    PyThreadState *thread;
    (void)unused;
    if (!world_enter(world, &thread))
        return NULL;
    const pcm_status status = pcm_world_flush(world->world);
    world_leave(world, thread);
    return none_if(tell(world, status, "flush"));
}

static PyMethodDef methods[] = {
    {"_add", add, METH_VARARGS, "adds an object"},
    {"remove", remove_objects, METH_O, "remove(objects)"},
    FAST_METHOD("move", move, "move(objects, poses, twists)"),
    FAST_METHOD("set_surface_velocity", set_surface_velocity,
                "set_surface_velocity(objects, twists): how the surfaces of objects move on them, along their axes"),
    FAST_METHOD("wrench", wrench, "wrench(objects, out=None): the wrenches, torque before force"),
    FAST_METHOD("touch", touch,
                "touch(a, b, feature, point, normal, depth, contacts=None, area=None, share=None, shape=None)"),
    FAST_METHOD("touch_near", world_touch_near,
                "touch_near(a, b, point, normal, depth, reach=0, contacts=None, area=None, share=None)"),
    FAST_METHOD("pair", world_pair, "pair(a, b): the name of the contact type that the rules give to two objects"),
    {"_least_step", world_least_step, METH_NOARGS,
     "_least_step(): the largest step at which all contacts are stable, and the objects of the worst"},
    {"set", (PyCFunction)(void (*)(void))set, METH_FASTCALL, "set(name, value): a parameter of a contact type"},
    FAST_METHOD("set_input", set_input, "set_input(contacts, column, values)"),
    FAST_METHOD("update", update, "update(t, dt)"),
    {"commit", commit, METH_NOARGS, "accepts the last update"},
    {"flush", flush, METH_NOARGS, "writes buffered log rows to their files"},
    {"_contacts", world_contacts, METH_O, "_contacts(dtype): the contacts of the last update"},
    {"_amount", world_amount, METH_VARARGS, "_amount(index, flow, objects)"},
    {"_set_amount", world_set_amount, METH_VARARGS, "_set_amount(index, capacity, objects, values)"},
    {"_rule_stats", world_rule_stats, METH_NOARGS, "(made, parted, broken, max_depth, max_slip, max_force) by rule"},
    {"_ledger", world_ledger, METH_NOARGS, "(work, stored, dissipated, residue, brought) by contact type"},
    {"save", world_save, METH_NOARGS, "a checkpoint, as bytes"},
    {"restore", world_restore, METH_O, "restore(bytes)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    SLOT(Py_tp_new, world_new),
    SLOT(Py_tp_dealloc, world_dealloc),
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec world_spec = {
    .name = "_pcm.World",
    .basicsize = sizeof(world_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};
