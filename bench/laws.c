/* SPDX-License-Identifier: MIT */
/* The laws alone, over columns too large for any cache, compared with the memory bandwidth of a triad over the same
 * bytes in the same run. */
#include "bench.h"
#include "baseline_scalar.h"
#include "columns.h"
#include "open_config.h"
#include "triad.h"

static void measure(const char *name, const char *text, size_t size)
{
    Columns *columns = columns_new(open_type(text), size, false);
    Triad    triad = triad_new((size_t)(columns->bytes * (double)size));
    bench_compare(&(bench_promise){.name = name,
                                   .size = size,
                                   .items = (double)size,
                                   .bytes = columns->bytes,
                                   .kind = BENCH_FASTER,
                                   .goal = size > 1000000 ? 0.85 : 0,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){columns_call, NULL, columns}, (bench_way){triad_run, NULL, &triad});
    triad_free(&triad);
    columns_free(columns);
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {1000, 100000, 10000000};
    bench_start(argc, argv, "");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        measure("law ViscoelasticGround against triad", "ContactType C = " VISCOELASTIC_TYPE ";", sizes[i]);
        measure("law CompliantGround against triad", "ContactType C = " COMPLIANT_TYPE ";", sizes[i]);
        measure("law SmoothSpringDamper against triad", "ContactType C = " SMOOTH_TYPE ";", sizes[i]);
    }
}
