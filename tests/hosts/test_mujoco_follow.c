/* SPDX-License-Identifier: MIT */
/* The user's own loop: contacts follow the clock of an mjData through steps, trials, resets, copies and checkpoints. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A crawler under laws with history states: a body on four different feet that an actuated arm pushes around; it slips,
 * sticks, tips and lifts its feet. Its joints are slides and hinges, so that no quaternion is normalised. */
static const char crawler[] =
    "<option timestep='1e-3' integrator='%s'/><worldbody><geom name='Ground' type='plane' size='5 5 0.1'/>"
    "<body name='Trunk' pos='0 0 0.1199'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
    "<joint type='hinge' axis='0 1 0'/><geom type='box' size='0.2 0.1 0.02' mass='1' contype='2' conaffinity='2'/>"
    "<geom name='Foot1' type='sphere' size='0.02' pos='0.2 0.1 -0.1'/>"
    "<geom name='Foot2' type='sphere' size='0.02' pos='0.2 -0.1 -0.1'/>"
    "<geom name='Foot3' type='sphere' size='0.02' pos='-0.2 0.1 -0.1'/>"
    "<geom name='Foot4' type='sphere' size='0.02' pos='-0.2 -0.1 -0.1'/>"
    "<body name='Arm'><joint name='Shoulder' type='hinge' axis='0 1 0' damping='0.01'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 0.2' size='0.01' mass='0.3' contype='0' conaffinity='0'/></body></body>"
    "</worldbody><actuator><motor name='Motor' joint='Shoulder'/></actuator>"
    "<keyframe><key name='aside' qpos='0.3 0.01 0.1 0.5' time='0.25'/></keyframe>";
static const char crawler_rules[] =
    "ContactType Grip = CompliantGround { Stiffness = 1e5; Damping = 1000; Friction = 0.4 };\n"
    "ContactType Glue = SpringContact { K = 4000; B = 20; Z_Limit = 4 };\n"
    "ObjectPair Ground * \"Foot?\" -> Grip;\nObjectPair Ground * Foot1 -> Glue;\n";

enum { POSITIONS = 4 };

static void open_crawler(fixture *f, const char *integrator)
{
    char scene[4096];
    assert_true(snprintf(scene, sizeof scene, crawler, integrator) < (int)sizeof scene);
    fixture_open(f, scene, crawler_rules);
}

static void shove(mjData *data, int step) { data->ctrl[0] = 2 * sin(0.02 * step) + sin(0.11 * step); }

static void assert_equal_states(const mjData *a, const mjData *b)
{
    assert_memory_equal(a->qpos, b->qpos, POSITIONS * sizeof *a->qpos);
    assert_memory_equal(a->qvel, b->qvel, POSITIONS * sizeof *a->qvel);
    assert_true(isfinite(a->qpos[0]) && isfinite(a->qvel[0]));
}

/* ---- Steps and trials -------------------------------------------------------------------------------------------- */

enum { STEPS = 1500 };

typedef void a_loop(fixture *f, int step);

static void step_by_ours(fixture *f, int step)
{
    (void)step;
    fixture_step(f, 1);
}

static void step_by_engine(fixture *f, int step)
{
    (void)step;
    mj_step(f->model, f->data);
}

static void step_in_halves(fixture *f, int step)
{
    mj_step1(f->model, f->data);
    shove(f->data, step);
    mj_step2(f->model, f->data);
}

/* Calls between steps change nothing in the step except the start of MuJoCo's solver. */
static void step_and_ask(fixture *f, int step)
{
    mj_forward(f->model, f->data);
    if (step % 3 == 0)
        mj_inverse(f->model, f->data);
    if (step % 50 == 7)
        assert_int_equal(pcm_mujoco_status(f->host), PCM_OK);
    mj_step(f->model, f->data);
    if (step % 100 == 3)
        assert_int_equal(pcm_mujoco_forward(f->host), PCM_OK);
}

