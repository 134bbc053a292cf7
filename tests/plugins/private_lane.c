/* SPDX-License-Identifier: MIT */
/* One contact whose numbers are all variables of one function, as in a GPU's thread. one_lane.sh compiles it behind a
 * law: what the law keeps in memory shows in the code. */
enum { INPUTS = 39, OUTPUTS = 13, COLUMNS = 8, AMOUNTS = 2 };

extern void one_contact(const void *params, const double *in, double *out);

__attribute__((flatten)) void one_contact(const void *params, const double *in, double *out)
{
    double        i[INPUTS], o[OUTPUTS] = {0}, states[5][COLUMNS] = {{0}}, amounts[4][AMOUNTS] = {{0}};
    int64_t       life = PCM_LIVE, mode = PCM_SEPARATED;
    const double *state[COLUMNS], *host[COLUMNS], *amount[2][AMOUNTS];
    double       *next[COLUMNS], *rate[COLUMNS], *event[COLUMNS], *flow[2][AMOUNTS];
#pragma clang loop unroll(full)
    for (int k = 0; k < INPUTS; k++)
        i[k] = in[k];
#pragma clang loop unroll(full)
    for (int k = 0; k < COLUMNS; k++) {
        states[0][k] = in[INPUTS + k], states[1][k] = in[INPUTS + COLUMNS + k];
        state[k] = &states[0][k], host[k] = &states[1][k];
        next[k] = &states[2][k], rate[k] = &states[3][k], event[k] = &states[4][k];
    }
#pragma clang loop unroll(full)
    for (int k = 0; k < AMOUNTS; k++) {
        amounts[0][k] = in[INPUTS + 2 * COLUMNS + k], amounts[1][k] = in[INPUTS + 2 * COLUMNS + AMOUNTS + k];
        amount[0][k] = &amounts[0][k], amount[1][k] = &amounts[1][k];
        flow[0][k] = &amounts[2][k], flow[1][k] = &amounts[3][k];
    }
    const pcm_batch lane = {
        .size = sizeof lane,
        .count = 1,
        .time = in[INPUTS + 20],
        .dt = in[INPUTS + 21],
        .params = params,
        .depth = i,
        .depth_rate = i + 1,
        .slip_x = i + 2,
        .slip_y = i + 3,
        .spin_x = i + 4,
        .spin_y = i + 5,
        .spin_n = i + 6,
        .x = i + 7,
        .y = i + 8,
        .z = i + 9,
        .velocity_x = i + 10,
        .velocity_y = i + 11,
        .velocity_z = i + 12,
        .radius = i + 13,
        .mass = i + 14,
        .load_n = i + 15,
        .load_elastic = i + 16,
        .load_adhesive = i + 17,
        .load_pull_off = i + 18,
        .contact_radius = i + 19,
        .fresh = i + 20,
        .area = i + 21,
        .share = i + 22,
        .base_spin_x = i + 23,
        .base_spin_y = i + 24,
        .base_spin_n = i + 25,
        .follower_spin_x = i + 26,
        .follower_spin_y = i + 27,
        .follower_spin_n = i + 28,
        .base_axis_x = i + 29,
        .base_axis_y = i + 30,
        .base_axis_n = i + 31,
        .follower_axis_x = i + 32,
        .follower_axis_y = i + 33,
        .follower_axis_n = i + 34,
        .loss_friction = i + 35,
        .loss_damping = i + 36,
        .load_x = i + 37,
        .load_y = i + 38,
        .host_inputs = host,
        .state = state,
        .next = next,
        .rate = rate,
        .event = event,
        .force_n = o,
        .force_x = o + 1,
        .force_y = o + 2,
        .moment_n = o + 3,
        .moment_x = o + 4,
        .moment_y = o + 5,
        .energy = o + 6,
        .dissipation = o + 7,
        .elastic_n = o + 8,
        .adhesive_n = o + 9,
        .pull_off = o + 10,
        .patch_radius = o + 11,
        .onset = o + 12,
        .life = &life,
        .mode = &mode,
        .base_amount = amount[0],
        .follower_amount = amount[1],
        .base_flow = flow[0],
        .follower_flow = flow[1],
    };
    pcm_update_lane(&lane);
#pragma clang loop unroll(full)
    for (int k = 0; k < OUTPUTS; k++)
        out[k] = o[k];
#pragma clang loop unroll(full)
    for (int k = 0; k < 3 * COLUMNS; k++)
        out[OUTPUTS + k] = states[2 + k / COLUMNS][k % COLUMNS];
#pragma clang loop unroll(full)
    for (int k = 0; k < 2 * AMOUNTS; k++)
        out[OUTPUTS + 3 * COLUMNS + k] = amounts[2 + k / AMOUNTS][k % AMOUNTS];
    out[OUTPUTS + 3 * COLUMNS + 2 * AMOUNTS] = (double)life;
    out[OUTPUTS + 3 * COLUMNS + 2 * AMOUNTS + 1] = (double)mode;
}
