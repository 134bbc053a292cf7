/* SPDX-License-Identifier: MIT */
#include "contents.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pcm/messages.h>

#include "command.h"
#include "explore_module.h"

enum { PATH_SIZE = 4400 };

bool contents_fail(const char *what, const char *why)
{
    command_error(PCM_MSG_NO_PAGE, "%s: %s", what, why);
    return false;
}

/* ---- Laws -------------------------------------------------------------------------------------------------------- */

struct content_law *contents_add_law(page_contents *page, const char *name, const char *c_file)
{
    for (size_t i = 0; i < page->n_laws; i++)
        if (strcmp(page->laws[i].name, name) == 0)
            return &page->laws[i];
    if (page->n_laws == CONTENT_LAWS) {
        (void)contents_fail(name, "a page holds 128 laws at most");
        return NULL;
    }
    struct content_law *law = &page->laws[page->n_laws++];
    (void)snprintf(law->name, sizeof law->name, "%s", name);
    (void)snprintf(law->c_file, sizeof law->c_file, "%s", c_file);
    return law;
}

/* Adds the laws of a contact type, whose model may be a sum such as "Hertz + Mindlin". */
static bool add_parts(page_contents *page, const char *names)
{
    for (size_t length; *names; names += length + strspn(names + length, " +")) {
        char name[CONTENT_NAME];
        length = strcspn(names, " +");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, names);
        const pcm_model *model = pcm_model_load(page->context, name);
        if (!model || !contents_add_law(page, model->name, ""))
            return false;
    }
    return true;
}

bool contents_add_file(page_contents *page, const char *path)
{
    const option_texts none = {0};
    page->context = command_context(page->plugins, command_report_types, NULL);
    page->config = page->context ? command_config(page->context, path, &none) : NULL;
    for (size_t i = 0; page->config && i < pcm_config_type_count(page->config); i++)
        if (!add_parts(page, pcm_type_get_info(pcm_config_type_at(page->config, i))->model->name))
            return false;
    return page->config && (page->n_laws > 0 || contents_fail(path, "it has no contact type to show"));
}

/* The C file beside a plugin in the folder of --plugins, if there is one: it has no module yet. */
static void find_c_file(const page_contents *page, struct content_law *law)
{
    if (law->c_file[0] || !page->plugins)
        return;
    (void)snprintf(law->c_file, sizeof law->c_file, "%s/%s.c", page->plugins, law->name);
    if (access(law->c_file, R_OK) != 0)
        law->c_file[0] = '\0';
}

bool contents_add_modules(page_contents *page)
{
    for (size_t i = 0; i < page->n_laws; i++) {
        struct content_law *law = &page->laws[i];
        find_c_file(page, law);
        law->module =
            law->c_file[0] ? explore_compile(page->folder, law->c_file) : explore_module(page->folder, law->name);
        if (!law->module)
            return false;
    }
    return true;
}

const char *contents_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- The page ---------------------------------------------------------------------------------------------------- */

void contents_put_text(const page_contents *page, json *j, const char *word, const char *text)
{
    const pcm_source_info first = page->config ? pcm_config_source_at(page->config, 0) : (pcm_source_info){0};
    const size_t          folder = page->config ? (size_t)(contents_base(first.name) - first.name) : 0;
    char                  name[CONTENT_NAME + 8];
    (void)snprintf(name, sizeof name, "%s.pcm", page->laws[0].name);
    json_text(j, "title", contents_base(word));
    json_text(j, "name", page->config ? contents_base(first.name) : name);
    json_text(j, "text", text ? text : first.text);
    json_begin_object(j, "files");
    for (size_t i = 1; page->config && i < pcm_config_source_count(page->config); i++) {
        const pcm_source_info other = pcm_config_source_at(page->config, i);
        const bool            below = strncmp(other.name, first.name, folder) == 0;
        json_text(j, other.name + (below ? folder : 0), other.text);
    }
    json_end_object(j);
}

void contents_put_laws(const page_contents *page, json *j)
{
    json_begin_array(j, "laws");
    for (size_t i = 0; i < page->n_laws; i++) {
        json_begin_object(j, NULL);
        json_text(j, "name", page->laws[i].name);
        json_text(j, "module", page->laws[i].module);
        json_end_object(j);
    }
    json_end_array(j);
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

bool contents_write(const page_contents *page, const char *viewer, const char *data, const char *out_path)
{
    static const char mark[] = "@data@\n";
    char              path[PATH_SIZE], *line = NULL;
    size_t            room = 0, places = 0;
    (void)snprintf(path, sizeof path, "%s/%s", page->folder, viewer);
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
    return contents_fail(in ? out_path : path,
                         in ? "it could not be written" : "this build has no pages: NEEDS=pages scripts/setup");
}

bool contents_find_folder(page_contents *page)
{
    return command_folder("web", PCM_PAGES_FROM_PREFIX, page->folder, sizeof page->folder);
}

void contents_free(page_contents *page)
{
    for (size_t i = 0; i < page->n_laws; i++)
        free(page->laws[i].module);
    pcm_config_release(page->config);
    pcm_context_free(page->context);
}
