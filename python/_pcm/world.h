/* SPDX-License-Identifier: MIT */
/* world.h - methods of a world that stand in world_reports.c. */
#ifndef PCM_PYTHON_WORLD_H
#define PCM_PYTHON_WORLD_H

#include "extension.h"

PyObject *world_contacts(PyObject *self, PyObject *dtype);
PyObject *world_rule_stats(PyObject *self, PyObject *unused);
PyObject *world_ledger(PyObject *self, PyObject *unused);
PyObject *world_save(PyObject *self, PyObject *unused);
PyObject *world_restore(PyObject *self, PyObject *bytes);

#endif
