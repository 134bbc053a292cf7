/* SPDX-License-Identifier: MIT */
/* usage: count LAW
 *
 * Ten updates of three thousand contacts with the kernels that run on any processor. Callgrind collects only inside
 * scene_update, so the instruction count is the same in every run. */
#include "bench.h"
#include "baseline_scalar.h"

#include <string.h>

static const struct {
    const char *law, *text;
} laws[] = {
    {"ViscoelasticGround", "ContactType C = " VISCOELASTIC_TYPE "; DefaultPair -> C;"},
    {"CompliantGround", "ContactType C = " COMPLIANT_TYPE "; DefaultPair -> C;"},
    {"SmoothSpringDamper", "ContactType C = " SMOOTH_TYPE "; DefaultPair -> C;"},
};

int main(int argc, char **argv)
{
    pcm_world_def def = pcm_world_defaults();
    def.isa = PCM_ISA_PLAIN;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        if (argc == 2 && !strcmp(argv[1], laws[i].law)) {
            Scene *scene = scene_new(laws[i].text, 3000, 1, &def);
            for (int k = 0; k < 8; k++) { /* including the two that made the scene */
                scene_touch(scene);
                scene_update(scene);
            }
            scene_free(scene);
            return 0;
        }
    bench_fail("name one of the laws");
}
