/* SPDX-License-Identifier: MIT */
#include "specimen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static void *count_allocate(void *user, size_t bytes)
{
    pcm_specimen *specimen = user;
    if (++specimen->allocations == specimen->refused)
        return NULL;
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(memory);
    memset(memory, 0xa5, bytes);
    specimen->live += bytes;
    specimen->peak = specimen->live > specimen->peak ? specimen->live : specimen->peak;
    return memory;
}

static void count_release(void *user, void *memory, size_t bytes)
{
    pcm_specimen *specimen = user;
    assert_true(bytes <= specimen->live);
    specimen->live -= bytes;
    free(memory);
}

static void keep(void *user, const pcm_diagnostic *diagnostic)
{
    pcm_specimen *specimen = user;
    size_t        length = pcm_diagnostic_format(diagnostic, NULL, 0);
    while (specimen->length + length + 1 > specimen->capacity) {
        specimen->capacity *= 2;
        specimen->told = realloc(specimen->told, specimen->capacity);
        assert_non_null(specimen->told);
    }
    assert_int_equal(pcm_diagnostic_format(diagnostic, specimen->told + specimen->length, length + 1), length);
    specimen->length += length;
    specimen->errors += diagnostic->severity == PCM_ERROR;
    specimen->warnings += diagnostic->severity == PCM_WARNING;
    if (diagnostic->code < SPECIMEN_CODES && diagnostic->severity != PCM_NOTE)
        specimen->seen[diagnostic->code]++;
}

void specimen_start(pcm_specimen *specimen)
{
    memset(specimen, 0, sizeof *specimen);
    specimen->capacity = 4096;
    specimen->told = calloc(1, specimen->capacity);
    assert_non_null(specimen->told);
    pcm_context_def def = pcm_context_defaults();
    def.allocator = (pcm_allocator){specimen, count_allocate, count_release};
    def.sink = keep;
    def.sink_user = specimen;
    def.plugin_path = SPECIMEN_PLUGINS;
    def.flags = PCM_NO_DEFAULT_PATHS;
    specimen->context = pcm_context_new(&def);
    assert_non_null(specimen->context);
}

void specimen_end(pcm_specimen *specimen)
{
    pcm_context_free(specimen->context);
    assert_int_equal(specimen->live, 0);
    free(specimen->told);
}

void specimen_forget(pcm_specimen *specimen)
{
    specimen->told[0] = '\0';
    specimen->length = specimen->errors = specimen->warnings = 0;
    memset(specimen->seen, 0, sizeof specimen->seen);
}

pcm_config *specimen_parse(pcm_specimen *specimen, const char *text)
{
    specimen_forget(specimen);
    return pcm_config_parse(specimen->context, "test.pcm", text, strlen(text));
}

pcm_config *specimen_good(pcm_specimen *specimen, const char *text)
{
    pcm_config *config = specimen_parse(specimen, text);
    if (config == NULL || specimen->length > 0)
        fail_msg("expected no message for\n%s\nbut was told\n%s", text, specimen->told);
    return config;
}

void specimen_bad(pcm_specimen *specimen, const char *text, ...)
{
    pcm_config *config = specimen_parse(specimen, text);
    bool        as_expected = config == NULL && specimen->errors > 0;
    const char *at = specimen->told;
    size_t      count = 0;
    va_list     codes;
    va_start(codes, text);
    for (int code; (code = va_arg(codes, int)) != 0; count++) {
        char bracket[32];
        snprintf(bracket, sizeof bracket, "[PCM-%d]\n", code);
        const char *found = strstr(at, bracket);
        as_expected &= found != NULL;
        at = found != NULL ? found + 1 : at;
    }
    va_end(codes);
    if (!as_expected || count != specimen->errors + specimen->warnings)
        fail_msg("other messages than expected for\n%s\ntold:\n%s", text, specimen->told);
    pcm_config_release(config);
}
