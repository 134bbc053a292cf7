/* SPDX-License-Identifier: MIT */
/* WallContact.c - viscoelastic terrain with gaps: the ground, and the two side walls of every gap. */
#include <pcm/plugin.h>
#include <stdbool.h>

typedef struct {
    double   stiffness, damping, friction, rate;
    pcm_list left, right;
    int64_t  literal;
} Law;

enum { TOUCH_DOWN, RELEASE };
enum { BLOCK = 64 };

/* A block of lanes, and the face of the terrain nearest to each. */
typedef struct {
    size_t count;
    _Alignas(64) double depth[BLOCK]; /* behind the nearest face; negative outside */
    _Alignas(64) double side[BLOCK];  /* of the nearest face: the x of its normal, 0 for the ground */
} Faces;

/* The terrain is the half-space z < 0 without its gaps, so a point's depth is the smallest of its depth below the
 * ground and its distances to the walls of all gaps. With equal depths, or on a gap's edge, the ground counts. */
PCM_INLINE void find_faces(const Law *law, const pcm_batch *b, size_t first, Faces *faces)
{
    const double *x = b->x + first, *z = b->z + first;
    const double  deepest = law->literal ? 0 : -INFINITY; /* as printed, the ground continues over gaps */
    PCM_EACH(faces, i) {
        faces->depth[i] = -z[i];
        faces->side[i] = 0;
    }
    for (size_t gap = 0; gap < law->left.count; gap++) {
        const double left = law->left.values[gap], right = law->right.values[gap];
        PCM_EACH(faces, i) {
            const double to_left = left - x[i], to_right = x[i] - right;
            const double wall = to_right > to_left ? to_right : to_left;
            const double kept = faces->depth[i];
            const double inner = wall < deepest ? INFINITY : wall, usable = inner == 0 ? INFINITY : inner;
            const double side = to_right > to_left ? -1 : 1, old_side = faces->side[i];
            faces->depth[i] = usable >= kept ? kept : usable;
            faces->side[i] = usable >= kept ? old_side : side;
        }
    }
}

PCM_INLINE void push(const Law *law, const pcm_batch *b, size_t first, const Faces *faces, bool literal)
{
    const double *z = b->z + first, *vx = b->velocity_x + first, *vy = b->velocity_y + first,
                 *vz = b->velocity_z + first;
    double      *force_x = b->force_x + first, *force_y = b->force_y + first, *force_z = b->force_n + first;
    double      *energy = b->energy + first, *dissipation = b->dissipation + first;
    double      *touch_down = b->event[TOUCH_DOWN] + first, *release = b->event[RELEASE] + first;
    const double per_slip = law->friction * law->rate;

    PCM_EACH(faces, i) {
        const double d = faces->depth[i], side = faces->side[i];
        const double ux = vx[i], uy = vy[i], uz = vz[i];
        const double dd = side == 0 ? -uz : -side * ux, along = side == 0 ? ux : uz;
        const double force = pcm_ramp(law->stiffness * d + law->damping * dd), gated = d <= 0 ? 0 : force;
        const double fn = literal && side == 0 ? force : gated;

        const double rub = per_slip * fn * pcm_tanh_ratio(law->rate * pcm_sqrt(along * along + uy * uy));
        const double printed = -law->friction * fn * pcm_tanh(law->rate * z[i]);
        const double fa = literal && side != 0 ? printed : -rub * along, fy = literal && side != 0 ? 0 : -rub * uy;

        force_x[i] = side == 0 ? fa : side * fn;
        force_y[i] = fy;
        force_z[i] = side == 0 ? fn : fa;
        if (b->reports) {
            /* When the point leaves faster than the terrain can follow, the spring's energy goes into its damper. */
            const double pressed = pcm_ramp(d);
            const double normal = fn > 0 ? law->damping * dd * dd : -law->stiffness * pressed * dd;
            energy[i] = 0.5 * law->stiffness * pressed * pressed;
            dissipation[i] = normal - (fa * along + fy * uy);

            /* Positive exactly while the point touches, and continuous where it leaves the ground. */
            const double touch = law->stiffness * d + pcm_min(law->damping * dd, 0);
            touch_down[i] = touch;
            release[i] = touch;
        }
    }
}

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    Faces     faces;
    for (size_t first = 0; first < b->count; first += BLOCK) {
        faces.count = b->count - first < BLOCK ? b->count - first : BLOCK;
        find_faces(&law, b, first, &faces);
        if (law.literal)
            push(&law, b, first, &faces, true);
        else
            push(&law, b, first, &faces, false);
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    const Law *law = params;
    if (law->left.count != law->right.count) {
        setup->report(setup, "GapRight", "must have as many entries as GapLeft: the two walls of each gap");
        return 1;
    }
    for (size_t i = 0; i < law->left.count; i++) {
        if (!(law->left.values[i] < law->right.values[i])) {
            setup->report(setup, "GapRight", "must be right of GapLeft, entry by entry");
            return 1;
        }
        if (i > 0 && !(law->right.values[i - 1] < law->left.values[i])) {
            setup->report(setup, "GapLeft", "must go from left to right, each gap beginning right of the one before");
            return 1;
        }
    }
    return 0;
}

