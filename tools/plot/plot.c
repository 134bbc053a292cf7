/* SPDX-License-Identifier: MIT */
/* plot.c - pcm plot: pictures of the response of contact types, and of logs. */
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"
#include "ending.h"
#include "response.h"
#include "table.h"

typedef struct plot_job {
    const char       *plugins, *kind, *out;
    option_texts      words, settings, between, inputs, columns;
    bool              text;
    response_range    range;
    const response   *response;
    const pcm_config *config;
    picture           picture;
    const pcm_type   *types[PICTURE_CURVES];
    size_t            n_types;
} plot_job;

/* ---- Contact types ----------------------------------------------------------------------------------------------- */

static const pcm_type *find_type(const plot_job *job, const char *name)
{
    const pcm_type *type = pcm_config_type_find(job->config, name);
    pcm_suggestion  near = pcm_suggest(name, strlen(name));
    for (size_t i = 0; i < pcm_config_type_count(job->config); i++) {
        const char *known = pcm_type_get_info(pcm_config_type_at(job->config, i))->name;
        pcm_suggest_try(&near, known, strlen(known));
    }
    if (!type)
        command_error(PCM_MSG_NO_LAW, "the file has no contact type '%s'%s", name, options_hint_of(&near).text);
    else if (pcm_type_get_info(type)->model->flags & PCM_HOST_CONTACT)
        command_error(PCM_MSG_NO_LAW, "contact type %s leaves its pairs to the simulator: there is no law to plot",
                      name);
    else
        return command_between(type, &job->between);
    return NULL;
}

/* Whether each given input is one of some law; otherwise reports an error. */
static bool inputs_fit(const plot_job *job, const stand *stands)
{
    for (size_t i = 0; i < job->inputs.count; i++) {
        const char  *text = job->inputs.at[i];
        const size_t length = strcspn(text, "=");
        bool         known = false;
        for (size_t k = 0; k < job->n_types && text[length]; k++)
            known = known || stand_has_input(&stands[k], text, length);
        if (!known) {
            command_error(PCM_MSG_NOT_PLOTTED, "--input %s: write NAME=NUMBER with a column that pcm rig has", text);
            return false;
        }
    }
    return true;
}

static bool draw_type(plot_job *job, stand *s)
{
    job->response->draw(s, &job->range, job->n_types > 1, &job->picture);
    if (s->is_spoilt)
        command_error(PCM_MSG_NOT_FINITE, "the force of %s is not finite at depth %s m, depth rate %s m/s, slip %s m/s",
                      s->law.info->name, pcm_number(s->spoilt.at[STAND_DEPTH], 4).text,
                      pcm_number(s->spoilt.at[STAND_RATE], 4).text, pcm_number(s->spoilt.at[STAND_SLIP], 4).text);
    return !s->is_spoilt;
}

static bool draw_types(plot_job *job, stand *stands)
{
    for (size_t i = 0; i < job->n_types; i++)
        if (!stand_open(&stands[i], job->types[i], &job->inputs))
            return false;
    if (!inputs_fit(job, stands))
        return false;
    for (size_t i = 0; i < job->n_types; i++)
        if (!draw_type(job, &stands[i]))
            return false;
    return true;
}

static bool find_types(plot_job *job)
{
    for (size_t i = 1; i < job->words.count; i++) {
        const pcm_type *type = find_type(job, job->words.at[i]);
        if (!type)
            return false;
        if (job->response->is_map && !(pcm_type_get_info(type)->model->outputs & PCM_MODE)) {
            command_error(PCM_MSG_NOT_PLOTTED, "the law of %s has no modes", job->words.at[i]);
            return false;
        }
        job->types[job->n_types++] = type;
    }
    return true;
}

static void label(picture *p, const char *title, const char *x, const char *y)
{
    (void)snprintf(p->title, sizeof p->title, "%s", title);
    (void)snprintf(p->x_label, sizeof p->x_label, "%s", x);
    (void)snprintf(p->y_label, sizeof p->y_label, "%s", y);
}

static bool plot_types(plot_job *job)
{
    const response *kind = job->response;
    stand          *stands = calloc(PICTURE_CURVES, sizeof *stands);
    label(&job->picture, kind->title, kind->x_label, kind->y_label);
    if (kind->is_map)
        (void)snprintf(job->picture.title, sizeof job->picture.title, "%s of %s", kind->title, job->words.at[1]);
    job->picture.has_marks = kind->is_map;
    if (!stands)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    const bool drawn = stands && find_types(job) && draw_types(job, stands);
    for (size_t i = 0; stands && i < PICTURE_CURVES; i++)
        stand_close(&stands[i]);
    free(stands);
    return drawn;
}

static bool plot_file(plot_job *job)
{
    pcm_context *context = command_context(job->plugins, command_report_types, NULL);
    pcm_config  *config = context ? command_config(context, job->words.at[0], &job->settings) : NULL;
    job->config = config;
    const bool drawn = config && plot_types(job);
    pcm_config_release(config);
    pcm_context_free(context);
    return drawn;
}

/* ---- Logs -------------------------------------------------------------------------------------------------------- */

static bool is_table(const char *path) { return strcmp(path, "-") == 0 || ends_with(path, ".csv"); }

