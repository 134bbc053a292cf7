/* SPDX-License-Identifier: MIT */
/* table_checks.c - checks a plugin's tables by the rules of plugin.h. */
#include "table_checks.h"
#include "kinds.h"
#include "model.h"
#include "plain_name.h"
#include "units.h"
#include <pcm/messages.h>

#include <math.h>

static const uint32_t known_flags = PCM_ISOTROPIC | PCM_BASE_AXES | PCM_BASE_FIXED | PCM_HOST_CONTACT | PCM_PULLS |
                                    PCM_ACTIVE | PCM_FRAME_SHARED | PCM_JUMPS | PCM_POINTS;
static const uint32_t known_inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP | PCM_SPIN | PCM_POSITION | PCM_VELOCITY |
                                     PCM_RADIUS | PCM_MASS | PCM_LOAD | PCM_CONTACT_RADIUS | PCM_FRESH | PCM_AREA |
                                     PCM_SHARE | PCM_BODY_SPINS | PCM_AXES | PCM_LOSS | PCM_CURVATURE |
                                     PCM_CURVATURE_AXIS | PCM_EXTENT;
static const uint32_t known_outputs = PCM_FRICTION | PCM_MOMENT | PCM_ENERGY | PCM_DISSIPATION | PCM_LIFE | PCM_MODE |
                                      PCM_SHARES | PCM_PATCH_RADIUS | PCM_ONSET;

enum { PCM_BLOCK_MAX = 1 << 20 }; /* bytes of a parameter struct */

/* Rejects the plugin because of the entry of that name: "parameter 'K': why". */
static bool refuse(const pcm_image *image, uint32_t code, const char *what, const char *name, const char *why)
{
    pcm_report_at(image->context, PCM_ERROR, code, &(pcm_place){.file = image->path}, "%s '%s': %s", what, name, why);
    return false;
}

/* ---- Names and texts -------------------------------------------------------------------------------------------- */

/* Every kind of entry starts with its name; event names may hold '-'. */
static const char *name_at(const pcm_table *table, uint32_t i)
{
    return *(const char *const *)(const void *)((const char *)table->entries + (size_t)i * table->size);
}

static bool event_name_plain(const char *name)
{
    char plain[PCM_NAME_MAX + 2];
    if (strlen(name) > PCM_NAME_MAX)
        return false;
    for (size_t i = 0; i <= strlen(name); i++)
        plain[i] = name[i] == '-' && i > 0 ? '_' : name[i];
    return pcm_name_plain(plain);
}

static bool check_names(const pcm_image *image, const char *what, const pcm_table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const char *name = name_at(table, i);
        if (!pcm_image_holds_text(image, name)) {
            pcm_report_at(image->context, PCM_ERROR, PCM_MSG_PLUGIN_TEXT, &(pcm_place){.file = image->path},
                          "%s %u has no name", what, (unsigned)i + 1);
            return false;
        }
        if (!event_name_plain(name) || (strchr(name, '-') && strcmp(what, "event") != 0))
            return refuse(image, PCM_MSG_PLUGIN_TEXT, what, name,
                          "a name is a letter or _, then letters, digits and _, at most 63 in all");
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(name, name_at(table, j)) == 0)
                return refuse(image, PCM_MSG_PLUGIN_TEXT, what, name, "the name is used twice; rename one");
    }
    return true;
}

static bool check_text(const pcm_image *image, const char *what, const char *name, const char *field, const char *text,
                       bool needed)
{
    if (!text && !needed)
        return true;
    /* A text that is not required may be empty. */
    if (pcm_image_holds_text(image, text) || (!needed && pcm_image_holds(image, text, 1) && !*text))
        return true;
    pcm_report_at(image->context, PCM_ERROR, PCM_MSG_PLUGIN_TEXT, &(pcm_place){.file = image->path},
                  "%s '%s': its .%s is missing or not a text", what, name, field);
    return false;
}

/* Whether the unit is known and SI, without a prefix or another factor. */
static bool is_si(const char *unit)
{
    pcm_unit       read;
    pcm_unit_fault fault;
    return pcm_unit_read(unit, strlen(unit), &read, &fault) && read.factor == 1 && read.tens == 0;
}

