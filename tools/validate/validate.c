/* SPDX-License-Identifier: MIT */
/* validate.c - pcm validate: contact laws in benchmarks of the field, against experiments and closed forms. */
#include <dirent.h>
#include <pcm/messages.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board.h"
#include "command.h"
#include "progress.h"

typedef struct validation {
    const char  *file, *type, *folder; /* file and type: NULL for those of the suites */
    const char  *plugins, *host, *page;
    option_texts names, between;
    bool         tests, json, markdown;
    board        board;
    bool         failed; /* some test could not be run */
    char         temporary[64];
    progress     bar;
    double       done, share; /* of the work: behind us, and of the type that runs */
} validation;

/* ---- Suites ------------------------------------------------------------------------------------------------------ */

static bool is_wanted(const validation *v, const char *name)
{
    for (size_t i = 0; i < v->names.count; i++)
        if (strcmp(v->names.at[i], name) == 0)
            return true;
    return v->names.count == 0;
}

static bool has_host(const validation *v, const suite *s) { return !v->host || strcmp(v->host, suite_host(s)) == 0; }

/* Folders, as far as the file system says. */
static int visible(const struct dirent *entry) { return entry->d_name[0] != '.' && entry->d_type != DT_REG; }

/* Whether every name that was asked for is in the folder; false, with a report. */
static bool check_names(const validation *v, struct dirent **entries, int count)
{
    for (size_t i = 0; i < v->names.count; i++) {
        bool           found = false;
        pcm_suggestion suggestion = pcm_suggest(v->names.at[i], strlen(v->names.at[i]));
        for (int k = 0; k < count; k++) {
            found = found || strcmp(entries[k]->d_name, v->names.at[i]) == 0;
            pcm_suggest_try(&suggestion, entries[k]->d_name, strlen(entries[k]->d_name));
        }
        if (!found) {
            command_error(PCM_MSG_BAD_SUITE, "there is no suite %s in %s%s", v->names.at[i], v->folder,
                          options_hint_of(&suggestion).text);
            return false;
        }
    }
    return true;
}

/* Reads one that is wanted; those of another host are left out. */
static bool read_one(validation *v, const char *name)
{
    char path[SUITE_PATH];
    if (!is_wanted(v, name))
        return true;
    (void)snprintf(path, sizeof path, "%s/%s", v->folder, name);
    suite     *s = &v->board.suites[v->board.n_suites];
    const bool good = suite_read(s, path);
    if (good && has_host(v, s))
        v->board.n_suites++;
    else
        suite_free(s);
    return good;
}