static void assert_same_run(const char *integrator, a_loop *loop)
{
    fixture ours, own;
    open_crawler(&ours, integrator);
    open_crawler(&own, integrator);
    for (int i = 0; i < STEPS; i++) {
        shove(ours.data, i);
        shove(own.data, i);
        step_by_ours(&ours, i);
        loop(&own, i);
        assert_equal_states(ours.data, own.data);
    }
    assert_true(fixture_made(&ours) > 8); /* feet did lift and slip */
    assert_int_equal(pcm_mujoco_status(own.host), PCM_OK);
    assert_int_equal(fixture_made(&own), fixture_made(&ours));
    assert_int_equal(fixture_live(&own), fixture_live(&ours));
    assert_int_equal(own.n_codes, ours.n_codes);
    fixture_close(&ours);
    fixture_close(&own);
}

static void plain_steps_are_ours(void **state)
{
    (void)state;
    static const char *const integrators[] = {"Euler", "implicit", "RK4", "implicitfast"};
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
        if (i < 3 || pcm_mujoco_integrator("implicitfast") >= 0)
            assert_same_run(integrators[i], step_by_engine);
}

static void half_steps_are_ours(void **state)
{
    (void)state;
    assert_same_run("Euler", step_in_halves);
    assert_same_run("implicit", step_in_halves);
}

/* mj_step2 makes an Euler step even under RK4. The contact states' error is of second order in the step, over 0.05 m of
 * creeping; contacts that began again in each step would be off by 6 mm. */
static void half_steps_under_rk4_are_of_euler(void **state)
{
    (void)state;
    fixture euler, rk4;
    open_crawler(&euler, "Euler");
    open_crawler(&rk4, "RK4");
    for (int i = 0; i < 200; i++) {
        step_in_halves(&euler, i);
        step_in_halves(&rk4, i);
        assert_true(fabs(rk4.data->qpos[0] - euler.data->qpos[0]) < 1e-3);
    }
    assert_int_equal(pcm_mujoco_status(rk4.host), PCM_OK);
    assert_int_equal(fixture_made(&rk4), fixture_made(&euler));
    assert_int_equal(rk4.n_codes, euler.n_codes);
    fixture_close(&euler);
    fixture_close(&rk4);
}

static void questions_change_nothing(void **state)
{
    (void)state;
    assert_same_run("Euler", step_and_ask);
    assert_same_run("RK4", step_and_ask);
}

/* Finite differences are trials. The clock is the same as without them: before 2.3 they leave it at their last
 * trial. */
static void assert_differences_are_trials(const char *integrator, int every)
{
    fixture plain, asked;
    open_crawler(&plain, integrator);
    open_crawler(&asked, integrator);
    const int n = 2 * (int)plain.model->nv;
    double   *slope = calloc((size_t)(n * n), sizeof *slope);
    assert_non_null(slope);
    for (int i = 0; i < STEPS; i++) {
        shove(plain.data, i);
        shove(asked.data, i);
        if (i % every == 0)
            mjd_transitionFD(asked.model, asked.data, 1e-6, 1, slope, NULL, NULL, NULL);
        mj_step(plain.model, plain.data);
        mj_step(asked.model, asked.data);
        assert_equal_states(plain.data, asked.data);
        assert_true(plain.data->time == asked.data->time);
    }
    assert_int_equal(pcm_mujoco_status(asked.host), PCM_OK);
    assert_int_equal(pcm_mujoco_status(plain.host), PCM_OK);
    assert_int_equal(fixture_made(&asked), fixture_made(&plain));
    assert_int_equal(asked.n_codes, plain.n_codes);
    free(slope);
    fixture_close(&plain);
    fixture_close(&asked);
}

static void differences_are_trials(void **state)
{
    (void)state;
    static const char *const integrators[] = {"Euler", "implicit", "RK4"};
    const int                count = PCM_RELEASE < 2003000 ? 3 : 2; /* later releases reject RK4 */
    for (int i = 0; i < count; i++) {
        assert_differences_are_trials(integrators[i], 10);
        assert_differences_are_trials(integrators[i], 50);
    }
}

