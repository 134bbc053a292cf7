/* SPDX-License-Identifier: MIT */
/* shrink.h - makes the counterexample of a search small: fewer rows, values by default, round numbers. */
#ifndef PCM_TOOLS_VERIFY_SHRINK_H
#define PCM_TOOLS_VERIFY_SHRINK_H

#include "search.h"

/* Within the child that found it: s->smallest is the smallest motion that still fails for the same cause. */
void shrink(search *s, subject *law);

/* The same for a motion that ends its child in the way that s->child says, each try in a child of its own. */
void shrink_death(search *s);

#endif
