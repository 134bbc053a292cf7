/* SPDX-License-Identifier: MIT */
/* CapillaryBridge.c - a drop of liquid that holds two spheres until it breaks. */
#include "elastic.h"

typedef struct {
    double tension, volume, angle, radius;
    double wetting, rupture; /* 2 pi gamma cos(theta), N/m; the gap at which it breaks, m */
} Law;

typedef struct {
    double angle;
} Side;

enum { TOUCH, RUPTURE };

static const double pi = 3.141592653589793;

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double own = law.radius;
    PCM_EACH(b, i) {
        const double radius = 2 * elastic_mean_radius(ELASTIC_GAP(b, i), own), d = b->depth[i];
        const double gap = d < -law.rupture ? law.rupture : pcm_ramp(-d); /* as it breaks it stores what is lost */
        const double thin = pcm_sqrt(radius / law.volume), s = gap * thin, most = law.wetting * radius;
        const double pull = d < -law.rupture ? 0 : most / (1 + s * (1.05 + 2.5 * s));
        b->force_n[i] = -pull;
        b->elastic_n[i] = 0;
        b->adhesive_n[i] = -pull;
        b->pull_off[i] = most;
        b->life[i] = d < -law.rupture ? PCM_BROKEN : PCM_LIVE;
        if (b->reports) {
            /* The integral of the pull over the gap, with root^2 = 4 * 2.5 - 1.05^2; one atan2 avoids cancellation. */
            const double root = 2.982867747654931;
            const double way = 2 / root * pcm_atan2(root * s, 2 + 1.05 * s);
            b->energy[i] = most * (way / thin - pcm_ramp(d));
            b->dissipation[i] = 0;
            b->event[TOUCH][i] = d;
            b->event[RUPTURE][i] = d + law.rupture;
        }
    }
}

/* The mean of the cosines, in sines of half the angles: these keep the digits of small ones. */
static int mix(const pcm_setup *setup, void *params, const void *a, const void *b)
{
    const double of_a = pcm_sin(0.5 * ((const Side *)a)->angle), of_b = pcm_sin(0.5 * ((const Side *)b)->angle);
    const double square = 0.5 * (of_a * of_a + of_b * of_b);
    (void)setup;
    ((Law *)params)->angle = 2 * pcm_atan2(pcm_sqrt(square), pcm_sqrt(1 - square));
    return 0;
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    (void)setup;
    law->wetting = 2 * pi * law->tension * pcm_cos(law->angle);
    law->rupture = (1 + 0.5 * law->angle) * pcm_cbrt(law->volume);
    return 0;
}

PCM_DERIVED(Law, pull_off_force, 2 * law->wetting * (law->radius > 0 ? law->radius : load->radius));
PCM_DERIVED(Law, rupture_gap, law->rupture);

static double reach(const void *params) { return ((const Law *)params)->rupture; }

static const pcm_param params[] = {
    PCM_REAL(Law, tension, "SurfaceTension", "N/m", 0.0728, "gamma; water at 20 C has 0.0728", .min = 0),
    PCM_REAL(Law, volume, "Volume", "m^3", 1e-12, "V: of one bridge; up to about a thousandth of R^3", PCM_ABOVE(0)),
    PCM_REAL(Law, angle, "ContactAngle", "rad", 0, "theta, between liquid and solid", .min = 0, .max = 1.5,
             .mix = PCM_MIX_BY_LAW),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/Rr = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
};

static const pcm_param sides[] = {
    PCM_REAL(Side, angle, "ContactAngle", "rad", 0, "theta, between liquid and solid", .min = 0, .max = 1.5),
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the spheres touch, or part"},
    {.name = "rupture", .doc = "the bridge breaks", .direction = -1},
};

static const pcm_derived derived[] = {
    {"pull_off_force", "N", "2 pi R gamma cos(theta): what parts spheres that touch", pull_off_force},
    {"rupture_gap", "m", "the gap at which the bridge breaks", rupture_gap},
};

PCM_KERNELS(update);
PCM_MODEL(
    CapillaryBridge, "Bridge of liquid between spheres", .params = PCM_TABLE(params),
    .source = "Willett, Adams, Johnson and Seville, Langmuir 16 (2000), closed form for small bridges; rupture: Lian, "
              "Thornton and Adams, J. Colloid and Interface Science 161 (1993)",
    .equations =
        "fn = -2 pi R gamma cos(theta)/(1 + 1.05 s + 2.5 s^2)    s = g sqrt(R/V), g the gap, 0 while touching\n"
        "R  = 2 Rr: of two spheres the harmonic mean, on a plane twice the sphere's; Rr = 1/sqrt(k1 k2) of curvatures\n"
        "It begins at the touch and breaks at g = (1 + theta/2) V^(1/3). Its energy is lost then. Willett\n"
        "et al. add 0.1 V^(2/3)/R to V^(1/3). Put a law that pushes before it: Hertz + CapillaryBridge.\n"
        "Between two materials cos(theta) is the mean of both. Against the Young-Laplace equation, for V from\n"
        "1e-4 to 1e-3 R^3 and angles up to 40 degrees, it is 3 to 11% high at the touch, 9 to 29% low at half of\n"
        "the gap of rupture and 14 to 43% low at four fifths: most for wide angles. The term 2 pi R gamma\n"
        "sin(a) sin(theta + a) of Rabinovich et al., a the filling angle, is no better: 22% low to 45% high there.\n"
        "Holds for points of contact of smooth spheres, V below R^3/1000, and slow motion: viscosity is left out.\n",
    .sides = PCM_TABLE(sides), .mix = mix, .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
    .inputs = ELASTIC_POINTS, .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_LIFE | PCM_SHARES,
    .flags = PCM_ISOTROPIC | PCM_POINTS | PCM_PULLS | PCM_JUMPS, .prepare = prepare, .reach = reach);