static bool check_unit(const pcm_image *image, const char *what, const char *name, const char *unit)
{
    if (!check_text(image, what, name, "unit", unit, true))
        return false;
    if (is_si(unit))
        return true;
    pcm_report_at(image->context, PCM_ERROR, PCM_MSG_PLUGIN_TEXT, &(pcm_place){.file = image->path},
                  "%s '%s': its .unit '%s' is not an SI unit; write one such as \"N*s/m\", \"1\" for none", what, name,
                  unit);
    return false;
}

/* ---- Parameters ------------------------------------------------------------------------------------------------- */

static uint32_t choice_count(const pcm_image *image, const pcm_param *param)
{
    uint32_t           count = 0;
    const char *const *choice = param->choices;
    for (; pcm_image_holds_struct(image, choice, sizeof *choice) && *choice; choice++, count++)
        if (!pcm_image_holds_text(image, *choice) || !pcm_name_plain(*choice))
            return 0;
    return count;
}

static const char *range_fault(const pcm_param *param)
{
    const double value = param->fallback;
    if (isnan(param->min) || isnan(param->max) || param->min > param->max)
        return ".min and .max are not a range";
    if (!isfinite(value))
        return "the default is not finite";
    if (!pcm_kinds[param->kind].is_number || param->flags & PCM_REQUIRED)
        return NULL;
    const bool low = param->flags & PCM_OPEN_MIN ? value <= param->min : value < param->min;
    const bool high = param->flags & PCM_OPEN_MAX ? value >= param->max : value > param->max;
    if (low || high)
        return "the default is outside the range";
    return param->kind == PCM_KIND_INTEGER && (value != floor(value) || fabs(value) > 0x1p53)
               ? "the default is not a whole number"
               : NULL;
}

static const pcm_param *param_at(const pcm_table *table, uint32_t i) { return pcm_table_entry(table, i); }

/* The alignment of a parameter's field: texts and lists hold pointers. */
static size_t field_alignment(uint32_t kind)
{
    return kind == PCM_KIND_TEXT || kind == PCM_KIND_LIST ? _Alignof(void *) : sizeof(double);
}

static const char *place_fault(const pcm_table *table, uint32_t i)
{
    const pcm_param *param = param_at(table, i);
    const size_t     bytes = pcm_kinds[param->kind].field_size;
    if (param->params_size != param_at(table, 0)->params_size || param->params_size > PCM_BLOCK_MAX)
        return "the size of the parameter struct differs from that of the first parameter, or is above a megabyte";
    if (param->offset % field_alignment(param->kind) || param->offset > param->params_size ||
        bytes > param->params_size - param->offset)
        return "its offset is outside the parameter struct or not a multiple of 8; use the PCM_REAL family";
    for (uint32_t j = 0; j < i; j++) {
        const pcm_param *other = param_at(table, j);
        if (param->offset < other->offset + pcm_kinds[other->kind].field_size && other->offset < param->offset + bytes)
            return "it shares its field with another parameter";
    }
    return NULL;
}

static const char *choice_fault(const pcm_image *image, const pcm_param *param)
{
    if (param->kind == PCM_KIND_SWITCH)
        return param->fallback != 0 && param->fallback != 1 ? "the default of a switch is 0 or 1" : NULL;
    if (param->kind != PCM_KIND_CHOICE)
        return NULL;
    const uint32_t count = choice_count(image, param);
    if (count == 0)
        return "it has no choices, or one that is not a plain word; end the list with NULL";
    const double value = param->fallback;
    return value < 0 || value >= count || value != floor(value) ? "the default is not one of its choices" : NULL;
}

/* Whether `when` reads "Name=Word" of a choice, or "Name=true" or "Name=false" of a switch. */
static bool when_fits(const pcm_image *image, const pcm_model *model, const char *when)
{
    if (!when)
        return true;
    const char *equals = pcm_image_holds_text(image, when) ? strchr(when, '=') : NULL;
    for (uint32_t i = 0; equals && i < model->params.count; i++) {
        const pcm_param *param = pcm_model_param(model, i);
        if (strlen(param->name) != (size_t)(equals - when) || strncmp(param->name, when, (size_t)(equals - when)))
            continue;
        const char *const *word = pcm_kind_words(param);
        for (; word && *word; word++)
            if (strcmp(*word, equals + 1) == 0)
                return true;
    }
    return false;
}