static void the_clock_need_not_be_followed(void **state)
{
    (void)state;
    fixture f;
    open_crawler(&f, "Euler");
    pcm_mujoco_follow(f.host, false);
    for (int i = 0; i < 100; i++)
        mj_step(f.model, f.data);
    assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    assert_int_equal(fixture_made(&f), 0);
    assert_int_equal(pcm_mujoco_commit(f.host), PCM_OK);
    assert_int_equal(fixture_made(&f), 4);
    fixture_close(&f);
}

/* Loops that hold the clock still, set it to k times the step, or set it back after some steps. */
static void step_and_hold(fixture *f, int step)
{
    (void)step;
    mj_step(f->model, f->data);
    f->data->time = 0;
}

static void step_and_hold_and_ask(fixture *f, int step)
{
    step_and_hold(f, step);
    mj_forward(f->model, f->data);
}

static void step_and_count(fixture *f, int step)
{
    mj_step(f->model, f->data);
    f->data->time = 1e-3 * (step + 1);
}

/* Every fifth step back to 0, as some environments do after each action, or by a clock that is not the step's. */
static void step_and_set_back(fixture *f, int step)
{
    mj_step(f->model, f->data);
    if (step % 5 == 4)
        f->data->time = 0;
}

static void step_by_another_clock(fixture *f, int step)
{
    mj_step(f->model, f->data);
    f->data->time = 1.7e-3 * (step + 1) + 1e-4 * sin(step);
}

/* The states of contacts go on as in steps of ours, whose clock runs. */
static void assert_same_steps(const char *integrator, a_loop *loop)
{
    fixture ours, own;
    open_crawler(&ours, integrator);
    open_crawler(&own, integrator);
    for (int i = 0; i < STEPS / 3; i++) {
        shove(ours.data, i);
        shove(own.data, i);
        step_by_ours(&ours, i);
        loop(&own, i);
        assert_equal_states(ours.data, own.data);
    }
    assert_int_equal(pcm_mujoco_status(own.host), PCM_OK);
    assert_int_equal(fixture_made(&own), fixture_made(&ours));
    fixture_close(&ours);
    fixture_close(&own);
}

static void a_step_is_a_step_whatever_the_clock_says(void **state)
{
    (void)state;
    static const char *const integrators[] = {"Euler", "implicit", "RK4"};
    for (size_t i = 0; i < 3; i++) {
        assert_same_steps(integrators[i], step_and_hold);
        assert_same_steps(integrators[i], step_and_count);
        assert_same_steps(integrators[i], step_and_set_back);
        assert_same_steps(integrators[i], step_by_another_clock);
    }
    assert_same_steps("Euler", step_and_hold_and_ask);
}

/* A law's logs and energies go by the clock, which is told. */
static void a_clock_held_still_is_reported(void **state)
{
    (void)state;
    fixture f;
    open_crawler(&f, "Euler");
    for (int i = 0; i < 100; i++)
        step_and_hold(&f, i);
    assert_int_equal(fixture_said(&f, PCM_MSG_CLOCK), 1);
    fixture_close(&f);
    open_crawler(&f, "Euler");
    for (int i = 0; i < 100; i++)
        step_and_count(&f, i);
    assert_int_equal(f.n_codes, 0);
    fixture_close(&f);
}

