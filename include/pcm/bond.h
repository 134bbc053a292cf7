/* SPDX-License-Identifier: MIT */
/* bond.h - bonds between bodies that touch already, as of a packing that has settled. Laws with PCM_FRESH, such as
 * ParallelBond, bond by themselves only where a contact begins between bodies that are new (pcm_world_renew). A bond
 * that is made here begins unloaded; a contact that has one keeps it, and what other laws of its type remember stays.
 * Conventions, threads and errors are those of pcm.h. */
#ifndef PCM_BOND_H
#define PCM_BOND_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bonds a contact that lives, after a commit and before the next touch. bonded (may be NULL): whether it has a new
 * bond. PCM_BAD_ARGUMENT: its law makes no bonds. */
PCM_EXPORT pcm_status pcm_world_bond(pcm_world *world, pcm_contact contact, bool *bonded);

/* [hot] For hosts that own their contacts. batch: as for PCM_ESTABLISH, with the present states in state. next gets the
 * states of all lanes, in those where fresh is 1 with a bond. bonded: in how many lanes that is a new one. */
PCM_EXPORT pcm_status pcm_type_bond(const pcm_type *type, const pcm_batch *batch, size_t *bonded);

#ifdef __cplusplus
}
#endif
#endif
