/* SPDX-License-Identifier: MIT */
/* idle.c - rules that no contact can follow: both sides are in the scene, but no pair of them collides. */
#include "scene.h"
#include <pcm/messages.h>
#include <string.h>

typedef struct search {
    const pcm_scene  *scene;
    const pcm_config *config;
    pcm_rule_info     rule;
    bool              found;
} search;

static bool matches(const search *s, const pcm_scene_object *object, const char *text)
{
    return pcm_scene_takes(s->config, s->rule.kind, text, object);
}

static pcm_status look(void *user, const pcm_scene_object *a, const pcm_scene_object *b)
{
    search *s = user;
    s->found |= (matches(s, a, s->rule.a) && matches(s, b, s->rule.b)) ||
                (matches(s, a, s->rule.b) && matches(s, b, s->rule.a));
    return PCM_OK;
}

/* Whether a side of the rule is in the scene; *points: only by contact points. */
static bool is_there(const search *s, const char *text, bool *points)
{
    bool there = false;
    *points = true;
    for (size_t i = 0; i < s->scene->count; i++) {
        const pcm_scene_object *object = &s->scene->objects[i];
        if (!matches(s, object, text))
            continue;
        there = true;
        *points = *points && object->site >= 0;
    }
    *points = *points && there;
    return there;
}

static void check_rule(search *s)
{
    bool point_a, point_b;
    if (!is_there(s, s->rule.a, &point_a) || !is_there(s, s->rule.b, &point_b))
        return;
    (void)pcm_scene_each_pair(s->scene, look, s);
    if (s->found)
        return;
    pcm_report_at(s->scene->context, PCM_WARNING, PCM_MSG_RULE_IDLE, &s->rule.place,
                  "no contact can follow from the rule for '%.150s' and '%.150s': %s", s->rule.a, s->rule.b,
                  point_a || point_b
                      ? "a site touches planes alone"
                      : "MuJoCo lets none of these pairs collide (one body, parent and child, an exclude, or contype "
                        "and conaffinity)");
}

void pcm_scene_check_idle(const pcm_scene *scene, const pcm_config *config, const bool *applied)
{
    enum { MOST = 64 }; /* each of them looks at all pairs */
    size_t looked = 0;
    for (size_t i = 0; i < pcm_config_rule_count(config) && looked < MOST; i++) {
        search s = {scene, config, pcm_config_rule_at(config, i), false};
        if (applied[i] || s.rule.kind == PCM_DEFAULT_PAIR)
            continue;
        looked++;
        check_rule(&s);
    }
}
