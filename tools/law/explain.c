/* SPDX-License-Identifier: MIT */
/* explain.c - pcm explain: which rule applies to two objects, and the quantities that follow from its contact type. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/materials.h>
#include <pcm/messages.h>

#include "check.h"
#include "command.h"
#include "crash.h"
#include "describe.h"
#include "impact.h"
#include "isolate.h"
#include "text_table.h"
#include "json.h"
#include "rest.h"
#include "suggest.h"

/* One side of the pair: Object, Object:Surface or :Surface. */
typedef struct side {
    const char  *asked;
    check_object object;
} side;

typedef struct answer {
    pcm_config     *config;
    side            a, b;
    size_t          count; /* rules that match, the winner first */
    size_t         *rules;
    bool           *swapped;
    const pcm_type *type; /* the winner's type, between the two materials */
    pcm_load        load; /* NaN if not given */
    size_t          points;
    bool           *is_running;      /* an impact is being simulated; its diagnostics are not shown */
    bool            meets, is_apart; /* meets: the scene lets the two touch; is_apart: it does not */
} answer;

static bool read_side(const char *text, side *s)
{
    char *object = strdup(text), *colon = object ? strrchr(object, ':') : NULL;
    s->asked = text;
    s->object.texts = object;
    s->object.def = PCM_OBJECT(.name = object, .surface = colon ? colon + 1 : "");
    if (colon)
        *colon = '\0';
    return object != NULL;
}

/* Looks up both sides as names in the scene. */
static bool find_in_scene(check_scene *scene, pcm_config *config, answer *found)
{
    char *const texts[2] = {found->a.object.texts, found->b.object.texts};
    const bool  known = check_scene_objects(scene, config, (const char *[]){found->a.asked, found->b.asked},
                                            (check_object *[]){&found->a.object, &found->b.object});
    free(texts[0]);
    free(texts[1]);
    return known;
}

static bool look_at_pair(void *user, const pcm_object_def *a, const pcm_object_def *b)
{
    answer     *found = user;
    const char *first = found->a.asked, *second = found->b.asked;
    found->meets |= (pcm_object_fits(a, first) && pcm_object_fits(b, second)) ||
                    (pcm_object_fits(a, second) && pcm_object_fits(b, first));
    return true;
}

static bool find_both(check_scene *scene, pcm_config *config, answer *found)
{
    const bool known = find_in_scene(scene, config, found) && check_scene_pairs(scene, config, look_at_pair, found);
    found->is_apart = known && !found->meets;
    return known;
}

static bool resolve(answer *found)
{
    const pcm_config *config = found->config;
    const size_t      rules = pcm_config_rule_count(config);
    found->rules = calloc(rules + 1, sizeof *found->rules);
    found->swapped = calloc(rules + 1, sizeof *found->swapped);
    if (!found->rules || !found->swapped)
        return false;
    found->count = pcm_config_resolve_objects(config, &found->a.object.def, &found->b.object.def, found->rules,
                                              found->swapped, rules);
    return true;
}

/* Finds the winner's type between the materials of both sides. False: these cannot be mixed, which has been
 * reported. */
static bool find_type(answer *found)
{
    if (found->count == 0)
        return true;
    found->type = pcm_type_between(pcm_config_rule_at(found->config, found->rules[0]).type,
                                   pcm_config_object_surface(found->config, &found->a.object.def),
                                   pcm_config_object_surface(found->config, &found->b.object.def));
    return found->type != NULL;
}

/* The reason why a rule loses against the winner. */
static const char *reason(const pcm_rule_info *winner, const pcm_rule_info *rule, bool is_later)
{
    if (rule->kind == PCM_DEFAULT_PAIR)
        return "DefaultPair applies only where no other rule does";
    if (winner->kind != rule->kind)
        return "object rules precede surface rules";
    if (winner->pattern > rule->pattern || (winner->pattern == rule->pattern && is_later))
        return "a geom's own names precede its body's";
    if (winner->pattern != rule->pattern)
        return "exact names precede patterns";
    return rule->pattern ? "the later of two patterns wins" : "the later of two rules wins";
}

