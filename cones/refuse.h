/* SPDX-License-Identifier: MIT */
/* refuse.h - how cones say why they refuse something. */
#ifndef PCM_CONES_REFUSE_H
#define PCM_CONES_REFUSE_H

#include <pcm/messages.h>
#include <pcm/cone.h>

/* Says why, where there is a context to say it to, and gives the status. */
#define REFUSE(context, code, ...)                                                                                     \
    ((context) ? pcm_report((context), PCM_ERROR, (code), __VA_ARGS__) : (void)0, PCM_BAD_ARGUMENT)

#endif
