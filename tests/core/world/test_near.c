/* SPDX-License-Identifier: MIT */
/* Touches without features: a point goes on with the contact that was nearest, whatever the order of the points. */
#include "fixture.h"
#include <pcm/messages.h>
#include <pcm/near.h>
#include <pcm/setting.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAW                                                                                                            \
    "ContactType C = KelvinVoigt + Dahl { KelvinVoigt.Stiffness = 1e5; Damping = 200; Dahl.Stiffness = 1e5; "          \
    "Friction = 0.5; Separation = 0.1 [mm]; }; DefaultPair -> C; "

enum { CORNERS = 4 };

typedef struct scene {
    pcm_world *world;
    pcm_object floor, box;
} scene;

static scene scene_of(pcm_world *world)
{
    scene s = {.world = world};
    s.floor = pcm_world_add_object(world, &PCM_OBJECT(.name = "floor", .fixed = true));
    s.box = pcm_world_add_object(world, &PCM_OBJECT(.name = "box"));
    return s;
}

/* A box of 0.4 by 0.2 m that slides, turns and rocks on the floor, known by the number of the step. */
static void move_box(const scene *s, int step, double corner[CORNERS][3], double depth[CORNERS])
{
    const double    t = 1e-3 * step, angle = 2 * t, c = cos(angle), sine = sin(angle);
    const pcm_pose  pose = {{0.8 * t, 0.3 * sin(3 * t), 0.1}, {cos(angle / 2), 0, 0, sin(angle / 2)}};
    const pcm_twist twist = {{0, 0, 2}, {0.8, 0.9 * cos(3 * t), 0}};
    assert_int_equal(pcm_world_move(s->world, s->box, &pose, &twist), PCM_OK);
    for (int i = 0; i < CORNERS; i++) {
        const double x = i & 1 ? 0.2 : -0.2, y = i & 2 ? 0.1 : -0.1;
        corner[i][0] = pose.position[0] + c * x - sine * y;
        corner[i][1] = pose.position[1] + sine * x + c * y;
        corner[i][2] = 0;
        depth[i] = 1e-4 * (2 + sin(20 * t + i));
    }
}

/* The corners in the given order; skip: one that is left out, CORNERS: none. */
static void touch_box(const scene *s, int step, const int order[CORNERS], int skip, pcm_contact contacts[CORNERS])
{
    double      corner[CORNERS][3], depth[CORNERS];
    pcm_touch   touches[CORNERS];
    pcm_contact found[CORNERS];
    size_t      count = 0;
    move_box(s, step, corner, depth);
    for (int i = 0; i < CORNERS; i++)
        if (order[i] != skip) {
            touches[count] = (pcm_touch){.normal = {0, 0, 1}, .depth = depth[order[i]]};
            memcpy(touches[count++].point, corner[order[i]], sizeof touches->point);
        }
    assert_int_equal(pcm_world_touch_near(s->world, s->floor, s->box, touches, sizeof *touches, count, 0, found),
                     PCM_OK);
    count = 0;
    for (int i = 0; contacts && i < CORNERS; i++)
        contacts[order[i]] = order[i] != skip ? found[count++] : (pcm_contact){0, 0};
}

