/* SPDX-License-Identifier: MIT */
/* cone.h - friction cones, their linear pyramids, and wrench cones: which forces contacts can transmit.
 *
 * Link with libpcm-cone. Forces are those that the ground exerts on the body; a cone's axis is the ground's normal,
 * from the ground into the body, in whatever axes the caller uses. Everything but pcm_wrench_cone_new is closed form,
 * [hot].
 *
 * pcm_cone, pcm_pyramid, pcm_cone_point and pcm_wrench_rows are values of fixed meaning, without a size (pcm.h,
 * Growth).
 *
 * A value that is not finite is never inside: its margins are NaN. Functions that reject their arguments return
 * PCM_BAD_ARGUMENT (or NULL), report the reason to the context's sink, and leave their result unchanged; the context
 * may be NULL: then nothing is reported. */
#ifndef PCM_CONE_H
#define PCM_CONE_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The friction cone of a point -------------------------------------------------------------------------------- */

/* The forces f with |f - (f.axis) axis| <= friction * (f.axis). */
typedef struct pcm_cone {
    double axis[3]; /* unit */
    double friction;
} pcm_cone;

/* Makes a cone from a normal, of any length except 0, and a coefficient of friction, at least 0. */
PCM_EXPORT pcm_status pcm_cone_make(pcm_context *context, const double normal[3], double friction, pcm_cone *cone);

typedef struct pcm_cone_report {
    size_t size;
    bool   stable;     /* strictly pressing (normal > 0) and in the cone: the contact holds and does not slide */
    bool   inside;     /* in the closed cone, which includes the zero force */
    double normal;     /* N, along the axis */
    double tangential; /* N, magnitude across the axis */
    double margin;     /* N: friction * normal - tangential; negative outside */
    double angle;    /* rad, from the force to the cone's surface; negative outside; for a zero force the half angle */
    double distance; /* N, from the force to the cone's surface; negative outside */
    double projection[3]; /* N, the nearest force in the closed cone */
} pcm_cone_report;

/* Whether a force lies in the cone, with its margins. Never fails: a force that is not finite gives NaN. */
PCM_EXPORT void pcm_cone_measure_into(const pcm_cone *cone, const double force[3], pcm_cone_report *report,
                                      size_t size);
static inline pcm_cone_report pcm_cone_measure(const pcm_cone *cone, const double force[3])
{
    pcm_cone_report report;
    pcm_cone_measure_into(cone, force, &report, sizeof report);
    return report;
}

/* ---- Linear pyramids --------------------------------------------------------------------------------------------- */

typedef enum pcm_pyramid_kind {
    PCM_PYRAMID_INNER, /* edges on the cone: every force in the pyramid is in the cone */
    PCM_PYRAMID_OUTER, /* faces touch the cone: every force in the cone is in the pyramid */
    PCM_PYRAMID_EQUAL  /* the cone's volume up to any height */
} pcm_pyramid_kind;

enum { PCM_PYRAMID_SIDES = 64 }; /* the largest number of sides */

typedef struct pcm_pyramid {
    double           axis[3], x[3], y[3]; /* unit, right-handed: x, y, axis; the first edge leans towards x */
    double           slope;               /* of the edges: tangential component over normal component */
    uint32_t         sides;
    pcm_pyramid_kind kind;
} pcm_pyramid;

/* A pyramid for a cone. sides: 3 to PCM_PYRAMID_SIDES. first: the direction in which the first edge leans; its
 * component along the axis is dropped, and the rest must not be zero. The cone's friction must be above 0: without
 * friction the cone is a ray. */
PCM_EXPORT pcm_status pcm_pyramid_make(pcm_context *context, const pcm_cone *cone, pcm_pyramid_kind kind,
                                       uint32_t sides, const double first[3], pcm_pyramid *pyramid);

/* Edge k, a unit vector, k = 0 ... sides - 1 in the direction from x to y. The pyramid is their conic hull. */
PCM_EXPORT void pcm_pyramid_edge(const pcm_pyramid *pyramid, uint32_t k, double edge[3]);

/* The unit inward normal of the face between edges k and k + 1. The pyramid is where all face.f >= 0; face.f is the
 * distance to the face in newtons. */
PCM_EXPORT void pcm_pyramid_face(const pcm_pyramid *pyramid, uint32_t k, double face[3]);

/* N, the smallest face.f; NaN where the force is not finite. The force is in the closed pyramid if this is at least
 * 0. */
PCM_EXPORT double pcm_pyramid_margin(const pcm_pyramid *pyramid, const double force[3]);

/* Weights of the `sides` edges that add up to the force: the two edges next to the force carry its tangential part, and
 * the rest of the normal force is divided equally among all. Returns false, with weights unchanged, where the force is
 * outside. */
PCM_EXPORT bool pcm_pyramid_weights(const pcm_pyramid *pyramid, const double force[3], double *weights);

/* ---- Feasible sets that are not circles -------------------------------------------------------------------------- */

