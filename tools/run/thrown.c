/* SPDX-License-Identifier: MIT */
#include "thrown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <pcm/messages.h>

#include "command.h"

/* Falls over the whole scene that no body's energy is worth. */
enum { FALLS = 10 };

static double gravity_of(const mjModel *model)
{
    const double gravity = mju_norm3(model->opt.gravity);
    return gravity > 0 ? gravity : 9.81;
}

static double speed_of(const mjModel *model, const mjData *data, int body)
{
    double velocity[6];
    mj_objectVelocity(model, data, mjOBJ_BODY, body, velocity, 0);
    return mju_norm3(velocity + 3);
}

bool thrown_start(thrown *t, const mjModel *model, const mjData *data)
{
    double fastest = 0;
    *t = (thrown){.start = calloc((size_t)model->nbody, sizeof *t->start)};
    if (!t->start) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    for (int i = 1; i < model->nbody; i++) {
        t->start[i] = data->xipos[3 * i + 2];
        fastest = fmax(fastest, speed_of(model, data, i));
    }
    t->limit = FALLS * (gravity_of(model) * model->stat.extent + 0.5 * fastest * fastest);
    return true;
}

void thrown_stop(thrown *t) { free(t->start); }

bool thrown_look(thrown *t, const mjModel *model, const mjData *data)
{
    for (int i = 1; i < model->nbody && !t->body; i++) {
        const double speed = speed_of(model, data, i), height = data->xipos[3 * i + 2] - t->start[i];
        if (0.5 * speed * speed + gravity_of(model) * height <= t->limit)
            continue;
        t->body = i;
        t->time = data->time;
        t->speed = speed;
        t->height = height;
    }
    return t->body;
}

void thrown_tell(const thrown *t, const mjModel *model, bool has_steps)
{
    char        message[512], number[32];
    const char *name = t->body ? mj_id2name(model, mjOBJ_BODY, t->body) : NULL;
    if (!t->body)
        return;
    (void)snprintf(number, sizeof number, "%d", t->body);
    (void)snprintf(message, sizeof message,
                   "body '%.100s' was thrown: at t = %s s it has %s m/s, %s m above its start, more than %d falls over "
                   "the whole scene would give: try %s",
                   name ? name : number, pcm_number(t->time, 4).text, pcm_number(t->speed, 3).text,
                   pcm_number(t->height, 3).text, FALLS,
                   has_steps ? "a smaller step, --implicit or softer contacts"
                             : "softer contacts or a start further apart");
    command_report(
        NULL, &(pcm_diagnostic){
                  .size = sizeof(pcm_diagnostic), .severity = PCM_WARNING, .code = PCM_MSG_THROWN, .message = message});
}
