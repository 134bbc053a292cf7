/* SPDX-License-Identifier: MIT */
/* hint.c - the name in a scene that is closest to a name that the scene does not have. */
#include "scene.h"

pcm_hint pcm_scene_hint_object(const pcm_scene *scene, const char *text)
{
    pcm_nearest nearest = pcm_nearest_to(text);
    for (size_t i = 0; i < scene->count; i++) {
        pcm_nearest_try(&nearest, scene->objects[i].base);
        for (size_t k = 0; scene->objects[i].aliases[k]; k++)
            pcm_nearest_try(&nearest, scene->objects[i].aliases[k]);
    }
    return pcm_nearest_hint(&nearest);
}

pcm_hint pcm_scene_hint_surface(const pcm_scene *scene, const pcm_config *config, const char *text)
{
    pcm_nearest nearest = pcm_nearest_to(text);
    for (size_t i = 0; i < scene->count; i++)
        pcm_nearest_try(&nearest, pcm_scene_surface(config, &scene->objects[i]));
    return pcm_nearest_hint(&nearest);
}
