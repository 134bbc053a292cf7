/* SPDX-License-Identifier: MIT */
/* record_none.c - replaces record.c in a build without zlib. */
#include "run.h"

#include <pcm/messages.h>

bool record_begin(run *r)
{
    if (r->options->replay)
        command_error(PCM_MSG_REPLAY_FILE, "--replay: this pcm was built without zlib (Debian: zlib1g-dev)");
    return !r->options->replay;
}

void record_energies(run *r) { (void)r; }

void record_step(run *r) { (void)r; }

bool record_end(run *r)
{
    (void)r;
    return true;
}
