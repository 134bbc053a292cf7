/* SPDX-License-Identifier: MIT */
/* Areas and shares of contacts in their pair's patch, given by the host or derived by the world, and how Patch changes
 * a law. */
#include "fixture.h"

#include <pcm/jacobian.h>

static const char *const rules =
    "ContactType Foundation = Foundation { Modulus = 1e7; };\n"
    "ContactType Sole = Sole { Modulus = 2e6; Shear = 5e5; Thickness = 0.01; Friction = 0.8; };\n"
    "ContactType Points = Whole;\n"
    "ContactType Shared = Whole { Patch = Shared; };\n"
    "ContactType Single = Foundation { Modulus = 1e7; Single = true; };\n"
    "ContactType Wide = Spring { Stiffness = 1000; Damping = 0; Patch = Shared; Separation = 0.01; };\n"
    "ObjectPair ground * foundation -> Foundation;\n"
    "ObjectPair ground * sole -> Sole;\n"
    "ObjectPair ground * points -> Points;\n"
    "ObjectPair ground * shared -> Shared;\n"
    "ObjectPair ground * single -> Single;\n"
    "ObjectPair ground * wide -> Wide;\n";

static pcm_object ground_of(pcm_world *world)
{
    return pcm_world_add_object(world, &PCM_OBJECT(.name = "ground", .fixed = true));
}

/* A square foot with sides of 0.2 m around the origin: its points form rows of n. */
static pcm_touch foot_point(size_t n, size_t i, double depth)
{
    const double side = 0.2, cell = side / (double)n;
    return (pcm_touch){
        .feature = i,
        .point = {cell * ((double)(i % n) + 0.5) - side / 2, cell * ((double)(i / n) + 0.5) - side / 2, 0},
        .normal = {0, 0, 1},
        .depth = depth,
        .area = cell * cell,
        .share = 1 / (double)(n * n),
        .gives = PCM_AREA | PCM_SHARE};
}

static void stand(pcm_world *world, pcm_object ground, pcm_object foot, size_t n, double depth)
{
    for (size_t i = 0; i < n * n; i++) {
        const pcm_touch touch = foot_point(n, i, depth);
        assert_true(pcm_world_touch(world, ground, foot, &touch, sizeof touch).generation != 0);
    }
}

static const size_t rows_of_points[] = {1, 2, 3, 20};

/* k A d for any number of points. */
static void foundation_carries_by_area(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows_of_points / sizeof *rows_of_points; k++) {
        fixture f;
        fixture_open(&f, rules, NULL);
        const pcm_object ground = ground_of(f.world), foot = pcm_world_add(f.world, "foundation", NULL);
        stand(f.world, ground, foot, rows_of_points[k], 1e-3);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        const pcm_wrench w = wrench_of(f.world, foot);
        assert_near(w.force[2], 1e7 * 0.04 * 1e-3, 1e-10);
        assert_near(w.torque[0], 0, 1e-10);
        assert_near(w.torque[1], 0, 1e-10);
        fixture_close(&f);
    }
}

/* Compressed by the force E d / h A, and sheared by G s / h A up to the friction limit. */
static void sole_shears_and_slips_by_area(void **state)
{
    (void)state;
    const double depth = 1e-4, dt = 1e-3, normal = 2e6 / 0.01 * depth * 0.04, bound = 0.8 * normal;
    for (size_t k = 0; k < sizeof rows_of_points / sizeof *rows_of_points; k++) {
        fixture f;
        fixture_open(&f, rules, NULL);
        const pcm_object ground = ground_of(f.world), foot = pcm_world_add(f.world, "sole", NULL);
        for (int step = 1; step <= 200; step++) {
            place(f.world, foot, 0, 0, 0, 2e-3, 0, 0);
            stand(f.world, ground, foot, rows_of_points[k], depth);
            assert_int_equal(pcm_world_update(f.world, step * dt, dt), PCM_OK);
            const double pull = 5e5 / 0.01 * 0.04 * step * dt * 2e-3;
            assert_near(wrench_of(f.world, foot).force[0], pull < bound ? -pull : -bound, 1e-10);
            assert_near(wrench_of(f.world, foot).force[2], normal, 1e-10);
            assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        }
        fixture_close(&f);
    }
}

static void missing_areas_are_named(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object ground = ground_of(f.world), foot = pcm_world_add(f.world, "foundation", NULL);
    const double     bad[] = {NAN, INFINITY, -1};
    for (size_t k = 0; k < 4; k++) {
        pcm_touch given = foot_point(1, 0, 1e-3);
        given.area = k < 3 ? bad[k] : 0;
        given.gives = k < 3 ? PCM_AREA : 0;
        pcm_world_touch(f.world, ground, foot, &given, sizeof given);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_BAD_INPUT);
        assert_near(wrench_of(f.world, foot).force[2], 0, 0);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_int_equal(fixture_said(&f, 406), 1);
    assert_non_null(strstr(f.text[0], "reads the input area"));
    touch(f.world, ground, foot, 7, 0, 0, 1e-3);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_BAD_INPUT);
    fixture_close(&f);
}

