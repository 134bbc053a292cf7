/* SPDX-License-Identifier: MIT */
/* From text to statements. Each is printed as text, so that a test shows the meaning of a file: type C1 = M (K 2
 * kN/m). */
#include "parse.h"
#include <pcm/messages.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

typedef struct pcm_reader {
    pcm_sources sources;
    pcm_reports reports;
    bool        incomplete;
    char        text[4000]; /* text of the statements */
    size_t      used;
} pcm_reader;

static void *take(void *user, size_t bytes)
{
    (void)user;
    return malloc(bytes);
}

static void give(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

__attribute__((format(printf, 2, 3))) static void say(pcm_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(reader->text + reader->used, sizeof reader->text - reader->used, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && reader->used + (size_t)length < sizeof reader->text);
    reader->used += (size_t)length;
}

static void say_span(pcm_reader *reader, const char *before, pcm_span span)
{
    say(reader, "%s%.*s", before, span.length, pcm_span_text(&reader->sources, span));
}

/* Prints operands before operators: a 2 [mm] + for a + 2 [mm]. */
static void say_expression(pcm_reader *reader, const pcm_operation *last)
{
    static const char *const signs[] = {[PCM_OP_NEGATE] = "neg", [PCM_OP_ADD] = "+",    [PCM_OP_SUBTRACT] = "-",
                                        [PCM_OP_MULTIPLY] = "*", [PCM_OP_DIVIDE] = "/", [PCM_OP_POWER] = "^"};
    for (const pcm_operation *at = last->next;; at = at->next) {
        char number[PCM_NUMBER_SIZE];
        pcm_number_write(at->number, 0, number);
        if (at->operation == PCM_OP_NUMBER)
            say(reader, " %s", number);
        else if (at->operation == PCM_OP_NAME || at->operation == PCM_OP_UNIT || at->operation == PCM_OP_CALL)
            say_span(reader, " ", at->span);
        else
            say(reader, " %s", signs[at->operation]);
        if (at == last)
            return;
    }
}

static void say_param(pcm_reader *reader, const pcm_param_node *param)
{
    char number[PCM_NUMBER_SIZE];
    switch (param->value.kind) {
    case PCM_VALUE_NUMBER:
        pcm_number_write(param->value.number, 0, number);
        say(reader, " %s", number);
        break;
    case PCM_VALUE_EXPRESSION:
        say_expression(reader, param->value.expression);
        break;
    case PCM_VALUE_LIST:
        for (const pcm_item_node *item = param->value.items; item != NULL; item = item->next) {
            pcm_number_write(item->number, 0, number);
            if (item->expression == NULL)
                say(reader, " %s", number);
            else
                say_expression(reader, item->expression);
        }
        break;
    default:
        say_span(reader, " ", param->value.span);
    }
    if (param->unit.length > 0)
        say_span(reader, " ", param->unit);
}

static bool hear_type(void *user, const pcm_type_node *type)
{
    pcm_reader *reader = user;
    say_span(reader, "type ", type->name);
    if (type->model.length > 0)
        say_span(reader, " = ", type->model);
    for (const pcm_param_node *param = type->params; param != NULL; param = param->next) {
        say_span(reader, " (", param->name);
        say_param(reader, param);
        say(reader, ")");
    }
    say(reader, "%s\n", type->lost ? " ..." : "");
    return true;
}

static bool hear_let(void *user, const pcm_let_node *let)
{
    pcm_reader *reader = user;
    say_span(reader, "let ", let->name);
    say_param(reader, let);
    say(reader, "\n");
    return true;
}

static bool hear_surface(void *user, const pcm_surface_node *surface)
{
    pcm_reader *reader = user;
    say_span(reader, "surface ", surface->name);
    say_span(reader, " of ", surface->pattern);
    say(reader, "\n");
    return true;
}

static bool hear_material(void *user, const pcm_material_node *material)
{
    pcm_reader *reader = user;
    say_span(reader, "material ", material->name);
    for (const pcm_param_node *param = material->params; param != NULL; param = param->next) {
        say_span(reader, " (", param->name);
        say_param(reader, param);
        say(reader, ")");
    }
    say(reader, "%s\n", material->lost ? " ..." : "");
    return true;
}

static bool hear_rule(void *user, const pcm_rule_node *rule)
{
    static const char *const kinds[] = {"object", "surface", "default"};
    pcm_reader              *reader = user;
    say(reader, "%s", kinds[rule->kind]);
    if (rule->kind != PCM_DEFAULT_PAIR) {
        say_span(reader, " ", rule->a);
        say_span(reader, " ", rule->b);
    }
    say_span(reader, " ", rule->type);
    say(reader, "\n");
    return true;
}

static void start(pcm_reader *reader)
{
    memset(reader, 0, sizeof *reader);
    reader->sources.arena.allocator = (pcm_allocator){NULL, take, give};
    pcm_reports_start(&reader->reports, &reader->sources);
}

static void finish(pcm_reader *reader)
{
    pcm_reports_free(&reader->reports);
    pcm_sources_free(&reader->sources);
}

static void read_text(pcm_reader *reader, const char *text, size_t length)
{
    const pcm_listener listener = {reader, hear_type, hear_rule, hear_let, hear_surface, hear_material, NULL, NULL};
    start(reader);
    assert_int_equal(pcm_sources_add(&reader->sources, "test.pcm", 8), 0);
    if (pcm_source_open(&reader->reports, 0, text, length))
        assert_true(pcm_parse(&reader->reports, 0, &listener, &reader->incomplete));
    pcm_reports_sort(&reader->reports);
}

/* The text gives these statements, without a message. */
static void means_bytes(const char *text, size_t length, const char *statements)
{
    pcm_reader reader;
    read_text(&reader, text, length);
    if (reader.reports.count > 0)
        fail_msg("%s\n%s", text, reader.reports.first->message);
    assert_string_equal(reader.text, statements);
    finish(&reader);
}

static void means(const char *text, const char *statements) { means_bytes(text, strlen(text), statements); }

/* The text has errors with these codes at these places ("102@1:5 101@2:3"), and still gives these good statements. */
static void fails(const char *text, const char *errors, const char *statements)
{
    pcm_reader reader;
    char       found[1000] = "";
    size_t     used = 0;
    read_text(&reader, text, strlen(text));
    for (const pcm_message *report = reader.reports.first; report != NULL; report = report->next) {
        pcm_place place = pcm_span_place(&reader.sources, report->span);
        used += (size_t)snprintf(found + used, sizeof found - used, "%s%u@%u:%u", used > 0 ? " " : "",
                                 (unsigned)report->code, (unsigned)place.line, (unsigned)place.column);
    }
    if (strcmp(found, errors) != 0)
        fail_msg("%s\n%s", text, found);
    assert_string_equal(reader.text, statements);
    finish(&reader);
}

static void the_forms_of_a_block(void **state)
{
    (void)state;
    means("", "");
    means("# only a comment", "");
    means("ContactType C = M;", "type C = M\n");
    means("ContactType C = M {};", "type C = M\n");
    means("ContactType C = M [{}];", "type C = M\n");
    means("ContactType C = M { K = 1 };", "type C = M (K 1)\n");
    means("ContactType C = M { K = 1; };", "type C = M (K 1)\n");
    means("ContactType C = M [{ K=1, B=2 }];", "type C = M (K 1) (B 2)\n");
    means("ContactType C = M [{ K=1, B=2; D=3, }];", "type C = M (K 1) (B 2) (D 3)\n");
    means("ContactType\n\tC#x\n=M{K\n=#y;\n1}\n;", "type C = M (K 1)\n");
    means("ContactType \"a b\" = \"M\" ;", "type \"a b\" = \"M\"\n");
    means("# include <x>\n#include\n", "");
    means("ContactType C = M { K=1,B=2,D=(1,2),E=3 };", "type C = M (K 1) (B 2) (D 1 2) (E 3)\n");
    means("ContactType C=M{K=1}; ContactType D=N{K=2};", "type C = M (K 1)\ntype D = N (K 2)\n");
}

static void the_forms_of_a_value(void **state)
{
    (void)state;
    means("ContactType C = M { K = 1.0 [kN/m] };", "type C = M (K 1 [kN/m])\n");
    means("ContactType C = M { K = (1, 2, 3*2) [mm]; B = (5) };", "type C = M (K 1 2 6 [mm]) (B 5)\n");
    means("ContactType C = M { K = ((1+1)*2, -(3)) };", "type C = M (K 4 -3)\n");
    means("ContactType C = M { A = .001; B = 1.; C = 2e-3; D = 3.14159/2 };",
          "type C = M (A 0.001) (B 1) (C 0.002) (D 1.570795)\n");
    means("ContactType C = M { A = 3-2; B = 3 -2; C = 2*-1 };", "type C = M (A 1) (B 1) (C -2)\n");
    means("ContactType C = M { A = true; B = Middle; C = \"x;}#\" };", "type C = M (A true) (B Middle) (C \"x;}#\")\n");
    means("ContactType C = M { A_1 = word, B.2 = x.y };", "type C = M (A_1 word) (B.2 x.y)\n");
}

static void the_forms_of_an_expression(void **state)
{
    (void)state;
    means("Let g = 0.6;", "let g 0.6\n");
    means("Let k = 2*(1 + 0.25) [kN/mm];", "let k 2.5 [kN/mm]\n");
    means("Let k = 1 + 2 [mm]; Let l = -(3) [mm]; Let m = 2^3 [mm];", "let k 3 [mm]\nlet l -3 [mm]\nlet m 8 [mm]\n");
    means("Let k = 1 [m] + 2 [mm];", "let k 1 [m] 2 [mm] +\n");
    means("Let k = a + 2 [mm];", "let k a 2 [mm] +\n");
    means("Let k = -a^2*b/c-1;", "let k a 2 ^ neg b * c / 1 -\n");
    means("Let k = 2^3^2; Let l = 9^0.5; Let m = 2^-1; Let n = (1/4)^(1/2);",
          "let k 512\nlet l 3\nlet m 0.5\nlet n 0.5\n");
    means("Let k = sqrt(2 [m]*a)*3;", "let k 2 [m] a * sqrt 3 *\n");
    means("Let k = a; Let \"l\" = (a);", "let k a\nlet \"l\" a\n");
    means("ContactType C = M { K = 2*a; B = (1 [mm], a, 3) };", "type C = M (K 2 a *) (B 1 [mm] a 3)\n");
    means("ContactType C = M { K = a [mm]; B = (1, 2*3) [mm] };", "type C = M (K a [mm]) (B 1 6 [mm])\n");
    means("ContactType Let = Let { Let = Let }; ObjectPair Let * Let -> Let;",
          "type Let = Let (Let Let)\nobject Let Let Let\n");
    means("Let Let = 1; DefaultPair -> Let;", "let Let 1\ndefault Let\n");
    fails("ObjectPair A * B -> C\nLet a = 1;", "102@1:22", "object A B C\nlet a 1\n");
    fails("ContactType C = M { K = 1 }\nLet a = 1;", "102@1:28", "type C = M (K 1)\nlet a 1\n");
    fails("Let a = 1\nDefaultPair -> C;", "102@1:10", "let a 1\ndefault C\n");
    fails("Let a 1; let b = 2; Let c = \"x\";", "101@1:7 104@1:10 206@1:29", "let b 2\n");
    fails("Let a = 1 +; Let b = sqrt(1, 2); DefaultPair -> C;", "101@1:12 101@1:28", "default C\n");
}

static void the_forms_of_a_rule(void **state)
{
    (void)state;
    means("ObjectPair A * B -> C;", "object A B C\n");
    means("ObjectPair A*B->C;SurfacePair\"a b\"*\"*\"->\"C\";DefaultPair->C;",
          "object A B C\nsurface \"a b\" \"*\" \"C\"\ndefault C\n");
    means("ObjectPair 1 * 2e-3 -> 7;", "object 1 2e-3 7\n");
    means("ObjectPair left-foot_2.tip * a--b -> x;", "object left-foot_2.tip a--b x\n");
    means("ObjectPair Fuß * 地面 -> C;", "object Fuß 地面 C\n");
}

static void the_forms_of_a_material(void **state)
{
    (void)state;
    means("Material S { E = 2 [GPa]; n = 0.5 }", "material S (E 2 [GPa]) (n 0.5)\n");
    means("Material \"a b\" {}; Material Let { Material = 1; }DefaultPair -> C;",
          "material \"a b\"\nmaterial Let (Material 1)\ndefault C\n");
    means("ContactType Material = Material { Material = Material; };SurfacePair Material * Material -> Material;",
          "type Material = Material (Material Material)\nsurface Material Material Material\n");
    fails("ContactType C = M\nMaterial S { E = 1; }", "102@1:18", "type C = M\nmaterial S (E 1)\n");
    fails("Material S { E = 1;\nDefaultPair -> C;", "103@1:20", "material S (E 1)\ndefault C\n");
}

static void the_forms_of_a_surface(void **state)
{
    (void)state;
    means("Surface Rubber = \"*_Foot\", Pad;", "surface Rubber of \"*_Foot\"\nsurface Rubber of Pad\n");
    means("Surface \"a b\" = 1;Surface Surface=Surface;", "surface \"a b\" of 1\nsurface Surface of Surface\n");
    means("ContactType Surface = M; SurfacePair Surface * Surface -> Surface;",
          "type Surface = M\nsurface Surface Surface Surface\n");
    fails("Surface R = \"a\"\nSurface S = b;", "102@1:16", "surface R of \"a\"\nsurface S of b\n");
    fails("Surface R = a,; Surface S b; Surface T = *; DefaultPair -> C;", "101@1:15 101@1:27 101@1:42",
          "surface R of a\ndefault C\n");
}

static void text_is_bytes(void **state)
{
    (void)state;
    means("ObjectPair A * B -> C;\r\nDefaultPair -> C;\r\n", "object A B C\ndefault C\n");
    means("\xef\xbb\xbfObjectPair A * B -> C;", "object A B C\n");
    means("\xef\xbb\xbf", "");
    means("ObjectPair A * B -> C; # no newline", "object A B C\n");
    means_bytes("DefaultPair -> C;\0", 17, "default C\n");
    fails("\xef\xbb\xbfObjectPair A B -> C;", "101@1:14", "");
    pcm_reader reader;
    read_text(&reader, "DefaultPair -> C;\0\0\0#\0\n", 23);
    assert_int_equal(reader.reports.errors, 1);
    assert_int_equal(reader.reports.first->code, PCM_MSG_BAD_BYTE);
    assert_int_equal(reader.reports.first->span.offset, 17);
    assert_int_equal(reader.reports.first->span.length, 1);
    assert_string_equal(reader.text, ""); /* such a file is not text */
    finish(&reader);
    read_text(&reader,
              "\xff\xfe"
              "D\0",
              4);
    assert_int_equal(reader.reports.first->code, PCM_MSG_NOT_UTF8);
    finish(&reader);
}

static void missing_tokens_are_reported_at_their_place(void **state)
{
    (void)state;
    fails("ObjectPair A * B -> C # x\n\nObjectPair A * D -> C", "102@1:22 102@3:22", "object A B C\nobject A D C\n");
    fails("ContactType C = M { K = 1 }\nDefaultPair -> C;", "102@1:28", "type C = M (K 1)\ndefault C\n");
    fails("ContactType C = M [{ K = 1 };\nDefaultPair -> C;", "103@1:29", "type C = M (K 1)\ndefault C\n");
    fails("ContactType C = M [{ K = 1;\nDefaultPair -> C;", "103@1:28", "type C = M (K 1)\ndefault C\n");
    fails("ContactType C = M { K = 1\nDefaultPair -> C;", "103@1:26", "type C = M (K 1)\ndefault C\n");
    fails("ContactType C = M { K = 1", "103@1:26", "type C = M (K 1)\n");
    fails("ContactType C = M {", "103@1:20", "type C = M\n");
    fails("ContactType C = M { K = 1\n B = 2\n D = 3 };", "102@1:26 102@2:7", "type C = M (K 1) (B 2) (D 3)\n");
    fails("ContactType C = M { K = 1 B = 2 };", "102@1:26", "type C = M (K 1) (B 2)\n");
    fails("ContactType C =", "101@1:16", "type C ...\n");
    fails("ContactType", "101@1:12", "");
}

static void an_error_ends_at_the_next_parameter(void **state)
{
    (void)state;
    fails("ContactType C = M { K = = 1; B = 2 };", "101@1:25", "type C = M (B 2) ...\n");
    fails("ContactType C = M { K = 1; = ; B = 2 };", "101@1:28", "type C = M (K 1) (B 2) ...\n");
    fails("ContactType C = M { K 1, B = 2, 3, D = 4 };", "101@1:23 101@1:30", "type C = M (D 4) ...\n");
    fails("ContactType C = M { K = (1,, 2); B = 2 };", "101@1:28", "type C = M (B 2) ...\n");
    fails("ContactType C = M { K = (1, @, 2); B = 2 };", "105@1:29", "type C = M (B 2) ...\n");
    fails("ContactType C = M { K = (1 + ; B = 2 };", "101@1:30", "type C = M (B 2) ...\n");
    fails("ContactType C = M { K = 1 kN/m; B = 2 };", "101@1:27", "type C = M (B 2) ...\n");
    fails("ContactType C = M { K = 1kN; B = 2 };", "101@1:26", "type C = M (B 2) ...\n");
    fails("ContactType C = M { K = .x; B = 2 };", "105@1:25", "type C = M (B 2) ...\n");
    fails("ContactType C = M { K = 5 = 3; B = 2 };", "101@1:27", "type C = M (B 2) ...\n");
    fails("ContactType C = M { K = 1;; B = 2 };", "101@1:27", "type C = M (K 1) (B 2) ...\n");
    fails("ContactType C = M { K = \"x; }\nDefaultPair -> C;", "106@1:25", "type C = M ...\ndefault C\n");
    fails("ContactType C = M { K = 2 [N; B = 3 };", "107@1:27", "type C = M (B 3) ...\n");
    fails("ContactType C = M {{ K = 1 }};\nDefaultPair -> C;", "101@1:20", "type C = M ...\ndefault C\n");
    fails("ContactType C = M { K = {1}; };\nDefaultPair -> C;", "101@1:25", "type C = M ...\ndefault C\n");
}

static void an_error_ends_at_the_next_statement(void **state)
{
    (void)state;
    fails("ObjectPair A B -> C;\nDefaultPair -> C;", "101@1:14", "default C\n");
    fails("ObjectPair * B -> C;\nDefaultPair -> C;", "101@1:12", "default C\n");
    fails("ObjectPair A * B -> C D;\nDefaultPair -> C;", "101@1:23", "default C\n");
    fails("ContactType C M { K = 1; B = 2 };\nDefaultPair -> C;", "101@1:15", "type C ...\ndefault C\n");
    fails("ContactType C = M K = 1; B = 2; }];\nDefaultPair -> C;", "101@1:19", "type C ...\ndefault C\n");
    fails("ContactType C = M { K = 1 } extra;\nDefaultPair -> C;", "101@1:29", "type C = M (K 1)\ndefault C\n");
    fails("contacttype C = M;\nObjctPair A * B -> C;", "104@1:1 104@2:1", "type C = M\nobject A B C\n");
    fails("ContactType C = M { K = 1 }\nObjetPair A * B -> C;", "102@1:28 104@2:1", "type C = M (K 1)\nobject A B C\n");
    fails("Nonsense A;\nMore B;\nDefaultPair -> C;", "104@1:1 104@2:1", "default C\n");
    fails("} ] ) ;\nDefaultPair -> C;", "101@1:1", "default C\n");
    fails("ObjectPair A * B -> C;;\nDefaultPair -> C;", "101@1:23", "object A B C\ndefault C\n");
    fails("ObjectPair A? * B -> C;\nDefaultPair -> C;", "105@1:13", "default C\n");
    fails("// a comment\n/* one more */\nDefaultPair -> C;", "101@1:1 101@2:1", "default C\n");
    fails("ContactType C = M { A = '1'; B = 2 };\nObjectPair A * B => C;", "105@1:25 101@2:18",
          "type C = M (B 2) ...\nobject A B C\n");
    fails("ContactType C = M [{ A = 1; B = 2 ]};\nDefaultPair -> C;", "101@1:35", "type C = M (A 1) ...\ndefault C\n");
    fails("ObjectPair A * B -> M { K = 1; };\nObjectPair A * B -> C;", "101@1:23", "object A B C\n");
    fails("DefaultPair -> M { K = };\nObjectPair A * B -> C;", "101@1:18 101@1:24", "object A B C\n");
    fails("ContactType C = M { Foot: 1; B = 0,5; D = 1 000 };", "101@1:25 118@1:34 118@1:43",
          "type C = M (Foot 1) (B 0.5) (D 1000)\n");
    fails("ContactType C = M { K = 0,5, B = 2, D=1,2,E=3 };", "118@1:25 118@1:39",
          "type C = M (K 0.5) (B 2) (D 1.2) (E 3)\n");
    fails("Include x;\nInclude;\nDefaultPair -> C;", "101@1:9 101@2:8", "default C\n");
}

static void deep_nesting_is_an_error(void **state)
{
    (void)state;
    pcm_reader reader;
    enum { DEEP = 100000 };
    char *text = calloc(1, 3 * DEEP);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "ContactType C = M { K = ");
    memset(text + used, '(', DEEP);
    used += DEEP;
    text[used++] = '1';
    memset(text + used, ')', DEEP);
    strcpy(text + used + DEEP, "};");
    read_text(&reader, text, strlen(text));
    assert_int_equal(reader.reports.errors, 1);
    assert_int_equal(reader.reports.first->code, PCM_MSG_TOO_NESTED);
    assert_true(reader.incomplete);
    finish(&reader);
    used = (size_t)sprintf(text, "ContactType C = M { K = 1");
    for (int i = 0; i < DEEP; i++)
        used += (size_t)sprintf(text + used, "+1");
    strcpy(text + used, "};");
    means(text, "type C = M (K 100001)\n");
    free(text);
}

