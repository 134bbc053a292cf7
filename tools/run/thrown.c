/* SPDX-License-Identifier: MIT */
#include "thrown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <pcm/messages.h>

#include "command.h"

/* s: contacts that store energy for longer hold little. */
static const double STRETCH = 1;

/* A step somewhat too large lets things bounce higher than they fell: that share of their motion is not told. */
static const double BOUNCE = 0.5;

/* ---- Energy ---------------------------------------------------------------------------------------------------- */

static double size_of(const mjModel *model, int body)
{
    double size = 0;
    for (int i = 0; i < model->body_geomnum[body]; i++)
        size = fmax(size, model->geom_rbound[model->body_geomadr[body] + i]);
    return size;
}

static double lift_of(const mjModel *model)
{
    const double gravity = mju_norm3(model->opt.gravity);
    double       sum = 0;
    for (int i = 1; i < model->nbody; i++)
        if (model->body_weldid[i] != 0)
            sum += model->body_mass[i] * size_of(model, i);
    return (gravity > 0 ? gravity : 9.81) * sum;
}

typedef struct energies {
    double motion, all; /* J: all with that of gravity, as far as bodies feel it, and of springs */
} energies;

static energies energies_of(mjModel *model, mjData *data)
{
    const int enabled = model->opt.enableflags;
    model->opt.enableflags |= mjENBL_ENERGY;
    mj_energyPos(model, data);
    mj_energyVel(model, data);
    model->opt.enableflags = enabled;
    energies found = {data->energy[1], data->energy[0] + data->energy[1]};
#if mjVERSION_HEADER >= 237
    for (int i = 1; i < model->nbody; i++)
        found.all += model->body_gravcomp[i] * model->body_mass[i] * mju_dot3(model->opt.gravity, data->xipos + 3 * i);
#endif
    return found;
}

/* Before the first evaluation; what touches is no part of it. qpos stays as it is to the last bit, where MuJoCo makes
 * its quaternions unit ones: a run that is resumed goes on from them. room: nq. */
static energies energies_at_start(mjModel *model, mjData *data, double *room)
{
    const int disabled = model->opt.disableflags;
    mju_copy(room, data->qpos, (int)model->nq);
    model->opt.disableflags |= mjDSBL_CONTACT;
    mj_fwdPosition(model, data);
    model->opt.disableflags = disabled;
    mju_copy(data->qpos, room, (int)model->nq);
    return energies_of(model, data);
}

bool thrown_start(thrown *t, mjModel *model, mjData *data)
{
    *t = (thrown){.before = calloc((size_t)model->nq + 1, sizeof *t->before), .lift = lift_of(model)};
    if (!t->before) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    const energies now = energies_at_start(model, data, t->before); /* nq is no less than nv */
    const double   wind = mju_norm3(model->opt.wind);
    mju_copy(t->before, data->qvel, (int)model->nv);
    t->highest[0] = t->highest[1] = now.all;
    t->liveliest[0] = t->liveliest[1] = now.motion + 0.5 * mj_getTotalmass(model) * wind * wind;
    t->stretch = data->time + STRETCH;
    return true;
}

void thrown_stop(thrown *t) { free(t->before); }

void thrown_step(thrown *t, const mjModel *model, const mjData *data, double seconds)
{
    double power = 0;
    for (int i = 0; i < (int)model->nv; i++) {
        power += (data->qfrc_actuator[i] + data->qfrc_constraint[i]) * 0.5 * (t->before[i] + data->qvel[i]);
        t->before[i] = data->qvel[i];
    }
    t->given += fmax(power * seconds, 0);
}

/* ---- Looking --------------------------------------------------------------------------------------------------- */

/* The body that has most for its weight. */
static void note(thrown *t, const mjModel *model, mjData *data)
{
    double most = -1;
    mj_comVel(model, data); /* at the end of the step */
    for (int i = 1; i < model->nbody; i++) {
        double velocity[6], sum = 0;
        mj_objectVelocity(model, data, mjOBJ_BODY, i, velocity, 1);
        for (int k = 0; k < 3; k++)
            sum += model->body_inertia[3 * i + k] * velocity[k] * velocity[k];
        sum = mju_dot3(velocity + 3, velocity + 3) + (model->body_mass[i] > 0 ? sum / model->body_mass[i] : 0);
        if (sum <= most)
            continue;
        most = sum;
        t->body = i;
        t->speed = mju_norm3(velocity + 3);
        t->spin = mju_norm3(velocity);
    }
    t->time = data->time;
}

bool thrown_look(thrown *t, mjModel *model, mjData *data)
{
    if (t->body)
        return true;
    const energies now = energies_of(model, data);
    const double   energy = now.all - t->given, gained = energy - t->highest[0];
    if (gained > t->lift + BOUNCE * fmax(t->liveliest[0], t->liveliest[1])) {
        t->gained = gained;
        note(t, model, data);
        return true;
    }
    if (data->time > t->stretch) {
        t->highest[0] = t->highest[1];
        t->liveliest[0] = t->liveliest[1];
        t->highest[1] = energy;
        t->liveliest[1] = 0;
        t->stretch = data->time + STRETCH;
    }
    t->highest[1] = fmax(t->highest[1], energy);
    t->liveliest[1] = fmax(t->liveliest[1], now.motion - fmax(gained, 0));
    return false;
}

void thrown_tell(const thrown *t, const mjModel *model, bool has_steps)
{
    char        message[512], number[32];
    const char *name = t->body ? mj_id2name(model, mjOBJ_BODY, t->body) : NULL;
    if (!t->body)
        return;
    (void)snprintf(number, sizeof number, "%d", t->body);
    (void)snprintf(
        message, sizeof message,
        "body '%.100s' was thrown: at t = %s s it has %s m/s and %s rad/s, and contacts have given %s J more "
        "than they took: try %s",
        name ? name : number, pcm_number(t->time, 4).text, pcm_number(t->speed, 3).text, pcm_number(t->spin, 3).text,
        pcm_number(t->gained, 3).text,
        has_steps ? "a smaller step, --implicit, softer contacts or --ease" : "softer contacts or --ease");
    command_report(
        NULL, &(pcm_diagnostic){
                  .size = sizeof(pcm_diagnostic), .severity = PCM_WARNING, .code = PCM_MSG_THROWN, .message = message});
}
