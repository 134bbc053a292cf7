/* SPDX-License-Identifier: MIT */
#include "subject.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/materials.h>
#include <pcm/messages.h>

static void say_nothing(void *user, const pcm_diagnostic *diagnostic)
{
    (void)user;
    (void)diagnostic;
}

/* The sink of the contexts: it passes on to the one that the caller wants. */
static pcm_sink heard = say_nothing;

/* A part is tried without a rule, and a law at its defaults: no word about either. */
static void hear(void *user, const pcm_diagnostic *diagnostic)
{
    if (diagnostic->code != PCM_MSG_UNUSED_TYPE && diagnostic->code != PCM_MSG_DEFAULT_MODULUS)
        heard(user, diagnostic);
}

/* What a part of a law is tried behind: a spring, a sphere, a sphere with a damper, and one that sticks; or, if it
 * reads the losses of other parts, a damper and friction. */
static const struct {
    const char *model, *settings;
    bool        loses;
} carriers[SUBJECT_CARRIERS] = {
    {"HuntCrossley", "Stiffness = 1e5 [N/m]; Exponent = 1; Dissipation = 0 [s/m];", false},
    {"Hertz", "ReducedModulus = 1e7 [Pa];", false},
    {"HertzTsuji", "ReducedModulus = 1e7 [Pa]; Restitution = 0.5;", false},
    {"Jkr", "ReducedModulus = 1e6 [Pa];", false},
    {"HertzTsuji + CoulombRegularised", "ReducedModulus = 1e7 [Pa]; Restitution = 0.5;", true},
    {"HertzTsuji + Mindlin", "HertzTsuji.ReducedModulus = 1e7 [Pa]; HertzTsuji.Restitution = 0.5;", true},
};

size_t subject_param_count(const subject *s)
{
    const size_t count = s->law ? s->law->params.count : 0;
    return count < SUBJECT_PARAMS ? count : SUBJECT_PARAMS;
}

const pcm_param *subject_param(const subject *s, size_t index) { return pcm_model_param(s->law, (uint32_t)index); }

static const char *setting_of(const subject *s, const char *name)
{
    for (size_t i = s->def->settings->count; i > 0; i--) {
        const char  *text = s->def->settings->at[i - 1];
        const size_t length = strlen(name);
        if (strncmp(text, name, length) == 0 && text[length] == '=')
            return text + length + 1;
    }
    return NULL;
}

bool subject_is_set(const subject *s, const pcm_param *param) { return setting_of(s, param->name) != NULL; }

/* ---- The .pcm text ---------------------------------------------------------------------------------------------- */

/* Entries that ascend, those of one list between those of the others: tables and intervals accept them. */
static void write_list(FILE *out, double size, size_t place)
{
    enum { ENTRIES = 2, LISTS = 8 };
    for (size_t i = 0; i < ENTRIES; i++)
        (void)fprintf(out, "%s%s", i ? ", " : "(", pcm_number(size * (double)(1 + place + i * LISTS), 0).text);
    (void)fputc(')', out);
}

/* Whether an exponent of the unit is a parameter: then the value alone is written, in SI. */
static bool unit_follows(const char *unit)
{
    for (; *unit; unit++)
        if (*unit == '^' && (isalpha((unsigned char)unit[1]) || unit[1] == '_'))
            return true;
    return false;
}

static void write_value(const pcm_param *param, double value, size_t place, FILE *out)
{
    switch (param->kind) {
    case PCM_KIND_CHOICE:
        (void)fputs(param->choices[(size_t)value], out);
        break;
    case PCM_KIND_SWITCH:
        (void)fputs(value != 0 ? "true" : "false", out);
        break;
    case PCM_KIND_LIST:
        write_list(out, value, place);
        break;
    default:
        (void)fputs(pcm_number(value, 0).text, out);
    }
    if ((param->kind == PCM_KIND_REAL || param->kind == PCM_KIND_LIST) && strcmp(param->unit, "1") != 0 &&
        !unit_follows(param->unit))
        (void)fprintf(out, " [%s]", param->unit);
}

static bool is_left_out(const pcm_param *param, double value)
{
    return param->kind == PCM_KIND_TEXT || (!(param->flags & PCM_REQUIRED) && value == param->fallback);
}

