/* SPDX-License-Identifier: MIT */
/* fmt.c - pcm fmt: gives .pcm files the standard layout. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"
#include "replace.h"
#include "whole_file.h"

/* Formats a file, or only checks it; true if it has the standard layout at the end. */
static bool format_file(pcm_context *context, const char *path, bool check)
{
    size_t length, formatted_length;
    char  *text = whole_file(path, &length), *formatted = NULL;
    if (!text) {
        command_error(PCM_MSG_UNREADABLE, "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    bool good = pcm_config_format(context, path, text, length, &formatted, &formatted_length) == PCM_OK;
    if (good && strcmp(path, "-") == 0 && !check) {
        (void)fwrite(formatted, 1, formatted_length, stdout);
    } else if (good && (length != formatted_length || memcmp(text, formatted, length) != 0)) {
        const char *reason = check ? NULL : replace_file(path, formatted, formatted_length);
        good = !check && !reason;
        if (reason)
            command_error(PCM_MSG_UNWRITABLE, "'%s' is unchanged: %s", path, reason);
        else
            (void)printf("%s: %s\n", path, check ? "not formatted" : "formatted");
    }
    pcm_free(context, formatted, formatted_length + 1);
    free(text);
    return good;
}

static const char about[] =
    "Formats .pcm files in place: a statement per line, a parameter per line where a block does not fit on one,\n"
    "with the = aligned. Comments stay where they are, and so do blank lines between statements.\n"
    "- reads standard input and prints. A file with a syntax error is left alone.";

static const char examples[] = "  pcm fmt rise.pcm\n"
                               "  pcm fmt --check configs/*.pcm\n"
                               "  pcm fmt - < rise.pcm";

int fmt_run(int argc, char **argv)
{
    bool         check = false;
    const option options[] = {
        {.name = "--check", .doc = "change nothing; exit status 1 where a file is not formatted", .flag = &check}};
    const command_line line = {.name = "fmt",
                               .usage = "FILE.pcm... [--check]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 1,
                               .max_words = SIZE_MAX};
    option_texts       files;
    int                status;
    if (options_read(&line, argc, argv, &files, &status)) {
        pcm_context *context = command_context(NULL, command_report, NULL);
        status = context ? EXIT_GOOD : EXIT_WRONG;
        for (size_t i = 0; context && i < files.count; i++)
            if (!format_file(context, files.at[i], check))
                status = EXIT_WRONG;
        pcm_context_free(context);
    }
    free(files.at);
    return status;
}
