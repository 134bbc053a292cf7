/* SPDX-License-Identifier: MIT */
/* What programs are told once: objects that overlap at the start, and steps that are not as they were asked for. */
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <string.h>

#define BALL(height)                                                                                                   \
    "<worldbody><geom name='Floor' type='plane' size='9 9 1'/><body name='Ball' pos='0 0 " height                      \
    "'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body></worldbody>"
#define LAW "ContactType C = CompliantGround { Stiffness = 1e6; Damping = 100; }; DefaultPair -> C;"

static void an_overlap_is_told_once(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, BALL("0.05"), LAW);
    mj_forward(f.model, f.data);
    assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), 0); /* it may still be eased */
    for (int episode = 0; episode < 2; episode++) {
        for (int i = 0; i < 20; i++)
            mj_step(f.model, f.data);
        mj_resetData(f.model, f.data);
    }
    assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), 1);
    assert_non_null(strstr(f.last, "'Floor' and 'Ball' overlap by 0.05 m"));
    fixture_close(&f);
}

static void what_is_no_overlap_is_not_told(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, BALL("0.05"), LAW); /* eased */
    assert_int_equal(pcm_mujoco_ease(f.host, 0.1), PCM_OK);
    fixture_step(&f, 100);
    assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), 0);
    fixture_close(&f);
    fixture_open(&f, BALL("0.09999"), LAW); /* at rest */
    fixture_step(&f, 100);
    assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), 0);
    fixture_close(&f);
    fixture_open(&f, BALL("1"), LAW); /* an impact later on */
    fixture_step(&f, 500);
    assert_int_equal(fixture_said(&f, PCM_MSG_OVERLAP), 0);
    fixture_close(&f);
}

static void plain_steps_are_told_to_be_explicit(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, BALL("0.0999"), LAW);
    if (pcm_mujoco_implicit(f.host, true) != PCM_OK) { /* a release whose matrix is not known */
        fixture_close(&f);
        skip();
    }
    fixture_step(&f, 10);
    mj_forward(f.model, f.data);
    assert_int_equal(fixture_said(&f, PCM_MSG_NOT_IMPLICIT), 0);
    for (int i = 0; i < 10; i++)
        mj_step(f.model, f.data);
    assert_int_equal(fixture_said(&f, PCM_MSG_NOT_IMPLICIT), 1);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_overlap_is_told_once),
        cmocka_unit_test(what_is_no_overlap_is_not_told),
        cmocka_unit_test(plain_steps_are_told_to_be_explicit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
