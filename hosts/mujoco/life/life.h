/* SPDX-License-Identifier: MIT */
/* life.h - attachments and the worlds of copies: how they are made, followed from step to step, copied and freed. */
#ifndef PCM_MUJOCO_LIFE_H
#define PCM_MUJOCO_LIFE_H

#include "reading.h"

/* A snapshot: the contacts of a history at one time. */
typedef struct pcm_past {
    uint64_t history; /* 0: no history */
    double   time;    /* s */
    uint8_t *bytes;   /* a checkpoint */
    size_t   size, room;
} pcm_past;

enum { PCM_PASTS = 64 }; /* the oldest is overwritten */
typedef struct pcm_pasts {
    pcm_past *items; /* PCM_PASTS items; NULL: none yet */
    size_t    count; /* of all snapshots ever kept */
} pcm_pasts;

typedef struct pcm_life {
    pcm_mujoco *next_copy, *next_attached, *next_in_bucket; /* registry.c */

    bool             hooked;  /* it counts among those that need our hooks */
    bool             follows; /* the clock */
    _Atomic uint64_t history; /* the name of the steps that led to the committed states: the mark in the mjData */
    _Atomic uint64_t former;  /* the previous history; 0: none */
    uint64_t         origin;  /* the history from which this one branched off when it began; 0: none */
    double           began;   /* s */
    _Atomic uint64_t accepts; /* a second mark for this history, in a copy made by pcm_mujoco_fork; 0: none */
    _Atomic double   now;     /* s: the time of the committed states; NaN: the time of the next evaluation */
    _Atomic double   next;    /* s: the clock after the last evaluation's step, which is not committed; NaN: none */
    double          *stood;   /* of an attachment: qpos and qvel of its data at the time `now`, or `next`; and */
    double          *came;    /* scratch for as many numbers */
    double           drifted; /* s: the clock that a finite difference leaves behind, before MuJoCo 2.3; NaN: none */
    double           phase;   /* s: when collisions were last computed, and */
    int              open_phases; /* how often since forces were last computed */
    uint64_t         evaluations;
    bool             reset; /* MuJoCo reset the state during the current call */

    _Atomic pthread_t thread;  /* of the last evaluation */
    pcm_pasts         steps;   /* the snapshots of the last steps */
    int               keeps;   /* the number of coming steps to keep: copies are being stepped in other threads */
    pcm_past          before;  /* of a copy: its contacts just before it last took over its source's */
    pcm_pasts         orphans; /* of copies whose mjData was deleted; under the registry's lock */
    uint8_t          *birth;   /* a checkpoint of the attachment just after it was made */
    size_t            birth_size;

    pcm_world_setting *settings; /* scratch: parameters that a restart keeps */
    size_t             setting_capacity;

    atomic_bool noted_fork;    /* noted that unattached data begins with new contacts */
    bool        noted_restart; /* noted that the attached data does */
    bool        told_unstable; /* reported that MuJoCo reset a state, since the user asked for the status */
    bool        noted_twin;    /* noted that another model like the attached one is in use; under the registry's lock */
    bool        noted_sweep;   /* noted that speculative contacts were switched on since */
} pcm_life;

/* history.c: names of histories, and the states that belong to them. */
pcm_status pcm_history_reserve(pcm_mujoco *host); /* for an attachment */
void       pcm_history_free(pcm_mujoco *host);
void       pcm_history_renew(pcm_mujoco *host);    /* starts another history */
void       pcm_history_remember(pcm_mujoco *host); /* saves the attached data's state; under the lock */
bool pcm_history_stands_as(const pcm_mujoco *host, const mjData *data); /* whether data is in it; under the lock */
bool pcm_history_comes_to(const pcm_mujoco *host, const mjData *data);  /* whether a pending step leads to it; locked */
bool pcm_history_has_contacts(const pcm_mujoco *host); /* whether its world has contacts; under the lock */
/* Whether a step lies between the last evaluation and that time: a step of all stages, or that of mj_step2 after the
 * first stage. */
bool pcm_history_has_stepped(const pcm_mujoco *host, double time);
/* The same for the attached data if the clock is at the time of that evaluation again, or still. */
bool pcm_history_has_stepped_in_place(pcm_mujoco *host, const mjData *data);

static inline bool pcm_history_has_stages(const pcm_mujoco *host) { return host->model->opt.integrator == mjINT_RK4; }

/* checkpoint.c */
size_t     pcm_checkpoint_bytes(pcm_mujoco *host);
pcm_status pcm_checkpoint_write(pcm_mujoco *host, uint8_t *bytes);
pcm_status pcm_checkpoint_take(pcm_mujoco *host, const uint8_t *bytes, size_t size);

