/* SPDX-License-Identifier: MIT */
/* usage: test_mujoco_threads [SCHEDULES]
 *
 * Simulations in several threads of a process share only MuJoCo's hooks; each mjData of a model, attached or not,
 * has contacts of its own, whatever the schedule. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Set by the first attachment of the process; models are compiled until then. */
static atomic_bool attached;

static void *compile(void *user)
{
    pcm_context *context = pcm_context_new(NULL);
    bool         good = true;
    do {
        mjModel *model = pcm_mujoco_load(context, user);
        good &= model != NULL;
        mj_deleteModel(model);
    } while (!atomic_load(&attached));
    pcm_context_free(context);
    return good ? NULL : user;
}

/* The first attachment installs the host's hooks, so this runs before all other tests. */
static void models_are_compiled_while_the_first_attaches(void **state)
{
    (void)state;
    char      path[] = "/tmp/pcm_compiledXXXXXX.xml";
    const int file = mkstemps(path, 4);
    FILE     *stream = fdopen(file, "w");
    fixture   f;
    pthread_t thread;
    void     *failed;
    assert_non_null(stream);
    assert_true(fprintf(stream, "<mujoco>%s</mujoco>", fixture_box_scene) > 0);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(pthread_create(&thread, NULL, compile, path), 0);
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    fixture_step(&f, 5);
    atomic_store(&attached, true);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_int_equal(unlink(path), 0);
    assert_null(failed);
    fixture_close(&f);
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

/* Makes and frees attachments while others are stepped. */
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

/* ---- One model, many data ---------------------------------------------------------------------------------------- */

enum { ROLLOUTS = 4, HORIZON = 40, VALUES = 13 };

static int n_schedules = 250;

typedef struct rollout {
    fixture *f;
    mjData  *data;
    int      first;  /* number of its first step */
    unsigned yields; /* bits: the steps before which it yields to other threads */
    double   end[VALUES];
    bool     begins; /* it starts from a reset instead of the data's state */
    bool     forks;  /* it uses pcm_mujoco_fork instead of the automatic way */
} rollout;

static void push_data(mjData *data, int step) { data->xfrc_applied[6] = 2 + sin(step * 0.01); }

static void *roll_out(void *user)
{
    rollout       *r = user;
    const mjModel *model = r->f->model;
    if (r->begins)
        mj_resetData(model, r->data);
    for (int i = 0; i < HORIZON; i++) {
        if (r->yields >> i % 32 & 1)
            sched_yield();
        push_data(r->data, r->first + i);
        mj_step(model, r->data);
    }
    memcpy(r->end, r->data->qpos, 7 * sizeof(double));
    memcpy(r->end + 7, r->data->qvel, 6 * sizeof(double));
    return NULL;
}

static unsigned next_random(unsigned *state) { return *state = *state * 1664525u + 1013904223u; }

/* The result of a single thread that steps the attachment itself: from a reset, or from the plant's state. */
static void roll_out_alone(int before, double end[VALUES])
{
    fixture f;
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    for (int i = 0; i < before; i++) {
        push_data(f.data, i);
        mj_step(f.model, f.data);
    }
    rollout alone = {.f = &f, .data = f.data, .first = before};
    roll_out(&alone);
    memcpy(end, alone.end, sizeof alone.end);
    fixture_close(&f);
}

/* A step of a copy, which starts with the plant's contacts if the plant is still at that time. */
static void *step_copy(void *user)
{
    const rollout *r = user;
    mj_step(r->f->model, r->data);
    return NULL;
}

/* The plant is stepped in one thread; planners in other threads step copies of it, and start episodes of their own.
 * Once there is a copy, the plant may be ahead of its copies by all its steps in a round. */
static void rollouts_do_not_meet(void **state)
{
    (void)state;
    double fresh[VALUES], ahead[VALUES];
    roll_out_alone(0, fresh);
    unsigned random = 1;
    fixture  f;
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    rollout rollouts[ROLLOUTS];
    for (int i = 0; i < ROLLOUTS; i++)
        rollouts[i] = (rollout){.f = &f, .data = mj_makeData(f.model), .begins = i == 3, .forks = i == 2};
    pthread_t first;
    assert_int_equal(pthread_create(&first, NULL, step_copy, &rollouts[0]), 0);
    assert_int_equal(pthread_join(first, NULL), 0);
    for (int round = 0, done = 0; round < n_schedules; round++) {
        pthread_t threads[ROLLOUTS];
        rollout   plant = {.f = &f, .data = f.data, .first = done, .yields = next_random(&random)};
        for (int i = 0; i < ROLLOUTS; i++) {
            rollouts[i].yields = next_random(&random);
            rollouts[i].first = rollouts[i].begins ? 0 : done;
            if (!rollouts[i].begins) {
                mj_copyData(rollouts[i].data, f.model, f.data);
                if (rollouts[i].forks)
                    assert_int_equal(pcm_mujoco_fork(f.host, rollouts[i].data), PCM_OK);
            }
        }
        for (int i = 0; i < ROLLOUTS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, roll_out, &rollouts[i]), 0);
        roll_out(&plant);
        memcpy(ahead, plant.end, sizeof ahead);
        for (int i = 0; i < ROLLOUTS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_memory_equal(rollouts[i].end, rollouts[i].begins ? fresh : ahead, sizeof ahead);
        }
        done += HORIZON;
    }
    double alone[VALUES];
    roll_out_alone((n_schedules - 1) * HORIZON, alone);
    assert_memory_equal(ahead, alone, sizeof alone);
    assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    assert_int_equal(f.n_codes, 0);
    for (int i = 0; i < ROLLOUTS; i++)
        mj_deleteData(rollouts[i].data);
    fixture_close(&f);
}

