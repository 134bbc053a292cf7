/* SPDX-License-Identifier: MIT */
/* Calls with arrays of bodies and contacts do the same as calls for single ones. */
#include "fixture.h"

enum { BALLS = 40, CROWD = 20000 };

typedef struct scene {
    fixture     f;
    pcm_object  ground, ball[BALLS];
    pcm_contact contact[BALLS];
    pcm_pose    pose[BALLS];
    pcm_twist   twist[BALLS];
    pcm_touch   touch[BALLS];
    pcm_wrench  wrench[BALLS];
} scene;

static void open_scene(scene *s)
{
    fixture_open(&s->f, "ContactType C = Brush; DefaultPair -> C;", NULL);
    s->ground = pcm_world_add_object(s->f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
    for (size_t i = 0; i < BALLS; i++) {
        s->ball[i] = pcm_world_add(s->f.world, "ball", NULL);
        s->contact[i] = touch(s->f.world, s->ground, s->ball[i], 0, (double)i, 0, 0.01);
    }
    assert_int_equal(pcm_world_update(s->f.world, 0, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
}

static void stir(scene *s, uint64_t *seed)
{
    for (size_t i = 0; i < BALLS; i++) {
        s->pose[i] = (pcm_pose){.position = {noise(seed), noise(seed), noise(seed)},
                                .orientation = {1 + noise(seed), noise(seed), noise(seed), noise(seed)}};
        s->twist[i] = (pcm_twist){.angular = {noise(seed), noise(seed), noise(seed)},
                                  .linear = {noise(seed), noise(seed), noise(seed)}};
        s->touch[i] = (pcm_touch){.point = {noise(seed), noise(seed), noise(seed)},
                                  .normal = {0, 0.6, 0.8},
                                  .depth = 0.01 * (1.5 + noise(seed))};
    }
}

/* Reports touches by handle, in columns. */
static size_t touch_all(pcm_world *world, pcm_contact *contacts, const pcm_touch *touches, size_t count)
{
    static double           point[CROWD][3], normal[CROWD][3], depth[CROWD];
    const pcm_touch_columns columns = {.size = sizeof columns,
                                       .count = count,
                                       .point = point[0],
                                       .normal = normal[0],
                                       .depth = depth,
                                       .contacts = contacts};
    for (size_t i = 0; i < count; i++) {
        memcpy(point[i], touches[i].point, sizeof point[i]);
        memcpy(normal[i], touches[i].normal, sizeof normal[i]);
        depth[i] = touches[i].depth;
    }
    return pcm_world_touch_many(world, &columns);
}

static void move_and_touch_each(scene *s)
{
    for (size_t i = 0; i < BALLS; i++) {
        const pcm_touch *t = &s->touch[i];
        assert_int_equal(pcm_world_move(s->f.world, s->ball[i], &s->pose[i], &s->twist[i]), PCM_OK);
        assert_true(touch_again(s->f.world, s->contact[i], t->point, t->normal, t->depth));
    }
}

static void arrays_give_the_same_bits(void **state)
{
    (void)state;
    static scene one, many;
    open_scene(&one);
    open_scene(&many);
    uint64_t seed = 1, same = 1;
    for (size_t step = 0; step < 20; step++) {
        stir(&one, &seed);
        stir(&many, &same);
        move_and_touch_each(&one);
        assert_int_equal(pcm_world_move_many(many.f.world, many.ball, many.pose, many.twist, BALLS), BALLS);
        assert_int_equal(touch_all(many.f.world, many.contact, many.touch, BALLS), BALLS);
        assert_int_equal(pcm_world_update(one.f.world, 0, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_update(many.f.world, 0, 1e-3), PCM_OK);
        for (size_t i = 0; i < BALLS; i++)
            assert_int_equal(pcm_world_wrench(one.f.world, one.ball[i], &one.wrench[i]), PCM_OK);
        assert_int_equal(pcm_world_wrench_many(many.f.world, many.ball, many.wrench, BALLS), BALLS);
        assert_memory_equal(one.wrench, many.wrench, sizeof one.wrench);
        assert_true(one.wrench[0].force[2] > 0);
        assert_int_equal(pcm_world_commit(one.f.world), PCM_OK);
        assert_int_equal(pcm_world_commit(many.f.world), PCM_OK);
    }
    fixture_close(&one.f);
    fixture_close(&many.f);
}

/* A host can continue after a body that is rejected; the handle of a contact that has ended becomes zero. */
static void refusals_say_where(void **state)
{
    (void)state;
    static scene s;
    open_scene(&s);
    uint64_t seed = 7;
    stir(&s, &seed);
    pcm_world *world = s.f.world;
    assert_int_equal(pcm_world_move(world, s.ground, &s.pose[0], &s.twist[0]), PCM_OK);
    assert_int_equal(pcm_world_remove(world, s.ball[17]), PCM_OK);
    s.ball[30] = s.ground; /* which has moved already */

    assert_int_equal(pcm_world_move_many(world, s.ball, s.pose, s.twist, BALLS), 17);
    assert_int_equal(pcm_world_move_many(world, s.ball + 18, s.pose + 18, s.twist + 18, BALLS - 18), 12);
    assert_int_equal(touch_all(world, s.contact, s.touch, BALLS), BALLS);
    for (size_t i = 0; i < BALLS; i++)
        assert_true((s.contact[i].generation == 0) == (i == 17));
    assert_int_equal(pcm_world_update(world, 0, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_wrench_many(world, s.ball, s.wrench, BALLS), 17);
    assert_int_equal(pcm_world_wrench_many(world, s.ball + 18, s.wrench + 18, BALLS - 18), BALLS - 18);
    assert_true(s.wrench[16].force[2] > 0 && s.wrench[18].force[2] > 0);
    assert_int_equal(pcm_world_commit(world), PCM_OK);
    assert_int_equal(pcm_world_contact_count(world), BALLS - 1);
    assert_int_equal(pcm_world_move_many(world, NULL, NULL, NULL, 0), 0);
    assert_int_equal(touch_all(world, NULL, NULL, 0), 0);
    fixture_close(&s.f);
}

/* ---- Pairs ----------------------------------------------------------------------------------------------------- */

enum { PAIRS = 60 };

/* Three laws: one whose state outlives its contact, one that keeps a single contact per pair, one that breaks. */
static const char crossing[] = "ContactType C = Brush; ContactType S = Spring { Single=true; };\n"
                               "ContactType B = Bond { Gap=1 [mm]; Reach=10 [mm]; };\n"
                               "SurfacePair Floor * Soft -> C; SurfacePair Floor * Lone -> S;\n"
                               "SurfacePair Floor * Glued -> B; SurfacePair Soft * Lone -> C;\n";

typedef struct crossers {
    fixture     f;
    pcm_object  floor, body[4];
    pcm_object  a[PAIRS], b[PAIRS];
    uint64_t    feature[PAIRS];
    double      point[PAIRS][3], normal[PAIRS][3], depth[PAIRS];
    pcm_contact contacts[PAIRS];
} crossers;

static void open_crossers(crossers *c)
{
    static const char *const surfaces[] = {"Soft", "Lone", "Glued", "Nothing"};
    memset(c, 0, sizeof *c);
    fixture_open(&c->f, crossing, NULL);
    c->floor = pcm_world_add_object(c->f.world, &PCM_OBJECT(.name = "floor", .surface = "Floor", .fixed = true));
    for (size_t i = 0; i < 4; i++)
        c->body[i] = pcm_world_add(c->f.world, surfaces[i], surfaces[i]);
}

/* Pairs and features in any order, some repeated, some swapped, at depths from 4 mm down to gaps. */
static void cross(crossers *c, uint64_t *seed)
{
    for (size_t i = 0; i < PAIRS; i++) {
        c->a[i] = c->floor;
        c->b[i] = c->body[(size_t)(2 + 2 * noise(seed))];
        if (noise(seed) > 0.8) {
            c->a[i] = c->body[1];
            c->b[i] = c->body[0];
        } else if (noise(seed) > 0.5) {
            c->a[i] = c->b[i];
            c->b[i] = c->floor;
        }
        c->feature[i] = (uint64_t)(5 + 5 * noise(seed));
        c->depth[i] = 0.004 * noise(seed);
        for (size_t k = 0; k < 3; k++) {
            c->point[i][k] = noise(seed);
            c->normal[i][k] = k == 2;
        }
    }
}

static pcm_touch_columns columns_of(crossers *c)
{
    return (pcm_touch_columns){.size = sizeof(pcm_touch_columns),
                               .count = PAIRS,
                               .a = c->a,
                               .b = c->b,
                               .feature = c->feature,
                               .point = c->point[0],
                               .normal = c->normal[0],
                               .depth = c->depth,
                               .contacts = c->contacts};
}

static void assert_same_worlds(crossers *one, crossers *many)
{
    assert_int_equal(pcm_world_contact_count(one->f.world), pcm_world_contact_count(many->f.world));
    for (size_t i = 0; i < 4; i++) {
        const pcm_wrench alone = wrench_of(one->f.world, one->body[i]), all = wrench_of(many->f.world, many->body[i]);
        assert_memory_equal(&alone, &all, sizeof alone);
    }
}

static void pairs_are_touched_like_one(void **state)
{
    (void)state;
    static crossers one, many;
    open_crossers(&one);
    open_crossers(&many);
    uint64_t seed = 5, same = 5;
    uint64_t made = 0;
    for (size_t step = 0; step < 200; step++) {
        cross(&one, &seed);
        cross(&many, &same);
        for (size_t i = 0; i < PAIRS; i++)
            one.contacts[i] =
                touch_with(one.f.world, one.a[i], one.b[i], one.feature[i], one.point[i], one.normal[i], one.depth[i]);
        const pcm_touch_columns columns = columns_of(&many);
        assert_int_equal(pcm_world_touch_many(many.f.world, &columns), PAIRS);
        assert_memory_equal(one.contacts, many.contacts, sizeof one.contacts);
        assert_int_equal(pcm_world_update(one.f.world, (double)step, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_update(many.f.world, (double)step, 1e-3), PCM_OK);
        assert_same_worlds(&one, &many);
        assert_int_equal(pcm_world_commit(one.f.world), PCM_OK);
        assert_int_equal(pcm_world_commit(many.f.world), PCM_OK);
        made += pcm_world_contact_count(one.f.world);
    }
    assert_true(made > 1000);
    fixture_close(&one.f);
    fixture_close(&many.f);
}

/* Steps in which the pairs stay the same: the previous step's handles are used, and swapping a pair and its normal
 * together makes no difference. */
static void pairs_keep_their_handles(void **state)
{
    (void)state;
    static crossers c;
    open_crossers(&c);
    uint64_t seed = 11;
    cross(&c, &seed);
    for (size_t i = 0; i < PAIRS; i++) {
        c.b[i] = c.body[0];
        c.feature[i] = i;
        c.depth[i] = 0.001;
    }
    pcm_touch_columns columns = columns_of(&c);
    columns.a = &c.floor;
    columns.one_a = true;
    assert_int_equal(pcm_world_touch_many(c.f.world, &columns), PAIRS);
    pcm_contact first[PAIRS];
    memcpy(first, c.contacts, sizeof first);
    assert_int_equal(pcm_world_update(c.f.world, 0, 1e-3), PCM_OK);
    const pcm_wrench before = wrench_of(c.f.world, c.body[0]);
    assert_int_equal(pcm_world_commit(c.f.world), PCM_OK);

    columns = columns_of(&c);
    columns.a = c.b;
    columns.b = &c.floor;
    columns.one_b = true;
    for (size_t i = 0; i < PAIRS; i++)
        c.normal[i][2] = -1;
    assert_int_equal(pcm_world_touch_many(c.f.world, &columns), PAIRS);
    assert_memory_equal(first, c.contacts, sizeof first);
    assert_int_equal(pcm_world_update(c.f.world, 1e-3, 1e-3), PCM_OK);
    const pcm_wrench after = wrench_of(c.f.world, c.body[0]);
    assert_true(before.force[2] > 0 && before.force[2] == after.force[2]);
    fixture_close(&c.f);
}

/* All entries are taken or none: the bad entry is named, and the step continues as if there had been no call. */
static void pairs_are_rejected_whole(void **state)
{
    (void)state;
    static crossers c;
    open_crossers(&c);
    uint64_t seed = 3;
    cross(&c, &seed);
    pcm_touch_columns columns = columns_of(&c);
    const pcm_object  dead = {3, 77}, kept = c.a[40];
    c.a[40] = dead;
    assert_int_equal(pcm_world_touch_many(c.f.world, &columns), 40);
    c.a[40] = c.b[40];
    assert_int_equal(pcm_world_touch_many(c.f.world, &columns), 40);
    c.a[40] = kept;
    assert_int_equal(c.contacts[0].generation, 0);
    assert_int_equal(pcm_world_update(c.f.world, 0, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_contact_count(c.f.world), 0);

    columns.count = 0;
    assert_int_equal(pcm_world_touch_many(c.f.world, &columns), 0);
    assert_int_equal(pcm_world_commit(c.f.world), PCM_OK); /* no touch was taken, so no new evaluation has begun */
    columns = columns_of(&c);
    columns.size = 0;
    assert_int_equal(pcm_world_touch_many(c.f.world, &columns), 0);
    columns = columns_of(&c);
    columns.feature = NULL;
    columns.contacts = NULL;
    assert_int_equal(pcm_world_touch_many(c.f.world, &columns), PAIRS);
    fixture_close(&c.f);
}

/* ---- Tasks ----------------------------------------------------------------------------------------------------- */

static pcm_object  crowd[CROWD];
static pcm_pose    poses[CROWD];
static pcm_twist   twists[CROWD];
static pcm_contact contacts[CROWD];
static pcm_touch   touches[CROWD];

/* A chain of bodies, each of which touches the next, during two steps. */
static void run_crowd(pcm_world *world, pcm_wrench wrenches[CROWD])
{
    uint64_t seed = 3;
    for (size_t i = 0; i < CROWD; i++) {
        crowd[i] = pcm_world_add(world, "body", NULL);
        poses[i] = (pcm_pose){.position = {noise(&seed), noise(&seed), noise(&seed)}, .orientation = {1}};
        twists[i] = (pcm_twist){.linear = {noise(&seed), noise(&seed), noise(&seed)}};
        touches[i] =
            (pcm_touch){.point = {noise(&seed), 0, 0}, .normal = {0, 0, 1}, .depth = 0.02 + 0.01 * noise(&seed)};
    }
    for (size_t i = 0; i + 1 < CROWD; i++)
        contacts[i] = touch(world, crowd[i], crowd[i + 1], 0, 0, 0, 0.01);
    for (int step = 0; step < 2; step++) {
        assert_int_equal(pcm_world_update(world, 0, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(world), PCM_OK);
        assert_int_equal(pcm_world_move_many(world, crowd, poses, twists, CROWD), CROWD);
        assert_int_equal(touch_all(world, contacts, touches, CROWD - 1), CROWD - 1);
    }
    assert_int_equal(pcm_world_update(world, 0, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_wrench_many(world, crowd, wrenches, CROWD), CROWD);
}

static void tasks_give_the_same_bits(void **state)
{
    (void)state;
    static pcm_wrench alone[CROWD], together[CROWD];
    fixture           f;
    fixture_open(&f, "ContactType C = Brush; DefaultPair -> C;", NULL);
    run_crowd(f.world, alone);
    assert_true(alone[CROWD / 2].force[2] != 0);
    size_t runs = 0;
    for (uint32_t threads = 2; threads < 5; threads++)
        for (int own = 0; own < 2; own++) {
            pcm_world_def def = pcm_world_defaults();
            def.threads = threads;
            def.run = own ? NULL : run_backwards;
            def.run_user = &runs;
            pcm_world *world = fixture_world(&f, &def);
            run_crowd(world, together);
            assert_memory_equal(alone, together, sizeof alone);
            for (size_t gone = CROWD - 1; gone > 0; gone = gone * 5 / 11) {
                assert_int_equal(pcm_world_remove(world, crowd[gone]), PCM_OK);
                assert_int_equal(pcm_world_move_many(world, crowd, poses, twists, CROWD), gone);
                assert_int_equal(pcm_world_wrench_many(world, crowd, together, CROWD), gone);
            }
            pcm_world_free(world);
        }
    assert_true(runs > 0);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_give_the_same_bits),  cmocka_unit_test(refusals_say_where),
        cmocka_unit_test(pairs_are_touched_like_one), cmocka_unit_test(pairs_keep_their_handles),
        cmocka_unit_test(pairs_are_rejected_whole),   cmocka_unit_test(tasks_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
