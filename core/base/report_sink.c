/* SPDX-License-Identifier: MIT */
/* report_sink.c - messages on their way to the context's sink. */
#include "context_struct.h"

#include <stdarg.h>
#include <stdio.h>

void pcm_emit(pcm_context *context, const pcm_diagnostic *diagnostic)
{
    pcm_diagnostic known = {.size = sizeof known};
    if (context->sink && pcm_def_fill(context, "pcm_diagnostic", &known, diagnostic))
        context->sink(context->sink_user, &known);
}

static void say(pcm_context *context, pcm_diagnostic *diagnostic, const char *format, va_list arguments)
{
    char    text[512];
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    char     *longer = NULL;
    if (length >= (int)sizeof text && (longer = pcm_allocate(context, (size_t)length + 1)))
        vsnprintf(longer, (size_t)length + 1, format, again);
    va_end(again);
    diagnostic->message = longer ? longer : text;
    pcm_emit(context, diagnostic);
    pcm_free(context, longer, (size_t)length + 1);
}

void pcm_report(pcm_context *context, pcm_severity severity, uint32_t code, const char *format, ...)
{
    pcm_diagnostic diagnostic = {.size = sizeof diagnostic, .severity = severity, .code = code};
    va_list        arguments;
    va_start(arguments, format);
    say(context, &diagnostic, format, arguments);
    va_end(arguments);
}

void pcm_report_at(pcm_context *context, pcm_severity severity, uint32_t code, const pcm_place *place,
                   const char *format, ...)
{
    pcm_diagnostic diagnostic = {.size = sizeof diagnostic, .severity = severity, .code = code};
    va_list        arguments;
    if (place)
        diagnostic.place = *place;
    va_start(arguments, format);
    say(context, &diagnostic, format, arguments);
    va_end(arguments);
}
