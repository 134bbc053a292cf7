/* SPDX-License-Identifier: MIT */
/* How contacts end: the report to the host, the row in the log, and the declarations that a law must make. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const bonds =
    "ContactType B = Bond { Gap=1 [mm]; Reach=10 [mm]; LogFile=\"bond.csv\"; Resolution=1000; };\n"
    "ObjectPair a * b -> B;\n";

enum { HEARD = 8 };

typedef struct scene {
    fixture    f;
    pcm_object a, b;
    double     time;
    char       directory[32];
    size_t     heard;
    pcm_ending ending[HEARD];
    uint64_t   id[HEARD];
    double     heat[HEARD]; /* the law's state */
} scene;

static void listen(void *user, const pcm_ending *ending)
{
    scene *s = user;
    assert_true(s->heard < HEARD);
    s->ending[s->heard] = *ending;
    s->id[s->heard] = ending->contact->id;
    s->heat[s->heard++] = ending->contact->state[0];
    assert_string_equal(ending->contact->base_name, "a");
}

static int open_scene(void **state)
{
    static scene s;
    s = (scene){.directory = "/tmp/pcm-ending-XXXXXX"};
    assert_non_null(mkdtemp(s.directory));
    pcm_world_def def = pcm_world_defaults();
    def.log_directory = s.directory;
    def.ended = listen;
    def.ended_user = &s;
    fixture_open(&s.f, bonds, &def);
    s.a = pcm_world_add(s.f.world, "a", NULL);
    s.b = pcm_world_add(s.f.world, "b", NULL);
    *state = &s;
    return 0;
}

static int close_scene(void **state)
{
    scene *s = *state;
    char   path[64];
    fixture_close(&s->f);
    (void)snprintf(path, sizeof path, "%s/bond.csv", s->directory);
    return unlink(path) + rmdir(s->directory);
}

/* A step of 0.5 s, in which the law produces 1 J of heat. */
static void step(scene *s, double depth)
{
    if (depth > -1)
        touch(s->f.world, s->a, s->b, 1, 0, 0, depth);
    assert_int_equal(pcm_world_update(s->f.world, s->time += 0.5, 0.5), PCM_OK);
    assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
}

static void assert_ending(const scene *s, size_t i, pcm_end reason, double heat)
{
    assert_int_equal(s->heard, i + 1);
    assert_int_equal(s->ending[i].reason, reason);
    assert_int_equal(s->id[i], i + 1);
    assert_near(s->ending[i].time, s->time, 0);
    assert_near(s->ending[i].energy, 3, 0);
    assert_near(s->ending[i].dissipation, heat, 0);
    assert_near(s->heat[i], heat, 0);
}

/* The report has the states of the last commit, and includes the heat of the step that ends the contact. */
static void the_host_learns_how_contacts_end(void **state)
{
    scene *s = *state;
    step(s, 1e-3);
    step(s, 1e-3);
    assert_int_equal(s->heard, 0);
    step(s, -INFINITY);
    assert_ending(s, 0, PCM_END_PARTED, 3);
    step(s, 1e-3);
    step(s, -2e-3);
    assert_ending(s, 1, PCM_END_BROKEN, 2);
    step(s, 1e-3);
    touch(s->f.world, s->a, s->b, 2, 0, 0, 1e-3); /* never committed, so it does not count as a contact */
    assert_int_equal(pcm_world_remove(s->f.world, s->b), PCM_OK);
    assert_ending(s, 2, PCM_END_REMOVED, 1);
    step(s, -INFINITY);
    assert_int_equal(s->heard, 3);
}

static void the_last_row_is_logged_whatever_the_resolution(void **state)
{
    scene *s = *state;
    step(s, 1e-3);
    step(s, 1e-3);
    step(s, -2e-3);
    step(s, 1e-3);
    assert_int_equal(pcm_world_remove(s->f.world, s->b), PCM_OK);
    assert_int_equal(pcm_world_flush(s->f.world), PCM_OK);
    char path[64], line[3][512] = {{0}};
    (void)snprintf(path, sizeof path, "%s/bond.csv", s->directory);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char header[1024];
    assert_non_null(fgets(header, sizeof header, file));
    assert_non_null(strstr(header, ",end,end_energy [J],end_dissipation [J]\n"));
    size_t lines = 0;
    while (lines < 3 && fgets(line[lines], sizeof *line, file))
        lines++;
    assert_int_equal(lines, 3);
    assert_null(fgets(header, sizeof header, file));
    (void)fclose(file);
    assert_non_null(strstr(line[0], "0.5,1,a,b,"));
    assert_non_null(strstr(line[0], ",,,\n"));
    assert_non_null(strstr(line[1], "1.5,1,a,b,"));
    assert_non_null(strstr(line[1], ",broken,3,3\n"));
    assert_non_null(strstr(line[2], "2,2,a,b,"));
    assert_non_null(strstr(line[2], ",removed,3,1\n"));
}

/* The message appears once for the contact type; Bond declares that it pulls, so it gets none. */
static void laws_that_pull_unasked_are_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "ContactType P = Creep { Pushed=true; };\nContactType B = Bond;\nObjectPair a * b -> P;\n"
                 "DefaultPair -> B;\n",
                 NULL);
    pcm_object a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    pcm_object c = pcm_world_add(f.world, "c", NULL);
    for (int i = 0; i < 4; i++) {
        for (uint64_t feature = 0; feature < 3; feature++) {
            pcm_contact contact = touch(f.world, a, b, feature, 0, 0, 0.01);
            assert_int_equal(pcm_world_set_input(f.world, contact, 0, i < 2 || feature != 1 ? 5 : -7), PCM_OK);
        }
        touch(f.world, a, c, 1, 0, 0, i == 0 ? 0 : -0.5e-3);
        assert_int_equal(pcm_world_update(f.world, 1e-9 * i, 1e-9), PCM_OK);
        assert_int_equal(f.messages, i > 2);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_int_equal(f.messages, 1);
    assert_int_equal(f.code[0], 414);
    assert_non_null(strstr(f.text[0], "'P' pulls 'a' and 'b' together with "));
    assert_non_null(strstr(f.text[0], " s, but its law Creep does not say that it may: "));
    fixture_close(&f);
}

int main(void)
{
#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, open_scene, close_scene)
    const struct CMUnitTest tests[] = {
        SCENE_TEST(the_host_learns_how_contacts_end),
        SCENE_TEST(the_last_row_is_logged_whatever_the_resolution),
        cmocka_unit_test(laws_that_pull_unasked_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
