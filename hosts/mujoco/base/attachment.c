/* SPDX-License-Identifier: MIT */
/* attachment.c - functions for all rooms: an attachment's lock, status and definition, and errors that several rooms
 * report. */
#include "attachment.h"
#include <pcm/messages.h>

/* ---- For the user ------------------------------------------------------------------------------------------------ */

void pcm_mujoco_defaults_into(pcm_mujoco_def *def, size_t size)
{
    const pcm_mujoco_def defaults = {.size = sizeof defaults,
                                     .check_scene = true,
                                     .list_contacts = true,
                                     .advise_step = true,
                                     .own_boxes = true,
                                     .own_convex = true,
                                     .implicit = true};
    pcm_info_fill(NULL, NULL, def, size, &defaults);
}

pcm_world *pcm_mujoco_world(pcm_mujoco *host) { return host->world; }

const mjModel *pcm_mujoco_model(const pcm_mujoco *host) { return host->model; }

mjData *pcm_mujoco_data(const pcm_mujoco *host) { return host->data; }

int pcm_mujoco_integrator(const char *name)
{
    static const struct {
        const char *name;
        int         integrator;
    } known[] = {{"euler", mjINT_EULER},
                 {"rk4", mjINT_RK4},
                 {"implicit", mjINT_IMPLICIT},
                 {"implicitfast", PCM_RELEASE_IMPLICITFAST},
                 {"discrete", PCM_RELEASE_DISCRETE}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].integrator;
    return -1;
}

/* ---- The lock and the status ------------------------------------------------------------------------------------- */

void pcm_host_lock(pcm_mujoco *host) { pthread_mutex_lock(&host->lock); }

void pcm_host_unlock(pcm_mujoco *host) { pthread_mutex_unlock(&host->lock); }

void pcm_host_note(pcm_mujoco *host, pcm_status status)
{
    pcm_status *first = host->in_own_call ? &host->status : &host->loop_status;
    if (*first == PCM_OK)
        *first = status;
}

/* ---- Checks and errors of several rooms -------------------------------------------------------------------------- */

pcm_status pcm_host_no_memory(pcm_context *context)
{
    pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a MuJoCo scene");
    return PCM_NO_MEMORY;
}

/* Three parts of a release: 3, 12 and 0. */
#define PARTS(number) (number) / 1000000, (number) / 1000 % 1000, (number) % 1000

bool pcm_host_fits(pcm_context *context)
{
    const int loaded = PCM_RELEASE_NUMBER(mj_version());
    if (!pcm_release_known())
        pcm_report(context, PCM_ERROR, PCM_MSG_RELEASE,
                   "libmujoco is release %d.%d.%d, but this PCM knows MuJoCo up to " PCM_RELEASE_LAST_TEXT
                   ": install that one, or a newer PCM",
                   PARTS(loaded));
    else if (!pcm_release_fits())
        pcm_report(context, PCM_ERROR, PCM_MSG_RELEASE,
                   "libmujoco is release %d.%d.%d, but PCM was compiled with the headers of %d.%d.%d: compile PCM with "
                   "the headers of that library, -Dmujoco_dir=DIR",
                   PARTS(loaded), PARTS(PCM_RELEASE));
    return pcm_release_known() && pcm_release_fits();
}

bool pcm_host_fill(pcm_context *context, const pcm_mujoco_def *def, pcm_mujoco_def *filled)
{
    *filled = pcm_mujoco_defaults();
    return pcm_def_fill(context, "pcm_mujoco_def", filled, def);
}
