/* SPDX-License-Identifier: MIT */
/* laws.c - which law acts between two atom types, and whether contacts of spheres have the inputs that it reads. */
#include "host.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory and messages ----------------------------------------------------------------------------------------- */

bool pcm_lammps_fail(pcm_lammps_laws *laws, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(laws->error, sizeof laws->error, format, arguments);
    va_end(arguments);
    return false;
}

static bool no_memory(pcm_lammps_laws *laws) { return pcm_lammps_fail(laws, "no memory is left"); }

/* Keeps errors, one below the other, as far as there is room; and warnings likewise. */
static void keep_diagnostic(void *user, const pcm_diagnostic *diagnostic)
{
    pcm_lammps_laws *laws = user;
    char            *text = diagnostic->severity == PCM_ERROR ? laws->error : laws->warning;
    const size_t     used = strlen(text);
    if (used + 1 < sizeof laws->error)
        (void)pcm_diagnostic_format(diagnostic, text + used, sizeof laws->error - used);
}

/* Warns that logs are not written: a world writes them, and there is none here. */
static void warn_of_logs(pcm_lammps_laws *laws)
{
    for (size_t i = 0; laws->config && i < pcm_config_type_count(laws->config); i++) {
        const pcm_type_info *info = pcm_type_get_info(pcm_config_type_at(laws->config, i));
        const size_t         used = strlen(laws->warning);
        if (info->common->log_file[0] != '\0')
            (void)snprintf(laws->warning + used, sizeof laws->warning - used,
                           "the LogFile of contact type %s is not written: `dump local` with `compute pair/local` has "
                           "what its contacts give\n",
                           info->name);
    }
}

/* LAMMPS has no object that a material's surface velocity could belong to: its walls are given theirs by `shear`. */
static void warn_of_belts(pcm_lammps_laws *laws)
{
    for (size_t m = 0; laws->config && m < pcm_config_material_count(laws->config); m++)
        for (size_t k = 0; k < pcm_config_property_count(laws->config); k++) {
            const pcm_value value = pcm_config_property_at(laws->config, m, k);
            const size_t    used = strlen(laws->warning);
            if (value.written &&
                (strcmp(value.param->name, "SurfaceVelocity") == 0 || strcmp(value.param->name, "SurfaceSpin") == 0))
                (void)snprintf(laws->warning + used, sizeof laws->warning - used,
                               "%s of the material %s moves nothing: the keyword shear of fix wall/pcm moves a wall's "
                               "surface\n",
                               value.param->name, pcm_config_material_at(laws->config, m).name);
        }
}

static char *copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

pcm_lammps_laws *pcm_lammps_laws_open(const char *file, int n_types, pcm_lammps_kinematics kinematics)
{
    pcm_lammps_laws *laws = calloc(1, sizeof *laws);
    if (!laws)
        return NULL;
    const size_t names = (size_t)n_types + PCM_LAMMPS_WALLS + 1;
    laws->n_types = laws->n_names = n_types;
    laws->kinematics = kinematics;
    laws->object = calloc(names, sizeof *laws->object);
    laws->surface = calloc(names, sizeof *laws->surface);
    laws->of_pair = calloc(names * names, sizeof *laws->of_pair);
    laws->order = calloc(names * names, sizeof *laws->order);
    pcm_context_def def = pcm_context_defaults();
    def.sink = keep_diagnostic;
    def.sink_user = laws;
    laws->context = pcm_context_new(&def);
    if (!laws->object || !laws->surface || !laws->of_pair || !laws->order || !laws->context) {
        pcm_lammps_laws_close(laws);
        return NULL;
    }
    laws->config = pcm_config_load(laws->context, file);
    warn_of_logs(laws);
    warn_of_belts(laws);
    return laws;
}

void pcm_lammps_laws_close(pcm_lammps_laws *laws)
{
    if (!laws)
        return;
    for (size_t i = 0; i < laws->n_laws; i++) {
        free(laws->law[i].identity);
        free(laws->law[i].steps);
    }
    for (int type = 0; laws->object && laws->surface && type <= laws->n_names; type++) {
        free(laws->object[type]);
        free(laws->surface[type]);
    }
    free(laws->law);
    free(laws->object);
    free(laws->surface);
    free(laws->of_pair);
    free(laws->order);
    pcm_config_release(laws->config);
    pcm_context_free(laws->context);
    free(laws);
}

