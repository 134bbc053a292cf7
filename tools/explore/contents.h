/* SPDX-License-Identifier: MIT */
/* contents.h - what goes into a page with laws: a .pcm text with the files that it includes, and the modules of laws.
 */
#ifndef PCM_TOOLS_EXPLORE_CONTENTS_H
#define PCM_TOOLS_EXPLORE_CONTENTS_H

#include <pcm/pcm.h>

#include "json.h"

enum { CONTENT_LAWS = 128, CONTENT_NAME = 64 };

typedef struct page_contents {
    char         folder[4096]; /* contains the viewers and the laws' modules */
    const char  *plugins;      /* of --plugins; NULL: none */
    pcm_context *context;
    pcm_config  *config; /* of a .pcm file; NULL: only laws are given */
    struct content_law {
        char name[CONTENT_NAME], *module; /* the module in base64 */
        char c_file[4096];                /* "": an installed law */
    } laws[CONTENT_LAWS];
    size_t n_laws;
} page_contents;

/* Reports that a page cannot be written, and returns false. */
bool contents_fail(const char *what, const char *why);

/* Adds a law, if it is not there yet. NULL, with a report: there are too many. */
struct content_law *contents_add_law(page_contents *page, const char *name, const char *c_file);

/* Adds a .pcm file and its laws; false, with a report: it has errors. */
bool contents_add_file(page_contents *page, const char *path);

/* Finds the folder; false: this installation has no pages. */
bool contents_find_folder(page_contents *page);

/* Adds every module in base64: installed ones and those compiled here. */
bool contents_add_modules(page_contents *page);

/* Writes the text, NULL: that of the file, and the files that it includes, by paths relative to its folder. word: the
 * title, a path or a name. */
void contents_put_text(const page_contents *page, json *j, const char *word, const char *text);
void contents_put_laws(const page_contents *page, json *j);

/* Writes the viewer, with the data instead of the line @data@. */
bool contents_write(const page_contents *page, const char *viewer, const char *data, const char *out_path);

void contents_free(page_contents *page);

/* The path's last part. */
const char *contents_base(const char *path);

#endif
