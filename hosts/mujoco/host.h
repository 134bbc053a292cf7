/* SPDX-License-Identifier: MIT */
/* host.h - one attachment of a world to an mjModel and mjData. */
#ifndef PCM_MUJOCO_HOST_H
#define PCM_MUJOCO_HOST_H

#include "release.h"
#include "scene.h"
#include "sweep.h"
#include <math.h>
#include <pcm/jacobian.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

/* The heights of a field as they were once. */
typedef struct pcm_heights {
    float *values; /* NULL: of none */
    size_t count;
} pcm_heights;

/* An object of the scene that a law serves. */
typedef struct pcm_served {
    const pcm_scene_object *object; /* of the scene */
    const char             *name, *surface;
    uint32_t                served; /* how many objects were served before it */
    pcm_object              handle;
    int                     geom, site, body;
    int                     mesh; /* that the geom was made of; -1: of none */
    bool                    fixed;
    double                  radius; /* m; 0: flat */
    double                  margin; /* m, half the widest of its pairs */

    struct pcm_geometry *shape;            /* in pairs that libpcm-geometry looks at (shapes.c); NULL: in none */
    double               size[3];          /* m, of the geom when the scene was attached */
    pcm_heights          heights;          /* of a field, then */
    struct pcm_geometry *cloud;            /* its points, in the axes that MuJoCo gives the geom; NULL: none */
    size_t               n_points;         /* of it */
    double               bound;            /* m, of the points about the geom's middle */
    struct pcm_geometry *measured;         /* for what is measured of it (measure.c); NULL: it has none */
    double               measured_size[3]; /* m, of the geom when that was made */
    pcm_heights          measured_heights; /* of a field, then */
    bool                 shaped;           /* it was looked for */
} pcm_served;

/* A pair that a law serves. */
typedef struct pcm_served_pair {
    uint32_t        a, b;    /* indices of served objects, in MuJoCo's order */
    bool            bits;    /* contype and conaffinity decide whether it collides */
    bool            single;  /* MuJoCo finds one point, which jumps: the pair is one feature */
    bool            led;     /* MuJoCo lists such a point before those of the patch's rim */
    bool            ours;    /* libpcm-geometry looks at it */
    uint32_t        cloud;   /* 1 + the object that touches by its points; 0: none does */
    double          margin;  /* m, the largest gap that is reported */
    double          same;    /* m, points of two evaluations are one feature when they are nearer than this */
    mjfCollision    collide; /* MuJoCo's own function; NULL for a point and a plane */
    const pcm_type *type;
} pcm_served_pair;

/* A pair that is near, and what tells at a glance that it is still too far apart to touch. */
typedef struct pcm_glance {
    uint32_t pair;
    int      geom_a, geom_b;
    double   reach; /* m, between the centres of their bounding spheres; infinite where one has none */
} pcm_glance;

/* A geom with a bounding sphere, and where it was when the pairs that are near were listed. */
typedef struct pcm_bounded {
    int      geom;
    uint32_t object; /* that it is */
    double   margin; /* m, half the widest of its pairs */
    double   bound;  /* m, the radius */
    double   at[3];  /* m */
    double   stay;   /* m^2, the square of how far from there it may be before they are listed anew */
} pcm_bounded;

typedef struct pcm_plane {
    int    geom;
    double at[3], axes[9];
} pcm_plane;

/* The served pairs that are near. */
typedef struct pcm_near {
    pcm_glance  *glances; /* in order of pair */
    pcm_keyed   *found, *spare;
    size_t       count, capacity; /* of all three */
    pcm_bounded *bounded;
    pcm_ball    *balls; /* of the bounded */
    pcm_sweep    sweep;
    pcm_plane   *planes;
    uint32_t    *wide; /* pairs of which one object has no bounding sphere, in order */
    size_t       n_bounded, n_planes, n_wide, n_objects, wide_capacity;
    double       reach; /* m, the solver's when they were listed */
    bool         listed;
} pcm_near;

