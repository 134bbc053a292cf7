/* SPDX-License-Identifier: MIT */
/* SpringContact.c - three springs and dampers that tie a contact to the place of first touch until they break. */
#include <pcm/plugin.h>

typedef struct {
    double  stiffness, damping;
    double  limit_x, limit_y, limit_z;
    int64_t limit_mode, symmetric;
} Law;

enum { BREAK, SATURATE };
enum { STRETCH_X, STRETCH_Y, ANCHOR };
enum { LIMIT_X, LIMIT_Y, LIMIT_Z };

/* Columns of the Jacobian. */
enum { N_DEPTH, N_DEPTH_RATE, N_ANCHOR, X_SLIP, X_STRETCH, Y_SLIP, Y_STRETCH };

static const pcm_partial partials[] = {
    [N_DEPTH] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH},
    [N_DEPTH_RATE] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH_RATE},
    [N_ANCHOR] = {PCM_OUTPUT_FORCE_N, PCM_WRT_STATE + ANCHOR},
    [X_SLIP] = {PCM_OUTPUT_FORCE_X, PCM_WRT_SLIP_X},
    [X_STRETCH] = {PCM_OUTPUT_FORCE_X, PCM_WRT_STATE + STRETCH_X},
    [Y_SLIP] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_SLIP_Y},
    [Y_STRETCH] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_STATE + STRETCH_Y},
};

static void establish(const pcm_batch *b)
{
    double *next = b->next[ANCHOR];
    PCM_EACH(b, i)
        next[i] = b->depth[i];
}

static void slopes(const pcm_batch *b, const Law *law)
{
    double *const *j = b->jacobian;
    const double   free_below = law->limit_mode == SATURATE ? 0 : -INFINITY;
    const double   press = law->symmetric ? law->limit_z : INFINITY;
    PCM_EACH(b, i) {
        const double x = b->state[STRETCH_X][i] + b->slip_x[i] * b->dt;
        const double y = b->state[STRETCH_Y][i] + b->slip_y[i] * b->dt;
        const double fx = law->stiffness * x + law->damping * b->slip_x[i];
        const double fy = law->stiffness * y + law->damping * b->slip_y[i];
        const double fz = law->stiffness * (b->depth[i] - b->state[ANCHOR][i]) + law->damping * b->depth_rate[i];
        const double on_x = law->limit_x - pcm_abs(fx) > free_below ? 1 : 0;
        const double on_y = law->limit_y - pcm_abs(fy) > free_below ? 1 : 0;
        const double on_z = pcm_min(law->limit_z + fz, press - fz) > free_below ? 1 : 0;
        j[N_DEPTH][i] = on_z * law->stiffness;
        j[N_DEPTH_RATE][i] = on_z * law->damping;
        j[N_ANCHOR][i] = -on_z * law->stiffness;
        j[X_SLIP][i] = -on_x * (law->stiffness * b->dt + law->damping);
        j[X_STRETCH][i] = -on_x * law->stiffness;
        j[Y_SLIP][i] = -on_y * (law->stiffness * b->dt + law->damping);
        j[Y_STRETCH][i] = -on_y * law->stiffness;
    }
}

/* How far a stretch is beyond the ways to its limits. */
PCM_INLINE double beyond(double stretch, double least, double most)
{
    return pcm_max(stretch - most, 0) + pcm_min(stretch + least, 0);
}

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double dt = b->dt, limit_x = law.limit_x, limit_y = law.limit_y, limit_z = law.limit_z;
    const double saturates = law.limit_mode == SATURATE;
    const double breaks_below = saturates > 0 ? -INFINITY : 0;
    const double press = law.symmetric ? limit_z : INFINITY; /* limit on pushing; the limit on pulling is limit_z */
    /* Ways at which springs that saturate reach their limits. */
    const double way_x = saturates > 0 ? limit_x / law.stiffness : INFINITY;
    const double way_y = saturates > 0 ? limit_y / law.stiffness : INFINITY;
    const double way_z = saturates > 0 ? limit_z / law.stiffness : INFINITY;
    const double way_in = saturates > 0 ? press / law.stiffness : INFINITY;

    double *next_x = b->next[STRETCH_X], *next_y = b->next[STRETCH_Y], *next_anchor = b->next[ANCHOR];
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], vz = -b->depth_rate[i];
        const double x = b->state[STRETCH_X][i] + vx * dt, y = b->state[STRETCH_Y][i] + vy * dt;
        const double z = b->state[ANCHOR][i] - b->depth[i];
        const double fx = -law.stiffness * x - law.damping * vx;
        const double fy = -law.stiffness * y - law.damping * vy;
        const double fz = -law.stiffness * z - law.damping * vz;
        const double room_x = limit_x - pcm_abs(fx), room_y = limit_y - pcm_abs(fy);
        const double room_z = pcm_min(limit_z + fz, press - fz);
        const double room = pcm_min(pcm_min(room_x, room_y), room_z);

        const double clipped_x = room_x < 0 ? pcm_sign(limit_x, fx) : fx;
        const double clipped_y = room_y < 0 ? pcm_sign(limit_y, fy) : fy;
        const double pulled = fz < -limit_z ? -limit_z : fz, clipped_z = pulled > press ? press : pulled;
        const double gx = saturates > 0 ? clipped_x : fx, gy = saturates > 0 ? clipped_y : fy;
        const double gz = saturates > 0 ? clipped_z : fz;
        b->force_x[i] = gx;
        b->force_y[i] = gy;
        b->force_n[i] = gz;
        next_x[i] = x;
        next_y[i] = y;
        next_anchor[i] = b->state[ANCHOR][i];
        b->rate[STRETCH_X][i] = vx;
        b->rate[STRETCH_Y][i] = vy;
        b->life[i] = room < breaks_below ? PCM_BROKEN : PCM_LIVE;
        if (b->reports) {
            b->mode[i] = room < 0 ? PCM_SLIPPING : PCM_STICKING;
            const double ox = beyond(x, way_x, way_x), oy = beyond(y, way_y, way_y), oz = beyond(z, way_in, way_z);
            b->energy[i] = 0.5 * law.stiffness * (x * x + y * y + z * z - (ox * ox + oy * oy + oz * oz));
            b->dissipation[i] =
                -(gx * vx + gy * vy + gz * vz) - law.stiffness * ((x - ox) * vx + (y - oy) * vy + (z - oz) * vz);
            b->event[LIMIT_X][i] = room_x;
            b->event[LIMIT_Y][i] = room_y;
            b->event[LIMIT_Z][i] = room_z;
        }
    }
    if (b->jacobian)
        slopes(b, &law);
}

