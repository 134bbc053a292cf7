/* SPDX-License-Identifier: MIT */
/* docs/messages.md presents the registry of pcm/messages.h as a page. PCM_UPDATE_GOLDEN=1 in the environment writes
 * it. */

#include <glob.h>
#include <pcm/messages.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct message {
    int         code;
    const char *text;
} messages[] = {
#define ENTRY(code, name, text) {code, text},
    PCM_MESSAGE_TABLE(ENTRY)
#undef ENTRY
};

enum { MESSAGES = sizeof messages / sizeof *messages, PAGE_SIZE = 1 << 17 };

static int by_code(const void *a, const void *b)
{
    return ((const struct message *)a)->code - ((const struct message *)b)->code;
}

/* Whether a line of an .err file is the first of a message with that code. */
static bool begins_message(const char *line, int code)
{
    char end[16];
    (void)snprintf(end, sizeof end, "[PCM-%d]\n", code);
    const size_t length = strlen(line);
    return line[0] != ' ' && length > strlen(end) && strcmp(line + length - strlen(end), end) == 0;
}

/* The first message with that code in an .err file, with its notes, as an indented block. */
static char *write_message(char *page, FILE *err, int code)
{
    char line[1024];
    bool inside = false;
    while (fgets(line, sizeof line, err)) {
        const bool is_note = strstr(line, ": note: ") != NULL;
        if (line[0] != ' ' && inside && !is_note)
            break;
        inside |= begins_message(line, code) && !is_note;
        if (inside)
            page += sprintf(page, "    %s", line);
    }
    return page;
}

static char *write_example(char *page, int code)
{
    char   pattern[512];
    glob_t found;
    (void)snprintf(pattern, sizeof pattern, BAD_CONFIGS "/%d-*.err", code);
    if (glob(pattern, 0, NULL, &found) != 0)
        return page;
    FILE *err = fopen(found.gl_pathv[0], "r");
    assert_non_null(err);
    page += sprintf(page, "\n");
    page = write_message(page, err, code);
    fclose(err);
    globfree(&found);
    return page;
}

static void write_page(char *page)
{
    static const char *const chapters[] = {
        NULL,          "Text and syntax",       "Names and values",   "Plugins",    "Worlds",
        "Checkpoints", "Simulators and scenes", "Cones and geometry", "The command"};
    struct message sorted[MESSAGES];
    int            chapter = 0;
    memcpy(sorted, messages, sizeof messages);
    qsort(sorted, MESSAGES, sizeof *sorted, by_code);
    page +=
        sprintf(page, "# Messages\n\n"
                      "Every message ends in its code, which never changes its meaning; `pcm message PCM-203` prints "
                      "what is said of it here.\nThe examples are files of `configs/bad`. This page is written from "
                      "them and from `include/pcm/messages.h`.\n");
    for (int i = 0; i < MESSAGES; i++) {
        assert_in_range(sorted[i].code, 100, 899);
        if (sorted[i].code / 100 != chapter) {
            chapter = sorted[i].code / 100;
            page += sprintf(page, "\n## %dxx %s\n", chapter, chapters[chapter]);
        }
        page += sprintf(page, "\n**PCM-%d** %s\n", sorted[i].code, sorted[i].text);
        page = write_example(page, sorted[i].code);
    }
}

static void no_code_is_there_twice(void **state)
{
    (void)state;
    for (int i = 0; i < MESSAGES; i++)
        for (int j = 0; j < i; j++)
            assert_int_not_equal(messages[i].code, messages[j].code);
}

static void the_page_is_up_to_date(void **state)
{
    (void)state;
    char *page = calloc(1, PAGE_SIZE), *found = calloc(1, PAGE_SIZE);
    assert_true(page != NULL && found != NULL);
    write_page(page);
    if (getenv("PCM_UPDATE_GOLDEN") != NULL) {
        FILE *file = fopen(MESSAGES_PAGE, "wb");
        assert_non_null(file);
        fputs(page, file);
        fclose(file);
    }
    FILE *file = fopen(MESSAGES_PAGE, "rb");
    assert_non_null(file);
    assert_true(fread(found, 1, PAGE_SIZE - 1, file) > 0);
    fclose(file);
    if (strcmp(page, found) != 0)
        fail_msg("docs/messages.md is out of date: run this test with PCM_UPDATE_GOLDEN=1");
    free(page);
    free(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_code_is_there_twice),
        cmocka_unit_test(the_page_is_up_to_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
