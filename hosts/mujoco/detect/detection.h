/* SPDX-License-Identifier: MIT */
/* detection.h - the objects and pairs that laws serve, and their contact points. */
#ifndef PCM_MUJOCO_DETECTION_H
#define PCM_MUJOCO_DETECTION_H

#include "scene.h"
#include "sweep.h"
#include <pcm/contact_shape.h>
#include <pcm/near.h>

/* A copy of a height field's heights. */
typedef struct pcm_heights {
    float *values; /* NULL: the geom is not a height field */
    size_t count;
} pcm_heights;

/* An object of the scene that a law serves. */
typedef struct pcm_served {
    const pcm_scene_object *object; /* in the scene's list */
    const char             *name, *surface;
    uint32_t                served; /* how many objects were served before it */
    pcm_object              handle;
    int                     geom, site, body;
    int                     mesh; /* of the geom; -1: none */
    bool                    fixed;
    double                  radius; /* m; 0: flat */
    double                  margin; /* m, half the largest margin of its pairs */

    struct pcm_geometry *shape;    /* for pairs that libpcm-geometry handles (shapes.c); NULL: it has no such pair */
    double               size[3];  /* m, of the geom when the scene was attached */
    struct pcm_geometry *joined;   /* its shape, of a tile beside others; NULL: it is none */
    struct pcm_geometry *smooth;   /* of a height field, in pairs whose type says Smooth */
    pcm_heights          heights;  /* for a height field: its heights at that time */
    struct pcm_geometry *cloud;    /* its points, in the axes that MuJoCo gives the geom; NULL: none */
    size_t               n_points; /* in the cloud */
    double               bound;    /* m, radius of the cloud about the geom's origin */
} pcm_served;

/* A pair that a law serves. */
typedef struct pcm_served_pair {
    uint32_t        a, b;    /* indices of served objects, in MuJoCo's order */
    bool            bits;    /* contype and conaffinity decide whether it collides */
    bool            single;  /* MuJoCo finds only one point, which jumps: the pair has a single feature */
    bool            led;     /* MuJoCo lists such a point before those on the patch's rim */
    bool            ours;    /* libpcm-geometry handles it */
    bool            shaped;  /* its law wants the shapes of contacts, and both objects have a geometry */
    uint32_t        cloud;   /* 1 + the object that touches by its points; 0: none does */
    double          margin;  /* m, the largest gap that is reported */
    double          same;    /* m, points of two evaluations that are nearer than this are the same feature */
    mjfCollision    collide; /* MuJoCo's own function; NULL for a point and a plane */
    const pcm_type *type;
} pcm_served_pair;

/* A pair of the neighbour list, with a cheap test for whether it is too far apart to touch. */
typedef struct pcm_glance {
    uint32_t pair;
    int      geom_a, geom_b;
    double   reach; /* m, between the centres of their bounding spheres; infinite if one has none */
} pcm_glance;

/* A geom with a bounding sphere, and its position when the neighbour list was made. */
typedef struct pcm_bounded {
    int      geom;
    uint32_t object; /* its index */
    double   margin; /* m, half the largest margin of its pairs */
    double   bound;  /* m, the radius */
    double   at[3];  /* m */
    double   stay;   /* m^2, the square of how far it may move before a new list is needed */
} pcm_bounded;

typedef struct pcm_plane {
    int    geom;
    double at[3], axes[9];
} pcm_plane;

/* The neighbour list: served pairs that are near each other. */
typedef struct pcm_near {
    pcm_glance  *glances; /* in order of pair */
    pcm_keyed   *found, *spare;
    size_t       count, capacity; /* of all three arrays */
    pcm_bounded *bounded;
    pcm_ball    *balls; /* a ball for each of `bounded` */
    pcm_sweep    sweep;
    pcm_plane   *planes;
    bool        *marked; /* per object: it is in a pair of the list */
    uint32_t    *wide;   /* pairs of which one object has no bounding sphere, in order */
    size_t       n_bounded, n_planes, n_wide, n_objects, wide_capacity;
    double       reach; /* m, the solver's reach when the list was made */
    bool         listed;
} pcm_near;

