/* SPDX-License-Identifier: MIT */
/* reading.h - data of contacts that users read: sensors, measurements, forces, pictures. */
#ifndef PCM_MUJOCO_READING_H
#define PCM_MUJOCO_READING_H

#include "evaluation.h"

/* A contact of a law or of MuJoCo, for contact sensors. */
typedef struct pcm_counted {
    int    geom[2], body[2]; /* -1: none */
    double distance, at[3];
    double frame[9];  /* rows: the normal, from the first to the second, and two tangents */
    double wrench[6]; /* on the second body, in the frame: force, torque */
    double motion[6]; /* of the second against the first in the frame: velocity, angular velocity */
    int    direction; /* for the current sensor: 1 from its first object to its second, -1 the other way, 0 neither */
} pcm_counted;

/* The shape used to measure an object. */
typedef struct pcm_measured {
    bool                 made;
    struct pcm_geometry *shape;   /* NULL: the object has none */
    double               size[3]; /* m, size of the geom when the shape was made */
    pcm_heights          heights; /* for a height field: its heights at that time */
} pcm_measured;

typedef struct pcm_reading {
    bool    touches;          /* the model has touch sensors, */
    bool    counts;           /* contact sensors, */
    bool    counts_motion;    /* and some report velocities */
    bool    reported_sensors; /* reported that these and inner forces lack the forces of laws in loops of mj_step */
    bool    inner;            /* MuJoCo calls mj_rnePostConstraint in each step, because some sensor needs it */
    double *velocity;         /* scratch: nv, while inner forces of a step's start are computed */
    size_t  velocity_capacity;
    double  felt, felt_time; /* the norm of cfrc_ext after our last step, and the time of that step; NaN: unknown */

    pcm_counted *counted; /* for contact sensors */
    size_t       n_counted, counted_capacity;

    pcm_measured *measured; /* per served object */
    size_t        n_measured;
} pcm_reading;

/* sense.c */
void pcm_sense_find(pcm_mujoco *host);        /* finds the model's sensors; warns of those that are not supported */
void pcm_sense_all(pcm_mujoco *host);         /* computes touch and contact sensors from all contacts */
bool pcm_sense_feels(const pcm_mujoco *host); /* whether a call of ours must compute force and torque sensors again */
void pcm_sense_joints(pcm_mujoco *host);      /* computes them from cfrc_int */
void pcm_sense_report(pcm_mujoco *host); /* after a step of the user's loop: reports once which sensors lack forces */
void pcm_sense_report_own(pcm_mujoco *host); /* before a step of ours: the same, if the user has called
                                                mj_rnePostConstraint since the last one */
bool pcm_sense_adds(const pcm_mujoco *host); /* whether a step of ours must add forces of laws to cfrc_ext */
void pcm_sense_keep_own(pcm_mujoco *host);   /* after a step of ours: saves cfrc_ext, to detect a call by the user */

/* counted.c: contact sensors of the attached data, from all contacts of the last evaluation. */
void pcm_count_contacts(pcm_mujoco *host);
void pcm_count_free(pcm_mujoco *host);

/* measure.c */
pcm_status pcm_measure_reserve(pcm_mujoco *host); /* for an attachment */
void       pcm_measure_free(pcm_mujoco *host);

#endif
