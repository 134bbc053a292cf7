/* SPDX-License-Identifier: MIT */
/* usage: pages VIEWER [FRAMES]
 *
 * Writes pages for browsers that no run of the command produces: nan.html, in which the host gives a force of NaN;
 * many.html, with 10,000 objects; and large.html, with that many frames of 700 contacts of unpredictable values. */
#include "fixture.h"

#include <math.h>
#include <pcm/replay.h>
#include <stdlib.h>

typedef struct scene {
    fixture     f;
    pcm_replay *replay;
    pcm_object  floor;
} scene;

static void open_scene(scene *s, const char *viewer, const char *path)
{
    pcm_replay_def def = pcm_replay_defaults();
    def.path = path;
    def.viewer = viewer;
    def.every = 0;
    fixture_open(&s->f, "ContactType C = Brush { }; DefaultPair -> C;", NULL);
    s->floor = pcm_world_add_object(s->f.world, &PCM_OBJECT(.name = "floor", .fixed = true));
    s->replay = pcm_replay_new(s->f.world, &def);
    assert_non_null(s->replay);
}

static void close_scene(scene *s)
{
    assert_int_equal(pcm_replay_close(s->replay), PCM_OK);
    fixture_close(&s->f);
}

static pcm_object add_ball(const scene *s, const char *name)
{
    const pcm_shape  ball = {.size = sizeof ball, .kind = PCM_SHAPE_SPHERE, .dimensions = {0.05}};
    const pcm_object object = pcm_world_add(s->f.world, name, NULL);
    assert_int_equal(pcm_replay_shape(s->replay, object, &ball), PCM_OK);
    return object;
}

static void frame(const scene *s, int i)
{
    assert_int_equal(pcm_world_update(s->f.world, 0.01 * i, 0.01), PCM_OK);
    assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
    assert_int_equal(pcm_replay_frame(s->replay), PCM_OK);
}

static void write_nan(const char *viewer)
{
    scene s;
    open_scene(&s, viewer, "nan.html");
    const pcm_object         ball = add_ball(&s, "ball");
    const pcm_replay_contact contact = {.size = sizeof contact,
                                        .a = s.floor,
                                        .b = ball,
                                        .rule = SIZE_MAX,
                                        .normal = {0, 0, 1},
                                        .force = {0, NAN, NAN},
                                        .slip = NAN,
                                        .friction = NAN,
                                        .mode = PCM_STICKING};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pcm_replay_host_contact(s.replay, &contact), PCM_OK);
        frame(&s, i);
    }
    close_scene(&s);
}

/* Objects on a square, each with that many contacts of random depth. */
static void write_square(const char *viewer, const char *path, int side, int contacts, int frames)
{
    scene    s;
    uint64_t seed = 1;
    open_scene(&s, viewer, path);
    pcm_object *balls = calloc((size_t)(side * side), sizeof *balls);
    assert_non_null(balls);
    for (int i = 0; i < side * side; i++)
        balls[i] = add_ball(&s, "grain");
    for (int k = 0; k < frames; k++) {
        for (int i = 0; i < side * side; i++) {
            const double x = 0.1 * (i % side), y = 0.1 * (i / side);
            if (k == 0 || contacts > 0)
                place(s.f.world, balls[i], x, y, 0.05, 0.1 * noise(&seed), 0.1 * noise(&seed), 0);
            for (int c = 0; c < contacts; c++)
                touch(s.f.world, s.floor, balls[i], (uint64_t)c, x + 0.05 * noise(&seed), y + 0.05 * noise(&seed),
                      1e-3 * (1.1 + noise(&seed)));
        }
        frame(&s, k);
    }
    free(balls);
    close_scene(&s);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (argc == 2) {
        write_nan(argv[1]);
        write_square(argv[1], "many.html", 100, 0, 20);
    } else
        write_square(argv[1], "large.html", 10, 7, atoi(argv[2]));
    return 0;
}
