/* SPDX-License-Identifier: MIT */
/* materials.h - the Material statements, and the properties that laws read from them.
 *
 * A property has one meaning for all contact types of a configuration: two laws that read YoungModulus read the same
 * number. They share its unit, but each has its own range. */
#ifndef PCM_CONFIG_MATERIALS_H
#define PCM_CONFIG_MATERIALS_H

#include "quantity.h"
#include "surfaces.h"

/* A law that reads a property. */
typedef struct pcm_reader_of {
    struct pcm_reader_of *next;
    const pcm_param      *param; /* the property, as that law declares it */
    const pcm_model      *model;
    pcm_span              type; /* the name of a contact type with it */
} pcm_reader_of;

/* A property of a material. */
typedef struct pcm_stated {
    pcm_value value; /* written: whether the material has it; param: as the first law that reads it declares it */
    pcm_span  place; /* of the value */
} pcm_stated;

typedef enum pcm_material_state { PCM_MATERIAL_UNREAD, PCM_MATERIAL_OPEN, PCM_MATERIAL_DONE } pcm_material_state;

typedef struct pcm_material {
    const pcm_material_node *node; /* while the configuration is read */
    pcm_material_state       state;
    bool                     derived; /* another material is made from it */
    pcm_setting             *settings;
    pcm_span                 place;  /* of its name */
    pcm_stated              *stated; /* by number of property */
} pcm_material;

typedef struct pcm_materials {
    pcm_arena      *arena;
    pcm_names       names;
    pcm_material  **list; /* by number of names */
    pcm_names       properties;
    pcm_reader_of **readers; /* by number of properties, in the order of the text */
    size_t          capacity, reader_capacity;
} pcm_materials;

/* Adds a statement; a duplicate is reported. False if there is no memory. */
bool pcm_materials_add(pcm_context *context, pcm_materials *materials, pcm_reports *reports,
                       const pcm_material_node *node);

/* Records that a contact type's law reads a property, and returns the property's number; PCM_NO_NAME if there is no
 * memory. A unit that differs from that of other laws is reported. */
uint32_t pcm_materials_read_by(pcm_context *context, pcm_materials *materials, pcm_reports *reports,
                               const pcm_reader_of *reader);

/* Records that worlds read how a material's surface moves, if there are materials. False if there is no memory. */
bool pcm_materials_read_motion(pcm_context *context, pcm_materials *materials, pcm_reports *reports);

/* Whether the material, or one that it is made from, gives that property a value in its statement. */
bool pcm_material_states(const pcm_materials *materials, const pcm_sources *sources, const pcm_material *material,
                         pcm_span property);

/* Evaluates the materials' properties, once all laws that read them are known. */
void pcm_materials_finish(const pcm_config *config, const pcm_value_reader *reader);

/* Warns of materials that no surface has, and reports objects to which the file gives two. */
void pcm_materials_check(const pcm_materials *materials, const pcm_rules *rules, const pcm_surfaces *surfaces,
                         pcm_reports *reports);

void pcm_materials_free(pcm_context *context, pcm_materials *materials);

#endif