#define PCM_NO_RULE UINT32_MAX /* a macro: too large for an enumerator */

/* A pair that MuJoCo handles. */
typedef struct pcm_native_pair {
    int64_t  key;              /* made of the two geoms; the pairs are sorted by it */
    uint32_t rule;             /* the rule that leaves the pair to MuJoCo, or PCM_NO_RULE */
    bool     touches, touched; /* in this step, and in the one before */
    bool     reported;         /* it was reported that the pair has no rule */
} pcm_native_pair;

/* A contact point of a served pair, or a point where the pair nearly touches. */
typedef struct pcm_contact_point {
    pcm_near_mark
             mark; /* first; its place is the witness on the second geom, which stays while other points come and go */
    uint32_t pair, feature;
    double   point[3], normal[3], depth;
    double   area, share; /* as in pcm_touch */
    uint64_t gives;
    pcm_contact contact;
    bool        touched; /* whether the point of the last commit that it matches was reported to the world */
} pcm_contact_point;

/* A point as the narrow phase finds it. */
enum { PCM_PAIR_POINTS = 512 }; /* the most that count for a pair, apart from clouds; MuJoCo lists fewer */
typedef struct pcm_point {
    double   at[3], normal[3], depth;
    double   area, share; /* as in pcm_touch */
    uint64_t gives;
} pcm_point;

/* The result of the narrow phase for a pair, and the poses of its two geoms at that time. */
enum { PCM_PLACE = 12 }; /* the numbers of a position and of three axes */
typedef struct pcm_search {
    uint32_t pair;
    size_t   first, count; /* range in points */
    double   margin, places[2 * PCM_PLACE];
} pcm_search;

typedef struct pcm_finds {
    uint32_t   *of_pair; /* 1 + index of the pair's search; 0: there is none */
    pcm_search *searches;
    pcm_point  *points;
    size_t      n_searches, n_points, search_capacity, point_capacity;
} pcm_finds;

typedef struct pcm_contact_points { /* in order of pair */
    pcm_contact_point *items;
    size_t             count, capacity;
} pcm_contact_points;

typedef struct pcm_detection {
    pcm_served           *objects;
    pcm_served_pair      *pairs;
    size_t                n_objects, n_pairs, object_capacity, pair_capacity;
    const pcm_served    **by_handle;    /* objects by the index of their handles, which is the order of registration */
    uint32_t             *next_feature; /* per pair */
    uint32_t             *pair_of; /* ngeom by ngeom: 1 + index of the pair that is served; 0: the pair is not served */
    bool                 *served_body; /* nbody: whether a served object belongs to the body */
    struct pcm_geometry **hulls;       /* per mesh, shared by all its geoms; NULL: not needed so far */
    size_t                n_hulls;
    bool                  has_states; /* some law in use has states, */
    bool                  laws_step;  /* and continuous ones that it steps itself */
    bool                  lists;      /* contacts of laws are also listed in mjData.contact */
    bool                  own_boxes;  /* libpcm-geometry handles pairs of boxes, */
    bool                  own_convex; /* and pairs of meshes, and of cylinders except with planes and balls */

    pcm_near        near;
    double          reach;   /* m, gaps up to this are reported to a solver; 0: there is no solver */
    pcm_finds       found;   /* results since the last evaluation */
    pthread_mutex_t looking; /* held while one of several MuJoCo threads stores its result */

    pcm_contact_points kept; /* of the last commit */
    pcm_contact_points seen; /* of the last evaluation */
    pcm_contact_points merged;
    bool               restored; /* the handles of kept contact points are not known yet */
    pcm_contact_shape *gaps;     /* shapes of the points in `seen`, size 0: not known; only if some pair is shaped */
    size_t             gap_capacity;
    bool               shaped;
    pcm_touch         *of_cloud; /* scratch */
    size_t             of_cloud_capacity;

    pcm_native_pair *natives;
    size_t           n_natives, native_capacity;
    uint32_t        *touching; /* native pairs that touched in the last step */
    size_t           n_touching, touching_capacity;
    pcm_rule_stats  *native_stats;     /* per rule */
    bool             reported_crowd;   /* a pair with as many points as count was reported */
    bool             reported_late;    /* it was reported that a pair began to collide after attaching */
    char            *as_attached;      /* of an owner: what changed.c compares; */
    bool             reported_changed; /* it was reported that they were changed */
} pcm_detection;

