/* SPDX-License-Identifier: MIT */
/* hint.c - what may be meant by a name or pattern that nothing in a scene has: the name that it is a slip of, or else
 * those that share most letters in a row with it. */
#include "scene.h"
#include <stdio.h>
#include <string.h>

enum { LISTED = 3 };

typedef struct search {
    const char    *text;
    pcm_suggestion slip;
    const char    *names[LISTED]; /* those that share most, first */
    size_t         shared[LISTED], count;
    bool           more;
} search;

static size_t shared_by(const char *text, const char *name)
{
    size_t most = 0;
    for (; *text; text++)
        for (const char *at = name; *at; at++) {
            size_t length = 0;
            while (text[length] && text[length] == at[length])
                length++;
            most = length > most ? length : most;
        }
    return most;
}

static void try_name(search *s, const char *name)
{
    const size_t shared = shared_by(s->text, name);
    size_t       at = 0;
    if (!*name)
        return;
    pcm_suggest_try_any(&s->slip, name);
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->names[i], name) == 0)
            return;
        at += s->shared[i] >= shared;
    }
    s->more |= s->count == LISTED;
    s->count += s->count < LISTED;
    for (size_t i = s->count; i-- > at + 1;) {
        s->names[i] = s->names[i - 1];
        s->shared[i] = s->shared[i - 1];
    }
    if (at < s->count) {
        s->names[at] = name;
        s->shared[at] = shared;
    }
}

static pcm_scene_hint tell(const search *s)
{
    pcm_scene_hint hint = {""};
    size_t         used = 0;
    if (s->slip.best)
        (void)snprintf(hint.text, sizeof hint.text, "; did you mean '%.100s'?", s->slip.best);
    for (size_t i = 0; i < s->count && !s->slip.best; i++)
        used += (size_t)snprintf(hint.text + used, sizeof hint.text - used, "%s'%.100s'",
                                 i > 0          ? ", "
                                 : s->count > 1 ? "; there are "
                                                : "; there is ",
                                 s->names[i]);
    if (s->more && !s->slip.best)
        (void)snprintf(hint.text + used, sizeof hint.text - used, ", ...");
    return hint;
}

pcm_scene_hint pcm_scene_hint_object(const pcm_scene *scene, const char *text)
{
    search s = {.text = text, .slip = pcm_suggest(text, strlen(text))};
    for (size_t i = 0; i < scene->count; i++) {
        try_name(&s, scene->objects[i].base);
        for (size_t k = 0; scene->objects[i].aliases[k]; k++)
            try_name(&s, scene->objects[i].aliases[k]);
    }
    return tell(&s);
}

pcm_scene_hint pcm_scene_hint_surface(const pcm_scene *scene, const pcm_config *config, const char *text)
{
    search s = {.text = text, .slip = pcm_suggest(text, strlen(text))};
    for (size_t i = 0; i < scene->count; i++)
        try_name(&s, pcm_scene_surface(config, &scene->objects[i]));
    return tell(&s);
}
