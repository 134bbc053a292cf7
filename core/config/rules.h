/* SPDX-License-Identifier: MIT */
/* rules.h - the rules of a configuration, and which of them applies to a pair. */
#ifndef PCM_CONFIG_RULES_H
#define PCM_CONFIG_RULES_H

#include "names.h"
#include "report.h"
#include "tree.h"
#include "contact_type.h"

/* Sides and type are numbers of names. */
typedef struct pcm_rule {
    uint32_t a, b;
    uint32_t type : 29, kind : 2, pattern : 1;
    pcm_span place;
} pcm_rule;

/* The names in ObjectPair, or SurfacePair, rules. */
typedef struct pcm_side_names {
    pcm_names names;
    uint32_t *patterns; /* numbers of those names with * or ? */
    uint32_t  n_patterns, capacity;
} pcm_side_names;

typedef struct pcm_rules {
    pcm_arena     *arena;
    pcm_side_names sides[2]; /* indexed by pcm_rule_kind */
    pcm_rule     **pages;
    uint32_t       count, page_capacity;
    uint32_t      *slots; /* maps two sides, in either order, to rule + 1; of equal lines, to the later one */
    uint32_t       n_slots, n_used;
    uint32_t       default_rule; /* + 1 */
} pcm_rules;

enum { PCM_RULES_PAGE = 512 };
static inline pcm_rule *pcm_rules_at(const pcm_rules *rules, uint32_t index)
{
    return &rules->pages[index / PCM_RULES_PAGE][index % PCM_RULES_PAGE];
}

void pcm_rules_start(pcm_rules *rules, pcm_arena *arena);
void pcm_rules_free(pcm_rules *rules);

/* Adds a rule, and reports if it contradicts or repeats another. Returns false if there is no memory. */
bool pcm_rules_add(pcm_rules *rules, const pcm_rule_node *node, uint32_t type, pcm_reports *reports);

/* Reports a quoted name that is empty or looks like a pattern of another language. */
void pcm_check_name(pcm_reports *reports, pcm_span span);

/* The rule between two sides in either order + 1, the later line of equals; 0: there is none. rules->n_slots > 0. */
uint32_t pcm_rules_between(const pcm_rules *rules, pcm_rule_kind kind, uint32_t a, uint32_t b);

/* Warns of rules that never win, and of names that differ by a typing error. */
void pcm_rules_check(const pcm_rules *rules, pcm_reports *reports);

/* The text of a side. */
static inline const char *pcm_rules_side(const pcm_rules *rules, pcm_rule_kind kind, uint32_t side)
{
    return pcm_names_text(&rules->sides[kind].names, side);
}

#endif
