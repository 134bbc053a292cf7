/* SPDX-License-Identifier: MIT */
/* A run under CVODE is the same with and without a recorder, and its page has its frames, contacts and events. */
#include "../hosts/mujoco_fixture.h"

#include <pcm/cvode.h>
#include <pcm/event.h>
#include <pcm/replay_mujoco.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recording.h"

static const char page[] = "test_recorded_cvode.html", viewer[] = "test_recorded_cvode_viewer.html";

enum { FRAMES = 60, STATE = 13 };

static void look(void *user) { assert_int_equal(pcm_replay_mujoco_frame(user), PCM_OK); }

/* A ball that is dropped with spin, bounces and slides. final: its last position and velocity. */
static void run(bool recorded, double final[STATE])
{
    fixture f;
    fixture_open(&f,
                 "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 0.12'><freejoint/>"
                 "<geom name='Body' type='sphere' size='0.1' mass='1'/></body></worldbody>",
                 "ContactType C = CompliantGround { Stiffness = 1e5; Damping = 100; Friction = 0.3; };\n"
                 "ObjectPair Ground * Body -> C;\n");
    f.data->qvel[4] = 20;
    const pcm_replay_def def = {.size = sizeof def, .path = page, .viewer = viewer};
    pcm_replay          *replay = recorded ? pcm_replay_new(pcm_mujoco_world(f.host), &def) : NULL;
    pcm_replay_mujoco   *seen = replay ? pcm_replay_mujoco_new(replay, f.host, false) : NULL;
    const pcm_cvode_def  solver_def = {.size = sizeof solver_def,
                                       .rtol = 1e-6,
                                       .atol = 1e-9,
                                       .max_step = 0.01,
                                       .reach = 0.1,
                                       .user = seen,
                                       .committed = seen ? look : NULL};
    pcm_cvode           *solver = pcm_cvode_new(f.context, f.host, &solver_def);
    assert_true(solver && (seen || !recorded));
    for (int i = 1; i <= FRAMES; i++)
        assert_int_equal(pcm_cvode_advance(solver, 0.01 * i), PCM_OK);
    memcpy(final, f.data->qpos, 7 * sizeof *final);
    memcpy(final + 7, f.data->qvel, 6 * sizeof *final);
    pcm_cvode_free(solver);
    pcm_replay_mujoco_free(seen);
    assert_int_equal(pcm_replay_close(replay), PCM_OK);
    fixture_close(&f);
}

typedef struct counts {
    size_t frames, contacts, made;
} counts;

static bool count(void *user, const recording *r, const recording_chunk *chunk)
{
    counts *all = user;
    (void)r;
    all->frames += chunk->n_frames;
    for (size_t i = 0; i < chunk->rows.rows; i++)
        all->contacts += recording_number(chunk->rows.words[i * PCM_ROW_COLUMNS + PCM_ROW_FORCE + 2]) > 0;
    for (size_t i = 0; i < chunk->events.rows; i++) {
        const uint32_t change = chunk->events.words[i * PCM_HAPPENED_COLUMNS + PCM_HAPPENED_CHANGE];
        all->made += change == PCM_CONTACT_MADE;
    }
    return true;
}

static void a_recorder_leaves_cvode_alone(void **state)
{
    (void)state;
    double    plain[STATE], recorded[STATE];
    counts    all = {0};
    recording r;
    FILE     *file = fopen(viewer, "w");
    assert_true(file && fputs("<!DOCTYPE html><title>page</title>", file) >= 0 && fclose(file) == 0);
    run(false, plain);
    run(true, recorded);
    assert_memory_equal(plain, recorded, sizeof plain);
    assert_true(recording_open(&r, page));
    assert_true(recording_read(&r, count, &all));
    assert_int_equal(r.damaged, 0);
    /* One at each end of an advance and at each event; the ball has one contact throughout, as its ground keeps a
     * dent. */
    assert_true(all.frames >= FRAMES + 3);
    assert_true(all.contacts > 0 && all.made == 1);
    recording_close(&r);
    unlink(page);
    unlink(viewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_recorder_leaves_cvode_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
