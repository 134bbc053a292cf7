/* SPDX-License-Identifier: MIT */
/* points.c - which sites are contact points: those that a rule speaks of.
 *
 * Robots have sites for their sensors, often with names like those of their geoms. A pattern therefore means the geoms
 * that it fits, and sites only if it fits no geom; a name without a wildcard means whatever has it. */
#include "scene.h"
#include <pcm/messages.h>
#include <string.h>

static bool fits_a_geom(const pcm_scene *scene, const char *text)
{
    for (size_t i = 0; i < scene->count; i++)
        if (scene->objects[i].geom >= 0 && pcm_scene_fits(&scene->objects[i], text))
            return true;
    return false;
}

static bool is_wild(const char *text) { return strpbrk(text, "*?"); }

/* A site without a surface matches no SurfacePair rule. */
static void mean_sites(pcm_scene *scene, const pcm_config *config, pcm_rule_kind kind, const char *text)
{
    if (kind == PCM_OBJECT_PAIR && is_wild(text) && fits_a_geom(scene, text))
        return;
    for (size_t i = 0; i < scene->count; i++) {
        pcm_scene_object *site = &scene->objects[i];
        if (site->site >= 0 && !site->meant)
            site->meant = (kind == PCM_OBJECT_PAIR || *pcm_scene_surface(config, site)) &&
                          pcm_scene_takes(config, kind, text, site);
    }
}

void pcm_scene_mean_sites(pcm_scene *scene, const pcm_config *config)
{
    for (size_t i = 0; config && i < pcm_config_rule_count(config) && scene->model->nsite > 0; i++) {
        const pcm_rule_info rule = pcm_config_rule_at(config, i);
        if (rule.kind == PCM_DEFAULT_PAIR)
            continue;
        mean_sites(scene, config, rule.kind, rule.a);
        mean_sites(scene, config, rule.kind, rule.b);
    }
}

/* ---- What a pattern takes, where both are there ------------------------------------------------------------------ */

/* A geom of the site's body that collides; NULL: none. */
static const pcm_scene_object *geom_beside(const pcm_scene *scene, const pcm_scene_object *site)
{
    for (size_t i = 0; i < scene->count; i++)
        if (scene->objects[i].geom >= 0 && scene->objects[i].body == site->body)
            return &scene->objects[i];
    return NULL;
}

void pcm_scene_note_sites(const pcm_scene *scene, const pcm_rule_info *rule, const char *text)
{
    const bool              geoms = fits_a_geom(scene, text);
    const pcm_scene_object *site = NULL, *beside = NULL;
    if (!is_wild(text) || !text[strspn(text, "*?")])
        return;
    for (size_t i = 0; i < scene->count && !beside; i++) {
        const pcm_scene_object *object = &scene->objects[i];
        if (object->site < 0 || !pcm_scene_fits(object, text))
            continue;
        site = object;
        beside = geom_beside(scene, object);
    }
    if (geoms && site && !site->meant)
        pcm_report_at(
            scene->context, PCM_NOTE, PCM_MSG_SITES, &rule->place,
            "'%.100s' fits geoms, which the rule takes, and sites like '%.100s', which it leaves alone: a rule with "
            "the site's name makes that a contact point",
            text, site->name);
    else if (!geoms && beside)
        pcm_report_at(
            scene->context, PCM_NOTE, PCM_MSG_SITES, &rule->place,
            "'%.100s' fits no geom, but sites: '%.100s' is a contact point now, and rules know the geom on its body "
            "as '%.100s'",
            text, site->name, beside->aliases[0] ? beside->aliases[0] : beside->name);
}
