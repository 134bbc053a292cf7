/* SPDX-License-Identifier: MIT */
/* replay_mujoco.h - what a page of a run in MuJoCo shows: geoms with their colours, cameras, MuJoCo's own contacts and
 * energies.
 *
 *   pcm_replay_mujoco *seen = pcm_replay_mujoco_new(replay, host, false);
 *   each step:  pcm_mujoco_step(host);
 *               pcm_replay_mujoco_frame(seen);                         in place of pcm_replay_frame
 *   pcm_replay_mujoco_free(seen);                                      before pcm_replay_close
 *
 * This is libpcm-replay-mujoco. Threads, errors and units are as in replay.h. */
#ifndef PCM_REPLAY_MUJOCO_H
#define PCM_REPLAY_MUJOCO_H

#include <pcm/mujoco.h>
#include <pcm/replay.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcm_replay_mujoco pcm_replay_mujoco;

/* [setup] Shows the geoms of the host's model and its cameras on the page of the host's world. Geoms that are no
 * objects of the world become bodies. collisions: also geoms that MuJoCo's viewer hides, of the groups from 3 on or
 * fully transparent, of bodies that have others to look at. Energies are plotted where the model computes them (its
 * flag `energy`). NULL: no memory, or a geom that cannot be shown, which is reported. */
PCM_EXPORT pcm_replay_mujoco *pcm_replay_mujoco_new(pcm_replay *replay, pcm_mujoco *host, bool collisions);
PCM_EXPORT void               pcm_replay_mujoco_free(pcm_replay_mujoco *seen); /* NULL is allowed */

/* [hot] After each step: as pcm_replay_frame, with the contacts, forces and energies that MuJoCo has of its own. */
PCM_EXPORT pcm_status pcm_replay_mujoco_frame(pcm_replay_mujoco *seen);

#ifdef __cplusplus
}
#endif
#endif