static bool read_suites(validation *v)
{
    struct dirent **entries = NULL;
    const int       count = scandir(v->folder, &entries, visible, alphasort);
    if (count < 0) {
        command_error(PCM_MSG_BAD_SUITE, "there is no folder of suites %s", v->folder);
        return false;
    }
    v->board.suites = calloc((size_t)count + 1, sizeof *v->board.suites);
    if (!v->board.suites)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    bool good = v->board.suites && check_names(v, entries, count);
    for (int i = 0; i < count; i++) {
        good = good && read_one(v, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return good;
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static board_row *add_row(validation *v, const suite *s, const char *type)
{
    board_row *rows = realloc(v->board.rows, (v->board.n_rows + 1) * sizeof *rows);
    if (!rows) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    v->board.rows = rows;
    board_row *row = &rows[v->board.n_rows++];
    *row = (board_row){.suite = s};
    (void)snprintf(row->type, sizeof row->type, "%s", type);
    return row;
}

/* Reports the first test that could not be run, and counts the others. */
static void report_failures(validation *v, const board_row *row)
{
    const board_score score = board_score_of(row);
    for (size_t i = 0; score.failed && i < row->suite->n_tests; i++)
        if (!row->results[i].done) {
            char more[64] = "";
            if (score.failed > 1)
                (void)snprintf(more, sizeof more, " (and %zu more tests)", score.failed - 1);
            progress_end(&v->bar);
            command_error(PCM_MSG_BAD_SUITE, "%s, test %s, %s: %s%s", row->suite->name, row->suite->tests[i].name,
                          row->type, row->results[i].reason, more);
            v->failed = true;
            return;
        }
}

static void run_row(validation *v, board_row *row, const char *file, const pcm_type *type)
{
    const suite *s = row->suite;
    trial_def    def = {.suite = s,
                        .file = file,
                        .type = row->type,
                        .of_file = type,
                        .plugins = v->plugins,
                        .between = &v->between,
                        .folder = v->temporary};
    if (trial_prepare(&def, row->unfit, sizeof row->unfit)) {
        row->results = calloc(s->n_tests + 1, sizeof *row->results);
        if (!row->results) {
            (void)snprintf(row->unfit, sizeof row->unfit, "there is no memory");
            v->failed = true;
        }
    } else if (v->file)
        command_error(PCM_MSG_BAD_SUITE, "%s is not for the suite %s: %s", row->type, s->name, row->unfit);
    for (size_t i = 0; row->results && i < s->n_tests; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "%s, %s", s->name, row->type);
        progress_at(&v->bar, v->done + v->share * (double)i / (double)s->n_tests, text);
        row->results[i] = trial_run(&def, &s->tests[i]);
    }
    report_failures(v, row);
    trial_free(&def);
}

/* Whether the type can run in the suite: a whole law, and in scenes the simulator's own contact too. */
static bool can_run(const suite *s, const pcm_type *type)
{
    const pcm_model *model = pcm_type_get_info(type)->model;
    const bool       is_own = model->flags & PCM_HOST_CONTACT;
    return is_own ? strcmp(suite_host(s), "mujoco") == 0 : !(model->inputs & (PCM_LOAD | PCM_CONTACT_RADIUS));
}

/* Runs the types of the file in the suite; false, with a report: the file has errors. */
static bool run_suite(validation *v, const suite *s)
{
    const option_texts none = {0};
    char               own[SUITE_PATH];
    const char        *file = v->file ? v->file : suite_path(s, s->laws, own);
    pcm_context       *context = command_context(v->plugins, command_report_types, NULL);
    pcm_config        *config = context ? command_config(context, file, &none) : NULL;
    bool               good = config != NULL;
    v->share = good ? 1 / ((double)v->board.n_suites * (double)pcm_config_type_count(config)) : 0;
    for (size_t i = 0; good && i < pcm_config_type_count(config); i++) {
        const pcm_type *type = pcm_config_type_at(config, i);
        const char     *name = pcm_type_get_info(type)->name;
        v->done += i ? v->share : 0;
        if (!can_run(s, type) || (v->type && strcmp(v->type, name) != 0))
            continue;
        board_row *row = add_row(v, s, name);
        good = row != NULL;
        if (good)
            run_row(v, row, file, type);
    }
    if (good && v->type && !pcm_config_type_find(config, v->type)) {
        command_error(PCM_MSG_BAD_SUITE, "%s has no contact type %s", file, v->type);
        good = false;
    }
    pcm_config_release(config);
    pcm_context_free(context);
    return good;
}

static void remove_temporary(const validation *v)
{
    static const char *const files[] = {"case.pcm", "said", "out.csv", "rules.pcm"};
    char                     path[256];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", v->temporary, files[i]);
        (void)unlink(path);
    }
    (void)rmdir(v->temporary);
}

static bool run_all(validation *v)
{
    bool good = true;
    (void)snprintf(v->temporary, sizeof v->temporary, "/tmp/pcm-validate-XXXXXX");
    if (!mkdtemp(v->temporary)) {
        command_error(PCM_MSG_BAD_SUITE, "there is no folder for temporary files in /tmp");
        return false;
    }
    v->bar = progress_start();
    for (size_t i = 0; good && i < v->board.n_suites; i++) {
        v->done = (double)i / (double)v->board.n_suites;
        good = run_suite(v, &v->board.suites[i]);
    }
    progress_end(&v->bar);
    remove_temporary(v);
    return good;
}

static void show(validation *v)
{
    if (v->json)
        board_print_json(&v->board);
    else if (v->markdown)
        board_print_markdown(&v->board);
    else if (v->tests)
        board_print_tests(&v->board);
    else
        board_print(&v->board);
}

static void release(validation *v)
{
    for (size_t i = 0; i < v->board.n_rows; i++)
        free(v->board.rows[i].results);
    for (size_t i = 0; i < v->board.n_suites; i++)
        suite_free(&v->board.suites[i]);
    free(v->board.rows);
    free(v->board.suites);
    free(v->names.at);
    free(v->between.at);
}

int validate_run(int argc, char **argv)
{
    char         own[4096];
    validation   v = {0};
    const option options[] = {
        {.name = "--suite", .value = "NAME", .doc = "run this suite alone; may be repeated", .texts = &v.names},
        {.name = "--suites",
         .value = "DIR",
         .doc = "the folder of suites; default: those that come with pcm",
         .text = &v.folder},
        {.name = "--host",
         .value = "NAME",
         .doc = "only the suites that run there: own, mujoco or lammps",
         .text = &v.host},
        {.name = "--tests", .doc = "print every test", .flag = &v.tests},
        {.name = "--json", .doc = "print everything as JSON", .flag = &v.json},
        {.name = "--markdown", .doc = "print the tables for a page", .flag = &v.markdown},
        {.name = "--page",
         .value = "OUT.html",
         .doc = "also write a page with sortable tables and pictures",
         .text = &v.page},
        OPTION_BETWEEN(&v.between),
        OPTION_PLUGINS(&v.plugins),
    };
    const command_line line = {
        .name = "validate",
        .usage = "[FILE.pcm [TYPE]] [options]",
        .about =
            "Runs contact laws in benchmarks of the field, and scores them against experiments and closed forms.\n"
            "\n"
            "A suite is a folder of text: the tests, their numbers with source and tolerance, and contact types to\n"
            "compare. Without FILE these types run; with it, those of the file or the one named, with the parameters\n"
            "that the suite sets. Laws run in processes of their own: one that crashes fails its own test alone.\n"
            "Exits with 1 if a test could not be run. A number outside its tolerance is a score, not an error.\n",
        .examples = "  pcm validate --suite kharaz\n  pcm validate grain.pcm Grain --tests\n",
        OPTIONS(options),
        .max_words = 2,
    };
    option_texts words;
    int          status;
    if (options_read(&line, argc, argv, &words, &status)) {
        v.file = words.count > 0 ? words.at[0] : NULL;
        v.type = words.count > 1 ? words.at[1] : NULL;
        if (v.host && strcmp(v.host, "own") != 0 && strcmp(v.host, "mujoco") != 0 && strcmp(v.host, "lammps") != 0)
            status = options_refuse(&line, "--host is own, mujoco or lammps, not %s", v.host);
        else if (v.between.count != 0 && v.between.count != 2)
            status = options_refuse(&line, "--between is given twice, once for each surface");
        else if (!v.folder && !command_folder("suites", PCM_SUITES_FROM_PREFIX, own, sizeof own)) {
            command_error(PCM_MSG_BAD_SUITE, "the suites are not installed: --suites DIR");
            status = EXIT_WRONG;
        } else {
            v.folder = v.folder ? v.folder : own;
            const bool good = read_suites(&v) && run_all(&v);
            if (good)
                show(&v);
            status = good && !v.failed && (!v.page || board_write_page(&v.board, v.page)) ? EXIT_GOOD : EXIT_WRONG;
        }
        status = command_finish(status);
        release(&v);
    }
    free(words.at);
    return status;
}
