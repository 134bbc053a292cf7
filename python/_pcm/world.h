/* SPDX-License-Identifier: MIT */
/* world.h - methods of a world in world_reports.c, world_near.c and world_amounts.c, and their shared helpers. */
#ifndef PCM_PYTHON_WORLD_H
#define PCM_PYTHON_WORLD_H

#include "extension.h"

/* Handles of objects: the caller's array, or one number. */
typedef struct handles {
    array             held;
    pcm_object        one;
    const pcm_object *at;
    size_t            count;
    bool              single;
} handles;

static inline uint64_t handle_of(uint32_t index, uint32_t generation) { return index | (uint64_t)generation << 32; }

/* False: an exception is set. Release `held` if it is true. */
bool take_handles(const module_state *state, PyObject *value, const char *name, handles *taken);

/* The same for `count` touches: one object, or one for each. */
bool take_objects(const module_state *state, PyObject *value, const char *name, size_t count, handles *objects);

/* Sets an exception about one of them; returns NULL. */
PyObject         *reject_handle(const char *name, const handles *of, size_t at, const char *why);
extern const char not_live[];

PyObject *world_amount(PyObject *self, PyObject *arguments);
PyObject *world_set_amount(PyObject *self, PyObject *arguments);
PyObject *world_pair(PyObject *self, PyObject *const *given, Py_ssize_t n_given, PyObject *keywords);
PyObject *world_touch_near(PyObject *self, PyObject *const *given, Py_ssize_t n_given, PyObject *keywords);
PyObject *world_least_step(PyObject *self, PyObject *unused);
PyObject *world_contacts(PyObject *self, PyObject *dtype);
PyObject *world_rule_stats(PyObject *self, PyObject *unused);
PyObject *world_ledger(PyObject *self, PyObject *unused);
PyObject *world_save(PyObject *self, PyObject *unused);
PyObject *world_restore(PyObject *self, PyObject *bytes);

#endif
