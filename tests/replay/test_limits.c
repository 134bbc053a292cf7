/* SPDX-License-Identifier: MIT */
/* Pages beyond the limits of docs/replay.md, with correct checksums: the reader rejects the excess when it reaches it,
 * whatever the headers claim. */
#include "element.h"
#include "recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const char path[] = "test_limits.html";

/* A chunk under construction. */
typedef struct draft {
    uint8_t *bytes;
    size_t   count, room;
} draft;

static uint8_t *add(draft *d, size_t count)
{
    while (d->count + count > d->room) {
        d->room = 2 * d->room + 4096;
        d->bytes = realloc(d->bytes, d->room);
        assert_non_null(d->bytes);
    }
    d->count += count;
    return memset(d->bytes + d->count - count, 0, count);
}

static void add_u32(draft *d, uint32_t value)
{
    uint8_t *at = add(d, 4);
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

enum { TITLES, SOURCES, TYPES, RULES, SUBJECTS, SHAPES, CAMERAS, QUANTITIES, FRAMES, LISTS };

/* A chunk whose lists start at those numbers, with that many unnamed subjects and frames at 0 s, and that many poses of
 * subject 0, all in frame 0. */
static draft chunk_of(const uint32_t first[LISTS], uint32_t subjects, uint32_t frames, uint32_t poses)
{
    draft d = {0};
    add_u32(&d, PCM_REPLAY_VERSION);
    for (int i = 0; i < LISTS; i++) {
        add_u32(&d, first ? first[i] : 0);
        add_u32(&d, i == SUBJECTS ? subjects : i == FRAMES ? frames : 0);
        (void)add(&d, i == SUBJECTS ? 12 * (size_t)subjects : i == FRAMES ? 8 * (size_t)frames : 0);
    }
    add_u32(&d, 0); /* contacts */
    add_u32(&d, 0); /* events */
    add_u32(&d, poses);
    for (size_t column = 0; poses && column < PCM_POSE_COLUMNS; column++) {
        uint8_t *at = add(&d, 1 + 4 * (size_t)poses);
        if (column == PCM_POSE_SUBJECT) { /* as differences, folded: 0, 1, 2 ... */
            at[0] = 1;
            memset(at + 1 + 3 * (size_t)poses + 1, 2, poses - 1);
        }
    }
    add_u32(&d, 0); /* contacts of frames */
    add_u32(&d, 0); /* values */
    return d;
}

/* Appended to the page; frees the chunk. */
static void append(const draft *chunk, size_t times)
{
    char  *text = NULL;
    size_t length;
    FILE  *memory = open_memstream(&text, &length), *file = fopen(path, "ab");
    assert_true(memory && file);
    assert_true(element_put(memory, chunk->bytes, chunk->count));
    assert_int_equal(fclose(memory), 0);
    for (size_t i = 0; i < times; i++)
        assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    free(text);
    free(chunk->bytes);
}

static bool count_frames(void *user, const recording *r, const recording_chunk *chunk)
{
    (void)r;
    *(size_t *)user += chunk->n_frames;
    return true;
}

/* Whether the reader reaches the end of the page; *frames: the frames of its intact chunks. */
static bool read_page(size_t *frames, size_t *damaged)
{
    recording r;
    *frames = 0;
    assert_true(recording_open(&r, path));
    const bool read = recording_read(&r, count_frames, frames);
    *damaged = r.damaged;
    recording_close(&r);
    assert_int_equal(unlink(path), 0);
    return read;
}

/* A megabyte can unpack to any size. */
static void a_chunk_is_unpacked_up_to_its_limit(void **state)
{
    (void)state;
    const size_t sizes[] = {PCM_REPLAY_BYTES, PCM_REPLAY_BYTES + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t frames, damaged;
        draft  zeros = {calloc(1, sizes[i]), sizes[i], sizes[i]};
        assert_non_null(zeros.bytes);
        append(&zeros, 1);
        assert_int_equal(read_page(&frames, &damaged), i == 0);
        assert_int_equal(damaged, i == 0); /* its bytes are read, and rejected as a chunk */
    }
}

static void names_are_limited(void **state)
{
    (void)state;
    const int lists[] = {TYPES, RULES, SUBJECTS, QUANTITIES};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (uint32_t more = 0; more < 2; more++) {
            uint32_t first[LISTS] = {0};
            size_t   frames, damaged;
            first[lists[i]] = RECORDING_NAMES + more;
            const draft chunk = chunk_of(first, 0, 1, 0);
            append(&chunk, 1);
            assert_int_equal(read_page(&frames, &damaged), more == 0);
            assert_int_equal(frames, more == 0);
            assert_int_equal(damaged, 0);
        }
}

static void frames_are_limited(void **state)
{
    (void)state;
    size_t frames, damaged;
    draft  chunk = chunk_of(NULL, 0, PCM_REPLAY_FRAMES + 1, 0);
    append(&chunk, 1);
    assert_true(read_page(&frames, &damaged));
    assert_int_equal(damaged, 1);
    chunk = chunk_of(NULL, 0, PCM_REPLAY_FRAMES, 0);
    append(&chunk, RECORDING_FRAMES / PCM_REPLAY_FRAMES + 1);
    assert_false(read_page(&frames, &damaged));
    assert_int_equal(frames, RECORDING_FRAMES);
    assert_int_equal(damaged, 0);
}

/* One pose applies to all frames until the next: a page of some kilobytes could become tables of terabytes. */
static void poses_are_counted_for_each_frame(void **state)
{
    (void)state;
    enum { POSES = PCM_REPLAY_ROWS };
    const size_t bytes = (size_t)POSES * PCM_REPLAY_FRAMES * PCM_POSE_COLUMNS * 4;
    const size_t most = ((size_t)RECORDING_GIB << 30) / bytes;
    const draft  names = chunk_of(NULL, POSES, 0, 0);
    uint32_t     first[LISTS] = {[SUBJECTS] = POSES};
    const draft  poses = chunk_of(first, 0, PCM_REPLAY_FRAMES, POSES);
    size_t       frames, damaged;
    append(&names, 1);
    append(&poses, most + 1);
    assert_false(read_page(&frames, &damaged));
    assert_int_equal(damaged, 0);
    assert_in_range(frames, (most - 1) * PCM_REPLAY_FRAMES, most * PCM_REPLAY_FRAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chunk_is_unpacked_up_to_its_limit),
        cmocka_unit_test(names_are_limited),
        cmocka_unit_test(frames_are_limited),
        cmocka_unit_test(poses_are_counted_for_each_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
