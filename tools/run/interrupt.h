/* SPDX-License-Identifier: MIT */
/* interrupt.h - how a run ends before its time: signals that ask it to, and laws that take the program down. */
#ifndef PCM_TOOLS_RUN_INTERRUPT_H
#define PCM_TOOLS_RUN_INTERRUPT_H

#include <pcm/pcm.h>

/* The same as below while the laws of a file are prepared: what takes the program down is one of that file's laws, or
 * the one that is being tried (interrupt_call). NULL: they are. */
void interrupt_read(const char *file);
void interrupt_call(const pcm_type *type);

/* From here on SIGINT, SIGTERM and SIGHUP ask the run to end; a second one ends the program at once. A crash, or an
 * exit within a law, names the law. There is one run at a time. */
void interrupt_watch(const pcm_world *world);

/* Whether a signal asked the run to end. */
bool interrupt_asked(void);

/* The run is over: the world may go. */
void interrupt_leave(void);

/* At the end of everything, the signal that asked for it ends the program, as its caller expects. */
void interrupt_pass_on(void);

#endif
