/* SPDX-License-Identifier: MIT */
/* interrupt.h - signals that ask a run to end early. */
#ifndef PCM_TOOLS_RUN_INTERRUPT_H
#define PCM_TOOLS_RUN_INTERRUPT_H

#include <stdbool.h>

/* From here on SIGINT, SIGTERM and SIGHUP ask the run to end; a second signal ends the program at once, and names the
 * running law. */
void interrupt_arm(void);

/* Whether a signal asked the run to end. */
bool interrupt_asked(void);

/* Call it at the very end: ends the program by the signal that was received, as its caller expects. */
void interrupt_pass_on(void);

#endif
