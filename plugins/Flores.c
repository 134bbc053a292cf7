/* SPDX-License-Identifier: MIT */
/* Flores.c - damping from a coefficient of restitution, also a low one. */
#include "impact.h"

PCM_INLINE double published_damping(double e) { return 1.6 * (1 - e) / e; }

PCM_KERNELS(update, establish);
PCM_MODEL(
    Flores, "Nonlinear spring, damped by the impact's speed and any restitution",
    .source = "Flores, Machado, Silva and Martins, Multibody System Dynamics 25 (2011)",
    .equations =
        "fn = k d^n max(1 + x d'/v, 0) for d > 0        v depth rate at touch-down\n"
        "As printed, x = 8 (1 - e)/(5 e): with e = 0.5 an impact returns 0.4704.\n"
        "By default x is the root of x - ln(1 + x) = -e x - ln(1 - e x), which returns e; the law is then\n"
        "the same as LankaraniNikravesh. NominalRestitution = true is the law as printed.\n"
        "Holds for impacts at about the speed at touch-down, of bodies that stay elastic and do not swing inside.\n",
    .params = PCM_TABLE(params), .states = PCM_TABLE(states), .events = PCM_TABLE(events),
    .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH | PCM_DEPTH_RATE, .outputs = PCM_ENERGY | PCM_DISSIPATION,
    .flags = PCM_ISOTROPIC, .prepare = prepare);
