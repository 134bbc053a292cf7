/* SPDX-License-Identifier: MIT */
/* Contacts that begin across a gap: liquid bridges, depending on their volume, and bonds, which exist from the
 * beginning or never. Until the host gives a volume, the file's value counts. */
#include "fixture.h"
#include <pcm/bond.h>
#include <pcm/messages.h>

#include <float.h>
#include <stdlib.h>

#define GLUE   "ContactType G = Glue { Gap = 0.1 [mm]; };\nObjectPair \"g*\" * \"g*\" -> G;\n"
#define BRIDGE "ContactType B = Bridge { Volume = 1e-9; LargestVolume = 1e-8; };\nObjectPair \"w*\" * \"w*\" -> B;\n"

static const double pi = 3.14159265358979323846;

enum { OBJECTS = 4 };

typedef struct scene {
    fixture    f;
    pcm_object glued[OBJECTS], wet[OBJECTS];
    double     time;
} scene;

static void add_objects(scene *s, pcm_world *world)
{
    char name[3] = "g0";
    for (int i = 0; i < OBJECTS; i++) {
        name[1] = (char)('0' + i);
        name[0] = 'g';
        s->glued[i] = pcm_world_add(world, name, NULL);
        name[0] = 'w';
        s->wet[i] = pcm_world_add(world, name, NULL);
    }
}

static int open_scene(void **state)
{
    static scene s;
    s = (scene){0};
    fixture_open(&s.f, GLUE BRIDGE, NULL);
    add_objects(&s, s.f.world);
    *state = &s;
    return 0;
}

static int close_scene(void **state)
{
    fixture_close(&((scene *)*state)->f);
    return 0;
}

static void step(scene *s)
{
    assert_int_equal(pcm_world_update(s->f.world, s->time += 1e-3, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
}

/* One step of a single contact between the first two objects; returns the force on the second. */
static double pressed(scene *s, const pcm_object *objects, double depth)
{
    touch(s->f.world, objects[0], objects[1], 7, 0, 0, depth);
    step(s);
    return wrench_of(s->f.world, objects[1]).force[2];
}

static pcm_rule_stats stats_of(scene *s, size_t rule)
{
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_world_rule_stats(s->f.world, rule, &stats), PCM_OK);
    return stats;
}

/* ---- Bonds ------------------------------------------------------------------------------------------------------ */

/* k A per metre of stretch up to the strength, where the bond breaks. */
static void a_bond_stretches_and_breaks(void **state)
{
    scene       *s = *state;
    const double stiffness = 1e10 * 1e-6, most = 1e6 / 1e10, rest = 5e-5;
    assert_near(pressed(s, s->glued, -rest), 0, 0);
    assert_int_equal(stats_of(s, 0).made, 1);
    assert_near(pressed(s, s->glued, -rest - 0.5 * most), -stiffness * 0.5 * most, 1e-12);
    assert_near(pressed(s, s->glued, -rest + 0.5 * most), stiffness * 0.5 * most, 1e-12);
    assert_near(pressed(s, s->glued, -rest - 0.999999 * most), -stiffness * 0.999999 * most, 1e-12);
    assert_int_equal(stats_of(s, 0).broken, 0);
    assert_near(pressed(s, s->glued, -rest - 1.000001 * most), 0, 0);
    assert_int_equal(stats_of(s, 0).broken, 1);
}

/* Afterwards only the spring pushes, from depth 0 on; across a gap that a bond would bridge no contact begins, and none
 * is counted. */
static void a_broken_bond_never_forms_again(void **state)
{
    scene *s = *state;
    pressed(s, s->glued, -5e-5);
    pressed(s, s->glued, -3e-4);
    assert_int_equal(stats_of(s, 0).broken, 1);
    for (int i = 0; i < 3; i++) {
        assert_near(pressed(s, s->glued, -5e-5), 0, 0);
        assert_int_equal(pcm_world_contact_count(s->f.world), 0);
        assert_int_equal(stats_of(s, 0).made, (size_t)i + 1);
        assert_near(pressed(s, s->glued, 1e-4), 5e3 * 1e-4, 1e-12);
        assert_near(pressed(s, s->glued, -5e-5), 0, 0);
    }
    assert_int_equal(s->f.messages, 0);
}

/* New objects bond to each other; an old one bonds to none until the host renews it. */
static void only_new_objects_bond(void **state)
{
    scene           *s = *state;
    pcm_world       *world = s->f.world;
    const pcm_object old = s->glued[0];
    step(s);
    const pcm_object first = pcm_world_add(world, "g8", NULL), second = pcm_world_add(world, "g9", NULL);
    const pcm_object pairs[3][2] = {{old, first}, {first, second}, {old, s->glued[1]}};
    for (int i = 0; i < 3; i++)
        touch(world, pairs[i][0], pairs[i][1], 0, 0, 0, -5e-5);
    step(s);
    assert_int_equal(pcm_world_contact_count(world), 1);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_at(world, 0, &info), PCM_OK);
    assert_string_equal(info.base_name, "g8");
    assert_int_equal(pcm_world_renew(world, old), PCM_OK);
    for (int i = 0; i < 3; i++)
        touch(world, pairs[i][0], pairs[i][1], 0, 0, 0, -5e-5);
    step(s);
    assert_int_equal(pcm_world_contact_count(world), 1);
    pcm_world_renew(world, old);
    pcm_world_renew(world, s->glued[1]);
    for (int i = 0; i < 3; i++)
        touch(world, pairs[i][0], pairs[i][1], 0, 0, 0, -5e-5);
    step(s);
    assert_int_equal(pcm_world_contact_count(world), 2);
    assert_int_equal(pcm_world_renew(world, (pcm_object){99, 1}), PCM_BAD_HANDLE);
}

