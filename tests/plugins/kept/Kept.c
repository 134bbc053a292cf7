/* SPDX-License-Identifier: MIT */
/* Kept.c - the source of Kept.so, a plugin of interface 2.0 that is stored as a binary: later libraries must load it
 * and compute the same numbers. Made once, on x86-64 Linux, by gcc 12.2:
 *
 *   gcc -shared -fPIC -Os -nostdlib -fno-asynchronous-unwind-tables -Wl,-z,noseparate-code -Wl,--build-id=none -s \
 *       $(pkg-config --cflags pcm-plugin) Kept.c -o Kept.so */
#include <pcm/plugin.h>

typedef struct {
    double  stiffness, damping, grip;
    int64_t doubled;
} Law;

static void establish(const pcm_batch *b)
{
    PCM_EACH(b, i)
        b->next[0][i] = 0.5;
}

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double push = law.stiffness * b->depth[i] + law.damping * b->depth_rate[i] + b->host_inputs[0][i];
        b->force_n[i] = law.doubled ? 2 * push : push;
        b->force_x[i] = -law.grip * b->slip_x[i];
        b->force_y[i] = -law.grip * b->slip_y[i];
        b->next[0][i] = b->state[0][i] + b->dt * b->slip_x[i];
        if (b->reports) {
            b->energy[i] = 0.5 * law.stiffness * b->depth[i] * b->depth[i];
            b->mode[i] = push > 0 ? PCM_STICKING : PCM_SEPARATED;
            b->event[0][i] = push;
        }
    }
}

static double reach(const void *params) { return 1 / ((const Law *)params)->stiffness; }

static double compression(const void *params, const pcm_load *load)
{
    return load->force / ((const Law *)params)->stiffness;
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 100, "force per metre", .min = 0, .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, damping, "Damping", "N*s/m", 10, "force per m/s", .min = 0),
    PCM_REAL(Law, grip, "Grip", "N*s/m", 3, "friction per m/s", .min = 0),
    PCM_SWITCH(Law, doubled, "Doubled", 0, "twice the force"),
};

static const pcm_state states[] = {
    {.name = "way", .unit = "m", .doc = "along x", .nominal = 1, .role = PCM_HISTORY, .swap = -1},
};
static const pcm_host_input host_inputs[] = {{.name = "push", .unit = "N", .doc = "on top", .shape = PCM_SCALAR}};
static const pcm_event      events[] = {{.name = "pushes", .doc = "the force begins", .direction = 1}};
static const pcm_derived    derived[] = {{"compression", "m", "under the load", compression}};

PCM_KERNELS(update, establish);
PCM_MODEL(Kept, "A plugin that is kept as bytes", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .host_inputs = PCM_TABLE(host_inputs), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
          .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP, .outputs = PCM_FRICTION | PCM_ENERGY | PCM_MODE,
          .reach = reach);
