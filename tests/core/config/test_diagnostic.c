/* SPDX-License-Identifier: MIT */
/* How a diagnostic is formatted for people. */
#include <pcm/pcm.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static pcm_diagnostic at(const char *line, uint32_t column, uint32_t length)
{
    return (pcm_diagnostic){
        .size = sizeof(pcm_diagnostic),
        .severity = PCM_ERROR,
        .code = 101,
        .message = "no",
        .place = {.file = "a.pcm",
                  .line = 7,
                  .column = column,
                  .length = length,
                  .source_line = line,
                  .source_line_length = (uint32_t)strlen(line)},
    };
}

static void assert_format(const pcm_diagnostic *diagnostic, const char *text)
{
    char   buffer[2000];
    size_t length = pcm_diagnostic_format(diagnostic, buffer, sizeof buffer);
    assert_string_equal(buffer, text);
    assert_int_equal(length, strlen(text));
}

static void points_at_the_place(void **state)
{
    (void)state;
    pcm_diagnostic one = at("K = x;", 5, 1), more = at("K = xyz;", 5, 3), beyond = at("K = x", 6, 1),
                   over = at("K = x", 5, 99);
    assert_format(&one, "a.pcm:7:5: error: no [PCM-101]\n    7 | K = x;\n      |     ^\n");
    assert_format(&more, "a.pcm:7:5: error: no [PCM-101]\n    7 | K = xyz;\n      |     ^~~\n");
    assert_format(&beyond, "a.pcm:7:6: error: no [PCM-101]\n    7 | K = x\n      |      ^\n");
    assert_format(&over, "a.pcm:7:5: error: no [PCM-101]\n    7 | K = x\n      |     ^\n");
}

static void says_how_serious_it_is_and_where(void **state)
{
    (void)state;
    pcm_diagnostic nowhere = {
        .size = sizeof(pcm_diagnostic), .severity = PCM_WARNING, .code = 420, .message = "careful"};
    pcm_diagnostic odd = {.size = sizeof(pcm_diagnostic),
                          .severity = PCM_ERROR,
                          .code = 111,
                          .message = "no",
                          .place = {.file = "\x1b[2Ja\n.pcm"}};
    assert_format(&odd, "\\x1b[2Ja\\x0a.pcm: error: no [PCM-111]\n");
    pcm_diagnostic red = {
        .size = sizeof(pcm_diagnostic), .severity = PCM_NOTE, .code = 803, .message = "column '\x1b[31mred'"};
    assert_format(&red, "note: column '\\x1b[31mred' [PCM-803]\n");
    red.message = "'\xe2\x80\xaerev\xe2\x81\xa6' \xd8\x9c \xe2\x80\xa8 \xe2\x80\x9c\xe2\x82\xac\xe2\x80\x9d";
    assert_format(&red, "note: '\\xe2\\x80\\xaerev\\xe2\\x81\\xa6' \\xd8\\x9c \\xe2\\x80\\xa8 "
                        "\xe2\x80\x9c\xe2\x82\xac\xe2\x80\x9d [PCM-803]\n");
    pcm_diagnostic file = {.size = sizeof(pcm_diagnostic),
                           .severity = PCM_NOTE,
                           .code = 300,
                           .message = "look",
                           .place = {.file = "b.so"}};
    assert_format(&nowhere, "warning: careful [PCM-420]\n");
    assert_format(&file, "b.so: note: look [PCM-300]\n");
}

static void keeps_the_caret_under_tabs_and_utf8(void **state)
{
    (void)state;
    pcm_diagnostic tab = at("\tK\t= x;", 6, 1), utf8 = at("Größe µ x", 12, 1), word = at("Größe", 1, 7);
    assert_format(&tab, "a.pcm:7:6: error: no [PCM-101]\n"
                        "    7 |         K       = x;\n"
                        "      |                   ^\n");
    assert_format(&utf8, "a.pcm:7:12: error: no [PCM-101]\n    7 | Größe µ x\n      |         ^\n");
    assert_format(&word, "a.pcm:7:1: error: no [PCM-101]\n    7 | Größe\n      | ^~~~~\n");
}

static void shows_control_bytes_safely(void **state)
{
    (void)state;
    pcm_diagnostic escape = at("a\x1b[31mb", 7, 1), broken = at("\xff\xc3(", 3, 1), hidden = at("\xc2\x9b x", 4, 1);
    assert_format(&escape, "a.pcm:7:7: error: no [PCM-101]\n    7 | a\\x1b[31mb\n      |          ^\n");
    assert_format(&broken, "a.pcm:7:3: error: no [PCM-101]\n    7 | \\xff\\xc3(\n      |         ^\n");
    assert_format(&hidden, "a.pcm:7:4: error: no [PCM-101]\n    7 | \\xc2\\x9b x\n      |          ^\n");
}

static void cuts_long_lines(void **state)
{
    (void)state;
    enum { LONG = 100000 };
    char *line = malloc(LONG + 1), buffer[2000];
    assert_non_null(line);
    memset(line, 'x', LONG);
    line[LONG] = '\0';
    line[50000] = 'E';
    pcm_diagnostic middle = at(line, 50001, 1), first = at(line, 1, 60000);
    assert_true(pcm_diagnostic_format(&middle, buffer, sizeof buffer) < 600);
    const char *source = strstr(buffer, " | ..."), *caret = strstr(buffer, "^");
    assert_non_null(source);
    const char *end = strchr(source, '\n');
    assert_memory_equal(end - 3, "...", 3);
    assert_int_equal(strchr(source, 'E') - source, caret - (end + 1) - 5 /* the gutter */);
    assert_true(pcm_diagnostic_format(&first, buffer, sizeof buffer) < 600);
    free(line);
}

static void lists_the_includes(void **state)
{
    (void)state;
    pcm_diagnostic  told = at("x", 1, 1);
    const pcm_place includes[] = {{.file = "b.pcm", .line = 2}, {.file = "c.pcm", .line = 30}};
    told.includes = includes;
    told.n_includes = 2;
    assert_format(&told, "In file included from b.pcm:2\n                 from c.pcm:30\n"
                         "a.pcm:7:1: error: no [PCM-101]\n    7 | x\n      | ^\n");
}

static void is_cut_at_the_size(void **state)
{
    (void)state;
    pcm_diagnostic told = at("K = x;", 5, 1);
    char           whole[200], part[200];
    size_t         length = pcm_diagnostic_format(&told, whole, sizeof whole);
    assert_int_equal(pcm_diagnostic_format(&told, NULL, 0), length);
    for (size_t size = 1; size <= length; size++) {
        memset(part, '#', sizeof part);
        assert_int_equal(pcm_diagnostic_format(&told, part, size), length);
        assert_int_equal(strlen(part), size - 1);
        assert_memory_equal(part, whole, size - 1);
        assert_int_equal(part[size], '#');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_at_the_place),
        cmocka_unit_test(says_how_serious_it_is_and_where),
        cmocka_unit_test(keeps_the_caret_under_tabs_and_utf8),
        cmocka_unit_test(shows_control_bytes_safely),
        cmocka_unit_test(cuts_long_lines),
        cmocka_unit_test(lists_the_includes),
        cmocka_unit_test(is_cut_at_the_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
