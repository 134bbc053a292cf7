/* SPDX-License-Identifier: MIT */
/* A capillary bridge between two equal wet spheres. Each carries half of the liquid as a film, so that the bridge forms
 * where the films meet: two spheres of radius R and a volume V, at a gap of V/(4 pi R^2). It pulls with
 *     F = 2 pi R sigma cos(theta) / (1 + H/(2 d)),   d = H/2 (sqrt(1 + 2 V/(pi R H^2)) - 1)
 * (Rabinovich et al. 2005) and ruptures at a gap of (1 + theta/2) V^(1/3) (Lian et al. 1993). */
#include <pcm/plugin.h>

static const double pi = 3.14159265358979323846;

typedef struct {
    double tension, radius, angle, volume, most;
    double pull; /* 2 pi R sigma cos(theta) */
} Law;

/* V/(4 pi R^2) and (1 + theta/2) V^(1/3). */
PCM_INLINE double films(const Law *law, double volume) { return volume / (4 * pi * law->radius * law->radius); }
PCM_INLINE double rupture(const Law *law, double volume) { return (1 + 0.5 * law->angle) * pcm_cbrt(volume); }

static void update(const pcm_batch *b)
{
    const Law     law = *(const Law *)b->params;
    const double *volume = b->host_inputs[0];
    PCM_EACH(b, i) {
        const double gap = pcm_max(-b->depth[i], 0), square = gap * gap;
        const double ratio = pcm_sqrt(square + 2 * volume[i] / (pi * law.radius)) - gap; /* 2 d / H, times H */
        const double pull = ratio > 0 ? law.pull * ratio / (ratio + gap) : 0;
        b->onset[i] = films(&law, volume[i]);
        b->force_n[i] = -pull;
        b->life[i] = gap > rupture(&law, volume[i]) ? PCM_BROKEN : PCM_LIVE;
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    if (law->volume > law->most) {
        setup->report(setup, "Volume", "must not be above LargestVolume");
        return 1;
    }
    law->pull = 2 * pi * law->radius * law->tension * pcm_cos(law->angle);
    return 0;
}

static double reach(const void *params) { return rupture(params, ((const Law *)params)->most); }
static double onset(const void *params) { return films(params, ((const Law *)params)->most); }

static const pcm_param params[] = {
    PCM_REAL(Law, tension, "SurfaceTension", "N/m", 0.072, "of the liquid", .min = 0),
    PCM_REAL(Law, radius, "Radius", "m", 1e-3, "of both spheres", .min = 0, .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, angle, "ContactAngle", "rad", 0, "of the liquid on the spheres", .min = 0, .max = 1.5),
    PCM_REAL(Law, volume, "Volume", "m^3", 1e-9, "of the liquid between two spheres", .min = 0),
    PCM_REAL(Law, most, "LargestVolume", "m^3", 1e-8, "that the host gives", .min = 0),
};

static const pcm_host_input inputs[] = {
    {.name = "volume", .unit = "m^3", .doc = "of the liquid between the two", .fallback = "Volume"},
};

PCM_KERNELS(update);
PCM_MODEL(Bridge, "Capillary bridge between two wet spheres", .params = PCM_TABLE(params),
          .host_inputs = PCM_TABLE(inputs), .inputs = PCM_DEPTH, .outputs = PCM_LIFE | PCM_ONSET,
          .flags = PCM_ISOTROPIC | PCM_PULLS, .prepare = prepare, .reach = reach, .onset = onset);
