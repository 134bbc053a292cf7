/* SPDX-License-Identifier: MIT */
/* cvode.h - MuJoCo's equations of motion and continuous contact states under error control, with located events.
 *
 *   pcm_cvode_def def = pcm_cvode_defaults();
 *   def.rtol = 1e-9;
 *   pcm_cvode *solver = pcm_cvode_new(context, host, &def);        host: from pcm_mujoco_attach
 *   while (data->time < 5)
 *       pcm_cvode_advance(solver, data->time + 0.01);              in place of pcm_mujoco_step
 *
 * SUNDIALS CVODE (BDF) integrates positions, velocities and activations of the model together with the states of all
 * live contacts. It stops at every event, and restarts there: where a candidate pair begins to touch ("touch-down"),
 * where the gap of a contact passes its separation ("parted"), and where an event indicator of a law crosses zero.
 * Between events the set of contacts is fixed. History states have no rate to integrate: they step at events and at the
 * ends of advances, so that their error is proportional to the length of advances and the tolerances do not apply to
 * them. A warning reports this once for each contact type whose history states have stepped.
 *
 * MuJoCo's own contacts and limits have no events: steps that cross them are found by the error control alone. Nor has
 * the deepest point of a Single pair that touches at several. Where something jumps without an event steps become very
 * short: the solver warns of it once, and stops with an error where it makes no headway; it names what it cannot
 * follow.
 */
#ifndef PCM_CVODE_H
#define PCM_CVODE_H

#include <pcm/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcm_cvode pcm_cvode;

typedef struct pcm_cvode_event {
    size_t      size;
    double      time; /* s */
    const char *name;
    const char *type;  /* of the contact */
    const char *a, *b; /* base and follower */
    uint64_t    feature;
    int         direction; /* +1: the indicator rises, -1: it falls */
} pcm_cvode_event;

typedef struct pcm_cvode_def {
    size_t size;
    double rtol, atol; /* relative; absolute in SI units, of contact states in units of their nominal size */
    double max_step;   /* s: a contact that begins and ends within one step is not seen */
    double reach;      /* m: pairs that are farther apart are not candidates; must be above zero */
    void  *user;
    void (*event)(void *user, const pcm_cvode_event *event); /* NULL: events are not reported */
    void (*control)(void *user, mjData *data); /* sets ctrl for data->time at each evaluation; NULL: it stays */
    void (*committed)(void *user); /* after each commit, at events as at the end of an advance: contact events (event.h)
                                    * are those of one commit, and a recorder is called here; NULL: nothing is */
} pcm_cvode_def;

/* rtol 1e-6, atol 1e-9, a step of at most 10 ms, a reach of 10 cm. */
PCM_EXPORT void             pcm_cvode_defaults_into(pcm_cvode_def *def, size_t size);
static inline pcm_cvode_def pcm_cvode_defaults(void)
{
    pcm_cvode_def def;
    pcm_cvode_defaults_into(&def, sizeof def);
    return def;
}

/* [setup] Takes control of the host, from the present state of its data on. def NULL: the defaults. Freeing the solver
 * gives the control back. */
PCM_EXPORT pcm_cvode *pcm_cvode_new(pcm_context *context, pcm_mujoco *host, const pcm_cvode_def *def);
PCM_EXPORT void       pcm_cvode_free(pcm_cvode *solver);

/* Integrates to that time and commits. After an error, of which the sink has the reason, the committed state is that of
 * the last event or advance. */
PCM_EXPORT pcm_status pcm_cvode_advance(pcm_cvode *solver, double time);

#ifdef __cplusplus
}
#endif
#endif
