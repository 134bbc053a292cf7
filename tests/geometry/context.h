/* SPDX-License-Identifier: MIT */
/* context.h - opens and closes the context for a group of tests. */
#ifndef PCM_TESTS_GEOMETRY_CONTEXT_H
#define PCM_TESTS_GEOMETRY_CONTEXT_H

#include <pcm/pcm.h>

static pcm_context *context;

static int open_context(void **state)
{
    (void)state;
    context = pcm_context_new(NULL);
    return context ? 0 : -1;
}

static int close_context(void **state)
{
    (void)state;
    pcm_context_free(context);
    return 0;
}

#endif
