/* SPDX-License-Identifier: MIT */
/* Memory fails at every single allocation of a space's calls, once or permanently: the call reports it, or the update
 * after it. A repetition of the call has the effect that the call would have had with memory. */
#include "fixture.h"
#include "../support/budget.h"
#include <pcm/geometry.h>
#include <pcm/messages.h>

enum { BALLS = 40, CORNERS = 4 }; /* CORNERS: where the box touches the floor */

typedef struct scene {
    budget        memory;
    size_t        told; /* reports that there was no memory */
    pcm_context  *context;
    pcm_config   *config;
    pcm_world    *world;
    pcm_space    *space;
    pcm_geometry *plane, *box, *ball;
    pcm_object    floor, body, balls[BALLS];
} scene;

static void listen(void *user, const pcm_diagnostic *diagnostic)
{
    ((scene *)user)->told += diagnostic->code == PCM_MSG_OUT_OF_MEMORY;
}

/* ---- The calls: each returns whether it has done its work -------------------------------------------------------- */

static bool make_plane(scene *s) { return (s->plane = pcm_geometry_plane(s->context)) != NULL; }
static bool make_box(scene *s) { return (s->box = pcm_geometry_box(s->context, (double[]){0.2, 0.3, 0.4})) != NULL; }
static bool make_ball(scene *s) { return (s->ball = pcm_geometry_sphere(s->context, 0.1)) != NULL; }
static bool make_space(scene *s) { return (s->space = pcm_space_new(s->context, s->world)) != NULL; }

static bool add(scene *s, pcm_object *object, const char *name, bool fixed, const pcm_geometry *geometry)
{
    *object = pcm_space_add(s->space, &PCM_OBJECT(.name = name, .fixed = fixed), geometry, NULL);
    return object->generation != 0;
}

static bool add_floor(scene *s) { return add(s, &s->floor, "Floor", true, s->plane); }
static bool add_body(scene *s) { return add(s, &s->body, "Box", false, s->box); }

/* Continues with the ball that it could not add. */
static bool add_balls(scene *s)
{
    for (size_t i = 0; i < BALLS; i++)
        if (s->balls[i].generation == 0 && !add(s, &s->balls[i], "Ball", false, s->ball))
            return false;
    return true;
}

/* Moves the box and the balls slightly into the floor, apart from each other. */
static bool move(scene *s)
{
    const pcm_twist still = {{0, 0, 0}, {0, 0, 0}};
    pcm_pose        pose = {{0, 0, 0.19}, {1, 0, 0, 0}};
    bool            moved = pcm_space_move(s->space, s->body, &pose, &still) == PCM_OK;
    for (size_t i = 0; i < BALLS; i++) {
        pose = (pcm_pose){{1 + 0.3 * (double)i, 0, 0.095}, {1, 0, 0, 0}};
        moved &= pcm_space_move(s->space, s->balls[i], &pose, &still) == PCM_OK;
    }
    return moved;
}

/* All contacts are there, or the status reports that there was no memory. */
static bool touch_all(scene *s)
{
    const pcm_status touched = pcm_space_touch(s->space), updated = pcm_world_update(s->world, 0, 1e-3);
    assert_true(touched == PCM_OK || touched == PCM_NO_MEMORY);
    assert_true(updated == PCM_OK || updated == PCM_NO_MEMORY);
    const bool done = touched == PCM_OK && updated == PCM_OK;
    if (done)
        assert_int_equal(pcm_world_contact_count(s->world), BALLS + (s->body.generation != 0 ? CORNERS : 0));
    return done;
}

static bool commit(scene *s) { return pcm_world_commit(s->world) == PCM_OK; }

static bool remove_body(scene *s)
{
    return pcm_space_remove(s->space, s->body) == PCM_OK && (s->body.generation = 0) == 0;
}

/* ---- Running out of memory --------------------------------------------------------------------------------------- */

/* Repeats a call with memory that fails at the first, second ... allocation, until none fails. Allocations that only
 * make a search faster are allowed to fail. */
static size_t starve(scene *s, bool (*call)(scene *))
{
    size_t calls = 0;
    for (bool refused = true; refused; calls++) {
        assert_in_range(calls, 0, 1000);
        s->memory.calls = calls;
        s->memory.refused = s->told = 0;
        const bool done = call(s);
        refused = s->memory.refused > 0;
        assert_true(done ? !refused || call == touch_all : refused && s->told > 0);
        s->memory.calls = SIZE_MAX;
    }
    return calls - 1;
}

static void open_scene(scene *s)
{
    static const char rules[] = "ContactType C = SmoothSpringDamper; DefaultPair -> C;";
    pcm_context_def   def = pcm_context_defaults();
    def.allocator = budget_allocator(&s->memory);
    def.sink = listen;
    def.sink_user = s;
    def.plugin_path = TEST_LAWS;
    def.flags = PCM_NO_DEFAULT_PATHS;
    s->context = pcm_context_new(&def);
    s->config = pcm_config_parse(s->context, "starving.pcm", rules, sizeof rules - 1);
    s->world = pcm_world_new(s->config, NULL);
    assert_non_null(s->world);
}

static void close_scene(scene *s)
{
    pcm_space_free(s->space);
    pcm_geometry_free(s->plane);
    pcm_geometry_free(s->box);
    pcm_geometry_free(s->ball);
    pcm_world_free(s->world);
    pcm_config_release(s->config);
    pcm_context_free(s->context);
    assert_int_equal(s->memory.bytes, 0);
}

static void every_allocation_may_fail(void **state)
{
    static bool (*const calls[])(scene *) = {make_plane, make_box,    make_ball, make_space, add_floor,
                                             add_body,   add_balls,   move,      touch_all,  commit,
                                             touch_all,  remove_body, touch_all};
    (void)state;
    pcm_wrench wrench[2];
    for (int once = 0; once < 2; once++) {
        scene  s = {.memory = {.calls = SIZE_MAX, .once = once}};
        size_t failed = 0;
        open_scene(&s);
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
            failed += starve(&s, calls[i]);
        assert_true(failed > 20);
        assert_int_equal(pcm_world_contact_count(s.world), BALLS);
        wrench[once] = wrench_of(s.world, s.floor);
        close_scene(&s);
    }
    assert_true(wrench[0].force[2] < 0);
    assert_memory_equal(&wrench[0], &wrench[1], sizeof *wrench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
