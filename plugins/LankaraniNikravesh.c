/* SPDX-License-Identifier: MIT */
/* LankaraniNikravesh.c - damping from a coefficient of restitution near 1. */
#include "impact.h"

PCM_INLINE double published_damping(double e) { return 0.75 * (1 - e * e); }

PCM_KERNELS(update, establish);
PCM_MODEL(
    LankaraniNikravesh, "Nonlinear spring, damped by the impact's speed and a restitution near 1",
    .source = "Lankarani and Nikravesh, J. Mechanical Design 112 (1990)",
    .equations =
        "fn = k d^n max(1 + x d'/v, 0) for d > 0        v depth rate at touch-down\n"
        "As printed, x = 3/4 (1 - e^2), which holds for e near 1: with e = 0.5 an impact returns 0.7252.\n"
        "By default x is the root of x - ln(1 + x) = -e x - ln(1 - e x), which returns e; the law is then\n"
        "the same as Flores. NominalRestitution = true is the law as printed.\n"
        "Holds for impacts at about the speed at touch-down, of bodies that stay elastic and do not swing inside.\n",
    .params = PCM_TABLE(params), .states = PCM_TABLE(states), .events = PCM_TABLE(events),
    .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH | PCM_DEPTH_RATE, .outputs = PCM_ENERGY | PCM_DISSIPATION,
    .flags = PCM_ISOTROPIC, .prepare = prepare);
