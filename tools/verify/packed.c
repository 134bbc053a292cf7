/* SPDX-License-Identifier: MIT */
#include "packed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packing.h"

/* Gcc and clang tell, with an option each, which loop they left alone and why. */
static void print_reason(const char *source)
{
    char line[512], last[512] = "";
    if (setenv("PCM_VERIFY_PATH", source, 1) != 0)
        return;
    FILE *said = popen("flags=$(pkg-config --cflags pcm-plugin) && "
                       "case $(${CC:-cc} --version) in *clang*) why=-Rpass-analysis=loop-vectorize;; *) "
                       "why=-fopt-info-vec-missed;; esac "
                       "&& LC_ALL=C ${CC:-cc} -shared -fPIC -O2 $flags $why \"$PCM_VERIFY_PATH\" -o /dev/null 2>&1 | "
                       "grep -E 'not vectorized:|loop not vectorized' | grep -F \"$(basename \"$PCM_VERIFY_PATH\")\"",
                       "r");
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
    packing found;
    bool    scalar = false;
    if (!packing_find(plugin, &found))
        return;
    (void)printf("  packed:");
    for (size_t i = 0; i < PACKING_SETS; i++) {
        scalar = scalar || !found.packed[i];
        (void)printf(" %s %s%s", packing_names[i], found.packed[i] ? "yes" : "no", i + 1 < PACKING_SETS ? "," : "\n");
    }
    if (scalar)
        (void)printf("  one contact at a time where it is not: selects in place of branches, reads before selects, and "
                     "the kit's functions pack\n");
    if (scalar && source->c_file[0])
        print_reason(source->c_file);
}
