/* SPDX-License-Identifier: MIT */
/* Copies of an mjData continue from the contacts of their original, whatever their clocks show. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block that is pushed around under laws with history states. */
static const char block[] =
    "<option timestep='5e-4'/><worldbody><geom name='Floor' type='plane' size='5 5 0.1'/>"
    "<body pos='0 0 0.099'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
    "<joint type='hinge' axis='0 1 0'/><geom name='Block' type='box' size='0.1 0.1 0.1' mass='1'/></body></worldbody>";
static const char rules[] =
    "ContactType C = KelvinVoigt + LuGre { Stiffness = 1e4; KelvinVoigt.Damping = 50; };\nDefaultPair -> C;\n";
static const char softer[] =
    "ContactType C = KelvinVoigt + LuGre { Stiffness = 3e3; KelvinVoigt.Damping = 50; };\nDefaultPair -> C;\n";

enum { STATE = 3, CYCLES = 60, REPLAN = 5 };

static void step(fixture *f, mjData *data, int first, int steps)
{
    for (int i = first; i < first + steps; i++) {
        data->qfrc_applied[0] = 4 * sin(0.05 * i);
        mj_step(f->model, data);
    }
}

static bool are_alike(const mjData *a, const mjData *b)
{
    return memcmp(a->qpos, b->qpos, STATE * sizeof *a->qpos) == 0 &&
           memcmp(a->qvel, b->qvel, STATE * sizeof *a->qvel) == 0;
}

/* ---- Planners ---------------------------------------------------------------------------------------------------- */

typedef struct work {
    fixture *f;
    mjData  *data;
    int      first, steps;
} work;

static void *do_work(void *user)
{
    const work *w = user;
    step(w->f, w->data, w->first, w->steps);
    return NULL;
}

/* Steps in another thread. */
static void step_elsewhere(fixture *f, mjData *data, int first, int steps)
{
    work      w = {f, data, first, steps};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, do_work, &w), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

typedef mjData *a_copy(fixture *f, mjData *of_before);

static mjData *copy_into(fixture *f, mjData *data)
{
    mj_copyData(data, f->model, f->data);
    return data;
}

static mjData *copy_anew(fixture *f, mjData *data)
{
    mj_deleteData(data);
    return mj_copyData(NULL, f->model, f->data);
}

/* Copies the state by mj_getState and mj_setState, which MuJoCo before 3 does not have. */
static void set_state_of(fixture *f, mjData *data, const mjData *from)
{
#if PCM_RELEASE >= 3000000
    mjtNum    state[64];
    const int spec = mjSTATE_INTEGRATION;
    assert_true(mj_stateSize(f->model, spec) <= 64);
    mj_getState(f->model, from, state, spec);
    mj_setState(f->model, data, state, spec);
#else
    (void)f;
    data->time = from->time;
    memcpy(data->qpos, from->qpos, STATE * sizeof *data->qpos);
    memcpy(data->qvel, from->qvel, STATE * sizeof *data->qvel);
#endif
}

static mjData *set_state(fixture *f, mjData *data)
{
    set_state_of(f, data, f->data);
    return data;
}

static void assert_planned(a_copy *copy, int horizon, bool shoved, bool elsewhere)
{
    fixture f;
    fixture_open(&f, block, rules);
    mjData *plan = mj_makeData(f.model), *truth = mj_makeData(f.model);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        step(&f, f.data, cycle * REPLAN, REPLAN);
        plan = copy(&f, plan);
        mj_copyData(truth, f.model, f.data);
        plan->qvel[0] += 0.1 * shoved;
        truth->qvel[0] += 0.1 * shoved;
        (elsewhere ? step_elsewhere : step)(&f, plan, 3 * cycle, horizon); /* before the plant is evaluated */
        assert_int_equal(pcm_mujoco_fork(f.host, truth), PCM_OK);
        step(&f, truth, 3 * cycle, horizon);
        assert_true(are_alike(plan, truth));
    }
    assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    assert_int_equal(f.n_codes, 0);
    mj_deleteData(plan);
    mj_deleteData(truth);
    fixture_close(&f);
}

