/* SPDX-License-Identifier: MIT */
/* objects.c - pcm objects: what a scene has that rules can speak of, and a .pcm file to start from. */
#include <pcm/messages.h>
#include <pcm/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "scene_object.h"
#include "text_table.h"

typedef struct listing {
    grid   table;
    bool   starts; /* writes rules in place of the table */
    size_t count;
    bool   failed;
} listing;

/* MJCF gives as many lengths as the type has. */
static void size_text(const pcm_mujoco_object *object, char *text, size_t size)
{
    static const struct {
        const char *type;
        int         lengths;
    } known[] = {{"sphere", 1}, {"site", 1}, {"capsule", 2}, {"cylinder", 2}, {"box", 3}, {"ellipsoid", 3}};
    int lengths = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        lengths = strcmp(object->type, known[i].type) == 0 ? known[i].lengths : lengths;
    size_t at = 0;
    *text = '\0';
    for (int i = 0; i < lengths && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? " " : "", pcm_number(object->size[i], 3).text);
}

static void add_row(listing *l, const pcm_mujoco_object *object)
{
    char others[320], size[128];
    (void)snprintf(others, sizeof others, "%s %s %s", object->place, object->by_type, object->by_group);
    size_text(object, size, sizeof size);
    if (l->count++ == 0)
        GRID_ADD(&l->table, "name", "other names", "surface", "type", "size [m]", "body");
    GRID_ADD(&l->table, object->name, *object->place ? others : "", object->surface, object->type, size, object->body);
}

/* A line of the file to start from: comments, as what is right for each pair only the user knows. */
static void print_rule(listing *l, const pcm_mujoco_object *object)
{
    if (l->count++ == 0)
        (void)printf("# One law for all that touches; then, to be chosen from, a line for each object.\n"
                     "ContactType Contact = CompliantGround { Friction = 0.8; };\n"
                     "DefaultPair -> Contact;\n");
    if (strcmp(object->type, "site") == 0)
        return;
    char *name = strdup(*object->place ? object->place : object->name);
    l->failed |= !name;
    if (name)
        scene_quotable(name);
    (void)printf("# ObjectPair \"*\" * \"%s\" -> Contact;%s%s\n", name ? name : "",
                 *object->surface ? "   # surface " : "", object->surface);
    free(name);
}

static void visit(void *user, const pcm_mujoco_object *object)
{
    listing *l = user;
    if (l->starts)
        print_rule(l, object);
    else
        add_row(l, object);
}

static bool list_objects(pcm_context *context, const char *path, const option_texts *surfaces,
                         const option_robot *robot, listing *l)
{
    pcm_mujoco_def def = pcm_mujoco_defaults();
    def.surfaces = surfaces->at;
    def.n_surfaces = surfaces->count;
    mjModel   *model = scene_load(context, path, robot);
    const bool done = model && pcm_mujoco_each_object(context, NULL, model, &def, visit, l) == PCM_OK;
    if (model)
        mj_deleteModel(model);
    grid_print(&l->table, 0);
    if (l->failed)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    if (done && l->count == 0)
        (void)printf("nothing in %s can collide: PCM has no pairs to serve there\n", path);
    return done && !l->failed;
}

static const char about[] =
    "Lists the objects of a MuJoCo scene (MJCF or URDF): geoms that can collide, and named sites. A geom without\n"
    "a name goes by its body's, or by a name of its own: its place among the body's geoms (Calf.3), its type\n"
    "(Calf:sphere) or its group (Calf:group3). Rules may use any of them, and patterns over them (\"*_calf.3\").";

static const char examples[] = "  pcm objects robot.xml\n"
                               "  pcm objects robot.xml --start >robot.pcm";

int objects_run(int argc, char **argv)
{
    const char        *plugins = NULL;
    listing            l = {.table.columns = 6};
    option_texts       surfaces = {0}, words;
    option_robot       robot = OPTION_ROBOT_NONE;
    const option       options[] = {{.name = "--start", .doc = "print a .pcm file to start from", .flag = &l.starts},
                                    OPTION_SURFACES(&surfaces),
                                    OPTION_ROBOT(&robot),
                                    OPTION_PLUGINS(&plugins)};
    const command_line line = {.name = "objects",
                               .usage = "SCENE.xml [--start]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 1,
                               .max_words = 1};
    int                status;
    if (options_read(&line, argc, argv, &words, &status)) {
        pcm_context *context = command_context(plugins, command_report, NULL);
        status = context && list_objects(context, words.at[0], &surfaces, &robot, &l) ? EXIT_GOOD : EXIT_WRONG;
        pcm_context_free(context);
    }
    free(words.at);
    free(surfaces.at);
    return status;
}
