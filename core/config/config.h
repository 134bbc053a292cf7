/* SPDX-License-Identifier: MIT */
/* config.h - a configuration, while it is read and afterwards. Then only the contact types between materials are still
 * added. */
#ifndef PCM_CONFIG_CONFIG_H
#define PCM_CONFIG_CONFIG_H

#include "context_struct.h"
#include "report.h"
#include "rules.h"
#include "contact_type.h"
#include "parts.h"
#include "materials.h"
#include "mixed_types.h"
#include "quantity.h"
#include "surfaces.h"
#include "amounts.h"

#include <stdatomic.h>

typedef enum pcm_entry_state { PCM_ENTRY_UNREAD, PCM_ENTRY_OPEN, PCM_ENTRY_DONE } pcm_entry_state;

/* A name of a contact type. Rules may use it before it is defined. */
typedef struct pcm_type_entry {
    pcm_type            *type;     /* NULL: not defined, or wrong */
    const pcm_type_node *node;     /* only while the configuration is read */
    const pcm_model     *model;    /* NULL: not known */
    const pcm_parts     *parts;    /* NULL: the model is a plugin's */
    pcm_setting         *settings; /* replace the file's values, in the order in which they were given */
    pcm_span             defined;  /* length 0: not yet */
    pcm_span             used;     /* by the first rule that names it; length 0: by none */
    uint32_t             uses;
    pcm_entry_state      state;
    bool                 derived; /* another contact type is made from it */
} pcm_type_entry;

struct pcm_config {
    pcm_context    *context;
    atomic_size_t   holders;
    pcm_sources     sources;
    pcm_arena       arena; /* types, values, rules, names */
    pcm_names       type_names;
    pcm_type_entry *entries; /* by number of type_names */
    size_t          entry_capacity;
    pcm_type      **types; /* in the order of the text */
    uint32_t        n_types;
    size_t          type_capacity;
    pcm_rules       rules;
    pcm_lets        lets;
    pcm_surfaces    surfaces;
    pcm_materials   materials;
    pcm_mixed_types mixed; /* the only thing that grows afterwards, under its lock */
    pcm_amounts     amounts;
};

/* The type that a rule names; NULL only while the configuration is read. */
static inline const pcm_type *pcm_config_type_of(const pcm_config *config, const pcm_rule *rule)
{
    return config->entries[rule->type].type;
}

/* The place of the name in a contact type's statement; also for a mixed type. */
static inline pcm_span pcm_type_place(const pcm_type *type)
{
    const pcm_names *names = &type->config->type_names;
    return type->config->entries[pcm_names_find(names, type->info.name, strlen(type->info.name))].defined;
}

/* Makes the contact type of that number, and first the one that it is made from, if any, unless they exist. An error is
 * reported and leaves entry->type NULL. */
void pcm_type_resolve(pcm_config *config, const pcm_value_reader *reader, uint32_t number);

#endif
