/* SPDX-License-Identifier: MIT */
/* interrupt.h - signals that ask a run to end before its time. */
#ifndef PCM_TOOLS_RUN_INTERRUPT_H
#define PCM_TOOLS_RUN_INTERRUPT_H

#include <stdbool.h>

/* From here on SIGINT, SIGTERM and SIGHUP ask the run to end; a second one ends the program at once, and names the law
 * that is running. */
void interrupt_arm(void);

/* Whether a signal asked the run to end. */
bool interrupt_asked(void);

/* At the end of everything, the signal that asked for it ends the program, as its caller expects. */
void interrupt_pass_on(void);

#endif
