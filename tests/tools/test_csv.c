/* SPDX-License-Identifier: MIT */
/* Tables as the commands read and write them. Messages go to standard error; the test checks which tables are accepted,
 * and the files of a writer. */
#include "csv.h"
#include "whole_file.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct file {
    char       path[32];
    csv_reader reader;
    bool       opened;
} file;

static void open_text(file *f, const char *text, size_t length)
{
    *f = (file){.path = "csv-read.csv"};
    FILE *out = fopen(f->path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
    f->opened = csv_open(&f->reader, f->path);
}

static void close_text(file *f)
{
    csv_close(&f->reader);
    assert_int_equal(unlink(f->path), 0);
}

#define OPEN(f, text) open_text((f), (text), sizeof(text) - 1)

static void assert_number(const file *f, const char *column, double expected)
{
    double value = 0;
    assert_true(csv_number(&f->reader, csv_find(&f->reader, column), &value));
    assert_memory_equal(&value, &expected, sizeof value);
}

static void reads_rows(void **state)
{
    (void)state;
    file f;
    OPEN(&f, "# a comment\n\nt,depth\n0,1e-3\n  # between rows\n\n 0.5 ,\t-2\n");
    assert_true(f.opened);
    assert_int_equal(f.reader.columns, 2);
    assert_int_equal(csv_next(&f.reader), CSV_ROW);
    assert_number(&f, "t", 0);
    assert_number(&f, "depth", 1e-3);
    assert_int_equal(csv_next(&f.reader), CSV_ROW);
    assert_number(&f, "t", 0.5);
    assert_number(&f, "depth", -2);
    assert_int_equal(f.reader.line, 7);
    assert_int_equal(f.reader.row, 2);
    assert_int_equal(csv_next(&f.reader), CSV_END);
    assert_int_equal(csv_next(&f.reader), CSV_END);
    csv_rewind(&f.reader);
    assert_int_equal(csv_next(&f.reader), CSV_ROW);
    assert_number(&f, "depth", 1e-3);
    assert_int_equal(f.reader.row, 1);
    assert_int_equal(f.reader.line, 4);
    close_text(&f);
}

static void reads_what_spreadsheets_write(void **state)
{
    (void)state;
    file f;
    OPEN(&f, "\xEF\xBB\xBF\"t\" ,\"a \"\"b\"\", c\",d\r\n\"1\",\"2\",3\r\n4,5,6");
    assert_true(f.opened);
    assert_int_equal(f.reader.columns, 3);
    assert_int_equal(csv_find(&f.reader, "a \"b\", c"), 1);
    assert_int_equal(csv_find(&f.reader, "a \"b\""), 3);
    assert_int_equal(csv_next(&f.reader), CSV_ROW);
    assert_number(&f, "t", 1);
    assert_number(&f, "d", 3);
    assert_int_equal(csv_next(&f.reader), CSV_ROW);
    assert_number(&f, "d", 6);
    assert_int_equal(csv_next(&f.reader), CSV_END);
    close_text(&f);
}

static void refuses_bad_headers(void **state)
{
    (void)state;
    static const char *const headers[] = {"", "\n\n# nothing\n", "t,t\n0,0\n", "t,\"depth\n0,0\n", "\"t\"x,y\n"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        file f;
        open_text(&f, headers[i], strlen(headers[i]));
        assert_false(f.opened);
        close_text(&f);
    }
    csv_reader reader;
    assert_false(csv_open(&reader, "no-such-file.csv"));
    csv_close(&reader);
    assert_false(csv_open(&reader, "."));
    csv_close(&reader);
}

static void refuses_bad_rows(void **state)
{
    (void)state;
    static const char *const rows[] = {"1", "1,2,3", "1,\"2", "1,\"2\"3"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "a,b\n%s\n", rows[i]);
        file f;
        open_text(&f, text, strlen(text));
        assert_true(f.opened);
        assert_int_equal(csv_next(&f.reader), CSV_ERROR);
        close_text(&f);
    }
}

