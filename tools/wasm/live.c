/* SPDX-License-Identifier: MIT */
#include "live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/event.h>
#include <pcm/geometry.h>
#include <pcm/jacobian.h>
#include <pcm/materials.h>
#include <pcm/messages.h>

#include "command.h"
#include "live_scene.h"

static struct {
    pcm_context  *context;
    pcm_config   *config;
    pcm_world    *world;
    pcm_matrices *matrices;
    live_scene    scene;
    double       *rows; /* of live_contacts and live_events */
    size_t        row_capacity;
    char         *said;
    size_t        said_length;
    json          says;
    bool          listens; /* `says` is open */
} live;

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

void page_forget(void) {}

static void begin_said(void)
{
    live.says = (json){.out = open_memstream(&live.said, &live.said_length)};
    json_begin_object(&live.says, NULL);
    json_begin_array(&live.says, "diagnostics");
    live.listens = live.says.out;
}

void page_report(const pcm_diagnostic *diagnostic)
{
    if (!live.listens)
        begin_said();
    reading_put_diagnostic(&live.says, diagnostic);
}

const char *live_said(void)
{
    json       *j = answer_begin();
    char       *text = NULL;
    const char *none = "{\"diagnostics\": []}";
    if (live.listens) {
        json_end_array(&live.says);
        json_end_object(&live.says);
        (void)fclose(live.says.out);
        text = live.said;
        live.said = NULL;
        live.listens = false;
    }
    json_text(j, "said", text ? text : none);
    free(text);
    return answer_end();
}

/* ---- The scene --------------------------------------------------------------------------------------------------- */

double *live_room(size_t count) { return live_scene_room(&live.scene, count); }

static void end_world(void)
{
    pcm_matrices_free(live.matrices);
    pcm_world_free(live.world);
    live.matrices = NULL;
    live.world = NULL;
}

void live_clear(void)
{
    end_world();
    live_scene_clear(&live.scene);
    pcm_config_release(live.config);
    pcm_context_free(live.context);
    live.config = NULL;
    live.context = NULL;
}

int live_object(char *names, const char *surface, bool fixed, bool site, bool said, double radius, double mass,
                double yields)
{
    const live_object_def def = {names, surface, fixed, site, said, radius, mass, yields};
    return live_scene_object(&live.scene, &def);
}

bool live_shape(int object, int kind, double a, double b, double c)
{
    return live_scene_shape(&live.scene, (size_t)object, kind, (double[]){a, b, c});
}

bool live_pairs(size_t count) { return live_scene_pairs(&live.scene, count); }

/* ---- A text ------------------------------------------------------------------------------------------------------ */

static pcm_world *new_world(pcm_config *config)
{
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    pcm_world *world = pcm_world_new(config, &def);
    if (world && live_scene_enter(&live.scene, world) && pcm_world_keep_events(world, true) == PCM_OK)
        return world;
    pcm_world_free(world);
    return NULL;
}

static void put_pairs(json *j)
{
    json_begin_array(j, "rules");
    for (size_t i = 0; i < live.scene.n_pairs; i++)
        json_integer(j, NULL, live.scene.pairs[i].rule);
    json_end_array(j);
    json_begin_array(j, "served");
    for (size_t i = 0; i < live.scene.n_pairs; i++)
        json_integer(j, NULL, live.scene.pairs[i].shapeless ? 2 : live.scene.pairs[i].type != NULL);
    json_end_array(j);
}

/* Whether the two have types and rules of the same names and laws, so that contacts can be taken over without a report:
 * a new law acts from the next touch. */
