/* SPDX-License-Identifier: MIT */
/* The ledger of bodies that are pressed together and pulled apart until their contact ends: what it still stored then
 * is dissipated, so that nothing is left but the error of the steps. */
#include "law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 20000 }; /* on the way in, and on the way out */
static const double speed = 0.01, pi = 3.14159265358979323846;

/* Spheres of 1 mm, which a law holds up to a gap. */
typedef struct rupture {
    const char *type;
    double      deepest, apart; /* m, the depth and the gap at the ends of the way */
    double      drag;           /* m/s, along x on the way out */
    bool        bonded;         /* they begin at the deepest point */
    bool        loses;          /* energy as it ends */
} rupture;

static const rupture ruptures[] = {
    {"SquareForce { Force = 1e-3; Range = 1e-5; Forms = AtTouch; }", 1e-5, 2e-5, 0, false, true},
    {"CapillaryBridge", 1e-5, 2e-4, 0, false, true},
    {"CapillaryBridge { ContactAngle = 0.8; }", 1e-5, 3e-4, 0, false, true},
    {"Jkr { ReducedModulus = 1e6; }", 1e-6, 1e-5, 0, false, true},
    {"Jkr { ReducedModulus = 1e6; Release = PullOff; }", 1e-6, 1e-5, 0, false, true},
    {"Maugis { ReducedModulus = 1e6; CohesiveStress = 3e3; }", 1e-6, 5e-6, 0, false, true},
    {"Maugis { ReducedModulus = 1e6; CohesiveStress = 1e4; }", 1e-6, 1e-5, 0, false, true},
    {"Maugis { ReducedModulus = 1e6; CohesiveStress = 1e6; }", 1e-6, 1e-5, 0, false, true},
    {"ParallelBond", 1e-6, 3e-5, 0, true, true},
    {"ParallelBond", 1e-6, 3e-5, 0.05, true, true},
    {"SpringContact", 1e-3, 5e-2, 0.02, false, true},
    {"FrictionalAdhesion", 1e-3, 1e-2, 0.02, false, true},
    {"FrictionalAdhesion { Patch = Shared; }", 1e-3, 1e-2, 0.02, false, true},
    {"Microspine { Damping = 0; }", 1e-3, 1e-2, 0.02, false, true},
    {"Dmt { ReducedModulus = 1e6; }", 1e-5, 1e-5, 0, false, false},
    {"Eepa", 1e-5, 1e-5, 0, false, false},
};

typedef struct account {
    pcm_ledger ledger;
    double     told;    /* J that it stored as it ended, as the host hears */
    double     of_step; /* J, the greatest work of a step */
    int        ended;
} account;

static void hear(void *user, const pcm_ending *ending)
{
    account *a = user;
    a->told += ending->energy;
    a->ended++;
}

