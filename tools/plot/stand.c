/* SPDX-License-Identifier: MIT */
#include "stand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"

/* The columns that depend on the position. */
static const struct driven {
    const char *column;
    stand_axis  axis;
    double      sign;
} driven[] = {
    {"depth", STAND_DEPTH, 1}, {"z", STAND_DEPTH, -1}, {"depth_rate", STAND_RATE, 1}, {"velocity_z", STAND_RATE, -1},
    {"slip_x", STAND_SLIP, 1}, {"x", STAND_WAY, 1},    {"velocity_x", STAND_SLIP, 1},
};

/* Inputs with a default: the contact does not rotate, and the bodies' axes are the contact frame's x. */
static const struct usual {
    const char *column;
    double      value;
} usual[] = {
    {"slip_y", 0},          {"y", 0},           {"velocity_y", 0},      {"spin_x", 0},          {"spin_y", 0},
    {"spin_n", 0},          {"base_spin_x", 0}, {"base_spin_y", 0},     {"base_spin_n", 0},     {"follower_spin_x", 0},
    {"follower_spin_y", 0}, {"fresh", 1},       {"follower_spin_n", 0}, {"base_axis_x", 1},     {"base_axis_y", 0},
    {"base_axis_n", 0},     {"share", 1},       {"follower_axis_x", 1}, {"follower_axis_y", 0}, {"follower_axis_n", 0},
};

enum { DRIVEN = sizeof driven / sizeof *driven, USUAL = sizeof usual / sizeof *usual };

/* The part of a column that depends on the position. */
static stand_input input_of(const char *column)
{
    for (size_t i = 0; i < DRIVEN; i++)
        if (strcmp(driven[i].column, column) == 0)
            return (stand_input){.axis = driven[i].axis, .sign = driven[i].sign};
    return (stand_input){.axis = STAND_AXES};
}

static const char *value_of(const option_texts *inputs, const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = inputs->count; i > 0; i--)
        if (strncmp(inputs->at[i - 1], name, length) == 0 && inputs->at[i - 1][length] == '=')
            return inputs->at[i - 1] + length + 1;
    return NULL;
}

/* The value of a column that the command line does not give; NaN: the command line must give it. */
static double usual_value(const rig_law *law, const rig_column *column)
{
    const pcm_model *model = law->info->model;
    if (!column->needed || column->optional)
        return column->empty;
    for (size_t i = 0; i < USUAL; i++)
        if (strcmp(usual[i].column, column->name) == 0)
            return usual[i].value;
    for (uint32_t i = 0; i < 2 * model->amounts.count; i++)
        if (column->values == law->amounts[i])
            return pcm_model_amount(model, i % model->amounts.count)->initial;
    return NAN;
}

static bool give(stand *s, size_t index, const option_texts *inputs)
{
    const rig_column *column = &s->law.inputs[index];
    stand_input      *input = &s->inputs[index];
    const char       *text = value_of(inputs, column->name);
    *input = input_of(column->name);
    if (text && (pcm_number_read(text, strlen(text), &input->given) != strlen(text) || !isfinite(input->given))) {
        command_error(PCM_MSG_NOT_PLOTTED, "--input %s=%s: write a number, in SI units", column->name, text);
        return false;
    }
    if (!text && input->axis == STAND_AXES)
        input->given = usual_value(&s->law, column);
    if (!column->needed || column->optional || !isnan(input->given))
        return true;
    command_error(PCM_MSG_NOT_PLOTTED, "the law %s of %s reads %s: write --input %s=NUMBER, in SI units",
                  s->law.info->model->name, s->law.info->name, column->name, column->name);
    return false;
}

bool stand_open(stand *s, const pcm_type *type, const option_texts *inputs)
{
    *s = (stand){0};
    if (!rig_law_new(&s->law, type, false))
        return false;
    s->inputs = calloc(s->law.n_inputs + 1, sizeof *s->inputs);
    if (!s->inputs) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    s->law.inputs[0].has_cell = true; /* a table of one row, with a depth */
    for (size_t i = 0; i < s->law.n_inputs; i++)
        if (!give(s, i, inputs))
            return false;
    return true;
}

void stand_close(stand *s)
{
    rig_law_free(&s->law);
    free(s->inputs);
    *s = (stand){0};
}

bool stand_has_input(const stand *s, const char *name, size_t length)
{
    for (size_t i = 0; i < s->law.n_inputs; i++)
        if (strlen(s->law.inputs[i].name) == length && strncmp(s->law.inputs[i].name, name, length) == 0)
            return true;
    return false;
}

void stand_begin(stand *s) { s->law.live = s->law.broken = s->law.started = false; }

void stand_step(stand *s, double time, stand_place place)
{
    const pcm_batch *b = &s->law.batch;
    for (size_t i = 0; i < s->law.n_inputs; i++) {
        const stand_input *input = &s->inputs[i];
        const double       moved = input->axis == STAND_AXES ? 0 : input->sign * place.at[input->axis];
        s->law.inputs[i].values[0] = input->given + moved;
    }
    rig_law_step(&s->law, time);
    const bool finite = isfinite(b->force_n[0]) && isfinite(b->force_x[0]) && isfinite(b->force_y[0]);
    if (finite || s->is_spoilt)
        return;
    s->is_spoilt = true;
    s->spoilt = place;
}
