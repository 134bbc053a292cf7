/* SPDX-License-Identifier: MIT */
/* BekkerWong.c - soft soil under wheels, tracks and feet: Bekker's sinkage, Wong's unloading, Janosi's shear. */
#include <pcm/plugin.h>

typedef struct {
    double cohesive, frictional, exponent, width, unloading, growth, cohesion, angle, length;
    double modulus, per_pressure, steepest; /* k, tan phi, and the larger of n and 1 */
} Law;

enum { SINKAGE, SHEAR_X, SHEAR_Y, STRENGTH };
enum { BEAR, UNLOAD, SLIDE };

/* m: smaller than any length. */
static const double least = 1e-30;

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_length = 1 / law.length;
    double      *next_sinkage = b->next[SINKAGE], *next_strength = b->next[STRENGTH];
    double      *next_shear_x = b->next[SHEAR_X], *next_shear_y = b->next[SHEAR_Y];
    PCM_EACH(b, i) {
        const double area = b->area[i], d = pcm_ramp(b->depth[i]), vx = b->slip_x[i], vy = b->slip_y[i];
        const double deepest = pcm_max(b->state[SINKAGE][i], d), most = law.modulus * pcm_pow(deepest, law.exponent);
        const double secant = most / pcm_max(deepest, least), back = law.unloading + law.growth * deepest;
        const double stiffness = pcm_max(back, law.steepest * secant);
        const double bearing = most - stiffness * (deepest - d), pressing = pcm_ramp(bearing);
        const double pressure = d > 0 ? pressing : 0;

        /* As slip accumulates, u tends to the slip's direction. The stress is strength * u: it is kept while the
         * strength grows, and u is kept while it falls, so that no energy is added. Without pressure both are kept. */
        const double old = b->state[STRENGTH][i], fresh = pcm_min(pressure, law.cohesion) + law.per_pressure * pressure;
        const double strength = pressure > 0 ? fresh : old, ratio = old / strength;
        const double grown = strength > old ? ratio : 1, grows = pcm_choose(b->dt > 0, grown, 1);
        const double speed = pcm_length(vx, vy), per_speed = 1 / pcm_max(speed, DBL_MIN);
        const double t = pcm_tanh(0.5 * b->dt * speed * per_length), share = pressure > 0 ? 2 * t / (1 + t) : 0;
        const double grip = pressure > 0 ? area * strength : 0;
        const double ax = b->state[SHEAR_X][i] * per_length * grows, ay = b->state[SHEAR_Y][i] * per_length * grows;
        const double ux = ax + share * (vx * per_speed - ax), uy = ay + share * (vy * per_speed - ay);
        b->force_n[i] = area * pressure;
        b->force_x[i] = -grip * ux;
        b->force_y[i] = -grip * uy;
        next_sinkage[i] = deepest;
        next_shear_x[i] = law.length * ux;
        next_shear_y[i] = law.length * uy;
        next_strength[i] = strength;
        if (b->reports) {
            const double dd = b->depth_rate[i], bent = ux * ux + uy * uy;
            const double slope = law.exponent * secant, slack = 0.5 * law.growth * pressure / stiffness;
            const double kept = (slope - slack) / stiffness;
            const double steep = (law.exponent + 1) / (2 * law.steepest);
            const double stored = back > law.steepest * secant ? kept : steep;
            const double pressed = d == deepest && dd > 0 ? pressure * dd * (1 - stored) : 0;
            const double joined = pressure < law.cohesion ? 1 : 0;
            const double steepens = (law.per_pressure + joined) * (d == deepest && dd > 0 ? slope : stiffness);
            const double rises = steepens * pcm_abs(dd), lost = pressure > 0 ? 0.5 * law.length * rises * bent : 0;

            /* Solvers integrate the deepest sinkage from its rate, which sets in within a part in 10^8 of it. */
            const double near = 2 + (d - b->state[SINKAGE][i]) / pcm_max(1e-8 * deepest, least);
            const double sinks = pcm_clamp(near, 0, 1), down = dd > 0 ? sinks : 0, moving = pressure > 0 ? 1 : 0;
            const double growth = moving * (law.per_pressure + joined) * (down > 0 ? slope : stiffness) * dd;
            const double turn = pcm_ramp(growth) / pcm_max(strength, least);
            b->rate[SINKAGE][i] = down * dd;
            b->rate[SHEAR_X][i] = moving * (vx - speed * ux) - turn * law.length * ux;
            b->rate[SHEAR_Y][i] = moving * (vy - speed * uy) - turn * law.length * uy;
            b->rate[STRENGTH][i] = growth;
            b->energy[i] =
                0.5 * area * (pressure * pressure / pcm_max(stiffness, least) + law.length * strength * bent);
            b->dissipation[i] = area * (pressed + lost) + grip * speed * bent;
            b->event[BEAR][i] = pcm_min(b->depth[i], bearing);
            b->event[UNLOAD][i] = near < 0.5 ? near - 0.5 : dd;
            b->event[SLIDE][i] = bent - 0.9;
            b->mode[i] = !(pressure > 0) ? PCM_SEPARATED : bent < 0.9 ? PCM_STICKING : PCM_SLIPPING;
        }
    }
}

