/* SPDX-License-Identifier: MIT */
#include "context_struct.h"

#include <string.h>

static void copy(char *to, size_t room, const char *text, size_t length)
{
    const size_t kept = length < room ? length : room - 1;
    memcpy(to, text, kept);
    to[kept] = '\0';
}

void pcm_context_note_calls(pcm_context *context, pcm_called *called) { context->called = called; }

void pcm_call_begin(const pcm_context *context, const char *function, const char *law, const char *type,
                    size_t type_length)
{
    pcm_called *called = context->called;
    if (!called)
        return;
    copy(called->law, sizeof called->law, law, strlen(law));
    copy(called->type, sizeof called->type, type, type_length);
    copy(called->function, sizeof called->function, function, strlen(function));
}

void pcm_call_end(const pcm_context *context)
{
    if (context->called)
        context->called->function[0] = '\0';
}