static const char *base_name(const answer *found) { return (found->swapped[0] ? &found->b : &found->a)->asked; }

static const char *follower_name(const answer *found) { return (found->swapped[0] ? &found->a : &found->b)->asked; }

/* The value that the law derives from its parameters; NaN if, for instance, no load is given. */
static double derive(const answer *found, const pcm_type *type, size_t index)
{
    pcm_load one = found->load;
    one.force /= (double)found->points;
    one.mass /= (double)found->points;
    return pcm_type_derived(type, index, &one);
}

/* Whether the law reads an input that only a simulator can provide. */
static bool lacks_input(const pcm_type *type)
{
    const pcm_model *model = pcm_type_get_info(type)->model;
    for (size_t i = 0; i < model->host_inputs.count; i++) {
        const pcm_host_input *input = pcm_model_host_input(model, i);
        if (!input->fallback && pcm_type_when(type, input->when))
            return true;
    }
    return false;
}

/* Whether the options and the law fully determine the contact of a body that moves along its normal. */
static bool can_run(const answer *found)
{
    const pcm_type_info *info = pcm_type_get_info(found->type);
    const pcm_load      *load = &found->load;
    const bool           has_radius = load->radius > 0 || !(info->model->inputs & PCM_RADIUS);
    return load->mass > 0 && has_radius && !lacks_input(found->type) && !(info->model->inputs & PCM_AREA) &&
           !(info->model->flags & PCM_HOST_CONTACT);
}

/* One of the contact points, with its share of the load and the mass. */
static rest_def one_point(const answer *found)
{
    const side  *base = found->swapped[0] ? &found->b : &found->a;
    const side  *follower = found->swapped[0] ? &found->a : &found->b;
    const double share = 1 / (double)found->points;
    return (rest_def){.config = found->config,
                      .base = &base->object.def,
                      .follower = &follower->object.def,
                      .load = share * found->load.force,
                      .mass = share * found->load.mass,
                      .radius = found->load.radius,
                      .area = NAN};
}

/* The largest stable step of the mass on its contact points; NaN if it is not known. */
static double stable_step(const answer *found)
{
    pcm_contact_matrices known = {.size = sizeof known};
    const rest_def       def = one_point(found);
    return found->load.force > 0 && can_run(found) && rest_matrices(&def, &known) ? pcm_matrices_step(&known, def.mass)
                                                                                  : NAN;
}

static bool has_derived(const answer *found, const char *name)
{
    const pcm_model *model = pcm_type_get_info(found->type)->model;
    for (size_t i = 0; i < model->derived.count; i++)
        if (strcmp(pcm_model_derived(model, i)->name, name) == 0 && isfinite(derive(found, found->type, i)))
            return true;
    return false;
}

/* Results of a simulated impact, for a law without a formula. */
typedef struct struck {
    bool   asked;
    bool   says_restitution, says_time; /* the value comes from the simulation, not from the law */
    impact impact;
} struck;

