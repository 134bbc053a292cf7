/* SPDX-License-Identifier: MIT */
/* explore.c - pcm explore: a page with sliders and curves, on which the laws' own code runs in the reader's browser. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pcm/messages.h>

#include "command.h"
#include "explore_module.h"
#include "json.h"
#include "source.h"

enum { LAWS_MOST = 128, LAW_NAME = 64, PATH_SIZE = 4400 };

/* The contents of the page. */
typedef struct explorer {
    char         folder[4096]; /* contains the viewer and the laws' modules */
    const char  *plugins;      /* of --plugins; NULL: none */
    double       gap;          /* from which contacts come; 0: as far as they pull */
    pcm_context *context;
    pcm_config  *config; /* of a .pcm file; NULL: only laws are given */
    struct law {
        char  name[LAW_NAME], *module; /* the module in base64 */
        char  c_file[4096];            /* "": an installed law */
        char *text;                    /* the initial text of the page for this law; NULL: the file's */
    } laws[LAWS_MOST];
    size_t n_laws;
} explorer;

static bool fail(const char *what, const char *why)
{
    command_error(PCM_MSG_NO_PAGE, "%s: %s", what, why);
    return false;
}

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

static bool add_law(explorer *e, const pcm_model *model, const char *c_file, bool starts)
{
    for (size_t i = 0; i < e->n_laws; i++)
        if (strcmp(e->laws[i].name, model->name) == 0)
            return true;
    if (e->n_laws == LAWS_MOST)
        return fail(model->name, "a page holds 128 laws at most");
    struct law *law = &e->laws[e->n_laws++];
    (void)snprintf(law->name, sizeof law->name, "%s", model->name);
    (void)snprintf(law->c_file, sizeof law->c_file, "%s", c_file);
    law->text = starts ? start_text(model) : NULL;
    return !starts || law->text || fail(model->name, "out of memory");
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* Adds the laws of a contact type, whose model may be a sum such as "Hertz + Mindlin". */
static bool add_parts(explorer *e, const char *names)
{
    for (size_t length; *names; names += length + strspn(names + length, " +")) {
        char name[LAW_NAME];
        length = strcspn(names, " +");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, names);
        const pcm_model *model = pcm_model_load(e->context, name);
        if (!model || !add_law(e, model, "", false))
            return false;
    }
    return true;
}

/* Adds the laws of a .pcm file, which must not have errors. */
static bool add_file(explorer *e, const char *path)
{
    const option_texts none = {0};
    e->context = command_context(e->plugins, command_report_types, NULL);
    e->config = e->context ? command_config(e->context, path, &none) : NULL;
    for (size_t i = 0; e->config && i < pcm_config_type_count(e->config); i++)
        if (!add_parts(e, pcm_type_get_info(pcm_config_type_at(e->config, i))->model->name))
            return false;
    return e->config && (e->n_laws > 0 || fail(path, "it has no contact type to show"));
}

/* Adds a law by its name or its C file. */
static bool add_word(explorer *e, const char *word)
{
    law_source source;
    if (!law_source_find(&source, word, e->plugins))
        return false;
    pcm_context     *context = command_context(source.plugins, command_report, NULL);
    const pcm_model *model = context ? pcm_model_load(context, source.model) : NULL;
    const pcm_model *first = model && is_part(model) ? pcm_model_load(context, "Hertz") : NULL;
    const bool       added = model && add_law(e, model, source.c_file, true) && (!first || add_law(e, first, "", true));
    pcm_context_free(context);
    return added;
}

/* ---- The page ---------------------------------------------------------------------------------------------------- */

/* The C file beside a plugin in the folder of --plugins, if there is one: it has no module yet. */
static void find_c_file(const explorer *e, struct law *law)
{
    if (law->c_file[0] || !e->plugins)
        return;
    (void)snprintf(law->c_file, sizeof law->c_file, "%s/%s.c", e->plugins, law->name);
    if (access(law->c_file, R_OK) != 0)
        law->c_file[0] = '\0';
}

