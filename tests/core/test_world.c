/* SPDX-License-Identifier: MIT */
/* Objects, motion and wrenches of a world. */
#include "fixture.h"

static const char *const spring = "ContactType C = Spring { Stiffness=1000; Damping=10; };\n"
                                  "ObjectPair ground * \"ball*\" -> C;\n";

static void forces_are_the_laws(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, spring, NULL);
    pcm_object ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
    place(f.world, ball, 0, 0, 1, 0.5, 0, -2);
    pcm_contact contact = touch(f.world, ground, ball, 7, 0.25, 0, 0.01);
    assert_int_not_equal(contact.generation, 0);
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    pcm_wrench on_ball = wrench_of(f.world, ball), on_ground = wrench_of(f.world, ground);
    assert_near(on_ball.force[2], 1000 * 0.01 + 10 * 2, 1e-12);
    assert_near(on_ball.force[0], -10 * 0.5, 1e-12);
    assert_near(on_ball.torque[1], -0.25 * 30 + -1 * -5, 1e-12); /* (r x f)_y, r = (0.25, 0, -1) */
    for (size_t k = 0; k < 3; k++)
        assert_near(on_ground.force[k], -on_ball.force[k], 0);
    pcm_contact_info info;
    assert_int_equal(pcm_world_contact_info(f.world, contact, &info), PCM_OK);
    assert_int_equal(info.id, 0);
    assert_int_equal(info.feature, 7);
    assert_string_equal(info.base_name, "ground");
    assert_near(info.force[2], 30, 1e-12);
    assert_near(info.force[0], -5, 1e-12);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    assert_int_equal(pcm_world_contact_info(f.world, contact, &info), PCM_OK);
    assert_int_equal(info.id, 1);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_the_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
