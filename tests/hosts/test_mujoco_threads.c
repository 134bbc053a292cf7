/* SPDX-License-Identifier: MIT */
/* Simulations of one process in several threads share MuJoCo's hooks, and nothing else. */
#include "mujoco_fixture.h"

#include <pthread.h>

static void *simulate(void *user)
{
    fixture *f = user;
    for (int i = 0; i < 1000; i++) {
        fixture_push(f, i);
        if (pcm_mujoco_step(f->host) != PCM_OK)
            return f;
    }
    return NULL;
}

static void threads_do_not_meet(void **state)
{
    (void)state;
    fixture alone, first, second;
    fixture_open(&alone, fixture_box_scene, fixture_box_rules);
    fixture_open(&first, fixture_box_scene, fixture_box_rules);
    fixture_open(&second, fixture_box_scene, fixture_box_rules);
    assert_null(simulate(&alone));
    pthread_t thread;
    void     *failed;
    assert_int_equal(pthread_create(&thread, NULL, simulate, &first), 0);
    assert_null(simulate(&second));
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    assert_memory_equal(alone.data->qpos, first.data->qpos, (size_t)alone.model->nq * sizeof(double));
    assert_memory_equal(alone.data->qpos, second.data->qpos, (size_t)alone.model->nq * sizeof(double));
    fixture_close(&alone);
    fixture_close(&first);
    fixture_close(&second);
}

/* Attachments come and go while others are stepped. */
static void come_and_go(void)
{
    for (int i = 0; i < 50; i++) {
        fixture f;
        fixture_open(&f, fixture_box_scene, fixture_box_rules);
        fixture_step(&f, 5);
        fixture_close(&f);
    }
}

static void attachments_come_and_go(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    pthread_t thread;
    void     *failed;
    assert_int_equal(pthread_create(&thread, NULL, simulate, &f), 0);
    come_and_go();
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_meet),
        cmocka_unit_test(attachments_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
