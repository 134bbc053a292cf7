/* SPDX-License-Identifier: MIT */
/* system.h - the system of equations: positions, velocities, activations, then the states of live contacts. */
#ifndef PCM_CVODE_SYSTEM_H
#define PCM_CVODE_SYSTEM_H

#include <nvector/nvector_serial.h>
#include <pcm/cvode.h>

/* A live contact. The order is by name and feature, whatever the order in which contacts were made. */
typedef struct pcm_tracked {
    pcm_contact     contact;
    const pcm_type *type;
    const char     *base, *follower;
    uint64_t        feature;
    size_t          offset;     /* of its states in y */
    size_t          first_root; /* of its law's events, then of its parting */
    bool            apart;      /* parts at the event at hand: its place is no longer told to touch */
} pcm_tracked;

/* What an evaluation tells the world of places. */
typedef enum pcm_places {
    PCM_PLACES_AS_THEY_ARE, /* touching are those that touched at the last commit */
    PCM_PLACES_BEGIN,       /* and all that overlap: the start */
    PCM_PLACES_EVENT        /* pairs whose touch root fired begin, contacts that part end */
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
    size_t       n_motion, n, n_roots; /* values of y that are motion, all of them; root functions */

    pcm_places       places;
    size_t           n_touch_roots; /* one per pair at its onset; with laws that let contacts begin later, one at 0 */
    double          *pair_depth;    /* per pair: the deepest of its places that are not told to touch */
    double          *pair_onset;    /* m, of its type */
    double          *pair_begins;   /* m, the depth whose root fired; NaN: none */
    mjtNum          *warm_start;    /* of MuJoCo's solver, so that an evaluation does not depend on the one before */
    size_t           n_speeds;      /* values of warm_start */
    pcm_cvode_event *told;          /* of this very instant */
    size_t           n_told, told_capacity;
    bool             history_stepped; /* by the last commit: y no longer goes on from where it stood */
    const pcm_type **stepping;        /* whose history states have been seen to step */
    size_t           n_stepping;
    double           span;      /* s, of the advance at hand */
    bool             told_slow; /* that it needs very short steps */
    const double    *states;    /* y at the evaluation, or NULL: the committed states */
} pcm_system;

/* Says that there is none, and returns that. */
pcm_status pcm_system_no_memory(const pcm_system *system);

pcm_status pcm_system_open(pcm_system *system);
/* False if a model of other sizes is in the place of the one that was opened: y and warm_start do not fit it. */
bool pcm_system_fits(const pcm_system *system);
void pcm_system_close(pcm_system *system);

/* Lists the live contacts after a commit; true in *changed when their list is another one. */
pcm_status pcm_system_track(pcm_system *system, bool *changed);

void pcm_system_read(const pcm_system *system, double *y);  /* from the data and the world */
void pcm_system_write(pcm_system *system, const double *y); /* motion alone, to the data */
void pcm_system_tolerances(const pcm_system *system, double *tolerances);

/* A trial evaluation at y (NULL: at the data's state and the committed contact states). */
pcm_status pcm_system_evaluate(pcm_system *system, double time, const double *y, double dt);

/* What the last evaluation gave. */
void pcm_system_rates(const pcm_system *system, const double *y, double *rates);
void pcm_system_roots(const pcm_system *system, double *roots);

/* The solver's own events. A law may have one of the same name, which is then the same event. */
#define PCM_TOUCH_DOWN   "touch-down"
#define PCM_ONSET_EVENT  "onset" /* as near as the type's onset */
#define PCM_PARTED_EVENT "parted"

/* events.c: tells the caller, unless it is the echo of what has just been told. */
void pcm_system_tell(pcm_system *system, const pcm_cvode_event *event);

/* history.c: steps the history states in y by dt. */
pcm_status pcm_system_step_history(pcm_system *system, double time, double *y, double dt);

/* stall.c */
enum { PCM_ROUND = 10000 }; /* steps after which headway is judged */

/* After a round that brought CVODE that much further, s: an error where this is next to nothing, a warning, once, where
 * it is little. `like` is a vector as long as y. */
pcm_status pcm_system_judge_headway(pcm_system *system, void *memory, N_Vector like, double headway);

/* Says where CVODE stands and what it cannot follow. */
void pcm_system_tell_stall(pcm_system *system, void *memory, N_Vector like, pcm_severity severity, const char *what);

/* Commits at y; history states step by dt. */
pcm_status pcm_system_commit(pcm_system *system, double time, double *y, double dt);

#endif
