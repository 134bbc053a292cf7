/* SPDX-License-Identifier: MIT */
#include "search.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "shrink.h"

enum { SAME_VALUES = 8 /* tries with one set of values: setting them costs more than a try */ };

bool finding_say(finding *found, int cause, const char *advice, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(found->what, sizeof found->what, format, arguments);
    va_end(arguments);
    (void)snprintf(found->advice, sizeof found->advice, "%s", advice);
    found->cause = cause;
    return true;
}

/* Numbers of their own for each check and try, so that one check does not depend on what others do. */
static dice dice_of(const search *s, uint64_t index)
{
    uint64_t state = s->def->seed * 0x9e3779b97f4a7c15u + index * 0xbf58476d1ce4e5b9u;
    for (const char *c = s->check->name; *c; c++)
        state = (state ^ (uint64_t)(unsigned char)*c) * 0x100000001b3u;
    return (dice){state};
}

/* Processor time: on a busy machine a budget goes as far as on an idle one. */
static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* One try; true where the check fails. */
static bool try_motion(search *s, subject *law, size_t index)
{
    dice values = dice_of(s, 2 * (index / SAME_VALUES)), d = dice_of(s, 2 * index + 1);
    child_start_clock();
    motion_roll_params(law, &values, s->current.params);
    if (!subject_set_values(law, s->current.params, NULL)) {
        s->refused++;
        return false;
    }
    s->current.carrier = law->carrier;
    const char *reason = s->check->absent ? s->check->absent(law) : NULL;
    s->reason = reason ? reason : s->reason;
    if (reason)
        return false;
    s->tries++;
    s->check->roll(law, &d, &s->current);
    return s->check->fails(law, &s->current, &s->found);
}

/* Opens the law behind each carrier that it goes with; how many those are. */
static size_t open_carried(const search *s, subject *laws)
{
    size_t count = 0;
    double values[SUBJECT_PARAMS];
    for (uint32_t carrier = 1; carrier <= SUBJECT_CARRIERS; carrier++) {
        subject *law = &laws[count];
        bool     goes = subject_open(law, s->def->subject, carrier);
        for (size_t i = 0; goes && i < subject_param_count(law); i++)
            values[i] = motion_default(law, i);
        goes = goes && subject_set_values(law, values, NULL);
        count += goes;
        if (!goes)
            subject_close(law);
    }
    return count;
}

/* What the check tries: the law, or the law behind its carriers. 0: it could not be loaded. */
static size_t open_subjects(search *s, subject *laws)
{
    if (!subject_open(&laws[0], s->def->subject, 0))
        return 0;
    if (!s->check->whole || !subject_is_part(&laws[0]))
        return 1;
    subject_close(&laws[0]);
    const size_t count = open_carried(s, laws);
    s->reason = count > 0 ? NULL : "none of the laws that could carry this part is found";
    return count;
}

static void search_in_child(void *argument)
{
    static subject laws[SUBJECT_CARRIERS];
    search        *s = argument;
    const double   end = now() + s->seconds;
    const size_t   tries = (size_t)ceil((double)s->check->weight * s->def->budget);
    const size_t   count = open_subjects(s, laws);
    s->result = count > 0 ? SEARCH_GOOD : s->reason ? SEARCH_IDLE : SEARCH_FAILED;
    for (size_t i = 0; i < tries && count > 0 && !s->stopped; i++) {
        subject *law = &laws[i / SAME_VALUES % count];
        if (try_motion(s, law, i)) {
            s->smallest = s->current;
            s->result = SEARCH_FOUND;
            shrink(s, law);
            return;
        }
        s->stopped = now() > end;
    }
    if (s->tries == 0 && s->result == SEARCH_GOOD)
        s->result = SEARCH_IDLE;
}

/* ---- What ends a child ---------------------------------------------------------------------------------------------
 */

void search_say_end(search *s)
{
    static const char pure_advice[] =
        "Keep nothing in static or global variables: what a contact remembers is a state; constants are const.";
    finding *found = &s->found;
    switch (s->child.end) {
    case CHILD_CALLED:
        (void)finding_say(
            found, 0,
            "In update, establish, jump and terminate use the functions of kit.h alone (pcm_sqrt, pcm_exp, "
            "pcm_tanh ...); what needs others belongs into prepare.",
            "it calls %s", s->child.name);
        break;
    case CHILD_TOUCHED:
        (void)finding_say(found, 0, pure_advice, "it writes static data: contacts, threads and trial steps share it");
        break;
    case CHILD_STACK:
        (void)finding_say(found, 0, "Do not recurse without end, and keep arrays of fixed size small.",
                          "it used up the stack");
        break;
    case CHILD_HUNG:
        (void)finding_say(found, 0, "Look for a loop without an end: iterations need a fixed count.",
                          "it did not come back within 2 s of processor time");
        break;
    case CHILD_LEFT:
        (void)finding_say(found, 0, "A law never ends the process: report what is wrong in prepare.",
                          "it ended the process");
        break;
    case CHILD_LATE:
        (void)finding_say(found, 0, "Look for a lock, a sleep or a read.", "it waited for something, without end");
        break;
    case CHILD_SLOW:
        (void)finding_say(found, 0, "Try again when less runs beside it.", "the machine left it too little time");
        break;
    default:
        (void)finding_say(found, 0, "Run pcm rig on the table in a debugger, or build the law with -fsanitize=address.",
                          "it crashed: %s", strsignal(s->child.signal));
    }
}

void search_run(search *s)
{
    s->child = child_run(search_in_child, s, 20 * fmax(s->def->budget, s->seconds), true);
    if (s->child.end == CHILD_DONE || s->child.end == CHILD_NONE)
        return;
    if (s->child.end == CHILD_SLOW && s->result != SEARCH_FOUND) {
        s->stopped = true;
        s->result = s->tries > 0 ? SEARCH_GOOD : SEARCH_IDLE;
        return;
    }
    if (s->result == SEARCH_FOUND)
        return; /* it died of a smaller counterexample; the last one stands */
    s->result = SEARCH_FOUND;
    s->smallest = s->current;
    search_say_end(s);
    if (s->child.end != CHILD_LATE && s->child.end != CHILD_HUNG)
        shrink_death(s);
}
