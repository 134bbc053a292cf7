/* SPDX-License-Identifier: MIT */
/* GranHooke.c - linear granular contact, as in LAMMPS's gran/hooke. */
#include <pcm/plugin.h>

typedef struct {
    double  stiffness, normal_damping, tangential_damping, friction;
    int64_t limit_damping;
} Law;

enum { TOUCH, RELEASE, SLIP };

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double least = law.limit_damping ? 0 : -INFINITY;
    PCM_EACH(b, i) {
        const double d = b->depth[i], dd = b->depth_rate[i], vx = b->slip_x[i], vy = b->slip_y[i];
        const double sum = law.stiffness * d + b->mass[i] * law.normal_damping * dd;
        const double push = sum < least ? least : sum, force = d <= 0 ? 0 : push;
        const double speed = pcm_length(vx, vy), viscous = b->mass[i] * law.tangential_damping;
        const double bound = law.friction * pcm_abs(force), drag = viscous * speed;
        const double per_speed = drag > bound ? bound / speed : viscous;
        b->force_n[i] = force;
        b->force_x[i] = -per_speed * vx;
        b->force_y[i] = -per_speed * vy;
        if (b->reports) {
            const double  depth = pcm_ramp(d);
            const int64_t touching = drag > bound ? PCM_SLIPPING : PCM_STICKING;
            b->mode[i] = d > 0 ? touching : PCM_SEPARATED;
            b->energy[i] = 0.5 * law.stiffness * depth * depth;
            b->dissipation[i] = (force - law.stiffness * depth) * dd + per_speed * speed * speed;
            b->event[TOUCH][i] = d;
            b->event[RELEASE][i] = sum;
            b->event[SLIP][i] = bound - drag;
        }
    }
}

PCM_DERIVED(Law, compression, load->force / law->stiffness);

/* m x'' + m g x' + k x = 0 until release: after half a period or, if clipped, where the force is zero. */
static double contact_time(const void *params, const pcm_load *load)
{
    const Law   *law = params;
    const double omega = pcm_sqrt(law->stiffness / load->mass), ratio = 0.5 * law->normal_damping / omega;
    const double w = pcm_sqrt(1 - ratio * ratio), zero = pcm_atan2(2 * ratio * w, 2 * ratio * ratio - 1);
    return (law->limit_damping ? zero : 3.141592653589793) / (w * omega);
}

PCM_DERIVED(Law, restitution, pcm_exp(-0.5 * law->normal_damping * contact_time(law, load)));

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "NormalStiffness", "N/m", 2e5, "kn: force per metre of depth", PCM_ABOVE(0)),
    PCM_REAL(Law, normal_damping, "NormalDamping", "1/s", 50, "gn: damping per reduced mass", .min = 0),
    PCM_REAL(Law, tangential_damping, "TangentialDamping", "1/s", 25, "gt: the same, along the surface; usually gn/2",
             .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "mu", .min = 0, .flags = PCM_CONE, .mix = PCM_MIX_GEOMETRIC),
    PCM_SWITCH(Law, limit_damping, "LimitDamping", 1, "it never pulls; false: as LAMMPS does by default"),
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the grains touch, or part"},
    {.name = "release", .doc = "they no longer push, still below the surface", .direction = -1},
    {.name = "slip", .doc = "the drag reaches the limit of friction, or is back below it"},
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load", compression},
    {"restitution", "1", "of an impact with that mass, at any speed; of less than critical damping", restitution},
    {"contact_time", "s", "how long that impact lasts", contact_time},
};

PCM_KERNELS(update);
PCM_MODEL(
    GranHooke, "Linear granular contact without memory", .params = PCM_TABLE(params),
    .source = "Silbert, Ertas, Grest, Halsey, Levine and Plimpton, Phys. Rev. E 64 (2001); LAMMPS, pair gran/hooke",
    .equations =
        "fn = max(kn d + m gn d', 0) for d > 0          m reduced mass\n"
        "ft = -min(mu |fn|, m gt |v|) v/|v|             v slip\n"
        "LimitDamping = false leaves out the max: bodies that part are held back, as in LAMMPS without\n"
        "limit_damping, and friction then has the size of that pull too. It never sticks: on a slope of\n"
        "angle a a grain creeps with g sin(a)/gt.\n"
        "Holds for points of contact of grains in flow: kn is chosen so that overlaps stay below a percent of R.\n",
    .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
    .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP | PCM_MASS,
    .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE, .flags = PCM_ISOTROPIC | PCM_JUMPS | PCM_PULLS);