static void refuses_what_is_no_number(void **state)
{
    (void)state;
    file f;
    OPEN(&f, "a,b,c,d,e,f,g\n,x,1x,nan,inf,1e999,1 2\n");
    assert_true(f.opened);
    assert_int_equal(csv_next(&f.reader), CSV_ROW);
    for (size_t i = 0; i < f.reader.columns; i++) {
        double value;
        assert_false(csv_number(&f.reader, i, &value));
    }
    close_text(&f);
}

static void refuses_what_is_no_text(void **state)
{
    (void)state;
    file f;
    OPEN(&f, "a,b\n1,0\0001\n");
    assert_false(f.opened);
    close_text(&f);
}

static void writes_what_it_reads(void **state)
{
    (void)state;
    static csv_writer writer;
    static const char path[] = "csv-written.csv";
    assert_true(csv_create(&writer, path));
    csv_put_text(&writer, "plain");
    csv_put_text(&writer, "a \"b\", c");
    csv_end_row(&writer);
    csv_put_number(&writer, 0.1);
    csv_put_number(&writer, -1.0 / 3);
    csv_end_row(&writer);
    assert_true(csv_finish(&writer));

    file f = {.path = "csv-written.csv"};
    assert_true(csv_open(&f.reader, path));
    assert_int_equal(csv_find(&f.reader, "a \"b\", c"), 1);
    assert_int_equal(csv_next(&f.reader), CSV_ROW);
    assert_number(&f, "plain", 0.1);
    assert_number(&f, "a \"b\", c", -1.0 / 3);
    close_text(&f);
    assert_false(csv_create(&writer, "no-such-folder/table.csv"));
}

static void notices_a_full_disk(void **state)
{
    (void)state;
    static csv_writer writer;
    if (!csv_create(&writer, "/dev/full"))
        skip();
    for (size_t i = 0; i < 1 << 16; i++)
        csv_put_number(&writer, 1);
    csv_end_row(&writer);
    assert_false(csv_finish(&writer));
}

/* Names are compared in less than quadratic time: 60,000 of them take less than seconds. */
static void many_columns_are_read_at_once(void **state)
{
    (void)state;
    enum { COLUMNS = 60000 };
    char *text = malloc(COLUMNS * 8 + 1), *end = text;
    assert_non_null(text);
    for (int i = 0; i < COLUMNS; i++)
        end += sprintf(end, "c%d%c", i, i + 1 < COLUMNS ? ',' : '\n');
    file          f;
    const clock_t start = clock();
    open_text(&f, text, (size_t)(end - text));
    assert_true(f.opened);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 1);
    close_text(&f);
    free(text);
}

static void refuses_what_is_too_large(void **state)
{
    (void)state;
    enum { COLUMNS = 1000001 };
    char *text = malloc(COLUMNS);
    assert_non_null(text);
    memset(text, ',', COLUMNS);
    file f;
    open_text(&f, text, COLUMNS - 1); /* names that are all empty */
    assert_false(f.opened);
    assert_int_equal(f.reader.columns, COLUMNS - 1);
    close_text(&f);
    free(text);
    FILE *out = fopen(f.path, "wb");
    assert_non_null(out);
    assert_int_equal(ftruncate(fileno(out), (off_t)WHOLE_FILE_MOST + 1), 0);
    assert_int_equal(fclose(out), 0);
    assert_false(csv_open(&f.reader, f.path));
    assert_int_equal(errno, EFBIG);
    close_text(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_rows),
        cmocka_unit_test(reads_what_spreadsheets_write),
        cmocka_unit_test(refuses_bad_headers),
        cmocka_unit_test(refuses_bad_rows),
        cmocka_unit_test(refuses_what_is_no_number),
        cmocka_unit_test(refuses_what_is_no_text),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(notices_a_full_disk),
        cmocka_unit_test(many_columns_are_read_at_once),
        cmocka_unit_test(refuses_what_is_too_large),
    };
    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
