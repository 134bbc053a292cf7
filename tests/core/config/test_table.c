/* SPDX-License-Identifier: MIT */
/* Lists that come from the columns of CSV files. */
#include "contact_type.h"
#include "specimen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static pcm_specimen specimen;
static char         folder[] = "/tmp/pcm-table-XXXXXX";

enum { DEPTH = 5, FORCE = 6 };

#define TYPE(depth, force) "ContactType C = Curve { Depth = " depth "; Force = " force "; }; DefaultPair -> C;"
#define BOTH               TYPE("\"curve.csv\".depth", "\"curve.csv\".force")

static void write_file(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Loads the file c.pcm of the folder with that text; every diagnostic is kept without the folder's name. */
static pcm_config *load(const char *text)
{
    char path[200];
    write_file("c.pcm", text);
    snprintf(path, sizeof path, "%s/c.pcm", folder);
    specimen_forget(&specimen);
    pcm_config *config = pcm_config_load(specimen.context, path);
    for (char *at = specimen.told; (at = strstr(at, folder)) != NULL;)
        memmove(at, at + strlen(folder) + 1, strlen(at + strlen(folder) + 1) + 1);
    return config;
}

static pcm_config *good(const char *table, const char *text)
{
    write_file("curve.csv", table);
    pcm_config *config = load(text);
    if (config == NULL || specimen.length > 0)
        fail_msg("expected no message, but was told\n%s", specimen.told);
    return config;
}

/* The table (or the text) is rejected with that code and these words. */
static void bad(const char *table, const char *text, int code, const char *words)
{
    write_file("curve.csv", table);
    assert_null(load(text));
    if (specimen.errors != 1 || specimen.seen[code] != 1 || strstr(specimen.told, words) == NULL)
        fail_msg("expected one error %d:\n%s\nbut was told\n%s", code, words, specimen.told);
}

static void holds(const pcm_config *config, size_t index, size_t count, const double *numbers)
{
    const pcm_list list = pcm_type_value_at(pcm_config_type_at(config, 0), index).list;
    assert_int_equal(list.count, count);
    assert_memory_equal(list.values, numbers, count * sizeof *numbers);
}

static void lists_come_from_columns(void **state)
{
    (void)state;
    static const double      depth[] = {0, 0.0005, 0.001}, force[] = {0, 1250, 4000};
    static const char *const tables[] = {
        "depth [mm],force [kN]\n0,0\n0.5,1.25\n1,4\n",
        /* the last line has no line end */
        ("\xef\xbb\xbf# measured\r\n\r\n force [kN] , note, depth [mm]\r\n0,,0\r\n  # a comment\r\n1.25,\"a, "
         "b\",0.5\r\n"
         "4,\"a \"\"b\"\"\",1"),
        "\"depth\",\"force [kN]\",\"\"\n0,0,\n5e-4,\"1.25\",\n+0.001, 4 ,\n",
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        pcm_config *config = good(tables[i], BOTH);
        holds(config, DEPTH, 3, depth);
        holds(config, FORCE, 3, force);
        const pcm_place place = pcm_type_value_at(pcm_config_type_at(config, 0), DEPTH).place;
        assert_int_equal(place.column, 33); /* the error is in the .pcm file */
        pcm_config_release(config);
    }
    pcm_config *config =
        good("x,y z\n0,0\n0.5,1.25\n1,4\n", TYPE("\"curve.csv\".x [mm]", "\"curve.csv\" . \"y z\" [kN]"));
    holds(config, DEPTH, 3, depth);
    holds(config, FORCE, 3, force);
    pcm_config_release(config);
}

static void errors_of_tables_are_reported_at_their_place(void **state)
{
    (void)state;
    bad("depth,force\n0,0\n", TYPE("\"curve.csv\".dpth", "(1)"), 803,
        "c.pcm:1:45: error: the table has no column 'dpth'; "
        "did you mean 'depth'?");
    assert_non_null(strstr(specimen.told, "curve.csv:1:1: note: its columns are named here"));
    bad("depth,depth,force\n0,0,0\n", BOTH, 803, "curve.csv:1:7: error: a column 'depth' is there twice");
    bad("depth,force\n0,0\n1,x\n", BOTH, 802, "curve.csv:3:3: error: 'x' is not a number");
    bad("depth,force\n0,0\n1,\n", BOTH, 802, "curve.csv:3:3: error: '' is not a number");
    bad("depth,force\n0,0\n1,nan\n", BOTH, 802, "curve.csv:3:3: error: 'nan' is not a number");
    bad("depth,force\n0,0\n1,1e999\n", BOTH, 210, "curve.csv:3:3: error: this is not a finite number");
    bad("depth,force\n0,0\n-1,2\n", BOTH, 209, "curve.csv:3:1: error: 'Depth' is -1 m, but must be at least 0");
    bad("depth [N],force\n0,0\n", BOTH, 208, "curve.csv:1:7: error: [N] is kg*m/s^2, but 'Depth' is m");
    bad("depth [foo],force\n0,0\n", BOTH, 207, "curve.csv:1:8: error: an unknown name in the unit [foo]");
    bad("depth [m],force\n0,0\n", TYPE("\"curve.csv\".depth [mm]", "\"curve.csv\".force"), 226,
        "c.pcm:1:51: error: the column has a unit already");
    bad("depth,force\n0,0\n", TYPE("\"curve.csv\".depth [s]", "\"curve.csv\".force"), 208, "c.pcm:1:51: error: ");
    bad("depth,force\n0,0\n", TYPE("\"none.csv\".depth", "(1)"), 111,
        "c.pcm:1:33: error: cannot read 'none.csv': the file does not exist");
    bad("depth,force\n0,0\n1,2\n", TYPE("\"curve.csv\".depth", "(1)"), 211, "Force: not as many as Depth");
    bad("# nothing\n", TYPE("\"curve.csv\".depth", "(1)"), 801, "the table is empty");
    bad("depth\n\n", TYPE("\"curve.csv\".depth", "(1)"), 801, "the table has no rows");
    bad("depth,\"force\n0,0\n", TYPE("\"curve.csv\".depth", "(1)"), 801, "curve.csv:1:7: error: the closing '\"'");
    bad("depth,force\n0,\"1\" 2\n", TYPE("\"curve.csv\".depth", "(1)"), 801, "curve.csv:2:3: error: the closing '\"'");
    bad("depth,force\n0,0\n1\n", TYPE("\"curve.csv\".depth", "(1)"), 801,
        "curve.csv:3:1: error: this row has 1 cell, but the header names 2 columns");
    bad("x\n0\n", "ContactType C = Curve { Stiffness = \"curve.csv\".x }; DefaultPair -> C;", 206,
        "'Stiffness' must be a number");
    bad("x\n0\n", "ContactType C = Curve { Depth = (1, \"curve.csv\".x) }; DefaultPair -> C;", 101, "");
    bad("x\n0\n", "Let a = \"curve.csv\".x; ContactType C = Curve; DefaultPair -> C;", 101, "");
}

static void a_table_has_an_end(void **state)
{
    (void)state;
    enum { MOST = 1000000 };
    char *text = calloc(1, 2 * MOST + 100), *end = text + sprintf(text, "depth\n");
    assert_non_null(text);
    for (int i = 0; i <= MOST; i++)
        end += sprintf(end, "1\n");
    bad(text, TYPE("\"curve.csv\".depth", "(1)"), 801,
        "curve.csv:1000002:1: error: a list has at most 1000000 numbers");
    end[-2] = '\0'; /* one row fewer */
    bad(text, TYPE("\"curve.csv\".depth", "(1)"), 211, "Force: not as many as Depth");
    free(text);
}

static void a_type_is_what_its_lists_hold(void **state)
{
    (void)state;
    pcm_config    *config = good("depth,force\n0,0\n1,2\n", BOTH);
    const uint64_t print = pcm_type_fingerprint(pcm_config_type_at(config, 0));
    pcm_config_release(config);
    config = good("depth,force\n0,0\n1,2.5\n", BOTH);
    assert_true(pcm_type_fingerprint(pcm_config_type_at(config, 0)) != print);
    pcm_config_release(config);
    config = good("depth [cm],force\n0,0\n100,2\n", BOTH);
    assert_true(pcm_type_fingerprint(pcm_config_type_at(config, 0)) == print);
    pcm_config_release(config);
}

/* If memory runs out at any point, nothing leaks. */
static void memory_may_end(void **state)
{
    (void)state;
    write_file("curve.csv", "depth,force\n0,0\n1,2\n");
    for (size_t i = 1;; i++) {
        specimen.refused = specimen.allocations + i;
        pcm_config *config = load(BOTH);
        specimen.refused = 0;
        pcm_config_release(config);
        if (config != NULL)
            break;
        assert_true(specimen.errors > 0);
    }
}

/* ---- A root below which files stay ------------------------------------------------------------------------------- */

static void in_folder(char *path, const char *name) { snprintf(path, 200, "%s/%s", folder, name); }

/* Loads the file in/c.pcm with that text and root. */
static pcm_config *load_below(const char *root, const char *text)
{
    char name[200], below[200];
    in_folder(name, "in/c.pcm");
    in_folder(below, root);
    write_file("in/c.pcm", text);
    specimen_forget(&specimen);
    pcm_config_def def = pcm_config_defaults();
    def.name = name;
    def.root = below;
    return pcm_config_open(specimen.context, &def);
}

static void refuses(const char *root, const char *text, uint32_t code, const char *words)
{
    assert_null(load_below(root, text));
    if (specimen.seen[code] != 1 || strstr(specimen.told, words) == NULL)
        fail_msg("expected error %u:\n%s\nbut was told\n%s", code, words, specimen.told);
}

static void files_stay_below_a_root(void **state)
{
    (void)state;
    static const char table[] = "depth,force\n0,0\n1,2\n", outside[] = "is outside of the folder";
    char              path[200];
    in_folder(path, "in");
    assert_int_equal(mkdir(path, 0700), 0);
    in_folder(path, "inner"); /* its name begins like the root's */
    assert_int_equal(mkdir(path, 0700), 0);
    write_file("curve.csv", table);
    write_file("in/curve.csv", table);
    write_file("inner/curve.csv", table);
    in_folder(path, "in/link.csv");
    assert_int_equal(symlink("../curve.csv", path), 0);
    in_folder(path, "in/loop.csv");
    assert_int_equal(symlink("curve.csv", path), 0);
    for (size_t i = 0; i < 2; i++) {
        pcm_config *config = load_below(i ? "in/" : "inner/../in", BOTH);
        assert_non_null(config);
        pcm_config_release(config);
        config = load_below("in", TYPE("\"loop.csv\".depth", "\"../in/curve.csv\".force"));
        assert_non_null(config);
        pcm_config_release(config);
    }
    refuses("in", TYPE("\"../curve.csv\".depth", "(0, 1)"), 111, outside);
    refuses("in", TYPE("\"../inner/curve.csv\".depth", "(0, 1)"), 111, outside);
    refuses("in", TYPE("\"link.csv\".depth", "(0, 1)"), 111, outside);
    refuses("in", "Include \"/etc/passwd\";", 111, outside);
    refuses("in", "Include \"none.pcm\";", 111, "does not exist");
    refuses("nowhere", BOTH, 322, "nowhere' of the pcm_config_def is not usable: the file does not exist");
    refuses("curve.csv", BOTH, 322, "is not usable: it is not a directory");
}

static void remove_files(void)
{
    static const char *const names[] = {"c.pcm",       "curve.csv",       "in/c.pcm", "in/curve.csv", "in/link.csv",
                                        "in/loop.csv", "inner/curve.csv", "in",       "inner"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[200];
        in_folder(path, names[i]);
        remove(path);
    }
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_come_from_columns), cmocka_unit_test(errors_of_tables_are_reported_at_their_place),
        cmocka_unit_test(a_table_has_an_end),      cmocka_unit_test(a_type_is_what_its_lists_hold),
        cmocka_unit_test(memory_may_end),          cmocka_unit_test(files_stay_below_a_root),
    };
    if (mkdtemp(folder) == NULL)
        return 1;
    specimen_start(&specimen);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    specimen_end(&specimen);
    remove_files();
    return failed;
}
