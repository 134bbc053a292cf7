/* SPDX-License-Identifier: MIT */
/* docs/messages.md is the registry of pcm/messages.h as a page. PCM_UPDATE_GOLDEN=1 in the environment writes it. */

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

static void write_page(char *page)
{
    static const char *const chapters[] = {
        NULL,          "Text and syntax",       "Names and values",   "Plugins",    "Worlds",
        "Checkpoints", "Simulators and scenes", "Cones and geometry", "The command"};
    struct message sorted[MESSAGES];
    int            chapter = 0;
    memcpy(sorted, messages, sizeof messages);
    qsort(sorted, MESSAGES, sizeof *sorted, by_code);
    page += sprintf(
        page, "# Messages\n\n"
              "Every message ends in its code, which never changes its meaning. `configs/bad` holds a file for each of "
              "1xx and\n2xx, and what is said of it. This page is written from `include/pcm/messages.h`.\n");
    for (int i = 0; i < MESSAGES; i++) {
        assert_in_range(sorted[i].code, 100, 899);
        if (sorted[i].code / 100 != chapter) {
            chapter = sorted[i].code / 100;
            page += sprintf(page, "\n## %dxx %s\n\n| code | meaning |\n|---|---|\n", chapter, chapters[chapter]);
        }
        page += sprintf(page, "| PCM-%d | %s |\n", sorted[i].code, sorted[i].text);
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
