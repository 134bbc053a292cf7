/* SPDX-License-Identifier: MIT */
#include "explore.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/materials.h>
#include <pcm/messages.h>

#include "command.h"
#include "describe.h"
#include "linked.h"
#include "models.h"
#include "stand.h"

enum { MOTION = 6, RESULTS = 9 }; /* columns of a row: t, depth, rate, way, slip, begins; see put_results */

static struct {
    pcm_context *context;
    pcm_config  *config;
    stand        stand;
    char        *answer;
    double      *motion, *results;
    json         out;
} page;

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

static json *begin_answer(void)
{
    static size_t length;
    free(page.answer);
    page.answer = NULL;
    page.out = (json){.out = open_memstream(&page.answer, &length)};
    json_begin_object(&page.out, NULL);
    return &page.out;
}

static const char *end_answer(void)
{
    json_end_object(&page.out);
    (void)fclose(page.out.out);
    return page.answer;
}

static void put_place(json *j, const pcm_place *place)
{
    json_text(j, "file", place->file);
    json_integer(j, "line", place->line);
    json_integer(j, "column", place->column);
    json_integer(j, "length", place->length);
}

static void put_fixes(json *j, const pcm_diagnostic *diagnostic)
{
    json_begin_array(j, "fixes");
    for (uint32_t i = 0; i < diagnostic->n_fixes; i++) {
        json_begin_object(j, NULL);
        put_place(j, &diagnostic->fixes[i].place);
        json_text(j, "text", diagnostic->fixes[i].text);
        json_end_object(j);
    }
    json_end_array(j);
}

/* A sink: adds the diagnostic to the answer that is being written. */
static void put_diagnostic(void *user, const pcm_diagnostic *diagnostic)
{
    static const char *const words[] = {"note", "warning", "error"};
    json                    *j = user;
    if (diagnostic->code == PCM_MSG_UNUSED_TYPE)
        return;
    json_begin_object(j, NULL);
    json_text(j, "severity", words[diagnostic->severity]);
    json_integer(j, "code", diagnostic->code);
    json_text(j, "message", diagnostic->message);
    put_place(j, &diagnostic->place);
    put_fixes(j, diagnostic);
    json_end_object(j);
}

/* ---- Laws -------------------------------------------------------------------------------------------------------- */

static void close_all(void)
{
    stand_close(&page.stand);
    pcm_config_release(page.config);
    pcm_context_free(page.context);
    page.config = NULL;
    page.context = NULL;
}

const char *page_link(const pcm_library *entry)
{
    close_all();
    json *j = begin_answer();
    json_begin_array(j, "diagnostics");
    const bool room = linked_add(entry);
    page.context = room ? command_context(NULL, put_diagnostic, j) : NULL;
    if (room && !page.context)
        linked_drop();
    json_end_array(j);
    json_bool(j, "good", page.context != NULL);
    return end_answer();
}

/* ---- The text ---------------------------------------------------------------------------------------------------- */

static void put_values(json *j, const pcm_type *type)
{
    json_begin_array(j, "values");
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        json_begin_object(j, NULL);
        json_text(j, "name", value.param->name);
        json_text(j, "unit", value.param->unit);
        describe_json(j, "value", &value);
        json_bool(j, "written", value.written);
        json_bool(j, "mixed", value.mixed);
        json_bool(j, "holds", pcm_type_when(type, value.param->when));
        if (value.written)
            put_place(j, &value.place);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_types(json *j)
{
    json_begin_array(j, "types");
    for (size_t i = 0; page.config && i < pcm_config_type_count(page.config); i++) {
        const pcm_type      *type = pcm_config_type_at(page.config, i);
        const pcm_type_info *info = pcm_type_get_info(type);
        json_begin_object(j, NULL);
        json_text(j, "name", info->name);
        json_text(j, "law", info->model->name);
        json_bool(j, "waits", info->params == NULL);
        json_bool(j, "native", info->model->flags & PCM_HOST_CONTACT);
        put_place(j, &info->place);
        json_begin_array(j, "model");
        models_json(j, info->model, NULL);
        json_end_array(j);
        put_values(j, type);
        json_end_object(j);
    }
    json_end_array(j);
}

const char *page_read(const char *name, const char *text)
{
    json *j = begin_answer();
    json_begin_array(j, "diagnostics");
    pcm_context *context = command_context(NULL, put_diagnostic, j);
    pcm_config  *config = context ? pcm_config_parse(context, name, text, strlen(text)) : NULL;
    json_end_array(j);
    json_bool(j, "good", config != NULL);
    if (config) {
        close_all();
        page.context = context;
        page.config = config;
        put_types(j);
    } else {
        pcm_context_free(context);
    }
    return end_answer();
}

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
    json           *j = begin_answer();
    option_texts    sides = lines_of(between), inputs = lines_of(given);
    const pcm_type *type = page.config ? pcm_config_type_find(page.config, name) : NULL;
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
    return end_answer();
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
    json            *j = begin_answer();
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
    return end_answer();
}
