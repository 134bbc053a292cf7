/* SPDX-License-Identifier: MIT */
/* contact_type.h - contact types and rules as worlds use them. Immutable once the config is loaded. */
#ifndef PCM_CONFIG_CONTACT_TYPE_H
#define PCM_CONFIG_CONTACT_TYPE_H

#include "context_struct.h"
#include "names.h"

typedef struct pcm_mixing pcm_mixing;

struct pcm_type {
    pcm_type_info         info;
    pcm_common            common; /* info.common points here */
    pcm_config           *config;
    const pcm_kernel_set *kernels;     /* the set for the context's instruction set */
    pcm_value            *values;      /* the law's parameters, then the base ones */
    pcm_mixing           *mixing;      /* the properties of materials that parameters need; NULL: none */
    uint32_t              number;      /* its index; mixed types come after those of the file */
    uint32_t              material[2]; /* numbers of a mixed type's materials; PCM_NO_MATERIAL: a side has none */
    struct pcm_reports   *failure;     /* why a mixed type has no parameters; NULL: it has them */
};

/* Marks the start and end of a call of one of its law's functions; see pcm_call_begin. */
void pcm_type_call_begin(const pcm_type *type, const char *function);
void pcm_type_call_end(const pcm_type *type);

/* Whether a contact may begin at that depth, if it may begin up to a gap of onset. Nothing else decides this. */
static inline bool pcm_can_begin(double onset, double depth) { return !(depth < -onset); }

/* Bytes of the parameter block of any model, parts and all. */
size_t pcm_model_params_size(const pcm_model *model);

pcm_config *pcm_config_retain(pcm_config *config);

/* A side is a name or pattern that rules use, interned. The sides that an object's name matches are found once, when it
 * is registered; a pair is then resolved over these small sets, never over strings. */
typedef struct pcm_sides {
    uint32_t *ids; /* from the context's allocator; those that match only by an alias come first */
    uint32_t  count, by_alias;
} pcm_sides;

/* The sides that a name matches: an object's those of ObjectPair rules, a surface's those of SurfacePair rules. */
pcm_status pcm_sides_of_object(const pcm_config *config, const pcm_object_def *object, pcm_sides *sides);
pcm_status pcm_sides_of_surface(const pcm_config *config, const char *surface, pcm_sides *sides);
void       pcm_sides_free(const pcm_config *config, pcm_sides *sides);

/* Whether a text of a rule matches an object, and by which of its names. */
typedef enum pcm_fit { PCM_FITS_NOT, PCM_FITS_NAME, PCM_FITS_ALIAS } pcm_fit;
pcm_fit pcm_object_fit(const pcm_object_def *object, const char *text, bool is_pattern);

typedef struct pcm_answer {
    const pcm_type *type; /* NULL: no rule; the pair is the host's */
    uint32_t        rule; /* index as in pcm_config_rule_at */
    bool            swapped;
} pcm_answer;

/* [hot] The winning rule of a pair, first object a. */
pcm_answer pcm_rules_resolve(const pcm_config *config, const pcm_sides *object_a, const pcm_sides *surface_a,
                             const pcm_sides *object_b, const pcm_sides *surface_b);

/* The number of a surface's material. */
#define PCM_NO_MATERIAL UINT32_MAX
uint32_t pcm_material_find(const pcm_config *config, const char *surface, size_t length);

/* How a surface of that material moves on its body, in the body's axes and about its origin: at rest unless the
 * material has SurfaceVelocity or SurfaceSpin. */
bool      pcm_material_moves(const pcm_config *config, uint32_t material);
pcm_twist pcm_material_velocity(const pcm_config *config, uint32_t material);

/* The contact type between two materials, in either order: made at the first call, or the type itself if they change
 * nothing. NULL: no memory. Any thread; takes a lock. */
const pcm_type *pcm_type_mixed(const pcm_type *type, uint32_t a, uint32_t b);

/* Whether the type has its parameters; if not, that is reported. */
bool pcm_type_has_params(const pcm_type *type);

/* Reports type->failure: the properties that these two surfaces lack. Surfaces in `told`, which may be NULL, are
 * skipped, and the others are added to it. A failure for another reason is reported only if `first`. */
void pcm_type_tell_failure(const pcm_type *type, const char *const surface[2], pcm_names *told, bool first);

/* Three fingerprints, which differ for contact types with different values or states; only for those with different
 * states or host inputs; and for different rules. */
uint64_t pcm_type_fingerprint(const pcm_type *type);
uint64_t pcm_states_fingerprint(const pcm_type *type);
uint64_t pcm_rules_fingerprint(const pcm_config *config);

#endif
