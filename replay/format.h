/* SPDX-License-Identifier: MIT */
/* format.h - the data of a recorded run behind the page's code, as docs/replay.md describes it. The page's own reader
 * is web/replay/chunks.js. */
#ifndef PCM_REPLAY_FORMAT_H
#define PCM_REPLAY_FORMAT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PCM_REPLAY_VERSION = 2,
    PCM_REPLAY_FRAMES = 256,   /* size of a chunk, at most */
    PCM_REPLAY_ROWS = 1 << 16, /* rows of poses and contacts after which a chunk ends */
    PCM_REPLAY_BYTES = 1 << 28 /* size of a chunk, uncompressed, at most */
};
#define PCM_REPLAY_NONE UINT32_MAX /* no rule, no type */

/* An element of the page: this, then text of 7 bits a character, then the end. The numbers refer to the bytes. */
#define PCM_REPLAY_ELEMENT "\n<script type=\"application/x-pcm\" data-length=\"%zu\" data-crc=\"%08lx\">"
#define PCM_REPLAY_MARK    "\n<script type=\"application/x-pcm\" data-length=\""
#define PCM_REPLAY_END     "</script>"

/* The tables store numbers as integers of the same order. From 2^linear on, 16 bits of the mantissa are kept; below,
 * the spacing is constant, 2^(linear - 16), like that of a float below its least exponent. */
enum {
    PCM_REPLAY_STEPS = 1 << 16,                  /* of one binade */
    PCM_REPLAY_INFINITE = 255 * PCM_REPLAY_STEPS /* larger values become NaN */
};
enum { PCM_REPLAY_LINEAR_NUMBER = -126, PCM_REPLAY_LINEAR_LENGTH = -4, PCM_REPLAY_LINEAR_TURN = 0 };

/* The scalar of a unit quaternion with that vector part, in steps: an integer square root, so that all readers get the
 * same. */
static inline uint32_t pcm_replay_scalar(const uint32_t vector[3])
{
    int64_t rest = (int64_t)PCM_REPLAY_STEPS * PCM_REPLAY_STEPS;
    for (size_t k = 0; k < 3; k++) {
        const int64_t part = (int32_t)vector[k];
        if (part > PCM_REPLAY_STEPS || part < -PCM_REPLAY_STEPS)
            return 0;
        rest -= part * part;
    }
    return rest > 0 ? (uint32_t)sqrt((double)rest) : 0;
}

/* The columns of the tables: first the subject of the row, then the others. Each column has a kind, as a letter: i
 * integer, n number, l length in m; x, y, z the vector part of a rotation (a quaternion), and w its scalar, stored as
 * the difference from that of a unit quaternion. */
enum {
    PCM_TOUCH_NUMBER,
    PCM_TOUCH_ID, /* low word, then high word; 0: the host's own */
    PCM_TOUCH_FEATURE = 3,
    PCM_TOUCH_A = 5,
    PCM_TOUCH_B,
    PCM_TOUCH_RULE,
    PCM_TOUCH_TYPE,
    PCM_TOUCH_FRICTION,
    PCM_TOUCH_COLUMNS
};
#define PCM_TOUCH_KINDS "iiiiiiiiin"
enum {
    PCM_HAPPENED_CHANGE, /* pcm_contact_change */
    PCM_HAPPENED_TIME,   /* a double: high word, then low word */
    PCM_HAPPENED_CONTACT = 3,
    PCM_HAPPENED_MODE_BEFORE,
    PCM_HAPPENED_MODE,
    PCM_HAPPENED_COLUMNS
};
#define PCM_HAPPENED_KINDS "iiiiii"
enum { PCM_CHANGES = 5 };
enum { PCM_POSE_SUBJECT, PCM_POSE_FRAME, PCM_POSE_POSITION, PCM_POSE_ORIENTATION = 5, PCM_POSE_COLUMNS = 9 };
#define PCM_POSE_KINDS "iilllwxyz"
enum { PCM_VALUE_QUANTITY, PCM_VALUE_FRAME, PCM_VALUE_NUMBER, PCM_VALUE_COLUMNS };
#define PCM_VALUE_KINDS "iin"
enum {
    PCM_ROW_CONTACT, /* the contact's number in the chunk */
    PCM_ROW_FRAME,
    PCM_ROW_MODE,
    PCM_ROW_POINT,
    PCM_ROW_FRAME_TURN = 6, /* of the contact frame */
    PCM_ROW_FORCE = 10,     /* x, y, n */
    PCM_ROW_MOMENT = 13,
    PCM_ROW_DEPTH = 16,
    PCM_ROW_SLIP, /* x, y */
    PCM_ROW_ENERGY = 19,
    PCM_ROW_WORK,
    PCM_ROW_DISSIPATED,
    PCM_ROW_COLUMNS
};
#define PCM_ROW_KINDS "iiilllwxyznnnnnnnnnnnn"

#endif