#define PCM_NO_RULE UINT32_MAX /* too large for an enumerator */

/* A pair that stays with MuJoCo. */
typedef struct pcm_native_pair {
    int64_t  key;              /* of the two geoms; the pairs are sorted by it */
    uint32_t rule;             /* that leaves it there, or PCM_NO_RULE */
    bool     touches, touched; /* in this step, in the one before */
    bool     told;             /* that it has no rule */
} pcm_native_pair;

/* A point of contact, or near contact, of a served pair. */
typedef struct pcm_spot {
    uint32_t pair, feature;
    double   local[3]; /* the witness on the second geom, in that geom's axes: what stays put as others come and go */
    double   point[3], normal[3], depth;
    double   area, share; /* as in pcm_touch */
    uint64_t gives;
    pcm_contact contact;
    bool        known;   /* matches a point of the last commit, and */
    bool        touched; /* whether the world was told of it */
} pcm_spot;

/* A point of contact as the narrow phase finds it. */
typedef struct pcm_point {
    double   at[3], normal[3], depth;
    double   area, share; /* as in pcm_touch */
    uint64_t gives;
} pcm_point;

/* What was found for a pair, and where its two geoms were then. */
enum { PCM_PLACE = 12 }; /* numbers of a position and axes */
typedef struct pcm_search {
    uint32_t pair;
    size_t   first, count; /* of the points */
    double   margin, places[2 * PCM_PLACE];
} pcm_search;

typedef struct pcm_finds {
    uint32_t   *of_pair; /* 1 + index of its search, 0 = there is none */
    pcm_search *searches;
    pcm_point  *points;
    size_t      n_searches, n_points, search_capacity, point_capacity;
} pcm_finds;

typedef struct pcm_spots { /* in order of pair */
    pcm_spot *items;
    bool     *taken; /* whether it is matched, in the evaluation at hand, by one of the others */
    size_t    count, capacity, taken_capacity;
} pcm_spots;

/* A live contact whose states go through the stages of RK4. */
typedef struct pcm_staged {
    pcm_contact contact;
    size_t      offset, count; /* of its states among the values */
} pcm_staged;

/* A state value of a step of RK4. */
typedef struct pcm_staged_value {
    double start, rate, sum; /* at the step's start; of the last stage; of all, weighted */
} pcm_staged_value;

typedef struct pcm_stages {
    uint32_t          stage;
    bool              has_history; /* some of the states are */
    pcm_staged       *contacts;
    pcm_staged_value *values;
    double           *trial; /* per value */
    size_t            n_contacts, n_values, contact_capacity, value_capacity, trial_capacity;
} pcm_stages;

/* A contact of either kind, as contact sensors see it. */
typedef struct pcm_counted {
    int    geom[2], body[2]; /* -1: none */
    double distance, at[3];
    double frame[9];  /* rows normal, from the first to the second, and two tangents */
    double wrench[6]; /* on the second in the frame: force, torque */
    int    direction; /* for the sensor at hand: 1 from its first object to its second, -1 back, 0 neither */
} pcm_counted;

/* How a contact answers rotations, or translations, in its frame; symmetric, normal and tangential apart. */
typedef struct pcm_answer {
    double xx, xy, yy, nn;
} pcm_answer;

/* How a joint moves a contact, in its frame: rotation, translation. */
typedef struct pcm_column {
    int    dof;
    double moves[2][3];
} pcm_column;

/* Two bodies, or a body and what is fixed, in the matrix of a step. */
typedef struct pcm_meeting {
    int      last[2];       /* joints of the base and of the follower; -1: none */
    size_t   dofs, entries; /* where they stand among all: its joints, and a square of them, symmetric */
    size_t   count[2];      /* the base's joints, then the follower's, each from the last joint on */
    bool     simple[2];     /* MuJoCo takes the side's joints for independent */
    bool     split;         /* MuJoCo's matrix has no room for all of it */
    uint32_t next;          /* 1 + the next one with the same later joint */
} pcm_meeting;