static bool is_alike(const pcm_config *a, const pcm_config *b)
{
    bool same =
        pcm_config_type_count(a) == pcm_config_type_count(b) && pcm_config_rule_count(a) == pcm_config_rule_count(b);
    for (size_t i = 0; same && i < pcm_config_type_count(a); i++) {
        const pcm_type_info *x = pcm_type_get_info(pcm_config_type_at(a, i)),
                            *y = pcm_type_get_info(pcm_config_type_at(b, i));
        same = strcmp(x->name, y->name) == 0 && strcmp(x->model->name, y->model->name) == 0 && x->n_state == y->n_state;
    }
    for (size_t i = 0; same && i < pcm_config_rule_count(a); i++) {
        const pcm_rule_info x = pcm_config_rule_at(a, i), y = pcm_config_rule_at(b, i);
        same = x.kind == y.kind && strcmp(x.a, y.a) == 0 && strcmp(x.b, y.b) == 0 &&
               pcm_type_get_info(x.type)->index == pcm_type_get_info(y.type)->index;
    }
    return same;
}

/* Puts the world in the place of the one before. */
static void replace(pcm_world *world, pcm_context *context, pcm_config *config)
{
    if (live.world && is_alike(live.config, config))
        (void)pcm_world_take_over(world, live.world);
    end_world();
    pcm_config_release(live.config);
    pcm_context_free(live.context);
    live.context = context;
    live.config = config;
    live.world = world;
    live.matrices = pcm_matrices_new(world);
    live_scene_change(&live.scene);
}

const char *live_begin(void)
{
    pcm_context *context;
    pcm_config  *config;
    reading_take(&context, &config);
    const bool rules = config && live_scene_rules(&live.scene, config);
    pcm_world *world = rules ? new_world(config) : NULL;
    if (world) {
        replace(world, context, config);
    } else {
        if (live.world)
            (void)live_scene_rules(&live.scene, live.config);
        pcm_config_release(config);
        pcm_context_free(context);
    }
    json *j = answer_begin();
    json_bool(j, "good", world != NULL);
    if (world)
        put_pairs(j);
    return answer_end();
}

bool live_reset(void)
{
    if (!live.config)
        return false;
    pcm_world *world = new_world(live.config);
    if (!world)
        return false;
    end_world();
    live.world = world;
    live.matrices = pcm_matrices_new(world);
    live_scene_change(&live.scene);
    return true;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

double *live_motion(void) { return live.scene.motion; }

int live_update(double time, double step)
{
    if (!live.world)
        return PCM_BAD_ORDER;
    live_scene_move(&live.scene, live.world, 0);
    live_scene_touch(&live.scene, live.world);
    return (int)pcm_world_update(live.world, time, step);
}

const double *live_wrenches(void) { return live_scene_wrenches(&live.scene, live.world); }

int live_commit(void) { return (int)pcm_world_commit(live.world); }

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static bool has_rows(size_t count)
{
    if (count <= live.row_capacity)
        return true;
    free(live.rows);
    live.rows = malloc(count * sizeof *live.rows);
    live.row_capacity = live.rows ? count : 0;
    return live.rows;
}

/* The rotation that takes the world's axes to the columns of a row-major frame, scalar 0 or more. */
static void put_turn(const double m[9], double q[4])
{
    const double trace[4] = {m[0] + m[4] + m[8], m[0] - m[4] - m[8], m[4] - m[0] - m[8], m[8] - m[0] - m[4]};
    size_t       most = 0;
    for (size_t k = 1; k < 4; k++)
        most = trace[k] > trace[most] ? k : most;
    const double products[4][4] = {{1 + trace[0], m[7] - m[5], m[2] - m[6], m[3] - m[1]},
                                   {m[7] - m[5], 1 + trace[1], m[1] + m[3], m[2] + m[6]},
                                   {m[2] - m[6], m[1] + m[3], 1 + trace[2], m[5] + m[7]},
                                   {m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 + trace[3]}};
    const double scale = copysign(0.5 / sqrt(1 + trace[most]), products[most][0]);
    for (size_t k = 0; k < 4; k++)
        q[k] = scale * products[most][k];
}

static double friction_of(const pcm_type *type)
{
    double friction;
    return pcm_type_friction(type, &friction) ? friction : NAN;
}

static void put_contact(double *to, const pcm_contact_info *c)
{
    const pcm_type_info *type = pcm_type_get_info(c->type);
    const size_t         index = type->written ? pcm_type_get_info(type->written)->index : type->index;
    to[0] = (double)c->id;
    to[1] = (double)c->feature;
    to[2] = live_scene_number(&live.scene, c->base);
    to[3] = live_scene_number(&live.scene, c->follower);
    to[4] = (double)c->rule;
    to[5] = (double)index;
    to[6] = friction_of(c->type);
    to[7] = (double)c->mode;
    memcpy(to + 8, c->point, 3 * sizeof *to);
    put_turn(c->frame, to + 11);
    memcpy(to + 15, c->force, 3 * sizeof *to);
    memcpy(to + 18, c->moment, 3 * sizeof *to);
    to[21] = c->depth;
    memcpy(to + 22, c->slip, 2 * sizeof *to);
    to[24] = c->energy;
    to[25] = c->ledger->work;
    to[26] = c->ledger->dissipated;
    to[27] = c->depth_rate;
}

size_t live_count(void) { return live.world ? pcm_world_contact_count(live.world) : 0; }

const double *live_contacts(void)
{
    const size_t count = live_count();
    if (!has_rows(count * LIVE_CONTACT))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        pcm_contact_info info = {.size = sizeof info};
        if (pcm_world_contact_at(live.world, i, &info) == PCM_OK)
            put_contact(live.rows + i * LIVE_CONTACT, &info);
    }
    return live.rows;
}

