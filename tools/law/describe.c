/* SPDX-License-Identifier: MIT */
#include "describe.h"

#include <math.h>
#include <pcm/messages.h>
#include <stdio.h>
#include <string.h>

const describe_column describe_inputs[] = {
    {PCM_DEPTH, "depth", "m", "penetration, above 0 when overlapping"},
    {PCM_DEPTH_RATE, "depth_rate", "m/s", "above 0 when approaching"},
    {PCM_SLIP, "slip_x, slip_y", "m/s", "tangential velocity of the follower relative to the base"},
    {PCM_SPIN, "spin_x, spin_y, spin_n", "rad/s", "angular velocity of the follower relative to the base"},
    {PCM_POSITION, "x, y, z", "m", "the contact point in the base's axes"},
    {PCM_VELOCITY, "velocity_x, velocity_y, velocity_z", "m/s",
     "its velocity relative to the base, in the base's axes"},
    {PCM_RADIUS, "radius", "m", "reduced radius of curvature"},
    {PCM_MASS, "mass", "kg", "reduced mass"},
    {PCM_LOAD, "load_n, load_elastic, load_adhesive, load_pull_off", "N",
     "normal force of the earlier parts, its shares, and the largest pull"},
    {PCM_CONTACT_RADIUS, "contact_radius", "m", "radius of the contact circle, from an earlier part"},
    {PCM_LOSS, "loss_friction, loss_damping", "W", "heat of earlier parts: of friction that slips, and all other"},
    {PCM_LOSS, "load_x, load_y", "N", "tangential force of the earlier parts"},
    {PCM_BODY_SPINS, "base_spin_x, base_spin_y, base_spin_n, follower_spin_x, follower_spin_y, follower_spin_n",
     "rad/s", "angular velocity of each body"},
    {PCM_AXES, "base_axis_x, base_axis_y, base_axis_n, follower_axis_x, follower_axis_y, follower_axis_n", "1",
     "an axis of each body: BaseAxis, FollowerAxis"},
    {PCM_FRESH, "fresh", "1", "1 where both objects are as new, for bonds that are there from the beginning"},
    {PCM_AREA, "area", "m^2", "what the contact stands for of its pair's patch"},
    {PCM_SHARE, "share", "1", "of the patch; those of a pair sum to 1"},
    {PCM_CURVATURE, "curvature_1, curvature_2", "1/m", "principal relative curvatures of the bodies at the point"},
    {PCM_CURVATURE_AXIS, "curvature_x, curvature_y", "1", "direction of the smaller curvature, or of a line"},
    {PCM_EXTENT, "point_part, patch_part", "1",
     "how much of the force is that of a point, and of the whole line or flat"},
    {PCM_EXTENT, "line_length, flat_area", "m, m^2", "of the whole line or flat that the bodies share"},
    {PCM_EXTENT, "line_curvature, flat_aspect", "1/m, 1",
     "curvature across the line; how long the flat is to its width"},
    {0, NULL, NULL, NULL},
};

const describe_column describe_outputs[] = {
    {PCM_FRICTION, "force_x, force_y", "N", "tangential force on the follower"},
    {PCM_MOMENT, "moment_n, moment_x, moment_y", "N*m", "moment on the follower"},
    {PCM_ENERGY, "energy", "J", "stored energy"},
    {PCM_DISSIPATION, "dissipation", "W", "dissipated power"},
    {PCM_LIFE, "life", "", "the law may end the contact"},
    {PCM_MODE, "mode", "", "separated, sticking or slipping"},
    {PCM_SHARES, "elastic_n, adhesive_n, pull_off", "N", "shares of the normal force, and the largest pull"},
    {PCM_PATCH_RADIUS, "patch_radius", "m", "radius of the contact circle"},
    {PCM_ONSET, "onset", "m", "the largest gap at which the contact may begin"},
    {0, NULL, NULL, NULL},
};

