/* SPDX-License-Identifier: MIT */
/* ContactHeat.c - what a contact loses warms both bodies: a part behind the laws that lose it. */
#include <pcm/plugin.h>

typedef struct {
    double base, friction, damping;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double heat = law.friction * b->loss_friction[i] + law.damping * b->loss_damping[i];
        b->base_flow[0][i] = law.base * heat;
        b->follower_flow[0][i] = heat - law.base * heat;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, base, "BaseShare", "1", 0.5, "of the heat: e1/(e1 + e2) with effusivities e = sqrt(k rho c)",
             .min = 0, .max = 1),
    PCM_REAL(Law, friction, "FrictionShare", "1", 1, "of the loss by friction that slips: what warms the bodies",
             .min = 0, .max = 1),
    PCM_REAL(Law, damping, "DampingShare", "1", 1, "of all other loss: what warms the bodies", .min = 0, .max = 1),
};

static const pcm_amount amounts[] = {
    {.name = "temperature", .unit = "K", .doc = "of the object", .flow_unit = "W", .initial = 293.15},
};

PCM_KERNELS(update);
PCM_MODEL(ContactHeat, "Heat of what a contact loses, shared between the bodies", .flags = PCM_ISOTROPIC,
          .source = "Blok, Institution of Mechanical Engineers 2 (1937) 222; shares by effusivity, Vernotte (1956)",
          .equations =
              "q = FrictionShare qf + DampingShare qd,  BaseShare q into the base and the rest into the follower\n"
              "qf is what friction of earlier parts dissipates while it slips, qd all else that they dissipate:\n"
              "dampers, also those of friction that sticks, plastic depth, snaps, rolling. With both shares 1 the\n"
              "bodies get all that the contact loses; with DampingShare = 0 only the heat of friction. The rest goes\n"
              "elsewhere, as into sound. An object's temperature rises by q over its capacity, in J/K, which the\n"
              "simulator sets; without one it stays.\n"
              "Holds for bodies small enough to have one temperature each.\n",
          .params = PCM_TABLE(params), .amounts = PCM_TABLE(amounts), .inputs = PCM_LOSS);
