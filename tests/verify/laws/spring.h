/* SPDX-License-Identifier: MIT */
/* spring.h - the correct rest of the broken laws: a spring of 1e5 N/m that only pushes. */
#ifndef PCM_TESTS_VERIFY_SPRING_H
#define PCM_TESTS_VERIFY_SPRING_H

#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, friction;
} Law;

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "force per metre of depth", .min = 1),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "coefficient of friction", .min = 0.1, .max = 2, .flags = PCM_CONE),
};

PCM_INLINE double spring(const pcm_batch *b, size_t i)
{
    return ((const Law *)b->params)->stiffness * pcm_ramp(b->depth[i]);
}

/* Tangential friction with two columns of state: a spring that slips at the friction limit. */
typedef struct Rub {
    double x, y, held; /* m: the slip at the end of the step; the part of it that friction holds */
} Rub;

/* Writes the contact's force; stiffness in N/m, step in s. */
PCM_INLINE Rub rub(const pcm_batch *b, size_t i, double stiffness, double step)
{
    const double x = b->state[0][i] + b->slip_x[i] * step, y = b->state[1][i] + b->slip_y[i] * step;
    const double pull = stiffness * pcm_length(x, y), limit = ((const Law *)b->params)->friction * spring(b, i);
    const double held = pull > limit ? limit / pull : 1;
    b->force_n[i] = spring(b, i);
    b->force_x[i] = -stiffness * held * x;
    b->force_y[i] = -stiffness * held * y;
    return (Rub){held * x, held * y, held};
}

/* A tangential state, the slip of the contact. */
#define WAY                                                                                                            \
    static const pcm_state states[] = {{.name = "way",                                                                 \
                                        .unit = "m",                                                                   \
                                        .doc = "way since the first touch",                                            \
                                        .nominal = 1e-3,                                                               \
                                        .shape = PCM_TANGENT,                                                          \
                                        .role = PCM_HISTORY,                                                           \
                                        .swap = -1}}

#define LAW(name_, ...)                                                                                                \
    PCM_KERNELS(update);                                                                                               \
    PCM_MODEL(name_, #name_, .params = PCM_TABLE(params), __VA_ARGS__)

#endif