/* Pressed together as old objects, two grains only push; bonded at 10 um they hold, and twice is as good as once. */
static void contacts_that_live_bond_on_demand(void **state)
{
    scene       *s = *state;
    pcm_world   *world = s->f.world;
    const double stiffness = 1e10 * 1e-6, rest = 1e-5;
    bool         bonded = true;
    step(s);
    assert_near(pressed(s, s->glued, rest), 5e3 * rest, 1e-12);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_at(world, 0, &info), PCM_OK);
    const pcm_contact contact = info.handle;
    assert_int_equal(pcm_world_bond(world, contact, &bonded), PCM_OK);
    assert_true(bonded);
    assert_near(pressed(s, s->glued, rest - 5e-5), -stiffness * 5e-5, 1e-12);
    assert_int_equal(pcm_world_bond(world, contact, &bonded), PCM_OK);
    assert_false(bonded);
    assert_near(pressed(s, s->glued, rest - 5e-5), -stiffness * 5e-5, 1e-12);
    assert_near(pressed(s, s->glued, rest - 2e-4), 0, 0);
    assert_int_equal(pcm_world_bond(world, contact, &bonded), PCM_BAD_HANDLE);
    assert_int_equal(s->f.messages, 0);
}

/* A bond that begins in a trial begins again in the next: objects are new until a commit. */
static void trials_leave_objects_new(void **state)
{
    scene *s = *state;
    for (int i = 0; i < 2; i++) {
        touch(s->f.world, s->glued[0], s->glued[1], 7, 0, 0, -5e-5);
        assert_int_equal(pcm_world_update(s->f.world, 0, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_contact_count(s->f.world), 1);
    }
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_at(s->f.world, 0, &info), PCM_OK);
    assert_near(info.state[0], 1, 0);
    assert_near(info.state[1], -5e-5, 0);
}

static void *saved(pcm_world *world, size_t *size)
{
    void *bytes = malloc(*size = pcm_world_checkpoint_size(world));
    assert_int_equal(pcm_world_checkpoint_save(world, bytes, *size), PCM_OK);
    return bytes;
}

/* If a world was saved before the first commit, the restored one forms bonds as it would have; if later, it forms
 * none. */
static void a_checkpoint_knows_what_is_new(void **state)
{
    scene *s = *state;
    size_t sizes[2];
    void  *bytes[2];
    bytes[0] = saved(s->f.world, &sizes[0]);
    step(s);
    bytes[1] = saved(s->f.world, &sizes[1]);
    for (size_t i = 0; i < 2; i++) {
        scene other = {.f = s->f};
        other.f.world = fixture_world(&s->f, NULL);
        add_objects(&other, other.f.world);
        assert_int_equal(pcm_world_checkpoint_restore(other.f.world, bytes[i], sizes[i]), PCM_OK);
        pressed(&other, other.glued, -5e-5);
        assert_int_equal(pcm_world_contact_count(other.f.world), 1 - i);
        pcm_world_free(other.f.world);
        free(bytes[i]);
    }
}

