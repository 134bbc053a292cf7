/* SPDX-License-Identifier: MIT */
/* near.h - touches for engines that give contact points without features. */
#ifndef PCM_NEAR_H
#define PCM_NEAR_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most points of a call. */
enum { PCM_NEAR_MOST = 1024 };

/* [hot] Reports all points at which two objects touch, in one call for each pair and evaluation, after the moves of
 * both objects. Features are not read: of a and b, each point goes on with the contact whose place, as it was at the
 * last commit, is nearest on one of the two bodies, one to one and the closest first; the other points begin contacts.
 * The order of the points does not matter, to the last bit.
 *
 * touches, touch_size: as for pcm_world_touch, `count` of them side by side. reach: m, within which a point and a
 * contact are the same; 0: a quarter of the diagonal of the contacts' places (of a single contact: of its distance from
 * the nearer object's origin), or twice the way that the bodies' relative motion goes in a step where that is longer.
 * contacts: NULL, or gets `count` handles as pcm_world_touch returns them.
 *
 * A contact for which no point is reported lies where it lay on both bodies for one step, as far as its type's
 * separation allows: engines drop points now and then. Not where its law reads areas. Checkpoints have the places. A
 * pair should be touched either by this or by pcm_world_touch. Pairs of a type with a single contact keep one.
 *
 * PCM_BAD_ARGUMENT, which is reported: the reach is below 0 or no number, there are more than PCM_NEAR_MOST points, or
 * the size is not known. PCM_BAD_HANDLE: an object does not live, or both are one. PCM_NO_MEMORY, which is reported,
 * and by the next update too. */
PCM_EXPORT pcm_status pcm_world_touch_near(pcm_world *world, pcm_object a, pcm_object b, const pcm_touch *touches,
                                           size_t touch_size, size_t count, double reach, pcm_contact *contacts);

/* A point on two bodies. */
typedef struct pcm_near_mark {
    double   place[2][3]; /* m, in the axes of each body; if only one is known, that one twice */
    double   reach;       /* m, of a point of before: within it a point of now may be the same */
    uint32_t partner;     /* 1 + the index of its partner among the others; 0: none */
} pcm_near_mark;

/* Points side by side, `stride` bytes from one to the next: of a struct of the caller's that begins with a mark. */
typedef struct pcm_near_marks {
    pcm_near_mark *first;
    size_t         count, stride;
} pcm_near_marks;

/* [hot] Which points of now are which of before, as pcm_world_touch_near finds it: for hosts that name their points
 * before they know which of them touch. Sets the partners of those that had none. Each is the nearest on one of the two
 * bodies, one to one and the closest first; equally near ones are told apart by their places. Returns how many pairs
 * were made. Any thread, as it reads and writes the marks alone. */
PCM_EXPORT size_t pcm_near_match(pcm_near_marks now, pcm_near_marks before);

#ifdef __cplusplus
}
#endif
#endif
