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
 * both objects. Features are not read. The world compares each point with the places at which the pair's contacts lay
 * on both bodies at the last commit, and takes the smaller of the two distances. The closest point and contact are
 * paired first, and each is paired once: the point goes on with that contact. The other points begin contacts. The
 * order of the points does not matter, to the last bit.
 *
 * touches, touch_size: as for pcm_world_touch, `count` of them side by side. reach: m, within which a point and a
 * contact are the same; 0: a quarter of the diagonal of the contacts' places (of a single contact: of its distance from
 * the nearer object's origin), or twice the way that the bodies' relative motion goes in a step where that is longer.
 * contacts: NULL, or gets `count` handles as pcm_world_touch returns them.
 *
 * A contact for which no point is reported lies where it lay on both bodies for one step, as far as its type's
 * separation allows: engines drop points now and then. So call with a count of 0 for a pair that had contacts and has
 * no points now; a pair without a call has parted. Where the law reads areas, contacts without points end. Checkpoints
 * have the places. A pair should be touched either by this or by pcm_world_touch. Pairs of a type with a single contact
 * keep one. For a pair without a law the status is PCM_OK, and the handles are zero.
 *
 * PCM_BAD_ARGUMENT, which is reported: the reach is below 0 or no number, there are more than PCM_NEAR_MOST points, or
 * the size is not known. PCM_BAD_HANDLE: an object does not live, or both are one. PCM_NO_MEMORY, which is reported,
 * and by the next update too. */
PCM_EXPORT pcm_status pcm_world_touch_near(pcm_world *world, pcm_object a, pcm_object b, const pcm_touch *touches,
                                           size_t touch_size, size_t count, double reach, pcm_contact *contacts);

/* A point on two bodies. */
typedef struct pcm_near_mark {
    double   place[2][3]; /* m, in the axes of each body; if only one is known, that one twice */
    double   reach;       /* m, of an old point: a new one may continue it within this; 0 and below: none may */
    uint32_t partner;     /* 1 + the index of its partner among the others; 0: none */
} pcm_near_mark;

/* Points side by side, `stride` bytes from one to the next: of a struct of the caller's that begins with a mark. */
typedef struct pcm_near_marks {
    pcm_near_mark *first;
    size_t         count, stride;
} pcm_near_marks;

/* [hot] Finds which new points continue which old ones, by the rule of pcm_world_touch_near: for hosts that must name
 * their points before they know which of them touch. Two points are as far apart as on the body where they are nearer.
 * The closest pair comes first, and each point has one partner; places decide between equal distances. Points that have
 * a partner already are left out. Sets the partners and returns the number of new pairs. Takes time in proportion to
 * the product of both counts. Any thread, as it reads and writes the marks alone. */
PCM_EXPORT size_t pcm_near_match(pcm_near_marks now, pcm_near_marks before);

#ifdef __cplusplus
}
#endif
#endif