static describe_text describe_words(const char *const *choices)
{
    describe_text out = {""};
    size_t        used = 0;
    for (size_t i = 0; choices[i] && used < sizeof out.text; i++) {
        const char *between = i == 0 ? "" : choices[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%s%s", between, choices[i]);
    }
    return out;
}

static describe_text describe_interval(const pcm_param *param)
{
    const bool    has_min = isfinite(param->min), has_max = isfinite(param->max);
    const bool    open_min = param->flags & PCM_OPEN_MIN, open_max = param->flags & PCM_OPEN_MAX;
    describe_text out = {"any number"};
    if (has_min && has_max)
        (void)snprintf(out.text, sizeof out.text, "%s%s, %s%s", open_min ? "(" : "[", pcm_number(param->min, 0).text,
                       pcm_number(param->max, 0).text, open_max ? ")" : "]");
    else if (has_min)
        (void)snprintf(out.text, sizeof out.text, "%s %s", open_min ? ">" : ">=", pcm_number(param->min, 0).text);
    else if (has_max)
        (void)snprintf(out.text, sizeof out.text, "%s %s", open_max ? "<" : "<=", pcm_number(param->max, 0).text);
    return out;
}

static describe_text describe_whole(const pcm_param *param)
{
    describe_text out = describe_interval(param);
    return strcmp(out.text, "any number") == 0 ? (describe_text){"any whole number"} : out;
}

static describe_text describe_switch(const pcm_param *param)
{
    (void)param;
    return (describe_text){"true or false"};
}

static describe_text describe_choice(const pcm_param *param) { return describe_words(param->choices); }

static describe_text describe_any_text(const pcm_param *param)
{
    (void)param;
    return (describe_text){"text"};
}

static describe_text describe_items(const pcm_param *param)
{
    describe_text out = describe_interval(param);
    describe_text list;
    (void)snprintf(list.text, sizeof list.text, "list, %.240s", out.text);
    return list;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static describe_text number_text(const pcm_value *value)
{
    describe_text out;
    (void)snprintf(out.text, sizeof out.text, "%s", pcm_number(value->number, 0).text);
    return out;
}

static describe_text word_text(const pcm_value *value)
{
    describe_text out;
    (void)snprintf(out.text, sizeof out.text, "%s", value->text);
    return out;
}

static describe_text switch_text(const pcm_value *value)
{
    return value->number != 0 ? (describe_text){"true"} : (describe_text){"false"};
}

static describe_text quoted_text(const pcm_value *value)
{
    describe_text out;
    (void)snprintf(out.text, sizeof out.text, "\"%s\"", value->text);
    return out;
}

static describe_text list_text(const pcm_value *value)
{
    describe_text out = {"("};
    size_t        used = 1;
    for (size_t i = 0; i < value->list.count && used < sizeof out.text; i++)
        used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%s%s", i ? ", " : "",
                                 pcm_number(value->list.values[i], 0).text);
    if (used + 2 <= sizeof out.text)
        (void)snprintf(out.text + used, sizeof out.text - used, ")");
    return out;
}

static void number_json(json *j, const char *key, const pcm_value *value) { json_number(j, key, value->number); }

static void switch_json(json *j, const char *key, const pcm_value *value) { json_bool(j, key, value->number != 0); }

static void text_json(json *j, const char *key, const pcm_value *value) { json_text(j, key, value->text); }

static void list_json(json *j, const char *key, const pcm_value *value)
{
    json_begin_array(j, key);
    for (size_t i = 0; i < value->list.count; i++)
        json_number(j, NULL, value->list.values[i]);
    json_end_array(j);
}

/* ---- Kinds of parameters ----------------------------------------------------------------------------------------- */

/* The kinds of parameters: name in JSON, whether it has a unit, the range, and a value as text and as JSON. */
static const struct kind {
    const char *name;
    bool        has_unit;
    describe_text (*range)(const pcm_param *param);
    describe_text (*value)(const pcm_value *value);
    void (*json)(json *j, const char *key, const pcm_value *value);
} kinds[] = {
    [PCM_KIND_REAL] = {"real", true, describe_interval, number_text, number_json},
    [PCM_KIND_INTEGER] = {"integer", false, describe_whole, number_text, number_json},
    [PCM_KIND_SWITCH] = {"switch", false, describe_switch, switch_text, switch_json},
    [PCM_KIND_CHOICE] = {"choice", false, describe_choice, word_text, text_json},
    [PCM_KIND_TEXT] = {"text", false, describe_any_text, quoted_text, text_json},
    [PCM_KIND_LIST] = {"list", true, describe_items, list_text, list_json},
};
_Static_assert(sizeof kinds / sizeof *kinds == PCM_KINDS, "a kind of parameter is not described");

const char *describe_kind(const pcm_param *param) { return kinds[param->kind].name; }

const char *describe_unit(const pcm_param *param)
{
    return kinds[param->kind].has_unit && strcmp(param->unit, "1") != 0 ? param->unit : "";
}

describe_text describe_range(const pcm_param *param) { return kinds[param->kind].range(param); }

describe_text describe_value(const pcm_value *value) { return kinds[value->param->kind].value(value); }

pcm_value describe_default_value(const pcm_param *param)
{
    const char *text = param->text ? param->text : "";
    if (param->kind == PCM_KIND_CHOICE)
        text = param->choices[(size_t)param->fallback];
    return (pcm_value){.param = param, .number = param->fallback, .text = text};
}

describe_text describe_default(const pcm_param *param)
{
    const pcm_value value = describe_default_value(param);
    return param->flags & PCM_REQUIRED ? (describe_text){"required"} : describe_value(&value);
}

const char *describe_mixing(const pcm_param *param)
{
    static const char *const names[] = {
        [PCM_MIX_NONE] = NULL,
        [PCM_MIX_MEAN] = "mean",
        [PCM_MIX_GEOMETRIC] = "geometric mean",
        [PCM_MIX_HARMONIC] = "harmonic mean",
        [PCM_MIX_MINIMUM] = "smaller",
        [PCM_MIX_MAXIMUM] = "larger",
        [PCM_MIX_MODULUS] = "reduced modulus",
        [PCM_MIX_SHEAR] = "reduced shear modulus",
        [PCM_MIX_BY_LAW] = "mixed by the law",
    };
    _Static_assert(sizeof names / sizeof *names == PCM_MIXES, "a mixing has no name");
    return names[param->mix];
}

bool describe_waits(const pcm_type *type, const pcm_value *value)
{
    return value->param->mix != PCM_MIX_NONE && !value->written && pcm_type_when(type, value->param->when);
}

void describe_json(json *j, const char *key, const pcm_value *value) { kinds[value->param->kind].json(j, key, value); }

const char *const describe_kinds[] = {"ObjectPair", "SurfacePair", "DefaultPair"};

describe_line describe_name(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const char       *quote = name[strspn(name, plain)] ? "\"" : "";
    describe_line     out;
    (void)snprintf(out.text, sizeof out.text, "%s%.1000s%s", quote, name, quote);
    return out;
}

describe_line describe_rule(const pcm_rule_info *rule)
{
    describe_line out;
    const char   *type = pcm_type_get_info(rule->type)->name;
    if (rule->kind == PCM_DEFAULT_PAIR)
        (void)snprintf(out.text, sizeof out.text, "DefaultPair -> %.1002s;", describe_name(type).text);
    else
        (void)snprintf(out.text, sizeof out.text, "%s %.1002s * %.1002s -> %.1002s;", describe_kinds[rule->kind],
                       describe_name(rule->a).text, describe_name(rule->b).text, describe_name(type).text);
    return out;
}

describe_text describe_place(const pcm_place *place)
{
    describe_text out;
    (void)snprintf(out.text, sizeof out.text, "%s:%u:%u", place->file, place->line, place->column);
    return out;
}
