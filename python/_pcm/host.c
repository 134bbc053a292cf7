/* SPDX-License-Identifier: MIT */
/* host.c - an attachment to a MuJoCo simulation.
 *
 * MuJoCo has no stable ABI, so this file handles models and data as addresses only. The host, hosts/mujoco compiled for
 * the release that the process has loaded, knows their layout: it is a library of its own, whose functions are looked
 * up by name. It stays loaded because MuJoCo keeps pointers to its functions. */
#include "host.h"
#include <dlfcn.h>
#include <stdlib.h>

/* ---- Libraries --------------------------------------------------------------------------------------------------- */

static bool look_up(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);
    if (!found) {
        PyErr_Format(PyExc_RuntimeError, "the compiled host has no function '%s'", name);
        return false;
    }
    memcpy(function, &found, size);
    return true;
}

bool host_load(const char *path, host_functions *call)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        PyErr_Format(PyExc_RuntimeError, "the compiled host cannot be loaded: %s", dlerror());
        return false;
    }
#define LOOK_UP(name) &&look_up(library, "pcm_mujoco_" #name, &call->name, sizeof call->name)
    return true HOST_FUNCTIONS(LOOK_UP);
#undef LOOK_UP
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static bool tell(host_object *self, pcm_status status, const char *call)
{
    return mailbox_tell(&self->config->mail, self->state, status, call);
}

bool host_define(const host_functions *call, PyObject *surfaces, bool ledger, bool advise_step, double ease,
                 bool implicit, pcm_mujoco_def *def)
{
    call->defaults_into(def, sizeof *def);
    def->surfaces = texts_of(surfaces, &def->n_surfaces);
    def->ledger = ledger;
    def->advise_step = advise_step;
    def->ease = ease;
    def->implicit = implicit;
    return def->surfaces;
}

static bool attach(host_object *self, unsigned long long model, unsigned long long data, PyObject *surfaces,
                   const char *log, bool ledger, bool advise_step, double ease, bool implicit)
{
    pcm_mujoco_def def;
    if (!host_define(&self->call, surfaces, ledger, advise_step, ease, implicit, &def))
        return false;
    def.log_directory = log;
    PyThreadState *thread = library_enter();
    config_enter(self->config);
    self->host = self->call.attach(self->config->context, self->config->config, (const mjModel *)(uintptr_t)model,
                                   (mjData *)(uintptr_t)data, &def);
    config_leave(self->config);
    library_leave(thread);
    free((void *)def.surfaces);
    return tell(self, self->host ? PCM_OK : PCM_BAD_ARGUMENT, "attach");
}

/* Host(config, library: bytes, model, data, their addresses, surfaces: tuple, log: bytes | None, ledger, advise_step,
 * ease, implicit) */
static PyObject *host_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    PyObject          *config, *model, *data, *surfaces, *log;
    const char        *library;
    unsigned long long model_address, data_address;
    int                ledger, advise_step, implicit;
    double             ease;
    module_state      *state = module_state_of(type);
    (void)keywords;
    if (!state ||
        !PyArg_ParseTuple(arguments, "O!yOOKKOOppdp:Host", state->config, &config, &library, &model, &data,
                          &model_address, &data_address, &surfaces, &log, &ledger, &advise_step, &ease, &implicit))
        return NULL;
    const char  *folder = log == Py_None ? NULL : PyBytes_AsString(log);
    host_object *self = PyErr_Occurred() ? NULL : object_new(type);
    if (!self)
        return NULL;
    self->state = state;
    self->config = (config_object *)Py_NewRef(config);
    self->model = Py_NewRef(model);
    self->data = Py_NewRef(data);
    self->busy = &self->own_busy;
    atomic_flag_clear(self->busy);
    if (host_load(library, &self->call) &&
        attach(self, model_address, data_address, surfaces, folder, ledger, advise_step, ease, implicit))
        return (PyObject *)self;
    Py_DecRef((PyObject *)self);
    return NULL;
}

