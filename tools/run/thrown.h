/* SPDX-License-Identifier: MIT */
/* thrown.h - detects scenes that fail without an error, because contacts throw bodies.
 *
 * Contacts return at most the energy that they absorbed. The energy of a tree of bodies comes from its initial state,
 * from gravity and springs, from other forces of MuJoCo, and from trees that it touches, which lose as much. If trees
 * that touch have far more energy than that, the contacts have added it. */
#ifndef PCM_TOOLS_RUN_THROWN_H
#define PCM_TOOLS_RUN_THROWN_H

#include <pcm/mujoco.h>

/* A unit of the check: bodies connected by joints. All trees on which springs, tendons or flexes act form one unit. */
typedef struct thrown_tree {
    double mass, lift;     /* kg; J: the energy needed to lift its bodies by their own sizes */
    double power, given;   /* W, J: from actuators and constraints: in the last step, and since the start */
    double motion, energy; /* J, at the last check: kinetic; that plus gravity and springs, less the energy given */
    double highest[2], liveliest[2]; /* J: largest energy and kinetic energy, in the last interval and in this one */
    int    kin; /* a tree: following these links, all trees that have touched in this interval lead to the same root */
    double net, excess; /* J: the group's gain and its excess; valid in the root */
    bool   touched;     /* it touched anything in this interval */
} thrown_tree;

typedef struct thrown {
    pcm_mujoco  *host;
    mjModel     *model;
    mjData      *data;
    thrown_tree *trees;   /* nbody, indexed by their first body; NULL: nothing is checked */
    int         *tree_of; /* nbody; 0: fixed */
    int          springs; /* the tree on which springs act; 0: there is none */
    double      *before;  /* nv: qvel after the last step */
    double      *work;    /* nq */
    double       stretch; /* s: end of this interval; infinite: none has begun */
    double       gained;  /* J: excess from contacts, */
    int          body;    /* the tree that had most of it; 0: nothing has been thrown */
    double       time, speed, spin;
} thrown;

/* Call it at the start of a run, before the first evaluation. False, with a report: no memory. A thrown that is all
 * zero checks nothing. */
bool thrown_start(thrown *t, pcm_mujoco *host, mjModel *model);
void thrown_stop(thrown *t);

/* Call it after each commit: records which trees touch. */
void thrown_meet(thrown *t);

/* Call it after each step; seconds: the length of the step. */
void thrown_step(thrown *t, double seconds);

/* Call it from time to time: returns whether something has been thrown so far. */
bool thrown_look(thrown *t);

/* Reports it. has_steps: the steps have a fixed size, which may be too large. */
void thrown_tell(const thrown *t, bool has_steps);

#endif
