/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <pcm/messages.h>

typedef struct write_job {
    const search *search;
    const char   *folder;
    volatile bool written; /* of the parent's and the child's shared memory */
} write_job;

typedef struct report_path {
    char text[4096];
} report_path;

/* A name of a type or surface as part of a file's name. */
static void add_name(report_path *path, const char *before, const char *name)
{
    const size_t used = strlen(path->text);
    (void)snprintf(path->text + used, sizeof path->text - used, "%s%s", before, name);
    for (char *c = path->text + used + strlen(before); *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
}

static report_path path_of(const search *s, const char *folder, const char *suffix)
{
    const subject_def *def = s->def->subject;
    report_path        path;
    (void)snprintf(path.text, sizeof path.text, "%s", folder);
    add_name(&path, "/", def->model);
    for (size_t i = 0; i < 2 && def->file && *def->surface[i]; i++)
        add_name(&path, "-", def->surface[i]);
    const size_t used = strlen(path.text);
    (void)snprintf(path.text + used, sizeof path.text - used, "-%s.%s", s->check->name, suffix);
    return path;
}

static bool write_file(const write_job *job, const subject *law, const char *suffix)
{
    FILE *out = fopen(path_of(job->search, job->folder, suffix).text, "w");
    if (!out)
        return false;
    if (strcmp(suffix, "pcm") == 0)
        subject_write(law, job->search->smallest.params, out);
    else
        motion_write(law, &job->search->smallest, out);
    return fclose(out) == 0;
}

/* In a child: the tables are the plugin's. */
static void write_files(void *argument)
{
    write_job *job = argument;
    subject    law;
    (void)mkdir(job->folder, 0777);
    job->written = subject_open(&law, job->search->def->subject, job->search->smallest.carrier) &&
                   subject_set_values(&law, job->search->smallest.params, NULL) &&
                   (!law.law || write_file(job, &law, "pcm")) && write_file(job, &law, "csv");
}

static bool write_counterexample(const search *s, const char *folder)
{
    const double seconds = 5;
    write_job   *job = child_share(sizeof *job);
    if (!job)
        return false;
    *job = (write_job){.search = s, .folder = folder};
    (void)child_run(write_files, job, seconds, true);
    const bool written = job->written;
    child_unshare(job, sizeof *job);
    return written;
}

/* Text in lines of a width that is pleasant to read. */
static void print_wrapped(const char *text, int indent)
{
    enum { WIDTH = 100 };
    int used = 0;
    for (size_t length; *text; text += length + strspn(text + length, " ")) {
        length = strcspn(text, " ");
        if (used > 0 && used + 1 + (int)length > WIDTH - indent)
            used = 0 * printf("\n");
        used +=
            used == 0 ? printf("%*s%.*s", indent, "", (int)length, text) - indent : printf(" %.*s", (int)length, text);
    }
    (void)putchar('\n');
}

void report_line(const search *s, grid *table)
{
    static const char *const words[] = {
        [SEARCH_GOOD] = "holds", [SEARCH_IDLE] = "-", [SEARCH_FOUND] = "FOUND", [SEARCH_FAILED] = "not run"};
    char tries[64] = "";
    if (s->result == SEARCH_GOOD)
        (void)snprintf(tries, sizeof tries, "%zu tries%s", s->tries, s->stopped ? ", the time was up" : "");
    const char *reason = s->reason ? s->reason : "no values of its parameters were accepted";
    GRID_ADD(table, s->check->name, words[s->result], tries, s->result == SEARCH_IDLE ? reason : s->check->doc);
}

/* The command that replays a counterexample. */
static void print_rig(const search *s, const char *folder)
{
    const subject_def *def = s->def->subject;
    if (def->file)
        (void)printf("  pcm rig %s %s", def->file, def->model);
    else
        (void)printf("  pcm rig %s", path_of(s, folder, "pcm").text);
    (void)printf(" --motion %s%s", path_of(s, folder, "csv").text, s->smallest.kind == MOTION_LANES ? " --trial" : "");
    for (size_t i = 0; def->file && *def->surface[0] && i < 2; i++)
        (void)printf(" --between '%s'", def->surface[i]);
    for (size_t i = 0; def->file && i < def->settings->count; i++)
        (void)printf(" --set '%s'", def->settings->at[i]);
    (void)printf("%s%s\n", def->plugins ? " --plugins " : "", def->plugins ? def->plugins : "");
}

void report_finding(const search *s, const char *folder)
{
    (void)printf("\n%s\n", s->check->name);
    print_wrapped(s->found.what, 2);
    print_wrapped(s->found.advice, 2);
    if (!write_counterexample(s, folder)) {
        command_error(PCM_MSG_UNWRITABLE, "the counterexample could not be written to %s", folder);
        return;
    }
    print_rig(s, folder);
    if (s->smallest.kind == MOTION_PATH)
        (void)printf("  and, with `| pcm plot - --text` behind it, as a picture\n");
}
