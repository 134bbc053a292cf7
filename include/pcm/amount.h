/* SPDX-License-Identifier: MIT */
/* amount.h - quantities of objects, apart from their motion, that contacts change: temperatures, charges, wear.
 *
 * Laws declare them (pcm_amount in plugin.h), read them on both sides of a contact and write the flows into each side.
 * A world sums the flows of each object as it sums wrenches, with the same bits for any number of threads. If the host
 * gives an object a capacity, commits integrate its amount by the explicit Euler rule; otherwise the host reads the
 * flow and sets the value. Conventions, threads and errors are those of pcm.h. */
#ifndef PCM_AMOUNT_H
#define PCM_AMOUNT_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The amounts of the config's laws, each name once, in the order of the file. The functions below take their indices.
 * NULL: there is no such amount. */
PCM_EXPORT size_t            pcm_config_amount_count(const pcm_config *config);
PCM_EXPORT const pcm_amount *pcm_config_amount_at(const pcm_config *config, size_t index);

/* An amount of an object: temperature, charge, wear. */
typedef struct pcm_amount_info {
    size_t size;
    double value;    /* as the next update reads it */
    double flow;     /* the sum of flows into the object, per second, at the last update */
    double capacity; /* the inflow that raises the value by one unit; 0: infinite */
} pcm_amount_info;

/* [hot] amount: as in pcm_config_amount_at; PCM_BAD_ARGUMENT if there is none. A value takes effect at the next update,
 * a capacity at the next commit. Both must be finite, a capacity 0 or more. */
PCM_EXPORT pcm_status pcm_world_amount(const pcm_world *world, pcm_object object, size_t amount, pcm_amount_info *info);
PCM_EXPORT pcm_status pcm_world_set_amount(pcm_world *world, pcm_object object, size_t amount, double value);
PCM_EXPORT pcm_status pcm_world_set_capacity(pcm_world *world, pcm_object object, size_t amount, double capacity);

#ifdef __cplusplus
}
#endif
#endif
