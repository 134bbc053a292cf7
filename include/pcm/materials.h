/* SPDX-License-Identifier: MIT */
/* materials.h - parameters that a contact type does not write, and that are computed from properties of the two
 * materials in contact: see .mix in plugin.h. A material belongs to the surface of its name. Worlds find the type
 * between two objects by themselves; these functions are for hosts that own their contacts, and for listings. */
#ifndef PCM_MATERIALS_H
#define PCM_MATERIALS_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* [setup] The contact type between two surfaces, whose materials give it parameters. It is made at the first call,
 * lives as long as the config, and is the same for either order of the surfaces. If the materials change nothing, it is
 * the file's type. A surface that is NULL, "" or without a Material has the defaults. NULL, which is reported: a
 * property is missing, or the law rejects the parameters. Any thread; takes a lock. */
PCM_EXPORT const pcm_type *pcm_type_between(const pcm_type *type, const char *surface_a, const char *surface_b);

/* The material properties that a contact type reads: those for parameters that it does not write. side: 0 or 1 of a
 * type between materials, in the order of pcm_type_info.material. value: the material's, or the property's default if
 * written is false; NaN if there is neither, or if the type is one of the file. */
PCM_EXPORT size_t pcm_type_property_count(const pcm_type *type);
PCM_EXPORT void pcm_type_property_into(const pcm_type *type, size_t index, size_t side, pcm_value *value, size_t size);
static inline pcm_value pcm_type_property_at(const pcm_type *type, size_t index, size_t side)
{
    pcm_value value;
    pcm_type_property_into(type, index, side, &value, sizeof value);
    return value;
}

/* The material properties that a law may read, each once: properties gets at most capacity of them, which live as long
 * as the model. Returns how many there are. */
PCM_EXPORT size_t pcm_model_properties(const pcm_model *model, const pcm_param **properties, size_t capacity);

/* A Material statement. */
typedef struct pcm_material_info {
    size_t      size;
    const char *name; /* of its surface */
    pcm_place   place;
} pcm_material_info;

/* In the order of the text. Any thread. */
PCM_EXPORT size_t pcm_config_material_count(const pcm_config *config);
PCM_EXPORT void pcm_config_material_into(const pcm_config *config, size_t index, pcm_material_info *info, size_t size);
static inline pcm_material_info pcm_config_material_at(const pcm_config *config, size_t index)
{
    pcm_material_info info;
    pcm_config_material_into(config, index, &info, sizeof info);
    return info;
}

/* The properties that contact types of the config read, then those that worlds read (SurfaceVelocity, SurfaceSpin), and
 * a material's value of each: written is false, and param NULL, if it has none. Any thread. */
PCM_EXPORT size_t pcm_config_property_count(const pcm_config *config);
PCM_EXPORT void   pcm_config_property_into(const pcm_config *config, size_t material, size_t index, pcm_value *value,
                                           size_t size);
static inline pcm_value pcm_config_property_at(const pcm_config *config, size_t material, size_t index)
{
    pcm_value value;
    pcm_config_property_into(config, material, index, &value, sizeof value);
    return value;
}

#ifdef __cplusplus
}
#endif
#endif
