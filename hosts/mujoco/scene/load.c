/* SPDX-License-Identifier: MIT */
/* load.c - lets MuJoCo read a model from a file. */
#include "scene.h"
#include <pcm/messages.h>
#include <string.h>
#include <unistd.h>

/* ---- MJCF and URDF ----------------------------------------------------------------------------------------------- */

typedef struct loading {
    const char *path;
    mjModel    *model;
    char        error[1024];
} loading;

static void load(void *user)
{
    loading *l = user;
    l->model = mj_loadXML(l->path, NULL, l->error, sizeof l->error);
}

/* Joins lines: MuJoCo's error texts have several lines; our messages have one. */
static void join_lines(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    for (char *end; (end = strchr(text, '\n'));)
        *end = ' ';
}

/* MuJoCo says that a word is wrong; it may be one of a later release. */
static bool is_unknown_word(const char *error)
{
    return strstr(error, "invalid keyword") || strstr(error, "Schema violation");
}

static bool is_rules(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".pcm") == 0;
}

mjModel *pcm_load_as(pcm_context *context, const char *path, const char *name)
{
    loading l = {.path = path};
    if (access(path, R_OK) != 0) {
        pcm_report(context, PCM_ERROR, PCM_MSG_SCENE, "%s: the file does not exist or cannot be read", name);
        return NULL;
    }
    if (pcm_process_guard(context, load, &l) && !l.model) {
        join_lines(l.error);
        if (is_unknown_word(l.error))
            pcm_report(context, PCM_ERROR, PCM_MSG_SCENE, "%s: %s: MuJoCo %s does not know it, a later release may",
                       name, l.error, mj_versionString());
        else if (is_rules(path))
            pcm_report(context, PCM_ERROR, PCM_MSG_SCENE,
                       "%s: this is a file of rules: a scene, in MJCF or URDF, is wanted here", name);
        else
            pcm_report(context, PCM_ERROR, PCM_MSG_SCENE, "%s: %s", name, l.error);
    }
    return l.model;
}
