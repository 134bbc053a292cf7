/* SPDX-License-Identifier: MIT */
/* Microspine.c - a spine on a rough wall: it catches on asperities while it is dragged along its own axis. */
#include <pcm/plugin.h>

typedef struct {
    double angle, strength, stiffness, damping, spacing;
    double per_shear; /* normal pull that each newton of shear allows: tan of the angle */
} Law;

enum { STRETCH, WAY };
enum { LET_GO };

static void update(const pcm_batch *b)
{
    const Law     law = *(const Law *)b->params;
    const double *stretch = b->state[STRETCH], *way = b->state[WAY], *strength = b->host_inputs[0], k = law.stiffness;
    /* With dt = 0 nothing breaks. */
    const double never = b->dt > 0 ? 0 : INFINITY, per_dt = b->dt > 0 ? 1 / b->dt : 0;
    double      *next_stretch = b->next[STRETCH], *next_way = b->next[WAY];
    PCM_EACH(b, i) {
        const double d = b->depth[i], dd = b->depth_rate[i], holds = strength[i];
        const double axis_x = b->follower_axis_x[i], axis_y = b->follower_axis_y[i];
        const double length = pcm_length(axis_x, axis_y), per_length = 1 / pcm_max(length, DBL_MIN);
        const double ex = length > 0 ? axis_x * per_length : 1, ey = axis_y * per_length;
        const double drag = ex * b->slip_x[i] + ey * b->slip_y[i];

        /* The distance that it must still be dragged before it catches. */
        const double left = pcm_ramp(way[i] - b->dt * pcm_ramp(drag)), pulled = pcm_ramp(stretch[i] + b->dt * drag);
        const double bent = left > 0 ? 0 : pulled, shear = left > 0 ? 0 : pcm_ramp(k * bent + law.damping * drag);
        const double normal = k * d + law.damping * dd, pull = pcm_ramp(-normal);
        const double force = pcm_length(shear, pull);
        const double breaks = force > holds + never ? 1 : 0, slips = pull > law.per_shear * shear ? 1 : 0;
        const double kept = breaks > 0 ? 0 : shear, allowed = law.per_shear * kept, held = pcm_max(normal, -allowed);
        const double apart = pcm_min(held, 0);
        const double fn = d > 0 ? held : apart;
        b->force_n[i] = fn;
        b->force_x[i] = -kept * ex;
        b->force_y[i] = -kept * ey;
        const double on = breaks > 0 ? 0 : bent;
        next_stretch[i] = on;
        next_way[i] = breaks > 0 ? law.spacing : left;
        const int64_t ends = d > 0 ? PCM_LIVE : PCM_BROKEN, life = breaks > 0 || slips > 0 ? ends : PCM_LIVE;
        b->life[i] = life;
        if (b->reports) {
            const double damper = (kept - k * bent) * drag; /* while it holds; otherwise the spring's energy is lost */
            const double snap = kept * drag + 0.5 * k * (stretch[i] * stretch[i] - on * on) * per_dt;
            const double last = d > 0 ? on : bent; /* a contact that breaks still stores what is lost */
            b->energy[i] = 0.5 * k * (d * d + last * last);
            b->dissipation[i] = life == PCM_LIVE ? (fn - k * d) * dd + (kept > 0 ? damper : snap) : 0;
            b->mode[i] = kept > 0 ? PCM_STICKING : PCM_SLIPPING;
            b->event[LET_GO][i] = pcm_min(holds - force, law.per_shear * shear - pull);
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    (void)setup;
    law->per_shear = pcm_sin(law->angle) / pcm_cos(law->angle);
    return 0;
}

PCM_DERIVED(Law, pull_off, pcm_sin(law->angle) * law->strength);

/* Enough for a strength from the host of up to ten times the parameter. */
static double reach(const void *params) { return 10 * pull_off(params, NULL) / ((const Law *)params)->stiffness; }

static const pcm_param params[] = {
    PCM_REAL(Law, angle, "MaxLoadAngle", "rad", 0.6, "from the surface, of a pull that the asperity holds", .min = 0,
             .max = 1.5),
    PCM_REAL(Law, strength, "AsperityStrength", "N", 1.5, "pull that breaks asperity or spine", PCM_ABOVE(0)),
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 500, "of the spine's suspension", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "Damping", "N*s/m", 1, "of the same", .min = 0),
    PCM_REAL(Law, spacing, "AsperitySpacing", "m", 1e-3, "way of dragging before a spine that let go catches again",
             .min = 0),
};

static const pcm_host_input host_inputs[] = {
    {.name = "strength", .unit = "N", .doc = "of this spine's asperity", .fallback = "AsperityStrength"},
};

static const pcm_state states[] = {
    {.name = "stretch",
     .unit = "m",
     .doc = "of the spine along its axis",
     .nominal = 1e-3,
     .role = PCM_HISTORY,
     .swap = 1},
    {.name = "way",
     .unit = "m",
     .doc = "still to be dragged before it catches",
     .nominal = 1e-3,
     .role = PCM_HISTORY,
     .swap = 1},
};

static const pcm_event events[] = {
    {.name = "let-go", .doc = "the pull passes the strength or the angle", .direction = -1},
};

static const pcm_derived derived[] = {
    {"pull_off", "N", "greatest pull along the normal of one spine: sin(angle) strength", pull_off},
};

PCM_KERNELS(update);
PCM_MODEL(Microspine, "Spine that catches on asperities while it is dragged along its axis",
          .source = "Asbeck, Kim, Cutkosky, Provancher and Lanzetta, Int. J. Robotics Research 25 (2006) 1165; Spenko\n"
                    "et al., J. Field Robotics 25 (2008) 223",
          .equations =
              "It holds while |F| <= strength and, pulled, atan(-FN/FT) <= MaxLoadAngle     FT shear along the axis\n"
              "FT = k s + b s', at least 0;  FN = k d + b d'        s stretch, d depth\n"
              "Beyond the strength it slips and catches again AsperitySpacing further on; where the contact is\n"
              "pulled apart then, or beyond the angle, it ends. Pushed backwards and sideways it slides freely:\n"
              "friction is another part's. Asperities of random strength are the simulator's, with its own\n"
              "seed, through the input `strength`. The papers give the conditions; the springs are this law's.\n"
              "Holds for one spine on rough rock; the strength of an asperity is measured.\n",
          .params = PCM_TABLE(params), .states = PCM_TABLE(states), .host_inputs = PCM_TABLE(host_inputs),
          .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
          .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP | PCM_AXES,
          .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_LIFE | PCM_MODE,
          .flags = PCM_PULLS | PCM_JUMPS | PCM_ISOTROPIC, .prepare = prepare, .reach = reach);