static void finish(const scene *s, int step)
{
    assert_int_equal(pcm_world_update(s->world, 1e-3 * step, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_commit(s->world), PCM_OK);
}

static const int in_order[CORNERS] = {0, 1, 2, 3};

static void shuffle(uint64_t *seed, int order[CORNERS])
{
    memcpy(order, in_order, sizeof in_order);
    for (int i = CORNERS - 1; i > 0; i--) {
        const int k = (int)((0.5 + 0.5 * noise(seed)) * (i + 1)), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

static uint64_t made(const pcm_world *world)
{
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_world_rule_stats(world, 0, &stats), PCM_OK);
    return stats.made;
}

/* As with features by hand, and with the same bits in any order. */
static void a_box_that_slides_keeps_its_contacts(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, LAW, NULL);
    const scene shuffled = scene_of(f.world), ordered = scene_of(pcm_world_new(f.config, NULL)),
                by_hand = scene_of(pcm_world_new(f.config, NULL));
    uint64_t seed = 1;
    for (int step = 0; step < 2000; step++) {
        int    order[CORNERS];
        double corner[CORNERS][3], depth[CORNERS];
        shuffle(&seed, order);
        touch_box(&shuffled, step, order, CORNERS, NULL);
        touch_box(&ordered, step, in_order, CORNERS, NULL);
        move_box(&by_hand, step, corner, depth);
        for (uint64_t i = 0; i < CORNERS; i++)
            (void)touch_with(by_hand.world, by_hand.floor, by_hand.box, i, corner[i], (double[]){0, 0, 1}, depth[i]);
        finish(&shuffled, step);
        finish(&ordered, step);
        finish(&by_hand, step);
        const pcm_wrench one = wrench_of(shuffled.world, shuffled.box), two = wrench_of(ordered.world, ordered.box);
        const pcm_wrench hand = wrench_of(by_hand.world, by_hand.box);
        assert_memory_equal(&one, &two, sizeof one);
        for (int k = 0; k < 3; k++)
            assert_near(one.force[k], hand.force[k], 1e-11); /* of 80 N, in another order of summation */
    }
    assert_int_equal(made(shuffled.world), CORNERS);
    assert_true(fabs(wrench_of(shuffled.world, shuffled.box).force[0]) > 1);
    assert_int_equal(f.messages, 0);
    pcm_world_free(ordered.world);
    pcm_world_free(by_hand.world);
    fixture_close(&f);
}

/* For one step; where it is missing twice the contact ends, and begins anew. */
static void a_missing_point_is_made_up_for_a_step(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, LAW, NULL);
    const scene dropped = scene_of(f.world), whole = scene_of(pcm_world_new(f.config, NULL));
    for (int step = 0; step < 200; step++) {
        touch_box(&dropped, step, in_order, step % 10 == 9 ? step / 10 % CORNERS : CORNERS, NULL);
        touch_box(&whole, step, in_order, CORNERS, NULL);
        finish(&dropped, step);
        finish(&whole, step);
        const pcm_wrench one = wrench_of(dropped.world, dropped.box), all = wrench_of(whole.world, whole.box);
        for (int k = 0; k < 3; k++)
            assert_near(one.force[k], all.force[k], 0.5); /* of 80 N: its depth is that of the step before */
    }
    assert_int_equal(made(dropped.world), CORNERS);
    touch_box(&dropped, 200, in_order, 2, NULL);
    finish(&dropped, 200);
    assert_int_equal(pcm_world_contact_count(dropped.world), CORNERS);
    touch_box(&dropped, 201, in_order, 2, NULL);
    finish(&dropped, 201);
    assert_int_equal(pcm_world_contact_count(dropped.world), CORNERS - 1);
    touch_box(&dropped, 202, in_order, CORNERS, NULL);
    finish(&dropped, 202);
    assert_int_equal(made(dropped.world), CORNERS + 1);
    pcm_world_free(whole.world);
    fixture_close(&f);
}

static void a_trial_changes_nothing(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, LAW, NULL);
    const scene tried = scene_of(f.world), plain = scene_of(pcm_world_new(f.config, NULL));
    for (int step = 0; step < 200; step++) {
        if (step > 0) {
            touch_box(&tried, step + 40, in_order, step % 5, NULL);
            assert_int_equal(pcm_world_update(tried.world, 1e-3 * step, 1e-3), PCM_OK);
        }
        touch_box(&tried, step, in_order, CORNERS, NULL);
        touch_box(&plain, step, in_order, CORNERS, NULL);
        finish(&tried, step);
        finish(&plain, step);
        const pcm_wrench one = wrench_of(tried.world, tried.box), other = wrench_of(plain.world, plain.box);
        assert_memory_equal(&one, &other, sizeof one);
    }
    pcm_world_free(plain.world);
    fixture_close(&f);
}