/* Adds every module in base64: installed ones and those compiled here. */
static bool add_modules(explorer *e)
{
    for (size_t i = 0; i < e->n_laws; i++) {
        struct law *law = &e->laws[i];
        find_c_file(e, law);
        law->module = law->c_file[0] ? explore_compile(e->folder, law->c_file) : explore_module(e->folder, law->name);
        if (!law->module)
            return false;
    }
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Writes the initial text of the page and the files that it includes, by paths relative to its folder. */
static void put_text(const explorer *e, json *j, const char *word)
{
    const pcm_source_info first = e->config ? pcm_config_source_at(e->config, 0) : (pcm_source_info){0};
    const size_t          folder = e->config ? (size_t)(base_name(first.name) - first.name) : 0;
    char                  name[LAW_NAME + 8];
    (void)snprintf(name, sizeof name, "%s.pcm", e->laws[0].name);
    json_text(j, "title", base_name(word));
    json_text(j, "name", e->config ? base_name(first.name) : name);
    json_text(j, "text", e->config ? first.text : e->laws[0].text);
    json_begin_object(j, "files");
    for (size_t i = 1; e->config && i < pcm_config_source_count(e->config); i++) {
        const pcm_source_info other = pcm_config_source_at(e->config, i);
        const bool            below = strncmp(other.name, first.name, folder) == 0;
        json_text(j, other.name + (below ? folder : 0), other.text);
    }
    json_end_object(j);
}

static void put_laws(const explorer *e, json *j)
{
    json_begin_array(j, "laws");
    for (size_t i = 0; i < e->n_laws; i++) {
        json_begin_object(j, NULL);
        json_text(j, "name", e->laws[i].name);
        json_text(j, "module", e->laws[i].module);
        json_end_object(j);
    }
    json_end_array(j);
    json_begin_array(j, "starts");
    for (size_t i = 0; i < e->n_laws && !e->config; i++) {
        json_begin_object(j, NULL);
        json_text(j, "name", e->laws[i].name);
        json_text(j, "text", e->laws[i].text);
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
    put_text(e, &j, word);
    put_laws(e, &j);
    if (e->gap > 0)
        json_number(&j, "gap", e->gap);
    json_end_object(&j);
    return fclose(j.out) == 0 ? data : NULL;
}

/* Writes data into a script element, whose text must not open or close one. */
static void write_data(FILE *out, const char *data)
{
    for (const char *at = data; *at; at++)
        if (*at == '<')
            (void)fputs("\\u003c", out);
        else
            (void)fputc(*at, out);
}

/* Writes the viewer, with the data instead of the line @data@. */
static bool write_page(const explorer *e, const char *data, const char *out_path)
{
    static const char mark[] = "@data@\n";
    char              path[PATH_SIZE], *line = NULL;
    size_t            room = 0, places = 0;
    (void)snprintf(path, sizeof path, "%s/explore.html", e->folder);
    FILE *in = fopen(path, "r");
    FILE *out = in ? fopen(out_path, "w") : NULL;
    while (out && getline(&line, &room, in) > 0) {
        if (strcmp(line, mark) == 0) {
            write_data(out, data);
            places++;
        } else {
            (void)fputs(line, out);
        }
    }
    free(line);
    const bool whole = out && places == 1 && !ferror(in) && !ferror(out);
    const bool closed = out && fclose(out) == 0;
    if (in)
        (void)fclose(in);
    if (whole && closed)
        return true;
    return fail(in ? out_path : path,
                in ? "it could not be written" : "this build has no pages: NEEDS=pages scripts/setup");
}

static bool write_all(explorer *e, const char *word, const char *out)
{
    if (!command_folder("web", PCM_PAGES_FROM_PREFIX, e->folder, sizeof e->folder))
        return fail(word, "this installation has no pages");
    char      *data = add_modules(e) ? data_of(e, word) : NULL;
    const bool written = data && write_page(e, data, out);
    if (written)
        (void)printf("%s: %zu law%s; open it in a browser\n", out, e->n_laws, e->n_laws == 1 ? "" : "s");
    free(data);
    return written;
}

static bool explore(explorer *e, const option_texts *words, const char *out)
{
    const bool is_file = ends_with(words->at[0], ".pcm");
    if (is_file && words->count > 1)
        return fail(words->at[0], "a page shows one .pcm file, or laws");
    bool good = !is_file || add_file(e, words->at[0]);
    for (size_t i = 0; good && !is_file && i < words->count; i++)
        good = add_word(e, words->at[i]);
    return good && write_all(e, words->at[0], out);
}

static void release(explorer *e)
{
    for (size_t i = 0; i < e->n_laws; i++) {
        free(e->laws[i].text);
        free(e->laws[i].module);
    }
    pcm_config_release(e->config);
    pcm_context_free(e->context);
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
        .max_words = LAWS_MOST,
    };
    option_texts words = {0};
    int          status;
    if (options_read(&line, argc, argv, &words, &status)) {
        explorer *e = calloc(1, sizeof *e);
        if (e) {
            e->plugins = plugins;
            e->gap = gap;
        }
        status = e && explore(e, &words, out) ? EXIT_GOOD : EXIT_WRONG;
        if (e)
            release(e);
    }
    free(words.at);
    return command_finish(status);
}
