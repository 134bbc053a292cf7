/* SPDX-License-Identifier: MIT */
/* check.c - pcm check: reports everything wrong with .pcm files, and sums up the good ones. */
#include <stdio.h>
#include <stdlib.h>
#include <pcm/messages.h>

#include "check.h"
#include "fix.h"
#include "isolate.h"
#include "json.h"

typedef struct checking {
    json          *out; /* NULL: text for people */
    size_t         warnings;
    check_scene   *scene; /* NULL: no scene */
    const char    *scene_path;
    check_coverage coverage;
    bool           fixing; /* collect fixes and print nothing */
    fix_list       fixes;
    option_texts   settings;
} checking;

static void json_fixes(json *j, const pcm_diagnostic *diagnostic)
{
    json_begin_array(j, "fixes");
    for (uint32_t i = 0; i < diagnostic->n_fixes; i++) {
        const pcm_fix *fix = &diagnostic->fixes[i];
        json_begin_object(j, NULL);
        json_text(j, "file", fix->place.file);
        json_integer(j, "line", fix->place.line);
        json_integer(j, "column", fix->place.column);
        json_integer(j, "length", fix->place.length);
        json_text(j, "text", fix->text);
        json_end_object(j);
    }
    json_end_array(j);
}

static void take_diagnostic(void *user, const pcm_diagnostic *diagnostic)
{
    static const char *const severities[] = {"note", "warning", "error"};
    checking                *check = user;
    if (check->fixing) {
        fix_collect(&check->fixes, diagnostic);
        return;
    }
    check->warnings += diagnostic->severity == PCM_WARNING;
    command_report(NULL, diagnostic);
    if (!check->out)
        return;
    json_begin_object(check->out, NULL);
    json_text(check->out, "severity", severities[diagnostic->severity]);
    json_integer(check->out, "code", diagnostic->code);
    json_text(check->out, "message", diagnostic->message);
    json_text(check->out, "file", diagnostic->place.file);
    json_integer(check->out, "line", diagnostic->place.line);
    json_integer(check->out, "column", diagnostic->place.column);
    json_integer(check->out, "length", diagnostic->place.length);
    json_fixes(check->out, diagnostic);
    json_end_object(check->out);
}

/* ---- Summary of a good file -------------------------------------------------------------------------------------- */

typedef struct contents {
    size_t types, rules[3]; /* indexed by pcm_rule_kind */
} contents;

static contents count_contents(const pcm_config *config)
{
    contents found = {.types = pcm_config_type_count(config)};
    for (size_t i = 0; i < pcm_config_rule_count(config); i++)
        found.rules[pcm_config_rule_at(config, i).kind]++;
    return found;
}

static void print_count(size_t count, const char *what)
{
    (void)printf("%zu %s%s", count, what, count == 1 ? "" : "s");
}

static void print_contents(const char *path, const pcm_config *config, size_t warnings)
{
    const contents found = count_contents(config);
    (void)printf("%s: ", path);
    print_count(found.types, "contact type");
    (void)printf(", ");
    print_count(found.rules[PCM_OBJECT_PAIR], "object rule");
    (void)printf(", ");
    print_count(found.rules[PCM_SURFACE_PAIR], "surface rule");
    (void)printf(found.rules[PCM_DEFAULT_PAIR] > 0 ? ", a default" : ", no default");
    if (warnings > 0) {
        (void)printf(", ");
        print_count(warnings, "warning");
    }
    (void)putchar('\n');
}

