/* SPDX-License-Identifier: MIT */
/* stable_step.h - the largest stable step of a run, from its contacts' stiffness and damping and the bodies' inertia.
 */
#ifndef PCM_TOOLS_RUN_STABLE_STEP_H
#define PCM_TOOLS_RUN_STABLE_STEP_H

#include <pcm/jacobian.h>
#include <pcm/mujoco.h>

typedef struct advice {
    pcm_mujoco   *host;
    pcm_matrices *matrices;
    int           nv;
    size_t        room; /* contacts that there is memory for */
    struct advice_contact {
        double  stiffness[9], damping[9]; /* symmetric parts of the translational blocks */
        double *jacobian;                 /* 3 by nv: the follower's point against the base's */
        char    name[192];
    } * contacts;
    double *vector, *image, *jacobian; /* nv each; 3 by nv */
    size_t  steps;                     /* seen */
    double  least, time;               /* s: the smallest of the largest stable steps, and when that was */
    char    name[192];                 /* of the contact that bears most of it */
} advice;

/* False, and reported, when there is no memory. Stop it in either case. */
bool advice_start(advice *a, const mjModel *model, pcm_mujoco *host);
void advice_stop(advice *a);

/* Looks at the contacts after a step, now and then: when there are more than ever, and every so many steps. */
void advice_look(advice *a, const mjModel *model, mjData *data);

/* Warns where the step of the run is larger than the largest stable one. */
void advice_tell(const advice *a, const mjModel *model);

#endif