/* Laws of before may have a parameter called Smooth, which is then theirs. */
static bool base_has(const char *name)
{
    const pcm_table common = pcm_common_params();
    for (uint32_t i = 0; i < common.count; i++)
        if (strcmp(name_at(&common, i), name) == 0)
            return strcmp(name, "Smooth") != 0;
    return false;
}

static bool has_named_exponent(const pcm_param *param)
{
    size_t length;
    return pcm_unit_exponent_name(param->unit, &length);
}

/* Some number for a parameter that can be an exponent; NULL: it cannot. */
static const char *some_exponent(void *user, const char *name, size_t length)
{
    const pcm_model *model = user;
    for (uint32_t i = 0; i < model->params.count; i++) {
        const pcm_param *param = pcm_model_param(model, i);
        if (strlen(param->name) == length && memcmp(param->name, name, length) == 0)
            return (param->kind == PCM_KIND_REAL || param->kind == PCM_KIND_INTEGER) && strcmp(param->unit, "1") == 0 &&
                           param->mix == PCM_MIX_NONE
                       ? "2"
                       : NULL;
    }
    return NULL;
}

/* The fault of a unit that has the names of other parameters as exponents. */
static const char *named_unit_fault(const pcm_model *model, const pcm_param *param)
{
    char unit[PCM_UNIT_SIZE];
    if (param->kind != PCM_KIND_REAL && param->kind != PCM_KIND_LIST)
        return "its unit has a name as exponent, which is for real numbers and lists";
    if (!pcm_unit_replace_names(param->unit, some_exponent, (void *)(uintptr_t)model, unit))
        return "an exponent in its unit is not a real or integer parameter without a unit and .mix";
    return is_si(unit) ? NULL : "its unit is not an SI unit; write one such as \"N/m^Exponent\"";
}

static const char *mixing_fault(const pcm_model *model, const pcm_param *param)
{
    const bool     modulus = param->mix == PCM_MIX_MODULUS || param->mix == PCM_MIX_SHEAR;
    pcm_unit       unit, pressure;
    pcm_unit_fault fault;
    if (param->mix >= PCM_MIXES || param->reserved)
        return "its .mix is unknown, or .reserved is not 0";
    if (param->mix && param->kind != PCM_KIND_REAL)
        return ".mix is for a real parameter";
    if (param->mix == PCM_MIX_BY_LAW && !model->mix)
        return ".mix is PCM_MIX_BY_LAW, but the model has no .mix";
    if (param->mix && has_named_exponent(param))
        return "a parameter with .mix has a unit of its own, without a name as exponent";
    if (!modulus)
        return NULL;
    pcm_unit_read(param->unit, strlen(param->unit), &unit, &fault);
    pcm_unit_read("Pa", 2, &pressure, &fault);
    return pcm_unit_same_dimension(&unit, &pressure) ? NULL : "a modulus is in Pa";
}

/* The fault of a parameter, or of a property of a side. */
static const char *param_fault(const pcm_image *image, const pcm_model *model, const pcm_table *table, uint32_t i)
{
    const pcm_param *param = param_at(table, i);
    const char      *fault;
    if (base_has(param->name))
        return "the name is reserved: every model has this parameter";
    if (param->kind >= PCM_KINDS)
        return "its kind is unknown";
    if (param->flags & ~(uint32_t)(PCM_REQUIRED | PCM_OPEN_MIN | PCM_OPEN_MAX | PCM_CONE))
        return "it has unknown flags";
    if (param->flags & PCM_CONE && param->kind != PCM_KIND_REAL)
        return "PCM_CONE is for a real parameter";
    if ((has_named_exponent(param) && (fault = named_unit_fault(model, param))) || (fault = place_fault(table, i)) ||
        (fault = choice_fault(image, param)) || (fault = range_fault(param)) || (fault = mixing_fault(model, param)))
        return fault;
    return when_fits(image, model, param->when) ? NULL : ".when is not NAME=WORD of a choice or switch of the law";
}

