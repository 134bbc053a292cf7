/* SPDX-License-Identifier: MIT */
/* 32-bit counters that reach their end in a long run: handles of contacts and objects that are gone stay invalid, and
 * stamps with the number of an evaluation are not mistaken for those 2^32 evaluations later. */
#include "fixture.h"
#include "world.h"
#include <pcm/messages.h>

static const char laws[] = "ContactType C = Brush; ContactType B = Bond { Gap=1 [mm]; Reach=10 [mm]; };\n"
                           "SurfacePair Floor * Soft -> C; SurfacePair Floor * Glued -> B;\n";

typedef struct scene {
    fixture    f;
    pcm_object floor, soft, glued;
} scene;

static void open_scene(scene *s)
{
    fixture_open(&s->f, laws, NULL);
    s->floor = pcm_world_add_object(s->f.world, &PCM_OBJECT(.name = "floor", .surface = "Floor", .fixed = true));
    s->soft = pcm_world_add(s->f.world, "soft", "Soft");
    s->glued = pcm_world_add(s->f.world, "glued", "Glued");
}

static void step(pcm_world *world)
{
    const double dt = 0x1p-10, last = pcm_world_time(world);
    assert_int_equal(pcm_world_update(world, last + dt, dt), PCM_OK);
    assert_int_equal(pcm_world_commit(world), PCM_OK);
}

static bool lives(pcm_world *world, pcm_contact contact)
{
    return touch_again(world, contact, (double[]){0, 0, 0}, (double[]){0, 0, 1}, 1e-3);
}

static void no_handle_of_a_contact_comes_to_mean_another(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    const pcm_contact first = touch(s.f.world, s.floor, s.soft, 1, 0, 0, 1e-3);
    step(s.f.world);
    s.f.world->slots[first.index].generation = UINT32_MAX;
    const pcm_contact last = {first.index, UINT32_MAX};
    assert_true(lives(s.f.world, last) && !lives(s.f.world, first));
    for (size_t i = 0; i < 20; i++) /* until the contact without touches ends */
        step(s.f.world);
    assert_int_equal(pcm_world_contact_count(s.f.world), 0);
    for (size_t i = 0; i < 3; i++) {
        const pcm_contact next = touch(s.f.world, s.floor, s.soft, i, 0, 0, 1e-3);
        assert_true(next.index != first.index && next.generation > 0);
        step(s.f.world);
        assert_true(!lives(s.f.world, last) && !lives(s.f.world, first));
        assert_true(!lives(s.f.world, (pcm_contact){first.index, 0}));
    }
    fixture_close(&s.f);
}

/* A world that has retired slots takes as many contacts from a checkpoint as any other. */
static void lost_places_are_made_up_for(void **state)
{
    enum { CONTACTS = 16 }; /* the initial capacity */
    (void)state;
    scene s;
    open_scene(&s);
    for (uint64_t i = 0; i < CONTACTS; i++)
        touch(s.f.world, s.floor, s.soft, i, (double)i, 0, 1e-3);
    step(s.f.world);
    const size_t size = pcm_world_checkpoint_size(s.f.world);
    uint8_t     *bytes = test_malloc(size);
    assert_int_equal(pcm_world_checkpoint_save(s.f.world, bytes, size), PCM_OK);
    for (size_t i = 0; i < CONTACTS / 2; i++)
        s.f.world->slots[i].generation = UINT32_MAX;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(pcm_world_checkpoint_restore(s.f.world, bytes, size), PCM_OK);
        assert_int_equal(s.f.world->groups[0].live, CONTACTS);
        assert_int_equal(s.f.world->n_slots, CONTACTS + CONTACTS / 2);
        for (uint64_t feature = 0; feature < CONTACTS; feature++) { /* each can be found by its key */
            const pcm_contact found = touch(s.f.world, s.floor, s.soft, feature, 0, 0, 1e-3);
            assert_int_equal(s.f.world->groups[0].identity[s.f.world->slots[found.index].row].id, feature + 1);
        }
        assert_int_equal(s.f.world->groups[0].count, CONTACTS);
    }
    test_free(bytes);
    fixture_close(&s.f);
}