static void establish(const pcm_batch *b)
{
    double *next = b->next[SINKAGE];
    PCM_EACH(b, i)
        next[i] = pcm_ramp(b->depth[i]);
}

/* Corrects the sinkage where unloading begins: a solver has integrated it with errors. */
static void jump(const pcm_batch *b)
{
    double *next = b->next[SINKAGE];
    PCM_EACH(b, i)
        next[i] = pcm_max(b->state[SINKAGE][i], b->depth[i]);
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    (void)setup;
    law->modulus = law->cohesive / law->width + law->frictional;
    law->per_pressure = pcm_sin(law->angle) / pcm_cos(law->angle);
    law->steepest = pcm_max(law->exponent, 1);
    return 0;
}

PCM_DERIVED(Law, pressure_at, pcm_pow(load->depth, law->exponent) * law->modulus);

static double strength_at(const void *params, const pcm_load *load)
{
    const Law   *law = params;
    const double pressure = pressure_at(params, load);
    return pcm_min(law->cohesion, pressure) + law->per_pressure * pressure;
}

static const pcm_param params[] = {
    PCM_REAL(Law, cohesive, "CohesiveModulus", "N/m/m^Exponent", 990, "kc", .min = 0),
    PCM_REAL(Law, frictional, "FrictionalModulus", "N/m^2/m^Exponent", 1528430, "kphi", PCM_ABOVE(0)),
    PCM_REAL(Law, exponent, "Exponent", "1", 1.1, "n: of the sinkage", .min = 0.6, .max = 1.8),
    PCM_REAL(Law, width, "PlateWidth", "m", 0.1, "b: the smaller side of the patch", PCM_ABOVE(0)),
    PCM_REAL(Law, unloading, "UnloadingStiffness", "Pa/m", 2e8,
             "k0: of pressure over the way back, at least the loading's", .min = 0),
    PCM_REAL(Law, growth, "UnloadingGrowth", "Pa/m^2", 0, "Au: by which it grows with the deepest sinkage", .min = 0),
    PCM_REAL(Law, cohesion, "Cohesion", "Pa", 1040, "c", .min = 0),
    PCM_REAL(Law, angle, "FrictionAngle", "rad", 0.4887, "phi", .min = 0, .max = 1.5),
    PCM_REAL(Law, length, "ShearModulusLength", "m", 0.025, "K: way of shear to 63% of the strength", PCM_ABOVE(0)),
};

static const pcm_state states[] = {
    {.name = "sinkage",
     .unit = "m",
     .doc = "the deepest so far",
     .nominal = 1e-3,
     .role = PCM_CONTINUOUS,
     .flags = PCM_STEPS,
     .swap = 1},
    {.name = "shear",
     .unit = "m",
     .doc = "share of the strength that is sheared, times K",
     .nominal = 1e-3,
     .shape = PCM_TANGENT,
     .role = PCM_CONTINUOUS,
     .flags = PCM_STEPS,
     .swap = -1},
    {.name = "strength",
     .unit = "Pa",
     .doc = "against shear, at the last step",
     .nominal = 1e3,
     .role = PCM_CONTINUOUS,
     .flags = PCM_STEPS,
     .swap = 1},
};

static const pcm_event events[] = {
    {.name = "bear", .doc = "the soil begins to press, or no longer presses"},
    {.name = "unload", .doc = "it leaves the deepest sinkage, or comes back to it", .jumps = 1},
    {.name = "slide", .doc = "nine tenths of the strength are sheared, or no longer"},
};

static const pcm_derived derived[] = {
    {"pressure", "Pa", "at the wanted sinkage", pressure_at},
    {"shear_strength", "Pa", "there", strength_at},
};

PCM_KERNELS(update, establish, jump);
PCM_MODEL(
    BekkerWong, "Soft soil: Bekker's sinkage, Wong's unloading, Janosi and Hanamoto's shear",
    .source = "Bekker, Introduction to Terrain-Vehicle Systems (1969); Wong, Theory of Ground Vehicles; Janosi and\n"
              "Hanamoto, ISTVS (1961); numbers of a dry sand, Land Locomotion Laboratory",
    .equations =
        "p = (kc/b + kphi) z^n                       where z is the deepest so far\n"
        "p = p(zmax) - ku (zmax - z), at least 0     on the way back, Wong's ku = k0 + Au zmax\n"
        "tau' = (taumax v - |v| tau)/K,  taumax = c + p tan(phi)    v slip; in a steady direction this is\n"
        "tau = taumax (1 - exp(-j/K)), with j the way of shear\n"
        "fn = p A, ft = -tau A                       A the area that the contact stands for\n"
        "The books' cohesion is there from the first touch; here it is at most the pressure, or friction\n"
        "would jump.\n"
        "Soil keeps what it was pressed to as long as the contact lives: a new contact finds it fresh.\n"
        "ku below n p/zmax counts as that, and below p/zmax too, or soil would give energy.\n"
        "Holds for slow, flat patches on deep, even soil; not for layers, water, or sinkage as large as the patch.\n",
    .params = PCM_TABLE(params), .states = PCM_TABLE(states), .events = PCM_TABLE(events),
    .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP | PCM_AREA,
    .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE, .flags = PCM_ISOTROPIC | PCM_JUMPS,
    .prepare = prepare);
