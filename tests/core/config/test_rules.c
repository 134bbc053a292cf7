/* SPDX-License-Identifier: MIT */
/* Which rule applies to a pair. */
#include "specimen.h"
#include "contact_type.h"
#include "pattern.h"
#include <pcm/messages.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TYPES                                                                                                          \
    "ContactType C0 = Specimen { K = 10 }; ContactType C1 = Specimen { K = 11 }; ContactType C2 = Specimen { K = 12 "  \
    "};"                                                                                                               \
    "ContactType C3 = Specimen { K = 13 }; ContactType C4 = Specimen { K = 14 };"

static pcm_specimen specimen;

static int setup(void **state)
{
    (void)state;
    specimen_start(&specimen);
    return 0;
}

/* The types of the rules for a pair, the winner first, swapped ones in lower case: "C1 c0". Both functions that look up
 * rules must agree. */
static const char *ask_objects(const pcm_config *config, const pcm_object_def *a, const pcm_object_def *b)
{
    static char text[200];
    size_t      rules[16], used = 0;
    bool        swapped[16];
    size_t      count = pcm_config_resolve_objects(config, a, b, rules, swapped, 16);
    *text = '\0';
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%c%s", i > 0 ? " " : "", swapped[i] ? 'c' : 'C',
                                 pcm_type_get_info(pcm_config_rule_at(config, rules[i]).type)->name + 1);
    pcm_sides sides[4];
    assert_int_equal(pcm_sides_of_object(config, a, &sides[0]), PCM_OK);
    assert_int_equal(pcm_sides_of_surface(config, pcm_config_object_surface(config, a), &sides[1]), PCM_OK);
    assert_int_equal(pcm_sides_of_object(config, b, &sides[2]), PCM_OK);
    assert_int_equal(pcm_sides_of_surface(config, pcm_config_object_surface(config, b), &sides[3]), PCM_OK);
    pcm_answer answer = pcm_rules_resolve(config, &sides[0], &sides[1], &sides[2], &sides[3]);
    assert_true((answer.type != NULL) == (count > 0));
    if (count > 0) {
        assert_int_equal(answer.rule, rules[0]);
        assert_int_equal(answer.swapped, swapped[0]);
        assert_ptr_equal(answer.type, pcm_config_rule_at(config, rules[0]).type);
    }
    for (int i = 0; i < 4; i++)
        pcm_sides_free(config, &sides[i]);
    return text;
}

static const char *ask(const pcm_config *config, const char *a, const char *surface_a, const char *b,
                       const char *surface_b)
{
    return ask_objects(config, &PCM_OBJECT(.name = a, .surface = surface_a),
                       &PCM_OBJECT(.name = b, .surface = surface_b));
}

static void precedence_is_by_class(void **state)
{
    (void)state;
    pcm_config *config =
        specimen_good(&specimen, TYPES "DefaultPair -> C0; SurfacePair \"*\" * Ice -> C1;"
                                       "SurfacePair Rubber * Ice -> C2; ObjectPair \"Foot?\" * Pond -> C3;"
                                       "ObjectPair Foot1 * Pond -> C4;");
    assert_string_equal(ask(config, "Foot1", "Rubber", "Pond", "Ice"), "C4 C3 C2 C1 C0");
    assert_string_equal(ask(config, "Foot2", "Rubber", "Pond", "Ice"), "C3 C2 C1 C0");
    assert_string_equal(ask(config, "Hand", "Rubber", "Pond", "Ice"), "C2 C1 C0");
    assert_string_equal(ask(config, "Hand", "Skin", "Pond", "Ice"), "C1 C0");
    assert_string_equal(ask(config, "Hand", "Skin", "Road", "Tar"), "C0");
    assert_string_equal(ask(config, "Pond", "Ice", "Foot1", "Rubber"), "c4 c3 c2 c1 C0");
    pcm_config_release(config);
}

