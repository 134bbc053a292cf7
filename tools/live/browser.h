/* SPDX-License-Identifier: MIT */
/* browser.h - a page in the system's Chromium, without a window: asked by its DevTools protocol over pipes. */
#ifndef PCM_TOOLS_LIVE_BROWSER_H
#define PCM_TOOLS_LIVE_BROWSER_H

#include <stdbool.h>

/* How a picture or a film of a page is made. */
typedef struct page_picture {
    const char *image, *video; /* files to write, PNG and WebM; NULL: none */
    double      time;          /* s, of the picture, and the end of the film; 0: the page's own */
    double      width, height; /* pixels */
} page_picture;

/* Opens the page and writes its pictures; false, with a report. Without a file to write it does nothing. */
bool browser_picture(const char *page, const page_picture *picture);

#endif