/* Trials at states that the user sets, with the clock where it was, are no steps. */
static void states_set_by_hand_are_trials(void **state)
{
    (void)state;
    fixture plain, tried;
    open_crawler(&plain, "Euler");
    open_crawler(&tried, "Euler");
    for (int i = 0; i < 300; i++) {
        double kept[2 * POSITIONS];
        memcpy(kept, tried.data->qpos, POSITIONS * sizeof *kept);
        memcpy(kept + POSITIONS, tried.data->qvel, POSITIONS * sizeof *kept);
        tried.data->qpos[0] += 1e-4;
        mj_forward(tried.model, tried.data);
        tried.data->qvel[1] = -0.01;
        mj_forward(tried.model, tried.data);
        memcpy(tried.data->qpos, kept, POSITIONS * sizeof *kept);
        memcpy(tried.data->qvel, kept + POSITIONS, POSITIONS * sizeof *kept);
        step_by_engine(&plain, i);
        step_by_engine(&tried, i);
        assert_near(tried.data->qpos[0] + 1, plain.data->qpos[0] + 1, 1e-9); /* MuJoCo's solver starts elsewhere */
    }
    assert_int_equal(pcm_mujoco_status(plain.host), PCM_OK);
    assert_int_equal(pcm_mujoco_status(tried.host), PCM_OK);
    assert_int_equal(fixture_made(&plain), fixture_made(&tried));
    fixture_close(&plain);
    fixture_close(&tried);
}

/* ---- Resets ------------------------------------------------------------------------------------------------------ */

static void run_episode(fixture *f, a_loop *loop, double end[2 * POSITIONS])
{
    for (int i = 0; i < STEPS; i++) {
        shove(f->data, i);
        loop(f, i);
    }
    memcpy(end, f->data->qpos, POSITIONS * sizeof *end);
    memcpy(end + POSITIONS, f->data->qvel, POSITIONS * sizeof *end);
}

static void assert_episodes(const char *integrator, a_loop *loop)
{
    fixture f;
    open_crawler(&f, integrator);
    double   first[2 * POSITIONS], again[2 * POSITIONS];
    uint64_t made = 0;
    for (int episode = 0; episode < 4; episode++) {
        mj_resetData(f.model, f.data);
        run_episode(&f, loop, episode ? again : first);
        assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
        if (episode)
            assert_memory_equal(first, again, sizeof first);
        else
            made = fixture_made(&f);
        assert_int_equal(fixture_made(&f), made);
    }
    fixture_close(&f);
}

static void episodes_are_alike(void **state)
{
    (void)state;
    assert_episodes("Euler", step_by_engine);
    assert_episodes("Euler", step_by_ours);
    assert_episodes("RK4", step_by_engine);
    assert_episodes("RK4", step_by_ours);
}

/* A keyframe's time may be ahead of the clock. */
static void a_keyframe_resets_the_contacts(void **state)
{
    (void)state;
    fixture f, fresh;
    open_crawler(&f, "Euler");
    open_crawler(&fresh, "Euler");
    double end[2 * POSITIONS], wanted[2 * POSITIONS];
    for (int i = 0; i < 100; i++)
        mj_step(f.model, f.data);
    mj_resetDataKeyframe(f.model, f.data, 0);
    mj_resetDataKeyframe(fresh.model, fresh.data, 0);
    run_episode(&f, step_by_engine, end);
    run_episode(&fresh, step_by_engine, wanted);
    assert_memory_equal(end, wanted, sizeof end);
    fixture_close(&f);
    fixture_close(&fresh);
}

/* A reset that leaves the clock unchanged needs pcm_mujoco_reset. */
static void resets_can_be_reported(void **state)
{
    (void)state;
    fixture f;
    open_crawler(&f, "Euler");
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(pcm_mujoco_commit(f.host), PCM_OK);
    assert_int_equal(fixture_live(&f), 4);
    assert_int_equal(pcm_mujoco_reset(f.host), PCM_OK);
    assert_int_equal(fixture_made(&f), 0);
    fixture_close(&f);
}

