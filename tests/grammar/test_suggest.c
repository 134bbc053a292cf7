/* SPDX-License-Identifier: MIT */
#include "suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const char *best_of(const char *word, const char *const *candidates)
{
    pcm_suggestion suggestion = pcm_suggest(word, strlen(word));
    for (; *candidates != NULL; candidates++)
        pcm_suggest_try(&suggestion, *candidates, strlen(*candidates));
    return suggestion.best == NULL ? "" : suggestion.best;
}

static void slips_of_the_keyboard_are_forgiven(void **state)
{
    (void)state;
    static const char *const names[] = {"Stiffness", "Damping", "Friction", "TransitionRegionWidth", "K", "Mode", NULL};
    assert_string_equal(best_of("Stifness", names), "Stiffness");
    assert_string_equal(best_of("stiffness", names), "Stiffness");
    assert_string_equal(best_of("Stiffnses", names), "Stiffness");
    assert_string_equal(best_of("Dampingg", names), "Damping");
    assert_string_equal(best_of("Fricton", names), "Friction");
    assert_string_equal(best_of("TransitonRegoinWith", names), "TransitionRegionWidth");
    assert_string_equal(best_of("mode", names), "Mode");
    assert_string_equal(best_of("Friction", names), "Friction");
}

static void other_words_are_not_offered(void **state)
{
    (void)state;
    static const char *const names[] = {"Stiffness", "K", "B", "Mode", "", NULL};
    assert_string_equal(best_of("Gravity", names), "");
    assert_string_equal(best_of("X", names), "");
    assert_string_equal(best_of("Made", names), "Mode");
    assert_string_equal(best_of("Mass", names), "");
    assert_string_equal(best_of("", names), "");
}

static void the_nearest_wins_and_the_first_of_equals(void **state)
{
    (void)state;
    static const char *const names[] = {"Damper", "Damped", "Damping", NULL};
    assert_string_equal(best_of("Dampin", names), "Damping");
    assert_string_equal(best_of("Dampex", names), "Damper");
}

static void words_of_any_length_are_taken(void **state)
{
    (void)state;
    char long_word[1000];
    memset(long_word, 'x', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    const char *const names[] = {long_word, "x", NULL};
    assert_string_equal(best_of(long_word, names), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_of_the_keyboard_are_forgiven),
        cmocka_unit_test(other_words_are_not_offered),
        cmocka_unit_test(the_nearest_wins_and_the_first_of_equals),
        cmocka_unit_test(words_of_any_length_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
