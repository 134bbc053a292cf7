/* SPDX-License-Identifier: MIT */
/* The recorder: a page has the world's values, to the recorded number of mantissa bits. */
#include "fixture.h"

#include <math.h>
#include <pcm/replay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording.h"

static const char page[] = "test_replay.html", viewer[] = "test_replay_viewer.html";
static const char hostile[] = "</script>\"'<!--\xc3\xa4\xe2\x82\xac,\n";

enum { CONTACTS = 4, FRAMES = 600 };

typedef struct scene {
    fixture     f;
    pcm_replay *replay;
    pcm_object  floor, box;
} scene;

static pcm_replay_def def_of(double every)
{
    pcm_replay_def def = pcm_replay_defaults();
    def.path = page;
    def.viewer = viewer;
    def.every = every;
    return def;
}

static void open_scene(scene *s, const char *config, double every)
{
    const pcm_replay_def def = def_of(every);
    pcm_world_def        world = pcm_world_defaults();
    FILE                *file = fopen(viewer, "w");
    assert_true(file && fputs("<!DOCTYPE html><title>page</title>", file) >= 0 && fclose(file) == 0);
    world.ledger = true;
    *s = (scene){0};
    fixture_open(&s->f, config, &world);
    s->floor = pcm_world_add_object(s->f.world, &PCM_OBJECT(.name = "floor", .fixed = true));
    s->box = pcm_world_add(s->f.world, hostile, "Rubber");
    s->replay = pcm_replay_new(s->f.world, &def);
    assert_non_null(s->replay);
}

static void close_scene(scene *s)
{
    pcm_replay_close(s->replay);
    fixture_close(&s->f);
    unlink(page);
    unlink(viewer);
}

/* A box that rotates and slides over four points, each of which lifts off now and then. */
static void step(scene *s, int i)
{
    const double    t = 0.001 * i, c = cos(t), w = sin(t);
    const pcm_pose  pose = {{t, 1 / (1 + t), -1e-3}, {c, 0, 0, w}};
    const pcm_twist twist = {{0, 0, 2}, {1, 0.3 * sin(40 * t), 0.01}};
    assert_int_equal(pcm_world_move(s->f.world, s->box, &pose, &twist), PCM_OK);
    for (uint64_t k = 0; k < CONTACTS; k++)
        if ((i / 50 + (int)k) % 5)
            touch(s->f.world, s->floor, s->box, k, t + (double)k, 0.5, 1e-3 * (1 + 0.5 * sin(7 * t + (double)k)));
    assert_int_equal(pcm_world_update(s->f.world, t, 0.001), PCM_OK);
    assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
}

/* The world's values for each contact, frame by frame. */
typedef struct said {
    pcm_contact_info info[FRAMES][CONTACTS];
    double           work[FRAMES][CONTACTS], time[FRAMES];
    size_t           count[FRAMES];
    size_t           seen; /* rows that were found */
    size_t           events, frames;
} said;

static void note(const scene *s, said *what, size_t frame)
{
    what->count[frame] = pcm_world_contact_count(s->f.world);
    what->time[frame] = pcm_world_time(s->f.world);
    for (size_t i = 0; i < what->count[frame]; i++) {
        pcm_contact_info *info = &what->info[frame][i];
        info->size = sizeof *info;
        assert_int_equal(pcm_world_contact_at(s->f.world, i, info), PCM_OK);
        what->work[frame][i] = info->ledger->work;
    }
}

static void assert_kept(uint32_t word, double value)
{
    assert_near(recording_number(word), value, fabs(value) * 0x1p-17 + 1e-38);
}

/* Lengths below 2^-4 m, all to 2^-20 m. */
static void assert_length_kept(uint32_t word, double value)
{
    assert_near(recording_number(word), value, fmax(fabs(value) * 0x1p-17, 0x1p-21) + 1e-38);
}

