/* SPDX-License-Identifier: MIT */
/* Cemented grains in a world, Hertz + Mindlin + ParallelBond: pressed, sheared, bent, pulled and broken; the force is
 * compared with the sum of the closed forms of the parts. */
#include "law.h"

#include <math.h>
#include <stdio.h>
#include <pcm/bond.h>
#include <string.h>

/* As in the contact type below; two spheres of 1 mm, of which the lower one is fixed. */
static const double modulus = 1e9, shear = 3e8, friction = 0.5, size = 1e-3;
static const double kn = 1e12, ks = 4e11, rim = 5e-4;
static const double pi = 3.14159265358979323846;

static const char *const text = "ContactType Cement = Hertz + Mindlin + ParallelBond {\n"
                                "    ReducedModulus = 1e9; ReducedShearModulus = 3e8; Friction = 0.5;\n"
                                "    NormalStiffness = 1e12; ShearStiffness = 4e11; BondRadius = 5e-4;\n"
                                "    TensileStrength = 1e7; ShearStrength = 1e9;\n"
                                "};\n"
                                "ObjectPair Lower * Upper -> Cement;\n";

typedef struct grains {
    law         law;
    pcm_config *config;
    pcm_world  *world;
    pcm_object  lower, upper;
    pcm_contact contact;
    pcm_wrench  wrench;
    double      time, depth;
    int         ended;
} grains;

static void hear(void *user, const pcm_ending *ending)
{
    grains *g = user;
    g->ended += ending->reason == PCM_END_BROKEN;
}

/* A step of 1 ms in which the upper grain moves that far, and rotates about x. */
static void move(grains *g, double along, double apart, double turn)
{
    enum { STEPS = 10 };
    const double    dt = 1e-3;
    const pcm_pose  pose = {.orientation = {1}};
    const pcm_twist twist = {.linear = {along / (STEPS * dt), 0, apart / (STEPS * dt)},
                             .angular = {turn / (STEPS * dt), 0, 0}};
    for (int i = 0; i < STEPS; i++) {
        g->time += dt;
        g->depth -= apart / STEPS;
        const pcm_touch touch = {.normal = {0, 0, 1}, .depth = g->depth};
        assert_int_equal(pcm_world_move(g->world, g->upper, &pose, &twist), PCM_OK);
        g->contact = pcm_world_touch(g->world, g->lower, g->upper, &touch, sizeof touch);
        assert_int_equal(pcm_world_update(g->world, g->time, dt), PCM_OK);
        assert_int_equal(pcm_world_wrench(g->world, g->upper, &g->wrench), PCM_OK);
        assert_int_equal(pcm_world_commit(g->world), PCM_OK);
    }
}

/* Depths and distances are sums of steps: where terms cancel, their rounding remains. */
static void near(double got, double wanted, double size_of_terms)
{
    if (fabs(got - wanted) > 1e-12 * size_of_terms)
        fail_msg("%.17g, expected %.17g", got, wanted);
}

/* Compares with the force of the disc of cement at this position plus that of the spheres. */
static void compare(const grains *g, double along, double turn)
{
    const double area = pi * rim * rim, inertia = 0.25 * area * rim * rim;
    const double depth = fmax(g->depth, 0), a = sqrt(0.5 * size * depth), hertz = 4.0 / 3 * modulus * a * depth;
    near(g->wrench.force[2], hertz + kn * area * g->depth, 10);
    near(g->wrench.force[0], -fmin(8 * shear * a * along, friction * hertz) - ks * area * along, 10);
    near(g->wrench.torque[0], -kn * inertia * turn, 1e-4);
}

static void grains_open(grains *g)
{
    pcm_world_def def = pcm_world_defaults();
    *g = (grains){.law = law_open("Hertz", "%s", "")};
    g->config = pcm_config_parse(g->law.context, "grains", text, strlen(text));
    def.ended = hear;
    def.ended_user = g;
    g->world = pcm_world_new(g->config, &def);
    g->lower = pcm_world_add_object(g->world, &PCM_OBJECT(.name = "Lower", .fixed = true, .radius = size));
    g->upper = pcm_world_add_object(g->world, &PCM_OBJECT(.name = "Upper", .radius = size, .mass = 1e-5));
}

