/* SPDX-License-Identifier: MIT */
/* format.h - what stands in the page of a run behind its code: docs/replay.md describes it. The page's own reader is
 * web/replay/chunks.js. */
#ifndef PCM_REPLAY_FORMAT_H
#define PCM_REPLAY_FORMAT_H

#include <stdint.h>

enum {
    PCM_REPLAY_VERSION = 1,
    PCM_REPLAY_FRAMES = 256, /* of a chunk */
    PCM_REPLAY_DROPPED = 7   /* bits of a single's 23-bit mantissa */
};
#define PCM_REPLAY_NONE UINT32_MAX /* no rule, no type */

/* An element of the page: this, then base64 text, then the end. The numbers are those of the bytes in base64. */
#define PCM_REPLAY_ELEMENT "\n<script type=\"application/x-pcm\" data-length=\"%zu\" data-crc=\"%08lx\">"
#define PCM_REPLAY_MARK    "\n<script type=\"application/x-pcm\" data-length=\""
#define PCM_REPLAY_END     "</script>"

/* The columns of the tables, words of 32 bits: what a row is of, its frame, integers, then singles. Rows of events have
 * a time, a double in two words, in place of the frame. */
enum {
    PCM_HAPPENED_CHANGE, /* pcm_contact_change */
    PCM_HAPPENED_TIME,   /* its high word, then its low one */
    PCM_HAPPENED_ID = 3, /* its low word, then its high one */
    PCM_HAPPENED_A = 5,
    PCM_HAPPENED_B,
    PCM_HAPPENED_RULE,
    PCM_HAPPENED_MODE_BEFORE,
    PCM_HAPPENED_MODE,
    PCM_HAPPENED_COLUMNS
};
enum { PCM_CHANGES = 5 };
enum { PCM_POSE_SUBJECT, PCM_POSE_FRAME, PCM_POSE_POSITION, PCM_POSE_ORIENTATION = 5, PCM_POSE_COLUMNS = 9 };
enum { PCM_VALUE_QUANTITY, PCM_VALUE_FRAME, PCM_VALUE_NUMBER, PCM_VALUE_COLUMNS };
enum {
    PCM_ROW_CONTACT, /* in the chunk's list */
    PCM_ROW_FRAME,
    PCM_ROW_MODE,
    PCM_ROW_POINT,          /* singles from here on */
    PCM_ROW_FRAME_TURN = 6, /* quaternion of the contact frame, scalar first, which is 0 or more */
    PCM_ROW_FORCE = 10,     /* x, y, n */
    PCM_ROW_MOMENT = 13,
    PCM_ROW_DEPTH = 16,
    PCM_ROW_SLIP, /* x, y */
    PCM_ROW_ENERGY = 19,
    PCM_ROW_WORK,
    PCM_ROW_DISSIPATED,
    PCM_ROW_COLUMNS
};

#endif
