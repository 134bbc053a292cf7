/* SPDX-License-Identifier: MIT */
/* contact_shape.h - the shape of the gap around a contact: how curved the bodies are there, and whether they meet in a
 * point, along a line or on a flat.
 *
 * Hosts that know it pass it with each touch (pcm_touch.shape); libpcm-geometry computes it (pcm_geometry_shape), and
 * spaces pass it by themselves. Laws read it as columns: PCM_CURVATURE, PCM_CURVATURE_AXIS and PCM_EXTENT in plugin.h,
 * where the columns' meaning stands. Where it is not known, laws take the radius of the objects. */
#ifndef PCM_CONTACT_SHAPE_H
#define PCM_CONTACT_SHAPE_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Both curvatures are NaN where they are not known, at edges and corners; then the radius counts. A shape is bad, which
 * is reported once per contact type (PCM-425), and the contact counts as one without a shape, if a curvature is below 0
 * or infinite, a part is not between 0 and 1, or patch_part is above 0 without a line or a flat. */
typedef struct pcm_contact_shape {
    size_t size;
    double curvature[2]; /* 1/m, principal relative curvatures at the point, the smaller one first */
    double direction[3]; /* unit vector in the axes of the touch: where the gap has the first curvature, or of a line */
    double point_part;   /* the force is point_part times that of the point */
    double patch_part;   /* plus patch_part times that of the whole line or flat */
    double line_length;  /* m, of the whole line; 0: none */
    double line_curvature; /* 1/m, across the line */
    double flat_area;      /* m^2, of the whole flat; 0: none */
    double flat_aspect;    /* of its two radii of gyration, the larger over the smaller */
} pcm_contact_shape;

/* A point whose curvatures are not known. */
PCM_EXPORT void                 pcm_contact_shape_defaults_into(pcm_contact_shape *shape, size_t size);
static inline pcm_contact_shape pcm_contact_shape_defaults(void)
{
    pcm_contact_shape shape;
    pcm_contact_shape_defaults_into(&shape, sizeof shape);
    return shape;
}

typedef enum pcm_contact_kind {
    PCM_CONTACT_UNKNOWN, /* a point whose curvatures are not known */
    PCM_CONTACT_POINT,
    PCM_CONTACT_LINE, /* at least in part */
    PCM_CONTACT_FLAT  /* at least in part */
} pcm_contact_kind;
/* What the numbers of `shape` say that the bodies touch by. */
static inline pcm_contact_kind pcm_contact_shape_kind(const pcm_contact_shape *shape)
{
    if (shape->patch_part > 0)
        return shape->line_length > 0 ? PCM_CONTACT_LINE : PCM_CONTACT_FLAT;
    return shape->curvature[1] >= 0 ? PCM_CONTACT_POINT : PCM_CONTACT_UNKNOWN;
}

/* [hot] Whether contacts of the type need shapes: its law reads them, or holds for points alone (PCM_POINTS), and its
 * worlds warn of lines and flats. Others ignore them. */
PCM_EXPORT bool pcm_type_wants_shape(const pcm_type *type);

#ifdef __cplusplus
}
#endif
#endif
