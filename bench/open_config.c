/* SPDX-License-Identifier: MIT */
#include "open_config.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

static const char of_words[] = "pcm bench"; /* what messages call the text that a word becomes */

static void print_error(void *user, const pcm_diagnostic *diagnostic)
{
    char text[2048];
    (void)user;
    if (diagnostic->severity != PCM_ERROR)
        return;
    pcm_diagnostic_format(diagnostic, text, sizeof text);
    fputs(text, stderr);
    if (diagnostic->place.file && strcmp(diagnostic->place.file, of_words) == 0)
        fputs("bench: name laws, which 'pcm models' lists, or files that end in .pcm\n", stderr);
}

static void *counted_allocate(void *user, size_t bytes)
{
    Account *account = user;
    account->now += bytes;
    if (account->peak < account->now)
        account->peak = account->now;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void counted_release(void *user, void *memory, size_t bytes)
{
    Account *account = user;
    if (memory)
        account->now -= bytes;
    free(memory);
}

pcm_context *open_context(Account *account)
{
    pcm_context_def def = pcm_context_defaults();
    def.sink = print_error;
    if (account)
        def.allocator = (pcm_allocator){account, counted_allocate, counted_release};
    pcm_context *context = pcm_context_new(&def);
    if (!context)
        bench_fail("no context");
    return context;
}

static pcm_config *checked(pcm_config *config)
{
    if (!config)
        bench_fail("the configuration has errors");
    return config;
}

pcm_config *open_text(pcm_context *context, const char *text, size_t length)
{
    return checked(pcm_config_parse(context, "bench", text, length));
}

pcm_config *open_word(pcm_context *context, const char *word)
{
    const size_t   length = strlen(word);
    char           text[256];
    pcm_config_def def = pcm_config_defaults();
    def.name = word;
    def.settings = bench_settings()->settings;
    def.n_settings = (size_t)bench_settings()->setting_count;
    if (length <= 4 || strcmp(word + length - 4, ".pcm") != 0) {
        const int written = snprintf(text, sizeof text, "ContactType defaults = %s;", word);
        def.name = of_words;
        def.text = text;
        def.length = (size_t)written < sizeof text ? (size_t)written : sizeof text - 1;
    }
    return checked(pcm_config_open(context, &def));
}

const pcm_type *open_type(const char *text)
{
    return pcm_config_type_at(open_text(open_context(NULL), text, strlen(text)), 0);
}