/* With horizons of 5 and 6 the clock of the last plan equals the plant's when a copy is made again. */
static void plans_begin_where_the_plant_stands(void **state)
{
    (void)state;
    for (int horizon = 1; horizon < 8; horizon++) {
        for (int elsewhere = 0; elsewhere <= (horizon % 5 < 2); elsewhere++) {
            assert_planned(copy_into, horizon, false, elsewhere);
            assert_planned(copy_into, horizon, true, elsewhere);
            assert_planned(copy_anew, horizon, true, elsewhere);
            assert_planned(set_state, horizon, false, elsewhere);
        }
    }
}

/* In the same thread, or when the plant has just stepped and another thread starts. */
static void the_plant_may_be_a_step_ahead(void **state)
{
    (void)state;
    for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
        fixture f;
        fixture_open(&f, block, rules);
        step(&f, f.data, 0, 100);
        mjData *copy = mj_copyData(NULL, f.model, f.data);
        step(&f, f.data, 100, 1);
        (elsewhere ? step_elsewhere : step)(&f, copy, 100, 30);
        step(&f, f.data, 101, 29);
        assert_true(are_alike(copy, f.data));
        assert_int_equal(f.n_codes, 0);
        mj_deleteData(copy);
        fixture_close(&f);
    }
}

/* ---- Copies of copies -------------------------------------------------------------------------------------------- */

static void copies_have_copies(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, block, rules);
    step(&f, f.data, 0, 100);
    mjData *first = mj_copyData(NULL, f.model, f.data);
    step(&f, first, 100, 50);
    mjData *second = mj_copyData(NULL, f.model, first);
    step(&f, second, 150, 50);
    step(&f, f.data, 100, 100);
    assert_true(are_alike(second, f.data));
    mj_copyData(f.data, f.model, first); /* the attached data returns to the state of a copy */
    step(&f, f.data, 150, 50);
    assert_true(are_alike(second, f.data));
    assert_int_equal(f.n_codes, 0);
    mj_deleteData(first);
    mj_deleteData(second);
    fixture_close(&f);
}

static void a_step_is_taken_back(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, block, rules);
    step(&f, f.data, 0, 100);
    mj_forward(f.model, f.data);
    mjData *before = mj_copyData(NULL, f.model, f.data), *truth = mj_copyData(NULL, f.model, f.data);
    step(&f, truth, 100, 20);
    step(&f, f.data, 90, 1);
    mj_copyData(f.data, f.model, before);
    step(&f, f.data, 100, 20);
    assert_true(are_alike(f.data, truth));
    assert_int_equal(f.n_codes, 0);
    mj_deleteData(before);
    mj_deleteData(truth);
    fixture_close(&f);
}

static void unknown_histories_are_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, block, rules);
    step(&f, f.data, 0, 100);
    mjData *saved = mj_copyData(NULL, f.model, f.data);
    step(&f, f.data, 100, 50);
    for (int i = 0; i < 2; i++) {
        mj_copyData(f.data, f.model, saved);
        step(&f, f.data, 100, 5);
        assert_int_equal(fixture_said(&f, PCM_MSG_NOT_FORKED), 1);
    }
    mj_deleteData(saved);
    fixture_close(&f);
    fixture_open(&f, block, rules);
    for (int i = 0; i < 2; i++) { /* resets do not lose contacts */
        step(&f, f.data, 0, 50);
        mj_resetData(f.model, f.data);
    }
    assert_int_equal(f.n_codes, 0);
    fixture_close(&f);
}

/* ---- Returning the plant to an earlier state --------------------------------------------------------------------- */

enum { FORKED, EVALUATED, SAVED };