static void instability_is_reported_in_loops(void **state)
{
    (void)state;
    fixture f;
    open_crawler(&f, "Euler");
    for (int i = 0; i < 10; i++)
        mj_step(f.model, f.data);
    for (int asked = 1; asked <= 2; asked++) {
        for (int reset = 0; reset < 3; reset++) {
            f.data->qvel[1] = NAN;
            for (int i = 0; i < 10; i++)
                mj_step(f.model, f.data);
        }
        assert_int_equal(pcm_mujoco_status(f.host), PCM_BAD_MOTION);
        assert_int_equal(fixture_said(&f, PCM_MSG_UNSTABLE), asked); /* once for all resets */
        assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    }
    fixture_close(&f);
}

/* ---- Forks ------------------------------------------------------------------------------------------------------- */

static void assert_forks(const char *integrator, bool named)
{
    fixture f;
    open_crawler(&f, integrator);
    mjData *copy = mj_makeData(f.model);
    for (int i = 0; i < STEPS; i++) {
        shove(f.data, i);
        mj_step(f.model, f.data);
        if (i % 400 != 399)
            continue;
        mj_copyData(copy, f.model, f.data);
        if (named)
            assert_int_equal(pcm_mujoco_fork(f.host, copy), PCM_OK);
        for (int k = 0; k < 200; k++) { /* the copy is stepped ahead, which does not affect the plant */
            shove(copy, i + 1 + k);
            mj_step(f.model, copy);
        }
        mjData *end = mj_copyData(NULL, f.model, copy);
        for (int k = 0; k < 200; k++) {
            shove(f.data, ++i);
            mj_step(f.model, f.data);
        }
        assert_equal_states(f.data, end);
        mj_deleteData(end);
    }
    assert_int_equal(fixture_said(&f, PCM_MSG_NOT_FORKED), 0);
    mj_deleteData(copy);
    fixture_close(&f);
}

static void copies_go_on_alike(void **state)
{
    (void)state;
    assert_forks("Euler", false);
    assert_forks("Euler", true);
    assert_forks("RK4", false);
}

static void late_copies_are_reported(void **state)
{
    (void)state;
    fixture f;
    open_crawler(&f, "Euler");
    fixture_step(&f, 100);
    mjData *copy = mj_copyData(NULL, f.model, f.data);
    fixture_step(&f, 1);
    mj_step(f.model, copy);
    assert_int_equal(fixture_said(&f, PCM_MSG_NOT_FORKED), 1);
    assert_int_equal(pcm_mujoco_fork(f.host, f.data), PCM_BAD_ARGUMENT);
    mj_deleteData(copy);
    fixture_close(&f);
}

/* Checkpoints, as in another process: only the bytes and MuJoCo's state are shared. */
static void checkpoints_go_on_alike(void **state)
{
    (void)state;
    fixture f, other;
    open_crawler(&f, "Euler");
    open_crawler(&other, "Euler");
    int i = 0;
    for (; i < 777; i++) {
        shove(f.data, i);
        mj_step(f.model, f.data);
    }
    const size_t size = pcm_mujoco_checkpoint_size(f.host);
    uint8_t     *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(pcm_mujoco_checkpoint_save(f.host, bytes, size - 1), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_mujoco_checkpoint_save(f.host, bytes, size), PCM_OK);
    for (size_t k = 0; k < size; k += 7) { /* any damage is detected, and nothing is changed */
        bytes[k] ^= 0x10;
        assert_int_not_equal(pcm_mujoco_checkpoint_restore(other.host, bytes, size), PCM_OK);
        bytes[k] ^= 0x10;
    }
    assert_int_not_equal(pcm_mujoco_checkpoint_restore(other.host, bytes, size / 2), PCM_OK);
    assert_int_equal(pcm_mujoco_checkpoint_restore(other.host, bytes, size), PCM_OK);
    mj_copyData(other.data, other.model, f.data);
    for (; i < STEPS; i++) {
        shove(f.data, i);
        shove(other.data, i);
        mj_step(f.model, f.data);
        mj_step(other.model, other.data);
        assert_equal_states(f.data, other.data);
    }
    assert_int_equal(fixture_made(&f), fixture_made(&other));
    free(bytes);
    fixture_close(&f);
    fixture_close(&other);
}

