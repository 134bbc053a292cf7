/* SPDX-License-Identifier: MIT */
/* event.h - contact events, commit by commit: contacts that were made, parted or broken, or changed mode.
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
    PCM_CONTACT_REMOVED, /* one of its objects was removed */
    PCM_CONTACT_MODE     /* its mode differs from that at the previous commit */
} pcm_contact_change;

typedef struct pcm_contact_event {
    size_t             size;
    pcm_contact_change change;
    double             time; /* s, of the committed update; for a removal, of the last update before it */
    uint64_t           id, feature;
    size_t             rule; /* as in pcm_contact_info */
    pcm_object         base, follower;
    int64_t            mode_before; /* PCM_SEPARATED ...; -1 if not known: for one made, or after a restore */
    int64_t            mode;        /* -1 if the contact ended */
} pcm_contact_event;

/* Whether the world lists events; by default it does not. Laws then compute their reports at each update. Forces,
 * states and logs are the same either way. */
PCM_EXPORT pcm_status pcm_world_keep_events(pcm_world *world, bool keep);

/* The events of the last commit, grouped by contact type, and those of objects removed since the commit before it.
 * Valid until the next commit, removal or restored checkpoint. */
PCM_EXPORT size_t     pcm_world_event_count(const pcm_world *world);
PCM_EXPORT pcm_status pcm_world_event_at(const pcm_world *world, size_t index, pcm_contact_event *event);

#ifdef __cplusplus
}
#endif
#endif
