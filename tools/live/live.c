/* SPDX-License-Identifier: MIT */
/* live.c - pcm live: a page in which a MuJoCo scene runs with the laws of a .pcm file. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "browser.h"
#include "command.h"
#include "contents.h"
#include "csv.h"
#include "ending.h"
#include "explore_module.h"
#include "scene_files.h"
#include "whole_file.h"

/* A larger page is written as a folder. */
static const size_t most_bytes = 16000000;

typedef struct live_page {
    page_contents page;
    scene_files   files;
    const char   *controls; /* a file; NULL: none */
} live_page;

/* All laws of this installation: the text may name any of them later. */
static bool add_installed_laws(page_contents *page)
{
    static const char ending[] = ".wasm.gz";
    char              folder[4200];
    (void)snprintf(folder, sizeof folder, "%s/laws", page->folder);
    DIR *laws = opendir(folder);
    if (!laws)
        return contents_fail(folder, "this build has no pages: NEEDS=pages scripts/setup");
    bool good = true;
    for (struct dirent *entry; good && (entry = readdir(laws));) {
        char         name[CONTENT_NAME];
        const size_t length = strlen(entry->d_name);
        if (!ends_with(entry->d_name, ending) || length >= sizeof name + sizeof ending - 1)
            continue;
        (void)snprintf(name, sizeof name, "%.*s", (int)(length - sizeof ending + 1), entry->d_name);
        good = contents_add_law(page, name, "");
    }
    (void)closedir(laws);
    return good;
}

/* ---- The data ---------------------------------------------------------------------------------------------------- */

static bool put_files(const scene_files *files, json *j)
{
    json_begin_object(j, "scene");
    json_text(j, "path", files->at[0].name);
    json_begin_object(j, "files");
    bool good = true;
    for (size_t i = 0; good && i < files->count; i++) {
        char *bytes = explore_encoded(files->at[i].path);
        good = bytes || contents_fail(files->at[i].path, "it could not be read");
        json_text(j, files->at[i].name, bytes);
        free(bytes);
    }
    json_end_object(j);
    json_end_object(j);
    return good;
}

static bool put_rows(csv_reader *reader, json *j)
{
    csv_result found;
    bool       good = true;
    json_begin_array(j, "rows");
    while (good && (found = csv_next(reader)) != CSV_END) {
        good = found == CSV_ROW;
        json_begin_array(j, NULL);
        for (size_t i = 0; good && i < reader->columns; i++) {
            double value = 0;
            good = csv_number(reader, i, &value);
            json_number(j, NULL, value);
        }
        json_end_array(j);
    }
    json_end_array(j);
    return good;
}

static bool put_controls(const char *path, json *j)
{
    csv_reader reader;
    bool       good = csv_open(&reader, path);
    if (good) {
        json_begin_object(j, "controls");
        json_begin_array(j, "names");
        for (size_t i = 0; i < reader.columns; i++) {
            char name[256];
            (void)snprintf(name, sizeof name, "%.*s", (int)reader.names[i].length, reader.names[i].text);
            json_text(j, NULL, name);
        }
        json_end_array(j);
        good = put_rows(&reader, j);
        json_end_object(j);
    }
    csv_close(&reader);
    return good;
}

/* NULL, with a report, on failure. */
static char *data_of(const live_page *live, const char *rules)
{
    char  *data = NULL;
    size_t length;
    json   j = {.out = open_memstream(&data, &length)};
    if (!j.out)
        return NULL;
    json_begin_object(&j, NULL);
    contents_put_text(&live->page, &j, rules, NULL);
    contents_put_laws(&live->page, &j);
    const bool good = put_files(&live->files, &j) && (!live->controls || put_controls(live->controls, &j));
    json_end_object(&j);
    if (fclose(j.out) == 0 && good)
        return data;
    free(data);
    return NULL;
}

/* ---- The page ---------------------------------------------------------------------------------------------------- */

