/* SPDX-License-Identifier: MIT */
/* baseline_scalar.h - the loops that PCM competes with: contact laws inlined into the loop over contacts, as a C
 * programmer would write them. All of them sum wrenches into the bodies, starting from zero. */
#ifndef PCM_BENCH_BASELINE_SCALAR_H
#define PCM_BENCH_BASELINE_SCALAR_H

#include "scene.h"

/* The laws and parameter values that both sides of every comparison use, written as a .pcm file writes them. */
#define VISCOELASTIC_TYPE                                                                                              \
    "ViscoelasticGround { GroundStiffness = 1e4; GroundDamping = 10; Friction = 0.8; TanhRate = 50; }"
#define COMPLIANT_TYPE "CompliantGround { Stiffness = 1e6; Damping = 2000; Friction = 0.5; }"
#define SMOOTH_TYPE                                                                                                    \
    "SmoothSpringDamper { Stiffness = 1e6; Damping = 1e3; TransitionRegionWidth = 1e-4; "                              \
    "CoefficientOfStaticFriction = 0.5; CoefficientOfDynamicFriction = 0.3; CriticalVelocity = 1e-3; }"

#define SPRING_TYPE "SpringContact { K = 1000; B = 10; X_Limit = 1000; Y_Limit = 1000; Z_Limit = 5; }"

/* A law as a function of one contact. Only laws with a state use state and next. */
typedef struct LawMotion {
    double depth, depth_rate, slip_x, slip_y;
} LawMotion;

typedef struct LawForce {
    double normal, x, y;
    int    broken; /* the law ended the contact */
} LawForce;

typedef LawForce LawFunction(const LawMotion *motion, const double *state, double *next, double dt);

LawForce law_viscoelastic(const LawMotion *motion, const double *state, double *next, double dt);
LawForce law_compliant(const LawMotion *motion, const double *state, double *next, double dt);
LawForce law_smooth(const LawMotion *motion, const double *state, double *next, double dt);
LawForce law_spring(const LawMotion *motion, const double *state, double *next, double dt);

/* A law in its loop over all contacts. */
void by_hand_viscoelastic(void *scene);
void by_hand_compliant(void *scene);
void by_hand_smooth(void *scene);

#endif
