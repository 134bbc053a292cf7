/* SPDX-License-Identifier: MIT */
/* The cost of a contact whose law reads more of its bodies than their motion: materials of both, the patch that the
 * contact belongs to, temperatures. Each is compared with the same contacts and the same law without that input. */
#include "bench.h"
#include "baseline_scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATERIALS = 20 };

typedef struct Case {
    const char *name, *with, *without; /* texts of .pcm files */
    bool        materials;             /* `with` also gets a Material for each surface */
} Case;

static const Case cases[] = {
    {"update, twenty materials over one",
     "ContactType C = Hertz { ReducedRadius = 0.01; }; SurfacePair \"*\" * \"*\" -> C;\n",
     "ContactType C = Hertz { ReducedRadius = 0.01; ReducedModulus = 1e9; }; SurfacePair \"*\" * \"*\" -> C;\n", true},
    {"update, Patch = Shared over Points",
     "ContactType P = " COMPLIANT_TYPE "; ContactType C = P { Patch = Shared; }; DefaultPair -> C;",
     "ContactType C = " COMPLIANT_TYPE "; DefaultPair -> C;", false},
    {"update, heat of the contact over none",
     "ContactType C = ViscoelasticGround + ContactHeat { GroundStiffness = 1e4; GroundDamping = 10; Friction = 0.8; "
     "TanhRate = 50; }; DefaultPair -> C;",
     "ContactType C = " VISCOELASTIC_TYPE "; DefaultPair -> C;", false},
};

/* The text, followed by materials of the surfaces S0, S1, ... */
static char *with_materials(const char *text)
{
    const size_t each = 96, size = strlen(text) + each * MATERIALS + 1;
    char        *all = bench_allocate(size), *end = all + snprintf(all, size, "%s", text);
    for (int i = 0; i < MATERIALS; i++)
        end += snprintf(end, each, "Material S%d { YoungModulus = %g [GPa]; PoissonRatio = 0.3; };\n", i, 1 + 0.1 * i);
    return all;
}

static void measure(const Case *test, size_t size)
{
    char  *text = with_materials(test->materials ? test->with : "");
    Scene *with = scene_new(test->materials ? text : test->with, size, MATERIALS, NULL);
    Scene *without = scene_new(test->without, size, MATERIALS, NULL);
    bench_compare(&(bench_promise){.name = test->name,
                                   .size = size,
                                   .items = (double)size,
                                   .kind = BENCH_COST,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){scene_update, scene_touch, with}, (bench_way){scene_update, scene_touch, without});
    scene_free(without);
    scene_free(with);
    free(text);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        measure(&cases[i], 1000);
        measure(&cases[i], 100000);
    }
}