static void a_checkpoint_has_the_places(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, LAW, NULL);
    pcm_world *const other = pcm_world_new(f.config, NULL);
    const pcm_object box = pcm_world_add_object(other, &PCM_OBJECT(.name = "box")); /* in another order */
    const scene      first = scene_of(f.world);
    const scene      second = {other, pcm_world_add_object(other, &PCM_OBJECT(.name = "floor", .fixed = true)), box};
    uint64_t         seed = 1;
    int              order[CORNERS];
    touch_box(&second, 500, in_order, CORNERS, NULL);
    finish(&second, 500);
    for (int step = 0; step < 100; step++) {
        touch_box(&first, step, in_order, step == 99 ? 1 : CORNERS, NULL);
        finish(&first, step);
    }
    const size_t size = pcm_world_checkpoint_size(first.world);
    void        *bytes = malloc(size), *again = malloc(size);
    assert_int_equal(pcm_world_checkpoint_save(first.world, bytes, size), PCM_OK);
    assert_int_equal(pcm_world_checkpoint_restore(second.world, bytes, size), PCM_OK);
    assert_int_equal(pcm_world_checkpoint_size(second.world), size);
    assert_int_equal(pcm_world_checkpoint_save(second.world, again, size), PCM_OK);
    assert_memory_equal(bytes, again, size);
    for (int step = 100; step < 200; step++) {
        shuffle(&seed, order);
        touch_box(&first, step, in_order, step == 100 ? 1 : CORNERS, NULL);
        touch_box(&second, step, order, step == 100 ? 1 : CORNERS, NULL);
        finish(&first, step);
        finish(&second, step);
        const pcm_wrench one = wrench_of(first.world, first.box), two = wrench_of(second.world, second.box);
        assert_memory_equal(&one, &two, sizeof one);
    }
    free(bytes);
    free(again);
    pcm_world_free(other);
    fixture_close(&f);
}

/* A ball of 5 cm that rolls at 2 m/s in steps of 5 ms travels 1 cm on both bodies each step. */
static void a_ball_that_rolls_keeps_its_contact(void **state)
{
    (void)state;
    const double radius = 0.05, speed = 2, dt = 5e-3;
    fixture      f;
    fixture_open_with(&f, TEST_PLUGINS, LAW, NULL);
    const scene s = scene_of(f.world);
    for (int step = 0; step < 400; step++) {
        const double    t = dt * step, angle = speed * t / radius;
        const pcm_pose  pose = {{speed * t, 0, radius}, {cos(angle / 2), 0, sin(angle / 2), 0}};
        const pcm_twist twist = {{0, speed / radius, 0}, {speed, 0, 0}};
        const pcm_touch touch = {.point = {speed * t, 0, 0}, .normal = {0, 0, 1}, .depth = 1e-4};
        assert_int_equal(pcm_world_move(s.world, s.box, &pose, &twist), PCM_OK);
        assert_int_equal(pcm_world_touch_near(s.world, s.floor, s.box, &touch, sizeof touch, 1, 0, NULL), PCM_OK);
        assert_int_equal(pcm_world_update(s.world, t, dt), PCM_OK);
        assert_int_equal(pcm_world_commit(s.world), PCM_OK);
    }
    assert_int_equal(made(s.world), 1);
    fixture_close(&f);
}

/* ---- Against all assignments ---------------------------------------------------------------------------------------
 */

enum { MOST = 8 };

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* How far a point has moved on the floor, or on the box, which was shifted. */
static double moved(const double now[3], const double old[3], const double shift[3])
{
    const double on_box[3] = {now[0] - shift[0], now[1] - shift[1], now[2] - shift[2]};
    return fmin(apart(now, old), apart(on_box, old));
}

/* Takes the closest pair of all that are left, again and again. reach: of each old point; partner: of each point the
 * old one, or -1. */
static void assign(double old[MOST][3], int n_old, double now[MOST][3], int n_now, const double shift[3],
                   const double reach[MOST], int partner[MOST])
{
    bool taken[MOST] = {false};
    for (int i = 0; i < n_now; i++)
        partner[i] = -1;
    for (;;) {
        int    best = -1, with = -1;
        double least = INFINITY;
        for (int i = 0; i < n_now; i++)
            for (int k = 0; k < n_old; k++)
                if (partner[i] < 0 && !taken[k] && moved(now[i], old[k], shift) < fmin(least, reach[k])) {
                    least = moved(now[i], old[k], shift);
                    best = i;
                    with = k;
                }
        if (best < 0)
            return;
        partner[best] = with;
        taken[with] = true;
    }
}