enum {
    PCM_IMPLICIT_RUN = 32,                     /* contacts whose matrices are asked for together */
    PCM_IMPLICIT_BLOCK = 6,                    /* joints of one body at most */
    PCM_IMPLICIT_WORK = 6 + PCM_IMPLICIT_BLOCK /* vectors of nv, and a row of a block per joint */
};

typedef struct pcm_implicit {
    bool                  on, acts, splits; /* some contact resists; some meeting is split */
    pcm_matrices         *matrices;
    pcm_contact_matrices *found;   /* of a run */
    pcm_column           *columns; /* of a contact; nv for each side */
    pcm_meeting          *meetings;
    uint32_t             *meeting_of; /* per joint: 1 + the first meeting whose later joint it is */
    int                  *dofs;
    double               *entries;        /* of all contacts; once M has its part, of what it has no room for */
    double               *inertia, *work; /* MuJoCo's own matrix and its factors meanwhile; PCM_IMPLICIT_WORK nv */
    double               *impulses;       /* 3 per joint, of a contact along its axes */
    size_t                nv, n_inertia, n_meetings, n_dofs, n_entries, meeting_capacity, dof_capacity, entry_capacity;
} pcm_implicit;

/* How a joint moves the follower's point of a contact against the base's, along the world's axes. */
typedef struct pcm_moved {
    int    dof;
    double by[3];
} pcm_moved;

/* A contact as the largest stable step sees it. */
typedef struct pcm_resisting {
    double          stiffness[9], damping[9]; /* symmetric parts of the translational blocks */
    size_t          first, count;             /* of its moves */
    const char     *a, *b;
    const pcm_type *type;
} pcm_resisting;

typedef struct pcm_stable {
    pcm_matrices  *matrices;
    pcm_resisting *contacts;
    pcm_moved     *moves;
    double        *work; /* 6 per joint */
    size_t         n_contacts, n_moves, contact_capacity, move_capacity, work_capacity;
} pcm_stable;

/* What overlaps most where the world begins, by the weights that push it apart. */
typedef struct pcm_overlap {
    double      start, weights, depth; /* s: NaN: not begun; m */
    size_t      count;                 /* of such contacts */
    const char *a, *b;                 /* objects of the world */
} pcm_overlap;

/* What the attached model was: mj_recompile puts another in its place. */
typedef struct pcm_as_it_was {
    char        sizes[offsetof(mjModel, nbuffer) + sizeof(((mjModel *)0)->nbuffer)];
    const void *buffer;
    char       *names;
    size_t      n_names;
} pcm_as_it_was;

/* What contacts were as a history came to a time. */
typedef struct pcm_past {
    uint64_t history; /* 0: of none */
    double   time;    /* s */
    uint8_t *bytes;   /* a checkpoint */
    size_t   size, room;
} pcm_past;

enum { PCM_PASTS = 64 }; /* the oldest is forgotten */
typedef struct pcm_pasts {
    pcm_past *items; /* PCM_PASTS; NULL: none yet */
    size_t    count; /* that there ever were */
} pcm_pasts;

struct pcm_mujoco {
    pcm_context   *context;
    pcm_config    *config;
    pcm_world     *world;
    const mjModel *model;
    mjData        *data;
    pcm_scene      scene; /* keeps the names */

    pcm_as_it_was was;                        /* of an attachment */
    size_t        n_geoms, n_bodies, n_state; /* likewise */
    atomic_bool   told_of_model;              /* that it is another now */

    pcm_mujoco       *source; /* of a guest: the attachment to its model; NULL: an attachment itself */
    pcm_mujoco       *guests, *next_guest, *next_attached, *next_in_bucket;
    pthread_mutex_t   lock;    /* held while the world is used: a guest of another thread may copy it */
    _Atomic pthread_t thread;  /* of the last evaluation */
    pthread_mutex_t   looking; /* held for what several threads of MuJoCo's note as they look for contacts */
    pcm_pasts         steps;   /* the last that were kept */
    int               keeps;   /* so many of the next are, too: copies of an attachment go on in other threads */
    pcm_past  before;  /* of a guest: as it was when it last took what its source had come to; for copies of it */
    pcm_pasts orphans; /* of guests whose mjData was deleted; under the registry's lock */
    uint8_t  *birth;   /* a checkpoint of the attachment as it was made */
    size_t    birth_size;

