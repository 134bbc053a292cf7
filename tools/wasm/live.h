/* SPDX-License-Identifier: MIT */
/* live.h - the functions that a live scene calls besides those of reading.h: objects with shapes, the pairs that may
 * collide, and steps. Numbers pass in arrays: the page writes them into live_room. */
#ifndef PCM_TOOLS_WASM_LIVE_H
#define PCM_TOOLS_WASM_LIVE_H

#include "reading.h"

enum {
    LIVE_MOTION = 24,  /* an object's place (3), axes (9, row-major); of its body: the velocity about the centre of mass
                          of  its tree (6, rotation first), that centre (3), its own centre of mass (3) */
    LIVE_WRENCH = 6,   /* force, and torque about the body's centre of mass */
    LIVE_CONTACT = 28, /* see put_contact */
    LIVE_EVENT = 9     /* see put_event */
};

/* Room for that many numbers, valid until the next call. */
EXPORT(live_room) double *live_room(size_t count);

/* Forgets the scene. */
EXPORT(live_clear) void live_clear(void);

/* Adds an object: names, one a line: its own, the one that messages use, and its aliases. surface: of the scene. site:
 * it is a point, and a contact point only where a rule speaks of it. said: its radius was written. yields: 1/kg, how
 * its body yields to a force. Its place relative to the motion that the page gives: room[0..6], position and
 * orientation of its own axes. Returns its number; -1: no memory. */
EXPORT(live_object)
int live_object(char *names, const char *surface, bool fixed, bool site, bool said, double radius, double mass,
                double yields);

/* Gives an object its shape; a, b, c: dimensions. Kinds as in pcm_geometry_kind; of a hull, room has the corners of its
 * a triangles; of a grid, a lines along x, then b along y, then the heights. False, with a report: it has none. */
EXPORT(live_shape) bool live_shape(int object, int kind, double a, double b, double c);

/* The pairs that may collide: room has for each the numbers of both, and 1 where their bodies never collide. */
EXPORT(live_pairs) bool live_pairs(size_t count);

/* From the text that was read last: a new world, with the contacts of the one before where types and rules are the
 * same. The answer has for each pair its rule, -1: none, and whether a law serves it: 1, or 2 where it would, but the
 * objects have no shapes that meet. Without `good` the world before
 * goes on. */
EXPORT(live_begin) const char *live_begin(void);

/* The world again as it was made. */
EXPORT(live_reset) bool live_reset(void);

/* Room for the objects' motion. */
EXPORT(live_motion) double *live_motion(void);

/* Finds the contacts at that motion and evaluates the laws for a step. Returns a pcm_status. */
EXPORT(live_update) int live_update(double time, double step);

/* A wrench for each object. */
EXPORT(live_wrenches) const double *live_wrenches(void);

/* Accepts the update. */
EXPORT(live_commit) int live_commit(void);

/* The contacts of the last update: their number, and a row for each. */
EXPORT(live_count) size_t live_count(void);
EXPORT(live_contacts) const double *live_contacts(void);

/* The events of the last commit, likewise. */
EXPORT(live_event_count) size_t live_event_count(void);
EXPORT(live_events) const double *live_events(void);

/* The largest step, s, at which the contacts of the last update are stable. live_ahead: those that the motion makes
 * within a step; infinite if it makes none. It evaluates them in advance, so that an update must follow. */
EXPORT(live_stable) double live_stable(void);
EXPORT(live_ahead) double live_ahead(double time, double step);

/* Sums of the energies of all contacts: work on the bodies, stored, dissipated, residue. */
EXPORT(live_energies) const double *live_energies(void);

/* What was reported since the last call. */
EXPORT(live_said) const char *live_said(void);

#endif
