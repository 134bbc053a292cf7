/* SPDX-License-Identifier: MIT */
/* AgeingRock.c - a part: friction of rock that grows with the age of its contacts and with the logarithm of the slip.
 */
#include <pcm/plugin.h>

typedef struct Law {
    double friction, direct, ageing, way, reference;
} Law;

/* asinh(x) for x >= 0; its series where the logarithm would cancel. */
PCM_INLINE double arsinh(double x)
{
    const double small = x * (1 - x * x / 6), large = pcm_log(x + pcm_sqrt(x * x + 1));
    return x < 1e-4 ? small : large;
}

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    double   *next = b->next[0], *rate = b->rate[0];
    PCM_EACH(b, i) {
        const double age = b->state[0][i], speed = pcm_length(b->slip_x[i], b->slip_y[i]);
        const double grown = law.ageing * pcm_log(1 + law.reference * age / law.way);
        const double raised = pcm_exp(pcm_min((law.friction + grown) / law.direct, 100));
        const double mu = law.direct * arsinh(0.5 * speed / law.reference * raised);
        const double pull = mu * pcm_ramp(b->load_n[i]) / pcm_max(speed, 1e-200);
        const double worn = speed * b->dt / law.way, left = pcm_exp(-worn);
        const double anew = worn < 1e-8 ? b->dt : (1 - left) * law.way / pcm_max(speed, 1e-200);
        b->force_x[i] = -pull * b->slip_x[i];
        b->force_y[i] = -pull * b->slip_y[i];
        next[i] = age * left + anew;
        rate[i] = 1 - speed * next[i] / law.way;
    }
}

static void establish(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i)
        b->next[0][i] = law.way / law.reference;
}

static const pcm_param params[] = {
    PCM_REAL(Law, friction, "Friction", "1", 0.6, "at the reference speed", PCM_ABOVE(0), .max = 1),
    PCM_REAL(Law, direct, "DirectEffect", "1", 0.02, "growth by a factor e of the slip", .min = 0.01, .max = 0.1),
    PCM_REAL(Law, ageing, "Ageing", "1", 0.02, "growth by a factor e of the age", .min = 0, .max = 0.1),
    PCM_REAL(Law, way, "RenewalWay", "m", 1e-5, "of slip, after which contacts are new", PCM_ABOVE(0)),
    PCM_REAL(Law, reference, "ReferenceSpeed", "m/s", 1e-6, "of the slip", PCM_ABOVE(0)),
};

static const pcm_state states[] = {
    {.name = "age",
     .unit = "s",
     .doc = "of the contacts",
     .nominal = 10,
     .role = PCM_CONTINUOUS,
     .flags = PCM_STEPS,
     .swap = 1},
};

PCM_KERNELS(update, establish);
PCM_MODEL(AgeingRock, "Friction that ages", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .inputs = PCM_SLIP | PCM_LOAD, .outputs = PCM_FRICTION, .flags = PCM_ISOTROPIC);
