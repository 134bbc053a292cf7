/* SPDX-License-Identifier: MIT */
/* The binary interface, field by field, for 64-bit pointers. A line changes only with PCM_ABI_MAJOR; a field appended
 * to a struct adds a line and changes the struct's size. */
#ifndef PCM_TESTS_LAYOUT_H
#define PCM_TESTS_LAYOUT_H

#include <stddef.h>

#define SIZE(type, bytes)       _Static_assert(sizeof(type) == (bytes), #type " has another size")
#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved")
#define IS(constant, value)     _Static_assert((constant) == (value), #constant " has changed")

#endif