static bool compare(void *user, const recording *r, const recording_chunk *chunk)
{
    said *what = user;
    assert_string_equal(recording_name(&r->subjects, 1), hostile);
    what->events += chunk->events.rows;
    what->frames += chunk->n_frames;
    for (size_t i = 0; i < chunk->rows.rows; i++) {
        const uint32_t *row = chunk->rows.words + i * PCM_ROW_COLUMNS;
        const uint32_t *c = recording_contact(chunk, row[PCM_ROW_CONTACT]);
        const size_t    frame = r->frames + row[PCM_ROW_FRAME];
        size_t          k = 0;
        double          axes[3][3];
        while (k < what->count[frame] && what->info[frame][k].id != recording_pair(c + PCM_TOUCH_ID))
            k++;
        assert_true(k < what->count[frame]);
        const pcm_contact_info *info = &what->info[frame][k];
        assert_near(chunk->times[row[PCM_ROW_FRAME]], what->time[frame], 0);
        assert_int_equal(recording_pair(c + PCM_TOUCH_FEATURE), info->feature);
        assert_int_equal(c[PCM_TOUCH_RULE], info->rule);
        assert_string_equal(recording_name(&r->types, c[PCM_TOUCH_TYPE]), "C");
        assert_int_equal(row[PCM_ROW_MODE], info->mode);
        for (size_t axis = 0; axis < 3; axis++) {
            assert_length_kept(row[PCM_ROW_POINT + axis], info->point[axis]);
            assert_kept(row[PCM_ROW_FORCE + axis], info->force[axis]);
            assert_kept(row[PCM_ROW_MOMENT + axis], info->moment[axis]);
        }
        assert_kept(row[PCM_ROW_DEPTH], info->depth);
        assert_kept(row[PCM_ROW_SLIP], info->slip[0]);
        assert_kept(row[PCM_ROW_SLIP + 1], info->slip[1]);
        assert_kept(row[PCM_ROW_WORK], what->work[frame][k]);
        recording_frame(row, axes);
        for (size_t axis = 0; axis < 3; axis++)
            for (size_t j = 0; j < 3; j++) /* four errors of 2^-17, doubled by the squares */
                assert_near(axes[axis][j], info->frame[3 * j + axis], 8 * 0x1p-17);
        what->seen++;
    }
    return true;
}

static void a_page_holds_what_the_world_said(void **state)
{
    (void)state;
    static said what;
    scene       s;
    size_t      rows = 0;
    open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0);
    for (int i = 0; i < FRAMES; i++) {
        step(&s, i);
        note(&s, &what, (size_t)i);
        rows += what.count[i];
        assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
    }
    assert_int_equal(pcm_replay_close(s.replay), PCM_OK);
    s.replay = NULL;
    recording r;
    assert_true(recording_open(&r, page));
    assert_true(recording_read(&r, compare, &what));
    assert_int_equal(r.damaged, 0);
    assert_int_equal(r.chunks, 4); /* the scene, 256, 256 and 88 frames */
    assert_int_equal(what.frames, FRAMES);
    assert_int_equal(what.seen, rows);
    assert_true(what.events >= CONTACTS);
    recording_close(&r);
    close_scene(&s);
}

static bool count_frames(void *user, const recording *r, const recording_chunk *chunk)
{
    (void)r;
    *(size_t *)user += chunk->n_frames;
    return true;
}

static size_t frames_of_page(size_t *damaged)
{
    recording r;
    size_t    frames = 0;
    assert_true(recording_open(&r, page));
    assert_true(recording_read(&r, count_frames, &frames));
    *damaged = r.damaged;
    recording_close(&r);
    return frames;
}

static void frames_are_as_far_apart_as_was_asked(void **state)
{
    (void)state;
    scene  s;
    size_t damaged;
    open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0.01);
    for (int i = 0; i <= 100; i++) {
        step(&s, i);
        assert_int_equal(pcm_replay_due(s.replay), i % 10 == 0);
        assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
    }
    assert_int_equal(pcm_replay_close(s.replay), PCM_OK);
    s.replay = NULL;
    assert_int_equal(frames_of_page(&damaged), 11);
    close_scene(&s);
}

/* Changes a byte in the middle of the page. */
static void damage(long place)
{
    FILE *file = fopen(page, "r+");
    assert_true(file && fseek(file, place, SEEK_SET) == 0);
    const int byte = fgetc(file);
    assert_true(fseek(file, place, SEEK_SET) == 0 && fputc(byte == 'A' ? 'B' : 'A', file) != EOF);
    assert_int_equal(fclose(file), 0);
}

