/* SPDX-License-Identifier: MIT */
/* units.h - units as people write them: kN/mm, N*s/m^1.5, 1/(m*s), deg. */
#ifndef PCM_BASE_UNITS_H
#define PCM_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* A unit is factor * 10^(tens/2) * m^(length/2) * kg^(mass/2) * s^(time/2). Radians have no dimension. */
typedef struct pcm_unit {
    int    length, mass, time, tens;
    double factor; /* what is no power of ten: 60 of a minute, pi/180 of a degree */
} pcm_unit;

typedef enum pcm_unit_error { PCM_UNIT_OK, PCM_UNIT_UNKNOWN, PCM_UNIT_EXPONENT, PCM_UNIT_SYNTAX } pcm_unit_error;

/* Reads the whole text; "1" is no unit. Where it fails, *at and *bad say which bytes are to blame. */
pcm_unit_error pcm_unit_read(const char *text, size_t length, pcm_unit *unit, size_t *at, size_t *bad);

bool pcm_unit_same_dimension(const pcm_unit *a, const pcm_unit *b);

/* The number in SI units; for factor 1 correctly rounded. */
double pcm_unit_to_si(const pcm_unit *unit, double number);

enum { PCM_DIMENSION_SIZE = 64 };

/* The dimension in base units, such as "kg*m/s^2"; "1" for none. */
void pcm_unit_dimension(const pcm_unit *unit, char text[PCM_DIMENSION_SIZE]);

#endif