/* The attached data has advanced, and is set back to step 100, repeatedly. */
static void assert_back(int kept, bool by_state)
{
    fixture f;
    fixture_open(&f, block, rules);
    step(&f, f.data, 0, 100);
    assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    mjData      *saved = mj_copyData(NULL, f.model, f.data), *truth = mj_copyData(NULL, f.model, f.data);
    const size_t size = pcm_mujoco_checkpoint_size(f.host);
    void        *bytes = malloc(size);
    assert_int_equal(pcm_mujoco_checkpoint_save(f.host, bytes, size), PCM_OK);
    if (kept == FORKED)
        assert_int_equal(pcm_mujoco_fork(f.host, saved), PCM_OK);
    else if (kept == EVALUATED)
        mj_forward(f.model, saved);
    step(&f, truth, 100, 40);
    for (int i = 0; i < 3; i++) {
        step(&f, f.data, 100, 17 + i);
        if (by_state)
            set_state_of(&f, f.data, saved);
        else
            mj_copyData(f.data, f.model, saved);
        if (kept == SAVED)
            assert_int_equal(pcm_mujoco_checkpoint_restore(f.host, bytes, size), PCM_OK);
        step(&f, f.data, 100, 40);
        assert_true(are_alike(f.data, truth));
    }
    mjData *late = mj_copyData(NULL, f.model, saved);
    step(&f, late, 100, 40);
    assert_int_equal(are_alike(late, truth), kept != SAVED);
    assert_int_equal(fixture_said(&f, PCM_MSG_NOT_FORKED), kept == SAVED);
    assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    free(bytes);
    mj_deleteData(saved);
    mj_deleteData(truth);
    mj_deleteData(late);
    fixture_close(&f);
}

static void copied_data_go_back_to_their_state(void **state)
{
    (void)state;
    assert_back(FORKED, false);
    assert_back(EVALUATED, false);
    assert_back(SAVED, false);
    assert_back(SAVED, true);
}

/* A warning says that contacts are lost, and names the calls that keep them. */
static void assert_reported(bool by_state)
{
    fixture f;
    fixture_open(&f, block, rules);
    step(&f, f.data, 0, 100);
    mjData *saved = mj_copyData(NULL, f.model, f.data);
    step(&f, f.data, 100, 50);
    if (by_state)
        set_state_of(&f, f.data, saved);
    else
        mj_copyData(f.data, f.model, saved);
    step(&f, f.data, 100, 5);
    assert_int_equal(fixture_said(&f, PCM_MSG_NOT_FORKED), 1);
    assert_non_null(strstr(f.last, "pcm_mujoco_fork"));
    assert_non_null(strstr(f.last, "pcm_mujoco_checkpoint_save"));
    mj_deleteData(saved);
    fixture_close(&f);
}

/* A tilted box slides over a thin plate, and lands on its rear corners where the plate's origin is about. One run saves
 * and restores itself before each step. Both must move alike. */
static void assert_lands_alike(int start, bool plate_first)
{
    static const char plate[] = "<body name='Plate'><geom type='box' size='1 1 0.0004' pos='0 0 -0.0004'/></body>";
    char              scene[1000];
    (void)snprintf(
        scene, sizeof scene,
        "<option timestep='0.002'/><worldbody>%s<body name='Box' pos='%g 0.02 0.0209' euler='0 2.9 0'><freejoint/>"
        "<geom type='box' size='0.02 0.02 0.02' mass='0.1'/></body>%s</worldbody>",
        plate_first ? plate : "", -0.001 * start, plate_first ? "" : plate);
    fixture f[2];
    for (int i = 0; i < 2; i++) {
        fixture_open(&f[i], scene,
                     "ContactType C = KelvinVoigt + Dahl { Damping = 20; Friction = 0.3; KelvinVoigt.Stiffness = 1e4;"
                     " Dahl.Stiffness = 1e3; }; DefaultPair -> C;");
        f[i].data->qvel[0] = 2;
    }
    for (int i = 0; i < 30; i++) {
        const size_t size = pcm_mujoco_checkpoint_size(f[1].host);
        void        *bytes = malloc(size);
        assert_int_equal(pcm_mujoco_checkpoint_save(f[1].host, bytes, size), PCM_OK);
        assert_int_equal(pcm_mujoco_checkpoint_restore(f[1].host, bytes, size), PCM_OK);
        free(bytes);
        fixture_step(&f[0], 1);
        fixture_step(&f[1], 1);
        assert_memory_equal(f[0].data->qpos, f[1].data->qpos, 7 * sizeof *f->data->qpos);
    }
    assert_true(fixture_made(&f[0]) >= 4);
    assert_int_equal(fixture_made(&f[0]), fixture_made(&f[1]));
    fixture_close(&f[0]);
    fixture_close(&f[1]);
}