/* ---- Other things that users do ---------------------------------------------------------------------------------- */

static void missing_arguments_are_reported(void **state)
{
    (void)state;
    fixture f;
    open_crawler(&f, "Euler");
    assert_null(pcm_mujoco_attach(f.context, NULL, f.model, f.data, NULL));
    assert_null(pcm_mujoco_attach(f.context, f.config, NULL, f.data, NULL));
    assert_null(pcm_mujoco_attach(f.context, f.config, f.model, NULL, NULL));
    assert_int_equal(fixture_said(&f, PCM_MSG_NULL_ARGUMENT), 3);
    assert_null(pcm_mujoco_attach(f.context, f.config, f.model, f.data, NULL));
    assert_int_equal(fixture_said(&f, PCM_MSG_ATTACHED), 1);
    fixture_step(&f, 10); /* and the present history continues */
    fixture_close(&f);
}

static void hooks_come_back(void **state)
{
    (void)state;
    fixture f, later;
    open_crawler(&f, "Euler");
    mj_resetCallbacks();
    for (int i = 0; i < 100; i++)
        mj_step(f.model, f.data);
    assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    assert_int_equal(fixture_live(&f), 4);
    mj_resetCallbacks();
    open_crawler(&later, "Euler");
    fixture_step(&later, 10);
    assert_int_equal(fixture_live(&later), 4);
    fixture_close(&f);
    fixture_close(&later);
}

static void nothing(const mjModel *model, mjData *data)
{
    (void)model;
    (void)data;
}

/* With the last attachment all of MuJoCo's hooks are as before, unless another library has built on ours. */
static void hooks_go_with_the_last_attachment(void **state)
{
    (void)state;
    const mjfCollision spheres = mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_SPHERE];
    void (*const freeing)(void *) = mju_user_free;
    fixture f, g;
    assert_null(mjcb_passive);
    open_crawler(&f, "Euler");
    open_crawler(&g, "Euler");
    assert_non_null(mjcb_passive);
    assert_ptr_not_equal(mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_SPHERE], spheres);
    fixture_close(&f);
    fixture_step(&g, 10);
    assert_non_null(mjcb_passive);
    fixture_close(&g);
    assert_null(mjcb_passive);
    assert_ptr_equal(mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_SPHERE], spheres);
    assert_ptr_equal(mju_user_free, freeing);
    open_crawler(&f, "Euler");
    const mjfGeneric ours = mjcb_passive;
    mjcb_passive = nothing;
    fixture_close(&f);
    assert_ptr_equal(mjcb_passive, nothing);
    mjcb_passive = ours;
    open_crawler(&f, "Euler");
    fixture_step(&f, 10);
    assert_int_equal(fixture_live(&f), 4);
    fixture_close(&f);
    assert_null(mjcb_passive);
}

static void a_lost_hook_is_reported_in_loops(void **state)
{
    (void)state;
    fixture f;
    open_crawler(&f, "Euler");
    const mjfGeneric ours = mjcb_passive;
    mjcb_passive = nothing;
    for (int i = 0; i < 10; i++)
        mj_step(f.model, f.data);
    mjcb_passive = ours;
    assert_int_equal(pcm_mujoco_status(f.host), PCM_BAD_HOST);
    assert_int_equal(fixture_said(&f, PCM_MSG_CALLBACK_LOST), 1);
    fixture_close(&f);
}

/* Only positions are computed, as for playback: that is no missing force. */
static void playback_is_no_fault(void **state)
{
    (void)state;
    fixture f;
    open_crawler(&f, "Euler");
    for (int i = 0; i < 10; i++) {
        f.data->time = 0.1 * i;
        mj_fwdPosition(f.model, f.data);
    }
    assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    assert_int_equal(f.n_codes, 0);
    fixture_close(&f);
}

