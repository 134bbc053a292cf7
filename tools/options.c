/* SPDX-License-Identifier: MIT */
#include "options.h"
#include "command.h"

#include <math.h>
#include <pcm/pcm.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <pcm/messages.h>

static const char help_name[] = "--help";

options_hint options_hint_of(const pcm_suggestion *suggestion)
{
    options_hint hint = {""};
    if (suggestion->best)
        (void)snprintf(hint.text, sizeof hint.text, "; did you mean '%.*s'?", (int)suggestion->best_length,
                       suggestion->best);
    return hint;
}

options_hint options_did_you_mean(const char *word, const char *const *candidates)
{
    pcm_suggestion suggestion = pcm_suggest(word, strlen(word));
    for (size_t i = 0; candidates[i]; i++)
        pcm_suggest_try(&suggestion, candidates[i], strlen(candidates[i]));
    return options_hint_of(&suggestion);
}

int options_refuse(const command_line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "pcm %s: ", line->name);
    (void)vfprintf(stderr, format, arguments);
    (void)fprintf(stderr, "\nusage: pcm %s %s\nsee `pcm %s --help`\n", line->name, line->usage, line->name);
    va_end(arguments);
    return EXIT_CALL;
}

static void print_option(const char *name, const char *value, const char *doc)
{
    char head[64];
    (void)snprintf(head, sizeof head, "%s%s%s", name, value ? " " : "", value ? value : "");
    (void)printf("  %-22s %s\n", head, doc);
}

static void print_help(const command_line *line)
{
    (void)printf("usage: pcm %s %s\n\n%s\n\noptions:\n", line->name, line->usage, line->about);
    for (size_t i = 0; i < line->n_options; i++)
        print_option(line->options[i].name, line->options[i].value, line->options[i].doc);
    print_option(help_name, NULL, "print this help and exit");
    (void)printf("\nexample:\n%s\n", line->examples);
}

/* The factor of a unit behind a number, such as mm for an option whose value is M; 0: it is another. */
static double factor_of(const char *unit, const char *si)
{
    static const struct {
        char   prefix;
        double factor;
    } prefixes[] = {{'u', 1e-6}, {'m', 1e-3}, {'c', 1e-2}, {'k', 1e3}};
    if (strcasecmp(unit, si) == 0)
        return 1;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (*unit == prefixes[i].prefix && strcasecmp(unit + 1, si) == 0)
            return prefixes[i].factor;
    return 0;
}

/* A finite number, in SI units or with a unit behind it. */
static bool read_number(const char *text, const char *si, double *value)
{
    const size_t length = strlen(text);
    double       number;
    const size_t read = pcm_number_read(text, length, &number);
    const char  *unit = text + read + strspn(text + read, " ");
    const double factor = *unit ? factor_of(unit, si) : 1;
    if (read == 0 || factor == 0 || !isfinite(number))
        return false;
    *value = factor < 1 ? number / round(1 / factor) : number * factor;
    return true;
}

/* Stores the value if it is valid for the option; otherwise `wanted` describes a valid value. */
static bool take_value(const option *target, const char *value, const char **wanted)
{
    double number = 0;
    if (target->text) {
        *target->text = value;
        return true;
    }
    if (target->texts) {
        target->texts->at[target->texts->count++] = value;
        return true;
    }
    const bool is_number = read_number(value, target->value, &number);
    if (target->number) {
        *wanted = "a number";
        if (is_number)
            *target->number = number;
        return is_number;
    }
    if (target->positive) {
        *wanted = "a number above zero";
        if (is_number && number > 0)
            *target->positive = number;
        return is_number && number > 0;
    }
    const double largest = 1e9;
    const bool   whole = is_number && number >= 1 && number <= largest && number == floor(number);
    *wanted = "a whole number above zero";
    if (whole)
        *target->count = (size_t)number;
    return whole;
}

static const option *find_option(const command_line *line, const char *name, size_t length)
{
    for (size_t i = 0; i < line->n_options; i++)
        if (strlen(line->options[i].name) == length && memcmp(line->options[i].name, name, length) == 0)
            return &line->options[i];
    return NULL;
}

/* The option whose long name alone begins with the letter of a short one; NULL: none or several do, or the name is not
 * one letter. */
static const char *longer_name(const command_line *line, const char *name)
{
    const char *found = NULL;
    if (strlen(name) != 2)
        return NULL;
    for (size_t i = 0; i < line->n_options; i++) {
        const char *other = line->options[i].name;
        if (other[1] != '-' || other[2] != name[1])
            continue;
        if (found)
            return NULL;
        found = other;
    }
    return found;
}

static int refuse_unknown(const command_line *line, const char *name)
{
    const char *longer = longer_name(line, name);
    if (longer)
        return options_refuse(line, "unknown option '%s'; did you mean '%s'?", name, longer);
    const char **names = calloc(line->n_options + 2, sizeof *names);
    options_hint hint = {""};
    if (names) {
        for (size_t i = 0; i < line->n_options; i++)
            names[i] = line->options[i].name;
        names[line->n_options] = help_name;
        hint = options_did_you_mean(name, names);
    }
    free(names);
    return options_refuse(line, "unknown option '%s'%s", name, hint.text);
}

/* One option at argv[*at], with its value after '=' or in the next word. */
static bool take_option(const command_line *line, int argc, char **argv, int *at, int *status)
{
    char         *word = argv[*at];
    char         *equals = strchr(word, '=');
    const size_t  length = equals ? (size_t)(equals - word) : strlen(word);
    const option *known = find_option(line, word, length);
    if (!known) {
        if (equals)
            *equals = '\0';
        *status = refuse_unknown(line, word);
        return false;
    }
    if (known->flag) {
        *known->flag = true;
        if (equals)
            *status = options_refuse(line, "%s takes no value", known->name);
        return !equals;
    }
    if (!equals && *at + 1 >= argc) {
        *status = options_refuse(line, "%s needs a value: %s %s", known->name, known->name, known->value);
        return false;
    }
    const char *value = equals ? equals + 1 : argv[++*at];
    const char *wanted = NULL;
    if (!take_value(known, value, &wanted)) {
        *status = options_refuse(line, "%s must be %s, not '%s'", known->name, wanted, value);
        return false;
    }
    return true;
}

static bool make_room(const command_line *line, int argc, option_texts *words)
{
    bool enough = (words->at = calloc((size_t)argc + 1, sizeof *words->at)) != NULL;
    for (size_t i = 0; i < line->n_options; i++)
        if (line->options[i].texts && !line->options[i].texts->at)
            enough &= (line->options[i].texts->at = calloc((size_t)argc + 1, sizeof *words->at)) != NULL;
    return enough;
}

bool options_read(const command_line *line, int argc, char **argv, option_texts *words, int *status)
{
    *words = (option_texts){0};
    if (!make_room(line, argc, words)) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        *status = EXIT_WRONG;
        return false;
    }
    bool only_words = false;
    for (int i = 0; i < argc; i++) {
        if (only_words || argv[i][0] != '-' || argv[i][1] == '\0') {
            words->at[words->count++] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else if (strcmp(argv[i], help_name) == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(line);
            *status = EXIT_GOOD;
            return false;
        } else if (!take_option(line, argc, argv, &i, status)) {
            return false;
        }
    }
    if (words->count < line->min_words)
        *status = options_refuse(line, "an argument is missing");
    else if (words->count > line->max_words)
        *status = options_refuse(line, "unexpected argument '%s'", words->at[line->max_words]);
    else
        return true;
    return false;
}