static void restored_boxes_land_alike(void **state)
{
    (void)state;
    for (int start = 0; start < 60; start++)
        for (int i = 0; i < 2; i++)
            assert_lands_alike(start, i);
}

/* A copy starts without contacts, with a warning, if its original has taken over other contacts, which its world does
 * not have until it is evaluated. */
static void assert_replaced_is_reported(void)
{
    fixture f;
    fixture_open(&f, block, rules);
    step(&f, f.data, 0, 100);
    mj_forward(f.model, f.data);
    mjData *late = mj_copyData(NULL, f.model, f.data), *copy = mj_copyData(NULL, f.model, f.data);
    step(&f, copy, 100, 20);
    mj_copyData(f.data, f.model, copy);
    step(&f, copy, 120, 1);
    assert_int_equal(f.n_codes, 0);
    step(&f, late, 100, 1);
    assert_int_equal(fixture_said(&f, PCM_MSG_NOT_FORKED), 1);
    mj_deleteData(late);
    mj_deleteData(copy);
    fixture_close(&f);
}

static void lost_contacts_are_reported(void **state)
{
    (void)state;
    assert_reported(false);
    assert_reported(true);
    assert_replaced_is_reported();
}

/* Copied into data of another attachment to the same model: its laws do not take over contacts of other laws. */
static void attachments_keep_apart(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, block, rules);
    mjData     *other = mj_makeData(f.model);
    pcm_mujoco *host = pcm_mujoco_attach(f.context, f.config, f.model, other, NULL);
    assert_non_null(host);
    step(&f, f.data, 0, 100);
    step(&f, other, 0, 50);
    mj_copyData(other, f.model, f.data);
    step(&f, other, 100, 5);
    assert_int_equal(fixture_said(&f, PCM_MSG_NOT_FORKED), 1);
    pcm_mujoco_free(host);
    mj_deleteData(other);
    fixture_close(&f);
}

/* A copy of a copy: copied back into the attached data, and stepped by itself. */
static void copies_know_what_they_are_of(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, block, rules);
    step(&f, f.data, 0, 100);
    for (int i = 0; i < 2; i++) {
        mjData *truth = mj_copyData(NULL, f.model, f.data), *first = mj_copyData(NULL, f.model, f.data);
        step(&f, truth, 50, 40);
        mj_forward(f.model, first);
        mjData *second = mj_copyData(NULL, f.model, first);
        step(&f, first, 100, 10 + i);
        mjData *third = mj_copyData(NULL, f.model, second);
        (i == 1 ? step_elsewhere : step)(&f, third, 50, 40);
        assert_true(are_alike(third, truth));
        mj_copyData(f.data, f.model, second);
        step(&f, f.data, 50, 40);
        assert_true(are_alike(f.data, truth));
        mj_deleteData(truth);
        mj_deleteData(first);
        mj_deleteData(second);
        mj_deleteData(third);
    }
    assert_int_equal(f.n_codes, 0);
    fixture_close(&f);
}

