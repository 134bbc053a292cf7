/* SPDX-License-Identifier: MIT */
/* event.h - what happened to contacts, commit by commit: which were made, parted and broken, and which changed mode.
 *
 *   pcm_world_keep_events(world, true);
 *   each step:  pcm_world_commit(world);
 *               for (size_t i = 0; i < pcm_world_event_count(world); i++) {
 *                   pcm_contact_event event = {.size = sizeof event};
 *                   pcm_world_event_at(world, i, &event);
 *               } */
#ifndef PCM_EVENT_H
#define PCM_EVENT_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pcm_contact_change {
    PCM_CONTACT_MADE,
    PCM_CONTACT_PARTED,
    PCM_CONTACT_BROKEN,
    PCM_CONTACT_REMOVED, /* one of its objects was */
    PCM_CONTACT_MODE     /* its mode is not what it was at the commit before */
} pcm_contact_change;

typedef struct pcm_contact_event {
    size_t             size;
    pcm_contact_change change;
    double             time; /* s, of the update that was committed; of a removal, of the last one before it */
    uint64_t           id, feature;
    size_t             rule; /* as in pcm_contact_info */
    pcm_object         base, follower;
    int64_t            mode_before; /* PCM_SEPARATED ...; -1 where it is not known: of one made, or after a restore */
    int64_t            mode;        /* -1 of one that ended */
} pcm_contact_event;

/* Whether the world lists events, for which laws tell their reports at each update; at first it does not. Forces,
 * states and logs are the same either way. */
PCM_EXPORT pcm_status pcm_world_keep_events(pcm_world *world, bool keep);

/* Those of the last commit, by contact type, and of objects removed between the commit before it and now. Until the
 * next commit, removal or restored checkpoint. */
PCM_EXPORT size_t     pcm_world_event_count(const pcm_world *world);
PCM_EXPORT pcm_status pcm_world_event_at(const pcm_world *world, size_t index, pcm_contact_event *event);

#ifdef __cplusplus
}
#endif
#endif