static void points_match_closest_first(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, LAW, NULL);
    uint64_t seed = 7;
    for (int round = 0; round < 3000; round++) {
        const scene  s = scene_of(pcm_world_new(f.config, NULL));
        const double way = round % 3 ? 0.02 * (round % 3) : 1; /* of points in a step: short, longer, anywhere */
        double       place[2][MOST][3] = {{{0}}}, shift[3] = {0};
        int          count[2], partner[MOST];
        pcm_contact  contacts[2][MOST];
        for (int step = 0; step < 2; step++) {
            pcm_touch touches[MOST];
            count[step] = 1 + (int)((0.5 + 0.5 * noise(&seed)) * MOST);
            for (int k = 0; k < 2 && step; k++) /* a little, or one point onto another */
                shift[k] = (round % 2 ? 0 : place[0][0][k] - place[0][1][k]) + 0.3 * way * noise(&seed);
            assert_int_equal(pcm_world_move(s.world, s.box, &(pcm_pose){{shift[0], shift[1], 0}, {1, 0, 0, 0}},
                                            &(pcm_twist){{0}, {0}}),
                             PCM_OK);
            for (int i = 0; i < count[step]; i++) {
                const int from = (i * 3 + round) % MOST; /* in another order */
                for (int k = 0; k < 2; k++) {
                    const double carried = round % 4 < 2 ? shift[k] : 0;
                    place[step][i][k] =
                        step && way < 1 ? place[0][from][k] + carried + way * noise(&seed) : noise(&seed);
                }
                touches[i] = (pcm_touch){.normal = {0, 0, 1}, .depth = 1e-3};
                memcpy(touches[i].point, place[step][i], sizeof touches->point);
            }
            assert_int_equal(pcm_world_touch_near(s.world, s.floor, s.box, touches, sizeof *touches,
                                                  (size_t)count[step], 0.4, contacts[step]),
                             PCM_OK);
            finish(&s, step);
        }
        double reach[MOST];
        for (int i = 0; i < MOST; i++)
            reach[i] = 0.4;
        assign(place[0], count[0], place[1], count[1], shift, reach, partner);
        for (int i = 0; i < count[1]; i++)
            for (int k = 0; k < count[0]; k++)
                assert_int_equal(memcmp(&contacts[1][i], &contacts[0][k], sizeof **contacts) == 0, partner[i] == k);
        pcm_world_free(s.world);
    }
    fixture_close(&f);
}

/* Points of a host's own, on one body or on two, with a reach for each; those that have a partner keep it. */
static void marks_match_as_touches_do(void **state)
{
    (void)state;
    struct own {
        pcm_near_mark mark;
        char          more[24];
    } old[MOST], now[MOST];
    const double far[3] = {1e9, 0, 0};
    uint64_t     seed = 11;
    for (int round = 0; round < 3000; round++) {
        double    place[2][MOST][3], reach[MOST], shift[3] = {0};
        const int n_old = 1 + round % MOST, n_now = 1 + round / MOST % MOST, had = round % 5 ? -1 : n_old - 1;
        int       partner[MOST], pairs = 0;
        for (int k = 0; k < 3 && round % 3; k++)
            shift[k] = noise(&seed);
        for (int i = 0; i < MOST; i++) {
            reach[i] = 0.5 * noise(&seed);
            for (int k = 0; k < 3; k++) {
                place[0][i][k] = noise(&seed);
                place[1][i][k] = round % 2 ? noise(&seed) : place[0][(i + round) % MOST][k] + 0.1 * noise(&seed);
            }
            old[i] = (struct own){.mark = {.reach = reach[i], .partner = i == had ? 99 : 0}};
            now[i] = (struct own){.mark = {.reach = NAN}};
            for (int body = 0; body < 2; body++) {
                memcpy(old[i].mark.place[body], place[0][i], sizeof place[0][i]);
                for (int k = 0; k < 3; k++)
                    now[i].mark.place[body][k] = place[1][i][k] - (body ? shift[k] : 0);
            }
        }
        if (had >= 0)
            memcpy(place[0][had], far, sizeof far);
        assign(place[0], n_old, place[1], n_now, shift, reach, partner);
        const pcm_near_marks after = {&now->mark, (size_t)n_now, sizeof *now},
                             before = {&old->mark, (size_t)n_old, sizeof *old};
        const size_t made = pcm_near_match(after, before);
        for (int i = 0; i < n_now; i++) {
            assert_int_equal((int)now[i].mark.partner - 1, partner[i]);
            if (partner[i] >= 0)
                assert_int_equal(old[partner[i]].mark.partner, i + 1);
            pairs += partner[i] >= 0;
        }
        assert_int_equal(made, pairs);
        assert_true(had < 0 || old[had].mark.partner == 99);
        assert_int_equal(pcm_near_match(after, before), 0); /* nothing is left */
    }
}