/* Whether a model has a state with that role and those flags. */
static inline bool pcm_has_state(const pcm_model *model, uint32_t role, uint32_t flags)
{
    for (size_t i = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        if (state->role == role && (state->flags & flags) == flags)
            return true;
    }
    return false;
}

/* The entry of pair_of for two geoms. */
static inline uint32_t *pcm_pair_of(const pcm_mujoco *host, int geom_a, int geom_b)
{
    return &host->detection->pair_of[(size_t)geom_a * (size_t)host->model->ngeom + (size_t)geom_b];
}

/* served.c: objects and pairs, made once at attaching. */
pcm_status pcm_served_make(pcm_mujoco *host);
void       pcm_served_free(pcm_mujoco *host);
/* Reports that no object with a law matches, for which something was given; the scene may have one without a law. */
void pcm_served_report_unknown(const pcm_mujoco *host, uint32_t code, const char *what, const char *object);

/* near.c: the neighbour list. */
pcm_status pcm_near_reserve(pcm_mujoco *host); /* after the pairs are sorted */
void       pcm_near_free(pcm_mujoco *host);
pcm_status pcm_near_list(pcm_mujoco *host, const mjData *data); /* updates the list */

/* Marks the objects of a pair until the next list. */
static inline void pcm_mark_near(pcm_mujoco *host, uint32_t pair)
{
    const pcm_served_pair *of = &host->detection->pairs[pair];
    host->detection->near.marked[of->a] = host->detection->near.marked[of->b] = true;
}

/* The largest gap at which a listed pair is tested. */
static inline double pcm_near_margin(const pcm_mujoco *host, const pcm_served_pair *pair)
{
    return fmax(pair->margin, host->detection->near.reach);
}

/* found.c: the points of a pair of geoms; each pair is searched only once. */
pcm_status pcm_found_reserve(pcm_mujoco *host); /* after the pairs are sorted */
void       pcm_found_free(pcm_mujoco *host);
void       pcm_found_forget(pcm_mujoco *host);
int    pcm_found_list(pcm_mujoco *host, pcm_collision_data *data, uint32_t pair, int geom_a, int geom_b, /* any order */
                      pcm_found *contacts);
size_t pcm_found_points(const pcm_mujoco *host, mjData *data, uint32_t pair,
                        pcm_point *points); /* room: PCM_PAIR_POINTS */

/* shapes.c: geoms as shapes of libpcm-geometry, if the host is compiled with it. */
struct pcm_geometry *pcm_shape_of(pcm_mujoco *host, const pcm_served *served); /* NULL: it has no shape */
void                 pcm_shape_drop(const pcm_served *served, struct pcm_geometry *shape);
pcm_pose             pcm_shape_place(const mjModel *model, const mjData *data, const pcm_served *served);
/* Copies a field's heights, to notice when they change. Other geoms have no heights, and always count as unchanged. */
bool pcm_heights_keep(pcm_context *context, const mjModel *model, int geom, pcm_heights *kept); /* false: no memory */
bool pcm_heights_hold(const mjModel *model, int geom, const pcm_heights *kept);
void pcm_heights_free(pcm_context *context, pcm_heights *kept);
/* Whether that library handles a pair of geoms instead of MuJoCo; smooth: its type says Smooth. */
bool pcm_shapes_serve(const pcm_mujoco *host, int geom_a, int geom_b, bool smooth);
void pcm_shapes_take(pcm_mujoco *host); /* after the pairs are sorted */
void pcm_shapes_free(pcm_mujoco *host);
/* The points of a pair whose first geom is geom_a; points has room for PCM_PAIR_POINTS. Returns the count; -1: the pair
 * is left to MuJoCo, because the size of a geom or its heights there have changed since the scene was attached, or its
 * position is not finite. */
int pcm_shapes_find(const pcm_mujoco *host, const mjData *data, uint32_t pair, int geom_a, pcm_point *points);

