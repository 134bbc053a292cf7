/* SPDX-License-Identifier: MIT */
/* cases.h - fewer cases under valgrind and the sanitizers, where each takes up to fifty times as long. */
#ifndef PCM_TESTS_CASES_H
#define PCM_TESTS_CASES_H

#include <stdlib.h>

/* `whole`, or a tenth of it, rounded up, where FEW_CASES is set, as by the setups valgrind and sanitizers. */
static inline size_t cases(size_t whole) { return getenv("FEW_CASES") ? (whole + 9) / 10 : whole; }

#endif