static bool plot_tables(plot_job *job)
{
    label(&job->picture, "", "time, s", "");
    for (size_t i = 0; i < job->words.count; i++)
        if (!table_add(&job->picture, job->words.at[i], &job->columns, job->words.count > 1))
            return false;
    return true;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static const char about[] =
    "Draws the response of contact types to typical motions, several in one picture, or logs over time. The picture\n"
    "is an .svg, a .png, or a .gp: gnuplot's script with the numbers in it. gnuplot draws it; lines differ in\n"
    "brightness, dashes and marks. With --text it is drawn coarsely in the terminal.\n"
    "\n"
    "  depth   normal force against depth, at rest, approaching and parting\n"
    "  rate    normal force against the depth's rate, at three depths\n"
    "  slip    friction against the slip, after sliding for --time, at two depths\n"
    "  press   loading and unloading, in --time and faster\n"
    "  shear   friction while dragged by --way forth and back in --time, at two depths\n"
    "  modes   where the contact type sticks, slips or is separated, dragged by up to --way in --time\n"
    "\n"
    "Of several contact types each has one curve: the first of these. Friction is positive against the slip.\n"
    "--input sets other inputs of the law, such as radius, mass or those of a host, by their column in pcm rig; the\n"
    "motion of the picture is added to it. Of a table, from pcm rig or a LogFile, force_n or the columns of\n"
    "--column are drawn over time, for each contact.";

static const char examples[] = "  pcm plot foot.pcm Pad Claw --kind depth --out force.svg\n"
                               "  pcm plot foot.pcm Claw --kind shear --way 2e-3 --out loop.png\n"
                               "  pcm rig foot.pcm Claw --motion pull.csv | pcm plot - --text";

static bool knows_kind(const command_line *line, plot_job *job, int *status)
{
    const char *names[16] = {NULL};
    for (size_t i = 0; responses[i].name; i++) {
        names[i] = responses[i].name;
        if (strcmp(job->kind, responses[i].name) == 0)
            job->response = &responses[i];
    }
    if (!job->response)
        *status =
            options_refuse(line, "there is no kind '%s'%s", job->kind, options_did_you_mean(job->kind, names).text);
    return job->response;
}

/* Whether the options fit together. */
static bool is_sound(const command_line *line, plot_job *job, int *status)
{
    const bool   table = is_table(job->words.at[0]);
    const size_t most = table ? PICTURE_CURVES : PICTURE_CURVES + 1;
    if (!job->text && (!job->out || picture_kind_of(job->out) == PICTURE_NONE))
        *status = options_refuse(line, "write --out PICTURE.svg, .png or .gp, or --text");
    else if (job->text && job->out)
        *status = options_refuse(line, "--text draws in the terminal: leave out --out");
    else if (!table && job->words.count < 2)
        *status = options_refuse(line, "write the name of a contact type after %s", job->words.at[0]);
    else if (job->words.count > most)
        *status = options_refuse(line, "a picture has room for %d curves", PICTURE_CURVES);
    else if (table)
        return true;
    else if (knows_kind(line, job, status) && job->response->is_map && job->words.count > 2)
        *status = options_refuse(line, "--kind modes draws one contact type");
    else
        return job->response;
    return false;
}

static int plot(const command_line *line, plot_job *job, int status)
{
    if (!is_sound(line, job, &status))
        return status;
    const picture_kind kind = job->text ? PICTURE_TERMINAL : picture_kind_of(job->out);
    const bool         made = is_table(job->words.at[0]) ? plot_tables(job) : plot_file(job);
    const bool         drawn = made && picture_draw(&job->picture, kind, job->out);
    picture_free(&job->picture);
    return drawn ? EXIT_GOOD : EXIT_WRONG;
}

int plot_run(int argc, char **argv)
{
    plot_job     job = {.kind = "depth", .range = {.depth = 1e-3, .rate = 0.1, .slip = 0.1, .way = 1e-3, .time = 1}};
    const option options[] = {
        {.name = "--kind",
         .value = "KIND",
         .doc = "the kind of picture of contact types; default depth",
         .text = &job.kind},
        {.name = "--out", .value = "PICTURE", .doc = "the file: .svg, .png or .gp", .text = &job.out},
        {.name = "--text", .doc = "draw coarsely in the terminal", .flag = &job.text},
        {.name = "--depth", .value = "M", .doc = "the largest depth; default 0.001", .positive = &job.range.depth},
        {.name = "--gap",
         .value = "M",
         .doc = "how far apart depths begin at least; default 0.2 of --depth",
         .positive = &job.range.gap},
        {.name = "--rate", .value = "M/S", .doc = "the largest depth rate; default 0.1", .positive = &job.range.rate},
        {.name = "--slip", .value = "M/S", .doc = "the largest slip; default 0.1", .positive = &job.range.slip},
        {.name = "--way", .value = "M", .doc = "how far it is dragged; default 0.001", .positive = &job.range.way},
        {.name = "--time",
         .value = "S",
         .doc = "how long loops and sliding take; default 1",
         .positive = &job.range.time},
        {.name = "--input",
         .value = "NAME=NUMBER",
         .doc = "another input of the law; may be repeated",
         .texts = &job.inputs},
        {.name = "--column", .value = "NAME", .doc = "a column of tables; may be repeated", .texts = &job.columns},
        OPTION_SET(&job.settings),
        OPTION_BETWEEN(&job.between),
        OPTION_PLUGINS(&job.plugins)};
    const command_line line = {.name = "plot",
                               .usage = "FILE.pcm CONTACT... [--kind KIND] --out PICTURE | LOG.csv... --out PICTURE",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 1,
                               .max_words = PICTURE_CURVES + 1};
    int                status;
    if (options_read(&line, argc, argv, &job.words, &status))
        status = plot(&line, &job, status);
    free(job.words.at);
    free(job.settings.at);
    free(job.between.at);
    free(job.inputs.at);
    free(job.columns.at);
    return status;
}
