/* SPDX-License-Identifier: MIT */
#include "stable_step.h"

#include <math.h>
#include <pcm/messages.h>

#include "command.h"

enum { STEPS_PER_LOOK = 64 };

advice advice_start(pcm_mujoco *host) { return (advice){.host = host, .least = {.step = INFINITY}}; }

static bool is_due(advice *a, size_t contacts)
{
    a->touching += contacts > 0;
    const bool doubled = contacts > 0 && (a->touching & (a->touching - 1)) == 0;
    return a->steps++ % STEPS_PER_LOOK == 0 || contacts > a->most || doubled;
}

void advice_look(advice *a)
{
    pcm_mujoco_stability found = {.size = sizeof found};
    const size_t         contacts = pcm_world_contact_count(pcm_mujoco_world(a->host));
    if (!is_due(a, contacts))
        return;
    a->most = contacts > a->most ? contacts : a->most;
    if (pcm_mujoco_stable_step(a->host, &found) != PCM_OK || !(found.step < a->least.step))
        return;
    a->least = found;
    a->time = pcm_mujoco_data(a->host)->time;
}

void advice_tell(const advice *a)
{
    if (a->steps == 0 || !(pcm_mujoco_model(a->host)->opt.timestep > a->least.step))
        return;
    command_message(PCM_WARNING, PCM_MSG_STEP_LARGE, NULL,
                    "the step of %s s is too large: by its stiffness, its damping and the inertia of its bodies, the "
                    "contact of '%.100s' and '%.100s' (%.80s) at t = %s s is stable up to %s s",
                    pcm_number(pcm_mujoco_model(a->host)->opt.timestep, 3).text, a->least.a, a->least.b,
                    pcm_type_get_info(a->least.type)->name, pcm_number(a->time, 4).text,
                    pcm_number(a->least.step, 3).text);
}
