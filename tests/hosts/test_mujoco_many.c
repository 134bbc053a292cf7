/* SPDX-License-Identifier: MIT */
/* Many attachments of one model: the bits of one after the other with any number of threads, parameters of their own,
 * resets and errors of their own. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>
#include <pcm/setting.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 7, STEPS = 300 };

static const char rolling[] =
    "<option timestep='1e-3'/><worldbody><geom name='Ground' type='plane' size='5 5 0.1'/>"
    "<body name='Box' pos='0 0 0.0999'><freejoint/><geom name='Box' type='box' size='0.1 0.1 0.1' mass='2'/></body>"
    "<body name='Ball' pos='0 0.5 0.0999'><freejoint/><geom name='Ball' size='0.1' mass='2'/></body></worldbody>";
static const char rolling_rules[] =
    "ContactType Hard = CompliantGround { Stiffness = 1e5; Friction = 0.6; };\n"
    "ContactType Pad = HertzTsuji + LuGre { ReducedModulus = 1e6; StaticFriction = 0.5; };\n"
    "ObjectPair Ground * Box -> Hard;\nObjectPair Ground * Ball -> Pad;\n";

static const double frictions[COUNT] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7};

/* Where an environment begins depends on its number. */
static void begin(const mjModel *model, mjData *data, size_t i)
{
    mj_resetData(model, data);
    data->qvel[0] = 0.5 + 0.1 * (double)i;
    data->qvel[1] = 0.2 * (double)i;
    data->qvel[6] = 1;
}

typedef struct crowd {
    fixture          f; /* for its model; its own attachment is freed */
    mjData          *data[COUNT];
    pcm_mujoco_many *many;
} crowd;

static void open_crowd(crowd *c, uint32_t threads)
{
    fixture_open(&c->f, rolling, rolling_rules);
    pcm_mujoco_free(c->f.host);
    c->f.host = NULL;
    for (size_t i = 0; i < COUNT; i++) {
        c->data[i] = mj_makeData(c->f.model);
        begin(c->f.model, c->data[i], i);
    }
    const pcm_mujoco_def def = fixture_defaults();
    c->many = pcm_mujoco_attach_many(c->f.context, c->f.config, c->f.model, c->data, COUNT, threads, &def);
    assert_non_null(c->many);
    assert_int_equal(pcm_mujoco_many_count(c->many), COUNT);
    assert_null(pcm_mujoco_many_at(c->many, COUNT));
}

static void close_crowd(crowd *c)
{
    pcm_mujoco_many_free(c->many);
    for (size_t i = 0; i < COUNT; i++)
        mj_deleteData(c->data[i]);
    fixture_close(&c->f);
}

static void step_crowd(crowd *c, size_t steps)
{
    assert_int_equal(pcm_mujoco_many_step(c->many, NULL, steps, NULL), PCM_OK);
}

static void assert_stands_as(const mjModel *model, const mjData *one, const mjData *other)
{
    assert_memory_equal(one->qpos, other->qpos, (size_t)model->nq * sizeof *one->qpos);
    assert_memory_equal(one->qvel, other->qvel, (size_t)model->nv * sizeof *one->qvel);
    assert_true(isfinite(one->qpos[0]) && one->qpos[0] != 0);
}

/* Each as an attachment of its own makes it, with a file that says its friction. */
static void assert_as_alone(const crowd *c, size_t i, int steps)
{
    char rules[1024];
    (void)snprintf(rules, sizeof rules, "%s", rolling_rules);
    char *number = strstr(rules, "0.6");
    memcpy(number, (char[3]){'0', '.', (char)('1' + i)}, 3);
    fixture alone;
    fixture_open(&alone, rolling, rules);
    begin(alone.model, alone.data, i);
    fixture_step(&alone, steps);
    assert_stands_as(alone.model, alone.data, c->data[i]);
    fixture_close(&alone);
}

static void bits_are_those_of_one_by_one(void **state)
{
    (void)state;
    for (uint32_t threads = 0; threads < 5; threads += 2) {
        crowd c;
        open_crowd(&c, threads);
        assert_int_equal(pcm_mujoco_many_set(c.many, NULL, "Hard.Friction", frictions, NULL), PCM_OK);
        for (int k = 0; k < STEPS / 10; k++)
            step_crowd(&c, 10);
        for (size_t i = 0; i < COUNT; i++)
            assert_as_alone(&c, i, STEPS);
        close_crowd(&c);
    }
}

