/* SPDX-License-Identifier: MIT */
/* How the cost of a contact grows with the number of contacts, of contact types, and of objects at an equal number of
 * contacts. */
#include "bench.h"
#include "baseline_scalar.h"

#include <stdio.h>
#include <stdlib.h>

/* A contact type for every pair of surfaces. */
static char *write_types(uint32_t n_surfaces)
{
    char *text = bench_allocate((size_t)n_surfaces * n_surfaces * 256 + 256), *end = text;
    for (uint32_t i = 0; i < n_surfaces; i++)
        for (uint32_t j = 0; j <= i; j++)
            end += sprintf(end, "ContactType C%u_%u = %s; SurfacePair S%u * S%u -> C%u_%u;\n", i, j, VISCOELASTIC_TYPE,
                           i, j, i, j);
    return text;
}

static void measure(const char *name, size_t n_contacts, size_t per_body, uint32_t n_surfaces)
{
    char  *text = write_types(n_surfaces);
    Scene *scene = scene_new_dense(text, n_contacts, per_body, n_surfaces, NULL);
    bench_compare(&(bench_promise){.name = name,
                                   .size = n_contacts,
                                   .items = (double)n_contacts,
                                   .kind = BENCH_NANOSECONDS,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){scene_update, scene_touch, scene}, (bench_way){0});
    scene_free(scene);
    free(text);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    for (size_t size = 100; size <= 1000000; size *= 10)
        measure("update, 1 contact type", size, 3, 1);
    measure("update, 10 contact types", 100000, 3, 4);
    measure("update, 105 contact types", 100000, 3, 14);
    measure("update, 990 contact types", 100000, 3, 44);
    measure("update, 100,000 objects", 100000, 1, 1);
    measure("update, 33,000 objects", 100000, 3, 1);
    measure("update, 8,000 objects", 100000, 12, 1);
}