/* Names from a lost chunk are empty, and later names keep their numbers. */
static bool check_names(void *user, const recording *r, const recording_chunk *chunk)
{
    if (r->frames + chunk->n_frames == FRAMES - 256) {
        assert_string_equal(recording_name(&r->subjects, 1), hostile);
        assert_string_equal(recording_name(&r->subjects, 2), "");
        assert_string_equal(recording_name(&r->subjects, 3), "late");
        *(bool *)user = true;
    }
    return true;
}

static void a_damaged_chunk_spoils_no_other(void **state)
{
    (void)state;
    scene     s;
    size_t    damaged;
    bool      checked = false;
    recording r;
    open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0);
    for (int i = 0; i < FRAMES; i++) {
        if (i == 300 || i == 550)
            (void)pcm_world_add(s.f.world, i == 300 ? "lost" : "late", NULL);
        step(&s, i);
        assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
    }
    assert_int_equal(pcm_replay_close(s.replay), PCM_OK);
    s.replay = NULL;
    FILE *file = fopen(page, "r");
    assert_true(file && fseek(file, 0, SEEK_END) == 0);
    const long size = ftell(file);
    assert_int_equal(fclose(file), 0);
    damage(size / 2);
    assert_int_equal(frames_of_page(&damaged), FRAMES - 256);
    assert_int_equal(damaged, 1);
    assert_true(recording_open(&r, page));
    assert_true(recording_read(&r, check_names, &checked));
    assert_true(checked);
    recording_close(&r);
    assert_int_equal(truncate(page, size - 200), 0);
    assert_int_equal(frames_of_page(&damaged), 256);
    assert_int_equal(damaged, 2);
    close_scene(&s);
}

/* Objects at rest cost one row in each chunk. */
static void ten_thousand_objects_are_no_burden(void **state)
{
    (void)state;
    enum { OBJECTS = 10000 };
    scene  s;
    size_t damaged;
    open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0);
    for (int i = 0; i < OBJECTS; i++)
        assert_true(pcm_world_add(s.f.world, "grain", NULL).generation > 0);
    for (int i = 0; i < 20; i++) {
        step(&s, i);
        assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
    }
    assert_int_equal(pcm_replay_close(s.replay), PCM_OK);
    s.replay = NULL;
    assert_int_equal(frames_of_page(&damaged), 20);
    FILE *file = fopen(page, "r");
    assert_true(file && fseek(file, 0, SEEK_END) == 0 && ftell(file) < 40000);
    assert_int_equal(fclose(file), 0);
    close_scene(&s);
}

static void objects_come_and_go(void **state)
{
    (void)state;
    scene  s;
    size_t damaged;
    open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0);
    step(&s, 1);
    assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
    assert_int_equal(pcm_world_remove(s.f.world, s.box), PCM_OK);
    s.box = pcm_world_add(s.f.world, "another", NULL);
    step(&s, 2);
    assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
    const pcm_shape ball = {.size = sizeof ball, .kind = PCM_SHAPE_SPHERE, .dimensions = {0.1}};
    const pcm_shape none = {.size = sizeof none, .kind = PCM_SHAPE_SPHERE};
    assert_int_equal(pcm_replay_shape(s.replay, s.box, &ball), PCM_OK);
    assert_int_equal(pcm_replay_shape(s.replay, s.box, &none), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_replay_body_move(s.replay, 0, &(pcm_pose){{0}, {1, 0, 0, 0}}), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_replay_set(s.replay, 0, 1), PCM_BAD_ARGUMENT);
    assert_int_equal(fixture_said(&s.f, 762), 3);
    assert_int_equal(pcm_replay_close(s.replay), PCM_OK);
    s.replay = NULL;
    assert_int_equal(frames_of_page(&damaged), 2);
    assert_int_equal(damaged, 0);
    close_scene(&s);
}

/* After many chunks a recorder uses no more memory than after three. */
static void memory_does_not_grow_with_the_run(void **state)
{
    (void)state;
    scene     s;
    ptrdiff_t held = 0;
    open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0);
    for (int i = 0; i < 12 * 256; i++) {
        step(&s, i);
        assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
        if (i == 3 * 256)
            held = s.f.bytes;
    }
    assert_true(held > 0 && s.f.bytes <= held);
    close_scene(&s);
}