static struck strike(const answer *found)
{
    struck s = {.impact = {IMPACT_UNKNOWN, NAN, NAN, NAN, NAN}};
    s.asked = found->load.speed > 0 && can_run(found);
    s.says_restitution = s.asked && !has_derived(found, "restitution");
    s.says_time = s.asked && !has_derived(found, "contact_time");
    if (s.asked) {
        const rest_def def = one_point(found);
        *found->is_running = true;
        s.impact = impact_run(&def, found->load.speed);
        *found->is_running = false;
    }
    return s;
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static void print_rules(const answer *found)
{
    const pcm_rule_info winner = pcm_config_rule_at(found->config, found->rules[0]);
    grid                g = {.columns = 4};
    GRID_ADD(&g, "rule", describe_rule(&winner).text, describe_place(&winner.place).text, "wins");
    for (size_t i = 1; i < found->count; i++) {
        const pcm_rule_info rule = pcm_config_rule_at(found->config, found->rules[i]);
        GRID_ADD(&g, "shadowed", describe_rule(&rule).text, describe_place(&rule.place).text,
                 reason(&winner, &rule, found->rules[i] > found->rules[0]));
    }
    const bool by_default = winner.kind == PCM_DEFAULT_PAIR;
    GRID_ADD(&g, "base", base_name(found), "",
             by_default ? "for a DefaultPair, the object that is registered first" : "");
    GRID_ADD(&g, "follower", follower_name(found));
    grid_print(&g, 0);
}

/* The source of the value. */
static describe_text origin_of(const pcm_type *type, const pcm_value *value)
{
    describe_text origin = {"default"};
    if (value->written)
        (void)snprintf(origin.text, sizeof origin.text, "written at %.200s", describe_place(&value->place).text);
    else if (value->mixed)
        (void)snprintf(origin.text, sizeof origin.text, "of both materials: %s", describe_mixing(value->param));
    else if (describe_waits(type, value))
        (void)snprintf(origin.text, sizeof origin.text, "%s: neither material has it",
                       value->param->flags & PCM_REQUIRED ? "missing" : "default");
    return origin;
}

/* A side's value of a property, or the default in parentheses. */
static describe_text side_text(const pcm_type *type, size_t property, size_t which)
{
    const pcm_value value = pcm_type_property_at(type, property, which);
    describe_text   out;
    (void)snprintf(out.text, sizeof out.text, value.written ? "%s" : "(%s)", describe_value(&value).text);
    return out;
}

static void print_sides(const pcm_type *type)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    if (type == info->written)
        return;
    grid g = {.columns = 4};
    (void)printf("\nmaterials\n");
    GRID_ADD(&g, "", *info->material[0] ? info->material[0] : "(none)",
             *info->material[1] ? info->material[1] : "(none)");
    for (size_t i = 0; i < pcm_type_property_count(type); i++) {
        const pcm_param *property = pcm_type_property_at(type, i, 0).param;
        GRID_ADD(&g, property->name, side_text(type, i, 0).text, side_text(type, i, 1).text, describe_unit(property));
    }
    grid_print(&g, 2);
}

static void print_values(const pcm_type *type)
{
    grid g = {.columns = 5};
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        const bool      matters = pcm_type_when(type, value.param->when);
        describe_text   idle = {""};
        if (!matters)
            (void)snprintf(idle.text, sizeof idle.text, "no effect: only with %.200s", value.param->when);
        GRID_ADD(&g, value.param->name, describe_value(&value).text, describe_unit(value.param),
                 origin_of(type, &value).text, idle.text);
    }
    grid_print(&g, 2);
}

static describe_text number_or_dash(double value)
{
    describe_text out = {"-"};
    if (isfinite(value))
        (void)snprintf(out.text, sizeof out.text, "%s", pcm_number(value, 4).text);
    return out;
}

/* Whether the simulation replaces the law's number of that name. */
static bool replaces(const struck *s, const char *name)
{
    return (s->says_restitution && strcmp(name, "restitution") == 0) ||
           (s->says_time && strcmp(name, "contact_time") == 0);
}

/* The uncertainty that is printed after a number from the simulation. */
static describe_text of_run(const impact *hit, double error, double allowed)
{
    static const char *const ends[] = {[IMPACT_UNKNOWN] = "of that impact: a run of it finds no end",
                                       [IMPACT_LEAVES] = "of that impact, from a run of it",
                                       [IMPACT_STAYS] = "of that impact, from a run of it: it does not leave"};
    describe_text            out;
    (void)snprintf(out.text, sizeof out.text, "%s", ends[hit->end]);
    if (error > allowed)
        (void)snprintf(out.text, sizeof out.text, "%s, to within %s", ends[hit->end], pcm_number(error, 1).text);
    return out;
}

