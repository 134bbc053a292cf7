/* SPDX-License-Identifier: MIT */
/* FrictionHeat.c - the heat of friction, which warms both bodies: a part behind a normal law. */
#include <pcm/plugin.h>

typedef struct {
    double friction, share;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double speed = pcm_length(b->slip_x[i], b->slip_y[i]);
        const double heat = law.friction * pcm_ramp(b->load_n[i]) * speed;
        b->base_flow[0][i] = law.share * heat;
        b->follower_flow[0][i] = heat - law.share * heat;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, friction, "SlidingFriction", "1", 0.3, "mu: coefficient of the friction that makes the heat",
             .min = 0, .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, share, "BaseShare", "1", 0.5, "of the heat: e1/(e1 + e2) with effusivities e = sqrt(k rho c)",
             .min = 0, .max = 1),
};

static const pcm_amount amounts[] = {
    {.name = "temperature", .unit = "K", .doc = "of the object", .flow_unit = "W", .initial = 293.15},
};

PCM_KERNELS(update);
PCM_MODEL(FrictionHeat, "Heat of friction, shared between the bodies", .flags = PCM_ISOTROPIC,
          .source = "Blok, Institution of Mechanical Engineers 2 (1937) 222; shares by effusivity, Vernotte (1956)",
          .equations =
              "q = mu N |v|,  BaseShare q into the base and the rest into the follower   v slip, N load\n"
              "An object's temperature rises by q over its capacity, in J/K, which the simulator sets; without\n"
              "one it stays. mu is that of the part that rubs: friction that is still below its full value\n"
              "makes less heat than this.\n",
          .params = PCM_TABLE(params), .amounts = PCM_TABLE(amounts), .inputs = PCM_SLIP | PCM_LOAD);
