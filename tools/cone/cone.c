/* SPDX-License-Identifier: MIT */
/* cone.c - pcm cone: friction cones, pyramids and wrench cones, from numbers, contact types or scenes. */
#include "cone.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"
#include "csv.h"
#include "ending.h"

typedef struct request {
    const char  *plugins, *normal, *first, *about, *kind, *object, *plot;
    double       friction, time;
    size_t       sides;
    bool         as_json;
    option_robot robot;
    option_texts forces, points, wrenches, settings, between;
} request;

bool cone_list_add(cone_list *list, const double *row)
{
    double *at = realloc(list->at, (list->count + 1) * list->width * sizeof *at);
    if (!at) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    list->at = at;
    memcpy(at + list->count++ * list->width, row, list->width * sizeof *row);
    return true;
}

/* ---- Numbers of the call ----------------------------------------------------------------------------------------- */

/* Reads up to `most` numbers separated by commas; returns their number, or 0 if the text is anything else. */
static size_t read_numbers(const char *text, size_t most, double *numbers)
{
    size_t count = 0;
    for (;;) {
        const size_t length = strcspn(text, ",");
        double       number;
        if (count == most || length == 0 || pcm_number_read(text, length, &number) != length || !isfinite(number))
            return 0;
        numbers[count++] = number;
        if (text[length] == '\0')
            return count;
        text += length + 1;
    }
}

static bool is_table(const char *text) { return ends_with(text, ".csv"); }

/* Reads rows of the named columns. Columns after the first `needed` may be missing, but only at the end of the list;
 * their values then keep those in `row`. */
static bool read_table(const char *path, const char *const *names, size_t needed, double *row, cone_list *list)
{
    csv_reader table;
    size_t     columns[7], found = 0;
    bool       good = csv_open(&table, path);
    for (; good && found < list->width; found++) {
        columns[found] = csv_find(&table, names[found]);
        if (columns[found] == table.columns)
            break;
    }
    if (good && found < needed) {
        csv_error(&table, PCM_MSG_TABLE_COLUMN, table.columns, "the table has no column '%s'", names[found]);
        good = false;
    }
    csv_result result = CSV_ROW;
    while (good && (result = csv_next(&table)) == CSV_ROW) {
        for (size_t i = 0; good && i < found; i++)
            good = csv_number(&table, columns[i], &row[i]);
        good = good && cone_list_add(list, row);
    }
    csv_close(&table);
    return good && result == CSV_END;
}

/* Takes all values of one option: numbers, or the name of a table. The number of numbers is `needed`, `list->width` or,
 * if that is not 0, `between`. */
static int take_list(const command_line *line, const char *name, const option_texts *texts, const char *const *names,
                     size_t needed, size_t between, const double *fallback, cone_list *list)
{
    for (size_t i = 0; i < texts->count; i++) {
        double row[7];
        memcpy(row, fallback, list->width * sizeof *row);
        if (is_table(texts->at[i])) {
            if (!read_table(texts->at[i], names, needed, row, list))
                return EXIT_WRONG;
            continue;
        }
        const size_t count = read_numbers(texts->at[i], list->width, row);
        if (count == 0 || (count != needed && count != between && count != list->width))
            return options_refuse(line, "%s must be numbers like %s, or a .csv file, not '%s'", name,
                                  list->width == 3   ? "FX,FY,FZ"
                                  : list->width == 6 ? "TX,TY,TZ,FX,FY,FZ"
                                                     : "X,Y,Z,NX,NY,NZ,MU",
                                  texts->at[i]);
        if (!cone_list_add(list, row))
            return EXIT_WRONG;
    }
    return EXIT_GOOD;
}

static int take_vector(const command_line *line, const char *name, const char *text, double vector[3])
{
    if (text && read_numbers(text, 3, vector) != 3)
        return options_refuse(line, "%s must be three numbers X,Y,Z, not '%s'", name, text);
    return EXIT_GOOD;
}

