/* SPDX-License-Identifier: MIT */
#include "gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <pcm/messages.h>

#include "command.h"

enum { NOT_FOUND = 127 /* exit status of a shell */ };

/* If gnuplot is missing, nobody reads the pipe; the signal for that must not end this program. */
static int pipe_to_gnuplot(const char *script, size_t length)
{
    void (*const old)(int) = signal(SIGPIPE, SIG_IGN);
    FILE *out = popen("command -v gnuplot >/dev/null || exit 127; exec gnuplot", "w");
    int   status = -1;
    if (out) {
        const bool written = fwrite(script, 1, length, out) == length;
        const int  ended = pclose(out);
        status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
        status = status == 0 && !written ? -1 : status;
    }
    (void)signal(SIGPIPE, old);
    return status;
}

bool gnuplot_open(gnuplot *g)
{
    *g = (gnuplot){0};
    g->script = open_memstream(&g->text, &g->length);
    if (!g->script)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    return g->script;
}

/* Ends the script; its text is to be freed. */
static bool end_script(gnuplot *g)
{
    const bool ended = fclose(g->script) == 0;
    if (!ended)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    return ended;
}

static bool run(const gnuplot *g, const char *what)
{
    (void)fflush(stdout);
    errno = 0;
    const int status = pipe_to_gnuplot(g->text, g->length);
    if (status == NOT_FOUND)
        command_error(PCM_MSG_NO_PICTURE, "%s was not drawn: gnuplot is not installed", what);
    else if (status != 0)
        command_error(PCM_MSG_NO_PICTURE, "gnuplot did not draw %s%s%s", what, errno ? ": " : "",
                      errno ? strerror(errno) : "");
    return status == 0;
}

bool gnuplot_draw(gnuplot *g, const char *what)
{
    const bool drawn = end_script(g) && run(g, what);
    free(g->text);
    return drawn;
}

static bool save(const gnuplot *g, const char *path)
{
    FILE *file = fopen(path, "w");
    bool  saved = file && fwrite(g->text, 1, g->length, file) == g->length;
    saved = file && fclose(file) == 0 && saved;
    if (!saved)
        command_error(PCM_MSG_NO_PICTURE, "%s could not be written: %s", path, strerror(errno));
    return saved;
}

bool gnuplot_save(gnuplot *g, const char *path)
{
    const bool saved = end_script(g) && save(g, path);
    free(g->text);
    return saved;
}

void gnuplot_quote(FILE *script, const char *text)
{
    (void)fputc('\'', script);
    for (; *text; text++)
        (void)fprintf(script, *text == '\'' ? "''" : "%c", (unsigned char)*text < ' ' ? '?' : *text);
    (void)fputc('\'', script);
}
