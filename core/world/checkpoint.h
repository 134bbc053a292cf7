/* SPDX-License-Identifier: MIT */
/* checkpoint.h - a world as bytes.
 *
 * In this order, numbers as 64-bit words: the mark, the version, the count of all bytes and their checksum; the contact
 * types and rules that the world is under; time and ids; objects by name, in the order of their registration; pairs
 * with something to remember; broken features; contacts by type, in the order in which their forces are summed;
 * statistics and log clocks. Objects and pairs are referred to by their place in the checkpoint. */
#ifndef PCM_WORLD_CHECKPOINT_H
#define PCM_WORLD_CHECKPOINT_H

#include "bytes.h"
#include "world.h"

#define PCM_CHECKPOINT_MARK 0x544E494F504D4350u /* "PCMPOINT" */
enum { PCM_CHECKPOINT_VERSION = 1, PCM_CHECKPOINT_HEAD = 32 };

/* What a pair has been told of, and whether it is there for that alone. */
enum {
    PCM_WARNED_MOTION = 1,
    PCM_WARNED_INPUT = 2,
    PCM_WARNED_UNASSIGNED = 4,
    PCM_WARNED_ENERGY = 8,
    PCM_WARNED_OVERLAP = 16
};

/* Lists the objects in the order of their registration: bodies[0 ... count - 1].nth. Returns the count. */
uint32_t pcm_world_order(pcm_world *world);

#endif