    pcm_served           *objects;
    pcm_served_pair      *pairs;
    size_t                n_objects, n_pairs, object_capacity, pair_capacity;
    const pcm_served    **by_handle;    /* objects by the index of their handles, which is the order of registration */
    uint32_t             *next_feature; /* per pair */
    uint32_t             *pair_of;      /* ngeom by ngeom: 1 + index of the pair that is served, 0 = it is not */
    struct pcm_geometry **hulls;        /* per mesh, which all its geoms share; NULL: none is wanted yet */
    size_t                n_hulls;
    pcm_near              near;
    pcm_finds             found; /* since the last evaluation */

    double *overlaps; /* m, per pair, at the start of easing; NULL: nothing is eased */
    double  ease_start, ease_time;

    pcm_native_pair *natives;
    size_t           n_natives, native_capacity;
    uint32_t        *touching; /* those that touched in the last step */
    size_t           n_touching, touching_capacity;
    pcm_rule_stats  *native_stats; /* per rule */

    pcm_spots kept; /* of the last commit */
    pcm_spots seen; /* of the last evaluation */
    pcm_spots merged;

    double *user_force;      /* nbody by 6: xfrc_applied without our share */
    double *applied;         /* nbody by 6: with it, as we left it */
    bool   *has_share;       /* nbody */
    bool   *served_body;     /* nbody: a served object is part of it */
    bool    has_shares;      /* some body has */
    bool    touches;         /* the model has touch sensors, */
    bool    counts;          /* contact sensors */
    bool    told_of_sensors; /* that they and inner forces know nothing in loops of mj_step */
    bool    inner;           /* MuJoCo calls mj_rnePostConstraint in each step, for some sensor: */
    double  felt, felt_time; /* cfrc_ext as our last step left it, as one number, and when; NAN: it is not known */
    bool    lists;           /* contacts of laws stand in mjData.contact, too */
    bool    own_boxes;       /* pairs of boxes are looked at by libpcm-geometry, */
    bool    own_convex;      /* those of meshes, and of cylinders but with planes and balls */
    bool    senses;          /* the model has sensors that feel forces on bodies, but not on joints */

    pcm_counted *counted; /* for contact sensors */
    size_t       n_counted, counted_capacity;

    pcm_touch *of_cloud; /* as they are found */
    size_t     of_cloud_capacity;

    pcm_mujoco_input *input; /* NULL: none is set */
    void             *input_user;

    pcm_mujoco_solver solver;
    bool              has_solver;
    pcm_stages        stages;
    pcm_implicit      implicit;
    pcm_stable        stable;

    bool             follows;
    _Atomic uint64_t history; /* names what led to the committed states: the mark of the mjData that has gone on so */
    _Atomic uint64_t former;  /* the history of before; 0: none */
    uint64_t         origin;  /* the history that this one is a branch of, since the time began; 0: none */
    double           began;   /* s */
    _Atomic uint64_t accepts; /* a mark that says the same, of a copy that was told of; 0: none */
    _Atomic double   now;     /* s: the committed states are those of this time; NaN: of whichever comes */
    _Atomic double   next; /* s: the clock after the step of the last evaluation, which is not committed; NaN: none */
    double           pending; /* s: the step of an evaluation that next is after, of which seen and kept are; 0: none */
    double          *stood;   /* of an attachment: qpos and qvel at that time, of the data that is now or comes next */
    double           drifted; /* s: the clock after the last evaluation, if a finite difference wanted it and leaves it
                                 there; NaN: none */
    double phase;             /* s: when collisions were last looked for, and */
    int    open_phases;       /* how often since forces were last wanted */
    bool   restored;          /* the handles of kept places are not known yet */
    bool   placed;            /* fixed objects are where they stay */
    bool   has_states;        /* some law in use has */