bool pcm_lammps_laws_name(pcm_lammps_laws *laws, int type, const char *name)
{
    const char  *colon = strchr(name, ':');
    const size_t length = colon ? (size_t)(colon - name) : strlen(name);
    const char  *surface = colon ? colon + 1 : name;
    if (length == 0 || *surface == '\0')
        return pcm_lammps_fail(laws, "atom type %d is named \"%s\": write Object or Object:Surface", type, name);
    free(laws->object[type]);
    free(laws->surface[type]);
    laws->object[type] = copy_text(name, length);
    laws->surface[type] = copy_text(surface, strlen(surface));
    return (laws->object[type] && laws->surface[type]) || no_memory(laws);
}

/* Whether the type or wall is the given object with the given surface. */
static bool is_named(const pcm_lammps_laws *laws, int type, const char *name)
{
    const char  *object = laws->object[type];
    const size_t length = strcspn(name, ":");
    return strlen(object) == length && strncmp(object, name, length) == 0 &&
           strcmp(laws->surface[type], name[length] == ':' ? name + length + 1 : object) == 0;
}

int pcm_lammps_laws_wall(pcm_lammps_laws *laws, const char *name)
{
    for (int wall = laws->n_types + 1; wall <= laws->n_names; wall++)
        if (is_named(laws, wall, name))
            return wall;
    if (laws->n_names == laws->n_types + PCM_LAMMPS_WALLS) {
        pcm_lammps_fail(laws, "there are more than %d walls", (int)PCM_LAMMPS_WALLS);
        return 0;
    }
    return pcm_lammps_laws_name(laws, laws->n_names + 1, name) ? ++laws->n_names : 0;
}

/* ---- Laws that spheres cannot support ---------------------------------------------------------------------------- */

/* The reason why a law cannot act between two spheres of LAMMPS, or between a sphere and a wall that is its base; NULL:
 * it can. */
static const char *lacking(const pcm_type *type, bool on_wall)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    const pcm_model     *model = info->model;
    if (model->flags & PCM_HOST_CONTACT)
        return "leaves the contact to the simulator, and LAMMPS has none of its own beside a pair style";
    if (!on_wall && (model->flags & (PCM_BASE_FIXED | PCM_BASE_AXES) || model->inputs & (PCM_POSITION | PCM_VELOCITY)))
        return "reads where the contact is on its base; spheres have no axes that this could be measured in";
    if (model->inputs & PCM_AXES)
        return "reads an axis of a body; spheres have none";
    if (model->inputs & PCM_AREA)
        return "reads the area of a contact point; a contact between spheres has none";
    if (!(info->common->separation < INFINITY))
        return "lives at any distance: give it a Separation, which becomes the cutoff";
    return NULL;
}

/* A host input that has an effect but no value; NULL: none. */
static const char *missing_input(const pcm_type *type)
{
    const pcm_model *model = pcm_type_get_info(type)->model;
    uint32_t         column = 0;
    for (size_t i = 0; i < model->host_inputs.count; i++) {
        const pcm_host_input *input = pcm_model_host_input(model, i);
        if (pcm_type_when(type, input->when) && isnan(pcm_type_input_fallback(type, column)))
            return input->name;
        column += pcm_columns_of(input->shape);
    }
    return NULL;
}

/* ---- Laws of pairs ----------------------------------------------------------------------------------------------- */

/* Counts vectors: a law that prefers no direction in the tangent plane has its tangent states stored as vectors in the
 * simulation's axes, which takes fewer numbers than storing the frame. */
static uint32_t count_vectors(const pcm_type_info *info)
{
    const pcm_model *model = info->model;
    uint32_t         n = 0;
    bool             reads = false;
    for (size_t i = 0; i < model->states.count; i++)
        n += pcm_model_state(model, i)->shape == PCM_TANGENT;
    for (size_t i = 0; i < model->host_inputs.count; i++)
        reads = reads || pcm_model_host_input(model, i)->shape == PCM_TANGENT;
    return model->flags & PCM_ISOTROPIC && !reads ? n : 0;
}

