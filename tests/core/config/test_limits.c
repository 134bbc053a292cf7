/* SPDX-License-Identifier: MIT */
/* Limits on a text: depth, number and length, each with its message. Texts too large to keep in a file are in
 * tests/configs/test_bad.c; limits of tables are in test_table.c, those of plugins in tests/hostile. */
#include "expression.h"
#include "model.h"
#include "parts.h"
#include "plain_name.h"
#include "cases.h"
#include <pcm/messages.h>
#include <pcm/pcm.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- Laws of any size ------------------------------------------------------------------------------------------- */

/* One law more than a type can have parts, called L0, L1, ...: each has that many states and amounts. */
enum { LAWS = PCM_PARTS_MAX + 1, NAMES = 200 };

typedef struct laws {
    char               names[NAMES][8];
    pcm_state          states[NAMES];
    pcm_amount         amounts[NAMES];
    pcm_model          models[LAWS];
    pcm_library        entries[LAWS];
    const pcm_library *list[LAWS];
    size_t             used;
} laws;

static const pcm_kernel_set kernels[] = {
    {.isa = PCM_ISA_PLAIN, .update = pcm_rest, .establish = pcm_rest, .jump = pcm_rest, .terminate = pcm_rest},
};

static const char *next_name(laws *l)
{
    snprintf(l->names[l->used], sizeof l->names[0], "n%zu", l->used);
    return l->names[l->used++];
}

static void add_law(laws *l, size_t law, uint32_t states, uint32_t amounts)
{
    static const char names[LAWS][3] = {"L0", "L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8"};
    pcm_state        *first_state = l->states + l->used;
    for (uint32_t i = 0; i < states; i++)
        l->states[l->used] = (pcm_state){.unit = "m", .doc = "one", .nominal = 1, .swap = -1, .name = next_name(l)};
    pcm_amount *first_amount = l->amounts + l->used;
    for (uint32_t i = 0; i < amounts; i++)
        l->amounts[l->used] = (pcm_amount){.unit = "K", .doc = "one", .flow_unit = "W", .name = next_name(l)};
    l->models[law] = (pcm_model){.size = sizeof(pcm_model),
                                 .name = names[law],
                                 .summary = "A law of a test",
                                 .inputs = PCM_DEPTH,
                                 .states = {first_state, states, sizeof *first_state},
                                 .amounts = {first_amount, amounts, sizeof *first_amount},
                                 .kernels = PCM_TABLE(kernels)};
    l->entries[law] = (pcm_library){PCM_MAGIC,         sizeof(pcm_library), PCM_ABI_MAJOR,  PCM_ABI_MINOR,
                                    sizeof(pcm_batch), sizeof(pcm_model),   &l->models[law]};
    l->list[law] = &l->entries[law];
}

/* ---- Messages --------------------------------------------------------------------------------------------------- */

typedef struct voice {
    size_t   errors;
    uint32_t code;
    char     text[400];
} voice;

static void listen(void *user, const pcm_diagnostic *diagnostic)
{
    voice *heard = user;
    if (diagnostic->severity != PCM_ERROR)
        return;
    heard->errors++;
    heard->code = diagnostic->code;
    snprintf(heard->text, sizeof heard->text, "%s", diagnostic->message);
}

static pcm_context *open_with(const laws *l, voice *heard)
{
    pcm_context_def def = pcm_context_defaults();
    def.sink = listen;
    def.sink_user = heard;
    def.flags = PCM_NO_DEFAULT_PATHS;
    def.builtin = l ? l->list : NULL;
    def.n_builtin = l ? LAWS : 0;
    pcm_context *context = pcm_context_new(&def);
    assert_non_null(context);
    return context;
}

/* Under those laws, the text is rejected with one error of that code or, if the code is 0, accepted. */
static void expect(const laws *l, const char *text, uint32_t code, const char *words)
{
    voice        heard = {0};
    pcm_context *context = open_with(l, &heard);
    pcm_config  *config = pcm_config_parse(context, "limits.pcm", text, strlen(text));
    if (heard.errors != (code != 0) || heard.code != code || strstr(heard.text, words) == NULL)
        fail_msg("%zu errors, the last PCM-%u '%s', but PCM-%u '%s' was expected", heard.errors, heard.code, heard.text,
                 code, words);
    assert_true((config == NULL) == (code != 0));
    pcm_config_release(config);
    pcm_context_free(context);
}

