/* SPDX-License-Identifier: MIT */
/* A library that a plugin brings. Its code must never run. */
__attribute__((constructor)) static void start(void) { __builtin_trap(); }
