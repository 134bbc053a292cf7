/* SPDX-License-Identifier: MIT */
#include "report.h"

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

static report_path path_of(const search *s, const char *folder, const char *suffix)
{
    report_path path;
    (void)snprintf(path.text, sizeof path.text, "%s/%s-%s.%s", folder, s->def->subject->model, s->check->name, suffix);
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
    job->written = subject_open(&law, job->search->def->subject) &&
                   subject_set_values(&law, job->search->smallest.params, NULL) && write_file(job, &law, "pcm") &&
                   write_file(job, &law, "csv");
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
    GRID_ADD(table, s->check->name, words[s->result], tries, s->check->doc);
}

void report_finding(const search *s, const char *folder)
{
    const char *plugins = s->def->subject->plugins;
    (void)printf("\n%s\n", s->check->name);
    print_wrapped(s->found.what, 2);
    print_wrapped(s->found.advice, 2);
    if (!write_counterexample(s, folder)) {
        command_error(PCM_MSG_UNWRITABLE, "the counterexample could not be written to %s", folder);
        return;
    }
    (void)printf("  pcm rig %s --motion %s%s%s%s\n", path_of(s, folder, "pcm").text, path_of(s, folder, "csv").text,
                 s->smallest.kind == MOTION_LANES ? " --trial" : "", plugins ? " --plugins " : "",
                 plugins ? plugins : "");
    if (s->smallest.kind == MOTION_PATH)
        (void)printf("  and, with `| pcm plot - --text` behind it, as a picture\n");
}
