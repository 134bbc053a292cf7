/* SPDX-License-Identifier: MIT */
/* explore.c - pcm explore: a page with sliders and curves, on which the laws' own code runs in the reader's browser. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"
#include "contents.h"
#include "ending.h"
#include "source.h"

typedef struct explorer {
    page_contents page;
    double        gap;                 /* from which contacts come; 0: as far as they pull */
    char         *texts[CONTENT_LAWS]; /* the initial text of the page for each law; NULL: the file's */
} explorer;

/* ---- Initial texts ----------------------------------------------------------------------------------------------- */

/* Writes a value that the law probably accepts for a parameter without a default. Lists ascend: each value is greater
 * than the one before. */
static void write_needed(FILE *out, const pcm_param *param, size_t which)
{
    const bool        has_unit = strcmp(param->unit, "1") != 0;
    const char *const unit[3] = {has_unit ? " [" : "", has_unit ? param->unit : "", has_unit ? "]" : ""};
    const double      least = isfinite(param->min) && param->min > 0 ? 2 * param->min : 1;
    (void)fprintf(out, " %s = ", param->name);
    if (param->kind == PCM_KIND_LIST)
        (void)fprintf(out, strcmp(param->unit, "m") == 0 ? "(0.0%zu, 0.0%zu, 0.0%zu)" : "(%zu, %zu, %zu)", 10 + which,
                      20 + which, 40 + which);
    else if (param->kind == PCM_KIND_CHOICE)
        (void)fprintf(out, "%s", param->choices[0]);
    else if (param->kind == PCM_KIND_SWITCH)
        (void)fprintf(out, "true");
    else if (param->kind == PCM_KIND_TEXT)
        (void)fprintf(out, "\"\"");
    else
        (void)fprintf(out, "%s", pcm_number(least, 0).text);
    (void)fprintf(out, "%s%s%s;", unit[0], unit[1], unit[2]);
}

/* Whether the law reads a result of an earlier part of a sum. */
static bool is_part(const pcm_model *model) { return model->inputs & PCM_FROM_PARTS; }

/* A contact type of the law with its defaults; if the law is a part of sums, it follows Hertz. NULL: no memory. */
static char *start_text(const pcm_model *model)
{
    char  *text = NULL;
    size_t length, needed = 0;
    FILE  *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    (void)fprintf(out, "ContactType Explored = %s%s {", is_part(model) ? "Hertz + " : "", model->name);
    for (size_t i = 0; i < model->params.count; i++)
        if (pcm_model_param(model, i)->flags & PCM_REQUIRED)
            write_needed(out, pcm_model_param(model, i), needed++);
    (void)fprintf(out, " };\nDefaultPair -> Explored;\n");
    return fclose(out) == 0 ? text : NULL;
}

static bool add_law(explorer *e, const pcm_model *model, const char *c_file)
{
    const size_t before = e->page.n_laws;
    if (!contents_add_law(&e->page, model->name, c_file))
        return false;
    if (e->page.n_laws == before)
        return true;
    e->texts[before] = start_text(model);
    return e->texts[before] || contents_fail(model->name, "out of memory");
}

/* Adds a law by its name or its C file. */
static bool add_word(explorer *e, const char *word)
{
    law_source source;
    if (!law_source_find(&source, word, e->page.plugins))
        return false;
    pcm_context     *context = command_context(source.plugins, command_report, NULL);
    const pcm_model *model = context ? pcm_model_load(context, source.model) : NULL;
    const pcm_model *first = model && is_part(model) ? pcm_model_load(context, "Hertz") : NULL;
    const bool       added = model && add_law(e, model, source.c_file) && (!first || add_law(e, first, ""));
    pcm_context_free(context);
    return added;
}

/* ---- The page ---------------------------------------------------------------------------------------------------- */

static void put_starts(const explorer *e, json *j)
{
    json_begin_array(j, "starts");
    for (size_t i = 0; i < e->page.n_laws && !e->page.config; i++) {
        json_begin_object(j, NULL);
        json_text(j, "name", e->page.laws[i].name);
        json_text(j, "text", e->texts[i]);
        json_end_object(j);
    }
    json_end_array(j);
}

static char *data_of(const explorer *e, const char *word)
{
    char  *data = NULL;
    size_t length;
    json   j = {.out = open_memstream(&data, &length)};
    if (!j.out)
        return NULL;
    json_begin_object(&j, NULL);
    contents_put_text(&e->page, &j, word, e->texts[0]);
    contents_put_laws(&e->page, &j);
    put_starts(e, &j);
    if (e->gap > 0)
        json_number(&j, "gap", e->gap);
    json_end_object(&j);
    return fclose(j.out) == 0 ? data : NULL;
}

static bool write_all(explorer *e, const char *word, const char *out)
{
    if (!contents_find_folder(&e->page))
        return contents_fail(word, "this installation has no pages");
    char      *data = contents_add_modules(&e->page) ? data_of(e, word) : NULL;
    const bool written = data && contents_write(&e->page, "explore.html", data, out);
    if (written)
        (void)printf("%s: %zu law%s; open it in a browser\n", out, e->page.n_laws, e->page.n_laws == 1 ? "" : "s");
    free(data);
    return written;
}

static bool explore(explorer *e, const option_texts *words, const char *out)
{
    const bool is_file = ends_with(words->at[0], ".pcm");
    if (is_file && words->count > 1)
        return contents_fail(words->at[0], "a page shows one .pcm file, or laws");
    bool good = !is_file || contents_add_file(&e->page, words->at[0]);
    for (size_t i = 0; good && !is_file && i < words->count; i++)
        good = add_word(e, words->at[i]);
    return good && write_all(e, words->at[0], out);
}

static void release(explorer *e)
{
    for (size_t i = 0; i < e->page.n_laws; i++)
        free(e->texts[i]);
    contents_free(&e->page);
    free(e);
}

int explore_run(int argc, char **argv)
{
    const char  *out = "explore.html", *plugins = NULL;
    double       gap = 0;
    const option table[] = {
        {.name = "--out", .value = "FILE", .doc = "the page; default explore.html", .text = &out},
        {.name = "--gap",
         .value = "M",
         .doc = "how far apart contacts begin; default: as far as they pull",
         .positive = &gap},
        OPTION_PLUGINS(&plugins),
    };
    const command_line line = {
        .name = "explore",
        .usage = "LAW ... | FILE.pcm | LAW.c [options]",
        .about =
            "Writes a page to explore laws: sliders for their parameters, the .pcm text, and curves that the laws'\n"
            "own code computes in the browser. The page is one file and needs no network. A law's C file is compiled\n"
            "first, and so are those beside the plugins of --plugins that a .pcm file names.",
        .examples = "  pcm explore HuntCrossley --out out/hunt.html\n"
                    "  pcm explore examples/LinearSpring.c --out out/spring.html",
        OPTIONS(table),
        .min_words = 1,
        .max_words = CONTENT_LAWS,
    };
    option_texts words = {0};
    int          status;
    if (options_read(&line, argc, argv, &words, &status)) {
        explorer *e = calloc(1, sizeof *e);
        if (e) {
            e->page.plugins = plugins;
            e->gap = gap;
        }
        status = e && explore(e, &words, out) ? EXIT_GOOD : EXIT_WRONG;
        if (e)
            release(e);
    }
    free(words.at);
    return command_finish(status);
}
