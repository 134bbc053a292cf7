/* SPDX-License-Identifier: MIT */
/* ParallelBond.c - a disc of cement between two bodies, which stretches, shears, bends and twists until it breaks. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, shear_stiffness, radius, strength, shear_strength, bending, twisting, gap;
    double area, inertia, polar; /* of the disc: m^2, m^4, m^4 */
} Law;

enum { X, Y, BEND_X, BEND_Y, TWIST, ANCHOR, BONDED };
enum { TENSION, SHEAR };

/* Contacts that exist from the beginning are bonded; later ones are not. */
static void establish(const pcm_batch *b)
{
    double *next_anchor = b->next[ANCHOR], *next_bonded = b->next[BONDED];
    PCM_EACH(b, i) {
        next_anchor[i] = b->depth[i];
        next_bonded[i] = b->fresh[i];
    }
}

/* The greatest tension and shear on the disc's rim, from the forces and moments of its springs. */
typedef struct {
    double tension, shear;
} Stress;

PCM_INLINE Stress stress_of(const Law *law, double fn, double ft, double bend, double twist)
{
    const double bent = bend * (law->bending * law->radius) / law->inertia;
    const double twisted = twist * (law->twisting * law->radius) / law->polar;
    return (Stress){bent - fn / law->area, ft / law->area + twisted};
}