PCM_DERIVED(Law, compression, load->force / law->stiffness);
PCM_DERIVED(Law, recovery_time, law->damping / law->stiffness);

static const pcm_param params[] = {
    PCM_LIST(Law, left, "GapLeft", "m", "x of the left wall of each gap, in the terrain's axes", .flags = PCM_REQUIRED),
    PCM_LIST(Law, right, "GapRight", "m", "x of the right wall of each gap", .flags = PCM_REQUIRED),
    PCM_REAL(Law, stiffness, "GroundStiffness", "N/m", 1000, "kg: force per metre of depth", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "GroundDamping", "N*s/m", 10, "cg: force per m/s of approach", .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0.8, "coefficient mu that friction tends to", .min = 0, .flags = PCM_CONE),
    PCM_REAL(Law, rate, "TanhRate", "s/m", 50, "c: friction is near mu N from a slip of 1/c on", PCM_ABOVE(0)),
    PCM_SWITCH(Law, literal, "LiteralSeed", 0,
               "as printed, for study: wall friction from tanh(c z), ground force above ground and inside gaps"),
};

static const pcm_event events[] = {
    {.name = "touch-down", .doc = "the terrain begins to push", .direction = 1},
    {.name = "release", .doc = "the terrain no longer pushes", .direction = -1},
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load, on one point", compression},
    {"recovery_time", "s", "cg/kg: the unloaded terrain recovers as exp(-kg t/cg)", recovery_time},
};

PCM_KERNELS(update);
PCM_MODEL(WallContact, "Viscoelastic ground with gaps, whose side walls push and rub too",
          .source = "Yasui, Sakai, Kano, Owaki and Ishiguro, PLoS ONE 12(2):e0171421 (2017), S1 text",
          .equations =
              "Terrain: z < 0 except where some gap has xl < x < xr; x, z of the point in the terrain's axes.\n"
              "ground: N = max(-kg z - cg z', 0),             F = (-mu N tanh(c |v|) vx/|v|, N),   v = (x', y')\n"
              "left  wall, x < xl and z < x - xl:\n"
              "        N = max(-kg (x - xl) - cg x', 0),      F = ( N, -mu N tanh(c |v|) vz/|v|),  v = (z', y')\n"
              "right wall, x > xr and z < xr - x:\n"
              "        N = max( kg (x - xr) + cg x', 0),      F = (-N, -mu N tanh(c |v|) vz/|v|),  v = (z', y')\n"
              "So the nearest face pushes; on the diagonal of a corner that is the ground. Between two gaps the\n"
              "nearer wall pushes. The paper prints tanh(c z) for the walls' friction, a force that depends on\n"
              "height instead of slip: LiteralSeed does so too. Across the diagonal of a corner the force turns at\n"
              "once, from one face's normal to the other's: a jump, and no event, which touch-down and release are.\n"
              "Holds for points in the plane of x and z, in gaps that are wider than they sink in.\n",
          .params = PCM_TABLE(params), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
          .inputs = PCM_POSITION | PCM_VELOCITY, .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION,
          .flags = PCM_ISOTROPIC | PCM_BASE_AXES | PCM_BASE_FIXED | PCM_JUMPS, .prepare = prepare);
