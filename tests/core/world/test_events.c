/* SPDX-License-Identifier: MIT */
/* The events of contacts at each commit, and the numbers that a world gives of its objects. */
#include "fixture.h"
#include <pcm/event.h>
#include <string.h>

static const char rules[] = "ContactType Lasting = Brush { };\n"
                            "ContactType Bonded = Glue { };\n"
                            "ObjectPair floor * box -> Lasting;\n"
                            "ObjectPair floor * grain -> Bonded;\n";

typedef struct scene {
    fixture    f;
    pcm_object floor, box, grain;
    double     time;
} scene;

static void open_scene(scene *s)
{
    *s = (scene){.time = 0};
    fixture_open(&s->f, rules, NULL);
    s->floor = pcm_world_add_object(s->f.world, &PCM_OBJECT(.name = "floor", .surface = "Rock", .fixed = true));
    s->box = pcm_world_add(s->f.world, "box", NULL);
    s->grain = pcm_world_add(s->f.world, "grain", NULL);
}

/* A step in which they touch at these depths; NAN: no touch. */
static void step(scene *s, double box, double grain)
{
    pcm_world *world = s->f.world;
    if (!isnan(box))
        touch(world, s->floor, s->box, 7, 0, 0, box);
    if (!isnan(grain))
        touch(world, s->floor, s->grain, 8, 1, 0, grain);
    s->time += 1;
    assert_int_equal(pcm_world_update(world, s->time, 1), PCM_OK);
    assert_int_equal(pcm_world_commit(world), PCM_OK);
}

static pcm_contact_event event_at(const scene *s, size_t index)
{
    pcm_contact_event event = {.size = sizeof event};
    assert_int_equal(pcm_world_event_at(s->f.world, index, &event), PCM_OK);
    return event;
}

static void a_life_counts_from_first_touch_to_last(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    assert_int_equal(pcm_world_keep_events(s.f.world, true), PCM_OK);
    step(&s, 1e-3, NAN);
    assert_int_equal(pcm_world_event_count(s.f.world), 1);
    const pcm_contact_event made = event_at(&s, 0);
    assert_int_equal(made.change, PCM_CONTACT_MADE);
    assert_int_equal(made.id, 1);
    assert_int_equal(made.feature, 7);
    assert_int_equal(made.rule, 0);
    assert_int_equal(made.base.index, s.floor.index);
    assert_int_equal(made.follower.index, s.box.index);
    assert_int_equal(made.mode_before, -1);
    assert_int_equal(made.mode, PCM_STICKING);
    assert_near(made.time, 1, 0);
    step(&s, 1e-3, NAN);
    assert_int_equal(pcm_world_event_count(s.f.world), 0);
    step(&s, NAN, NAN); /* its stretch keeps the contact alive */
    assert_int_equal(pcm_world_event_count(s.f.world), 1);
    const pcm_contact_event changed = event_at(&s, 0);
    assert_int_equal(changed.change, PCM_CONTACT_MODE);
    assert_int_equal(changed.mode_before, PCM_STICKING);
    assert_int_equal(changed.mode, PCM_SEPARATED);
    for (int i = 0; i < 10 && pcm_world_contact_count(s.f.world) > 0; i++)
        step(&s, NAN, NAN);
    assert_int_equal(event_at(&s, 0).change, PCM_CONTACT_PARTED);
    assert_int_equal(event_at(&s, 0).mode, -1);
    fixture_close(&s.f);
}

static void breaking_and_removal_are_distinguished(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    assert_int_equal(pcm_world_keep_events(s.f.world, true), PCM_OK);
    step(&s, 1e-3, 0);
    assert_int_equal(pcm_world_event_count(s.f.world), 2);
    step(&s, 1e-3, -1.5e-4); /* a pull of 1.5 MPa; the strength is 1 MPa */
    assert_int_equal(pcm_world_event_count(s.f.world), 1);
    assert_int_equal(event_at(&s, 0).change, PCM_CONTACT_BROKEN);
    assert_int_equal(event_at(&s, 0).rule, 1);
    assert_int_equal(pcm_world_remove(s.f.world, s.box), PCM_OK);
    assert_int_equal(pcm_world_event_count(s.f.world), 2);
    step(&s, NAN, NAN);
    assert_int_equal(pcm_world_event_count(s.f.world), 1); /* an event from before that commit is still reported */
    assert_int_equal(event_at(&s, 0).change, PCM_CONTACT_REMOVED);
    assert_near(event_at(&s, 0).time, 2, 0);
    step(&s, NAN, NAN);
    assert_int_equal(pcm_world_event_count(s.f.world), 0);
    fixture_close(&s.f);
}