static void json_contents(json *j, const pcm_config *config)
{
    static const char *const kinds[] = {"ObjectPair", "SurfacePair", "DefaultPair"};
    json_begin_array(j, "types");
    for (size_t i = 0; i < pcm_config_type_count(config); i++) {
        const pcm_type_info *info = pcm_type_get_info(pcm_config_type_at(config, i));
        json_begin_object(j, NULL);
        json_text(j, "name", info->name);
        json_text(j, "model", info->model->name);
        json_text(j, "file", info->place.file);
        json_integer(j, "line", info->place.line);
        json_end_object(j);
    }
    json_end_array(j);
    json_begin_array(j, "rules");
    for (size_t i = 0; i < pcm_config_rule_count(config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(config, i);
        json_begin_object(j, NULL);
        json_text(j, "kind", kinds[rule.kind]);
        json_text(j, "a", rule.a);
        json_text(j, "b", rule.b);
        json_bool(j, "pattern", rule.pattern);
        json_text(j, "type", pcm_type_get_info(rule.type)->name);
        json_text(j, "file", rule.place.file);
        json_integer(j, "line", rule.place.line);
        json_end_object(j);
    }
    json_end_array(j);
}

static void print_coverage(const checking *check)
{
    const check_coverage *found = &check->coverage;
    (void)printf("in %s: ", check->scene_path);
    print_count(found->pairs, "pair");
    (void)printf(" can touch, %zu with a law, %zu left to the simulator by a rule, %zu without a rule\n", found->served,
                 found->pairs - found->served - found->unassigned, found->unassigned);
}

static void json_coverage(json *j, const checking *check)
{
    json_begin_object(j, "scene");
    json_text(j, "file", check->scene_path);
    json_integer(j, "pairs", (int64_t)check->coverage.pairs);
    json_integer(j, "served", (int64_t)check->coverage.served);
    json_integer(j, "unassigned", (int64_t)check->coverage.unassigned);
    json_integer(j, "unmatched", (int64_t)check->coverage.unmatched);
    json_end_object(j);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

/* Whether the file is good; config is NULL if it could not be parsed at all. */
static bool report_file(const char *path, const pcm_config *config, bool good, const checking *check)
{
    if (!check->out) {
        if (config)
            print_contents(path, config, check->warnings);
        if (good && check->scene)
            print_coverage(check);
        return good;
    }
    json_end_array(check->out);
    json_bool(check->out, "good", good);
    if (config)
        json_contents(check->out, config);
    if (good && check->scene)
        json_coverage(check->out, check);
    json_end_object(check->out);
    return good;
}

/* Applies every fix that is certain. Repeats this, since one fix may reveal others. Returns the number of fixes
 * applied. */
static size_t fix_file(pcm_context *context, const char *path, checking *check)
{
    enum { ROUNDS = 10 };
    size_t made = 0, last = 1;
    check->fixing = true;
    for (int i = 0; i < ROUNDS && last > 0; i++) {
        pcm_config_release(command_config(context, path, &check->settings));
        last = fix_apply(&check->fixes);
        made += last;
    }
    check->fixing = false;
    if (check->fixes.no_memory)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    return made;
}

static bool check_file(pcm_context *context, const char *path, bool fix, checking *check)
{
    const size_t fixed = fix ? fix_file(context, path, check) : 0;
    check->warnings = 0;
    if (fix && !check->out)
        (void)printf("%s: %zu place%s fixed\n", path, fixed, fixed == 1 ? "" : "s");
    if (check->out) {
        json_begin_object(check->out, NULL);
        json_text(check->out, "file", path);
        if (fix)
            json_integer(check->out, "fixed", (int64_t)fixed);
        json_begin_array(check->out, "diagnostics");
    }
    pcm_config *config = command_config(context, path, &check->settings);
    const bool  fits = config && (!check->scene || check_scene_hold(check->scene, config, &check->coverage));
    const bool  good = report_file(path, config, fits, check);
    pcm_config_release(config);
    return good;
}

static int check_files(pcm_context *context, const option_texts *files, bool fix, checking *check)
{
    int status = EXIT_GOOD;
    if (check->out)
        json_begin_array(check->out, NULL);
    for (size_t i = 0; i < files->count; i++)
        if (!check_file(context, files->at[i], fix, check))
            status = EXIT_WRONG;
    if (check->out)
        json_end_array(check->out);
    return status;
}

static const char about[] =
    "Reads .pcm files and reports every error in them on standard error, and summarises the valid ones. With a\n"
    "scene, an MJCF or URDF file, it also reports the names in the rules that are not in the scene, and the pairs\n"
    "of the scene that no rule matches.";

static const char examples[] = "  pcm check rise.pcm\n"
                               "  pcm check rise.pcm --scene climber.xml\n"
                               "  pcm check configs/*.pcm --json\n"
                               "  pcm check new.pcm --fix";

int check_run(int argc, char **argv)
{
    const char     *plugins = NULL;
    bool            as_json = false, fix = false, isolated = false;
    check_scene_def scene = {.robot = OPTION_ROBOT_NONE};
    option_texts    settings = {0}, files;
    const option    options[] = {
           {.name = "--scene", .value = "SCENE.xml", .doc = "check the rules against this scene", .text = &scene.path},
           OPTION_ROBOT(&scene.robot),
           OPTION_SURFACES(&scene.surfaces),
           OPTION_SET(&settings),
           {.name = "--fix", .doc = "first apply the fixes that are certain", .flag = &fix},
           {.name = "--json", .doc = "print JSON, diagnostics included", .flag = &as_json},
           OPTION_PLUGINS(&plugins),
           OPTION_ISOLATE(&isolated)};
    const command_line line = {.name = "check",
                               .usage = "FILE.pcm... [--scene SCENE.xml] [--fix] [--json]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 1,
                               .max_words = SIZE_MAX};
    int                status;
    bool               goes_on = options_read(&line, argc, argv, &files, &status);
    if (goes_on && isolated && fix) {
        status = options_refuse(&line, "with --isolate no file is written: leave out --fix");
        goes_on = false;
    }
    if (goes_on) {
        json         out = {.out = stdout};
        checking     check = {.out = as_json ? &out : NULL, .scene_path = scene.path, .settings = settings};
        pcm_context *context = command_context(plugins, take_diagnostic, &check);
        check.scene = context && scene.path ? check_scene_open(context, &scene) : NULL;
        status = EXIT_WRONG;
        if (context && (check.scene || !scene.path) && (fix || isolate_reader(isolated, &status)))
            status = check_files(context, &files, fix, &check);
        check_scene_close(check.scene);
        fix_free(&check.fixes);
        pcm_context_free(context);
    }
    free(files.at);
    free(scene.surfaces.at);
    free(settings.at);
    return status;
}
