/* SPDX-License-Identifier: MIT */
/* models.c - pcm models: lists the contact laws, or describes one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/materials.h>
#include <pcm/messages.h>

#include "command.h"
#include "describe.h"
#include "isolate.h"
#include "text_table.h"
#include "json.h"
#include "models.h"
#include "suggest.h"

typedef struct listing {
    pcm_context *context;
    grid         lines;
    json        *out; /* NULL: text for people */
} listing;

typedef struct flag_text {
    uint32_t    bit;
    const char *name, *doc;
} flag_text;

static const flag_text flags[] = {
    {PCM_ISOTROPIC, "isotropic", "prefers no direction in the tangent plane"},
    {PCM_BASE_AXES, "base_axes", "forces are along the base's own axes"},
    {PCM_BASE_FIXED, "base_fixed", "the base must be a fixed object"},
    {PCM_HOST_CONTACT, "host_contact", "no law: the simulator handles the contact"},
    {PCM_PULLS, "pulls", "may pull"},
    {PCM_ACTIVE, "active", "may add energy"},
    {PCM_FRAME_SHARED, "frame_shared", "both objects turn the contact frame alike"},
    {PCM_JUMPS, "jumps", "the force may jump where a contact begins"},
    {PCM_POINTS, "points", "holds for contacts in a point alone"},
};

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_params(json *j, const char *key, const pcm_param *params, size_t count)
{
    json_begin_array(j, key);
    for (size_t i = 0; i < count; i++) {
        const pcm_param *p = &params[i];
        const pcm_value  fallback = describe_default_value(p);
        json_begin_object(j, NULL);
        json_text(j, "name", p->name);
        json_text(j, "kind", describe_kind(p));
        json_text(j, "unit", p->unit);
        json_bool(j, "required", p->flags & PCM_REQUIRED);
        if (p->flags & PCM_REQUIRED)
            json_text(j, "default", NULL);
        else
            describe_json(j, "default", &fallback);
        json_number(j, "min", p->min);
        json_number(j, "max", p->max);
        json_bool(j, "open_min", p->flags & PCM_OPEN_MIN);
        json_bool(j, "open_max", p->flags & PCM_OPEN_MAX);
        json_bool(j, "cone", p->flags & PCM_CONE);
        if (p->kind == PCM_KIND_CHOICE) {
            json_begin_array(j, "choices");
            for (size_t c = 0; p->choices[c]; c++)
                json_text(j, NULL, p->choices[c]);
            json_end_array(j);
        }
        json_text(j, "when", p->when);
        json_text(j, "mixing", describe_mixing(p));
        json_text(j, "doc", p->doc);
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_properties(json *j, const pcm_model *model)
{
    const pcm_param *properties[MODELS_PROPERTIES];
    pcm_param        copies[MODELS_PROPERTIES];
    const size_t     count = pcm_model_properties(model, properties, MODELS_PROPERTIES);
    size_t           shown = 0;
    for (; shown < count && shown < MODELS_PROPERTIES; shown++)
        copies[shown] = *properties[shown];
    json_params(j, "material_properties", copies, shown);
}

/* Writes names given as one text, separated by commas, as items. */
static void json_names(json *j, const char *names)
{
    for (size_t length; *names; names += length + strspn(names + length, ", ")) {
        char name[32];
        length = strcspn(names, ",");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, names);
        json_text(j, NULL, name);
    }
}

static void json_columns(json *j, const char *key, const describe_column *columns, uint32_t bits)
{
    json_begin_array(j, key);
    for (const describe_column *c = columns; c->bit; c++)
        if (bits & c->bit)
            json_names(j, c->names);
    json_end_array(j);
}

static void json_named(json *j, const char *name, const char *unit, const char *doc)
{
    json_begin_object(j, NULL);
    json_text(j, "name", name);
    if (unit)
        json_text(j, "unit", unit);
    json_text(j, "doc", doc);
}

static void json_tables(json *j, const pcm_model *model)
{
    json_begin_array(j, "states");
    for (size_t i = 0; i < model->states.count; i++) {
        const pcm_state *s = pcm_model_state(model, i);
        json_named(j, s->name, s->unit, s->doc);
        json_text(j, "shape", s->shape == PCM_TANGENT ? "tangent" : "scalar");
        json_text(j, "role", s->role == PCM_CONTINUOUS ? "continuous" : "history");
        json_bool(j, "steps", s->flags & PCM_STEPS);
        json_bool(j, "lingers", s->flags & PCM_LINGERS);
        json_integer(j, "swap", s->swap);
        json_number(j, "nominal", s->nominal);
        json_end_object(j);
    }
    json_end_array(j);
    json_begin_array(j, "given");
    for (size_t i = 0; i < model->host_inputs.count; i++) {
        const pcm_host_input *g = pcm_model_host_input(model, i);
        json_named(j, g->name, g->unit, g->doc);
        json_text(j, "shape", g->shape == PCM_TANGENT ? "tangent" : "scalar");
        json_text(j, "when", g->when);
        json_text(j, "fallback", g->fallback);
        json_end_object(j);
    }
    json_end_array(j);
    json_begin_array(j, "amounts");
    for (size_t i = 0; i < model->amounts.count; i++) {
        const pcm_amount *a = pcm_model_amount(model, i);
        json_named(j, a->name, a->unit, a->doc);
        json_text(j, "flow_unit", a->flow_unit);
        json_number(j, "initial", a->initial);
        json_number(j, "capacity", a->capacity);
        json_end_object(j);
    }
    json_end_array(j);
    json_begin_array(j, "events");
    for (size_t i = 0; i < model->events.count; i++) {
        const pcm_event *e = pcm_model_event(model, i);
        json_named(j, e->name, NULL, e->doc);
        json_integer(j, "direction", e->direction);
        json_bool(j, "jumps", e->jumps);
        json_end_object(j);
    }
    json_end_array(j);
    json_begin_array(j, "derived");
    for (size_t i = 0; i < model->derived.count; i++) {
        const pcm_derived *d = pcm_model_derived(model, i);
        json_named(j, d->name, d->unit, d->doc);
        json_end_object(j);
    }
    json_end_array(j);
}

void models_json(json *j, const pcm_model *model, const char *path)
{
    json_begin_object(j, NULL);
    json_text(j, "name", model->name);
    json_text(j, "summary", model->summary);
    json_text(j, "version", model->version ? model->version : "1");
    json_text(j, "source", model->source);
    json_text(j, "equations", model->equations);
    json_text(j, "file", path);
    json_begin_array(j, "flags");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (model->flags & flags[i].bit)
            json_text(j, NULL, flags[i].name);
    json_end_array(j);
    json_bool(j, "gain", model->gain);
    json_bool(j, "pairs", pcm_model_has_pair_verb(model));
    json_columns(j, "inputs", describe_inputs, model->inputs);
    json_columns(j, "outputs", describe_outputs, model->outputs);
    json_params(j, "parameters", model->params.entries, model->params.count);
    const pcm_table common = pcm_common_params();
    json_properties(j, model);
    json_params(j, "base_parameters", common.entries, common.count);
    json_tables(j, model);
    json_end_object(j);
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

int models_equations_length(const pcm_model *model)
{
    size_t length = strlen(model->equations);
    while (length > 0 && model->equations[length - 1] == '\n')
        length--;
    return (int)length;
}

void models_add_params(grid *g, const pcm_param *params, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const pcm_param *p = &params[i];
        char             doc[512];
        (void)snprintf(doc, sizeof doc, "%s%s%s%s%s%s", p->doc, p->when ? "; only with " : "", p->when ? p->when : "",
                       p->flags & PCM_CONE ? "; the cone's friction coefficient" : "", p->mix ? "; of materials: " : "",
                       p->mix ? describe_mixing(p) : "");
        GRID_ADD(g, p->name, describe_unit(p), describe_default(p).text, describe_range(p).text, doc);
    }
}

void models_add_properties(grid *g, const pcm_model *model)
{
    const pcm_param *properties[MODELS_PROPERTIES];
    const size_t     count = pcm_model_properties(model, properties, MODELS_PROPERTIES);
    for (size_t i = 0; i < count && i < MODELS_PROPERTIES; i++) {
        pcm_param property = *properties[i];
        property.mix = PCM_MIX_NONE; /* the lines about the parameter */
        models_add_params(g, &property, 1);
    }
}

void models_add_columns(grid *g, const describe_column *columns, uint32_t bits)
{
    for (const describe_column *c = columns; c->bit; c++)
        if (bits & c->bit)
            GRID_ADD(g, c->names, c->unit, c->doc);
}

void models_add_given(grid *g, const pcm_model *model)
{
    for (size_t i = 0; i < model->host_inputs.count; i++) {
        const pcm_host_input *given = pcm_model_host_input(model, i);
        char                  name[128], doc[512];
        const bool            tangent = given->shape == PCM_TANGENT;
        (void)snprintf(name, sizeof name, tangent ? "%s_x, %s_y" : "%s", given->name, given->name);
        (void)snprintf(doc, sizeof doc, "%s%s%s%s%s", given->doc, given->when ? "; only with " : "",
                       given->when ? given->when : "", given->fallback ? "; until it is set: " : "",
                       given->fallback ? given->fallback : "");
        GRID_ADD(g, name, given->unit, doc);
    }
}

void models_add_states(grid *g, const pcm_model *model)
{
    for (size_t i = 0; i < model->states.count; i++) {
        const pcm_state *s = pcm_model_state(model, i);
        char             name[128], kind[128];
        const bool       tangent = s->shape == PCM_TANGENT;
        (void)snprintf(name, sizeof name, tangent ? "%s_x, %s_y" : "%s", s->name, s->name);
        (void)snprintf(kind, sizeof kind, "%s%s%s", s->role == PCM_CONTINUOUS ? "continuous" : "history",
                       s->flags & PCM_STEPS ? ", stable at any step" : "",
                       s->flags & PCM_LINGERS ? ", continues after the contact separates" : "");
        GRID_ADD(g, name, s->unit, kind, s->doc);
    }
}

void models_add_amounts(grid *g, const pcm_model *model)
{
    for (size_t i = 0; i < model->amounts.count; i++) {
        const pcm_amount *a = pcm_model_amount(model, i);
        GRID_ADD(g, a->name, a->unit, a->flow_unit, a->doc);
    }
}

void models_add_events(grid *g, const pcm_model *model)
{
    for (size_t i = 0; i < model->events.count; i++) {
        const pcm_event *e = pcm_model_event(model, i);
        GRID_ADD(g, e->name,
                 e->direction > 0   ? "rising"
                 : e->direction < 0 ? "falling"
                                    : "either way",
                 e->doc, e->jumps ? "the state jumps" : "");
    }
}

void models_add_derived(grid *g, const pcm_model *model)
{
    for (size_t i = 0; i < model->derived.count; i++) {
        const pcm_derived *d = pcm_model_derived(model, i);
        GRID_ADD(g, d->name, strcmp(d->unit, "1") == 0 ? "" : d->unit, d->doc);
    }
}

void models_add_flags(grid *g, const pcm_model *model)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (model->flags & flags[i].bit)
            GRID_ADD(g, flags[i].name, flags[i].doc);
    if (model->shear)
        GRID_ADD(g, "shear",
                 "pcm cone prints the forces along the surface that it can transmit, which are not a circle");
    if (model->gain)
        GRID_ADD(g, "gain", "a closed path may return more than was put in, by a share that pcm explain prints");
}

