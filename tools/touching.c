/* SPDX-License-Identifier: MIT */
#include "touching.h"

#include <math.h>
#include <pcm/messages.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.141592653589793;

touching touching_of(const char *type, const double size[3], double radius)
{
    const bool ball = strcmp(type, "sphere") == 0, capsule = strcmp(type, "capsule") == 0;
    const bool drum = strcmp(type, "cylinder") == 0, box = strcmp(type, "box") == 0;
    const bool plane = strcmp(type, "plane") == 0;
    touching   t = {.known = ball || capsule || drum || box || plane, .ends = ball || capsule};
    if (ball || capsule || drum)
        t.radius = size[0];
    if (radius != t.radius) {
        t.given = t.known = true;
        t.ends = radius > 0;
        t.radius = radius;
        return t;
    }
    if (capsule || drum)
        t.side = 2 * size[1];
    if (drum)
        t.flats[0] = pi * size[0] * size[0];
    for (int k = 0; k < 3 && box; k++)
        t.flats[k] = 4 * size[(k + 1) % 3] * size[(k + 2) % 3];
    if (plane)
        t.flats[0] = INFINITY;
    return t;
}

/* A text that grows, up to its size. */
typedef struct writer {
    char  *text;
    size_t size, at;
} writer;

static __attribute__((format(printf, 2, 3))) void say(writer *w, const char *format, ...)
{
    va_list words;
    if (w->at > 0 && w->at < w->size)
        w->at += (size_t)snprintf(w->text + w->at, w->size - w->at, ", ");
    va_start(words, format);
    if (w->at < w->size)
        w->at += (size_t)vsnprintf(w->text + w->at, w->size - w->at, format, words);
    va_end(words);
}

static const char *per_metre(double radius, pcm_number_text *room)
{
    *room = pcm_number(radius > 0 ? 1 / radius : 0, 3);
    return room->text;
}

void touching_write(const touching *t, char *text, size_t size)
{
    writer          w = {text, size, 0};
    pcm_number_text room;
    *text = '\0';
    if (t->given)
        say(&w, "%s 1/m by the scene", per_metre(t->radius, &room));
    else if (t->ends)
        say(&w, "%s of %s 1/m", t->side > 0 ? "ends" : "points", per_metre(t->radius, &room));
    if (t->side > 0)
        say(&w, "a side of %s m, %s 1/m", pcm_number(t->side, 3).text, per_metre(t->radius, &room));
    for (int k = 0; k < 3; k++) {
        const double flat = t->flats[k];
        const bool   again = (k > 0 && flat == t->flats[0]) || (k > 1 && flat == t->flats[1]);
        if (isinf(flat))
            say(&w, "a flat");
        else if (flat > 0 && !again)
            say(&w, "%s%s m^2", k > 0 ? "" : "flats of ", pcm_number(flat, 3).text);
    }
}

static double curvature(double radius) { return radius > 0 ? 1 / radius : 0; }

/* The least flat that two objects can share at most. */
static double shared_flat(const touching *a, const touching *b)
{
    double most[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
        most[0] = fmax(most[0], a->flats[k]);
        most[1] = fmax(most[1], b->flats[k]);
    }
    return fmin(most[0], most[1]);
}

void touching_write_pair(const touching *a, const touching *b, char *text, size_t size)
{
    const double sum = curvature(a->radius) + curvature(b->radius), flat = shared_flat(a, b);
    const bool   sides = a->side > 0 && b->side > 0,
               lies = (a->side > 0 && b->flats[0] > 0) || (b->side > 0 && a->flats[0] > 0);
    writer w = {text, size, 0};
    *text = '\0';
    if (!a->known || !b->known)
        return;
    if (a->given || b->given) {
        say(&w, "in points, %s 1/m: the scene gives the radius", pcm_number(sum, 3).text);
        return;
    }
    if (a->ends || b->ends)
        say(&w, "in points, up to %s 1/m", pcm_number(sum, 3).text);
    else if (sides)
        say(&w, "in points where they cross, %s and %s 1/m", pcm_number(curvature(a->radius), 3).text,
            pcm_number(curvature(b->radius), 3).text);
    if (sides || lies)
        say(&w, "along a line of up to %s m, %s 1/m",
            pcm_number(sides ? fmin(a->side, b->side) : fmax(a->side, b->side), 3).text,
            pcm_number(sides ? sum : curvature(a->side > 0 ? a->radius : b->radius), 3).text);
    if (flat > 0 && isfinite(flat))
        say(&w, "on a flat of up to %s m^2", pcm_number(flat, 3).text);
}
