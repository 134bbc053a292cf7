/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

uint8_t fuzz_byte(fuzz_input *input) { return input->at < input->end ? *input->at++ : 0; }

uint64_t fuzz_word(fuzz_input *input)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)fuzz_byte(input) << 8 * i;
    return word;
}

double fuzz_number(fuzz_input *input)
{
    static const double numbers[] = {0,    -0.0,      1,         -1,     0.5,  1e-3, -1e-3,    1e-4,      0.1,
                                     -0.1, 0x1p-1074, 0x1p-1022, 0x1p52, 1e30, 1e18, 1e308,    -1e308,    0x1p-27,
                                     3,    7,         1e-9,      100,    1e5,  -5,   INFINITY, -INFINITY, NAN};
    const uint8_t       choice = fuzz_byte(input);
    if (choice < sizeof numbers / sizeof *numbers)
        return numbers[choice];
    if (choice < 250)
        return ((double)choice - 128) / 1024;
    const uint64_t bits = fuzz_word(input);
    double         number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

size_t fuzz_edit(fuzz_input *input, uint8_t *to, size_t size)
{
    enum { MOST = 64 };
    size_t edits = 0;
    for (; size >= 8 && input->at < input->end && edits < MOST; edits++) {
        const size_t at = (fuzz_byte(input) | (size_t)fuzz_byte(input) << 8 | (size_t)fuzz_byte(input) << 16) % size;
        const size_t word = at / 8 * 8 <= size - 8 ? at / 8 * 8 : size - 8;
        uint64_t     value;
        memcpy(&value, to + word, sizeof value);
        switch (fuzz_byte(input) % 4) {
        case 0:
            to[at] = fuzz_byte(input);
            continue;
        case 1:
            value = fuzz_word(input);
            break;
        case 2: /* changes the number slightly */
            value += (uint64_t)(int64_t)(int8_t)fuzz_byte(input);
            break;
        default:
            value = UINT64_C(1) << fuzz_byte(input) % 64;
        }
        memcpy(to + word, &value, sizeof value);
    }
    return edits;
}

size_t fuzz_heard[3];

void fuzz_check_place(const pcm_place *place)
{
    if (place->line == 0)
        return;
    demand(place->file != NULL && place->length > 0);
    if (place->source_line == NULL) /* of a mesh */
        return;
    demand(place->column >= 1 && place->column - 1 <= place->source_line_length);
    demand(memchr(place->source_line, '\n', place->source_line_length) == NULL);
}

static void hear(void *user, const pcm_diagnostic *diagnostic)
{
    (void)user;
    char         text[2048];
    const size_t length = pcm_diagnostic_format(diagnostic, text, sizeof text);
    fuzz_check_place(&diagnostic->place);
    for (uint32_t i = 0; i < diagnostic->n_includes; i++)
        fuzz_check_place(&diagnostic->includes[i]);
    demand(length > 0 && diagnostic->severity <= PCM_ERROR);
    for (const char *c = text; *c; c++)
        demand((unsigned char)*c >= 0x20 || *c == '\n');
    fuzz_heard[diagnostic->severity]++;
}

pcm_context *fuzz_context(const char *plugins)
{
    static pcm_context *context;
    pcm_context_def     def = pcm_context_defaults();
    def.sink = hear;
    def.plugin_path = plugins;
    def.flags = PCM_NO_DEFAULT_PATHS;
    context = context ? context : pcm_context_new(&def);
    demand(context != NULL);
    memset(fuzz_heard, 0, sizeof fuzz_heard);
    return context;
}

pcm_config *fuzz_config(const char *plugins, const char *text)
{
    static pcm_config *config;
    pcm_context       *context = fuzz_context(plugins);
    config = config ? config : pcm_config_parse(context, "fuzz.pcm", text, strlen(text));
    demand(config != NULL);
    return config;
}

const char *fuzz_file(const void *bytes, size_t size)
{
    static int  file = -1;
    static char path[40];
    if (file < 0) {
        file = memfd_create("fuzz", MFD_CLOEXEC);
        demand(file >= 0 && snprintf(path, sizeof path, "/proc/self/fd/%d", file) > 0);
    }
    demand(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
    return path;
}
