/* SPDX-License-Identifier: MIT */
/* Every message about text, names and values: configs/bad has a file for each, and the expected messages, compared byte
 * for byte. PCM_UPDATE_GOLDEN=1 in the environment rewrites the expected texts. */
#include "specimen.h"
#include <pcm/messages.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static pcm_specimen specimen;
static bool         covered[SPECIMEN_CODES];

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

static bool load(const char *path)
{
    specimen_forget(&specimen);
    pcm_config *config = pcm_config_load(specimen.context, path);
    bool        loaded = config != NULL;
    pcm_config_release(config);
    assert_true(loaded == (specimen.errors == 0));
    for (int i = 0; i < SPECIMEN_CODES; i++)
        covered[i] |= specimen.seen[i] > 0;
    return loaded;
}

/* ---- The folder -------------------------------------------------------------------------------------------------- */

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    if (file != NULL) {
        assert_true(fread(text, 1, (1 << 20) - 1, file) < (1 << 20) - 1);
        fclose(file);
    }
    return text;
}

/* Removes the folders of the tree and the build, which are not part of the expected text. */
static char *without_places(const char *text)
{
    static const struct {
        const char *text, *instead;
    } places[] = {{BAD_CONFIGS "/", ""}, {SPECIMEN_PLUGINS, "PLUGINS"}};
    char *result = calloc(1, strlen(text) + 1), *to = result;
    assert_non_null(result);
    while (*text != '\0') {
        size_t i = 0;
        while (i < 2 && strncmp(text, places[i].text, strlen(places[i].text)) != 0)
            i++;
        if (i == 2) {
            *to++ = *text++;
            continue;
        }
        text += strlen(places[i].text);
        to = stpcpy(to, places[i].instead);
    }
    return result;
}

static void compare(const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", BAD_CONFIGS, name);
    load(path);
    char *told = without_places(specimen.told);
    strcpy(strrchr(path, '.'), ".err");
    if (getenv("PCM_UPDATE_GOLDEN") != NULL) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs(told, file);
        fclose(file);
    }
    char *expected = read_file(path);
    if (strcmp(told, expected) != 0)
        fail_msg("%s says\n%s\nbut must say\n%s", name, told, expected);
    int code = atoi(name);
    assert_in_range(code, 100, SPECIMEN_CODES - 1);
    assert_true(specimen.seen[code] > 0); /* the file must cause the error of that code */
    free(expected);
    free(told);
}

static void every_file_says_what_it_must(void **state)
{
    (void)state;
    DIR *directory = opendir(BAD_CONFIGS);
    int  count = 0;
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strlen(entry->d_name) > 4 && strcmp(entry->d_name + strlen(entry->d_name) - 4, ".pcm") == 0) {
            compare(entry->d_name);
            count++;
        }
    closedir(directory);
    assert_true(count > 30);
}

/* ---- Files too large for the folder ------------------------------------------------------------------------------ */

static char directory[] = "bad-XXXXXX";

