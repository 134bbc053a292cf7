/* SPDX-License-Identifier: MIT */
/* dart.h - contact laws in simulations with DART 6.
 *
 *   pcm_dart *host = pcm_dart_attach(context, config, world.get(), NULL);
 *   each step:
 *       pcm_dart_step(host, true);                          in place of world->step(true)
 *
 * Pairs of shapes to which the rules give a law are the law's: the collision detector of the world finds their points,
 * and its constraint solver does not see them. All others are DART's, and so are soft bodies. What has a name takes
 * part; a body that no joint lets move is fixed, and so is a frame without a body, as a SimpleFrame with a shape that
 * was added to the solver's collision group. DART 6.12's own solver crashes at contacts with these. Steps are explicit
 * in contacts: the law's force is that at the step's start.
 *
 * DART speaks C++ and this header C, so its objects are passed as void pointers: a world as dart::simulation::World *,
 * a shape as dart::dynamics::ShapeFrame *, to which a ShapeNode * must be cast first. One thread at a time for a host;
 * everything belongs to the caller, and must outlive the host. */
#ifndef PCM_DART_H
#define PCM_DART_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcm_dart pcm_dart;

/* The name of a dart::dynamics::ShapeFrame for the rules; NULL or "": it has none. Called once for each shape that has
 * met another, and not kept. */
typedef const char *pcm_dart_name(void *user, const void *shape);

/* In C++: pcm_dart_def def{}; def.size = sizeof def; */
typedef struct pcm_dart_def {
    size_t         size;
    pcm_dart_name *name;    /* NULL: a shape has the name of its body, BodyNode::getName, or of its frame without one */
    pcm_dart_name *surface; /* of a shape with a name, for SurfacePair rules and materials; NULL: none has one */
    void          *user;
    bool           ledger;         /* as in pcm_world_def */
    const char    *log_directory;  /* as in pcm_world_def */
    bool           silent_of_step; /* does not warn, once, of a step that is too large for some contact */
} pcm_dart_def;

/* [setup] Attaches laws to a world, a dart::simulation::World *. NULL, which is reported: no memory, a def of another
 * version, or a world that is attached already. Warns of contact types that act across gaps, where DART reports no
 * points. */
PCM_EXPORT pcm_dart *pcm_dart_attach(pcm_context *context, pcm_config *config, void *world, const pcm_dart_def *def);
/* Warns of names in rules that no shape had, if there were steps. */
PCM_EXPORT void pcm_dart_free(pcm_dart *host);

/* [hot] Steps the world as world->step(reset_command) does, with the laws' forces, and the states of contacts advance
 * with it. Between steps the world is as it was: a plain world->step has DART's own contacts for all pairs.
 *
 * PCM_BAD_ARGUMENT or PCM_NO_MEMORY, which are reported, before anything moves: the world's time step is not above 0;
 * no memory. Else the first status that is not PCM_OK, as pcm_world_update's. */
PCM_EXPORT pcm_status pcm_dart_step(pcm_dart *host, bool reset_command);

/* Ends the contacts of a dart::dynamics::ShapeFrame and forgets it: before it is deleted, or if its name changes, or it
 * is fixed and is put elsewhere. False: it is not known. */
PCM_EXPORT bool pcm_dart_forget(pcm_dart *host, const void *shape);

/* The world that answers, for lists, logs, statistics and checkpoints; the host's. */
PCM_EXPORT pcm_world *pcm_dart_world(pcm_dart *host);

#ifdef __cplusplus
}
#endif
#endif