/* ---- Contact types ---------------------------------------------------------------------------------------------- */

static void parts_have_an_end(void **state)
{
    (void)state;
    laws l = {0};
    for (size_t law = 0; law < LAWS; law++)
        add_law(&l, law, 0, 0);
    expect(&l, "ContactType C = L0 + L1 + L2 + L3 + L4 + L5 + L6 + L7; DefaultPair -> C;", 0, "");
    expect(&l, "ContactType C = L0 + L1 + L2 + L3 + L4 + L5 + L6 + L7 + L8; DefaultPair -> C;", PCM_MSG_PARTS,
           "a contact type has at most 8 parts");
}

static void columns_of_parts_have_an_end(void **state)
{
    (void)state;
    laws l = {0};
    add_law(&l, 0, PCM_MAX_COLUMNS - 1, 0);
    add_law(&l, 1, 1, 0);
    for (size_t law = 2; law < LAWS; law++)
        add_law(&l, law, 2, 0);
    expect(&l, "ContactType C = L0 + L1; DefaultPair -> C;", 0, "");
    expect(&l, "ContactType C = L0 + L2; DefaultPair -> C;", PCM_MSG_PARTS, "makes more than 32 columns of states");
}

static void amounts_have_an_end(void **state)
{
    (void)state;
    laws l = {0};
    add_law(&l, 0, 0, PCM_MAX_AMOUNTS - 1);
    add_law(&l, 1, 0, 1);
    for (size_t law = 2; law < LAWS; law++)
        add_law(&l, law, 0, 2);
    expect(&l, "ContactType C = L0 + L1; DefaultPair -> C;", 0, "");
    expect(&l, "ContactType C = L0 + L2; DefaultPair -> C;", PCM_MSG_PARTS, "makes more than 16 amounts");
    expect(&l, "ContactType C = L0; ContactType D = L1; DefaultPair -> C; ObjectPair a * b -> D;", 0, "");
    expect(&l, "ContactType C = L0; ContactType D = L2; DefaultPair -> C; ObjectPair a * b -> D;",
           PCM_MSG_PARAMETERS_REJECTED, "the laws of a file have at most 16 amounts of objects");
}

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

/* Let x = 1^1^1^...: of all expressions of that depth, this one has the most operands waiting at once. */
static char *tower(size_t operands)
{
    char *text = calloc(1, 2 * operands + 100), *end = stpcpy(text, "Let x = 1");
    for (size_t i = 1; i < operands; i++)
        end = stpcpy(end, "^1");
    strcpy(end, "; ContactType C = L0 { Separation = x [mm]; }; DefaultPair -> C;");
    return text;
}

static void expressions_have_an_end(void **state)
{
    (void)state;
    laws   l = {0};
    size_t operands = PCM_OPERANDS_MOST - 10;
    for (size_t law = 0; law < LAWS; law++)
        add_law(&l, law, 0, 0);
    char *deep = tower(operands), *deeper = tower(PCM_OPERANDS_MOST + 1);
    expect(&l, deep, 0, "");
    expect(&l, deeper, PCM_MSG_TOO_NESTED, "nested too deeply");
    free(deep);
    free(deeper);
}

/* ---- Time ------------------------------------------------------------------------------------------------------- */

/* Looking ahead in a text does not start again from every next word: then these texts would take minutes. */
static void long_texts_are_read_once(void **state)
{
    (void)state;
    const size_t             length = cases(400000);
    static const char *const texts[][2] = {
        {"ContactType C = L0 { Separation = (", "1,"}, /* a list */
        {"ContactType C = L0 { Separation = ", "1,"},
        {"ContactType C = L0 { Separation = ", "{1,"},
        {"ContactType C = L0 { Separation = ", "1 2 "},
        {"Let x = ", "a-"}, /* it could be a name before '=' */
        {"Let x = 1 ", "a--"},
        {"", "/*\n"}, /* it could end at each next line */
        {"", "/*"},
        {"# ", "\xe2\x80\x9c"},
        {"Let x = ", "\xe2\x80\x9c"},
        {"", "ContactType C = L0 { }; "}, /* at each statement the reader looks for another language */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *text = malloc(length + 100), *end = stpcpy(text, texts[i][0]);
        assert_non_null(text);
        while (end < text + length)
            end = stpcpy(end, texts[i][1]);
        voice        heard = {0};
        pcm_context *context = open_with(NULL, &heard);
        pcm_config_release(pcm_config_parse(context, "long.pcm", text, strlen(text)));
        pcm_context_free(context);
        free(text);
    }
}