static void print_section(const char *title, grid *g)
{
    if (g->rows == 0)
        return;
    (void)printf("\n%s\n", title);
    grid_print(g, 2);
}

static void print_model(const pcm_model *model, const char *path)
{
    (void)printf("%s: %s\n", model->name, model->summary);
    (void)printf("version %s, %s\n", model->version ? model->version : "1", path ? path : "linked in");
    if (model->source)
        (void)printf("source: %s\n", model->source);
    if (model->equations)
        (void)printf("\n%.*s\n", models_equations_length(model), model->equations);

    grid g = {.columns = 5};
    models_add_params(&g, model->params.entries, model->params.count);
    print_section("parameters: unit, default, range, meaning", &g);
    models_add_properties(&g, model);
    print_section("properties of materials: unit, default, range, meaning", &g);
    const pcm_table common = pcm_common_params();
    models_add_params(&g, common.entries, common.count);
    print_section("parameters of every law", &g);
    g.columns = 3;
    models_add_columns(&g, describe_inputs, model->inputs);
    models_add_given(&g, model);
    print_section("reads", &g);
    GRID_ADD(&g, "force_n", "N", "normal force on the follower");
    models_add_columns(&g, describe_outputs, model->outputs);
    if (pcm_model_has_pair_verb(model))
        GRID_ADD(&g, "scale", "", "of the forces of all contacts of a pair, and whether they end together");
    print_section("writes", &g);
    g.columns = 4;
    models_add_states(&g, model);
    print_section("states", &g);
    models_add_amounts(&g, model);
    print_section("amounts of objects: unit, flow per second", &g);
    g.columns = 3;
    models_add_events(&g, model);
    print_section("events: the indicator crosses zero", &g);
    models_add_derived(&g, model);
    print_section("what follows from the parameters (see pcm explain)", &g);
    g.columns = 2;
    models_add_flags(&g, model);
    print_section("properties", &g);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static void visit(void *user, const pcm_model *model)
{
    listing *list = user;
    if (list->out)
        models_json(list->out, model, pcm_model_path(list->context, model->name));
    else
        GRID_ADD(&list->lines, model->name, model->summary);
}

static void try_name(void *user, const pcm_model *model) { pcm_suggest_try(user, model->name, strlen(model->name)); }

/* Records the messages that the sink gets, and whether to print them. */
typedef struct hearing {
    bool missing, quiet;
} hearing;

static void hear(void *user, const pcm_diagnostic *diagnostic)
{
    hearing *heard = user;
    heard->missing |= diagnostic->code == PCM_MSG_PLUGIN_MISSING;
    if (!heard->quiet)
        command_report(NULL, diagnostic);
}

/* Suggests a law with a similar name, among those that can be loaded. */
static void suggest_law(pcm_context *context, const char *name)
{
    pcm_suggestion suggestion = pcm_suggest(name, strlen(name));
    (void)pcm_model_each(context, try_name, &suggestion);
    if (suggestion.best)
        (void)fprintf(stderr, "did you mean '%.*s'?\n", (int)suggestion.best_length, suggestion.best);
}

static int list_all(pcm_context *context, json *out)
{
    listing list = {.context = context, .lines = {.columns = 2}, .out = out};
    if (out)
        json_begin_array(out, NULL);
    const size_t count = pcm_model_each(context, visit, &list);
    if (out)
        json_end_array(out);
    else
        grid_print(&list.lines, 0);
    if (count > 0)
        return EXIT_GOOD;
    command_error(PCM_MSG_NO_PLUGINS, "no plugin was found: set their directory with --plugins DIR or PCM_PLUGIN_PATH");
    return EXIT_WRONG;
}

static int describe_one(pcm_context *context, const char *name, hearing *heard, json *out, bool as_page)
{
    const pcm_model *model = pcm_model_load(context, name);
    if (!model) {
        heard->quiet = true;
        if (heard->missing)
            suggest_law(context, name);
        return EXIT_WRONG;
    }
    if (as_page)
        page_print(model);
    else if (out)
        models_json(out, model, pcm_model_path(context, name));
    else
        print_model(model, pcm_model_path(context, name));
    return EXIT_GOOD;
}

static const char about[] =
    "Lists the contact laws in the search path, or describes one: its parameters with unit, default, range and\n"
    "meaning, what it reads and writes, its states, events and what follows from its parameters.";

static const char examples[] = "  pcm models\n"
                               "  pcm models SpringContact\n"
                               "  pcm models CompliantGround --json";

int models_run(int argc, char **argv)
{
    const char        *plugins = NULL;
    bool               as_json = false, as_page = false, isolated = false;
    const option       options[] = {OPTION_PLUGINS(&plugins),
                                    {.name = "--json", .doc = "print JSON", .flag = &as_json},
                                    {.name = "--page", .doc = "print the law's page in Markdown", .flag = &as_page},
                                    OPTION_ISOLATE(&isolated)};
    const command_line line = {.name = "models",
                               .usage = "[NAME] [--json | --page] [--plugins DIR]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .max_words = 1};
    option_texts       words;
    int                status;
    if (!options_read(&line, argc, argv, &words, &status)) {
        free(words.at);
        return status;
    }
    const char *name = words.count > 0 ? words.at[0] : NULL;
    free(words.at);
    if (as_page && (!name || as_json))
        return options_refuse(&line, "--page needs the name of one law, and cannot be combined with --json");
    if (!isolate_reader(isolated, &status))
        return status;

    hearing      heard = {0};
    pcm_context *context = command_context(plugins, hear, &heard);
    if (!context)
        return EXIT_WRONG;
    json  out = {.out = stdout};
    json *chosen = as_json ? &out : NULL;
    status = name ? describe_one(context, name, &heard, chosen, as_page) : list_all(context, chosen);
    pcm_context_free(context);
    return status;
}
