/* SPDX-License-Identifier: MIT */
/* number.h - numbers inside messages. pcm_number_read and pcm_number_write themselves are public: see pcm.h. */
#ifndef PCM_CORE_NUMBER_H
#define PCM_CORE_NUMBER_H

#include <pcm/pcm.h>

typedef struct pcm_number_text {
    char text[PCM_NUMBER_SIZE];
} pcm_number_text;

/* For "%s" in a format: pcm_number(x).text lives to the end of the full expression. */
static inline pcm_number_text pcm_number(double value)
{
    pcm_number_text number;
    pcm_number_write(value, 0, number.text);
    return number;
}

/* The same for what was computed, such as a time that is a sum of steps: without the digits of its rounding errors. */
static inline pcm_number_text pcm_rounded(double value)
{
    pcm_number_text number;
    pcm_number_write(value, 9, number.text);
    return number;
}

#endif