/* The user's own loop of mj_step serves as well, and some may step while others wait. */
static void own_loops_and_masks_give_the_same_bits(void **state)
{
    (void)state;
    crowd a, b;
    bool  odd[COUNT], even[COUNT];
    open_crowd(&a, 2);
    open_crowd(&b, 2);
    for (size_t i = 0; i < COUNT; i++)
        even[i] = !(odd[i] = i % 2);
    for (int k = 0; k < STEPS; k++) {
        step_crowd(&a, 1);
        if (k % 2)
            assert_int_equal(pcm_mujoco_many_step(b.many, odd, 2, NULL), PCM_OK);
        for (size_t i = 0; i < COUNT; i += 2)
            mj_step(b.f.model, b.data[i]);
    }
    for (size_t i = 0; i < COUNT; i++) {
        assert_stands_as(a.f.model, a.data[i], b.data[i]);
        assert_int_equal(pcm_mujoco_status(pcm_mujoco_many_at(b.many, i)), PCM_OK);
        assert_true(pcm_world_contact_count(pcm_mujoco_world(pcm_mujoco_many_at(b.many, i))) > 1);
    }
    assert_int_equal(pcm_mujoco_many_step(a.many, even, 0, NULL), PCM_OK);
    close_crowd(&a);
    close_crowd(&b);
}

/* Episodes with other numbers, without a new attachment. */
static void resets_keep_what_is_set(void **state)
{
    (void)state;
    crowd  c, fresh;
    double later[COUNT];
    open_crowd(&c, 2);
    open_crowd(&fresh, 2);
    for (size_t i = 0; i < COUNT; i++)
        later[i] = frictions[COUNT - 1 - i];
    step_crowd(&c, STEPS);
    for (size_t i = 0; i < COUNT; i++)
        begin(c.f.model, c.data[i], i);
    assert_int_equal(pcm_mujoco_many_set(c.many, NULL, "Hard.Friction", later, NULL), PCM_OK);
    assert_int_equal(pcm_mujoco_many_reset(c.many, NULL), PCM_OK);
    assert_int_equal(pcm_mujoco_many_set(fresh.many, NULL, "Hard.Friction", later, NULL), PCM_OK);
    step_crowd(&c, STEPS);
    step_crowd(&fresh, STEPS);
    for (size_t i = 0; i < COUNT; i++) {
        assert_stands_as(c.f.model, c.data[i], fresh.data[i]);
        const pcm_world *world = pcm_mujoco_world(pcm_mujoco_many_at(c.many, i));
        assert_int_equal(pcm_world_setting_count(world), 1);
        assert_true(pcm_world_setting_at(world, 0).value == later[i]);
    }
    close_crowd(&c);
    close_crowd(&fresh);
}

static void one_that_fails_leaves_the_others(void **state)
{
    (void)state;
    crowd      c, whole;
    pcm_status statuses[COUNT];
    size_t     failed;
    open_crowd(&c, 2);
    open_crowd(&whole, 2);
    c.data[3]->qvel[0] = NAN;
    assert_int_not_equal(pcm_mujoco_many_step(c.many, NULL, STEPS, statuses), PCM_OK);
    step_crowd(&whole, STEPS);
    for (size_t i = 0; i < COUNT; i++)
        if (i == 3) {
            assert_int_not_equal(statuses[i], PCM_OK);
        } else {
            assert_int_equal(statuses[i], PCM_OK);
            assert_stands_as(c.f.model, c.data[i], whole.data[i]);
        }
    const double wrong[COUNT] = {1, 1, -1, 1, 1, 1, 1};
    assert_int_equal(pcm_mujoco_many_set(c.many, NULL, "Hard.Friction", wrong, &failed), PCM_BAD_ARGUMENT);
    assert_int_equal(failed, 2);
    assert_int_equal(pcm_mujoco_many_set(c.many, NULL, "Hard.Frictions", frictions, &failed), PCM_BAD_ARGUMENT);
    assert_int_equal(failed, 0);
    close_crowd(&c);
    close_crowd(&whole);
}

static void what_is_not_of_the_model_is_refused(void **state)
{
    (void)state;
    crowd c;
    open_crowd(&c, 0);
    pcm_mujoco_def def = pcm_mujoco_defaults();
    mjData *const none[2] = {mj_makeData(c.f.model), NULL}, *const again[2] = {none[0], c.data[2]};
    const size_t before = c.f.n_codes;
    assert_null(pcm_mujoco_attach_many(c.f.context, c.f.config, c.f.model, none, 2, 0, NULL));
    assert_null(pcm_mujoco_attach_many(c.f.context, c.f.config, c.f.model, again, 2, 0, NULL));
    assert_null(pcm_mujoco_attach_many(c.f.context, c.f.config, c.f.model, none, 0, 0, NULL));
    def.log_directory = ".";
    assert_null(pcm_mujoco_attach_many(c.f.context, c.f.config, c.f.model, none, 1, 0, &def));
    assert_int_equal(c.f.n_codes - before, 4);
    assert_int_equal(c.f.codes[before], PCM_MSG_OTHER_MODEL);
    assert_int_equal(c.f.codes[before + 1], PCM_MSG_ATTACHED);
    step_crowd(&c, 1);
    mj_deleteData(none[0]);
    close_crowd(&c);
}

