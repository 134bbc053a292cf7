/* SPDX-License-Identifier: MIT */
/* scene.h - a MuJoCo model as PCM sees it: objects with names and surfaces, and the pairs of them that can collide. */
#ifndef PCM_MUJOCO_SCENE_H
#define PCM_MUJOCO_SCENE_H

#include "attachment.h"
#include "suggest.h"

/* Bytes of a name that is made up, with its NUL, and how many a geom without a name has, most telling first: Body.3,
 * Body:sphere, Body:group3. */
enum { PCM_SCENE_NAME = 96, PCM_SCENE_ALIASES = 3 };
enum { PCM_SCENE_BY_PLACE, PCM_SCENE_BY_TYPE, PCM_SCENE_BY_GROUP };

typedef struct pcm_scene_object {
    const char *name;       /* that the world calls it by: base or one of the aliases */
    const char *base;       /* the model's, or the body's where a geom has none */
    const char *surface;    /* the model's or the scene's; "" = none */
    int         geom, site; /* index in the model; -1 = it is the other */
    int         body;
    bool        fixed;
    double      radius;                                   /* m, at its contacts; 0: flat */
    const char *aliases[PCM_SCENE_ALIASES + 1];           /* NULL at the end */
    char        alias[PCM_SCENE_ALIASES][PCM_SCENE_NAME]; /* what aliases point at */
    char        unnamed[24];                              /* what base points at where the model has no name at all */
} pcm_scene_object;

typedef struct pcm_scene {
    pcm_context      *context;
    const mjModel    *model;
    pcm_scene_object *objects; /* geoms that can collide in model order, then named sites */
    size_t            count, capacity;
    char             *texts; /* the caller's surfaces, one behind the other */
    size_t            texts_size;
    bool              gives;      /* the caller sets inputs of laws */
    bool              own_convex; /* as in pcm_mujoco_def */
} pcm_scene;

/* config: whose rules say by which alias the world calls a geom; NULL: by none. */
pcm_status pcm_scene_read(pcm_scene *scene, pcm_context *context, const pcm_config *config, const mjModel *model,
                          const pcm_mujoco_def *def);
void       pcm_scene_free(pcm_scene *scene);

/* Warns of surfaces that its definition gives to no object. */
void pcm_scene_tell_surfaces(const pcm_scene *scene);

/* Calls visit for each pair that MuJoCo's filters let collide, each once, geoms in the order of MuJoCo's table, and for
 * each site with each plane, the plane first. Stops at and returns what visit returns other than PCM_OK. */
typedef pcm_status pcm_scene_visit(void *user, const pcm_scene_object *a, const pcm_scene_object *b);
pcm_status         pcm_scene_each_pair(const pcm_scene *scene, pcm_scene_visit *visit, void *user);

/* Whether the geom collides with nothing, as most that are for display do: it is no object. */
bool pcm_scene_is_idle(const mjModel *model, int geom);

/* Whether the model names the pair in its list of pairs, so that no filter takes it out. */
bool pcm_scene_explicit(const mjModel *model, int geom_a, int geom_b);

/* The type that the rules give the pair, whether or not it is one of the host's own; NULL: no rule matches it. A
 * site is spoken for by rules that are not DefaultPair alone. rule (may be NULL) gets the rule's index. */
const pcm_type *pcm_scene_rule(const pcm_config *config, const pcm_scene_object *a, const pcm_scene_object *b,
                               size_t *rule);

/* The object as the configuration and a world are told of it. Fixed objects have the mass 0, which means infinite. */
static inline pcm_object_def pcm_scene_def(const mjModel *model, const pcm_scene_object *object)
{
    return PCM_OBJECT(.name = object->base, .label = object->name, .aliases = object->aliases,
                      .surface = object->surface, .fixed = object->fixed, .radius = object->radius,
                      .mass = object->fixed ? 0 : model->body_mass[object->body]);
}

/* The file's surface of an object, else the scene's. */
static inline const char *pcm_scene_surface(const pcm_config *config, const pcm_scene_object *object)
{
    return pcm_config_object_surface(
        config, &PCM_OBJECT(.name = object->base, .aliases = object->aliases, .surface = object->surface));
}