/* All results of a law for a patch are multiplied by the share, and nothing else changes. */
static void shared_scales_what_the_law_gives(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object ground = ground_of(f.world);
    const pcm_object feet[] = {pcm_world_add(f.world, "points", NULL), pcm_world_add(f.world, "shared", NULL)};
    const double     shares[] = {0.5, 0.375, 0.125};
    pcm_contact      contacts[2][3];
    pcm_contact_info info[2] = {{.size = sizeof *info}, {.size = sizeof *info}};
    for (int step = 0; step < 5; step++) {
        for (size_t k = 0; k < 2; k++) {
            const pcm_pose  pose = {{0, 0, 0}, {1, 0, 0, 0}};
            const pcm_twist twist = {{0.3, -0.2, 0.1}, {0.02, 0.01, 0}};
            assert_int_equal(pcm_world_move(f.world, feet[k], &pose, &twist), PCM_OK);
            for (size_t i = 0; i < 3; i++) {
                pcm_touch given = foot_point(2, i, 1e-3 * (double)(i + 1));
                given.share = shares[i];
                contacts[k][i] = pcm_world_touch(f.world, ground, feet[k], &given, sizeof given);
            }
        }
        assert_int_equal(pcm_world_update(f.world, step * 1e-3, 1e-3), PCM_OK);
        for (size_t i = 0; i < 3; i++) {
            for (size_t k = 0; k < 2; k++)
                assert_int_equal(pcm_world_contact_info(f.world, contacts[k][i], &info[k]), PCM_OK);
            assert_near(info[1].share, shares[i], 0);
            assert_near(info[0].share, 0, 0);
            for (size_t c = 0; c < 3; c++) {
                assert_near(info[1].force[c], shares[i] * info[0].force[c], 1e-14);
                assert_near(info[1].moment[c], shares[i] * info[0].moment[c], 1e-16);
            }
            assert_near(info[1].energy, shares[i] * info[0].energy, 1e-18);
            assert_int_equal(info[1].mode, info[0].mode);
            pcm_contact_info first = {.size = sizeof first};
            assert_int_equal(pcm_world_contact_info(f.world, contacts[0][i], &first), PCM_OK);
            const double stretch[] = {first.state[0], first.state[1]};
            assert_int_equal(pcm_world_contact_info(f.world, contacts[1][i], &info[1]), PCM_OK);
            assert_memory_equal(stretch, info[1].state, sizeof stretch);
        }
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    fixture_close(&f);
}

static double share_of(pcm_world *world, pcm_contact contact)
{
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_info(world, contact, &info), PCM_OK);
    return info.share;
}

/* A point's weight is its depth plus the separation; if one contact of a pair lacks its share, all are computed. */
static void the_world_derives_shares(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object ground = ground_of(f.world), wide = pcm_world_add(f.world, "wide", NULL);
    const pcm_object other = pcm_world_add(f.world, "shared", NULL);
    pcm_contact      a = touch(f.world, ground, wide, 1, 0, 0, 0.01), b = touch(f.world, ground, wide, 2, 1, 0, 0.03);
    const pcm_touch  given = {.feature = 3, .normal = {0, 0, 1}, .depth = 0.02, .share = 0.5, .gives = PCM_SHARE};
    pcm_contact      c = pcm_world_touch(f.world, ground, wide, &given, sizeof given);
    pcm_contact      d = pcm_world_touch(f.world, ground, other, &given, sizeof given);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_near(share_of(f.world, a), 2. / 9, 1e-10);
    assert_near(share_of(f.world, b), 4. / 9, 1e-10);
    assert_near(share_of(f.world, c), 3. / 9, 1e-10);
    assert_near(share_of(f.world, d), 0.5, 0);
    assert_near(wrench_of(f.world, wide).force[2], 1000 * (0.02 + 0.12 + 0.06) / 9, 1e-7);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    /* A point that is about to part leaves almost all to the others. */
    touch(f.world, ground, wide, 1, 0, 0, -0.01 + 1e-9);
    touch(f.world, ground, wide, 2, 1, 0, 0.03);
    assert_int_equal(pcm_world_update(f.world, 1, 1), PCM_OK);
    assert_near(share_of(f.world, a), 0, 1e-7);
    assert_near(share_of(f.world, b), 1, 1e-7);
    assert_near(share_of(f.world, c), 0, 0); /* not touched */
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    /* Points that all begin at the same time have equal shares. */
    for (uint64_t i = 0; i < 4; i++)
        d = touch(f.world, ground, other, 10 + i, 0, 0, 0);
    assert_int_equal(pcm_world_update(f.world, 2, 1), PCM_OK);
    assert_near(share_of(f.world, d), 0.25, 1e-12);
    fixture_close(&f);
}

