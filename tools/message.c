/* SPDX-License-Identifier: MIT */
/* message.c - pcm message: prints the text of docs/messages.md about a message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

static const struct message {
    unsigned long code;
    const char   *text;
} messages[] = {
#include "messages.inc"
};

/* The entry for a code written as PCM-203 or 203; NULL: there is none. */
static const struct message *find_message(const char *word)
{
    const char         *digits = strncmp(word, "PCM-", 4) == 0 ? word + 4 : word;
    char               *end;
    const unsigned long code = strtoul(digits, &end, 10);
    for (size_t i = 0; i < sizeof messages / sizeof *messages && *end == '\0'; i++)
        if (messages[i].code == code)
            return &messages[i];
    return NULL;
}

int message_run(int argc, char **argv)
{
    const command_line line = {
        .name = "message",
        .usage = "CODE...",
        .about = "Prints what a message means and, where there is one, an example file that causes it.",
        .examples = "  pcm message PCM-203\n"
                    "  pcm message 101 102\n",
        .min_words = 1,
        .max_words = (size_t)argc};
    option_texts words;
    int          status;
    if (options_read(&line, argc, argv, &words, &status)) {
        status = EXIT_GOOD;
        for (size_t i = 0; i < words.count; i++) {
            const struct message *message = find_message(words.at[i]);
            if (message)
                (void)printf("%s%s", i > 0 ? "\n" : "", message->text);
            else
                status = options_refuse(&line, "'%s' is not a message code, such as PCM-203", words.at[i]);
        }
    }
    free(words.at);
    return status;
}