static void lists_of_names_are_a_rule_for_each_pair(void **state)
{
    (void)state;
    pcm_config *config = specimen_good(&specimen, TYPES "ObjectPair A, \"B*\" * X, Y -> C0; ObjectPair A * Z -> C1;"
                                                        "SurfacePair S, T * U -> C2; DefaultPair -> C3;"
                                                        "ObjectPair Q * Q -> C4;");
    assert_int_equal(pcm_config_rule_count(config), 9);
    assert_string_equal(pcm_config_rule_at(config, 0).a, "A");
    assert_string_equal(pcm_config_rule_at(config, 1).b, "Y");
    assert_string_equal(pcm_config_rule_at(config, 2).a, "B*");
    assert_string_equal(ask(config, "A", "S", "Y", "U"), "C0 C2 C3");
    assert_string_equal(ask(config, "X", "T", "B1", "U"), "c0 C2 C3");
    assert_string_equal(ask(config, "A", "S", "Z", "V"), "C1 C3");
    assert_string_equal(ask(config, "A", "S", "B1", "T"), "C3");
    pcm_config_release(config);
    specimen_bad(&specimen, TYPES "ObjectPair A, B * A, B -> C0;", 218, 0);
    specimen_bad(&specimen, TYPES "ObjectPair A, * B -> C0;", 101, 0);
}

static void a_pair_without_rule_is_the_hosts(void **state)
{
    (void)state;
    pcm_config *config = specimen_good(&specimen, TYPES "ObjectPair A * B -> C0; ObjectPair A * B2 -> C1;"
                                                        "ObjectPair A * B3 -> C2; ObjectPair A * B4 -> C3;"
                                                        "SurfacePair Z * Z -> C4;");
    assert_string_equal(ask(config, "A", NULL, "C", NULL), "");
    assert_string_equal(ask(config, "A", "", "B", ""), "C0");
    assert_string_equal(ask(config, "X", "Z", "Y", "Z"), "C4");
    assert_string_equal(ask(config, "X", "Z", "Y", NULL), "");
    pcm_config_release(config);
    config = specimen_good(&specimen, "# nothing\n");
    assert_string_equal(ask(config, "A", "B", "C", "D"), "");
    pcm_config_release(config);
}

static void of_patterns_the_later_line_wins(void **state)
{
    (void)state;
    pcm_config *config =
        specimen_parse(&specimen, TYPES "ObjectPair \"*Foot\" * \"*\" -> C0;"
                                        "ObjectPair \"*\" * \"*Foot\" -> C1;"
                                        "ObjectPair \"Left*\" * Wall -> C2; ObjectPair \"Left*\" * Wall -> C3;"
                                        "ObjectPair \"*\" * Ice -> C4;");
    assert_int_equal(specimen.seen[PCM_MSG_DEAD_RULE], 2); /* C0 and C2 */
    assert_int_equal(specimen.warnings, 2);
    assert_string_equal(ask(config, "LeftFoot", NULL, "Wall", NULL), "C3 C2 c1 C0");
    assert_string_equal(ask(config, "Wall", NULL, "LeftFoot", NULL), "c3 c2 C1 c0");
    assert_string_equal(ask(config, "LeftFoot", NULL, "RightFoot", NULL), "C1 C0");
    assert_string_equal(ask(config, "LeftFoot", NULL, "Ice", NULL), "C4 c1 C0");
    pcm_config_release(config);
}

/* Rules match an object by any of its names; its own aliases take precedence over the name that it shares. */
static void objects_have_several_names(void **state)
{
    (void)state;
    static const char *const aliases[] = {"Calf.2", "Calf:sphere", NULL};
    const pcm_object_def     foot = PCM_OBJECT(.name = "Calf", .aliases = aliases), shank = PCM_OBJECT(.name = "Calf");
    const pcm_object_def     floor = PCM_OBJECT(.name = "Floor"), wall = PCM_OBJECT(.name = "Wall");
    pcm_config              *config = specimen_good(
                     &specimen,
                     TYPES "ObjectPair Floor * \"*:sphere\" -> C0; ObjectPair Wall * Calf.2 -> C1;"
                                        "ObjectPair \"*\" * Calf -> C2; ObjectPair \"Calf:s*\" * \"*\" -> C3;"
                                        "ObjectPair Floor * \"*2\" -> C4; Surface Rubber = \"Calf:*\"; SurfacePair Rubber * Rubber -> C4;");
    assert_int_equal(specimen.warnings, 0);
    assert_string_equal(ask_objects(config, &floor, &foot), "c3 C0 C2");
    assert_string_equal(ask_objects(config, &foot, &floor), "C3 c0 c2");
    assert_string_equal(ask_objects(config, &wall, &foot), "C1 c3 C2");
    assert_string_equal(ask_objects(config, &floor, &shank), "C2");
    assert_string_equal(ask_objects(config, &foot, &foot), "C3 C2 C4");
    assert_true(pcm_object_fits(&foot, "Calf") && pcm_object_fits(&foot, "Calf.2") && pcm_object_fits(&foot, "C*.2"));
    assert_false(pcm_object_fits(&foot, "*2") || pcm_object_fits(&shank, "Calf.2"));
    assert_string_equal(pcm_config_object_surface(config, &foot), "Rubber");
    assert_null(pcm_config_object_surface(config, &shank));
    pcm_config_release(config);
}

