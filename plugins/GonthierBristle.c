/* SPDX-License-Identifier: MIT */
/* GonthierBristle.c - friction through bristles whose strength grows with the time at rest: a part behind a normal law.
 */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, damping, viscous, dynamic, fixed, velocity, dwell;
} Law;

enum { STRETCH_X, STRETCH_Y, DWELL };

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_velocity = 1 / law.velocity, per_damping = 1 / law.damping, dt = b->dt;
    const double recovery = law.stiffness * per_damping, per_dwell = 1 / law.dwell;
    const double per_dt = dt > 0 ? 1 / dt : 0;
    const double settles = 1 - pcm_exp_falling(-dt / law.dwell), forgets = 1 - pcm_exp_falling(-dt * recovery);
    double      *next_x = b->next[STRETCH_X], *next_y = b->next[STRETCH_Y], *next_dwell = b->next[DWELL];
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], speed = pcm_length(vx, vy), y = speed * per_velocity;
        const double load = pcm_ramp(b->load_n[i]), slides = law.dynamic * load,
                     longest = law.fixed * load / law.stiffness;
        const double sticks = pcm_exp_falling(-y * y), per_speed = 1 / pcm_max(speed, DBL_MIN);
        const double zx = b->state[STRETCH_X][i], zy = b->state[STRETCH_Y][i], dwelt = b->state[DWELL][i];
        const double bent = pcm_length(zx, zy), kept = bent > longest ? longest / bent : 1;

        /* z' = drive - rate z, solved exactly for steady slip during the step. */
        const double rate = (1 - sticks) * recovery, half = 0.5 * rate * dt, ratio = pcm_tanh_ratio(half);
        const double step = dt * ratio / (1 + half * ratio),
                     drive = sticks + (1 - sticks) * slides * per_damping * per_speed;
        const double ax = kept * zx, ay = kept * zy;
        const double nx = ax + step * (drive * vx - rate * ax), ny = ay + step * (drive * vy - rate * ay);
        const double wx = drive * vx - rate * nx, wy = drive * vy - rate * ny;

        const double rest = dwelt + (sticks > dwelt ? settles : forgets) * (sticks - dwelt);
        const double most = slides + (law.fixed - law.dynamic) * load * rest;
        const double px = law.stiffness * nx + law.damping * wx, py = law.stiffness * ny + law.damping * wy;
        const double pull = pcm_length(px, py), held = pull > most ? most / pull : 1;
        const double viscous = load > 0 ? law.viscous : 0, fx = held * px + viscous * vx, fy = held * py + viscous * vy;
        b->force_x[i] = -fx;
        b->force_y[i] = -fy;
        next_x[i] = nx;
        next_y[i] = ny;
        next_dwell[i] = rest;
        if (b->reports) {
            /* Steps limit the stretch to the longest one; for a solver, the rate does not stretch it further. */
            const double outwards = pcm_ramp(zx * wx + zy * wy) / pcm_max(bent * bent, DBL_MIN);
            const double over = bent < longest ? 0 : outwards, loaded = load > 0 ? 1 : 0;
            b->rate[STRETCH_X][i] = loaded * (wx - over * zx);
            b->rate[STRETCH_Y][i] = loaded * (wy - over * zy);
            b->rate[DWELL][i] = (sticks > rest ? per_dwell : recovery) * (sticks - rest);
            b->energy[i] = 0.5 * law.stiffness * (nx * nx + ny * ny);
            /* What the bristles hold above the longest stretch is lost as they slide back. */
            const double slid = 0.5 * law.stiffness * pcm_ramp(bent * bent - longest * longest);
            b->dissipation[i] = fx * vx + fy * vy - law.stiffness * (nx * wx + ny * wy) + slid * per_dt;
            b->event[0][i] = most - pull;
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

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "BristleStiffness", "N/m", 1e5, "sigma0: force per metre of stretch", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "BristleDamping", "N*s/m", 316, "sigma1: force per m/s of stretching", PCM_ABOVE(0)),
    PCM_REAL(Law, viscous, "ViscousDamping", "N*s/m", 0, "sigma2: force per m/s of slip, beyond the cone", .min = 0),
    PCM_REAL(Law, dynamic, "DynamicFriction", "1", 0.3, "mud: coefficient of sliding", .min = 0,
             .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, fixed, "StaticFriction", "1", 0.5, "mus: coefficient after a long rest", .min = 0, .flags = PCM_CONE,
             .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, velocity, "StribeckVelocity", "m/s", 1e-3, "vs: slip up to which the bristles stick", PCM_ABOVE(0)),
    PCM_REAL(Law, dwell, "DwellTime", "s", 2, "time at rest in which 63% of the surplus is there", PCM_ABOVE(0)),
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
    {.name = "dwell",
     .unit = "1",
     .doc = "share of the strength that rest adds",
     .nominal = 1,
     .role = PCM_CONTINUOUS,
     .flags = PCM_STEPS,
     .swap = 1},
};

static const pcm_event events[] = {
    {.name = "slide", .doc = "the bristles' pull passes what friction holds", .direction = -1},
};

static const pcm_derived derived[] = {
    {"breakaway_way", "m", "way before it breaks away under the load, after a long rest: mus F/sigma0", breakaway_way},
};

PCM_KERNELS(update);
PCM_MODEL(
    GonthierBristle, "Friction through bristles whose strength grows with the time at rest",
    .source = "Gonthier, McPhee, Lange and Piedboeuf, Multibody System Dynamics 11 (2004) 209",
    .equations =
        "ft = -sat(sigma0 z + sigma1 z', Fmax) - sigma2 v     z stretch, v slip, N load of earlier parts\n"
        "z' = s v + (1 - s) (mud N v/|v| - sigma0 z)/sigma1,   s = exp(-(v/vs)^2)\n"
        "Fmax = (mud + (mus - mud) w) N\n"
        "w' = (s - w)/DwellTime where it rises, (s - w) sigma0/sigma1 where it falls\n"
        "v/|v| needs no width of its own: s takes it to zero at rest. Where the load falls z slides\n"
        "back to sigma0 |z| = mus N, which the paper does not say. A step takes z' and w' exactly for\n"
        "steady slip. A solver that integrates z' leaves it at what the load once held, until z' takes it back.\n"
        "The force is limited and the bristles are not: between mud N and mus N they store more than was put in, so\n"
        "that it is declared active. Holds for dry or oiled sliding; one dwell time stands for all that ages at "
        "rest.\n",
    .params = PCM_TABLE(params), .states = PCM_TABLE(states), .events = PCM_TABLE(events),
    .derived = PCM_TABLE(derived), .inputs = PCM_SLIP | PCM_LOAD,
    .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION, .flags = PCM_ISOTROPIC | PCM_JUMPS | PCM_ACTIVE,
    .prepare = prepare);