static bool check_table(const pcm_image *image, const pcm_model *model, const char *what, const pcm_table *table)
{
    if (!check_names(image, what, table))
        return false;
    for (uint32_t i = 0; i < table->count; i++) {
        const pcm_param *param = param_at(table, i);
        if (!check_text(image, what, param->name, "unit", param->unit, true) ||
            (!has_named_exponent(param) && !check_unit(image, what, param->name, param->unit)) ||
            !check_text(image, what, param->name, "doc", param->doc, true) ||
            !check_text(image, what, param->name, "text", param->text, false))
            return false;
    }
    /* Checked last, since a .when may name a parameter further down. */
    for (uint32_t i = 0; i < table->count; i++) {
        const char *fault = param_fault(image, model, table, i);
        if (fault)
            return refuse(image, PCM_MSG_PLUGIN_PARAM, what, param_at(table, i)->name, fault);
    }
    return true;
}

static bool mixes_by_law(const pcm_model *model)
{
    for (uint32_t i = 0; i < model->params.count; i++)
        if (pcm_model_param(model, i)->mix == PCM_MIX_BY_LAW)
            return true;
    return false;
}

/* A law with .mix has properties to mix and parameters to write; a law without has neither. */
static bool check_sides(const pcm_image *image, const pcm_model *model)
{
    if (!check_table(image, model, "side property", &model->sides))
        return false;
    for (uint32_t i = 0; i < model->sides.count; i++) {
        const pcm_param *side = param_at(&model->sides, i);
        if (side->kind != PCM_KIND_REAL || side->mix || side->flags & PCM_CONE || has_named_exponent(side))
            return refuse(image, PCM_MSG_PLUGIN_PARAM, "side property", side->name,
                          "a property of a side is a real number, without .mix, PCM_CONE and a name in its unit");
    }
    if (model->mix && !pcm_image_holds_code(image, (uintptr_t)model->mix))
        return refuse(image, PCM_MSG_PLUGIN_CODE, "model", model->name, ".mix is not a function of the plugin");
    if (!model->mix != !model->sides.count || (model->mix && !mixes_by_law(model)))
        return refuse(image, PCM_MSG_PLUGIN_PARAM, "model", model->name,
                      ".mix, .sides and a parameter with PCM_MIX_BY_LAW belong together");
    return true;
}

/* ---- States, host inputs, events, derived values ---------------------------------------------------------------- */

static uint32_t state_columns(const pcm_model *model)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->states.count; i++)
        count += pcm_columns_of(pcm_model_state(model, i)->shape);
    return count;
}

static const char *state_fault(const pcm_state *state)
{
    if (state->shape > PCM_TANGENT || state->role > PCM_CONTINUOUS)
        return "its shape or role is unknown";
    if (state->flags & ~(uint32_t)(PCM_STEPS | PCM_LINGERS))
        return "it has unknown flags";
    if (state->flags & PCM_STEPS && state->role != PCM_CONTINUOUS)
        return "PCM_STEPS is for a continuous state; a history state always gives next";
    if (!(state->nominal > 0) || !isfinite(state->nominal))
        return ".nominal is not a finite number above 0";
    if (state->swap != 1 && state->swap != -1)
        return ".swap is neither 1 nor -1";
    return NULL;
}

static bool check_states(const pcm_image *image, const pcm_model *model)
{
    if (!check_names(image, "state", &model->states))
        return false;
    for (uint32_t i = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        const char      *fault = state_fault(state);
        if (!check_unit(image, "state", state->name, state->unit) ||
            !check_text(image, "state", state->name, "doc", state->doc, true))
            return false;
        if (fault)
            return refuse(image, PCM_MSG_PLUGIN_STATE, "state", state->name, fault);
        if (state_columns(model) > PCM_MAX_COLUMNS)
            return refuse(image, PCM_MSG_PLUGIN_STATE, "state", state->name, "the states take more than 32 columns");
    }
    return true;
}

