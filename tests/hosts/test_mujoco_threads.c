/* SPDX-License-Identifier: MIT */
/* Simulations of one process in several threads share MuJoCo's hooks, and nothing else. */
#include "mujoco_fixture.h"

#include <pthread.h>

/* A box that is pushed and dragged on ground with memory. */
static const char box_scene[] =
    "<option timestep='5e-4'/><worldbody><geom name='Ground' type='plane' size='5 5 0.1'/>"
    "<body pos='0 0 0.0499'><freejoint/><geom name='Body' type='box' size='0.1 0.1 0.05' mass='1'/></body></worldbody>";
static const char box_rules[] = "ContactType C = CompliantGround { Stiffness = 1e6; Damping = 2000; Friction = 0.3 };\n"
                                "ObjectPair Ground * Body -> C;\n";

static void push(fixture *f, int step) { f->data->xfrc_applied[6] = 2 + sin(step * 0.01); }

static void *simulate(void *user)
{
    fixture *f = user;
    for (int i = 0; i < 1000; i++) {
        push(f, i);
        if (pcm_mujoco_step(f->host) != PCM_OK)
            return f;
    }
    return NULL;
}

static void threads_do_not_meet(void **state)
{
    (void)state;
    fixture alone, first, second;
    fixture_open(&alone, box_scene, box_rules);
    fixture_open(&first, box_scene, box_rules);
    fixture_open(&second, box_scene, box_rules);
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
        fixture_open(&f, box_scene, box_rules);
        fixture_step(&f, 5);
        fixture_close(&f);
    }
}

static void attachments_come_and_go(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, box_scene, box_rules);
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