/* A foot rolls over its edge without slipping: when points come and go, force and moment change by no more than a
 * step's motion explains. */
static void derived_shares_do_not_leap(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object ground = ground_of(f.world), foot = pcm_world_add(f.world, "shared", NULL);
    const int        steps = 20000;
    double           force = NAN, moment = NAN;
    for (int step = 0; step <= steps; step++) {
        const double turn = 0.02 * (2.0 * step / steps - 1);
        for (size_t i = 0; i < 4; i++) {
            const pcm_touch p = foot_point(2, i, 0);
            const double    depth = 5e-4 + turn * p.point[0] - 0.3 * turn * p.point[1];
            if (depth >= 0)
                touch(f.world, ground, foot, i, p.point[0], p.point[1], depth);
        }
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        const pcm_wrench w = wrench_of(f.world, foot);
        if (step > 0) { /* each depth changes by 1.4e-7 m in a step, times 1e4 N/m; shares change by a few times that */
            assert_near(w.force[2], force, 6e-3);
            assert_near(w.torque[1], moment, 6e-4);
        }
        force = w.force[2];
        moment = w.torque[1];
    }
    fixture_close(&f);
}

static void a_single_contact_stands_for_all(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object ground = ground_of(f.world), foot = pcm_world_add(f.world, "single", NULL);
    pcm_touch        deep = foot_point(2, 1, 2e-3);
    for (int k = 0; k < 2; k++) {
        stand(f.world, ground, foot, 2, 1e-3);
        deep.area = 0.01;
        const pcm_contact c = pcm_world_touch(f.world, ground, foot, &deep, sizeof deep);
        assert_int_equal(pcm_world_update(f.world, k, 1), PCM_OK);
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_info(f.world, c, &info), PCM_OK);
        assert_near(info.area, 0.05, 1e-15);
        assert_near(info.share, 1, 0);
        assert_near(wrench_of(f.world, foot).force[2], 1e7 * 0.05 * 2e-3, 1e-9);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    fixture_close(&f);
}

/* Touches in columns give the same as single ones, by pair and by contact. */
static void arrays_give_areas_and_shares(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object ground = ground_of(f.world), foot = pcm_world_add(f.world, "foundation", NULL);
    double           points[12], normals[12], depths[4], areas[4];
    uint64_t         features[4];
    pcm_contact      contacts[4] = {{0, 0}};
    for (size_t i = 0; i < 4; i++) {
        const pcm_touch touch = foot_point(2, i, 1e-3);
        memcpy(points + 3 * i, touch.point, sizeof touch.point);
        memcpy(normals + 3 * i, touch.normal, sizeof touch.normal);
        features[i] = i;
        depths[i] = 1e-3;
        areas[i] = 0.01;
    }
    pcm_touch_columns columns = {.size = sizeof columns,
                                 .count = 4,
                                 .a = &ground,
                                 .b = &foot,
                                 .one_a = true,
                                 .one_b = true,
                                 .feature = features,
                                 .point = points,
                                 .normal = normals,
                                 .depth = depths,
                                 .contacts = contacts,
                                 .area = areas};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(pcm_world_touch_many(f.world, &columns), 4);
        assert_int_equal(pcm_world_update(f.world, k, 1), PCM_OK);
        assert_near(wrench_of(f.world, foot).force[2], 400, 1e-10);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    columns.a = columns.b = NULL;
    assert_int_equal(pcm_world_touch_many(f.world, &columns), 4);
    assert_int_equal(pcm_world_update(f.world, 2, 1), PCM_OK);
    assert_near(wrench_of(f.world, foot).force[2], 400, 1e-10);
    columns.area = NULL;
    assert_int_equal(pcm_world_touch_many(f.world, &columns), 4);
    assert_int_equal(pcm_world_update(f.world, 2, 1), PCM_BAD_INPUT);
    fixture_close(&f);
}

static void matrices_are_scaled_like_the_force(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object     ground = ground_of(f.world), foot = pcm_world_add(f.world, "shared", NULL);
    pcm_touch            given = foot_point(1, 0, 1e-3);
    pcm_contact_matrices matrices = {.size = sizeof matrices};
    pcm_matrices        *all = pcm_matrices_new(f.world);
    given.share = 0.25;
    const pcm_contact contact = pcm_world_touch(f.world, ground, foot, &given, sizeof given);
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    assert_int_equal(pcm_matrices_contact(all, contact, &matrices), PCM_OK);
    assert_near(matrices.stiffness[6 * 5 + 5], 0.25 * 1e4, 1e-6);
    pcm_matrices_free(all);
    fixture_close(&f);
}