static void a_world_that_does_not_keep_them_has_none(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    pcm_contact_event event = {.size = sizeof event};
    step(&s, 1e-3, NAN);
    assert_int_equal(pcm_world_event_count(s.f.world), 0);
    assert_int_equal(pcm_world_event_at(s.f.world, 0, &event), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_keep_events(s.f.world, true), PCM_OK);
    step(&s, 1e-3, NAN); /* no event: its previous mode is unknown */
    assert_int_equal(pcm_world_event_count(s.f.world), 0);
    step(&s, -1e-6, NAN);
    assert_int_equal(pcm_world_event_count(s.f.world), 1);
    assert_int_equal(pcm_world_keep_events(s.f.world, false), PCM_OK);
    assert_int_equal(pcm_world_event_count(s.f.world), 0);
    fixture_close(&s.f);
}

static void events_asked_for_after_an_update_are_those_of_its_commit(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    touch(s.f.world, s.floor, s.box, 7, 0, 0, 1e-3);
    assert_int_equal(pcm_world_update(s.f.world, 1, 1), PCM_OK);
    assert_int_equal(pcm_world_keep_events(s.f.world, true), PCM_OK);
    assert_int_equal(pcm_world_commit(s.f.world), PCM_OK);
    assert_int_equal(pcm_world_event_count(s.f.world), 1);
    assert_int_equal(event_at(&s, 0).mode, PCM_STICKING);
    fixture_close(&s.f);
}

/* Tentative contacts take memory, and a commit that runs out of it changes nothing. */
static void commits_without_memory_change_nothing(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    assert_int_equal(pcm_world_keep_events(s.f.world, true), PCM_OK);
    touch(s.f.world, s.floor, s.box, 7, 0, 0, 1e-3);
    assert_int_equal(pcm_world_update(s.f.world, 1, 1), PCM_OK);
    for (s.f.limit = s.f.allocations; pcm_world_commit(s.f.world) == PCM_NO_MEMORY; s.f.limit++)
        assert_int_equal(pcm_world_event_count(s.f.world), 0);
    s.f.limit = 0;
    assert_int_equal(pcm_world_event_count(s.f.world), 1);
    fixture_close(&s.f);
}

static void contacts_name_their_rule(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    step(&s, 1e-3, 0);
    for (size_t i = 0; i < 2; i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(s.f.world, i, &info), PCM_OK);
        assert_int_equal(info.rule, strcmp(info.follower_name, "grain") == 0);
    }
    fixture_close(&s.f);
}

static void objects_are_listed_with_their_motion(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    pcm_object      objects[3];
    pcm_object_info info = {.size = sizeof info};
    const pcm_pose  pose = {{0, 2, 0}, {1, 0, 0, 0}};
    const pcm_twist twist = {{0, 0, 3}, {1, 0, 5}};
    assert_int_equal(pcm_world_move(s.f.world, s.box, &pose, &twist), PCM_OK);
    step(&s, NAN, NAN);
    assert_int_equal(pcm_world_objects(s.f.world, NULL, 0), 3);
    assert_int_equal(pcm_world_objects(s.f.world, objects, 3), 3);
    assert_int_equal(pcm_world_object_info(s.f.world, objects[0], &info), PCM_OK);
    assert_string_equal(info.name, "floor");
    assert_string_equal(info.surface, "Rock");
    assert_true(info.fixed);
    assert_int_equal(pcm_world_object_info(s.f.world, s.box, &info), PCM_OK);
    assert_memory_equal(&info.pose, &pose, sizeof pose);
    for (size_t k = 0; k < 3; k++) {
        assert_near(info.twist.linear[k], twist.linear[k], 1e-15);
        assert_near(info.twist.angular[k], twist.angular[k], 0);
    }
    assert_int_equal(pcm_world_remove(s.f.world, s.floor), PCM_OK);
    assert_int_equal(pcm_world_object_info(s.f.world, s.floor, &info), PCM_BAD_HANDLE);
    assert_int_equal(pcm_world_objects(s.f.world, objects, 3), 2);
    assert_int_equal(objects[0].index, s.box.index);
    fixture_close(&s.f);
}

static void sources_are_the_texts_that_were_read(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    assert_int_equal(pcm_config_source_count(f.config), 1);
    const pcm_source_info source = pcm_config_source_at(f.config, 0);
    assert_string_equal(source.name, pcm_config_rule_at(f.config, 0).place.file);
    assert_int_equal(source.length, strlen(rules));
    assert_string_equal(source.text, rules);
    assert_false(source.table);
    assert_null(pcm_config_source_at(f.config, 1).text);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_life_counts_from_first_touch_to_last),
        cmocka_unit_test(breaking_and_removal_are_distinguished),
        cmocka_unit_test(a_world_that_does_not_keep_them_has_none),
        cmocka_unit_test(events_asked_for_after_an_update_are_those_of_its_commit),
        cmocka_unit_test(commits_without_memory_change_nothing),
        cmocka_unit_test(contacts_name_their_rule),
        cmocka_unit_test(objects_are_listed_with_their_motion),
        cmocka_unit_test(sources_are_the_texts_that_were_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
