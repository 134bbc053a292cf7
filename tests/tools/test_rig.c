/* SPDX-License-Identifier: MIT */
/* A history on the rig equals that of a world with the same motion: the same bits, the same beginnings and ends. */
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static const char rules[] = "ContactType Soft = CompliantGround { Friction = 0.4; };\n"
                            "ContactType Sticky = SpringContact { X_Limit = 3; Z_Limit = 2; };\n"
                            "ContactType Muscle = ViscoelasticGround { };\n"
                            "ObjectPair Wall * Soft -> Soft;\n"
                            "ObjectPair Wall * Sticky -> Sticky;\n"
                            "ObjectPair Wall * Muscle -> Muscle;\n";

/* The indices of the first inputs on the rig, which every law has. */
enum { DEPTH, DEPTH_RATE, SLIP_X, SLIP_Y };
enum { ROWS = 8000 };
static const double dt = 1e-3;

typedef struct bed {
    pcm_context *context;
    pcm_config  *config;
    pcm_world   *world;
    pcm_object   wall, foot;
    rig_law      law;
} bed;

static void set_up(bed *b, const char *name)
{
    b->context = pcm_context_new(NULL);
    b->config = pcm_config_parse(b->context, "rig", rules, sizeof rules - 1);
    assert_non_null(b->config);
    b->world = pcm_world_new(b->config, NULL);
    b->wall = pcm_world_add(b->world, "Wall", "");
    b->foot = pcm_world_add(b->world, name, "");
    assert_true(rig_law_new(&b->law, pcm_config_type_find(b->config, name), false));
    b->law.inputs[DEPTH].has_cell = true;
}

static void tear_down(bed *b)
{
    rig_law_free(&b->law);
    pcm_world_free(b->world);
    pcm_config_release(b->config);
    pcm_context_free(b->context);
}

/* Presses, pulls beyond the limits, leaves, returns, and drags in both directions. */
static void motion(double t, double *depth, double velocity[3])
{
    *depth = 2e-3 * sin(7 * t) + 5e-3 * sin(2.3 * t) - 1e-3;
    velocity[0] = 0.02 * cos(3 * t);
    velocity[1] = -0.03 * sin(5 * t);
    velocity[2] = -(14e-3 * cos(7 * t) + 11.5e-3 * cos(2.3 * t));
}

/* Passes one row to the world; false if there is no contact after the update. */
static bool evaluate_world(bed *b, double t, double step, double depth, const double velocity[3],
                           pcm_contact_info *info)
{
    const pcm_pose  pose = {.orientation = {1, 0, 0, 0}};
    const pcm_twist twist = {.linear = {velocity[0], velocity[1], velocity[2]}};
    const pcm_touch touch = {.normal = {0, 0, 1}, .depth = depth};
    assert_int_equal(pcm_world_move(b->world, b->foot, &pose, &twist), PCM_OK);
    (void)pcm_world_touch(b->world, b->wall, b->foot, &touch, sizeof touch);
    assert_int_equal(pcm_world_update(b->world, t, step), PCM_OK);
    return pcm_world_contact_count(b->world) > 0 && pcm_world_contact_at(b->world, 0, info) == PCM_OK;
}

static void assert_same(double a, double b)
{
    if (memcmp(&a, &b, sizeof a) != 0 && !(a == 0 && b == 0))
        fail_msg("the rig has %.17g, the world %.17g", a, b);
}

static void compare(const char *name)
{
    bed    b = {0};
    size_t live = 0, ended = 0, apart = 0;
    set_up(&b, name);
    for (size_t row = 0; row < ROWS; row++) {
        const double     t = (double)row * dt, step = row > 0 ? t - (double)(row - 1) * dt : 0;
        double           depth, velocity[3];
        pcm_contact_info info = {.size = sizeof info};
        const bool       was_live = b.law.live;
        motion(t, &depth, velocity);
        const bool there = evaluate_world(&b, t, step, depth, velocity, &info);
        b.law.inputs[DEPTH].values[0] = depth;
        b.law.inputs[DEPTH_RATE].values[0] = -velocity[2];
        b.law.inputs[SLIP_X].values[0] = velocity[0];
        b.law.inputs[SLIP_Y].values[0] = velocity[1];
        rig_law_step(&b.law, t);

        const pcm_batch *batch = &b.law.batch;
        assert_same(batch->force_x[0], info.force[0]);
        assert_same(batch->force_y[0], info.force[1]);
        assert_same(batch->force_n[0], info.force[2]);
        assert_int_equal(batch->mode[0], info.mode);
        for (size_t i = 0; there && i < b.law.info->n_state; i++)
            assert_same(batch->state[i][0], info.state[i]);
        assert_int_equal(pcm_world_commit(b.world), PCM_OK);
        ended += was_live && !b.law.live;
        live += b.law.live;
        apart += !there;
    }
    assert_true(live > 100 && apart > 100 && ended > 1); /* each case has occurred */
    tear_down(&b);
}

static void compliant_ground(void **state)
{
    (void)state;
    compare("Soft");
}

static void spring_contact(void **state)
{
    (void)state;
    compare("Sticky");
}

static void viscoelastic_ground(void **state)
{
    (void)state;
    compare("Muscle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compliant_ground),
        cmocka_unit_test(spring_contact),
        cmocka_unit_test(viscoelastic_ground),
    };
    return cmocka_run_group_tests_name("rig", tests, NULL, NULL);
}