/* ---- Bridges ---------------------------------------------------------------------------------------------------- */

static double film_gap(double volume) { return volume / (4 * pi * 1e-3 * 1e-3); }

static double bridge_pull(double volume, double gap)
{
    const double full = 2 * pi * 1e-3 * 0.072;
    const double d = 0.5 * gap * (sqrt(1 + 2 * volume / (pi * 1e-3 * gap * gap)) - 1);
    return gap > 0 ? full / (1 + gap / (2 * d)) : full;
}

/* Pulls, and ruptures at (1 + theta/2) V^(1/3) with theta = 0; afterwards there is no force until the films meet
 * again. */
static void a_bridge_forms_and_ruptures(void **state)
{
    scene       *s = *state;
    const double volume = 1e-9, films = film_gap(volume), ends = cbrt(volume);
    const double gaps[] = {0.999 * films, 0, 2 * films, 0.5 * ends, 0.999 * ends};
    assert_near(pressed(s, s->wet, -1.001 * films), 0, 0);
    assert_int_equal(stats_of(s, 1).made, 0);
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        const double pull = bridge_pull(volume, gaps[i]);
        /* Rounding of a difference of squares, of which 1/3 is left at rupture. */
        assert_near(pressed(s, s->wet, -gaps[i]), -pull, 64 * DBL_EPSILON * pull);
    }
    assert_int_equal(stats_of(s, 1).made, 1);
    assert_near(pressed(s, s->wet, -1.001 * ends), -bridge_pull(volume, 1.001 * ends), 1e-15);
    assert_int_equal(stats_of(s, 1).broken, 1);
    assert_near(pressed(s, s->wet, -0.5 * ends), 0, 0);
    assert_near(pressed(s, s->wet, -1.001 * films), 0, 0);
    assert_int_equal(stats_of(s, 1).made, 1);
    assert_near(pressed(s, s->wet, -0.999 * films), -bridge_pull(volume, 0.999 * films), 1e-15);
    assert_int_equal(stats_of(s, 1).made, 2);
}

/* At the same gap a large bridge begins and a small one does not; the file's volume counts until the host gives one. */
static void each_bridge_has_its_volume(void **state)
{
    scene       *s = *state;
    const double gap = 0.9 * film_gap(1e-9), volumes[2] = {4e-9, 0.5e-9};
    for (uint64_t i = 0; i < 3; i++) {
        const pcm_contact c = touch(s->f.world, s->wet[0], s->wet[1 + i], i, 0, 0, -gap);
        assert_int_not_equal(c.generation, 0); /* the type's onset is for the largest volume */
        if (i < 2)
            assert_int_equal(pcm_world_set_input(s->f.world, c, 0, volumes[i]), PCM_OK);
    }
    step(s);
    assert_int_equal(pcm_world_contact_count(s->f.world), 2);
    assert_near(wrench_of(s->f.world, s->wet[1]).force[2], -bridge_pull(4e-9, gap), 1e-15);
    assert_near(wrench_of(s->f.world, s->wet[2]).force[2], 0, 0);
    assert_near(wrench_of(s->f.world, s->wet[3]).force[2], -bridge_pull(1e-9, gap), 1e-15);
    assert_near(pcm_type_input_fallback(pcm_config_type_find(s->f.config, "B"), 0), 1e-9, 0);
    assert_true(isnan(pcm_type_input_fallback(pcm_config_type_find(s->f.config, "G"), 0)));
}

/* A bridge that ruptures beyond the gap at which its own films meet does not block its feature as broken, even though
 * the type's onset, for the largest volume, is much larger: it forms again at once where the films of the file's volume
 * meet. */
static void a_rupture_beyond_its_own_onset_blocks_nothing(void **state)
{
    scene       *s = *state;
    const double small = 1e-14, gap = 0.5 * film_gap(1e-9);
    assert_true(gap > film_gap(small) && gap > cbrt(small));
    const pcm_contact c = touch(s->f.world, s->wet[0], s->wet[1], 7, 0, 0, -gap);
    step(s);
    assert_int_equal(pcm_world_set_input(s->f.world, c, 0, small), PCM_OK);
    pressed(s, s->wet, -gap);
    assert_int_equal(stats_of(s, 1).broken, 1);
    assert_near(pressed(s, s->wet, -gap), -bridge_pull(1e-9, gap), 1e-15);
}