/* Whether the input has no fallback, or one that is a real parameter of the same unit. */
static bool fallback_fits(const pcm_image *image, const pcm_model *model, const pcm_host_input *given)
{
    if (!given->fallback)
        return true;
    if (!pcm_image_holds_text(image, given->fallback) || given->shape != PCM_SCALAR)
        return false;
    for (uint32_t i = 0; i < model->params.count; i++) {
        const pcm_param *param = pcm_model_param(model, i);
        if (strcmp(param->name, given->fallback) == 0)
            return param->kind == PCM_KIND_REAL && strcmp(param->unit, given->unit) == 0;
    }
    return false;
}

static bool check_given(const pcm_image *image, const pcm_model *model)
{
    uint32_t count = 0;
    if (!check_names(image, "host input", &model->host_inputs))
        return false;
    for (uint32_t i = 0; i < model->host_inputs.count; i++) {
        const pcm_host_input *given = pcm_model_host_input(model, i);
        if (!check_unit(image, "host input", given->name, given->unit) ||
            !check_text(image, "host input", given->name, "doc", given->doc, true))
            return false;
        count += pcm_columns_of(given->shape);
        if (given->shape > PCM_TANGENT || given->reserved || count > PCM_MAX_COLUMNS)
            return refuse(image, PCM_MSG_PLUGIN_INPUT, "host input", given->name,
                          "its shape is unknown, .reserved is not 0, or the inputs take more than 32 columns");
        if (!when_fits(image, model, given->when))
            return refuse(image, PCM_MSG_PLUGIN_INPUT, "host input", given->name,
                          ".when is not NAME=WORD of a choice or switch of the law");
        if (!fallback_fits(image, model, given))
            return refuse(
                image, PCM_MSG_PLUGIN_INPUT, "host input", given->name,
                ".fallback is not a real parameter of the law with the input's unit, or the input is tangent");
    }
    return true;
}

static bool check_events(const pcm_image *image, const pcm_model *model)
{
    if (!check_names(image, "event", &model->events))
        return false;
    for (uint32_t i = 0; i < model->events.count; i++) {
        const pcm_event *event = pcm_model_event(model, i);
        if (!check_text(image, "event", event->name, "doc", event->doc, true))
            return false;
        if (event->direction < -1 || event->direction > 1 || event->jumps > 1 || i >= PCM_MAX_COLUMNS)
            return refuse(image, PCM_MSG_PLUGIN_EVENT, "event", event->name,
                          ".direction is not -1, 0 or 1, .jumps is not 0 or 1, or there are more than 32 events");
    }
    return true;
}

static bool check_derived(const pcm_image *image, const pcm_model *model)
{
    if (!check_names(image, "derived value", &model->derived))
        return false;
    for (uint32_t i = 0; i < model->derived.count; i++) {
        const pcm_derived *derived = pcm_model_derived(model, i);
        if (!check_unit(image, "derived value", derived->name, derived->unit) ||
            !check_text(image, "derived value", derived->name, "doc", derived->doc, true))
            return false;
        if (!pcm_image_holds_code(image, (uintptr_t)derived->value))
            return refuse(image, PCM_MSG_PLUGIN_CODE, "derived value", derived->name, "it has no function");
    }
    return true;
}

static bool check_amounts(const pcm_image *image, const pcm_model *model)
{
    if (!check_names(image, "amount", &model->amounts))
        return false;
    for (uint32_t i = 0; i < model->amounts.count; i++) {
        const pcm_amount *amount = pcm_model_amount(model, i);
        if (!check_unit(image, "amount", amount->name, amount->unit) ||
            !check_unit(image, "amount", amount->name, amount->flow_unit) ||
            !check_text(image, "amount", amount->name, "doc", amount->doc, true))
            return false;
        if (!isfinite(amount->initial) || !(amount->capacity >= 0) || isinf(amount->capacity) || i >= PCM_MAX_AMOUNTS)
            return refuse(image, PCM_MSG_PLUGIN_STATE, "amount", amount->name,
                          ".initial is not finite, .capacity is not a finite number of 0 or more, or there are more "
                          "than 16 amounts");
    }
    return true;
}

/* ---- Partials, kernels, the model itself ------------------------------------------------------------------------ */