void subject_write(const subject *s, const double *values, FILE *out)
{
    const char *carrier = s->carrier ? carriers[s->carrier - 1].model : "";
    (void)fprintf(out, "ContactType Law = %s%s%s {", carrier, s->carrier ? " + " : "", s->law->name);
    if (s->carrier)
        (void)fprintf(out, "\n    %s", carriers[s->carrier - 1].settings);
    for (size_t i = 0; i < subject_param_count(s); i++) {
        const pcm_param *param = subject_param(s, i);
        const char      *setting = setting_of(s, param->name);
        if (!setting && is_left_out(param, values[i]))
            continue;
        (void)fprintf(out, "\n    %s%s%s = ", s->carrier ? s->law->name : "", s->carrier ? "." : "", param->name);
        if (setting)
            (void)fputs(setting, out);
        else
            write_value(param, values[i], i, out);
        (void)fputc(';', out);
    }
    /* A part of a law has no rule of its own. */
    (void)fprintf(out, "\n};\n%s", subject_is_part(s) && !s->carrier ? "" : "DefaultPair -> Law;\n");
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static bool is_known_setting(const subject *s, const char *text)
{
    const size_t length = strcspn(text, "=");
    for (uint32_t i = 0; i < s->law->params.count; i++) {
        const char *name = pcm_model_param(s->law, i)->name;
        if (strlen(name) == length && strncmp(name, text, length) == 0 && text[length] == '=')
            return true;
    }
    return false;
}

static bool settings_fit(const subject *s)
{
    for (size_t i = 0; i < s->def->settings->count; i++)
        if (!is_known_setting(s, s->def->settings->at[i])) {
            command_error(PCM_MSG_UNKNOWN_SETTING, "--set %s: write NAME=VALUE with a parameter of %s",
                          s->def->settings->at[i], s->law->name);
            return false;
        }
    return true;
}

static void count_motions(subject *s)
{
    while (rig_motions[s->n_motions].name)
        s->n_motions++;
}

static bool lay_out(subject *s, const pcm_type *type);

/* The laws that a contact type is put together from, by the name of the whole: "Hertz + Mindlin". */
static bool find_parts(subject *s, pcm_context *context, const char *names)
{
    for (size_t length; *names && s->n_parts < SUBJECT_PARTS; names += length + strspn(names + length, " +")) {
        char name[128];
        length = strcspn(names, " ");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, names);
        s->parts[s->n_parts] = pcm_model_load(context, name);
        if (!s->parts[s->n_parts++])
            return false;
    }
    return true;
}

/* The type of the file, between its materials, read for that instruction set. */
static bool read_type(subject *s, subject_set *set)
{
    const subject_def *def = s->def;
    set->config = command_config(set->context, def->file, def->settings);
    const pcm_type *type = set->config ? pcm_config_type_find(set->config, def->model) : NULL;
    set->type = type ? pcm_type_between(type, def->surface[0], def->surface[1]) : NULL;
    return set->type;
}

static bool load_law(subject *s, subject_set *set)
{
    s->n_parts = 0;
    const bool carried = !s->carrier || find_parts(s, set->context, carriers[s->carrier - 1].model);
    s->law = s->model = s->parts[s->n_parts++] = pcm_model_load(set->context, s->def->model);
    return s->law && carried && (!s->carrier || carriers[s->carrier - 1].loses == ((s->law->inputs & PCM_LOSS) != 0));
}

static bool load(subject *s)
{
    for (uint32_t isa = 0; isa < s->n_sets; isa++) {
        subject_set *set = &s->sets[isa];
        set->context = command_context_at(s->def->plugins, isa, hear, NULL);
        if (!set->context || !(s->def->file ? read_type(s, set) : load_law(s, set)))
            return false;
        heard = say_nothing; /* the others have nothing else to say */
    }
    count_motions(s);
    const subject_set *best = &s->sets[s->n_sets - 1];
    return s->def->file ? lay_out(s, best->type) && find_parts(s, best->context, s->model->name) : settings_fit(s);
}