static void the_file_may_give_surfaces(void **state)
{
    (void)state;
    pcm_config *config = specimen_good(
        &specimen, TYPES "Surface Rubber = \"*Foot\", Pad; Surface Steel = \"Left*\"; Surface Rubber = LeftPad;"
                         "SurfacePair Rubber * Steel -> C0; SurfacePair Rubber * Own -> C1;"
                         "SurfacePair Own * Steel -> C2; SurfacePair Rubber * Rubber -> C3;"
                         "DefaultPair -> C4;");
    assert_string_equal(pcm_config_surface(config, "RightFoot", "Own"), "Rubber");
    assert_string_equal(pcm_config_surface(config, "LeftFoot", NULL), "Steel"); /* of equal lines the last wins */
    assert_string_equal(pcm_config_surface(config, "LeftPad", "Own"), "Rubber");
    assert_string_equal(pcm_config_surface(config, "Padd", "Own"), "Own"); /* no line: left to the host */
    assert_null(pcm_config_surface(config, "Else", NULL));
    assert_string_equal(pcm_config_surface(config, NULL, "Own"), "Own");
    assert_string_equal(ask(config, "RightFoot", "Own", "LeftFoot", "Own"), "C0 C4");
    assert_string_equal(ask(config, "Else", "Own", "Pad", NULL), "c1 C4");
    assert_string_equal(ask(config, "Pad", NULL, "LeftPad", NULL), "C3 C4");
    assert_string_equal(ask(config, "Else", NULL, "Pad", NULL), "C4");
    assert_int_equal(pcm_config_surface_count(config), 4);
    const pcm_surface_info line = pcm_config_surface_at(config, 1);
    assert_string_equal(line.name, "Rubber");
    assert_string_equal(line.pattern, "Pad");
    assert_false(line.is_pattern);
    assert_int_equal(line.place.line, 1);
    assert_null(pcm_config_surface_at(config, 4).name);
    pcm_config_release(config);
}

static void patterns_match_whole_names(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool        matches;
    } cases[] = {
        {"*", "x", true},
        {"*", "", false} /* no name */,
        {"?", "x", true},
        {"?", "xy", false},
        {"?", "ß", true},
        {"a?c", "a€c", true},
        {"Foot*", "Foot", true},
        {"Foot*", "MyFoot", false},
        {"*Foot", "MyFoot", true},
        {"*Foot*", "aFootb", true},
        {"*oo*oo*", "foofoo", true},
        {"*oo*oo*", "foo", false},
        {"a**b", "ab", true},
        {"a*b*c", "a-b-b-c", true},
        {"*a", "aaab", false},
        {"leg?_tip", "leg3_tip", true},
        {"Foot*", "foot1", false},
        {"**?", "x", true},
        {"*ab", "aab", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, "ContactType C0 = Specimen { K = 10 }; ObjectPair \"%s\" * Other -> C0;",
                 cases[i].pattern);
        pcm_config *config = specimen_good(&specimen, text);
        assert_string_equal(ask(config, cases[i].name, NULL, "Other", NULL), cases[i].matches ? "C0" : "");
        pcm_config_release(config);
    }
}

static void quotes_do_not_make_another_name(void **state)
{
    (void)state;
    pcm_config *config =
        specimen_good(&specimen, TYPES "ObjectPair \"A\" * B -> C0; ObjectPair \"with space\" * \"B;#\" -> C1;"
                                       "ObjectPair 2e-3 * 7 -> \"C2\"; ObjectPair Größe * a.b-c_d -> C3;"
                                       "ObjectPair Glass*Floor->C4;");
    assert_string_equal(ask(config, "A", NULL, "B", NULL), "C0");
    assert_string_equal(ask(config, "B;#", NULL, "with space", NULL), "c1");
    assert_string_equal(ask(config, "2e-3", NULL, "7", NULL), "C2");
    assert_string_equal(ask(config, "Größe", NULL, "a.b-c_d", NULL), "C3");
    assert_string_equal(ask(config, "Glass", NULL, "Floor", NULL), "C4");
    pcm_config_release(config);
}

