/* SPDX-License-Identifier: MIT */
/* refuse.h - reports why a function of cones rejects its input. */
#ifndef PCM_CONES_REFUSE_H
#define PCM_CONES_REFUSE_H

#include <pcm/messages.h>
#include <pcm/cone.h>

/* Reports the reason if there is a context to report it to, and returns the status. */
#define REFUSE(context, code, ...)                                                                                     \
    ((context) ? pcm_report((context), PCM_ERROR, (code), __VA_ARGS__) : (void)0, PCM_BAD_ARGUMENT)

#endif