static void add_struck(grid *g, const struck *s)
{
    const impact *hit = &s->impact;
    if (s->says_restitution)
        GRID_ADD(g, "restitution", number_or_dash(hit->restitution).text, "",
                 of_run(hit, hit->restitution_error, IMPACT_TOLERANCE).text);
    if (s->says_time)
        GRID_ADD(g, "contact_time", number_or_dash(hit->time).text, "s",
                 of_run(hit, hit->time_error, IMPACT_TOLERANCE * hit->time).text);
}

static void print_derived(const answer *found, const pcm_type *type)
{
    const pcm_model *model = pcm_type_get_info(type)->model;
    const double     step = stable_step(found);
    const struck     hit = strike(found);
    if (model->derived.count == 0 && !model->gain && !isfinite(step) && !hit.asked)
        return;
    grid g = {.columns = 4};
    bool lacks = false;
    for (size_t i = 0; i < model->derived.count; i++) {
        const pcm_derived *derived = pcm_model_derived(model, i);
        const double       value = derive(found, type, i);
        const char        *unit = strcmp(derived->unit, "1") == 0 ? "" : derived->unit;
        lacks |= !isfinite(value) && !replaces(&hit, derived->name);
        if (isfinite(value) || !replaces(&hit, derived->name))
            GRID_ADD(&g, derived->name, number_or_dash(value).text, unit, derived->doc);
    }
    crash_call(type, "gain");
    const double gain = model->gain ? model->gain(pcm_type_get_info(type)->params) : 0;
    crash_call(NULL, NULL);
    if (model->gain)
        GRID_ADD(&g, "gain", pcm_number(gain, 4).text, "",
                 "a closed path may return this share of the work put in more than was put in");
    add_struck(&g, &hit);
    if (isfinite(step))
        GRID_ADD(&g, "stable_step", pcm_number(step, 2).text, "s",
                 "of semi-implicit Euler steps of that mass, which rests on the contact under the load");
    (void)printf("\nfollows from these parameters");
    if (isfinite(found->load.force))
        (void)printf(", %s N on %zu point%s", pcm_number(found->load.force, 0).text, found->points,
                     found->points == 1 ? "" : "s in parallel");
    (void)putchar('\n');
    grid_print(&g, 2);
    if (lacks)
        (void)printf("  (-: give --load, --compression, --speed, --mass or --radius)\n");
}

/* The object and the surface of a side that rules of this kind may name; either may be "". */
static pcm_object_def named_by(const side *s, pcm_rule_kind kind)
{
    return kind == PCM_OBJECT_PAIR ? s->object.def : PCM_OBJECT(.name = s->object.def.surface);
}

/* Whether some rule of the kind names the side, or there is nothing to name; otherwise *nearest becomes the closest
 * name that rules use. */