static bool largest_chunk(void *user, const recording *r, const recording_chunk *chunk)
{
    size_t      *largest = user;
    const size_t rows = chunk->rows.rows + chunk->poses.rows;
    (void)r;
    *largest = rows > *largest ? rows : *largest;
    return true;
}

/* Memory does not grow with the number of contacts either: a chunk ends with the frame in which it reaches 65,536
 * rows. */
static void chunks_of_many_contacts_have_fewer_frames(void **state)
{
    (void)state;
    enum { MANY = 3000, STEPS = 30 };
    scene     s;
    size_t    damaged, largest = 0;
    recording r;
    open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0);
    for (int i = 0; i < STEPS; i++) {
        for (uint64_t k = 0; k < MANY; k++)
            touch(s.f.world, s.floor, s.box, k, (double)k, 0.5, 1e-3);
        assert_int_equal(pcm_world_update(s.f.world, 0.001 * i, 0.001), PCM_OK);
        assert_int_equal(pcm_world_commit(s.f.world), PCM_OK);
        assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
    }
    assert_int_equal(pcm_replay_close(s.replay), PCM_OK);
    s.replay = NULL;
    assert_int_equal(frames_of_page(&damaged), STEPS);
    assert_true(recording_open(&r, page));
    assert_true(recording_read(&r, largest_chunk, &largest));
    assert_true(largest >= PCM_REPLAY_ROWS && largest < PCM_REPLAY_ROWS + MANY + 10);
    recording_close(&r);
    close_scene(&s);
}

static bool find_pose(void *user, const recording *r, const recording_chunk *chunk)
{
    const pcm_pose *wanted = user;
    (void)r;
    for (size_t i = 0; i < chunk->poses.rows; i++) {
        const uint32_t *row = chunk->poses.words + i * PCM_POSE_COLUMNS;
        if (row[PCM_POSE_SUBJECT] != 2)
            continue;
        for (size_t k = 0; k < 3; k++)
            assert_length_kept(row[PCM_POSE_POSITION + k], wanted->position[k]);
        for (size_t k = 0; k < 4; k++)
            assert_near(recording_number(row[PCM_POSE_ORIENTATION + k]), wanted->orientation[k], 2 * 0x1p-17);
    }
    return true;
}

/* Far away, near the origin, and rotated by about half a turn, where the scalar is small. */
static void poses_are_kept(void **state)
{
    (void)state;
    static const double   c = 1e-4, w = 0.999999995; /* of an angle */
    static const pcm_pose poses[] = {{{1e6, -3.7, 1e-7}, {1, 0, 0, 0}},
                                     {{-1e30, 0.0624, 0.0626}, {c, 0, -w, 0}},
                                     {{0, -1e-300, 2}, {0.5, -0.5, 0.5, -0.5}},
                                     {{1, 2, 3}, {0, 0.6, 0, 0.8}}};
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        scene s;
        open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0);
        const uint32_t body = pcm_replay_body(s.replay, "body", false);
        assert_int_equal(pcm_replay_body_move(s.replay, body, &poses[i]), PCM_OK);
        assert_int_equal(pcm_world_update(s.f.world, 0, 0), PCM_OK);
        assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
        assert_int_equal(pcm_replay_close(s.replay), PCM_OK);
        s.replay = NULL;
        recording r;
        assert_true(recording_open(&r, page));
        pcm_pose wanted = poses[i];
        assert_true(recording_read(&r, find_pose, &wanted));
        recording_close(&r);
        close_scene(&s);
    }
}

static bool find_nan(void *user, const recording *r, const recording_chunk *chunk)
{
    (void)r;
    for (size_t i = 0; i < chunk->rows.rows; i++)
        *(size_t *)user += isnan(recording_number(chunk->rows.words[i * PCM_ROW_COLUMNS + PCM_ROW_SLIP])) != 0;
    return true;
}