/* The identity of a law in restart files: the meaning of its numbers. */
static char *identify(const pcm_type_info *info)
{
    const char *as = count_vectors(info) > 0 ? "vector " : "";
    char        text[1024];
    size_t      used = 0;
    int         n =
        snprintf(text, sizeof text, "%s = %s %s", info->written ? pcm_type_get_info(info->written)->name : info->name,
                 info->model->name, info->model->version ? info->model->version : "1");
    for (size_t i = 0; n >= 0 && (used += (size_t)n) < sizeof text && i < info->model->states.count; i++)
        n = snprintf(text + used, sizeof text - used, " %s%s",
                     pcm_model_state(info->model, i)->shape == PCM_TANGENT ? as : "",
                     pcm_model_state(info->model, i)->name);
    if (n >= 0 && used < sizeof text && info->material[0])
        n = snprintf(text + used, sizeof text - used, " of %s and %s", info->material[0], info->material[1]);
    return n < 0 ? NULL : copy_text(text, strlen(text));
}

static bool find_steps(pcm_lammps_law *law)
{
    law->steps = calloc(law->n_state + 1, 1);
    uint32_t column = 0;
    for (size_t i = 0; law->steps && i < law->model->states.count; i++) {
        const pcm_state *state = pcm_model_state(law->model, i);
        law->lingers = law->lingers || state->flags & PCM_LINGERS;
        for (uint32_t k = 0; k < pcm_columns_of(state->shape); k++)
            law->steps[column++] = state->role == PCM_CONTINUOUS && !(state->flags & PCM_STEPS);
    }
    return law->steps;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static bool open_law(pcm_lammps_laws *laws, pcm_lammps_law *law, const pcm_type *type)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    const uint32_t       n_vectors = count_vectors(info);
    const double         shorter[] = {[PCM_POINT_MIDDLE] = 0.5, [PCM_POINT_BASE] = 0, [PCM_POINT_FOLLOWER] = 1};
    *law = (pcm_lammps_law){
        .type = type,
        .model = info->model,
        .params = info->params,
        .identity = identify(info),
        .n_state = info->n_state,
        .carries = info->carries_frame && n_vectors == 0,
        .turns = n_vectors > 0,
        .n_vector = 3 * n_vectors,
        .shared = info->model->flags & PCM_FRAME_SHARED,
        .on_base = info->model->inputs & (PCM_POSITION | PCM_VELOCITY),
        .reads_spin = info->model->inputs & (PCM_SPIN | PCM_BODY_SPINS),
        .ends = info->model->outputs & PCM_LIFE || pcm_model_has_pair_verb(info->model),
        .scales = pcm_model_has_pair_verb(info->model),
        .separation = info->common->separation,
        .onset = info->onset,
        .base_arm = shorter[info->common->point],
    };
    for (size_t i = 0; i < info->model->amounts.count; i++)
        if (!pcm_lammps_find_amount(laws, pcm_model_amount(info->model, i)->name, &law->amount[law->n_amounts++]))
            return false;
    laws->max_state = larger(laws->max_state, info->n_state);
    laws->max_events = larger(laws->max_events, info->model->events.count);
    laws->max_inputs = larger(laws->max_inputs, info->n_host_inputs);
    laws->max_amounts = larger(laws->max_amounts, law->n_amounts);
    laws->max_vector = larger(laws->max_vector, law->n_vector);
    laws->width =
        larger(laws->width, law->turns ? info->n_state + n_vectors : info->n_state + (law->carries ? 3u : 0u));
    return find_steps(law) && law->identity;
}

/* The index of the type's law, which is added if it is new; n_laws if there is no memory. */
static size_t law_of_type(pcm_lammps_laws *laws, const pcm_type *type)
{
    for (size_t i = 0; i < laws->n_laws; i++)
        if (laws->law[i].type == type)
            return i;
    if (laws->n_laws == laws->law_capacity) {
        const size_t    capacity = 2 * laws->law_capacity + 4;
        pcm_lammps_law *grown = realloc(laws->law, capacity * sizeof *grown);
        if (!grown)
            return laws->n_laws;
        laws->law = grown;
        laws->law_capacity = capacity;
    }
    if (!open_law(laws, &laws->law[laws->n_laws], type)) {
        free(laws->law[laws->n_laws].identity);
        free(laws->law[laws->n_laws].steps);
        return laws->n_laws;
    }
    return laws->n_laws++;
}

