/* SPDX-License-Identifier: MIT */
#include "pattern.h"

/* The next character of UTF-8 text; invalid bytes count one by one. */
static const char *next_character(const char *text)
{
    do
        text++;
    while (((unsigned char)*text & 0xc0) == 0x80);
    return text;
}

/* After a mismatch it is enough to let the last * match more. If the name is itself a pattern, only a * matches its *.
 */
static bool matches(const char *pattern, const char *name, bool name_is_pattern)
{
    const char *star = NULL, *resume = NULL;
    while (*name != '\0') {
        const bool stars = name_is_pattern && *name == '*';
        if (*pattern == '*') {
            star = ++pattern;
            resume = name;
        } else if (*pattern == '?' && !stars) {
            pattern++;
            name = next_character(name);
        } else if (*pattern == *name && !stars) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star;
            name = resume = next_character(resume);
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

bool pcm_name_matches(const char *pattern, const char *name) { return matches(pattern, name, false); }

bool pcm_pattern_covers(const char *cover, const char *pattern) { return matches(cover, pattern, true); }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* [LR], [a-z] or [^x], but not [3] or [left]. */
static bool is_class(const char *bracket)
{
    const size_t length = strcspn(bracket + 1, "]");
    if (bracket[1 + length] != ']' || length == 0)
        return false;
    if (bracket[1] == '^' || (length >= 3 && bracket[2] == '-'))
        return true;
    for (size_t i = 1; i <= length; i++)
        if (!is_letter(bracket[i]))
            return false;
    return length >= 2 && length <= 3;
}

const char *pcm_pattern_regex_sign(const char *text)
{
    const size_t length = strlen(text);
    const char  *bracket = strchr(text, '[');
    if (strncmp(text, ".*", 2) == 0 || *text == '^')
        return text;
    if (bracket != NULL && is_class(bracket))
        return bracket;
    if (length > 0 && (text[length - 1] == '$' || text[length - 1] == '%'))
        return text + length - 1;
    if (*text == '%')
        return text;
    return strchr(text, '|');
}