/* Steps differently from the plant. */
static void step_apart(fixture *f, mjData *data, int first, int steps)
{
    for (int i = first; i < first + steps; i++) {
        data->qfrc_applied[0] = -12 * sin(0.05 * i);
        mj_step(f->model, data);
    }
}

enum { COPY_FIRST, COPY_LAST, ANOTHER_FIRST, COPY_FORWARD, STATUS_FIRST, COPY_REPLACED, ORDERS };

/* The attached data is stepped and then overwritten by its copy; both continue, and so does another copy. */
static void assert_replaced(int steps, int own_steps, int order)
{
    fixture f;
    fixture_open(&f, block, rules);
    step(&f, f.data, 0, 100);
    mjData *copy = mj_copyData(NULL, f.model, f.data), *another = NULL;
    mjData *truth = mj_copyData(NULL, f.model, f.data);
    step_apart(&f, truth, 100, steps + 10);
    step_apart(&f, copy, 100, steps);
    step(&f, f.data, 100, own_steps);
    mj_copyData(f.data, f.model, copy);
    if (order == ANOTHER_FIRST) {
        another = mj_copyData(NULL, f.model, copy);
        step_apart(&f, another, 100 + steps, 10);
        assert_true(are_alike(another, truth));
    }
    if (order == COPY_FORWARD)
        mj_forward(f.model, copy);
    if (order == STATUS_FIRST)
        assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    if (order == COPY_REPLACED) {
        mj_copyData(copy, f.model, truth);
        mj_forward(f.model, copy);
    } else if (order != COPY_LAST) {
        step_apart(&f, copy, 100 + steps, 10);
    }
    step_apart(&f, f.data, 100 + steps, 10);
    if (order == COPY_LAST)
        step_apart(&f, copy, 100 + steps, 10);
    assert_true(are_alike(f.data, truth));
    assert_true(are_alike(copy, truth));
    assert_int_equal(f.n_codes, 0);
    mj_deleteData(copy);
    mj_deleteData(truth);
    if (another)
        mj_deleteData(another);
    fixture_close(&f);
}

/* For any value of its own clock, and whichever is stepped first. */
static void a_copy_comes_into_the_plant(void **state)
{
    (void)state;
    const int steps = 20;
    for (int own_steps = steps - 1; own_steps <= steps + 2; own_steps++)
        for (int order = 0; order < ORDERS; order++)
            assert_replaced(steps, own_steps, order);
}

/* A copy of a copy that moves like the plant, one step ahead. */
static void a_copy_may_be_ahead_of_its_source(void **state)
{
    (void)state;
    for (int ahead = 0; ahead < 2; ahead++) {
        fixture f;
        fixture_open(&f, block, rules);
        step(&f, f.data, 0, 50);
        mjData *first = mj_copyData(NULL, f.model, f.data);
        step(&f, f.data, 50, ahead);
        step(&f, first, 50, 1);
        mjData *second = mj_copyData(NULL, f.model, first);
        step(&f, first, 51, 1);
        step(&f, second, 51, 1);
        assert_true(are_alike(second, first));
        assert_int_equal(f.n_codes, 0);
        mj_deleteData(first);
        mj_deleteData(second);
        fixture_close(&f);
    }
}

/* ---- Several attachments to a model ------------------------------------------------------------------------------ */

static void copies_know_their_laws(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, block, rules);
    pcm_config *config = pcm_config_parse(f.context, "softer", softer, strlen(softer));
    mjData     *other = mj_makeData(f.model);
    pcm_mujoco *host = pcm_mujoco_attach(f.context, config, f.model, other, NULL);
    assert_non_null(host);
    mjData *copy = mj_makeData(f.model);
    for (int i = 0; i < 4; i++) {
        mjData *of = i % 2 ? f.data : other;
        step(&f, f.data, 0, 10);
        step(&f, other, 0, 10);
        step(&f, i < 2 ? f.data : other, 0, 10); /* whichever of the two was evaluated last */
        mj_copyData(copy, f.model, of);
        step(&f, copy, 7, 30);
        step(&f, of, 7, 30);
        assert_true(are_alike(copy, of));
    }
    assert_int_equal(f.n_codes, 0);
    pcm_mujoco_free(host);
    mj_deleteData(other);
    mj_deleteData(copy);
    pcm_config_release(config);
    fixture_close(&f);
}