bool subject_open(subject *s, const subject_def *def, uint32_t carrier)
{
    *s = (subject){.def = def, .carrier = carrier, .n_sets = pcm_context_defaults().isa + 1};
    heard = carrier ? say_nothing : command_report_types;
    const bool loaded = load(s);
    heard = say_nothing;
    return loaded;
}

static void drop_values(subject *s)
{
    rig_law_free(&s->history);
    rig_law_free(&s->trial);
    for (size_t i = 0; i < s->n_sets; i++) {
        pcm_config_release(s->sets[i].config);
        s->sets[i].config = NULL;
    }
    s->type = NULL;
    s->info = NULL;
    s->model = s->law;
}

void subject_close(subject *s)
{
    drop_values(s);
    for (size_t i = 0; i < s->n_sets; i++)
        pcm_context_free(s->sets[i].context);
}

/* Columns and rigs for the type. */
static bool lay_out(subject *s, const pcm_type *type)
{
    s->type = type;
    s->info = pcm_type_get_info(type);
    s->model = s->info->model;
    s->n_inputs = s->n_motions + s->info->n_host_inputs + 2 * s->model->amounts.count;
    s->columns = s->n_inputs + s->info->n_state;
    return s->columns <= SUBJECT_COLUMNS && rig_law_new(&s->history, type, false) && rig_law_new(&s->trial, type, true);
}

bool subject_borrow(subject *s, const pcm_type *type)
{
    *s = (subject){0};
    count_motions(s);
    return lay_out(s, type);
}

static bool parse(subject *s, const char *text, size_t length)
{
    for (size_t i = 0; i < s->n_sets; i++) {
        subject_set *set = &s->sets[i];
        set->config = pcm_config_parse(set->context, "the law's parameters", text, length);
        set->type = set->config ? pcm_config_type_find(set->config, "Law") : NULL;
        if (!set->type)
            return false;
    }
    return lay_out(s, s->sets[s->n_sets - 1].type);
}

bool subject_set_values(subject *s, const double *values, pcm_sink sink)
{
    const size_t bytes = subject_param_count(s) * sizeof *values;
    if (s->type && memcmp(values, s->values, bytes) == 0)
        return true;
    drop_values(s);
    char  *text = NULL;
    size_t length = 0;
    FILE  *out = open_memstream(&text, &length);
    if (!out)
        return false;
    subject_write(s, values, out);
    (void)fclose(out);
    heard = sink ? sink : say_nothing;
    const bool accepted = text && parse(s, text, length);
    heard = say_nothing;
    free(text);
    if (accepted)
        memcpy(s->values, values, bytes);
    else
        drop_values(s);
    return accepted;
}

/* ---- What the values say ------------------------------------------------------------------------------------------
 */

bool subject_is_part(const subject *s) { return s->law && s->law->inputs & PCM_FROM_PARTS; }

bool subject_is_sum(const subject *s) { return s->n_parts > 1; }

const char *subject_lacks_host(const subject *s)
{
    for (uint32_t i = 0; i < s->model->host_inputs.count; i++)
        if (pcm_type_when(s->type, pcm_model_host_input(s->model, i)->when))
            return "it reads what only a host gives";
    return NULL;
}

/* Of laws in the base's own axes the surface is known to them alone. */
const char *subject_hides_force(const subject *s)
{
    return s->model->flags & PCM_BASE_AXES ? "its force is along the base's axes" : subject_lacks_host(s);
}

const char *subject_is_driven(const subject *s)
{
    for (uint32_t i = 0; i < s->model->host_inputs.count; i++)
        if (!pcm_model_host_input(s->model, i)->fallback &&
            pcm_type_when(s->type, pcm_model_host_input(s->model, i)->when))
            return "a host drives it, whose work is not known";
    return NULL;
}

const char *subject_lacks_work(const subject *s)
{
    for (size_t i = 0; i < s->n_parts; i++)
        if (subject_is_sum(s) && s->parts[i]->gain)
            return "one of its parts declares a .gain, which is its own";
    return s->model->flags & PCM_ACTIVE ? "it declares PCM_ACTIVE" : subject_is_driven(s);
}

double subject_friction(const subject *s)
{
    double friction = NAN;
    (void)pcm_type_friction(s->type, &friction);
    return friction;
}
