/* SPDX-License-Identifier: MIT */
/* answer.h - how a contact answers motion: 3 by 3 matrices in its frame, for implicit steps. */
#ifndef PCM_MUJOCO_ANSWER_H
#define PCM_MUJOCO_ANSWER_H

#include "evaluation.h"

/* Half of the difference of its principal values in the tangent plane. */
static inline double pcm_answer_radius(const pcm_answer *a)
{
    const double half = 0.5 * (a->xx - a->yy);
    return sqrt(half * half + a->xy * a->xy);
}

static inline pcm_answer pcm_answer_scaled(double factor, pcm_answer a)
{
    return (pcm_answer){factor * a.xx, factor * a.xy, factor * a.yy, factor * a.nn};
}

static inline pcm_answer pcm_answer_sum(pcm_answer a, pcm_answer b)
{
    return (pcm_answer){a.xx + b.xx, a.xy + b.xy, a.yy + b.yy, a.nn + b.nn};
}

static inline void pcm_answer_to(const pcm_answer *a, const double moved[3], double answered[3])
{
    answered[0] = a->xx * moved[0] + a->xy * moved[1];
    answered[1] = a->xy * moved[0] + a->yy * moved[1];
    answered[2] = a->nn * moved[2];
}

static inline pcm_answer pcm_answer_weighed(pcm_answer a, double tangential, double normal)
{
    return (pcm_answer){tangential * a.xx, tangential * a.xy, tangential * a.yy, normal * a.nn};
}

static inline pcm_answer pcm_answer_over(const pcm_answer *damping, const pcm_answer *stiffness, double h)
{
    return pcm_answer_sum(pcm_answer_scaled(h, *damping), pcm_answer_scaled(h * h, *stiffness));
}

/* x / (1 + x): near 0 if a step resolves the motion, near 1 if the motion is stiff. */
static inline double pcm_counted(double x) { return isfinite(x) ? x / (1 + x) : 1; }

/* The stiffness of sliding friction turns with the slip: it resists across the slip and not along it. If one step could
 * reverse the slip, friction is made to resist along the slip as it does across, so that the slip ends. */
static inline pcm_answer pcm_answer_ending(const double yields[3], pcm_answer a)
{
    const double high = 0.5 * (a.xx + a.yy) + pcm_answer_radius(&a);
    const double part = pcm_counted(high * fmax(yields[0], yields[1]));
    return pcm_answer_sum(pcm_answer_scaled(1 - part, (pcm_answer){a.xx, a.xy, a.yy, 0}),
                          (pcm_answer){part * high, 0, part * high, a.nn});
}

/* Adds the joint-space matrix of a contact's resistance to one kind of motion. */
static inline void pcm_answer_add(const pcm_answer *a, int kind, const pcm_column *columns, size_t count,
                                  double *entries)
{
    for (size_t i = 0; i < count; i++) {
        double answered[3];
        pcm_answer_to(a, columns[i].moves[kind], answered);
        for (size_t k = 0; k <= i; k++)
            entries[count * i + k] += pcm_dot(answered, columns[k].moves[kind]);
    }
}

#endif
