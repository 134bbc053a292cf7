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
     "normal force of the parts before it, its shares, and the greatest pull"},
    {PCM_CONTACT_RADIUS, "contact_radius", "m", "of the circle of contact, from a part before it"},
    {0, NULL, NULL, NULL},
};

const describe_column describe_outputs[] = {
    {PCM_FRICTION, "force_x, force_y", "N", "tangential force on the follower"},
    {PCM_MOMENT, "moment_n, moment_x, moment_y", "N*m", "moment on the follower"},
    {PCM_ENERGY, "energy", "J", "stored energy"},
    {PCM_DISSIPATION, "dissipation", "W", "power turned into heat"},
    {PCM_LIFE, "life", "", "the law may end the contact"},
    {PCM_MODE, "mode", "", "separated, sticking or slipping"},
    {PCM_SHARES, "elastic_n, adhesive_n, pull_off", "N", "shares of the normal force, and the greatest pull"},
    {PCM_PATCH_RADIUS, "patch_radius", "m", "radius of the circle of contact"},
    {0, NULL, NULL, NULL},
};

const char *describe_unit(const pcm_param *param)
{
    const bool number = param->kind == PCM_KIND_REAL || param->kind == PCM_KIND_LIST;
    return number && strcmp(param->unit, "1") != 0 ? param->unit : "";
}

static describe_text describe_choices(const char *const *choices)
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

describe_text describe_range(const pcm_param *param)
{
    switch (param->kind) {
    case PCM_KIND_SWITCH:
        return (describe_text){"true or false"};
    case PCM_KIND_CHOICE:
        return describe_choices(param->choices);
    case PCM_KIND_TEXT:
        return (describe_text){"text"};
    case PCM_KIND_LIST: {
        describe_text out = describe_interval(param);
        describe_text list;
        (void)snprintf(list.text, sizeof list.text, "list, %.240s", out.text);
        return list;
    }
    case PCM_KIND_INTEGER: {
        describe_text out = describe_interval(param);
        return strcmp(out.text, "any number") == 0 ? (describe_text){"any whole number"} : out;
    }
    default:
        return describe_interval(param);
    }
}

static describe_text describe_list(pcm_list list)
{
    describe_text out = {"("};
    size_t        used = 1;
    for (size_t i = 0; i < list.count && used < sizeof out.text; i++)
        used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%s%s", i ? ", " : "",
                                 pcm_number(list.values[i], 0).text);
    if (used + 2 <= sizeof out.text)
        (void)snprintf(out.text + used, sizeof out.text - used, ")");
    return out;
}

static describe_text describe_quoted(const char *text)
{
    describe_text out;
    (void)snprintf(out.text, sizeof out.text, "\"%s\"", text ? text : "");
    return out;
}

static describe_text describe_word(const char *word)
{
    describe_text out;
    (void)snprintf(out.text, sizeof out.text, "%s", word);
    return out;
}

describe_text describe_default(const pcm_param *param)
{
    if (param->flags & PCM_REQUIRED)
        return (describe_text){"required"};
    switch (param->kind) {
    case PCM_KIND_SWITCH:
        return describe_word(param->fallback != 0 ? "true" : "false");
    case PCM_KIND_CHOICE:
        return describe_word(param->choices[(size_t)param->fallback]);
    case PCM_KIND_TEXT:
        return describe_quoted(param->text);
    case PCM_KIND_LIST:
        return describe_word("()");
    default:
        return describe_word(pcm_number(param->fallback, 0).text);
    }
}

describe_text describe_value(const pcm_value *value)
{
    switch (value->param->kind) {
    case PCM_KIND_SWITCH:
        return describe_word(value->number != 0 ? "true" : "false");
    case PCM_KIND_CHOICE:
        return describe_word(value->text);
    case PCM_KIND_TEXT:
        return describe_quoted(value->text);
    case PCM_KIND_LIST:
        return describe_list(value->list);
    default:
        return describe_word(pcm_number(value->number, 0).text);
    }
}
