/* SPDX-License-Identifier: MIT */
/* scene.h - a MuJoCo model as PCM uses it: objects with names and surfaces, and the pairs of them that can collide. */
#ifndef PCM_MUJOCO_SCENE_H
#define PCM_MUJOCO_SCENE_H

#include "attachment.h"
#include "suggest.h"

/* The size of an alias, with its NUL; and how many aliases a geom without a name has, the most specific first: Body.3,
 * Body:sphere, Body:group3. */
enum { PCM_SCENE_NAME = 96, PCM_SCENE_ALIASES = 3 };
enum { PCM_SCENE_BY_PLACE, PCM_SCENE_BY_TYPE, PCM_SCENE_BY_GROUP };

typedef struct pcm_scene_object {
    const char *name;       /* its name in the world: base or one of the aliases */
    const char *base;       /* the geom's or site's own, or the body's if it has none */
    const char *surface;    /* from the model or the scene's definition; "": none */
    int         geom, site; /* index in the model; -1 for the one that it is not */
    int         body;
    bool        fixed;
    double      radius; /* m, at its contacts; 0: flat */
    bool        meant;  /* a site: a rule speaks of it, so that it is a contact point */
    bool        said;   /* the scene gives the radius, which counts instead of the geom's shape */
    const char *aliases[PCM_SCENE_ALIASES + 1];           /* NULL at the end */
    char        alias[PCM_SCENE_ALIASES][PCM_SCENE_NAME]; /* storage of aliases */
    char        unnamed[24];                              /* storage of base if the model has no name at all */
} pcm_scene_object;

typedef struct pcm_scene {
    pcm_context      *context;
    const mjModel    *model;
    pcm_scene_object *objects; /* in model order: the geoms that can collide, then named sites */
    size_t            count, capacity;
    char             *texts; /* the caller's surfaces, one after the other */
    size_t            texts_size;
    bool              gives;      /* the caller sets inputs of laws */
    bool              own_convex; /* as in pcm_mujoco_def */
} pcm_scene;

/* config: its rules decide which alias the world uses for a geom; NULL: none. */
pcm_status pcm_scene_read(pcm_scene *scene, pcm_context *context, const pcm_config *config, const mjModel *model,
                          const pcm_mujoco_def *def);
void       pcm_scene_free(pcm_scene *scene);

/* Warns of surfaces in the definition that match no object. */
void pcm_scene_report_surfaces(const pcm_scene *scene);

/* Calls visit once for each pair that passes MuJoCo's filters, with the geoms in the order of MuJoCo's table, and for
 * each contact point with each plane, the plane first. Stops when visit does not return PCM_OK, and returns that
 * status. */
typedef pcm_status pcm_scene_visit(void *user, const pcm_scene_object *a, const pcm_scene_object *b);
pcm_status         pcm_scene_each_pair(const pcm_scene *scene, pcm_scene_visit *visit, void *user);

/* Whether the geom cannot collide with anything, like most geoms for display: it is then no object. */
bool pcm_scene_is_idle(const mjModel *model, int geom);

/* Whether the pair is in the model's list of pairs, so that no filter excludes it. */
bool pcm_scene_explicit(const mjModel *model, int geom_a, int geom_b);

/* The type that the rules give to the pair, a law's or MuJoCo's; NULL: no rule matches it. DefaultPair does not match
 * sites. rule (may be NULL) gets the rule's index. */
const pcm_type *pcm_scene_rule(const pcm_config *config, const pcm_scene_object *a, const pcm_scene_object *b,
                               size_t *rule);

/* The object's definition for the configuration and for worlds. Fixed objects have mass 0, which means infinite. */
static inline pcm_object_def pcm_scene_def(const mjModel *model, const pcm_scene_object *object)
{
    return PCM_OBJECT(.name = object->base, .label = object->name, .aliases = object->aliases,
                      .surface = object->surface, .fixed = object->fixed, .radius = object->radius,
                      .mass = object->fixed ? 0 : model->body_mass[object->body]);
}

/* The surface that the file gives the object; if none, the scene's. */
static inline const char *pcm_scene_surface(const pcm_config *config, const pcm_scene_object *object)
{
    return pcm_config_object_surface(
        config, &PCM_OBJECT(.name = object->base, .aliases = object->aliases, .surface = object->surface));
}

/* Whether the text matches one of the object's names. */
static inline bool pcm_scene_fits(const pcm_scene_object *object, const char *text)
{
    return pcm_object_fits(&PCM_OBJECT(.name = object->base, .aliases = object->aliases), text);
}

/* Whether the side of a rule of that kind matches the object: by its names, or by its surface. */
static inline bool pcm_scene_takes(const pcm_config *config, pcm_rule_kind kind, const char *side,
                                   const pcm_scene_object *object)
{
    return kind == PCM_OBJECT_PAIR ? pcm_scene_fits(object, side)
                                   : pcm_name_matches(side, pcm_scene_surface(config, object));
}