static void update(const pcm_batch *b)
{
    const Law      law = *(const Law *)b->params;
    double *const *next = b->next;
    double        *next_x = next[X], *next_y = next[Y], *next_bx = next[BEND_X], *next_by = next[BEND_Y];
    double        *next_twist = next[TWIST], *next_anchor = next[ANCHOR], *next_bonded = next[BONDED];
    const double   kn = law.stiffness, ks = law.shear_stiffness, per_dt = b->dt > 0 ? 1 / b->dt : 0;
    PCM_EACH(b, i) {
        const double x = b->state[X][i] + b->dt * b->slip_x[i], y = b->state[Y][i] + b->dt * b->slip_y[i];
        const double z = b->depth[i] - b->state[ANCHOR][i];
        const double u = b->state[BEND_X][i] + b->dt * b->spin_x[i], v = b->state[BEND_Y][i] + b->dt * b->spin_y[i];
        const double w = b->state[TWIST][i] + b->dt * b->spin_n[i];
        const double fn = kn * law.area * z, ft = ks * law.area * pcm_length(x, y);
        const double bend = kn * law.inertia * pcm_length(u, v), turn = ks * law.polar * pcm_abs(w);
        const Stress most = stress_of(&law, fn, ft, bend, turn);
        const double room = pcm_min(law.strength - most.tension, law.shear_strength - most.shear);
        const double whole = room < 0 ? 0 : b->state[BONDED][i],
                     left = pcm_choose(b->dt > 0, whole, b->state[BONDED][i]);
        b->force_n[i] = whole * fn;
        b->force_x[i] = -whole * ks * law.area * x;
        b->force_y[i] = -whole * ks * law.area * y;
        b->moment_x[i] = -whole * kn * law.inertia * u;
        b->moment_y[i] = -whole * kn * law.inertia * v;
        b->moment_n[i] = -whole * ks * law.polar * w;
        b->onset[i] = b->state[BONDED][i] > 0 ? law.gap : 0;
        const int64_t ends = b->depth[i] < 0 ? PCM_BROKEN : PCM_LIVE, life = whole > 0 ? PCM_LIVE : ends;
        b->life[i] = life;
        next_x[i] = x;
        next_y[i] = y;
        next_bx[i] = u;
        next_by[i] = v;
        next_twist[i] = w;
        next_anchor[i] = b->state[ANCHOR][i];
        next_bonded[i] = left;
        if (b->reports) {
            const double stretched = kn * law.area * z * z + ks * law.area * (x * x + y * y);
            const double turned = kn * law.inertia * (u * u + v * v) + ks * law.polar * w * w;
            const double stored = stretched + turned, held = b->state[BONDED][i];
            const double snaps = life == PCM_LIVE ? held - left : 0; /* a contact that ends still stores it */
            b->energy[i] = 0.5 * (held - snaps) * stored;
            b->dissipation[i] = snaps > 0 ? 0.5 * snaps * stored * per_dt : 0;
            b->event[TENSION][i] = law.strength - most.tension;
            b->event[SHEAR][i] = law.shear_strength - most.shear;
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law         *law = params;
    const double square = law->radius * law->radius;
    (void)setup;
    law->area = 3.141592653589793 * square;
    law->inertia = 0.25 * law->area * square;
    law->polar = 2 * law->inertia;
    return 0;
}

PCM_DERIVED(Law, tensile_force, law->strength * law->area);
PCM_DERIVED(Law, shear_force, law->shear_strength * law->area);
PCM_DERIVED(Law, bending_moment, law->strength * law->inertia / (law->bending * law->radius));
PCM_DERIVED(Law, twisting_moment, law->shear_strength * law->polar / (law->twisting * law->radius));

static double onset(const void *params) { return ((const Law *)params)->gap; }

/* Adds twice the stretch at which a pull breaks the disc, so that the step in which it breaks is still evaluated. */
static double reach(const void *params)
{
    const Law *law = params;
    return law->gap + 2 * law->strength / law->stiffness;
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "NormalStiffness", "N/m^3", 1e12, "kn: tension per metre of stretch", PCM_ABOVE(0)),
    PCM_REAL(Law, shear_stiffness, "ShearStiffness", "N/m^3", 4e11, "ks: shear per metre of slip", .min = 0),
    PCM_REAL(Law, radius, "BondRadius", "m", 1e-3, "of the disc; usually that of the smaller body", PCM_ABOVE(0)),
    PCM_REAL(Law, strength, "TensileStrength", "Pa", 1e7, "above it the disc tears", PCM_ABOVE(0)),
    PCM_REAL(Law, shear_strength, "ShearStrength", "Pa", 1e7, "above it the disc is sheared off", PCM_ABOVE(0)),
    PCM_REAL(Law, bending, "BendingContribution", "1", 1, "of bending to the tension on the rim", .min = 0, .max = 1),
    PCM_REAL(Law, twisting, "TwistingContribution", "1", 1, "of twisting to the shear on the rim", .min = 0, .max = 1),
    PCM_REAL(Law, gap, "BondGap", "m", 1e-4, "bodies up to that far apart are bonded at the beginning", .min = 0),
};

static const pcm_state states[] = {
    {"shear", "m", "slip since the bond was made", 1e-6, PCM_TANGENT, PCM_HISTORY, 0, -1},
    {"bend", "rad", "bending since then", 1e-3, PCM_TANGENT, PCM_HISTORY, 0, -1},
    {"twist", "rad", "twisting since then", 1e-3, PCM_SCALAR, PCM_HISTORY, 0, 1},
    {"anchor", "m", "depth at which it was made", 1e-6, PCM_SCALAR, PCM_HISTORY, 0, 1},
    {"bonded", "1", "1 while it holds", 1, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {
    {.name = "tear", .doc = "tension reaches its limit", .direction = -1},
    {.name = "shear-off", .doc = "shear reaches its limit", .direction = -1},
};

static const pcm_derived derived[] = {
    {"tensile_force", "N", "pull alone that breaks it", tensile_force},
    {"shear_force", "N", "force along the disc alone that breaks it", shear_force},
    {"bending_moment", "N*m", "moment about an axis in the disc alone that breaks it", bending_moment},
    {"twisting_moment", "N*m", "moment about n alone that breaks it", twisting_moment},
};

PCM_KERNELS(update, establish);
PCM_MODEL(
    ParallelBond, "Disc of cement that stretches, shears, bends, twists and breaks", .params = PCM_TABLE(params),
    .source = "Potyondy and Cundall, Int. J. Rock Mechanics and Mining Sciences 41 (2004)",
    .equations =
        "fn = kn A z,  ft = -ks A u       z, u way since the bond was made; A = pi r^2\n"
        "m  = -kn I q about x and y,  -ks J q about n       q angles since then; I = pi r^4/4, J = 2 I\n"
        "It breaks where  b |m| r/I - fn/A > TensileStrength  or  |ft|/A + t |mn| r/J > ShearStrength, b and t\n"
        "Bending- and TwistingContribution: 1 in the paper, less in later versions of PFC, which take one for both.\n"
        "Bonds are made where bodies are as new and at most BondGap apart, and never again. Its springs act\n"
        "in addition to those of grains: Hertz + Mindlin + ParallelBond. The energy stored when it breaks is\n"
        "lost. The paper adds up increments of force; here they follow from the whole way, which does not drift.\n"
        "Holds for cement that is short against its radius and breaks at once.\n",
    .states = PCM_TABLE(states), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
    .inputs = PCM_DEPTH | PCM_SLIP | PCM_SPIN | PCM_FRESH,
    .outputs = PCM_FRICTION | PCM_MOMENT | PCM_ENERGY | PCM_DISSIPATION | PCM_LIFE | PCM_ONSET,
    .flags = PCM_ISOTROPIC | PCM_PULLS | PCM_JUMPS | PCM_FRAME_SHARED, .prepare = prepare, .onset = onset,
    .reach = reach);
