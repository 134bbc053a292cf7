/* SPDX-License-Identifier: MIT */
/* show.c - pcm show: a .pcm file as PCM reads it, or the results of its rules for the pairs of a scene. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/materials.h>
#include <pcm/messages.h>

#include "check.h"
#include "describe.h"
#include "isolate.h"
#include "text_table.h"

/* ---- The resolved file ------------------------------------------------------------------------------------------- */

static void print_lets(const pcm_config *config)
{
    for (size_t i = 0; i < pcm_config_let_count(config); i++) {
        const pcm_let_info let = pcm_config_let_at(config, i);
        const char        *unit = let.unit;
        (void)printf("# Let %s = %s%s%s%s;  %s\n", let.name, pcm_number(let.number, 0).text, *unit ? " [" : "", unit,
                     *unit ? "]" : "", describe_place(&let.place).text);
    }
}

static void print_surfaces(const pcm_config *config)
{
    for (size_t i = 0; i < pcm_config_surface_count(config); i++) {
        const pcm_surface_info surface = pcm_config_surface_at(config, i);
        const char            *quote = surface.is_pattern ? "\"" : "";
        (void)printf("Surface %s = %s%s%s;  # %s\n", describe_name(surface.name).text, quote,
                     surface.is_pattern ? surface.pattern : describe_name(surface.pattern).text, quote,
                     describe_place(&surface.place).text);
    }
}

static void write_value(FILE *out, const pcm_value *value)
{
    if (value->param->kind == PCM_KIND_LIST) {
        for (size_t i = 0; i < value->list.count; i++)
            (void)fprintf(out, "%s%s", i == 0 ? "(" : ", ", pcm_number(value->list.values[i], 0).text);
        (void)fputs(value->list.count > 0 ? ")" : "()", out);
    } else if (value->param->kind == PCM_KIND_TEXT) {
        (void)fprintf(out, "\"%s\"", value->text);
    } else {
        (void)fputs(describe_value(value).text, out);
    }
    if (*describe_unit(value->param))
        (void)fprintf(out, " [%s]", describe_unit(value->param));
}

/* "= 1000 [N/m];" in newly allocated memory; NULL: no memory. */
static char *value_text(const pcm_value *value)
{
    char  *text = NULL;
    size_t size;
    FILE  *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    (void)fputs("= ", out);
    write_value(out, value);
    (void)fputs(";", out);
    return fclose(out) == 0 ? text : NULL;
}

/* A parameter that has no effect, or whose value cannot be written in a file, is printed as a comment. */
static bool is_idle(const pcm_type *type, const pcm_value *value)
{
    return !pcm_type_when(type, value->param->when) || (value->param->kind == PCM_KIND_LIST && value->list.count == 0);
}

/* For a value that comes from two materials: its default without materials, and the mixing rule. */
static describe_text origin_of_materials(const pcm_value *value)
{
    const bool    required = value->param->flags & PCM_REQUIRED;
    describe_text out;
    (void)snprintf(out.text, sizeof out.text, "# of materials: %s%s", describe_mixing(value->param),
                   required ? "" : "; default without them");
    return out;
}

static describe_text origin_of(const pcm_type *type, const pcm_value *value)
{
    const bool    matters = pcm_type_when(type, value->param->when);
    describe_text out;
    (void)snprintf(out.text, sizeof out.text, "# %.200s%s%.40s",
                   value->written ? describe_place(&value->place).text : "default", matters ? "" : ", only with ",
                   matters ? "" : value->param->when);
    return describe_waits(type, value) ? origin_of_materials(value) : out;
}

static bool print_type(const pcm_type *type)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    grid                 g = {.columns = 3};
    bool                 good = true;
    (void)printf("\nContactType %s = %s {  # %s\n", describe_name(info->name).text, info->model->name,
                 describe_place(&info->place).text);
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        const bool      waits = describe_waits(type, &value);
        describe_text   name;
        char           *text = waits && value.param->flags & PCM_REQUIRED ? strdup("") : value_text(&value);
        good &= text != NULL;
        (void)snprintf(name.text, sizeof name.text, "%s%.200s", waits || is_idle(type, &value) ? "# " : "",
                       value.param->name);
        GRID_ADD(&g, name.text, text, origin_of(type, &value).text);
        free(text);
    }
    grid_print(&g, 4);
    (void)puts("};");
    return good;
}

static bool print_material(const pcm_config *config, size_t material)
{
    const pcm_material_info info = pcm_config_material_at(config, material);
    grid                    g = {.columns = 3};
    bool                    good = true;
    (void)printf("\nMaterial %s {  # %s\n", describe_name(info.name).text, describe_place(&info.place).text);
    for (size_t i = 0; i < pcm_config_property_count(config); i++) {
        const pcm_value value = pcm_config_property_at(config, material, i);
        if (!value.written)
            continue;
        char         *text = value_text(&value);
        describe_text place;
        good &= text != NULL;
        (void)snprintf(place.text, sizeof place.text, "# %.250s", describe_place(&value.place).text);
        GRID_ADD(&g, value.param->name, text, place.text);
        free(text);
    }
    grid_print(&g, 4);
    (void)puts("};");
    return good;
}