/* ---- Errors ----------------------------------------------------------------------------------------------------- */

static void a_separation_below_the_onset_is_an_error(void **state)
{
    scene     *s = *state;
    const char text[] = "ContactType G = Glue { Gap = 0.1 [mm]; Separation = 0.05 [mm]; }; DefaultPair -> G;";
    assert_null(pcm_config_parse(s->f.context, "x.pcm", text, sizeof text - 1));
    assert_int_equal(fixture_said(&s->f, PCM_MSG_PARAMETERS_REJECTED), 1);
    assert_non_null(strstr(s->f.text[0], "begin at a gap of 0.0001 m"));
    const char           wide[] = "ContactType G = Glue { Gap = 0.1 [mm]; TensileStrength = 0; }; DefaultPair -> G;";
    pcm_config          *config = pcm_config_parse(s->f.context, "x.pcm", wide, sizeof wide - 1);
    const pcm_type_info *info = pcm_type_get_info(pcm_config_type_at(config, 0));
    assert_near(info->onset, 1e-4, 0);
    assert_near(info->common->separation, 1e-4, 0);
    pcm_config_release(config);
}

/* A volume of NaN gives an onset of NaN: a fault, and no contact. */
static void an_onset_that_is_no_number_is_a_fault(void **state)
{
    scene            *s = *state;
    const pcm_contact c = touch(s->f.world, s->wet[0], s->wet[1], 7, 0, 0, 1e-6);
    pcm_world_set_input(s->f.world, c, 0, INFINITY);
    assert_int_equal(pcm_world_update(s->f.world, 0, 1e-3), PCM_BAD_MOTION);
    assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
    assert_near(wrench_of(s->f.world, s->wet[1]).force[2], 0, 0);
    assert_int_equal(stats_of(s, 1).made, 0);
}

/* ---- Parts, tasks, a host's own batches -------------------------------------------------------------------------- */

/* Elastic + Glue: contacts of new objects begin across the gap, later ones when bodies overlap, and both parts act. */
static void parts_begin_where_one_of_them_can(void **state)
{
    (void)state;
    scene s = {0};
    fixture_open(&s.f, "ContactType W = Elastic + Glue { Sticky = 0; }; DefaultPair -> W;", NULL);
    add_objects(&s, s.f.world);
    assert_near(pressed(&s, s.glued, -5e-5), 0, 0);
    assert_int_equal(pcm_world_contact_count(s.f.world), 1);
    pressed(&s, s.wet, -5e-5);
    assert_near(pressed(&s, s.wet, -5e-5), 0, 0);
    assert_int_equal(pcm_world_contact_count(s.f.world), 0);
    assert_near(pressed(&s, s.wet, 1e-4), 1e4 * 1e-4 + 5e3 * 1e-4, 1e-12);
    fixture_close(&s.f);
}

static void hosts_of_their_own_ask_the_same(void **state)
{
    scene          *s = *state;
    const pcm_type *type = pcm_config_type_find(s->f.config, "B");
    const double    most = film_gap(1e-8);
    assert_true(pcm_type_can_begin(type, -0.999 * most));
    assert_false(pcm_type_can_begin(type, -1.001 * most));
    assert_true(pcm_type_begins(type, -0.5 * most, 0.6 * most));
    assert_false(pcm_type_begins(type, -0.5 * most, 0.4 * most));
    assert_false(pcm_type_begins(type, -1.001 * most, INFINITY));
    assert_false(pcm_type_begins(type, 1, -INFINITY));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_scene, close_scene)
    const struct CMUnitTest tests[] = {
        TEST(a_bond_stretches_and_breaks),
        TEST(a_broken_bond_never_forms_again),
        TEST(only_new_objects_bond),
        TEST(contacts_that_live_bond_on_demand),
        TEST(trials_leave_objects_new),
        TEST(a_checkpoint_knows_what_is_new),
        TEST(a_bridge_forms_and_ruptures),
        TEST(each_bridge_has_its_volume),
        TEST(a_rupture_beyond_its_own_onset_blocks_nothing),
        TEST(a_separation_below_the_onset_is_an_error),
        TEST(an_onset_that_is_no_number_is_a_fault),
        cmocka_unit_test(parts_begin_where_one_of_them_can),
        TEST(hosts_of_their_own_ask_the_same),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
