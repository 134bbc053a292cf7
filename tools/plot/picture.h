/* SPDX-License-Identifier: MIT */
/* picture.h - curves, or marks, in a plot with two axes. */
#ifndef PCM_TOOLS_PLOT_PICTURE_H
#define PCM_TOOLS_PLOT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

enum { PICTURE_CURVES = 12, PICTURE_TEXT = 160 };

typedef struct picture_curve {
    char    name[PICTURE_TEXT];
    double *points; /* x, then y, of each point; NaN in y is a gap */
    size_t  count, room;
} picture_curve;

typedef struct picture {
    char          title[PICTURE_TEXT], x_label[PICTURE_TEXT], y_label[PICTURE_TEXT]; /* labels with units */
    bool          has_marks; /* marks alone, without lines between them */
    bool          failed;    /* there was no memory for a point */
    picture_curve curves[PICTURE_CURVES];
    size_t        n_curves;
} picture;

/* Adds a curve; its name is formatted as by printf. There must be fewer than PICTURE_CURVES so far. */
picture_curve *picture_add(picture *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

void picture_point(picture *p, picture_curve *curve, double x, double y);

/* The format that a path's ending names: .svg, .png, or .gp for gnuplot's script; PICTURE_NONE for any other. */
typedef enum picture_kind { PICTURE_NONE, PICTURE_SVG, PICTURE_PNG, PICTURE_SCRIPT, PICTURE_TERMINAL } picture_kind;
picture_kind picture_kind_of(const char *path);

/* Draws the picture to the file, or as coarse text on standard output (PICTURE_TERMINAL, path NULL). False, with a
 * report, on failure. */
bool picture_draw(const picture *p, picture_kind kind, const char *path);

void picture_free(picture *p);

#endif
