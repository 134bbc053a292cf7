/* SPDX-License-Identifier: MIT */
/* ResistiveForce.c - resistive force theory: the force of sand on a plate, by its tilt and direction of motion. */
#include <pcm/plugin.h>

typedef struct {
    double scale, length, A00, A10, B11, B01, B_11, C11, C01, C_11, D10;
} Law;

enum { WAY_X, WAY_Y, WAY_N };

/* u: the plate's direction of motion, of length 1 after moving several grain sizes; at rest the sand still resists.
 * With the plate's normal (h, m), h along the motion: cos 2 beta = m^2 - h^2, sin 2 beta = -2 m h, smooth at m = 0. */
static void update(const pcm_batch *b)
{
    const Law     law = *(const Law *)b->params;
    const double *wx = b->state[WAY_X], *wy = b->state[WAY_Y], *wn = b->state[WAY_N], per_length = 1 / law.length;
    double       *next_way_x = b->next[WAY_X], *next_way_y = b->next[WAY_Y], *next_way_n = b->next[WAY_N];
    const double  press = law.B11 + law.B_11, lean = law.B11 - law.B_11, drag = law.C11 + law.C_11;
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], vn = b->depth_rate[i];
        const double speed = pcm_length(pcm_length(vx, vy), vn), per_speed = 1 / pcm_max(speed, DBL_MIN);
        const double t = pcm_tanh(0.5 * b->dt * speed * per_length), share = 2 * t / (1 + t);
        const double ux = wx[i] + share * (vx * per_speed - wx[i]), uy = wy[i] + share * (vy * per_speed - wy[i]);
        const double un = wn[i] + share * (vn * per_speed - wn[i]), full = pcm_length(pcm_length(ux, uy), un);
        const double ax = b->follower_axis_x[i], ay = b->follower_axis_y[i], an = b->follower_axis_n[i];
        const double square = ax * ax + ay * ay + an * an, per_square = square > 0 ? 1 / square : 0;
        const double even = square > 0 ? 2 * an * an * per_square - 1 : 1, tilt = -2 * an * per_square;
        const double lifts =
            (law.A00 + law.A10 * even) * full + (law.B01 + press * even) * un + lean * tilt * (ax * ux + ay * uy);
        const double drags = law.C01 + drag * even, steers = tilt * (law.D10 * full + (law.C_11 - law.C11) * un);
        const double size = law.scale * b->area[i] * pcm_ramp(b->depth[i]);
        const double fn = size * lifts, fx = size * (drags * ux + steers * ax), fy = size * (drags * uy + steers * ay);
        b->force_n[i] = fn;
        b->force_x[i] = -fx;
        b->force_y[i] = -fy;
        next_way_x[i] = ux;
        next_way_y[i] = uy;
        next_way_n[i] = un;
        if (b->reports) {
            b->mode[i] = !(size > 0) ? PCM_SEPARATED : full < 0.9 ? PCM_STICKING : PCM_SLIPPING;
            b->dissipation[i] = fn * vn + fx * vx + fy * vy;
        }
    }
}

PCM_DERIVED(Law, flat_stiffness, (law->A00 + law->A10 + law->B01 + law->B11 + law->B_11) * law->scale);

#define COEFFICIENT(name, value, meaning) PCM_REAL(Law, name, #name, "N/m^3", value, meaning)

static const pcm_param params[] = {
    PCM_REAL(Law, scale, "ScalingFactor", "1", 1, "zeta: of the material, against generic grains", PCM_ABOVE(0)),
    PCM_REAL(Law, length, "YieldLength", "m", 1e-3, "way to a new direction: some grains", PCM_ABOVE(0)),
    COEFFICIENT(A00, 0.206e6, "lift, whatever the tilt and the way"),
    COEFFICIENT(A10, 0.169e6, "lift by cos 2b"),
    COEFFICIENT(B11, 0.212e6, "lift by sin(2b + g)"),
    COEFFICIENT(B01, 0.358e6, "lift by sin g"),
    COEFFICIENT(B_11, 0.055e6, "B-11: lift by sin(-2b + g)"),
    COEFFICIENT(C11, -0.124e6, "drag by cos(2b + g)"),
    COEFFICIENT(C01, 0.253e6, "drag by cos g"),
    COEFFICIENT(C_11, 0.007e6, "C-11: drag by cos(-2b + g)"),
    COEFFICIENT(D10, 0.088e6, "drag by sin 2b"),
};

static const pcm_state states[] = {
    {"way", "1", "direction in which the sand was sheared, along the ground", 1, PCM_TANGENT, PCM_HISTORY, 0, -1},
    {"press", "1", "the same into the ground", 1, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_derived derived[] = {
    {"flat_stiffness", "Pa/m", "pressure per depth on a flat foot that is pressed straight down", flat_stiffness},
};

PCM_KERNELS(update);
PCM_MODEL(
    ResistiveForce, "Resistive force theory: a tilted plate in sand",
    .source = "Li, Zhang and Goldman, A terradynamics of legged locomotion on granular media, Science 339 (2013) 1408",
    .equations =
        "fn = zeta alpha_z d A, ft = -zeta alpha_x d A     d depth, A area that the contact stands for\n"
        "alpha_z = A00 + A10 cos 2b + B01 sin g + B11 sin(2b + g) + B-11 sin(-2b + g)\n"
        "alpha_x = C01 cos g + C11 cos(2b + g) + C-11 cos(-2b + g) + D10 sin 2b\n"
        "b tilt of the plate, whose normal is the follower's axis; g angle of its way into the ground.\n"
        "Generic grains, N/cm^3: A00 0.206, A10 0.169, B11 0.212, B01 0.358, B-11 0.055, C11 -0.124, C01 0.253,\n"
        "C-11 0.007, D10 0.088. For slow motion, whatever the speed. The paper gives forces of a plate that\n"
        "moves in the plane of its tilt: sideways, cos g and sin 2b are vectors along the way and the tilt.\n"
        "At rest sand keeps the force: the way turns as u' = (v - |v| u)/YieldLength. Strokes that\n"
        "are shorter may return energy, which counts as less lost: nothing is stored. A plate that is pulled\n"
        "out is held back. It has no event: depth 0 is that of every contact, which hosts find themselves.\n"
        "Holds for slow plates in dry, even grains, a few widths deep at most.\n",
    .params = PCM_TABLE(params), .states = PCM_TABLE(states), .derived = PCM_TABLE(derived),
    .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP | PCM_AREA | PCM_AXES,
    .outputs = PCM_FRICTION | PCM_DISSIPATION | PCM_MODE, .flags = PCM_PULLS | PCM_ACTIVE);