/* The report of a pair without a rule: pcm_report(..., PCM_UNASSIGNED_FORMAT, PCM_UNASSIGNED_NAMES(config, a, b)). */
#define PCM_UNASSIGNED_FORMAT         "no rule matches '%s'%s%s%s and '%s'%s%s%s: MuJoCo handles the pair"
#define PCM_UNASSIGNED_NAMES(c, x, y) PCM_UNASSIGNED_NAME_(c, x), PCM_UNASSIGNED_NAME_(c, y)
#define PCM_UNASSIGNED_NAME_(c, x)                                                                                     \
    (x)->name, *pcm_scene_surface(c, x) ? " (surface " : "", pcm_scene_surface(c, x),                                  \
        *pcm_scene_surface(c, x) ? ")" : ""

/* hint.c: the closest object, or surface, to a name or pattern that matches none. */
pcm_hint pcm_scene_hint_object(const pcm_scene *scene, const char *text);
pcm_hint pcm_scene_hint_surface(const pcm_scene *scene, const pcm_config *config, const char *text);

/* custom.c: surfaces and radii from the model's custom elements. The first function gives a surface to all objects that
 * match the pattern; false: none does. */
bool pcm_scene_assign_surface(pcm_scene *scene, const char *pattern, const char *surface);
void pcm_scene_read_custom(pcm_scene *scene);

/* The contact type between the materials of both objects, or the type itself if it does not depend on materials. NULL,
 * with a report that names the objects: the materials lack a property, or the law rejects the resulting parameters. */
const pcm_type *pcm_scene_between(const pcm_scene *scene, const pcm_config *config, const pcm_type *type,
                                  const pcm_scene_object *a, const pcm_scene_object *b);

/* names.c: the names of a geom. */
const char *pcm_scene_text(const mjModel *model, int kind, int id); /* mj_id2name, "" for none */
const char *pcm_scene_geom_type(const mjModel *model, int geom);
void        pcm_scene_name(const pcm_scene *scene, const pcm_config *config, pcm_scene_object *object);

/* points.c: marks the sites that are contact points; and notes which sites a pattern of a rule takes, or leaves. */
void pcm_scene_mean_sites(pcm_scene *scene, const pcm_config *config);
void pcm_scene_note_sites(const pcm_scene *scene, const pcm_rule_info *rule, const char *text);

/* idle.c: warns of rules that no contact can follow; applied: per rule, whether it is some pair's. */
void pcm_scene_check_idle(const pcm_scene *scene, const pcm_config *config, const bool *applied);

/* load.c: reads a file whose messages call it by that name. */
mjModel *pcm_load_as(pcm_context *context, const char *path, const char *name);

/* check.c: warns of names in the rules that nothing in the scene has, and of laws that read inputs that MuJoCo does
 * not provide; unassigned_pairs: also notes the pairs without a rule. coverage may be NULL. PCM_BAD_ARGUMENT, with a
 * report: two materials of the scene do not determine a law's parameters, or MuJoCo adds speculative contacts.
 * PCM_NO_MEMORY. */
pcm_status pcm_scene_check(const pcm_scene *scene, const pcm_config *config, bool unassigned_pairs,
                           pcm_mujoco_coverage *coverage);

/* Whether MuJoCo adds speculative contacts, which laws rule out; reported if so. */
bool pcm_scene_speculates(pcm_context *context, const mjModel *model);

/* dropped.c: parameters of MuJoCo's own contacts that served pairs ignore; and height fields in MuJoCo's narrow phase,
 * where the whole law acts at each point. Reported once. */
typedef struct pcm_scene_drops {
    unsigned        bits;  /* a bit for each parameter */
    const char     *last;  /* the last object with such a parameter */
    const char     *field; /* the first height field that is in a pair */
    const pcm_type *type;  /* the type that acts at each point of that field */
} pcm_scene_drops;
void pcm_scene_drop(const pcm_scene *scene, const pcm_scene_object *a, const pcm_scene_object *b, const pcm_type *type,
                    pcm_scene_drops *drops);
void pcm_scene_report_drops(const pcm_scene *scene, const pcm_scene_drops *drops);

/* shaped.c: which geoms have a shape in libpcm-geometry; none if PCM is built without it. */
bool pcm_scene_is_grid(const mjModel *model, int geom);   /* a height field that fits a grid of that library */
bool pcm_scene_has_shape(const mjModel *model, int geom); /* other geoms */
bool pcm_scene_meets_field(const mjModel *model, int geom_a, int geom_b); /* a height field, and a geom with a shape */

/* Whether the shapes of the object's contacts follow from its geom: it has a shape, and the scene gives no radius. */
bool pcm_scene_is_shaped(const mjModel *model, const pcm_scene_object *object);

/* Whether the type has a law of ours, and is not MuJoCo's own contact. */
static inline bool pcm_scene_serves(const pcm_type *type)
{
    return type && !(pcm_type_get_info(type)->model->flags & PCM_HOST_CONTACT);
}

#endif