static int take_kind(const command_line *line, const char *text, pcm_pyramid_kind *kind)
{
    static const char *const kinds[] = {"inner", "outer", "equal", NULL};
    for (int i = 0; text && kinds[i]; i++)
        if (strcmp(text, kinds[i]) == 0) {
            *kind = (pcm_pyramid_kind)i;
            return EXIT_GOOD;
        }
    return text ? options_refuse(line, "--kind must be inner, outer or equal, not '%s'%s", text,
                                 options_did_you_mean(text, kinds).text)
                : EXIT_GOOD;
}

static int take_settings(const command_line *line, const request *r, cone_job *job)
{
    int status = take_vector(line, "--normal", r->normal, job->normal);
    if (status == EXIT_GOOD)
        status = take_vector(line, "--first", r->first, job->def.first);
    if (status == EXIT_GOOD)
        status = take_vector(line, "--about", r->about, job->def.about);
    job->about_given = r->about != NULL;
    return status == EXIT_GOOD ? take_kind(line, r->kind, &job->def.kind) : status;
}

/* Called when the friction coefficient is known; it may be NaN. */
static int take_lists(const command_line *line, const request *r, cone_job *job)
{
    static const char *const force_names[] = {"fx", "fy", "fz"};
    static const char *const point_names[] = {"x", "y", "z", "nx", "ny", "nz", "mu"};
    static const char *const wrench_names[] = {"tx", "ty", "tz", "fx", "fy", "fz"};
    const double             point[7] = {0, 0, 0, job->normal[0], job->normal[1], job->normal[2], job->friction};
    const double             none[6] = {0};
    int                      status = take_list(line, "--force", &r->forces, force_names, 3, 3, none, &job->forces);
    if (status == EXIT_GOOD)
        status = take_list(line, "--point", &r->points, point_names, 3, 6, point, &job->points);
    if (status == EXIT_GOOD)
        status = take_list(line, "--wrench", &r->wrenches, wrench_names, 6, 6, none, &job->wrenches);
    return status;
}

/* ---- Cones of contact types -------------------------------------------------------------------------------------- */

bool cone_of_type(const pcm_type *type, double *friction)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    const pcm_param     *idle = NULL;
    if (pcm_type_friction(type, friction))
        return true;
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        if (value.param->flags & PCM_CONE)
            idle = value.param;
    }
    if (idle)
        command_message(PCM_ERROR, PCM_MSG_NO_CONE, &info->place,
                        "contact type %s has no friction cone: %s of %s has an effect only with %s", info->name,
                        idle->name, info->model->name, idle->when);
    else
        command_message(PCM_ERROR, PCM_MSG_NO_CONE, &info->place,
                        "contact type %s has no friction cone: its law, %s, declares no parameter as its coefficient",
                        info->name, info->model->name);
    return false;
}

static bool take_type(const pcm_config *config, const char *path, const char *name, const request *r, cone_job *job)
{
    pcm_shear       set = {.size = sizeof set};
    const pcm_type *type = pcm_config_type_find(config, name);
    if (!type) {
        const size_t count = pcm_config_type_count(config);
        const char **names = calloc(count + 1, sizeof *names);
        for (size_t i = 0; names && i < count; i++)
            names[i] = pcm_type_get_info(pcm_config_type_at(config, i))->name;
        command_error(PCM_MSG_NO_CONE, "%s has no contact type '%s'%s", path, name,
                      names ? options_did_you_mean(name, names).text : "");
        free(names);
        return false;
    }
    (void)snprintf(job->title, sizeof job->title, "%s, %s", name, pcm_type_get_info(type)->model->name);
    type = command_between(type, &r->between);
    if (type && r->points.count == 0 && pcm_type_shear(type, 0, &set)) {
        job->type = type;
        return true;
    }
    return type && cone_of_type(type, &job->friction);
}

static bool is_scene(const char *path) { return ends_with(path, ".xml") || ends_with(path, ".urdf"); }