/* The contact type that the rules give for the pair, between its materials; NULL where it is rejected. */
static const pcm_type *resolve(pcm_lammps_laws *laws, int a, int b, bool *swapped)
{
    size_t      rule;
    const char *first = laws->object[a], *second = laws->object[b];
    const char *surface[] = {pcm_config_surface(laws->config, first, laws->surface[a]),
                             pcm_config_surface(laws->config, second, laws->surface[b])};
    if (pcm_config_resolve(laws->config, first, laws->surface[a], second, laws->surface[b], &rule, swapped, 1) == 0) {
        pcm_lammps_fail(laws,
                        "no rule of the .pcm file matches %s and %s (surfaces %s and %s): add a SurfacePair, an "
                        "ObjectPair or a DefaultPair",
                        first, second, surface[0], surface[1]);
        return NULL;
    }
    laws->error[0] = '\0';
    const pcm_type *type = pcm_config_rule_at(laws->config, rule).type;
    type = pcm_type_between(type, surface[0], surface[1]);
    if (!type && laws->error[0] == '\0')
        no_memory(laws);
    return type;
}

/* Whether one of the two is a wall and is the base: because the rule says so, or leaves it open. */
static bool wall_is_base(const pcm_lammps_laws *laws, int a, int b, bool swapped, bool back)
{
    const bool open = swapped == back;
    return (a > laws->n_types && (open || !swapped)) || (b > laws->n_types && (open || swapped));
}

bool pcm_lammps_laws_pair(pcm_lammps_laws *laws, int a, int b)
{
    if (!laws->object[a] || !laws->object[b])
        return pcm_lammps_fail(laws, "atom type %d has no name: write pair_coeff * * with one name per atom type",
                               laws->object[a] ? b : a);
    bool            swapped = false, back = false;
    const pcm_type *type = resolve(laws, a, b, &swapped);
    if (!type || !resolve(laws, b, a, &back))
        return false;
    const char *name = pcm_type_get_info(type)->name, *why = lacking(type, wall_is_base(laws, a, b, swapped, back)),
               *input = missing_input(type);
    if (why)
        return pcm_lammps_fail(laws, "contact type %s cannot act between %s and %s: it %s", name, laws->object[a],
                               laws->object[b], why);
    if (input)
        return pcm_lammps_fail(laws,
                               "contact type %s cannot act between %s and %s: its input %s has no value that "
                               "LAMMPS could give",
                               name, laws->object[a], laws->object[b], input);
    const size_t index = law_of_type(laws, type);
    if (index >= laws->n_laws || index >= UINT16_MAX)
        return no_memory(laws);
    const size_t ab = pcm_lammps_pair_index(laws, a, b), ba = pcm_lammps_pair_index(laws, b, a);
    laws->of_pair[ab] = laws->of_pair[ba] = (uint16_t)(index + 1);
    laws->order[ab] = (int8_t)(swapped != back     ? (swapped ? -1 : 1)
                               : a > laws->n_types ? 1
                               : b > laws->n_types ? -1
                                                   : 0);
    laws->order[ba] = (int8_t)-laws->order[ab];
    return true;
}

/* ---- Bonds ------------------------------------------------------------------------------------------------------- */

bool pcm_lammps_laws_bond(pcm_lammps_laws *laws, const char *type)
{
    bool found = false;
    for (size_t i = 0; i < laws->n_laws; i++) {
        const pcm_type_info *info = pcm_type_get_info(laws->law[i].type);
        if (strcmp(info->written ? pcm_type_get_info(info->written)->name : info->name, type) != 0)
            continue;
        if (!(info->model->inputs & PCM_FRESH))
            return pcm_lammps_fail(laws, "bond %s: the law %s of this contact type makes no bonds", type,
                                   info->model->name);
        laws->law[i].bonds = laws->law[i].counts = found = true;
    }
    return found ||
           pcm_lammps_fail(laws, "bond %s: no two atom types, and no wall, have a contact type %s", type, type);
}

