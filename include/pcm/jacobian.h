/* SPDX-License-Identifier: MIT */
/* jacobian.h - how contact forces change: partial derivatives of any law, and stiffness and damping of contacts in
 * world axes, for implicit hosts, for sensitivities, and for advice on step sizes.
 *
 * A law may provide columns of its Jacobian (pcm_model.partials). Every other partial derivative is computed from
 * central differences with two steps, extrapolated; the step follows the magnitude of the variable and shrinks where
 * the law bends. If the law has a kink at the point itself (one of its declared events, or a point where the
 * differences to the two sides disagree at every step), the derivative is one-sided and flagged so. */
#ifndef PCM_JACOBIAN_H
#define PCM_JACOBIAN_H

#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Partial derivatives of a law ------------------------------------------------------------------------------ */

typedef struct pcm_jacobian pcm_jacobian;

enum {
    PCM_ONLY_DIFFERENCES = 1u /* also where the law provides the column: to check one against the other */
};

/* Flags of one partial derivative in one lane. */
enum {
    PCM_PARTIAL_GIVEN = 1, /* the law's own */
    PCM_PARTIAL_ONE_SIDED =
        2 /* holds to one side only: the side with the same events, else that of the growing variable */
};

/* [setup] For `count` partials of the type's law; partials NULL: all forces, moments and rates that the law writes by
 * all motion and states that it reads. Derivatives by a parameter are those of a number in the .pcm file: values that
 * the law derives from it change too. Returns NULL, and reports the reason, if a partial does not exist for this law,
 * the type's parameters come from materials (pcm_type_between), or there is no memory. Free it before the type's config
 * and context. */
PCM_EXPORT pcm_jacobian *pcm_jacobian_new(const pcm_type *type, const pcm_partial *partials, size_t count,
                                          uint32_t flags);
PCM_EXPORT void          pcm_jacobian_free(pcm_jacobian *jacobian); /* NULL is allowed */

/* The partials that it computes, in the requested order. */
PCM_EXPORT size_t      pcm_jacobian_count(const pcm_jacobian *jacobian);
PCM_EXPORT pcm_partial pcm_jacobian_partial(const pcm_jacobian *jacobian, size_t index);

/* [hot] One thread at a time per pcm_jacobian. The batch is as for pcm_type_call with PCM_UPDATE; only its input
 * columns are read, and only values[k][lane], partial k, and, unless flags is NULL, flags[k][lane] are written. A
 * derivative that is not finite to either side is NaN. With dt > 0 the derivative is that of the step: it includes the
 * effect of slip on a state within dt. It is the derivative of the law's unscaled outputs: a host that scales these by
 * the contact's share of a patch (Patch = Shared) scales the derivative too. */
PCM_EXPORT pcm_status pcm_jacobian_evaluate(pcm_jacobian *jacobian, const pcm_batch *batch, double *const *values,
                                            int64_t *const *flags);

/* ---- Stiffness and damping of a world's contacts --------------------------------------------------------------- */

/* In world axes, about the contact's point: how the wrench on the follower (torque x, y, z, force x, y, z) changes with
 * a small displacement of the follower against the base, or a small relative velocity, in the order (rotation x, y, z,
 * translation x, y, z). Row-major, with the sign of a spring's stiffness and a damper's damping: minus the derivative.
 * The opposite acts on the base. The stiffness includes the effect of states that follow the displacement, such as a
 * stretch that follows the slip; neither matrix depends on the dt of an update, and over a step of dt the effect of a
 * velocity is damping + dt * stiffness. The normal is held fixed: the change of direction of a constant force belongs
 * to the geometry, not to the law, and is not included; so a rotation has an effect only through states. So are shares
 * of patches (Patch = Shared), by which the matrices are scaled like the force. */
typedef struct pcm_contact_matrices {
    size_t size;
    double stiffness[36];
    double damping[36];
    /* Of the damping of a step, the part that states have by its end: pcm_matrices_set_step; otherwise 0. */
    double states[36];
    bool   one_sided; /* some derivative in here is one-sided */
    /* The contact to which they belong: */
    bool       reported; /* touched in the last update; if not, point, frame and force are 0 */
    pcm_object base, follower;
    double     point[3]; /* m */
    double     frame[9]; /* as in pcm_contact_info, with x and y of the law */
    /* The part of its relative velocity that is due to surfaces that move on their objects: angular, linear; 0 unless
     * pcm_world_set_surface_velocity moves one. */
    double          surface_velocity[6];
    double          force[3]; /* N, on the follower, in world axes */
    const pcm_type *type;
} pcm_contact_matrices;

/* One for the whole world; free it before the world. NULL without memory. */
typedef struct pcm_matrices pcm_matrices;
PCM_EXPORT pcm_matrices    *pcm_matrices_new(pcm_world *world);
PCM_EXPORT void             pcm_matrices_free(pcm_matrices *matrices); /* NULL is allowed */

/* [setup] With dt > 0 the matrices are the derivatives of an update over dt, for a host that solves for the velocity
 * after it: what states do within dt is in the damping, and not in the stiffness. So friction that slides within dt is
 * no spring. 0, as at first: over the next instant. */
PCM_EXPORT pcm_status pcm_matrices_set_step(pcm_matrices *matrices, double dt);

/* [hot] The matrices of a contact at the last update. Allocates at the first call for a contact type between two
 * materials. */
PCM_EXPORT pcm_status pcm_matrices_contact(pcm_matrices *matrices, pcm_contact contact, pcm_contact_matrices *result);

/* [hot] The same for `count` contacts in the order of pcm_world_contact_at, from its index `first` on: several times
 * faster than one by one. results: `count` entries, each of result_size = sizeof *results bytes. */
PCM_EXPORT pcm_status pcm_matrices_list(pcm_matrices *matrices, size_t first, size_t count,
                                        pcm_contact_matrices *results, size_t result_size);

/* The largest step, s, at which semi-implicit Euler stays stable for a body of that mass that only this contact
 * supports, from the contact's translational stiffness and damping; infinite if both are zero. */
PCM_EXPORT double pcm_matrices_step(const pcm_contact_matrices *matrices, double mass);

/* [hot] The least such step of all contacts that the last update found touched, each on its share of its bodies: their
 * mass, as in pcm_object_def, by the number of their contacts, and by 3.5 since bodies turn as they are pushed: at the
 * surface of a solid ball the mass that answers is m / 3.5, at the corners of a box that rocks m / 3. The stiffness is
 * that over the next instant, whatever pcm_matrices_set_step says. Infinite: no contact limits the step, or objects
 * have no mass. contact: NULL, or gets the matrices of the contact with that step. It costs as much as many updates.
 * NaN, which is reported: there was no update, or no memory. */
PCM_EXPORT double pcm_matrices_least_step(pcm_matrices *matrices, pcm_contact_matrices *contact);

#ifdef __cplusplus
}
#endif
#endif