/* Steps read their contacts repeatedly, while other threads copy them. */
static void copies_do_not_disturb_implicit_steps(void **state)
{
    (void)state;
    fixture f[2];
    for (int i = 0; i < 2; i++) {
        fixture_open(&f[i], fixture_box_scene, fixture_box_rules);
        assert_int_equal(pcm_mujoco_implicit(f[i].host, true), PCM_OK);
        rollout copy = {.f = &f[i], .data = mj_makeData(f[i].model)};
        for (int step = 0; step < 4 * n_schedules; step++) {
            pthread_t thread;
            if (i == 1) {
                mj_copyData(copy.data, f[i].model, f[i].data);
                assert_int_equal(pthread_create(&thread, NULL, step_copy, &copy), 0);
            }
            push_data(f[i].data, step);
            assert_int_equal(pcm_mujoco_step(f[i].host), PCM_OK);
            if (i == 1)
                assert_int_equal(pthread_join(thread, NULL), 0);
        }
        mj_deleteData(copy.data);
    }
    assert_memory_equal(f[0].data->qpos, f[1].data->qpos, 7 * sizeof(double));
    assert_memory_equal(f[0].data->qvel, f[1].data->qvel, 6 * sizeof(double));
    for (int i = 0; i < 2; i++)
        fixture_close(&f[i]);
}

typedef struct visitor {
    fixture  *f;
    pthread_t thread;
    unsigned  random;
    bool      good;
} visitor;

/* Attaches its own data of the shared model for a while, frees the attachment, and continues without it. */
static void *visit(void *user)
{
    visitor             *v = user;
    mjData              *data = mj_makeData(v->f->model);
    double               height[2] = {0};
    const pcm_mujoco_def def = fixture_defaults();
    v->good = true;
    for (int round = 0; round < 20; round++) {
        mj_resetData(v->f->model, data);
        const bool  attach = next_random(&v->random) >> 16 & 1;
        pcm_mujoco *host = attach ? pcm_mujoco_attach(v->f->context, v->f->config, v->f->model, data, &def) : NULL;
        for (int i = 0; i < 20; i++)
            mj_step(v->f->model, data);
        pcm_mujoco_free(host);
        height[round > 0] = data->qpos[2];
        v->good &= attach == (host != NULL) && height[0] == height[round > 0];
    }
    mj_deleteData(data);
    return NULL;
}

static void visitors_come_and_go(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, fixture_box_scene, fixture_box_rules);
    visitor visitors[3];
    for (unsigned i = 0; i < 3; i++) {
        visitors[i] = (visitor){.f = &f, .random = i + 1};
        assert_int_equal(pthread_create(&visitors[i].thread, NULL, visit, &visitors[i]), 0);
    }
    for (int i = 0; i < 400; i++)
        mj_step(f.model, f.data);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_join(visitors[i].thread, NULL), 0);
        assert_true(visitors[i].good);
    }
    assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    fixture_close(&f);
}

#if PCM_RELEASE >= 3010000
/* MuJoCo's own threads search for contacts at the same time. */
static void contacts_are_looked_for_in_several_threads(void **state)
{
    (void)state;
    enum { BALLS = 216 };
    static char scene[32768];
    size_t      used = (size_t)snprintf(scene, sizeof scene,
                                        "<mujoco><option timestep='1e-3'/><worldbody><geom type='box' size='2 2 0.1'/>");
    for (int i = 0; i < BALLS; i++)
        used += (size_t)snprintf(scene + used, sizeof scene - used,
                                 "<body pos='%g %g %g'><freejoint/><geom size='0.05'/></body>", 0.099 * (i % 6),
                                 0.099 * (i / 6 % 6), 0.149 + 0.099 * (i / 36));
    assert_true(used < sizeof scene - 32);
    strcat(scene, "</worldbody></mujoco>");
    fixture alone, threaded;
    fixture_open_file(&alone, scene, "ContactType C = CompliantGround { Stiffness = 1e4 };\nDefaultPair -> C;\n");
    fixture_open_file(&threaded, scene, "ContactType C = CompliantGround { Stiffness = 1e4 };\nDefaultPair -> C;\n");
    mju_threadpool(threaded.data, 3);
    fixture_step(&alone, 50);
    fixture_step(&threaded, 50);
    assert_true(alone.data->ncon > BALLS);
    assert_memory_equal(alone.data->qpos, threaded.data->qpos, (size_t)alone.model->nq * sizeof *alone.data->qpos);
    fixture_close(&alone);
    fixture_close(&threaded);
}
#endif

int main(int argc, char **argv)
{
    if (argc > 1)
        n_schedules = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_compiled_while_the_first_attaches),
        cmocka_unit_test(threads_do_not_meet),
        cmocka_unit_test(attachments_come_and_go),
        cmocka_unit_test(rollouts_do_not_meet),
        cmocka_unit_test(visitors_come_and_go),
        cmocka_unit_test(copies_do_not_disturb_implicit_steps),
#if PCM_RELEASE >= 3010000
        cmocka_unit_test(contacts_are_looked_for_in_several_threads),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
