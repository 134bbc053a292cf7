/* SPDX-License-Identifier: MIT */
/* ArchardWear.c - the volume that sliding wears off both bodies: a part behind a normal law. */
#include <pcm/plugin.h>

typedef struct {
    double coefficient, base, follower;
} Law;

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double off_base = law.coefficient / law.base, off_follower = law.coefficient / law.follower;
    PCM_EACH(b, i) {
        const double pull = pcm_length(b->load_x[i], b->load_y[i]), lost = b->loss_friction[i];
        const double slip = pull > PCM_TINY ? lost / pcm_max(pull, PCM_TINY) : 0;
        const double rubbed = pcm_ramp(b->load_n[i]) * slip;
        b->base_flow[0][i] = off_base * rubbed;
        b->follower_flow[0][i] = off_follower * rubbed;
    }
}

PCM_DERIVED(Law, wear_per_way, law->coefficient / law->follower * load->force);

static const pcm_param params[] = {
    PCM_REAL(Law, coefficient, "WearCoefficient", "1", 1e-4, "K: 1e-2 severe, 1e-4 unlubricated, 1e-7 lubricated",
             .min = 0),
    PCM_REAL(Law, base, "BaseHardness", "Pa", 2e9, "H of the base", PCM_ABOVE(0)),
    PCM_REAL(Law, follower, "FollowerHardness", "Pa", 2e9, "H of the follower", PCM_ABOVE(0)),
};

static const pcm_amount amounts[] = {
    {.name = "worn", .unit = "m^3", .doc = "volume that is worn off the object", .flow_unit = "m^3/s", .capacity = 1},
};

static const pcm_derived derived[] = {
    {"wear_per_way", "m^2", "volume off the follower per metre of sliding under the load: K F/H", wear_per_way},
};

PCM_KERNELS(update);
PCM_MODEL(
    ArchardWear, "Wear by sliding", .flags = PCM_ISOTROPIC, .source = "Archard, J. Applied Physics 24 (1953) 981",
    .equations =
        "V' = K N v/H off each body, with its own H            N load of earlier parts\n"
        "v = qf/|ft| is the speed at which friction slips: qf is what friction of earlier parts dissipates while\n"
        "it slips, ft its force. What sticks, or only stretches a spring, wears nothing.\n"
        "The volume is an amount of the object, `worn`; its shape stays as it is. Archard's law is of the\n"
        "softer body: with one hardness much above the other only the softer one wears.\n"
        "Holds for steady, mild wear: not for running in, seizure, or pressures near the hardness.\n",
    .params = PCM_TABLE(params), .amounts = PCM_TABLE(amounts), .derived = PCM_TABLE(derived),
    .inputs = PCM_LOAD | PCM_LOSS);