host_object *host_of_many(PyObject *type, const host_functions *call, config_object *config, PyObject *many,
                          size_t index, pcm_mujoco *host, atomic_flag *busy)
{
    host_object *self = object_new((PyTypeObject *)type);
    if (!self)
        return NULL;
    self->state = config->state;
    self->config = (config_object *)Py_NewRef((PyObject *)config);
    self->call = *call;
    self->host = host;
    self->many = Py_NewRef(many);
    self->index = index;
    self->busy = busy;
    return self;
}

void host_let_go(host_object *self)
{
    if (self->world)
        self->world->world = NULL;
    self->host = NULL;
}

static void detach(host_object *self)
{
    pcm_mujoco *own = self->many ? NULL : self->host;
    host_let_go(self);
    if (own)
        self->call.free(own);
    Py_CLEAR(self->model);
    Py_CLEAR(self->data);
}

static bool is_python_ending(void)
{
    PyObject  *ask = PySys_GetObject("is_finalizing"), *answer = ask ? PyObject_CallObject(ask, NULL) : NULL;
    const bool ending = !answer || PyObject_IsTrue(answer) != 0;
    Py_XDECREF(answer);
    PyErr_Clear();
    return ending;
}

/* A dropped attachment gives the contacts back to MuJoCo, which the program may not mean. At the end of Python all are
 * dropped, and a ResourceWarning is not shown. */
void host_warn_of_drop(PyObject *dropped)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    const module_state *state = module_state_of(Py_TYPE(dropped));
    if (PyErr_WarnEx(is_python_ending() || !state || !state->warning ? PyExc_ResourceWarning : state->warning,
                     "an attachment was dropped, and MuJoCo's own contacts act again: keep what pcm.attach() returns, "
                     "and close() it or leave its `with` block",
                     1) < 0)
        PyErr_WriteUnraisable(NULL);
    PyErr_Restore(type, value, trace);
}