/* ---- One attachment ---------------------------------------------------------------------------------------------- */

/* A copy goes on with the numbers of its original; so does one in which contacts begin. */
static void copies_have_what_is_set(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rolling, rolling_rules);
    mjData *copy = mj_makeData(f.model), *later = mj_makeData(f.model);
    begin(f.model, f.data, 1);
    begin(f.model, later, 1);
    assert_int_equal(pcm_mujoco_set(f.host, "Hard.Friction", 0.2), PCM_OK);
    for (int i = 0; i < STEPS; i++)
        mj_step(f.model, later); /* not attached: contacts of its own */
    fixture_step(&f, STEPS);
    assert_stands_as(f.model, f.data, later);
    mj_copyData(copy, f.model, f.data);
    assert_int_equal(pcm_mujoco_fork(f.host, copy), PCM_OK);
    for (int i = 0; i < STEPS; i++)
        mj_step(f.model, copy);
    fixture_step(&f, STEPS);
    assert_stands_as(f.model, f.data, copy);
    mj_deleteData(copy);
    mj_deleteData(later);
    fixture_close(&f);
}

static void a_checkpoint_has_what_is_set(void **state)
{
    (void)state;
    fixture f, other;
    fixture_open(&f, rolling, rolling_rules);
    fixture_open(&other, rolling, rolling_rules);
    begin(f.model, f.data, 1);
    fixture_step(&f, 50);
    assert_int_equal(pcm_mujoco_set(f.host, "Pad.LuGre.DynamicFriction", 0.1), PCM_OK);
    assert_int_equal(pcm_mujoco_set(f.host, "Hard.Stiffness", 4e4), PCM_OK);
    fixture_step(&f, 50);
    const size_t size = pcm_mujoco_checkpoint_size(f.host);
    void        *bytes = malloc(size);
    assert_int_equal(pcm_mujoco_checkpoint_save(f.host, bytes, size), PCM_OK);
    mj_copyData(other.data, f.model, f.data);
    assert_int_equal(pcm_mujoco_checkpoint_restore(other.host, bytes, size), PCM_OK);
    fixture_step(&f, STEPS);
    fixture_step(&other, STEPS);
    assert_stands_as(f.model, f.data, other.data);
    free(bytes);
    fixture_close(&f);
    fixture_close(&other);
}

/* In the loop of mj_step a number counts from the step after it on, and implicit steps go by it, too. */
static void a_number_counts_from_the_next_step_on(void **state)
{
    (void)state;
    fixture ours, own;
    fixture_open(&ours, rolling, rolling_rules);
    fixture_open(&own, rolling, rolling_rules);
    begin(ours.model, ours.data, 2);
    begin(own.model, own.data, 2);
    for (int i = 0; i < STEPS; i++) {
        fixture_step(&ours, 1);
        mj_step(own.model, own.data);
        if (i % 50 == 20) {
            assert_int_equal(pcm_mujoco_set(ours.host, "Hard.Stiffness", 1e4 * (double)i), PCM_OK);
            assert_int_equal(pcm_mujoco_set(own.host, "Hard.Stiffness", 1e4 * (double)i), PCM_OK);
        }
        assert_stands_as(ours.model, ours.data, own.data);
    }
    assert_int_equal(pcm_mujoco_implicit(ours.host, true), PCM_OK);
    fixture_step(&ours, STEPS);
    assert_int_equal(pcm_mujoco_set(ours.host, "Hard.Stiffness", 1e4), PCM_OK);
    fixture_step(&ours, 20 * STEPS);
    /* Rest: four points of a quarter of 2 kg, where the law's force is Stiffness depth^1.5. */
    assert_near(0.1 - ours.data->qpos[2], pow(0.25 * 2 * 9.81 / 1e4, 2 / 3.), 1e-2);
    fixture_close(&ours);
    fixture_close(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_one_by_one),
        cmocka_unit_test(own_loops_and_masks_give_the_same_bits),
        cmocka_unit_test(resets_keep_what_is_set),
        cmocka_unit_test(one_that_fails_leaves_the_others),
        cmocka_unit_test(what_is_not_of_the_model_is_refused),
        cmocka_unit_test(copies_have_what_is_set),
        cmocka_unit_test(a_checkpoint_has_what_is_set),
        cmocka_unit_test(a_number_counts_from_the_next_step_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
