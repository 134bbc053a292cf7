/* SPDX-License-Identifier: MIT */
#include "thrown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <pcm/messages.h>

#include "command.h"

/* Falls over the whole scene that no body's energy is worth, and weights that nothing at rest presses with. */
enum { FALLS = 10, WEIGHTS = 30 };

static void warn(uint32_t code, const char *message)
{
    command_report(
        NULL,
        &(pcm_diagnostic){.size = sizeof(pcm_diagnostic), .severity = PCM_WARNING, .code = code, .message = message});
}

/* ---- Bodies ---------------------------------------------------------------------------------------------------- */

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

void thrown_tell(const thrown *t, const mjModel *model)
{
    char        message[512], number[32];
    const char *name = t->body ? mj_id2name(model, mjOBJ_BODY, t->body) : NULL;
    if (!t->body)
        return;
    (void)snprintf(number, sizeof number, "%d", t->body);
    (void)snprintf(message, sizeof message,
                   "body '%.100s' was thrown: at t = %s s it has %s m/s, %s m above its start, more than %d falls over "
                   "the whole scene would give: try a smaller step, --implicit or softer contacts",
                   name ? name : number, pcm_number(t->time, 4).text, pcm_number(t->speed, 3).text,
                   pcm_number(t->height, 3).text, FALLS);
    warn(PCM_MSG_THROWN, message);
}

/* ---- Contacts at the start ------------------------------------------------------------------------------------- */

/* N: of the lighter of what moves on both sides. */
static double weight_at(const pcm_mujoco *host, const pcm_contact_info *info)
{
    const mjModel *model = pcm_mujoco_model(host);
    const int      bodies[2] = {pcm_mujoco_body(host, info->base), pcm_mujoco_body(host, info->follower)};
    double         mass = INFINITY;
    for (int side = 0; side < 2; side++) {
        const int root = model->body_rootid[bodies[side]];
        if (root > 0 && model->body_weldid[bodies[side]] != 0)
            mass = fmin(mass, model->body_subtreemass[root]);
    }
    return mass * gravity_of(model);
}

void thrown_tell_overlap(pcm_mujoco *host)
{
    pcm_contact_info info = {.size = sizeof info}, worst = {0};
    double           most = WEIGHTS;
    size_t           count = 0;
    for (size_t i = 0; i < pcm_world_contact_count(pcm_mujoco_world(host)); i++) {
        if (pcm_world_contact_at(pcm_mujoco_world(host), i, &info) != PCM_OK || !(info.depth > 0))
            continue;
        const double weights = mju_norm3(info.world_force) / weight_at(host, &info);
        count += weights > WEIGHTS;
        if (weights > most) {
            most = weights;
            worst = info;
        }
    }
    if (count == 0)
        return;
    char message[512];
    (void)snprintf(message, sizeof message,
                   "'%.100s' and '%.100s' overlap by %s m at the start, and are pushed apart with %s times the weight "
                   "of what moves there (such contacts: %zu): move them apart, or let --ease 0.1 part them slowly",
                   worst.base_name, worst.follower_name, pcm_number(worst.depth, 3).text, pcm_number(most, 3).text,
                   count);
    warn(PCM_MSG_OVERLAP, message);
}
