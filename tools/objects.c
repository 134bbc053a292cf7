/* SPDX-License-Identifier: MIT */
/* objects.c - pcm objects: the names in a scene that rules can use, and a .pcm file to start from. */
#include <pcm/materials.h>
#include <pcm/messages.h>
#include <pcm/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json.h"
#include "law/describe.h"
#include "scene_object.h"
#include "text_table.h"
#include "touching.h"

typedef struct listing {
    const pcm_config *config; /* NULL: only the scene is given */
    grid              table;
    json              out;
    bool              starts, as_json; /* writes rules, or JSON, instead of the table */
    size_t            count;
    bool              failed;
} listing;

/* The number of lengths that MJCF gives for the geom's type. */
static int lengths_of(const pcm_mujoco_object *object)
{
    static const struct {
        const char *type;
        int         lengths;
    } known[] = {{"sphere", 1}, {"site", 1}, {"capsule", 2}, {"cylinder", 2}, {"box", 3}, {"ellipsoid", 3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(object->type, known[i].type) == 0)
            return known[i].lengths;
    return 0;
}

/* The surface that the file gives the object; if none, the scene's. */
static const char *surface_of(const listing *l, const pcm_mujoco_object *object)
{
    return l->config ? pcm_config_object_surface(l->config, object->known_as) : object->surface;
}

/* The value of a property in the file's material of that name; its member `written` is false if the material does not
 * give it. */
static pcm_value property_of(const listing *l, const char *surface, size_t index)
{
    for (size_t i = 0; i < pcm_config_material_count(l->config); i++)
        if (strcmp(pcm_config_material_at(l->config, i).name, surface) == 0)
            return pcm_config_property_at(l->config, i, index);
    return (pcm_value){0};
}

/* ---- A table ----------------------------------------------------------------------------------------------------- */

static void size_text(const pcm_mujoco_object *object, char *text, size_t size)
{
    size_t at = 0;
    *text = '\0';
    for (int i = 0; i < lengths_of(object) && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? " " : "", pcm_number(object->size[i], 3).text);
}

/* The properties as the material's statement writes them, truncated if there is no room. */
static void properties_text(const listing *l, const char *surface, char *text, size_t size)
{
    size_t at = 0;
    *text = '\0';
    for (size_t i = 0; l->config && i < pcm_config_property_count(l->config) && at < size; i++) {
        const pcm_value value = property_of(l, surface, i);
        if (!value.written)
            continue;
        const char *unit = describe_unit(value.param);
        at += (size_t)snprintf(text + at, size - at, "%s%s = %s%s%s%s;", at ? " " : "", value.param->name,
                               describe_value(&value).text, *unit ? " [" : "", unit, *unit ? "]" : "");
    }
}

static void add_row(listing *l, const pcm_mujoco_object *object)
{
    const char    *surface = surface_of(l, object);
    const touching touches = touching_of(object->type, object->size, object->known_as->radius);
    char           others[320], size[128], how[160], properties[512];
    (void)snprintf(others, sizeof others, "%s %s %s", object->place, object->by_type, object->by_group);
    size_text(object, size, sizeof size);
    touching_write(&touches, how, sizeof how);
    properties_text(l, surface, properties, sizeof properties);
    if (l->count == 0)
        GRID_ADD(&l->table, "name", "other names", "surface", "material", "type", "size [m]", "touches by", "body",
                 "properties");
    GRID_ADD(&l->table, object->name, *object->place ? others : "", surface, object->material, object->type, size, how,
             object->body, properties);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void write_json(listing *l, const pcm_mujoco_object *object)
{
    const char *surface = surface_of(l, object), *const others[] = {object->place, object->by_type, object->by_group};
    const touching touches = touching_of(object->type, object->size, object->known_as->radius);
    char           how[160];
    json          *j = &l->out;
    json_begin_object(j, NULL);
    json_text(j, "name", object->name);
    json_begin_array(j, "other_names");
    for (size_t i = 0; i < sizeof others / sizeof *others && *object->place; i++)
        json_text(j, NULL, others[i]);
    json_end_array(j);
    json_text(j, "surface", surface);
    json_text(j, "material", object->material);
    json_text(j, "type", object->type);
    json_begin_array(j, "size");
    for (int i = 0; i < lengths_of(object); i++)
        json_number(j, NULL, object->size[i]);
    json_end_array(j);
    touching_write(&touches, how, sizeof how);
    json_text(j, "touches_by", how);
    json_text(j, "body", object->body);
    if (l->config)
        json_begin_object(j, "properties");
    for (size_t i = 0; l->config && i < pcm_config_property_count(l->config); i++) {
        const pcm_value value = property_of(l, surface, i);
        if (value.written)
            describe_json(j, value.param->name, &value);
    }
    if (l->config)
        json_end_object(j);
    json_end_object(j);
}

/* ---- A file to start from ---------------------------------------------------------------------------------------- */

/* Prints a line for the object: as a comment, since only the user knows the right rule for each pair. */
static void print_rule(listing *l, const pcm_mujoco_object *object)
{
    const char *surface = surface_of(l, object);
    if (l->count == 0)
        (void)printf("# One law for all that touches; then, to be chosen from, a line for each object.\n"
                     "ContactType Contact = CompliantGround { Friction = 0.8; };\n"
                     "DefaultPair -> Contact;\n");
    if (strcmp(object->type, "site") == 0)
        return;
    char *name = strdup(*object->place ? object->place : object->name);
    l->failed |= !name;
    if (name)
        scene_quotable(name);
    (void)printf("# ObjectPair \"*\" * \"%s\" -> Contact;%s%s\n", name ? name : "", *surface ? "   # surface " : "",
                 surface);
    free(name);
}

static void visit(void *user, const pcm_mujoco_object *object)
{
    listing *l = user;
    if (l->starts)
        print_rule(l, object);
    else if (l->as_json)
        write_json(l, object);
    else
        add_row(l, object);
    l->count++;
}

static bool list_objects(pcm_context *context, const char *path, pcm_config *config, const option_texts *surfaces,
                         const option_robot *robot, listing *l)
{
    pcm_mujoco_def def = pcm_mujoco_defaults();
    def.surfaces = surfaces->at;
    def.n_surfaces = surfaces->count;
    l->config = config;
    l->table.columns = config ? 9 : 8;
    mjModel *model = scene_load(context, path, robot);
    if (!model)
        return false;
    if (l->as_json)
        json_begin_array(&l->out, NULL);
    const bool done = pcm_mujoco_each_object(context, config, model, &def, visit, l) == PCM_OK;
    if (l->as_json)
        json_end_array(&l->out);
    mj_deleteModel(model);
    grid_print(&l->table, 0);
    if (l->failed)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    if (done && l->count == 0 && !l->as_json)
        (void)printf("nothing in %s can collide: PCM has no pairs to serve there\n", path);
    return done && !l->failed;
}

/* words: the scene and, optionally, the rules. */
static bool objects(const option_texts *words, const option_texts *surfaces, const option_robot *robot,
                    const char *plugins, listing *l)
{
    const option_texts none = {0};
    pcm_context       *context = command_context(plugins, command_report, NULL);
    pcm_config        *config = NULL;
    bool               good = context != NULL;
    if (good && words->count > 1)
        good = (config = command_config(context, words->at[1], &none)) != NULL;
    good = good && list_objects(context, words->at[0], config, surfaces, robot, l);
    pcm_config_release(config);
    pcm_context_free(context);
    return good;
}

static const char about[] =
    "Lists the objects of a MuJoCo scene (MJCF or URDF): geoms that can collide, and named sites. A geom\n"
    "without a name has that of its body, or one of these: its place among the body's geoms (Calf.3), its type\n"
    "(Calf:sphere) or its group (Calf:group3). Rules may use any of them, and patterns of them (\"*_calf.3\").\n"
    "The material is the scene's; rules use it as the surface unless another one is given. With FILE.pcm names\n"
    "and surfaces are those that its rules use, and properties are those of its Material of that surface.";

static const char examples[] = "  pcm objects robot.xml\n"
                               "  pcm objects robot.xml robot.pcm\n"
                               "  pcm objects robot.xml --start >robot.pcm";

int objects_run(int argc, char **argv)
{
    const char        *plugins = NULL;
    listing            l = {.out = {.out = stdout}};
    option_texts       surfaces = {0}, words;
    option_robot       robot = OPTION_ROBOT_NONE;
    const option       options[] = {{.name = "--start", .doc = "print a .pcm file to start from", .flag = &l.starts},
                                    {.name = "--json", .doc = "print JSON", .flag = &l.as_json},
                                    OPTION_SURFACES(&surfaces),
                                    OPTION_ROBOT(&robot),
                                    OPTION_PLUGINS(&plugins)};
    const command_line line = {.name = "objects",
                               .usage = "SCENE.xml [FILE.pcm] [--start | --json]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 1,
                               .max_words = 2};
    int                status;
    if (options_read(&line, argc, argv, &words, &status)) {
        if (l.starts && l.as_json)
            status = options_refuse(&line, "--start cannot be combined with --json");
        else
            status = objects(&words, &surfaces, &robot, plugins, &l) ? EXIT_GOOD : EXIT_WRONG;
    }
    free(words.at);
    free(surfaces.at);
    free(robot.packages.at);
    return status;
}
