/* SPDX-License-Identifier: MIT */
/* config.c - a .pcm file: its contact types and rules. */
#include "extension.h"
#include <stdlib.h>
#include <string.h>

void config_enter(config_object *config) { PyThread_acquire_lock(config->setup, WAIT_LOCK); }

void config_leave(config_object *config) { PyThread_release_lock(config->setup); }

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static config_object *new_config(PyTypeObject *type, const char *plugin_path)
{
    module_state  *state = module_state_of(type);
    config_object *config = state ? object_new(type) : NULL;
    if (!config)
        return NULL;
    config->state = state;
    mailbox_open(&config->mail);
    config->setup = PyThread_allocate_lock();
    pcm_context_def def = pcm_context_defaults();
    def.sink = mailbox_receive;
    def.sink_user = &config->mail;
    def.plugin_path = plugin_path;
    def.flags = PCM_NO_DEFAULT_PATHS;
    config->context = pcm_context_new(&def);
    if (config->context && config->setup)
        return config;
    PyErr_NoMemory();
    Py_DecRef((PyObject *)config);
    return NULL;
}

const char **texts_of(PyObject *tuple, size_t *count)
{
    const Py_ssize_t n = PyTuple_Size(tuple);
    const char     **texts = n < 0 ? NULL : calloc((size_t)n + 1, sizeof *texts);
    if (!texts && n >= 0)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; texts && i < n; i++) {
        texts[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, i), NULL);
        if (!texts[i]) {
            free(texts);
            return NULL;
        }
    }
    *count = n < 0 ? 0 : (size_t)n;
    return texts;
}

static bool open_config(config_object *config, const pcm_config_def *def)
{
    PyThreadState *thread = library_enter();
    config->config = pcm_config_open(config->context, def);
    library_leave(thread);
    return mailbox_tell(&config->mail, config->state, config->config ? PCM_OK : PCM_BAD_CONFIG, "load");
}

/* Config(name: bytes, text: str | None, settings: tuple[str, ...], plugin_path: str): reads the file of that name, or
 * the text. */
static PyObject *config_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    const char *plugin_path, *name, *text;
    Py_ssize_t  length = 0;
    PyObject   *settings;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "yz#Oy:Config", &name, &text, &length, &settings, &plugin_path))
        return NULL;
    pcm_config_def def = pcm_config_defaults();
    def.name = name;
    def.text = text;
    def.length = (size_t)length;
    const char **texts = texts_of(settings, &def.n_settings);
    if (!texts)
        return NULL;
    def.settings = texts;
    config_object *config = new_config(type, plugin_path);
    if (config && !open_config(config, &def)) {
        Py_DecRef((PyObject *)config);
        config = NULL;
    }
    free(texts);
    return (PyObject *)config;
}

static void config_dealloc(PyObject *self)
{
    config_object *config = (config_object *)self;
    pcm_config_release(config->config);
    pcm_context_free(config->context);
    mailbox_close(&config->mail);
    if (config->setup)
        PyThread_free_lock(config->setup);
    object_free(self);
}

/* ---- Contents ---------------------------------------------------------------------------------------------------- */

static PyObject *type_names(PyObject *self, PyObject *unused)
{
    const pcm_config *config = ((config_object *)self)->config;
    const size_t      count = pcm_config_type_count(config);
    PyObject         *names = PyTuple_New((Py_ssize_t)count);
    (void)unused;
    for (size_t i = 0; names && i < count; i++) {
        PyObject *name = PyUnicode_FromString(pcm_type_get_info(pcm_config_type_at(config, i))->name);
        if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name) != 0)
            Py_CLEAR(names);
    }
    return names;
}

static PyObject *amount_names(PyObject *self, PyObject *unused)
{
    const pcm_config *config = ((config_object *)self)->config;
    const size_t      count = pcm_config_amount_count(config);
    PyObject         *names = PyTuple_New((Py_ssize_t)count);
    (void)unused;
    for (size_t i = 0; names && i < count; i++) {
        PyObject *name = PyUnicode_FromString(pcm_config_amount_at(config, i)->name);
        if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name) != 0)
            Py_CLEAR(names);
    }
    return names;
}

/* (kind, a, b, type, file, line) of a rule. */
static PyObject *rule_at(const pcm_config *config, size_t index)
{
    static const char *const kinds[] = {"ObjectPair", "SurfacePair", "DefaultPair"};
    const pcm_rule_info      rule = pcm_config_rule_at(config, index);
    return Py_BuildValue("sssssI", kinds[rule.kind], rule.a, rule.b, pcm_type_get_info(rule.type)->name,
                         rule.place.file ? rule.place.file : "", rule.place.line);
}

static PyObject *rules(PyObject *self, PyObject *unused)
{
    const pcm_config *config = ((config_object *)self)->config;
    const size_t      count = pcm_config_rule_count(config);
    PyObject         *list = PyTuple_New((Py_ssize_t)count);
    (void)unused;
    for (size_t i = 0; list && i < count; i++) {
        PyObject *rule = rule_at(config, i);
        if (!rule || PyTuple_SetItem(list, (Py_ssize_t)i, rule) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* resolve(object_a, surface_a, object_b, surface_b): (index of the rule, swapped) for each that matches. */
static PyObject *resolve(PyObject *self, PyObject *arguments)
{
    const pcm_config *config = ((config_object *)self)->config;
    const char       *object_a, *surface_a, *object_b, *surface_b;
    if (!PyArg_ParseTuple(arguments, "ssss:resolve", &object_a, &surface_a, &object_b, &surface_b))
        return NULL;
    const size_t capacity = pcm_config_rule_count(config);
    size_t      *found = calloc(capacity + 1, sizeof *found);
    bool        *swapped = calloc(capacity + 1, sizeof *swapped);
    PyObject    *list = found && swapped ? PyList_New(0) : PyErr_NoMemory();
    const size_t count =
        list ? pcm_config_resolve(config, object_a, surface_a, object_b, surface_b, found, swapped, capacity) : 0;
    for (size_t i = 0; list && i < count; i++) {
        PyObject *entry = Py_BuildValue("nO", (Py_ssize_t)found[i], swapped[i] ? Py_True : Py_False);
        if (!entry || PyList_Append(list, entry) != 0)
            Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    free(found);
    free(swapped);
    return list;
}

static PyMethodDef methods[] = {
    {"_types", type_names, METH_NOARGS, "the contact types' names"},
    {"_amounts", amount_names, METH_NOARGS, "the amounts' names"},
    {"_rules", rules, METH_NOARGS, "(kind, a, b, type, file, line) of each rule"},
    {"_resolve", resolve, METH_VARARGS, "the rules that match two objects, the winner first"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    SLOT(Py_tp_new, config_new),
    SLOT(Py_tp_dealloc, config_dealloc),
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec config_spec = {
    .name = "_pcm.Config",
    .basicsize = sizeof(config_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};
