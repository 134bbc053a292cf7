/* SPDX-License-Identifier: MIT */
/* Files: reading, including, and paths that cannot be read as files. */
#include <pcm/pcm.h>

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

enum { TOLD_SIZE = 1 << 16 };

static pcm_context *context;
static char         told[TOLD_SIZE];
static size_t       told_length;
static char         directory[] = "source-XXXXXX";

static void hear(void *user, const pcm_diagnostic *diagnostic)
{
    (void)user;
    size_t left = TOLD_SIZE - told_length;
    size_t length = pcm_diagnostic_format(diagnostic, told + told_length, left);
    told_length += length < left ? length : left - 1;
}

static int setup(void **state)
{
    (void)state;
    pcm_context_def def = pcm_context_defaults();
    def.sink = hear;
    context = pcm_context_new(&def);
    return context == NULL || mkdtemp(directory) == NULL || chdir(directory) != 0;
}

/* Runs as the last test: cmocka does not count failures in a group's teardown. */
static void no_files_are_left(void **state)
{
    (void)state;
    pcm_context_free(context);
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(rmdir(directory), 0);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* All messages, as text, when the file is loaded; a file without statements loads. */
static const char *load(const char *name)
{
    told[told_length = 0] = '\0';
    pcm_config *config = pcm_config_load(context, name);
    assert_true((config == NULL) == (strstr(told, "error:") != NULL));
    pcm_config_release(config);
    return told;
}

static void paths_that_are_no_file_are_reported(void **state)
{
    (void)state;
    assert_string_equal(load("nowhere.pcm"),
                        "nowhere.pcm: error: cannot read 'nowhere.pcm': the file does not exist [PCM-111]\n");
    assert_string_equal(load(""), ": error: cannot read '': the file does not exist [PCM-111]\n");
    assert_string_equal(load("."), ".: error: cannot read '.': it is a directory [PCM-111]\n");
    assert_string_equal(load("/dev/null"),
                        "/dev/null: error: cannot read '/dev/null': it is not a regular file [PCM-111]\n");
    assert_int_equal(mkfifo("pipe", 0600), 0); /* a pipe without a writer: reading would wait for ever */
    assert_string_equal(load("pipe"), "pipe: error: cannot read 'pipe': it is not a regular file [PCM-111]\n");
    unlink("pipe");
    assert_int_equal(symlink("ring", "ring"), 0);
    assert_non_null(strstr(load("ring"), "its symbolic links form a loop"));
    unlink("ring");
    write_file("plain", "");
    assert_non_null(strstr(load("plain/x.pcm"), "a part of its path is not a directory"));
    if (geteuid() != 0) { /* root may read any file */
        assert_int_equal(chmod("plain", 0), 0);
        assert_non_null(strstr(load("plain"), "permission denied"));
    }
    unlink("plain");
}

static void empty_files_are_good(void **state)
{
    (void)state;
    write_file("empty.pcm", "");
    assert_string_equal(load("empty.pcm"), "");
    unlink("empty.pcm");
}

static void includes_are_relative_to_their_file(void **state)
{
    (void)state;
    assert_int_equal(mkdir("part", 0700), 0);
    write_file("main.pcm", "Include \"part/a.pcm\";\n");
    write_file("part/a.pcm", "# first\nInclude \"b.pcm\";\n  Include \"../c.pcm\";\n");
    write_file("part/b.pcm", "");
    write_file("c.pcm", "Wrong;\n");
    assert_string_equal(
        load("main.pcm"),
        "In file included from part/a.pcm:3\n"
        "                 from main.pcm:1\n"
        "part/../c.pcm:1:1: error: no statement begins with 'Wrong'; there are ContactType, ObjectPair, "
        "SurfacePair, DefaultPair, Surface, Material, Let and Include [PCM-104]\n"
        "    1 | Wrong;\n"
        "      | ^~~~~\n");
    char absolute[4096], text[4200];
    assert_non_null(realpath("part/b.pcm", absolute));
    snprintf(text, sizeof text, "Include \"%s\";\n", absolute);
    write_file("main.pcm", text);
    assert_string_equal(load("main.pcm"), "");
    static const char included[] =
        "Include \"part/b.pcm\";"; /* included by a text: relative to the current directory */
    pcm_config *config = pcm_config_parse(context, "some/where.pcm", included, sizeof included - 1);
    assert_non_null(config);
    pcm_config_release(config);
    unlink("main.pcm");
    unlink("part/a.pcm");
    unlink("part/b.pcm");
    unlink("c.pcm");
    rmdir("part");
}

static void a_file_is_read_once(void **state)
{
    (void)state;
    write_file("main.pcm", "Include \"a.pcm\";\nInclude \"b.pcm\";\nInclude \"./common.pcm\";\n");
    write_file("a.pcm", "Include \"common.pcm\";\n");
    write_file("b.pcm", "Include \"common.pcm\";\n");
    write_file("common.pcm", "DefaultPair -> C;\n"); /* if it were read twice, DefaultPair would be an error */
    const char *text = load("main.pcm");
    assert_non_null(strstr(text, "there is no contact type 'C'"));
    assert_null(strstr(text, "[PCM-220]"));
    assert_null(strstr(text, "other rules"));
    write_file("common.pcm", "Include \"main.pcm\";\n");
    assert_non_null(strstr(load("main.pcm"), "common.pcm:1:9: error: 'main.pcm' includes itself [PCM-113]"));
    unlink("main.pcm");
    unlink("a.pcm");
    unlink("b.pcm");
    unlink("common.pcm");
}

static void errors_come_in_the_order_of_the_text(void **state)
{
    (void)state;
    write_file("main.pcm", "One;\nInclude \"a.pcm\";\nFive;\n");
    write_file("a.pcm", "Two;\nInclude \"b.pcm\";\nFour;\n");
    write_file("b.pcm", "Three;\n");
    const char *at = load("main.pcm");
    for (const char *const *word = (const char *const[]){"'One'", "'Two'", "'Three'", "'Four'", "'Five'", NULL}; *word;
         word++) {
        at = strstr(at, *word);
        assert_non_null(at);
    }
    unlink("main.pcm");
    unlink("a.pcm");
    unlink("b.pcm");
}

static void ten_megabytes_are_read(void **state)
{
    (void)state;
    FILE *file = fopen("large.pcm", "wb");
    assert_non_null(file);
    for (int i = 0; i < 250000; i++)
        fprintf(file, "ObjectPair Grain%06d * Ground -> Sand;%s\n", i, i == 200000 ? " ObjectPair;" : "");
    fclose(file);
    const char *text = load("large.pcm");
    assert_non_null(strstr(text, "large.pcm:1:36: error: there is no contact type 'Sand'"));
    assert_non_null(strstr(text, "large.pcm:200001:52: error: a name"));
    unlink("large.pcm");
    file = fopen("line.pcm", "wb"); /* and if both includes are in one line */
    assert_non_null(file);
    for (int i = 0; i < 2000000; i++)
        fputs("     ", file);
    fputs("Oops;", file);
    fclose(file);
    assert_non_null(strstr(load("line.pcm"), "line.pcm:1:10000001: error: no statement begins with 'Oops'"));
    assert_true(strlen(told) < 1000);
    unlink("line.pcm");
}

static size_t allocations, refused;

static void *allocate(void *user, size_t bytes)
{
    (void)user;
    return ++allocations == refused ? NULL : aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

/* Each allocation fails in turn while files are read: there is a message, and no leak (which leak checkers would
 * find). */
static void files_survive_the_failure_of_every_allocation(void **state)
{
    (void)state;
    pcm_context    *usual = context;
    pcm_context_def def = pcm_context_defaults();
    def.sink = hear;
    def.allocator = (pcm_allocator){NULL, allocate, release};
    context = pcm_context_new(&def);
    assert_non_null(context);
    write_file("main.pcm", "Include \"a.pcm\";\nInclude \"b.pcm\";\nInclude \"a.pcm\";\nInclude \"c.pcm\";\n");
    write_file("a.pcm", "");
    write_file("b.pcm", "# nothing");
    write_file("c.pcm", "");
    bool reached = true;
    for (size_t number = 1; reached; number++) {
        refused = allocations + number;
        const char *text = load("main.pcm");
        reached = allocations >= refused;
        assert_true(reached == (strstr(text, "[PCM-100]") != NULL));
        assert_true(reached || number > 10);
    }
    unlink("main.pcm");
    unlink("a.pcm");
    unlink("b.pcm");
    unlink("c.pcm");
    pcm_context_free(context);
    context = usual;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_that_are_no_file_are_reported),           cmocka_unit_test(empty_files_are_good),
        cmocka_unit_test(includes_are_relative_to_their_file),           cmocka_unit_test(a_file_is_read_once),
        cmocka_unit_test(errors_come_in_the_order_of_the_text),          cmocka_unit_test(ten_megabytes_are_read),
        cmocka_unit_test(files_survive_the_failure_of_every_allocation), cmocka_unit_test(no_files_are_left),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