static void pairs_of_copies_are_not_late(void **state)
{
    (void)state;
    static const char scene[] = "<worldbody><geom name='Floor' type='plane' size='5 5 0.1'/>"
                                "<body pos='0 0 0.099'><freejoint/><geom name='Ball' size='0.1'/></body>"
                                "<body pos='1 0 0.099'><freejoint/><geom name='Other' size='0.1'/></body></worldbody>";
    fixture           f;
    fixture_open(&f, scene, "ContactType C = CompliantGround {};\nObjectPair Floor * Ball -> C;\n");
    mjData *copy = mj_makeData(f.model);
    step(&f, copy, 0, 10);
    assert_int_equal(copy->ncon > 0, 1);
    assert_int_equal(fixture_said(&f, PCM_MSG_PAIR_LATE), 0);
    mj_deleteData(copy);
    fixture_close(&f);
}

/* ---- Deleted copies ---------------------------------------------------------------------------------------------- */

/* The program allocates in between, so that addresses differ each time. */
static ptrdiff_t memory_after(fixture *f, int copies)
{
    enum { JUNK = 64 };
    void    *junk[JUNK] = {NULL};
    unsigned random = 1;
    for (int i = 0; i < copies; i++) {
        random = random * 1664525 + 1013904223;
        void **piece = &junk[(random >> 8) % JUNK];
        free(*piece);
        *piece = malloc(32 + (random >> 10) % 20000);
        mjData *copy = mj_copyData(NULL, f->model, f->data);
        mj_step(f->model, copy);
        mj_deleteData(copy);
    }
    for (int i = 0; i < JUNK; i++)
        free(junk[i]);
    return f->memory.bytes;
}

static void deleted_copies_take_no_memory(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, block, rules);
    step(&f, f.data, 0, 100);
    const ptrdiff_t few = memory_after(&f, 200), many = memory_after(&f, 10000);
    assert_true(many <= few + few / 20);
    assert_int_equal(f.n_codes, 0);
    fixture_close(&f);
}

/* As in a search that keeps the best of its trials. */
static void copies_of_deleted_copies_go_on(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, block, rules);
    step(&f, f.data, 0, 100);
    mjData *first = mj_copyData(NULL, f.model, f.data);
    step(&f, first, 100, 50);
    mjData *second = mj_copyData(NULL, f.model, first);
    mj_deleteData(first);
    step(&f, second, 150, 50);
    step(&f, f.data, 100, 100);
    assert_true(are_alike(second, f.data));
    assert_int_equal(f.n_codes, 0);
    mj_deleteData(second);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_begin_where_the_plant_stands),
        cmocka_unit_test(the_plant_may_be_a_step_ahead),
        cmocka_unit_test(copies_have_copies),
        cmocka_unit_test(a_step_is_taken_back),
        cmocka_unit_test(unknown_histories_are_reported),
        cmocka_unit_test(copied_data_go_back_to_their_state),
        cmocka_unit_test(lost_contacts_are_reported),
        cmocka_unit_test(attachments_keep_apart),
        cmocka_unit_test(copies_know_what_they_are_of),
        cmocka_unit_test(a_copy_comes_into_the_plant),
        cmocka_unit_test(a_copy_may_be_ahead_of_its_source),
        cmocka_unit_test(copies_know_their_laws),
        cmocka_unit_test(pairs_of_copies_are_not_late),
        cmocka_unit_test(deleted_copies_take_no_memory),
        cmocka_unit_test(restored_boxes_land_alike),
        cmocka_unit_test(copies_of_deleted_copies_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
