/* SPDX-License-Identifier: MIT */
/* replay.h - a recorder: what moved, what touched and which law answered, as one page for a browser.
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
 * This is libpcm-replay, which stands beside libpcm and uses it through its public headers, and zlib. A recorder only
 * looks: forces, states and logs are the same with it and without. The page is complete up to the last 256 frames at
 * any time, and the memory that a recorder takes does not grow with the run. docs/replay.md describes the file.
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
    const char *path;   /* of the page; a file that is there is overwritten */
    const char *viewer; /* the file with the page's code; NULL: that of PCM_REPLAY_VIEWER in the environment, or the
                         * installed one */
    const char *title;  /* copied; NULL: the path */
    double      every;  /* s of simulated time from frame to frame, 1/60; 0: each call is a frame */
} pcm_replay_def;

/* A frame each 1/60 s, the installed viewer. */
PCM_EXPORT void              pcm_replay_defaults_into(pcm_replay_def *def, size_t size);
static inline pcm_replay_def pcm_replay_defaults(void)
{
    pcm_replay_def def;
    pcm_replay_defaults_into(&def, sizeof def);
    return def;
}

/* [setup] Begins a page of that world, which keeps events (pcm/event.h) from now on. NULL, and reported: the page
 * cannot be written, or the viewer is not there. */
PCM_EXPORT pcm_replay *pcm_replay_new(pcm_world *world, const pcm_replay_def *def);

/* ---- What is seen ---------------------------------------------------------------------------------------------- */

typedef enum pcm_shape_kind {
    PCM_SHAPE_SPHERE,    /* dimensions: radius; about the origin, like all that follow */
    PCM_SHAPE_CAPSULE,   /* radius, length of the segment on the z axis */
    PCM_SHAPE_CYLINDER,  /* radius, height along the z axis */
    PCM_SHAPE_BOX,       /* sides */
    PCM_SHAPE_ELLIPSOID, /* half axes */
    PCM_SHAPE_DISK,      /* radius; in the plane z = 0 */
    PCM_SHAPE_PLANE,     /* sides along x and y, 0: as far as is seen; z = 0 */
    PCM_SHAPE_CLOUD,     /* points */
    PCM_SHAPE_HULL,      /* of points */
    PCM_SHAPE_MESH,      /* points and triangles */
    PCM_SHAPE_GRID       /* points[i * columns + j], joined with those of the next row and column */
} pcm_shape_kind;

typedef struct pcm_shape {
    size_t          size;
    pcm_shape_kind  kind;
    pcm_pose        placement;     /* in the axes of its object or body; an orientation of zeros is none */
    double          dimensions[3]; /* m */
    const double   *points;        /* 3 each */
    size_t          n_points;
    const uint32_t *triangles; /* three points each, counterclockwise from outside */
    size_t          n_triangles;
    size_t          columns;  /* of a grid */
    double          color[4]; /* red, green, blue, opacity, 0 to 1; all zero: the page's choice */
} pcm_shape;

/* Shows an object with one more shape. What shape points at is copied. PCM_BAD_ARGUMENT, and reported: it is none. */
PCM_EXPORT pcm_status pcm_replay_shape(pcm_replay *replay, pcm_object object, const pcm_shape *shape);

/* A body that is no object of the world: what stands around, or what no rule speaks of. fixed: never moved after its
 * first move. Returns its number; UINT32_MAX without memory. */
PCM_EXPORT uint32_t   pcm_replay_body(pcm_replay *replay, const char *name, bool fixed);
PCM_EXPORT pcm_status pcm_replay_body_shape(pcm_replay *replay, uint32_t body, const pcm_shape *shape);
PCM_EXPORT pcm_status pcm_replay_body_move(pcm_replay *replay, uint32_t body, const pcm_pose *pose);

/* A place from which to look, m; the page begins at the first. angle: rad, of the view from below to above. */
PCM_EXPORT pcm_status pcm_replay_camera(pcm_replay *replay, const char *name, const double eye[3],
                                        const double target[3], double angle);

/* A number over time that the page plots, such as an energy. Returns its number; UINT32_MAX without memory. A frame has
 * the value that was set last; NaN before. */
PCM_EXPORT uint32_t   pcm_replay_quantity(pcm_replay *replay, const char *name, const char *unit);
PCM_EXPORT pcm_status pcm_replay_set(pcm_replay *replay, uint32_t quantity, double value);

/* ---- Over time ------------------------------------------------------------------------------------------------- */

/* A contact that the host's own solver handles. */
typedef struct pcm_replay_contact {
    size_t     size;
    pcm_object a, b;           /* objects of the world; where it has none, the zero handle and */
    uint32_t   body_a, body_b; /* bodies of the recorder */
    uint64_t   feature;        /* tells contacts of one pair apart */
    size_t     rule;           /* that leaves the pair to the host; SIZE_MAX: no rule matches it */
    double     point[3];
    double     normal[3]; /* unit, from a to b */
    double     force[3];  /* N, on b, world axes */
    double     slip;      /* m/s, 0 or more */
    double     depth;     /* m */
    double     friction;  /* coefficient; NaN: not known */
    int64_t    mode;      /* PCM_SEPARATED ... */
} pcm_replay_contact;

/* Whether pcm_replay_frame would record: what only a frame needs may wait until then. */
PCM_EXPORT bool pcm_replay_due(const pcm_replay *replay);

/* Whether it will record after an update at t: what only frames need may be computed for them alone. */
PCM_EXPORT bool pcm_replay_due_at(const pcm_replay *replay, double t);

/* A contact of the frame that is recorded next. */
PCM_EXPORT pcm_status pcm_replay_host_contact(pcm_replay *replay, const pcm_replay_contact *contact);

/* [hot] After each commit: notes what happened to contacts and, if it is due, records a frame at the time of the last
 * update, with the poses and contacts of that update. Once the page cannot be written, which is reported, it does
 * nothing; PCM_NO_MEMORY: this frame is lost, reported once. */
PCM_EXPORT pcm_status pcm_replay_frame(pcm_replay *replay);

/* Writes what is left and frees the recorder. PCM_BAD_FILE, PCM_NO_MEMORY: some of the page is missing, which was
 * reported. NULL is allowed. */
PCM_EXPORT pcm_status pcm_replay_close(pcm_replay *replay);

#ifdef __cplusplus
}
#endif
#endif
