/* SPDX-License-Identifier: MIT */
/* check.c - pcm check: reports everything wrong with .pcm files, and sums up the good ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    fix_list      *fixing; /* collect fixes here and print nothing; NULL: print */
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
        fix_collect(check->fixing, diagnostic);
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

/* Reads the file for its errors and fixes. */
static void read_fixes(pcm_context *context, const char *path, checking *check, fix_list *list)
{
    fix_free(list);
    check->fixing = list;
    pcm_config_release(command_config(context, path, &check->settings));
    check->fixing = NULL;
    if (list->no_memory)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
}

/* Applies fixes, and those that only they reveal, and reads the file again: they stay if nothing else is wrong then.
 * Returns how many stay. */
static size_t try_fixes(pcm_context *context, const char *path, checking *check, const fix_list *now, int group)
{
    enum { CHAIN = 5 };
    fix_saved saved[CHAIN + 1] = {{0}};
    fix_list  after = {0};
    size_t    made = fix_apply(now, group, NULL, &saved[0]), last = made, rounds = 1;
    for (; last > 0; rounds++) {
        read_fixes(context, path, check, &after);
        last = rounds <= CHAIN ? fix_apply(&after, FIX_NEW, now, &saved[rounds]) : 0;
        made += last;
    }
    const bool back = made > 0 && !fix_helped(now, &after);
    while (rounds-- > 0)
        if (rounds <= CHAIN)
            fix_settle(&saved[rounds], back);
    fix_free(&after);
    return back ? 0 : made;
}

/* Applies the fixes, all of them or, where that does not help, one diagnostic's. Repeats this, since one fix may reveal
 * others. Returns the number of fixes applied; *left gets the number of diagnostics whose fix was not. */
static size_t fix_file(pcm_context *context, const char *path, checking *check, size_t *left)
{
    enum { ROUNDS = 1000 };
    size_t   made = 0, last = 1;
    fix_list now = {0};
    for (int i = 0; i < ROUNDS && last > 0; i++) {
        read_fixes(context, path, check, &now);
        last = now.n_groups > 0 ? try_fixes(context, path, check, &now, FIX_ALL) : 0;
        for (size_t group = 0; last == 0 && now.n_groups > 1 && group < now.n_groups; group++)
            last = try_fixes(context, path, check, &now, (int)group);
        made += last;
    }
    *left = now.n_groups;
    fix_free(&now);
    return made;
}

static bool check_file(pcm_context *context, const char *path, bool fix, checking *check)
{
    size_t       left = 0;
    const size_t fixed = fix ? fix_file(context, path, check, &left) : 0;
    check->warnings = 0;
    if (fix && !check->out)
        (void)printf("%s: %zu place%s fixed%s\n", path, fixed, fixed == 1 ? "" : "s",
                     left > 0 ? "; other fixes would cause other errors" : "");
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
    const size_t       of_scene = scene.path ? strlen(scene.path) : 0;
    if (goes_on && of_scene > 4 && strcmp(scene.path + of_scene - 4, ".pcm") == 0) {
        status =
            options_refuse(&line, "--scene takes the scene, and the .pcm file stands alone: pcm check %s --scene %s",
                           scene.path, files.at[0]);
        goes_on = false;
    }
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
        pcm_context_free(context);
    }
    free(files.at);
    free(scene.surfaces.at);
    free(scene.robot.packages.at);
    free(settings.at);
    return status;
}