/* Adds a line for each parameter that the type gets from two materials. before: "# " for a line that is a comment in
 * the file. */
static void add_mixed(grid *g, const char *before, const pcm_type *type)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        describe_text   between;
        if (!value.mixed)
            continue;
        (void)snprintf(between.text, sizeof between.text, "%s%.80s, %.80s * %.80s", before, info->name,
                       info->material[0], info->material[1]);
        GRID_ADD(g, between.text, value.param->name, describe_value(&value).text, describe_unit(value.param),
                 describe_mixing(value.param));
    }
}

/* Prints the results of surface rules for each two materials of the file. */
static void print_mixed(const pcm_config *config)
{
    const size_t count = pcm_config_material_count(config);
    grid         g = {.columns = 5};
    for (size_t i = 0; i < count; i++)
        for (size_t k = i; k < count; k++) {
            const char *a = pcm_config_material_at(config, i).name, *b = pcm_config_material_at(config, k).name;
            size_t      rule;
            if (pcm_config_resolve(config, NULL, a, NULL, b, &rule, NULL, 1) == 0)
                continue;
            const pcm_type *type = pcm_type_between(pcm_config_rule_at(config, rule).type, a, b);
            if (type)
                add_mixed(&g, "# ", type);
        }
    if (g.rows == 0)
        return;
    (void)printf("\n# what two materials give\n");
    grid_print(&g, 0);
}

