/* SPDX-License-Identifier: MIT */
/* RatchetClaw.c - a claw that holds one way along its axis and clicks over the ground's teeth the other way: a part. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, damping, pitch, strength;
} Law;

enum { CATCH, CLICK };

/* The integer nearest to x. */
PCM_INLINE double whole(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_pitch = 1 / law.pitch, most = law.strength / law.stiffness, still = b->dt > 0 ? 0 : 1,
                 per_dt = still > 0 ? 0 : 1 / b->dt;
    double *next = b->next[0];
    PCM_EACH(b, i) {
        const double axis_x = b->follower_axis_x[i], axis_y = b->follower_axis_y[i];
        const double length = pcm_length(axis_x, axis_y), per_length = 1 / pcm_max(length, DBL_MIN);
        const double ex = length > 0 ? axis_x * per_length : 1, ey = axis_y * per_length;
        const double drag = ex * b->slip_x[i] + ey * b->slip_y[i], s = b->state[0][i] + b->dt * drag;

        /* Adds a pitch for each tooth that the claw clicked over; subtracts one for each that gave way. */
        const double behind = whole(-s * per_pitch - 0.5), over = whole((s - most) * per_pitch + 0.5);
        const double teeth = s < -law.pitch ? behind : s > most ? -over : 0, bent = s + teeth * law.pitch;
        const double holds = b->load_n[i] > 0 ? 1 : 0, on = bent > 0 ? holds : 0;
        const double force = on * pcm_clamp(law.stiffness * bent + law.damping * drag, 0, law.strength);
        b->force_x[i] = -force * ex;
        b->force_y[i] = -force * ey;
        const double kept = holds + still > 0 ? bent : 0;
        next[i] = kept;
        if (b->reports) {
            const double had = pcm_ramp(b->state[0][i]), left = pcm_ramp(kept);
            const double damper = (force - law.stiffness * bent) * drag, holds_on = teeth == 0 ? on : 0;
            const double snap = force * drag + 0.5 * law.stiffness * (had * had - left * left) * per_dt;
            b->energy[i] = 0.5 * law.stiffness * left * left;
            b->dissipation[i] = holds_on > 0 ? damper : snap;
            b->mode[i] = holds > 0 ? (on > 0 ? PCM_STICKING : PCM_SLIPPING) : PCM_SEPARATED;
            b->event[CATCH][i] = s;
            b->event[CLICK][i] = most - s;
        }
    }
}

PCM_DERIVED(Law, backlash, law->pitch);

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "ClawStiffness", "N/m", 2e4, "k: force per metre along the axis", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "ClawDamping", "N*s/m", 10, "force per m/s while it holds", .min = 0),
    PCM_REAL(Law, pitch, "Pitch", "m", 2e-3, "from tooth to tooth of the ground", PCM_ABOVE(0)),
    PCM_REAL(Law, strength, "Strength", "N", 50, "force at which it jumps on by a tooth", PCM_ABOVE(0)),
};

static const pcm_state states[] = {
    {.name = "stretch",
     .unit = "m",
     .doc = "along the axis; below 0 the way to the tooth ahead",
     .nominal = 1e-3,
     .role = PCM_HISTORY,
     .swap = 1},
};

static const pcm_event events[] = {
    {.name = "catch", .doc = "the claw comes to hold a tooth, or to leave it"},
    {.name = "click", .doc = "it jumps on by a tooth", .direction = -1},
};

static const pcm_derived derived[] = {
    {"backlash", "m", "way that the claw may go before it holds: up to a pitch", backlash},
};

PCM_KERNELS(update);
PCM_MODEL(RatchetClaw, "Claw that holds along its axis and clicks over teeth the other way",
          .source = "PCM: a ratchet with backlash; no paper gives its equations",
          .equations =
              "ft = -(k s + b s') along the follower's axis, from 0 to Strength, where s > 0 and N > 0\n"
              "s' = slip along the axis; s < -Pitch: s grows by Pitch; k s > Strength: s falls by Pitch\n"
              "Dragged along its axis the claw finds a tooth within a pitch and holds; pushed back it slides\n"
              "freely and drops behind each tooth that it passes. Across the axis it gives no force. Friction\n"
              "besides is another part's. N is the load of earlier parts: a claw that is lifted lets go.\n"
              "Holds for slow pulls on teeth that are stronger than Strength.\n",
          .params = PCM_TABLE(params), .states = PCM_TABLE(states), .events = PCM_TABLE(events),
          .derived = PCM_TABLE(derived), .inputs = PCM_SLIP | PCM_LOAD | PCM_AXES,
          .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE, .flags = PCM_ISOTROPIC);
