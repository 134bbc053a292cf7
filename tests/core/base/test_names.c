/* SPDX-License-Identifier: MIT */
#include "names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static size_t live;

static void *allocate(void *user, size_t bytes)
{
    (void)user;
    live += bytes;
    return malloc(bytes);
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)user;
    live -= bytes;
    free(memory);
}

static void each_text_has_one_number(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    pcm_names names = {.allocator = {NULL, allocate, release}};
    char      text[32];
    assert_int_equal(pcm_names_find(&names, "x", 1), PCM_NO_NAME);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < MANY; i++) {
            int length = snprintf(text, sizeof text, "%x.%u", (unsigned)(i * 2654435761u), (unsigned)i);
            assert_int_equal(pcm_names_add(&names, text, (size_t)length), i);
        }
    assert_int_equal(names.count, MANY);
    for (uint32_t i = 0; i < MANY; i += 17) {
        int length = snprintf(text, sizeof text, "%x.%u", (unsigned)(i * 2654435761u), (unsigned)i);
        assert_int_equal(pcm_names_find(&names, text, (size_t)length), i);
        assert_string_equal(pcm_names_text(&names, i), text);
        assert_int_equal(pcm_names_find(&names, text, (size_t)length - 1), PCM_NO_NAME);
    }
    pcm_names_free(&names);
    assert_int_equal(live, 0);
}

static void texts_may_be_long_or_empty(void **state)
{
    (void)state;
    enum { LONGEST = 65000 };
    pcm_names names = {.allocator = {NULL, allocate, release}};
    char     *text = malloc(LONGEST);
    assert_non_null(text);
    memset(text, 'x', LONGEST);
    assert_int_equal(pcm_names_add(&names, "", 0), 0);
    for (uint32_t i = 0; i < 40; i++) /* lengths for which the chunks must grow */
        assert_int_equal(pcm_names_add(&names, text, LONGEST - 1600 * i), i + 1);
    for (uint32_t i = 0; i < 40; i++) {
        assert_int_equal(pcm_names_find(&names, text, LONGEST - 1600 * i), i + 1);
        assert_int_equal(strlen(pcm_names_text(&names, i + 1)), LONGEST - 1600 * i);
    }
    assert_int_equal(pcm_names_find(&names, text, 7), PCM_NO_NAME);
    assert_int_equal(pcm_names_find(&names, "", 0), 0);
    pcm_names_free(&names);
    assert_int_equal(live, 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_text_has_one_number),
        cmocka_unit_test(texts_may_be_long_or_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