static void host_dealloc(PyObject *object)
{
    host_object *self = (host_object *)object;
    if (self->host && !self->many)
        host_warn_of_drop(object);
    detach(self);
    if (self->many)
        many_forget(self->many, self->index);
    Py_XDECREF(self->many);
    Py_XDECREF((PyObject *)self->config);
    object_free(object);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static bool claim(host_object *self)
{
    if (!self->host)
        PyErr_SetString(PyExc_RuntimeError, "the attachment is closed");
    else if (atomic_flag_test_and_set(self->busy))
        PyErr_SetString(PyExc_RuntimeError, "the attachment is in a call of another thread");
    else
        return true;
    return false;
}

static PyObject *close_host(PyObject *object, PyObject *unused)
{
    host_object *self = (host_object *)object;
    (void)unused;
    if (!self->host)
        return Py_NewRef(Py_None);
    if (self->many) {
        PyErr_SetString(PyExc_RuntimeError, "this is one of many attachments: close() them together");
        return NULL;
    }
    if (!claim(self))
        return NULL;
    detach(self);
    atomic_flag_clear(self->busy);
    return tell(self, PCM_OK, "close") ? Py_NewRef(Py_None) : NULL;
}

/* A call that takes no arguments and returns a status. */
static PyObject *run(PyObject *object, pcm_status (*call)(pcm_mujoco *), const char *name)
{
    host_object *self = (host_object *)object;
    if (!claim(self))
        return NULL;
    PyThreadState   *thread = library_enter();
    const pcm_status status = call(self->host);
    library_leave(thread);
    atomic_flag_clear(self->busy);
    return tell(self, status, name) ? Py_NewRef(Py_None) : NULL;
}

#define RUN(name)                                                                                                      \
    static PyObject *host_##name(PyObject *object, PyObject *unused)                                                   \
    {                                                                                                                  \
        (void)unused;                                                                                                  \
        return run(object, ((host_object *)object)->call.name, #name);                                                 \
    }
RUN(status)
RUN(step)
RUN(forward)
RUN(reset)
RUN(sense)
#undef RUN

/* implicit(whether) */
static PyObject *host_implicit(PyObject *object, PyObject *whether)
{
    host_object *self = (host_object *)object;
    const int    implicit = PyObject_IsTrue(whether);
    if (implicit < 0 || !claim(self))
        return NULL;
    const pcm_status status = self->call.implicit(self->host, implicit);
    atomic_flag_clear(self->busy);
    return tell(self, status, "implicit") ? Py_NewRef(Py_None) : NULL;
}

/* ease(seconds) */
static PyObject *host_ease(PyObject *object, PyObject *given)
{
    host_object *self = (host_object *)object;
    const double seconds = PyFloat_AsDouble(given);
    if (PyErr_Occurred() || !claim(self))
        return NULL;
    const pcm_status status = self->call.ease(self->host, seconds);
    atomic_flag_clear(self->busy);
    return tell(self, status, "ease") ? Py_NewRef(Py_None) : NULL;
}

/* set(name, value) */
static PyObject *host_set(PyObject *object, PyObject *const *given, Py_ssize_t count)
{
    host_object *self = (host_object *)object;
    if (count != 2)
        return PyErr_Format(PyExc_TypeError, "set(name, value) takes 2 arguments, not %zd", count);
    const char  *name = PyUnicode_AsUTF8AndSize(given[0], NULL);
    const double value = name ? PyFloat_AsDouble(given[1]) : 0;
    if (PyErr_Occurred() || !claim(self))
        return NULL;
    const pcm_status status = self->call.set(self->host, name, value);
    atomic_flag_clear(self->busy);
    return tell(self, status, "set") ? Py_NewRef(Py_None) : NULL;
}

/* set_surface_velocity(object, linear, angular) */
static PyObject *host_set_surface_velocity(PyObject *object, PyObject *given, PyObject *named)
{
    static char *names[] = {"object", "linear", "angular", NULL};
    host_object *self = (host_object *)object;
    const char  *name;
    pcm_twist    velocity = {{0}, {0}};
    double      *v = velocity.linear, *w = velocity.angular;
    if (!PyArg_ParseTupleAndKeywords(given, named, "s|(ddd)(ddd):set_surface_velocity", names, &name, &v[0], &v[1],
                                     &v[2], &w[0], &w[1], &w[2]) ||
        !claim(self))
        return NULL;
    const pcm_status status = self->call.set_surface_velocity(self->host, name, &velocity);
    atomic_flag_clear(self->busy);
    return tell(self, status, "set_surface_velocity") ? Py_NewRef(Py_None) : NULL;
}

/* _cloud(object's name, points: x, y, z of each as a buffer of doubles) */
static PyObject *host_cloud(PyObject *object, PyObject *arguments)
{
    host_object *self = (host_object *)object;
    const char  *name;
    Py_buffer    points;
    if (!PyArg_ParseTuple(arguments, "sy*:_cloud", &name, &points))
        return NULL;
    if (!claim(self)) {
        PyBuffer_Release(&points);
        return NULL;
    }
    const size_t     count = (size_t)points.len / (3 * sizeof(double));
    const pcm_status status = self->call.cloud(self->host, name, points.buf, count);
    atomic_flag_clear(self->busy);
    PyBuffer_Release(&points);
    return tell(self, status, "cloud") ? Py_NewRef(Py_None) : NULL;
}

/* _stable_step(): the step and the contact that limits it (its objects and contact type); None if there is none */
static PyObject *host_stable_step(PyObject *object, PyObject *unused)
{
    host_object         *self = (host_object *)object;
    pcm_mujoco_stability found = {.size = sizeof found};
    (void)unused;
    if (!claim(self))
        return NULL;
    PyThreadState   *thread = library_enter();
    const pcm_status status = self->call.stable_step(self->host, &found);
    library_leave(thread);
    const char *type = status == PCM_OK && found.type ? pcm_type_get_info(found.type)->name : NULL;
    PyObject   *told = status == PCM_OK ? Py_BuildValue("dzzz", found.step, found.a, found.b, type) : NULL;
    atomic_flag_clear(self->busy);
    if (!tell(self, status, "stable_step"))
        Py_CLEAR(told);
    return told;
}

/* _fork(address of an mjData) */
static PyObject *host_fork(PyObject *object, PyObject *address)
{
    host_object             *self = (host_object *)object;
    const unsigned long long data = PyLong_AsUnsignedLongLong(address);
    if (PyErr_Occurred() || !claim(self))
        return NULL;
    PyThreadState   *thread = library_enter();
    const pcm_status status = self->call.fork(self->host, (const mjData *)(uintptr_t)data);
    library_leave(thread);
    atomic_flag_clear(self->busy);
    return tell(self, status, "fork") ? Py_NewRef(Py_None) : NULL;
}

static PyObject *host_save(PyObject *object, PyObject *unused)
{
    host_object *self = (host_object *)object;
    (void)unused;
    if (!claim(self))
        return NULL;
    const size_t size = self->call.checkpoint_size(self->host);
    PyObject    *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    pcm_status   status = PCM_OK;
    if (bytes)
        status = self->call.checkpoint_save(self->host, PyBytes_AsString(bytes), size);
    atomic_flag_clear(self->busy);
    if (bytes && !tell(self, status, "save"))
        Py_CLEAR(bytes);
    return bytes;
}

static PyObject *host_restore(PyObject *object, PyObject *bytes)
{
    host_object *self = (host_object *)object;
    char        *from;
    Py_ssize_t   size;
    if (PyBytes_AsStringAndSize(bytes, &from, &size) != 0 || !claim(self))
        return NULL;
    const pcm_status status = self->call.checkpoint_restore(self->host, from, (size_t)size);
    atomic_flag_clear(self->busy);
    return tell(self, status, "restore") ? Py_NewRef(Py_None) : NULL;
}

/* _contact_force(index): force, then torque */
static PyObject *host_contact_force(PyObject *object, PyObject *number)
{
    host_object *self = (host_object *)object;
    const long   index = PyLong_AsLong(number);
    double       f[6];
    if (PyErr_Occurred() || !claim(self))
        return NULL;
    const pcm_status status = self->call.contact_force(self->host, index == (int)index ? (int)index : -1, f);
    atomic_flag_clear(self->busy);
    if (status == PCM_BAD_ARGUMENT)
        return PyErr_Format(PyExc_IndexError, "data.contact has no contact %ld", index);
    return tell(self, status, "contact_force") ? Py_BuildValue("dddddd", f[0], f[1], f[2], f[3], f[4], f[5]) : NULL;
}

/* ---- Reports ----------------------------------------------------------------------------------------------------- */

/* _world(type): the world, as an object of that type. */
static PyObject *host_world(PyObject *object, PyObject *type)
{
    host_object *self = (host_object *)object;
    if (self->world)
        return Py_NewRef((PyObject *)self->world);
    if (!claim(self))
        return NULL;
    self->world = world_of_host(type, self->config, object, self->call.world(self->host), self->busy, &self->world);
    atomic_flag_clear(self->busy);
    return (PyObject *)self->world;
}

/* _body(object): the index of its body. */
static PyObject *host_body(PyObject *object, PyObject *handle)
{
    host_object             *self = (host_object *)object;
    const unsigned long long number = PyLong_AsUnsignedLongLong(handle);
    if (PyErr_Occurred() || !claim(self))
        return NULL;
    const int body = self->call.body(self->host, (pcm_object){(uint32_t)number, (uint32_t)(number >> 32)});
    atomic_flag_clear(self->busy);
    return PyLong_FromLong(body);
}

/* _pairs(): what type_traits says, the two geoms and the two radii of each pair of geoms with a law, the base's first.
 */
static PyObject *host_pairs(PyObject *object, PyObject *unused)
{
    host_object *self = (host_object *)object;
    (void)unused;
    if (!claim(self))
        return NULL;
    const size_t count = self->call.pair_count(self->host);
    PyObject    *pairs = PyList_New(0);
    for (size_t k = 0; pairs && k < count; k++) {
        int    geoms[2];
        double radii[2];
        (void)self->call.pair_geoms(self->host, k, geoms, radii);
        PyObject  *traits = type_traits(self->call.pair_type(self->host, k));
        PyObject  *pair = traits ? Py_BuildValue("N(ii)(dd)", traits, geoms[0], geoms[1], radii[0], radii[1]) : NULL;
        const bool added = pair && PyList_Append(pairs, pair) == 0;
        Py_XDECREF(pair);
        if (!added)
            Py_CLEAR(pairs);
    }
    atomic_flag_clear(self->busy);
    return pairs;
}

static PyMethodDef methods[] = {
    {"close", close_host, METH_NOARGS, "MuJoCo's own contacts act again"},
    {"status", host_status, METH_NOARGS, "commits the step that the clock tells of; tells what went wrong"},
    {"step", host_step, METH_NOARGS, "mj_step, and the commit"},
    {"forward", host_forward, METH_NOARGS, "mj_forward, a trial"},
    {"reset", host_reset, METH_NOARGS, "contacts begin anew"},
    {"sense", host_sense, METH_NOARGS, "sensors with the forces of the last evaluation"},
    {"implicit", host_implicit, METH_O, "implicit(whether): steps are implicit in contacts"},
    {"ease", host_ease, METH_O, "ease(seconds): what overlaps now parts slowly"},
    {"set", (PyCFunction)(void (*)(void))host_set, METH_FASTCALL, "set(name, value): a parameter of a contact type"},
    {"set_surface_velocity", (PyCFunction)(void (*)(void))host_set_surface_velocity, METH_VARARGS | METH_KEYWORDS,
     "set_surface_velocity(object, linear=(0, 0, 0), angular=(0, 0, 0)): how the surfaces of objects move on them, in "
     "m/s and rad/s along their axes"},
    {"_cloud", host_cloud, METH_VARARGS, "_cloud(name, points)"},
    {"_stable_step", host_stable_step, METH_NOARGS, "(step, a, b, type)"},
    {"save", host_save, METH_NOARGS, "a checkpoint, as bytes"},
    {"restore", host_restore, METH_O, "restore(bytes)"},
    {"_contact_force", host_contact_force, METH_O, "_contact_force(index)"},
    {"_fork", host_fork, METH_O, "_fork(address)"},
    {"_world", host_world, METH_O, "_world(type)"},
    {"_body", host_body, METH_O, "_body(handle)"},
    {"_pairs", host_pairs, METH_NOARGS, "[(traits, (geom, geom), (radius, radius))]"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    SLOT(Py_tp_new, host_new),
    SLOT(Py_tp_dealloc, host_dealloc),
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec host_spec = {
    .name = "_pcm.Host",
    .basicsize = sizeof(host_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

/* library_version(path): mj_version() of a library that the process has loaded. */
PyObject *library_version(PyObject *module, PyObject *path)
{
    const char *name = PyBytes_AsString(path);
    int (*version)(void);
    (void)module;
    void *library = name ? dlopen(name, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (!library)
        return name ? PyErr_Format(PyExc_RuntimeError, "%s is not loaded", name) : NULL;
    const bool found = look_up(library, "mj_version", &version, sizeof version);
    PyObject  *number = found ? PyLong_FromLong(version()) : NULL;
    dlclose(library);
    return number;
}
