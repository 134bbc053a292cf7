/* SPDX-License-Identifier: MIT */
/* world_near.c - what hosts of engines need: touches without features, the pairs that laws serve, stable steps. */
#include "world.h"
#include <math.h>
#include <pcm/near.h>
#include <stdlib.h>

static bool tell(world_object *world, pcm_status status, const char *call)
{
    return mailbox_tell(&world->config->mail, world->state, status, call);
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

/* pair(a, b): the name of the contact type, or None. */
PyObject *world_pair(PyObject *self, PyObject *const *given, Py_ssize_t n_given, PyObject *keywords)
{
    static const char *const names[] = {"a", "b"};
    world_object            *world = (world_object *)self;
    PyObject                *values[2];
    handles                  sides[2];
    const pcm_type          *type = NULL;
    PyThreadState           *thread;
    if (!arguments_read("pair", names, 2, 2, given, n_given, keywords, values))
        return NULL;
    for (size_t i = 0; i < 2; i++) {
        if (!take_handles(world->state, values[i], names[i], &sides[i]))
            return NULL;
        const bool one = sides[i].at == &sides[i].one;
        array_release(&sides[i].held, 1);
        if (!one)
            return PyErr_Format(PyExc_TypeError, "%s: one object is wanted, not an array", names[i]);
    }
    if (!world_enter(world, &thread))
        return NULL;
    const pcm_status status = pcm_world_pair_type(world->world, sides[0].one, sides[1].one, &type, NULL);
    world_leave(world, thread);
    if (status == PCM_BAD_HANDLE)
        return PyErr_Format(PyExc_ValueError, "a, b: %R and %R are not two live objects of this world", values[0],
                            values[1]);
    if (!tell(world, status, "pair"))
        return NULL;
    return type ? PyUnicode_FromString(pcm_type_get_info(type)->name) : Py_NewRef(Py_None);
}

/* ---- Touches ----------------------------------------------------------------------------------------------------- */

enum { A, B, POINT, NORMAL, DEPTH, REACH, CONTACTS, AREA, SHARE, NEAR_ARGUMENTS };

typedef struct points {
    handles      a, b;
    array        arrays[NEAR_ARGUMENTS];
    double       reach;
    size_t       count;
    pcm_touch   *touches;
    pcm_contact *contacts;
} points;

static bool is_given(PyObject *value) { return value && value != Py_None; }

static bool take_lists(const module_state *state, PyObject *const *values, points *p)
{
    static const char *const names[NEAR_ARGUMENTS] = {[AREA] = "area", [SHARE] = "share"};
    const Py_ssize_t         n = (Py_ssize_t)p->count;
    for (int i = AREA; i <= SHARE; i++)
        if (is_given(values[i]) &&
            !array_take(state, values[i], names[i], ARRAY_DOUBLE, n, ARRAY_LIST, 0, &p->arrays[i]))
            return false;
    return !is_given(values[CONTACTS]) || array_take(state, values[CONTACTS], "contacts", ARRAY_UNSIGNED, n, ARRAY_LIST,
                                                     ARRAY_WRITABLE, &p->arrays[CONTACTS]);
}

/* Depth determines the number of points. */
static bool take_points(const module_state *state, PyObject *const *values, points *p)
{
    if (!array_take(state, values[DEPTH], "depth", ARRAY_DOUBLE, ARRAY_ANY, ARRAY_LIST, 0, &p->arrays[DEPTH]))
        return false;
    p->count = array_rows(&p->arrays[DEPTH]);
    const Py_ssize_t n = (Py_ssize_t)p->count;
    if (!take_objects(state, values[A], "a", p->count, &p->a) ||
        !take_objects(state, values[B], "b", p->count, &p->b) ||
        !array_take(state, values[POINT], "point", ARRAY_DOUBLE, n, 3, 0, &p->arrays[POINT]) ||
        !array_take(state, values[NORMAL], "normal", ARRAY_DOUBLE, n, 3, 0, &p->arrays[NORMAL]) ||
        !take_lists(state, values, p))
        return false;
    p->reach = is_given(values[REACH]) ? PyFloat_AsDouble(values[REACH]) : 0;
    p->contacts = p->arrays[CONTACTS].view.buf;
    return !PyErr_Occurred();
}

static void fill_touches(const points *p)
{
    const double *point = p->arrays[POINT].view.buf, *normal = p->arrays[NORMAL].view.buf;
    const double *depth = p->arrays[DEPTH].view.buf;
    const double *area = p->arrays[AREA].view.buf, *share = p->arrays[SHARE].view.buf;
    for (size_t i = 0; i < p->count; i++) {
        pcm_touch *touch = &p->touches[i];
        *touch = (pcm_touch){.depth = depth[i]};
        memcpy(touch->point, point + 3 * i, sizeof touch->point);
        memcpy(touch->normal, normal + 3 * i, sizeof touch->normal);
        if (area && !isnan(area[i])) {
            touch->area = area[i];
            touch->gives |= PCM_AREA;
        }
        if (share && !isnan(share[i])) {
            touch->share = share[i];
            touch->gives |= PCM_SHARE;
        }
    }
}

static const pcm_object *side_at(const handles *side, size_t i) { return &side->at[side->single ? 0 : i]; }

static bool is_same(const pcm_object *a, const pcm_object *b)
{
    return a->index == b->index && a->generation == b->generation;
}

/* One call for each run of rows of a pair, and one for a pair without points. Returns where it stopped. */
static size_t report_points(pcm_world *world, const points *p, pcm_status *status)
{
    size_t first = 0;
    do {
        const pcm_object *a = side_at(&p->a, first), *b = side_at(&p->b, first);
        size_t            end = p->count ? first + 1 : 0;
        while (end < p->count && is_same(side_at(&p->a, end), a) && is_same(side_at(&p->b, end), b))
            end++;
        *status = pcm_world_touch_near(world, *a, *b, p->touches + first, sizeof *p->touches, end - first, p->reach,
                                       p->contacts ? p->contacts + first : NULL);
        if (*status != PCM_OK)
            return first;
        first = end;
    } while (first < p->count);
    return first;
}

static bool touch_points(world_object *world, points *p)
{
    PyThreadState *thread;
    pcm_status     status;
    p->touches = PyMem_Malloc((p->count + 1) * sizeof *p->touches);
    if (!p->touches) {
        PyErr_NoMemory();
        return false;
    }
    if (!world_enter(world, &thread))
        return false;
    fill_touches(p);
    const size_t at = report_points(world->world, p, &status);
    world_leave(world, thread);
    if (status != PCM_BAD_HANDLE)
        return tell(world, status, "touch_near");
    PyErr_Format(PyExc_ValueError, "a[%zu], b[%zu]: these are not two live objects of this world", at, at);
    return false;
}

/* touch_near(a, b, point, normal, depth, reach=0, contacts=None, area=None, share=None) */
PyObject *world_touch_near(PyObject *self, PyObject *const *given, Py_ssize_t n_given, PyObject *keywords)
{
    static const char *const names[] = {"a", "b", "point", "normal", "depth", "reach", "contacts", "area", "share"};
    world_object            *world = (world_object *)self;
    PyObject                *values[NEAR_ARGUMENTS];
    points                   p = {0};
    if (!arguments_read("touch_near", names, 5, NEAR_ARGUMENTS, given, n_given, keywords, values))
        return NULL;
    bool done = take_points(world->state, values, &p);
    if (done && p.count == 0 && (p.a.count != 1 || p.b.count != 1)) {
        PyErr_SetString(PyExc_ValueError, "a, b: one object each is wanted for a pair without points");
        done = false;
    }
    done = done && touch_points(world, &p);
    PyMem_Free(p.touches);
    array_release(p.arrays, NEAR_ARGUMENTS);
    array_release(&p.a.held, 1);
    array_release(&p.b.held, 1);
    return done ? Py_NewRef(Py_None) : NULL;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/* _least_step(): the largest step at which all contacts are stable, and the objects of the worst; NaN: it is not known.
 */
PyObject *world_least_step(PyObject *self, PyObject *unused)
{
    world_object        *world = (world_object *)self;
    pcm_contact_matrices worst = {.size = sizeof worst};
    double               step = NAN;
    PyThreadState       *thread;
    (void)unused;
    if (!world_enter(world, &thread))
        return NULL;
    pcm_matrices *matrices = pcm_matrices_new(world->world);
    if (matrices)
        step = pcm_matrices_least_step(matrices, &worst);
    pcm_matrices_free(matrices);
    world_leave(world, thread);
    if (!tell(world, matrices ? PCM_OK : PCM_NO_MEMORY, "least_step"))
        return NULL;
    return Py_BuildValue("dKK", step, (unsigned long long)handle_of(worst.base.index, worst.base.generation),
                         (unsigned long long)handle_of(worst.follower.index, worst.follower.generation));
}
