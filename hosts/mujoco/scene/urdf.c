/* SPDX-License-Identifier: MIT */
/* urdf.c - reads URDF files. Such a file describes a robot but no world: its root can be made free, and a floor put
 * under it. Its meshes are looked for where ROS has them, in a package, and then beside the file. */
#define _GNU_SOURCE /* secure_getenv */
#include "scene.h"
#include <pcm/messages.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Text -------------------------------------------------------------------------------------------------------- */

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

static void blank(char *start, const char *end) { memset(start, ' ', (size_t)(end - start)); }

/* Overwrites comments with blanks, so that searches find nothing in them. */
static void blank_comments(char *text)
{
    for (char *start = text; (start = strstr(start, "<!--"));) {
        const char *end = strstr(start, "-->");
        blank(start, end ? end + 3 : start + strlen(start));
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

static bool is_named(const char *text, const char *name, const char *wanted)
{
    size_t      length;
    const char *found = attribute(text, name, &length);
    return found && length == strlen(wanted) && memcmp(found, wanted, length) == 0;
}

/* The end of the element at text, whose end tag is given. */
static const char *end_of(const char *text, const char *tag)
{
    const char *first = strchr(text, '>'), *last = strstr(text, tag);
    if (first && first[-1] == '/')
        return first + 1;
    return last ? last + strlen(tag) : text + strlen(text);
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

/* ---- Meshes ------------------------------------------------------------------------------------------------------ */

/* A file as it is read, and what the user gives. */
typedef struct urdf {
    pcm_context            *context;
    const char             *path;
    char                    folder[4096]; /* of the file, without links */
    char                    meshes[4200]; /* where MuJoCo looks for them: in it, or in the compiler's meshdir */
    const pcm_mujoco_robot *robot;        /* NULL: the robot alone */
    bool                    failed;       /* a package was not found, which was reported */
} urdf;

static bool exists(const char *path) { return access(path, R_OK) == 0; }

/* FOLDER/FILE; false: it does not exist. */
static bool in_folder(char path[4096], const char *folder, size_t length, const char *file)
{
    return snprintf(path, 4096, "%.*s/%s", (int)length, folder, file) < 4096 && exists(path);
}

/* The folder that the user gives for a package. */
static const char *given_folder(const urdf *u, const char *name, size_t length)
{
    for (size_t i = 0; u->robot && i < u->robot->n_packages; i++) {
        const char *given = u->robot->packages[i];
        if (strncmp(given, name, length) == 0 && given[length] == '=')
            return given + length + 1;
    }
    return NULL;
}

/* A file of a package: in the folder that the user gives, or in one of that name in or above the file's own. */
static bool in_package(const urdf *u, const char *name, size_t length, const char *file, char path[4096])
{
    const char *given = given_folder(u, name, length);
    if (given) {
        char      *whole = realpath(given, NULL);
        const bool found = whole && in_folder(path, whole, strlen(whole), file);
        free(whole);
        return found;
    }
    for (size_t end = strlen(u->folder); end > 0;) {
        size_t start = end;
        while (start > 0 && u->folder[start - 1] != '/')
            start--;
        char inside[4096];
        if (end - start == length && strncmp(u->folder + start, name, length) == 0 &&
            in_folder(path, u->folder, end, file))
            return true;
        if (snprintf(inside, sizeof inside, "%.*s/%s", (int)length, name, file) < (int)sizeof inside &&
            in_folder(path, u->folder, end, inside))
            return true;
        end = start > 0 ? start - 1 : 0;
    }
    return false;
}

static void report_lost(urdf *u, const char *uri, size_t length, const char *name, size_t name_length)
{
    if (!u->failed)
        pcm_report(u->context, PCM_ERROR, PCM_MSG_SCENE,
                   "%s: '%.*s' is in no folder '%.*s' in or above that of the file: say where the package is with "
                   "--package %.*s=DIR",
                   u->path, (int)length, uri, (int)name_length, name, (int)name_length, name);
    u->failed = true;
}

/* The place of a mesh. False: it stays as it is written. */
static bool find_mesh(urdf *u, const char *uri, size_t length, char path[4096])
{
    static const char *const schemes[] = {"package://", "model://"};
    char                     text[4096];
    if (length >= sizeof text)
        return false;
    memcpy(text, uri, length);
    text[length] = '\0';
    const char *last = strrchr(text, '/');
    for (int i = 0; i < 2; i++) {
        const size_t size = strlen(schemes[i]);
        if (strncmp(text, schemes[i], size) != 0)
            continue;
        const size_t named = strcspn(text + size, "/");
        if (text[size + named] && in_package(u, text + size, named, text + size + named + 1, path))
            return true;
        if (last && in_folder(path, u->meshes, strlen(u->meshes), last + 1))
            return true;
        report_lost(u, uri, length, text + size, named);
        return false;
    }
    const char *file = strncmp(text, "file://", 7) == 0 ? text + 7 : text;
    if (file[0] == '/')
        return snprintf(path, 4096, "%s", file) < 4096 && exists(path);
    if (in_folder(path, u->meshes, strlen(u->meshes), file) || in_folder(path, u->folder, strlen(u->folder), file) ||
        (last && in_folder(path, u->meshes, strlen(u->meshes), last + 1)))
        return true;
    return snprintf(path, 4096, "%s/%s", u->meshes, file) < 4096; /* MuJoCo then says that it is not there */
}

/* Writes text up to its end, with the places of meshes. */
static void write_text(urdf *u, FILE *file, const char *text, const char *end)
{
    char   path[4096];
    size_t length = 0;
    for (const char *at = text; (at = strstr(at, "<mesh")) && at < end; at++) {
        const char *uri = attribute(at, "filename", &length);
        if (!uri || !find_mesh(u, uri, length, path))
            continue;
        (void)fprintf(file, "%.*s%s", (int)(uri - text), text, path);
        text = uri + length;
    }
    (void)fprintf(file, "%.*s", (int)(end - text), text);
}

/* ---- The world --------------------------------------------------------------------------------------------------- */

/* The link of that name that holds a robot in its place; NULL: there is none. */
static char *anchor_of(char *text)
{
    for (char *at = text; (at = strstr(at, "<link")); at++)
        if (is_named(at, "name", "world"))
            return is_child(text, "world", 5) ? NULL : at;
    return NULL;
}

/* Takes out a root link called world, which is MuJoCo's world, and the joint that holds the robot there. False: there
 * is more about it than one joint. */
static bool cut_loose(char *text)
{
    char *link = anchor_of(text), *joint = NULL;
    if (!link)
        return true;
    const char *end = end_of(link, "</link>"), *solid = strstr(link, "<collision"), *heavy = strstr(link, "<inertial");
    if ((solid && solid < end) || (heavy && heavy < end))
        return false;
    for (char *at = text; (at = strstr(at, "<joint")); at++) {
        const char *parent = strstr(at, "<parent");
        if (!parent || parent >= end_of(at, "</joint>") || !is_named(parent, "link", "world"))
            continue;
        if (joint)
            return false;
        joint = at;
    }
    if (!joint)
        return false;
    blank(link, end);
    blank(joint, end_of(joint, "</joint>"));
    return true;
}

/* m: half the side of the box that becomes the plane. */
#define FLOOR 20.0

/* Adds the world as a link: a box whose top is at z = 0, and a joint from it to the root. */
static bool write_world(FILE *file, const char *text, const pcm_mujoco_robot *robot)
{
    size_t      length = 0;
    const char *root = root_of(text, &length);
    if (!root)
        return false;
    (void)fprintf(file, "<link name=\"pcm_world\">");
    if (robot->floor)
        (void)fprintf(file,
                      "<collision><origin xyz=\"0 0 -0.5\"/><geometry><box size=\"%g %g 1\"/></geometry></collision>",
                      2 * FLOOR, 2 * FLOOR);
    (void)fprintf(file,
                  "</link><joint name=\"pcm_root\" type=\"%s\"><parent link=\"pcm_world\"/><child link=\"%.*s\"/>"
                  "<origin xyz=\"0 0 %.17g\"/></joint>",
                  robot->free ? "floating" : "fixed", (int)length, root, robot->height);
    return true;
}

/* The file for MuJoCo, which would drop the folders of meshes unless told not to. False: it is no URDF file. */
static bool write_robot(urdf *u, FILE *file, const char *text)
{
    const bool  around = u->robot && (u->robot->floor || u->robot->free);
    const char *robot = strstr(text, "<robot"), *after = robot ? strchr(robot, '>') : NULL;
    const char *compiler = strstr(text, "<compiler");
    if (!after)
        return false;
    (void)fprintf(file, "%.*s", (int)(after + 1 - text), text);
    if (!compiler)
        (void)fprintf(file, "<mujoco><compiler strippath=\"false\"/></mujoco>");
    if (around && !write_world(file, text, u->robot))
        return false;
    if (compiler && compiler > after && !strstr(text, "strippath")) {
        write_text(u, file, after + 1, compiler + strlen("<compiler"));
        (void)fprintf(file, " strippath=\"false\"");
        after = compiler + strlen("<compiler") - 1;
    }
    write_text(u, file, after + 1, text + strlen(text));
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

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

/* A temporary file: that of the robot may lie in a folder of the system. */
static int open_draft(char draft[4096])
{
    const char *folder = secure_getenv("TMPDIR");
    return snprintf(draft, 4096, "%s/pcm-XXXXXX.urdf", folder && *folder ? folder : "/tmp") < 4096 ? mkstemps(draft, 5)
                                                                                                   : -1;
}

static void find_folders(urdf *u, const char *text)
{
    char       *whole = realpath(u->path, NULL);
    const char *slash = whole ? strrchr(whole, '/') : NULL;
    const char *compiler = strstr(text, "<compiler");
    size_t      length = 0;
    const char *inside = compiler ? attribute(compiler, "meshdir", &length) : NULL;
    (void)snprintf(u->folder, sizeof u->folder, "%.*s", slash ? (int)(slash - whole) : 0, slash ? whole : "");
    if (inside && *inside == '/')
        (void)snprintf(u->meshes, sizeof u->meshes, "%.*s", (int)length, inside);
    else
        (void)snprintf(u->meshes, sizeof u->meshes, "%s%s%.*s", u->folder, inside ? "/" : "", inside ? (int)length : 0,
                       inside ? inside : "");
    free(whole);
}

/* text: that of the file. */
static mjModel *load_robot(pcm_context *context, const char *path, char *text, const pcm_mujoco_robot *robot)
{
    urdf     u = {.context = context, .path = path, .robot = robot};
    char     draft[4096] = "";
    mjModel *model = NULL;
    blank_comments(text);
    find_folders(&u, text);
    if (robot && robot->free && !cut_loose(text))
        return fail(context, path,
                    "its root link is called world, which does not move, and more than one joint or shapes belong to "
                    "it: give it another name, or leave out --free");
    const int number = open_draft(draft);
    FILE     *file = number >= 0 ? fdopen(number, "w") : NULL;
    if (number >= 0 && !file) {
        (void)close(number);
        (void)unlink(draft);
    }
    if (!file)
        return fail(context, path,
                    "no temporary file can be made, which URDF files with meshes, --floor and --free need (TMPDIR)");
    const bool known = write_robot(&u, file, text);
    const bool written = fclose(file) == 0;
    if (!known)
        fail(context, path, "no URDF file: it has no <robot> with a root <link>");
    else if (written && !u.failed)
        model = pcm_load_as(context, draft, path);
    (void)unlink(draft);
    if (model && robot && robot->floor)
        make_plane(model);
    return model;
}

/* MuJoCo reads what has no meshes to be found as it is. */
mjModel *pcm_mujoco_load(pcm_context *context, const char *path)
{
    if (!pcm_host_fits(context))
        return NULL;
    char      *text = read_text(path);
    const bool has_meshes = text && strstr(text, "<robot") && strstr(text, "<mesh");
    mjModel   *model = has_meshes ? load_robot(context, path, text, NULL) : pcm_load_as(context, path, path);
    free(text);
    return model;
}

mjModel *pcm_mujoco_load_robot(pcm_context *context, const char *path, const pcm_mujoco_robot *given)
{
    pcm_mujoco_robot robot = {.size = sizeof robot};
    if (!pcm_host_fits(context) || !pcm_def_fill(context, "pcm_mujoco_robot", &robot, given))
        return NULL;
    char    *text = read_text(path);
    mjModel *model = text ? load_robot(context, path, text, &robot)
                          : fail(context, path, "the file does not exist or cannot be read");
    free(text);
    return model;
}