static void an_object_may_meet_its_like(void **state)
{
    (void)state;
    pcm_config *config =
        specimen_good(&specimen, TYPES "ObjectPair Grain * Grain -> C0; ObjectPair \"Grain*\" * \"Grain*\" -> C1;"
                                       "SurfacePair Sand * Sand -> C2; DefaultPair -> C3; ObjectPair X * Y -> C4;");
    assert_string_equal(ask(config, "Grain", "Sand", "Grain", "Sand"), "C0 C1 C2 C3");
    assert_string_equal(ask(config, "Grain2", "Sand", "Grain", "Sand"), "C1 C2 C3");
    pcm_config_release(config);
}

static void the_list_may_be_short(void **state)
{
    (void)state;
    pcm_config *config =
        specimen_good(&specimen, TYPES "DefaultPair -> C0; SurfacePair \"*\" * Ice -> C1;"
                                       "SurfacePair Rubber * Ice -> C2; ObjectPair \"Foot?\" * Pond -> C3;"
                                       "ObjectPair Foot1 * Pond -> C4;");
    size_t rules[5];
    for (size_t capacity = 0; capacity <= 5; capacity++) {
        memset(rules, 0xff, sizeof rules);
        assert_int_equal(pcm_config_resolve(config, "Foot1", "Rubber", "Pond", "Ice", rules, NULL, capacity), 5);
        for (size_t i = 0; i < 5; i++)
            assert_true(rules[i] == (i < capacity ? 4 - i : SIZE_MAX));
    }
    pcm_config_release(config);
}

static void contradictions_name_both_lines(void **state)
{
    (void)state;
    specimen_bad(&specimen,
                 TYPES "DefaultPair -> C2; SurfacePair C3 * C4 -> C4; SurfacePair C * D -> C3;\n"
                       "ObjectPair A * B -> C0;\nObjectPair A * B -> C1;",
                 218, 0);
    assert_non_null(strstr(specimen.told, "test.pcm:3:12: error:"));
    assert_non_null(strstr(specimen.told, "test.pcm:2:12: note: first assigned here"));
    specimen_bad(&specimen, "ContactType C = Specimen { K = 10 };\nObjectPair A * B -> C;\nObjectPair B * A -> C;", 218,
                 0);
    specimen_bad(&specimen, "ContactType C = Specimen { K = 10 };\nDefaultPair -> C;\nDefaultPair -> C;", 220, 0);
    pcm_config *config = specimen_parse(&specimen, "ContactType C = Specimen { K = 10 };\nSurfacePair A * B -> C;"
                                                   "SurfacePair A * B -> C; ObjectPair A * B -> C;");
    assert_non_null(config);
    assert_int_equal(specimen.seen[219], 1);
    pcm_config_release(config);
}

static void names_are_checked(void **state)
{
    (void)state;
    specimen_bad(&specimen, "ContactType Spring = Specimen { K = 10 }; ObjectPair A * B -> Sprin;", 216, 0);
    assert_non_null(strstr(specimen.told, "did you mean 'Spring'?"));
    specimen_bad(&specimen, "ContactType = Specimen { K = 10 }; ObjectPair A * B -> C;", 101, 0);
    specimen_bad(&specimen, "Foo C = Specimen { K = 10 }; ObjectPair A * B -> C;", 104, 0);
    specimen_bad(&specimen, "ObjectPair A B -> D; ObjectPair A * B -> C;", 101, 216, 0);
    specimen_bad(&specimen, "DefaultPair -> C; ObjectPair A * B -> C; ObjectPair A * D -> E;", 216, 216, 0);
    specimen_bad(&specimen,
                 "ContactType C = Specimen { K = 10 }; ContactType C = Specimen { K = 11 }; DefaultPair -> C;", 215, 0);
    specimen_bad(&specimen, "ContactType C = Specimen { K = 10 }; ObjectPair \"\" * B -> C; SurfacePair B * \"\" -> C;",
                 214, 214, 0);
    specimen_bad(&specimen, "ContactType \"\" = Specimen { K = 10 }; DefaultPair -> \"\";", 214, 0);
    specimen_bad(&specimen, "ContactType C = \"\"; DefaultPair -> C;", 214, 0);
    specimen_bad(&specimen, "ContactType C = Specimn; DefaultPair -> C;", 201, 0);
    assert_non_null(strstr(specimen.told, "did you mean 'Specimen'?"));
}

