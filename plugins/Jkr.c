/* SPDX-License-Identifier: MIT */
/* Jkr.c - soft elastic spheres that stick to each other, also across a gap. */
#include "elastic.h"

typedef struct {
    double  modulus, work, radius, largest_radius;
    int64_t release;
} Law;

enum { MIN_OVERLAP, PULL_OFF };
enum { TOUCH, RELEASE };

static const double pi = 3.141592653589793;

/* sqrt(2 pi w/E*), m^0.5. */
PCM_INLINE double stickiness(const Law *law) { return pcm_sqrt(2 * pi * law->work / law->modulus); }

/* The root of the contact radius: the larger real root of s^4/R - c s - d = 0, by Ferrari's method. With a = c R and r
 * = d R the resolvent m^3 + r m - a^2/8 = 0 has the root m = a^2/(8 z), z = u^2 + r/3 + (r/(3 u))^2, without
 * cancellation. */
PCM_INLINE double root_of_contact(double c, double radius, double depth)
{
    const double a = c * radius, r = depth * radius, half = a * a / 16, third = r / 3;
    const double u = pcm_cbrt(half + pcm_sqrt(pcm_ramp(half * half + third * third * third)));
    const double back = third / pcm_max(u, DBL_MIN), z = u * u + third + back * back;
    const double m = 2 * half / pcm_max(z, DBL_MIN);
    return 0.5 * (pcm_sqrt(2 * m) + pcm_sqrt(pcm_ramp(4 * pcm_sqrt(pcm_ramp(z)) - 2 * m)));
}

/* The depth (below 0) at which a contact ends. The contact radius there is times^(2/3) of that at the least possible
 * depth. */
PCM_INLINE double release_depth(const Law *law, double c, double radius)
{
    const double times = law->release == PULL_OFF ? 3 : 1,
                 a = pcm_cbrt(0.0625 * times * times * (c * radius) * (c * radius));
    return a * a / radius * (1 - 4 / times);
}

PCM_INLINE void press(const pcm_batch *b, const Law *from, int needs)
{
    const Law    law = *from;
    const double own = law.radius, c = stickiness(&law);
    PCM_EACH(b, i) {
        const double radius = elastic_radius(ELASTIC_GAP(b, i), own, needs);
        const double end = release_depth(&law, c, radius), d = b->depth[i], on = d < end ? 0 : 1;
        const double last = root_of_contact(c, radius, on > 0 ? d : end), s = on * last, a = s * s;
        const double spring = 4.0 / 3 * law.modulus * (a * a) * a / radius, pull = 2 * law.modulus * c * (a * s);
        const double touching = pcm_cbrt((c * radius) * (c * radius));
        b->force_n[i] = spring - pull;
        b->elastic_n[i] = spring;
        b->adhesive_n[i] = -pull;
        b->pull_off[i] = 1.5 * pi * law.work * radius;
        b->patch_radius[i] = a;
        b->life[i] = on > 0 ? PCM_LIVE : PCM_BROKEN;
        if (b->reports) {
            /* The integral of the force over the depth since first touch, as a function of the contact radius. A
             * contact that ends stores that of the release, which is lost. */
            const double held = last * last, flat = held * held / radius,
                         stored = held * (flat * (8.0 / 15 * flat - 4.0 / 3 * c * last) + 0.5 * c * c * held);
            const double first = touching * touching / radius;
            b->energy[i] = law.modulus * (stored + 0.3 * touching * (first * first));
            b->dissipation[i] = 0;
            b->event[TOUCH][i] = d;
            b->event[RELEASE][i] = d - end;
        }
    }
}

ELASTIC_UPDATE(press, law.radius, ELASTIC_ELLIPSES)

static double radius_of(const Law *law, const pcm_load *load) { return law->radius > 0 ? law->radius : load->radius; }

PCM_DERIVED(Law, pull_off_force, 1.5 * pi * law->work * radius_of(law, load));
PCM_DERIVED(Law, release_gap, -release_depth(law, stickiness(law), radius_of(law, load)));

static double contact_radius(const void *params, const pcm_load *load)
{
    const Law   *law = params;
    const double r = radius_of(law, load), stick = 2 * pull_off_force(law, load);
    return pcm_cbrt(0.75 * r / law->modulus *
                    (load->force + stick + pcm_sqrt(2 * stick * load->force + stick * stick)));
}

static double compression(const void *params, const pcm_load *load)
{
    const double a = contact_radius(params, load);
    return a * a / radius_of(params, load) - stickiness(params) * pcm_sqrt(a);
}

/* The reach for the largest spheres. */
static double reach(const void *params)
{
    const Law *law = params;
    return -release_depth(law, stickiness(law), law->radius > 0 ? law->radius : law->largest_radius);
}

static const char *const releases[] = {"MinOverlap", "PullOff", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedModulus", "Pa", 1e6, "E* of both bodies", PCM_ABOVE(0), .mix = PCM_MIX_MODULUS),
    PCM_REAL(Law, work, "WorkOfAdhesion", "J/m^2", 0.05, "w: to part a unit of area; 2 gamma of equal materials",
             .min = 0, .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
    PCM_REAL(Law, largest_radius, "LargestRadius", "m", 1,
             "that the objects give: how far apart contacts are looked for", PCM_ABOVE(0)),
    PCM_CHOICE(Law, release, "Release", releases, MIN_OVERLAP,
               "it ends at the largest gap that it can hold, or where it pulls most, as in LAMMPS"),
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the bodies touch", .direction = 1},
    {.name = "release", .doc = "they let go of each other", .direction = -1},
};

static const pcm_derived derived[] = {
    {"pull_off_force", "N", "3/2 pi w R: what parts them", pull_off_force},
    {"release_gap", "m", "the gap at which they let go", release_gap},
    {"contact_radius", "m", "radius of the circle of contact under the load", contact_radius},
    {"compression", "m", "compression under the load", compression},
};

PCM_KERNELS(update);
PCM_MODEL(Jkr, "Soft elastic spheres with adhesion", .params = PCM_TABLE(params),
          .source = "Johnson, Kendall and Roberts, Proc. R. Soc. A 324 (1971)",
          .equations =
              "d  = a^2/R - sqrt(2 pi w a/E*)                        a radius of the circle of contact, d depth\n"
              "fn = 4 E* a^3/(3 R) - sqrt(8 pi w E* a^3)\n"
              "They touch at d = 0, which pulls at once with 8/9 of the pull-off force 3/2 pi w R, and hold until\n"
              "d = -3 a^2/R, a = (R c/4)^(2/3), c = sqrt(2 pi w/E*), the least depth on the curve. LAMMPS ends\n"
              "them where they pull most, d = -a^2/(3 R), a = (3 R c/4)^(2/3): Release = PullOff. The energy\n"
              "stored when they let go is lost, as is that of the first touch. The energy counts from that touch.\n"
              "Of an ellipse R is that of Hertz, which is right for small w alone; Johnson and Greenwood (2005) have\n"
              "a smaller pull. Holds for points of contact of smooth, soft bodies: Tabor's number above 5.\n",
          .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .inputs = ELASTIC_POINTS,
          .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_LIFE | PCM_SHARES | PCM_PATCH_RADIUS,
          .flags = PCM_ISOTROPIC | PCM_POINTS | PCM_PULLS | PCM_JUMPS, .reach = reach);