/* Whether a text of the file or of the scene speaks of the object by any of its names. */
static inline bool pcm_scene_fits(const pcm_scene_object *object, const char *text)
{
    return pcm_object_fits(&PCM_OBJECT(.name = object->base, .aliases = object->aliases), text);
}

/* What is said of a pair without a rule: pcm_report(..., PCM_UNASSIGNED_FORMAT, PCM_UNASSIGNED_NAMES(config, a, b)). */
#define PCM_UNASSIGNED_FORMAT         "no rule matches '%s'%s%s%s and '%s'%s%s%s: MuJoCo handles the pair"
#define PCM_UNASSIGNED_NAMES(c, x, y) PCM_UNASSIGNED_NAME_(c, x), PCM_UNASSIGNED_NAME_(c, y)
#define PCM_UNASSIGNED_NAME_(c, x)                                                                                     \
    (x)->name, *pcm_scene_surface(c, x) ? " (surface " : "", pcm_scene_surface(c, x),                                  \
        *pcm_scene_surface(c, x) ? ")" : ""

/* hint.c: what may be meant by a name or pattern that no object, or no surface, has. */
pcm_hint pcm_scene_hint_object(const pcm_scene *scene, const char *text);
pcm_hint pcm_scene_hint_surface(const pcm_scene *scene, const pcm_config *config, const char *text);

/* custom.c: what the model's custom elements say of objects. The first gives a surface to all objects that the pattern
 * matches; false: it matches none. */
bool pcm_scene_assign_surface(pcm_scene *scene, const char *pattern, const char *surface);
void pcm_scene_read_custom(pcm_scene *scene);

/* The contact type between the materials of both, which is the type itself where those give it nothing; NULL, and
 * reported with the objects' names: they lack a property, or the law rejects what comes of them. */
const pcm_type *pcm_scene_between(const pcm_scene *scene, const pcm_config *config, const pcm_type *type,
                                  const pcm_scene_object *a, const pcm_scene_object *b);

/* names.c: the names of a geom. */
const char *pcm_scene_text(const mjModel *model, int kind, int id); /* mj_id2name, "" for none */
const char *pcm_scene_geom_type(const mjModel *model, int geom);
void        pcm_scene_name(const pcm_scene *scene, const pcm_config *config, pcm_scene_object *object);

/* check.c: warns of names in the rules that nothing in the scene has, and of laws that read what MuJoCo never gives;
 * unassigned_pairs: notes the pairs without a rule too. coverage may be NULL. PCM_BAD_ARGUMENT, and reported: materials
 * that meet give a law no parameters. PCM_NO_MEMORY. */
pcm_status pcm_scene_check(const pcm_scene *scene, const pcm_config *config, bool unassigned_pairs,
                           pcm_mujoco_coverage *coverage);

/* dropped.c: what served pairs say of MuJoCo's own contacts, and height fields that MuJoCo looks at and whose points
 * each have the whole law, to be told once. */
typedef struct pcm_scene_drops {
    unsigned        bits;  /* a bit for each kind of parameter */
    const char     *last;  /* the last object that brought one */
    const char     *field; /* the first height field that meets */
    const pcm_type *type;  /* this type at points */
} pcm_scene_drops;
void pcm_scene_drop(const pcm_scene *scene, const pcm_scene_object *a, const pcm_scene_object *b, const pcm_type *type,
                    pcm_scene_drops *drops);
void pcm_scene_tell_drops(const pcm_scene *scene, const pcm_scene_drops *drops);

/* shaped.c: which geoms libpcm-geometry has a shape for; none where PCM is built without it. */
bool pcm_scene_is_grid(const mjModel *model, int geom);   /* a height field that is a grid of that library */
bool pcm_scene_has_shape(const mjModel *model, int geom); /* any other geom */
bool pcm_scene_meets_field(const mjModel *model, int geom_a, int geom_b); /* a height field, and a geom with a shape */

/* Whether the type belongs to a law of ours. */
static inline bool pcm_scene_serves(const pcm_type *type)
{
    return type && !(pcm_type_get_info(type)->model->flags & PCM_HOST_CONTACT);
}

#endif