/* Another object in its place has no contacts, and neither has a checkpoint. */
static void a_removed_object_is_forgotten(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, LAW, NULL);
    scene s = scene_of(f.world);
    for (int step = 0; step < 10; step++) {
        if (step == 5) {
            assert_int_equal(pcm_world_remove(s.world, s.box), PCM_OK);
            s.box = pcm_world_add_object(s.world, &PCM_OBJECT(.name = "box"));
            const size_t size = pcm_world_checkpoint_size(s.world);
            void        *bytes = malloc(size);
            assert_int_equal(pcm_world_checkpoint_save(s.world, bytes, size), PCM_OK);
            assert_int_equal(pcm_world_checkpoint_restore(s.world, bytes, size), PCM_OK);
            free(bytes);
        }
        touch_box(&s, step, in_order, CORNERS, NULL);
        finish(&s, step);
    }
    assert_int_equal(made(s.world), 2 * CORNERS);
    assert_int_equal(pcm_world_contact_count(s.world), CORNERS);
    fixture_close(&f);
}

static void bad_calls_are_rejected(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, LAW, NULL);
    const scene     s = scene_of(f.world);
    const pcm_touch touch = {.normal = {0, 0, 1}, .depth = 1e-3};
    const size_t    size = sizeof touch;
    assert_int_equal(pcm_world_touch_near(s.world, s.floor, s.floor, &touch, size, 1, 0, NULL), PCM_BAD_HANDLE);
    assert_int_equal(pcm_world_touch_near(s.world, s.floor, s.box, &touch, size, 1, -1, NULL), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_touch_near(s.world, s.floor, s.box, &touch, size, 1, NAN, NULL), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_touch_near(s.world, s.floor, s.box, NULL, size, 1, 0, NULL), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_touch_near(s.world, s.floor, s.box, &touch, 8, 1, 0, NULL), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_touch_near(s.world, s.floor, s.box, &touch, size, PCM_NEAR_MOST + 1, 0, NULL),
                     PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_touch_near(s.world, s.floor, s.box, NULL, size, 0, 0, NULL), PCM_OK);
    pcm_touch bad = touch;
    bad.point[0] = NAN;
    assert_int_equal(pcm_world_touch_near(s.world, s.floor, s.box, &bad, size, 1, 0, NULL), PCM_OK);
    assert_int_equal(pcm_world_update(s.world, 0, 1e-3), PCM_BAD_MOTION);
    assert_int_equal(pcm_world_commit(s.world), PCM_OK);
    assert_int_equal(pcm_world_contact_count(s.world), 0);
    assert_int_equal(pcm_world_remove(s.world, s.box), PCM_OK);
    assert_int_equal(pcm_world_touch_near(s.world, s.floor, s.box, &touch, size, 1, 0, NULL), PCM_BAD_HANDLE);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_that_slides_keeps_its_contacts),
        cmocka_unit_test(a_missing_point_is_made_up_for_a_step),
        cmocka_unit_test(a_trial_changes_nothing),
        cmocka_unit_test(a_checkpoint_has_the_places),
        cmocka_unit_test(a_ball_that_rolls_keeps_its_contact),
        cmocka_unit_test(points_match_closest_first),
        cmocka_unit_test(marks_match_as_touches_do),
        cmocka_unit_test(a_removed_object_is_forgotten),
        cmocka_unit_test(bad_calls_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
