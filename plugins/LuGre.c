/* SPDX-License-Identifier: MIT */
/* LuGre.c - friction through bristles that bend, with Stribeck's curve: a part behind a normal law. */
#include <pcm/plugin.h>

typedef struct {
    double  stiffness, damping, viscous, dynamic, fixed, velocity;
    int64_t constant;
} Law;

enum { STRETCH_X, STRETCH_Y };

/* m: smaller than any length. */
static const double least = 1e-30;

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_velocity = 1 / law.velocity, per_stiffness = 1 / law.stiffness;
    const double passive = law.constant ? INFINITY : 4; /* limit of the damping, as a multiple of g/|v| */
    double      *next_x = b->next[STRETCH_X], *next_y = b->next[STRETCH_Y];
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], speed = pcm_length(vx, vy), y = speed * per_velocity;
        const double load = pcm_ramp(b->load_n[i]), longest = law.fixed * load * per_stiffness;
        const double g = load * (law.dynamic + (law.fixed - law.dynamic) * pcm_exp_falling(-y * y));
        const double steady = g * per_stiffness, yields = pcm_max(steady, least);
        const double zx = b->state[STRETCH_X][i], zy = b->state[STRETCH_Y][i];
        const double bent = pcm_length(zx, zy), kept = bent > longest ? longest / bent : 1;

        /* The stretch tends to the steady one in the direction of the slip; exact for steady slip. */
        const double t = pcm_tanh(0.5 * b->dt * speed / yields), share = 2 * t / (1 + t);
        const double per_speed = 1 / pcm_max(speed, DBL_MIN), ax = kept * zx, ay = kept * zy;
        const double nx = ax + share * (steady * (vx * per_speed) - ax);
        const double ny = ay + share * (steady * (vy * per_speed) - ay);
        const double wx = vx - speed * (nx / yields), wy = vy - speed * (ny / yields);

        const double damping = load > 0 ? pcm_min(passive * (g * per_speed), law.damping) : 0;
        const double viscous = load > 0 ? law.viscous : 0;
        b->force_x[i] = -(law.stiffness * nx + damping * wx + viscous * vx);
        b->force_y[i] = -(law.stiffness * ny + damping * wy + viscous * vy);
        next_x[i] = nx;
        next_y[i] = ny;
        if (b->reports) {
            const double loaded = load > 0 ? 1 : 0;
            b->rate[STRETCH_X][i] = loaded * wx;
            b->rate[STRETCH_Y][i] = loaded * wy;
            const double spring = law.stiffness * (nx * (vx - wx) + ny * (vy - wy));
            b->energy[i] = 0.5 * law.stiffness * (nx * nx + ny * ny);
            b->dissipation[i] = spring + damping * (wx * vx + wy * vy) + viscous * (vx * vx + vy * vy);
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    const Law *law = params;
    if (law->fixed >= law->dynamic)
        return 0;
    setup->report(setup, "StaticFriction", "must not be below DynamicFriction");
    return 1;
}

PCM_DERIVED(Law, breakaway_way, law->fixed * load->force / law->stiffness);

static const char *const dampings[] = {"Passive", "Constant", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "BristleStiffness", "N/m", 1e5, "sigma0: force per metre of stretch", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "BristleDamping", "N*s/m", 316.22776601683796, "sigma1: force per m/s of stretching",
             .min = 0),
    PCM_REAL(Law, viscous, "ViscousDamping", "N*s/m", 0.4, "sigma2: force per m/s of slip, beyond the cone", .min = 0),
    PCM_REAL(Law, dynamic, "DynamicFriction", "1", 0.3, "mud: coefficient at high slip", PCM_ABOVE(0),
             .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, fixed, "StaticFriction", "1", 0.5, "mus: coefficient at low slip", .min = 0, .flags = PCM_CONE,
             .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, velocity, "StribeckVelocity", "m/s", 1e-3, "vs: slip at which 1/e of the surplus is left",
             PCM_ABOVE(0)),
    PCM_CHOICE(Law, constant, "Damping", dampings, 0, "whether sigma1 falls with the slip so that it gives no energy"),
};

static const pcm_state states[] = {
    {.name = "stretch",
     .unit = "m",
     .doc = "of the bristles",
     .nominal = 1e-5,
     .shape = PCM_TANGENT,
     .role = PCM_CONTINUOUS,
     .flags = PCM_STEPS,
     .swap = -1},
};

static const pcm_derived derived[] = {
    {"breakaway_way", "m", "way before it breaks away under the load: mus F/sigma0", breakaway_way},
};

PCM_KERNELS(update);
PCM_MODEL(LuGre, "Friction through bristles that bend, with Stribeck's curve",
          .source = "Canudas de Wit, Olsson, Astrom and Lischinsky, IEEE Trans. Automatic Control 40 (1995) 419",
          .equations =
              "ft = -(sigma0 z + sigma1 z' + sigma2 v)      z stretch, v slip, N load of earlier parts\n"
              "z' = v - sigma0 |v| z/g\n"
              "g  = N (mud + (mus - mud) exp(-(v/vs)^2))\n"
              "With a constant sigma1, as printed, it may give energy: it is passive where sigma1 <= 4 g/|v|.\n"
              "Damping = Passive takes the smaller of the two; steady friction stays as it is. The paper has\n"
              "one direction and a constant load: here z is a vector, and slides back to sigma0 |z| = mus N\n"
              "where the load falls. Under a force that trembles below breakaway it drifts (Dupont 2000).\n"
              "A step takes z' exactly for steady slip. A solver that integrates z' leaves it at what the load once\n"
              "held, until the slip turns. RK4 is explicit in z: it wants steps below 2 mud N/(sigma0 |v|).\n"
              "Holds for oiled machines and small ways, under a load that changes slowly.\n",
          .params = PCM_TABLE(params), .states = PCM_TABLE(states), .derived = PCM_TABLE(derived),
          .inputs = PCM_SLIP | PCM_LOAD, .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION,
          .flags = PCM_ISOTROPIC | PCM_JUMPS | PCM_ACTIVE, .prepare = prepare);
