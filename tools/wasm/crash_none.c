/* SPDX-License-Identifier: MIT */
/* crash_none.c - replaces crash.c where there are no signals: the WebAssembly host reports a crash. */
#include "crash.h"

void crash_watch(pcm_context *context) { (void)context; }

void crash_call(const pcm_type *type, const char *function)
{
    (void)type;
    (void)function;
}
