/* SPDX-License-Identifier: MIT */
/* Gives a NaN or an infinite number in a column of the user's choice, and wants a vector as host input. */
#include <pcm/plugin.h>

typedef struct {
    int64_t column;
    double  value;
} Law;

enum { WELL, FORCE_N, FORCE_Y, MOMENT_X, AGE, WEAR, GRIP, LIFE, PUSH, RADIUS };
static const char *const columns[] = {"None", "ForceN", "ForceY", "MomentX", "Age", "Wear",
                                      "Grip", "Life",   "Push",   "Radius",  NULL};

enum { WEAR_STATE, AGE_X, AGE_Y, GRIP_STATE };

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = law.column == FORCE_N  ? law.value
                        : law.column == PUSH   ? b->host_inputs[1][i]
                        : law.column == RADIUS ? b->radius[i]
                                               : 1;
        b->force_x[i] = 0;
        b->force_y[i] = law.column == FORCE_Y ? law.value : 0;
        b->moment_n[i] = b->moment_y[i] = 0;
        b->moment_x[i] = law.column == MOMENT_X ? law.value : 0;
        b->next[WEAR_STATE][i] = law.column == WEAR ? law.value : 0;
        b->rate[AGE_X][i] = 0;
        b->rate[AGE_Y][i] = law.column == AGE ? law.value : 0;
        b->rate[GRIP_STATE][i] = 0;
        b->next[GRIP_STATE][i] = law.column == GRIP ? law.value : 0;
        b->life[i] = law.column == LIFE ? PCM_INVALID : PCM_LIVE;
    }
}

static const pcm_param params[] = {
    PCM_CHOICE(Law, column, "Column", columns, WELL, "which column is sick"),
    PCM_REAL(Law, value, "Value", "1", 1e308, "its value, times ten", .max = 1e308),
};

static int prepare(const pcm_setup *setup, void *params_)
{
    Law *law = params_;
    (void)setup;
    law->value *= 10; /* beyond what a .pcm file can contain */
    return 0;
}

static const pcm_state states[] = {
    {"wear", "m", "a history", 1, PCM_SCALAR, PCM_HISTORY, 0, 1},
    {"age", "m", "stepped by the world", 1, PCM_TANGENT, PCM_CONTINUOUS, 0, 1},
    {"grip", "m", "stepped by the law", 1, PCM_SCALAR, PCM_CONTINUOUS, PCM_STEPS, 1},
};

static const pcm_host_input host_inputs[] = {
    {.name = "push", .unit = "N", .doc = "a vector that only some read", .when = "Column=Push", .shape = PCM_TANGENT},
};

PCM_KERNELS(update);
PCM_MODEL(Sick, "Not well in one column", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .host_inputs = PCM_TABLE(host_inputs), .inputs = PCM_DEPTH | PCM_RADIUS,
          .outputs = PCM_FRICTION | PCM_MOMENT | PCM_LIFE, .prepare = prepare);
