/* SPDX-License-Identifier: MIT */
/* compile.c - has clang compile the laws for one lane, and pcm-lower complete the header. */
#define _GNU_SOURCE /* secure_getenv */
#include "ending.h"
#include "export.h"

#include <dirent.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <pcm/messages.h>

#include "whole_file.h"

extern char **environ;

enum { PATH_SIZE = 4800 };

bool export_refuse(const pcm_place *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    command_message_of(PCM_ERROR, PCM_MSG_NOT_EXPORTED, place, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- Sources ----------------------------------------------------------------------------------------------------- */

/* The C file of a law: one of --source, or that beside its plugin. */
static bool find_source(const export_job *job, const pcm_model *model, char path[PATH_SIZE])
{
    char name[EXPORT_NAME];
    (void)snprintf(name, sizeof name, "/%.*s.c", EXPORT_NAME - 8, model->name);
    for (size_t i = 0; i < job->sources.count; i++)
        if (ends_with(job->sources.at[i], name) || strcmp(job->sources.at[i], name + 1) == 0) {
            (void)snprintf(path, PATH_SIZE, "%s", job->sources.at[i]);
            return access(path, R_OK) == 0 || export_refuse(NULL, "%s: it cannot be read", path);
        }
    const char *plugin = pcm_model_path(job->context, model->name);
    const char *slash = plugin ? strrchr(plugin, '/') : NULL;
    (void)snprintf(path, PATH_SIZE, "%.*s%s", slash ? (int)(slash - plugin) : 1, slash ? plugin : ".", name);
    return access(path, R_OK) == 0 ||
           export_refuse(NULL, "the C file of %s is not beside its plugin, as %s: --source names another", model->name,
                         path);
}

/* ---- The temporary folder ---------------------------------------------------------------------------------------- */

bool export_open_folder(export_job *job)
{
    const char *temporary = secure_getenv("TMPDIR");
    (void)snprintf(job->folder, sizeof job->folder, "%s/pcm-export-XXXXXX",
                   temporary && *temporary ? temporary : "/tmp");
    if (mkdtemp(job->folder))
        return true;
    (void)export_refuse(NULL, "%s: no temporary folder could be made", job->folder);
    job->folder[0] = '\0';
    return false;
}

static void file_in(const export_job *job, const char *name, char path[PATH_SIZE])
{
    (void)snprintf(path, PATH_SIZE, "%s/%s", job->folder, name);
}

void export_close_folder(const export_job *job)
{
    DIR *open = *job->folder ? opendir(job->folder) : NULL;
    for (struct dirent *entry; open && (entry = readdir(open));)
        if (entry->d_name[0] != '.') {
            char path[PATH_SIZE];
            file_in(job, entry->d_name, path);
            (void)unlink(path);
        }
    if (open) {
        (void)closedir(open);
        (void)rmdir(job->folder);
    }
}

static FILE *create(const export_job *job, const char *name)
{
    char path[PATH_SIZE];
    file_in(job, name, path);
    FILE *file = fopen(path, "w");
    if (!file)
        (void)export_refuse(NULL, "%s: it cannot be written", path);
    return file;
}

static bool close_written(FILE *file)
{
    const bool good = !ferror(file);
    return (fclose(file) == 0 && good) || export_refuse(NULL, "a temporary file could not be written");
}

/* Functions behind a law, for the glue and for single.c: its table is static in its file. */
static const char law_end[] =
    "static void law_rejected(const pcm_setup *setup, const char *param, const char *message)\n"
    "{\n    (void)param, (void)message;\n    *(int *)setup->host = 1;\n}\n"
    "int LAW_(prepare)(void *params)\n{\n    int rejected = 0;\n"
    "    const pcm_setup setup = {sizeof setup, &rejected, law_rejected};\n"
    "    return (pcm_model_.prepare && pcm_model_.prepare(&setup, params) != 0) | rejected;\n}\n"
    "double LAW_(onset)(const void *params) { return pcm_model_.onset ? pcm_model_.onset(params) : 0; }\n"
    "size_t LAW_(offset)(size_t i) { return ((const pcm_param *)pcm_model_.params.entries)[i].offset; }\n"
    "size_t LAW_(size)(void) { return pcm_model_.params.count ? ((const pcm_param *)pcm_model_.params.entries)"
    "->params_size : 0; }\n";

bool export_write_law(const export_job *job, const pcm_model *model)
{
    char name[EXPORT_NAME + 8], source[PATH_SIZE], path[PATH_SIZE];
    (void)snprintf(name, sizeof name, "law_%.*s.c", EXPORT_NAME, model->name);
    file_in(job, name, path);
    if (access(path, F_OK) == 0)
        return true;
    if (!find_source(job, model, source))
        return false;
    FILE *out = create(job, name);
    if (!out)
        return false;
    (void)fprintf(out, "#include \"%s\"\n#define LAW_(name) %s_##name\n%s", realpath(source, path) ? path : source,
                  model->name, law_end);
    return close_written(out);
}

static bool write_files(export_job *job)
{
    FILE *glue = create(job, "glue.c");
    if (!glue)
        return false;
    export_write_glue(job, glue);
    FILE *header = close_written(glue) ? create(job, "template") : NULL;
    if (!header)
        return false;
    export_write_header(job, header);
    return close_written(header);
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

int export_script(const export_job *job, const char *script)
{
    static const char first[] =
        "clang='" PCM_EXPORT_CLANG " -std=gnu17 -g -w -fno-strict-aliasing -DPCM_ONE_LANE'\n"
        "flags=\"$(pkg-config --cflags pcm-plugin) -ffp-contract=off -fno-math-errno -fno-trapping-math\" || exit 3\n";
    static char shell[] = "/bin/sh", option_c[] = "-c", name[] = "sh";
    static char no[] = "", yes[] = "-DPCM_FLOAT -Xclang -cl-single-precision-constant";
    char        lower[PATH_SIZE], whole[4096];
    if (!command_folder("tools", PCM_BENCH_FROM_PREFIX, lower, sizeof lower - 16)) {
        (void)export_refuse(NULL, "this installation lacks pcm-lower");
        return 2;
    }
    (void)strcat(lower, "/pcm-lower");
    (void)snprintf(whole, sizeof whole, "%s%s", first, script);
    char *const words[] = {shell, option_c, whole, name, (char *)(uintptr_t)job->folder, lower, job->single ? yes : no,
                           NULL};
    pid_t       child;
    int         status;
    if (posix_spawn(&child, shell, NULL, NULL, words, environ) != 0 || waitpid(child, &status, 0) != child)
        return 2;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/* Reports a line "@refused FILE LINE COLUMN MESSAGE" of the output, with tabs between, under the source's line. */
static void report_refused(char *line)
{
    char     *word[5] = {line}, *text = NULL;
    size_t    words = 1, length = 0;
    pcm_place place = {.length = 1};
    for (char *tab = strchr(line, '\t'); tab && words < 5; tab = strchr(tab + 1, '\t')) {
        *tab = '\0';
        word[words++] = tab + 1;
    }
    if (words < 5)
        return;
    place.file = word[1];
    place.line = (uint32_t)strtoul(word[2], NULL, 10);
    place.column = (uint32_t)strtoul(word[3], NULL, 10);
    place.column += place.column == 0;
    text = place.line > 0 ? whole_file(place.file, &length) : NULL;
    const char *at = text;
    for (uint32_t i = 1; at && i < place.line; i++)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    place.source_line = at;
    place.source_line_length = at ? (uint32_t)strcspn(at, "\n") : 0;
    (void)export_refuse(*place.file ? &place : NULL, "the law %s", word[4]);
    free(text);
}

static void report_all_refused(char *text)
{
    char last[1024] = ""; /* each line once: the code of a function may stand in several */
    for (char *line = text, *end; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (strncmp(line, "@refused\t", 9) != 0 || strncmp(line, last, sizeof last - 1) == 0)
            continue;
        (void)snprintf(last, sizeof last, "%s", line);
        report_refused(line);
    }
}

char *export_compile(export_job *job, size_t *length)
{
    /* 3: something was not compiled; 1: pcm-lower refuses a law. */
    static const char script[] =
        "for c in \"$1\"/*.c; do\n"
        "    $clang -O3 -Xclang -disable-llvm-passes $flags $3 -DPCM_KIT_CALLS -emit-llvm -c \"$c\" \\\n"
        "        -o \"${c%.c}.bc\" || exit 3\n"
        "done\n"
        "exec \"$2\" \"$1/template\" \"$1/glue.bc\" \"$1\"/law_*.bc >\"$1/header\"";
    char path[PATH_SIZE];
    file_in(job, "header", path);
    const int status = write_files(job) ? export_script(job, script) : 2;
    char     *text = status <= 1 ? whole_file(path, length) : NULL;
    if (status == 3)
        (void)export_refuse(NULL, "%s did not compile a law: see above", PCM_EXPORT_CLANG);
    if (status == 1 && text)
        report_all_refused(text);
    else if (status != 0 && status != 2 && status != 3)
        (void)export_refuse(NULL, "pcm-lower ended with status %d", status);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}
