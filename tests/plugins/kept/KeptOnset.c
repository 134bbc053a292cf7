/* SPDX-License-Identifier: MIT */
/* KeptOnset.c - the source of KeptOnset.so, a plugin made with the first headers of interface 2.1. It uses their
 * additions to 2.0: a gap at which contacts begin, per type and per contact, objects that are new, and a host input
 * with a fallback. It is stored as a binary like Kept.so, and made by the same command; `git log -G'PCM_ABI_MINOR +1u'
 * -- include/pcm/plugin.h` names the commit of those headers. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, preload, gap;
} Law;

static void establish(const pcm_batch *b)
{
    PCM_EACH(b, i)
        b->next[0][i] = b->fresh[i];
}

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = law.stiffness * (b->depth[i] + law.gap) + b->host_inputs[0][i];
        b->next[0][i] = b->state[0][i];
        b->onset[i] = 0.5 * law.gap * b->state[0][i];
        b->life[i] = b->depth[i] < -2 * law.gap ? PCM_BROKEN : PCM_LIVE;
    }
}

static double onset(const void *params) { return ((const Law *)params)->gap; }
static double reach(const void *params) { return 3 * ((const Law *)params)->gap; }

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 100, "force per metre", .min = 0, .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, preload, "Preload", "N", 2, "the push until the host sets one"),
    PCM_REAL(Law, gap, "Gap", "m", 0.125, "at which a contact begins", .min = 0),
};
static const pcm_state states[] = {
    {.name = "born", .unit = "1", .doc = "1: with its objects", .nominal = 1, .role = PCM_HISTORY, .swap = 1},
};
static const pcm_host_input host_inputs[] = {
    {.name = "push", .unit = "N", .doc = "on top", .shape = PCM_SCALAR, .fallback = "Preload"},
};

PCM_KERNELS(update, establish);
PCM_MODEL(KeptOnset, "A plugin that is kept as bytes", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .host_inputs = PCM_TABLE(host_inputs), .inputs = PCM_DEPTH | PCM_FRESH, .outputs = PCM_LIFE | PCM_ONSET,
          .reach = reach, .onset = onset);
