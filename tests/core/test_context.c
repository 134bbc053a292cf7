/* SPDX-License-Identifier: MIT */
/* Contexts: invalid definitions, the sink of messages, and memory that is counted, runs out, and is all freed. */
#include "cases.h"
#include "context_struct.h"
#include "isa.h"
#include <pcm/messages.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

typedef struct memory {
    size_t calls, fails_at; /* the number of the allocation that fails; 0: none */
    size_t bytes;           /* allocated now */
} memory;

static void *take(void *user, size_t bytes)
{
    memory *m = user;
    if (++m->calls == m->fails_at)
        return NULL;
    m->bytes += bytes;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give(void *user, void *block, size_t bytes)
{
    memory *m = user;
    assert_true(bytes <= m->bytes);
    m->bytes -= bytes;
    free(block);
}

typedef struct voice {
    size_t   count;
    uint32_t code, line;
    char     text[2048];
} voice;

static void listen(void *user, const pcm_diagnostic *diagnostic)
{
    voice *heard = user;
    heard->count++;
    heard->code = diagnostic->code;
    heard->line = diagnostic->place.line;
    snprintf(heard->text, sizeof heard->text, "%s", diagnostic->message);
}

static pcm_context_def definition(memory *m, voice *heard)
{
    pcm_context_def def = pcm_context_defaults();
    def.allocator = (pcm_allocator){m, take, give};
    def.sink = listen;
    def.sink_user = heard;
    def.plugin_path = PCM_TEST_PLUGINS;
    def.flags = PCM_NO_DEFAULT_PATHS;
    return def;
}

static void a_definition_starts_from_the_defaults(void **state)
{
    (void)state;
    voice           heard = {.count = 0};
    pcm_context_def empty = {.sink = listen, .sink_user = &heard};
    assert_null(pcm_context_new(&empty));
    assert_int_equal(heard.code, PCM_MSG_BAD_DEF);

    pcm_context_def half = pcm_context_defaults();
    half.sink = listen;
    half.sink_user = &heard;
    half.allocator.allocate = take;
    assert_null(pcm_context_new(&half));
    assert_int_equal(heard.count, 2);
    assert_int_equal(heard.code, PCM_MSG_CONTEXT_DEF);

    pcm_context_free(NULL);
    pcm_context *plain = pcm_context_new(NULL);
    assert_non_null(plain);
    pcm_context_free(plain);
}

static void kernels_are_what_the_processor_runs(void **state)
{
    (void)state;
    for (uint32_t isa = PCM_ISA_PLAIN; isa < 1000; isa += isa < 4 ? 1 : 333) {
        pcm_context_def def = pcm_context_defaults();
        const uint32_t  here = def.isa;
        def.plugin_path = PCM_TEST_PLUGINS;
        def.isa = isa;
        pcm_context     *context = pcm_context_new(&def);
        const pcm_model *model = pcm_model_load(context, "CompliantGround");
        assert_non_null(model);
        const uint32_t expected = isa < here ? isa : here;
        assert_int_equal(context->isa, expected);
        assert_int_equal(pcm_model_kernels(model, context->isa)->isa, expected);
        pcm_context_free(context);
    }
}

static void memory_is_aligned_zeroed_and_given_back(void **state)
{
    (void)state;
    memory                m = {.calls = 0};
    voice                 heard = {.count = 0};
    const pcm_context_def def = definition(&m, &heard);
    pcm_context          *context = pcm_context_new(&def);
    assert_null(pcm_allocate(context, 0));
    pcm_free(context, NULL, 0);
    unsigned char *block = pcm_allocate(context, 100);
    assert_int_equal((uintptr_t)block % 64, 0);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(block[i], 0);
        block[i] = (unsigned char)i;
    }
    pcm_free(context, block, 100);
    pcm_context_free(context);
    assert_int_equal(m.bytes, 0);
}

/* The library's own allocator treats large blocks in another way. Each size is taken twice, the second time from memory
 * that was used before. */
static void its_own_memory_is_the_same(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 1000, (4 << 20) - 1, 4 << 20, (9 << 20) + 1};
    pcm_context *context = pcm_context_new(NULL);
    assert_non_null(context);
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        const size_t bytes = sizes[i / 2];
        uint8_t     *block = pcm_allocate(context, bytes);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        assert_int_equal(block[0], 0);
        assert_memory_equal(block, block + 1, bytes - 1);
        memset(block, 0xff, bytes);
        pcm_free(context, block, bytes);
    }
    assert_null(pcm_allocate(context, SIZE_MAX));
    assert_null(pcm_allocate(context, SIZE_MAX / 2));
    pcm_context_free(context);
}

