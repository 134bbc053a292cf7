/* SPDX-License-Identifier: MIT */
/* overrides.h - contact types with other numbers than the file gives them, as a world sets them. */
#ifndef PCM_CONFIG_OVERRIDES_H
#define PCM_CONFIG_OVERRIDES_H

#include "contact_type.h"

typedef struct pcm_override {
    uint32_t type, param; /* indices: among the types of the file, among the parameters of its law */
    double   number;
} pcm_override;

/* The parameter that "Type.Parameter" names; the type's name may contain points too. False: there is none, which is
 * reported. */
bool pcm_override_find(const pcm_config *config, const char *name, pcm_override *found);

/* Whether the file could give the number to that parameter; if not, that is reported. */
bool pcm_override_fits(const pcm_config *config, const pcm_override *given);

/* Room for a type of the file, or one between materials, with other numbers; NULL: no memory. */
pcm_type *pcm_type_room(const pcm_type *type);
void      pcm_type_room_free(pcm_type *room);

/* Writes the type into its room as if the file gave it those of the overrides that are its own. False, and the room
 * stays as it is, with a report: the law rejects the numbers, a contact would reach farther than under the file, or
 * there is no memory. */
bool pcm_type_override(const pcm_type *type, const pcm_override *list, size_t count, pcm_type *room);

/* Copies one room of a type into another. */
void pcm_type_room_copy(pcm_type *to, const pcm_type *from);

#endif
