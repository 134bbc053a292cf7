/* SPDX-License-Identifier: MIT */
/* trot.c - a quadruped trots in a plain loop of mj_step, with contacts that trot.pcm gives to its feet, which have no
 * names. Two episodes from the same keyframe are equal to the last bit. Build and run:
 *
 *   cc trot.c -o trot $(pkg-config --cflags --libs pcm-mujoco) -lm && ./trot trot.xml trot.pcm */
#include <math.h>
#include <pcm/mujoco.h>
#include <stdio.h>

enum { LEGS = 4 };
static const double period = 0.2, stride = 0.1, lift = 0.04, height = 0.26, bone = 0.2; /* s, m */
static const double begins[LEGS] = {0, 0.5, 0.5, 0};                                    /* FR, FL, RR, RL */
static const double duration = 5;                                                       /* s */

static void print_diagnostic(void *user, const pcm_diagnostic *diagnostic)
{
    char text[4096];
    pcm_diagnostic_format(diagnostic, text, sizeof text);
    fputs(text, user);
}

/* The angles of hip and knee that put the foot at x and z from the hip. */
static void place_foot(double x, double z, double angles[2])
{
    const double reach = fmin(sqrt(x * x + z * z), 1.99 * bone);
    angles[1] = -2 * acos(reach / (2 * bone));
    angles[0] = atan2(-x, -z) - 0.5 * angles[1];
}

/* In one half of a period the foot stands and moves back under the hip; in the other half it swings forwards. */
static void steer_leg(double time, double begin, double angles[2])
{
    const double pi = acos(-1), grown = fmin(time / (2 * period), 1); /* strides start short and grow */
    const double phase = fmod(time / period + begin, 1), part = fmod(2 * phase, 1);
    if (phase < 0.5)
        place_foot(grown * stride * (0.5 - part), -height, angles);
    else
        place_foot(-grown * 0.5 * stride * cos(pi * part), -height + grown * lift * sin(pi * part), angles);
}

static void run_episode(const mjModel *model, mjData *data)
{
    mj_resetDataKeyframe(model, data, 0);
    while (data->time < duration) {
        for (int leg = 0; leg < LEGS; leg++)
            steer_leg(data->time, begins[leg], data->ctrl + 2 * leg);
        mj_step(model, data);
    }
}

/* Whether the trunk has moved at least that far (m), is level to a quarter of a radian, and is off the ground. */
static bool walked(const mjData *data, double distance)
{
    const double level = data->xmat[9 + 8]; /* upward component of the trunk's axis; the trunk is the first body */
    printf("%.2f m in %g s, trunk at %.2f m, tilted by %.0f degrees\n", data->qpos[0], data->time, data->qpos[2],
           acos(fmin(level, 1)) * 180 / acos(-1));
    return data->qpos[0] > distance && level > cos(0.25) && data->qpos[2] > 0.2;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: trot SCENE.xml RULES.pcm\n");
        return 2;
    }
    pcm_context_def def = pcm_context_defaults();
    def.sink = print_diagnostic;
    def.sink_user = stderr;
    pcm_context *context = pcm_context_new(&def);
    pcm_config  *config = pcm_config_load(context, argv[2]);
    mjModel     *model = config ? pcm_mujoco_load(context, argv[1]) : NULL;
    mjData      *data = model ? mj_makeData(model) : NULL;
    pcm_mujoco  *host = data ? pcm_mujoco_attach(context, config, model, data, NULL) : NULL;
    bool         good = host;
    double       first = 0;
    for (int episode = 0; episode < 2 && good; episode++) {
        run_episode(model, data);
        good = walked(data, 1) && pcm_mujoco_status(host) == PCM_OK && (episode == 0 || data->qpos[0] == first);
        first = data->qpos[0];
    }
    pcm_mujoco_free(host);
    mj_deleteData(data);
    mj_deleteModel(model);
    pcm_config_release(config);
    pcm_context_free(context);
    return good ? 0 : 1;
}