static void an_array_grows_twofold_and_keeps_what_is_in_it(void **state)
{
    (void)state;
    memory                m = {.calls = 0};
    voice                 heard = {.count = 0};
    const pcm_context_def def = definition(&m, &heard);
    pcm_context          *context = pcm_context_new(&def);
    uint32_t             *array = NULL;
    size_t                capacity = 0;
    assert_true(pcm_grow(context, &array, &capacity, 0, sizeof *array));
    assert_null(array);
    for (uint32_t i = 0; i < 1000; i++) {
        const size_t before = capacity;
        assert_true(pcm_grow(context, &array, &capacity, i + 1, sizeof *array));
        assert_true(capacity > i && (capacity == before || capacity >= 2 * before));
        assert_int_equal(array[i], 0);
        array[i] = i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(array[i], i);
    const size_t    before = capacity;
    const uint32_t *same = array;
    m.fails_at = m.calls + 1;
    assert_false(pcm_grow(context, &array, &capacity, before + 1, sizeof *array));
    m.fails_at = 0;
    assert_false(pcm_grow(context, &array, &capacity, SIZE_MAX / sizeof *array + 1, sizeof *array));
    assert_true(array == same && capacity == before && array[999] == 999);
    assert_true(pcm_grow(context, &array, &capacity, 10 * before, sizeof *array));
    assert_int_equal(capacity, 10 * before);
    pcm_free(context, array, capacity * sizeof *array);
    pcm_context_free(context);
    assert_int_equal(m.bytes, 0);
}

static void a_long_message_is_not_cut(void **state)
{
    (void)state;
    memory                m = {.calls = 0};
    voice                 heard = {.count = 0};
    const pcm_context_def def = definition(&m, &heard);
    pcm_context          *context = pcm_context_new(&def);
    char                  longer[1800];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    pcm_report(context, PCM_NOTE, 1, "%s!", longer);
    assert_int_equal(strlen(heard.text), sizeof longer);
    m.fails_at = m.calls + 1; /* without memory it is cut, but still reported */
    pcm_report(context, PCM_NOTE, 2, "%s!", longer);
    assert_int_equal(heard.code, 2);
    assert_int_equal(strlen(heard.text), 511);
    const pcm_place place = {.file = "ground.pcm", .line = 7, .column = 3, .length = 1};
    pcm_report_at(context, PCM_NOTE, 3, &place, "%s", longer);
    assert_int_equal(heard.line, 7);
    assert_string_equal(heard.text, longer);
    pcm_report(context, PCM_NOTE, 4, "%s", "of no file");
    assert_int_equal(heard.line, 0);
    pcm_context_free(context);
    assert_int_equal(m.bytes, 0);
}

static void nothing(void *user, const pcm_model *model)
{
    (void)user;
    (void)model;
}

/* Each allocation fails once, with few cases every tenth: the result is a message, or no context, and no memory leaks.
 */
static void memory_runs_out_anywhere(void **state)
{
    (void)state;
    size_t loaded = 0;
    for (size_t fails_at = 1; loaded < 2; fails_at += 11 - cases(10)) {
        memory                m = {.fails_at = fails_at};
        voice                 heard = {.count = 0};
        const pcm_context_def def = definition(&m, &heard);
        pcm_context          *context = pcm_context_new(&def);
        if (context) {
            const pcm_model *model = pcm_model_load(context, "SpringContact");
            assert_true(model || (heard.count == 1 && heard.code == PCM_MSG_OUT_OF_MEMORY));
            pcm_model_each(context, nothing, NULL);
            assert_true(m.calls < fails_at || heard.count > 0);
            loaded += m.calls < fails_at; /* nothing failed, twice: all allocations have been tried */
        }
        pcm_context_free(context);
        assert_int_equal(m.bytes, 0);
        assert_true(fails_at < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_definition_starts_from_the_defaults),
        cmocka_unit_test(kernels_are_what_the_processor_runs),
        cmocka_unit_test(memory_is_aligned_zeroed_and_given_back),
        cmocka_unit_test(its_own_memory_is_the_same),
        cmocka_unit_test(an_array_grows_twofold_and_keeps_what_is_in_it),
        cmocka_unit_test(a_long_message_is_not_cut),
        cmocka_unit_test(memory_runs_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
