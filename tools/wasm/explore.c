/* SPDX-License-Identifier: MIT */
#include "explore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "describe.h"
#include "stand.h"

enum { MOTION = 6, RESULTS = 9 }; /* columns of a row: t, depth, rate, way, slip, begins; see put_results */

static struct {
    stand   stand;
    double *motion, *results;
} page;

void page_forget(void) { stand_close(&page.stand); }

void page_report(const pcm_diagnostic *diagnostic) { (void)diagnostic; }

/* ---- A contact --------------------------------------------------------------------------------------------------- */

/* Whether the word is in a list separated by commas. */
static bool is_among(const char *names, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = names; (at = strstr(at, word)); at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

/* The unit of a law's input, which comes from the contact, the host, or an amount of one side; "": it has none. */
static const char *input_unit(const pcm_model *model, const char *name)
{
    for (const describe_column *column = describe_inputs; column->bit; column++)
        if (is_among(column->names, name))
            return column->unit;
    for (size_t i = 0; i < model->host_inputs.count; i++)
        if (strcmp(pcm_model_host_input(model, i)->name, name) == 0)
            return pcm_model_host_input(model, i)->unit;
    for (size_t i = 0; i < model->amounts.count; i++) {
        const pcm_amount *amount = pcm_model_amount(model, i);
        const size_t      length = strlen(amount->name);
        if (strncmp(amount->name, name, length) == 0 && name[length] == '_')
            return amount->unit;
    }
    return "";
}

static void put_inputs(json *j)
{
    static const char *const axes[] = {"depth", "rate", "way", "slip", NULL};
    const rig_law           *law = &page.stand.law;
    json_begin_array(j, "inputs");
    for (size_t i = 0; law->inputs + i < law->starts; i++) {
        const stand_input *input = &page.stand.inputs[i];
        if (!law->inputs[i].needed || law->inputs[i].optional)
            continue;
        json_begin_object(j, NULL);
        json_text(j, "name", law->inputs[i].name);
        json_text(j, "unit", input_unit(law->info->model, law->inputs[i].name));
        json_number(j, "value", input->given);
        json_text(j, "axis", axes[input->axis]);
        json_number(j, "sign", input->sign);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_columns(json *j)
{
    static const char *const names[RESULTS] = {"force_n",  "force_x", "force_y", "moment_n", "moment_x",
                                               "moment_y", "mode",    "life",    "energy"};
    json_begin_array(j, "columns");
    for (size_t i = 0; i < RESULTS; i++)
        json_text(j, NULL, names[i]);
    for (size_t i = 0; i < page.stand.law.n_outputs; i++)
        json_text(j, NULL, page.stand.law.outputs[i].name);
    json_end_array(j);
}

/* The words of a text, one per line. */
static option_texts lines_of(char *text)
{
    option_texts lines = {calloc(strlen(text) + 1, sizeof(char *)), 0};
    for (char *line = strtok(text, "\n"); lines.at && line; line = strtok(NULL, "\n"))
        lines.at[lines.count++] = line;
    return lines;
}

const char *page_open(const char *name, char *between, char *given)
{
    json           *j = answer_begin();
    option_texts    sides = lines_of(between), inputs = lines_of(given);
    const pcm_type *type = reading_config() ? pcm_config_type_find(reading_config(), name) : NULL;
    type = type ? command_between(type, &sides) : NULL;
    stand_close(&page.stand);
    const bool good = type && stand_open(&page.stand, type, &inputs);
    if (good) {
        put_inputs(j);
        put_columns(j);
    } else {
        stand_close(&page.stand);
    }
    json_bool(j, "good", good);
    free(sides.at);
    free(inputs.at);
    return answer_end();
}

double *page_motion(size_t rows)
{
    free(page.motion);
    return page.motion = calloc(rows, MOTION * sizeof(double));
}

static void put_results(double *to)
{
    const rig_law   *law = &page.stand.law;
    const pcm_batch *b = &law->batch;
    const double     results[RESULTS] = {
            b->force_n[0],      b->force_x[0],      b->force_y[0],
            b->moment_n[0],     b->moment_x[0],     b->moment_y[0],
            (double)b->mode[0], (double)b->life[0], law->info->model->outputs & PCM_ENERGY ? b->energy[0] : NAN};
    memcpy(to, results, sizeof results);
    for (size_t i = 0; i < law->n_outputs; i++)
        to[RESULTS + i] = law->outputs[i].values[0];
}

const double *page_run(size_t rows)
{
    const size_t width = RESULTS + page.stand.law.n_outputs;
    free(page.results);
    page.results = calloc(rows + 1, width * sizeof(double));
    for (size_t i = 0; page.results && i < rows; i++) {
        const double *at = page.motion + i * MOTION;
        if (at[MOTION - 1] != 0)
            stand_begin(&page.stand);
        stand_step(&page.stand, at[0], (stand_place){{at[1], at[2], at[3], at[4]}});
        put_results(page.results + i * width);
    }
    return page.results;
}

const char *page_derived(double force, double depth, double speed, double mass, double radius)
{
    const pcm_load   load = {sizeof load, force, depth, speed, mass, radius};
    const pcm_model *model = page.stand.law.info->model;
    json            *j = answer_begin();
    json_begin_array(j, "derived");
    for (size_t i = 0; i < model->derived.count; i++) {
        const pcm_derived *derived = pcm_model_derived(model, i);
        json_begin_object(j, NULL);
        json_text(j, "name", derived->name);
        json_text(j, "unit", derived->unit);
        json_text(j, "doc", derived->doc);
        json_number(j, "value", pcm_type_derived(page.stand.law.type, i, &load));
        json_end_object(j);
    }
    json_end_array(j);
    return answer_end();
}
