/* SPDX-License-Identifier: MIT */
/* run_cvode_none.c - replaces run_cvode.c in a build without SUNDIALS CVODE. */
#include "run.h"

#include <pcm/messages.h>

bool run_with_cvode(run *r)
{
    (void)r;
    command_error(PCM_MSG_SOLVER, "--solver cvode: this pcm was built without SUNDIALS CVODE; "
                                  "`NEEDS=cvode scripts/setup build` adds it to the build of the first command");
    return false;
}
