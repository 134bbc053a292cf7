/* SPDX-License-Identifier: MIT */
/* replay.h - a recorder: writes the motion, the contacts and the forces of laws to one page for a browser.
 *
 *   pcm_replay_def def = pcm_replay_defaults();
 *   def.path = "run.html";
 *   pcm_replay *replay = pcm_replay_new(world, &def);
 *   pcm_replay_shape(replay, box, &(pcm_shape){.size = sizeof(pcm_shape), .kind = PCM_SHAPE_BOX,
 *                                              .dimensions = {0.2, 0.1, 0.1}});
 *   each step:  pcm_world_commit(world);
 *               pcm_replay_frame(replay);
 *   pcm_replay_close(replay);
 *
 * This is libpcm-replay, a separate library that uses zlib, and libpcm only through its public headers. A recorder only
 * reads: forces, states and logs are the same with and without it. At any time the page is complete except for at most
 * the last 256 frames, and the memory of a recorder does not grow with the run. docs/replay.md describes the file.
 *
 * A recorder belongs to its world's thread and is closed before it. Shapes and bodies may be added at any time. Errors
 * and units are as in pcm.h. */
#ifndef PCM_REPLAY_H
#define PCM_REPLAY_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcm_replay pcm_replay;

typedef struct pcm_replay_def {
    size_t      size;
    const char *path;   /* of the page; an existing file is overwritten */
    const char *viewer; /* the file with the page's code; NULL: the file named by PCM_REPLAY_VIEWER in the environment,
                           or the installed one */
    const char *title;  /* copied; NULL: the name of the page's file */
    double      every;  /* s of simulated time between frames; default 1/60; 0: each call is a frame */
} pcm_replay_def;

/* A frame each 1/60 s, and the installed viewer. */
PCM_EXPORT void              pcm_replay_defaults_into(pcm_replay_def *def, size_t size);
static inline pcm_replay_def pcm_replay_defaults(void)
{
    pcm_replay_def def;
    pcm_replay_defaults_into(&def, sizeof def);
    return def;
}

/* [setup] Begins a page of that world, which keeps events (pcm/event.h) from now on. NULL, with a report: the page
 * cannot be written, or the viewer does not exist. */
PCM_EXPORT pcm_replay *pcm_replay_new(pcm_world *world, const pcm_replay_def *def);

/* ---- Shapes and views -------------------------------------------------------------------------------------------- */

typedef enum pcm_shape_kind {
    PCM_SHAPE_SPHERE,    /* dimensions: radius; about the origin, like all that follow */
    PCM_SHAPE_CAPSULE,   /* radius, length of the segment on the z axis */
    PCM_SHAPE_CYLINDER,  /* radius, height along the z axis */
    PCM_SHAPE_BOX,       /* sides */
    PCM_SHAPE_ELLIPSOID, /* half axes */
    PCM_SHAPE_DISK,      /* radius; in the plane z = 0 */
    PCM_SHAPE_PLANE,     /* sides along x and y; 0: without end; z = 0 */
    PCM_SHAPE_CLOUD,     /* points */
    PCM_SHAPE_HULL,      /* of points */
    PCM_SHAPE_MESH,      /* points and triangles */
    PCM_SHAPE_GRID       /* points[i * columns + j], joined with those of the next row and column */
} pcm_shape_kind;

typedef struct pcm_shape {
    size_t          size;
    pcm_shape_kind  kind;
    pcm_pose        placement; /* in the axes of its object or body; an orientation of all zeros means no rotation */
    double          dimensions[3]; /* m */
    const double   *points;        /* 3 each */
    size_t          n_points;
    const uint32_t *triangles; /* three points each, counterclockwise from outside */
    size_t          n_triangles;
    size_t          columns;  /* of a grid */
    double          color[4]; /* red, green, blue, opacity, 0 to 1; all zero: the page chooses */
} pcm_shape;

/* Adds a shape to an object; an object may have several. The data that shape points at is copied. PCM_BAD_ARGUMENT,
 * with a report: the shape is invalid. */
PCM_EXPORT pcm_status pcm_replay_shape(pcm_replay *replay, pcm_object object, const pcm_shape *shape);

/* A body that is not an object of the world, such as scenery, or a body that no rule mentions. fixed: it does not move
 * after it has been placed. Returns its number; UINT32_MAX if there is no memory. */
PCM_EXPORT uint32_t   pcm_replay_body(pcm_replay *replay, const char *name, bool fixed);
PCM_EXPORT pcm_status pcm_replay_body_shape(pcm_replay *replay, uint32_t body, const pcm_shape *shape);
PCM_EXPORT pcm_status pcm_replay_body_move(pcm_replay *replay, uint32_t body, const pcm_pose *pose);

/* A view, in m; the page begins with the first one. angle: rad, the vertical field of view. */
PCM_EXPORT pcm_status pcm_replay_camera(pcm_replay *replay, const char *name, const double eye[3],
                                        const double target[3], double angle);

/* A number over time that the page plots, such as an energy. Returns its number; UINT32_MAX if there is no memory. A
 * frame has the value that was set last; NaN before. */
PCM_EXPORT uint32_t   pcm_replay_quantity(pcm_replay *replay, const char *name, const char *unit);
PCM_EXPORT pcm_status pcm_replay_set(pcm_replay *replay, uint32_t quantity, double value);

/* ---- Over time --------------------------------------------------------------------------------------------------- */

/* A contact that the host's own solver handles. */
typedef struct pcm_replay_contact {
    size_t     size;
    pcm_object a, b;           /* objects of the world; for a body of the recorder, the zero handle and its number in */
    uint32_t   body_a, body_b; /* these */
    uint64_t   feature;        /* distinguishes contacts of one pair */
    size_t     rule;           /* the rule that leaves the pair to the host; SIZE_MAX: no rule matches it */
    double     point[3];
    double     normal[3]; /* unit, from a to b */
    double     force[3];  /* N, on b, world axes */
    double     slip;      /* m/s, 0 or more */
    double     depth;     /* m */
    double     friction;  /* coefficient; NaN: not known */
    int64_t    mode;      /* PCM_SEPARATED ... */
} pcm_replay_contact;

/* Whether pcm_replay_frame would record a frame now: data that only a frame needs can be left out otherwise. */
PCM_EXPORT bool pcm_replay_due(const pcm_replay *replay);

/* Whether it will record a frame after an update at time t, so that data that only frames need can be computed for
 * these alone. */
PCM_EXPORT bool pcm_replay_due_at(const pcm_replay *replay, double t);

/* A contact in the frame that is recorded next. */
PCM_EXPORT pcm_status pcm_replay_host_contact(pcm_replay *replay, const pcm_replay_contact *contact);

/* [hot] After each commit: records the events of contacts and, if one is due, a frame at the time of the last update,
 * with the poses and contacts of that update. Once the page cannot be written, which is reported, it does nothing;
 * PCM_NO_MEMORY: this frame is lost, reported once. */
PCM_EXPORT pcm_status pcm_replay_frame(pcm_replay *replay);

/* Writes the remaining data and frees the recorder. PCM_BAD_FILE, PCM_NO_MEMORY: a part of the page is missing, which
 * was reported. NULL is allowed. */
PCM_EXPORT pcm_status pcm_replay_close(pcm_replay *replay);

#ifdef __cplusplus
}
#endif
#endif
