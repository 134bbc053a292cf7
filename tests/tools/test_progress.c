/* SPDX-License-Identifier: MIT */
/* Progress of long work on standard error, if that is not a terminal. */
#include "progress.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* Redirects standard error to a file meanwhile. */
static size_t written(progress *bar, char *text, size_t size)
{
    FILE     *file = tmpfile();
    const int kept = dup(STDERR_FILENO);
    assert_true(file && kept >= 0);
    (void)fflush(stderr);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    progress_at(bar, 0.5, "t = 1 s");
    progress_end(bar);
    (void)fflush(stderr);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    rewind(file);
    const size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    (void)fclose(file);
    (void)close(kept);
    return length;
}

static void lines_are_written_now_and_then(void **state)
{
    (void)state;
    char     text[128];
    progress bar = progress_start();
    if (bar.is_terminal)
        skip();
    assert_true(bar.every >= 10);
    bar.every = 0; /* output is due */
    assert_true(written(&bar, text, sizeof text) > 0);
    assert_int_equal(strncmp(text, "50 %: t = 1 s, ", 15), 0);
    assert_non_null(strstr(text, " s left\n"));
    assert_false(progress_due(&(progress){.every = INFINITY}));
    bar = progress_start(); /* output is not due yet */
    assert_int_equal(written(&bar, text, sizeof text), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_written_now_and_then)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