#if PCM_RELEASE >= 3002000
static void distances_are_true(void **state)
{
    (void)state;
    static const char scene[] =
        "<worldbody><geom name='Floor' type='plane' size='5 5 0.1'/>"
        "<body pos='0 0 0.3'><freejoint/><geom type='sphere' size='0.1'/></body>"
        "<body pos='1 0 0.3'><freejoint/><geom type='capsule' size='0.1 0.1'/></body>"
        "<body pos='2 0 0.3'><freejoint/><geom type='ellipsoid' size='0.1 0.12 0.14'/></body>"
        "<body pos='3 0 0.3'><freejoint/><geom type='cylinder' size='0.1 0.1'/></body>"
        "<body pos='4 0 0.3'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body></worldbody>";
    fixture f;
    fixture_open(&f, scene, "ContactType C = CompliantGround {};\nDefaultPair -> C;\n");
    double distances[2][6][6];
    for (int i = 0; i < 2; i++) {
        mj_forward(f.model, f.data);
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++)
                distances[i][a][b] = a < b ? mj_geomDistance(f.model, f.data, a, b, 10, NULL) : 0;
        pcm_mujoco_free(f.host); /* and now as with MuJoCo alone */
        f.host = NULL;
    }
    /* While laws are attached, MuJoCo measures convex pairs by contacts, and so to its tolerance of 1e-6 alone. */
    for (int k = 0; k < 36; k++)
        assert_near(distances[0][k / 6][k % 6], distances[1][k / 6][k % 6], 1e-6);
    assert_near(distances[0][0][1], 0.2, 1e-12);
    assert_near(distances[0][1][3], 1.8, 1e-6);
    fixture_close(&f);
}
#endif

static void an_ease_ends_with_a_reset(void **state)
{
    (void)state;
    fixture f;
    open_crawler(&f, "Euler");
    fixture_step(&f, 200);
    f.data->qpos[1] -= 0.01;
    assert_int_equal(pcm_mujoco_ease(f.host, 0.5), PCM_OK);
    fixture_step(&f, 10);
    mj_resetData(f.model, f.data);
    fixture_step(&f, 100);
    assert_true(f.data->qpos[1] > -0.002);
    fixture_close(&f);
}

/* Contacts, and single pairs, are disabled and enabled again. */
static void switches_are_obeyed(void **state)
{
    (void)state;
    fixture f;
    open_crawler(&f, "Euler");
    fixture_step(&f, 100);
    assert_int_equal(fixture_live(&f), 4);
    const int foot = mj_name2id(f.model, mjOBJ_GEOM, "Foot1");
    f.model->geom_contype[foot] = f.model->geom_conaffinity[foot] = 0;
    fixture_step(&f, 1);
    assert_int_equal(fixture_live(&f), 3);
    f.model->geom_contype[foot] = f.model->geom_conaffinity[foot] = 1;
    fixture_step(&f, 1);
    assert_int_equal(fixture_live(&f), 4);
    f.model->opt.disableflags |= mjDSBL_CONTACT;
    const double height = f.data->qpos[1];
    fixture_step(&f, 300);
    assert_int_equal(fixture_live(&f), 0);
    assert_true(f.data->qpos[1] < height - 0.3); /* it falls freely */
    f.model->opt.disableflags = mjDSBL_CONSTRAINT;
    mj_resetData(f.model, f.data);
    fixture_step(&f, 10);
    assert_int_equal(fixture_live(&f), 0);
    fixture_close(&f);
}