/* Of errors of meaning the first thousand are told. To look for what each name could mean would take minutes. */
static void unknown_names_are_told_a_thousand_times(void **state)
{
    (void)state;
    enum { TOLD = 1000, LINE = 100 };
    const size_t             unknown = cases(80000);
    static const char *const lines[] = {
        "ObjectPair a%zu * b -> T%zu;\n",
        "ContactType T%zu = Missing%zu;\n",
        "Let x%zu = y%zu;\n",
        "ContactType T%zu = L0 { Separation = y%zu; };\n",
        "ContactType T%zu = L0 { Missing%zu = 1; };\n",
        "Material M%zu { Missing%zu = 1 [bad]; };\n",
    };
    laws l = {0};
    for (size_t law = 0; law < LAWS; law++)
        add_law(&l, law, 0, 0);
    char *text = malloc(unknown * LINE);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *end = text;
        for (size_t k = 0; k < unknown; k++)
            end += sprintf(end, lines[i], k, k);
        voice        heard = {0};
        pcm_context *context = open_with(&l, &heard);
        assert_null(pcm_config_parse(context, "many.pcm", text, (size_t)(end - text)));
        if (heard.errors != TOLD + 1)
            fail_msg("%zu errors of '%s'", heard.errors, lines[i]);
        pcm_context_free(context);
    }
    free(text);
}

/* A text with zero bytes is rejected at the first one: otherwise the text before it would be read again for each. */
static void zeros_are_refused_at_the_first(void **state)
{
    (void)state;
    FILE *file = fopen("zeros.pcm", "wb");
    assert_non_null(file);
    fputs("DefaultPair -> C;\n#", file);
    for (size_t i = 0; i < 1000000; i++)
        fputc('\0', file);
    fclose(file);
    expect(NULL, "Include \"zeros.pcm\";", PCM_MSG_BAD_BYTE, "the byte 0x00");
    remove("zeros.pcm");
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static void names_of_models_have_an_end(void **state)
{
    (void)state;
    char         name[PCM_NAME_MAX + 2];
    voice        heard = {0};
    pcm_context *context = open_with(NULL, &heard);
    memset(name, 'a', sizeof name - 1);
    name[PCM_NAME_MAX + 1] = '\0';
    assert_null(pcm_model_load(context, name));
    assert_int_equal(heard.code, PCM_MSG_PLUGIN_BAD_NAME);
    assert_non_null(strstr(heard.text, "at most 63 in all"));
    name[PCM_NAME_MAX] = '\0';
    assert_null(pcm_model_load(context, name));
    assert_int_equal(heard.code, PCM_MSG_PLUGIN_MISSING);
    pcm_context_free(context);
}

static void names_of_files_have_an_end(void **state)
{
    (void)state;
    enum { NAME = 300 }; /* a name may have 255 bytes */
    char text[NAME + 50], *end = stpcpy(text, "Include \"");
    memset(end, 'a', NAME);
    strcpy(end + NAME, "\";");
    expect(NULL, text, PCM_MSG_UNREADABLE, "its name is too long");
}

static void open_files_have_an_end(void **state)
{
    (void)state;
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    expect(NULL, "Include \"/dev/null\";", PCM_MSG_UNREADABLE, "too many files are open");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_have_an_end),
        cmocka_unit_test(columns_of_parts_have_an_end),
        cmocka_unit_test(amounts_have_an_end),
        cmocka_unit_test(expressions_have_an_end),
        cmocka_unit_test(names_of_models_have_an_end),
        cmocka_unit_test(names_of_files_have_an_end),
        cmocka_unit_test(open_files_have_an_end),
        cmocka_unit_test(long_texts_are_read_once),
        cmocka_unit_test(unknown_names_are_told_a_thousand_times),
        cmocka_unit_test(zeros_are_refused_at_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
