/* SPDX-License-Identifier: MIT */
/* The one layout of .pcm text: its appearance, that no text is lost, and that formatting twice changes nothing more. */
#include "specimen.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static pcm_specimen specimen;

static int setup(void **state)
{
    (void)state;
    specimen_start(&specimen);
    return 0;
}

/* Runs as the last test: cmocka does not count failures in a group's teardown. */
static void all_memory_is_given_back(void **state)
{
    (void)state;
    specimen_end(&specimen);
}

static char *format(const char *text, size_t length, size_t *formatted_length)
{
    char *formatted;
    specimen_forget(&specimen);
    if (pcm_config_format(specimen.context, "test.pcm", text, length, &formatted, formatted_length) != PCM_OK)
        assert_null(formatted);
    return formatted;
}

static void becomes(const char *text, const char *wanted)
{
    size_t length, again_length;
    char  *once = format(text, strlen(text), &length);
    assert_non_null(once);
    assert_string_equal(once, wanted);
    assert_int_equal(length, strlen(wanted));
    char *again = format(once, length, &again_length);
    assert_non_null(again);
    assert_string_equal(again, once);
    pcm_free(specimen.context, again, again_length + 1);
    pcm_free(specimen.context, once, length + 1);
}

static void a_statement_is_a_line(void **state)
{
    (void)state;
    becomes("", "");
    becomes("\n\n # only\r\n", "# only\n");
    becomes("DefaultPair->C;", "DefaultPair -> C;\n");
    becomes("ObjectPair A*B->C;SurfacePair \"a b\"  *\"*\"\n->C ;",
            "ObjectPair A * B -> C;\nSurfacePair \"a b\" * \"*\" -> C;\n");
    becomes("ContactType C=M;\n\n\n\nContactType D=M{};", "ContactType C = M;\n\nContactType D = M {};\n");
    becomes("ContactType C=M[{K=1,B = 2;}];", "ContactType C = M [{ K = 1, B = 2; }];\n");
    becomes("ContactType C=M{K=1\n};", "ContactType C = M {\n    K = 1\n};\n");
    becomes("ContactType C=M{\n\nK=1;\n\nB=(1,2) [mm];};",
            "ContactType C = M {\n    K = 1;\n\n    B = (1, 2) [mm];\n};\n");
    becomes("Let a=-2*(1+b)^-2[mm]- +sqrt( 3 );", "Let a = -2 * (1 + b)^-2 [mm] - +sqrt(3);\n");
    becomes("Let .=- 1;ObjectPair . * .->.;", "Let . = -1;\nObjectPair . * . -> .;\n"); /* a dot may be a name */
    becomes("Surface R=\"a*\",b;Include\"x.pcm\";", "Surface R = \"a*\", b;\nInclude \"x.pcm\";\n");
    becomes("ContactType C=M{T=\"a.csv\" .\n x[mm];U=\"a.csv\".\"y z\"};",
            "ContactType C = M {\n    T = \"a.csv\".x [mm];\n    U = \"a.csv\".\"y z\"\n};\n");
    becomes("Material A{K=1;}Material B{K=1};Let x=1;", "Material A { K = 1; }\nMaterial B { K = 1 };\nLet x = 1;\n");
    becomes("ContactType G=Hertz+Mindlin{K=1};", "ContactType G = Hertz + Mindlin { K = 1 };\n");
    becomes(
        "ContactType LongName = SomeMuchLongerModel { FirstParameter = 1000 [kN/m]; SecondParameter = 2000; Third = 3; "
        "Fourth = 4 };",
        "ContactType LongName = SomeMuchLongerModel {\n    FirstParameter  = 1000 [kN/m];\n"
        "    SecondParameter = 2000;\n    Third           = 3;\n    Fourth          = 4\n};\n");
    becomes("ContactType C=M{\nK=1;N.Long=2;}; ContactType D=M{K=1;\nLo=(2,3);\n};",
            "ContactType C = M {\n    K      = 1;\n    N.Long = 2;\n};\n"
            "ContactType D = M {\n    K  = 1;\n    Lo = (2, 3);\n};\n");
}

static void comments_stay(void **state)
{
    (void)state;
    becomes("# a\n\n\n# b\nDefaultPair -> C;# c\n# d", "# a\n\n# b\nDefaultPair -> C;  # c\n# d\n");
    becomes("ContactType C = M { # a\nK = 1; # b\n # c\n\n# d\n}; # e",
            "ContactType C = M {  # a\n    K = 1;  # b\n    # c\n\n    # d\n};  # e\n");
    becomes("ContactType C = M {\nK = 1;# a\nLong = 200;\nL = 30; # b\n# c\n};# d",
            "ContactType C = M {\n    K    = 1;   # a\n    Long = 200;\n    L    = 30;  # b\n    # c\n};  # d\n");
    becomes("ObjectPair A # a\n* B\n# b\n-> C;", "ObjectPair A  # a\n    * B\n    # b\n    -> C;\n");
    becomes("ContactType C = M { K # a\n= 1 };", "ContactType C = M {\n    K  # a\n        = 1\n};\n");
    becomes("ContactType C = M # a\n{ K = 1 } # b\n;", "ContactType C = M  # a\n    { K = 1 }  # b\n    ;\n");
}

static void text_with_errors_is_not_formatted(void **state)
{
    (void)state;
    size_t length;
    assert_null(format("ObjectPair A * ;", 16, &length));
    assert_int_equal(specimen.errors, 1);
    assert_null(format("DefaultPair -> C", 16, &length));
    assert_int_equal(specimen.errors, 1);
}

/* Formats every file of the folder; those with syntax errors are rejected. */
static void files_are_formatted_once(const char *folder)
{
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        static char text[1 << 16];
        char        path[1000];
        if (strlen(entry->d_name) < 4 || strcmp(entry->d_name + strlen(entry->d_name) - 4, ".pcm") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        const size_t length = fread(text, 1, sizeof text - 1, file);
        fclose(file);
        size_t once_length, again_length, before = 0, after = 0;
        char  *once = format(text, length, &once_length);
        if (once == NULL)
            continue;
        char *again = format(once, once_length, &again_length);
        if (again == NULL || again_length != once_length || memcmp(once, again, once_length) != 0)
            fail_msg("%s is formatted to\n%s\nand then to\n%s", path, once, again);
        for (size_t i = 0; i < length; i++)
            before += strchr(" \t\r\n", text[i]) == NULL || text[i] == '\0';
        for (size_t i = 0; i < once_length; i++)
            after += strchr(" \t\r\n", once[i]) == NULL || once[i] == '\0';
        assert_int_equal(before, after); /* only blanks have changed */
        pcm_free(specimen.context, again, again_length + 1);
        pcm_free(specimen.context, once, once_length + 1);
    }
    closedir(directory);
}

static void every_file_of_the_tree(void **state)
{
    (void)state;
    files_are_formatted_once(ROOT "/configs");
    files_are_formatted_once(ROOT "/configs/bad");
    files_are_formatted_once(ROOT "/configs/climber");
    files_are_formatted_once(ROOT "/examples");
    files_are_formatted_once(ROOT "/tests/tools/files");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_statement_is_a_line),
        cmocka_unit_test(comments_stay),
        cmocka_unit_test(text_with_errors_is_not_formatted),
        cmocka_unit_test(every_file_of_the_tree),
        cmocka_unit_test(all_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
