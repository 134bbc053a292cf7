/* SPDX-License-Identifier: MIT */
/* history.h - one contact on its path, stepped as the rig steps it. */
#ifndef PCM_TOOLS_VERIFY_HISTORY_H
#define PCM_TOOLS_VERIFY_HISTORY_H

#include "motion.h"

/* What the contact did in a step; 0 where there is none. */
typedef struct history_answer {
    bool   live, ended;         /* there was a contact; it ended with this step */
    double force[3], moment[3]; /* along x, y, n */
    double energy, dissipation;
} history_answer;

/* A contact that has not begun. */
void           history_begin(subject *s);
history_answer history_step(subject *s, const motion_step *step);

/* Calls visit for every step of the path, with the answer. */
typedef void history_visit(void *user, const motion_step *step, const history_answer *answer);
void         history_run(subject *s, const motion *m, history_visit *visit, void *user);

/* The power, W, that the bodies give to the contact. */
double history_power(const motion_step *step, const history_answer *answer);

/* What a path did, summed by the trapezoidal rule. */
typedef struct history_sums {
    double work;       /* J that the bodies gave to the contact */
    double put_in;     /* the same without what came back */
    double stored;     /* J at the end */
    double dissipated; /* J, with what ended contacts still stored */
    double missing;    /* J, the most by which work was neither stored nor dissipated on the way */
    double regained;   /* J, the most of what had been lost on the way that came back: work that is not stored */
    double change;     /* of the largest force: the most that it changes in one step of a contact that goes on */
    size_t going;      /* such steps */
} history_sums;
history_sums history_sum(subject *s, const motion *m);

#endif
