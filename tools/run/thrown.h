/* SPDX-License-Identifier: MIT */
/* thrown.h - finds scenes that fail without an error: contacts that throw bodies.
 *
 * Contacts return at most the energy that they took. The energy of a tree of bodies comes from its start, from
 * gravity and springs, from other forces of MuJoCo, and from trees that it touches, which lose as much. Where trees
 * that touch have far more than that, the contacts added it. */
#ifndef PCM_TOOLS_RUN_THROWN_H
#define PCM_TOOLS_RUN_THROWN_H

#include <pcm/mujoco.h>

/* A unit of the check: bodies connected by joints; one unit of all those on which springs, tendons or flexes act. */
typedef struct thrown_tree {
    double mass, lift;               /* kg; J: the energy that lifts its bodies by their own sizes */
    double power, given;             /* W, J: from actuators and constraints; in the last step, since the start */
    double motion, energy;           /* J: with that of gravity and springs, less the energy given; at the last check */
    double highest[2], liveliest[2]; /* J: energy and kinetic energy; largest in the last interval and in this one */
    int    kin; /* a tree: linked from tree to tree, all that have touched in this interval have the same root */
    double net, excess; /* J: the gain of the group, and its excess; of the root */
    bool   touched;     /* it touched anything in this interval */
} thrown_tree;

typedef struct thrown {
    pcm_mujoco  *host;
    mjModel     *model;
    mjData      *data;
    thrown_tree *trees;   /* nbody, by their first body; NULL: nothing is checked */
    int         *tree_of; /* nbody; 0: fixed */
    int          springs; /* the tree on which springs act; 0: there is none */
    double      *before;  /* nv: qvel after the last step */
    double      *work;    /* nq */
    double       stretch; /* s: end of this interval; infinite: none has begun */
    double       gained;  /* J: excess from contacts, */
    int          body;    /* the tree that had most of it then; 0: nothing has been thrown */
    double       time, speed, spin;
} thrown;

/* At the start of a run, before its first evaluation. False, and reported, without memory. A thrown that is all zero
 * checks nothing. */
bool thrown_start(thrown *t, pcm_mujoco *host, mjModel *model);
void thrown_stop(thrown *t);

/* After each commit: who touches whom. */
void thrown_meet(thrown *t);

/* After each step of this many seconds. */
void thrown_step(thrown *t, double seconds);

/* Call it now and then: whether something has been thrown so far. */
bool thrown_look(thrown *t);

/* has_steps: they have a fixed size, which may be too large. */
void thrown_tell(const thrown *t, bool has_steps);

#endif