/* Numbers of MuJoCo's own contacts that are changed after attaching, which laws do not read. */
static void changed_numbers_are_reported(void **state)
{
    (void)state;
    for (int which = 0; which < 4; which++) {
        fixture f;
        open_crawler(&f, "Euler");
        const int foot = mj_name2id(f.model, mjOBJ_GEOM, "Foot2");
        fixture_step(&f, 1);
        if (which == 1)
            f.model->geom_friction[3 * foot] = 0.1;
        if (which == 2)
            f.model->geom_solref[mjNREF * foot] = 0.1;
        if (which == 3)
            f.model->geom_contype[foot] = 3;
        fixture_step(&f, 300);
        assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
        assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), which > 0);
        static const char *const names[] = {"", "geom_friction of 'Foot2'", "geom_solref", "geom_contype of 'Foot2'"};
        assert_non_null(strstr(f.last, names[which]));
        fixture_close(&f);
    }
}

/* Masses and sizes, which laws read as they are attached; where none does, they may change. */
static void changed_bodies_are_reported(void **state)
{
    (void)state;
    static const char ball[] =
        "<worldbody><geom name='Floor' type='plane' size='1 1 1'/><body pos='0 0 0.1'><freejoint/>"
        "<geom name='Ball' type='sphere' size='0.1' mass='1'/></body></worldbody>";
    for (int which = 0; which < 4; which++) {
        fixture f;
        fixture_open(&f, ball,
                     which % 2 ? "ContactType C = HertzTsuji { ReducedModulus = 1 [MPa]; }; DefaultPair -> C;"
                               : "ContactType C = KelvinVoigt; DefaultPair -> C;");
        if (which / 2)
            f.model->body_mass[1] *= 2;
        else
            f.model->geom_size[3] *= 1.01;
        fixture_step(&f, 300);
        assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
        assert_int_equal(fixture_said(&f, PCM_MSG_UNSERVED), which % 2);
        if (which % 2)
            assert_string_equal(f.last, which / 2 ? "body_mass of 'Ball' was changed since it was attached: laws that "
                                                    "read it keep what it was until it is attached again"
                                                  : "geom_size of 'Ball' was changed since it was attached: laws that "
                                                    "read it keep what it was until it is attached again");
        fixture_close(&f);
    }
}

static void late_pairs_are_reported(void **state)
{
    (void)state;
    fixture f;
    open_crawler(&f, "Euler");
    f.model->geom_contype[1] = f.model->geom_conaffinity[1] = 1; /* the trunk */
    f.data->qpos[1] = -0.105;
    fixture_step(&f, 10);
    assert_int_equal(fixture_said(&f, PCM_MSG_PAIR_LATE), 1);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_steps_are_ours),
        cmocka_unit_test(changed_bodies_are_reported),
        cmocka_unit_test(half_steps_are_ours),
        cmocka_unit_test(half_steps_under_rk4_are_of_euler),
        cmocka_unit_test(questions_change_nothing),
        cmocka_unit_test(differences_are_trials),
        cmocka_unit_test(the_clock_need_not_be_followed),
        cmocka_unit_test(a_step_is_a_step_whatever_the_clock_says),
        cmocka_unit_test(a_clock_held_still_is_reported),
        cmocka_unit_test(states_set_by_hand_are_trials),
        cmocka_unit_test(episodes_are_alike),
        cmocka_unit_test(a_keyframe_resets_the_contacts),
        cmocka_unit_test(resets_can_be_reported),
        cmocka_unit_test(instability_is_reported_in_loops),
        cmocka_unit_test(copies_go_on_alike),
        cmocka_unit_test(late_copies_are_reported),
        cmocka_unit_test(checkpoints_go_on_alike),
        cmocka_unit_test(missing_arguments_are_reported),
        cmocka_unit_test(hooks_come_back),
        cmocka_unit_test(hooks_go_with_the_last_attachment),
        cmocka_unit_test(a_lost_hook_is_reported_in_loops),
        cmocka_unit_test(playback_is_no_fault),
#if PCM_RELEASE >= 3002000
        cmocka_unit_test(distances_are_true),
#endif
        cmocka_unit_test(an_ease_ends_with_a_reset),
        cmocka_unit_test(switches_are_obeyed),
        cmocka_unit_test(late_pairs_are_reported),
        cmocka_unit_test(changed_numbers_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
