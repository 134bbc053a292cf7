/* SPDX-License-Identifier: MIT */
/* Twisting.c - resistance against spinning on the circle of contact: LAMMPS's twisting marshall, or with Hertz's
 * pressure. */
#include <pcm/plugin.h>

typedef struct {
    double  modulus, friction, damping;
    int64_t pressure;
} Law;

enum { HERTZ, UNIFORM };
enum { TWIST, STORED };
enum { GIVE };

/* The moment of a circle of radius 1 that slides everywhere, over friction and load. */
static double arm(const Law *law) { return law->pressure == HERTZ ? 3 * 3.141592653589793 / 16 : 2.0 / 3; }

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double lever = law.friction * arm(&law), *twist = b->state[TWIST];
    const double per_dt = b->dt > 0 ? 1 / b->dt : 0;
    double      *next = b->next[TWIST], *next_stored = b->next[STORED];
    PCM_EACH(b, i) {
        const double a = b->contact_radius[i], w = b->spin_n[i], angle = twist[i] + b->dt * w;
        const double stiffness = 4 * law.modulus * a * a * a, damper = law.damping * stiffness;
        const double pull = stiffness * angle + damper * w;
        const double off = b->load_pull_off[i], load = pcm_ramp(b->load_n[i]), sticks = off > 0 ? 1 : 0;
        const double sticky = pcm_abs(b->load_elastic[i] + b->load_adhesive[i] + 2 * off);
        const double bound = lever * a * (sticks * sticky + (1 - sticks) * load);
        const double most = pcm_sign(bound, pull), over = pcm_abs(pull) > bound ? 1 : 0;
        const double moment = over > 0 ? most : pull, slid = (most - damper * w) / stiffness;
        const double settled = stiffness > 0 ? slid : 0, after = over > 0 ? settled : angle;
        b->moment_n[i] = -moment;
        b->moment_x[i] = 0;
        b->moment_y[i] = 0;
        next[i] = after;

        /* The spring stores as much of the twist's work as it can return; the rest is heat. */
        const double spring = 0.5 * stiffness * after * after, put_in = b->state[STORED][i] + b->dt * (moment * w);
        const double stored = pcm_min(put_in, spring);
        next_stored[i] = stored;
        if (b->reports) {
            const double slide = moment * w, lost = damper * w * w, still = over > 0 ? slide : lost;
            b->energy[i] = stored;
            b->dissipation[i] = per_dt > 0 ? (put_in - stored) * per_dt : still;
            b->event[GIVE][i] = bound - pcm_abs(pull);
        }
    }
}

/* Per contact radius, since that depends on the normal law. */
PCM_DERIVED(Law, moment_per_radius, arm(law) * law->friction * load->force);

static const char *const pressures[] = {"Hertz", "Uniform", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedShearModulus", "Pa", 2.4e10, "G* of both bodies; steel on steel has 2.4e10",
             PCM_ABOVE(0), .mix = PCM_MIX_SHEAR),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "coefficient mu", .min = 0, .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, damping, "TwistDampingTime", "s", 0, "damper over spring", .min = 0),
    PCM_CHOICE(Law, pressure, "Pressure", pressures, HERTZ, "on the circle: 3 pi/16 mu a N is carried, or 2/3 mu a N"),
};

static const pcm_state states[] = {
    {"twist", "rad", "angle of the spin that the spring holds", 1e-3, PCM_SCALAR, PCM_HISTORY, 0, 1},
    {"stored", "J", "of the work of the twist", 1e-6, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {{.name = "give", .doc = "all of the circle slides, or holds again"}};

static const pcm_derived derived[] = {
    {"moment_per_radius", "N", "the largest moment under the load, per radius of the circle", moment_per_radius},
};

PCM_KERNELS(update);
PCM_MODEL(Twisting, "Resistance against spinning on the circle of contact, behind a normal law",
          .source = "Lubkin, J. Applied Mechanics 18 (1951); Marshall, J. Computational Physics 228 (2009); LAMMPS, "
                    "twisting marshall",
          .equations =
              "m = -(k q + t k q'),  q' = w,  k = 4 G* a^3       a radius of the circle of contact, w spin about n\n"
              "|m| is at most 3 pi/16 mu a N, the circle sliding under Hertz' pressure. Marshall and LAMMPS take\n"
              "2/3 mu a N, which is that of a uniform one: Pressure = Uniform. N is the load, and on adhesive\n"
              "spheres |f + 2 fc|, fc their pull-off force. k is Marshall's, half of Mindlin's times a^2; the\n"
              "torsion of equal elastic spheres, 8/3 G a^3, is 4/3 (2 - v) times that. It stiffens with the\n"
              "circle, so that pressing on twisted spheres adds energy: how much depends on the normal law, which a\n"
              "part does not know, so that it is declared active. Stored is what was put in, at most k q^2/2: below\n"
              "0 where it gave back more.\n"
              "Holds for circles of contact, small against the bodies.\n",
          .params = PCM_TABLE(params), .states = PCM_TABLE(states), .events = PCM_TABLE(events),
          .derived = PCM_TABLE(derived), .inputs = PCM_SPIN | PCM_LOAD | PCM_CONTACT_RADIUS,
          .outputs = PCM_MOMENT | PCM_ENERGY | PCM_DISSIPATION, .flags = PCM_ISOTROPIC | PCM_ACTIVE);
