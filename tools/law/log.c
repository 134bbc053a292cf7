/* SPDX-License-Identifier: MIT */
/* log.c - pcm log: the columns of a law's LogFile. */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "text_table.h"

typedef struct log_column {
    const char *name, *unit, *doc;
} log_column;

static const log_column first[] = {
    {"time", "s", "of the update that gave the forces"},
    {"contact", "", "its number, in the order in which contacts began"},
    {"A", "", "the base"},
    {"B", "", "the follower, on which the forces act"},
    {"point_x", "m", "contact point, in world axes"},
    {"point_y", "m", ""},
    {"point_z", "m", ""},
    {"depth", "m", "above 0 when overlapping"},
    {"depth_rate", "m/s", "above 0 when approaching"},
    {"slip_x", "m/s", "tangential velocity of B relative to A"},
    {"slip_y", "m/s", ""},
    {"spin_x", "rad/s", "angular velocity of B relative to A"},
    {"spin_y", "rad/s", ""},
    {"spin_n", "rad/s", ""},
    {"force_x", "N", "friction on B"},
    {"force_y", "N", ""},
    {"force_n", "N", "normal force on B"},
    {"moment_x", "N*m", "moment on B"},
    {"moment_y", "N*m", ""},
    {"moment_n", "N*m", ""},
    {"mode", "", "separated, sticking or slipping, as the law says"},
    {NULL, NULL, NULL},
};

static const log_column of_ledger[] = {
    {"work", "J", "done on the bodies since the contact began"},
    {"stored", "J", "energy in the contact's springs now"},
    {"dissipated", "J", "turned into heat"},
    {"brought", "J", "stored where the contact began already deep"},
    {"residue", "J", "brought - work - stored - dissipated"},
    {NULL, NULL, NULL},
};

static const log_column of_sensing[] = {
    {"contact_signal", "", "1 in contact, 0 apart"},
    {"penetration_depth", "m", "0 at least"},
    {"separation_distance", "m", "below 0 when overlapping"},
    {"normal_force_magnitude", "N", ""},
    {"friction_force_magnitude", "N", ""},
    {"relative_normal_velocity", "m/s", "above 0 when parting"},
    {"relative_tangential_velocity_x", "m/s", "slip"},
    {"relative_tangential_velocity_y", "m/s", ""},
    {"base_rotation_11 ... _33", "", "the contact frame in A's axes, row by row"},
    {"base_translation_x, _y, _z", "m", "the contact point in A's axes"},
    {"follower_rotation_11 ... _33", "", "the contact frame in B's axes, row by row"},
    {"follower_translation_x, _y, _z", "m", "the contact point in B's axes"},
    {"normal_load", "N", "the normal force, below 0 when pulling"},
    {NULL, NULL, NULL},
};

static const log_column last[] = {
    {"end", "", "empty while the contact lives, then parted, broken or removed"},
    {"end_energy", "J", "energy lost with it, as the law says"},
    {"end_dissipation", "J", "heat made in its life, as the law says"},
    {NULL, NULL, NULL},
};

static void add_columns(grid *g, const log_column *columns)
{
    for (; columns->name; columns++)
        GRID_ADD(g, columns->name, columns->unit, columns->doc);
}

static void add_states(grid *g, const pcm_model *model)
{
    for (size_t i = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        const bool       tangent = state->shape == PCM_TANGENT;
        for (int axis = 0; axis < (tangent ? 2 : 1); axis++) {
            char name[160];
            (void)snprintf(name, sizeof name, "%s%s", state->name, !tangent ? "" : axis == 0 ? "_x" : "_y");
            GRID_ADD(g, name, state->unit, axis == 0 ? state->doc : "");
        }
    }
}

static void add_flows(grid *g, const pcm_model *model)
{
    for (size_t i = 0; i < 2 * model->amounts.count; i++) {
        const pcm_amount *amount = pcm_model_amount(model, i % model->amounts.count);
        char              name[160];
        const bool        base = i < model->amounts.count;
        (void)snprintf(name, sizeof name, "%s_flow_%s", amount->name, base ? "base" : "follower");
        GRID_ADD(g, name, amount->flow_unit, base ? "flow into A" : "flow into B");
    }
}

static void print_part(grid *g, const char *when)
{
    if (when)
        (void)printf("%s\n", when);
    grid_print(g, 2);
}

static void print_columns(const pcm_model *model)
{
    grid g = {.columns = 3};
    add_columns(&g, first);
    add_states(&g, model);
    add_flows(&g, model);
    print_part(&g, "each row");
    add_columns(&g, of_ledger);
    print_part(&g, "with an energy ledger: pcm run --energy");
    add_columns(&g, of_sensing);
    print_part(&g, "with Sensing = true");
    add_columns(&g, last);
    print_part(&g, "last");
}

int log_run(int argc, char **argv)
{
    const char  *law = NULL, *plugins = NULL;
    const option options[] = {
        {.name = "--columns", .value = "LAW", .doc = "print the columns of this law's logs", .text = &law},
        OPTION_PLUGINS(&plugins)};
    const command_line line = {.name = "log",
                               .usage = "--columns LAW [--plugins DIR]",
                               .about = "Prints the columns of the file that a contact type with a LogFile writes: "
                                        "name, unit and meaning, in their\n"
                                        "order. In the file a unit stands behind the name in brackets.",
                               .examples = "  pcm log --columns Dahl",
                               OPTIONS(options),
                               .min_words = 0,
                               .max_words = 0};
    option_texts       words;
    int                status;
    if (options_read(&line, argc, argv, &words, &status)) {
        pcm_context     *context = law ? command_context(plugins, command_report, NULL) : NULL;
        const pcm_model *model = context ? pcm_model_load(context, law) : NULL;
        if (!law)
            status = options_refuse(&line, "write --columns and a law");
        else
            status = model ? EXIT_GOOD : EXIT_WRONG;
        if (model)
            print_columns(model);
        pcm_context_free(context);
    }
    free(words.at);
    return command_finish(status);
}
