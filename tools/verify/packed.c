/* SPDX-License-Identifier: MIT */
#include "packed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 3, LEAST = 3 /* a packed loop has more packed instructions than that; a scalar one may have one */ };

typedef struct packed_set {
    const char *function, *registers, *name;
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
            for (size_t i = 0; i < SETS; i++)
                if (strstr(line, sets[i].function))
                    at = &sets[i];
            if (at)
                at->found = true;
        } else if (at) {
            at->instructions += is_packed(line, at->registers);
        }
    }
}

/* Runs a command for the shell on one path, which it gets as $1. */
static FILE *open_command(const char *script, const char *path)
{
    return setenv("PCM_VERIFY_PATH", path, 1) == 0 ? popen(script, "r") : NULL;
}

/* Gcc and clang tell, with an option each, which loop they left alone and why. */
static void print_reason(const char *source)
{
    char  line[512], last[512] = "";
    FILE *said =
        open_command("flags=$(pkg-config --cflags pcm-plugin) && "
                     "case $(${CC:-cc} --version) in *clang*) why=-Rpass-analysis=loop-vectorize;; *) "
                     "why=-fopt-info-vec-missed;; esac "
                     "&& LC_ALL=C ${CC:-cc} -shared -fPIC -O2 $flags $why \"$PCM_VERIFY_PATH\" -o /dev/null 2>&1 | "
                     "grep -E 'not vectorized:|loop not vectorized' | grep -F \"$(basename \"$PCM_VERIFY_PATH\")\"",
                     source);
    for (int shown = 0; said && fgets(line, sizeof line, said);)
        if (strcmp(line, last) != 0 && shown++ < 3) {
            (void)printf("    %s", line);
            memcpy(last, line, sizeof last);
        }
    if (said)
        (void)pclose(said);
}

void packed_print(const law_source *source, const char *plugin)
{
    packed_set sets[SETS] = {{"<pcm_forces_plain", "%xmm", "plain", 0, false},
                             {"<pcm_forces_avx2", "%ymm", "AVX2", 0, false},
                             {"<pcm_forces_avx512", "%zmm", "AVX-512", 0, false}};
    FILE      *listing = open_command("objdump -d --no-show-raw-insn \"$PCM_VERIFY_PATH\" 2>/dev/null", plugin);
    bool       scalar = false;
    if (!listing)
        return;
    count(listing, sets);
    (void)pclose(listing);
    for (size_t i = 0; i < SETS; i++) {
        if (!sets[i].found)
            return;
        scalar = scalar || sets[i].instructions < LEAST;
    }
    (void)printf("  packed:");
    for (size_t i = 0; i < SETS; i++)
        (void)printf(" %s %s%s", sets[i].name, sets[i].instructions < LEAST ? "no" : "yes", i + 1 < SETS ? "," : "\n");
    if (scalar)
        (void)printf("  one contact at a time where it is not: selects in place of branches, reads before selects, and "
                     "the kit's functions pack\n");
    if (scalar && source->c_file[0])
        print_reason(source->c_file);
}
