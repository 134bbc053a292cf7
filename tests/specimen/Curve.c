/* SPDX-License-Identifier: MIT */
/* A law for tests of configurations: units with exponents that are parameters, and lists that belong together. */
#include <pcm/plugin.h>

typedef struct {
    double   exponent, stiffness, damping, moment;
    int64_t  count;
    pcm_list depth, force;
} Law;

static int prepare(const pcm_setup *setup, void *params)
{
    const Law *law = params;
    if (law->depth.count != law->force.count) {
        setup->report(setup, "Force", "not as many as Depth");
        return 1;
    }
    return 0;
}

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i)
        b->force_n[i] = law.stiffness * pcm_pow(pcm_ramp(b->depth[i]), law.exponent);
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m^Exponent", 1e6, "follows the exponent", .min = 0),
    PCM_REAL(Law, damping, "Damping", "N*s/m/m^Exponent", 0, "so does this", .min = 0, .max = 1e9),
    PCM_REAL(Law, exponent, "Exponent", "1", 1.5, "the exponent", .min = 0),
    PCM_INTEGER(Law, count, "Count", 2, "a whole exponent", .min = 1),
    PCM_REAL(Law, moment, "Moment", "N*m^Count", 0, "follows the whole one"),
    PCM_LIST(Law, depth, "Depth", "m", "a list", .min = 0),
    PCM_LIST(Law, force, "Force", "N", "a list that belongs to it"),
};

PCM_KERNELS(update);
PCM_MODEL(Curve, "A law for tests of units and lists", .params = PCM_TABLE(params), .inputs = PCM_DEPTH,
          .prepare = prepare);
