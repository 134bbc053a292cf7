/* SPDX-License-Identifier: MIT */
/* units.h - units as people write them: kN/mm, N*s/m^1.5, 1/(m*s), deg. */
#ifndef PCM_BASE_UNITS_H
#define PCM_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* A unit is factor * 10^tens * m^length * kg^mass * s^time * K^temperature * A^current. Radians have no dimension. */
typedef struct pcm_unit {
    double length, mass, time, temperature, current, tens;
    double degrees; /* the power of degrees in it: the unit is an angle, although radians have no dimension */
    double factor;  /* the part that is no power of ten: 60 for a minute, pi/180 for a degree */
} pcm_unit;

enum { PCM_EXPONENT_MOST = 30 }; /* limit on each base unit's exponent, positive or negative */

typedef enum pcm_unit_error { PCM_UNIT_OK, PCM_UNIT_UNKNOWN, PCM_UNIT_EXPONENT, PCM_UNIT_SYNTAX } pcm_unit_error;

/* The wrong bytes of a unit, and a suggestion. */
typedef struct pcm_unit_fault {
    pcm_unit_error error;
    size_t         at, bad;
    char           instead[24]; /* what to write instead, if that is certain; else "" */
    char           maybe[48];   /* several that may be meant: "'mm' or 'Mm'"; else "" */
    const char    *in_si;       /* for a unit outside SI, its value: "4.4482216152605 N"; else NULL */
    const char    *advice;      /* for what is no unit, what to do; else NULL */
} pcm_unit_fault;

/* Reads the whole text; "1" is no unit. */
bool pcm_unit_read(const char *text, size_t length, pcm_unit *unit, pcm_unit_fault *fault);

/* Exponents that differ only by rounding are equal. */
bool pcm_unit_same_dimension(const pcm_unit *a, const pcm_unit *b);

/* Raises the unit to a power. False, and unchanged, if an exponent would exceed PCM_EXPONENT_MOST. */
bool pcm_unit_raise(pcm_unit *unit, double exponent);

/* The number in SI units; correctly rounded for factor 1 and a whole power of ten. */
double pcm_unit_to_si(const pcm_unit *unit, double number);

enum { PCM_DIMENSION_SIZE = 64 };

/* The dimension in base units, such as "kg*m/s^2"; "1" for none. */
void pcm_unit_dimension(const pcm_unit *unit, char text[PCM_DIMENSION_SIZE]);

/* ---- Exponents that are parameters ------------------------------------------------------------------------------ */

/* The first name in the exponents of a law's unit, "Exponent" in "N/m^Exponent"; NULL: there is none. */
const char *pcm_unit_exponent_name(const char *unit, size_t *length);

/* The text that replaces a name; NULL: none. */
typedef const char *pcm_exponent_text(void *user, const char *name, size_t length);

enum { PCM_UNIT_SIZE = 256 };

/* The unit with its names replaced by text. False if a name has no replacement, or there is no room. */
bool pcm_unit_replace_names(const char *unit, pcm_exponent_text *text_of, void *user, char text[PCM_UNIT_SIZE]);

enum { PCM_EXPONENT_SIZE = 32 };

/* An exponent as it is written in units: 1.5, (4/3). */
void pcm_exponent_write(double exponent, char text[PCM_EXPONENT_SIZE]);

#endif
