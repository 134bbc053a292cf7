/* SPDX-License-Identifier: MIT */
/* Any bytes as a number and as a unit: a number equals the C library's and survives writing and reading; the place of a
 * fault in a unit is inside the unit. */
#include "fuzz.h"
#include "units.h"

#include <stdio.h>

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* The C library reads more than decimal numbers, so it only gets what was accepted as one. */
static void check_number(const char *text, size_t size)
{
    char         copy[1024];
    double       value = 42;
    const size_t length = pcm_number_read(text, size, &value);
    demand(length <= size && (length > 0 || value == 42));
    if (length == 0 || length >= sizeof copy)
        return;
    memcpy(copy, text, length);
    copy[length] = '\0';
    char        *end;
    const double expected = strtod(copy, &end);
    demand(end == copy + length && same_bits(value, expected));
}

static void check_text(fuzz_input input)
{
    const uint64_t bits = fuzz_word(&input);
    double         value, back = 42;
    char           text[PCM_NUMBER_SIZE], expected[64];
    memcpy(&value, &bits, sizeof value);
    for (int digits = 0; isfinite(value) && digits <= 17; digits++) {
        const size_t length = pcm_number_write(value, digits, text);
        demand(length == strlen(text) && pcm_number_read(text, length, &back) == length);
        if (digits == 0 || digits == 17)
            demand(same_bits(back, value));
        if (digits > 0) {
            snprintf(expected, sizeof expected, "%.*e", digits - 1, value);
            demand(same_bits(back, strtod(expected, NULL)));
        }
    }
}

static void check_unit(const char *text, size_t size)
{
    pcm_unit       unit;
    pcm_unit_fault fault;
    char           dimension[PCM_DIMENSION_SIZE];
    if (!pcm_unit_read(text, size, &unit, &fault)) {
        demand(fault.error != PCM_UNIT_OK && fault.at <= size && fault.bad <= size - fault.at);
        return;
    }
    pcm_unit_dimension(&unit, dimension);
    demand(memchr(dimension, '\0', sizeof dimension) && pcm_unit_same_dimension(&unit, &unit));
    demand(!isnan(pcm_unit_to_si(&unit, 1)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); /* in an allocation of its own, so that reading past it is found */
    demand(text != NULL);
    memcpy(text, data, size);
    check_number(text, size);
    check_unit(text, size);
    check_text((fuzz_input){data, data + size});
    free(text);
    return 0;
}
