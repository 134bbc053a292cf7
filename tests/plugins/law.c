/* SPDX-License-Identifier: MIT */
#include "law.h"

#include <stdio.h>
#include <stdlib.h>
#include <pcm/messages.h>

const char *const law_plugins = PCM_TEST_PLUGINS;

static void complain(void *user, const pcm_diagnostic *diagnostic)
{
    char text[2048];
    (void)user;
    if (diagnostic->code == PCM_MSG_UNUSED_TYPE)
        return;
    pcm_diagnostic_format(diagnostic, text, sizeof text);
    print_error("%s", text);
}

static law open_text(const char *directory, uint32_t isa, const char *model, const char *parameters, va_list values)
{
    char block[1024], text[2048];
    vsnprintf(block, sizeof block, parameters, values);
    /* There is no rule, since a rule rejects a law that is only a part. */
    snprintf(text, sizeof text, "ContactType C = %s { %s };\n", model, block);

    pcm_context_def def = pcm_context_defaults();
    def.sink = complain;
    def.plugin_path = directory;
    def.flags = PCM_NO_DEFAULT_PATHS;
    def.isa = isa;
    law l = {.context = pcm_context_new(&def)};
    assert_non_null(l.context);
    l.config = pcm_config_parse(l.context, "test", text, strlen(text));
    assert_non_null(l.config);
    l.type = pcm_config_type_find(l.config, "C");
    assert_non_null(l.type);
    l.info = pcm_type_get_info(l.type);
    return l;
}

law law_open_at(const char *directory, uint32_t isa, const char *model, const char *parameters, ...)
{
    va_list values;
    va_start(values, parameters);
    const law l = open_text(directory, isa, model, parameters, values);
    va_end(values);
    return l;
}

law law_open(const char *model, const char *parameters, ...)
{
    va_list values;
    va_start(values, parameters);
    const law l = open_text(law_plugins, pcm_context_defaults().isa, model, parameters, values);
    va_end(values);
    return l;
}

void law_close(law *l)
{
    pcm_config_release(l->config);
    pcm_context_free(l->context);
}

double law_asked(const law *l, const char *name, const pcm_load *load)
{
    const pcm_derived *derived = l->info->model->derived.entries;
    for (uint32_t i = 0; i < l->info->model->derived.count; i++)
        if (strcmp(derived[i].name, name) == 0)
            return pcm_type_derived(l->type, i, load);
    return NAN;
}

double law_derived(const law *l, const char *name, double force, double depth)
{
    const double value = law_asked(l, name, &(pcm_load){.size = sizeof(pcm_load), .force = force, .depth = depth});
    if (isnan(value))
        fail_msg("no derived value %s", name);
    return value;
}

lanes lanes_open(size_t count)
{
    lanes    l = {.count = count};
    double **single[LANES_SINGLE] = {&l.depth,   &l.depth_rate, &l.slip_x,     &l.slip_y,     &l.x,
                                     &l.y,       &l.z,          &l.velocity_x, &l.velocity_y, &l.velocity_z,
                                     &l.force_n, &l.force_x,    &l.force_y,    &l.energy,     &l.dissipation};
    double **many[] = {l.state, l.host_inputs, l.next, l.rate, l.event};
    double  *column = l.memory = calloc(LANES_COLUMNS * count, sizeof *column);
    assert_non_null(column);
    for (size_t i = 0; i < LANES_SINGLE; i++, column += count)
        *single[i] = column;
    for (size_t i = 0; i < 5 * LAW_COLUMNS; i++, column += count)
        many[i / LAW_COLUMNS][i % LAW_COLUMNS] = column;
    l.life = (int64_t *)(void *)column;
    l.mode = (int64_t *)(void *)(column + count);
    column += 2 * count;
    for (size_t i = 0; i < LAW_MORE; i++, column += count)
        l.more[i] = column;
    for (size_t i = 0; i < (LAW_MORE - LAW_OUTPUTS_END) * count; i++)
        l.more[LAW_OUTPUTS_END][i] = NAN;
    for (size_t i = 0; i < 4 * LAW_AMOUNTS; i++, column += count)
        l.amount[i / LAW_AMOUNTS][i % LAW_AMOUNTS] = column;
    return l;
}

void lanes_close(lanes *l) { free(l->memory); }

void lanes_show(lanes_view *view, const lanes *c, size_t first, size_t count, double dt)
{
    for (size_t i = 0; i < LAW_COLUMNS; i++) {
        view->state[i] = c->state[i] + first;
        view->host_inputs[i] = c->host_inputs[i] + first;
        view->next[i] = c->next[i] + first;
        view->rate[i] = c->rate[i] + first;
        view->event[i] = c->event[i] + first;
    }
    for (size_t i = 0; i < LAW_AMOUNTS; i++) {
        view->amount[0][i] = c->amount[0][i] + first;
        view->amount[1][i] = c->amount[1][i] + first;
        view->flow[0][i] = c->amount[2][i] + first;
        view->flow[1][i] = c->amount[3][i] + first;
    }
#define MORE(name) .name = c->more[LAW_MORE_##name] + first,
    view->batch = (pcm_batch){.size = sizeof view->batch,
                              .count = count,
                              .dt = dt,
                              .depth = c->depth + first,
                              .depth_rate = c->depth_rate + first,
                              .slip_x = c->slip_x + first,
                              .slip_y = c->slip_y + first,
                              .x = c->x + first,
                              .y = c->y + first,
                              .z = c->z + first,
                              .velocity_x = c->velocity_x + first,
                              .velocity_y = c->velocity_y + first,
                              .velocity_z = c->velocity_z + first,
                              .host_inputs = view->host_inputs,
                              .state = view->state,
                              .next = view->next,
                              .rate = view->rate,
                              .event = view->event,
                              .force_n = c->force_n + first,
                              .force_x = c->force_x + first,
                              .force_y = c->force_y + first,
                              .energy = c->energy + first,
                              .dissipation = c->dissipation + first,
                              .life = c->life + first,
                              .mode = c->mode + first,
                              .base_amount = view->amount[0],
                              .follower_amount = view->amount[1],
                              .base_flow = view->flow[0],
                              .follower_flow = view->flow[1],
                              LAW_MORE_INPUTS(MORE) LAW_MORE_OUTPUTS(MORE) LAW_MORE_SHAPE(MORE)};
#undef MORE
}

void lanes_call(const law *l, pcm_verb_kind verb, const lanes *c, size_t first, size_t count, double dt)
{
    lanes_view view;
    lanes_show(&view, c, first, count, dt);
    pcm_type_call(l->type, verb, &view.batch);
}

void lanes_commit(lanes *l)
{
    for (size_t i = 0; i < LAW_COLUMNS; i++)
        memcpy(l->state[i], l->next[i], l->count * sizeof(double));
}

double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed * 0x1p-63;
}