/* Moves them along the whole way; `last`: the host reports no gaps beyond it. */
static account part(const rupture *r, double last)
{
    char file[256];
    law  l = law_open("Hertz", "%s", "");
    snprintf(file, sizeof file, "ContactType C = %s;\nObjectPair Lower * Upper -> C;\n", r->type);
    account       a = {.ledger = {.size = sizeof a.ledger}};
    pcm_config   *config = pcm_config_parse(l.context, "rupture", file, strlen(file));
    pcm_world_def def = pcm_world_defaults();
    const double  way = r->deepest + r->apart, dt = way / speed / STEPS;
    pcm_object    lower, upper;
    pcm_world    *world;
    def.ledger = true;
    def.ended = hear;
    def.ended_user = &a;
    world = pcm_world_new(config, &def);
    lower = pcm_world_add_object(world, &PCM_OBJECT(.name = "Lower", .fixed = true, .radius = 1e-3));
    upper = pcm_world_add_object(world, &PCM_OBJECT(.name = "Upper", .radius = 1e-3, .mass = 1e-6));
    for (int i = r->bonded ? STEPS : 0; i < 2 * STEPS; i++) {
        const bool      leaves = i >= STEPS;
        const double    gap = fabs((double)i - STEPS) / STEPS * way - r->deepest, drag = leaves ? r->drag : 0;
        const pcm_pose  pose = {.position = {0, 0, gap}, .orientation = {1}};
        const pcm_twist twist = {.linear = {drag, 0, leaves ? speed : -speed}};
        const pcm_touch touch = {.normal = {0, 0, 1}, .depth = -gap, .share = 1, .gives = PCM_SHARE};
        pcm_wrench      wrench;
        assert_int_equal(pcm_world_move(world, upper, &pose, &twist), PCM_OK);
        if (gap < last)
            (void)pcm_world_touch(world, lower, upper, &touch, sizeof touch);
        assert_int_equal(pcm_world_update(world, i * dt, dt), PCM_OK);
        assert_int_equal(pcm_world_wrench(world, upper, &wrench), PCM_OK);
        a.of_step = fmax(a.of_step, dt * (fabs(wrench.force[2]) * speed + fabs(wrench.force[0]) * drag));
        assert_int_equal(pcm_world_commit(world), PCM_OK);
    }
    assert_int_equal(pcm_world_type_ledger(world, pcm_config_type_at(config, 0), &a.ledger), PCM_OK);
    pcm_world_free(world);
    pcm_config_release(config);
    law_close(&l);
    return a;
}

/* Forces are held over a step, which is off by half of what they change in it: where they rise, fall, set in and end,
 * by up to a step's work each, and by more in the dents of Eepa, whose slope jumps. */
static void nothing_is_missing_after_a_rupture(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ruptures / sizeof *ruptures; k++) {
        const rupture *r = &ruptures[k];
        const account  a = part(r, INFINITY);
        const double   error = 7 * a.of_step;
        assert_int_equal(a.ended, 1);
        assert_true(a.ledger.stored == 0);
        if (!(fabs(a.ledger.residue) <= error))
            fail_msg("%s: of %g J of work %g J are missing; a step has %g J", r->type, a.ledger.work, a.ledger.residue,
                     a.of_step);
        if (r->loses ? !(a.told > 5 * error) : a.told != 0)
            fail_msg("%s: %g J are lost; a step has %g J", r->type, a.told, a.of_step);
    }
}

/* A host that no longer reports a contact that pulls takes away what the contact stored. */
static void a_contact_out_of_sight_tells_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ruptures / sizeof *ruptures; k++) {
        const account a = part(&ruptures[k], 0);
        assert_int_equal(a.ended, 1);
        assert_true(a.told == 0);
    }
}

/* A spring that breaks when it is pressed too far ends the contact, and with it a pull that has done more work than the
 * spring took. Nobody takes that back: it was created. */
static void a_pull_that_breaks_early_leaves_a_gain(void **state)
{
    (void)state;
    const rupture r = {.type = "SpringContact + LinearCohesion { K = 1e3; B = 0; Z_Limit = 0.5; SymmetricZ = true; "
                               "CohesionEnergyDensity = 1e6; ReducedRadius = 1e-3; }",
                       .deepest = 1e-3,
                       .apart = 1e-3};
    const double  ends = 0.5 / 1e3, lost = 0.5 * (1e3 - 1e6 * pi * 1e-3) * ends * ends;
    const account a = part(&r, INFINITY);
    assert_int_equal(a.ended, 1);
    assert_true(fabs(a.told - lost) <= 7 * a.of_step && fabs(a.ledger.residue - lost) <= 7 * a.of_step);
    assert_true(fabs(a.ledger.dissipated) < 1e-12 * -lost && lost < -35 * a.of_step);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_missing_after_a_rupture),
        cmocka_unit_test(a_contact_out_of_sight_tells_nothing),
        cmocka_unit_test(a_pull_that_breaks_early_leaves_a_gain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
