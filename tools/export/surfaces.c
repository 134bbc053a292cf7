/* SPDX-License-Identifier: MIT */
/* surfaces.c - which contact type a pair of surfaces gets. */
#include "export.h"

#include <stdlib.h>
#include <string.h>
#include <pcm/materials.h>

enum { SURFACES_MOST = 256 };

/* The names of surfaces, each once. */
typedef struct names {
    const char *at[SURFACES_MOST];
    size_t      count;
} names;

static void add(names *n, const char *name)
{
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->at[i], name) == 0)
            return;
    if (n->count < SURFACES_MOST)
        n->at[n->count++] = name;
}

static bool is_plain(const char *name) { return *name && !strpbrk(name, "*?"); }

static names surfaces_of(const pcm_config *config)
{
    names n = {.count = 0};
    for (size_t i = 0; i < pcm_config_surface_count(config); i++)
        add(&n, pcm_config_surface_at(config, i).name);
    for (size_t i = 0; i < pcm_config_material_count(config); i++)
        add(&n, pcm_config_material_at(config, i).name);
    for (size_t i = 0; i < pcm_config_rule_count(config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(config, i);
        if (rule.kind != PCM_SURFACE_PAIR)
            continue;
        if (is_plain(rule.a))
            add(&n, rule.a);
        if (is_plain(rule.b))
            add(&n, rule.b);
    }
    return n;
}

/* The type of the rule for two surfaces; NULL: there is none. Rules for objects do not count. */
static const pcm_type *rule_between(const pcm_config *config, const char *a, const char *b, bool *swapped)
{
    const size_t    count = pcm_config_rule_count(config);
    size_t         *rules = calloc(count + 1, sizeof *rules);
    bool           *turned = calloc(count + 1, sizeof *turned);
    const pcm_type *type = NULL;
    const size_t    found = rules && turned ? pcm_config_resolve(config, "", a, "", b, rules, turned, count) : 0;
    for (size_t i = 0; i < found && !type; i++)
        if (pcm_config_rule_at(config, rules[i]).kind != PCM_OBJECT_PAIR) {
            type = pcm_config_rule_at(config, rules[i]).type;
            *swapped = turned[i];
        }
    free(rules);
    free(turned);
    return type;
}

static bool is_native(const pcm_type *type) { return pcm_type_get_info(type)->model->flags & PCM_HOST_CONTACT; }

/* Adds the type of two surfaces: for types that depend on materials, that between theirs. */
static bool add_between(export_job *job, const char *a, const char *b)
{
    bool            swapped;
    char            suffix[EXPORT_NAME];
    const pcm_type *rule = rule_between(job->config, a, b, &swapped);
    if (!rule || is_native(rule))
        return true;
    const pcm_type *type = pcm_type_between(rule, a, b);
    if (!type)
        return false;
    const pcm_type_info *info = pcm_type_get_info(type);
    (void)snprintf(suffix, sizeof suffix, "_%s_%s", info->material[0] && *info->material[0] ? info->material[0] : "any",
                   info->material[1] && *info->material[1] ? info->material[1] : "any");
    return export_add_type(job, type, type == rule ? "" : suffix);
}

bool export_find_surfaces(export_job *job)
{
    const names n = surfaces_of(job->config);
    for (size_t i = 0; i < n.count; i++)
        for (size_t j = i; j < n.count; j++)
            if (!add_between(job, n.at[i], n.at[j]))
                return false;
    return true;
}

/* The number of the type in the header. */
static int type_number(const export_job *job, const char *a, const char *b, bool *swapped)
{
    const pcm_type *rule = rule_between(job->config, a, b, swapped);
    const pcm_type *type = rule && !is_native(rule) ? pcm_type_between(rule, a, b) : NULL;
    for (size_t i = 0; type && i < job->n_types; i++)
        if (job->types[i]->type == type)
            return (int)i;
    return rule ? -2 : -1;
}

/* Writes the cases of a switch over pairs of surfaces for which the answer is the same. */
static void write_cases(FILE *out, const int *answers, size_t count, int answer, const char *text)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        if (answers[i] == answer) {
            (void)fprintf(out, "    case %zu:\n", i);
            any = true;
        }
    if (any)
        (void)fprintf(out, "        return %s;\n", text);
}

static void write_table(FILE *out, const export_job *job, const char *file, size_t n, const int *types,
                        const int *turned)
{
    (void)fprintf(out, "PCM_FN int %s_type(int a, int b)\n{\n    switch (a * %zu + b) {\n", file, n);
    for (size_t i = 0; i < job->n_types; i++) {
        char text[EXPORT_NAME + 8];
        (void)snprintf(text, sizeof text, "%s_TYPE", job->types[i]->name);
        write_cases(out, types, n * n, (int)i, text);
    }
    write_cases(out, types, n * n, -2, "PCMX_NATIVE");
    (void)fputs("    default:\n        return PCMX_UNASSIGNED;\n    }\n}\n", out);
    (void)fprintf(out, "PCM_FN int %s_base_is_b(int a, int b)\n{\n    switch (a * %zu + b) {\n", file, n);
    write_cases(out, turned, n * n, 1, "1");
    (void)fputs("    default:\n        return 0;\n    }\n}\n", out);
}

void export_write_surfaces(const export_job *job, FILE *out)
{
    const names  n = surfaces_of(job->config);
    int         *types = calloc(n.count * n.count + 1, sizeof *types);
    int         *turned = calloc(n.count * n.count + 1, sizeof *turned);
    const char  *slash = strrchr(job->path, '/'), *base = slash ? slash + 1 : job->path;
    const size_t length = strcspn(base, ".");
    char         text[EXPORT_NAME], file[EXPORT_NAME], name[EXPORT_NAME];
    (void)snprintf(text, sizeof text, "%.*s", (int)(length < 100 ? length : 100), base);
    export_identifier(file, NULL, text);
    for (size_t i = 0; types && turned && i < n.count; i++)
        for (size_t j = 0; j < n.count; j++) {
            bool swapped = false;
            types[i * n.count + j] = type_number(job, n.at[i], n.at[j], &swapped);
            turned[i * n.count + j] = swapped;
        }
    if (n.count > 0 && types && turned) {
        (void)fputs("\n/* The type of a pair of surfaces; rules for objects do not count. */\nenum {\n", out);
        for (size_t i = 0; i < n.count; i++) {
            export_identifier(name, "", n.at[i]);
            (void)fprintf(out, "    %s_SURFACE_%s = %zu%s\n", file, name, i, i + 1 < n.count ? "," : "");
        }
        (void)fputs("};\n", out);
        write_table(out, job, file, n.count, types, turned);
    }
    free(types);
    free(turned);
}
