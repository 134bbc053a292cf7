/* SPDX-License-Identifier: MIT */
/* surfaces.h - the Surface statements: which surface the file gives to an object. */
#ifndef PCM_CONFIG_SURFACES_H
#define PCM_CONFIG_SURFACES_H

#include "names.h"
#include "rules.h"
#include "suggest.h"

typedef struct pcm_surface_line {
    const char *name, *pattern;
    bool        is_pattern; /* false: a plain name */
    pcm_span    place;      /* of the pattern */
    pcm_span    name_place;
} pcm_surface_line;

/* The Surface statements, an entry for each pattern, in the order of the text. */
typedef struct pcm_surfaces {
    pcm_arena        *arena;
    pcm_surface_line *list;
    uint32_t          count, capacity;
} pcm_surfaces;

/* False if there is no memory. */
bool pcm_surfaces_add(pcm_surfaces *surfaces, const pcm_surface_node *node, pcm_reports *reports);

/* The surface of the last line that a name of the object matches; NULL: none does. */
const char *pcm_surfaces_find(const pcm_surfaces *surfaces, const pcm_object_def *object);

/* Warns of surfaces that no rule and no material names, and of patterns that later ones cover. */
void pcm_surfaces_check(const pcm_surfaces *surfaces, const pcm_rules *rules, const pcm_names *materials,
                        pcm_reports *reports);

/* Whether a SurfacePair rule matches the surface. If not, *like gets the most similar name in such a rule, if one is
 * similar. */
bool pcm_surface_is_named(const pcm_rules *rules, const char *surface, pcm_suggestion *like);

void pcm_surfaces_free(pcm_surfaces *surfaces);

#endif
