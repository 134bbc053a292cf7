/* SPDX-License-Identifier: MIT */
/* setting.h - parameters of contact types, and velocities of surfaces, that a program sets in a running world. */
#ifndef PCM_SETTING_H
#define PCM_SETTING_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets a parameter of a contact type of the file, "Ground.Friction" or "Ground.Mindlin.Friction", for this world alone,
 * from the next update on, as if the file gave that number: with the same checks, and the same bits. The number is in
 * the parameter's SI unit. Contact types that are made from this one, and properties of materials, stay as they are.
 * Contacts keep their states. An update that is not committed is dropped, as by a touch; a ledger counts the change of
 * stored energy as residue. Lists, checkpoints and Jacobians that are made later have the new number; the config keeps
 * the file's. PCM_BAD_ARGUMENT, with a report, and nothing changes: there is no such parameter; it is no number,
 * or other units depend on it; the law rejects the number; contacts would reach farther than under the file. */
PCM_EXPORT pcm_status pcm_world_set(pcm_world *world, const char *name, double value);

/* The same for a type of the file and the index of its value, as in pcm_type_value_at. */
PCM_EXPORT pcm_status pcm_world_set_value(pcm_world *world, const pcm_type *type, size_t index, double value);

/* A parameter that was set. */
typedef struct pcm_world_setting {
    size_t          size;
    const pcm_type *type;  /* of the file */
    size_t          index; /* as in pcm_type_value_at */
    double          value;
} pcm_world_setting;

/* The parameters that were set, in the order of their first setting. */
PCM_EXPORT size_t pcm_world_setting_count(const pcm_world *world);
PCM_EXPORT void   pcm_world_setting_into(const pcm_world *world, size_t index, pcm_world_setting *setting, size_t size);
static inline pcm_world_setting pcm_world_setting_at(const pcm_world *world, size_t index)
{
    pcm_world_setting setting;
    pcm_world_setting_into(world, index, &setting, sizeof setting);
    return setting;
}

/* [hot] Sets how the object's surface moves on the object, in the object's axes and about its origin, from the next
 * update until it is set again: belts and treadmills (linear), turntables and driven rollers (angular). The object
 * stays where it is moved to; contacts see the part of the surface's velocity in their tangent plane, and its angular
 * velocity, besides the object's own. The work of the drive is not in the contacts' ledger. A Material with
 * SurfaceVelocity or SurfaceSpin sets it when the object is added; otherwise it is zero. Checkpoints have it. The first
 * call in a world allocates. PCM_BAD_ARGUMENT: a number is not finite. */
PCM_EXPORT pcm_status pcm_world_set_surface_velocity(pcm_world *world, pcm_object object, const pcm_twist *velocity);
PCM_EXPORT pcm_status pcm_world_surface_velocity(const pcm_world *world, pcm_object object, pcm_twist *velocity);

#ifdef __cplusplus
}
#endif
#endif