static void print_rules(const pcm_config *config)
{
    grid g = {.columns = 2};
    for (size_t i = 0; i < pcm_config_rule_count(config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(config, i);
        describe_text       place;
        (void)snprintf(place.text, sizeof place.text, "# %.250s", describe_place(&rule.place).text);
        GRID_ADD(&g, describe_rule(&rule).text, place.text);
    }
    (void)putchar('\n');
    grid_print(&g, 0);
}

static bool show_file(const pcm_config *config, const char *path)
{
    bool good = true;
    (void)printf("# %s with everything worked out: every value in SI units, and where it is written\n", path);
    print_lets(config);
    print_surfaces(config);
    for (size_t i = 0; i < pcm_config_type_count(config); i++)
        good &= print_type(pcm_config_type_at(config, i));
    for (size_t i = 0; i < pcm_config_material_count(config); i++)
        good &= print_material(config, i);
    print_rules(config);
    print_mixed(config);
    return good;
}

/* ---- The pairs of a scene ---------------------------------------------------------------------------------------- */

/* Object and surface of each side, in one block of memory that starts at the first text, and the result of the
 * rules. */
typedef struct scene_pair {
    char           *object[2], *surface[2];
    size_t          rule; /* NO_RULE: no rule matches */
    const pcm_type *type; /* the type between the surfaces' materials; NULL: no rule, or the materials do not determine
                             the parameters */
} scene_pair;
#define NO_RULE ((size_t)-1)

typedef struct scene_pairs {
    const pcm_config *config;
    scene_pair       *list;
    size_t            count, capacity;
} scene_pairs;

static bool copy_pair(scene_pair *pair, const char *const texts[4])
{
    char **const targets[] = {&pair->object[0], &pair->surface[0], &pair->object[1], &pair->surface[1]};
    size_t       bytes = 0;
    for (size_t i = 0; i < 4; i++)
        bytes += strlen(texts[i]) + 1;
    char *to = malloc(bytes);
    for (size_t i = 0; i < 4; i++) {
        *targets[i] = to;
        to = to ? stpcpy(to, texts[i]) + 1 : NULL;
    }
    return pair->object[0] != NULL;
}

static bool keep_pair(void *user, const pcm_object_def *a, const pcm_object_def *b)
{
    scene_pairs *pairs = user;
    if (pairs->count == pairs->capacity) {
        const size_t wanted = pairs->capacity ? 2 * pairs->capacity : 64;
        scene_pair  *grown = realloc(pairs->list, wanted * sizeof *grown);
        if (!grown)
            return false;
        pairs->list = grown;
        pairs->capacity = wanted;
    }
    scene_pair *pair = &pairs->list[pairs->count++];
    *pair = (scene_pair){.rule = NO_RULE};
    (void)pcm_config_resolve_objects(pairs->config, a, b, &pair->rule, NULL, 1);
    return copy_pair(pair, (const char *const[4]){a->label, pcm_config_object_surface(pairs->config, a), b->label,
                                                  pcm_config_object_surface(pairs->config, b)});
}

static int by_names(const void *a, const void *b)
{
    const scene_pair *x = a, *y = b;
    const int         orders[] = {strcmp(x->object[0], y->object[0]), strcmp(x->object[1], y->object[1]),
                                  strcmp(x->surface[0], y->surface[0]), strcmp(x->surface[1], y->surface[1])};
    size_t            i = 0;
    while (i < 3 && orders[i] == 0)
        i++;
    return orders[i] ? orders[i] : (x->rule > y->rule) - (x->rule < y->rule);
}

/* Adds a pair. False, with a report: the materials of the pair do not determine its law's parameters. */
static bool add_pair(grid *g, const pcm_config *config, scene_pair *pair)
{
    char *const *surface = pair->surface;
    if (pair->rule == NO_RULE) {
        GRID_ADD(g, pair->object[0], surface[0], pair->object[1], surface[1], "-", "the simulator's own", "no rule");
        return true;
    }
    const pcm_rule_info  info = pcm_config_rule_at(config, pair->rule);
    const pcm_type_info *type = pcm_type_get_info(info.type);
    GRID_ADD(g, pair->object[0], surface[0], pair->object[1], surface[1], type->name,
             type->model->flags & PCM_HOST_CONTACT ? "the simulator's own" : type->model->name,
             describe_place(&info.place).text);
    pair->type = pcm_type_between(info.type, surface[0], surface[1]);
    return pair->type;
}

/* Prints the parameters for each two materials of the scene, once. */
static void print_mixed_of(const scene_pairs *pairs)
{
    grid g = {.columns = 5};
    for (size_t i = 0; i < pairs->count; i++) {
        const pcm_type *type = pairs->list[i].type;
        size_t          first = 0;
        while (first < i && pairs->list[first].type != type)
            first++;
        if (type && first == i && type != pcm_type_get_info(type)->written)
            add_mixed(&g, "", type);
    }
    if (g.rows == 0)
        return;
    (void)printf("\nwhat two materials give\n");
    grid_print(&g, 0);
}

/* Geoms that share names and surfaces share one line. */
static bool show_scene(check_scene *scene, const pcm_config *config)
{
    scene_pairs pairs = {.config = config};
    grid        g = {.columns = 7};
    bool        good = check_scene_pairs(scene, config, keep_pair, &pairs);
    if (good && pairs.count > 0) {
        qsort(pairs.list, pairs.count, sizeof *pairs.list, by_names);
        GRID_ADD(&g, "object", "surface", "object", "surface", "contact type", "law", "rule");
        for (size_t i = 0; i < pairs.count; i++)
            if (i == 0 || by_names(&pairs.list[i - 1], &pairs.list[i]) != 0)
                good &= add_pair(&g, config, &pairs.list[i]);
        grid_print(&g, 0);
        print_mixed_of(&pairs);
    }
    for (size_t i = 0; i < pairs.count; i++)
        free(pairs.list[i].object[0]);
    free(pairs.list);
    return good;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static const char about[] =
    "Prints a .pcm file with everything worked out: included files, expressions, settings, and contact types\n"
    "that derive from others; every parameter with its value in SI units and the place where it is written. The\n"
    "output is a .pcm file, too.\n"
    "With a scene, an MJCF or URDF file, it prints a line for each pair that can touch: the surfaces, the\n"
    "contact type and its law, and the rule.";

static const char examples[] = "  pcm show rise.pcm\n"
                               "  pcm show rise.pcm --set C1.K=2000\n"
                               "  pcm show rise.pcm --scene climber.xml";

static int show(pcm_context *context, const char *path, check_scene *scene, const option_texts *settings)
{
    pcm_config *config = command_config(context, path, settings);
    bool        good = config != NULL;
    if (good && scene) {
        good = show_scene(scene, config);
    } else if (good && !show_file(config, path)) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        good = false;
    }
    pcm_config_release(config);
    return good ? EXIT_GOOD : EXIT_WRONG;
}

int show_run(int argc, char **argv)
{
    const char     *plugins = NULL;
    bool            isolated = false;
    check_scene_def scene = {.robot = OPTION_ROBOT_NONE};
    option_texts    settings = {0}, words;
    const option    options[] = {
           {.name = "--scene", .value = "SCENE.xml", .doc = "print the pairs of this scene", .text = &scene.path},
           OPTION_ROBOT(&scene.robot),
           OPTION_SURFACES(&scene.surfaces),
           OPTION_SET(&settings),
           OPTION_PLUGINS(&plugins),
           OPTION_ISOLATE(&isolated)};
    const command_line line = {.name = "show",
                               .usage = "FILE.pcm [--scene SCENE.xml] [--set T.P=VALUE]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 1,
                               .max_words = 1};
    int                status;
    if (options_read(&line, argc, argv, &words, &status)) {
        pcm_context *context = command_context(plugins, command_report, NULL);
        check_scene *read = context && scene.path ? check_scene_open(context, &scene) : NULL;
        if (!context || (scene.path && !read))
            status = command_excuse(EXIT_WRONG);
        else if (isolate_reader(isolated, &status))
            status = command_excuse(show(context, words.at[0], read, &settings));
        check_scene_close(read);
        pcm_context_free(context);
    }
    free(words.at);
    free(scene.surfaces.at);
    free(scene.robot.packages.at);
    free(settings.at);
    return status;
}
