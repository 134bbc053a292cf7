/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "command.h"
#include "crash.h"

static volatile sig_atomic_t asked; /* the signal received; 0: none */

/* After the handler returns, the signal takes its default action. */
static void let_through(int number)
{
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void on_request(int number)
{
    if (asked) {
        crash_tell("did not return");
        let_through(number);
    }
    asked = number;
}

/* Handles a signal. One that is ignored at the start, as under nohup, stays ignored. */
static void handle(int number)
{
    struct sigaction before, action = {.sa_handler = on_request, .sa_flags = SA_ONSTACK | SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        (void)sigaction(number, &action, NULL);
}

void interrupt_arm(void)
{
    static const int requests[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        handle(requests[i]);
}

bool interrupt_asked(void) { return asked; }

void interrupt_pass_on(void)
{
    if (!asked)
        return;
    (void)command_finish(EXIT_GOOD);
    let_through((int)asked);
}