static bool is_named(const answer *found, pcm_rule_kind kind, const side *s, options_hint *nearest)
{
    const pcm_object_def asked = named_by(s, kind);
    const char *const    name = asked.name;
    pcm_suggestion       suggestion = pcm_suggest(name, strlen(name));
    *nearest = (options_hint){""};
    for (size_t i = 0; i < pcm_config_rule_count(found->config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(found->config, i);
        if (rule.kind != kind)
            continue;
        if (*name == '\0' || pcm_object_fits(&asked, rule.a) || pcm_object_fits(&asked, rule.b))
            return true;
        pcm_suggest_try(&suggestion, rule.a, strlen(rule.a));
        pcm_suggest_try(&suggestion, rule.b, strlen(rule.b));
    }
    *nearest = options_hint_of(&suggestion);
    return *name == '\0';
}

/* Whether the file has a surface of that name, in a material or a rule. */
static bool is_surface(const pcm_config *config, const char *name)
{
    for (size_t i = 0; i < pcm_config_material_count(config); i++)
        if (strcmp(pcm_config_material_at(config, i).name, name) == 0)
            return true;
    for (size_t i = 0; i < pcm_config_rule_count(config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(config, i);
        if (rule.kind == PCM_SURFACE_PAIR && (strcmp(rule.a, name) == 0 || strcmp(rule.b, name) == 0))
            return true;
    }
    return false;
}

static void print_unnamed(const answer *found)
{
    const side *const sides[] = {&found->a, &found->b};
    for (size_t i = 0; i < 4; i++) {
        const pcm_rule_kind kind = i < 2 ? PCM_OBJECT_PAIR : PCM_SURFACE_PAIR;
        const side         *s = sides[i % 2];
        const char         *name = named_by(s, kind).name;
        options_hint        nearest;
        if (is_named(found, kind, s, &nearest))
            continue;
        (void)printf("no %s matches '%s'%s\n", describe_kinds[kind], name, nearest.text);
        if (i < 2 && *s->object.def.surface == '\0' && is_surface(found->config, name))
            (void)printf("'%s' is a surface: to ask about it, write :%s\n", name, name);
    }
}

static void print_touching(const answer *found)
{
    char text[256];
    touching_write_pair(&found->a.object.touches, &found->b.object.touches, text, sizeof text);
    if (*text)
        (void)printf("touching  %s\n", text);
}

static void print_answer(const answer *found)
{
    if (found->is_apart)
        (void)printf(
            "the scene never lets the two touch: both are fixed, of one body or a body and its parent, or filtered "
            "out\n");
    if (found->count == 0) {
        (void)printf("no rule: the simulator handles the contact\n");
        print_unnamed(found);
        return;
    }
    print_rules(found);
    print_touching(found);
    print_unnamed(found);
    const pcm_type      *type = found->type;
    const pcm_type_info *info = pcm_type_get_info(type);
    (void)printf("\n%s is a %s, %s\n", info->name, info->model->name, describe_place(&info->place).text);
    print_values(type);
    print_sides(type);
    if (info->model->flags & PCM_HOST_CONTACT)
        (void)printf("\nthe simulator handles the contact\n");
    print_derived(found, type);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_place(json *j, const pcm_place *place)
{
    json_text(j, "file", place->file);
    json_integer(j, "line", place->line);
    json_integer(j, "column", place->column);
}

static void json_touching(json *j, const answer *found)
{
    char text[256];
    touching_write_pair(&found->a.object.touches, &found->b.object.touches, text, sizeof text);
    if (*text)
        json_text(j, "touching", text);
}

static void json_rules(json *j, const answer *found)
{
    json_begin_array(j, "rules");
    const pcm_rule_info winner = pcm_config_rule_at(found->config, found->rules[0]);
    for (size_t i = 0; i < found->count; i++) {
        const pcm_rule_info rule = pcm_config_rule_at(found->config, found->rules[i]);
        json_begin_object(j, NULL);
        json_text(j, "kind", describe_kinds[rule.kind]);
        json_text(j, "a", rule.a);
        json_text(j, "b", rule.b);
        json_text(j, "type", pcm_type_get_info(rule.type)->name);
        json_bool(j, "wins", i == 0);
        json_text(j, "why_not", i == 0 ? NULL : reason(&winner, &rule, found->rules[i] > found->rules[0]));
        json_place(j, &rule.place);
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_value(json *j, const pcm_type *type, const pcm_value *value)
{
    json_begin_object(j, NULL);
    json_text(j, "name", value->param->name);
    describe_json(j, "value", value);
    json_text(j, "unit", value->param->unit);
    json_bool(j, "written", value->written);
    json_bool(j, "mixed", value->mixed);
    json_bool(j, "matters", pcm_type_when(type, value->param->when));
    if (value->written)
        json_place(j, &value->place);
    json_end_object(j);
}

static void json_sides(json *j, const pcm_type *type)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    json_begin_array(j, "materials");
    for (size_t which = 0; which < 2 && type != info->written; which++) {
        json_begin_object(j, NULL);
        json_text(j, "name", info->material[which]);
        json_begin_array(j, "properties");
        for (size_t i = 0; i < pcm_type_property_count(type); i++) {
            const pcm_value value = pcm_type_property_at(type, i, which);
            json_value(j, type, &value);
        }
        json_end_array(j);
        json_end_object(j);
    }
    json_end_array(j);
}

/* Writes the numbers of the simulation, even if the law has its own. */
static void json_struck(json *j, const answer *found)
{
    static const char *const ends[] = {[IMPACT_LEAVES] = "leaves", [IMPACT_STAYS] = "stays"};
    const struck             s = strike(found);
    json_begin_object(j, "impact");
    json_text(j, "ends", ends[s.impact.end]);
    json_number(j, "restitution", s.impact.restitution);
    json_number(j, "restitution_error", s.impact.restitution_error);
    json_number(j, "contact_time", s.impact.time);
    json_number(j, "contact_time_error", s.impact.time_error);
    json_end_object(j);
}

static void json_type(json *j, const answer *found, const pcm_type *type)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    json_begin_object(j, "type");
    json_text(j, "name", info->name);
    json_text(j, "model", info->model->name);
    json_place(j, &info->place);
    json_begin_array(j, "parameters");
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        json_value(j, type, &value);
    }
    json_end_array(j);
    json_sides(j, type);
    json_begin_array(j, "derived");
    for (size_t i = 0; i < info->model->derived.count; i++) {
        const pcm_derived *derived = pcm_model_derived(info->model, i);
        json_begin_object(j, NULL);
        json_text(j, "name", derived->name);
        json_number(j, "value", derive(found, type, i));
        json_text(j, "unit", derived->unit);
        json_text(j, "doc", derived->doc);
        json_end_object(j);
    }
    json_end_array(j);
    json_number(j, "stable_step", stable_step(found));
    json_struck(j, found);
    json_end_object(j);
}

static void json_unnamed(json *j, const answer *found)
{
    const side *const sides[] = {&found->a, &found->b};
    options_hint      nearest;
    json_begin_array(j, "unnamed_objects");
    for (size_t i = 0; i < 2; i++)
        if (!is_named(found, PCM_OBJECT_PAIR, sides[i], &nearest))
            json_text(j, NULL, sides[i]->object.def.name);
    json_end_array(j);
    json_begin_array(j, "unnamed_surfaces");
    for (size_t i = 0; i < 2; i++)
        if (!is_named(found, PCM_SURFACE_PAIR, sides[i], &nearest))
            json_text(j, NULL, sides[i]->object.def.surface);
    json_end_array(j);
}

static void json_answer(json *j, const answer *found)
{
    json_begin_object(j, NULL);
    json_bool(j, "covered", found->count > 0);
    if (found->is_apart)
        json_bool(j, "apart", true);
    json_unnamed(j, found);
    if (found->count > 0) {
        json_text(j, "base", base_name(found));
        json_text(j, "follower", follower_name(found));
        json_rules(j, found);
        json_touching(j, found);
        json_type(j, found, found->type);
    }
    json_end_object(j);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static const char about[] =
    "Shows which rule of a .pcm file applies to two objects, where it is written and which rules it shadows;\n"
    "then the contact type, the value of every parameter and whether it was written, and what follows from\n"
    "them: with --load and --mass (and --radius where the law reads it) the largest stable step, with --speed\n"
    "and --mass the restitution and the contact time of an impact, from a simulated impact where the law has no\n"
    "formula.\n"
    "A and B are Object, Object:Surface or :Surface; with --scene, objects of a scene, which gives their\n"
    "surfaces.";

static const char examples[] = "  pcm explain rise.pcm FrontRightFoot Wall\n"
                               "  pcm explain rise.pcm FrontLeftFoot:Sticky Ground:Normal --load 100 --points 4\n"
                               "  pcm explain rise.pcm :Normal :Glass --json\n"
                               "  pcm explain legs.pcm Floor FR_calf:sphere --scene legs.xml";

static int explain(pcm_context *context, const char *path, const option_texts *settings, check_scene *scene,
                   answer *found, bool as_json)
{
    pcm_config *config = command_config(context, path, settings);
    found->config = config;
    if (!config || (scene && !find_both(scene, config, found))) {
        pcm_config_release(config);
        return EXIT_WRONG;
    }
    const bool resolved = resolve(found);
    const bool good = resolved && find_type(found);
    json       out = {.out = stdout};
    if (!resolved)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    else if (!good)
        print_rules(found);
    else if (as_json)
        json_answer(&out, found);
    else
        print_answer(found);
    free(found->rules);
    free(found->swapped);
    pcm_config_release(config);
    return good ? EXIT_GOOD : EXIT_WRONG;
}

/* A sink; while an impact is simulated it passes on only errors of memory. */
static void report(void *user, const pcm_diagnostic *diagnostic)
{
    const bool *is_running = user;
    if (!*is_running || diagnostic->code == PCM_MSG_OUT_OF_MEMORY)
        command_report(NULL, diagnostic);
}

int explain_run(int argc, char **argv)
{
    const char     *plugins = NULL;
    bool            isolated = false;
    bool            as_json = false;
    check_scene_def scene = {.robot = OPTION_ROBOT_NONE};
    bool            is_running = false;
    answer       found = {.load = {sizeof(pcm_load), NAN, NAN, NAN, NAN, NAN}, .points = 1, .is_running = &is_running};
    option_texts settings = {0};
    const option options[] = {
        OPTION_PLUGINS(&plugins),
        OPTION_SET(&settings),
        {.name = "--scene",
         .value = "SCENE.xml",
         .doc = "A and B are objects of that MuJoCo scene, by any of their names",
         .text = &scene.path},
        OPTION_ROBOT(&scene.robot),
        OPTION_SURFACES(&scene.surfaces),
        {.name = "--load", .value = "N", .doc = "the total load on the contacts", .positive = &found.load.force},
        {.name = "--points", .value = "COUNT", .doc = "how many contacts share the load", .count = &found.points},
        {.name = "--compression", .value = "M", .doc = "the compression to design for", .positive = &found.load.depth},
        {.name = "--speed", .value = "M/S", .doc = "the speed of an impact", .positive = &found.load.speed},
        {.name = "--mass", .value = "KG", .doc = "the reduced mass of the two", .positive = &found.load.mass},
        {.name = "--radius", .value = "M", .doc = "their reduced radius", .positive = &found.load.radius},
        {.name = "--json", .doc = "print JSON", .flag = &as_json},
        OPTION_ISOLATE(&isolated)};
    const command_line line = {.name = "explain",
                               .usage = "FILE.pcm A B [--load N] [--points COUNT] [--compression M] [--speed M/S]\n"
                                        "       [--mass KG] [--radius M] [--scene SCENE.xml] [--json]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 3,
                               .max_words = 3};
    option_texts       words;
    int                status;
    if (options_read(&line, argc, argv, &words, &status)) {
        pcm_context *context = command_context(plugins, report, &is_running);
        check_scene *read = context && scene.path ? check_scene_open(context, &scene) : NULL;
        const bool   has_sides = context && read_side(words.at[1], &found.a) && read_side(words.at[2], &found.b);
        if (context && !has_sides)
            command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        status = EXIT_WRONG;
        if (has_sides && (read || !scene.path) && isolate_reader(isolated, &status))
            status = explain(context, words.at[0], &settings, read, &found, as_json);
        check_scene_close(read);
        pcm_context_free(context);
        free(found.a.object.texts);
        free(found.b.object.texts);
    }
    free(words.at);
    free(settings.at);
    free(scene.surfaces.at);
    free(scene.robot.packages.at);
    return status;
}