static void keep_ending(void *user, const pcm_ending *ending) { *(pcm_ending *)user = *ending; }

/* The energy and heat of a contact that has parted are multiplied by its last share, also in a restored world: 3 J
 * stored, 1 J of heat in a step. */
static void endings_count_by_the_last_share(void **state)
{
    (void)state;
    fixture       f;
    pcm_ending    ending = {.reason = PCM_END_BROKEN};
    pcm_world_def def = pcm_world_defaults();
    def.ended = keep_ending;
    def.ended_user = &ending;
    fixture_open(&f, "ContactType B = Bond { Gap = 1 [mm]; Reach = 10 [mm]; Patch = Shared; }; ObjectPair a * b -> B;",
                 &def);
    const pcm_object a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    pcm_touch        given = foot_point(1, 0, 1e-3);
    given.share = 0.25;
    assert_true(pcm_world_touch(f.world, a, b, &given, sizeof given).generation != 0);
    assert_int_equal(pcm_world_update(f.world, 0.5, 0.5), PCM_OK);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    uint8_t      bytes[4096];
    const size_t size = pcm_world_checkpoint_size(f.world);
    assert_true(size <= sizeof bytes);
    assert_int_equal(pcm_world_checkpoint_save(f.world, bytes, size), PCM_OK);
    pcm_world *other = fixture_world(&f, &def);
    pcm_world_add(other, "a", NULL);
    pcm_world_add(other, "b", NULL);
    assert_int_equal(pcm_world_checkpoint_restore(other, bytes, size), PCM_OK);
    assert_int_equal(pcm_world_update(other, 1, 0.5), PCM_OK);
    assert_int_equal(pcm_world_commit(other), PCM_OK);
    assert_int_equal(ending.reason, PCM_END_PARTED);
    assert_near(ending.energy, 0.25 * 3, 0);
    assert_near(ending.dissipation, 0.25 * 2, 0);
    pcm_world_free(other);
    fixture_close(&f);
}

static const pcm_common *common_of(const fixture *f, const char *type)
{
    return pcm_type_get_info(pcm_config_type_find(f->config, type))->common;
}

static void single_is_the_older_spelling(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "ContactType A = Spring { Patch = Single; }; ContactType B = Spring { Single = true; };\n"
                 "ContactType C = B { Patch = Shared; }; ContactType D = A { Single = false; };\n"
                 "ContactType E = Spring { Patch = Shared; Single = false; }; ContactType F = E { Single = true; };\n"
                 "ContactType G = C;\nObjectPair a * b -> A; ObjectPair a * c -> B; ObjectPair a * d -> C;\n"
                 "ObjectPair a * e -> D; ObjectPair a * f -> E; ObjectPair a * g -> F; ObjectPair a * h -> G;\n",
                 NULL);
    const struct {
        const char *type;
        int64_t     patch;
    } expected[] = {{"A", PCM_PATCH_SINGLE}, {"B", PCM_PATCH_SINGLE}, {"C", PCM_PATCH_SHARED}, {"D", PCM_PATCH_POINTS},
                    {"E", PCM_PATCH_SHARED}, {"F", PCM_PATCH_SINGLE}, {"G", PCM_PATCH_SHARED}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(common_of(&f, expected[i].type)->patch, expected[i].patch);
        assert_int_equal(common_of(&f, expected[i].type)->single, expected[i].patch == PCM_PATCH_SINGLE);
    }
    const char *const clashes[] = {"ContactType A = Spring { Patch = Shared; Single = true; }; DefaultPair -> A;",
                                   "ContactType A = Spring { Single = false; Patch = Single; }; DefaultPair -> A;"};
    for (size_t i = 0; i < 2; i++)
        assert_null(pcm_config_parse(f.context, "clash.pcm", clashes[i], strlen(clashes[i])));
    assert_int_equal(fixture_said(&f, 232), 4); /* with their notes */
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(foundation_carries_by_area),
        cmocka_unit_test(sole_shears_and_slips_by_area),
        cmocka_unit_test(missing_areas_are_named),
        cmocka_unit_test(shared_scales_what_the_law_gives),
        cmocka_unit_test(the_world_derives_shares),
        cmocka_unit_test(derived_shares_do_not_leap),
        cmocka_unit_test(a_single_contact_stands_for_all),
        cmocka_unit_test(arrays_give_areas_and_shares),
        cmocka_unit_test(matrices_are_scaled_like_the_force),
        cmocka_unit_test(endings_count_by_the_last_share),
        cmocka_unit_test(single_is_the_older_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
