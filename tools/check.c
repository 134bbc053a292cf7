/* SPDX-License-Identifier: MIT */
/* check.c - pcm check: everything wrong with .pcm files, and what is in the good ones. */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "json.h"

typedef struct checking {
    json  *out; /* NULL: for people */
    size_t warnings;
} checking;

static void take_diagnostic(void *user, const pcm_diagnostic *diagnostic)
{
    static const char *const severities[] = {"note", "warning", "error"};
    checking                *check = user;
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
    json_end_object(check->out);
}

/* ---- What is in a good file ------------------------------------------------------------------------------------ */

typedef struct contents {
    size_t types, rules[3]; /* by pcm_rule_kind */
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
        const pcm_type_info *info = pcm_type_get(pcm_config_type_at(config, i));
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
        json_text(j, "type", pcm_type_get(rule.type)->name);
        json_text(j, "file", rule.place.file);
        json_integer(j, "line", rule.place.line);
        json_end_object(j);
    }
    json_end_array(j);
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

static bool check_file(pcm_context *context, const char *path, checking *check)
{
    check->warnings = 0;
    if (check->out) {
        json_begin_object(check->out, NULL);
        json_text(check->out, "file", path);
        json_begin_array(check->out, "diagnostics");
    }
    pcm_config *config = pcm_config_load(context, path);
    if (check->out) {
        json_end_array(check->out);
        json_bool(check->out, "good", config != NULL);
        if (config)
            json_contents(check->out, config);
        json_end_object(check->out);
    } else if (config) {
        print_contents(path, config, check->warnings);
    }
    pcm_config_release(config);
    return config != NULL;
}

static const char about[] =
    "Reads .pcm files and reports everything wrong with them on standard error; of good ones it\n"
    "says what is in them.";

static const char examples[] = "  pcm check rise.pcm\n"
                               "  pcm check configs/*.pcm --json";

int check_run(int argc, char **argv)
{
    const char        *plugins = NULL;
    bool               as_json = false;
    const option       options[] = {OPTION_PLUGINS(&plugins),
                                    {.name = "--json", .doc = "print JSON, diagnostics included", .given = &as_json}};
    const command_line line = {.name = "check",
                               .usage = "FILE.pcm... [--json] [--plugins DIR]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 1,
                               .max_words = SIZE_MAX};
    option_texts       files;
    int                status;
    if (!options_read(&line, argc, argv, &files, &status)) {
        free(files.at);
        return status;
    }
    json         out = {.out = stdout};
    checking     check = {.out = as_json ? &out : NULL};
    pcm_context *context = command_context(plugins, take_diagnostic, &check);
    status = context ? EXIT_GOOD : EXIT_WRONG;
    if (context && as_json)
        json_begin_array(&out, NULL);
    for (size_t i = 0; context && i < files.count; i++)
        if (!check_file(context, files.at[i], &check))
            status = EXIT_WRONG;
    if (context && as_json)
        json_end_array(&out);
    free(files.at);
    pcm_context_free(context);
    return status;
}