/* ---- Fingerprints and explanations ------------------------------------------------------------------------------- */

static uint64_t add_bytes(uint64_t print, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) /* FNV-1a */
        print = (print ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
    return print;
}

static uint64_t add_text(uint64_t print, const char *text) { return add_bytes(print, text, strlen(text) + 1); }

static uint64_t add_file(uint64_t print, const char *path)
{
    FILE  *file = path ? fopen(path, "rb") : NULL;
    char   bytes[4096];
    size_t count;
    while (file && (count = fread(bytes, 1, sizeof bytes, file)) > 0)
        print = add_bytes(print, bytes, count);
    if (file)
        (void)fclose(file);
    return print;
}

/* Adds the plugin files of a law, which may be a sum: "A + B". */
static uint64_t add_plugins(uint64_t print, const pcm_lammps_laws *laws, const char *law)
{
    char name[256];
    for (const char *part = law; *part != '\0'; part += strspn(part, " +")) {
        const size_t length = strcspn(part, " +");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, part);
        print = add_file(print, pcm_model_path(laws->context, name));
        part += length;
    }
    return print;
}

static uint64_t add_value(uint64_t print, const pcm_value *value)
{
    print = add_text(print, value->param->name);
    print = add_bytes(print, &value->number, sizeof value->number);
    print = add_text(print, value->text ? value->text : "");
    return add_bytes(print, value->list.values, value->list.count * sizeof *value->list.values);
}

/* Adds which law acts between which types and walls: the result of the rules, with the names of surfaces. */
static uint64_t add_pairs(uint64_t print, const pcm_lammps_laws *laws)
{
    for (int a = 1; a <= laws->n_types; a++)
        for (int b = a; b <= laws->n_names; b++) {
            const size_t at = pcm_lammps_pair_index(laws, a, b);
            print = add_bytes(print, &laws->order[at], sizeof laws->order[at]);
            print = add_text(print, laws->of_pair[at] > 0 ? laws->law[laws->of_pair[at] - 1].identity : "");
        }
    return print;
}

uint64_t pcm_lammps_laws_fingerprint(const pcm_lammps_laws *laws)
{
    uint64_t print = add_pairs(0xCBF29CE484222325u, laws);
    for (size_t i = 0; i < pcm_config_type_count(laws->config); i++) {
        const pcm_type *type = pcm_config_type_at(laws->config, i);
        print = add_text(print, pcm_type_get_info(type)->name);
        print = add_plugins(print, laws, pcm_type_get_info(type)->model->name);
        for (size_t k = 0; k < pcm_type_value_count(type); k++) {
            const pcm_value value = pcm_type_value_at(type, k);
            print = add_value(print, &value);
        }
    }
    for (size_t i = 0; i < pcm_config_rule_count(laws->config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(laws->config, i);
        print = add_text(add_text(add_text(print, rule.a), rule.b), pcm_type_get_info(rule.type)->name);
    }
    for (size_t m = 0; m < pcm_config_material_count(laws->config); m++)
        for (size_t k = 0; k < pcm_config_property_count(laws->config); k++) {
            const pcm_value value = pcm_config_property_at(laws->config, m, k);
            print = value.param ? add_value(print, &value) : print;
        }
    return print;
}

size_t pcm_lammps_laws_explain(const pcm_lammps_laws *laws, char *text, size_t size)
{
    size_t length = 0;
    for (int a = 1; a <= laws->n_types; a++)
        for (int b = a; b <= laws->n_names; b++) {
            const size_t at = pcm_lammps_pair_index(laws, a, b);
            if (laws->of_pair[at] == 0)
                continue;
            const char *base = laws->order[at] > 0   ? ", the first is the base"
                               : laws->order[at] < 0 ? ", the second is the base"
                                                     : "";
            const int   n = snprintf(length < size ? text + length : NULL, length < size ? size - length : 0,
                                   "  %s %d %d (%s, %s): %s%s\n", b > laws->n_types ? "type, wall" : "types", a,
                                   b > laws->n_types ? b - laws->n_types : b, laws->object[a], laws->object[b],
                                   laws->law[laws->of_pair[at] - 1].identity, base);
            length += n > 0 ? (size_t)n : 0;
        }
    return length;
}
