/* SPDX-License-Identifier: MIT */
/* report.h - the errors of a configuration, collected while it is read and sent in the order of the text. */
#ifndef PCM_GRAMMAR_REPORT_H
#define PCM_GRAMMAR_REPORT_H

#include "source.h"
#include "suggest.h"

#include <stdarg.h>

/* New text for a place, if the fix is certain. Length 0: it is inserted before the byte. */
typedef struct pcm_message_fix {
    struct pcm_message_fix *next;
    pcm_span                span;
    const char             *text;
} pcm_message_fix;

typedef struct pcm_message {
    struct pcm_message *next;
    struct pcm_message *notes; /* in the order in which they were added */
    pcm_message_fix    *fixes; /* together they fix the error */
    pcm_span            span;
    pcm_severity        severity;
    uint32_t            code;
    const char         *message;
} pcm_message;

typedef struct pcm_reports {
    pcm_sources *sources;
    pcm_arena    arena; /* of reports and statements */
    pcm_message *first, *last;
    uint32_t     count, errors;
    bool         no_memory; /* something could not be recorded */
} pcm_reports;

/* The most of a token that a message quotes. */
static inline int pcm_shown(size_t length) { return length < 60 ? (int)length : 60; }

/* Of a text with more errors the first ones are told, and that there are more; of these many messages the first have
 * suggestions. So the time to read a text stays in proportion to its length. */
enum { PCM_ERRORS_MOST = 1000, PCM_SUGGESTIONS_MOST = 100 };

void pcm_reports_start(pcm_reports *reports, pcm_sources *sources);
void pcm_reports_free(pcm_reports *reports);

/* Formats as printf, without numbers that depend on the locale; control characters and invalid UTF-8 become \xNN.
 * Returns NULL, and sets no_memory, if there is no memory. An error beyond PCM_ERRORS_MOST is only counted, and returns
 * NULL. */
pcm_message *pcm_report_add(pcm_reports *reports, pcm_severity severity, uint32_t code, pcm_span span,
                            const char *format, ...) __attribute__((format(printf, 5, 6)));

pcm_message *pcm_report_add_list(pcm_reports *reports, pcm_severity severity, uint32_t code, pcm_span span,
                                 const char *format, va_list arguments) __attribute__((format(printf, 5, 0)));

/* Starts a search for the name that was meant. Its word is empty where no suggestion is to be sought. */
pcm_suggestion pcm_report_suggest(const pcm_reports *reports, const char *word, size_t length);

/* Adds a note to a report, which may be NULL. */
void pcm_report_note(pcm_reports *reports, pcm_message *report, pcm_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a fix to a report, which may be NULL; at most PCM_FIXES_MOST. */
void pcm_report_add_fix(pcm_reports *reports, pcm_message *report, pcm_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

enum { PCM_FIXES_MOST = 4 };

/* Adds a fix if the suggested word differs from that at span only in the case of letters. */
void pcm_report_fix_case(pcm_reports *reports, pcm_message *report, pcm_span span, const pcm_suggestion *suggestion);

/* Sorts the reports into the order of the text. */
void pcm_reports_sort(pcm_reports *reports);

#endif