static void no_handle_of_an_object_comes_to_mean_another(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    pcm_wrench wrench;
    s.f.world->generation[s.soft.index] = UINT32_MAX;
    const pcm_object last = {s.soft.index, UINT32_MAX};
    assert_int_equal(pcm_world_wrench(s.f.world, last, &wrench), PCM_OK);
    assert_int_equal(pcm_world_remove(s.f.world, last), PCM_OK);
    for (size_t i = 0; i < 3; i++) {
        const pcm_object next = pcm_world_add(s.f.world, "soft", "Soft");
        assert_true(next.generation > 0 && next.index != last.index);
        assert_int_equal(pcm_world_wrench(s.f.world, last, &wrench), PCM_BAD_HANDLE);
        assert_int_equal(pcm_world_wrench(s.f.world, s.soft, &wrench), PCM_BAD_HANDLE);
        assert_int_equal(pcm_world_wrench(s.f.world, (pcm_object){last.index, 0}, &wrench), PCM_BAD_HANDLE);
        assert_int_equal(pcm_world_remove(s.f.world, next), PCM_OK);
    }
    fixture_close(&s.f);
}

/* Two worlds do the same steps, and one of them passes the end of its counters. */
static void forces_are_the_same_beyond_the_end(void **state)
{
    enum { STEPS = 12, FROM = 6 };
    (void)state;
    scene    counts, other;
    uint64_t seed = 3;
    open_scene(&counts);
    open_scene(&other);
    counts.f.world->evaluation = counts.f.world->epoch = UINT32_MAX - FROM;
    for (size_t i = 0; i < 3; i++) /* stamps from before the end */
        counts.f.world->moved[i] = counts.f.world->epoch - 2;
    for (size_t i = 0; i < STEPS; i++) {
        const double depth = 1e-3 * (noise(&seed) + 0.5), speed = noise(&seed);
        for (scene *s = &counts; s; s = s == &counts ? &other : NULL) {
            pcm_world *world = s->f.world;
            if (i % 5 != 1)
                place(world, s->soft, 0, 0, 0, speed, 0, 0);
            touch(world, s->floor, s->soft, i % 2, 0, 0, 1e-3);
            if (i % 4 != 2)
                touch(world, s->floor, s->glued, 0, 0, 0, depth);
            step(world);
        }
        assert_int_equal(pcm_world_contact_count(counts.f.world), pcm_world_contact_count(other.f.world));
        const pcm_wrench a[2] = {wrench_of(counts.f.world, counts.soft), wrench_of(counts.f.world, counts.glued)};
        const pcm_wrench b[2] = {wrench_of(other.f.world, other.soft), wrench_of(other.f.world, other.glued)};
        assert_memory_equal(a, b, sizeof a);
        assert_true(a[0].force[2] > 0);
    }
    assert_true(counts.f.world->evaluation < STEPS && counts.f.world->epoch < STEPS);
    fixture_close(&counts.f);
    fixture_close(&other.f);
}

/* Slots have numbers of 31 bits: when these are used up, the world reports that there is no memory. */
static void more_than_can_be_numbered_is_refused(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    touch(s.f.world, s.floor, s.soft, 0, 0, 0, 1e-3);
    step(s.f.world);
    const size_t bodies = s.f.world->n_bodies, capacity = s.f.world->body_capacity;
    s.f.world->guess = 0;
    s.f.world->n_slots = PCM_MOST_SLOTS;
    assert_int_equal(touch(s.f.world, s.floor, s.soft, 1, 0, 0, 1e-3).generation, 0);
    s.f.world->n_slots = 1;
    s.f.world->n_bodies = s.f.world->body_capacity = PCM_FIXED_SIDE;
    assert_int_equal(pcm_world_add(s.f.world, "more", "Soft").generation, 0);
    s.f.world->n_bodies = bodies;
    s.f.world->body_capacity = capacity;
    assert_int_equal(fixture_said(&s.f, PCM_MSG_OUT_OF_MEMORY), 2);
    assert_int_equal(pcm_world_update(s.f.world, 1, 0x1p-10), PCM_NO_MEMORY);
    assert_true(touch(s.f.world, s.floor, s.soft, 1, 0, 0, 1e-3).generation > 0);
    fixture_close(&s.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_handle_of_a_contact_comes_to_mean_another),
        cmocka_unit_test(lost_places_are_made_up_for),
        cmocka_unit_test(no_handle_of_an_object_comes_to_mean_another),
        cmocka_unit_test(forces_are_the_same_beyond_the_end),
        cmocka_unit_test(more_than_can_be_numbered_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