/* past.c: commits, and snapshots of committed contacts. Called under the lock of the host, or of the owner of the
 * snapshots. */
pcm_status      pcm_past_write(pcm_mujoco *from, pcm_past *past);
bool            pcm_past_is(const pcm_past *past, uint64_t history, double time);
pcm_status      pcm_past_keep(pcm_mujoco *from, pcm_pasts *pasts);
const pcm_past *pcm_past_find(const pcm_pasts *pasts, uint64_t history, double time); /* time NaN: any; NULL: none */
void            pcm_pasts_free(pcm_context *context, pcm_pasts *pasts);
pcm_status      pcm_past_commit(pcm_mujoco *host, double time);
void pcm_past_end_step(pcm_mujoco *copy, double time); /* commits the step that ends at that time, if there is one */

/* copy.c: memory of attachments, and of the worlds of copies. */
pcm_mujoco *pcm_host_new(pcm_context *context, const mjModel *model, mjData *data); /* the rooms' parts are empty */
pcm_mujoco *pcm_copy_new(pcm_mujoco *source, const mjData *data);
/* Another attachment, which shares the owner's tables and is not registered yet; NULL: no memory, which is reported. */
pcm_mujoco *pcm_member_new(pcm_mujoco *owner, mjData *data, bool ledger);
void        pcm_copy_keep(pcm_mujoco *copy, double time); /* stores it among the orphans; under the registry's lock */
void        pcm_host_dispose(pcm_mujoco *host);           /* for a copy, or an attachment that is not registered */

/* registry.c: finds the attachment, or the world of a copy, that belongs to an mjData. */
pcm_mujoco *pcm_registry_find(const mjModel *model, const mjData *data); /* NULL: none */
pcm_mujoco *pcm_registry_copy(pcm_mujoco *source, const mjData *data);   /* NULL: the data is attached itself */
/* Calls visit with the copy that has the history, or that was forked from it at that time; if that copy's data was
 * deleted, with the snapshot that it left, which is valid during the call. */
typedef void pcm_registry_visitor(void *user, pcm_mujoco *copy, const pcm_past *orphan);
void pcm_registry_visit(pcm_mujoco *source, uint64_t mark, double time, pcm_registry_visitor *visit, void *user);
/* The history from which this one branched off at that time; 0: none. */
uint64_t   pcm_registry_origin(pcm_mujoco *source, uint64_t mark, double time);
void       pcm_registry_freed(const void *memory); /* memory that MuJoCo freed: it may be a copy's data */
pcm_status pcm_registry_enter(pcm_mujoco *host);
void       pcm_registry_leave(pcm_mujoco *host); /* removes it and its copies */

/* fork.c: passes contacts from one mjData to another. The host continues from the contacts that a mark names, at that
 * time; for its own mark, or none, from its source's. False: there are no such contacts. */
bool pcm_fork_take(pcm_mujoco *host, uint64_t mark, double time);
/* A copy whose own clock continues takes over its source's contacts if its data was set to the source's state and
 * time. */
bool pcm_fork_take_same(pcm_mujoco *host, const mjData *data);

/* attach.c: an attachment that shares the tables of another one, which must outlive it; NULL: reported. */
pcm_mujoco *pcm_attach_member(pcm_mujoco *owner, mjData *data, bool ledger);

/* follow.c: the user's own loop. */
void pcm_follow_arrive(pcm_mujoco *host, mjData *data);      /* before an evaluation: settles the last one */
void pcm_follow_leave(pcm_mujoco *host, const mjData *data); /* after an evaluation */
void pcm_follow_settle(pcm_mujoco *host); /* commits the step, if the last evaluation belongs to one */
/* The same, if this thread steps the source. named: the caller wants contacts by their mark, which an overwritten
 * mjData no longer has. */
void       pcm_follow_settle_source(pcm_mujoco *source, bool named);
pcm_status pcm_follow_restart(pcm_mujoco *host, double time); /* time NaN: that of the next evaluation */
int        pcm_follow_instabilities(const mjData *data);
void       pcm_follow_report_unstable(pcm_mujoco *host);
void       pcm_follow_report_lost(pcm_mujoco *host);

/* hooks.c: our hooks into MuJoCo, which call the previous ones, are installed while there are attachments with tables
 * of their own; and installed again if mj_resetCallbacks has removed them. */
void pcm_process_hook_in(void);
void pcm_process_hook_out(void);
void pcm_process_hook_again(void);

#endif
