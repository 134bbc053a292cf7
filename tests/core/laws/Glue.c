/* SPDX-License-Identifier: MIT */
/* A parallel bond: an elastic joint between two grains that are close to each other at the beginning. It breaks where
 * its tension or shear exceeds its strength and never forms again; then a spring remains that only pushes. */
#include <pcm/plugin.h>

typedef struct {
    double normal, shear, area, tension, slide, push, gap;
} Law;

enum { HOLDS, REST, SHIFT_X, SHIFT_Y };

static void update(const pcm_batch *b)
{
    const Law     law = *(const Law *)b->params;
    const double *holds = b->state[HOLDS], *rest = b->state[REST], *x = b->state[SHIFT_X], *y = b->state[SHIFT_Y];
    double       *next_holds = b->next[HOLDS], *next_rest = b->next[REST];
    double       *next_x = b->next[SHIFT_X], *next_y = b->next[SHIFT_Y];
    PCM_EACH(b, i) {
        const double stress = law.normal * (b->depth[i] - rest[i]);
        const double to_x = x[i] + b->dt * b->slip_x[i], to_y = y[i] + b->dt * b->slip_y[i];
        const double shear = law.shear * pcm_sqrt(to_x * to_x + to_y * to_y);
        const double whole = -stress > law.tension ? 0 : shear > law.slide ? 0 : holds[i];
        const double bond = whole * law.area;
        b->force_n[i] = bond * stress + (1 - whole) * law.push * pcm_max(b->depth[i], 0);
        b->force_x[i] = -bond * law.shear * to_x;
        b->force_y[i] = -bond * law.shear * to_y;
        next_holds[i] = whole;
        next_rest[i] = rest[i];
        next_x[i] = to_x;
        next_y[i] = to_y;
        b->onset[i] = holds[i] * law.gap;
        b->life[i] = whole > 0 ? PCM_LIVE : b->depth[i] < 0 ? PCM_BROKEN : PCM_LIVE;
    }
}

static void establish(const pcm_batch *b)
{
    double *holds = b->next[HOLDS], *rest = b->next[REST];
    PCM_EACH(b, i) {
        holds[i] = b->fresh[i];
        rest[i] = b->depth[i];
    }
}

static double onset(const void *params) { return ((const Law *)params)->gap; }

/* A bond breaks itself when it reaches its strength. */
static double reach(const void *params)
{
    const Law *law = params;
    return law->gap + 2 * law->tension / law->normal;
}

static const pcm_param params[] = {
    PCM_REAL(Law, normal, "NormalStiffness", "Pa/m", 1e10, "stress per metre of stretch", .min = 0,
             .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, shear, "ShearStiffness", "Pa/m", 4e9, "stress per metre of shift", .min = 0),
    PCM_REAL(Law, area, "Area", "m^2", 1e-6, "of the joint", .min = 0),
    PCM_REAL(Law, tension, "TensileStrength", "Pa", 1e6, "stress at which it breaks", .min = 0),
    PCM_REAL(Law, slide, "ShearStrength", "Pa", 2e6, "stress at which it breaks", .min = 0),
    PCM_REAL(Law, push, "Stiffness", "N/m", 5e3, "of the grains without the bond", .min = 0),
    PCM_REAL(Law, gap, "Gap", "m", 1e-4, "the largest that a bond bridges", .min = 0),
};

static const pcm_state states[] = {
    {.name = "holds", .unit = "1", .doc = "1 until it breaks", .nominal = 1, .swap = 1},
    {.name = "rest", .unit = "m", .doc = "depth at which it was made", .nominal = 1e-4, .swap = 1},
    {.name = "shift", .unit = "m", .doc = "in the tangent plane", .nominal = 1e-4, .shape = PCM_TANGENT, .swap = -1},
};

PCM_KERNELS(update, establish);
PCM_MODEL(Glue, "Bond that is there from the beginning or never", .params = PCM_TABLE(params),
          .states = PCM_TABLE(states), .inputs = PCM_DEPTH | PCM_SLIP | PCM_FRESH,
          .outputs = PCM_FRICTION | PCM_LIFE | PCM_ONSET, .flags = PCM_PULLS, .reach = reach, .onset = onset);