/* Takes the data of the files, if any are given. */
static bool take_files(pcm_context *context, const option_texts *words, const request *r, cone_job *job)
{
    if (words->count == 0)
        return true;
    const bool  scene = is_scene(words->at[0]);
    const char *path = words->at[scene ? 1 : 0];
    job->config = command_config(context, path, &r->settings);
    if (!job->config)
        return false;
    const cone_scene from = {.path = words->at[0], .object = r->object, .time = r->time, .robot = &r->robot};
    return scene ? cone_from_scene(context, &from, job->config, job)
                 : take_type(job->config, path, words->at[1], r, job);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

/* If a type declares a feasible set, only the axes matter. */
static bool make_axes(pcm_context *context, cone_job *job)
{
    return pcm_cone_make(context, job->normal, 1, &job->cone) == PCM_OK &&
           pcm_pyramid_make(context, &job->cone, PCM_PYRAMID_INNER, job->def.sides, job->def.first, &job->pyramid) ==
               PCM_OK;
}

static bool make_cone(pcm_context *context, cone_job *job)
{
    if (job->type)
        return make_axes(context, job);
    if (job->points.count > 0) {
        job->wrench_cone = pcm_wrench_cone_new(context, cone_points(job), job->points.count, &job->def);
        return job->wrench_cone != NULL;
    }
    return pcm_cone_make(context, job->normal, job->friction, &job->cone) == PCM_OK &&
           (job->friction == 0 || pcm_pyramid_make(context, &job->cone, job->def.kind, job->def.sides, job->def.first,
                                                   &job->pyramid) == PCM_OK);
}

static int check_call(const command_line *line, const request *r, const option_texts *words)
{
    const bool scene = words->count > 0 && is_scene(words->at[0]);
    if (words->count == 1)
        return options_refuse(line, scene ? "a scene needs a .pcm file" : "a .pcm file needs a contact type's name");
    if (scene && !r->object)
        return options_refuse(line, "a scene needs --object NAME");
    if (!scene && r->object)
        return options_refuse(line, "--object needs a scene");
    if (!scene && (r->robot.floor || !isnan(r->robot.free_at)))
        return options_refuse(line, "--floor and --free need a scene");
    if (words->count > 0 && !isnan(r->friction))
        return options_refuse(line, "--friction cannot be combined with a file, which sets it");
    if (scene && r->points.count > 0)
        return options_refuse(line, "--point cannot be combined with a scene, which sets the points");
    if (words->count == 0 && isnan(r->friction) && r->points.count == 0)
        return options_refuse(
            line, "no cone is specified: give --friction, --point, a .pcm file and a contact type, or a scene");
    return EXIT_GOOD;
}

/* Checks that forces are given only for the cone of one point, and wrenches only for that of several. */
static int check_questions(const command_line *line, const cone_job *job)
{
    const bool of_points = job->points.count > 0;
    if (of_points && job->forces.count > 0)
        return options_refuse(line, "for the wrench cone of points use --wrench, not --force");
    if (!of_points && job->wrenches.count > 0)
        return options_refuse(line, "--wrench needs points; for the cone of one point use --force");
    for (size_t i = 0; i < job->points.count; i++)
        if (isnan(cone_points(job)[i].friction))
            return options_refuse(line, "point %zu has no friction: give it MU, or --friction for all", i + 1);
    return EXIT_GOOD;
}

static int answer(const command_line *line, const request *r, const option_texts *words)
{
    int          status = check_call(line, r, words);
    pcm_context *context = status == EXIT_GOOD ? command_context(r->plugins, command_report_types, NULL) : NULL;
    if (!context)
        return status == EXIT_GOOD ? EXIT_WRONG : status;

    cone_job job = {.def = pcm_wrench_cone_defaults(),
                    .normal = {0, 0, 1},
                    .friction = r->friction,
                    .forces.width = 3,
                    .points.width = 7,
                    .wrenches.width = 6};
    job.def.sides = r->sides > UINT32_MAX ? UINT32_MAX : (uint32_t)r->sides;
    status = take_settings(line, r, &job);
    if (status == EXIT_GOOD)
        status = take_files(context, words, r, &job) ? take_lists(line, r, &job) : EXIT_WRONG;
    if (status == EXIT_GOOD)
        status = check_questions(line, &job);
    if (status == EXIT_GOOD && !make_cone(context, &job))
        status = EXIT_WRONG;
    if (status == EXIT_GOOD)
        job.type ? (r->as_json ? shear_print_json : shear_print)(&job)
                 : (r->as_json ? cone_print_json : cone_print)(&job);
    if (status == EXIT_GOOD && r->plot && !cone_plot(&job, r->plot))
        status = EXIT_WRONG;
    pcm_wrench_cone_free(job.wrench_cone);
    pcm_config_release(job.config);
    free(job.forces.at);
    free(job.points.at);
    free(job.wrenches.at);
    pcm_context_free(context);
    return status;
}

static const char about[] =
    "Computes which forces a contact can transmit. For a friction coefficient, or that of a contact type:\n"
    "the friction cone, a linear pyramid for it, and the margins of every --force; where the law has a\n"
    "feasible set that is no circle, that set at the normal force of every --force. For points, or the\n"
    "contacts of an object in a scene: the cone of the wrenches that they can exert together, and the\n"
    "margin of every --wrench. Normals point from the ground into the body; forces are those on the body.\n"
    "Lists may be .csv files, with columns fx,fy,fz or x,y,z,nx,ny,nz,mu or tx,ty,tz,fx,fy,fz.\n"
    "--force, --point and --wrench may be repeated.";

static const char examples[] =
    "  pcm cone --friction 0.6 --normal 0,-1,0 --force 3,-10,4\n"
    "  pcm cone ground.pcm C1 --sides 8 --kind outer --json\n"
    "  pcm cone --friction 0.7 --point .1,.06,0 --point .1,-.06,0 --point -.1,0,0 --wrench 0,0,0,20,0,100\n"
    "  pcm cone robot.xml robot.pcm --object LeftFoot --time 0.5 --plot cone.png";

int cone_run(int argc, char **argv)
{
    request      r = {.friction = NAN, .sides = 4, .robot = OPTION_ROBOT_NONE};
    const option options[] = {
        {.name = "--friction", .value = "MU", .doc = "the friction coefficient", .number = &r.friction},
        {.name = "--normal", .value = "X,Y,Z", .doc = "the ground's normal; default 0,0,1", .text = &r.normal},
        {.name = "--force", .value = "FORCE", .doc = "a force FX,FY,FZ to test", .texts = &r.forces},
        {.name = "--point", .value = "POINT", .doc = "a contact point X,Y,Z[,NX,NY,NZ[,MU]]", .texts = &r.points},
        {.name = "--wrench", .value = "WRENCH", .doc = "a wrench TX,TY,TZ,FX,FY,FZ to test", .texts = &r.wrenches},
        {.name = "--about", .value = "X,Y,Z", .doc = "the reference point of torques", .text = &r.about},
        {.name = "--sides", .value = "N", .doc = "number of sides of a pyramid; default 4", .count = &r.sides},
        {.name = "--kind", .value = "KIND", .doc = "kind of pyramid: inner, outer or equal (volume)", .text = &r.kind},
        {.name = "--first",
         .value = "X,Y,Z",
         .doc = "direction of the first edge, or of the body's axis; default 1,0,0",
         .text = &r.first},
        {.name = "--object", .value = "NAME", .doc = "the object of a scene", .text = &r.object},
        {.name = "--time", .value = "S", .doc = "simulate for S seconds first", .positive = &r.time},
        {.name = "--json", .doc = "print JSON", .flag = &r.as_json},
        {.name = "--plot", .value = "OUT.png", .doc = "draw the cone, with gnuplot", .text = &r.plot},
        OPTION_ROBOT(&r.robot),
        OPTION_SET(&r.settings),
        OPTION_BETWEEN(&r.between),
        OPTION_PLUGINS(&r.plugins)};
    const command_line line = {.name = "cone",
                               .usage = "[FILE.pcm CONTACT | SCENE.xml FILE.pcm --object NAME] [OPTION...]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .max_words = 2};
    option_texts       words;
    int                status;
    if (options_read(&line, argc, argv, &words, &status))
        status = answer(&line, &r, &words);
    free(words.at);
    free(r.forces.at);
    free(r.points.at);
    free(r.wrenches.at);
    free(r.settings.at);
    free(r.between.at);
    free(r.robot.packages.at);
    return status;
}