static void rules_tell_what_was_written(void **state)
{
    (void)state;
    pcm_config *config =
        specimen_good(&specimen, "ContactType C = Specimen { K = 10 };\n  SurfacePair \"A*\"  *  B -> C;\n"
                                 "DefaultPair -> C;");
    assert_int_equal(pcm_config_rule_count(config), 2);
    pcm_rule_info rule = pcm_config_rule_at(config, 0), last = pcm_config_rule_at(config, 1);
    assert_int_equal(rule.kind, PCM_SURFACE_PAIR);
    assert_true(rule.pattern);
    assert_string_equal(rule.a, "A*");
    assert_string_equal(rule.b, "B");
    assert_int_equal(rule.place.line, 2);
    assert_int_equal(rule.place.column, 15);
    assert_int_equal(rule.place.length, 10);
    assert_int_equal(last.kind, PCM_DEFAULT_PAIR);
    assert_string_equal(last.a, "");
    assert_int_equal(last.place.line, 3);
    pcm_config_release(config);
}

/* Compares with the simplest correct method: trying every rule on every name. */
static void many_rules_are_found_again(void **state)
{
    (void)state;
    enum { RULES = 30000, EACH = 40 };
    char  *text = malloc(RULES * EACH + 200);
    size_t used =
        (size_t)sprintf(text, "ContactType C0 = Specimen { K = 10 }; ContactType C1 = Specimen { K = 11 };\n");
    for (int i = 0; i < RULES; i++)
        used += (size_t)sprintf(text + used, "ObjectPair P%d * Q%d -> C%d;\n", i / 7, i % 7 * 31 + i / 7 % 3, i % 2);
    pcm_config *config = specimen_good(&specimen, text);
    assert_int_equal(pcm_config_rule_count(config), RULES);
    for (int i = 0; i < RULES; i += 371) {
        char a[20], b[20];
        snprintf(a, sizeof a, "P%d", i / 7);
        snprintf(b, sizeof b, "Q%d", i % 7 * 31 + i / 7 % 3);
        assert_string_equal(ask(config, a, NULL, b, NULL), i % 2 ? "C1" : "C0");
        assert_string_equal(ask(config, b, NULL, a, NULL), i % 2 ? "c1" : "c0");
    }
    assert_int_equal(pcm_config_rule_at(config, RULES - 1).place.line, RULES + 1);
    pcm_config_release(config);
    free(text);
}

/* Every pattern of a side is tried, even if earlier ones do not match. */
static void every_pattern_is_asked(void **state)
{
    (void)state;
    pcm_config *config = specimen_good(
        &specimen, TYPES "ObjectPair \"Foot?\" * Pond -> C1; ObjectPair \"Hand?\" * Pond -> C2;"
                         "ObjectPair \"*3\" * Pond -> C3; ObjectPair Toe * Pond -> C4; DefaultPair -> C0;");
    assert_string_equal(ask(config, "Foot1", "", "Pond", ""), "C1 C0");
    assert_string_equal(ask(config, "Hand1", "", "Pond", ""), "C2 C0");
    assert_string_equal(ask(config, "Knee3", "", "Pond", ""), "C3 C0");
    pcm_config_release(config);
}

/* An exact rule precedes a pattern, and the later of two patterns wins, whatever rules come after them. */
static void neighbours_do_not_speak(void **state)
{
    (void)state;
    const char *const types = "ContactType C1 = Specimen { K = 11 }; ContactType C2 = Specimen { K = 12 };";
    const char *const rules[] = {
        "ObjectPair Foot * Pond -> C1; ObjectPair \"Foo*\" * Pond -> C2; ObjectPair Toe * Pond -> C1;",
        "ObjectPair \"Foo*\" * Pond -> C2; ObjectPair Toe * Pond -> C1; ObjectPair \"*oot\" * Pond -> C1;"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s", types, rules[i]);
        pcm_config *config = specimen_good(&specimen, text);
        assert_string_equal(ask(config, "Foot", "", "Pond", ""), "C1 C2");
        pcm_config_release(config);
    }
}

