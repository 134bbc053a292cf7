/* SPDX-License-Identifier: MIT */
/* HeatConduction.c - heat flow through a circle of contact: a part behind a law that gives the circle's radius. */
#include <pcm/plugin.h>

typedef struct {
    double conductivity, conductance, factor;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double a = law.factor * pcm_ramp(b->contact_radius[i]);
        const double through = (2 * law.conductivity + 0x1.921fb54442d18p+1 * law.conductance * a) * a;
        const double flow = through * (b->follower_amount[0][i] - b->base_amount[0][i]);
        b->base_flow[0][i] = flow;
        b->follower_flow[0][i] = -flow;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, conductivity, "ThermalConductivity", "W/(m*K)", 50, "k: of both bodies, 2 k1 k2/(k1 + k2)", .min = 0,
             .mix = PCM_MIX_HARMONIC),
    PCM_REAL(Law, conductance, "Conductance", "W/(m^2*K)", 0, "h: of the area besides, through gas or grease",
             .min = 0),
    PCM_REAL(Law, factor, "RadiusFactor", "1", 1, "true over computed radius: (E*/true E*)^(1/3) where E* was softened",
             .min = 0),
};

static const pcm_amount amounts[] = {
    {.name = "temperature", .unit = "K", .doc = "of the object", .flow_unit = "W", .initial = 293.15},
};

PCM_KERNELS(update);
PCM_MODEL(
    HeatConduction, "Heat through a circle of contact", .flags = PCM_ISOTROPIC,
    .source = "Holm, Electric Contacts; Batchelor and O'Brien, Proc. Royal Society A 355 (1977) 313; as heat by\n"
              "radius and by area in LAMMPS",
    .equations =
        "q = (2 k a + pi a^2 h) (T follower - T base), into the base      a radius of the circle times RadiusFactor\n"
        "2 k a is the constriction of two half-spaces through one circle, with the harmonic mean of their\n"
        "conductivities. The bodies' own temperatures are even: bodies that are small against their time\n"
        "of warming through. Codes soften moduli for larger steps, which makes the circle larger under the same\n"
        "load: 48 times for steel with E* = 1 MPa. RadiusFactor takes that back, for Hertz (LIGGGHTS: area\n"
        "correction). Behind a line, an ellipse or a punch a is that of the circle of the same stiffness, for\n"
        "which 2 k a is exact (Barber 2003). Holds for spots that are small against the bodies.\n",
    .params = PCM_TABLE(params), .amounts = PCM_TABLE(amounts), .inputs = PCM_LOAD | PCM_CONTACT_RADIUS);