static bool write_folder(const live_page *live, const char *data, const char *out)
{
    char path[4200];
    if (mkdir(out, 0777) != 0 && errno != EEXIST)
        return contents_fail(out, strerror(errno));
    (void)snprintf(path, sizeof path, "%s/data.js", out);
    FILE      *file = fopen(path, "w");
    const bool written = file && fprintf(file, "globalThis.pcmData = %s;\n", data) > 0;
    const bool closed = file && fclose(file) == 0;
    if (!written || !closed)
        return contents_fail(path, "it could not be written");
    (void)snprintf(path, sizeof path, "%s/index.html", out);
    return contents_write(&live->page, "live.html", "\"data.js\"", path);
}

static bool write_page(const live_page *live, const char *data, const char *out, const page_picture *picture)
{
    char        viewer[4200];
    struct stat facts;
    (void)snprintf(viewer, sizeof viewer, "%s/live.html", live->page.folder);
    const bool is_large = stat(viewer, &facts) == 0 && (size_t)facts.st_size + strlen(data) > most_bytes;
    const bool is_file = out && ends_with(out, ".html");
    if (is_file && is_large)
        return contents_fail(out, "the page has more than 16 MB: write it as a folder, --out DIR");
    const char *path = out ? out : is_large ? "live" : "live.html";
    const bool  folder = out ? !is_file : is_large;
    const bool  good = folder ? write_folder(live, data, path) : contents_write(&live->page, "live.html", data, path);
    if (good && folder)
        (void)printf("%s: open index.html in a browser\n", path);
    else if (good && stat(path, &facts) == 0)
        (void)printf("%s: %.1f MB; open it in a browser\n", path, (double)facts.st_size / 1e6);
    char page[4300];
    (void)snprintf(page, sizeof page, "%s%s", path, folder ? "/index.html" : "");
    return good && browser_picture(page, picture);
}

static bool make(live_page *live, const char *scene, const char *rules, const char *out, const page_picture *picture)
{
    page_contents *page = &live->page;
    if (!contents_find_folder(page))
        return contents_fail(rules, "this installation has no pages");
    if (!scene_files_find(&live->files, scene) || !contents_add_file(page, rules) || !add_installed_laws(page) ||
        !contents_add_modules(page))
        return false;
    char      *data = data_of(live, rules);
    const bool good = data && write_page(live, data, out, picture);
    free(data);
    return good;
}

int live_run(int argc, char **argv)
{
    const char  *out = NULL, *plugins = NULL, *controls = NULL;
    page_picture picture = PAGE_PICTURE_NONE;
    const option table[] = {
        {.name = "--ctrl",
         .value = "CONTROLS.csv",
         .doc = "actuator inputs: columns time and actuators, as for pcm run",
         .text = &controls},
        {.name = "--out",
         .value = "FILE.html",
         .doc = "the page, or a folder for it; default live.html, or the folder live beyond 16 MB",
         .text = &out},
        OPTION_PICTURE(&picture, "also write", "scene"),
        OPTION_PLUGINS(&plugins),
    };
    const command_line line = {
        .name = "live",
        .usage = "SCENE.xml FILE.pcm [options]",
        .about =
            "Writes a page in which the scene runs in the reader's browser: MuJoCo moves the bodies, and the laws act\n"
            "between the pairs that the rules give to them. The rules can be changed while it runs, and bodies be\n"
            "pulled. The page needs no network. Laws beside the plugins of --plugins are compiled first.",
        .examples = "  pcm live configs/climber/climber.xml configs/climber/climber.pcm \\\n"
                    "      --ctrl configs/climber/climber.csv --out out/climber.html",
        OPTIONS(table),
        .min_words = 2,
        .max_words = 2,
    };
    option_texts words = {0};
    int          status;
    if (options_read(&line, argc, argv, &words, &status)) {
        live_page *live = calloc(1, sizeof *live);
        if (live) {
            live->page.plugins = plugins;
            live->controls = controls;
        }
        status = live && make(live, words.at[0], words.at[1], out, &picture) ? EXIT_GOOD : EXIT_WRONG;
        if (live) {
            contents_free(&live->page);
            scene_files_free(&live->files);
        }
        free(live);
    }
    free(words.at);
    return command_finish(status);
}
