/* SPDX-License-Identifier: MIT */
/* bullet.h - contact laws in simulations with Bullet's rigid bodies.
 *
 *   pcm_bullet *host = pcm_bullet_attach(context, config, world, sizeof(btScalar), NULL);
 *   each step:
 *       pcm_bullet_step(host, step, 10, 1 / 240.0);         in place of world->stepSimulation
 *
 * Pairs of objects to which the rules give a law are the law's: Bullet's search finds their points, and its solver does
 * not see them. All others are Bullet's. An object takes part if it has a name and is a rigid body, or a static object
 * of any class, which is fixed; soft bodies, links of multibodies and objects without contact response are Bullet's.
 * Steps are explicit in contacts: the law's force is that at the start of each substep.
 *
 * Bullet speaks C++ and this header C, so its objects are passed as void pointers: a world as btDynamicsWorld *, an
 * object as btCollisionObject *, to which a btRigidBody * converts. One thread at a time for a host; everything belongs
 * to the caller, and must outlive the host. */
#ifndef PCM_BULLET_H
#define PCM_BULLET_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcm_bullet pcm_bullet;

/* The name of a btCollisionObject for the rules; NULL or "": it has none. Called once for each, and not kept. */
typedef const char *pcm_bullet_name(void *user, const void *object);

/* In C++: pcm_bullet_def def{}; def.size = sizeof def; */
typedef struct pcm_bullet_def {
    size_t           size;
    pcm_bullet_name *name;    /* NULL: an object's user pointer (setUserPointer) is its name */
    pcm_bullet_name *surface; /* of an object with a name, for SurfacePair rules and materials; NULL: none has one */
    void            *user;
    bool             ledger;         /* as in pcm_world_def */
    const char      *log_directory;  /* as in pcm_world_def */
    bool             silent_of_step; /* does not warn, once, of a step that is too large for some contact */
} pcm_bullet_def;

/* [setup] Attaches laws to a world, a btDynamicsWorld *. scalar_size: sizeof(btScalar) where it was made, since Bullet
 * has two precisions that no pointer tells apart. NULL, which is reported: no memory, a def of another version, another
 * precision than this library was built for, a world that is attached already, or one whose dispatcher is no
 * btCollisionDispatcher. Warns of contact types that act across gaps, where Bullet reports few points. */
PCM_EXPORT pcm_bullet *pcm_bullet_attach(pcm_context *context, pcm_config *config, void *world, size_t scalar_size,
                                         const pcm_bullet_def *def);

/* Gives the world back as it was: all pairs are Bullet's. The world must still live. Warns of names in rules that no
 * object had, if there were steps. */
PCM_EXPORT void pcm_bullet_free(pcm_bullet *host);

/* [hot] Steps the world as its stepSimulation(step, substeps, substep) does, with the laws' forces in each substep, and
 * the states of contacts advance with it. Callbacks of the world's ticks are called as ever. Those of contacts, such as
 * gContactStartedCallback, are called for pairs with a law too, and for a polyhedron on a plane in each step. A plain
 * stepSimulation has Bullet's own contacts for all pairs.
 *
 * PCM_BAD_ARGUMENT, which is reported, before anything moves: a step is not above 0. Else the first status of a substep
 * that is not PCM_OK, as pcm_world_update's. */
PCM_EXPORT pcm_status pcm_bullet_step(pcm_bullet *host, double step, int substeps, double substep);

/* Ends the contacts of a btCollisionObject and forgets it: before it is deleted, or if its name or class changes, or it
 * is static and is put elsewhere. False: it is not known. */
PCM_EXPORT bool pcm_bullet_forget(pcm_bullet *host, const void *object);

/* The world that answers, for lists, logs, statistics and checkpoints; the host's. */
PCM_EXPORT pcm_world *pcm_bullet_world(pcm_bullet *host);

#ifdef __cplusplus
}
#endif
#endif