/* The stretch along the normal at which a slow pull reaches its limit. */
static double way_to_limit(const Law *law) { return law->limit_z / law->stiffness; }

/* Twice that stretch, so that the host still reports the contact in the step whose pull breaks it, and so that a
 * contact that saturates keeps pulling beyond the limit. */
static double reach(const void *params) { return 2 * way_to_limit(params); }

PCM_DERIVED(Law, compression, load->force / law->stiffness);
PCM_DERIVED(Law, pull_off_gap, way_to_limit(law));

static const char *const limit_modes[] = {"Break", "Saturate", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "K", "N/m", 1000, "stiffness of each spring", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "B", "N*s/m", 10, "damping of each spring", .min = 0),
    PCM_REAL(Law, limit_x, "X_Limit", "N", 1000, "greatest force along x of the contact frame, either way", .min = 0),
    PCM_REAL(Law, limit_y, "Y_Limit", "N", 1000, "greatest force along y of the contact frame, either way", .min = 0),
    PCM_REAL(Law, limit_z, "Z_Limit", "N", 5, "greatest pull along the normal; pushing is not limited", .min = 0),
    PCM_CHOICE(Law, limit_mode, "LimitMode", limit_modes, BREAK,
               "beyond a limit the contact breaks, or the force stays"),
    PCM_SWITCH(Law, symmetric, "SymmetricZ", 0, "Z_Limit holds for pushing too"),
};

static const pcm_state states[] = {
    {.name = "stretch",
     .unit = "m",
     .doc = "tangential way since the first touch",
     .nominal = 1e-3,
     .shape = PCM_TANGENT,
     .role = PCM_CONTINUOUS,
     .swap = -1},
    {.name = "anchor",
     .unit = "m",
     .doc = "depth at the first touch",
     .nominal = 1e-3,
     .shape = PCM_SCALAR,
     .role = PCM_HISTORY,
     .swap = 1},
};

static const pcm_event events[] = {
    {.name = "x-limit", .doc = "the force along x reaches its limit, or leaves it"},
    {.name = "y-limit", .doc = "the force along y reaches its limit, or leaves it"},
    {.name = "z-limit", .doc = "the pull along the normal reaches its limit, or leaves it"},
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load, on one point", compression},
    {"pull_off_gap", "m", "Z_Limit/K: way along the normal at which a slow pull reaches the limit", pull_off_gap},
};

PCM_KERNELS(update, establish);
PCM_MODEL(
    SpringContact, "Springs and dampers to the place of first touch, which pull as well as push",
    .source = "Parametric contact modelling for RiSE, 2004; its text names the parameters, the law is PCM's reading",
    .equations =
        "e  = way of the follower from where it first touched, in the contact frame\n"
        "f  = -K e - B e'       along x, y and z = n, pulling as well as pushing\n"
        "It breaks when |fx| > X_Limit, |fy| > Y_Limit or -fz > Z_Limit; the step in which it breaks still has\n"
        "that force. A broken contact comes again only after its point has separated. With LimitMode =\n"
        "Saturate the force stays at its limit while the spring stretches on; what that takes comes back. Each\n"
        "point of a flat foot has its own springs and limits; Single = true makes them one. Up to its limit\n"
        "nothing slips, whatever presses; what a spring F stores where it breaks, F^2/(2 K), is lost.\n"
        "Holds for points that are glued, hooked or clamped: it pulls and holds sideways without a load.\n",
    .params = PCM_TABLE(params), .states = PCM_TABLE(states), .events = PCM_TABLE(events),
    .partials = PCM_TABLE(partials), .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP,
    .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_LIFE | PCM_MODE, .flags = PCM_PULLS | PCM_JUMPS,
    .reach = reach);
