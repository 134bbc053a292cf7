/* SPDX-License-Identifier: MIT */
/* RoughContact.c - nominally flat rough surfaces: pressure that grows exponentially as they approach. */
#include <pcm/plugin.h>

typedef struct {
    int64_t form;
    double  modulus, area, roughness, density, radius, gradient, pressure;
    double  at_touch, decay; /* Pa at depth 0; m in which it grows by e */
} Law;

enum { GREENWOOD_WILLIAMSON, PERSSON };
enum { TOUCH };

static const double pi = 3.141592653589793;

#define FAR 30 /* decay lengths, where 1e-13 of the pressure is left */

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double own = law.area, per_decay = 1 / law.decay, far = -FAR * law.decay;
    PCM_EACH(b, i) {
        const double d = b->depth[i], flat = b->flat_area[i], part = b->patch_part[i], share = b->area[i];
        const double area = pcm_choose(own > 0, own, flat > 0 && part > 0 ? flat * part : share);
        const double press = area * law.at_touch * pcm_exp(pcm_min(d * per_decay, 600)), force = d < far ? 0 : press;
        b->force_n[i] = force;
        /* The circle of the same stiffness: it conducts as much heat as all spots do (Barber 2003). */
        b->patch_radius[i] = 0.5 / law.modulus * force * per_decay;
        if (b->reports) {
            b->energy[i] = force * law.decay;
            b->dissipation[i] = 0;
            b->event[TOUCH][i] = d - far;
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    (void)setup;
    const double summits = pcm_sqrt(pi) * law->density * law->modulus * pcm_sqrt(law->radius * law->roughness);
    law->decay = law->form == PERSSON ? 0.5 * law->roughness : law->roughness;
    law->at_touch = law->form == PERSSON ? law->pressure : summits * law->roughness;
    return 0;
}

static double reach(const void *params) { return FAR * ((const Law *)params)->decay; }

PCM_DERIVED(Law, separation, -law->decay *pcm_log(load->force / (law->at_touch * law->area)));

/* Greenwood and Williamson: the same pressure on what touches, at any load. */
static double real_area(const void *params, const pcm_load *load)
{
    const Law   *law = params;
    const double summits = pcm_sqrt(pi * law->radius / law->roughness) / law->modulus * load->force;
    return law->form == PERSSON
               ? law->area * pcm_erf(pcm_sqrt(2) * load->force / (law->area * law->modulus * law->gradient))
               : summits;
}

PCM_DERIVED(Law, circle, 0.5 * load->force / (law->modulus * law->decay));

static const char *const forms[] = {"GreenwoodWilliamson", "Persson", NULL};

static const pcm_param params[] = {
    PCM_CHOICE(Law, form, "Form", forms, GREENWOOD_WILLIAMSON,
               "summits of exponential heights; roughness of all scales"),
    PCM_REAL(Law, modulus, "ReducedModulus", "Pa", 1.1e11, "E* of both bodies; steel on steel has 1.1e11", PCM_ABOVE(0),
             .mix = PCM_MIX_MODULUS),
    PCM_REAL(Law, area, "NominalArea", "m^2", 0, "A: where they overlap; 0: that of the flat, or the area of the point",
             .min = 0),
    PCM_REAL(Law, roughness, "Roughness", "m", 1e-6, "s: standard deviation of the heights, of both surfaces together",
             PCM_ABOVE(0)),
    PCM_REAL(Law, density, "SummitDensity", "1/m^2", 1e10, "n: number of summits by area", PCM_ABOVE(0),
             .when = "Form=GreenwoodWilliamson"),
    PCM_REAL(Law, radius, "SummitRadius", "m", 1e-5, "r: of their tops", PCM_ABOVE(0),
             .when = "Form=GreenwoodWilliamson"),
    PCM_REAL(Law, gradient, "RmsGradient", "1", 0.1, "g: root mean square of the slope in both directions",
             PCM_ABOVE(0), .when = "Form=Persson"),
    PCM_REAL(Law, pressure, "TouchPressure", "Pa", 1e9,
             "p0: where the mean planes meet; about 0.4 q s E*, q the wave number at which the roughness begins",
             PCM_ABOVE(0), .when = "Form=Persson"),
};

static const pcm_event events[] = {{.name = "touch", .doc = "the first summits touch, or the last part"}};

static const pcm_derived derived[] = {
    {"separation", "m", "of the mean planes under the load, on NominalArea", separation},
    {"real_area", "m^2", "that touches under the load", real_area},
    {"circle", "m", "radius of the circle that conducts and gives as much as all spots", circle},
};

PCM_KERNELS(update);
PCM_MODEL(RoughContact, "Rough surfaces that are flat on the whole", .params = PCM_TABLE(params),
          .source =
              "Greenwood and Williamson, Proc. R. Soc. A 295 (1966) 300; Persson, J. Chem. Phys. 115 (2001) 3840 and\n"
              "Phys. Rev. Lett. 99 (2007) 125502; conductance: Barber, Proc. R. Soc. A 459 (2003) 53",
          .equations =
              "fn = A p0 exp(d/l)      d depth of the mean planes, below 0 their separation; ends at 30 l\n"
              "GreenwoodWilliamson: l = s, p0 = sqrt(pi) n E* s sqrt(r s), heights of summits spread as exp(-h/s)\n"
              "Persson: l = s/2; the share erf(sqrt(2) p/(E* g)) of A touches at the mean pressure p\n"
              "Heat and friction behind it get the circle of its stiffness, fn/(2 E* l): 2 k times its radius is\n"
              "the conductance of all spots, with HeatConduction. It holds while the spots are far from each\n"
              "other, up to a real area of about A/3 (d about 0); beyond it the bodies give, which Hertz or a punch\n"
              "has and this lacks. Nothing yields and nothing sticks.\n"
              "Holds for flats much wider than the roughness, pressed slowly.\n",
          .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH | PCM_AREA | PCM_EXTENT,
          .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_PATCH_RADIUS, .flags = PCM_ISOTROPIC | PCM_JUMPS,
          .prepare = prepare, .reach = reach, .onset = reach);
