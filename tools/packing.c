/* SPDX-License-Identifier: MIT */
#include "packing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 3 /* a packed loop has more packed instructions than that; a scalar one may have one */ };

const char *const packing_names[PACKING_SETS] = {"plain", "AVX2", "AVX-512"};

typedef struct packed_set {
    const char *function, *registers;
    size_t      instructions;
    bool        found;
} packed_set;

/* Whether a line of a disassembly is arithmetic on several numbers, in registers of that width. */
static bool is_packed(const char *line, const char *registers)
{
    static const char *const names[] = {"addpd", "subpd", "mulpd", "divpd", "sqrtpd", "maxpd", "minpd"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(line, names[i]))
            return strstr(line, registers);
    return false;
}

/* Counts in what objdump prints: "ADDRESS <FUNCTION>:", then that function's instructions. */
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
            at->instructions += is_packed(line, at->registers);
        }
    }
}

bool packing_find(const char *plugin, packing *found)
{
    packed_set sets[PACKING_SETS] = {{"<pcm_forces_plain", "%xmm", 0, false},
                                     {"<pcm_forces_avx2", "%ymm", 0, false},
                                     {"<pcm_forces_avx512", "%zmm", 0, false}};
    FILE      *listing = setenv("PCM_PACKING_OF", plugin, 1) == 0
                             ? popen("objdump -d --no-show-raw-insn \"$PCM_PACKING_OF\" 2>/dev/null", "r")
                             : NULL;
    if (!listing)
        return false;
    count(listing, sets);
    (void)pclose(listing);
    bool all = true;
    for (size_t i = 0; i < PACKING_SETS; i++) {
        found->packed[i] = sets[i].instructions >= LEAST;
        all = all && sets[i].found;
    }
    return all;
}
