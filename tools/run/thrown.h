/* SPDX-License-Identifier: MIT */
/* thrown.h - scenes that go wrong without an error: contacts that throw what they touch.
 *
 * Contacts give back at most what they took. A tree of bodies has its energy from the start, from gravity and springs,
 * from what else of MuJoCo's does work on it, and from other trees that it touches, which lose as much; where trees
 * that touch have far more than that, contacts gave it. */
#ifndef PCM_TOOLS_RUN_THROWN_H
#define PCM_TOOLS_RUN_THROWN_H

#include <pcm/mujoco.h>

/* What is judged as one: bodies that joints hold together; all of those that springs, tendons or flexes act on. */
typedef struct thrown_tree {
    double mass, lift;               /* kg; J: what lifts its bodies by their own sizes */
    double power, given;             /* W, J: by actuators and constraints; in the last step, since the start */
    double motion, energy;           /* J: with that of gravity and springs, less what was given; at the last look */
    double highest[2], liveliest[2]; /* J: energy and motion; of the last stretch and this */
    int    kin;                      /* a tree: from tree to tree, all that have touched in this stretch come to one */
    double net, excess;              /* J: what those have gained, and by how much that is too much; of that one */
    bool   touched;                  /* anything, in this stretch */
} thrown_tree;

typedef struct thrown {
    pcm_mujoco  *host;
    mjModel     *model;
    mjData      *data;
    thrown_tree *trees;   /* nbody, by their first body; NULL: nothing is judged */
    int         *tree_of; /* nbody; 0: fixed */
    int          springs; /* the tree that springs act on; 0: there is none */
    double      *before;  /* nv: qvel after the last step */
    double      *work;    /* nq */
    double       stretch; /* s: when this one ends; infinite: none has begun */
    double       gained;  /* J: by contacts, */
    int          body;    /* which then had most; 0: nothing has been thrown */
    double       time, speed, spin;
} thrown;

/* Where a run begins, before its first evaluation. False, and reported, when there is no memory. Of a thrown that is
 * all zero, nothing is judged. */
bool thrown_start(thrown *t, pcm_mujoco *host, mjModel *model);
void thrown_stop(thrown *t);

/* After each commit: who touches whom. */
void thrown_meet(thrown *t);

/* After each step of so many seconds. */
void thrown_step(thrown *t, double seconds);

/* Now and then: whether something has been thrown by now. */
bool thrown_look(thrown *t);

/* has_steps: of a fixed size, which may be too large. */
void thrown_tell(const thrown *t, bool has_steps);

#endif