    bool told_of_late; /* that a pair began to collide after attaching */

    pcm_overlap overlap;
    bool        overlap_told, explicit_told, step_told; /* or there is nothing more to tell */
    uint64_t    pressed;                                /* evaluations with contacts */
    size_t      most;                                   /* contacts when the step was last looked at */

    atomic_bool noted_fork; /* that data begins with contacts of its own, */
    bool        noted_anew; /* that the attached data does */

    uint64_t   evaluations;
    pcm_status loop_status; /* the first outside our own calls that was not PCM_OK, since it was last asked for */
    pcm_status status;      /* the first of the call at hand that was not PCM_OK */
    bool       in_own_call; /* pcm_mujoco_step or pcm_mujoco_forward is at work */
    bool       reset;       /* MuJoCo threw the state away during the call at hand */
};

/* Where pair_of has the pair of two geoms. */
static inline uint32_t *pcm_pair_of(const pcm_mujoco *host, int geom_a, int geom_b)
{
    return &host->pair_of[(size_t)geom_a * (size_t)host->model->ngeom + (size_t)geom_b];
}

/* In line, unlike MuJoCo's: some loops do little else. */
static inline double pcm_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline double pcm_distance_squared(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* model.c: whether data is of a model, told where it is not; and whether a model is still the one that was attached,
 * told once and noted where it is not. */
bool       pcm_model_alike(const mjData *a, const mjData *b); /* their arrays lie at the same places */
bool       pcm_model_has(pcm_context *context, const mjModel *model, const mjData *data);
pcm_status pcm_model_keep(pcm_mujoco *host);
void       pcm_model_forget(pcm_mujoco *host);
bool       pcm_model_holds(const pcm_mujoco *host); /* the same in silence */
bool       pcm_model_stands(pcm_mujoco *host);

/* The same by its sizes alone: tables by geoms and bodies hold. */
static inline bool pcm_model_is_there(const pcm_mujoco *host)
{
    const pcm_as_it_was *was = host->source ? &host->source->was : &host->was;
    return host->model->buffer == was->buffer && memcmp(was->sizes, host->model, sizeof was->sizes) == 0;
}

/* advice.c: what is told once, after an evaluation and before one in the user's own loop. */
void pcm_advise(pcm_mujoco *host, double time);
void pcm_advise_of_loop(pcm_mujoco *host, double time);

/* near.c: the pairs that are near enough to be looked at. */
pcm_status pcm_near_reserve(pcm_mujoco *host); /* once the pairs are in order */
void       pcm_near_free(pcm_mujoco *host);
pcm_status pcm_near_list(pcm_mujoco *host, const mjData *data); /* brings the list up to date */

/* The largest gap at which a listed pair is looked at. */
static inline double pcm_near_margin(const pcm_mujoco *host, const pcm_served_pair *pair)
{
    return fmax(pair->margin, host->near.reach);
}

/* found.c: the points of a pair of geoms, each once. */
pcm_status pcm_found_reserve(pcm_mujoco *host); /* once the pairs are in order */
void       pcm_found_free(pcm_mujoco *host);
void       pcm_found_forget(pcm_mujoco *host);
int pcm_found_list(pcm_mujoco *host, pcm_collision_data *data, uint32_t pair, int geom_a, int geom_b, /* either way */
                   pcm_found *contacts);
size_t pcm_found_points(const pcm_mujoco *host, mjData *data, uint32_t pair,
                        pcm_point *points); /* room: mjMAXCONPAIR */

/* measure.c: the shapes that are measured go with their objects. */
void pcm_measure_free(pcm_mujoco *host);

/* shapes.c: geoms as shapes of libpcm-geometry, where the host is compiled with it. */
struct pcm_geometry *pcm_shape_of(pcm_mujoco *host, const pcm_served *served); /* NULL: it has none */
void                 pcm_shape_drop(const pcm_served *served, struct pcm_geometry *shape);
pcm_pose             pcm_shape_place(const mjModel *model, const mjData *data, const pcm_served *served);
/* A copy of a field's heights, to tell whether they have changed; of other geoms there is none, and nothing does. */
bool pcm_heights_keep(pcm_context *context, const mjModel *model, int geom, pcm_heights *kept); /* false: no memory */
bool pcm_heights_hold(const mjModel *model, int geom, const pcm_heights *kept);
void pcm_heights_free(pcm_context *context, pcm_heights *kept);
/* Whether that library looks at a pair of geoms, in place of MuJoCo. */
bool pcm_shapes_serve(const pcm_mujoco *host, int geom_a, int geom_b);
void pcm_shapes_take(pcm_mujoco *host); /* once the pairs are in order */
void pcm_shapes_free(pcm_mujoco *host);
/* The points of a pair of which geom_a is the first; points has room for mjMAXCONPAIR. Returns how many; -1: it
 * is left to MuJoCo, since a geom has another size than when the scene was attached, or other heights there, or a place
 * that is none. */
int pcm_shapes_find(const pcm_mujoco *host, const mjData *data, uint32_t pair, int geom_a, pcm_point *points);

/* The points of a cloud that touch, by their numbers, in host->of_cloud; as above for the rest. */
int pcm_shapes_find_cloud(pcm_mujoco *host, const mjData *data, uint32_t pair);
/* Whether libpcm-geometry has a cloud meet the geom. */
bool pcm_shapes_meet_cloud(const mjModel *model, int geom);
bool pcm_shapes_make(pcm_mujoco *host, uint32_t object); /* the shape of an object; false: no memory */

/* The radius of a geom's bounding sphere, or of its points. */
static inline double pcm_bound_of(const pcm_mujoco *host, const pcm_served *object)
{
    return fmax(host->model->geom_rbound[object->geom], object->bound);
}

/* detect.c: fills host->seen with every spot of every served pair at data's positions, features matched with kept. */
pcm_status pcm_mujoco_detect(pcm_mujoco *host, mjData *data);
void       pcm_detect_free(pcm_mujoco *host);
pcm_status pcm_spots_reserve(pcm_context *context, pcm_spots *spots, size_t count);
void       pcm_spots_free(pcm_context *context, pcm_spots *spots);
/* After a commit: seen becomes kept. Spots gone whose contact lives on stay, so that a new touch there finds it. */
pcm_status pcm_mujoco_keep(pcm_mujoco *host);

/* rk4.c: the four stages of RK4 for continuous contact states, beside MuJoCo's own. */
enum { PCM_STAGES = 4 };
pcm_mujoco_solver pcm_stages_solver(pcm_mujoco *host);
pcm_status        pcm_stages_evaluate(pcm_mujoco *host, mjData *data); /* in the user's own loop */
void              pcm_stages_move(pcm_mujoco *host);                   /* bodies, to where the step ends */
pcm_status        pcm_stages_finish(pcm_mujoco *host, mjData *data);   /* evaluates there, for the commit */
void              pcm_stages_free(pcm_mujoco *host);

/* ease.c */
void pcm_ease_depths(pcm_mujoco *host, double time); /* of what is seen, while something is eased */
void pcm_ease_free(pcm_mujoco *host);

/* implicit.c: a step of mj_step1 and mj_step2 between which stiffness and damping of contacts become inertia. */
void pcm_implicit_step(pcm_mujoco *host);
void pcm_implicit_free(pcm_mujoco *host);

/* stable.c */
void pcm_stable_free(pcm_mujoco *host);

/* rest.c: what of a step M has no room for, as a force. */
void pcm_rest_push(pcm_mujoco *host);

/* sleep.c: bodies that sleep. Whether a contact of two geoms would wake one of them; whether this evaluation is that at
 * which MuJoCo looks again, at the end of a step, since some fall asleep; and, after an evaluation, who sleeps together
 * and who is woken, by forces of laws. */
bool pcm_sleep_wakes(const pcm_mujoco *host, const mjData *data, int geom_a, int geom_b);
bool pcm_sleep_begins(const pcm_mujoco *host, const mjData *data);
void pcm_sleep_join(pcm_mujoco *host, mjData *data);

/* native.c */
pcm_status pcm_native_reserve(pcm_mujoco *host, size_t pairs);
void       pcm_native_free(pcm_mujoco *host);
void       pcm_native_add(pcm_mujoco *host, int geom_a, int geom_b, uint32_t rule);
void       pcm_native_sort(pcm_mujoco *host);
void       pcm_native_observe(pcm_mujoco *host, bool solved); /* at each commit: MuJoCo's contacts, and their forces */
void       pcm_native_forget(pcm_mujoco *host);

/* evaluate.c */
/* Motion, touches and update at data's positions and velocities; no forces are applied. */
pcm_status pcm_mujoco_update(pcm_mujoco *host, mjData *data);
/* The same with the motion that the world has and what was seen, of another world's contacts; under the lock. */
pcm_status pcm_mujoco_update_again(pcm_mujoco *host, double time, double step);
void       pcm_mujoco_evaluate(pcm_mujoco *host, mjData *data);
void       pcm_mujoco_share(pcm_mujoco *host, mjData *data);    /* our forces into xfrc_applied, and */
void       pcm_mujoco_withdraw(pcm_mujoco *host, mjData *data); /* out again */

/* attach.c */
void pcm_mujoco_dispose(pcm_mujoco *host); /* of a guest, or of an attachment that has left the registry */

/* follow.c: the user's own loop. */
void pcm_follow_arrive(pcm_mujoco *host, mjData *data);      /* before an evaluation: what became of the last one */
void pcm_follow_leave(pcm_mujoco *host, const mjData *data); /* after it */
void pcm_follow_collision(pcm_mujoco *host, const mjData *data);
void pcm_follow_settle(pcm_mujoco *host); /* commits the step, if the last evaluation belongs to one */
/* The same, where this thread steps it; of a copy's original that was named, unless its data is another's copy now. */
void       pcm_follow_settle_source(pcm_mujoco *source, bool named);
void       pcm_follow_end_guest(pcm_mujoco *guest, double time); /* commits the step that ends then, if one does */
pcm_status pcm_follow_commit_at(pcm_mujoco *host, double time);  /* under its lock */
/* Under its lock: whether that is the state after the step that pends. */
bool pcm_follow_comes_to(const pcm_mujoco *host, const mjData *data);
bool pcm_follow_stands_as(const pcm_mujoco *host, const mjData *data); /* under its lock: in that state */
void pcm_follow_renew(pcm_mujoco *host);                               /* another history begins */
bool pcm_follow_has_contacts(const pcm_mujoco *host);                  /* of its world, under its lock */
void pcm_follow_note(pcm_mujoco *host, pcm_status status);
void pcm_follow_lock(pcm_mujoco *host);
void pcm_follow_unlock(pcm_mujoco *host);
int  pcm_follow_instabilities(const mjData *data);
void pcm_follow_report_unstable(pcm_mujoco *host);
void pcm_follow_report_lost(pcm_mujoco *host);

/* fork.c: what answers for data of the same model that is not attached. */
pcm_mujoco *pcm_guest_new(pcm_mujoco *source, const mjData *data);
/* Keeps what a guest knows at its data's last clock; under the registry's lock. */
void pcm_orphan_keep(pcm_mujoco *guest, double time);
/* The host goes on from the contacts that a mark names, as they stand at that time; from its source's for its own mark
 * and for none. False: nothing stands there. */
bool pcm_fork_take(pcm_mujoco *host, uint64_t mark, double time);
/* A guest whose clock goes on takes its source's where its data was set to the state and time of that meanwhile. */
bool pcm_fork_take_same(pcm_mujoco *host, const mjData *data);

/* past.c: the committed contacts of a host, kept among others under their lock; and those of a history and a time. */
pcm_status      pcm_past_write(pcm_mujoco *from, pcm_past *past);
bool            pcm_past_is(const pcm_past *past, uint64_t history, double time);
pcm_status      pcm_past_keep(pcm_mujoco *from, pcm_pasts *pasts);
const pcm_past *pcm_past_find(const pcm_pasts *pasts, uint64_t history, double time); /* NaN: any; NULL: none */
void            pcm_pasts_free(pcm_context *context, pcm_pasts *pasts);

/* checkpoint.c */
size_t     pcm_checkpoint_bytes(pcm_mujoco *host);
pcm_status pcm_checkpoint_write(pcm_mujoco *host, uint8_t *bytes);
pcm_status pcm_checkpoint_take(pcm_mujoco *host, const uint8_t *bytes, size_t size);
void       pcm_checkpoint_find_contacts(pcm_mujoco *host); /* after the first update since it was taken */

/* list.c: contacts of laws in mjData.contact. Returns how many of a pair MuJoCo is to list, and has written them. */
int  pcm_list_pair(pcm_mujoco *host, pcm_collision_data *data, pcm_found *contacts, int geom_a, int geom_b,
                   double margin);
void pcm_list_settle(mjData *data); /* once MuJoCo has made its constraints: their distances */
void pcm_frame_along(const double normal[3], const double tangent[3], double frame[9]); /* rows; tangent 0: any */

/* counted.c: contact sensors of the attached data, from all contacts of the last evaluation. */
void pcm_count_contacts(pcm_mujoco *host);
void pcm_count_free(pcm_mujoco *host);

/* sense.c */
void pcm_sense_find(pcm_mujoco *host);       /* the model's sensors; warns of what is not served */
void pcm_sense_all(pcm_mujoco *host);        /* touch and contact sensors, from all contacts */
void pcm_sense_tell(pcm_mujoco *host);       /* at a step that was followed: says once what does not feel it */
void pcm_sense_tell_own(pcm_mujoco *host);   /* at a step of ours: the same, after mj_rnePostConstraint, */
bool pcm_sense_adds(const pcm_mujoco *host); /* a step of ours leaves laws' forces in cfrc_ext, where it adds them */
void pcm_sense_keep_own(pcm_mujoco *host);   /* which is known from what the last one left */

/* registry.c: which attachment or guest answers for an mjData. */
pcm_mujoco *pcm_registry_find(const mjModel *model, const mjData *data); /* NULL: none */
pcm_mujoco *pcm_registry_guest(pcm_mujoco *source, const mjData *data);  /* NULL: the data is attached itself */
/* Calls visit with the guest that has the history, or is told of as a copy of it from that time, or with what is left
 * of the first, which stays meanwhile. */
typedef void pcm_registry_visitor(void *user, pcm_mujoco *guest, const pcm_past *orphan);
void pcm_registry_visit(pcm_mujoco *source, uint64_t mark, double time, pcm_registry_visitor *visit, void *user);
/* The history that this one was at that time; 0: it was none. */
uint64_t   pcm_registry_origin(pcm_mujoco *source, uint64_t mark, double time);
void       pcm_registry_freed(const void *memory); /* MuJoCo gives it back: it may be a guest's data */
pcm_status pcm_registry_enter(pcm_mujoco *host);
void       pcm_registry_leave(pcm_mujoco *host); /* with its guests */

/* hooks.c: what is shared by the whole process. */
void         pcm_process_hook_in(void);                     /* puts our hooks in front of what is there, once */
bool         pcm_process_is_hooked(void);                   /* MuJoCo calls our hook for forces, and no other */
mjfCollision pcm_process_collision(int type_a, int type_b); /* MuJoCo's own */
bool         pcm_process_convex(int type_a, int type_b);    /* by the general convex algorithm */
double       pcm_process_widest(const mjModel *model, int geom_a, int geom_b); /* m, at which it looks for contacts */

/* Runs call(user) with MuJoCo's errors and warnings going to the context; false after an error. */
bool pcm_process_guard(pcm_context *context, void (*call)(void *user), void *user);

#endif
