/* SPDX-License-Identifier: MIT */
/* load.c - reads models from files. A URDF file describes a robot but no world: its root can be made free, and a floor
 * put under it. */
#include "scene.h"
#include <pcm/messages.h>
#include <stdio.h>
#include <stdlib.h>
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

mjModel *pcm_mujoco_load(pcm_context *context, const char *path)
{
    loading l = {.path = path};
    if (!pcm_host_fits(context))
        return NULL;
    if (access(path, R_OK) != 0) {
        pcm_report(context, PCM_ERROR, PCM_MSG_SCENE, "%s: the file does not exist or cannot be read", path);
        return NULL;
    }
    if (pcm_process_guard(context, load, &l) && !l.model) {
        join_lines(l.error);
        if (is_unknown_word(l.error))
            pcm_report(context, PCM_ERROR, PCM_MSG_SCENE, "%s: %s: MuJoCo %s does not know it, a later release may",
                       path, l.error, mj_versionString());
        else
            pcm_report(context, PCM_ERROR, PCM_MSG_SCENE, "%s: %s", path, l.error);
    }
    return l.model;
}

/* ---- A robot in a world ------------------------------------------------------------------------------------------ */

/* m: half the side of the box that becomes the plane. */
#define FLOOR 20.0

static mjModel *fail(pcm_context *context, const char *path, const char *why)
{
    pcm_report(context, PCM_ERROR, PCM_MSG_SCENE, "%s: %s", path, why);
    return NULL;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        if (text)
            text[fread(text, 1, (size_t)size, file)] = '\0';
    }
    if (file)
        (void)fclose(file);
    return text;
}

/* Overwrites comments with blanks, so that searches find nothing in them. */
static void blank_comments(char *text)
{
    for (char *start = text; (start = strstr(start, "<!--"));) {
        const char  *end = strstr(start, "-->");
        const size_t length = end ? (size_t)(end + 3 - start) : strlen(start);
        memset(start, ' ', length);
    }
}

/* The value of an attribute of the element at text, and its length; NULL: there is no such attribute. */
static const char *attribute(const char *text, const char *name, size_t *length)
{
    const char  *end = strchr(text, '>');
    const size_t size = strlen(name);
    for (const char *at = text; end && at && at < end; at = at ? at + 1 : at) {
        at = strstr(at, name);
        if (!at || at > end)
            return NULL;
        const char *equals = at + size + strspn(at + size, " \t\r\n");
        const char *quote = *equals == '=' ? equals + 1 + strspn(equals + 1, " \t\r\n") : NULL;
        if (!quote || !strchr(" \t\r\n", at[-1]) || (*quote != '"' && *quote != '\''))
            continue;
        *length = strcspn(quote + 1, *quote == '"' ? "\"" : "'");
        return quote + 1;
    }
    return NULL;
}

static bool is_child(const char *text, const char *link, size_t length)
{
    size_t found;
    for (const char *at = text; (at = strstr(at, "<child")); at++) {
        const char *name = attribute(at, "link", &found);
        if (name && found == length && memcmp(name, link, length) == 0)
            return true;
    }
    return false;
}

/* The link that is not the child of any joint. */
static const char *root_of(const char *text, size_t *length)
{
    for (const char *at = text; (at = strstr(at, "<link")); at++) {
        const char *name = attribute(at, "name", length);
        if (name && !is_child(text, name, *length))
            return name;
    }
    return NULL;
}

/* Adds the world as a link: a box whose top is at z = 0, and a joint from it to the root. */
static bool write_world(FILE *file, const char *text, const pcm_mujoco_robot *robot)
{
    size_t      length = 0;
    const char *robot_tag = strstr(text, "<robot"), *after = robot_tag ? strchr(robot_tag, '>') : NULL;
    const char *root = root_of(text, &length);
    if (!after || !root)
        return false;
    (void)fprintf(file, "%.*s<link name=\"pcm_world\">", (int)(after + 1 - text), text);
    if (robot->floor)
        (void)fprintf(file,
                      "<collision><origin xyz=\"0 0 -0.5\"/><geometry><box size=\"%g %g 1\"/></geometry></collision>",
                      2 * FLOOR, 2 * FLOOR);
    (void)fprintf(file,
                  "</link><joint name=\"pcm_root\" type=\"%s\"><parent link=\"pcm_world\"/><child link=\"%.*s\"/>"
                  "<origin xyz=\"0 0 %.17g\"/></joint>%s",
                  robot->free ? "floating" : "fixed", (int)length, root, robot->height, after + 1);
    return true;
}

/* Replaces the box by the plane that it represents: MuJoCo finds only corners and edges of a box. */
static void make_plane(mjModel *model)
{
    for (int i = 0; i < model->ngeom; i++) {
        mjtNum *size = model->geom_size + 3 * i;
        if (model->geom_bodyid[i] != 0 || model->geom_type[i] != mjGEOM_BOX || size[0] != FLOOR || size[1] != FLOOR)
            continue;
        model->geom_type[i] = mjGEOM_PLANE;
        model->geom_rbound[i] = 0;
        model->geom_pos[3 * i + 2] = 0;
        size[2] = 1;
    }
}

mjModel *pcm_mujoco_load_robot(pcm_context *context, const char *path, const pcm_mujoco_robot *given)
{
    pcm_mujoco_robot robot = {.size = sizeof robot};
    if (!pcm_def_fill(context, "pcm_mujoco_robot", &robot, given))
        return NULL;
    char *text = read_text(path);
    if (!text)
        return fail(context, path, "the file does not exist or cannot be read");
    blank_comments(text);
    /* The temporary file is in the same folder, because meshes are named relative to the file. */
    const size_t size = strlen(path) + sizeof ".XXXXXX.urdf";
    char        *draft = malloc(size);
    mjModel     *model = NULL;
    if (draft)
        (void)snprintf(draft, size, "%s.XXXXXX.urdf", path);
    const int number = draft ? mkstemps(draft, 5) : -1;
    FILE     *file = number >= 0 ? fdopen(number, "w") : NULL;
    if (!file) {
        fail(context, path, "no file can be made beside it, which --floor and --free need");
    } else {
        const bool known = write_world(file, text, &robot);
        const bool written = fclose(file) == 0;
        if (!known)
            fail(context, path, "no URDF file: it has no <robot> with a root <link>");
        else if (written)
            model = pcm_mujoco_load(context, draft);
        (void)unlink(draft);
    }
    if (model && robot.floor)
        make_plane(model);
    free(draft);
    free(text);
    return model;
}
