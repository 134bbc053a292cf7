/* SPDX-License-Identifier: MIT */
/* page.c - the page of a law in docs/laws, made from the law's own tables. */
#include <stdio.h>

#include "models.h"

static void print_section(const char *title, grid *g)
{
    if (g->rows == 1) {
        grid_clear(g);
        return;
    }
    (void)printf("\n## %s\n\n", title);
    grid_print_markdown(g);
}

static void print_tables(const pcm_model *model)
{
    grid g = {.columns = 5};
    GRID_ADD(&g, "name", "unit", "default", "range", "meaning");
    models_add_params(&g, model->params.entries, model->params.count);
    print_section("Parameters", &g);
    GRID_ADD(&g, "name", "unit", "default", "range", "meaning");
    models_add_properties(&g, model);
    print_section("Properties of materials", &g);
    g.columns = 3;
    GRID_ADD(&g, "column", "unit", "meaning");
    models_add_columns(&g, describe_inputs, model->inputs);
    models_add_given(&g, model);
    print_section("Reads", &g);
    GRID_ADD(&g, "column", "unit", "meaning");
    GRID_ADD(&g, "force_n", "N", "normal force on the follower");
    models_add_columns(&g, describe_outputs, model->outputs);
    print_section("Writes", &g);
    g.columns = 4;
    GRID_ADD(&g, "state", "unit", "kind", "meaning");
    models_add_states(&g, model);
    print_section("States", &g);
    g.columns = 3;
    GRID_ADD(&g, "event", "crosses zero", "meaning");
    models_add_events(&g, model);
    print_section("Events", &g);
    GRID_ADD(&g, "name", "unit", "meaning");
    models_add_derived(&g, model);
    print_section("What follows from the parameters", &g);
    g.columns = 2;
    GRID_ADD(&g, "property", "meaning");
    models_add_flags(&g, model);
    print_section("Properties", &g);
}

void page_print(const pcm_model *model)
{
    (void)printf("# %s\n\n%s.\n", model->name, model->summary);
    if (model->source)
        (void)printf("\nSource: %s.\n", model->source);
    if (model->equations)
        (void)printf("\n```text\n%.*s\n```\n", models_equations_length(model), model->equations);
    if (!(model->flags & PCM_HOST_CONTACT))
        (void)printf("\n![%s on the test rig](%s.svg)\n", model->name, model->name);
    print_tables(model);
}