static FILE *open_scratch(const char *name, char path[100])
{
    snprintf(path, 100, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    return file;
}

static void names_have_an_end(void **state)
{
    (void)state;
    char  path[100];
    FILE *file = open_scratch("long.pcm", path);
    fputs("ContactType C = Specimen { K = 1000; B = 0 };\nObjectPair ", file);
    for (int i = 0; i < 70000; i++)
        fputc('x', file);
    fputs(" * A -> C;\nDefaultPair -> C;\n", file);
    fclose(file);
    assert_false(load(path));
    assert_int_equal(specimen.errors, 1);
    assert_int_equal(specimen.seen[PCM_MSG_TOO_LONG], 1);
    assert_true(specimen.length < 1000);
    unlink(path);
}

static void errors_have_an_end(void **state)
{
    (void)state;
    char  path[100];
    FILE *file = open_scratch("errors.pcm", path);
    for (int i = 0; i < 3000; i++)
        fputs("ObjectPair;\n", file);
    fclose(file);
    assert_false(load(path));
    assert_int_equal(specimen.errors, 1001);
    assert_int_equal(specimen.seen[PCM_MSG_SYNTAX], 1000);
    assert_int_equal(specimen.seen[PCM_MSG_TOO_MANY_ERRORS], 1);
    unlink(path);
}

static void files_have_an_end(void **state)
{
    (void)state;
    char  path[100];
    FILE *file = open_scratch("large.pcm", path);
    assert_int_equal(ftruncate(fileno(file), ((off_t)1 << 30) + 1), 0); /* a sparse file takes no room on the disk */
    fclose(file);
    assert_false(load(path));
    assert_int_equal(specimen.seen[PCM_MSG_FILE_TOO_LARGE], 1);
    unlink(path);
}

static void includes_have_an_end(void **state)
{
    (void)state;
    enum { DEEP = 20, MANY = 1001 };
    char path[100], first[100];
    for (int i = DEEP; i >= 0; i--) {
        char name[32];
        snprintf(name, sizeof name, "deep%d.pcm", i);
        FILE *file = open_scratch(name, first);
        fprintf(file, "Include \"deep%d.pcm\";\n", i + 1);
        fclose(file);
    }
    assert_false(load(first));
    assert_int_equal(specimen.errors, 1);
    assert_int_equal(specimen.seen[PCM_MSG_INCLUDE_DEPTH], 1);
    assert_non_null(strstr(specimen.told, "deep16.pcm:1:9: error:"));
    assert_non_null(strstr(specimen.told, "/deep15.pcm:1\n                 from "));
    FILE *many = open_scratch("many.pcm", first);
    for (int i = 0; i < MANY; i++) {
        char name[32];
        snprintf(name, sizeof name, "part%d.pcm", i);
        fclose(open_scratch(name, path));
        fprintf(many, "Include \"%s\";\n", name);
    }
    fclose(many);
    assert_false(load(first));
    assert_int_equal(specimen.seen[PCM_MSG_INCLUDE_COUNT], 2);
    assert_int_equal(specimen.errors, 2);
    /* The size of a table counts too. */
    FILE *whole = open_scratch("whole.pcm", first);
    for (int i = 0; i < MANY - 2; i++)
        fprintf(whole, "Include \"part%d.pcm\";\n", i);
    fputs("ContactType C = Curve { Depth = \"curve.csv\".depth; Force = (1) }; DefaultPair -> C;\n", whole);
    fclose(whole);
    assert_false(load(first));
    assert_int_equal(specimen.seen[PCM_MSG_INCLUDE_COUNT], 1);
    assert_int_equal(specimen.errors, 1);
}

static void memory_has_an_end(void **state)
{
    (void)state;
    specimen.refused = specimen.allocations + 3;
    assert_false(load(BAD_CONFIGS "/217-unused-type.pcm"));
    assert_int_equal(specimen.seen[PCM_MSG_OUT_OF_MEMORY], 1);
}

static int make_scratch(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int remove_scratch(void **state)
{
    (void)state;
    DIR *stream = opendir(directory);
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        unlink(path);
    }
    closedir(stream);
    rmdir(directory);
    strcpy(directory, "bad-XXXXXX");
    return 0;
}

/* ---- The registry ------------------------------------------------------------------------------------------------ */

static void every_message_was_seen(void **state)
{
    (void)state;
    static const struct {
        int         code;
        const char *name;
    } messages[] = {
#define ENTRY(code, name, text) {code, #name},
        PCM_MESSAGE_TABLE(ENTRY)
#undef ENTRY
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (messages[i].code < 300 && !covered[messages[i].code])
            fail_msg("nothing in configs/bad shows PCM-%d %s", messages[i].code, messages[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_says_what_it_must),
        cmocka_unit_test_setup_teardown(names_have_an_end, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(errors_have_an_end, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(files_have_an_end, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(includes_have_an_end, make_scratch, remove_scratch),
        cmocka_unit_test(memory_has_an_end),
        cmocka_unit_test(every_message_was_seen),
        cmocka_unit_test(all_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
