/* SPDX-License-Identifier: MIT */
/* units.h - units as people write them: kN/mm, N*s/m^1.5, 1/(m*s), deg. */
#ifndef PCM_BASE_UNITS_H
#define PCM_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* A unit is factor * 10^(tens/2) * m^(length/2) * kg^(mass/2) * s^(time/2). Radians have no dimension. */
typedef struct pcm_unit {
    int    length, mass, time, tens;
    int    degrees; /* the power of a degree in it, halved too: an angle, though radians have no dimension */
    double factor;  /* what is no power of ten: 60 of a minute, pi/180 of a degree */
} pcm_unit;

typedef enum pcm_unit_error { PCM_UNIT_OK, PCM_UNIT_UNKNOWN, PCM_UNIT_EXPONENT, PCM_UNIT_SYNTAX } pcm_unit_error;

/* Which bytes of a unit are wrong, and what was meant. */
typedef struct pcm_unit_fault {
    pcm_unit_error error;
    size_t         at, bad;
    char           instead[24]; /* what to write for them, where that is certain; else "" */
    const char    *in_si;       /* of a unit that is known elsewhere: "4.4482216152605 N"; else NULL */
} pcm_unit_fault;

/* Reads the whole text; "1" is no unit. */
bool pcm_unit_read(const char *text, size_t length, pcm_unit *unit, pcm_unit_fault *fault);

bool pcm_unit_same_dimension(const pcm_unit *a, const pcm_unit *b);

/* The number in SI units; for factor 1 correctly rounded. */
double pcm_unit_to_si(const pcm_unit *unit, double number);

enum { PCM_DIMENSION_SIZE = 64 };

/* The dimension in base units, such as "kg*m/s^2"; "1" for none. */
void pcm_unit_dimension(const pcm_unit *unit, char text[PCM_DIMENSION_SIZE]);

#endif
