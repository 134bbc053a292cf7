/* SPDX-License-Identifier: MIT */
#include "packing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A loop counts as vectorised if it has at least this many packed instructions, or, if it is short, at least as many
 * packed instructions as scalar ones; a scalar loop may have a few packed ones, too. */
enum { LEAST = 3 };

const char *const packing_names[PACKING_SETS] = {"plain", "AVX2", "AVX-512"};

typedef struct packed_set {
    const char *function, *registers;
    size_t      packed, scalar; /* numbers of instructions */
    bool        found;
} packed_set;

static bool has_one_of(const char *line, const char *const *names)
{
    while (*names && !strstr(line, *names))
        names++;
    return *names;
}

/* Counts a line of disassembly if it is arithmetic on one number, or on several in registers of the set's width, or
 * compares several there: some loops do no more than that. */
static void count_line(const char *line, packed_set *set)
{
    static const char *const packed[] = {"addpd", "subpd", "mulpd", "divpd", "sqrtpd",
                                         "maxpd", "minpd", "ltpd",  "lepd",  NULL};
    static const char *const scalar[] = {"addsd", "subsd", "mulsd", "divsd", "sqrtsd", "maxsd", "minsd", NULL};
    set->packed += has_one_of(line, packed) && strstr(line, set->registers);
    set->scalar += has_one_of(line, scalar);
}

/* Counts the instructions in the output of objdump: "ADDRESS <FUNCTION>:", then the instructions of that function. */
static void count(FILE *listing, packed_set *sets)
{
    char        line[512];
    packed_set *at = NULL;
    while (fgets(line, sizeof line, listing)) {
        if (strstr(line, ">:")) {
            at = NULL;
            for (size_t i = 0; i < PACKING_SETS; i++)
                if (strstr(line, sets[i].function))
                    at = &sets[i];
            if (at)
                at->found = true;
        } else if (at) {
            count_line(line, at);
        }
    }
}

bool packing_find(const char *plugin, packing *found)
{
    packed_set sets[PACKING_SETS] = {{"<pcm_forces_plain", "%xmm", 0, 0, false},
                                     {"<pcm_forces_avx2", "%ymm", 0, 0, false},
                                     {"<pcm_forces_avx512", "%zmm", 0, 0, false}};
    FILE      *listing = setenv("PCM_PACKING_OF", plugin, 1) == 0
                             ? popen("objdump -d --no-show-raw-insn \"$PCM_PACKING_OF\" 2>/dev/null", "r")
                             : NULL;
    if (!listing)
        return false;
    count(listing, sets);
    (void)pclose(listing);
    bool all = true;
    for (size_t i = 0; i < PACKING_SETS; i++) {
        found->packed[i] = sets[i].packed >= LEAST || (sets[i].packed > 0 && sets[i].packed >= sets[i].scalar);
        all = all && sets[i].found;
    }
    return all;
}
