/* SPDX-License-Identifier: MIT */
/* A law for tests of configurations: a parameter of every kind, and a prepare that can reject its values. */
#include "law.h"

static int prepare(const pcm_setup *setup, void *params)
{
    const Law *law = params;
    if (law->b > law->k) {
        setup->report(setup, "B", "more than K");
        return 1;
    }
    return law->count == 13;
}

/* Unreasonable if Hertz is not positive. */
static double reach(const void *params)
{
    const Law *law = params;
    return law->fraction > 0 ? law->limit : -1;
}

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i)
        b->force_n[i] = pcm_max(law.k * b->depth[i], 0);
}

static const char *const methods[] = {"Plain", "Fancy", "Extravagant", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, k, "K", "N/m", 1000, "stiffness", .min = 0, .flags = PCM_REQUIRED),
    PCM_REAL(Law, b, "B", "N*s/m", 10, "damping", .min = 0),
    PCM_REAL(Law, angle, "Angle", "rad", 0.5, "an angle", .min = 0, .max = 1.5, .flags = PCM_OPEN_MIN | PCM_OPEN_MAX),
    PCM_REAL(Law, mu, "Friction", "1", 0.5, "a number without unit", .max = 2),
    PCM_REAL(Law, fraction, "Hertz", "N/m^1.5", 1e8, "a unit with a half"),
    PCM_INTEGER(Law, count, "Count", 3, "a whole number", .min = 1, .max = 100),
    PCM_SWITCH(Law, smooth, "Smooth", 1, "a switch"),
    PCM_CHOICE(Law, method, "Method", methods, 0, "a choice"),
    PCM_TEXT(Law, label, "Label", "none", "a text"),
    PCM_LIST(Law, table, "Table", "m", "a list", .min = 0),
    PCM_REAL(Law, limit, "Limit", "m", 0.25, "reach, which only Fancy has", .min = 0, .when = "Method=Fancy"),
    PCM_REAL(Law, grip, "Grip", "1", 1, "the coefficient of a cone", .min = 0, .flags = PCM_CONE),
};

static const pcm_state states[] = {
    {.name = "creep", .unit = "m", .doc = "a vector", .nominal = 1e-3, .shape = PCM_TANGENT, .swap = -1},
    {.name = "wear", .unit = "m", .doc = "a number", .nominal = 1e-6, .shape = PCM_SCALAR, .swap = 1},
};

PCM_KERNELS(update);
PCM_MODEL(Specimen, "A law for tests of configurations", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .inputs = PCM_DEPTH, .prepare = prepare, .reach = reach);
