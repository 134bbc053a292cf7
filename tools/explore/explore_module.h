/* SPDX-License-Identifier: MIT */
/* explore_module.h - laws as WebAssembly modules, compressed with gzip and in base64. */
#ifndef PCM_TOOLS_EXPLORE_MODULE_H
#define PCM_TOOLS_EXPLORE_MODULE_H

/* The module of an installed law, from the folder `laws` in `folder`. To be freed; NULL, with a report: there is
 * none. */
char *explore_module(const char *folder, const char *law);

/* The module of a law's C file, compiled by law.sh in the folder. To be freed; NULL, with a report, on failure. */
char *explore_compile(const char *folder, const char *c_file);

/* A file in base64. To be freed; NULL: it cannot be read. */
char *explore_encoded(const char *path);

#endif
