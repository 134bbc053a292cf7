/* SPDX-License-Identifier: MIT */
/* world.h - methods of a world that stand in world_reports.c and world_amounts.c, and what they share. */
#ifndef PCM_PYTHON_WORLD_H
#define PCM_PYTHON_WORLD_H

#include "extension.h"

/* Handles of objects: an array of the caller's, or one number. */
typedef struct handles {
    array             held;
    pcm_object        one;
    const pcm_object *at;
    size_t            count;
    bool              single;
} handles;

/* False: an exception. Release `held` where it is true. */
bool take_handles(const module_state *state, PyObject *value, const char *name, handles *taken);

/* An exception about one of them; NULL. */
PyObject         *reject_handle(const char *name, const handles *of, size_t at, const char *why);
extern const char not_live[];

PyObject *world_amount(PyObject *self, PyObject *arguments);
PyObject *world_set_amount(PyObject *self, PyObject *arguments);
PyObject *world_contacts(PyObject *self, PyObject *dtype);
PyObject *world_rule_stats(PyObject *self, PyObject *unused);
PyObject *world_ledger(PyObject *self, PyObject *unused);
PyObject *world_save(PyObject *self, PyObject *unused);
PyObject *world_restore(PyObject *self, PyObject *bytes);

#endif