/* N, how far a tangential force, with its components along the set's axis and across it, may grow before it leaves the
 * feasible set of a contact at a normal force (pcm_type_shear). In an ellipse this is measured by its length, for a
 * zero force in the direction with the least room; in a box by the component that has the least room. Below 0 outside;
 * NaN where the force is not finite. */
PCM_EXPORT double pcm_shear_margin(const pcm_shear *set, double along, double across);

/* Corners of a polygon in the set, along and across in N, in order from most along towards across: `sides` of them, at
 * least 3, on an ellipse; the 4 corners of a box. corners: room for the larger of sides and 4. Returns their number; 0:
 * the set is empty. */
PCM_EXPORT uint32_t pcm_shear_polygon(const pcm_shear *set, uint32_t sides, double (*corners)[2]);

/* ---- Wrench cones ------------------------------------------------------------------------------------------------ */

/* Six numbers in the order of pcm_wrench: torque (x, y, z), force (x, y, z). The first `linear` rows hold with both
 * signs: among faces they are equalities, row.w = 0; among rays they are lines. */
typedef struct pcm_wrench_rows {
    const double (*rows)[6];
    size_t count, linear;
} pcm_wrench_rows;

/* The smallest row.w over the faces, and -|row.w| over the equalities: negative outside, NaN where the wrench is not
 * finite, infinite where there are no faces. In newtons for rows made by this library. */
PCM_EXPORT double pcm_wrench_margin(pcm_wrench_rows faces, const pcm_wrench *wrench);

/* Whether the wrench lies in the closed cone of the faces, within tolerance times the sum of |row[i] * w[i]|, for each
 * row. Faces have rounding errors: 1e-9 is suitable. */
PCM_EXPORT bool pcm_wrench_inside(pcm_wrench_rows faces, const pcm_wrench *wrench, double tolerance);

/* A point at which the body touches the ground. */
typedef struct pcm_cone_point {
    double position[3]; /* m */
    double normal[3];   /* from the ground into the body; any length but 0 */
    double friction;    /* at least 0 */
} pcm_cone_point;

typedef struct pcm_wrench_cone_def {
    size_t size;
    double about[3]; /* m, the reference point of torques */
    double first[3]; /* direction of each pyramid's first edge; y, or else z, where a normal is parallel to it */
    pcm_pyramid_kind kind;
    uint32_t         sides;
} pcm_wrench_cone_def;

/* Torques about the origin, inner pyramids of 4 sides, the first edge towards x. */
PCM_EXPORT void                   pcm_wrench_cone_defaults_into(pcm_wrench_cone_def *def, size_t size);
static inline pcm_wrench_cone_def pcm_wrench_cone_defaults(void)
{
    pcm_wrench_cone_def def;
    pcm_wrench_cone_defaults_into(&def, sizeof def);
    return def;
}

typedef struct pcm_wrench_cone pcm_wrench_cone;

/* [setup] The wrenches that the forces within the points' pyramids can add up to, reduced, as rays and as faces. NULL
 * where an argument is rejected, there is no memory, or the double description fails; the reason goes to the sink. def
 * NULL: the defaults. Needs cddlib: without it every call is rejected, with that reason.
 *
 * cddlib keeps state in global variables: calls from several threads are serialised, but a program that calls cddlib
 * itself must not do so at the same time. Its own working memory comes from malloc. */
PCM_EXPORT pcm_wrench_cone *pcm_wrench_cone_new(pcm_context *context, const pcm_cone_point *points, size_t count,
                                                const pcm_wrench_cone_def *def);
PCM_EXPORT void             pcm_wrench_cone_free(pcm_wrench_cone *cone); /* NULL is allowed */

/* Rays: the force part, and the torque part divided by the arm, together have length 1. Faces: likewise the force part,
 * and the torque part times the arm; so a face's row.w is in newtons. */
PCM_EXPORT pcm_wrench_rows pcm_wrench_cone_rays(const pcm_wrench_cone *cone);
PCM_EXPORT pcm_wrench_rows pcm_wrench_cone_faces(const pcm_wrench_cone *cone);

/* m: the largest distance of a point from `about`; 1 where that is 0. */
PCM_EXPORT double pcm_wrench_cone_arm(const pcm_wrench_cone *cone);

/* The closed form for a rectangular sole, |x| <= half_x and |y| <= half_y, on ground with its normal along z and the
 * pyramid |fx|, |fy| <= friction * fz: its 16 faces about the centre, in the order
 *   friction * fz -+ fx, friction * fz -+ fy, half_y * fz -+ tx, half_x * fz -+ ty, tz - tz_min (4), tz_max - tz (4)
 * with each row as those terms stand: the first four are in N, the others in N*m. */
PCM_EXPORT pcm_status pcm_sole_faces(pcm_context *context, double half_x, double half_y, double friction,
                                     double faces[16][6]);

/* The range of the yaw torque, N*m, that the sole can transmit with the rest of the wrench, empty where min > max. */
PCM_EXPORT void pcm_sole_yaw(double half_x, double half_y, double friction, const pcm_wrench *wrench, double *min,
                             double *max);

#ifdef __cplusplus
}
#endif
#endif