/* Some numbers of the host's own contacts may be missing. */
static void numbers_that_are_none_stay_so(void **state)
{
    (void)state;
    scene  s;
    size_t found = 0;
    open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0);
    assert_int_equal(pcm_world_update(s.f.world, 0, 0), PCM_OK);
    const uint32_t           wall = pcm_replay_body(s.replay, "wall", true);
    const pcm_replay_contact contact = {.size = sizeof contact,
                                        .a = s.box,
                                        .body_b = wall,
                                        .rule = SIZE_MAX,
                                        .normal = {0, 0, 1},
                                        .force = {1, 0, 2},
                                        .slip = NAN,
                                        .friction = NAN,
                                        .mode = PCM_STICKING};
    assert_int_equal(pcm_replay_host_contact(s.replay, &contact), PCM_OK);
    assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
    assert_int_equal(pcm_replay_close(s.replay), PCM_OK);
    s.replay = NULL;
    recording r;
    assert_true(recording_open(&r, page));
    assert_true(recording_read(&r, find_nan, &found));
    assert_int_equal(found, 1);
    recording_close(&r);
    close_scene(&s);
}

static void pages_that_cannot_be_written_are_reported(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0);
    pcm_replay_def def = def_of(0);
    def.path = "no/such/folder/page.html";
    assert_null(pcm_replay_new(s.f.world, &def));
    assert_int_equal(fixture_said(&s.f, 760), 1);
    def.path = page;
    def.viewer = "no/such/viewer.html";
    assert_null(pcm_replay_new(s.f.world, &def));
    assert_int_equal(fixture_said(&s.f, 761), 1);
    pcm_replay_close(s.replay);
    def = def_of(0);
    def.path = "/dev/full";
    s.replay = pcm_replay_new(s.f.world, &def);
    assert_non_null(s.replay);
    for (int i = 0; i < FRAMES; i++) { /* the run goes on, with one message */
        step(&s, i);
        assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
    }
    assert_int_equal(fixture_said(&s.f, 760), 2);
    assert_int_equal(pcm_replay_close(s.replay), PCM_BAD_FILE);
    s.replay = NULL;
    close_scene(&s);
}

/* Each allocation of a run fails in turn: frames are lost, with a message, and the world goes on. */
static void memory_may_end_anywhere(void **state)
{
    (void)state;
    for (size_t denied = 1; denied < 60; denied++) {
        scene s;
        open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0);
        step(&s, 1);
        s.f.limit = s.f.allocations + denied;
        const pcm_status frame = pcm_replay_frame(s.replay), closed = pcm_replay_close(s.replay);
        assert_true(frame == PCM_OK || closed == PCM_NO_MEMORY);
        assert_int_equal(fixture_said(&s.f, 100), closed == PCM_NO_MEMORY);
        s.f.limit = 0;
        s.replay = NULL;
        step(&s, 2);
        close_scene(&s);
    }
}

/* Values that no reader accepts are left out, with a message, and the page goes on. */
static void chunks_are_as_large_as_readers_take(void **state)
{
    (void)state;
    enum { NAMES = 8, LENGTH = PCM_REPLAY_BYTES / NAMES };
    scene  s;
    size_t damaged;
    char  *name = malloc(LENGTH + 1);
    assert_non_null(name);
    memset(name, 'n', LENGTH);
    name[LENGTH] = '\0';
    open_scene(&s, "ContactType C = Brush { }; DefaultPair -> C;", 0);
    for (uint32_t i = 0; i < NAMES; i++)
        assert_int_equal(pcm_replay_quantity(s.replay, name, "m"), i);
    free(name);
    step(&s, 0);
    assert_int_equal(pcm_replay_frame(s.replay), PCM_NO_MEMORY);
    assert_int_equal(fixture_said(&s.f, 764), 1);
    assert_int_equal(fixture_said(&s.f, 100), 0);
    step(&s, 1);
    assert_int_equal(pcm_replay_frame(s.replay), PCM_OK);
    assert_int_equal(pcm_replay_close(s.replay), PCM_NO_MEMORY);
    s.replay = NULL;
    assert_int_equal(frames_of_page(&damaged), 1);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_holds_what_the_world_said),
        cmocka_unit_test(frames_are_as_far_apart_as_was_asked),
        cmocka_unit_test(a_damaged_chunk_spoils_no_other),
        cmocka_unit_test(ten_thousand_objects_are_no_burden),
        cmocka_unit_test(objects_come_and_go),
        cmocka_unit_test(memory_does_not_grow_with_the_run),
        cmocka_unit_test(chunks_of_many_contacts_have_fewer_frames),
        cmocka_unit_test(poses_are_kept),
        cmocka_unit_test(numbers_that_are_none_stay_so),
        cmocka_unit_test(pages_that_cannot_be_written_are_reported),
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(chunks_are_as_large_as_readers_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
