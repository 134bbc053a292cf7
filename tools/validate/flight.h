/* SPDX-License-Identifier: MIT */
/* flight.h - the impact of a sphere on a wall or on another sphere, in a plane, with spin. */
#ifndef PCM_TOOLS_VALIDATE_FLIGHT_H
#define PCM_TOOLS_VALIDATE_FLIGHT_H

#include "suite.h"

/* What an impact did; SI units and radians. Speeds are relative ones of the two bodies, whose centre of mass rests. */
typedef struct flight_result {
    bool   left;                    /* false: the bodies stay together, or the law failed */
    double restitution, tangential; /* of the relative velocity of the centres: normal, tangential */
    double rebound_angle, spin;     /* of the velocity of the contact point from the normal; of the sphere */
    double duration, force, depth;  /* of the contact; the largest ones */
    double contact;                 /* of the relative velocity of the two surfaces: tangential restitution */
    double lost;                    /* share of the kinetic energy */
    double step, time;              /* s; time: simulated */
} flight_result;

/* The objects are Base and Ball; without a Surface of the file theirs are Wall (for another sphere, Ball) and Ball. */
flight_result flight_run(pcm_config *config, const impact_case *what);

/* A number of it by its name in tests.csv, and its unit in SI. NaN and NULL: none has that name. */
double      flight_measure(const flight_result *result, const char *name);
const char *flight_unit(const char *name);

#endif
