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

static const char *best_fit(const char *pattern, const char *const *candidates)
{
    pcm_suggestion suggestion = pcm_suggest(pattern, strlen(pattern));
    for (; *candidates != NULL; candidates++)
        pcm_suggest_try_pattern(&suggestion, *candidates, strlen(*candidates));
    return suggestion.best == NULL ? "" : suggestion.best;
}

static void patterns_are_read_as_patterns(void **state)
{
    (void)state;
    static const char *const names[] = {"Floor", "FR_foot", "FL_foot", "FR_calf.3", "", NULL};
    assert_string_equal(best_fit("*_fot", names), "FR_foot");
    assert_string_equal(best_fit("FL*_Foot", names), "FL_foot");
    assert_string_equal(best_fit("F?_fooot", names), "FR_foot");
    assert_string_equal(best_fit("*_clf.3", names), "FR_calf.3");
    assert_string_equal(best_fit("FL_feet*", names), "FL_foot");
    assert_string_equal(best_fit("*hand*", names), "");
    assert_string_equal(best_fit("*ab", names), "");
    assert_string_equal(best_fit("??", names), "");
    char long_word[1000];
    memset(long_word, '*', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    assert_string_equal(best_fit(long_word, names), "");
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
        cmocka_unit_test(patterns_are_read_as_patterns),
        cmocka_unit_test(words_of_any_length_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
