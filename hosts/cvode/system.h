/* SPDX-License-Identifier: MIT */
/* system.h - the equations, in this order: positions, velocities, activations, then the states of live contacts. */
#ifndef PCM_CVODE_SYSTEM_H
#define PCM_CVODE_SYSTEM_H

#include <nvector/nvector_serial.h>
#include <pcm/cvode.h>

/* A live contact. They are ordered by name and feature, not by the order in which the contacts were made. */
typedef struct pcm_tracked {
    pcm_contact     contact;
    const pcm_type *type;
    const char     *base, *follower;
    uint64_t        feature;
    size_t          offset;     /* index of its first state in y */
    size_t          first_root; /* index of the first root of its law's events; its parting follows them */
    bool            apart;      /* it parts at the present event: its place no longer counts as touching */
} pcm_tracked;

/* Which places an evaluation reports to the world as touching. */
typedef enum pcm_places {
    PCM_PLACES_AS_THEY_ARE, /* those that touched at the last commit */
    PCM_PLACES_BEGIN,       /* also all that overlap: at the start */
    PCM_PLACES_EVENT        /* pairs whose touch root fired begin, contacts marked as apart end */
} pcm_places;

typedef struct pcm_system {
    pcm_context   *context;
    pcm_mujoco    *host;
    pcm_world     *world;
    const mjModel *model;
    mjData        *data;
    pcm_cvode_def  def;
    pcm_status     status; /* of the first evaluation that failed */

    pcm_tracked *contacts;
    size_t       n_contacts, contact_capacity;
    size_t       n_motion, n, n_roots; /* numbers of: values of y that are motion, all values of y, root functions */

    pcm_places places;
    size_t n_touch_roots; /* one per pair at its onset; a second one at 0 where a law may let the contact begin later */
    double          *pair_depth;  /* per pair: the deepest of its places that are not reported as touching */
    double          *pair_onset;  /* m, per pair: the onset of its type */
    double          *pair_begins; /* m, the depth whose root fired; NaN: none */
    mjtNum          *warm_start;  /* for MuJoCo's solver, so that an evaluation does not depend on the one before */
    size_t           n_speeds;    /* values of warm_start */
    pcm_cvode_event *told;        /* events reported at this very instant */
    size_t           n_told, told_capacity;
    bool history_stepped;      /* the last commit stepped history states, so y has changed and CVODE must restart */
    const pcm_type **stepping; /* types whose history states have been seen to step */
    size_t           n_stepping;
    double           span;      /* s, the length of the present advance */
    bool             told_slow; /* the warning about very short steps has been given */
    const double    *states;    /* y at the evaluation; NULL: the committed states */
} pcm_system;

/* Reports that there is no memory, and returns that status. */
pcm_status pcm_system_no_memory(const pcm_system *system);

pcm_status pcm_system_open(pcm_system *system);
/* False if a model of other sizes has replaced the one that was opened: y and warm_start do not fit it. */
bool pcm_system_fits(const pcm_system *system);
void pcm_system_close(pcm_system *system);

/* Lists the live contacts after a commit; *changed: whether the list differs from the last one. */
pcm_status pcm_system_track(pcm_system *system, bool *changed);

void pcm_system_read(const pcm_system *system, double *y);  /* from the data and the world */
void pcm_system_write(pcm_system *system, const double *y); /* motion alone, to the data */
void pcm_system_tolerances(const pcm_system *system, double *tolerances);

/* A trial evaluation at y; with NULL, at the data's state and the committed contact states. */
pcm_status pcm_system_evaluate(pcm_system *system, double time, const double *y, double dt);

/* The results of the last evaluation. */
void pcm_system_rates(const pcm_system *system, const double *y, double *rates);
void pcm_system_roots(const pcm_system *system, double *roots);

/* The solver's own events. An event of a law with the same name counts as the same event. */
#define PCM_TOUCH_DOWN   "touch-down"
#define PCM_ONSET_EVENT  "onset" /* at the type's onset */
#define PCM_PARTED_EVENT "parted"

/* events.c: reports an event to the caller, unless it is an echo of one that has just been reported. */
void pcm_system_tell(pcm_system *system, const pcm_cvode_event *event);

/* history.c: steps the history states in y by dt. */
pcm_status pcm_system_step_history(pcm_system *system, double time, double *y, double dt);

/* stall.c */
enum { PCM_ROUND = 10000 }; /* number of steps after which progress is judged */

/* After a round of steps that advanced CVODE by this time (s): an error if it is close to nothing, a warning, once, if
 * it is little. `like` is a vector as long as y. */
pcm_status pcm_system_judge_headway(pcm_system *system, void *memory, N_Vector like, double headway);

/* Reports the time that CVODE has reached and the value that it cannot follow. */
void pcm_system_tell_stall(pcm_system *system, void *memory, N_Vector like, pcm_severity severity, const char *what);

/* Commits the state y; history states step by dt. */
pcm_status pcm_system_commit(pcm_system *system, double time, double *y, double dt);

#endif
