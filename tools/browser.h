/* SPDX-License-Identifier: MIT */
/* browser.h - a page in the system's Chromium, without a window: asked by its DevTools protocol over pipes. */
#ifndef PCM_TOOLS_BROWSER_H
#define PCM_TOOLS_BROWSER_H

#include <stdbool.h>

/* How a picture or a film of a page is made. */
typedef struct page_picture {
    const char *image, *video; /* files to write, PNG and WebM; NULL: none */
    double      time;          /* s, of the picture, and the end of the film */
    double      width, height; /* pixels */
} page_picture;

#define PAGE_PICTURE_NONE                                                                                              \
    {                                                                                                                  \
        .time = 2, .width = 1280, .height = 720                                                                        \
    }

/* The options of commands that make pictures; WRITE and THING are the words of their documentation. */
#define OPTION_PICTURE(target, write, thing)                                                                           \
    {.name = "--image",                                                                                                \
     .value = "OUT.png",                                                                                               \
     .doc = write " a picture of the " thing ", by Chromium without a window",                                         \
     .text = &(target)->image},                                                                                        \
        {.name = "--video", .value = "OUT.webm", .doc = write " a film of the " thing, .text = &(target)->video},      \
        {.name = "--time",                                                                                             \
         .value = "S",                                                                                                 \
         .doc = "of the picture, and the end of the film; default 2",                                                  \
         .positive = &(target)->time},                                                                                 \
        {.name = "--width",                                                                                            \
         .value = "N",                                                                                                 \
         .doc = "of picture and film, in pixels; default 1280",                                                        \
         .positive = &(target)->width},                                                                                \
    {                                                                                                                  \
        .name = "--height", .value = "N", .doc = "likewise; default 720", .positive = &(target)->height                \
    }

/* Opens the page and writes its pictures; false, with a report. Without a file to write it does nothing. */
bool browser_picture(const char *page, const page_picture *picture);

#endif