/* The shape of an object in the pair; NULL: the geom has changed since the scene was attached. */
const struct pcm_geometry *pcm_shape_in(const pcm_mujoco *host, const pcm_served_pair *pair, uint32_t object);

/* tiles.c: gives tiles that lie side by side their joined shapes. */
void pcm_tiles_join(pcm_mujoco *host);

/* gaps.c: whether the shapes of a pair's contacts are wanted and can be found; and finds those of all points in
 * detection->seen. */
bool       pcm_gaps_serve(const pcm_mujoco *host, const pcm_served_pair *pair);
pcm_status pcm_gaps_find(pcm_mujoco *host, const mjData *data);

/* The touching points of a cloud, as features, in detection->of_cloud; returns as pcm_shapes_find. */
int  pcm_shapes_find_cloud(pcm_mujoco *host, const mjData *data, uint32_t pair);
bool pcm_shapes_make(pcm_mujoco *host, uint32_t object); /* makes the shape of an object; false: no memory */

/* The radius of a geom's bounding sphere, or of its points. */
static inline double pcm_bound_of(const pcm_mujoco *host, const pcm_served *object)
{
    return fmax(host->model->geom_rbound[object->geom], object->bound);
}

/* detect.c: fills detection->seen with the contact points of every served pair at data's positions; features are
 * matched with kept. */
pcm_status pcm_detect_all(pcm_mujoco *host, mjData *data);
/* Sets the partners of the kept points from those of the seen ones. */
void       pcm_detect_mark_partners(pcm_mujoco *host);
void       pcm_detect_free(pcm_mujoco *host);
pcm_status pcm_contact_points_reserve(pcm_context *context, pcm_contact_points *points, size_t count);
void       pcm_contact_points_free(pcm_context *context, pcm_contact_points *points);
/* After a commit: seen becomes kept. A point that is gone stays if its contact lives on, so that a new touch there
 * finds the contact. */
pcm_status pcm_detect_keep(pcm_mujoco *host);
void pcm_detect_find_contacts(pcm_mujoco *host); /* finds the handles of restored contacts, after the first update */

/* list.c: contacts of laws in mjData.contact. Writes the contacts of a pair that MuJoCo is to add, and returns their
 * number. */
int  pcm_list_pair(pcm_mujoco *host, pcm_collision_data *data, pcm_found *contacts, int geom_a, int geom_b,
                   double margin);
void pcm_list_settle(mjData *data); /* corrects their distances, after MuJoCo has made its constraints */
void pcm_frame_along(const double normal[3], const double tangent[3], double frame[9]); /* rows; tangent 0: any */

/* sleep.c: bodies that sleep. Whether a contact of two geoms would wake one of them; whether this evaluation is the one
 * at the end of a step, after some bodies fell asleep; and, after an evaluation, which trees sleep together and which
 * trees are woken by forces of laws. */
bool pcm_sleep_wakes(const pcm_mujoco *host, const mjData *data, int geom_a, int geom_b);
bool pcm_sleep_begins(const pcm_mujoco *host, const mjData *data);
void pcm_sleep_join(pcm_mujoco *host, mjData *data);

/* changed.c: in an attachment that has tables of its own, numbers of MuJoCo's own contacts, such as geom_friction, that
 * are changed after attaching; reported once. */
pcm_status pcm_changed_keep(pcm_mujoco *host);
void       pcm_changed_free(pcm_mujoco *host);
void       pcm_changed_check(pcm_mujoco *host);

/* native.c */
pcm_status pcm_native_reserve(pcm_mujoco *host, size_t pairs);
pcm_status pcm_native_share(pcm_mujoco *host, const pcm_mujoco *owner); /* lists the same pairs */
void       pcm_native_free(pcm_mujoco *host);
void       pcm_native_add(pcm_mujoco *host, int geom_a, int geom_b, uint32_t rule);
void       pcm_native_sort(pcm_mujoco *host);
void       pcm_native_observe(pcm_mujoco *host, bool solved); /* at each commit: MuJoCo's contacts, and their forces */
void       pcm_native_forget(pcm_mujoco *host);

#endif