static void grains_close(grains *g)
{
    pcm_world_free(g->world);
    pcm_config_release(g->config);
    law_close(&g->law);
}

static void grains_bear_what_their_parts_bear(void **state)
{
    grains g;
    (void)state;
    grains_open(&g);
    move(&g, 0, 0, 0); /* the bond begins */
    compare(&g, 0, 0);
    move(&g, 0, -2e-6, 0);
    compare(&g, 0, 0);
    move(&g, 1e-7, 0, 0); /* Mindlin's spring sticks, and the cement shears */
    compare(&g, 1e-7, 0);
    move(&g, 9e-7, 0, 0); /* it slides, the cement still holds */
    compare(&g, 1e-6, 0);
    move(&g, 0, 0, 1e-3);
    compare(&g, 1e-6, 1e-3);
    move(&g, -1e-6, 8e-6, -1e-3); /* apart by 6 um: the cement alone pulls */
    compare(&g, 0, 0);
    assert_int_equal(g.ended, 0);
    move(&g, 0, 3.9e-6, 0);
    compare(&g, 0, 0);
    move(&g, 0, 2e-7, 0); /* beyond TensileStrength/NormalStiffness */
    assert_true(g.wrench.force[2] == 0);
    assert_int_equal(g.ended, 1);
    assert_int_equal(pcm_world_update(g.world, g.time, 0),
                     PCM_OK); /* a broken contact begins again after it was apart */
    assert_int_equal(pcm_world_commit(g.world), PCM_OK);
    move(&g, 0, -1.2e-5, 0); /* and back: grains without cement */
    near(g.wrench.force[2], 4.0 / 3 * modulus * sqrt(0.5 * size * g.depth) * g.depth, 10);
    grains_close(&g);
}

/* Grains that were old as they met have no cement until the host bonds them; Mindlin's spring stays as it was. */
static void grains_that_touch_are_cemented(void **state)
{
    grains g;
    bool   bonded = false;
    (void)state;
    grains_open(&g);
    assert_int_equal(pcm_world_update(g.world, g.time, 0), PCM_OK);
    assert_int_equal(pcm_world_commit(g.world), PCM_OK);
    move(&g, 0, -2e-6, 0);
    move(&g, 1e-7, 0, 0);
    const double area = pi * rim * rim, a = sqrt(0.5 * size * g.depth), spring = 8 * shear * a;
    near(g.wrench.force[0], -spring * 1e-7, 1);
    assert_int_equal(pcm_world_bond(g.world, g.contact, &bonded), PCM_OK);
    assert_true(bonded);
    move(&g, 0, 0, 0);
    near(g.wrench.force[0], -spring * 1e-7, 1);
    move(&g, 1e-7, 0, 0);
    near(g.wrench.force[0], -spring * 2e-7 - ks * area * 1e-7, 1);
    near(g.wrench.force[2], 4.0 / 3 * modulus * a * g.depth, 10);
    grains_close(&g);
}

/* When a contact ends the host passes its stored energy; parts without a terminate verb leave it unchanged. */
static void silent_parts_leave_what_is_stored(void **state)
{
    law   l = law_open("Hertz + Mindlin + ParallelBond", "%s", "");
    lanes c = lanes_open(100);
    (void)state;
    for (size_t i = 0; i < c.count; i++)
        c.depth[i] = c.slip_x[i] = c.more[LAW_MORE_radius][i] = c.more[LAW_MORE_mass][i] = 1e-3;
    lanes_call(&l, PCM_UPDATE, &c, 0, c.count, 1e-3);
    assert_true(c.energy[0] > 0);
    memset(c.energy, 0, c.count * sizeof *c.energy);
    memset(c.dissipation, 0, c.count * sizeof *c.dissipation);
    lanes_call(&l, PCM_TERMINATE, &c, 0, c.count, 0);
    for (size_t i = 0; i < c.count; i++)
        assert_true(c.energy[i] == 0 && c.dissipation[i] == 0);
    lanes_close(&c);
    law_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(grains_bear_what_their_parts_bear),
                                       cmocka_unit_test(grains_that_touch_are_cemented),
                                       cmocka_unit_test(silent_parts_leave_what_is_stored)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