size_t live_event_count(void) { return live.world ? pcm_world_event_count(live.world) : 0; }

static void put_event(double *to, const pcm_contact_event *event)
{
    to[0] = (double)event->change;
    to[1] = event->time;
    to[2] = (double)event->id;
    to[3] = (double)event->feature;
    to[4] = live_scene_number(&live.scene, event->base);
    to[5] = live_scene_number(&live.scene, event->follower);
    to[6] = (double)event->rule;
    to[7] = (double)event->mode_before;
    to[8] = (double)event->mode;
}

const double *live_events(void)
{
    const size_t count = live_event_count();
    if (!has_rows(count * LIVE_EVENT))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        pcm_contact_event event = {.size = sizeof event};
        if (pcm_world_event_at(live.world, i, &event) == PCM_OK)
            put_event(live.rows + i * LIVE_EVENT, &event);
    }
    return live.rows;
}

double live_stable(void)
{
    const size_t count = live_count();
    double       least = INFINITY;
    live_scene_forget_loads(&live.scene);
    for (int pass = 0; pass < 2 && live.matrices; pass++)
        for (size_t i = 0; i < count; i++) {
            pcm_contact_info     info = {.size = sizeof info};
            pcm_contact_matrices m = {.size = sizeof m};
            if (pcm_world_contact_at(live.world, i, &info) != PCM_OK || !(info.depth > 0))
                continue;
            const size_t a = (size_t)live_scene_number(&live.scene, info.base),
                         b = (size_t)live_scene_number(&live.scene, info.follower);
            if (pass == 0)
                live_scene_load(&live.scene, a, b);
            else if (pcm_matrices_contact(live.matrices, info.handle, &m) == PCM_OK)
                least = fmin(least, pcm_matrices_step(&m, live_scene_mass(&live.scene, a, b)));
        }
    return least;
}

double live_ahead(double time, double step)
{
    if (!live.world || !live_scene_approaches(&live.scene, step))
        return INFINITY;
    live_scene_move(&live.scene, live.world, step);
    live_scene_touch(&live.scene, live.world);
    (void)pcm_world_update(live.world, time + step, step);
    return live_stable();
}

const double *live_energies(void)
{
    static double sums[4];
    memset(sums, 0, sizeof sums);
    for (size_t i = 0; live.world && i < pcm_config_type_count(live.config); i++) {
        pcm_ledger ledger = {.size = sizeof ledger};
        if (pcm_world_type_ledger(live.world, pcm_config_type_at(live.config, i), &ledger) != PCM_OK)
            continue;
        sums[0] += ledger.work;
        sums[1] += ledger.stored;
        sums[2] += ledger.dissipated;
        sums[3] += ledger.residue;
    }
    return sums;
}