/* Each allocation fails in turn: the file loads completely or not at all. */
static void no_line_is_lost_for_want_of_memory(void **state)
{
    (void)state;
    enum { LINES = 40 };
    char   text[LINES * 1000];
    size_t used = (size_t)sprintf(text, "ContactType C0 = Specimen { K = 10 }; DefaultPair -> C0;");
    for (int i = 0; i < LINES; i++)
        used += (size_t)sprintf(text + used, "Surface S%d = \"Foot%0900d.*\";", i, i);
    pcm_config *config = NULL;
    for (size_t refused = 1; !config; refused++) {
        specimen.allocations = 0;
        specimen.refused = refused;
        config = specimen_parse(&specimen, text);
        assert_true(!config || specimen.allocations < refused);
    }
    specimen.refused = 0;
    assert_int_equal(pcm_config_surface_count(config), LINES);
    pcm_config_release(config);
}

/* More lines and patterns than the initial capacity. */
static void many_surfaces_and_patterns_are_found_again(void **state)
{
    (void)state;
    enum { MANY = 100, EACH = 60 };
    char   text[2 * MANY * EACH + 200], name[20], surface[20];
    size_t used = (size_t)sprintf(text, "ContactType C0 = Specimen { K = 10 };\n");
    for (int i = 0; i < MANY; i++)
        used += (size_t)sprintf(text + used, "Surface S%d = \"Foot%d.*\"; SurfacePair \"S%d\" * \"T%d?\" -> C0;\n", i,
                                i, i, i);
    pcm_config *config = specimen_good(&specimen, text);
    assert_int_equal(pcm_config_surface_count(config), MANY);
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "Foot%d.left", i);
        snprintf(surface, sizeof surface, "S%d", i);
        assert_string_equal(pcm_config_surface(config, name, "Own"), surface);
        snprintf(surface, sizeof surface, "T%dx", i);
        assert_string_equal(ask(config, name, NULL, "Other", surface), "C0");
    }
    pcm_config_release(config);
}

static void regular_expressions_are_recognised(void **state)
{
    (void)state;
    static const char *const texts[] = {"Foot[LR]", "Foot[a-z]",  "Foot[^x]", ".*Foot",   "^Foot",
                                        "Foot$",    "Left|Right", "Foot[L-]", "Foot[abc]"};
    static const char *const signs[] = {"[LR]", "[a-z]", "[^x]", ".*Foot", "^Foot", "$", "|Right", NULL, "[abc]"};
    static const char *const plain[] = {"Foot",   "Foot[3]", "Foot[left]", "Foot[L3]", "Foot[LR", "Foot[L",
                                        "Foot[]", "Foot[L]", "Foot[{}]",   "Foot[@Z]", ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *sign = pcm_pattern_regex_sign(texts[i]);
        assert_true(!sign == !signs[i] && (!sign || strcmp(sign, signs[i]) == 0));
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        assert_null(pcm_pattern_regex_sign(plain[i]));
}

/* Runs as the last test: cmocka does not count failures in a group's teardown. */
static void all_memory_is_given_back(void **state)
{
    (void)state;
    specimen_end(&specimen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precedence_is_by_class),
        cmocka_unit_test(every_pattern_is_asked),
        cmocka_unit_test(lists_of_names_are_a_rule_for_each_pair),
        cmocka_unit_test(a_pair_without_rule_is_the_hosts),
        cmocka_unit_test(of_patterns_the_later_line_wins),
        cmocka_unit_test(objects_have_several_names),
        cmocka_unit_test(the_file_may_give_surfaces),
        cmocka_unit_test(patterns_match_whole_names),
        cmocka_unit_test(quotes_do_not_make_another_name),
        cmocka_unit_test(an_object_may_meet_its_like),
        cmocka_unit_test(the_list_may_be_short),
        cmocka_unit_test(contradictions_name_both_lines),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(rules_tell_what_was_written),
        cmocka_unit_test(many_rules_are_found_again),
        cmocka_unit_test(neighbours_do_not_speak),
        cmocka_unit_test(no_line_is_lost_for_want_of_memory),
        cmocka_unit_test(many_surfaces_and_patterns_are_found_again),
        cmocka_unit_test(regular_expressions_are_recognised),
        cmocka_unit_test(all_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
