/* SPDX-License-Identifier: MIT */
/* ode.h - contact laws in simulations with ODE, the Open Dynamics Engine, in double precision.
 *
 *   static void near(void *user, dGeomID a, dGeomID b)            the usual callback of dSpaceCollide
 *   {
 *       if (!pcm_ode_touch(user, a, b))                            no law serves the pair:
 *           ... joints of contacts, as ever
 *   }
 *
 *   pcm_ode *host = pcm_ode_attach(context, config, &PCM_ODE(.name = name_of));
 *   each step:
 *       dSpaceCollide(space, host, near);
 *       pcm_ode_push(host, step);                                  adds forces and torques to bodies
 *       dWorldStep(world, step);                                   or dWorldQuickStep
 *       pcm_ode_commit(host);
 *
 * Pairs of geoms to which the rules give a law are the law's, and get no joints; all others are ODE's. A geom takes
 * part if it has a name; one without a body is fixed. Steps are explicit in contacts: the law's force is that at the
 * step's start. One thread at a time for a host; everything belongs to the caller, and must outlive the host. */
#ifndef PCM_ODE_H
#define PCM_ODE_H

#include <ode/ode.h>
#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcm_ode pcm_ode;

/* The name of a geom for the rules; NULL or "": it has none. Called once for each geom, and not kept. */
typedef const char *pcm_ode_name(void *user, dGeomID geom);

typedef struct pcm_ode_def {
    size_t        size;
    pcm_ode_name *name;    /* NULL: the geom's data (dGeomSetData) is its name */
    pcm_ode_name *surface; /* of a geom with a name, for SurfacePair rules and materials; NULL: none has one */
    void         *user;
    bool          ledger;         /* as in pcm_world_def */
    const char   *log_directory;  /* as in pcm_world_def */
    bool          silent_of_step; /* does not warn, once, of a step that is too large for some contact */
} pcm_ode_def;

#define PCM_ODE(...) ((pcm_ode_def){.size = sizeof(pcm_ode_def), __VA_ARGS__})

/* [setup] Warns of contact types that act across gaps, where ODE reports no points. NULL, which is reported: no memory,
 * a def of another version, or an ODE of single precision. */
PCM_EXPORT pcm_ode *pcm_ode_attach(pcm_context *context, pcm_config *config, const pcm_ode_def *def);
/* Warns of names in rules that no geom had, if there were steps. */
PCM_EXPORT void pcm_ode_free(pcm_ode *host);

/* [hot] Finds the points of two geoms and touches them in the world. False: no law serves the pair, or one of them is a
 * space; its contact is ODE's. The first status that is not PCM_OK is that of the next push. */
PCM_EXPORT bool pcm_ode_touch(pcm_ode *host, dGeomID a, dGeomID b);

/* [hot] Evaluates the laws for a step and adds their forces and torques to the bodies, once in each step before
 * dWorldStep. PCM_BAD_ARGUMENT, which is reported: the step is not above 0. As pcm_world_update otherwise; why a
 * contact gave no force is reported, too. */
PCM_EXPORT pcm_status pcm_ode_push(pcm_ode *host, double step);

/* [hot] After dWorldStep: the states of contacts advance. Without a push before it: PCM_BAD_ORDER, which is reported.
 */
PCM_EXPORT pcm_status pcm_ode_commit(pcm_ode *host);

/* Ends the contacts of a geom and forgets it: before dGeomDestroy, or if its name or body changes. False: it is not
 * known. */
PCM_EXPORT bool pcm_ode_forget(pcm_ode *host, dGeomID geom);

/* The world that answers, for lists, logs, statistics and checkpoints; the host's. */
PCM_EXPORT pcm_world *pcm_ode_world(pcm_ode *host);

#ifdef __cplusplus
}
#endif
#endif
