/* SPDX-License-Identifier: MIT */
/* host.h - attachments to a MuJoCo simulation, one or many. */
#ifndef PCM_PYTHON_HOST_H
#define PCM_PYTHON_HOST_H

#include "extension.h"
#include <pcm/mujoco.h>

/* The host's functions, with their types from pcm/mujoco.h. */
#define HOST_FUNCTIONS(X)                                                                                              \
    X(defaults_into)                                                                                                   \
    X(attach)                                                                                                          \
    X(free)                                                                                                            \
    X(status)                                                                                                          \
    X(step)                                                                                                            \
    X(forward)                                                                                                         \
    X(reset)                                                                                                           \
    X(sense)                                                                                                           \
    X(implicit)                                                                                                        \
    X(ease)                                                                                                            \
    X(cloud)                                                                                                           \
    X(stable_step)                                                                                                     \
    X(fork)                                                                                                            \
    X(world)                                                                                                           \
    X(pair_count)                                                                                                      \
    X(pair_type)                                                                                                       \
    X(pair_geoms)                                                                                                      \
    X(body)                                                                                                            \
    X(checkpoint_size)                                                                                                 \
    X(checkpoint_save)                                                                                                 \
    X(checkpoint_restore)                                                                                              \
    X(set_surface_velocity)                                                                                            \
    X(set)                                                                                                             \
    X(attach_many)                                                                                                     \
    X(many_free)                                                                                                       \
    X(many_at)                                                                                                         \
    X(many_step)                                                                                                       \
    X(many_reset)                                                                                                      \
    X(many_set)                                                                                                        \
    X(contact_force)

typedef struct host_functions {
#define MEMBER(name) __typeof__(pcm_mujoco_##name) *name;
    HOST_FUNCTIONS(MEMBER)
#undef MEMBER
} host_functions;

typedef struct host_object {
    OBJECT_HEAD
    config_object *config;
    PyObject      *model, *data; /* kept alive */
    host_functions call;
    pcm_mujoco    *host;  /* NULL: closed */
    world_object  *world; /* borrowed: it keeps the attachment alive; NULL: there is none */
    PyObject      *many;  /* one of these, which own it; NULL: it stands alone */
    size_t         index; /* among them */
    atomic_flag   *busy;  /* set while a thread is in a call: points to that of `many`, or */
    atomic_flag    own_busy;
} host_object;

/* The host's functions in a library. False: an exception is set. */
bool host_load(const char *path, host_functions *call);

/* How attachments are made: surfaces as borrowed texts in a new array, which the caller frees. False: an exception is
 * set. */
bool host_define(const host_functions *call, PyObject *surfaces, bool ledger, bool advise_step, double ease,
                 bool implicit, pcm_mujoco_def *def);

/* An object of that type for one of many, which keeps them alive and shares their flag. */
host_object *host_of_many(PyObject *type, const host_functions *call, config_object *config, PyObject *many,
                          size_t index, pcm_mujoco *host, atomic_flag *busy);

/* They are closed: calls on it raise from now on. */
void host_let_go(host_object *host);

/* A warning of the attachment, or the many, that a program has dropped. */
void host_warn_of_drop(PyObject *dropped);

/* When such an object goes. */
void many_forget(PyObject *many, size_t index);

#endif