/* Checks the place of every byte of a text whose lines have these lengths, repeated. */
static void check_places(const int *lengths, int n_lengths, int lines)
{
    pcm_reader reader;
    char      *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t used = 0;
    for (int i = 0; i < lines; i++) {
        text[used++] = '#';
        memset(text + used, 'x', (size_t)lengths[i % n_lengths]);
        used += (size_t)lengths[i % n_lengths];
        text[used++] = '\n';
    }
    read_text(&reader, text, used);
    uint32_t line = 0, column = 1;
    for (uint32_t offset = 0; offset < used; offset++) {
        pcm_place place = pcm_span_place(&reader.sources, (pcm_span){offset, 1, 0});
        assert_int_equal(place.line, line + 1);
        assert_int_equal(place.column, column);
        assert_int_equal(place.source_line_length, 1 + lengths[line % (uint32_t)n_lengths]);
        column = text[offset] == '\n' ? 1 : column + 1;
        line += text[offset] == '\n';
    }
    finish(&reader);
    free(text);
}

static void places_are_those_of_the_text(void **state)
{
    (void)state;
    static const int small[] = {0, 1, 2, 16, 5, 33, 8}, large[] = {4094, 10000, 0, 4095, 3, 8190, 20000};
    check_places(small, 7, 2000);
    check_places(large, 7, 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_forms_of_a_block),
        cmocka_unit_test(the_forms_of_a_value),
        cmocka_unit_test(the_forms_of_an_expression),
        cmocka_unit_test(the_forms_of_a_rule),
        cmocka_unit_test(the_forms_of_a_surface),
        cmocka_unit_test(the_forms_of_a_material),
        cmocka_unit_test(text_is_bytes),
        cmocka_unit_test(missing_tokens_are_reported_at_their_place),
        cmocka_unit_test(an_error_ends_at_the_next_parameter),
        cmocka_unit_test(an_error_ends_at_the_next_statement),
        cmocka_unit_test(deep_nesting_is_an_error),
        cmocka_unit_test(places_are_those_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
