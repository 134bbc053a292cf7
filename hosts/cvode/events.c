/* SPDX-License-Identifier: MIT */
/* events.c - reports events to the caller, each once.
 *
 * After a stop, the indicator that caused it starts from zero within rounding, and may cross again at once. A place
 * that begins to touch is reported once by its geometry and again by its law. And an indicator that has a value only
 * during contact, such as that of sticking, leaves zero as the contact begins, which is no event of its own. Such
 * echoes follow within rounding of the time and are not reported. */
#include "system.h"
#include <math.h>
#include <string.h>

/* s, per second of (1 + time): far above rounding, far below the resolution of the tolerances. */
static const double echo = 1e-13;

static bool is_same_place(const pcm_cvode_event *told, const pcm_cvode_event *event)
{
    const bool same_pair = (strcmp(told->a, event->a) == 0 && strcmp(told->b, event->b) == 0) ||
                           (strcmp(told->a, event->b) == 0 && strcmp(told->b, event->a) == 0);
    return same_pair && told->feature == event->feature;
}

static bool is_echo(const pcm_cvode_event *told, const pcm_cvode_event *event)
{
    if (!is_same_place(told, event))
        return false;
    const bool began = strcmp(told->name, PCM_TOUCH_DOWN) == 0 || strcmp(told->name, PCM_ONSET_EVENT) == 0;
    const bool begins = began && strcmp(event->name, PCM_PARTED_EVENT) != 0;
    return begins || (told->direction == event->direction && strcmp(told->name, event->name) == 0);
}

static bool reserve(pcm_system *system)
{
    return pcm_grow(system->context, &system->told, &system->told_capacity, system->n_told + 1, sizeof *system->told);
}

void pcm_system_tell(pcm_system *system, const pcm_cvode_event *event)
{
    if (!system->def.event)
        return;
    size_t kept = 0;
    bool   told = false;
    for (size_t i = 0; i < system->n_told; i++) {
        if (event->time - system->told[i].time > echo * (1 + fabs(event->time)))
            continue;
        told = told || is_echo(&system->told[i], event);
        system->told[kept++] = system->told[i];
    }
    system->n_told = kept;
    if (told)
        return;
    if (reserve(system)) /* without memory an echo may be reported, which is better than a lost event */
        system->told[system->n_told++] = *event;
    system->def.event(system->def.user, event);
}
