/* SPDX-License-Identifier: MIT */
/* world_reports.c - a world's reports on its contacts, and its checkpoints. */
#include "world.h"
#include <string.h>

static bool tell(world_object *world, pcm_status status, const char *call)
{
    return mailbox_tell(&world->config->mail, world->state, status, call);
}

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

/* A row of the structured array: the package's CONTACT describes it, field by field. */
typedef struct contact_row {
    uint64_t contact, id, feature, base, follower;
    int64_t  type, mode, life;
    double   since, depth, depth_rate, energy, area, share, scale;
    double   point[3], frame[9], slip[2], spin[3], force[3], moment[3], world_force[3];
} contact_row;

static void fill_row(contact_row *row, const pcm_contact_info *info)
{
    *row = (contact_row){.contact = handle_of(info->handle.index, info->handle.generation),
                         .id = info->id,
                         .feature = info->feature,
                         .base = handle_of(info->base.index, info->base.generation),
                         .follower = handle_of(info->follower.index, info->follower.generation),
                         .type = pcm_type_get_info(info->type)->index,
                         .mode = info->mode,
                         .life = info->life,
                         .since = info->since,
                         .depth = info->depth,
                         .depth_rate = info->depth_rate,
                         .energy = info->energy,
                         .area = info->area,
                         .share = info->share,
                         .scale = info->scale};
    memcpy(row->point, info->point, sizeof row->point);
    memcpy(row->frame, info->frame, sizeof row->frame);
    memcpy(row->slip, info->slip, sizeof row->slip);
    memcpy(row->spin, info->spin, sizeof row->spin);
    memcpy(row->force, info->force, sizeof row->force);
    memcpy(row->moment, info->moment, sizeof row->moment);
    memcpy(row->world_force, info->world_force, sizeof row->world_force);
}

static pcm_status fill_rows(pcm_world *world, contact_row *rows, size_t count)
{
    pcm_contact_info info = {.size = sizeof info};
    pcm_status       status = PCM_OK;
    for (size_t i = 0; i < count && status == PCM_OK; i++) {
        status = pcm_world_contact_at(world, i, &info);
        if (status == PCM_OK)
            fill_row(&rows[i], &info);
    }
    return status;
}

static bool fill_contacts(world_object *world, PyObject *rows, size_t count)
{
    Py_buffer view;
    if (PyObject_GetBuffer(rows, &view, PyBUF_CONTIG) != 0)
        return false;
    const bool fits = (size_t)view.len == count * sizeof(contact_row);
    pcm_status status = PCM_OK;
    if (fits) {
        PyThreadState *thread = library_enter();
        status = fill_rows(world->world, view.buf, count);
        library_leave(thread);
    } else {
        PyErr_SetString(PyExc_ValueError, "dtype: it is not that of a row of contacts");
    }
    PyBuffer_Release(&view);
    return fits && tell(world, status, "contacts");
}

/* The world stays claimed from the count until the rows are written, so that no other thread can call it in between. */
PyObject *world_contacts(PyObject *self, PyObject *dtype)
{
    world_object *world = (world_object *)self;
    if (!world_claim(world))
        return NULL;
    const size_t count = pcm_world_contact_count(world->world);
    PyObject    *rows = PyObject_CallFunction(world->state->zeros, "nO", (Py_ssize_t)count, dtype);
    if (rows && !fill_contacts(world, rows, count))
        Py_CLEAR(rows);
    world_drop(world);
    return rows;
}

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

static PyObject *stats_of(const pcm_world *world, size_t rule)
{
    pcm_rule_stats stats = {.size = sizeof stats};
    (void)pcm_world_rule_stats(world, rule, &stats);
    return Py_BuildValue("KKKddd", (unsigned long long)stats.made, (unsigned long long)stats.parted,
                         (unsigned long long)stats.broken, stats.max_depth, stats.max_slip, stats.max_force);
}

PyObject *world_rule_stats(PyObject *self, PyObject *unused)
{
    world_object *world = (world_object *)self;
    const size_t  count = pcm_config_rule_count(world->config->config);
    (void)unused;
    if (!world_claim(world))
        return NULL;
    PyObject *list = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++)
        if (PyTuple_SetItem(list, (Py_ssize_t)i, stats_of(world->world, i)) != 0)
            Py_CLEAR(list);
    world_drop(world);
    return list;
}

static PyObject *ledger_of(const pcm_world *world, const pcm_type *type)
{
    pcm_ledger ledger = {.size = sizeof ledger};
    (void)pcm_world_type_ledger(world, type, &ledger);
    return Py_BuildValue("ddddd", ledger.work, ledger.stored, ledger.dissipated, ledger.residue, ledger.brought);
}

PyObject *world_ledger(PyObject *self, PyObject *unused)
{
    world_object     *world = (world_object *)self;
    const pcm_config *config = world->config->config;
    (void)unused;
    if (!world_claim(world))
        return NULL;
    PyObject *ledgers = PyDict_New();
    for (size_t i = 0; ledgers && i < pcm_config_type_count(config); i++) {
        const pcm_type *type = pcm_config_type_at(config, i);
        PyObject       *ledger = ledger_of(world->world, type);
        if (!ledger || PyDict_SetItemString(ledgers, pcm_type_get_info(type)->name, ledger) != 0)
            Py_CLEAR(ledgers);
        Py_XDECREF(ledger);
    }
    world_drop(world);
    return ledgers;
}

/* ---- Checkpoints ------------------------------------------------------------------------------------------------- */

PyObject *world_save(PyObject *self, PyObject *unused)
{
    world_object *world = (world_object *)self;
    (void)unused;
    if (!world_claim(world))
        return NULL;
    const size_t size = pcm_world_checkpoint_size(world->world);
    PyObject    *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    pcm_status   status = PCM_NO_MEMORY;
    if (bytes) {
        char          *to = PyBytes_AsString(bytes);
        PyThreadState *thread = library_enter();
        status = pcm_world_checkpoint_save(world->world, to, size);
        library_leave(thread);
    }
    world_drop(world);
    if (bytes && !tell(world, status, "save"))
        Py_CLEAR(bytes);
    return bytes;
}

PyObject *world_restore(PyObject *self, PyObject *bytes)
{
    world_object  *world = (world_object *)self;
    PyThreadState *thread;
    char          *from;
    Py_ssize_t     size;
    if (PyBytes_AsStringAndSize(bytes, &from, &size) != 0 || !world_enter(world, &thread))
        return NULL;
    const pcm_status status = pcm_world_checkpoint_restore(world->world, from, (size_t)size);
    world_leave(world, thread);
    return tell(world, status, "restore") ? Py_NewRef(Py_None) : NULL;
}