static bool partial_known(const pcm_model *model, const pcm_partial *partial)
{
    const uint32_t states = state_columns(model);
    const bool     of = partial->output >= PCM_OUTPUT_RATE ? partial->output - PCM_OUTPUT_RATE < states
                                                           : partial->output <= PCM_OUTPUT_MOMENT_Y;
    if (partial->wrt >= PCM_WRT_PARAM)
        return of && partial->wrt - PCM_WRT_PARAM < model->params.count;
    if (partial->wrt >= PCM_WRT_STATE)
        return of && partial->wrt - PCM_WRT_STATE < states;
    return of && partial->wrt <= PCM_WRT_VELOCITY_Z;
}

static bool check_partials(const pcm_image *image, const pcm_model *model)
{
    for (uint32_t i = 0; i < model->partials.count; i++) {
        const pcm_partial *partial = pcm_model_partial(model, i);
        bool               fits = i < PCM_MAX_PARTIALS && partial_known(model, partial);
        for (uint32_t j = 0; fits && j < i; j++)
            fits = partial->output != pcm_model_partial(model, j)->output ||
                   partial->wrt != pcm_model_partial(model, j)->wrt;
        if (!fits) {
            pcm_report_at(image->context, PCM_ERROR, PCM_MSG_PLUGIN_PARTIAL, &(pcm_place){.file = image->path},
                          "partial %u: its .output or .wrt does not exist in the law, it is listed twice, or there "
                          "are more than 128",
                          (unsigned)i + 1);
            return false;
        }
    }
    return true;
}

static bool check_kernels(const pcm_image *image, const pcm_model *model)
{
    bool plain = false;
    for (uint32_t i = 0; i < model->kernels.count; i++) {
        const pcm_kernel_set *set = pcm_model_kernel_set(model, i);
        if (!pcm_image_holds_code(image, (uintptr_t)set->update) ||
            !pcm_image_holds_code(image, (uintptr_t)set->establish) ||
            !pcm_image_holds_code(image, (uintptr_t)set->jump) ||
            !pcm_image_holds_code(image, (uintptr_t)set->terminate) ||
            (set->forces && !pcm_image_holds_code(image, (uintptr_t)set->forces)) ||
            (set->pair && !pcm_image_holds_code(image, (uintptr_t)set->pair)))
            return refuse(image, PCM_MSG_PLUGIN_CODE, "model", model->name,
                          "a kernel is NULL; use pcm_rest where the law has none");
        plain = plain || set->isa == PCM_ISA_PLAIN;
    }
    return plain || refuse(image, PCM_MSG_PLUGIN_CODE, "model", model->name, "it has no PCM_ISA_PLAIN kernels");
}

static bool check_model(const pcm_image *image, const pcm_model *model)
{
    if (!check_text(image, "model", model->name, "summary", model->summary, true) ||
        !check_text(image, "model", model->name, "version", model->version, false) ||
        !check_text(image, "model", model->name, "source", model->source, false) ||
        !check_text(image, "model", model->name, "equations", model->equations, false))
        return false;
    if (model->flags & ~known_flags || model->inputs & ~known_inputs || model->outputs & ~known_outputs)
        return refuse(image, PCM_MSG_PLUGIN_NEWER, "model", model->name,
                      "it has flags, inputs or outputs that this PCM does not know; update PCM");
    if ((model->prepare && !pcm_image_holds_code(image, (uintptr_t)model->prepare)) ||
        (model->reach && !pcm_image_holds_code(image, (uintptr_t)model->reach)) ||
        (model->onset && !pcm_image_holds_code(image, (uintptr_t)model->onset)) ||
        (model->gain && !pcm_image_holds_code(image, (uintptr_t)model->gain)) ||
        (model->shear && !pcm_image_holds_code(image, (uintptr_t)model->shear)))
        return refuse(image, PCM_MSG_PLUGIN_CODE, "model", model->name,
                      ".prepare, .reach, .onset, .gain or .shear is not a function of the plugin");
    return true;
}

bool pcm_tables_check(const pcm_image *image, const pcm_model *model)
{
    return pcm_name_plain(model->name) && check_model(image, model) &&
           check_table(image, model, "parameter", &model->params) && check_sides(image, model) &&
           check_states(image, model) && check_given(image, model) && check_events(image, model) &&
           check_derived(image, model) && check_amounts(image, model) && check_partials(image, model) &&
           check_kernels(image, model);
}
