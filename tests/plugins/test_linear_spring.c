/* SPDX-License-Identifier: MIT */
/* The smallest law: it needs nothing that it does not declare, and a batch may omit columns that the law does not
 * declare. */
#include "law.h"

#include <math.h>

static void pushes_and_never_pulls(void **state)
{
    (void)state;
    law   l = law_open_at(LINEAR_SPRING, PCM_ISA_AVX512, "LinearSpring", "Stiffness = 2 [kN/m]; Damping = 10;");
    lanes c = lanes_open(3);
    c.depth[0] = 1e-3;
    c.depth[1] = 1e-3;
    c.depth_rate[1] = -1;
    c.depth[2] = -1;
    lanes_call(&l, PCM_UPDATE, &c, 0, 3, 0);
    assert_true(c.force_n[0] == 2 && c.force_n[1] == 0 && c.force_n[2] == 0);
    lanes_close(&c);
    law_close(&l);
}

/* More lanes than one call of the law takes, with only the columns that the law declares. */
static void only_declared_columns(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static double   depth[COUNT], rate[COUNT], force[COUNT];
    law             l = law_open_at(LINEAR_SPRING, PCM_ISA_AVX512, "LinearSpring", " ");
    const pcm_batch batch = {
        .size = sizeof batch, .count = COUNT, .depth = depth, .depth_rate = rate, .force_n = force};
    for (int i = 0; i < COUNT; i++)
        depth[i] = i;
    pcm_type_call(l.type, PCM_UPDATE, &batch);
    pcm_type_call(l.type, PCM_ESTABLISH, &batch);
    for (int i = 0; i < COUNT; i++)
        assert_true(force[i] == 1e5 * i);
    law_close(&l);
}

/* The same for amounts of objects: each lane has its own amounts and flows. */
static void amounts_of_many_lanes(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static double radius[COUNT], base[COUNT], follower[COUNT], into_base[COUNT];
    const double *base_amount = base, *follower_amount = follower;
    double       *base_flow = into_base;
    law           l = law_open("HeatConduction", "ThermalConductivity = 0.5;");
    for (int i = 0; i < COUNT; i++) {
        radius[i] = 1;
        follower[i] = 300 + i;
        base[i] = 300;
    }
    pcm_type_call(l.type, PCM_UPDATE,
                  &(pcm_batch){.size = sizeof(pcm_batch),
                               .count = COUNT,
                               .contact_radius = radius,
                               .base_amount = &base_amount,
                               .follower_amount = &follower_amount,
                               .base_flow = &base_flow});
    for (int i = 0; i < COUNT; i++)
        assert_true(into_base[i] == i);
    law_close(&l);
}

/* A column that the law reads and the host does not give is NaN, and so is the force. */
static void missing_columns_are_nan(void **state)
{
    (void)state;
    double          depth = 1, force = 0;
    law             l = law_open_at(LINEAR_SPRING, PCM_ISA_AVX512, "LinearSpring", " ");
    law             g = law_open("CompliantGround", " ");
    const pcm_batch batch = {.size = sizeof batch, .count = 1, .depth = &depth, .force_n = &force};
    pcm_type_call(g.type, PCM_UPDATE, &batch);
    assert_true(isnan(force));
    pcm_batch whole = batch;
    whole.depth_rate = &depth;
    whole.params = l.info->params; /* the batch is complete: the law gets this batch itself */
    pcm_type_call(l.type, PCM_UPDATE, &whole);
    assert_true(force == 1e5 + 100);
    law_close(&l);
    law_close(&g);
}

static void fates(void **state)
{
    (void)state;
    const double gone[2] = {0, 0}, left[2] = {0, 1e-9};
    law          l = law_open_at(LINEAR_SPRING, PCM_ISA_AVX512, "LinearSpring", "Separation = 1e-3;");
    law          g = law_open("CompliantGround", " ");
    assert_int_equal(pcm_type_outcome(l.type, true, 1e-3, PCM_LIVE, NULL), PCM_OUTCOME_KEPT);
    assert_int_equal(pcm_type_outcome(l.type, true, -1e-3, PCM_LIVE, NULL), PCM_OUTCOME_KEPT);
    assert_int_equal(pcm_type_outcome(l.type, true, -1.1e-3, PCM_LIVE, NULL), PCM_OUTCOME_PARTED);
    assert_int_equal(pcm_type_outcome(l.type, false, 1, PCM_LIVE, NULL), PCM_OUTCOME_PARTED);
    assert_int_equal(pcm_type_outcome(l.type, true, 1, PCM_BROKEN, NULL), PCM_OUTCOME_BROKEN);
    assert_int_equal(pcm_type_outcome(g.type, false, PCM_FAR, PCM_LIVE, left), PCM_OUTCOME_KEPT);
    assert_int_equal(pcm_type_outcome(g.type, false, PCM_FAR, PCM_LIVE, gone), PCM_OUTCOME_PARTED);
    law_close(&l);
    law_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_and_never_pulls),
        cmocka_unit_test(only_declared_columns),
        cmocka_unit_test(amounts_of_many_lanes),
        cmocka_unit_test(missing_columns_are_nan),
        cmocka_unit_test(fates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
